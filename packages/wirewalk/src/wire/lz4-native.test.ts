import { compressSync, uncompressSync } from "lz4-napi";
import { expect, it } from "vitest";
import { scaled } from "../testing/scale.ts";
import { decodeLz4Block, encodeLz4Block, formatHex } from "./index.ts";

/** The addon writes the size of what comes out before the block, four bytes, the low one first. */
const SIZE_BYTES = 4;
const BLOCKS = scaled(100_000, 2_000);

let state = 1;
/** A whole number in 0..below - 1. A generator of its own: this many properties would take minutes. */
function next(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

/** Bytes as packets have them: runs, repetitions near and far, small numbers, noise. */
function someBytes(): Uint8Array {
  const bytes: number[] = [];
  const length = next(50) === 0 ? next(70_000) : next(300);
  while (bytes.length < length) {
    const count = 1 + next(next(10) === 0 ? 600 : 24);
    const kind = next(4);
    const byte = next(256);
    const back = 1 + next(Math.max(1, bytes.length));
    for (let each = 0; each < count; each++) {
      if (kind === 0) bytes.push(byte);
      else if (kind === 1) bytes.push(next(256));
      else if (kind === 2) bytes.push(bytes[bytes.length - back] ?? 0);
      else bytes.push(next(4));
    }
  }
  return Uint8Array.from(bytes);
}

it(`${BLOCKS} blocks of ours are read by a native LZ4, and the other way round`, () => {
  for (let block = 0; block < BLOCKS; block++) {
    const bytes = someBytes();
    const native = compressSync(Buffer.from(bytes)).subarray(SIZE_BYTES);
    const read = decodeLz4Block(native, { limit: bytes.length });
    const ours = encodeLz4Block(bytes);
    const sized = Buffer.alloc(SIZE_BYTES + ours.length);
    sized.writeUInt32LE(bytes.length);
    sized.set(ours, SIZE_BYTES);
    // As buffers: this many times `toEqual` would take minutes.
    if (!uncompressSync(sized).equals(bytes)) expect.fail(`the native LZ4 misreads ${formatHex(ours)}`);
    if (!Buffer.from(read).equals(bytes)) expect.fail(`the native LZ4's ${formatHex(native)} is misread`);
  }
});
