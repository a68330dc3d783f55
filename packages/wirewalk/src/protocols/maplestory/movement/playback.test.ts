import { describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../../motion/index.ts";
import { continueThenLock, holdPlayback, linearPlayback, type PlaybackPolicy } from "./playback.ts";
import type { PlaybackNode, PlaybackPath } from "./playback-queue.ts";

const policies: Readonly<Record<string, () => PlaybackPolicy>> = {
  hold: holdPlayback,
  linear: linearPlayback,
  continueThenLock: () => continueThenLock({ limitMs: 300, maxFall: 670 }),
};

function nodeOf(random: Random): PlaybackNode {
  return {
    x: random.integer(-500, 500),
    y: random.integer(-500, 500),
    vx: random.integer(-200, 200),
    vy: random.integer(-600, 600),
    durationMs: random.chance(0.2) ? 0 : random.integer(1, 400),
    jump: random.chance(0.1),
    gravity: random.chance(0.3) ? 2000 : 0,
    state: random.integer(0, 20),
  };
}

function pathOf(random: Random): PlaybackPath {
  const start = { x: random.integer(-500, 500), y: 0 };
  return { start, nodes: Array.from({ length: random.integer(0, 6) }, () => nodeOf(random)) };
}

describe.each(Object.entries(policies))("%s", (_, create) => {
  it("draws the same however often it is sampled", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = createRandom(seed);
      const often = create();
      const seldom = create();
      for (let nowMs = 0; nowMs < 4000; nowMs += random.integer(1, 90)) {
        often.sample(nowMs);
        if (random.chance(0.2)) {
          const path = pathOf(random);
          often.push(path, nowMs);
          seldom.push(path, nowMs);
        }
        if (random.chance(0.1)) expect(seldom.sample(nowMs)).toEqual(often.sample(nowMs));
      }
      expect(seldom.save()).toEqual(often.save());
    }
  });

  it("goes on after save and restore as if nothing had happened", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = createRandom(seed);
      const policy = create();
      let restored = create();
      for (let nowMs = 0; nowMs < 6000; nowMs += random.next() * 90) {
        if (random.chance(0.15)) {
          const path = pathOf(random);
          policy.push(path, nowMs);
          restored.push(path, nowMs);
        }
        expect(restored.sample(nowMs)).toEqual(policy.sample(nowMs));
        if (!random.chance(0.1)) continue;
        const saved = structuredClone(restored.save());
        expect(saved).toEqual(policy.save());
        restored = create();
        restored.restore(saved);
      }
    }
  });

  it("refuses malformed data and stays as it was", () => {
    const policy = create();
    policy.push({ start: { x: 1, y: 2 }, nodes: [nodeOf(createRandom(3))] }, 10);
    const saved = policy.save();
    const { queue } = saved;
    for (const wrong of [
      { ...saved, playedToMs: "10" },
      { playedToMs: 10 },
      { ...saved, queue: { ...queue, waiting: 5 } },
      { ...saved, queue: { ...queue, waiting: [{ x: 1 }] } },
      { ...saved, queue: { ...queue, last: null } },
      { ...saved, queue: { ...queue, backlogMs: undefined } },
    ]) {
      expect(() => policy.restore(wrong as unknown as typeof saved)).toThrow(TypeError);
      expect(policy.save()).toEqual(saved);
    }
  });
});
