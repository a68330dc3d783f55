/**
 * Counts violations and finds out when they are not an accident. What follows is the server's choice, and a ban belongs to the
 * account (standard 8.8).
 *
 * ```ts
 * const antiCheat = new AntiCheat<string>();
 * antiCheat.record("teleport", 0, "(0, 0) to (1000, 1000)");
 * antiCheat.check(0).kind; // "clean"
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 8.8.
 */

import { CorrectionRecord } from "../../../motion/index.ts";
import { choice, copyPlain, list, number, type State, state } from "../../world-kit/index.ts";
import { type SlimeRuleLimits, slimeRuleDefaults } from "./limits.ts";

const violationKinds = ["teleport", "position", "transition", "rate-limit", "unreachable", "no-door"] as const;

/** The kinds of violation. Only what is corrected counts towards detection; lag and lost messages cause the others. */
export type ViolationKind = (typeof violationKinds)[number];

const correctedKinds: ReadonlySet<ViolationKind> = new Set<ViolationKind>(["teleport", "unreachable", "no-door"]);

/** Whether a violation is one that is corrected: these alone count towards a ban. */
export function isCorrected(kind: ViolationKind): boolean {
  return correctedKinds.has(kind);
}

/** One violation: its time (milliseconds) and the caller's evidence. */
export interface Violation<Evidence> {
  readonly kind: ViolationKind;
  readonly at: number;
  readonly evidence: Evidence;
}

/** The result of {@link AntiCheat.check}. */
export type CheatDetection<Evidence> =
  | { readonly kind: "clean" }
  | {
      readonly kind: "detected";
      readonly reason: string;
      /** The length of the ban; the document's is 24 hours, milliseconds. */
      readonly durationMs: number;
      /** The counted violations, oldest first. */
      readonly evidence: readonly Violation<Evidence>[];
    };

/** Violations of the kinds that do not count that are kept; older ones are only counted. */
export const maxLoggedViolations = 64;

const clean = { kind: "clean" } as const;

/** What decides later detections. The log and the totals of other kinds decide nothing and start anew. */
export interface SavedAntiCheat<Evidence> {
  readonly counted: readonly Violation<Evidence>[];
  readonly teleports: number;
  /** When corrections were counted in their window, and the latest of them. */
  readonly corrections: readonly number[];
  readonly latest: readonly Violation<Evidence>[];
}

export function savedAntiCheat<E>(evidence: State<E>): State<SavedAntiCheat<E>> {
  const violations = list(state({ kind: choice(...violationKinds), at: number, evidence }));
  const { node } = state({ counted: violations, teleports: number, corrections: list(number), latest: violations });
  return { node };
}

/** The violations of one player. Holds at most one counted more than the limit, and {@link maxLoggedViolations} other ones. */
export class AntiCheat<Evidence> {
  /** Teleports within the window, oldest first. */
  #counted: Violation<Evidence>[] = [];
  readonly #limits: SlimeRuleLimits;
  /** Corrections of all kinds in their window, and the latest as evidence. */
  #corrections: CorrectionRecord;
  #latest: Violation<Evidence>[] = [];
  readonly #logged: Violation<Evidence>[] = [];
  readonly #totals: Record<ViolationKind, number> = {
    teleport: 0,
    position: 0,
    transition: 0,
    "rate-limit": 0,
    unreachable: 0,
    "no-door": 0,
  };

  constructor(limits: SlimeRuleLimits = slimeRuleDefaults) {
    this.#limits = limits;
    this.#corrections = new CorrectionRecord(limits.corrections);
  }

  /** From a copy of what {@link save} returned. */
  static restore<Evidence>(
    saved: SavedAntiCheat<Evidence>,
    limits: SlimeRuleLimits = slimeRuleDefaults,
  ): AntiCheat<Evidence> {
    const { counted, teleports, corrections, latest } = saved;
    const antiCheat = new AntiCheat<Evidence>(limits);
    // What was saved under higher limits is more than these hold.
    const [most, mostCorrections] = [limits.maxTeleports + 1, limits.maxCorrections + 1];
    antiCheat.#corrections = new CorrectionRecord(limits.corrections, corrections.slice(-mostCorrections));
    antiCheat.#latest = copyPlain(latest.slice(-most));
    antiCheat.#counted = copyPlain(counted.slice(-most));
    antiCheat.#totals.teleport = teleports;
    return antiCheat;
  }

  /** The state with a copy of the evidence. */
  save(): SavedAntiCheat<Evidence> {
    return {
      counted: copyPlain(this.#counted),
      teleports: this.#totals.teleport,
      corrections: this.#corrections.save(),
      latest: copyPlain(this.#latest),
    };
  }

  /** Records a violation at `at` (milliseconds, never decreasing). */
  record(kind: ViolationKind, at: number, evidence: Evidence): void {
    this.#totals[kind]++;
    if (isCorrected(kind) && this.#corrections.add(at)) {
      if (this.#latest.length > this.#limits.maxTeleports) this.#latest.shift();
      this.#latest.push({ kind, at, evidence });
    }
    const [list, limit] =
      kind === "teleport" ? [this.#counted, this.#limits.maxTeleports + 1] : [this.#logged, maxLoggedViolations];
    if (list.length === limit) list.shift();
    list.push({ kind, at, evidence });
  }

  /** How many corrections were counted in their window before `now`. */
  correctionsOf(now: number): number {
    return this.#corrections.count(now, this.#limits.correctionWindowMs);
  }

  /**
   * Detected when there are more than `maxTeleports` less than `teleportWindowMs` old at `now`, or more than `maxCorrections` less
   * than `correctionWindowMs`.
   */
  check(now: number): CheatDetection<Evidence> {
    this.#counted = this.#counted.filter((violation) => now - violation.at < this.#limits.teleportWindowMs);
    const detected = (reason: string, evidence: readonly Violation<Evidence>[]): CheatDetection<Evidence> => {
      return { kind: "detected", reason, durationMs: this.#limits.banMs, evidence: [...evidence] };
    };
    if (this.#counted.length > this.#limits.maxTeleports) return detected("Multiple speed violations", this.#counted);
    if (this.#corrections.exceeded(now) !== undefined) return detected("Corrected again and again", this.#latest);
    return clean;
  }

  /** Violations of a kind since the player joined; of the kinds that do not count, since it was restored. */
  total(kind: ViolationKind): number {
    return this.#totals[kind];
  }

  /** The latest violations that do not count, oldest first. */
  logged(): readonly Violation<Evidence>[] {
    return [...this.#logged];
  }

  /** Forgets what counts towards detection, after a ban or a pardon; totals and log stay. */
  clear(): void {
    this.#counted = [];
    this.#corrections.clear();
    this.#latest = [];
  }
}
