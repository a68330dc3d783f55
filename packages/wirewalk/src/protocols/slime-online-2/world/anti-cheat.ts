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

/** The kinds of violation. Only what is corrected counts towards detection; lag and lost messages cause the others. */
export type ViolationKind = "teleport" | "position" | "transition" | "rate-limit" | "axis-speed";

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
      /** The length of the document's ban: 24 hours, milliseconds. */
      readonly durationMs: number;
      /** The counted violations, oldest first. */
      readonly evidence: readonly Violation<Evidence>[];
    };

/** This many in {@link violationWindowMs} are still an accident; one more is not (standard 8.8, E19). */
export const maxSpeedViolations = 5;
/** Milliseconds (standard 8.8). */
export const violationWindowMs = 60_000;
/** 24 hours, milliseconds (standard 8.8). */
export const banDurationMs = 24 * 60 * 60 * 1000;
/** Violations of the kinds that do not count that are kept; older ones are only counted. */
export const maxLoggedViolations = 64;

/** More corrections than this in an hour are not an accident either, however slowly they come (ours, standard 8.8). */
export const maxCorrectionsPerHour = 20;
/** Milliseconds. */
export const correctionWindowMs = 60 * 60 * 1000;
/** Corrections closer than this are one event for the hour, milliseconds. */
const correctionsApartMs = 5000;

const overHours = {
  limits: [{ count: maxCorrectionsPerHour, withinMs: correctionWindowMs }],
  apartMs: correctionsApartMs,
};

const clean = { kind: "clean" } as const;

/** What decides later detections. The log and the totals of other kinds decide nothing and start anew. */
export interface SavedAntiCheat<Evidence> {
  readonly counted: readonly Violation<Evidence>[];
  readonly teleports: number;
  /** When corrections were counted in the last hour, and the latest of them. */
  readonly corrections: readonly number[];
  readonly latest: readonly Violation<Evidence>[];
}

/** The violations of one player. Holds at most six counted and {@link maxLoggedViolations} other ones. */
export class AntiCheat<Evidence> {
  /** Teleports within the window, oldest first. */
  #counted: Violation<Evidence>[] = [];
  /** Corrections of all kinds in the last hour, and the latest as evidence. */
  #corrections = new CorrectionRecord(overHours);
  #latest: Violation<Evidence>[] = [];
  readonly #logged: Violation<Evidence>[] = [];
  readonly #totals: Record<ViolationKind, number> = {
    teleport: 0,
    position: 0,
    transition: 0,
    "rate-limit": 0,
    "axis-speed": 0,
  };

  /** From what {@link save} returned, which it does not copy. */
  static restore<Evidence>(saved: SavedAntiCheat<Evidence>): AntiCheat<Evidence> {
    const { counted, teleports, corrections, latest } = saved;
    const antiCheat = new AntiCheat<Evidence>();
    antiCheat.#corrections = new CorrectionRecord(overHours, corrections);
    antiCheat.#latest = [...latest];
    antiCheat.#counted = [...counted];
    antiCheat.#totals.teleport = teleports;
    return antiCheat;
  }

  /** The evidence itself is not copied. */
  save(): SavedAntiCheat<Evidence> {
    return {
      counted: [...this.#counted],
      teleports: this.#totals.teleport,
      corrections: this.#corrections.save(),
      latest: [...this.#latest],
    };
  }

  /** Records a violation at `at` (milliseconds, never decreasing). */
  record(kind: ViolationKind, at: number, evidence: Evidence): void {
    this.#totals[kind]++;
    if ((kind === "teleport" || kind === "axis-speed") && this.#corrections.add(at)) {
      if (this.#latest.length > maxSpeedViolations) this.#latest.shift();
      this.#latest.push({ kind, at, evidence });
    }
    const [list, limit] =
      kind === "teleport" ? [this.#counted, maxSpeedViolations + 1] : [this.#logged, maxLoggedViolations];
    if (list.length === limit) list.shift();
    list.push({ kind, at, evidence });
  }

  /** How many corrections were counted in the hour before `now`. */
  correctionsOf(now: number): number {
    return this.#corrections.count(now, correctionWindowMs);
  }

  /**
   * Detected when more than {@link maxSpeedViolations} teleports are less than {@link violationWindowMs} old at `now`, or more
   * than {@link maxCorrectionsPerHour} corrections less than an hour.
   */
  check(now: number): CheatDetection<Evidence> {
    this.#counted = this.#counted.filter((violation) => now - violation.at < violationWindowMs);
    const detected = (reason: string, evidence: readonly Violation<Evidence>[]): CheatDetection<Evidence> => {
      return { kind: "detected", reason, durationMs: banDurationMs, evidence: [...evidence] };
    };
    if (this.#counted.length > maxSpeedViolations) return detected("Multiple speed violations", this.#counted);
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
