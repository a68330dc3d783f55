import { describe, expect, test } from "vitest";
import type { Direction } from "../wire/direction.ts";
import { copyMovementState, createMovementState, type MovementState, updateMovementState } from "./movement-state.ts";

function after(partial: Partial<MovementState>, ...moves: Direction[]): MovementState {
  const state = createMovementState(partial);
  for (const move of moves) updateMovementState(state, move);
  return state;
}

test("a new player stands still, holds nothing and faces right", () => {
  expect(createMovementState()).toEqual({
    ileft: false,
    iright: false,
    iup: false,
    iupPress: false,
    idown: false,
    free: false,
    hsp: 0,
    vsp: 0,
    ice: false,
    inWater: false,
    x: 0,
    y: 0,
    sprDir: 1,
  });
});

test("a state holds f32 values", () => {
  expect(createMovementState({ hsp: 0.33, x: 0.1 })).toMatchObject({ hsp: Math.fround(0.33), x: Math.fround(0.1) });
});

test("a copy has every field", () => {
  const from: MovementState = {
    ileft: true,
    iright: true,
    iup: true,
    iupPress: true,
    idown: true,
    free: true,
    hsp: 1,
    vsp: 2,
    ice: true,
    inWater: true,
    x: 3,
    y: 4,
    sprDir: -1,
  };
  const to = createMovementState();
  copyMovementState(from, to);
  expect(to).toEqual(from);
});

describe("keys", () => {
  test.each([
    ["leftPress", "leftRelease", "ileft"],
    ["leftPressAir", "leftReleaseAir", "ileft"],
    ["rightPress", "rightRelease", "iright"],
    ["rightPressAir", "rightReleaseAir", "iright"],
    ["upPress", "upRelease", "iup"],
    ["downPress", "downRelease", "idown"],
  ] as const)("%s holds and %s releases %s", (press, release, field) => {
    expect(after({}, press)[field]).toBe(true);
    expect(after({}, press, release)[field]).toBe(false);
  });
});

describe("position", () => {
  test("a given position is taken, a missing coordinate stays", () => {
    const state = createMovementState({ x: 1, y: 2 });
    updateMovementState(state, "upPress", 10);
    expect(state).toMatchObject({ x: 10, y: 2 });
    updateMovementState(state, "landing", 11, 12);
    expect(state).toMatchObject({ x: 11, y: 12 });
  });
});

describe("jump and landing", () => {
  test("up on the ground jumps at once and consumes the press (standard E9, E10)", () => {
    expect(after({}, "upPress")).toMatchObject({ iup: true, iupPress: false, free: true, vsp: -4.5 });
  });

  test("a soda's jump speed is the player's own", () => {
    const state = createMovementState();
    updateMovementState(state, "upPress", 0, undefined, 6);
    expect(state.vsp).toBe(-6);
  });

  test("up while free holds the key and nothing else (standard 8.5)", () => {
    expect(after({ free: true, vsp: 1 }, "upPress")).toMatchObject({ iup: true, iupPress: false, vsp: 1 });
  });

  test("landing stops the fall, so the second jump happens (standard E9)", () => {
    expect(after({}, "upPress", "upRelease", "landing")).toMatchObject({ free: false, vsp: 0 });
    expect(after({}, "upPress", "upRelease", "landing", "upPress")).toMatchObject({ free: true, vsp: -4.5 });
  });

  test("with a vertical speed on the ground the press waits, by the document's condition", () => {
    expect(after({ vsp: 1 }, "upPress")).toMatchObject({ iupPress: true, free: false, vsp: 1 });
    expect(after({ vsp: 1 }, "upPress", "upRelease").iupPress).toBe(false);
  });
});

describe("facing (standard E11)", () => {
  test("follows the pressed key", () => {
    expect(after({}, "leftPress").sprDir).toBe(-1);
    expect(after({}, "leftPress", "rightPressAir").sprDir).toBe(1);
  });

  test("on release of one, the other if held, else it stays", () => {
    expect(after({}, "rightPress", "leftPress", "leftRelease").sprDir).toBe(1);
    expect(after({}, "leftPress", "rightPress", "rightReleaseAir").sprDir).toBe(-1);
    expect(after({}, "leftPress", "leftRelease").sprDir).toBe(-1);
  });
});
