/** `wirewalk replay FILE`: plays a recording again: as text, on the page, or compared with what was recorded. */
import { basename } from "node:path";
import type { Recording, Replay, ReplayOptions } from "@wirewalk/recording";
import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "wirewalk/net";
import type { WorldMaps } from "wirewalk/protocol";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, ExitCode, FailedError, type Finish, UsageError } from "../context.ts";
import {
  addSessionFlags,
  ofFile,
  RECORDING_ARGUMENT,
  readRecording,
  recordingMaps,
  type SessionFlags,
} from "../files/recording-input.ts";
import { ownerBefore } from "../files/recording-owners.ts";
import { collect } from "../input/collect.ts";
import { wholeNumber } from "../input/numbers.ts";
import { chooseSettings, type SettingFlags } from "../input/settings.ts";
import { write } from "../output/output.ts";
import { isAsRecorded, reportJson, summary, verdictLine } from "../output/replay-lines.ts";
import { printDryRun } from "./replay-policies.ts";
import { comparisonJson, comparisonText } from "./replay-settings.ts";

interface ReplayFlags extends SettingFlags, SessionFlags {
  readonly from?: number;
  readonly to?: number;
  readonly speed?: number;
  readonly verify?: true;
  readonly after?: string;
  readonly serve?: true;
  readonly http?: number;
  readonly policy?: readonly string[];
  readonly json?: true;
}

/** With the maps of the recording. */
type GivenFlags = Omit<ReplayFlags, "maps"> & { readonly maps: WorldMaps | undefined };

/** Beside that of `wirewalk serve`, which may run at the same time. */
const DEFAULT_HTTP = 7410;
const MIN_SPEED = 0.1;
const MAX_SPEED = 16;
/** Lines that are written together. */
const LINES_AT_ONCE = 256;

