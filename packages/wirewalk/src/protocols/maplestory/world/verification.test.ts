import { createHmac } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { parseHex } from "../../../wire/index.ts";
import { hashPattern, makeVerification } from "../movement/verification-pattern.ts";
import { mapleCodec, type V62MovePlayer } from "../wire/codec.ts";
import { DurationBudget } from "./duration-budget.ts";
import { type VerificationState, verifyPath, verifyPattern } from "./verification.ts";

const captured = parseHex(
  "2600016c001f0003006c002d000000f0000000067800006c003500000000000000061a00006c003500000000000b00046c01110000000000000000006c001f006c003500",
);
const path = mapleCodec("v62").read("client", captured).value as V62MovePlayer;
const state = (): VerificationState => ({ fieldKey: 1, end: { x: 108, y: 31 }, budget: new DurationBudget(0) });
const scores = (changed: Partial<V62MovePlayer>, nowMs = 600): Record<string, number> =>
  Object.fromEntries(verifyPath({ ...path, ...changed }, state(), nowMs).map(({ check, score }) => [check, score]));
const honest = { "field-key": 1, start: 1, box: 1, durations: 1, "wall-clock": 1 };

describe("scores of a path in v62", () => {
  it("the captured path scores 1 in every check", () => expect(scores({})).toEqual(honest));

  test.each<[string, Partial<V62MovePlayer>, Partial<typeof honest>]>([
    ["another fieldKey", { fieldKey: 2 }, { "field-key": 0 }],
    ["a start 15 px off", { start: { x: 123, y: 31 } }, { start: 0.9, box: 0.4 }],
    ["a start far away", { start: { x: 1108, y: 31 } }, { start: 0, box: 0 }],
    ["a box 5 px too large", { box: { ...path.box, right: 113 } }, { box: 0.8 }],
    ["a nibble too few", { keypad: path.keypad.slice(1) }, { durations: 0.5 }],
    ["no nibbles at all", { keypad: [] }, { durations: 0 }],
  ])("%s", (_, changed, expected) => expect(scores(changed)).toEqual({ ...honest, ...expected }));

  it("durations beyond the time that has passed", () => {
    expect(scores({}, 255)["wall-clock"]).toBeLessThan(0.8);
    expect(scores({}, 505)["wall-clock"]).toBe(1);
  });

  it("each score has its evidence", () => {
    const [key] = verifyPath({ ...path, fieldKey: 9 }, state(), 600);
    expect(key).toEqual({
      check: "field-key",
      score: 0,
      measured: 1,
      allowed: 0,
      unit: "wrong keys",
      evidence: { said: 9, expected: 1 },
    });
  });
});

describe("the pattern of documented", () => {
  const pattern = hashPattern((bytes) => createHmac("sha256", "of both sides").update(bytes).digest());
  const section = parseHex("01 0A 05");

  it("accepts what makeVerification writes for the same move", () => {
    expect(verifyPattern(pattern, makeVerification(pattern, section, 7), section, 7).score).toBe(1);
  });

  it("rejects other fragments, another move number and one changed byte", () => {
    const made = makeVerification(pattern, section, 7);
    expect(verifyPattern(pattern, made, parseHex("01 0A 06"), 7).score).toBe(0);
    expect(verifyPattern(pattern, made, section, 8).score).toBe(0);
    const tail = made.tail.slice();
    tail[17] = (tail[17] ?? 0) ^ 1;
    expect(verifyPattern(pattern, { ...made, tail }, section, 7)).toMatchObject({
      score: 0,
      measured: 1,
      unit: "wrong bytes",
    });
  });
});
