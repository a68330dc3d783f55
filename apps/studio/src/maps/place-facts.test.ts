import { expect, test } from "vitest";
import { placeFacts } from "./place-facts.ts";

test("parts are counted by kind, with their names and where they lead", () => {
  const parts = {
    mapId: 100,
    title: "Yard",
    waters: [],
    footholds: [{ id: 1 }, { id: 2 }],
    portals: [{ name: "sp" }, { name: "west00", target: { mapId: 101, portal: "east00" } }, { name: "" }],
    omitted: [
      { what: "foothold", id: 71, line: 812, reason: "no coordinates" },
      { what: "life", reason: "no number" },
    ],
  };
  expect(placeFacts(parts)).toEqual([
    { amount: "2 footholds", names: [] },
    { amount: "3 portals", names: ["sp", "west00 to 101"] },
    { amount: "2 left out", names: ["foothold 71: no coordinates", "life: no number"] },
  ]);
});

test("one part is one, lists of numbers are no parts, and of many names the first are shown", () => {
  expect(placeFacts({ heights: [1, 2, 3], doors: [{ name: "a" }] })).toEqual([{ amount: "1 door", names: ["a"] }]);
  const many = Array.from({ length: 130 }, (_, index) => ({ name: `d${index}` }));
  expect(placeFacts({ doors: many })[0]?.names.at(-1)).toBe("and 30 more");
});
