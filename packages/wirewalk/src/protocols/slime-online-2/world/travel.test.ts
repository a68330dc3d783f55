import { describe, expect, it, test } from "vitest";
import { LinkPace } from "../../../motion/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { flatGeometry } from "../maps/geometry.ts";
import { KeyHandler, type Outgoing } from "../movement/keys.ts";
import { createMovementState, updateMovementState } from "../movement/movement-state.ts";
import { stepPhysics } from "../movement/physics.ts";
import { physicsConstants, withFactors } from "../movement/physics-constants.ts";
import { slimeRuleDefaults } from "./limits.ts";
import { insist, judgeTravel, passTime, startTravel, type Travel } from "./travel.ts";

const idle = { ileft: false, iright: false };
const right = { ileft: false, iright: true };
const start = startTravel(0, 1000, 0, 0);

/** What is found at a place, in short; `lateMs` 0 unless given. */
function find(travel: Travel, x: number, y?: number, lateMs = 0, constants = physicsConstants): string {
  const judged = judgeTravel(travel, { x, y }, lateMs, constants);
  if (judged.accepted) return "accepted";
  const { axis, allowed } = judged.excess;
  return `${axis}, ${allowed.toFixed(0)} px`;
}

/** The largest number of pixels that is accepted. */
function most(accepts: (pixels: number) => boolean): number {
  let pixels = 0;
  while (accepts(pixels + 1)) pixels += 1;
  return pixels;
}

describe("the time that a position takes (standard 8.6)", () => {
  const second = passTime(start, idle, 1000, false);

  test("150 px/s to the side and 540 px/s down, and a tolerance of three quarters of a second", () => {
    expect(slimeRuleDefaults.advantage.tolerance).toBe(0.75);
    expect(most((px) => find(second, px) === "accepted")).toBe(262);
    expect(most((px) => find(second, -px) === "accepted")).toBe(262);
    expect(most((px) => find(second, 0, 1000 + px) === "accepted")).toBe(945);
    expect(find(second, 263)).toBe("horizontal, 263 px");
    expect(find(second, 0, 1946)).toBe("fall, 945 px");
  });

  test("up by 45 px for each jump, twice as far as to the side on a slope, and at 60 px/s as a swimmer", () => {
    const jumped = (jumps: number): Travel => {
      let travel = start;
      for (let jump = 1; jump <= 10; jump++) travel = passTime(travel, idle, jump * 400, jump <= jumps);
      return travel;
    };
    const rise = (travel: Travel, x = 0): number => most((px) => find(travel, x, 1000 - px) === "accepted");
    expect(rise(jumped(0))).toBe(286);
    // A jump rises 45 px in a third of a second.
    expect(rise(jumped(1))).toBe(311);
    expect(rise(jumped(10))).toBe(536);
    expect(rise(jumped(0), 100)).toBe(486);
    // What a client claims that climbs by jumping alone.
    expect(find(passTime(start, idle, 600, true), 0, 500)).toMatch(/^rise/);
  });

  test("a jump takes time: many presses of up in the same moment do not lift anybody", () => {
    let travel = start;
    for (let press = 0; press < 60; press++) travel = passTime(travel, idle, 600, true);
    expect(find(travel, 0, 500)).toMatch(/^rise/);
  });

  test("who seems to rest has moved by six seconds at most, who holds a key by all of the time, that way", () => {
    const minute = 600_000;
    expect(find(passTime(start, idle, minute, false), 65_000, undefined, 6000)).toBe("horizontal, 1013 px");
    expect(find(passTime(start, right, minute, false), 65_000, undefined, 6000)).toBe("accepted");
    expect(find(passTime(start, right, minute, false), -65_000, undefined, 6000)).toBe("horizontal, 1013 px");
    // A fall ends at ten seconds.
    expect(find(passTime(start, idle, minute, false), 0, 60_000)).toBe("fall, 5805 px");
  });

  test("what was gained is paid back before more is gained", () => {
    let travel = start;
    let x = 0;
    let ms = 0;
    const refused: number[] = [];
    while (ms < 60_000) {
      ms += 200;
      travel = passTime(travel, right, ms, false);
      const judged = judgeTravel(travel, { x: x + 45 }, 0, physicsConstants);
      if (judged.accepted) {
        travel = judged.travel;
        x += 45;
      } else refused.push(ms);
      expect(travel.xHeld).toBeLessThanOrEqual(slimeRuleDefaults.advantage.tolerance);
    }
    expect(refused[0]).toBeLessThan(2000);
    // A minute of running and one tolerance, and what is forgiven.
    expect(x).toBeLessThan(150 * (60.6 + slimeRuleDefaults.advantage.tolerance));
  });

  test("upPress is judged by x, and y keeps its time", () => {
    const half = passTime(start, idle, 500, true);
    const judged = judgeTravel(half, { x: 60 }, 0, physicsConstants);
    if (!judged.accepted) throw new Error("refused");
    expect(find(passTime(judged.travel, idle, 1000, false), 60, 1945)).toBe("accepted");
  });

  test("who insists is believed when there was time to get there, and not before", () => {
    let travel = passTime(start, idle, 600_000, false);
    const seconds = (): number => {
      for (let ms = 605_000; ; ms += 5000) {
        travel = passTime(insist(travel), idle, ms, false);
        if (find(travel, 30_000, 1000, 5000) === "accepted") return (ms - 600_000) / 1000;
      }
    };
    expect(seconds()).toBeGreaterThan(190);
  });

  test("a soda's factor scales it", () => {
    const own = withFactors(physicsConstants, { speed: 2, jump: 2 });
    expect(most((px) => find(second, px, undefined, 0, own) === "accepted")).toBe(525);
  });
});

