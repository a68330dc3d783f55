import { expect, test } from "vitest";
import { demoRoom } from "wirewalk/slime-online-2/maps";
import { cameraFor, focusOf } from "./drawing.ts";

const player = { x: 480, y: 420 };

test.each([
  [390, 265],
  [970, 380],
  [1_090, 450],
  [1_920, 645],
])("in a drawing of %d x %d the sky over the platforms is cut off, and the ground is not", (width, height) => {
  const room = demoRoom(1);
  const camera = cameraFor({ width, height }, room, focusOf(undefined, player, false));
  const highest = Math.min(...(room?.solids ?? []).map(({ y }) => y));
  const skyPx = camera.top + highest * camera.scale;
  // From wall to wall it would be 0.63 to 0.71.
  expect(skyPx / height).toBeLessThan(0.6);
  expect(camera.top + camera.height * camera.scale).toBeLessThanOrEqual(height);
  // Room for a jump from the highest platform.
  expect(skyPx).toBeGreaterThan(70 * camera.scale);
});

test("a drawing that is wide enough shows the whole room, with slimes that stand at its walls", () => {
  for (const x of [0, 480, 960]) {
    const { left, scale } = cameraFor({ width: 1_920, height: 645 }, demoRoom(1), { x, y: 420 });
    expect(left - 15 * scale).toBeGreaterThanOrEqual(0);
    expect(left + (960 + 15) * scale).toBeLessThanOrEqual(1_920);
  }
  const { left, scale } = cameraFor({ width: 970, height: 380 }, demoRoom(1), { x: 960, y: 420 });
  expect(left + (960 + 15) * scale).toBeLessThanOrEqual(970);
});

test("a drawing pans after a followed player, but not where motion is not wanted; the own player is always in it", () => {
  const size = { width: 970, height: 380 };
  const followed = (x: number, isStill: boolean) =>
    cameraFor(size, demoRoom(1), focusOf(undefined, { x, y: 420 }, isStill)).left;
  expect(followed(100, false)).not.toBe(followed(800, false));
  expect(followed(100, true)).toBe(followed(800, true));
  for (const x of [20, 480, 940]) {
    const { left, scale } = cameraFor(size, demoRoom(1), focusOf({ x, y: 420 }, player, true));
    expect(left + x * scale).toBeGreaterThan(0);
    expect(left + x * scale).toBeLessThan(size.width);
  }
});

test("a drawing that is smaller than its margins, as while the page is laid out, has a scale that can be drawn with", () => {
  expect(cameraFor({ width: 390, height: 3 }, demoRoom(1)).scale).toBeGreaterThan(0);
  expect(cameraFor({ width: 3, height: 265 }, demoRoom(1), { x: 480, y: 420 }).scale).toBeGreaterThan(0);
});
