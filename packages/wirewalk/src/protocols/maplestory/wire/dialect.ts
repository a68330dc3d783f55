/**
 * The dialects of MapleStory as data: the client GMS v62, and the document read literally. The document's nine opcodes
 * are those of v62; its fragments differ (see `fragment.ts`), and so does what surrounds them (see `messages.ts`).
 */
import { type Layout, u8, u16le } from "../../../wire/index.ts";
import type { DialectInfo } from "../../codec.ts";
import { documentedFragments, type FragmentTable, v62Fragments } from "./fragment-table.ts";

export type MapleDialect = "v62" | "documented";

/** What sets one dialect apart. */
export interface DialectRules extends DialectInfo {
  readonly name: MapleDialect;
  /** How the opcode is written. */
  readonly opcode: Layout<number>;
  readonly fragments: FragmentTable;
  /**
   * True where the dialect has no other messages than movement: no login, no change of map, nothing that shows players and
   * monsters or assigns control, no ping.
   */
  readonly movementOnly: boolean;
  /** Whether a stream starts with a hello and is ciphered; otherwise each payload follows its length. */
  readonly ciphered: boolean;
  /** Milliseconds of one recorded step, steps in a batch. */
  readonly stepMs: number;
  readonly batchSteps: number;
}

const rules: Readonly<Record<MapleDialect, DialectRules>> = {
  v62: {
    name: "v62",
    summary: "The client GMS v62: two-byte opcodes, start positions, key nibbles, box, Shanda and AES; captured.",
    opcode: u16le,
    fragments: v62Fragments,
    movementOnly: false,
    ciphered: true,
    stepMs: 30,
    batchSteps: 17,
  },
  documented: {
    name: "documented",
    summary:
      "The document as printed: one-byte opcodes, its fragment tables, positions at a fragment's start, no cipher.",
    opcode: u8,
    fragments: documentedFragments,
    movementOnly: true,
    ciphered: false,
    // The document has no step, only half a second: a tenth of it keeps a jump within a pixel.
    stepMs: 50,
    batchSteps: 10,
  },
};

/** All dialects, the default one first. */
export const mapleDialects: readonly DialectRules[] = Object.values(rules);

/** The rules of a dialect. Throws `RangeError` for an unknown one. */
export function dialectRules(dialect: string): DialectRules {
  const found = mapleDialects.find((candidate) => candidate.name === dialect);
  if (found === undefined) {
    const known = mapleDialects.map((candidate) => candidate.name).join(", ");
    throw new RangeError(`Unknown dialect ${dialect} of maplestory: it has ${known}`);
  }
  return found;
}
