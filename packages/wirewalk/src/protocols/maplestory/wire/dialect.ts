/**
 * The dialects of MapleStory as data: the clients GMS v62, GMS v83 and GMS v95, and the document read literally. The document's nine
 * opcodes are those of v62; its fragments differ (see `fragment.ts`), and so does what surrounds them (see `messages.ts`).
 */
import { type Layout, u8, u16le } from "../../../wire/index.ts";
import type { DialectInfo } from "../../codec.ts";
import { documentedFragments, type FragmentTable, v62Fragments, v83Fragments, v95Fragments } from "./fragment-table.ts";

export type MapleDialect = "v62" | "v83" | "v95" | "documented";

/** The hello and the headers of a ciphered stream differ by the client's version. */
export interface Carrier {
  readonly version: number;
  /** The patch name of the hello; a client accepts any. */
  readonly patch: string;
}

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
  /** Of a stream that starts with a hello and is ciphered; undefined where each payload follows its length. */
  readonly ciphered: Carrier | undefined;
  /** Whether a fragment's position and velocity are those at its start or at its end. */
  readonly placesAt: "start" | "end";
  /**
   * Whether the start of a relayed path is where the sender began it. Open servers of v83 write another one there, 0, 0 for
   * players: a ghost goes on from the last end that it knows.
   */
  readonly relaysStart: boolean;
  /** Whether players have dragons. */
  readonly hasDragons: boolean;
  /** Types that have another number than in `v62`, by that of `v62`. */
  readonly renumbered: Readonly<Record<number, number>>;
  /** Milliseconds of one recorded step, steps in a batch. */
  readonly stepMs: number;
  readonly batchSteps: number;
}

const rules: Readonly<Record<MapleDialect, DialectRules>> = {
  v62: {
    name: "v62",
    source: "client",
    summary: "The client GMS v62: two-byte opcodes, start positions, key nibbles, box, Shanda and AES; captured.",
    opcode: u16le,
    fragments: v62Fragments,
    movementOnly: false,
    ciphered: { version: 62, patch: "" },
    placesAt: "end",
    relaysStart: true,
    hasDragons: false,
    renumbered: {},
    stepMs: 30,
    batchSteps: 17,
  },
  v83: {
    name: "v83",
    source: "client",
    summary:
      "The client GMS v83, which most open servers speak: a map checksum, flying monsters, dragons, new fragments.",
    opcode: u16le,
    fragments: v83Fragments,
    movementOnly: false,
    ciphered: { version: 83, patch: "1" },
    placesAt: "end",
    relaysStart: false,
    hasDragons: true,
    renumbered: {},
    stepMs: 30,
    batchSteps: 17,
  },
  v95: {
    name: "v95",
    source: "client",
    summary:
      "The client GMS v95: paths that start with a velocity, fragments with other numbers and offsets, more checksums.",
    opcode: u16le,
    fragments: v95Fragments,
    movementOnly: false,
    ciphered: { version: 95, patch: "1" },
    placesAt: "end",
    relaysStart: true,
    hasDragons: true,
    // A chair, the start of a fall through a platform, the fall, wings.
    renumbered: { 11: 10, 14: 11, 15: 12, 16: 13, 17: 14 },
    stepMs: 30,
    batchSteps: 17,
  },
  documented: {
    name: "documented",
    source: "document",
    summary:
      "The document as printed: one-byte opcodes, its fragment tables, positions at a fragment's start, no cipher.",
    opcode: u8,
    fragments: documentedFragments,
    movementOnly: true,
    ciphered: undefined,
    placesAt: "start",
    relaysStart: false,
    hasDragons: false,
    renumbered: {},
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
