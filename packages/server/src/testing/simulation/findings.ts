/** What an episode found, and which rare paths it took. */

/** A check that did not hold. */
export interface Finding {
  /** Name of the check, with the rule where it is one: `honest teleport`. */
  readonly check: string;
  readonly detail: string;
  readonly atMs: number;
}

/**
 * Paths that are rare, and that a long run must take: a simulation that never takes them tests less than it seems to.
 */
export const sometimes = [
  "login checked",
  "login taken over",
  "ban made",
  "ban in force after a restart",
  "banned player refused",
  "verdict of a cheat",
  "message refused",
  "client corrected",
  "player behind",
  "player refreshed",
  "slow reader disconnected",
  "garbage ends a session",
  "budget exceeded",
  "silent connection evicted",
  "stall over 1 s",
  "crash",
  "crash in the store",
  "crash in an await",
  "write lost or torn by a crash",
  "store failed",
  "restart with sessions",
  "clock jump",
  "partition",
  "reset",
  "half-close",
  "player vanished",
  "reconnect",
  "world replayed",
] as const;

export type Mark = (typeof sometimes)[number];

/** At most so many findings of one check are kept; the others are counted. */
const KEPT = 3;

export class Findings {
  readonly marks = new Map<Mark, number>();
  readonly kept: Finding[] = [];
  readonly counts = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  mark(mark: Mark): void {
    this.marks.set(mark, (this.marks.get(mark) ?? 0) + 1);
  }

  add(check: string, detail: string): void {
    const count = (this.counts.get(check) ?? 0) + 1;
    this.counts.set(check, count);
    if (count <= KEPT) this.kept.push({ check, detail, atMs: Math.round(this.#now()) });
  }
}
