import { expect, test } from "vitest";
import { MovementRateLimiter } from "./rate-limit.ts";

function filled(): MovementRateLimiter {
  const limiter = new MovementRateLimiter();
  for (let message = 0; message < 60; message++) expect(limiter.allow(message)).toBe(true);
  return limiter;
}

test("exactly sixty in a second pass, the sixty-first does not (standard 8.2)", () => {
  const limiter = filled();
  expect(limiter.count(59)).toBe(60);
  expect(limiter.allow(59)).toBe(false);
  expect(limiter.allow(999)).toBe(false);
});

test("a message exactly a second old is no longer in the last second", () => {
  expect(filled().allow(1000)).toBe(true);
});

test("refused messages do not stay in the history: a flood does not lock its sender out for longer", () => {
  const limiter = filled();
  for (let now = 60; now < 1000; now++) expect(limiter.allow(now)).toBe(false);
  for (let now = 1000; now < 1060; now++) expect(limiter.allow(now)).toBe(true);
  expect(limiter.allow(1060)).toBe(false);
});

test("one message per frame always passes", () => {
  const limiter = new MovementRateLimiter();
  for (let frame = 0; frame < 6000; frame++) expect(limiter.allow(Math.round((frame * 1000) / 60))).toBe(true);
});

test("goes on from saved times, oldest first", () => {
  const limiter = filled();
  for (let now = 1000; now < 1010; now++) expect(limiter.allow(now)).toBe(true);
  const saved = limiter.save();
  expect(saved.times).toHaveLength(60);
  expect([...saved.times]).toEqual([...saved.times].sort((a, b) => a - b));
  const restored = new MovementRateLimiter(saved);
  for (let now = 1010; now < 2100; now += 7) expect(restored.allow(now)).toBe(limiter.allow(now));
  expect(restored.save()).toEqual(limiter.save());
  expect(new MovementRateLimiter().save().times).toHaveLength(0);
  expect(() => new MovementRateLimiter({ ...saved, times: new Float64Array(61) })).toThrow(RangeError);
});

test("after a stall what could have been sent in it passes at once, and no more", () => {
  const limiter = filled();
  let passed = 0;
  while (limiter.allow(6000, 5000)) passed += 1;
  // Five seconds of sixty, and the second of the ring is one of them.
  expect(passed).toBe(300);
  for (let now = 6010; now < 7000; now += 10) if (limiter.allow(now, 5000)) passed += 1;
  expect(passed).toBe(359);
});
