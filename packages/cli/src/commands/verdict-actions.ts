/** `wirewalk verdict list|act|acted|dismiss`: the verdicts of a running server, and what people do about them. */
import type { ActedVerdict, KeptAction, ShownVerdict, VerdictActionName } from "@wirewalk/server";
import { Argument, type Command } from "commander";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { ofFile, RECORDING_ARGUMENT } from "../files/recording-input.ts";
import { duration, wholeNumber } from "../input/numbers.ts";
import { addServerFlags, askJson, type ServerFlags, warnInClear } from "../input/server-request.ts";
import { write } from "../output/output.ts";
import { openExistingStore } from "../process/open-store.ts";

const ACTIONS: readonly VerdictActionName[] = ["note", "dismiss", "warn", "kick", "ban", "lift"];

interface ListFlags extends ServerFlags {
  readonly world?: string;
  readonly player?: number;
  readonly rule?: string;
  readonly limit: number;
  readonly json?: true;
}

interface ActFlags extends ServerFlags {
  readonly world?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly for?: number;
  readonly json?: true;
}

interface ActedFlags {
  readonly data: string;
  readonly json?: true;
}

interface DismissFlags {
  readonly into: string;
  readonly reason: string;
  readonly by?: string;
  readonly data?: string;
}

export const DATA_HELP = "the server's data folder, or postgres://… of its --store";

/** Who asks, where nothing says it: the user of this machine. */
function nameOf(context: CommandContext, by: string | undefined): string {
  return by ?? context.env.USER ?? context.env.LOGNAME ?? "admin";
}

export function addVerdictActions(verdict: Command, context: CommandContext, finish: Finish): void {
  addServerFlags(verdict.command("list"))
    .option("--world <name>", "of this world")
    .option("--player <number>", "about this player", wholeNumber(0, 0xffff_ffff))
    .option("--rule <name>", "of this rule")
    .option("--limit <number>", "so many at most", wholeNumber(1, 2_000), 100)
    .option("--json", "one JSON object for each verdict")
    .summary("the last verdicts of a running server, with what was done about them")
    .description(
      "Lists the last verdicts above benign of a running server, the newest first: 2,000 of them, and 20 of one player and rule. The id is that of " +
        "recordings.",
    )
    .action((flags: ListFlags) => list(context, flags));
  addServerFlags(verdict.command("act"))
    .addArgument(new Argument("<action>", "what to do").choices(ACTIONS))
    .argument(
      "<id>",
      "the verdict, as wirewalk verdict list shows it; its beginning is enough where only one begins so",
    )
    .option("--world <name>", "of this world, where several have such a verdict")
    .option("--by <name>", "who asks (default: the user of this machine)")
    .option("--reason <text>", "why; of warn what the player reads")
    .option("--for <time>", "of a ban, such as 30m or 7d (default: 1h)", duration)
    .option("--json", "one JSON object: the verdict with all that was done")
    .summary("does something about a verdict of a running server: a note, a warning, a kick, a ban")
    .description(
      "note keeps a sentence for other operators. dismiss says that the verdict was false: its points are taken back, and the seconds around it become a " +
        "recording in which the rule must not find that player (serve --dismissed, wirewalk check). warn sends the player a sentence, where the game has a message for it. " +
        "kick ends its session, ban keeps its login or address out for a time, lift ends such a ban. Each is kept with who, when and why.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk verdict act note 13250-1a2b3c4d --reason "looks honest, asked him" --token-file token
  $ wirewalk verdict act dismiss 13250 --reason "a lift that the map lacks" --token-file token
  $ wirewalk verdict act ban 13250 --for 7d --reason "third time" --by ann --token-file token

Exit code 0 when it was done, 1 when it could not be done or the server failed.`,
    )
    .action((action: VerdictActionName, id: string, flags: ActFlags) => act(context, { action, id, flags, finish }));
  verdict
    .command("acted")
    .requiredOption("--data <folder>", DATA_HELP)
    .option("--json", "one JSON object for each verdict")
    .summary("what was done about verdicts, out of the server's data")
    .description(
      "Lists what operators have done about verdicts, the last first: who, when and why, also while the server runs.",
    )
    .action((flags: ActedFlags) => acted(context, flags));
  verdict
    .command("dismiss")
    .argument("<file>", RECORDING_ARGUMENT)
    .argument("<id>", "the verdict that is false, as wirewalk verdicts shows it")
    .requiredOption("--into <folder>", "where the recording goes, such as the folder that wirewalk check reads")
    .requiredOption("--reason <text>", "why it is false")
    .option("--by <name>", "who says so (default: the user of this machine)")
    .option("--data <folder>", `also keep it as an action: ${DATA_HELP}`)
    .summary("makes a recording of a false verdict in which the rule must not find the player")
    .description(
      "Takes the seconds around a verdict out of a recording, 15 before and 3 after it, and writes them with the expectation that the rule does not find " +
        "that player. wirewalk check then says whether other limits or a newer version still do.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk verdict dismiss play.mcap 13250-1a2b3c4d --into corpus/dismissed --reason "a lift that the map lacks"
  $ wirewalk check corpus/dismissed`,
    )
    .action((file: string, id: string, flags: DismissFlags) => dismiss(context, file, id, flags));
}

