/** What the contestants of the MapleStory benchmark read and write: paths of random fragments, the same in every process. */

import { Fragment, MAX_FRAGMENT_BYTES, v62Fragments, writeFragments } from "wirewalk/maplestory";
import { createRandom, type Random } from "wirewalk/motion";

/** `mixed`: every kind as often; `absolute`: 97 of 100 are absolute, as in captures. */
export type Mix = "mixed" | "absolute";
export const mixes: readonly Mix[] = ["mixed", "absolute"];

/** A path as it is carried: start, count, fragments; and the same as objects. */
export interface Workload {
  readonly payloads: readonly Uint8Array[];
  readonly paths: readonly (readonly Fragment[])[];
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
  const paths = Array.from({ length: PATHS }, () =>
    Array.from({ length: random.integer(FRAGMENTS_IN_PATH.low, FRAGMENTS_IN_PATH.high) }, () =>
      someFragment(random, mix),
    ),
  );
  const payloads = paths.map((fragments) => {
    const bytes = new Uint8Array(5 + fragments.length * MAX_FRAGMENT_BYTES);
    bytes[4] = fragments.length;
    return bytes.slice(0, writeFragments(bytes, 5, fragments, v62Fragments));
  });
  return { payloads, paths, fragments: paths.reduce((sum, { length }) => sum + length, 0) };
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
