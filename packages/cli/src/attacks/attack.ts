/**
 * An **attack**: what a hostile peer does to a server, what must still hold then, and whether it did. Each family of attacks
 * is a file of this folder; `catalogue.ts` has them all.
 */
import type { Arena } from "./arena.ts";
import type { Outcome } from "./outcome.ts";

export const families = ["identity", "admission", "bytes", "websocket", "http", "rates", "cheats"] as const;
export type Family = (typeof families)[number];

export interface Attack {
  /** In kebab-case; no other attack has it. */
  readonly name: string;
  readonly family: Family;
  /** What the attacker does, in one sentence without a full stop. */
  readonly summary: string;
  /** What must be so, in one sentence without a full stop. */
  readonly expectation: string;
  /** Flags of `wirewalk serve` that the attack needs. A server that is already running has to be started with them. */
  readonly flags?: readonly string[];
  /** A delivery to an honest player that is later than this (p99) breaks the attack. Default 1,000. */
  readonly maxHonestDelayMs?: number;
  /** Attacks, and says what was measured. Throws `CannotRun` when there is nothing to measure. */
  run(arena: Arena): Promise<Outcome>;
}

export type Verdict = "held" | "broken" | "could not be run";

/** The result of one attack: its own outcome, and what honest players noticed. */
export interface AttackResult {
  readonly name: string;
  readonly verdict: Verdict;
  readonly figure: string;
  /** What honest players noticed; undefined when none played. */
  readonly honest: string | undefined;
  readonly seconds: number;
}
