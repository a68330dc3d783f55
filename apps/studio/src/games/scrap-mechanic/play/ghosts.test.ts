import { expect, test } from "vitest";
import { keySets, type UnreliableUpdate } from "wirewalk/scrap-mechanic";
import { Ghosts } from "./ghosts.ts";

const OWN = 1;
const STAND = 0.7;

/** Character 2 walks a metre a tick along x; the own one is in every update too. */
function update(tick: number, look: { yaw?: number; pitch?: number; z?: number } = {}): UnreliableUpdate {
  const { yaw = 0, pitch = 64, z = STAND } = look;
  const character = { kind: "character", keys: keySets[4] ?? noKeys, direction: 64, yaw, pitch } as const;
  return {
    serverTick: tick >>> 0,
    currentTick: 0,
    updates: [
      { ...character, id: OWN, position: { x: 0, y: 0, z } },
      { ...character, id: 2, position: { x: tick, y: 5, z } },
      { kind: "opaque", type: 9, data: new Uint8Array(0) },
    ],
  };
}

const noKeys = { jump: false, crawl: false, horizontal: false, sprint: false, aim: false };

test("is drawn between two updates, and never the own one", () => {
  const ghosts = new Ghosts();
  for (let tick = 0; tick <= 40; tick++) ghosts.receive(update(tick), OWN, tick * 25);
  const drawn = ghosts.draw(990);
  expect(drawn.map(({ player }) => player)).toEqual([2]);
  expect(drawn[0]?.x).toBeCloseTo(38.6, 6);
  expect(drawn[0]).toMatchObject({ y: 5, lift: 0, direction: 64 });
});

test("goes steadily though updates come unevenly: it is drawn late enough", () => {
  const ghosts = new Ghosts();
  let last: number | undefined;
  const steps: number[] = [];
  // Three at a time: the first of them is 60 ms late, the last 10.
  const arrivals = Array.from({ length: 800 }, (_, tick) => ({ tick, ms: (tick - (tick % 3)) * 25 + 60 }));
  for (let ms = 0; ms < 19_000; ms += 10) {
    while (arrivals[0] !== undefined && arrivals[0].ms <= ms) {
      ghosts.receive(update(arrivals.shift()?.tick ?? 0), OWN, ms);
    }
    const x = ghosts.draw(ms)[0]?.x;
    if (x !== undefined && last !== undefined && ms > 10_000) steps.push(x - last);
    last = x;
  }
  // 10 ms are two fifths of a tick.
  expect(Math.min(...steps)).toBeGreaterThan(0.3);
  expect(Math.max(...steps)).toBeLessThan(0.5);
  expect(ghosts.delayMs).toBeGreaterThan(60);
});

test("turns the short way over the end of the circle", () => {
  const ghosts = new Ghosts();
  ghosts.receive(update(0, { yaw: 250 }), OWN, 0);
  ghosts.receive(update(1, { yaw: 6, pitch: 80 }), OWN, 0);
  const [ghost] = ghosts.draw(37.5);
  expect(ghost?.yawTurns).toBeCloseTo(1, 9);
  expect(ghost?.pitch).toBe(72);
});

test("an update that was overtaken fills its gap, and one that comes twice changes nothing", () => {
  const ghosts = new Ghosts();
  for (const tick of [0, 2, 1, 1]) ghosts.receive(update(tick, { z: STAND + tick }), OWN, 0);
  expect(ghosts.draw(62.5)[0]?.lift).toBeCloseTo(1.5, 9);
});

test("keeps on over tick 2^32", () => {
  const ghosts = new Ghosts();
  for (let tick = 2 ** 32 - 20; tick < 2 ** 32 + 20; tick++) ghosts.receive(update(tick), OWN, (tick - 2 ** 32) * 25);
  expect(ghosts.draw(12.5)[0]?.x).toBeCloseTo(2 ** 32 - 0.5, 3);
});

test("a player that left, or is in no update for too long, is gone", () => {
  const ghosts = new Ghosts();
  ghosts.receive(update(0), OWN, 0);
  ghosts.forget(2);
  expect(ghosts.draw(0)).toEqual([]);
  ghosts.receive(update(1), OWN, 25);
  expect(ghosts.has(2)).toBe(true);
  ghosts.receive({ serverTick: 200, currentTick: 0, updates: [] }, OWN, 5_000);
  expect(ghosts.has(2)).toBe(false);
});

test("a tumbling player keeps its look and holds no key", () => {
  const ghosts = new Ghosts();
  ghosts.receive(update(0, { yaw: 64 }), OWN, 0);
  const still = { x: 0, y: 0, z: 0 };
  const tumbling = { kind: "tumbling", id: 2, rotation: { ...still, w: 1 }, velocity: still, angularVelocity: still };
  const position = { x: 3, y: 4, z: 1 };
  ghosts.receive({ serverTick: 1, currentTick: 0, updates: [{ ...tumbling, kind: "tumbling", position }] }, OWN, 25);
  expect(ghosts.draw(1_000)).toMatchObject([{ x: 3, y: 4, yawTurns: 0.25, keys: noKeys }]);
});
