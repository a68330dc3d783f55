import fc from "fast-check";
import { expect, test } from "vitest";
import { applyPositionDelta, encodePositionDelta } from "./position-delta.ts";

const u16 = fc.integer({ min: 0, max: 65535 });

test.each([
  [127, 127, true],
  [128, 127, false],
  [-128, -128, true],
  [-129, -128, false],
])("a difference of %i is sent as %i, exact: %s", (difference, dx, exact) => {
  expect(encodePositionDelta(1000, 5, 1000 + difference, 5)).toEqual({ dx, dy: 0, exact });
  expect(encodePositionDelta(5, 1000, 5, 1000 + difference)).toEqual({ dx: 0, dy: dx, exact });
});

test("an exact difference brings the receiver to the new position", () => {
  fc.assert(
    fc.property(u16, u16, u16, u16, (oldX, oldY, x, y) => {
      const delta = encodePositionDelta(oldX, oldY, x, y);
      const there = applyPositionDelta(oldX, oldY, delta);
      expect(there.x === x && there.y === y).toBe(delta.exact);
    }),
  );
});

test("taken from the receiver's value, an error does not last", () => {
  let receiver = { x: 0, y: 0 };
  for (let step = 0; step < 8; step++) {
    receiver = applyPositionDelta(receiver.x, receiver.y, encodePositionDelta(receiver.x, receiver.y, 1000, 300));
  }
  expect(receiver).toEqual({ x: 1000, y: 300 });
});

test("a receiver stays within u16", () => {
  expect(applyPositionDelta(5, 65530, { dx: -128, dy: 127 })).toEqual({ x: 0, y: 65535 });
});
