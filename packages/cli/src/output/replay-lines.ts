/** What `wirewalk replay` prints. */
import type { Damage, Recording, ReplayDifference, ReplayReport } from "@wirewalk/recording";
import type { Verdict } from "wirewalk/motion";
import { escapeControls } from "wirewalk/wire";
import { type OwnerBefore, ownerLine } from "../files/recording-owners.ts";
import { measuredText } from "./verdict-text.ts";

/** Differences and damaged places that are printed. */
const MAX_LINES = 20;

export function verdictLine(verdict: Verdict, isJson: boolean): string {
  const { kind, rule, reason, player, room, atMs, measured, allowed, unit = "" } = verdict;
  if (isJson) return JSON.stringify({ kind, rule, reason, player, room, atMs, measured, allowed, unit });
  return escapeControls(
    `${(atMs / 1000).toFixed(3)} player ${player} ${kind} ${rule}: ${reason}${measuredText(verdict)}`,
  );
}

export function reportJson(
  file: string,
  report: ReplayReport,
  { isEnded, damage }: Recording,
  before?: OwnerBefore,
): string {
  const missingRecords = recordsIn(report.gaps);
  return JSON.stringify({ file, isEnded, damage: damage.map(damageJson), missingRecords, ...report, after: before });
}

/** Whether the file is as it was written and everything in it was compared and is as it was: what `--verify` asks. */
export function isAsRecorded({ differenceCount, gaps }: ReplayReport, { isEnded, damage }: Recording): boolean {
  return isEnded && damage.length === 0 && gaps.length === 0 && differenceCount === 0;
}

function recordsIn(gaps: ReplayReport["gaps"]): number {
  return gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

function damageJson({ start, end, reason, startNs, endNs }: Damage): object {
  return { start, end, reason, startNs: startNs?.toString(), endNs: endNs?.toString() };
}

export function summary(
  report: ReplayReport,
  recording: Recording,
  isVerified: boolean,
  before?: OwnerBefore,
): readonly string[] {
  const { world, fromMs, toMs, ticks, inputs, verdicts, effects, keyFrames, gaps, differenceCount } = report;
  const lines = [
    `${world.protocol}, dialect ${world.dialect}: ${((toMs - fromMs) / 1000).toFixed(1)} s, ${ticks} ticks, ${inputs} inputs, ${verdicts} verdicts`,
  ];
  const { owner } = world;
  if (owner !== undefined)
    lines.push(escapeControls(`Played by node ${owner.node} of a cluster, epoch ${owner.epoch}.`));
  if (before !== undefined) lines.push(ownerLine(before));
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
  for (const difference of report.differences.slice(0, MAX_LINES)) lines.push(differenceLine(difference));
  if (differenceCount > 0) lines.push(`Not as it was: ${differenceCount} differences.`);
  const compared = `${effects} effects and ${keyFrames} key frames are as they were`;
  if (isAsRecorded(report, recording)) return [...lines, `Verified: ${compared}.`];
  const rest = differenceCount > 0 ? "" : `; of what is left ${compared}`;
  const missing = missingText(report, recording);
  return missing === "" ? lines : [...lines, `Not whole: ${missing}${rest}.`];
}

/** What a file lacks, in words; empty for a whole one. */
function missingText({ gaps }: ReplayReport, { isEnded, damage }: Recording): string {
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const bytes = damage.reduce((sum, { start, end }) => sum + end - start, 0);
  return [
    ...(damage.length === 0 ? [] : [`${counted(damage.length, "damaged place")} with ${counted(bytes, "byte")}`]),
    ...(gaps.length === 0 ? [] : [`${counted(recordsIn(gaps), "record")} missing in ${counted(gaps.length, "place")}`]),
    ...(isEnded ? [] : ["the end of the file missing"]),
  ].join(", ");
}

function differenceLine({ what, tick, nowMs, player, field, recorded, replayed }: ReplayDifference): string {
  const who = player === undefined ? "" : `, player ${player}`;
  return escapeControls(
    `Different: tick ${tick} (${(nowMs / 1000).toFixed(3)})${who}, ${what} ${field}: recorded ${recorded}, replayed ${replayed}`,
  );
}
