/** `wirewalk replay FILE`: plays a recording again, shows its verdicts, and says whether everything is as it was. */
import type { Damage, Recording, ReplayDifference, ReplayReport } from "@wirewalk/recording";
import { type Command, InvalidArgumentError } from "commander";
import type { Verdict } from "wirewalk/motion";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, ExitCode, FailedError, type Finish } from "../context.ts";
import { write } from "../output.ts";

interface ReplayFlags {
  readonly from?: number;
  readonly to?: number;
  readonly verify?: true;
  readonly json?: true;
}

/** Differences and damaged places that are printed. */
const MAX_LINES = 20;

export function addReplay(program: Command, context: CommandContext, _args: readonly string[], finish: Finish): void {
  program
    .command("replay")
    .argument("<file>", "a recording: an MCAP file of serve --record or of @wirewalk/recording")
    .option("--from <seconds>", "begin at the key frame before this time of the recording", seconds)
    .option("--to <seconds>", "end at this time of the recording", seconds)
    .option("--verify", "compare everything with the recording; exit code 3 for a difference")
    .option("--json", "one JSON object for each line")
    .summary("play a recording again: its verdicts, and whether everything is as it was")
    .description(
      "Makes the recorded calls again on a world of the same game. Prints the verdicts; with --verify compares every effect, " +
        "verdict and key frame, and names the first differences by tick, player and field. Damaged parts of the file are " +
        "named and skipped. docs/recordings.md describes the format.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk serve --bots 24 --record ./recordings
  $ wirewalk replay ./recordings/slime-online-2-20260101T123000.000Z.mcap --verify
  $ wirewalk replay play.mcap --from 90 --to 120 --json`,
    )
    .action((file: string, flags: ReplayFlags) => replay(context, file, flags, finish));
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text)) return value;
  throw new InvalidArgumentError("It must be a number of seconds, such as 90 or 1.5.");
}

async function replay(context: CommandContext, file: string, flags: ReplayFlags, finish: Finish): Promise<void> {
  const [{ replayRecording }, { readRecordingFile }] = await Promise.all([
    import("@wirewalk/recording"),
    import("@wirewalk/recording/node"),
  ]);
  const recording = await orFail(file, () => readRecordingFile(file));
  const startNs = recording.chunks[0]?.startTime ?? 0n;
  const at = (time: number): bigint => startNs + BigInt(Math.round(time * 1e6)) * 1000n;
  const lines: string[] = [];
  const report = await orFail(file, () =>
    replayRecording(recording, {
      protocols: context.protocols,
      ...(flags.from === undefined ? {} : { fromNs: at(flags.from) }),
      ...(flags.to === undefined ? {} : { toNs: at(flags.to) }),
      ...(flags.verify === true
        ? {}
        : { onVerdict: (verdict) => void lines.push(verdictLine(verdict, flags.json === true)) }),
    }),
  );
  if (flags.json === true) {
    lines.push(
      JSON.stringify({ file, isEnded: recording.isEnded, damage: recording.damage.map(damageJson), ...report }),
    );
  } else lines.push(...summary(report, recording, flags.verify === true));
  await write(context.stdout, `${lines.join("\n")}\n`);
  if (flags.verify === true && report.differenceCount > 0) finish(ExitCode.refused);
}

async function orFail<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError || error instanceof Error) {
      throw new FailedError(`${file}: ${error.message}`);
    }
    throw error;
  }
}

function verdictLine(verdict: Verdict, isJson: boolean): string {
  const { kind, rule, reason, player, room, atMs, measured, allowed, unit = "" } = verdict;
  if (isJson) return JSON.stringify({ kind, rule, reason, player, room, atMs, measured, allowed, unit });
  const values =
    measured === undefined ? "" : ` (${measured}${allowed === undefined ? "" : `, allowed ${allowed}`} ${unit})`;
  return escapeControls(`${(atMs / 1000).toFixed(3)} player ${player} ${kind} ${rule}: ${reason}${values}`);
}

function damageJson({ start, end, reason, startNs, endNs }: Damage): object {
  return { start, end, reason, startNs: startNs?.toString(), endNs: endNs?.toString() };
}

function summary(report: ReplayReport, recording: Recording, isVerified: boolean): readonly string[] {
  const { world, fromMs, toMs, ticks, inputs, verdicts, effects, keyFrames, gaps, differenceCount } = report;
  const lines = [
    `${world.protocol}, dialect ${world.dialect}: ${((toMs - fromMs) / 1000).toFixed(1)} s, ${ticks} ticks, ${inputs} inputs, ${verdicts} verdicts`,
  ];
  if (!recording.isEnded) lines.push("The file was not ended by its writer: its last records may be missing.");
  const { damage } = recording;
  for (const { start, end, reason } of damage.slice(0, MAX_LINES)) {
    lines.push(escapeControls(`Damaged: bytes ${start} to ${end}: ${reason}`));
  }
  if (damage.length > MAX_LINES) lines.push(`Damaged: ${damage.length - MAX_LINES} more places`);
  for (const { from, to, afterMs } of gaps.slice(0, MAX_LINES)) {
    lines.push(`Missing: records ${from} to ${to}, after ${(afterMs / 1000).toFixed(3)}`);
  }
  if (gaps.length > MAX_LINES) lines.push(`Missing: records in ${gaps.length - MAX_LINES} more places`);
  if (!isVerified) return lines;
  if (differenceCount === 0) {
    return [...lines, `Verified: ${effects} effects and ${keyFrames} key frames are as they were.`];
  }
  for (const difference of report.differences.slice(0, MAX_LINES)) lines.push(differenceLine(difference));
  return [...lines, `Not as it was: ${differenceCount} differences.`];
}

function differenceLine({ what, tick, nowMs, player, field, recorded, replayed }: ReplayDifference): string {
  const who = player === undefined ? "" : `, player ${player}`;
  return escapeControls(
    `Different: tick ${tick} (${(nowMs / 1000).toFixed(3)})${who}, ${what} ${field}: recorded ${recorded}, replayed ${replayed}`,
  );
}
