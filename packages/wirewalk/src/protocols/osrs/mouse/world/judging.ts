/**
 * Judging a mouse packet: pure functions that return what a rule finds. Nothing is refused, corrected or banned: a finding
 * is evidence.
 */
import type { VerdictKind } from "../../../../motion/index.ts";
import { FLUSH_SAMPLES } from "../movement/recorder.ts";
import type { MousePacketSummary } from "../movement/tracker.ts";
import type { Finding } from "./kinematics.ts";
import type { MouseLimits } from "./limits.ts";
import type { MouseRule } from "./rule-names.ts";

/** A packet this much sooner than samples can be taken is early for sure, whatever the network did to it. */
const EARLY_SHARE = 0.9;

/** A verdict without its player, message and state. */
export interface Judgement {
  readonly kind: VerdictKind;
  readonly rule: MouseRule | "clock-back";
  /** For people. */
  readonly reason: string;
  readonly measured?: number;
  readonly allowed?: number;
  readonly unit?: string;
}

/** A packet before the one that is judged. */
export interface EarlierPacket {
  /** When it came; undefined: none came yet. */
  readonly arrivedMs: number | undefined;
  /** It took all that fits. */
  readonly isFull: boolean;
}

/**
 * Whether a packet came so soon after the one before that not enough samples for it can have been taken: then a button
 * was pressed. A full packet is followed by its rest. `sampleMs`: time between two samples.
 */
export function isEarly({ arrivedMs, isFull }: EarlierPacket, sampleMs: number, nowMs: number): boolean {
  const timedMs = (FLUSH_SAMPLES - 1) * sampleMs;
  return arrivedMs !== undefined && !isFull && nowMs - arrivedMs < timedMs * EARLY_SHARE;
}

/** Benign: honest clients whose clock was set back send such packets. */
export function judgeClock({ cutBytes, meanResidueMs, records }: MousePacketSummary): Judgement | undefined {
  if (cutBytes === 0 && meanResidueMs >= 0) return undefined;
  const reason = `The client's clock went back: ${records} records read, ${cutBytes} bytes left`;
  return { kind: "benign", rule: "clock-back", reason };
}

/** The strong findings of rules that were not flagged yet: once a session is enough, the score can be asked for. */
export function judgeFindings(
  findings: readonly Finding[],
  flagged: ReadonlySet<MouseRule>,
  { flagStrength }: MouseLimits,
): readonly FlaggedFinding[] {
  return findings
    .filter(({ rule, strength }) => strength >= flagStrength && !flagged.has(rule))
    .map(({ rule, reason, measured, allowed, unit }) => ({ kind: "flag", rule, reason, measured, allowed, unit }));
}

/** A judgement of {@link judgeFindings}. */
export interface FlaggedFinding extends Judgement {
  readonly rule: MouseRule;
}
