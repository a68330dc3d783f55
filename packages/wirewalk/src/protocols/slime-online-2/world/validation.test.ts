import { describe, expect, test } from "vitest";
import { createMovementState, type MovementState } from "../movement/movement-state.ts";
import { type Direction, directions } from "../wire/direction.ts";
import { teleportSpeedPxPerSecond } from "./limits.ts";
import {
  applyJudgement,
  judgeTransition,
  type PositionBaseline,
  validateMovement,
  validateStateTransition,
} from "./validation.ts";

const speed = teleportSpeedPxPerSecond();
const origin: PositionBaseline = { x: 0, y: 0, at: 0, saved: 0 };

test("test_movement_validation", () => {
  const baseline: PositionBaseline = { x: 100, y: 100, at: 0, saved: 0 };
  expect(validateMovement({ direction: "leftPress", x: 100, y: 100 }, baseline, 0).ok).toBe(true);
  expect(validateMovement({ direction: "leftPress" }, baseline, 0)).toMatchObject({ error: "missing-position" });
  expect(validateMovement({ direction: "leftPress", x: 1000, y: 1000 }, origin, 100)).toMatchObject({
    error: "teleport",
  });
});

test("test_state_transitions", () => {
  const state = createMovementState();
  expect(validateStateTransition(state, "leftPress").ok).toBe(true);
  state.ileft = true;
  expect(validateStateTransition(state, "leftPress").ok).toBe(false);
  expect(validateStateTransition(state, "leftRelease").ok).toBe(true);
});

describe("presence of the position (standard 8.3)", () => {
  test.each(directions)("$name carries $position", ({ name, position }) => {
    const ok = (x?: number, y?: number) => validateMovement({ direction: name, x, y }, undefined, 0).ok;
    expect(ok()).toBe(position === "none");
    expect(ok(1)).toBe(position === "x");
    expect(ok(1, 1)).toBe(position === "xy");
    expect(ok(undefined, 1)).toBe(false);
  });

  test("the refusal counts coordinates", () => {
    expect(validateMovement({ direction: "landing", x: 1 }, undefined, 0)).toEqual({
      ok: false,
      error: "missing-position",
      measured: 1,
      allowed: 2,
      unit: "coordinates",
    });
    expect(validateMovement({ direction: "upPress", x: 1, y: 1 }, undefined, 0)).toMatchObject({
      error: "unexpected-position",
    });
  });
});

describe("teleport (standard 8.4)", () => {
  const landing = (x: number, y: number) => ({ direction: "landing", x, y }) as const;

  test("1.5 times full run and full fall are 840.67 px/s", () => {
    expect(speed).toBeCloseTo(840.67, 2);
  });

  test("a first position may be anywhere and becomes the baseline", () => {
    expect(validateMovement(landing(60000, 9), undefined, 5)).toEqual({
      ok: true,
      measured: 0,
      allowed: Infinity,
      unit: "px",
      baseline: { x: 60000, y: 9, at: 5, saved: 0 },
    });
  });

  test("(0, 0) to (1000, 1000) within a second is a teleport; in two seconds it is not", () => {
    expect(validateMovement(landing(1000, 1000), origin, 1000)).toMatchObject({
      ok: false,
      error: "teleport",
      measured: Math.sqrt(2_000_000),
      allowed: speed,
      unit: "px",
    });
    expect(validateMovement(landing(1000, 1000), origin, 2000).ok).toBe(true);
  });

  test("at the limit it passes, a pixel further it does not", () => {
    expect(validateMovement(landing(840, 0), origin, 1000).ok).toBe(true);
    expect(validateMovement(landing(841, 0), origin, 1000).ok).toBe(false);
  });

  test("two messages in the same millisecond are a frame apart: 14 px", () => {
    expect(validateMovement(landing(14, 0), origin, 0).ok).toBe(true);
    expect(validateMovement(landing(15, 0), origin, 0).ok).toBe(false);
  });

  test("an honest ten-second run is not a teleport: time is uncapped", () => {
    expect(validateMovement(landing(1500, 0), origin, 10_000).ok).toBe(true);
    expect(validateMovement(landing(8406, 0), origin, 10_000).ok).toBe(true);
    expect(validateMovement(landing(8407, 0), origin, 10_000).ok).toBe(false);
  });

  test("unused time is saved, a second at most: what a stall delayed arrives in a burst", () => {
    const rested = validateMovement(landing(0, 0), origin, 10_000);
    if (!rested.ok || rested.baseline === undefined) throw new Error("refused");
    expect(rested.baseline.saved).toBe(1);
    expect(validateMovement(landing(854, 0), rested.baseline, 10_000).ok).toBe(true);
    expect(validateMovement(landing(855, 0), rested.baseline, 10_000).ok).toBe(false);
  });

  test("saved time is spent once", () => {
    let baseline: PositionBaseline | undefined = { x: 0, y: 0, at: 0, saved: 1 };
    const first = validateMovement(landing(840, 0), baseline, 0);
    if (!first.ok) throw new Error("refused");
    baseline = first.baseline;
    expect(baseline?.saved).toBeCloseTo(1 + 1 / 60 - 840 / speed, 10);
    expect(validateMovement(landing(880, 0), baseline, 0).ok).toBe(false);
  });

  test("a refusal leaves the baseline as it was", () => {
    const baseline = Object.freeze({ x: 0, y: 0, at: 0, saved: 0.5 });
    expect(validateMovement(landing(60000, 0), baseline, 100)).not.toHaveProperty("baseline");
  });

  test("a player's factor scales it", () => {
    expect(validateMovement(landing(1681, 0), origin, 1000, 2).ok).toBe(true);
    expect(validateMovement(landing(1682, 0), origin, 1000, 2).ok).toBe(false);
  });

  test("NaN never passes", () => {
    expect(validateMovement(landing(Number.NaN, 0), origin, 1000).ok).toBe(false);
  });
});

