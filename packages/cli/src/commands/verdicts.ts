/** `wirewalk verdicts FILE` lists the verdicts of a recording, `wirewalk verdict FILE ID` opens one. */
import { writeFile } from "node:fs/promises";
import type { RecordedVerdict } from "@wirewalk/recording";
import { type Command, InvalidArgumentError } from "commander";
import type { Filter } from "wirewalk/capture";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import {
  addSessionFlags,
  ofFile,
  RECORDING_ARGUMENT,
  readRecording,
  recordingMaps,
  type SessionFlags,
} from "../files/recording-input.ts";
import { painter, widthOf } from "../output/colours.ts";
import { write } from "../output/output.ts";
import { explanationText } from "../output/verdict-text.ts";

interface VerdictsFlags extends SessionFlags {
  readonly json?: true;
}

interface VerdictFlags extends SessionFlags {
  readonly json?: true;
  readonly svg?: string;
  readonly before?: number;
  readonly after?: number;
}

const COLUMNS = ["id", "time", "severity", "rule", "player", "measured", "allowed", "unit"] as const;
/** Lines of the table that are written at once. */
const BATCH = 500;

export function addVerdicts(program: Command, context: CommandContext): void {
  addSessionFlags(program.command("verdicts"))
    .argument("<file>", RECORDING_ARGUMENT)
    .argument("[filter]", "verdicts to show: rule == teleport && severity != benign && time > 12s")
    .option("--json", "one JSON object for each verdict")
    .summary("the verdicts of a recording, as a table")
    .description(
      "Lists what the rules found in a recording: when, about whom, what was measured and allowed. The filter is that of " +
        "wirewalk inspect, with the fields of docs/verdicts.md. An id stays the same; wirewalk verdict opens it.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk verdicts play.mcap
  $ wirewalk verdicts play.mcap 'rule == unreachable && severity != benign && name == ann && time > 12s'
  $ wirewalk verdicts play.mcap 'share > 2' --json`,
    )
    .action((file: string, filter: string | undefined, flags: VerdictsFlags) => list(context, file, filter, flags));
}

export function addVerdict(program: Command, context: CommandContext): void {
  addSessionFlags(program.command("verdict"))
    .argument("<file>", RECORDING_ARGUMENT)
    .argument("<id>", "as wirewalk verdicts shows it; its milliseconds are enough where no other verdict has them")
    .option("--json", "one JSON object")
    .option("--svg <file>", "also draw it: claimed path, what was allowed, where the server had the player")
    .option("--before <seconds>", "seconds of play before it (default: 5, at most 60)", seconds)
    .option("--after <seconds>", "seconds of play after it (default: 3, at most 60)", seconds)
    .summary("one verdict of a recording with its evidence")
    .description(
      "Shows the message that was judged, bit by bit, the state before, what was measured and allowed, and the seconds around " +
        "it. They are replayed from the nearest key frame, and the answer says whether the rule finds the same again.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk verdict play.mcap 13250-1a2b3c4d
  $ wirewalk verdict play.mcap 13250 --svg verdict.svg --before 10`,
    )
    .action((file: string, id: string, flags: VerdictFlags) => show(context, file, id, flags));
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value <= 60) return value;
  throw new InvalidArgumentError("It must be a number of seconds from 0 to 60.");
}

async function list(
  context: CommandContext,
  file: string,
  text: string | undefined,
  flags: VerdictsFlags,
): Promise<void> {
  const { checkRecordedMaps, listVerdicts, verdictFields, verdictFilterFields } = await import("@wirewalk/recording");
  const filter = text === undefined ? undefined : await readFilter(text, verdictFilterFields);
  const json = flags.json === true;
  const chosen = recordingMaps(context, flags);
  const recording = await readRecording(context, file, flags, chosen);
  const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
  // The verdicts stand in the file: maps are not needed to list them, but those of another world are a mistake.
  if (maps !== undefined) await ofFile(file, () => checkRecordedMaps(recording, maps));
  const startNs = recording.chunks[0]?.startTime ?? 0n;
  let lines: string[] = json ? [] : [tableRow(COLUMNS.map(String), "what the rule found")];
  let count = 0;
  for (const verdict of listVerdicts(recording)) {
    const fields = verdictFields(verdict, startNs);
    if (filter?.(fields) === false) continue;
    count += 1;
    lines.push(json ? `${JSON.stringify({ ...fields, message: hexOf(verdict) })}\n` : row(fields, verdict));
    if (lines.length < BATCH) continue;
    await write(context.stdout, lines.join(""));
    lines = [];
  }
  if (!json && count === 0) lines = ["No verdicts.\n"];
  await write(context.stdout, lines.join(""));
  for (const { start, end, reason } of recording.damage) {
    await write(context.stderr, `${escapeControls(`wirewalk: ${file}: bytes ${start} to ${end}: ${reason}`)}\n`);
  }
}

async function readFilter(text: string, names: readonly string[]): Promise<Filter> {
  const { FilterError, parseFilter } = await import("wirewalk/capture");
  try {
    return parseFilter(text, names);
  } catch (error) {
    if (error instanceof FilterError) throw new UsageError(error.message);
    throw error;
  }
}

function hexOf({ verdict: { message } }: RecordedVerdict): string {
  return Buffer.from(message).toString("hex");
}

type Fields = Readonly<Record<string, unknown>>;

function row(fields: Fields, { verdict, name }: RecordedVerdict): string {
  const { time, player, measured, allowed } = fields;
  const who = name === undefined ? String(player) : `${player} ${name}`;
  const values: Fields = {
    ...fields,
    time: Number(time).toFixed(3),
    player: who,
    measured: number(measured),
    allowed: number(allowed),
  };
  return tableRow(
    COLUMNS.map((column) => String(values[column] ?? "")),
    verdict.reason,
  );
}

function number(value: unknown): string {
  return typeof value === "number" ? String(Math.round(value * 1000) / 1000) : "";
}

const WIDTHS = [18, 9, 8, 18, 16, 10, 10, 14];

function tableRow(cells: readonly string[], last: string): string {
  const padded = cells.map((cell, index) => {
    const width = WIDTHS[index] ?? 0;
    return COLUMNS[index] === "measured" || COLUMNS[index] === "allowed" ? cell.padStart(width) : cell.padEnd(width);
  });
  return `${escapeControls([...padded, last].join(" ").trimEnd())}\n`;
}

async function show(context: CommandContext, file: string, id: string, flags: VerdictFlags): Promise<void> {
  const { checkRecordedMaps, explainVerdict, explanationJson, verdictSvg } = await import("@wirewalk/recording");
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
  const { stdout, env } = context;
  if (flags.json === true) {
    await write(stdout, `${JSON.stringify(explanationJson(explanation))}\n`);
    return;
  }
  const width = widthOf(stdout);
  const style = { paint: painter(stdout, env), ...(width === undefined ? {} : { width }) };
  await write(stdout, explanationText(explanation, style));
}
