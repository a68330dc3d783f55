/** The scenes: player positions and the changes of each tick, all from a seed. No two observers see the same. */
import { createRandom, type Random } from "wirewalk/motion";
import { type MaskFields, type MaskRevision, parseMaskRevision, type WorldTile } from "wirewalk/osrs/player-info";
import { prefixedBytes, u8 } from "wirewalk/wire";

export const sceneNames = ["dense steady", "dense redrawn", "town", "box", "spread", "idle"] as const;
export type SceneName = (typeof sceneNames)[number];

export interface ContenderOptions {
  readonly revision: MaskRevision;
  readonly viewDistance: number;
  readonly maxLocals: number;
}

/** What is measured: everything that a scene needs of an engine. */
export interface Contender {
  add(index: number, tile: WorldTile): void;
  observe(index: number): void;
  /** The observer is never shown the player. */
  never(observer: number, index: number): void;
  move(index: number, x: number, z: number): void;
  teleport(index: number, tile: WorldTile): void;
  setBlock(index: number, name: string, fields: MaskFields): void;
  tick(): void;
  packet(observer: number): Uint8Array;
}

/** One block of 32 bytes and its flag. */
const benchRevision = parseMaskRevision({
  name: "bench",
  extensions: [0x80],
  blocks: [
    { name: "talk", flag: 0x1, fields: [{ name: "bytes", node: prefixedBytes({ count: u8, limit: 255 }).node }] },
  ],
});
const TALK_BYTES = 31;

const ORIGIN_X = 3200;
const ORIGIN_Z = 3200;

export interface Scene {
  readonly options: ContenderOptions;
  setUp(contender: Contender): void;
  /** What happens before a tick. */
  step(contender: Contender): void;
}

/** A scene of so many players, of whom each observes. */
export function createScene(name: SceneName, players: number): Scene {
  const random = createRandom(7);
  const indices = Array.from({ length: players }, (_, at) => at + 1);
  const ordinary: ContenderOptions = { revision: benchRevision, viewDistance: 15, maxLocals: 250 };
  switch (name) {
    case "dense steady":
    case "dense redrawn":
      return dense(random, indices, name === "dense redrawn");
    case "town":
    case "idle": {
      const people = new People(random, indices, 104);
      return {
        options: ordinary,
        setUp: (contender) => people.settle(contender),
        step: (contender) => {
          if (name === "town") for (const index of indices) people.walk(contender, index);
        },
      };
    }
    case "box": {
      const people = new People(random, indices, 13);
      const talk = { bytes: new Uint8Array(TALK_BYTES) };
      return {
        options: ordinary,
        setUp: (contender) => people.settle(contender),
        step: (contender) => {
          for (const index of indices) {
            const x = ORIGIN_X + random.integer(0, 12);
            const z = ORIGIN_Z + random.integer(0, 12);
            contender.teleport(index, { level: 0, x, z });
            talk.bytes[0] = random.integer(0, 255);
            contender.setBlock(index, "talk", talk);
          }
        },
      };
    }
    case "spread": {
      // 32 tiles between neighbours: nobody sees anybody.
      const people = new People(random, indices, 46, 32);
      return {
        options: ordinary,
        setUp: (contender) => people.settle(contender),
        step: (contender) => {
          for (const index of indices) people.walk(contender, index);
        },
      };
    }
  }
}

/** Everybody in view of everybody, but for a tenth that differs by observer; a third each idle, walking and running. */
function dense(random: Random, indices: readonly number[], redrawn: boolean): Scene {
  const people = new People(random, indices, 64);
  const roles = indices.map(() => random.integer(0, 2));
  return {
    options: { revision: benchRevision, viewDistance: Number.POSITIVE_INFINITY, maxLocals: 2047 },
    setUp: (contender) => {
      people.settle(contender);
      for (const observer of indices) {
        for (const index of indices) if (observer !== index && random.chance(0.1)) contender.never(observer, index);
      }
    },
    step: (contender) => {
      indices.forEach((index, at) => {
        if (redrawn) roles[at] = random.integer(0, 2);
        if (roles[at] === 1) people.walk(contender, index);
        if (roles[at] === 2) people.run(contender, index);
      });
    },
  };
}

class People {
  readonly #random: Random;
  readonly #indices: readonly number[];
  readonly #side: number;
  readonly #x = new Int32Array(2048);
  readonly #z = new Int32Array(2048);

  constructor(random: Random, indices: readonly number[], side: number, spacing = 0) {
    this.#random = random;
    this.#indices = indices;
    this.#side = spacing > 0 ? side * spacing : side;
    indices.forEach((index, at) => {
      this.#x[index] = ORIGIN_X + (spacing > 0 ? (at % side) * spacing : random.integer(0, side - 1));
      this.#z[index] = ORIGIN_Z + (spacing > 0 ? Math.floor(at / side) * spacing : random.integer(0, side - 1));
    });
  }

  settle(contender: Contender): void {
    for (const index of this.#indices) {
      contender.add(index, { level: 0, x: this.#x[index] as number, z: this.#z[index] as number });
    }
    for (const index of this.#indices) contender.observe(index);
  }

  /** One step in a direction of chance, never nowhere. */
  walk(contender: Contender, index: number): void {
    const direction = this.#random.integer(0, 7);
    const at = direction < 4 ? direction : direction + 1;
    this.#go(contender, index, (at % 3) - 1, Math.floor(at / 3) - 1);
  }

  run(contender: Contender, index: number): void {
    const along = this.#random.integer(-2, 2);
    const across = this.#random.chance(0.5) ? 2 : -2;
    if (this.#random.chance(0.5)) this.#go(contender, index, along, across);
    else this.#go(contender, index, across, along);
  }

  #go(contender: Contender, index: number, dx: number, dz: number): void {
    // Who would leave the square goes the other way.
    const step = (at: number, by: number, origin: number): number =>
      at + by < origin || at + by >= origin + this.#side ? at - by : at + by;
    const x = step(this.#x[index] as number, dx, ORIGIN_X);
    const z = step(this.#z[index] as number, dz, ORIGIN_Z);
    this.#x[index] = x;
    this.#z[index] = z;
    contender.move(index, x, z);
  }
}
