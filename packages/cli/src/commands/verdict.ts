/** `wirewalk verdict`: one verdict of a recording, shown, as a file to send, and such a file judged again. */
import { writeFile } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import { type CommandContext, FailedError, type Finish, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import {
  addFileFlags,
  addSessionFlags,
  ofFile,
  RECORDING_ARGUMENT,
  readRecording,
  recordingMaps,
  type SessionFlags,
} from "../files/recording-input.ts";
import { addMapsFlag } from "../input/maps.ts";
import { painter, widthOf } from "../output/colours.ts";
import { write } from "../output/output.ts";
import { explanationText } from "../output/verdict-text.ts";
import { actionsText, addVerdictActions, DATA_HELP, keptActions } from "./verdict-actions.ts";
import { type CheckCaseFlags, checkCase, type ExportCaseFlags, exportCase } from "./verdict-case.ts";

interface VerdictFlags extends SessionFlags {
  readonly data?: string;
  readonly json?: true;
  readonly svg?: string;
  readonly before?: number;
  readonly after?: number;
}

const ID_HELP = "as wirewalk verdicts shows it; its milliseconds are enough where no other verdict has them";

export function addVerdict(program: Command, context: CommandContext, _args: readonly string[], finish: Finish): void {
  const verdict = program
    .command("verdict")
    .summary("one verdict: shown with its evidence, as one file to send, judged again, acted upon")
    .description(
      "Shows a verdict with its evidence (verdict FILE ID is verdict show FILE ID), writes it as one file that anybody can open and judge " +
        "again, and judges such a file. Lists the last verdicts of a running server, and does something about one.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk verdict play.mcap 13250-1a2b3c4d
  $ wirewalk verdict play.mcap 13250 --svg verdict.svg --before 10
  $ wirewalk verdict export play.mcap 13250-1a2b3c4d > case.html
  $ wirewalk verdict check case.html
  $ wirewalk verdict list --token-file token
  $ wirewalk verdict act ban 13250-1a2b3c4d --for 7d --reason "third time" --token-file token`,
    );
  addSessionFlags(verdict.command("show", { isDefault: true }))
    .argument("<file>", RECORDING_ARGUMENT)
    .argument("<id>", ID_HELP)
    .option("--data <folder>", `also what was done about it: ${DATA_HELP}`)
    .option("--json", "one JSON object")
    .option("--svg <file>", "also draw it: claimed path, what was allowed, where the server had the player")
    .option("--before <seconds>", "seconds of play before it (default: 5, at most 60)", seconds)
    .option("--after <seconds>", "seconds of play after it (default: 3, at most 60)", seconds)
    .summary("shows it, bit by bit; what verdict <file> <id> does")
    .description(
      "Says what the player did, what you can do about it, how the number comes about and how sure it is. Shows the message that was judged, bit by bit, " +
        "the state before, what was measured and allowed, and the seconds around it. They are replayed from the nearest key frame, and the answer says whether the rule finds the same again.",
    )
    .action((file: string, id: string, flags: VerdictFlags) => show(context, file, id, flags));
  addFileFlags(verdict.command("export"))
    .argument("<file>", RECORDING_ARGUMENT)
    .argument("<id>", ID_HELP)
    .option("--out <file>", "write there (default: the standard output)")
    .option("--names", "keep the names, chat and looks of others (default: they have pseudonyms)")
    .option("--data <folder>", `also what was done about it, without notes and names of operators: ${DATA_HELP}`)
    .option("--key <file>", "sign it with this Ed25519 key, PEM: openssl genpkey -algorithm ed25519")
    .option(
      "--before <seconds>",
      "seconds of play before it (default: 10, fewer where the file would be too large)",
      seconds,
    )
    .option(
      "--after <seconds>",
      "seconds of play after it (default: 3, fewer where the file would be too large)",
      seconds,
    )
    .summary("writes it as one file that anybody can open")
    .description(
      "Writes an HTML file of at most 1 MB that needs no network: what was found and why, the recording of the seconds around it, the rule and its " +
        "limits, the places of the map that it needs, and a button that judges it again in the browser.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk verdict export play.mcap 13250-1a2b3c4d > case.html
  $ wirewalk verdict export play.mcap 13250 --key verdict-key.pem --out case.html
  $ wirewalk verdict export play.mcap 13250 --maps server/wz --names --out case.html`,
    )
    .action((file: string, id: string, flags: ExportCaseFlags) => exportCase(context, file, id, flags));
  addMapsFlag(verdict.command("check"), "for a file without the places that it needs", "game=")
    .argument("<file>", "what wirewalk verdict export has written")
    .option("--key <key>", "it must be signed with this public key, in base64 as the file shows it")
    .option("--json", "one JSON object")
    .summary("judges such a file by the rules of today")
    .description(
      "Judges the file by the rules of this version. Exit code 0: the same verdict. 1: another one, and which rule or limit has changed " +
        "since. 3: the file was edited or is damaged.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk verdict check case.html
  $ wirewalk verdict check case.html --key 3n5V0cJ8b1m0W4Qn0pPZ3cJ8b1m0W4Qn0pPZ3cJ8b1k= --json`,
    )
    .action((file: string, flags: CheckCaseFlags) => checkCase(context, file, flags, finish));
  addVerdictActions(verdict, context, finish);
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value <= 60) return value;
  throw new InvalidArgumentError("It must be a number of seconds from 0 to 60.");
}

async function show(context: CommandContext, file: string, id: string, flags: VerdictFlags): Promise<void> {
  const { checkRecordedMaps, explainVerdict, explanationJson, storyOf, verdictSvg } = await import(
    "@wirewalk/recording"
  );
  if (!/^\d/.test(id)) throw new UsageError(`'${id}' is no id of a verdict: one is as 13250-1a2b3c4d`);
  const chosen = recordingMaps(context, flags);
  const recording = await readRecording(context, file, flags, chosen);
  const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
  if (maps !== undefined) await ofFile(file, () => checkRecordedMaps(recording, maps));
  const explanation = await ofFile(file, () =>
    explainVerdict(recording, id, {
      protocols: context.protocols,
      maps,
      ...(flags.before === undefined ? {} : { beforeMs: flags.before * 1000 }),
      ...(flags.after === undefined ? {} : { afterMs: flags.after * 1000 }),
    }),
  );
  const { svg } = flags;
  if (svg !== undefined) {
    await writeFile(svg, verdictSvg(explanation)).catch((error: unknown) => {
      throw new FailedError(`Cannot write ${svg}: ${fileReason(error)}`);
    });
  }
  const { data } = flags;
  const actions = data === undefined ? undefined : await keptActions(data, explanation.world?.protocol, explanation.id);
  const { stdout, env } = context;
  if (flags.json === true) {
    const json = { ...explanationJson(explanation), ...(actions === undefined ? {} : { actions }) };
    await write(stdout, `${JSON.stringify(json)}\n`);
    return;
  }
  const width = widthOf(stdout);
  const style = { paint: painter(stdout, env), ...(width === undefined ? {} : { width }) };
  const done = actions === undefined ? "" : actionsText(actions);
  const game = context.protocols[explanation.world?.protocol ?? ""];
  const story = game === undefined ? [] : storyOf(explanation, { game, maps });
  await write(stdout, `${explanationText(explanation, story, style)}${done}`);
}
