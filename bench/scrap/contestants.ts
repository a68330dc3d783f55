/** The contestants of the LZ4 benchmark, each as it is best used. Each first shows that it gives back what went in. */
import { createRequire } from "node:module";
import { decodePlayerMovement, encodePlayerMovement, encodePlayerMovementInto } from "wirewalk/scrap-mechanic";
import { decodeLz4Block, decodeLz4BlockInto, encodeLz4Block, encodeLz4BlockInto, lz4BlockBound } from "wirewalk/wire";
import type { ContestantName, Job, JobName, Workload } from "./workload.ts";

const require = createRequire(import.meta.url);

/** Larger than any body here, and any block. */
const MEMORY_BYTES = 8192;

type Jobs = Readonly<Partial<Record<JobName, Job>>>;

/** One way of packing bytes, which may work in memory of its own: a result is valid until the next. */
interface Packer {
  pack?(body: Uint8Array): Uint8Array;
  unpack(block: Uint8Array): Uint8Array;
  /** Its own form of what {@link pack} does not give. */
  readonly blockOf?: (body: Uint8Array) => Uint8Array;
}

function jobsOf(packer: Packer, { movementBodies, updateBodies }: Workload): Jobs {
  const { pack } = packer;
  const blockOf = packer.blockOf ?? ((body: Uint8Array) => packer.pack?.(body) ?? encodeLz4Block(body));
  const unpackAll = (bodies: readonly Uint8Array[]): Job => {
    const blocks = bodies.map((body) => blockOf(body).slice());
    for (const [index, block] of blocks.entries()) check(packer.unpack(block), bodies[index] as Uint8Array);
    return () => {
      let sum = 0;
      for (const block of blocks) sum += packer.unpack(block)[7] as number;
      return sum;
    };
  };
  const packAll = (bodies: readonly Uint8Array[]): Job | undefined => {
    if (pack === undefined) return undefined;
    for (const body of bodies) check(packer.unpack(pack(body).slice()), body);
    return () => {
      let sum = 0;
      for (const body of bodies) sum += pack(body)[1] as number;
      return sum;
    };
  };
  const jobs: Partial<Record<JobName, Job | undefined>> = {
    "decode 8 bytes": unpackAll(movementBodies),
    "encode 8 bytes": packAll(movementBodies),
    "decode 2.3 kB": unpackAll(updateBodies),
    "encode 2.3 kB": packAll(updateBodies),
  };
  return jobs as Jobs;
}

function check(found: Uint8Array, wanted: Uint8Array): void {
  if (found.length !== wanted.length || found.some((byte, index) => byte !== wanted[index])) {
    throw new Error("does not give back what went in");
  }
}

/** Packet to message and back: does more than all others, which leave bytes. */
function fused({ movements }: Workload): Jobs {
  const packets = movements.map(encodePlayerMovement);
  const packet = new Uint8Array(10);
  return {
    "decode 8 bytes"() {
      let sum = 0;
      for (const each of packets) {
        const { tick, keys, direction, yaw, pitch } = decodePlayerMovement(each);
        sum += tick + direction + yaw + pitch + (keys.jump ? 1 : 0);
      }
      return sum;
    },
    "encode 8 bytes"() {
      let sum = 0;
      for (const movement of movements) {
        encodePlayerMovementInto(packet, movement);
        sum += packet[9] as number;
      }
      return sum;
    },
  };
}

function reusing(workload: Workload): Jobs {
  const output = new Uint8Array(MEMORY_BYTES);
  const block = new Uint8Array(lz4BlockBound(MEMORY_BYTES));
  const { movementBodies, updateBodies } = workload;
  const unpackAll = (bodies: readonly Uint8Array[]): Job => {
    const blocks = bodies.map(encodeLz4Block);
    return () => {
      let sum = 0;
      for (const each of blocks) {
        decodeLz4BlockInto(output, each);
        sum += output[7] as number;
      }
      return sum;
    };
  };
  const packAll = (bodies: readonly Uint8Array[]): Job => {
    return () => {
      let sum = 0;
      for (const body of bodies) sum += encodeLz4BlockInto(block, body);
      return sum;
    };
  };
  return {
    "decode 8 bytes": unpackAll(movementBodies),
    "encode 8 bytes": packAll(movementBodies),
    "decode 2.3 kB": unpackAll(updateBodies),
    "encode 2.3 kB": packAll(updateBodies),
  };
}

const allocating: Packer = { pack: encodeLz4Block, unpack: (block) => decodeLz4Block(block, { limit: MEMORY_BYTES }) };

interface Lz4Js {
  compressBlock(src: Uint8Array, dst: Uint8Array, at: number, length: number, hashTable: Uint32Array): number;
  decompressBlock(src: Uint8Array, dst: Uint8Array, at: number, length: number, dstAt: number): number;
}

/**
 * Memory of the caller in both directions, the table cleared before each block as its frames do. Writes no block where
 * it finds no match, so none of eight bytes.
 */
function lz4js(workload: Workload): Jobs {
  const { compressBlock, decompressBlock } = require("lz4js") as Lz4Js;
  const output = new Uint8Array(MEMORY_BYTES);
  const block = new Uint8Array(lz4BlockBound(MEMORY_BYTES));
  const table = new Uint32Array(1 << 16);
  const { "encode 8 bytes": _, ...jobs } = jobsOf(
    {
      pack: (body) => {
        table.fill(0);
        const length = compressBlock(body, block, 0, body.length, table);
        return length === 0 ? encodeLz4Block(body) : block.subarray(0, length);
      },
      unpack: (each) => output.subarray(0, decompressBlock(each, output, 0, each.length, 0)),
    },
    workload,
  );
  return jobs;
}

interface Napi {
  compressSync(data: Buffer): Buffer;
  uncompressSync(data: Uint8Array): Buffer;
}

/** Puts the size before the block. */
function napi(workload: Workload): Jobs {
  const { compressSync, uncompressSync } = require("lz4-napi") as Napi;
  const { movementBodies, updateBodies } = workload;
  const asBuffers = (bodies: readonly Uint8Array[]): Buffer[] => bodies.map((body) => Buffer.from(body));
  return jobsOf(
    { pack: (body) => compressSync(body as Buffer), unpack: uncompressSync },
    { ...workload, movementBodies: asBuffers(movementBodies), updateBodies: asBuffers(updateBodies) },
  );
}

interface Wasm {
  compress(input: Uint8Array): Uint8Array;
  decompress(input: Uint8Array): Uint8Array;
}

/** Puts the size before the block. */
async function wasm(workload: Workload): Promise<Jobs> {
  const name = "lz4-wasm/lz4_wasm.js";
  const { compress, decompress } = (await import(name)) as Wasm;
  return jobsOf({ pack: compress, unpack: decompress }, workload);
}

/** Throws when its package is not installed. */
export async function createJobs(name: ContestantName, workload: Workload): Promise<Jobs> {
  switch (name) {
    case "wirewalk, fused":
      return fused(workload);
    case "wirewalk, block codec into reused memory":
      return reusing(workload);
    case "wirewalk, block codec":
      return jobsOf(allocating, workload);
    case "lz4js":
      return lz4js(workload);
    case "lz4-napi":
      return napi(workload);
    case "lz4-wasm":
      return wasm(workload);
  }
}
