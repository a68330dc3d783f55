import { beforeEach, expect, test } from "vitest";
import { Fragment, type MapleServerMessage, plainPlayer } from "wirewalk/maplestory";
import { createRandom } from "wirewalk/motion";
import { Actors } from "./actors.ts";
import { applyMessage } from "./apply-message.ts";

let actors: Actors;

beforeEach(() => {
  actors = new Actors({ dialect: "v62", random: createRandom(1) });
});

const names = (): readonly string[] => [...actors.all].map(({ key, name, driver }) => `${key} ${name} ${driver}`);
const receive = (message: MapleServerMessage) => applyMessage(actors, message, 510);
const showPlayer = {
  message: "showPlayer",
  value: plainPlayer({ characterId: 5, name: "five", x: 1, y: 2, state: 4 }),
} as const;
const fragments = [Fragment.of("absolute", { type: 0, x: 50, y: 2, vx: 9, foothold: 1, state: 2, durationMs: 510 })];
const path = { start: { x: 1, y: 2 }, fragments };
const spawn = {
  status: "notControlled",
  template: 100_100,
  statusMask: new Uint8Array(8),
  x: 7,
  y: 8,
  state: 4,
  originFoothold: 1,
  foothold: 1,
  appear: -1,
  team: -1,
  effect: 0,
} as const;

test("a player is shown, moves, and goes with its pet", () => {
  expect(receive(showPlayer)).toEqual({ characterId: 5, after: { x: 1, y: 2, state: 4 } });
  expect(receive({ message: "movePlayer", value: { characterId: 5, ...path } })).toMatchObject({
    characterId: 5,
    before: { x: 1, state: 4 },
    after: { x: 50, state: 2 },
  });
  receive({ message: "movePet", value: { characterId: 5, slot: 0, ...path } });
  receive({ message: "moveSummon", value: { characterId: 5, summonId: 9, ...path } });
  expect(names()).toEqual(["player 5 five undefined", "pet 5 undefined undefined", "summon 9 undefined undefined"]);
  expect(actors.get("player 5")?.batches).toHaveLength(1);
  receive({ message: "removePlayer", value: { characterId: 5 } });
  expect(names()).toEqual(["summon 9 undefined undefined"]);
});

test("a monster is shown, driven by this client for a while, and dies", () => {
  receive({ message: "showMonster", value: { mobId: 3, spawn } });
  receive({ message: "controlMonster", value: { mode: "control", mobId: 3, spawn } });
  expect(names()).toEqual(["monster 3 undefined you"]);
  receive({ message: "controlMonster", value: { mode: "stop", mobId: 3 } });
  const moved = { mobId: 3, flags: 0, actionAndDirection: -1, target: new Uint8Array(4), ...path };
  expect(receive({ message: "moveMonster", value: moved })).toMatchObject({ before: { x: 7 }, after: { x: 50 } });
  expect(names()).toEqual(["monster 3 undefined undefined"]);
  receive({ message: "removeMonster", value: { mobId: 3, animation: 1 } });
  expect(names()).toEqual([]);
});

test("a ping has no effect", () => {
  expect(receive({ message: "ping", value: {} })).toEqual({});
});
