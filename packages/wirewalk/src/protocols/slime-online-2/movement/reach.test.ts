import { describe, expect, it, test } from "vitest";
import { LinkPace } from "../../../motion/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { flatGeometry } from "../maps/geometry.ts";
import { makeRoom, type Terrain, anyTerrain as wild } from "../maps/room.ts";
import { slimeRuleDefaults as rules } from "../world/limits.ts";
import { motionBounds } from "./bounds.ts";
import { KeyHandler, type Outgoing } from "./keys.ts";
import { createMovementState, updateMovementState } from "./movement-state.ts";
import { stepPhysics } from "./physics.ts";
import { physicsConstants, withFactors } from "./physics-constants.ts";
import {
  judgeReach,
  type Line,
  type PassingKeys,
  passTime,
  payForStall,
  type Reach,
  shownX,
  startReach,
  unprovenLine,
} from "./reach.ts";

const bounds = motionBounds(physicsConstants);
const idle: PassingKeys = { ileft: false, iright: false, crouches: false };
const right = { ...idle, iright: true };
const meadow: Terrain = { ice: false, water: false, slopes: false, isKnown: true, bottom: 1100 };
/** Standing at (0, 1000) since time 0. */
const start = startReach(0, 1000, 0, 0);

/** A jump is a press of up that is released at once. */
const pass = (reach: Reach, keys: PassingKeys, ms: number, jumped = false): Reach => {
  if (!jumped) return passTime(reach, keys, ms, undefined, bounds, rules, unprovenLine);
  return passTime(
    passTime(reach, keys, ms, "upPress", bounds, rules, unprovenLine),
    keys,
    ms,
    "upRelease",
    bounds,
    rules,
    unprovenLine,
  );
};

/** What is found at a place, in short. */
function find(reach: Reach, x: number, y?: number, { lateMs = 0, terrain = wild, own = bounds } = {}): string {
  const judged = judgeReach(reach, { x, y }, { line: unprovenLine, lateMs, bounds: own, terrain, rules });
  if (judged.accepted) return "accepted";
  const { obstacle, allowed } = judged.excess;
  return `${obstacle}, ${allowed.toFixed(0)} px`;
}

function moved(reach: Reach, x: number, y?: number, terrain = wild): Reach {
  const judged = judgeReach(reach, { x, y }, { line: unprovenLine, lateMs: 0, bounds, terrain, rules });
  if (!judged.accepted) throw new Error(`refused: ${judged.excess.obstacle}`);
  return judged.reach;
}

/** The largest number of pixels that is accepted. */
function most(accepts: (pixels: number) => boolean): number {
  let pixels = 0;
  while (accepts(pixels + 1)) pixels += 1;
  return pixels;
}

const second = pass(start, right, 1000);
const slack = rules.advantage.tolerance;

