/** LZ4 blocks that hold messages, for generated readers and writers. */
import { decodeLz4Block, decodeLz4BlockInto, encodeLz4BlockInto, lz4BlockBound } from "../lz4-block.ts";
import { WireError } from "../wire-error.ts";
import { type Checks, no, onBlock, refuseBlock, refuseRest } from "./refusals.ts";

/** Bodies up to this size are unpacked into memory that is kept, one for each limit. */
const KEPT_BYTES = 128 * 1024;
const kept = new Map<number, Uint8Array>();
let body: Uint8Array = new Uint8Array(0);

/** What came out of the last block: valid until the next one is read. */
export function inflated(): Uint8Array {
  return body;
}

/**
 * Unpacks the block from `at` to `end`: how many bytes came out, or -1 where it is refused. `exact`: so many must come out, or -1 for
 * any number up to `limit`.
 */
export function inflate(
  b: Uint8Array,
  at: number,
  end: number,
  limit: number,
  ignoresReserved: boolean,
  exact: number,
  checks: Checks,
  check: number,
): number {
  const unusedBits = ignoresReserved ? "ignore" : "refuse";
  let length: number;
  try {
    if (limit > KEPT_BYTES) {
      body = decodeLz4Block(b.subarray(0, end), { limit, start: at, unusedBits });
      length = body.length;
    } else {
      body = kept.get(limit) ?? new Uint8Array(limit);
      kept.set(limit, body);
      length = decodeLz4BlockInto(body, b, at, end, unusedBits);
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    refuseBlock(checks, check, error);
    return -1;
  }
  if (exact < 0 || length === exact) return length;
  no(checks, check, end, length);
  return -1;
}

/**
 * What came out of the block from `at` to `end` was refused. `used`: so many of its `length` bytes were read, and all that is wrong is
 * that there are more; otherwise -1.
 */
export function inBlock(path: string, b: Uint8Array, at: number, end: number, used: number, length: number): undefined {
  if (used >= 0) refuseRest(used, length);
  // Literals lie in the block as they are.
  const literals = literalsStart(b, at, end);
  onBlock(path, (bit) => (literals < 0 ? at * 8 : bit + literals * 8));
}

/** Where the body lies in a block that is nothing but literals; -1 where the block has matches. */
function literalsStart(b: Uint8Array, start: number, end: number): number {
  let at = start + 1;
  let literals = (b[start] as number) >>> 4;
  if (literals === MORE) {
    for (let more = MORE_BYTE; more === MORE_BYTE; literals += more) more = b[at++] as number;
  }
  return at + literals === end ? at : -1;
}

/** A half token of this value goes on in the bytes after it. */
const MORE = 15;
const MORE_BYTE = 0xff;

let content = new Uint8Array(0);
let packed = new Uint8Array(0);

/** Memory for what goes into a block: valid until the next one is written. */
export function contentRoom(size: number): Uint8Array {
  if (content.length < size) content = new Uint8Array(2 * size);
  return content;
}

/** The most bytes that a block of so many bytes takes. */
export function blockRoom(size: number): number {
  return lz4BlockBound(size) + 8;
}

/**
 * Packs the first `length` bytes of the content, and gives the position after the block. The first `head` of them become literals, and
 * the rest is packed as if it stood alone: a match counts back from where it stands, so what is put before it changes none.
 */
export function deflate(b: Uint8Array, at: number, length: number, head: number): number {
  if (head === 0) return at + encodeLz4BlockInto(b.subarray(at), content.subarray(0, length));
  const most = lz4BlockBound(length);
  if (packed.length < most) packed = new Uint8Array(2 * most);
  const size = encodeLz4BlockInto(packed, content.subarray(head, length));
  const token = packed[0] as number;
  let literals = token >>> 4;
  let from = 1;
  if (literals === MORE) {
    let more: number;
    do {
      more = packed[from++] as number;
      literals += more;
    } while (more === MORE_BYTE);
  }
  const count = head + literals;
  let to = at;
  b[to++] = (Math.min(count, MORE) << 4) | (token & 15);
  if (count >= MORE) {
    let left = count - MORE;
    for (; left >= MORE_BYTE; left -= MORE_BYTE) b[to++] = MORE_BYTE;
    b[to++] = left;
  }
  b.set(content.subarray(0, head), to);
  b.set(packed.subarray(from, size), to + head);
  return to + head + size - from;
}
