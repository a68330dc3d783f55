/**
 * The two dialects of player info as data: where the source document, read literally, and the shipped client differ
 * (standard 1.5). Reader and writer ask for nothing else.
 *
 * ```ts
 * playerInfoDialect("client").alignsPasses; // => true
 * playerInfoDialect("documented").alignsPasses; // => false
 * ```
 */
import type { DialectInfo } from "../../../codec.ts";

/** The differences between the dialects, as data. */
export interface PlayerInfoDialect extends DialectInfo {
  readonly name: "client" | "documented";
  /** Whether every pass starts and ends at a byte; otherwise only the last one ends at one. */
  readonly alignsPasses: boolean;
  /**
   * The activity flag (bit 0) of the players of each pass. The document reads active externals, whose flag is
   * clear, before inactive ones; the client does the reverse.
   */
  readonly passFlags: readonly [0 | 1, 0 | 1, 0 | 1, 0 | 1];
  /** Whether a player added by pass 3 or 4 counts as skipped (flag |= 2), and so is inactive in the next packet. */
  readonly flagsAdded: boolean;
}

/** Both dialects. */
export const playerInfoDialects: readonly PlayerInfoDialect[] = Object.freeze([
  {
    name: "client",
    source: "client",
    summary:
      "The shipped client: every pass byte aligned, inactive externals before active ones (revisions 206 to 241)",
    alignsPasses: true,
    passFlags: [0, 1, 1, 0],
    flagsAdded: true,
  },
  {
    name: "documented",
    source: "document",
    summary: "The document read literally: active before inactive, no alignment between the passes",
    alignsPasses: false,
    passFlags: [0, 1, 0, 1],
    flagsAdded: false,
  },
]);

/** The dialect of that name. Throws `RangeError` for an unknown one. */
export function playerInfoDialect(name: string): PlayerInfoDialect {
  const found = playerInfoDialects.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const known = playerInfoDialects.map((dialect) => dialect.name).join(", ");
  throw new RangeError(`Unknown dialect "${name}": player info has ${known}`);
}

/** How a dialect of the game speaks player info: the native client reads it as the other one does. */
export function playerInfoDialectIn(game: string): string {
  return game === "native" ? "client" : game;
}