// Whole minutes of play, through the physics, the key handler and a seeded network.
describe("players that run, jump and tap", () => {
  const count = scaled(200, 60);

  it(`${count} honest ones, ten minutes each over 20..300 ms and stalls of 5 s, are never refused`, () => {
    for (let seed = 0; seed < count; seed++) {
      const refusedAt = play({ seed, seconds: 600, stalls: true, holdSeconds: [1, 4] });
      expect({ seed, refusedAt }).toEqual({ seed, refusedAt: undefined });
    }
  });

  test.each([
    { name: "runs at 3.75 px/frame", hspFactor: 1.5, holdSeconds: [9, 9], withinMs: 10_000 },
    { name: "plays at 1.5 times the clock", clockFactor: 1.5, holdSeconds: [9, 9], withinMs: 10_000 },
    { name: "plays at 1.5 times the clock, to and fro", clockFactor: 1.5, holdSeconds: [2, 3], withinMs: 10_000 },
    { name: "plays at 1.1 times the clock", clockFactor: 1.1, holdSeconds: [9, 9], withinMs: 30_000 },
    { name: "plays at 1.05 times the clock", clockFactor: 1.05, holdSeconds: [59, 59], withinMs: 60_000 },
  ] as const)("who $name is refused within $withinMs ms of moving, after ten seconds of standing", (cheat) => {
    for (let seed = 0; seed < scaled(300, 60); seed++) {
      const refusedAt = play({ seed, seconds: 70, idleSeconds: 10, ...cheat });
      expect(refusedAt ?? Number.POSITIVE_INFINITY).toBeLessThan(10_000 + cheat.withinMs);
    }
  });
});

interface Play {
  readonly seed: number;
  readonly seconds: number;
  readonly idleSeconds?: number;
  /** How long a direction is held. */
  readonly holdSeconds: readonly [number, number];
  readonly hspFactor?: number;
  readonly clockFactor?: number;
  readonly stalls?: boolean;
}

/** A player who runs to and fro, jumps, and taps the key it runs with, judged as the messages arrive: when a position is refused. */
function play(options: Play): number | undefined {
  const random = mulberry32(options.seed);
  const constants = withFactors(physicsConstants, { speed: options.hspFactor ?? 1, jump: 1 });
  const frameMs = 1000 / 60 / (options.clockFactor ?? 1);
  const state = createMovementState({ x: 30_000, y: 1000 });
  const keys = new KeyHandler();
  const floor = flatGeometry(1000);

  let stallFrom = options.stalls === true ? random() * 10_000 : Infinity;
  let lastArrival = 0;
  const known = createMovementState({ x: 30_000, y: 1000 });
  const pace = new LinkPace(0);
  let travel: Travel | undefined;
  let refusedAt: number | undefined;

  const send = (message: Outgoing | undefined, now: number) => {
    if (message === undefined) return;
    updateMovementState(state, message.direction, undefined, undefined, constants.jumpSpeed);
    while (now > stallFrom + 5000) stallFrom += 5000 + random() * 30_000;
    const latency = 20 + random() * 280;
    let arrival = now + latency;
    if (arrival >= stallFrom) arrival = now < stallFrom ? stallFrom + 5000 : stallFrom + 5000 + latency;
    arrival = Math.max(arrival, lastArrival);
    lastArrival = arrival;

    pace.arrived(arrival);
    if (travel !== undefined) travel = passTime(travel, known, arrival, message.direction === "upPress");
    updateMovementState(known, message.direction, message.x, message.y);
    if (message.x === undefined) return;
    travel ??= startTravel(message.x, message.y, arrival, pace.lateMs);
    const judged = judgeTravel(travel, { x: message.x, y: message.y }, pace.lateMs, physicsConstants);
    if (judged.accepted) ({ travel } = judged);
    else refusedAt ??= arrival;
  };

  send(keys.set("left", true, state), 0);
  send(keys.set("left", false, state), 0);
  let running: "left" | "right" = "left";
  let turnAt = (options.idleSeconds ?? 0) * 1000;
  let tapAt = Infinity;
  let upAt = turnAt;
  for (let now = 0; now < options.seconds * 1000; now += frameMs) {
    if (now >= turnAt) {
      send(keys.set(running, false, state), now);
      running = running === "left" ? "right" : "left";
      send(keys.set(running, true, state), now);
      const [least, most] = options.holdSeconds;
      turnAt = now + (least + random() * (most - least)) * 1000;
      tapAt = now + 100 + random() * 200;
    } else if (now >= tapAt) {
      const down = !keys.isDown(running);
      send(keys.set(running, down, state), now);
      tapAt = down ? now + 100 + random() * 230 : now + frameMs;
    }
    if (now >= upAt) {
      const down = !keys.isDown("up");
      send(keys.set("up", down, state), now);
      upAt = now + (down ? 170 : 330 + random() * 2000);
    }
    stepPhysics(state, constants, "documented", floor);
    send(keys.afterStep(state), now);
  }
  return refusedAt;
}

function mulberry32(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
