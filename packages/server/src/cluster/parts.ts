/**
 * Messages between nodes in **parts**: a broker carries no message of more than a megabyte. Each part has the same numbers in its head,
 * which can be read without the body, and its place among the parts. The parts of one message arrive in their order.
 *
 * A part: version u8, place u16, count of parts u16, the numbers as f64, then its piece of the body.
 */
import { MAX_CLUSTER_MESSAGE_BYTES } from "wirewalk/net";

const VERSION = 1;
const PART_AT = 1;
const PARTS_AT = 3;
const NUMBERS_AT = 5;
const NUMBER_BYTES = 8;

/** Messages of one kind. */
export interface PartsFormat {
  /** How many numbers a head has. */
  readonly numbers: number;
  /** A message of more parts is refused. */
  readonly maxParts: number;
  /** How the error for a longer one begins. */
  readonly refusal: string;
}

export interface Part {
  readonly numbers: readonly number[];
  readonly part: number;
  readonly parts: number;
  readonly bytes: Uint8Array;
}

/** Throws `RangeError` for a body of too many parts. */
export function encodeParts(
  { maxParts, refusal }: PartsFormat,
  numbers: readonly number[],
  body: Uint8Array,
): readonly Uint8Array[] {
  const headBytes = NUMBERS_AT + NUMBER_BYTES * numbers.length;
  const room = MAX_CLUSTER_MESSAGE_BYTES - headBytes;
  const parts = Math.max(1, Math.ceil(body.length / room));
  if (parts > maxParts) throw new RangeError(`${refusal} ${body.length} bytes`);
  return Array.from({ length: parts }, (_, part) => {
    const piece = body.subarray(part * room, (part + 1) * room);
    const bytes = new Uint8Array(headBytes + piece.length);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, VERSION);
    view.setUint16(PART_AT, part);
    view.setUint16(PARTS_AT, parts);
    setNumbers(bytes, numbers);
    bytes.set(piece, headBytes);
    return bytes;
  });
}

/** Changes the numbers in the head of a message that was not sent yet. */
export function setNumbers(bytes: Uint8Array, numbers: readonly number[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [index, value] of numbers.entries()) view.setFloat64(NUMBERS_AT + index * NUMBER_BYTES, value);
}

/** The numbers of a head alone; undefined for bytes that have none. */
export function headOf({ numbers }: PartsFormat, bytes: Uint8Array): readonly number[] | undefined {
  if (bytes.length < NUMBERS_AT + NUMBER_BYTES * numbers || bytes[0] !== VERSION) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: numbers }, (_, index) => view.getFloat64(NUMBERS_AT + index * NUMBER_BYTES));
}

/** Undefined for bytes that are no part. The numbers are not checked. */
export function readPart(format: PartsFormat, bytes: Uint8Array): Part | undefined {
  const numbers = headOf(format, bytes);
  if (numbers === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [part, parts] = [view.getUint16(PART_AT), view.getUint16(PARTS_AT)];
  if (parts === 0 || parts > format.maxParts || part >= parts) return undefined;
  return { numbers, part, parts, bytes: bytes.subarray(NUMBERS_AT + NUMBER_BYTES * format.numbers) };
}

/** Puts the parts of messages together. */
export class PartJoiner {
  #id: readonly [epoch: number, number: number] | undefined;
  #pieces: Uint8Array[] = [];

  /** Whether parts of a message are still to come. */
  get isWaiting(): boolean {
    return this.#id !== undefined;
  }

  /** The body that this part of the message with these two numbers completes. Parts out of order are passed over. */
  take(
    epoch: number,
    number: number,
    { part, parts, bytes }: Pick<Part, "part" | "parts" | "bytes">,
  ): Uint8Array | undefined {
    const isNext = this.#id?.[0] === epoch && this.#id[1] === number && this.#pieces.length === part;
    if (part !== 0 && !isNext) return undefined;
    if (part === 0) this.#pieces = [];
    this.#id = [epoch, number];
    this.#pieces.push(bytes);
    if (this.#pieces.length < parts) return undefined;
    const body = parts === 1 ? bytes : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#id = undefined;
    return body;
  }
}
