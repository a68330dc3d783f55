import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import { scaled } from "../../../../../testing/scale.ts";
import { mustAgree, secondClientFor } from "../../testing/agreement.ts";
import { RandomWorld, type RandomWorldOptions } from "../../testing/random-world.ts";
import type { SecondClient } from "../../testing/second-client.ts";
import { MAX_PACKET_BYTES } from "../constants.ts";
import { OLD_QUARTER_MASK, PlayerInfoDecoder } from "../decoder.ts";
import { playerInfoDialects } from "../dialect.ts";
import { INIT_BYTES } from "../initial-packet.ts";
import { noMasks } from "../masks/mask-revision.ts";
import { revision206 } from "../masks/revision-206.ts";
import type { PlayerInfoUpdate } from "../player-info-update.ts";
import { PlayerInfoEngine, type PlayerInfoEngineOptions } from "./engine.ts";

/** An engine, and decoders and second clients that read every packet. */
class Table {
  readonly engine: PlayerInfoEngine;
  readonly decoders = new Map<number, PlayerInfoDecoder>();
  readonly #seconds = new Map<number, SecondClient | undefined>();

  constructor(options: Partial<PlayerInfoEngineOptions> = {}) {
    this.engine = new PlayerInfoEngine({ dialect: "client", revision: revision206, ...options });
  }

  add(index: number, x: number, z: number, level = 0): this {
    this.engine.add(index, { level, x, z });
    return this;
  }

  observe(...indices: number[]): this {
    for (const index of indices) {
      const { revision, dialect } = this.engine;
      const decoder = this.decoders.get(index) ?? new PlayerInfoDecoder({ revision, dialect: dialect.name });
      const second = this.#seconds.get(index) ?? secondClientFor(decoder);
      const init = this.engine.observe(index);
      decoder.init(init, index);
      second?.init(init, index);
      this.decoders.set(index, decoder);
      this.#seconds.set(index, second);
    }
    return this;
  }

  tick(observer = 1): PlayerInfoUpdate {
    this.engine.tick();
    let update: PlayerInfoUpdate | undefined;
    for (const [index, decoder] of this.decoders) {
      const packet = this.engine.packet(index).slice();
      const read = decoder.decode(packet);
      const second = this.#seconds.get(index);
      if (second !== undefined) mustAgree(second, decoder, packet, read);
      if (index === observer) update = read;
    }
    return update as PlayerInfoUpdate;
  }

  locals(observer = 1): number[] {
    return [...(this.decoders.get(observer)?.locals ?? [])];
  }
}

const maskNames = (update: PlayerInfoUpdate, index: number): string[] =>
  Object.keys(update.masks.find((each) => each.index === index)?.blocks ?? {});

