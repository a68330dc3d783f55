import { describe, expect, test } from "vitest";
import { flatGeometry } from "../maps/geometry.ts";
import { judgeTransition } from "../world/validation.ts";
import { KeyHandler, type Outgoing, outgoing, toWireCoordinate } from "./keys.ts";
import { createMovementState, updateMovementState } from "./movement-state.ts";
import { stepPhysics } from "./physics.ts";
import { physicsConstants } from "./physics-constants.ts";

const ground = createMovementState({ x: 448, y: 160 });
const air = createMovementState({ x: 448, y: 120, free: true });
const water = createMovementState({ x: 448, y: 120, free: true, inWater: true });

describe("left and right", () => {
  test("on the ground with the position", () => {
    const keys = new KeyHandler();
    expect(keys.set("right", true, ground)).toEqual({ direction: "rightPress", x: 448, y: 160 });
    expect(keys.set("left", true, ground)).toEqual({ direction: "leftPress", x: 448, y: 160 });
    expect(keys.set("right", false, ground)).toEqual({ direction: "rightRelease", x: 448, y: 160 });
    expect(keys.set("left", false, ground)).toEqual({ direction: "leftRelease", x: 448, y: 160 });
  });

  test("in the air without", () => {
    const keys = new KeyHandler();
    expect(keys.set("right", true, air)).toEqual({ direction: "rightPressAir" });
    expect(keys.set("left", true, air)).toEqual({ direction: "leftPressAir" });
    expect(keys.set("right", false, air)).toEqual({ direction: "rightReleaseAir" });
    expect(keys.set("left", false, air)).toEqual({ direction: "leftReleaseAir" });
  });

  test("pressed on the ground, released in the air", () => {
    const keys = new KeyHandler();
    keys.set("left", true, ground);
    expect(keys.set("left", false, air)).toEqual({ direction: "leftReleaseAir" });
  });
});

describe("up and down", () => {
  test("up on the ground carries x alone, its release nothing", () => {
    const keys = new KeyHandler();
    expect(keys.set("up", true, ground)).toEqual({ direction: "upPress", x: 448 });
    expect(keys.set("up", false, air)).toEqual({ direction: "upRelease" });
  });

  test("up in the air is not sent, nor is its release", () => {
    const keys = new KeyHandler();
    expect(keys.set("up", true, air)).toBeUndefined();
    expect(keys.set("up", false, ground)).toBeUndefined();
  });

  test("a swimmer may press up", () => {
    expect(new KeyHandler().set("up", true, water)).toEqual({ direction: "upPress", x: 448 });
  });

  test.each([ground, air])("down is sent anywhere", (state) => {
    const keys = new KeyHandler();
    expect(keys.set("down", true, state)).toEqual({ direction: "downPress" });
    expect(keys.set("down", false, state)).toEqual({ direction: "downRelease" });
  });
});

test("auto-repeat sends nothing", () => {
  const keys = new KeyHandler();
  keys.set("left", true, ground);
  expect(keys.set("left", true, ground)).toBeUndefined();
  expect(keys.isDown("left")).toBe(true);
  expect(keys.set("right", false, ground)).toBeUndefined();
});

describe("landing", () => {
  test("is sent once, from air to ground", () => {
    const keys = new KeyHandler();
    expect(keys.afterStep(ground)).toBeUndefined();
    expect(keys.afterStep(air)).toBeUndefined();
    expect(keys.afterStep(ground)).toEqual({ direction: "landing", x: 448, y: 160 });
    expect(keys.afterStep(ground)).toBeUndefined();
  });

  test("or never, where the client leaves it out", () => {
    const keys = new KeyHandler({ sendLanding: false });
    keys.afterStep(air);
    expect(keys.afterStep(ground)).toBeUndefined();
  });
});

test("reset forgets the keys (standard 5.4)", () => {
  const keys = new KeyHandler();
  keys.set("left", true, ground);
  keys.afterStep(air);
  keys.reset();
  expect(keys.isDown("left")).toBe(false);
  expect(keys.set("left", false, ground)).toBeUndefined();
  expect(keys.afterStep(ground)).toBeUndefined();
});

test("coordinates are rounded, halves up, and clamped to u16", () => {
  expect([0.4, 0.5, 447.5, -3, 65535.4, 70000, Number.NaN].map(toWireCoordinate)).toEqual([
    0, 1, 448, 0, 65535, 65535, 0,
  ]);
  expect(Object.is(toWireCoordinate(-0.2), 0)).toBe(true);
  expect(outgoing("upPress", 1.6, 2)).toEqual({ direction: "upPress", x: 2 });
});

test("with any keys on flat ground, a strict server that receives landings accepts every message", () => {
  const keys = new KeyHandler();
  const client = createMovementState({ x: 1000, y: 160 });
  const server = createMovementState();
  const floor = flatGeometry(160);
  const receive = (message: Outgoing | undefined) => {
    if (message === undefined) return;
    expect(judgeTransition(server, message.direction, { strict: true }).kind).not.toBe("reject");
    updateMovementState(server, message.direction, message.x, message.y);
    updateMovementState(client, message.direction);
  };
  for (let frame = 0; frame < 6000; frame++) {
    const key = (["left", "right", "up", "down"] as const)[(frame * 7) % 4];
    if (key !== undefined && (frame * 31) % 5 < 2) receive(keys.set(key, !keys.isDown(key), client));
    stepPhysics(client, physicsConstants, "documented", floor);
    receive(keys.afterStep(client));
    expect([server.ileft, server.iright, server.idown, server.free]).toEqual([
      client.ileft,
      client.iright,
      client.idown,
      client.free,
    ]);
  }
});
