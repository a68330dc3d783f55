import { describe, expect, it } from "vitest";
import { expectEqual } from "../../../../testing/inner-loops.ts";
import { scaled } from "../../../../testing/scale.ts";
import { DEMO_ORIGIN, DEMO_TILES, DemoMap, demoMap } from "../movement/demo-map.ts";
import { TICK_MS } from "../wire/constants.ts";
import { PlayerInfoDecoder } from "../wire/decoder.ts";
import { revision206 } from "../wire/masks/revision-206.ts";
import { PlayerInfoWorld } from "./world.ts";

const somebody = { account: "a", name: "a" };

describe("the map of the demo", () => {
  it("has ways around its walls, step by step and past no corner", () => {
    const map = new DemoMap(3);
    let ways = 0;
    for (let tile = 0; tile < DEMO_TILES - 12; tile++) {
      const from = { x: DEMO_ORIGIN + tile, z: DEMO_ORIGIN + tile };
      const to = { x: from.x + 12, z: from.z + 9 };
      if (!map.isOpen(from.x, from.z)) continue;
      let at = from;
      const way = map.findWay(from, to);
      for (const next of way) {
        const [dx, dz] = [next.x - at.x, next.z - at.z];
        expect(Math.max(Math.abs(dx), Math.abs(dz))).toBe(1);
        expect([map.isOpen(next.x, next.z), map.isOpen(at.x + dx, at.z), map.isOpen(at.x, at.z + dz)]).not.toContain(
          false,
        );
        at = next;
      }
      if (way.length > 0) {
        ways++;
        expect(at).toEqual(to);
      }
    }
    expect(ways).toBeGreaterThan(20);
  });

  it("is made once for worlds of the same seed, one after the other", () => {
    const map = demoMap(3);
    expect(demoMap(3)).toBe(map);
    expect(demoMap(4)).not.toBe(map);
    const open = (each: DemoMap): readonly boolean[] =>
      Array.from({ length: DEMO_TILES }, (_, tile) => each.isOpen(DEMO_ORIGIN + tile, DEMO_ORIGIN + 20));
    expect(open(demoMap(3))).toEqual(open(map));
    expect(open(demoMap(4))).not.toEqual(open(map));
    expect(open(demoMap(undefined))).not.toContain(false);
  });

  it("ends at its edge, and ways end within 15 tiles", () => {
    const map = new DemoMap(undefined);
    expect(map.isOpen(DEMO_ORIGIN - 1, DEMO_ORIGIN)).toBe(false);
    const from = { x: DEMO_ORIGIN + 20, z: DEMO_ORIGIN + 20 };
    expect(map.findWay(from, { x: from.x + 16, z: from.z })).toEqual([]);
    expect(map.findWay(from, { x: from.x + 15, z: from.z })).toHaveLength(15);
    expect(map.findWay(from, from)).toEqual([]);
    expect(map.isOpen(from.x, from.z, 1)).toBe(false);
  });

  it("lies in four map quarters, and has upper storeys with stairs", () => {
    const quarters = [DEMO_ORIGIN, DEMO_ORIGIN + DEMO_TILES - 1].map((tile) => tile >> 13);
    expect(quarters[1]).toBe((quarters[0] as number) + 1);
    const map = new DemoMap(3);
    let stairs = 0;
    for (let x = DEMO_ORIGIN; x < DEMO_ORIGIN + DEMO_TILES; x++) {
      for (let z = DEMO_ORIGIN; z < DEMO_ORIGIN + DEMO_TILES; z++) {
        if (!map.isStairs(x, z)) continue;
        stairs++;
        expect([map.isOpen(x, z), map.isOpen(x, z, 1)]).toEqual([true, true]);
      }
    }
    expect(stairs).toBeGreaterThan(3);
  });
});

/** Of a crowd whose every player is compared with what every other one sees. */
const TICKS = scaled(60, 30);

describe("the world", () => {
  it.each(["client", "documented"])("tells everybody where the others are, while they come and go (%s)", (dialect) => {
    const revision = revision206;
    const world = new PlayerInfoWorld({ dialect, seed: 5, demo: true, revision });
    const decoders = new Map<number, PlayerInfoDecoder>();
    const indices = new Map<number, number>();
    const stances = new Set<string>();
    const settle = (): void => {
      for (const effect of world.takeEffects()) {
        if (effect.effect !== "send") continue;
        const { to, message } = effect;
        if (message.message === "playerIndex") {
          indices.set(to, message.value.index);
        } else if (message.message === "playerInfoInit") {
          const decoder = new PlayerInfoDecoder({ dialect, revision });
          decoder.init(message.value.bytes, indices.get(to) as number);
          decoders.set(to, decoder);
        } else {
          decoders.get(to)?.decode(message.value.bytes);
        }
      }
    };
    for (let player = 100; player < 160; player++) world.join(player, somebody, 0);
    for (let tick = 1; tick <= TICKS; tick++) {
      world.tick(tick * TICK_MS);
      settle();
      const tracks = world.tracks(tick * TICK_MS);
      for (const { player, position, stance } of tracks) {
        stances.add(stance);
        const decoder = decoders.get(player) as PlayerInfoDecoder;
        const self = decoder.player(decoder.localIndex);
        expect(self).toMatchObject({ x: position.x, z: position.y, level: position.level });
        for (const other of tracks) {
          const index = indices.get(other.player) as number;
          const away = [other.position.x - position.x, other.position.y - position.y].map(Math.abs);
          const seen = decoder.player(index);
          const { x, y, level } = other.position;
          expectEqual(seen !== undefined, Math.max(...away) <= 15 && level === position.level);
          if (seen !== undefined) expectEqual([seen.x, seen.z, seen.level], [x, y, level]);
          expectEqual(world.map.isOpen(x, y, level), true);
        }
      }
      if (tick % 5 === 0) {
        world.leave(100 + tick / 5, tick * TICK_MS);
        decoders.delete(100 + tick / 5);
        world.join(200 + tick, somebody, tick * TICK_MS);
        world.refresh(150, tick * TICK_MS);
      }
    }
    expect([...stances].sort()).toEqual(["run", "stand", "teleport", "walk"]);
    expect(world.rooms()).toEqual(new Map([["world", 60]]));
  });

  it("is its seed", () => {
    const play = (): object[] => {
      const world = new PlayerInfoWorld({ dialect: "client", seed: 9 });
      for (let player = 1; player <= 30; player++) world.join(player, somebody, 0);
      for (let tick = 1; tick <= 20; tick++) world.tick(tick * TICK_MS);
      return [...world.takeEffects()];
    };
    expect(play()).toEqual(play());
  });

  it("has room for 2047, in one place", () => {
    const world = new PlayerInfoWorld({ dialect: "client", seed: 1 });
    expect(world.refuses({ ...somebody, room: "elsewhere" })).toBe("bad-room");
    for (let player = 1; player <= world.capacity; player++) world.join(player, somebody, 0);
    expect(world.refuses(somebody)).toBe("full");
    expect(() => world.join(5000, somebody, 0)).toThrow("Cannot join: full");
    world.leave(1000, 0);
    world.leave(1000, 0);
    expect(world.refuses(somebody)).toBeUndefined();
    expect(() => world.join(1, somebody, 0)).toThrow("player 1 is here already");
    world.join(5000, somebody, 0);
    expect(world.indexOf(5000)).toBe(1000);
    expect(world.indexOf(1000)).toBeUndefined();
  });
});