describe.each(playerInfoDialects)("the $name dialect", ({ name: dialect }) => {
  it("adds players within 15 tiles on the same level, and no others", () => {
    const table = new Table({ dialect }).add(1, 3200, 3200).observe(1);
    table.add(2, 3215, 3185).add(3, 3216, 3200).add(4, 3200, 3200, 1);
    expect(table.tick().added).toEqual([2]);
    table.engine.move(3, 3215, 3200);
    table.engine.teleport(4, { level: 0, x: 3201, z: 3201 });
    table.engine.teleport(2, { level: 3, x: 3200, z: 3200 });
    const update = table.tick();
    expect({ added: [...update.added].sort(), removed: update.removed }).toEqual({ added: [3, 4], removed: [2] });
    expect(table.locals()).toEqual([1, 3, 4]);
  });

  it("sends each movement as walk, run, near or far teleport", () => {
    const table = new Table({ dialect, revision: noMasks }).add(1, 3200, 3200).observe(1);
    for (const index of [2, 3, 4, 5, 6, 7]) table.add(index, 3200, 3200);
    table.tick();
    table.engine.move(2, 3201, 3199);
    table.engine.move(3, 3202, 3199);
    table.engine.move(4, 3200, 3197);
    table.engine.teleport(5, { level: 0, x: 3201, z: 3200 });
    table.engine.teleport(6, { level: 0, x: 3184, z: 3215 });
    table.engine.move(7, 3200, 3200);
    table.engine.teleport(1, { level: 0, x: 3199, z: 3201 });
    const moves = table.tick().moves.map(({ index, type, x, z }) => ({ index, type, x, z }));
    expect(moves.sort((a, b) => a.index - b.index)).toEqual([
      { index: 1, type: "near", x: 3199, z: 3201 },
      { index: 2, type: "walk", x: 3201, z: 3199 },
      { index: 3, type: "run", x: 3202, z: 3199 },
      { index: 4, type: "near", x: 3200, z: 3197 },
      { index: 5, type: "near", x: 3201, z: 3200 },
      { index: 6, type: "near", x: 3184, z: 3215 },
    ]);
    table.engine.teleport(1, { level: 2, x: 3183, z: 3216 });
    expect(table.tick().moves).toMatchObject([{ index: 1, type: "near", level: 2, x: 3183, z: 3216 }]);
    table.engine.teleport(1, { level: 2, x: 3199, z: 3216 });
    expect(table.tick().moves).toMatchObject([{ index: 1, type: "far", level: 2, x: 3199, z: 3216 }]);
    table.engine.teleport(1, { level: 2, x: 16_383, z: 0 });
    expect(table.tick().moves).toMatchObject([{ index: 1, type: "far", level: 2, x: 16_383, z: 0 }]);
  });

  it("keeps every slot's map quarter right, of empty slots too", () => {
    const table = new Table({ dialect }).add(1, 8191, 100).observe(1);
    table.add(2, 8191, 8191).add(3, 8190, 101).add(4, 16_383, 16_383, 3);
    table.tick();
    // Out of view and over a border in one step; over a border out of view; out of the world after a step over one.
    table.engine.teleport(3, { level: 2, x: 8192, z: 8192 });
    table.engine.move(2, 8192, 8192);
    table.tick();
    table.engine.move(2, 8191, 8191);
    table.engine.remove(2);
    table.engine.remove(4);
    table.tick();
    const quarters = table.decoders.get(1)?.quarters ?? new Int32Array(0);
    expect([2, 3, 4].map((index) => quarters[index])).toEqual([
      (1 << 14) | 1,
      (2 << 28) | (1 << 14) | 1,
      (3 << 28) | (1 << 14) | 1,
    ]);
    table.add(2, 100, 100).observe(2);
    table.tick();
    expect(quarters[2]).toBe(0);
    expect(table.decoders.get(2)?.quarters[3]).toBe(quarters[3]);
  });

  it("removes the old player of an index and adds the new one within one packet", () => {
    const table = new Table({ dialect }).add(1, 3200, 3200).observe(1).add(2, 3201, 3200);
    table.engine.setBlock(2, "appearance", { data: look(1) });
    table.tick();
    table.engine.remove(2);
    table.add(2, 3199, 3203);
    table.engine.setBlock(2, "appearance", { data: look(2) });
    const update = table.tick();
    expect({ added: update.added, removed: update.removed }).toEqual({ added: [2], removed: [2] });
    expect(table.decoders.get(1)?.player(2)).toMatchObject({ x: 3199, z: 3203, appearance: look(2) });
    // A new player without an appearance. It is out of view at first.
    table.engine.remove(2);
    table.add(2, 100, 100);
    expect(table.tick()).toMatchObject({ added: [], removed: [2] });
  });

  it("sends an appearance only to observers that do not have it", () => {
    const table = new Table({ dialect }).add(1, 3200, 3200).add(3, 3200, 3201).observe(1, 3).add(2, 3201, 3200);
    table.engine.setBlock(2, "appearance", { data: look(1) });
    expect(maskNames(table.tick(), 2)).toEqual(["appearance"]);
    table.engine.teleport(2, { level: 0, x: 100, z: 100 });
    table.tick();
    table.engine.teleport(2, { level: 0, x: 3200, z: 3200 });
    expect(maskNames(table.tick(), 2)).not.toContain("appearance");
    // Changed while out of view of one: it is sent when the player comes back.
    table.engine.teleport(1, { level: 0, x: 100, z: 100 });
    table.tick();
    table.engine.setBlock(2, "appearance", { data: look(4) });
    expect(maskNames(table.tick(3), 2)).toEqual(["appearance"]);
    table.engine.teleport(1, { level: 0, x: 3200, z: 3200 });
    expect(maskNames(table.tick(), 2)).toEqual(["appearance"]);
  });

  it("forgets nothing after a reconnect: all that the client may lack is sent again", () => {
    const table = new Table({ dialect }).add(1, 3200, 3200).observe(1).add(2, 3201, 3200);
    table.engine.setBlock(1, "appearance", { data: look(1) });
    table.engine.setBlock(2, "appearance", { data: look(2) });
    table.tick();
    table.tick();
    expect(table.tick().masks).toEqual([]);
    table.decoders.clear();
    table.observe(1);
    const update = table.tick();
    expect(update.masks.map(({ index }) => index)).toEqual([1, 2]);
    expect(table.locals()).toEqual([1, 2]);
  });
});

