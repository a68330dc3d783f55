import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flatGeometry, type RoomGeometry, rectangleRoom } from "../maps/geometry.ts";
import { applyMovement } from "./collision.ts";
import { createMovementState, type MovementState, updateMovementState } from "./movement-state.ts";
import { stepPhysics } from "./physics.ts";
import { physicsConstants } from "./physics-constants.ts";

function moved(room: RoomGeometry, partial: Partial<MovementState>): MovementState {
  const state = createMovementState(partial);
  applyMovement(state, room);
  return state;
}

/** A floor of two tiles at y = 100, a wall on it from x = 50, a block hanging at y 40..60, ice, and a pool. */
const room = rectangleRoom({
  width: 200,
  height: 160,
  solids: [
    { x: 0, y: 100, w: 32, h: 20 },
    { x: 32, y: 100, w: 68, h: 20 },
    { x: 50, y: 68, w: 10, h: 32 },
    { x: 0, y: 40, w: 16, h: 20 },
    { x: 16, y: 40, w: 16, h: 20 },
  ],
  ice: [{ x: 10, y: 100, w: 10, h: 0 }],
  water: [{ x: 120, y: 120, w: 80, h: 40 }],
});

describe("a flat world", () => {
  test("a jump lands back at take-off height in frame 41", () => {
    const state = createMovementState({ y: 160 });
    const floor = flatGeometry(160);
    updateMovementState(state, "upPress", 0);
    for (let frame = 1; frame <= 40; frame++) stepPhysics(state, physicsConstants, "documented", floor);
    expect(state.free).toBe(true);
    stepPhysics(state, physicsConstants, "documented", floor);
    expect(state).toMatchObject({ y: 160, free: false, vsp: 0 });
  });
});

describe("floors", () => {
  test("falling onto a solid lands", () => {
    expect(moved(room, { x: 10, y: 95, vsp: 9, free: true })).toMatchObject({ y: 100, vsp: 0, free: false });
  });

  test("no speed tunnels through", () => {
    expect(moved(room, { x: 10, y: 70, vsp: 500, free: true })).toMatchObject({ y: 100, free: false });
  });

  test("there is no crack between two tiles", () => {
    expect(moved(room, { x: 32, y: 95, vsp: 9, free: true })).toMatchObject({ y: 100, free: false });
    expect(moved(room, { x: 31, y: 100, hsp: 1 })).toMatchObject({ x: 32, free: false });
  });

  test("walking off an edge sets free, and gravity follows", () => {
    const state = moved(room, { x: 100, y: 100, hsp: 2.5 });
    expect(state).toMatchObject({ x: 102.5, y: 100, free: true, vsp: 0 });
    stepPhysics(state, physicsConstants, "documented", room);
    expect(state.vsp).toBe(physicsConstants.gravity);
  });

  test("the room's own floor lands too", () => {
    expect(moved(room, { x: 110, y: 158, vsp: 9, free: true })).toMatchObject({ y: 160, free: false });
  });
});

describe("walls", () => {
  test("a wall on the floor stops feet on that floor, from both sides", () => {
    expect(moved(room, { x: 49, y: 100, hsp: 2.5 })).toMatchObject({ x: 50, hsp: 0, free: false });
    expect(moved(room, { x: 61, y: 100, hsp: -2.5 })).toMatchObject({ x: 60, hsp: 0 });
  });

  test("a player walks on its top", () => {
    expect(moved(room, { x: 49, y: 68, hsp: 2.5, free: true })).toMatchObject({ x: 51.5, hsp: 2.5, free: false });
  });

  test("the room ends at 0 and at its width", () => {
    expect(moved(room, { x: 1, y: 100, hsp: -2.5 })).toMatchObject({ x: 0, hsp: 0 });
    expect(moved(room, { x: 199, y: 160, hsp: 2.5 })).toMatchObject({ x: 200, hsp: 0 });
  });
});

describe("ceilings", () => {
  test("stop the rise and not the run", () => {
    const state = moved(room, { x: 10, y: 61, hsp: 2.5, vsp: -4, free: true });
    expect(state).toMatchObject({ x: 12.5, y: 61, hsp: 2.5, vsp: 0, free: true });
    for (let frame = 0; frame < 3; frame++) applyMovement(state, room);
    expect(state.x).toBe(20);
  });

  test("the room's ceiling is at 0", () => {
    expect(moved(room, { x: 80, y: 2, vsp: -4, free: true })).toMatchObject({ y: 0, vsp: 0, free: true });
  });
});

test("ice is under the feet only, water around them", () => {
  expect(moved(room, { x: 15, y: 100 }).ice).toBe(true);
  expect(moved(room, { x: 25, y: 100 }).ice).toBe(false);
  expect(moved(room, { x: 15, y: 90, free: true }).ice).toBe(false);
  expect(moved(room, { x: 150, y: 130, free: true }).inWater).toBe(true);
  expect(moved(room, { x: 110, y: 130, free: true }).inWater).toBe(false);
});

test("with any keys, a player stays in the room and out of solids, and all values are f32", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(31), { minLength: 50, maxLength: 300 }), (frames) => {
      const state = createMovementState({ x: 40, y: 100 });
      for (const bits of frames) {
        state.ileft = (bits & 1) !== 0;
        state.iright = (bits & 2) !== 0;
        state.iup = (bits & 4) !== 0;
        state.idown = (bits & 8) !== 0;
        state.iupPress = (bits & 16) !== 0;
        for (let frame = 0; frame < 5; frame++) stepPhysics(state, physicsConstants, "documented", room);
        expect(state.x >= 0 && state.x <= 200 && state.y >= 0 && state.y <= 160).toBe(true);
        const inWall = state.x > 50 && state.x < 60 && state.y > 68 && state.y < 100;
        const inFloor = state.x > 0 && state.x < 100 && state.y > 100 && state.y < 120;
        expect(inWall || inFloor).toBe(false);
        for (const value of [state.x, state.y, state.hsp, state.vsp]) expect(value).toBe(Math.fround(value));
      }
    }),
  );
});

test("a room without a size is refused", () => {
  expect(() => rectangleRoom({ width: 0, height: 10 })).toThrow(RangeError);
  expect(() => rectangleRoom({ width: 10, height: Number.NaN })).toThrow(RangeError);
});
