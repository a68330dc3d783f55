import { expect, test } from "vitest";
import { array, describeNode, namedNumbers, optional, struct, tagged, u8, u16be, withMeaning } from "../index.ts";

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

test("a number has the words that it may have, and a condition on one number names it", () => {
  const words = [
    ...namedNumbers({ none: 0, left: 2 }),
    { from: 3, to: 9, text: "more" },
    { from: 5, to: 5, text: "{}" },
  ];
  const step = struct({
    state: withMeaning(u8, { doc: "what it does", words }),
    speed: optional(u8, { field: "state", from: 1, to: 1 }),
    height: optional(u8, { field: "state", mask: 6, from: 2, to: 4 }),
  });
  expect(describeNode(step.node).map(({ path, meaning }) => [path, meaning])).toEqual([
    ["state", "what it does; 0 none, 2 left"],
    ["(state is 1) speed", ""],
    ["(state & 0x6 >= 2 and state & 0x6 <= 4) height", ""],
  ]);
});
