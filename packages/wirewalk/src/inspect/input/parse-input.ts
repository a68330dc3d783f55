/**
 * Bytes out of what people have: hex, dumps of `xxd`, `hexdump`, `od` and Wireshark, arrays and texts of programs, base64, or the bytes
 * themselves. One input may hold several packets. `wirewalk inspect` and the page read their input with this.
 *
 * ```ts
 * import { parseInput } from "wirewalk/inspect";
 *
 * const dump = `00000000: 0200 02c0 01a0 00                        .......`;
 * parseInput(dump); // => { format: "dump", packets: [{ bytes: new Uint8Array([2, 0, 2, 192, 1, 160, 0]), line: 1 }] }
 * parseInput('"\\x02\\x00"; { 0x02, 0x01 }').packets.map(({ bytes }) => bytes[1]); // => [0, 1]
 * parseInput(new Uint8Array([2, 0, 10])).format; // => "binary"
 * parseInput("02 00\n02 xx"); // throws bad-hex: Cannot read hex: "x" is not a hex digit at line 2, column 4
 * ```
 *
 * @module
 */
import { parseHex } from "../../wire/index.ts";
import { looksLikeBase64, parseBase64 } from "./base64.ts";
import { parseDump } from "./dump.ts";
import { LITERAL, parseLiterals } from "./literals.ts";
import { type PlainPackets, parseBase64Lines, parseHexLine, parseHexLines } from "./plain-lines.ts";
import { type InputPacket, isBlank, linesOf, type TextLine, textError } from "./text-lines.ts";
import { textOfBytes } from "./text-or-binary.ts";

/** How an input is written. */
export const inputFormats = ["hex", "dump", "base64", "literal", "binary"] as const;
export type InputFormat = (typeof inputFormats)[number];

/** The packets of an input, at least one. */
export interface ParsedInput {
  readonly format: InputFormat;
  readonly packets: readonly InputPacket[];
  /**
   * Of lines of hex or base64: the other way to divide them. Each line is a packet, unless the lines are as long as those of tools that
   * wrap one packet; blank lines always divide. A caller that knows the protocol takes the one that can be read.
   */
  readonly alternative?: readonly InputPacket[];
}

/**
 * Tells the formats apart and gives the bytes. Texts are dumps where rows begin with offsets, literals where there are quotes,
 * brackets or `\x`, base64 where padding or letters show it, and else hex. Lines that begin with `#` or `//` are skipped.
 *
 * @param input a text, or bytes that may be text: binary bytes are one packet
 * @param format what the input is, where the caller knows it
 * @throws {WireError} `bad-hex` for text in no known form, with line and column
 */
export function parseInput(input: string | Uint8Array, format?: InputFormat): ParsedInput {
  const text = typeof input === "string" ? withoutMark(input) : textOfInput(input, format);
  if (text === undefined) return { format: "binary", packets: [{ bytes: input as Uint8Array, line: 1 }] };
  if (format === "binary") throw new TypeError("binary input must be bytes");
  const lines = linesOf(text).filter((line) => !/^\s*(?:#|\/\/)/.test(line.text));
  if (lines.every((line) => isBlank(line.text))) {
    return { format: format ?? "hex", packets: [{ bytes: new Uint8Array(0), line: 1 }] };
  }
  switch (format) {
    case "hex":
      return hexInput(text, lines);
    case "base64":
      return { format, ...parseBase64Lines(lines) };
    case "dump": {
      const packets = parseDump(lines);
      if (packets === undefined) throw textError("dump", "no row with an offset", lines[0]?.number ?? 1);
      return { format, packets };
    }
    case "literal":
      return literalInput(text);
  }
  const dump = parseDump(lines);
  if (dump !== undefined) return { format: "dump", packets: dump };
  const data = /^\s*data:[^,]{0,200};base64,/.exec(text);
  if (data !== null)
    return { format: "base64", packets: [{ bytes: parseBase64(text.slice(data[0].length), 1), line: 1 }] };
  if (LITERAL.test(text)) return literalInput(text);
  const filled = lines.filter((line) => !isBlank(line.text));
  if (looksLikeBase64(filled.map((line) => line.text))) return { format: "base64", ...parseBase64Lines(lines) };
  return hexInput(text, lines);
}

/** The text of bytes; undefined where they are binary. */
function textOfInput(bytes: Uint8Array, format: InputFormat | undefined): string | undefined {
  if (format === "binary") return undefined;
  const text = textOfBytes(bytes);
  if (text === undefined && format !== undefined) throw textError(format, "the input is not text", 1);
  return text === undefined ? undefined : withoutMark(text);
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function hexInput(text: string, lines: readonly TextLine[]): ParsedInput {
  // Of a single line the position is enough.
  if (!/[\n\r\f]/.test(text.trim())) {
    const [line] = lines.filter((each) => !isBlank(each.text));
    if (line?.number === 1 && !line.text.includes("-"))
      return { format: "hex", packets: [{ bytes: parseHex(text), line: 1 }] };
  }
  const packets: PlainPackets = parseHexLines(lines);
  return { format: "hex", ...packets };
}

function literalInput(text: string): ParsedInput {
  const packets = parseLiterals(text, (line) =>
    looksLikeBase64([line.text]) ? parseBase64(line.text, line.number) : parseHexLine(line),
  );
  return { format: "literal", packets };
}
