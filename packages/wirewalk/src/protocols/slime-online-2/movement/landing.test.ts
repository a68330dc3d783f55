import { describe, expect, test } from "vitest";
import { detectAssumedLanding, detectBallisticLanding, jumpFrames } from "./landing.ts";
import { createMovementState } from "./movement-state.ts";
import { physicsConstants, withFactors } from "./physics-constants.ts";

const falling = () => createMovementState({ free: true, vsp: 3 });

describe("assumed after silence (standard 8.7)", () => {
  test("strictly more than 100 ms", () => {
    const state = falling();
    expect(detectAssumedLanding(state, 1000, 1100)).toBe(false);
    expect(state).toEqual(falling());
    expect(detectAssumedLanding(state, 1000, 1100.5)).toBe(true);
    expect(state).toMatchObject({ free: false, vsp: 0 });
  });

  test("a player that stands does not land", () => {
    expect(detectAssumedLanding(createMovementState(), 0, 1000)).toBe(false);
  });
});

describe("ballistic (standard 8.7)", () => {
  test("a jump lasts 41 frames, 683 ms", () => {
    expect(jumpFrames()).toBe(41);
    expect(jumpFrames(physicsConstants, "listing")).toBe(41);
    const state = falling();
    expect(detectBallisticLanding(state, 1000, 1683)).toBe(false);
    expect(detectBallisticLanding(state, 1000, 1684)).toBe(true);
    expect(state).toMatchObject({ free: false, vsp: 0 });
  });

  test("a higher jump lasts longer, and one without gravity has a bound", () => {
    expect(jumpFrames(withFactors(physicsConstants, { speed: 1, jump: 2 }))).toBe(83);
    expect(jumpFrames({ ...physicsConstants, gravity: 0 })).toBe(3600);
  });

  test("knows neither water nor falls off an edge", () => {
    expect(detectBallisticLanding(createMovementState({ free: true, inWater: true }), 0, 5000)).toBe(false);
    expect(detectBallisticLanding(falling(), undefined, 5000)).toBe(false);
    expect(detectBallisticLanding(createMovementState(), 0, 5000)).toBe(false);
  });
});
