/** Lines of hex or base64 as packets: a packet a line, or a packet wrapped over lines. */
import { joinBytes, parseHex, WireError } from "../../wire/index.ts";
import { parseBase64 } from "./base64.ts";
import { type InputPacket, isBlank, type TextLine, textError } from "./text-lines.ts";

/** Both ways to divide lines. */
export interface PlainPackets {
  readonly packets: readonly InputPacket[];
  /** Lines that follow each other divided in the other way; undefined where each stands alone. */
  readonly alternative?: readonly InputPacket[];
}

/** Bytes a line at which tools wrap: `od -An -tx1` 16, `xxd -p` 30, base64 of 64 and of 76 characters; 32 is two rows of 16. */
const HEX_WIDTHS = [16, 30, 32];
const BASE64_WIDTHS = [48, 57];

export function parseHexLines(lines: readonly TextLine[]): PlainPackets {
  return parsePlain(lines, HEX_WIDTHS, parseHexLine);
}

export function parseBase64Lines(lines: readonly TextLine[]): PlainPackets {
  return parsePlain(lines, BASE64_WIDTHS, ({ text, number }) => parseBase64(text, number));
}

/** `02-00-0A`, as .NET writes bytes. */
const DASHED = /^\s*[\da-f]{2}(?:-[\da-f]{2})+\s*$/i;

export function parseHexLine({ text, number }: TextLine): Uint8Array {
  try {
    return parseHex(DASHED.test(text) ? text.replaceAll("-", " ") : text);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const [, why = "", position = ""] = /^Cannot read hex: (.*) at position (\d+)$/s.exec(error.message) ?? [];
    throw textError("hex", why, number, Number(position) + 1);
  }
}

function parsePlain(
  lines: readonly TextLine[],
  widths: readonly number[],
  parse: (line: TextLine) => Uint8Array,
): PlainPackets {
  const packets: InputPacket[] = [];
  const alternative: InputPacket[] = [];
  let hasChoice = false;
  for (const block of blocksOf(lines)) {
    const each = block.map((line) => ({ bytes: parse(line), line: line.number }));
    const whole = [{ bytes: joinBytes(each.map(({ bytes }) => bytes)), line: each[0]?.line ?? 1 }];
    const isWrapped = wraps(each, widths);
    hasChoice ||= each.length > 1;
    for (const packet of isWrapped ? whole : each) packets.push(packet);
    for (const packet of isWrapped ? each : whole) alternative.push(packet);
  }
  return hasChoice ? { packets, alternative } : { packets };
}

/** Lines of equal length, the last one perhaps shorter. */
function wraps(each: readonly InputPacket[], widths: readonly number[]): boolean {
  const width = each[0]?.bytes.length ?? 0;
  const last = each.at(-1)?.bytes.length ?? 0;
  return (
    each.length > 1 &&
    widths.includes(width) &&
    each.slice(0, -1).every(({ bytes }) => bytes.length === width) &&
    last <= width
  );
}

/** Lines between blank ones. */
function blocksOf(lines: readonly TextLine[]): TextLine[][] {
  const blocks: TextLine[][] = [];
  let isOpen = false;
  for (const line of lines) {
    if (isBlank(line.text)) {
      isOpen = false;
      continue;
    }
    if (isOpen) blocks.at(-1)?.push(line);
    else blocks.push([line]);
    isOpen = true;
  }
  return blocks;
}
