/** Text: with a final zero, after its length, or to the end. */
import { type Layout, layoutFor } from "./layout.ts";
import { checkNames } from "./option-names.ts";

/** The most characters of a text. */
export type TextLimit = { readonly limit: number };
/** The count of characters before a text, and the most that is believed. */
export type TextCount = TextLimit & { readonly count: Layout<number> };

function limitOf(name: string, options: TextLimit): number {
  checkNames<TextLimit>(name, options, { limit: true });
  return options.limit;
}

/** A latin1 string of at most `limit` characters and its final zero. */
export function cstring(options: TextLimit): Layout<string> {
  const limit = limitOf("cstring", options);
  return layoutFor({ kind: "text", charset: "latin1", length: { end: "zero", limit } });
}

/** A Windows-1252 string of at most `limit` characters and its final zero. */
export function windows1252String(options: TextLimit): Layout<string> {
  const limit = limitOf("windows1252String", options);
  return layoutFor({ kind: "text", charset: "windows-1252", length: { end: "zero", limit } });
}

/** A count and that many latin1 characters. A count over `limit` is refused with `limit`. */
export function prefixedString(options: TextCount): Layout<string> {
  checkNames<TextCount>("prefixedString", options, { count: true, limit: true });
  const { count, limit } = options;
  return layoutFor({ kind: "text", charset: "latin1", length: { count: count.node, limit } });
}

/** All that is left as latin1 characters: the end of a message. More than `limit` characters are refused with `limit`. */
export function restString(options: TextLimit): Layout<string> {
  const limit = limitOf("restString", options);
  return layoutFor({ kind: "text", charset: "latin1", length: { rest: limit } });
}
