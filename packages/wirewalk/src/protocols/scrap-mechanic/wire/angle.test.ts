import { describe, expect, it } from "vitest";
import { wordsFor } from "../../../wire/index.ts";
import {
  ANGLES,
  angleTurns,
  cosine,
  directionWords,
  nearestAngle,
  pitchWords,
  sine,
  walkVector,
  yawWords,
} from "./angle.ts";

const radians = (angle: number): number => (angle * 2 * Math.PI) / ANGLES;
/** What a sine may be off in its last bit and `radians` in its. */
const CLOSE = 12;

describe("the table", () => {
  it("is the sine and the cosine of every angle", () => {
    for (let angle = 0; angle < ANGLES; angle++) {
      expect(sine(angle)).toBeCloseTo(Math.sin(radians(angle)), CLOSE);
      expect(cosine(angle)).toBeCloseTo(Math.cos(radians(angle)), CLOSE);
      // Whole turns count for nothing, backwards too.
      expect(sine(angle - 512)).toBe(sine(angle));
      // Exact where it must be: opposite ways cancel.
      expect(sine(angle) + sine(angle + 128)).toBe(0);
    }
    expect([0, 64, 128, 192].map(sine)).toEqual([0, 1, 0, -1]);
  });
});

describe("walking", () => {
  it("goes, for all 65,536 pairs, where yaw turns (cos d, sin d)", () => {
    for (let yaw = 0; yaw < ANGLES; yaw++) {
      for (let direction = 0; direction < ANGLES; direction++) {
        const { x, y } = walkVector(yaw, direction);
        const [cosYaw, sinYaw] = [Math.cos(radians(yaw)), Math.sin(radians(yaw))];
        const [right, forward] = [Math.cos(radians(direction)), Math.sin(radians(direction))];
        const offX = x - (cosYaw * right - sinYaw * forward);
        const offY = y - (sinYaw * right + cosYaw * forward);
        if (!(Math.abs(offX) < 1e-12 && Math.abs(offY) < 1e-12)) {
          throw new Error(`yaw ${yaw}, direction ${direction}: off by ${offX}, ${offY}`);
        }
      }
    }
  });

  it.each([
    ["right", 0, { x: 1, y: 0 }],
    ["forward", 64, { x: 0, y: 1 }],
    ["left", 128, { x: -1, y: 0 }],
    ["back", 192, { x: 0, y: -1 }],
  ])("%s is direction %i: at yaw 0 forward is +Y", (name, direction, way) => {
    expect(walkVector(0, direction)).toEqual(way);
    expect(wordsFor(directionWords, direction)).toBe(name);
    // A quarter turn of the head to the left takes forward to -X.
    const turned = walkVector(64, direction);
    expect([turned.x + way.y, turned.y - way.x]).toEqual([0, 0]);
  });
});

describe("looking", () => {
  it("reads well", () => {
    expect([0, 64, 96, 128, 129].map((pitch) => wordsFor(pitchWords, pitch))).toEqual([
      "90° down",
      "level",
      "45° up",
      "90° up",
      "beyond straight up",
    ]);
    expect(wordsFor(yawWords, 64)).toBe("90° to the left of +Y");
    expect(wordsFor(directionWords, 10)).toBe("14.1° from right");
  });
});

describe("the nearest angle", () => {
  it("is the angle itself, in any turn", () => {
    for (let angle = 0; angle < ANGLES; angle++) {
      for (const turns of [-3, 0, 5]) expect(nearestAngle(angleTurns(angle) + turns)).toBe(angle);
      expect(nearestAngle((angle + 0.4) / ANGLES)).toBe(angle);
    }
    expect(nearestAngle(0.999)).toBe(0);
    expect(() => nearestAngle(Number.NaN)).toThrow(RangeError);
  });
});
