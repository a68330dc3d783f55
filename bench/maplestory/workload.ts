/** What the contestants of the MapleStory benchmark read and write: paths of random fragments, the same in every process. */

import { encodePath, Fragment, type Path, v62Fragments } from "wirewalk/maplestory";
import { createRandom, type Random } from "wirewalk/motion";

/** `mixed`: every kind as often; `absolute`: 97 of 100 are absolute, as in captures. */
export type Mix = "mixed" | "absolute";
export const mixes: readonly Mix[] = ["mixed", "absolute"];

/** A path as it is carried: start, count, fragments; and the same as objects. */
export interface Workload {
  readonly payloads: readonly Uint8Array[];
  readonly paths: readonly Path[];
  readonly fragments: number;
}

const PATHS = 2000;
/** Captured packets have two or three, busy ones up to a dozen. */
const FRAGMENTS_IN_PATH = { low: 1, high: 12 };
/** A type of each kind. */
const kinds = [0, 15, 1, 3, 14, 10];

function someFragment(random: Random, mix: Mix): Fragment {
  const type = mix === "absolute" && random.chance(0.97) ? 0 : random.pick(kinds);
  const short = (): number => random.integer(-0x8000, 0x7fff);
  const values = {
    x: short(),
    y: short(),
    vx: short(),
    vy: short(),
    foothold: short(),
    fallStart: short(),
    state: random.integer(0, 255),
    durationMs: random.integer(0, 1080),
    data: random.integer(0, 255),
  };
  const fields = v62Fragments.fieldsOf(type).map((field) => [field, values[field as keyof typeof values]]);
  return Fragment.of(v62Fragments.kindOf(type) ?? "absolute", { type, ...Object.fromEntries(fields) });
}

export function createWorkload(mix: Mix): Workload {
  const random = createRandom(1);
  const paths = Array.from({ length: PATHS }, () => ({
    start: { x: random.integer(-0x8000, 0x7fff), y: random.integer(-0x8000, 0x7fff) },
    fragments: Array.from({ length: random.integer(FRAGMENTS_IN_PATH.low, FRAGMENTS_IN_PATH.high) }, () =>
      someFragment(random, mix),
    ),
  }));
  // Memory of its own for each, as packets come: the writer's are cut from larger pieces.
  const payloads = paths.map((path) => encodePath(path, v62Fragments).slice());
  return { payloads, paths, fragments: countOf(paths) };
}

/** How many fragments the paths have. */
export function countOf(paths: readonly Path[]): number {
  return paths.reduce((sum, { fragments }) => sum + fragments.length, 0);
}

export const contestantNames = [
  "decode: wirewalk, objects",
  "decode: wirewalk, reused rows",
  "decode: wirewalk, definition",
  "decode: kaitai, compiled",
  "decode: binary-parser",
  "decode: protodef, compiled",
  "encode: wirewalk",
  "encode: protodef, compiled",
] as const;

export type ContestantName = (typeof contestantNames)[number];

/** Reads or writes everything once, and adds up what it saw, so that nothing can be left out. */
export type Run = () => number;

/** What a contestant's process is asked to do. */
export interface Task {
  readonly contestant: ContestantName;
  readonly mix: Mix;
  readonly measureMs: number;
}

/** What it answers. */
export interface Report {
  readonly nsPerFragment: number;
  readonly bytesPerFragment: number;
  /** The same for all who read the same, and for all who write the same. */
  readonly sum: number;
}

/** It cannot run: a package is not installed. */
export interface Missing {
  readonly missing: string;
}