describe("what the motion of the game reaches in a time (standard 8.6)", () => {
  test("150 px/s to the side, and as much of it at once as delays vary by", () => {
    expect(most((px) => find(second, px) === "accepted")).toBe(Math.floor(150 * (1 + slack)));
    expect(find(second, 300)).toBe(`run, ${Math.round(150 * (1 + slack))} px`);
  });

  test("a fall is as deep as gravity makes it", () => {
    // 0.2145 px/frame² until 9 px/frame in frame 42: 60 frames and the slack.
    const deepest = most((px) => find(second, 0, 1000 + px) === "accepted");
    expect(deepest).toBeGreaterThan(193 + 9 * 17);
    expect(deepest).toBeLessThan(193 + 9 * (60 + 60 * slack - 42) + 10);
    expect(find(second, 0, 1000 + deepest + 10)).toMatch(/^fall/);
  });

  test("no rise without a jump: two pixels of rounding", () => {
    expect(find(second, 0, 998, { terrain: meadow })).toBe("accepted");
    expect(find(second, 0, 906, { terrain: meadow })).toBe("rise, 2 px");
    expect(find(second, 0, 906)).toBe("rise, 2 px");
  });

  test("45 px with each jump, which lands when it no longer rises", () => {
    const jumped = pass(start, idle, 700, true);
    const rises = (terrain: Terrain): number =>
      most((px) => find(pass(jumped, idle, 1400), 0, 1000 - px, { terrain }) === "accepted");
    expect(rises(meadow)).toBe(46);
    // Where there may be water, the press may have been one of a swimmer, whose release was held up less than its press: 33 px more. It lifts
    // nobody faster than the key held down does, which is 60 px/s, nor than jumps from stair to stair, which are 128 px/s.
    expect(rises(wild)).toBe(46 + bounds.swim * slack);
    // A landing after 200 ms: one is within the slack, five in a row are not.
    let reach = start;
    let landings = 0;
    for (let hop = 1; hop <= 10; hop++) {
      reach = pass(reach, idle, hop * 200, true);
      const judged = judgeReach(
        reach,
        { x: 0, y: 1000 - hop * 37 },
        { line: unprovenLine, lateMs: 0, bounds, terrain: wild, rules },
      );
      if (!judged.accepted) break;
      reach = judged.reach;
      landings = hop;
    }
    expect(landings).toBeLessThan(5);
  });

  test("a jump lands once: what rises again without another jump is refused", () => {
    const landed = moved(pass(pass(start, idle, 100, true), idle, 700), 0, 960);
    expect(find(pass(landed, idle, 1400), 0, 930)).toBe("rise, 2 px");
  });

  test("a slope is one line: back where it was, it is no higher", () => {
    let reach = moved(pass(start, right, 1000), 100, 900);
    expect(find(pass(reach, { ...idle, ileft: true }, 2000), 0, 800)).toMatch(/^rise/);
    reach = moved(pass(reach, right, 2000), 200, 800);
    expect(reach.y).toBe(800);
    // Where the room is known to have none, neither is there a first one.
    expect(find(pass(start, right, 1000), 100, 900, { terrain: meadow })).toBe("rise, 2 px");
  });

  test("where nothing is known nobody rises faster than it runs, by whatever of jumps, slopes and water", () => {
    const left = { ...idle, ileft: true };
    for (const everyMs of [100, 350, 700, 2000]) {
      let reach = start;
      let ms = 0;
      for (let hop = 0; ms < 20_000; hop++) {
        ms += everyMs;
        reach = pass(reach, hop % 2 === 0 ? right : left, ms, true);
        const x = reach.x + Math.round((150 * everyMs) / 1000) * (hop % 2 === 0 ? 1 : -1);
        const y = reach.y ?? 0;
        reach = moved(reach, x, y - most((px) => find(reach, x, y - px) === "accepted"));
      }
      // Rounding with each claim, and the height of one jump.
      expect(1000 - (reach.y ?? 0)).toBeLessThan(150 * (20 + slack) * 1.01 + (2 * 20_000) / everyMs + 45);
      expect(1000 - (reach.y ?? 0)).toBeGreaterThan(100 * 20);
    }
  });

  test("a swimmer rises while it holds the key, where there may be water", () => {
    const pressed = passTime(start, idle, 0, "upPress", bounds, rules, unprovenLine);
    const swum = pass(pressed, idle, 2000);
    expect(find(swum, 0, 850)).toBe("accepted");
    expect(find(swum, 0, 750)).toMatch(/^rise/);
    expect(find(pass(start, idle, 2000), 0, 900)).toBe("rise, 2 px");
    expect(find(swum, 0, 850, { terrain: meadow })).toBe("rise, 47 px");
    const released = passTime(pressed, idle, 100, "upRelease", bounds, rules, unprovenLine);
    expect(find(pass(released, idle, 2000), 0, 850)).toMatch(/^rise/);
  });

  test("many presses of up in the same moment do not lift anybody", () => {
    let reach = start;
    for (let press = 0; press < 60; press++) reach = pass(reach, idle, 600, true);
    expect(find(reach, 0, 500)).toMatch(/^rise/);
  });

  test("without its key nobody moves that did not run, and who ran slides", () => {
    expect(find(pass(start, idle, 5000), 100)).toBe("slide, 2 px");
    const ran = moved(pass(start, right, 2000), 300, 1000, meadow);
    const slid = pass(ran, idle, 4000);
    const slides = most((px) => find(slid, 300 + px, 1000, { terrain: meadow }) === "accepted");
    expect(slides).toBe(Math.floor(bounds.onGround.px + bounds.flight + 2));
    expect(find(slid, 280, 1000, { terrain: meadow })).toBe("slide, 2 px");
    const onIce = pass(moved(pass(start, right, 2000), 300, 1000), idle, 9000);
    expect(most((px) => find(onIce, 300 + px, 1000) === "accepted")).toBe(
      Math.floor(bounds.onIce.px + bounds.flight + 2),
    );
  });

  test("who slides off an edge falls on with that speed, and from where its jumps have taken it", () => {
    const ran = moved(pass(start, right, 2000), 300, 1000, meadow);
    const slid = pass(ran, idle, 4000);
    const reached = (reach: Reach, y?: number): number =>
      most((px) => find(reach, reach.x + px, y, { terrain: meadow }) === "accepted");
    expect(reached(slid, 1100)).toBeGreaterThan(reached(slid, 1000) + 10);
    // It stood on a platform: the second jump begins 45 px higher, and ends on the ground.
    const hopped = pass(moved(pass(ran, idle, 2700, true), 400, undefined, meadow), idle, 3400, true);
    expect(reached(pass(hopped, idle, 4600), 1000)).toBeGreaterThan(bounds.flight + 30);
    // A jump does not say how deep it has fallen before, and the room ends 100 px below.
    expect(reached(slid)).toBeGreaterThan(reached(slid, 1000) + 10);
    expect(reached(slid)).toBeLessThan(reached(slid, 1000) + 100);
  });

  test("jumps without a key do not renew a speed that is none, and carry one on", () => {
    expect(find(pass(start, idle, 700, true), 100)).toBe("slide, 2 px");
    let reach = moved(pass(start, right, 2000), 300, 1000, meadow);
    for (let jump = 1; jump <= 10; jump++) {
      reach = pass(reach, idle, 2000 + jump * 700, true);
      reach = moved(reach, 300 + jump * 100, 1000, meadow);
    }
    // And never the other way.
    expect(find(pass(reach, idle, 12_000, true), 1200, 1000, { terrain: meadow })).toBe("slide, 2 px");
  });

  test("who held nothing has rested, who holds a key has run all of the time, that way", () => {
    const minute = pass(start, right, 600_000);
    expect(find(minute, 65_000, undefined, { lateMs: 6000 })).toBe("accepted");
    expect(find(minute, -65_000, undefined, { lateMs: 6000 })).toMatch(/^run/);
  });

  test("what was gained is paid back before more is gained", () => {
    let reach = start;
    let x = 0;
    const refused: number[] = [];
    for (let ms = 200; ms <= 60_000; ms += 200) {
      reach = pass(reach, right, ms);
      const judged = judgeReach(reach, { x: x + 45 }, { line: unprovenLine, lateMs: 0, bounds, terrain: wild, rules });
      if (judged.accepted) {
        ({ reach } = judged);
        x += 45;
      } else refused.push(ms);
      expect(reach.xLead).toBeLessThanOrEqual(slack);
    }
    expect(refused[0]).toBeLessThan(2000);
    expect(x).toBeLessThan(150 * (60.6 + slack));
  });

  test("what a line held back is paid out once: 6 s, and 0.15 s more with each second", () => {
    const runsAfter = (restMs: number): readonly string[] => {
      let reach = start;
      const runs: string[] = [];
      for (let run = 1; run <= 4; run++) {
        // Rests, and claims to have run for 5 s in the moment of its press, to and fro.
        const [keys, way] = run % 2 === 0 ? [{ ...idle, ileft: true }, -750] : [right, 750];
        reach = pass(pass(reach, idle, run * restMs), keys, run * restMs + 17);
        const judged = judgeReach(
          reach,
          { x: reach.x + way },
          { line: unprovenLine, lateMs: 6000, bounds, terrain: meadow, rules },
        );
        runs.push(judged.accepted ? "accepted" : judged.excess.obstacle);
        if (judged.accepted) ({ reach } = judged);
      }
      return runs;
    };
    expect(runsAfter(12_000)).toEqual(["accepted", "held-back", "accepted", "held-back"]);
    expect(runsAfter(30_000)).toEqual(["accepted", "accepted", "accepted", "accepted"]);
  });

  describe("what answered pings leave hidden", () => {
    /** What is found of a claim to have run for so many seconds before its press arrived, 0.3 s after the ping of the last answer. */
    const found = (seconds: number, line: Line): string => {
      const rested = passTime(start, idle, 12_000, "downPress", bounds, rules, line);
      const at = judgeReach(rested, { x: 0, y: 1000 }, { line, lateMs: 6000, bounds, terrain: meadow, rules });
      if (!at.accepted) throw new Error("not reached");
      const pressed = passTime(at.reach, idle, 24_300, "rightPress", bounds, rules, {
        ...line,
        provenMs: line.provenMs + 12_300,
      });
      const claimed = judgeReach(
        passTime(pressed, right, 24_300, "rightRelease", bounds, rules, line),
        { x: 150 * seconds, y: 1000 },
        { line, lateMs: 6000, bounds, terrain: meadow, rules },
      );
      return claimed.accepted ? "accepted" : claimed.excess.obstacle;
    };

    test("a key that was held unknown to the server was pressed after the last answered ping", () => {
      const line = { provenMs: 11_700, isSteady: false };
      expect(found(0.3 + 0.55 + 0.1, line)).toBe("accepted");
      expect(found(0.3 + 0.55 + 0.2, line)).toBe("held-back");
      expect(found(5, unprovenLine)).toBe("accepted");
    });

    test("a line that is steady holds back a second at once, and 0.02 s more with each second", () => {
      const runs = (line: Line): readonly string[] => {
        let reach = start;
        return Array.from({ length: 4 }, (_, run) => {
          const [keys, way] = run % 2 === 0 ? [right, 1] : [{ ...idle, ileft: true }, -1];
          reach = passTime(reach, idle, run * 10_000 + 5000, "rightPress", bounds, rules, line);
          reach = passTime(reach, keys, run * 10_000 + 9000, "rightRelease", bounds, rules, line);
          const context = { line, lateMs: 6000, bounds, terrain: meadow, rules };
          const judged = judgeReach(reach, { x: reach.x + way * 700, y: 1000 }, context);
          if (judged.accepted) ({ reach } = judged);
          return judged.accepted ? "accepted" : judged.excess.obstacle;
        });
      };
      const steady = { provenMs: -Infinity, isSteady: true };
      expect(runs(steady)).toEqual(["accepted", "accepted", "accepted", "held-back"]);
      expect(runs({ ...steady, isSteady: false })).toEqual(["accepted", "accepted", "accepted", "accepted"]);
    });
  });

  describe("others see it as far as it can have got in that time", () => {
    const steady = { provenMs: -Infinity, isSteady: true };
    /** Where one is seen that ran 900 px, with its key known for 5 s. */
    const ran = { ...start, x: 900, ahead: 1 };

    test("and 0.25 s further", () => {
      expect(shownX({ ...ran, ahead: 0.25 }, 750, steady, bounds)).toBe(900);
      expect(shownX({ ...ran, ahead: 0.45 }, 750, steady, bounds)).toBeCloseTo(870);
      expect(shownX({ ...ran, x: -900, ahead: 0.45 }, -750, steady, bounds)).toBeCloseTo(-870);
    });

    test("never behind where it was seen", () => {
      expect(shownX(ran, 880, steady, bounds)).toBe(880);
      expect(shownX({ ...ran, x: -900 }, -880, steady, bounds)).toBe(-880);
    });

    test("and what only a stall explains at once, where a line may stall", () => {
      expect(shownX({ ...ran, ahead: 1 }, 0, unprovenLine, bounds)).toBeCloseTo(900 - 52.5);
      expect(shownX({ ...ran, ahead: 1.1 }, 0, unprovenLine, bounds)).toBe(900);
    });

    test("it is ahead by what its key was not known to be held for, and a rest takes that back", () => {
      const second = moved(pass(start, right, 1000), 210, 1000);
      expect(second.ahead).toBeCloseTo(0.4);
      expect(moved(pass(second, right, 2000), 360, 1000).ahead).toBeCloseTo(0.39);
      expect(moved(pass(second, idle, 1300), 210, 1000).ahead).toBeCloseTo(0.1, 1);
      expect(moved(pass(second, idle, 3000), 210, 1000).ahead).toBe(0);
    });

    test("stalls of the server itself count for the player", () => {
      const owed = payForStall(start, 0.3);
      expect(moved(pass(owed, right, 1000), 210, 1000).ahead).toBeCloseTo(0.1, 1);
      // Shorter claims do not add to it.
      expect(moved(pass(owed, right, 1000), 10, 1000).ahead).toBeCloseTo(-0.28);
    });
  });

  test("a soda's factor scales it", () => {
    const own = motionBounds(withFactors(physicsConstants, { speed: 2, jump: 2 }));
    expect(most((px) => find(second, px, undefined, { own }) === "accepted")).toBe(Math.floor(300 * (1 + slack)));
  });

  test("a room that is known has the ground that it shows", () => {
    const room = makeRoom({
      room: 1,
      title: "Room",
      width: 100,
      height: 100,
      solids: [],
      ice: [{ x: 0, y: 1, w: 2, h: 0 }],
    });
    expect(room.terrain).toEqual({ ice: true, water: false, slopes: false, isKnown: true, bottom: 100 });
    expect(wild).toEqual({ ice: true, water: true, slopes: true, isKnown: false, bottom: Infinity });
  });
});

