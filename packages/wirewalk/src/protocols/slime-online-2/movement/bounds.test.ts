import { expect, test } from "vitest";
import { fallFrames, motionBounds, riseFrames } from "./bounds.ts";
import { createMovementState } from "./movement-state.ts";
import { stepPhysics } from "./physics.ts";
import { physicsConstants, withFactors } from "./physics-constants.ts";

const bounds = motionBounds(physicsConstants);

test("the bounds of the document's physics (standard 6.5)", () => {
  expect(bounds).toMatchObject({ run: 150, flight: 102.5, jumpHeight: 44.95500946044922, apexFrames: 21 });
  expect(bounds.onGround.px).toBeCloseTo(17.7, 5);
  expect(bounds.onIce.px).toBeCloseTo(472.237, 3);
  expect(bounds.crouchShare).toBeCloseTo(0.471 / 2.5, 3);
});

test("a fall and a rise take the frames that the frame step plays", () => {
  const falling = createMovementState({ free: true });
  const rising = createMovementState({ free: true, vsp: -physicsConstants.jumpSpeed });
  for (let frame = 1; frame <= 120; frame++) {
    stepPhysics(falling, physicsConstants, "documented");
    expect(Math.ceil(fallFrames(bounds, falling.y) - 1e-6)).toBe(frame);
    if (frame > 20) continue;
    stepPhysics(rising, physicsConstants, "documented");
    expect(riseFrames(bounds, -rising.y)).toBe(frame);
  }
  expect(fallFrames(bounds, 0)).toBe(0);
});

test("a soda makes a run faster and a jump higher", () => {
  const own = motionBounds(withFactors(physicsConstants, { speed: 2, jump: 2 }));
  expect(own.run).toBe(300);
  expect(own.jumpHeight).toBeGreaterThan(3.9 * bounds.jumpHeight);
  expect(own.falls).toEqual(bounds.falls);
});
