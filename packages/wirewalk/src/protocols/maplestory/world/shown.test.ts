import { describe, expect, it } from "vitest";
import { nodesOf } from "../movement/nodes.ts";
import { Fragment, type FragmentFields } from "../wire/fragment.ts";
import { mapleRuleDefaults } from "./limits.ts";
import { continuedBeyondPx, shownBeyondPx } from "./shown.ts";

const factors = { speed: 1, jump: 1 };
type Fields = Omit<FragmentFields, "type">;
const pathOf = (dialect: string, fields: Fields) =>
  nodesOf([Fragment.of("absolute", { type: 0, state: 2, durationMs: 510, ...fields })], dialect, { x: 0, y: 0 });

describe("what others are shown of a path", () => {
  const px = (fields: Fields): number =>
    shownBeyondPx({ path: pathOf("v62", fields), factors, terrain: undefined }, mapleRuleDefaults);

  it.each([
    ["walks", { x: 64, vx: 125 }],
    ["starts", { x: 60, vx: 125 }],
    ["stops", { x: 20, vx: 5 }],
    ["rests", { x: 0, vx: 0 }],
    ["falls", { y: 250, vy: 670 }],
    ["is at the top of a jump", { y: -77, vy: -15, durationMs: 270 }],
  ])("is its way where it %s", (_, fields) => {
    expect(px(fields)).toBe(0);
  });

  it.each([
    ["is faster than a body", { x: 64, vx: 700 }],
    ["leads back", { x: 20, vx: -137 }],
    ["leads up from the ground", { x: 64, vx: 125, vy: -500 }],
    ["falls while it stands", { vy: 600 }],
  ])("counts where its velocity %s", (_, fields) => {
    expect(px(fields)).toBeGreaterThan(2);
  });

  it("leads on in `documented`, as far as the next path is away from there", () => {
    const path = pathOf("documented", { x: 0, vx: 100, durationMs: 500 });
    const beyond = (x: number) =>
      continuedBeyondPx({ path, factors, terrain: undefined, led: { x, y: 0, state: 2 } }, mapleRuleDefaults);
    expect(beyond(30)).toBe(0);
    expect(beyond(-200)).toBe(140);
    const fast = pathOf("documented", { x: 0, vx: -700, durationMs: 500 });
    expect(
      continuedBeyondPx({ path: fast, factors, terrain: undefined, led: undefined }, mapleRuleDefaults),
    ).toBeCloseTo(281.25);
  });
});