/** As long as the client reads. */
const look = (byte: number): Uint8Array => new Uint8Array(31).fill(byte);
const chat = (index: number, length: number) => {
  return { colourEffect: index, icon: 0, auto: 0, text: new Uint8Array(length).fill(index) };
};

describe("the view", () => {
  it("shrinks to what fits, and grows again when there is room", () => {
    const table = new Table({ revision: noMasks, maxLocals: 30 }).add(1, 3200, 3200).observe(1);
    for (let index = 2; index < 200; index++) table.add(index, 3185 + (index % 31), 3185 + ((index * 7) % 31));
    table.tick();
    expect(table.engine.viewDistanceOf(1)).toBeLessThan(15);
    expect(table.locals().length).toBeLessThanOrEqual(30);
    for (let index = 10; index < 200; index++) table.engine.remove(index);
    for (let tick = 0; tick < 20; tick++) table.tick();
    expect(table.engine.viewDistanceOf(1)).toBe(15);
  });

  it("holds part of a crowd on one tile, always the same while no player leaves", () => {
    const table = new Table({ revision: noMasks, maxLocals: 30 });
    for (let index = 1; index < 100; index++) table.add(index, 3200, 3200);
    table.observe(1, 99);
    table.tick();
    const seen = table.locals();
    expect(seen).toHaveLength(30);
    expect(table.locals(99)).not.toEqual(seen);
    table.tick();
    expect(table.locals()).toEqual(seen);
    table.engine.remove(seen[5] as number);
    table.tick();
    expect(table.locals()).toHaveLength(30);
  });

  it("can be without end, on one level", () => {
    const table = new Table({ viewDistance: Number.POSITIVE_INFINITY, maxLocals: 2047 }).add(1, 0, 0).observe(1);
    table.add(2, 16_383, 16_383).add(3, 0, 0, 1);
    table.tick();
    expect(table.locals()).toEqual([1, 2]);
  });

  it("without end but with a limit ends where the limit is", () => {
    const table = new Table({ viewDistance: Number.POSITIVE_INFINITY, maxLocals: 10 }).add(1, 0, 0).observe(1);
    for (let index = 2; index <= 40; index++) table.add(index, index * 100, 0);
    table.tick();
    expect(table.locals()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("leaves out the hidden, but for themselves", () => {
    const table = new Table().add(1, 3200, 3200).add(2, 3201, 3200).observe(1, 2);
    table.tick();
    table.engine.hide(2, true);
    table.tick();
    expect([table.locals(1), table.locals(2)]).toEqual([[1], [1, 2]]);
    table.engine.hide(2, false);
    table.tick();
    expect(table.locals(1)).toEqual([1, 2]);
  });

  it("shows an observer some players first, and some never", () => {
    const table = new Table({ revision: noMasks, maxLocals: 10 }).add(1, 3200, 3200).observe(1);
    for (let index = 2; index < 60; index++) table.add(index, 3200 + (index % 4), 3200);
    table.add(100, 3215, 3215).add(101, 3200, 3200);
    table.engine.setStanding(1, 100, "first");
    table.engine.setStanding(1, 101, "never");
    table.tick();
    expect(table.locals()).toContain(100);
    expect(table.locals()).not.toContain(101);
    // The next player in the slot does not inherit the standing.
    table.engine.remove(101);
    table.engine.remove(100);
    table.add(101, 3200, 3200).add(100, 3215, 3215);
    for (let index = 2; index < 60; index++) table.engine.remove(index);
    table.tick();
    expect(table.locals()).toContain(101);
  });
});

describe("masks", () => {
  it("are encoded once: observers with the same view have the same bytes in the same place", () => {
    const table = new Table();
    for (let index = 1; index <= 20; index++) table.add(index, 3200, 3200);
    table.observe(3, 7);
    table.tick();
    for (let tick = 0; tick < 3; tick++) {
      table.engine.setBlock(5, "say", { text: `tick ${tick}` });
      table.engine.move(6, 3200 + (tick % 2), 3201);
      table.tick();
    }
    const [a, b] = [table.engine.packet(3), table.engine.packet(7)];
    expect(a.length).toBeGreaterThan(0);
    expect([a.byteOffset, a.length]).toEqual([b.byteOffset, b.length]);
  });

  it("a block that does not fit is refused when it is set, and changes nothing", () => {
    const table = new Table().add(1, 3200, 3200).add(2, 3200, 3200).observe(1);
    table.tick();
    table.engine.setBlock(2, "sequence", { id: 7, delay: 0 });
    const set = (name: string, fields: Record<string, string | number>): (() => void) => {
      return () => table.engine.setBlock(2, name, fields);
    };
    expect(set("say", { text: "x".repeat(256) })).toThrow(
      "Cannot write say.text: a text must be at most 255 characters",
    );
    expect(set("say", { text: "日本" })).toThrow("Cannot write say.text");
    expect(set("sequence", { id: 65_536, delay: 0 })).toThrow(
      "Cannot write sequence.id: u16be must be an integer in 0..65535",
    );
    expect(set("sequence", { id: 1 })).toThrow(
      "Cannot write sequence.delay: u8 must be an integer in 0..255, got undefined",
    );
    expect(set("sequence", { id: 1, delay: 1, more: 1 })).toThrow("Cannot write sequence.more: no such field");
    expect(set("dance", {})).toThrow('Revision 206 has no mask block "dance"');
    expect(table.tick().masks).toEqual([{ index: 2, blocks: { sequence: { id: 7, delay: 0 } } }]);
  });

  it("some blocks differ for an observer, and no others may", () => {
    const table = new Table().add(1, 3200, 3200).add(2, 3200, 3200).add(3, 3200, 3200).observe(1, 2);
    table.tick();
    const hit = (type: number) => ({ hits: [{ type, value: 5, delay: 0 }], bars: [] });
    table.engine.setBlock(3, "hits", hit(1));
    table.engine.setBlockFor(2, 3, "hits", hit(2));
    table.engine.tick();
    const hits = [1, 2].map((observer) => {
      return table.decoders.get(observer)?.decode(table.engine.packet(observer)).masks[0]?.blocks.hits;
    });
    expect(hits).toEqual([hit(1), hit(2)]);
    expect(table.tick().masks).toEqual([]);
    expect(() => table.engine.setBlockFor(2, 3, "say", { text: "psst" })).toThrow("is the same for every observer");
  });

  it("a teleport stops the player instead of walking it", () => {
    const table = new Table().add(1, 3200, 3200).observe(1);
    table.tick();
    table.engine.teleport(1, { level: 0, x: 3201, z: 3200 });
    expect(table.tick().moves).toMatchObject([{ type: "near", arrival: "stop" }]);
    table.engine.setBlock(1, "moveSpeed", { speed: 2 });
    table.engine.move(1, 3203, 3200);
    expect(table.tick().moves).toMatchObject([{ type: "run", arrival: "path", speed: 2 }]);
    table.engine.move(1, 3204, 3200);
    table.engine.setBlock(1, "temporaryMoveSpeed", { speed: 1 });
    expect(table.tick().moves).toMatchObject([{ type: "walk", arrival: "path", speed: 1 }]);
    table.engine.move(1, 3206, 3200);
    expect(table.tick().moves).toMatchObject([{ type: "run", arrival: "path", speed: 2 }]);
  });

  it("a face angle is sent to observers that arrive later, until the player moves", () => {
    const table = new Table().add(1, 3200, 3200).add(2, 3200, 3201).observe(1);
    table.engine.setBlock(2, "faceAngle", { angle: 512 });
    table.tick();
    const away = { level: 0, x: 100, z: 100 };
    const back = { level: 0, x: 3200, z: 3200 };
    const comesBack = (): PlayerInfoUpdate => {
      table.engine.teleport(1, away);
      table.tick();
      table.engine.teleport(1, back);
      return table.tick();
    };
    expect(maskNames(comesBack(), 2)).toEqual(["faceAngle"]);
    table.engine.move(2, 3200, 3202);
    table.tick();
    expect(maskNames(comesBack(), 2)).toEqual([]);
    expect(table.decoders.get(1)?.player(2)?.orientation).toBe(1024);
  });

  it("what clients remember of an index is replaced for its next player", () => {
    const table = new Table().add(1, 3200, 3200).add(2, 3200, 3201).observe(1);
    table.engine.setBlock(2, "faceEntity", { target: 32_769 });
    table.engine.setBlock(2, "moveSpeed", { speed: 2 });
    table.tick();
    table.engine.remove(2);
    table.tick();
    table.add(2, 3200, 3201);
    table.tick();
    expect(table.decoders.get(1)?.player(2)).toMatchObject({ interacting: -1, speed: 1 });
  });
});

describe("a full packet", () => {
  const crowd = (players: number): Table => {
    const table = new Table({ viewDistance: Number.POSITIVE_INFINITY, maxLocals: 2047 });
    for (let index = 1; index <= players; index++) table.add(index, 3200 + (index % 40), 3200 + (index >> 6));
    return table.observe(1, players);
  };
  const look = { data: new Uint8Array(200) };

  it("shows the near ones first and the rest in the packets after it", () => {
    const table = crowd(600);
    for (let index = 1; index <= 600; index++) table.engine.setBlock(index, "appearance", look);
    const counts: number[] = [];
    for (let tick = 0; tick < 4; tick++) {
      table.tick();
      expect(table.engine.packetBytes(1)).toBeLessThanOrEqual(MAX_PACKET_BYTES);
      counts.push(table.locals().length);
      if (tick > 0) continue;
      const farthest = Math.max(...table.locals().map((index) => Math.max(index % 40, index >> 6) - 1));
      const missing = table.engine.waitingFor(1).map((index) => Math.max(index % 40, index >> 6) - 1);
      expect(Math.min(...missing)).toBeGreaterThanOrEqual(farthest - 1);
    }
    expect(counts[0]).toBeGreaterThan(150);
    expect(counts.at(-1)).toBe(600);
    expect(table.engine.waitingFor(1)).toEqual([]);
  });

  it("lets no player wait for ever, however many blocks the others have", () => {
    const table = crowd(600);
    table.tick();
    const received = new Map<number, number>();
    for (let tick = 0; tick < 40; tick++) {
      for (let index = 1; index <= 600; index++) table.engine.setBlock(index, "appearance", look);
      for (const { index } of table.tick().masks) received.set(index, tick);
    }
    expect(received.size).toBe(600);
    expect(Math.min(...received.values())).toBeGreaterThan(40 - 26);
  });

  it("sends blocks that waited with their last value, unless they mean nothing after their tick", () => {
    const table = crowd(600);
    table.tick();
    for (let index = 1; index <= 600; index++) {
      table.engine.setBlock(index, "publicChat", chat(index, 160));
      table.engine.setBlock(index, "temporaryMoveSpeed", { speed: 2 });
    }
    const received = new Map<number, number>();
    for (let tick = 0; tick < 4; tick++) {
      for (const { index, blocks } of table.tick().masks) {
        expect(received.has(index)).toBe(false);
        expect(blocks.publicChat).toEqual(chat(index, 160));
        expect(Object.hasOwn(blocks, "temporaryMoveSpeed")).toBe(tick === 0);
        received.set(index, tick);
      }
    }
    expect(received.size).toBe(600);
    expect(new Set(received.values()).size).toBeGreaterThan(1);
  });

  it("owes nothing to a client that has connected again", () => {
    const table = crowd(600);
    table.tick();
    for (let index = 1; index <= 600; index++) table.engine.setBlock(index, "publicChat", chat(index, 200));
    table.tick();
    expect(table.engine.waitingFor(1).length).toBeGreaterThan(0);
    table.observe(1);
    expect(table.engine.waitingFor(1)).toEqual([]);
    expect(table.tick().masks).toEqual([]);
  });

  it("drops deferred masks of a removed player: the next player in the slot does not get them", () => {
    const table = crowd(600);
    table.tick();
    for (let index = 1; index <= 600; index++) table.engine.setBlock(index, "publicChat", chat(index, 200));
    table.tick();
    const [index = 0] = table.engine.waitingFor(1);
    const hit = { hits: [{ type: 1, value: 1, delay: 0 }], bars: [] };
    table.engine.setBlockFor(1, index, "hits", hit);
    table.engine.remove(index);
    table.add(index, 3200, 3200);
    const update = table.tick();
    expect(update.added).toEqual([index]);
    expect(maskNames(update, index)).toEqual([]);
  });

  it("serves first the players that the observer is shown first", () => {
    const table = crowd(600);
    table.engine.setStanding(1, 599, "first");
    for (let index = 1; index <= 600; index++) table.engine.setBlock(index, "appearance", look);
    table.tick();
    expect(table.locals()).toContain(599);
  });
});

it("old clients read the initialisation with the wrong mask, which changes nothing in this world", () => {
  const engine = new PlayerInfoEngine({ dialect: "client" });
  engine.add(1, { level: 3, x: 16_383, z: 16_383 });
  engine.add(2, { level: 3, x: 16_383, z: 16_383 });
  engine.tick();
  const init = engine.observe(1);
  expect(init).toHaveLength(INIT_BYTES);
  engine.tick();
  const decoder = new PlayerInfoDecoder({ dialect: "client", initQuarterMask: OLD_QUARTER_MASK });
  decoder.init(init, 1);
  // The bit of the level that slips into x is beyond the 8 bits that are used.
  expect(decoder.quarters[2]).toBe((3 << 28) + (513 << 14) + 1);
  decoder.decode(engine.packet(1));
  expect(decoder.player(2)).toMatchObject({ level: 3, x: 16_383, z: 16_383 });
});

it("refuses wrong arguments, and changes nothing", () => {
  const engine = new PlayerInfoEngine({ dialect: "client" });
  engine.add(5, { level: 0, x: 1, z: 1 });
  const wrong: [() => void, string][] = [
    [() => engine.add(5, { level: 0, x: 1, z: 1 }), "Slot 5 has a player"],
    [() => engine.add(0, { level: 0, x: 1, z: 1 }), "A player's index must be an integer in 1..2047, got 0"],
    [() => engine.add(2048, { level: 0, x: 1, z: 1 }), "A player's index"],
    [() => engine.add(6, { level: 4, x: 1, z: 1 }), "A tile must be"],
    [() => engine.move(5, -1, 0), "A tile must be"],
    [() => engine.move(6, 1, 1), "Slot 6 has no player"],
    [() => engine.remove(6), "Slot 6 has no player"],
    [() => engine.observe(6), "Slot 6 has no player"],
    [() => new PlayerInfoEngine({ dialect: "client", maxLocals: 2048 }), "maxLocals must be an integer in 1..2047"],
    [() => new PlayerInfoEngine({ dialect: "client", viewDistance: -1 }), "viewDistance must be"],
    [() => new PlayerInfoEngine({ dialect: "spoken" }), 'Unknown dialect "spoken"'],
    // No dialect is picked for a caller who names none.
    [() => new PlayerInfoEngine({} as PlayerInfoEngineOptions), 'Unknown dialect "undefined"'],
    [() => new PlayerInfoDecoder({} as PlayerInfoEngineOptions), 'Unknown dialect "undefined"'],
  ];
  for (const [work, message] of wrong) expect(work).toThrow(message);
  expect(engine.tileOf(5)).toEqual({ level: 0, x: 1, z: 1 });
});

describe("random worlds: after every tick every client has what the server has", () => {
  const town: Omit<RandomWorldOptions, "random"> = {
    dialect: "client",
    revision: revision206,
    players: 60,
    observers: 8,
    side: 60,
    viewDistance: 15,
    maxLocals: 250,
    activity: 0.6,
    talk: 0.3,
    talkLength: 12,
  };
  const endless = { viewDistance: Number.POSITIVE_INFINITY, maxLocals: 2047 };
  const worlds: [name: string, options: Partial<RandomWorldOptions>, seeds: number, ticks: number][] = [
    ["a few, all observing", { players: 12, observers: 12, side: 20 }, 10, 150],
    ["two", { players: 2, observers: 2, side: 10 }, 10, 100],
    ["without masks", { revision: noMasks }, 4, 150],
    ["spoken as documented", { dialect: "documented" }, 4, 150],
    ["spread over the world", { side: 16_000, ...endless }, 3, 100],
    ["a town of 2047", { players: 2047, side: 104, activity: 0.9, talk: 0.1 }, 2, 60],
    ["2046 in 13 x 13 tiles", { players: 2046, side: 13, activity: 1, talk: 0.9 }, 1, 25],
    ["2047 in view, more to say than fits", { players: 2047, side: 60, talk: 0.6, talkLength: 80, ...endless }, 1, 30],
    ["2047 in view, silent", { players: 2047, side: 60, revision: noMasks, dialect: "documented", ...endless }, 2, 30],
    ["a crowd on one tile", { players: 300, side: 1, maxLocals: 40 }, 3, 60],
    ["a view without end but with a limit", { players: 300, side: 200, viewDistance: Number.POSITIVE_INFINITY }, 2, 60],
  ];

  it.each(worlds)("%s", (_, options, seeds, most) => {
    const ticks = scaled(most, Math.ceil(most / 10));
    for (let seed = 1; seed <= scaled(seeds, 1); seed++) {
      const world = new RandomWorld({ ...town, ...options, random: createRandom(seed) });
      for (let tick = 1; tick <= ticks; tick++) {
        try {
          world.tick();
        } catch (error) {
          throw new Error(`seed ${seed}, tick ${tick}`, { cause: error });
        }
      }
      expect(world.packets).toBeGreaterThan(ticks);
    }
  });
});
