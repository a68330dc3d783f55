import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { comparedNetworks, comparePlayback } from "../testing/playback-comparison.ts";
import { mapleCodec } from "../wire/codec.ts";
import { maplePlayback, nativePlayback } from "./native-playback.ts";
import { nodesOf } from "./nodes.ts";
import { fall, type PlaybackPolicy } from "./playback.ts";
import type { PlaybackNode } from "./playback-queue.ts";

const rest: PlaybackNode = { x: 0, y: 0, vx: 0, vy: 0, durationMs: 0, jump: false, gravity: 0, state: 4 };
const walk = (x: number, durationMs: number, vx = 100): PlaybackNode => ({ ...rest, x, vx, durationMs, state: 2 });
const path = (...nodes: PlaybackNode[]) => ({ start: { x: 0, y: 0 }, nodes });
const policy = (name: string, continueMs?: number): PlaybackPolicy => {
  const found = maplePlayback("player", continueMs).find((info) => info.name === name);
  if (found === undefined) throw new Error(name);
  return found.create();
};

describe("native", () => {
  it("plays node after node in steps of 30 ms, and stands still when none is left", () => {
    const ghost = nativePlayback("player");
    expect(ghost.sample(0)).toBeUndefined();
    ghost.push(path({ ...walk(51, 510), vx: 100 }), 1000);
    ghost.push({ start: { x: 51, y: 0 }, nodes: [walk(60, 90)] }, 1000);
    const before = ghost.sample(1029);
    expect(before).toMatchObject({ x: 0 });
    expect(ghost.sample(1030)?.x).toBeGreaterThan(0);
    // 600 ms wait: that is more than 550, so the first steps play 32 ms each.
    for (let step = 1; step <= 2; step++) ghost.sample(1000 + step * 30);
    expect(ghost.sample(1000 + 20 * 30)).toMatchObject({ x: 60, source: "held" });
    expect(ghost.sample(9000)).toMatchObject({ x: 60, vx: 0 });
  });

  it("goes on after save and restore as if nothing had happened, however often it is sampled", () => {
    const random = createRandom(1);
    const often = nativePlayback();
    let seldom = nativePlayback();
    for (let nowMs = 0; nowMs < 60_000; nowMs += random.integer(1, 60)) {
      often.sample(nowMs);
      if (random.chance(0.05)) {
        const next = path(walk(random.integer(0, 500), random.integer(1, 900)), walk(random.integer(0, 500), 90));
        often.push(next, nowMs);
        seldom.push(next, nowMs);
      }
      if (random.chance(0.1)) expect(seldom.sample(nowMs)).toEqual(often.sample(nowMs));
      if (!random.chance(0.1)) continue;
      const saved = structuredClone(seldom.save());
      seldom = nativePlayback();
      seldom.restore(saved);
    }
    expect(seldom.save()).toEqual(often.save());
  });

  it("follows the parabola between two nodes of a jump within 0.3 px", () => {
    const ghost = nativePlayback("player");
    const up: PlaybackNode = { ...rest, vy: -555, gravity: 2000, state: 6 };
    const apex: PlaybackNode = { ...up, ...fall(0, -555, 2000, 670, 0.27), durationMs: 270 };
    ghost.push(path(up, { ...apex, y: Math.round(apex.y) }), 0);
    for (let ms = 0; ms < 270; ms += 30) {
      expect(Math.abs((ghost.sample(ms)?.y ?? 0) - fall(0, -555, 2000, 670, ms / 1000).y)).toBeLessThan(0.3);
    }
  });

  it("snaps to the newest end from 5,550 ms on for players, from 6,100 ms on for others", () => {
    for (const [kind, waitingMs, snaps] of [
      ["player", 5520, false],
      ["player", 5580, true],
      ["other", 6090, false],
      ["other", 6120, true],
    ] as const) {
      const ghost = nativePlayback(kind);
      ghost.push(path(walk(100, waitingMs)), 0);
      expect(ghost.sample(0)?.x === 100, `${kind} ${waitingMs}`).toBe(snaps);
    }
  });

  it("jumps at instants, applies nodes of no time at once, and has no seam between packets", () => {
    const ghost = nativePlayback("player");
    ghost.push(path({ ...rest, x: 300, jump: true, durationMs: 60 }), 0);
    expect(ghost.sample(30)).toMatchObject({ x: 0 });
    expect(ghost.sample(60)).toMatchObject({ x: 300 });
    ghost.push({ start: { x: 300, y: 0 }, nodes: [{ ...rest, x: 310, jump: true }, walk(316, 60)] }, 60);
    expect(ghost.sample(60)).toMatchObject({ x: 310 });
    expect(ghost.sample(90)?.x).toBeGreaterThan(310);
  });
});

