/** Texts of heads: UTF-8 after their length in bytes, 7 bits a byte, low bits first, as .NET's `BinaryWriter` writes them. */
import { type ByteReader, type ByteWriter, countBytes, WireError } from "../../../wire/index.ts";

/** Longer texts are no endpoints and no patch texts. */
const MAX_TEXT_BYTES = 1024;

export function readText(reader: ByteReader): string {
  const at = reader.offset;
  const low = reader.u8();
  const high = low < 0x80 ? 0 : reader.u8();
  const length = (low & 0x7f) | (high << 7);
  // Two bytes for a length that fits in one: no writer does that, and it could not be written again.
  const isLonger = low >= 0x80 && high === 0;
  if (length > MAX_TEXT_BYTES || isLonger) {
    const why = `its length is no number of 0 to ${MAX_TEXT_BYTES} in groups of 7 bits`;
    throw new WireError("limit", `Cannot read text: ${why} at byte ${at}`, at * 8);
  }
  const bytes = reader.view(length);
  const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new WireError("bad-value", `Cannot read text: its ${countBytes(length)} are no UTF-8 at byte ${at}`, at * 8);
  }
}

/** Throws `RangeError` for a text that is too long or no Unicode. */
export function writeText(writer: ByteWriter, text: string): void {
  const bytes = utf8Bytes(text);
  if (bytes.length > MAX_TEXT_BYTES) {
    throw new RangeError(`text must be at most ${countBytes(MAX_TEXT_BYTES)}, got ${bytes.length}`);
  }
  if (bytes.length < 0x80) {
    writer.u8(bytes.length);
  } else {
    writer.u8((bytes.length & 0x7f) | 0x80);
    writer.u8(bytes.length >> 7);
  }
  writer.bytes(Uint8Array.from(bytes));
}

function utf8Bytes(text: string): readonly number[] {
  if (!text.isWellFormed()) throw new RangeError("text must be well-formed, got half of a surrogate pair");
  const bytes: number[] = [];
  for (const [piece] of encodeURIComponent(text).matchAll(/%..|./g)) {
    bytes.push(piece.length === 3 ? Number.parseInt(piece.slice(1), 16) : piece.charCodeAt(0));
  }
  return bytes;
}
