import { expect, test } from "vitest";
import type { PlayerInfoUpdate } from "wirewalk/osrs/player-info";
import { type ActionPlace, actionsOf, MAX_ACTIONS } from "./actions.ts";

const nothing: PlayerInfoUpdate = {
  passBits: [0, 0, 0, 0],
  maskBits: 0,
  added: [],
  removed: [],
  moves: [],
  masks: [],
  wouldCrash: [],
};
const at =
  (x: number, z: number, level = 0) =>
  (): ActionPlace => ({ level, x, z });
const words = (update: Partial<PlayerInfoUpdate>, fields: string[] = []) =>
  actionsOf(
    { ...nothing, ...update },
    fields.map((path) => ({ path, bitOffset: 0, bitLength: 2, raw: 0, shown: "" })),
    at(10, 20),
    at(30, 40, 1),
  ).list.map(({ kind, index, words: said }) => `${kind} ${index} ${said}`);

test("movements have a compass direction, a target and what is unusual", () => {
  const move = { index: 5, level: 0, arrival: "path", speed: 1 } as const;
  expect(
    words({
      moves: [
        { ...move, type: "walk", x: 11, z: 20 },
        { ...move, type: "run", x: 9, z: 22 },
        { ...move, type: "walk", x: 10, z: 19, arrival: "stop" },
        { ...move, type: "near", x: 12, z: 20, level: 3 },
        { ...move, type: "far", x: 900, z: 900, arrival: "stop" },
      ],
    }),
  ).toEqual([
    "walk 5 E to 11, 20",
    "run 5 NW to 9, 22",
    "walk 5 S to 10, 19, at once",
    "teleport 5 to 12, 20, level 3",
    "teleport 5 to 900, 900",
  ]);
});

test("additions and removals, one after the other for a player that has both", () => {
  expect(words({ added: [7], removed: [7, 8] })).toEqual([
    "add 7 at 30, 40",
    "remove 7 is out of view",
    "remove 8 is out of view",
  ]);
});

test("a changed map quarter is found in the fields, once each", () => {
  expect(
    words({}, ["pass1.player[4].update", "pass1.player[4].quarter.level", "pass3.player[9].quarter.level"]),
  ).toEqual(["quarter 4 is in another map quarter", "quarter 9 is in another map quarter"]);
});

test("masks are named, with their value where there is one", () => {
  const blocks = {
    moveSpeed: { speed: 2 },
    say: { text: "a sentence that is longer than the list is wide" },
    appearance: { data: new Uint8Array(12) },
    sequence: { id: 1, delay: 2 },
  };
  expect(words({ masks: [{ index: 3, blocks }] })).toEqual([
    "masks 3 moveSpeed 2, say “a sentence that is long…”, appearance of 12 bytes, sequence",
  ]);
});

test("a full world's packet is counted whole and listed in part", () => {
  const added = Array.from({ length: 2046 }, (_, index) => index + 1);
  const { counts, list } = actionsOf({ ...nothing, added }, [], at(0, 0), at(0, 0));
  expect(counts.add).toBe(2046);
  expect(list).toHaveLength(MAX_ACTIONS);
});
