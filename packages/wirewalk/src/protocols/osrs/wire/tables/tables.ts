/** All tables of messages that a game has: its own, and those that an installation gives. */
import type { Side } from "../../../codec.ts";
import type { RevisionTable } from "../../../revisions.ts";
import type { BodySizes } from "../framing.ts";
import { maskRevisions } from "../revisions.ts";
import type { ParsedTables } from "./parse-table.ts";
import { revisionTable, tableRevisions } from "./revision-table.ts";

/** No table, no size. */
export const nothingGiven: ParsedTables = { tables: [], sizes: { client: new Map(), server: new Map() } };

export class Tables {
  /** Sizes of messages without a name. */
  readonly sizes: Readonly<Record<Side, BodySizes>>;
  /** Values of the setting `revision`, ascending. */
  readonly revisions: readonly number[];
  /** Revisions with a table, ascending. */
  readonly known: readonly number[];
  readonly #given: ReadonlyMap<number, RevisionTable>;

  constructor({ tables, sizes }: ParsedTables) {
    this.sizes = sizes;
    this.#given = new Map(tables.map((table) => [table.revision, table]));
    const ascending = (revisions: readonly number[]): readonly number[] =>
      [...new Set(revisions)].sort((a, b) => a - b);
    this.known = ascending([...tableRevisions, ...this.#given.keys()]);
    this.revisions = ascending([...maskRevisions.keys(), ...this.known]);
  }

  table(revision: number): RevisionTable | undefined {
    return this.#given.get(revision) ?? revisionTable(revision);
  }

  /** The values of the setting in words: `0, 206, 223 to 241`. */
  get revisionsText(): string {
    const runs: number[][] = [];
    for (const revision of this.revisions) {
      const run = runs.at(-1);
      if (run?.at(-1) === revision - 1) run.push(revision);
      else runs.push([revision]);
    }
    return runs.map((run) => (run.length > 2 ? `${run[0]} to ${run.at(-1)}` : run.join(", "))).join(", ");
  }

  /** These and others, which replace those of the same revisions and opcodes. */
  with({ tables, sizes }: ParsedTables): Tables {
    const joined = (sender: Side): BodySizes => new Map([...this.sizes[sender], ...sizes[sender]]);
    const replaced = new Map([...this.#given.values(), ...tables].map((table) => [table.revision, table]));
    return new Tables({
      tables: [...replaced.values()],
      sizes: { client: joined("client"), server: joined("server") },
    });
  }
}
