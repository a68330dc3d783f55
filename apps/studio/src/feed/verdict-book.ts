/**
 * Verdicts as a person can take them in: what one rule keeps saying of one player is one line that counts. A bot that
 * spams keys is refused sixty times a second; the one teleport beside it must not drown.
 */
import type { FeedVerdict } from "@wirewalk/server/feed";

/** Verdicts of a group that can still be opened. */
const MAX_IN_GROUP = 20;

/** Lines in the list. */
const MAX_GROUPS = 60;

/** Verdicts for the drawing, which shows each for a moment, and for the time line. */
const MAX_RECENT = 200;

/** What one rule said of one player in one room, in the same way. */
export interface VerdictGroup {
  readonly key: string;
  /** All there were; `verdicts` are the last of them. */
  readonly total: number;
  /** Newest first, never empty. */
  readonly verdicts: readonly [FeedVerdict, ...FeedVerdict[]];
}

export class VerdictBook {
  /** In the order of their last verdict, oldest first. */
  readonly #groups = new Map<string, VerdictGroup>();
  readonly #recent: FeedVerdict[] = [];

  /** Groups with the newest verdict first. */
  get groups(): readonly VerdictGroup[] {
    return [...this.#groups.values()].reverse();
  }

  /** The last verdicts of all groups, newest first. */
  get recent(): readonly FeedVerdict[] {
    return this.#recent;
  }

  add(verdict: FeedVerdict): void {
    this.#recent.unshift(verdict);
    if (this.#recent.length > MAX_RECENT) this.#recent.pop();
    const key = `${verdict.player} ${verdict.room} ${verdict.kind} ${verdict.rule}`;
    const group = this.#groups.get(key);
    const earlier = group?.verdicts.slice(0, MAX_IN_GROUP - 1) ?? [];
    this.#groups.delete(key);
    this.#groups.set(key, { key, total: (group?.total ?? 0) + 1, verdicts: [verdict, ...earlier] });
    if (this.#groups.size <= MAX_GROUPS) return;
    const [oldest] = this.#groups.keys();
    if (oldest !== undefined) this.#groups.delete(oldest);
  }
}
