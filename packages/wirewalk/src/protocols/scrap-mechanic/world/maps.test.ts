import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { ScrapBot } from "../bots/bot.ts";
import { type GridMaps, gridMapsOf } from "../maps/grid-maps.ts";
import { movementModel, TICK_MS } from "../movement/model.ts";
import { flatGrid, gridOf } from "../testing/grids.ts";
import { codec, keys, Stage, WALK } from "../testing/stage.ts";
import type { ScrapServerMessage } from "../wire/codec.ts";
import type { PlayerMovement } from "../wire/player-movement.ts";
import { ScrapWorld } from "./world.ts";

/** Rises along +Y, with a ceiling of a unit over it in the east. */
const hill = gridOf((_x, y) => y / 8, { ceiling: (x, y) => (x >= 8 ? y / 8 + 1 : Number.POSITIVE_INFINITY) });
const maps = gridMapsOf("mine", { 1: hill, 2: flatGrid(7) });

describe("characters on height grids", () => {
  it("stand in each room on the ground of that room", () => {
    const stage = new Stage({ maps });
    const heights = ["1", "2", "3"].map((room, at) => {
      const { position } = stage.enter(at + 1, room);
      return position.z - movementModel.height / 2 - (room === "1" ? hill.ground(position.x, position.y) : 0);
    });
    // A room that the set does not have is flat.
    expect(heights.map((height) => Math.round(height * 10_000) + 0)).toEqual([0, 70_000, 0]);
    expect([...stage.world.usedMaps().keys()]).toEqual(["1", "2"]);
  });

  it.each([
    ["honest", {}],
    ["jumping", { keys: keys(WALK + 1) }],
    ["sprinting on the spot", { keys: keys(8) }],
    ["turning", { direction: 200, yaw: 77 }],
  ])(
    "are never below the ground, nor over it without a jump, whatever they send: %s",
    (_name, more: Partial<PlayerMovement>) => {
      const stage = new Stage({ maps });
      const { tick, position } = stage.enter(1);
      let highest = 0;
      for (let at = 0; at < 200; at++) {
        stage.move(1, tick + at, more);
        stage.pass(1);
        const { x, y, z } = stage.own(1).position;
        const over = z - movementModel.height / 2 - hill.ground(x, y);
        expect(over).toBeGreaterThan(-0.0001);
        highest = Math.max(highest, over);
      }
      // A jump is 1.25 units high, and a slope falls away under it.
      expect(highest < 0.0001).toBe(more.keys?.jump !== true);
      expect(highest).toBeLessThan(3);
      expect(Math.hypot(position.x, position.y)).toBeLessThan(64);
    },
  );

  it("are stopped by a ceiling too low to stand under, and crawl in", () => {
    const low = gridMapsOf("low", {
      1: gridOf(() => 0, { ceiling: (x) => (x >= 10 && x <= 20 ? 1 : Number.POSITIVE_INFINITY) }),
    });
    const reach = (crawls: boolean): number => {
      const stage = new Stage({ maps: low });
      const { tick } = stage.enter(1);
      for (let at = 0; at < 500; at++) {
        // Along +X.
        stage.move(1, tick + at, { direction: 0, keys: keys(crawls ? WALK + 2 : WALK) });
        stage.pass(1);
        const { x, z } = stage.own(1).position;
        if (x > 10 && x < 20) expect(z).toBeLessThan(1);
      }
      return stage.own(1).position.x;
    };
    expect(reach(false)).toBeLessThan(10);
    expect(reach(true)).toBeGreaterThan(10);
  });

  /** A bot that knows the ground as `known`, in a world that has `hill`. */
  function errorsOf(known: GridMaps): number {
    const world = new ScrapWorld({ dialect: "documented", seed: 1, maps });
    const bot = new ScrapBot({ dialect: "documented", random: createRandom(5), number: 0, cheat: "none", maps: known });
    world.join(1, { account: "a", name: "a" }, 0);
    let errors = 0;
    const send = (messages: ReturnType<ScrapBot["start"]>, nowMs: number): void => {
      for (const message of messages) world.receive(1, message, codec.write("client", message), nowMs);
    };
    send(bot.start(0), 0);
    for (let nowMs = 0; nowMs < 20_000; nowMs += TICK_MS / 2) {
      send(bot.step(nowMs), nowMs);
      if (nowMs % TICK_MS === 0) world.tick(nowMs);
      for (const effect of world.takeEffects()) {
        if (effect.effect === "verdict") throw new Error(effect.verdict.reason);
        if (effect.effect !== "send") continue;
        bot.receive(effect.message as ScrapServerMessage, nowMs);
        if (bot.reconciliation !== undefined && bot.reconciliation.error > 0.01) errors += 1;
      }
    }
    return errors;
  }

  it("are predicted by a client that has the same file, and not by one that has another", () => {
    expect(errorsOf(maps)).toBe(0);
    expect(errorsOf(gridMapsOf("flat", { 1: flatGrid(0) }))).toBeGreaterThan(100);
  });

  it("go on from a saved world with the same places alone", () => {
    const stage = new Stage({ maps });
    const { tick } = stage.enter(1);
    stage.move(1, tick);
    stage.pass(5);
    const saved = structuredClone(stage.world.save());
    const create = (of: GridMaps) => new ScrapWorld({ dialect: "documented", seed: 1, maps: of });
    const restored = create(maps);
    restored.restore(saved);
    expect(restored.digest()).toBe(stage.world.digest());
    expect([...restored.usedMaps()]).toEqual([["1", maps.digest("1")]]);
    expect(() => create(gridMapsOf("other", { 1: flatGrid(0) })).restore(saved)).toThrow(/^Map 1 was .*, other has /);
    expect(() => new ScrapWorld({ dialect: "documented", seed: 1 }).restore(saved)).toThrow("maps was");
    expect(() => create({ ...maps, game: "osrs" })).toThrow("maps must be those of scrap-mechanic, got osrs");
  });
});
