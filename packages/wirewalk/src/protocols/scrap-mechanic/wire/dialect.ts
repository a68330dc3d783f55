/**
 * The one dialect of Scrap Mechanic, and the options that its codec has instead of more of them.
 *
 * ```ts
 * import { checkScrapDialect } from "wirewalk/scrap-mechanic";
 *
 * checkScrapDialect("documented"); // => "documented"
 * checkScrapDialect("survival"); // throws RangeError: Unknown dialect survival of scrap-mechanic: it has documented
 * ```
 */
import type { DialectInfo } from "../../codec.ts";

export type ScrapDialect = "documented";

/** All dialects: there is one. */
export const scrapDialects: readonly (DialectInfo & { readonly name: ScrapDialect })[] = [
  {
    name: "documented",
    source: "document",
    summary:
      "The document as printed, each packet's body a raw LZ4 block behind its id, with a small session of our own.",
  },
];

/** The dialect's name. Throws `RangeError` for an unknown one. */
export function checkScrapDialect(dialect: string): ScrapDialect {
  const found = scrapDialects.find(({ name }) => name === dialect);
  if (found !== undefined) return found.name;
  const known = scrapDialects.map(({ name }) => name).join(", ");
  throw new RangeError(`Unknown dialect ${dialect} of scrap-mechanic: it has ${known}`);
}

/** How bytes are read and written, where that is not one way. */
export interface ScrapCodecOptions {
  /**
   * Reads what the reference reader does: set bits that have no meaning, and any LZ4 block with the right bytes in it.
   * Default false: what no conforming sender writes is refused by name.
   */
  readonly lenient?: boolean;
  /**
   * Whether 0x18 has a count before its updates: yes in the documentation (default), no in the implementation that moved
   * real clients.
   */
  readonly countByte?: boolean;
}
