import { describe, expect, test } from "vitest";
import { flatGeometry } from "../maps/geometry.ts";
import { createMovementState, type MovementState, updateMovementState } from "./movement-state.ts";
import { decel, type PhysicsProfile, stepPhysics } from "./physics.ts";
import { physicsConstants, withFactors } from "./physics-constants.ts";

const f32 = Math.fround;
const profiles = ["documented", "listing"] as const;

function play(state: MovementState, frames: number, profile: PhysicsProfile): number[] {
  const speeds: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    stepPhysics(state, physicsConstants, profile);
    speeds.push(state.hsp);
  }
  return speeds;
}

function framesUntil(state: MovementState, done: () => boolean, profile: PhysicsProfile): number {
  let frames = 0;
  while (!done()) {
    stepPhysics(state, physicsConstants, profile);
    if (++frames > 1000) throw new Error("never");
  }
  return frames;
}

test("test_physics_constants, in the documented profile (standard E14)", () => {
  const state = createMovementState({ iright: true });
  play(state, 1, "documented");
  expect(state.hsp).toBe(physicsConstants.accelGround);
  expect(state.hsp).toBe(f32(0.33));
  for (const hsp of play(state, 20, "documented")) expect(hsp).toBeLessThanOrEqual(physicsConstants.hspMax);
});

describe("right held on the ground", () => {
  test("documented: .33 .66 ... 2.31, 2.5 at frame 8 and for good", () => {
    const speeds = play(createMovementState({ iright: true }), 30, "documented");
    let expected = 0;
    for (const speed of speeds.slice(0, 7)) {
      expected = f32(expected + f32(0.33));
      expect(speed).toBe(expected);
    }
    expect(speeds[6]).toBeCloseTo(2.31, 6);
    expect(new Set(speeds.slice(7))).toEqual(new Set([2.5]));
  });

  test("listing: .165 .33 .495 ... 2.475 at frame 15, then 2.64 and 2.475 in turns", () => {
    const speeds = play(createMovementState({ iright: true }), 18, "listing");
    for (let frame = 1; frame <= 15; frame++) expect(speeds[frame - 1]).toBeCloseTo(0.165 * frame, 5);
    expect(speeds[0]).toBe(f32(f32(0.33) - f32(0.165)));
    expect(speeds[14]).toBe(2.4750001430511475);
    expect(speeds[15]).toBe(2.640000104904175);
    expect(speeds[16]).toBe(2.4750001430511475);
    expect(speeds[17]).toBe(2.640000104904175);
  });

  test.each(profiles)("%s: left is the mirror image", (profile) => {
    const right = play(createMovementState({ iright: true }), 30, profile);
    const left = play(createMovementState({ ileft: true }), 30, profile);
    expect(left).toEqual(right.map((speed) => -speed));
  });

  test.each(profiles)("%s: both keys drive nowhere", (profile) => {
    expect(play(createMovementState({ ileft: true, iright: true }), 3, profile)).toEqual([0, 0, 0]);
  });
});

describe("stopping from 2.5", () => {
  test.each(profiles)("%s: 16 frames, on ice 379", (profile) => {
    const ground = createMovementState({ hsp: 2.5 });
    expect(framesUntil(ground, () => ground.hsp === 0, profile)).toBe(16);
    const ice = createMovementState({ hsp: 2.5, ice: true });
    expect(framesUntil(ice, () => ice.hsp === 0, profile)).toBe(379);
  });

  test("in the air nothing slows", () => {
    expect(play(createMovementState({ hsp: 2.5, free: true }), 3, "documented")).toEqual([2.5, 2.5, 2.5]);
  });

  test("decel stops at zero and keeps the sign", () => {
    expect(decel(0.164, 0.165)).toBe(0);
    expect(decel(-0.164, 0.165)).toBe(0);
    expect(decel(0.5, 0.25)).toBe(0.25);
    expect(decel(-0.5, 0.25)).toBe(-0.25);
    expect(decel(-0.25, 0.25)).toBe(0);
  });
});