describe("documented", () => {
  it("extrapolates with the last velocity up to the limit, then locks until the next path", () => {
    const ghost = policy("documented", 200);
    ghost.push(path(walk(50, 500)), 0);
    expect(ghost.sample(500)).toMatchObject({ x: 50 });
    expect(ghost.sample(600)).toMatchObject({ x: 60, source: "guessed" });
    expect(ghost.sample(700)).toMatchObject({ x: 70, vx: 0, source: "held" });
    expect(ghost.sample(2000)).toMatchObject({ x: 70 });
    // The extrapolated position is dropped.
    ghost.push({ start: { x: 50, y: 0 }, nodes: [walk(100, 500)] }, 2000);
    expect(ghost.sample(2000)).toMatchObject({ x: 50, source: "known" });
    expect(ghost.sample(2100)).toMatchObject({ x: 60 });
  });

  it("falls when it was in the air, up to the fastest fall", () => {
    const ghost = policy("documented", 1000);
    ghost.push(path({ ...rest, y: 10, vy: 600, gravity: 2000, durationMs: 30, state: 6 }), 0);
    expect(ghost.sample(30)?.y).toBe(10);
    expect(ghost.sample(530)?.y).toBeCloseTo(fall(10, 600, 2000, 670, 0.5).y);
    expect(ghost.sample(530)?.vy).toBe(670);
  });

  it("has a limit of 500 ms by default", () => {
    const ghost = policy("documented");
    ghost.push(path(walk(50, 500)), 0);
    expect(ghost.sample(999)?.source).toBe("guessed");
    expect(ghost.sample(1001)?.source).toBe("held");
  });

  it("plays fragments of documented from their start", () => {
    const codec = mapleCodec("documented");
    const fragment = { type: 0, x: 10, y: 5, vx: 100, vy: 0, unknown: 0, state: 2, durationMs: 500 };
    const value = { characterId: 1, opaque: new Uint8Array(4), fragments: [fragment], rest: new Uint8Array(0) };
    const read = codec.read("server", codec.write("server", { message: "movePlayer", value }));
    const ghost = policy("documented");
    ghost.push(nodesOf((read.value as typeof value).fragments, "documented", undefined), 0);
    expect(ghost.sample(0)).toMatchObject({ x: 10, y: 5 });
    expect(ghost.sample(250)).toMatchObject({ x: 35, y: 5 });
    expect(ghost.sample(500)).toMatchObject({ x: 60, y: 5 });
  });
});

describe("linear and hold", () => {
  it("go straight, and stand still between nodes", () => {
    const linear = policy("linear");
    const hold = policy("hold");
    for (const ghost of [linear, hold]) ghost.push(path(walk(50, 500)), 0);
    expect(linear.sample(250)).toMatchObject({ x: 25, vx: 100 });
    expect(hold.sample(250)).toMatchObject({ x: 0 });
    for (const ghost of [linear, hold]) expect(ghost.sample(600)).toMatchObject({ x: 50, source: "held" });
  });
});

describe("side by side, the same captures through the same bad network", () => {
  it.each(Object.entries(comparedNetworks))("%s", (name, conditions) => {
    const options = { seed: 7, players: scaled(6, 3), minutes: 3 };
    const scores = comparePlayback(maplePlayback("player"), conditions, options);
    const [native, documented, linear, hold] = scores;
    if (native === undefined || documented === undefined || linear === undefined || hold === undefined)
      throw new Error(name);
    expect(comparePlayback(maplePlayback("player"), conditions, options)).toEqual(scores);
    // hold jerks and freezes most; only documented draws what it cannot know.
    expect(hold.jerksPerMinute).toBeGreaterThan(native.jerksPerMinute);
    expect(hold.frozenPercent).toBeGreaterThan(native.frozenPercent);
    for (const { aheadPercent } of [native, linear, hold]) expect(aheadPercent).toBe(0);
    if (conditions.jitterMs === 0) {
      expect(native.meanPx).toBeLessThan(4);
      expect(native.meanPx).toBeLessThan(linear.meanPx);
    } else {
      expect(documented.aheadPercent).toBeGreaterThan(0);
    }
  });
});
