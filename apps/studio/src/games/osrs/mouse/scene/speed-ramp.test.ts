import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FASTEST_PX_PER_SECOND, SPEED_LEVELS, speedLevel, speedRamp, speedStops } from "./speed-ramp.ts";

/** Custom properties by scheme: the first one is dark, the one in the media query is light. */
function colours(path: string, name: string): readonly [dark: string, light: string] {
  const css = readFileSync(new URL(path, import.meta.url), "utf8");
  const [dark = "", light = ""] = Array.from(css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, "g")), ([, c]) => c);
  return [dark, light];
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [bright = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (bright + 0.05) / (dark + 0.05);
}

const stops = speedStops.map((name) => colours("../mouse.css", name));
const [darkScene, lightScene] = colours("../../../../style/tokens.css", "scene");
const schemes = [
  ["dark", speedRamp(stops.map(([dark]) => dark)), darkScene],
  ["light", speedRamp(stops.map(([, light]) => light)), lightScene],
] as const;

test.each(schemes)(
  "%s: speed can be read from lightness alone, each step farther from the scene",
  (_name, ramp, scene) => {
    const away = ramp.map((colour) => contrast(colour, scene));
    expect(away).toHaveLength(SPEED_LEVELS);
    for (const [level, value] of away.entries()) expect(value).toBeGreaterThan(away[level - 1] ?? 0);
  },
);

test.each(schemes)("%s: the slowest line can be seen, the fastest differs from it by far", (_name, ramp, scene) => {
  const [slow, fast] = [ramp[0] ?? "", ramp.at(-1) ?? ""];
  expect(contrast(slow, scene)).toBeGreaterThan(2);
  expect(contrast(slow, fast)).toBeGreaterThan(3);
});

test("levels are even from rest to the fastest, and no speed is past the last", () => {
  expect([0, FASTEST_PX_PER_SECOND / 2, FASTEST_PX_PER_SECOND, 1e9].map((speed) => speedLevel(speed, 5))).toEqual([
    0, 2, 4, 4,
  ]);
});

test("a colour in another notation is refused", () => {
  expect(() => speedRamp(["red", "#000000"])).toThrow(RangeError);
});
