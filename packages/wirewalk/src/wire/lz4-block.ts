/**
 * Raw LZ4 blocks: what LZ4 compresses, without frame, size or checksum around it.
 *
 * ```ts
 * import { decodeLz4Block, encodeLz4Block, formatHex, parseHex } from "wirewalk/wire";
 *
 * formatHex(encodeLz4Block(new Uint8Array(20).fill(7))); // => "1a 07 01 00 50 07 07 07 07 07"
 * decodeLz4Block(parseHex("3a 01 02 03 03 00 50 03 01 02 03 01"), { limit: 64 }).length; // => 22
 * decodeLz4Block(parseHex("3a 01 02 03 03 00 50 03 01 02 03 01"), { limit: 21 }); // throws limit: Cannot read block: 22 bytes come out, its limit is 21 at byte 7
 * decodeLz4Block(parseHex("10 01 02 00"), { limit: 64 }); // throws bad-value: Cannot read block: a match 2 bytes back, 1 is there at byte 2
 * ```
 *
 * Source: "LZ4 Block Format Description" of the reference implementation.
 *
 * @module
 */

import type { Tracer } from "./trace.ts";
import { countBytes, WireError } from "./wire-error.ts";

/** A match stands for no fewer bytes than these. */
const MIN_MATCH = 4;
/** The last bytes of a block are literals. */
const LAST_LITERALS = 5;
/** The last match begins this many bytes before the end, so nothing shorter than 13 bytes has one. */
const MATCH_MARGIN = 12;
/** An offset is two bytes. */
const MAX_OFFSET = 0xffff;
/** A half token of this value goes on in the bytes after it. */
const MORE = 15;
/** The reference implementation's own limit: offsets into larger inputs are not signed 32-bit integers. */
const MAX_INPUT_BYTES = 0x7e00_0000;

/** What a decoder makes of bits that have no meaning: the low half of the last token, where no match follows. */
export type UnusedBits = "refuse" | "ignore";

