/**
 * What the contestants of the MapleStory benchmark read and write: paths of random fragments, and a captured packet with
 * its fragments once or many times; the same in every process.
 */
import { readFileSync } from "node:fs";
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

/** `mixed`: every kind as often; `absolute`: 97 of 100 are absolute, as in captures. */
export const mixes = ["mixed", "absolute"] as const;
export type Mix = (typeof mixes)[number];

/** Fragments of whole packets; 3 is the captured packet. */
export const packetSizes = [1, 3, 10, 30, 100] as const;
/** The captured packet. */
export const CAPTURED = 3;

export interface Paths {
  /** As they are carried: start, count, fragments. */
  readonly payloads: readonly Uint8Array[];
  readonly paths: readonly Path[];
  /** How many fragments they have. */
  readonly count: number;
}

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

/** Random paths. */
export function createPaths(mix: Mix, count: number): Paths {
  const random = createRandom(1);
  const paths = Array.from({ length: count }, () => ({
    start: { x: random.integer(-0x8000, 0x7fff), y: random.integer(-0x8000, 0x7fff) },
    fragments: Array.from({ length: random.integer(FRAGMENTS_IN_PATH.low, FRAGMENTS_IN_PATH.high) }, () =>
      someFragment(random, mix),
    ),
  }));
  // Memory of its own for each, as packets come: the writer's are cut from larger pieces.
  const payloads = paths.map((path) => encodePath(path, v62Fragments).slice());
  return { payloads, paths, count: paths.reduce((sum, { fragments }) => sum + fragments.length, 0) };
}

/** A player's own move with all that stands around its path. */
export type OwnMove = Extract<
  Extract<MapleClientMessage, { readonly message: "movePlayer" }>["value"],
  { readonly keypad: unknown }
>;

/** Key nibbles that the packet format has room for. */
const MOST_KEYS = 255;

/** A player that lands, captured: three fragments, 17 keys and the box. */
function capturedPacket(): Uint8Array {
  const file = new URL("../../vectors/maplestory-v62.json", import.meta.url);
  const vectors = JSON.parse(readFileSync(file, "utf8")) as readonly { readonly name: string; readonly hex: string }[];
  const captured = vectors.find(({ name }) => name === "player falls on spawn and lands");
  if (captured === undefined) throw new Error("The vectors have no captured packet");
  return parseHex(captured.hex);
}

/** The captured packet with so many fragments and keys in proportion: as often as asked, each with another fieldKey. */
export function createPackets(fragmentCount: number, count: number): readonly Uint8Array[] {
  const captured = capturedPacket();
  let packet = captured;
  if (fragmentCount !== CAPTURED) {
    const codec = mapleCodec("v62");
    const value = codec.read("client", captured).value as OwnMove;
    const fragments = Array.from(
      { length: fragmentCount },
      (_, index) => value.fragments[index % CAPTURED] as (typeof value.fragments)[number],
    );
    const keys = Math.min(Math.round((value.keypad.length * fragmentCount) / CAPTURED), MOST_KEYS);
    const keypad = Array.from({ length: keys }, (_, index) => index & 0xf);
    packet = codec.write("client", { message: "movePlayer", value: { ...value, fragments, keypad } });
  }
  // Memory of its own for each, as packets come.
  return Array.from({ length: count }, (_, index) => packet.slice().with(2, index & 0xff));
}

/** Packets that are refused: how they are damaged, by the kind of work. */
export const damages: Readonly<Record<string, (packet: Uint8Array) => Uint8Array>> = {
  "cut in a fragment": (packet) => packet.slice(0, 20),
  "cut in the box": (packet) => packet.slice(0, -1),
  "a byte too many": (packet) => Uint8Array.of(...packet, 0),
  "unknown opcode": (packet) => packet.with(0, 0x29),
  "unknown fragment": (packet) => packet.with(8, 0xee),
};
