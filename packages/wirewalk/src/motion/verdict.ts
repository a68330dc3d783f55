/**
 * A **verdict**: what a rule says of one message, with its evidence. Nothing punishes without one, and everything in
 * it can be opened later: the message's bytes, what was measured, what was allowed, the state before.
 */
import type { JsonObject } from "../wire/json.ts";
import type { PlayerId } from "./track.ts";

/**
 * What follows from a verdict.
 * - `accept`: as it should be.
 * - `benign`: odd, but honest clients do it; applied and relayed, or without effect where the rule says so.
 * - `flag`: applied and relayed; somebody should look at it.
 * - `correct`: refused, and the player's client is told the truth.
 * - `reject`: refused; nothing has changed and nobody has been told.
 */
export type VerdictKind = "accept" | "benign" | "flag" | "correct" | "reject";

/** One rule's word on one message. */
export interface Verdict {
  readonly kind: VerdictKind;
  /** Name of the rule, in kebab case: `teleport`, `rate-limit`. */
  readonly rule: string;
  /** The rule's finding as a sentence. */
  readonly reason: string;
  readonly player: PlayerId;
  readonly room: string;
  readonly atMs: number;
  /** What the rule measured, in `unit`. */
  readonly measured?: number;
  /** The most that the rule allows, in `unit`. */
  readonly allowed?: number;
  readonly unit?: string;
  /** The message as it was carried, without frame and cipher. */
  readonly message: Uint8Array;
  /** The state that the rule looked at, before anything was changed. */
  readonly stateBefore: JsonObject;
}