export function addReplay(program: Command, context: CommandContext, _args: readonly string[], finish: Finish): void {
  addSessionFlags(program.command("replay"))
    .argument("<file>", RECORDING_ARGUMENT)
    .option("--from <seconds>", "begin at this time of the recording", seconds)
    .option("--to <seconds>", "end at this time of the recording", seconds)
    .option(
      "--verify",
      "compare everything with the recording, and every byte with its checksums; exit code 3 for a difference, and when something is damaged or missing",
    )
    .option("--after <file>", "with --verify: the recording of the node that owned the world before, in a cluster")
    .option("--serve", "play it to the page of this machine, with a bar to pause, step and go to any time")
    .option(
      "--http <port>",
      `with --serve: port of the page, 0 for any (default: ${DEFAULT_HTTP})`,
      wholeNumber(0, 65_535),
    )
    .option(
      "--speed <number>",
      `seconds of the recording in a second, ${MIN_SPEED} to ${MAX_SPEED} (default: 1 on the page, as fast as it can without it)`,
      speed,
    )
    .option(
      "--set <protocol.name=number>",
      "what another limit would have found (see wirewalk rules; repeatable)",
      collect,
    )
    .option("--rules <file>", "the same, for the limits of a JSON file")
    .option(
      "--policy <protocol.rule=action>",
      "a dry run: what this policy of serve or relay would have done with the recorded verdicts (repeatable)",
      collect,
    )
    .option("--json", "one JSON object for each line")
    .summary("play a recording again: its verdicts, on the page, or compared with what was recorded")
    .description(
      "Makes the recorded calls again on a world of the same game. Prints the verdicts, with --speed at the times at which they " +
        "were found. With --verify it compares every effect, verdict and key frame, and names the first differences by tick, player and " +
        "field, and every place of the file that is damaged or missing. With --serve it plays to the page. With --set or --rules it lists the verdicts that other limits add and remove, with --policy what a policy would have done. Damaged parts of the file are named and skipped. docs/recordings.md describes the format.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk serve --bots 24 --record ./recordings
  $ wirewalk replay ./recordings/slime-online-2-20260101T123000.000Z.mcap --verify
  $ wirewalk replay play.mcap --serve --from 90
  $ wirewalk replay play.mcap --from 90 --to 120 --json
  $ wirewalk replay play.mcap --set slime-online-2.maxSpeed=3
  $ wirewalk replay play.mcap --policy 'slime-online-2.*=kick,limit=20'

--from without --serve begins at the key frame before that time, at most five seconds earlier.`,
    )
    .action((file: string, flags: ReplayFlags) => replay(context, file, flags, finish));
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text)) return value;
  throw new InvalidArgumentError("It must be a number of seconds, such as 90 or 1.5.");
}

function speed(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value >= MIN_SPEED && value <= MAX_SPEED) return value;
  throw new InvalidArgumentError(`It must be a number from ${MIN_SPEED} to ${MAX_SPEED}.`);
}

async function replay(context: CommandContext, file: string, flags: ReplayFlags, finish: Finish): Promise<void> {
  checkFlags(flags);
  const chosen = recordingMaps(context, flags);
  const recording = await readRecording(context, file, flags, chosen);
  checkStart(file, recording, flags);
  const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
  const given = { ...flags, maps };
  if (flags.policy !== undefined) {
    await printDryRun(context, file, recording, {
      policy: flags.policy,
      ...(flags.json === true ? { json: true } : {}),
    });
  } else if (flags.serve === true) await serve(context, file, recording, given);
  else await print(context, file, recording, given, finish);
}

/** Throws `UsageError` for flags that do not go together. */
function checkFlags(flags: ReplayFlags): void {
  const { from = 0, to, verify, after, serve, http, json, speed, set, rules, policy } = flags;
  const others = Object.entries({ from: flags.from, to, verify, serve, speed, set, rules });
  const [other] = others.flatMap(([name, value]) => (policy !== undefined && value !== undefined ? [name] : []));
  if (other !== undefined)
    throw new UsageError(`--policy looks at all recorded verdicts: --${other} does not go with it`);
  if (to !== undefined && to <= from) throw new UsageError(`--to ${to} must be after --from ${from}`);
  if ((set !== undefined || rules !== undefined) && (serve === true || verify === true || speed !== undefined)) {
    throw new UsageError("--set and --rules list verdicts: --serve, --verify and --speed do not go with them");
  }
  if (after !== undefined && verify !== true) throw new UsageError("--after needs --verify");
  if (serve === true && verify === true) throw new UsageError("--serve and --verify do not go together");
  if (serve === true && json === true) throw new UsageError("--serve prints no verdicts: --json does not go with it");
  if (serve !== true && http !== undefined) throw new UsageError("--http needs --serve");
  if (verify === true && speed !== undefined) {
    throw new UsageError("--verify prints no verdicts: --speed does not go with it");
  }
}

/** Throws `UsageError` for a time past the end of the recording. */
function checkStart(file: string, { chunks }: Recording, { from = 0 }: Pick<ReplayFlags, "from">): void {
  const startNs = chunks[0]?.startTime ?? 0n;
  const lengthNs = chunks.reduce((most, { endTime }) => (endTime - startNs > most ? endTime - startNs : most), 0n);
  const lengthSeconds = Number(lengthNs / 1_000_000n) / 1000;
  if (from === 0 || from < lengthSeconds) return;
  throw new UsageError(`--from ${from} is past the end: ${file} has ${lengthSeconds} seconds`);
}

async function print(
  context: CommandContext,
  file: string,
  recording: Recording,
  flags: GivenFlags,
  finish: Finish,
): Promise<void> {
  const { Replay } = await import("@wirewalk/recording");
  const startNs = recording.chunks[0]?.startTime ?? 0n;
  const at = (time: number): bigint => startNs + BigInt(Math.round(time * 1e6)) * 1000n;
  const times = {
    ...(flags.from === undefined ? {} : { fromNs: at(flags.from) }),
    ...(flags.to === undefined ? {} : { toNs: at(flags.to) }),
  };
  if (flags.set !== undefined || flags.rules !== undefined) {
    await compare(context, file, recording, flags, times);
    return;
  }
  const isJson = flags.json === true;
  const isVerified = flags.verify === true;
  const lines: string[] = [];
  const flush = (): Promise<void> =>
    write(
      context.stdout,
      lines
        .splice(0)
        .map((line) => `${line}\n`)
        .join(""),
    );
  const options: ReplayOptions = {
    protocols: context.protocols,
    maps: flags.maps,
    ...times,
    ...(isVerified ? {} : { onVerdict: (verdict) => void lines.push(verdictLine(verdict, isJson)) }),
  };
  const before = flags.after === undefined ? undefined : await ownerBefore(context, flags.after, file, recording);
  const replayed = new Replay(recording, options);
  await ofFile(file, () => play(context, replayed, flags.speed, { lines, flush }));
  const report = await ofFile(file, () => replayed.report());
  if (isVerified) recording.check();
  if (isJson) lines.push(reportJson(file, report, recording, before));
  else lines.push(...summary(report, recording, isVerified, before));
  await flush();
  if (isVerified && !isAsRecorded(report, recording)) finish(ExitCode.refused);
}

interface Output {
  readonly lines: readonly string[];
  flush(): Promise<void>;
}

/** Replays to the end; with a speed at the times of the recording, and until a signal. */
async function play(context: CommandContext, replay: Replay, speed: number | undefined, out: Output): Promise<void> {
  if (speed === undefined) {
    while (replay.next() !== undefined) if (out.lines.length >= LINES_AT_ONCE) await out.flush();
    return;
  }
  const signal = signalled(context);
  const [startMs, startedMs] = [replay.nextMs ?? 0, systemClock.now()];
  for (let next = replay.nextMs; next !== undefined && !signal.isThere; next = replay.nextMs) {
    const waitMs = startedMs + (next - startMs) / speed - systemClock.now();
    if (waitMs > 0) {
      await out.flush();
      await Promise.race([
        signal.arrives,
        new Promise<void>((resolve) => void systemClock.after(waitMs, () => resolve())),
      ]);
    } else replay.next();
  }
}

async function serve(context: CommandContext, file: string, recording: Recording, flags: GivenFlags): Promise<void> {
  const { docsFolder, pageFolder, startPlayback } = await import("@wirewalk/server");
  const studioFolder = pageFolder();
  const { from, to, speed } = flags;
  const signal = signalled(context);
  const start = (): ReturnType<typeof startPlayback> =>
    startPlayback({
      recording,
      protocols: context.protocols,
      maps: flags.maps,
      file: basename(file),
      http: flags.http ?? DEFAULT_HTTP,
      studioFolder,
      docsFolder: docsFolder(),
      ...(speed === undefined ? {} : { speed }),
      ...(from === undefined ? {} : { firstMs: from * 1000 }),
      ...(to === undefined ? {} : { lastMs: to * 1000 }),
    });
  const running = await ofFile(file, () => start().catch(cannotListen));
  const { host, port } = running.address;
  await write(
    context.stdout,
    escapeControls(`${basename(file)} is played at http://${host}:${port}/`) +
      "\nThere is one playback: every page that is open here sees the same, and each of them controls it.\n" +
      (studioFolder !== undefined ? "" : "The page is not built: npm run build:studio builds it.\n"),
  );
  await signal.arrives;
  await running.close();
}

