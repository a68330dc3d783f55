import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { keysByte, type PlayerMovement } from "../wire/player-movement.ts";
import { ConsistencyCheck } from "../world/consistency.ts";
import { type MovementKey, MovementSampler } from "./sampler.ts";

/** A sampler and a way to take one packet after the other. */
function sampling(): { sampler: MovementSampler; next(): PlayerMovement } {
  const sampler = new MovementSampler({ tick: 100, nowMs: 0 });
  let nowMs = 0;
  return {
    sampler,
    next() {
      nowMs += 25;
      const packet = sampler.frame(nowMs);
      if (packet === undefined) throw new Error(`no packet at ${nowMs} ms`);
      return packet;
    },
  };
}

describe("packets", () => {
  it("there is one for each tick, however many frames are drawn", () => {
    const sampler = new MovementSampler({ tick: 100, nowMs: 0 });
    const ticks: number[] = [];
    for (let frame = 1; frame <= 240; frame++) {
      const packet = sampler.frame((frame * 1000) / 240);
      if (packet !== undefined) ticks.push(packet.tick);
    }
    expect(ticks).toEqual(Array.from({ length: 40 }, (_, index) => 101 + index));
  });

  it("there is one for each frame where frames are slower, and ticks are left out", () => {
    const sampler = new MovementSampler({ tick: 100, nowMs: 0 });
    const ticks = Array.from({ length: 16 }, (_, frame) => sampler.frame((frame + 1) * 62.5)?.tick);
    expect(ticks.slice(0, 6)).toEqual([102, 105, 107, 110, 112, 115]);
    expect(ticks.at(-1)).toBe(140);
  });

  it("ticks go on after 2^32", () => {
    const sampler = new MovementSampler({ tick: 0xffff_ffff, nowMs: 0 });
    expect([sampler.frame(25)?.tick, sampler.frame(50)?.tick]).toEqual([0, 1]);
  });
});

describe("direction", () => {
  it.each<[MovementKey[], number]>([
    [["right"], 0],
    [["right", "forward"], 32],
    [["forward"], 64],
    [["left", "forward"], 96],
    [["left"], 128],
    [["left", "backward"], 160],
    [["backward"], 192],
    [["right", "backward"], 224],
    [["left", "right", "forward"], 64],
  ])("%j is %i", (keys, direction) => {
    const { sampler, next } = sampling();
    for (const key of keys) sampler.press(key, true);
    expect(next()).toMatchObject({ direction, keys: { horizontal: true } });
  });

  it("keeps its value while standing, and while keys cancel each other out", () => {
    const { sampler, next } = sampling();
    sampler.press("left", true);
    next();
    sampler.press("left", false);
    expect(next()).toMatchObject({ direction: 128, keys: { horizontal: false } });
    sampler.press("forward", true);
    sampler.press("backward", true);
    expect(next()).toMatchObject({ direction: 128, keys: { horizontal: true } });
  });

  it("of a stick is any, and goes before the keys", () => {
    const { sampler, next } = sampling();
    sampler.press("left", true);
    sampler.push(0.1);
    expect(next().direction).toBe(26);
    sampler.push(undefined);
    expect(next().direction).toBe(128);
    sampler.release();
    expect(next()).toMatchObject({ direction: 128, keys: { horizontal: false } });
  });
});

describe("sprint", () => {
  it("lags one packet behind at the start and at the end", () => {
    const { sampler, next } = sampling();
    const sprints = (): [boolean, boolean] => {
      const { horizontal, sprint } = next().keys;
      return [horizontal, sprint];
    };
    sampler.press("sprint", true);
    expect(sprints()).toEqual([false, false]);
    sampler.press("forward", true);
    expect(sprints()).toEqual([true, false]);
    expect(sprints()).toEqual([true, true]);
    sampler.press("forward", false);
    expect(sprints()).toEqual([false, true]);
    expect(sprints()).toEqual([false, false]);
  });

  it("begins at once for who walks already, and ends at once with its key", () => {
    const { sampler, next } = sampling();
    sampler.press("forward", true);
    next();
    sampler.press("sprint", true);
    expect(next().keys.sprint).toBe(true);
    sampler.press("sprint", false);
    expect(next().keys).toMatchObject({ horizontal: true, sprint: false });
  });
});

describe("the other keys", () => {
  it("are as they are held; all are up while the character cannot be controlled", () => {
    const { sampler, next } = sampling();
    for (const key of ["jump", "crawl", "forward", "sprint"] as const) sampler.press(key, true);
    sampler.aim(true);
    expect(keysByte(next().keys)).toBe(1 + 2 + 4 + 16);
    sampler.control(false);
    expect(keysByte(next().keys)).toBe(0);
    sampler.control(true);
    // Standing up is a standstill: sprint lags again.
    expect(next().keys).toMatchObject({ horizontal: true, sprint: false });
    expect(keysByte(next().keys)).toBe(31);
  });
});

describe("the look", () => {
  it("turns around without end, and up no further than up", () => {
    const { sampler, next } = sampling();
    expect(next()).toMatchObject({ yaw: 0, pitch: 64 });
    sampler.turn(0.25, 0.1);
    expect(next()).toMatchObject({ yaw: 64, pitch: 90 });
    sampler.turn(-0.5, 3);
    expect(next()).toMatchObject({ yaw: 192, pitch: 128 });
    sampler.turn(7.25, -9);
    expect(next()).toMatchObject({ yaw: 0, pitch: 0 });
    expect(sampler.look.pitchTurns).toBe(0);
  });
});

it("whatever is pressed, no rule of the document is broken", () => {
  const random = createRandom(4);
  const { sampler, next } = sampling();
  const rules = new ConsistencyCheck();
  const keys = ["forward", "backward", "left", "right", "jump", "crawl", "sprint"] as const;
  for (let count = 0; count < 20_000; count++) {
    sampler.press(random.pick(keys), random.chance(0.5));
    if (random.chance(0.1)) sampler.release();
    if (random.chance(0.05)) sampler.push(random.chance(0.5) ? random.next() : undefined);
    sampler.turn(random.next() - 0.5, random.next() - 0.5);
    sampler.aim(random.chance(0.1));
    const packet = next();
    expect(rules.judge(packet, packet.tick, false)).toEqual([]);
  }
});
