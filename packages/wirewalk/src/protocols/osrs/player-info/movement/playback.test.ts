import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { CYCLE_MS, middleOf, TICK_MS } from "../wire/constants.ts";
import { PlayerInfoDecoder } from "../wire/decoder.ts";
import { PlayerInfoEngine } from "../wire/engine/engine.ts";
import type { MaskRevision } from "../wire/masks/mask-revision.ts";
import { namedRevisions } from "../wire/masks/named-revisions.ts";
import { revision206 } from "../wire/masks/revision-206.ts";
import { MAX_QUEUED_TILES, MovementQueue, PlayerInfoPlayback } from "./playback.ts";

const CYCLES_PER_TICK = TICK_MS / CYCLE_MS;

/** Runs cycles and gives the greatest step along an axis. */
function run(queue: MovementQueue, cycles: number): number {
  let greatest = 0;
  for (let cycle = 0; cycle < cycles; cycle++) {
    const { x, z } = queue;
    queue.cycle();
    greatest = Math.max(greatest, Math.abs(queue.x - x), Math.abs(queue.z - z));
  }
  return greatest;
}

describe("facing, from revision 238 on", () => {
  it("turns who stands to the angle, and leaves who is only faced at somebody", () => {
    const revision = namedRevisions[240] as MaskRevision;
    const engine = new PlayerInfoEngine({ dialect: "client", revision });
    const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
    engine.add(5, { level: 0, x: 3200, z: 3200 });
    decoder.init(engine.observe(5), 5);
    const playback = new PlayerInfoPlayback(decoder);
    for (const fields of [
      { flags: 2 << 3, angle: 512 },
      { flags: 0, entityType: 2, index: 7, fallbackAngle: 0 },
    ]) {
      engine.setBlock(5, "facing", fields);
      engine.tick();
      playback.take(decoder.decode(engine.packet(5)));
      playback.cycle();
      expect(playback.positionOf(5)?.orientation).toBe(512);
    }
  });
});

describe("the movement queue", () => {
  it.each([
    ["crawls", 0, 2],
    ["walks", 1, 4],
    ["runs", 2, 8],
  ])("%s a tile at its own pace", (_, speed, units) => {
    const queue = new MovementQueue(10, 10);
    queue.step(11, 10, speed);
    expect(run(queue, 128 / units - 1)).toBe(units);
    expect(queue).toMatchObject({ moving: true, length: 1, orientation: 1536 });
    queue.cycle();
    expect(queue).toMatchObject({ x: middleOf(11), z: middleOf(10), length: 0 });
    queue.cycle();
    expect(queue.moving).toBe(false);
  });

  it("keeps up with a tile per tick, without a pause and without a leap", () => {
    for (const [speed, tiles] of [
      [1, 1],
      [2, 2],
    ] as const) {
      const queue = new MovementQueue(0, 0);
      for (let tick = 1; tick <= 50; tick++) {
        queue.step(tick * tiles, tick, speed);
        expect(run(queue, CYCLES_PER_TICK)).toBeLessThanOrEqual(12);
        expect(queue.moving).toBe(true);
      }
      // Never far behind.
      expect(middleOf(50 * tiles) - queue.x).toBeLessThan(128 * 3);
      run(queue, CYCLES_PER_TICK * 3);
      expect(queue.x).toBe(middleOf(50 * tiles));
    }
  });

  it("catches up with packets that came late, all at once", () => {
    const queue = new MovementQueue(0, 0);
    for (let tile = 1; tile <= 4; tile++) queue.step(tile, 0, 1);
    expect(run(queue, 16)).toBe(8);
    expect(queue.x).toBe(middleOf(1));
    expect(run(queue, 10)).toBe(6);
  });

  it("holds no more tiles than the client does", () => {
    const queue = new MovementQueue(0, 0);
    for (let tile = 1; tile <= 100; tile++) queue.step(tile, 0, 1);
    expect(queue.length).toBe(MAX_QUEUED_TILES);
    run(queue, 1000);
    expect(queue.x).toBe(middleOf(100));
  });

  it("does not walk a teleport", () => {
    const queue = new MovementQueue(0, 0);
    queue.step(3, 0, 1);
    queue.cycle();
    expect(queue.x).toBe(middleOf(3));
    queue.step(4, 0, 1);
    queue.stop(100, 100);
    expect(queue).toMatchObject({ x: middleOf(100), z: middleOf(100), length: 0 });
  });

  it("goes an exact move by its cycles: to the first tile, then evenly to the second", () => {
    const queue = new MovementQueue(50, 50);
    queue.exactMove(50, 50, { dx1: 0, dz1: -2, dx2: 4, dz2: -2, start: 10, end: 30, angle: 512 });
    run(queue, 10);
    expect(queue).toMatchObject({ x: middleOf(50), z: middleOf(48), orientation: 512 });
    run(queue, 10);
    expect(queue).toMatchObject({ x: middleOf(52), z: middleOf(48) });
    run(queue, 10);
    expect(queue).toMatchObject({ x: middleOf(54), z: middleOf(48) });
    // Then to where it stands.
    run(queue, 100);
    expect(queue).toMatchObject({ x: middleOf(50), z: middleOf(50) });
  });

  it("turns to a face angle when it has arrived", () => {
    const queue = new MovementQueue(0, 0);
    queue.step(0, 1, 1);
    queue.face(300);
    queue.cycle();
    expect(queue.orientation).toBe(1024);
    run(queue, 31);
    expect(queue.orientation).toBe(300);
    queue.face(400);
    expect(queue.orientation).toBe(400);
  });
});

