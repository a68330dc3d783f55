import { expect, test } from "vitest";
import { RoomIndex } from "./room-index.ts";

test("a player is in the room whose broadcasts it receives, and in those that show it", () => {
  const index = new RoomIndex();
  expect(index.move(1, "world")).toBe(undefined);
  index.move(2, "cave");
  index.show(1, "mouse", true);
  index.show(2, "mouse", true);
  expect(index.of(1)).toBe("world");
  expect(index.playersIn("world")).toEqual([1]);
  expect(index.playersIn("mouse")).toEqual([1, 2]);
  expect([index.isIn(1, "world"), index.isIn(1, "mouse"), index.isIn(1, "cave")]).toEqual([true, true, false]);
});

test("a player that leaves a room is in it no more, and stays in those that show it until they do not", () => {
  const index = new RoomIndex();
  index.move(1, "world");
  index.show(1, "mouse", true);
  expect(index.move(1, "cave")).toBe("world");
  expect(index.playersIn("world")).toEqual([]);
  expect(index.move(1, undefined)).toBe("cave");
  expect(index.of(1)).toBe(undefined);
  expect(index.isIn(1, "mouse")).toBe(true);
  index.show(1, "mouse", false);
  expect(index.playersIn("mouse")).toEqual([]);
});
