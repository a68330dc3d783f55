import { describe, expect, it } from "vitest";
import { createMovementState } from "../movement/movement-state.ts";
import { stepPhysics } from "../movement/physics.ts";
import { physicsConstants } from "../movement/physics-constants.ts";
import { demoRoom, demoRooms } from "./demo-rooms.ts";

it("rooms are numbered from 1, without a gap", () => {
  expect(demoRooms.map(({ room }) => room)).toEqual([1, 2, 3, 4]);
  for (const room of demoRooms) expect(demoRoom(room.room)).toBe(room);
  for (const number of [0, 5, -1, 1.5, Number.NaN]) expect(demoRoom(number)).toBeUndefined();
});

it("one has ice and another has water", () => {
  expect(demoRooms.filter(({ ice }) => ice.length > 0).map(({ title }) => title)).toEqual(["Frozen steps"]);
  expect(demoRooms.filter(({ water }) => water.length > 0).map(({ title }) => title)).toEqual(["Pond"]);
});

describe.each(demoRooms)("$title", ({ spawns, geometry, solids, width, height }) => {
  it("has spawns on the ground, in the open, and dry", () => {
    expect(spawns.length).toBeGreaterThan(0);
    for (const { x, y } of spawns) {
      expect(geometry.groundAt(x, y)).toBe(true);
      expect(geometry.waterAt(x, y)).toBe(false);
      expect(solids.some((solid) => x > solid.x && x < solid.x + solid.w && y > solid.y && y < solid.y + solid.h)).toBe(
        false,
      );
      const state = createMovementState({ x, y });
      stepPhysics(state, physicsConstants, "documented", geometry);
      expect(state).toMatchObject({ x, y, free: false });
    }
  });

  it("keeps a running and jumping player within its walls", () => {
    for (const key of ["ileft", "iright"] as const) {
      const state = createMovementState({ ...spawns[0], [key]: true });
      for (let frame = 0; frame < 1200; frame++) {
        state.iupPress = !state.free && frame % 30 === 0;
        stepPhysics(state, physicsConstants, "documented", geometry);
        expect(state.x >= 0 && state.x <= width && state.y >= 0 && state.y <= height).toBe(true);
      }
    }
  });

  it("has a step that a jump reaches", () => {
    // A jump rises 44 px (standard 6.5).
    const tops = solids.map(({ y }) => y).filter((y) => y < 420);
    expect(Math.max(...tops)).toBeGreaterThan(420 - 44);
  });
});
