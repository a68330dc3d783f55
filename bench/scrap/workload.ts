/** What the contestants of the Scrap Mechanic benchmark work on; the same in every process. */
import { readFileSync } from "node:fs";
import { createRandom } from "wirewalk/motion";
import {
  encodeMovementBody,
  encodeUpdateBody,
  keySets,
  type ObjectUpdate,
  type PlayerMovement,
} from "wirewalk/scrap-mechanic";
import { parseHex } from "wirewalk/wire";

/** Movement packets, all different: more than a branch predictor learns by heart, no more than a cache holds. */
const MOVEMENTS = 1024;
/** Different updates. */
const UPDATES = 64;

/** Characters of updates; 100 are 2.3 kB, a full room. */
export const characterCounts = [1, 4, 20, 100] as const;
/** The kinds of work on blocks: a movement of 8 bytes, and updates. */
export const MOVEMENT = "8 bytes";
export const updateWork = (characters: number): string => `${characters} characters`;

/** Moves and bodies of packets, each as often as asked. */
export interface Bodies {
  readonly movements: readonly PlayerMovement[];
  readonly bodies: readonly Uint8Array[];
}

/** The bodies of a kind of work, before compression. */
export function createBodies(work: string, count: number): Bodies {
  const random = createRandom(1);
  const byte = (): number => random.integer(0, 255);
  const movement = (tick: number): PlayerMovement => {
    const keys = random.pick(keySets);
    return { tick, keys, direction: byte(), yaw: byte(), pitch: random.integer(0, 128) };
  };
  const movements = Array.from({ length: MOVEMENTS }, (_, index) => movement(1000 + index * 7919));
  const asOften = <T>(all: readonly T[]): readonly T[] =>
    Array.from({ length: count }, (_, index) => all[index % all.length] as T);
  if (work === MOVEMENT) return { movements: asOften(movements), bodies: asOften(movements.map(encodeMovementBody)) };
  const characters = Number.parseInt(work, 10);
  const bodies = Array.from({ length: UPDATES }, (_, serverTick) => {
    const updates = Array.from({ length: characters }, (_, id): ObjectUpdate => {
      const { keys, direction, yaw, pitch } = movement(0);
      const position = { x: random.next() * 50, y: random.next() * 50, z: 0.7 };
      return { kind: "character", id: id + 1, keys, direction, yaw, pitch, position };
    });
    return encodeUpdateBody({ serverTick, currentTick: serverTick, updates });
  });
  return { movements: [], bodies: asOften(bodies) };
}

/** Bytes of a body. */
export function bodyBytes(work: string): number {
  return createBodies(work, 1).bodies[0]?.length ?? 0;
}

/** The movement packets of the vectors, as often as asked, each with another tick. */
export function createPackets(count: number): readonly Uint8Array[] {
  const file = new URL("../../vectors/scrap-mechanic.json", import.meta.url);
  const vectors = JSON.parse(readFileSync(file, "utf8")) as readonly {
    readonly sender: string;
    readonly wire: string;
  }[];
  const packets = vectors.filter(({ sender }) => sender === "client").map(({ wire }) => parseHex(wire));
  return Array.from({ length: count }, (_, index) =>
    (packets[index % packets.length] as Uint8Array).slice().with(5, index & 0xff),
  );
}

/** Packets that are refused: how they are damaged, by the kind of work. */
export const damages: Readonly<Record<string, (packet: Uint8Array) => Uint8Array>> = {
  "cut in the look": (packet) => packet.slice(0, -1),
  "a byte too many": (packet) => Uint8Array.of(...packet, 0),
  "unknown id": (packet) => packet.with(0, 0x29),
  "unknown keys": (packet) => packet.with(6, 0xff),
};