describe("the playback of a view", () => {
  it("ends where the server has everybody, whatever they did", () => {
    const random = createRandom(5);
    const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206 });
    const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
    for (let index = 1; index <= 30; index++) engine.add(index, { level: 0, x: 3200 + index, z: 3200 });
    decoder.init(engine.observe(1), 1);
    const playback = new PlayerInfoPlayback(decoder);
    for (let tick = 0; tick < 60; tick++) {
      for (let index = 1; index <= 30; index++) {
        const { level, x, z } = engine.tileOf(index);
        const reach = random.pick([1, 1, 2, 5]);
        const to = { level, x: x + random.integer(-reach, reach), z: z + random.integer(-reach, reach) };
        if (reach === 5) engine.teleport(index, to);
        else engine.move(index, to.x, to.z);
        if (random.chance(0.1)) engine.setBlock(index, "moveSpeed", { speed: Math.min(reach, 2) });
        if (random.chance(0.05)) {
          const exact = { dx1: 0, dz1: 0, dx2: 1, dz2: 1, start: 5, end: 20, angle: 0 };
          engine.setBlock(index, "exactMove", exact);
        }
      }
      engine.tick();
      playback.take(decoder.decode(engine.packet(1)));
      for (let cycle = 0; cycle < CYCLES_PER_TICK; cycle++) playback.cycle();
    }
    for (let cycle = 0; cycle < 1000; cycle++) playback.cycle();
    for (const index of decoder.locals) {
      const { x, z } = engine.tileOf(index);
      expect(playback.positionOf(index)).toMatchObject({ x: middleOf(x), z: middleOf(z), moving: false });
    }
    expect(playback.positionOf(2047)).toBeUndefined();
  });

  it("is a teleport for the observer at the edge of its map", () => {
    const engine = new PlayerInfoEngine({ dialect: "client" });
    const decoder = new PlayerInfoDecoder({ dialect: "client" });
    engine.add(1, { level: 0, x: 3200, z: 3200 });
    decoder.init(engine.observe(1), 1);
    const moveTo = (x: number): string | undefined => {
      engine.move(1, x, 3200);
      engine.tick();
      return decoder.decode(engine.packet(1)).moves[0]?.arrival;
    };
    expect(decoder.scene).toEqual({ x: 3152, z: 3152 });
    expect(moveTo(3152 + 91)).toBe("path");
    // Another part of the map has been loaded: nobody is at its edge.
    expect(decoder.scene.x).toBeGreaterThan(3152);
    expect(moveTo(3152 + 92)).toBe("path");
    decoder.loadScene(3152, 3152);
    expect(moveTo(3152 + 93)).toBe("stop");
  });

  it("takes the edge from where the observer is drawn, not from the end of its path", () => {
    const engine = new PlayerInfoEngine({ dialect: "client" });
    const decoder = new PlayerInfoDecoder({ dialect: "client" });
    const tile = (inScene: number): number => 3152 + inScene;
    engine.add(1, { level: 0, x: tile(90), z: 3200 });
    decoder.init(engine.observe(1), 1);
    const playback = new PlayerInfoPlayback(decoder);
    const moveTo = (inScene: number): string | undefined => {
      engine.move(1, tile(inScene), 3200);
      engine.tick();
      // Pinned: a client that loaded another part of the map would never come to its edge.
      decoder.loadScene(3152, 3152);
      const update = decoder.decode(engine.packet(1));
      playback.take(update);
      return update.moves[0]?.arrival;
    };
    const cycles = (count: number): void => {
      for (let cycle = 0; cycle < count; cycle++) playback.cycle();
    };
    expect(moveTo(92)).toBe("path");
    // The path ends at tile 92. The observer is still drawn at tile 90.
    expect(playback.positionOf(1)?.x).toBe(middleOf(tile(90)));
    expect(moveTo(93)).toBe("path");
    // One unit before 11776, then there: 4 units a cycle, 6 while more than two tiles are queued.
    while ((playback.positionOf(1)?.x ?? 0) < tile(92) * 128 - 8) playback.cycle();
    expect(moveTo(94)).toBe("path");
    cycles(4);
    expect(playback.positionOf(1)?.x).toBeGreaterThanOrEqual(tile(92) * 128);
    expect(moveTo(95)).toBe("stop");
    // A teleport draws it at the end of its path at once.
    expect(playback.positionOf(1)).toMatchObject({ x: middleOf(tile(95)), moving: true });
  });

  it("takes the western edge from the drawn position too: units 0 to 1535 are outside", () => {
    const engine = new PlayerInfoEngine({ dialect: "client" });
    const decoder = new PlayerInfoDecoder({ dialect: "client" });
    engine.add(1, { level: 0, x: 3152 + 50, z: 3200 });
    decoder.init(engine.observe(1), 1);
    const arrivals = [1535, 1536].map((unit) => {
      decoder.loadScene(3152, 3152);
      decoder.drawnAt = () => ({ x: 3152 * 128 + unit, z: 3200 * 128 });
      engine.move(1, engine.tileOf(1).x + 1, 3200);
      engine.tick();
      return decoder.decode(engine.packet(1)).moves[0]?.arrival;
    });
    expect(arrivals).toEqual(["stop", "path"]);
  });
});
