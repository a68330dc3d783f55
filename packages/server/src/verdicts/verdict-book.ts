/**
 * The **verdict book**: the last verdicts of a server above benign, with what a ban of their players would apply to, so that an operator
 * can act on one. It is in memory; what was done about a verdict is in the store (`verdict-actions.ts`).
 */
import { verdictId } from "@wirewalk/recording";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { BanKey } from "../bans/ban-key.ts";
import type { VerdictWorld } from "../bans/ledger.ts";

/** In all: some megabytes. */
const MAX_VERDICTS = 2_000;
/** Of one player and rule: a cheat that is found with every message leaves those of others in place. */
const MAX_OF_ONE = 20;

/** A verdict of a running server. */
export interface BookedVerdict {
  readonly world: VerdictWorld;
  readonly verdict: Verdict;
  readonly key: BanKey;
  /** The name that other players saw. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly epochMs: number;
}

/** A booked verdict with the id that it has in recordings. */
export interface NamedBookedVerdict extends BookedVerdict {
  readonly id: string;
}

export interface VerdictFilter {
  readonly world?: string | undefined;
  readonly player?: PlayerId | undefined;
  readonly rule?: string | undefined;
  /** The id, or its beginning. */
  readonly id?: string | undefined;
}

export class VerdictBook {
  /** By world, player and rule; the one that was added to last is the last. */
  readonly #groups = new Map<string, BookedVerdict[]>();
  #count = 0;

  get size(): number {
    return this.#count;
  }

  add(booked: BookedVerdict): void {
    const { world, verdict } = booked;
    const of = `${world.name} ${verdict.player} ${verdict.rule}`;
    const group = this.#groups.get(of) ?? [];
    this.#groups.delete(of);
    this.#groups.set(of, group);
    group.push(booked);
    this.#count += 1;
    if (group.length > MAX_OF_ONE) this.#drop(of, group);
    else if (this.#count > MAX_VERDICTS) {
      const [oldest] = this.#groups;
      if (oldest !== undefined) this.#drop(...oldest);
    }
  }

  /** Those that a filter leaves, the newest first. */
  find({ world, player, rule, id }: VerdictFilter): readonly NamedBookedVerdict[] {
    const fromMs = id === undefined ? undefined : Number.parseInt(id, 10);
    const found: NamedBookedVerdict[] = [];
    for (const group of this.#groups.values()) {
      const [first] = group;
      if (first === undefined || (world !== undefined && first.world.name !== world)) continue;
      if (player !== undefined && first.verdict.player !== player) continue;
      if (rule !== undefined && first.verdict.rule !== rule) continue;
      const counts = new Map<string, number>();
      for (const booked of group) {
        // Equal verdicts of one millisecond are numbered, as in recordings: they have one player and rule.
        if (fromMs !== undefined && Math.max(0, Math.floor(booked.verdict.atMs)) !== fromMs) continue;
        const plain = verdictId(booked.verdict);
        const count = (counts.get(plain) ?? 0) + 1;
        counts.set(plain, count);
        const own = count === 1 ? plain : `${plain}.${count}`;
        if (id === undefined || beginsWith(own, id)) {
          found.push({ ...booked, id: own });
        }
      }
    }
    return found.sort((a, b) => b.epochMs - a.epochMs || b.verdict.atMs - a.verdict.atMs);
  }

  #drop(of: string, group: BookedVerdict[]): void {
    group.shift();
    this.#count -= 1;
    if (group.length === 0) this.#groups.delete(of);
  }
}

/** Whether an id is the wanted one, or begins so: milliseconds are whole, and so is an id before its number. */
export function beginsWith(id: string, wanted: string): boolean {
  const start = wanted.includes("-") ? wanted : `${wanted}-`;
  return id === start || (id.startsWith(start) && !id.startsWith(`${start}.`));
}