/** How a block is read. */
export interface Lz4Options {
  /** The most bytes that may come out; a block that would give more is refused (`limit`) before it gives them. */
  readonly limit: number;
  /** Refuse, unless said: every known encoder writes 0 there, and the reference decoder does not look. */
  readonly unusedBits?: UnusedBits;
  /** Where the block begins. Default 0. */
  readonly start?: number;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

/** Output memory for blocks whose size is not known yet. It grows with decoded bytes, not with a block's claims. */
let scratch = new Uint8Array(4096);
/** A scratch that grew over this is not kept. */
const SCRATCH_BYTES = 64 * 1024;

/**
 * The bytes of one whole block. Throws {@link WireError}: `truncated`, `limit`, `bad-value` for a match from before the
 * start or, unless ignored, for unused bits that are set. What is held on the way is at most twice what comes out, or 4 KiB.
 *
 * Where the last match must end is a rule for encoders, which decoders need not hold them to; nor does this one.
 */
export function decodeLz4Block(block: Uint8Array, options: Lz4Options): Uint8Array<ArrayBuffer> {
  const { limit, start = 0, unusedBits = "refuse" } = options;
  if (!(Number.isInteger(limit) && limit >= 0)) throw new RangeError(`limit must be a whole number, got ${limit}`);
  let output = scratch;
  for (;;) {
    const room = Math.min(output.length, limit);
    const length = inflate(output, room, limit, block, start, block.length, unusedBits);
    if (length >= 0) return output.slice(0, length);
    // Again from the start: blocks that outgrow the scratch are rare, and each round costs half of the next.
    output = new Uint8Array(Math.min(output.length * 2, limit));
    if (output.length <= SCRATCH_BYTES) scratch = output;
  }
}

/**
 * As {@link decodeLz4Block}, for hot paths: into memory of the caller, whose size is the limit. The block is `bytes`
 * from `start` to `end`, and errors count from the start of `bytes`. Returns how many bytes came out; those after them
 * may have been overwritten.
 */
export function decodeLz4BlockInto(
  output: Uint8Array,
  bytes: Uint8Array,
  start = 0,
  end = bytes.length,
  unusedBits: UnusedBits = "refuse",
): number {
  if (!(start >= 0 && start <= end && end <= bytes.length)) {
    throw new RangeError(`start and end must lie in 0..${bytes.length}, got ${start} and ${end}`);
  }
  return inflate(output, output.length, output.length, bytes, start, end, unusedBits);
}

/** How many bytes came out, or -1 when `room`, as many bytes of `output`, is too small and `limit` would allow more. */
function inflate(
  output: Uint8Array,
  room: number,
  limit: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  unusedBits: UnusedBits,
): number {
  let at = start;
  let out = 0;
  for (;;) {
    const tokenAt = at;
    if (at >= end) refuseTruncated(at);
    const token = bytes[at++] as number;

    let literals = token >>> 4;
    if (literals === MORE) {
      let more: number;
      do {
        if (at >= end) refuseTruncated(at);
        more = bytes[at++] as number;
        literals += more;
      } while (more === 0xff);
    }
    if (literals > end - at) refuseLiterals(literals, end - at, at);
    if (literals > room - out) {
      if (literals > limit - out) refuseLimit(out + literals, limit, at);
      return -1;
    }
    // Short runs byte by byte: a call of copyWithin or set costs more than 16 of them.
    if (literals <= 16) for (let i = 0; i < literals; i++) output[out + i] = bytes[at + i] as number;
    else output.set(bytes.subarray(at, at + literals), out);
    at += literals;
    out += literals;

    if (at === end) {
      if ((token & 15) !== 0 && unusedBits === "refuse") refuseUnused(token, tokenAt);
      return out;
    }

    const offsetAt = at;
    if (end - at < 2) refuseTruncated(at);
    const offset = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    at += 2;
    if (offset === 0 || offset > out) refuseOffset(offset, out, offsetAt);
    let match = (token & 15) + MIN_MATCH;
    if ((token & 15) === MORE) {
      let more: number;
      do {
        if (at >= end) refuseTruncated(at);
        more = bytes[at++] as number;
        match += more;
      } while (more === 0xff);
    }
    if (match > room - out) {
      if (match > limit - out) refuseLimit(out + match, limit, offsetAt);
      return -1;
    }
    // A match may run into what it writes: then it repeats, which only a copy byte by byte does.
    if (offset >= match && match > 32) output.copyWithin(out, out - offset, out - offset + match);
    else if (offset === 1 && match > 32) output.fill(output[out - 1] as number, out, out + match);
    else for (let i = 0; i < match; i++) output[out + i] = output[out - offset + i] as number;
    out += match;
  }
}

function refuseTruncated(at: number): never {
  throw new WireError("truncated", `Cannot read block: more must follow at byte ${at}`, at * 8);
}

function refuseLiterals(needed: number, left: number, at: number): never {
  const why = `${countBytes(needed)} needed, ${left} left at byte ${at}`;
  throw new WireError("truncated", `Cannot read block: ${why}`, at * 8);
}

function refuseLimit(length: number, limit: number, at: number): never {
  const why = `${countBytes(length)} come out, its limit is ${limit} at byte ${at}`;
  throw new WireError("limit", `Cannot read block: ${why}`, at * 8);
}

function refuseOffset(offset: number, out: number, at: number): never {
  const why = `a match ${countBytes(offset)} back, ${out} ${out === 1 ? "is" : "are"} there at byte ${at}`;
  throw new WireError("bad-value", `Cannot read block: ${why}`, at * 8);
}

function refuseUnused(token: number, at: number): never {
  const why = `the low half of the last token is ${token & 15}, not 0, at byte ${at}`;
  throw new WireError("bad-value", `Cannot read block: ${why}`, at * 8);
}

/**
 * Adds the block's parts to the trace, up to the first that cannot be read: tokens, lengths, literals and offsets, under
 * `path` as `[0].token`, `[0].literals` and so on. Never throws for bytes: what is wrong is {@link decodeLz4Block}'s to say.
 */
export function traceLz4Block(tracer: Tracer, path: string, bytes: Uint8Array, start = 0, end = bytes.length): void {
  let at = start;
  const length = (name: string, base: number, shown: (length: number) => string): number | undefined => {
    const from = at;
    let value = base;
    for (let more = 0xff; more === 0xff; value += more) {
      if (at >= end) return undefined;
      more = bytes[at++] as number;
    }
    tracer.field(name, from * 8, (at - from) * 8, value - base, shown(value));
    return value;
  };
  for (let sequence = 0; at < end; sequence++) {
    const name = `${path}[${sequence}]`;
    const token = bytes[at++] as number;
    const half = token >>> 4;
    const base = (token & 15) + MIN_MATCH;
    tracer.field(
      `${name}.token`,
      (at - 1) * 8,
      8,
      token,
      `literals ${atLeast(half)}, match ${atLeast(token & 15, MIN_MATCH)}`,
    );
    const literals = half === MORE ? length(`${name}.literalCount`, half, (count) => countBytes(count)) : half;
    if (literals === undefined || literals > end - at) return;
    if (literals > 0) {
      let hex = "";
      for (let i = 0; i < literals; i++) hex += (bytes[at + i] as number).toString(16).padStart(2, "0");
      tracer.field(`${name}.literals`, at * 8, literals * 8, hex);
      at += literals;
    }
    if (at === end || end - at < 2) return;
    const offset = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    tracer.field(`${name}.offset`, at * 8, 16, offset, `${countBytes(offset)} back`);
    at += 2;
    if ((token & 15) === MORE && length(`${name}.matchCount`, base, (count) => countBytes(count)) === undefined) return;
  }
}

/**
 * Why a block that can be read is one that no encoder writes: by its format the last bytes are literals, and no match begins near
 * the end. Undefined for a block that keeps to both. The block must be one that {@link decodeLz4Block} reads.
 */
export function lz4EndFault(bytes: Uint8Array, start = 0, end = bytes.length): string | undefined {
  let length = 0;
  let lastMatch: { readonly from: number; readonly to: number } | undefined;
  let at = start;
  const more = (base: number): number => {
    let value = base;
    if (base === MORE) {
      for (let next = 0xff; next === 0xff; value += next) next = bytes[at++] as number;
    }
    return value;
  };
  while (at < end) {
    const token = bytes[at++] as number;
    const literals = more(token >>> 4);
    at += literals;
    length += literals;
    if (at >= end) break;
    at += 2;
    const from = length;
    length += more(token & 15) + MIN_MATCH;
    lastMatch = { from, to: length };
  }
  if (lastMatch === undefined) return undefined;
  const { from, to } = lastMatch;
  if (length - to < LAST_LITERALS)
    return `its last match ends ${length - to} bytes before the end, ${LAST_LITERALS} or more expected`;
  if (length - from < MATCH_MARGIN)
    return `its last match begins ${length - from} bytes before the end, ${MATCH_MARGIN} or more expected`;
  return undefined;
}

/** Half a token: a count, or one that goes on. */
function atLeast(half: number, base = 0): string {
  return half === MORE ? `${half + base} or more` : String(half + base);
}

// --- Writing ---------------------------------------------------------------------------------------------------------

/** Four bytes are looked up by a hash of this many bits: the table lies in the first cache (16 KiB). */
const HASH_BITS = 12;
/** Where a hash was seen last, counted on over all calls, so that a new call need not clear it. */
const seen = new Int32Array(1 << HASH_BITS);
/** Places below this are of earlier calls. 0 is a place that was never seen. */
let seenBase = 1;
/** After this many places without a match the search takes longer steps, as the reference does: noise has none. */
const SKIP_SHIFT = 6;

/** The most bytes that the block of `length` bytes can have. */
export function lz4BlockBound(length: number): number {
  return length + Math.floor(length / 255) + 16;
}

/** Where blocks are packed whose size is not known yet. It grows with what is packed, up to {@link SCRATCH_BYTES}. */
let packScratch = new Uint8Array(0);

/** The bytes as one block. Equal bytes give equal blocks. Throws RangeError over 2,113,929,216 bytes. */
export function encodeLz4Block(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const bound = lz4BlockBound(bytes.length);
  const block = bound <= packScratch.length ? packScratch : new Uint8Array(2 * bound);
  if (block.length <= SCRATCH_BYTES) packScratch = block;
  return block.slice(0, encodeLz4BlockInto(block, bytes));
}

/**
 * As {@link encodeLz4Block}, into memory of the caller from `at` on; returns where the block ends. Throws RangeError
 * unless {@link lz4BlockBound} bytes are there, though fewer may be written.
 */
export function encodeLz4BlockInto(output: Uint8Array, bytes: Uint8Array, at = 0): number {
  const { length } = bytes;
  if (length > MAX_INPUT_BYTES) throw new RangeError(`bytes must be at most ${MAX_INPUT_BYTES}, got ${length}`);
  if (output.length - at < lz4BlockBound(length)) {
    throw new RangeError(`output must have ${lz4BlockBound(length)} bytes from ${at} on, got ${output.length - at}`);
  }
  if (length <= MATCH_MARGIN) return writeLast(output, at, bytes, 0);
  if (seenBase + length > 0x7fff_ffff) {
    seen.fill(0);
    seenBase = 1;
  }
  const base = seenBase;
  seenBase += length;

  const searchEnd = length - MATCH_MARGIN;
  const matchEnd = length - LAST_LITERALS;
  let out = at;
  let anchor = 0;
  let place = 0;
  let misses = 1 << SKIP_SHIFT;
  while (place <= searchEnd) {
    const word = wordAt(bytes, place);
    const hash = Math.imul(word, 0x9e37_79b1) >>> (32 - HASH_BITS);
    let from = (seen[hash] as number) - base;
    seen[hash] = base + place;
    if (from < 0 || place - from > MAX_OFFSET || wordAt(bytes, from) !== word) {
      place += misses++ >> SKIP_SHIFT;
      continue;
    }
    misses = 1 << SKIP_SHIFT;
    while (place > anchor && from > 0 && bytes[place - 1] === bytes[from - 1]) {
      place--;
      from--;
    }
    const offset = place - from;
    let end = place + MIN_MATCH;
    while (end < matchEnd && bytes[end] === bytes[end - offset]) end++;

    const literals = place - anchor;
    const match = end - place - MIN_MATCH;
    output[out++] = (Math.min(literals, MORE) << 4) | Math.min(match, MORE);
    if (literals >= MORE) out = writeLength(output, out, literals - MORE);
    out = copyBytes(output, out, bytes, anchor, place);
    output[out++] = offset & 0xff;
    output[out++] = offset >>> 8;
    if (match >= MORE) out = writeLength(output, out, match - MORE);
    anchor = end;
    place = end;
  }
  return writeLast(output, out, bytes, anchor);
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** The last sequence, which has no match. */
function writeLast(output: Uint8Array, at: number, bytes: Uint8Array, from: number): number {
  const literals = bytes.length - from;
  let out = at;
  output[out++] = Math.min(literals, MORE) << 4;
  if (literals >= MORE) out = writeLength(output, out, literals - MORE);
  return copyBytes(output, out, bytes, from, bytes.length);
}

function writeLength(output: Uint8Array, at: number, length: number): number {
  let out = at;
  let left = length;
  for (; left >= 0xff; left -= 0xff) output[out++] = 0xff;
  output[out++] = left;
  return out;
}

function copyBytes(output: Uint8Array, at: number, bytes: Uint8Array, from: number, to: number): number {
  if (to - from <= 16) for (let i = from; i < to; i++) output[at + i - from] = bytes[i] as number;
  else output.set(bytes.subarray(from, to), at);
  return at + to - from;
}
