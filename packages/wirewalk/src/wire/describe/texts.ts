/** Text: with a final zero, after its length, or to the end. */
import { type Layout, layoutFor } from "./layout.ts";

/** A latin1 string of at most `limit` characters and its final zero. */
export function cstring({ limit }: { limit: number }): Layout<string> {
  return layoutFor({ kind: "text", charset: "latin1", length: { end: "zero", limit } });
}

/** A Windows-1252 string of at most `limit` characters and its final zero. */
export function windows1252String({ limit }: { limit: number }): Layout<string> {
  return layoutFor({ kind: "text", charset: "windows-1252", length: { end: "zero", limit } });
}

/** A count and that many latin1 characters. A count over `limit` is refused with `limit`. */
export function prefixedString({ count, limit }: { count: Layout<number>; limit: number }): Layout<string> {
  return layoutFor({ kind: "text", charset: "latin1", length: { count: count.node, limit } });
}

/** All that is left as latin1 characters: the end of a message. More than `limit` characters are refused with `limit`. */
export function restString({ limit }: { limit: number }): Layout<string> {
  return layoutFor({ kind: "text", charset: "latin1", length: { rest: limit } });
}
