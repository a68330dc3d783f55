/**
 * Dumps: rows that begin with an offset. `xxd`, `hexdump`, `od` and Wireshark write them, each with its own radix, order of bytes and
 * width of groups. All ways to read a dump are tried; one fits when the offsets say how many bytes the rows hold, and of several the
 * one whose ASCII is that of the bytes.
 */
import { joinBytes } from "../../wire/index.ts";
import { byteSchemes, colonSchemes, type DumpScheme, readRow, wordSchemes } from "./dump-row.ts";
import { type InputPacket, isBlank, type TextLine, textError } from "./text-lines.ts";

interface DumpRow {
  readonly line: number;
  readonly offset: string;
  readonly hasColon: boolean;
  /** What stands between offset and bytes. */
  readonly gap: string;
  readonly rest: string;
  /** After a blank line, or a line of text such as a heading. */
  readonly isAfterBreak: boolean;
}

/** `*`: rows that are equal to the one before are left out up to the next offset. */
interface Repeat {
  readonly line: number;
  readonly isRepeat: true;
}

type DumpLine = DumpRow | Repeat;

const ROW = /^\s*(?:0x)?([\da-f]{4,16})(:?)(?:([ \t]+)(\S.*)|\s*)$/i;
/** Bytes of all rows that stand for others: a few characters must not fill the memory. */
const MAX_REPEATED_BYTES = 16 * 1024 * 1024;

/** The packets of a dump; undefined when the text is not a dump. A packet begins at each offset 0. */
export function parseDump(lines: readonly TextLine[]): readonly InputPacket[] | undefined {
  const rows = dumpLines(lines);
  if (rows === undefined) return undefined;
  const [first] = rows;
  if (first === undefined || "isRepeat" in first) return undefined;
  let best: DumpReading | undefined;
  let fault: Fault | undefined;
  for (const scheme of schemesFor(rows)) {
    for (const radix of [16, 8, 10]) {
      const reading = readDump(rows, scheme, radix);
      if ("why" in reading) fault ??= reading;
      else if (best === undefined || reading.asciiRows > best.asciiRows) best = reading;
    }
  }
  if (best !== undefined && (best.asciiRows > 0 || isMarked(first) || (best.followingRows > 0 && isWide(first)))) {
    return best.packets;
  }
  if (fault === undefined || !rows.every((row) => "isRepeat" in row || isMarked(row, true))) return undefined;
  throw textError("dump", fault.why, fault.line);
}

/** The rows; undefined when a line is neither a row nor a heading. */
function dumpLines(lines: readonly TextLine[]): readonly DumpLine[] | undefined {
  const rows: DumpLine[] = [];
  let isAfterBreak = true;
  let heading: number | undefined;
  for (const { number, text } of lines) {
    if (isBlank(text)) {
      isAfterBreak = true;
    } else if (text.trim() === "*" && rows.length > 0) {
      rows.push({ line: number, isRepeat: true });
    } else {
      const [, offset, colon, gap = "", rest = ""] = ROW.exec(text) ?? [];
      if (offset === undefined || (rows.length === 0 && rest === "")) {
        // A line of text is a heading where a packet follows it.
        if (heading !== undefined && rows.length === 0) return undefined;
        heading = number;
        isAfterBreak = true;
        continue;
      }
      if (heading !== undefined && !/^0+$/.test(offset)) return undefined;
      heading = undefined;
      rows.push({ line: number, offset, hasColon: colon === ":", gap, rest, isAfterBreak });
      isAfterBreak = false;
    }
  }
  return heading === undefined ? rows : undefined;
}

/** A row that nothing else looks like: a colon and a gap behind the offset, or an offset of 0 and bytes behind a wide gap. */
function isMarked({ hasColon, offset, gap, rest }: DumpRow, anyOffset = false): boolean {
  if (rest === "") return anyOffset;
  if (hasColon) return true;
  return (anyOffset || /^0+$/.test(offset)) && gap.length >= 2 && /^[\da-f]{2}(?:\s|$)/i.test(rest);
}

/** `od` and `hexdump` write offsets of six digits and more. Four digits and a space are bytes. */
function isWide({ offset, gap }: DumpRow): boolean {
  return offset.length >= 6 || gap.length >= 2;
}

