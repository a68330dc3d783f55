import { expect, test } from "vitest";
import { array, describeNode, struct, tagged, u8, u16be, withMeaning } from "../index.ts";

test("a field has the section of what it stands in, unless it has one of its own", () => {
  const step = withMeaning(
    tagged("kind", u8, [{ tags: [1, 2], layout: struct({ x: u16be, state: withMeaning(u8, { section: "4.4" }) }) }]),
    { section: "4.2" },
  );
  const path = withMeaning(struct({ start: u16be, steps: array(step, { count: u8, limit: 9 }) }), { section: "3" });
  expect(describeNode(path.node).map((row) => [row.path, row.section])).toEqual([
    ["start", "3"],
    ["steps", "3"],
    ["steps[].kind", "4.2"],
    ["(kind 1, 2) steps[].x", "4.2"],
    ["(kind 1, 2) steps[].state", "4.4"],
  ]);
});