async function list(context: CommandContext, flags: ListFlags): Promise<void> {
  const { server, world, player, rule, limit, json } = flags;
  await warnInClear(context, server, "the token passes");
  const search = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries({ world, player, rule })) {
    if (value !== undefined) search.set(name, String(value));
  }
  const { verdicts } = await askJson(flags, { path: `/verdicts?${search}` });
  const all = Array.isArray(verdicts) ? (verdicts as readonly ShownVerdict[]) : [];
  if (all.length === 0 && json !== true) await write(context.stdout, "No verdicts.\n");
  for (const verdict of all) {
    await write(context.stdout, json === true ? `${JSON.stringify(verdict)}\n` : verdictText(verdict));
  }
}

interface Act {
  readonly action: VerdictActionName;
  readonly id: string;
  readonly flags: ActFlags;
  readonly finish: Finish;
}

async function act(context: CommandContext, { action, id, flags, finish }: Act): Promise<void> {
  const { server, world, by, reason, for: forMs, json } = flags;
  if (!/^\d/.test(id)) throw new UsageError(`'${id}' is no id of a verdict: one is as 13250-1a2b3c4d`);
  if (forMs !== undefined && action !== "ban") throw new UsageError(`--for is the length of a ban: ${action} has none`);
  await warnInClear(context, server, "the token passes");
  const search = world === undefined ? "" : `?${new URLSearchParams({ world })}`;
  const body = {
    action,
    by: nameOf(context, by),
    ...(reason === undefined ? {} : { reason }),
    ...(forMs === undefined ? {} : { forMs }),
  };
  const answer = await askJson(flags, { path: `/verdicts/${encodeURIComponent(id)}/actions${search}`, body });
  const verdict = answer as unknown as ShownVerdict;
  await write(context.stdout, json === true ? `${JSON.stringify(verdict)}\n` : verdictText(verdict));
  if (verdict.actions.at(-1)?.result === "failed") finish(ExitCode.failed);
}

async function acted(context: CommandContext, { data, json }: ActedFlags): Promise<void> {
  const { listActed } = await import("@wirewalk/server");
  const store = await openExistingStore(data, { shared: true });
  try {
    const all = listActed(store);
    if (all.length === 0 && json !== true) await write(context.stdout, "Nothing was done about a verdict.\n");
    for (const each of all) {
      await write(context.stdout, json === true ? `${JSON.stringify(each)}\n` : actedText(each));
    }
  } finally {
    store.close();
  }
}

const BEFORE_MS = 15_000;
const AFTER_MS = 3_000;