// Whole minutes of play, through the physics, the key handler and a seeded network.
describe("players that run, jump and tap", () => {
  const count = scaled(200, 15);

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
    for (let seed = 0; seed < scaled(300, 15); seed++) {
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
  let reach: Reach | undefined;
  let refusedAt: number | undefined;

  const send = (message: Outgoing | undefined, now: number) => {
    if (message === undefined) return;
    updateMovementState(state, message.direction, undefined, undefined, constants.jumpSpeed);
    while (now > stallFrom + 5000) stallFrom += 33_000 + random() * 5000;
    const latency = 20 + random() * 280;
    let arrival = now + latency;
    if (arrival >= stallFrom) arrival = now < stallFrom ? stallFrom + 5000 : stallFrom + 5000 + latency;
    arrival = Math.max(arrival, lastArrival);
    lastArrival = arrival;

    pace.arrived(arrival);
    const { ileft, iright } = known;
    const keys = { ileft, iright, crouches: false };
    if (reach !== undefined) reach = passTime(reach, keys, arrival, message.direction, bounds, rules, unprovenLine);
    updateMovementState(known, message.direction, message.x, message.y);
    if (message.x === undefined) return;
    reach ??= startReach(message.x, message.y, arrival, pace.lateMs, bounds);
    const at = { x: message.x, y: message.y };
    const judged = judgeReach(reach, at, { line: unprovenLine, lateMs: pace.lateMs, bounds, terrain: wild, rules });
    if (judged.accepted) ({ reach } = judged);
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
