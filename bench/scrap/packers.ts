/** LZ4 blocks by our codec and by packages, each as it is best used. Each first shows that it gives back what went in. */
import { createRequire } from "node:module";
import { decodeLz4Block, decodeLz4BlockInto, encodeLz4Block, encodeLz4BlockInto, lz4BlockBound } from "wirewalk/wire";
import type { Run } from "../codec/work.ts";

const require = createRequire(import.meta.url);

/** Larger than any body here, and any block. */
const MEMORY_BYTES = 8192;

/** One way of packing bytes, which may work in memory of its own: a result is valid until the next. */
interface Packer {
  pack(body: Uint8Array): Uint8Array;
  unpack(block: Uint8Array): Uint8Array;
  /** Bodies as its functions take them. */
  readonly prepare?: (body: Uint8Array) => Uint8Array;
}

function reusing(): Packer {
  const output = new Uint8Array(MEMORY_BYTES);
  const block = new Uint8Array(lz4BlockBound(MEMORY_BYTES));
  // `subarray` would cost more than a block of eight bytes.
  return {
    pack(body) {
      packedBytes = encodeLz4BlockInto(block, body);
      return block;
    },
    unpack(each) {
      packedBytes = decodeLz4BlockInto(output, each);
      return output;
    },
  };
}

/** How much of its memory the last result of {@link reusing} fills. */
let packedBytes = 0;

interface Lz4Js {
  compressBlock(src: Uint8Array, dst: Uint8Array, at: number, length: number, hashTable: Uint32Array): number;
  decompressBlock(src: Uint8Array, dst: Uint8Array, at: number, length: number, dstAt: number): number;
}

/**
 * Memory of the caller in both directions, the table cleared before each block as its frames do. Writes no block where
 * it finds no match.
 */
function lz4js(): Packer {
  const { compressBlock, decompressBlock } = require("lz4js") as Lz4Js;
  const output = new Uint8Array(MEMORY_BYTES);
  const block = new Uint8Array(lz4BlockBound(MEMORY_BYTES));
  const table = new Uint32Array(1 << 16);
  return {
    pack(body) {
      table.fill(0);
      const length = compressBlock(body, block, 0, body.length, table);
      return length === 0 ? encodeLz4Block(body) : block.subarray(0, length);
    },
    unpack: (each) => output.subarray(0, decompressBlock(each, output, 0, each.length, 0)),
  };
}

interface Napi {
  compressSync(data: Buffer): Buffer;
  uncompressSync(data: Uint8Array): Buffer;
}

/** Puts the size before the block. */
function napi(): Packer {
  const { compressSync, uncompressSync } = require("lz4-napi") as Napi;
  return {
    pack: (body) => compressSync(body as Buffer),
    unpack: uncompressSync,
    prepare: (body) => Buffer.from(body),
  };
}

interface Wasm {
  compress(input: Uint8Array): Uint8Array;
  decompress(input: Uint8Array): Uint8Array;
}

/** Puts the size before the block. */
async function wasm(): Promise<Packer> {
  const name = "lz4-wasm/lz4_wasm.js";
  const { compress, decompress } = (await import(name)) as Wasm;
  return { pack: compress, unpack: decompress };
}

async function packerOf(name: string): Promise<Packer> {
  switch (name) {
    case "wirewalk, block codec into reused memory":
      return reusing();
    case "wirewalk, block codec":
      return { pack: encodeLz4Block, unpack: (block) => decodeLz4Block(block, { limit: MEMORY_BYTES }) };
    case "lz4js":
      return lz4js();
    case "lz4-napi":
      return napi();
    case "lz4-wasm":
      return await wasm();
    default:
      throw new RangeError(`No contestant ${name}`);
  }
}

/** Packs or unpacks all bodies. Throws when the package is not installed or does not give back what went in. */
export async function packerRun(name: string, isUnpacking: boolean, all: readonly Uint8Array[]): Promise<Run> {
  const { pack, unpack, prepare = (body: Uint8Array) => body } = await packerOf(name);
  const bodies = all.map(prepare);
  const isReusing = name.endsWith("reused memory");
  const whole = (bytes: Uint8Array): Uint8Array => (isReusing ? bytes.subarray(0, packedBytes) : bytes).slice();
  const blocks = bodies.map((body) => whole(pack(body)));
  for (const [index, block] of blocks.entries()) {
    if (Buffer.compare(whole(unpack(block)), all[index] as Uint8Array) !== 0) {
      throw new Error("does not give back what went in");
    }
  }
  if (isUnpacking) {
    return () => {
      let sum = 0;
      for (const block of blocks) sum += unpack(block)[7] as number;
      return sum;
    };
  }
  return () => {
    let sum = 0;
    for (const body of bodies) sum += pack(body)[1] as number;
    return sum;
  };
}