async function dismiss(context: CommandContext, file: string, id: string, flags: DismissFlags): Promise<void> {
  const { clockOffsetNs, findVerdict, recordedWorld, sliceRecording, verdictFields } = await import(
    "@wirewalk/recording"
  );
  const { nodeMeans, readRecordingFile } = await import("@wirewalk/recording/node");
  const { keepActed, writeDismissed } = await import("@wirewalk/server");
  const { into, reason, data } = flags;
  const { path, about } = await ofFile(file, async () => {
    const recording = await readRecordingFile(file);
    const found = findVerdict(recording, id);
    const { verdict, name } = found;
    if (name === undefined)
      throw new RangeError(`verdict ${id} is about a player whose name the recording does not have`);
    const { player, rule, atMs } = verdict;
    const offsetNs = clockOffsetNs(recording) ?? 0n;
    const at = (ms: number): bigint => offsetNs + BigInt(Math.round(ms * 1_000_000));
    const slice = await sliceRecording([recording], {
      fromNs: at(Math.max(0, atMs - BEFORE_MS)),
      toNs: at(atMs + AFTER_MS),
      player,
      about: { rule, player: String(player), reason, dismissed: "true" },
      means: nodeMeans,
    });
    const { protocol } = recordedWorld(recording);
    const { id: whole, before: _before, ...facts } = verdictFields(found, recording.chunks[0]?.startTime ?? 0n);
    const play = { world: protocol, id: whole as string, rule, name, reason };
    return { path: await writeDismissed(into, play, slice), about: { ...facts, id: whole, protocol, world: protocol } };
  });
  if (data !== undefined) {
    const store = await openExistingStore(data, { shared: true });
    try {
      const action: KeptAction = {
        action: "dismiss",
        by: nameOf(context, flags.by),
        reason,
        atMs: Date.now(),
        result: "done",
        detail: `recording ${path}`,
      };
      keepActed(store, JSON.parse(JSON.stringify(about)), action);
    } finally {
      store.close();
    }
  }
  await write(context.stdout, `${path}\n`);
}

/** What was done about a verdict of a game, out of a server's data. */
export async function keptActions(
  data: string,
  protocol: string | undefined,
  id: string,
): Promise<readonly KeptAction[]> {
  const { actionsOf } = await import("@wirewalk/server");
  const store = await openExistingStore(data, { shared: true });
  try {
    return protocol === undefined ? [] : actionsOf(store, protocol, id);
  } finally {
    store.close();
  }
}

/** Lines below a verdict: what was done about it. */
export function actionsText(actions: readonly KeptAction[]): string {
  const lines = actions.length === 0 ? ["  nothing"] : actions.map(actionLine);
  return ["", "What was done:", ...lines, ""].map((line) => escapeControls(line)).join("\n");
}

function verdictText(verdict: ShownVerdict): string {
  const { id, world, rule, kind, reason, player, name, epochMs, measured, allowed, unit, actions } = verdict;
  const figures = measured === null ? "" : ` (${number(measured)} of ${number(allowed ?? 0)} ${unit ?? ""})`;
  const who = name === "" ? `player ${player}` : `${name} (player ${player})`;
  const head = `${new Date(epochMs).toISOString()}  ${id}  ${world}  ${kind} by ${rule}  ${who}  ${reason}${figures}`;
  return [head.trimEnd(), ...actions.map(actionLine)].map((line) => `${escapeControls(line)}\n`).join("");
}

function actedText({ about, actions }: ActedVerdict): string {
  const { id, world, rule, kind, name } = about;
  const head = `${id}  ${world}  ${kind} by ${rule}  ${name ?? ""}`;
  return [head.trimEnd(), ...actions.map(actionLine)].map((line) => `${escapeControls(line)}\n`).join("");
}

/** An action as a line below its verdict. */
function actionLine({ action, by, reason, atMs, result, detail }: KeptAction): string {
  const why = reason === "" ? "" : `: ${reason}`;
  const what = result === "failed" ? `${action} FAILED` : action;
  return `  ${new Date(atMs).toISOString()}  ${what} by ${by}${why}${detail === null ? "" : ` (${detail})`}`;
}

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
