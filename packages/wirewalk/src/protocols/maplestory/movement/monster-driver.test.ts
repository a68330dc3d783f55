import { expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { demoMaps } from "../maps/demo-maps.ts";
import { MonsterDriver } from "./monster-driver.ts";

it("drives no monster whose paths are not answered, and none that it must stop driving", () => {
  const [map] = demoMaps();
  if (map === undefined) throw new Error("There are no demo maps");
  const driver = new MonsterDriver({ dialect: "v62", map, random: createRandom(2) });
  const spawn = {
    status: "controlled",
    template: 100_100,
    statusMask: new Uint8Array(8),
    x: 100,
    y: 270,
    state: 4,
    originFoothold: 3,
    foothold: 3,
    appear: -1,
    team: -1,
    effect: 0,
  } as const;
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