describe("upPress: |dx| alone (standard E5)", () => {
  const up = (x: number) => ({ direction: "upPress", x }) as const;

  test("is checked", () => {
    expect(validateMovement(up(840), origin, 1000).ok).toBe(true);
    expect(validateMovement(up(841), origin, 1000)).toMatchObject({ error: "teleport", measured: 841 });
  });

  test("spends the same time: presses do not add up to a teleport", () => {
    const first = validateMovement(up(800), origin, 1000);
    if (!first.ok) throw new Error("refused");
    expect(first.baseline).toMatchObject({ x: 800, y: 0, at: 0 });
    expect(validateMovement(up(840), first.baseline, 1000).ok).toBe(true);
    expect(validateMovement(up(841), first.baseline, 1000).ok).toBe(false);
  });

  test("the time of a fall before it remains for the next full position", () => {
    const first = validateMovement(up(0), origin, 5000);
    if (!first.ok) throw new Error("refused");
    expect(validateMovement({ direction: "leftRelease", x: 0, y: 2700 }, first.baseline, 5100).ok).toBe(true);
  });

  test("as a first position it leaves y open", () => {
    const first = validateMovement(up(100), undefined, 0);
    if (!first.ok) throw new Error("refused");
    expect(first.baseline).toEqual({ x: 100, y: undefined, at: 0, saved: 0 });
    expect(validateMovement({ direction: "landing", x: 110, y: 5000 }, first.baseline, 100).ok).toBe(true);
    expect(validateMovement({ direction: "landing", x: 5000, y: 0 }, first.baseline, 100).ok).toBe(false);
  });
});

describe("transitions, by the text (standard E3, E4)", () => {
  const answer = (partial: Partial<MovementState>, direction: Direction) => {
    const result = validateStateTransition(createMovementState(partial), direction);
    return result.ok ? "ok" : result.message;
  };

  test.each([
    ["leftPress", { ileft: true }, "Left already pressed"],
    ["leftPressAir", { ileft: true, free: true }, "Left already pressed"],
    ["rightPress", { iright: true }, "Right already pressed"],
    ["rightPressAir", { iright: true, free: true }, "Right already pressed"],
    ["upPress", { iup: true }, "Up already pressed"],
    ["downPress", { idown: true }, "Down already pressed"],
    ["leftRelease", {}, "Left not pressed"],
    ["leftReleaseAir", { free: true }, "Left not pressed"],
    ["rightRelease", {}, "Right not pressed"],
    ["rightReleaseAir", { free: true }, "Right not pressed"],
    ["leftPress", { free: true }, "Ground move while in air"],
    ["rightPress", { free: true }, "Ground move while in air"],
    ["upPress", { free: true }, "Ground move while in air"],
    ["leftRelease", { ileft: true, free: true }, "Ground move while in air"],
    ["rightRelease", { iright: true, free: true }, "Ground move while in air"],
    ["leftPressAir", {}, "Air move while on ground"],
    ["rightPressAir", {}, "Air move while on ground"],
    ["leftReleaseAir", { ileft: true }, "Air move while on ground"],
    ["rightReleaseAir", { iright: true }, "Air move while on ground"],
    ["leftPressAir", { ileft: true }, "Left already pressed"],
  ] as const)("%s in %o: %s", (direction, partial, message) => {
    expect(answer(partial, direction)).toBe(message);
  });

  test.each([
    ["leftPress", {}],
    ["rightPress", {}],
    ["upPress", {}],
    ["downPress", {}],
    ["downPress", { free: true }],
    ["leftRelease", { ileft: true }],
    ["rightRelease", { iright: true }],
    ["upRelease", {}],
    ["upRelease", { free: true, iup: true }],
    ["downRelease", {}],
    ["landing", {}],
    ["landing", { free: true }],
    ["leftPressAir", { free: true }],
    ["rightPressAir", { free: true }],
    ["leftReleaseAir", { free: true, ileft: true }],
    ["rightReleaseAir", { free: true, iright: true }],
  ] as const)("%s in %o: ok", (direction, partial) => {
    expect(answer(partial, direction)).toBe("ok");
  });
});