/** A port that is in use is no problem of the recording: the sentence does not name the file. */
function cannotListen(error: unknown): never {
  if (error instanceof Error && !(error instanceof RangeError)) throw new FailedError(error.message);
  throw error;
}

/** The first signal that ends a command. */
function signalled({ signals }: CommandContext): { readonly isThere: boolean; readonly arrives: Promise<void> } {
  let isThere = false;
  const arrives = new Promise<void>((resolve) => {
    const stop = (): void => {
      isThere = true;
      resolve();
    };
    signals.on("SIGINT", stop);
    signals.on("SIGTERM", stop);
    signals.on("orphaned", stop);
  });
  return {
    get isThere() {
      return isThere;
    },
    arrives,
  };
}

/** What other limits would have found. */
async function compare(
  context: CommandContext,
  file: string,
  recording: Recording,
  flags: GivenFlags,
  times: { readonly fromNs?: bigint; readonly toNs?: bigint },
): Promise<void> {
  const chosen = chooseSettings(context.protocols, flags);
  const { compareSettings, recordedWorld } = await import("@wirewalk/recording");
  const recorded = await ofFile(file, () => recordedWorld(recording));
  const settings = chosen.get(recorded.protocol);
  if (settings === undefined || chosen.size > 1) {
    const wrong = [...chosen.keys()].find((name) => name !== recorded.protocol) ?? "no game";
    throw new UsageError(`${file} is a recording of ${recorded.protocol}, and the settings are of ${wrong}`);
  }
  const { protocols } = context;
  const comparison = await ofFile(file, () =>
    compareSettings(recording, { protocols, settings, maps: flags.maps, ...times }),
  );
  const text = flags.json === true ? comparisonJson(file, comparison) : comparisonText(recorded, comparison);
  await write(context.stdout, text);
}