function schemesFor(rows: readonly DumpLine[]): readonly DumpScheme[] {
  const row = rows.find((each): each is DumpRow => !("isRepeat" in each) && each.rest !== "");
  if (row === undefined) return [];
  if (row.hasColon) return colonSchemes;
  const [group = ""] = row.rest.split(/\s/, 1);
  return group.length <= 3 ? byteSchemes : wordSchemes;
}

interface DumpReading {
  readonly packets: readonly InputPacket[];
  /** Rows whose ASCII is that of their bytes. */
  readonly asciiRows: number;
  /** Rows whose offset follows from the row before. */
  readonly followingRows: number;
}

interface Fault {
  readonly why: string;
  readonly line: number;
}

/** A packet of which rows are still read. */
interface OpenPacket {
  readonly line: number;
  readonly start: number;
  readonly parts: Uint8Array[];
  length: number;
}

function readDump(rows: readonly DumpLine[], scheme: DumpScheme, radix: number): DumpReading | Fault {
  const packets: OpenPacket[] = [];
  let [asciiRows, followingRows, repeatedBytes] = [0, 0, 0];
  let repeat: Repeat | undefined;
  let groupBytes = 1;
  for (const [index, row] of rows.entries()) {
    if ("isRepeat" in row) {
      repeat = row;
      continue;
    }
    const { line } = row;
    const offset = offsetOf(row.offset, radix);
    if (offset === undefined) return { why: `offset ${row.offset} is no number of radix ${radix}`, line };
    const packet = packets.at(-1);
    const end = packet === undefined ? -1 : packet.start + packet.length;
    if (packet !== undefined && repeat !== undefined && offset > end) {
      const last = packet.parts.at(-1) as Uint8Array;
      const missing = offset - end;
      repeatedBytes += missing;
      if (repeatedBytes > MAX_REPEATED_BYTES) {
        return { why: `rows left out by * are over the limit of ${MAX_REPEATED_BYTES} bytes`, line };
      }
      packet.parts.push(repeated(last, missing));
      packet.length += missing;
      followingRows += 1;
    } else if (packet !== undefined && offset === end) {
      followingRows += 1;
    } else if (packet !== undefined && row.rest === "" && offset < end && end - offset < groupBytes) {
      // The last word has fewer bytes than its digits.
      const last = packet.parts.pop() as Uint8Array;
      packet.parts.push(last.subarray(0, last.length - (end - offset)));
      packet.length = offset - packet.start;
      followingRows += 1;
    } else if (packet !== undefined && offset !== 0 && !row.isAfterBreak) {
      return { why: `offset ${row.offset} does not follow ${end - packet.start} bytes`, line };
    } else if (row.rest === "") {
      return { why: "an offset without bytes", line };
    }
    repeat = undefined;
    if (row.rest === "") continue;
    let open = packets.at(-1);
    if (open === undefined || offset !== open.start + open.length) {
      open = { line, start: offset, parts: [], length: 0 };
      packets.push(open);
    }
    const read = readRow(row.rest, scheme, expectedBytes(rows, index, offset, radix));
    if (read.why !== undefined) return { why: read.why, line };
    open.parts.push(read.bytes);
    open.length += read.bytes.length;
    groupBytes = read.groupBytes;
    if (read.hasAscii) asciiRows += 1;
  }
  return {
    packets: packets.map(({ line, parts }) => ({ line, bytes: joinBytes(parts) })),
    asciiRows,
    followingRows,
  };
}

/** How many bytes a row has by the offset of the next one. */
function expectedBytes(rows: readonly DumpLine[], index: number, offset: number, radix: number): number | undefined {
  const next = rows[index + 1];
  if (next === undefined || "isRepeat" in next) return undefined;
  const count = (offsetOf(next.offset, radix) ?? 0) - offset;
  return count > 0 ? count : undefined;
}

function offsetOf(text: string, radix: number): number | undefined {
  const digits = radix === 16 ? /^[\da-f]+$/i : radix === 8 ? /^[0-7]+$/ : /^\d+$/;
  const offset = digits.test(text) ? Number.parseInt(text, radix) : Number.NaN;
  return Number.isSafeInteger(offset) ? offset : undefined;
}

/** A row over and over, `length` bytes in all. */
function repeated(row: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += row.length) bytes.set(row.subarray(0, length - at), at);
  return bytes;
}
