/**
 * The dialects of the mouse packet as data (standard 1.3): what differs between the document read literally, the
 * Java client and the native one, and nothing else.
 *
 * ```ts
 * mouseRules("client").sampleMs; // => 50
 * mouseRules("documented").sampleMs; // => 20
 * ```
 */
import type { DialectInfo } from "../../../codec.ts";

export type MouseDialect = "documented" | "client" | "native";

/** What sets one dialect apart. */
export interface MouseRules extends DialectInfo {
  readonly name: MouseDialect;
  /** Largest value of a coordinate of a small record on the wire; its bits are this many ones. */
  readonly smallMask: 0x1f | 0x3f;
  /** What is added to a coordinate of a small record before it is written. */
  readonly smallBias: 0 | 32;
  /** Whether large and full records carry unsigned positions; otherwise signed offsets. */
  readonly absolute: boolean;
  /**
   * What the header's two bytes mean. `residue`: mean and remainder of the milliseconds that whole cycles leave over,
   * signed, as Java divides. `window`: average and excess of the cycles between records, unsigned.
   */
  readonly header: "residue" | "window";
  /** Whether a byte follows each record: the last mouse button. */
  readonly buttons: boolean;
  /** The largest coordinate that the recorder writes; the smallest is -1. */
  readonly maxCoordinate: number;
  /** Milliseconds between two samples of the recorder. */
  readonly sampleMs: number;
  /** Whether a session's records are relative to (-1,-1) from the start; otherwise the position is unknown. */
  readonly startsOutside: boolean;
}

/** Milliseconds of a client cycle, the unit of every `dt`. */
export const CYCLE_MS = 20;

const client: MouseRules = {
  name: "client",
  source: "client",
  summary: "The Java client, revisions 180 to 240: positions in large records, sub-cycle time in the header.",
  smallMask: 0x3f,
  smallBias: 32,
  absolute: true,
  header: "residue",
  buttons: false,
  maxCoordinate: 65_534,
  sampleMs: 50,
  startsOutside: false,
};

const rules: Readonly<Record<MouseDialect, MouseRules>> = {
  client,
  native: {
    ...client,
    name: "native",
    summary: "The native (C++) client: as client, with the last mouse button after each record.",
    buttons: true,
  },
  documented: {
    name: "documented",
    source: "document",
    summary: "As the document's own server sample reads: offsets everywhere, unbiased small fields, a time window.",
    smallMask: 0x1f,
    smallBias: 0,
    absolute: false,
    header: "window",
    buttons: false,
    // Offsets are signed shorts: with positions up to here every offset fits, and none is the outside mark.
    maxCoordinate: 32_766,
    sampleMs: CYCLE_MS,
    startsOutside: true,
  },
};

/** All dialects. */
export const mouseDialects: readonly MouseRules[] = Object.values(rules);

/** The rules of a dialect. Throws `RangeError` for an unknown one. */
export function mouseRules(dialect: string): MouseRules {
  const found = mouseDialects.find((candidate) => candidate.name === dialect);
  if (found === undefined) {
    const known = mouseDialects.map((candidate) => candidate.name).join(", ");
    throw new RangeError(`Unknown dialect ${dialect} of osrs/mouse: it has ${known}`);
  }
  return found;
}
