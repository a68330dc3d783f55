import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { keySets, type MovementKeys } from "../wire/player-movement.ts";
import {
  type Ceiling,
  type CharacterState,
  copyCharacter,
  createCharacter,
  flatGround,
  type Ground,
  type MovementModelName,
  modelOf,
  movementModel,
  movementModels,
  type StepInput,
  stepCharacter,
} from "./model.ts";
import { upright } from "./tumbling.ts";

const keys = (byte: number): MovementKeys => keySets[byte] as MovementKeys;
const input = (byte: number, direction = 64, yaw = 0): StepInput => ({ keys: keys(byte), direction, yaw });
const start = (ground?: Ground): CharacterState => createCharacter(movementModel, { x: 0, y: 0 }, ground);
const run = (state: CharacterState, step: StepInput, ticks: number, ground?: Ground): void => {
  for (let tick = 0; tick < ticks; tick++) stepCharacter(state, step, movementModel, ground);
};

/** Ten minutes of random keys, computed by another program from the text of standard 7.2 and 7.3 and the table of angles. */
const lying = {
  z: 0.4000000059604645,
  vz: 0,
  onGround: true,
  crawling: true,
  yaw: 186,
  seated: false,
  tumbling: false,
  spin: upright,
};
const golden: Readonly<Record<MovementModelName, CharacterState>> = {
  documented: {
    ...lying,
    x: -13.268376350402832,
    y: 10.187089920043945,
    vx: 1.4245107173919678,
    vy: 0.16562668979167938,
  },
  smServer: {
    ...lying,
    x: -2.1346065998077393,
    y: -1.2023881673812866,
    vx: -0.5364784002304077,
    vy: 1.5794533491134644,
  },
};

describe("walking", () => {
  it.each([
    ["walk", 4, 4],
    ["crawl", 6, 3],
    ["aim", 20, 2.5],
    ["aim over crawl", 22, 2.5],
    ["sprint", 12, 8],
    ["sprint over aim and crawl", 30, 8],
    ["sprint without moving", 8, 0],
    ["nothing", 0, 0],
  ])("%s (keys %i) goes %d units a second", (_, byte, speed) => {
    const state = start();
    run(state, input(byte), 100);
    expect(Math.hypot(state.vx, state.vy)).toBeCloseTo(speed, 5);
    const before = state.y;
    run(state, input(byte), 40);
    expect(state.y - before).toBeCloseTo(speed, 3);
  });

  it("takes on a fifth of the wanted velocity each tick, and loses it the same way", () => {
    const state = start();
    stepCharacter(state, input(4), movementModel);
    expect(state.vy).toBe(Math.fround(0.8));
    expect(state.y).toBe(Math.fround(Math.fround(0.8) * 0.025));
    stepCharacter(state, input(4), movementModel);
    expect(state.vy).toBe(Math.fround(0.8 * Math.fround(0.8) + 0.8));
    stepCharacter(state, input(0), movementModel);
    expect(state.vy).toBeCloseTo(0.8 * 1.44, 6);
  });

  it("goes where yaw and direction point", () => {
    const state = start();
    run(state, input(4, 128, 64), 40);
    // Looks along -X and strafes left: towards -Y.
    expect(state.y).toBeLessThan(-3);
    expect(state.x).toBeCloseTo(0, 6);
  });

  it("keeps numbers of 32 bits: what is sent is the state", () => {
    const random = createRandom(5);
    const state = start();
    for (let tick = 0; tick < 2000; tick++) {
      stepCharacter(state, input(random.integer(0, 31), random.integer(0, 255), random.integer(0, 255)), movementModel);
      for (const value of [state.x, state.y, state.z, state.vx, state.vy, state.vz])
        expect(value).toBe(Math.fround(value));
    }
  });

  it("comes out the same from a copy", () => {
    const state = start();
    run(state, input(13), 7);
    const copy = start();
    copyCharacter(state, copy);
    run(state, input(6, 30, 9), 50);
    run(copy, input(6, 30, 9), 50);
    expect(copy).toEqual(state);
  });

  it.each(["smServer", "documented"] as const)("by %s ends at the same bits everywhere", (name) => {
    const random = createRandom(9);
    const state = start();
    for (let tick = 0; tick < 24_000; tick++) {
      const step = input(random.integer(0, 31), random.integer(0, 255), random.integer(0, 255));
      stepCharacter(state, step, movementModels[name]);
    }
    expect(state).toEqual(golden[name]);
  });
});

describe("the two models", () => {
  const ends = (steps: readonly (readonly [StepInput, number])[]): [CharacterState, CharacterState] => {
    const states: [CharacterState, CharacterState] = [start(), start()];
    for (const [at, model] of [movementModels.smServer, movementModels.documented].entries()) {
      for (const [step, ticks] of steps) {
        for (let tick = 0; tick < ticks; tick++) stepCharacter(states[at] as CharacterState, step, model);
      }
    }
    return states;
  };
  const apart = ([a, b]: readonly [CharacterState, CharacterState]): number => Math.hypot(a.x - b.x, a.y - b.y);

  it("agree while the look stays, and end 1.13 units apart after a turn by 90° in a sprint", () => {
    expect(apart(ends([[input(12), 80]]))).toBe(0);
    expect(
      apart(
        ends([
          [input(12, 64, 30), 40],
          [input(4, 200, 30), 40],
        ]),
      ),
    ).toBeLessThan(2e-7);
    expect(
      apart(
        ends([
          [input(12), 40],
          [input(12, 64, 64), 40],
        ]),
      ),
    ).toBeCloseTo(1.13, 2);
  });

  it("the default is the one that moved real clients", () => {
    expect(movementModel).toBe(movementModels.smServer);
    expect(modelOf("documented")).toBe(movementModels.documented);
    expect(modelOf()).toBe(movementModels.smServer);
  });
});