describe("jump", () => {
  test.each(profiles)("%s: apex in frame 20, back in frame 41", (profile) => {
    const state = createMovementState();
    updateMovementState(state, "upPress", 0);
    const heights: number[] = [];
    for (let frame = 1; frame <= 41; frame++) {
      stepPhysics(state, physicsConstants, profile);
      if (frame === 1) expect(state.vsp).toBe(-4.2855000495910645);
      heights.push(state.y);
    }
    const apex = Math.min(...heights);
    expect(apex).toBe(-44.95500946044922);
    expect(heights.indexOf(apex) + 1).toBe(20);
    expect(heights.findIndex((y) => y >= 0) + 1).toBe(41);
  });

  test.each(profiles)("%s: a press the physics fires gives the same first frame", (profile) => {
    const state = createMovementState({ iup: true, iupPress: true });
    stepPhysics(state, physicsConstants, profile);
    expect(state).toMatchObject({ free: true, vsp: -4.2855000495910645 });
    expect(state.iupPress).toBe(profile === "listing");
  });

  test("documented: one press is one jump; listing: it jumps again on every landing (standard E10)", () => {
    const jumps = (profile: PhysicsProfile) => {
      const state = createMovementState({ iup: true, iupPress: true });
      const floor = flatGeometry(0);
      let count = 0;
      for (let frame = 0; frame < 200; frame++) {
        const grounded = !state.free;
        stepPhysics(state, physicsConstants, profile, floor);
        if (grounded && state.free) count++;
      }
      return count;
    };
    expect(jumps("documented")).toBe(1);
    expect(jumps("listing")).toBe(5);
  });
});

describe("fall (standard E16)", () => {
  test("documented: clamped to 9; listing: overshoots once", () => {
    const fall = (profile: PhysicsProfile) => {
      const state = createMovementState({ free: true });
      play(state, 100, profile);
      return state.vsp;
    };
    expect(fall("documented")).toBe(9);
    expect(fall("listing")).toBeGreaterThan(9);
    expect(fall("listing")).toBeLessThan(9 + physicsConstants.gravity);
  });
});

describe("air", () => {
  test("documented: speed is clamped in the air too; listing: it overshoots by up to one push", () => {
    expect(play(createMovementState({ free: true, iright: true }), 20, "documented").at(-1)).toBe(2.5);
    const listing = play(createMovementState({ free: true, iright: true }), 20, "listing").at(-1);
    expect(listing).toBeCloseTo(2.64, 5);
  });
});

describe("ice, crouch, water", () => {
  test("ice accelerates a tenth as fast", () => {
    const state = createMovementState({ iright: true, ice: true });
    expect(play(state, 1, "documented")).toEqual([f32(0.033)]);
  });

  test("crouching divides by 1.7 every frame: it compounds (standard E15)", () => {
    const state = createMovementState({ iright: true, idown: true });
    const first = f32(f32(0.33) / f32(1.7));
    const second = f32(f32(first + f32(0.33)) / f32(1.7));
    expect(play(state, 2, "documented")).toEqual([first, second]);
    expect(play(state, 50, "documented").at(-1)).toBeCloseTo(0.33 / 0.7, 5);
  });

  test("crouching does nothing in the air", () => {
    expect(play(createMovementState({ hsp: 2, idown: true, free: true }), 1, "documented")).toEqual([2]);
  });

  test("water halves every frame: it compounds (standard E15)", () => {
    const state = createMovementState({ hsp: 2, free: true, inWater: true });
    expect(play(state, 3, "documented")).toEqual([1, 0.5, 0.25]);
  });

  test.each(profiles)("%s: sinks to .75 in 16 frames, holding up rises to -1.0 in 21", (profile) => {
    const sinking = createMovementState({ free: true, inWater: true });
    expect(framesUntil(sinking, () => sinking.vsp === 0.75, profile)).toBe(16);
    const rising = createMovementState({ free: true, inWater: true, iup: true });
    expect(framesUntil(rising, () => rising.vsp === -1, profile)).toBe(21);
  });

  test("holding down sinks faster, never past .75", () => {
    const state = createMovementState({ free: true, inWater: true, idown: true });
    play(state, 1, "documented");
    expect(state.vsp).toBeCloseTo(0.1485, 6);
    play(state, 50, "documented");
    expect(state.vsp).toBe(0.75);
  });
});

test("negative zero becomes zero (standard E17)", () => {
  const state = createMovementState({ hsp: -0, vsp: -0 });
  stepPhysics(state, physicsConstants, "documented");
  expect(Object.is(state.hsp, 0)).toBe(true);
  expect(Object.is(state.vsp, 0)).toBe(true);
});

describe("sodas", () => {
  test("speed and jump factors scale the maximum and the jump", () => {
    const own = withFactors(physicsConstants, { speed: 2, jump: 1.5 });
    expect(own).toEqual({ ...physicsConstants, hspMax: 5, jumpSpeed: 6.75 });
    const state = createMovementState({ iright: true });
    for (let frame = 0; frame < 16; frame++) stepPhysics(state, own, "documented");
    expect(state.hsp).toBe(5);
  });

  test.each([0, -1, Number.NaN, Infinity])("a factor of %s is refused", (factor) => {
    expect(() => withFactors(physicsConstants, { speed: factor, jump: 1 })).toThrow(RangeError);
    expect(() => withFactors(physicsConstants, { speed: 1, jump: factor })).toThrow(RangeError);
  });
});
