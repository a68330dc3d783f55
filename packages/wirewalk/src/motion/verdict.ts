/**
 * A **verdict**: the finding of a rule about one message, with its evidence: the message's bytes, the measured and the
 * allowed value, the state before. Every punishment has one.
 */
import type { JsonObject } from "../wire/json.ts";
import type { PlayerId } from "./track.ts";

/**
 * The consequence of a verdict.
 * - `accept`: nothing is wrong.
 * - `benign`: odd, but honest clients do it; applied and relayed, or without effect where the rule says so.
 * - `flag`: applied and relayed; worth a look by a person.
 * - `correct`: refused, and the player's client is sent the server's state.
 * - `reject`: refused; nothing has changed and nothing is sent.
 */
export type VerdictKind = "accept" | "benign" | "flag" | "correct" | "reject";

/** The finding of one rule about one message. */
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
  /** The state that the rule read, before the message. */
  readonly stateBefore: JsonObject;
}