describe("transitions, as the handler judges them", () => {
  const judge = (partial: Partial<MovementState>, direction: Direction, options = {}) =>
    judgeTransition(createMovementState(partial), direction, options);

  test("an air code on the ground: walked off an edge (standard 8.5)", () => {
    expect(judge({}, "leftPressAir")).toEqual({ kind: "benign", rule: "walked-off", free: true });
    expect(judge({ iright: true }, "rightReleaseAir")).toMatchObject({ rule: "walked-off" });
    expect(judge({}, "leftPressAir", { strict: true })).toMatchObject({ kind: "reject", rule: "air" });
  });

  test.each([
    ["leftPress", {}],
    ["rightPress", {}],
    ["leftRelease", { ileft: true }],
    ["rightRelease", { iright: true }],
  ] as const)("%s in the air: landed without a word (standard 8.5)", (direction, partial) => {
    expect(judge({ ...partial, free: true }, direction)).toEqual({
      kind: "benign",
      rule: "landing-missing",
      free: false,
    });
    expect(judge({ ...partial, free: true }, direction, { strict: true })).toMatchObject({
      kind: "reject",
      rule: "ground",
    });
  });

  test("up in the air is refused, in water it holds the key (standard 8.5)", () => {
    expect(judge({ free: true }, "upPress")).toMatchObject({ kind: "reject", rule: "ground" });
    expect(judge({ free: true, inWater: true }, "upPress")).toEqual({ kind: "accept", rule: "swim" });
    expect(judge({ free: true, inWater: true }, "upPress", { strict: true }).kind).toBe("reject");
  });

  test("the key rule is never lenient", () => {
    expect(judge({ ileft: true }, "leftPress")).toMatchObject({ kind: "reject", rule: "key" });
    expect(judge({}, "leftReleaseAir", { assumedLanded: true })).toMatchObject({ kind: "reject", rule: "key" });
  });

  test("up and down released twice are benign (standard E4)", () => {
    expect(judge({}, "upRelease")).toEqual({ kind: "benign", rule: "released-twice" });
    expect(judge({}, "downRelease", { strict: true })).toEqual({ kind: "benign", rule: "released-twice" });
    expect(judge({ iup: true }, "upRelease").kind).toBe("accept");
  });

  test("while landing is assumed, ground and air codes are legal, even when strict (standard 8.7)", () => {
    for (const strict of [false, true]) {
      expect(judge({}, "leftPress", { strict, assumedLanded: true })).toEqual({ kind: "accept", rule: "legal" });
      expect(judge({}, "leftPressAir", { strict, assumedLanded: true })).toEqual({
        kind: "accept",
        rule: "assumed-landing",
        free: true,
      });
    }
  });

  test("landing is always legal (standard 8.5)", () => {
    for (const free of [false, true]) expect(judge({ free }, "landing", { strict: true }).kind).toBe("accept");
  });

  test("a judgement corrects the ground, and a landing stops the fall", () => {
    const state = createMovementState({ free: true, vsp: 3 });
    applyJudgement(state, judgeTransition(state, "leftPress"));
    expect(state).toMatchObject({ free: false, vsp: 0 });
    applyJudgement(state, judgeTransition(state, "leftPressAir"));
    expect(state.free).toBe(true);
    applyJudgement(state, judgeTransition(state, "leftPressAir"));
    expect(state.free).toBe(true);
  });
});
