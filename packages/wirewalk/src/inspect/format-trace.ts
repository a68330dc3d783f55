/**
 * A trace as a page to read: what `wirewalk inspect` prints.
 *
 * ```ts
 * import { formatTrace } from "wirewalk/inspect";
 * import { oneOf, parseHex, struct, traceLayout, u16be, u8 } from "wirewalk/wire";
 *
 * const step = struct({ direction: oneOf(u8, { left: 1, right: 2 }), x: u16be });
 * const bytes = parseHex("02 01");
 * formatTrace(bytes, traceLayout(step, bytes)).split("\n"); // => [
 * //   "offset  bytes  field       value  meaning",
 * //   "     0  02     direction       2  right",
 * //   "     1  01     (not read)",
 * //   "        ^ truncated: Cannot read x: 2 bytes needed, 1 left at byte 1",
 * // ]
 * ```
 *
 * @module
 */

import { countBytes, escapeControls, formatHex, type TraceField, type WireError } from "../wire/index.ts";

/** How much of one field a row shows: the row is for finding the field, the dump for reading long runs. */
const CELL_BYTES = 8;
const CELL_BITS = 32;
/** In lines that are shorter than {@link NARROW_WIDTH}. */
const NARROW_CELL_BYTES = 4;
const NARROW_WIDTH = 100;

/** One row: a field, or bits that belong to none. */
interface Row {
  bitOffset: number;
  bitLength: number;
  path: string;
  value: string;
  meaning: string;
  /** Bits that belong to no field. */
  isGap?: true;
}

/** What a piece of the page is, for colours. */
export type TracePiece = "head" | "offset" | "bytes" | "path" | "value" | "meaning" | "unread" | "error";

/** How a trace is shown. */
export interface TraceStyle {
  /** Gives a piece its colour: text in, the same text with escape sequences or markup out. Default: none. */
  readonly paint?: (piece: TracePiece, text: string) => string;
  /** Characters of a line. A longer meaning or error goes on in lines of its own. Default: no limit. */
  readonly width?: number;
}

/** A meaning or an error is wrapped where it has this many characters of a line: shorter ones are harder to read than the terminal's. */
const LEAST_TEXT_WIDTH = 24;

/**
 * A message explained, one row per field: its offset (decimal, `byte.bit` where it does not begin a byte), its bytes (its
 * bits where it is not whole bytes), path, value and meaning. Bits that belong to no field have rows of their own; under
 * the place where reading broke a line with `^` says why. Text from a peer is made safe to print.
 *
 * @param bytes the whole message
 * @param trace what `traceLayout` gave, or fields collected by hand
 */
export function formatTrace(
  bytes: Uint8Array,
  trace: { fields: readonly TraceField[]; error?: WireError | undefined },
  { paint = (_piece, text) => text, width = Number.POSITIVE_INFINITY }: TraceStyle = {},
): string {
  const { error } = trace;
  const rows = toRows(trace.fields, bytes.length * 8, error?.bitOffset);
  const cellBytes = width < NARROW_WIDTH ? NARROW_CELL_BYTES : CELL_BYTES;
  const table = rows.map((row) => [placeText(row.bitOffset), cellText(bytes, row, cellBytes), row.path, row.value]);
  const widths = ["offset", "bytes", "field", "value"].map((title, column) =>
    Math.max(title.length, ...table.map((cells) => (cells[column] as string).length)),
  );
  const pieces: readonly TracePiece[] = ["offset", "bytes", "path", "value"];
  const meaningAt = widths.reduce((sum, each) => sum + each + 2, 0);
  const line = (cells: readonly string[], meaning: string, piece?: TracePiece): string => {
    const columns = cells.map((text, column) => {
      const size = widths[column] as number;
      const padded = column === 0 || column === 3 ? text.padStart(size) : text.padEnd(size);
      return text === "" ? padded : paint(piece ?? (pieces[column] as TracePiece), padded);
    });
    if (meaning === "") return columns.join("  ").trimEnd();
    const [first = "", ...more] = wrapText(meaning, textWidth(width - meaningAt));
    const shown = [[...columns, paint(piece ?? "meaning", first)].join("  ")];
    return [...shown, ...more.map((text) => " ".repeat(meaningAt) + paint("meaning", text))].join("\n");
  };

  const lines = [line(["offset", "bytes", "field", "value"], "meaning", "head")];
  // Breaking at the end of the bytes is under the last row.
  let brokenRow = rows.findIndex((row) => error !== undefined && row.bitOffset + row.bitLength > error.bitOffset);
  if (brokenRow < 0) brokenRow = rows.length - 1;
  const showError = (row: Row | undefined): void => {
    if (error !== undefined)
      lines.push(
        ...errorLines(error, row, widths[0] as number, { width, cellBytes }).map((text) => paint("error", text)),
      );
  };
  for (const [index, row] of rows.entries()) {
    lines.push(line(table[index] as string[], row.meaning, row.isGap === true ? "unread" : undefined));
    if (index === brokenRow) showError(row);
  }
  if (rows.length === 0) showError(undefined);
  return lines.join("\n");
}

