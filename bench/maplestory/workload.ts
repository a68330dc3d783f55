/**
 * What the contestants of the MapleStory benchmark read and write: paths of random fragments, and a captured packet; the
 * same in every process.
 */
import {
  encodePath,
  Fragment,
  type MapleClientMessage,
  mapleCodec,
  type Path,
  v62Fragments,
} from "wirewalk/maplestory";
import { createRandom, type Random } from "wirewalk/motion";
import { parseHex } from "wirewalk/wire";

/** `mixed`: every kind as often; `absolute`: 97 of 100 are absolute, as in captures; `packet`: whole player packets. */
export type Mix = "mixed" | "absolute" | "packet";

/** What is read and written. */
export interface Workload {
  /** Paths as they are carried (start, count, fragments), or whole packets. */
  readonly payloads: readonly Uint8Array[];
  /** The same as objects. */
  readonly paths: readonly Path[];
  readonly messages: readonly MapleClientMessage[];
  /** Fragments, or packets: what times are divided by. */
  readonly count: number;
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

/** A player that lands: three fragments, 17 keys and the box (vectors/maplestory-v62.json). */
const capturedPacket = parseHex(
  "26 00 01 6C00 1F00 03 00 6C00 2D00 0000 F000 0000 06 7800 00 6C00 3500 0000 0000 0000 06 1A00" +
    "00 6C00 3500 0000 0000 0B00 04 6C01 11 000000000000000000 6C00 1F00 6C00 3500",
);

function packets(): Workload {
  // Memory of its own for each, as packets come; the fieldKey tells them apart.
  const payloads = Array.from({ length: PATHS }, (_, index) => capturedPacket.with(2, index & 0xff));
  const codec = mapleCodec("v62");
  return { payloads, paths: [], messages: payloads.map((each) => codec.read("client", each)), count: PATHS };
}

/** The first paths or packets of a workload. */
export function firstOf({ payloads, paths, messages }: Workload, length: number): Workload {
  const some = { payloads: payloads.slice(0, length), paths: paths.slice(0, length) };
  return { ...some, messages: messages.slice(0, length), count: paths.length > 0 ? countOf(some.paths) : length };
}

export function createWorkload(mix: Mix): Workload {
  if (mix === "packet") return packets();
  const random = createRandom(1);
  const paths = Array.from({ length: PATHS }, () => ({
    start: { x: random.integer(-0x8000, 0x7fff), y: random.integer(-0x8000, 0x7fff) },
    fragments: Array.from({ length: random.integer(FRAGMENTS_IN_PATH.low, FRAGMENTS_IN_PATH.high) }, () =>
      someFragment(random, mix),
    ),
  }));
  // Memory of its own for each, as packets come: the writer's are cut from larger pieces.
  const payloads = paths.map((path) => encodePath(path, v62Fragments).slice());
  return { payloads, paths, messages: [], count: countOf(paths) };
}

/** How many fragments the paths have. */
function countOf(paths: readonly Path[]): number {
  return paths.reduce((sum, { fragments }) => sum + fragments.length, 0);
}

export const fragmentContestants = [
  "decode: wirewalk, objects",
  "decode: wirewalk, reused rows",
  "decode: wirewalk, definition",
  "decode: kaitai, compiled",
  "decode: binary-parser",
  "decode: protodef, compiled",
  "encode: wirewalk",
  "encode: protodef, compiled",
] as const;

export const packetContestants = [
  "read: wirewalk",
  "read: wirewalk, definition",
  "write: wirewalk",
  "write: wirewalk, definition",
] as const;

export type ContestantName = (typeof fragmentContestants | typeof packetContestants)[number];

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
  /** Of a fragment, or of a packet. */
  readonly ns: number;
  /** Allocated for it. */
  readonly bytes: number;
  /** The same for all who read the same, and for all who write the same. */
  readonly sum: number;
}

/** It cannot run: a package is not installed. */
export interface Missing {
  readonly missing: string;
}