describe("under a ceiling", () => {
  /** A roof a unit high from y 2 to y 6. */
  const roof: Ceiling = (_, y) => (y > 2 && y < 6 ? 1 : Number.POSITIVE_INFINITY);
  const go = (state: CharacterState, byte: number, ticks: number): void => {
    for (let tick = 0; tick < ticks; tick++) stepCharacter(state, input(byte), movementModel, flatGround, roof);
  };

  it("who stands walks against it as against a wall", () => {
    const state = start();
    go(state, 4, 200);
    expect(state.y).toBeLessThanOrEqual(2);
    expect([state.crawling, state.vy]).toEqual([false, expect.closeTo(0, 6)]);
  });

  it("who crawls goes below it, cannot stand up there, and gets up behind it", () => {
    const state = start();
    go(state, 6, 45);
    expect(state.y).toBeGreaterThan(2);
    go(state, 0, 10);
    expect([state.crawling, state.z]).toEqual([true, Math.fround(0.4)]);
    // The crawl key is up, and it crawls all the same.
    go(state, 4, 20);
    expect(state.crawling).toBe(true);
    expect(Math.hypot(state.vx, state.vy)).toBeCloseTo(3, 1);
    go(state, 4, 60);
    expect(state.y).toBeGreaterThan(6);
    expect([state.crawling, state.z]).toEqual([false, Math.fround(0.7)]);
  });

  it("a jump ends at it", () => {
    const low: Ceiling = () => 1.6;
    const state = start();
    let highest = 0;
    for (let tick = 0; tick < 40; tick++) {
      stepCharacter(state, input(tick === 0 ? 1 : 0), movementModel, flatGround, low);
      highest = Math.max(highest, state.z + 0.7);
    }
    expect(highest).toBeLessThanOrEqual(1.6 + 1e-6);
    expect(highest).toBeGreaterThan(1.5);
    expect([state.onGround, state.z]).toEqual([true, Math.fround(0.7)]);
  });

  it("that comes down on who stands there lets it out", () => {
    const state = start();
    for (let tick = 0; tick < 40; tick++) {
      stepCharacter(state, input(4), movementModel, flatGround, (_, y) => (y < 1 ? 1 : Number.POSITIVE_INFINITY));
    }
    expect(state.y).toBeGreaterThan(2);
  });
});

describe("up and down", () => {
  it("a jump rises five blocks and lands after a second", () => {
    const state = start();
    stepCharacter(state, input(1), movementModel);
    expect(state.onGround).toBe(false);
    let highest = 0;
    let ticks = 1;
    for (; !state.onGround; ticks++) {
      stepCharacter(state, input(0), movementModel);
      highest = Math.max(highest, state.z);
    }
    expect(highest - 0.7).toBeCloseTo(1.19, 2);
    expect(ticks).toBe(40);
    expect([state.z, state.vz]).toEqual([Math.fround(0.7), 0]);
  });

  it("jump held jumps again on landing, and does nothing in the air", () => {
    const state = start();
    let takeOffs = 0;
    for (let tick = 0; tick < 80; tick++) {
      const wasOnGround = state.onGround;
      stepCharacter(state, input(1), movementModel);
      if (wasOnGround && !state.onGround) takeOffs += 1;
    }
    expect(takeOffs).toBe(2);
  });

  it("crawling lowers the middle of the body, getting up raises it", () => {
    const state = start();
    stepCharacter(state, input(2), movementModel);
    expect([state.z, state.onGround]).toEqual([Math.fround(0.4), true]);
    stepCharacter(state, input(0), movementModel);
    expect([state.z, state.onGround]).toEqual([Math.fround(0.7), true]);
  });

  it("goes with ground that rises and falls gently, falls where it drops, stops where it is a wall", () => {
    const hill: Ground = (_, y) => Math.min(Math.max(y, 0), 2);
    const climber = start(hill);
    run(climber, input(4), 60, hill);
    expect([climber.onGround, climber.z]).toEqual([true, Math.fround(2.7)]);

    const cliff: Ground = (_, y) => (y < 1 ? 3 : 0);
    const faller = start(cliff);
    let fell = 0;
    for (let tick = 0; tick < 120; tick++) {
      stepCharacter(faller, input(4), movementModel, cliff);
      if (!faller.onGround) fell += 1;
    }
    expect(fell).toBeGreaterThan(25);
    expect([faller.onGround, faller.z]).toEqual([true, Math.fround(0.7)]);

    const wall: Ground = (_, y) => (y < 1 ? 0 : 3);
    const stopped = start(wall);
    run(stopped, input(4), 120, wall);
    expect(stopped.y).toBeLessThan(1);
    expect(stopped.y).toBeGreaterThan(0.8);
    expect(stopped.vy).toBe(0);
  });
});
