import { expect, test } from "vitest";
import { stateChange } from "./state-change.ts";

test("what changed comes first, nested fields by their path", () => {
  const before = { x: 1, keys: { left: false, right: false }, gone: 1 };
  const after = { x: 1, keys: { left: true, right: false }, fresh: [1] };
  expect(stateChange(before, after)).toEqual([
    { name: "keys.left", before: false, after: true, changed: true },
    { name: "gone", before: 1, after: undefined, changed: true },
    { name: "fresh", before: undefined, after: [1], changed: true },
    { name: "x", before: 1, after: 1, changed: false },
    { name: "keys.right", before: false, after: false, changed: false },
  ]);
});

test("no state has no fields", () => {
  expect(stateChange(undefined, undefined)).toEqual([]);
});
