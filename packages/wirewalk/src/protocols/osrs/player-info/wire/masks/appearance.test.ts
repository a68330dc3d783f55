import { expect, test } from "vitest";
import { plainLook, readAppearance, writeAppearance } from "./appearance.ts";

test.each(["206", "223"] as const)("one that looks like an NPC is read as it was written (%s)", (form) => {
  const places = form === "223" ? [0, 300, 256, 0, 257, 258, 259, 260, 261, 262, 0, 0x1ff] : [];
  const look = { ...plainLook, name: "Ann", npc: 7, places, hidden: true };
  expect(readAppearance(writeAppearance(look, form), form)).toEqual(look);
});

test("interfaces of 223 need its places too", () => {
  expect(() => writeAppearance({ ...plainLook, npc: 7, places: [] }, "223")).toThrow(
    "An appearance has 12 places, got 0",
  );
  const places = plainLook.places.with(3, 255);
  expect(() => writeAppearance({ ...plainLook, places }, "206")).toThrow("A place must be 0 or over 255, got 255");
});
