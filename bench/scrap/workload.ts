/** What the LZ4 benchmark works on, and what its processes say to each other. */
import { createRandom } from "wirewalk/motion";
import {
  encodeMovementBody,
  encodeUpdateBody,
  keySets,
  type ObjectUpdate,
  type PlayerMovement,
} from "wirewalk/scrap-mechanic";

/** Movement packets, all different: more than a branch predictor learns by heart, no more than a cache holds. */
const MOVEMENTS = 1024;
/** Updates of this many characters each: 2.3 kB, a full room. */
const UPDATES = 64;
const CHARACTERS = 100;

export interface Workload {
  readonly movements: readonly PlayerMovement[];
  readonly movementBodies: readonly Uint8Array[];
  readonly updateBodies: readonly Uint8Array[];
}

export function createWorkload(): Workload {
  const random = createRandom(1);
  const byte = (): number => random.integer(0, 255);
  const movement = (tick: number): PlayerMovement => {
    const keys = random.pick(keySets);
    return { tick, keys, direction: byte(), yaw: byte(), pitch: random.integer(0, 128) };
  };
  const movements = Array.from({ length: MOVEMENTS }, (_, index) => movement(1000 + index * 7919));
  const updateBodies = Array.from({ length: UPDATES }, (_, serverTick) => {
    const updates = Array.from({ length: CHARACTERS }, (_, id): ObjectUpdate => {
      const { keys, direction, yaw, pitch } = movement(0);
      const position = { x: random.next() * 50, y: random.next() * 50, z: 0.7 };
      return { kind: "character", id: id + 1, keys, direction, yaw, pitch, position };
    });
    return encodeUpdateBody({ serverTick, currentTick: serverTick, updates });
  });
  return { movements, movementBodies: movements.map(encodeMovementBody), updateBodies };
}

export const contestantNames = [
  "wirewalk, fused",
  "wirewalk, block codec into reused memory",
  "wirewalk, block codec",
  "lz4js",
  "lz4-napi",
  "lz4-wasm",
] as const;

export type ContestantName = (typeof contestantNames)[number];

/** The kinds of work, each over the whole workload once: 1024 movements of 8 bytes, or 64 updates of 2.3 kB. */
export const jobNames = ["decode 8 bytes", "encode 8 bytes", "decode 2.3 kB", "encode 2.3 kB"] as const;

export type JobName = (typeof jobNames)[number];

/** A job that a contestant can do; adds up something of each result, so that nothing can be left out. */
export type Job = () => number;

export interface ContestantTask {
  readonly contestant: ContestantName;
  readonly measureMs: number;
}

export interface ContestantReport {
  /** Nanoseconds per packet, for the jobs that it can do. */
  readonly ns: Readonly<Partial<Record<JobName, number>>>;
}

/** It cannot run: a package is not installed. */
export interface ContestantMissing {
  readonly missing: string;
}