/** The width of text that is wrapped; without a limit where too little is left. */
function textWidth(left: number): number {
  return left >= LEAST_TEXT_WIDTH ? left : Number.POSITIVE_INFINITY;
}

/** Lines of at most `width` characters, divided at spaces where there are any. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...lines, rest];
}

/** The fields in order of place, with the gaps between them as rows. */
function toRows(fields: readonly TraceField[], endBit: number, errorBit = Number.POSITIVE_INFINITY): Row[] {
  const rows: Row[] = [];
  let covered = 0;
  function addGap(to: number): void {
    // What lies before the error was passed over, what lies after it was never reached.
    const split = Math.min(Math.max(errorBit, covered), to);
    if (split > covered) rows.push(gapRow(covered, split, "(not described)"));
    if (to > split) rows.push(gapRow(split, to, "(not read)"));
    covered = Math.max(covered, to);
  }
  for (const field of [...fields].sort((a, b) => a.bitOffset - b.bitOffset)) {
    addGap(field.bitOffset);
    rows.push(fieldRow(field));
    covered = Math.max(covered, field.bitOffset + field.bitLength);
  }
  addGap(endBit);
  return rows;
}

function gapRow(from: number, to: number, path: string): Row {
  return { bitOffset: from, bitLength: to - from, path, value: "", meaning: "", isGap: true };
}

function fieldRow({ path, bitOffset, bitLength, raw, shown }: TraceField): Row {
  const row = { bitOffset, bitLength, path: escapeControls(path) };
  const meaning = shown === String(raw) ? "" : escapeControls(shown);
  if (typeof raw === "string" && bitLength % 8 === 0) {
    // Bytes that the row shows whole need no second showing.
    const isRepeated = bitLength <= CELL_BYTES * 8 && shown.replaceAll(" ", "") === raw;
    return { ...row, value: countBytes(bitLength / 8), meaning: isRepeated ? "" : meaning };
  }
  // A 32-bit float is read best in its short form: 0.165, not 0.16500000655651093.
  const isShortFloat = typeof raw === "number" && Math.fround(Number(shown)) === raw;
  return { ...row, value: isShortFloat ? escapeControls(shown) : String(raw), meaning: isShortFloat ? "" : meaning };
}

/** `12`, or `12.3` for the fourth bit of byte 12. */
function placeText(bitOffset: number): string {
  const bit = bitOffset % 8;
  return bit === 0 ? String(bitOffset / 8) : `${Math.floor(bitOffset / 8)}.${bit}`;
}

function cellText(bytes: Uint8Array, { bitOffset, bitLength }: Row, cellBytes: number): string {
  const cellBits = (cellBytes * CELL_BITS) / CELL_BYTES;
  if (bitOffset % 8 === 0 && bitLength % 8 === 0) {
    const start = bitOffset / 8;
    const hex = formatHex(bytes.subarray(start, start + Math.min(bitLength / 8, cellBytes)));
    return bitLength / 8 > cellBytes ? `${hex} ...` : hex;
  }
  let bits = "";
  const end = Math.min(bitOffset + Math.min(bitLength, cellBits), bytes.length * 8);
  for (let at = bitOffset; at < end; at++) {
    // A space where a byte begins lets the bits be found in a dump.
    if (at % 8 === 0 && at > bitOffset) bits += " ";
    bits += ((bytes[Math.floor(at / 8)] as number) >> (7 - (at % 8))) & 1;
  }
  return bitLength > cellBits ? `${bits} ...` : bits;
}

function errorLines(
  error: WireError,
  row: Row | undefined,
  offsetWidth: number,
  { width, cellBytes }: { readonly width: number; readonly cellBytes: number },
): string[] {
  const bytesIn = row === undefined ? 0 : Math.floor((error.bitOffset - row.bitOffset) / 8);
  const inCell = bytesIn > 0 && bytesIn <= cellBytes && row !== undefined && row.bitOffset % 8 === 0;
  const indent = " ".repeat(offsetWidth + 2 + (inCell ? bytesIn * 3 : 0));
  const text = `${error.code}: ${escapeControls(error.message)}`;
  const [first = "", ...more] = wrapText(text, textWidth(width - indent.length - 2));
  return [`${indent}^ ${first}`, ...more.map((each) => `${indent}  ${each}`)];
}
