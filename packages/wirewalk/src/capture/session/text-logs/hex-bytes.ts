/** Bytes of a line: pairs of hex digits with spaces between them. */
import { escapeControls, parseHex } from "../../../wire/index.ts";
import { type Line, refusedLine } from "./line-reader.ts";

const PAIRS = /^(?:[0-9a-fA-F]{2}(?: +|$))*$/;
const FIRST_OTHER = /(?<= |^)(?![0-9a-fA-F]{2}(?: |$))[^ ]+/;

/** Throws `WireError` for text that is anything else. */
export function hexBytes(line: Line, text: string): Uint8Array {
  if (!PAIRS.test(text)) {
    const found = escapeControls((FIRST_OTHER.exec(text)?.[0] ?? text).slice(0, 16));
    throw refusedLine(line, "bad-value", `${JSON.stringify(found)} stands in the place of two hex digits`);
  }
  return parseHex(text);
}
