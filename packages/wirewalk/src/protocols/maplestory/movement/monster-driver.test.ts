import { expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { demoMaps } from "../maps/demo-maps.ts";
import { makeMap, portalKinds } from "../maps/map.ts";
import { MonsterDriver } from "./monster-driver.ts";

const spawnAt = (x: number, y: number, foothold: number) =>
  ({
    status: "controlled",
    template: 100_100,
    statusMask: new Uint8Array(8),
    x,
    y,
    state: 4,
    originFoothold: foothold,
    foothold,
    appear: -1,
    team: -1,
    effect: 0,
  }) as const;

it("drives no monster whose paths are not answered, and none that it must stop driving", () => {
  const [map] = demoMaps();
  if (map === undefined) throw new Error("There are no demo maps");
  const driver = new MonsterDriver({ dialect: "v62", map, random: createRandom(2) });
  const spawn = spawnAt(100, 270, 3);
  driver.receive({ message: "controlMonster", value: { mode: "control", mobId: 5, spawn } });
  const sentIn = (steps: number) => Array.from({ length: steps }, () => driver.step()).flat();
  const paths = sentIn(600);
  expect(paths).toHaveLength(5);
  expect(paths[0]).toMatchObject({ message: "moveLife", value: { mobId: 5, moveId: 1, start: { x: 100, y: 270 } } });
  const response = { mobId: 5, moveId: 1, nextAttack: 0, mp: 0, skillId: 0, skillLevel: 0 };
  driver.receive({ message: "moveMonsterResponse", value: response });
  expect(sentIn(600)).toHaveLength(5);
  driver.receive({ message: "controlMonster", value: { mode: "stop", mobId: 5 } });
  expect(driver.mobIds).toEqual([]);
});

it("drives a monster on the steep ground that it was given on, though its place is rounded", () => {
  // 2 px down for each to the right: half a pixel aside is a pixel above or below.
  const slope = { id: 9, x1: 0, y1: 0, x2: 100, y2: 200, previous: 0, next: 0 };
  const map = makeMap({ mapId: 1, footholds: [slope] });
  for (const y of [98, 99, 100, 101, 102]) {
    const driver = new MonsterDriver({ dialect: "v62", map, random: createRandom(2) });
    driver.receive({ message: "controlMonster", value: { mode: "control", mobId: 5, spawn: spawnAt(50, y, 9) } });
    expect(driver.bodyOf(5)).toMatchObject({ x: 50, y: 100, foothold: 9 });
  }
  // One that is not there, or is far away, is not taken.
  for (const [y, foothold] of [
    [100, 8],
    [40, 9],
  ] as const) {
    const driver = new MonsterDriver({ dialect: "v62", map, random: createRandom(2) });
    driver.receive({
      message: "controlMonster",
      value: { mode: "control", mobId: 5, spawn: spawnAt(50, y, foothold) },
    });
    expect(driver.bodyOf(5)).toMatchObject({ y, foothold: y === 100 ? 9 : 0 });
  }
});

it("has no monster thrown by a spring", () => {
  const footholds = [{ id: 3, x1: -500, y1: 100, x2: 500, y2: 100, previous: 0, next: 0 }];
  const portals = [{ id: 0, name: "up", kind: portalKinds.spring, x: 0, y: 90, impactY: 1500 }];
  const map = makeMap({ mapId: 1, footholds, portals });
  const driver = new MonsterDriver({ dialect: "v62", map, random: createRandom(2) });
  driver.receive({ message: "controlMonster", value: { mode: "control", mobId: 5, spawn: spawnAt(0, 100, 3) } });
  for (let step = 0; step < 50; step++) {
    driver.step();
    expect(driver.bodyOf(5)).toMatchObject({ y: 100, foothold: 3 });
  }
});
