import { expect, test } from "vitest";
import { TRAIL_MS } from "../feed/track-buffer.ts";
import { PlayedTrails } from "./played-trails.ts";

test("keeps a way of the last seconds, oldest first, with a point now and then", () => {
  const trails = new PlayedTrails();
  for (let ms = 0; ms < 5_000; ms += 10) trails.add(1, { x: ms, y: 0 }, ms);
  const trail = trails.add(1, { x: 5_000, y: 0 }, 5_000);
  expect(trail.length).toBeGreaterThan(45);
  expect(trail.length).toBeLessThan(55);
  expect(trail[0]?.age).toBeLessThanOrEqual(1);
  expect(trail[0]?.x).toBeGreaterThanOrEqual(5_000 - TRAIL_MS);
  expect(trail.at(-1)).toEqual({ x: 5_000, y: 0, age: 0 });
  expect(trails.add(2, { x: 1, y: 2 }, 5_000)).toEqual([{ x: 1, y: 2, age: 0 }]);
});
