import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { keySets, keysByte, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import { InputBuffer, type InputStep, MAX_FILL_TICKS, type Pushed } from "./input-buffer.ts";

const movement = (tick: number, direction = tick & 255): PlayerMovement => ({
  tick: tick >>> 0,
  keys: keySets[4] as MovementKeys,
  direction,
  yaw: 0,
  pitch: 64,
});
const outcome = (buffer: InputBuffer, tick: number, direction?: number): Pushed["outcome"] =>
  buffer.push(movement(tick, direction), 0).outcome;
const played = (buffer: InputBuffer, due = Number.POSITIVE_INFINITY, limit = 1000): InputStep[] => {
  const steps: InputStep[] = [];
  buffer.play({ due, limit, nowMs: 0, graceMs: 0 }, (step) => steps.push(step));
  return steps;
};

describe("the input buffer", () => {
  it("plays each tick once and in order, whatever the network did", () => {
    const random = createRandom(7);
    const buffer = new InputBuffer();
    const sent = Array.from({ length: 2000 }, (_, index) => 0xffff_fc00 + index);
    const arriving = sent
      .flatMap((tick, at) => {
        if (at > 0 && random.chance(0.05)) return [];
        const arrivals = random.chance(0.1) ? 2 : 1;
        return Array.from({ length: arrivals }, () => ({
          tick,
          at: at + (at > 0 && random.chance(0.1) ? random.integer(0, 6) : 0),
        }));
      })
      .sort((a, b) => a.at - b.at);
    const steps: InputStep[] = [];
    for (const { tick, at } of arriving) {
      buffer.push(movement(tick), 0);
      // Six ticks of delay are what the network needs.
      steps.push(...played(buffer, (sent[0] as number) + at - 7));
    }
    steps.push(...played(buffer));
    expect(steps.map(({ tick }) => tick)).toEqual(sent.slice(0, steps.length));
    const arrived = new Set(arriving.map(({ tick }) => tick));
    let last = 0;
    for (const step of steps) {
      expect(step.received).toBe(arrived.has(step.tick));
      // On the wire ticks are modulo 2^32; what is missing is like its predecessor.
      expect(step.movement.tick).toBe(step.tick >>> 0);
      if (step.received) last = step.movement.direction;
      expect(step.movement.direction).toBe(last);
    }
    expect(buffer.depth).toBe(0);
  });

  it("tells what is new from what is not", () => {
    const buffer = new InputBuffer();
    expect(outcome(buffer, 100)).toBe("new");
    expect(outcome(buffer, 100)).toBe("duplicate");
    expect(outcome(buffer, 100, 7)).toBe("changed");
    expect(outcome(buffer, 99)).toBe("late");
    expect(outcome(buffer, 103)).toBe("new");
    expect(buffer.depth).toBe(4);
    expect(played(buffer)).toHaveLength(4);
    expect(outcome(buffer, 103)).toBe("duplicate");
    expect(outcome(buffer, 103, 7)).toBe("changed");
    expect(outcome(buffer, 102)).toBe("late");
    expect(buffer.played).toBe(103);
  });

  it("plays no more than is due, than has arrived, than it may", () => {
    const buffer = new InputBuffer();
    expect(played(buffer)).toEqual([]);
    expect(buffer.played).toBeUndefined();
    for (let tick = 10; tick < 20; tick++) outcome(buffer, tick);
    expect(played(buffer, 9)).toEqual([]);
    expect(played(buffer, 12).map(({ tick }) => tick)).toEqual([10, 11, 12]);
    expect(played(buffer, 100, 2).map(({ tick }) => tick)).toEqual([13, 14]);
    expect(played(buffer, 100)).toHaveLength(5);
  });

  it("waits for what was overtaken, for a while", () => {
    const buffer = new InputBuffer();
    const at = (nowMs: number): number[] => {
      const ticks: number[] = [];
      buffer.play({ due: 100, limit: 10, nowMs, graceMs: 50 }, ({ tick, received }) =>
        ticks.push(received ? tick : -tick),
      );
      return ticks;
    };
    for (const [tick, ms] of [
      [1, 0],
      [3, 10],
      [5, 40],
    ] as const) {
      buffer.push(movement(tick), ms);
    }
    expect(at(50)).toEqual([1]);
    buffer.push(movement(2), 55);
    expect(at(59)).toEqual([2, 3]);
    expect(at(89)).toEqual([]);
    expect(at(90)).toEqual([-4, 5]);
  });

  it("lets go of the keys after half a second of nothing", () => {
    const buffer = new InputBuffer();
    outcome(buffer, 0);
    outcome(buffer, 40);
    const keys = played(buffer).map((step) => keysByte(step.movement.keys));
    expect(keys.slice(1, 1 + MAX_FILL_TICKS)).toEqual(new Array(MAX_FILL_TICKS).fill(4));
    expect(keys.slice(1 + MAX_FILL_TICKS, 40)).toEqual(new Array(39 - MAX_FILL_TICKS).fill(0));
    expect(keys[40]).toBe(4);
  });

  it("simulates no more than it remembers", () => {
    const buffer = new InputBuffer();
    outcome(buffer, 0);
    outcome(buffer, 10_000);
    expect(played(buffer).map(({ tick }) => tick)).toEqual([10_000]);
    outcome(buffer, 20_000);
    expect(played(buffer)).toHaveLength(512);
  });

  it("goes on elsewhere after a restart", () => {
    const buffer = new InputBuffer();
    outcome(buffer, 0);
    buffer.restart(5000);
    expect(played(buffer)).toEqual([]);
    expect(outcome(buffer, 5000)).toBe("new");
    expect(played(buffer).map(({ tick }) => tick)).toEqual([5000]);
  });
});

describe("a saved input buffer", () => {
  it("goes on as the one that was not, and shares nothing with it", () => {
    const random = createRandom(9);
    const buffer = new InputBuffer();
    let restored = new InputBuffer();
    for (let count = 0; count < 2000; count++) {
      // Every fifth tick is lost, some come twice, some with other keys, and once in a while a second is left out.
      const tick = 0xffff_ff00 + count + Math.floor(count / 300) * 40 - random.integer(0, 3);
      const packet = Uint8Array.of(count & 255);
      const request = { due: tick - 4, limit: 4, nowMs: count * 25, graceMs: random.pick([0, 100]) };
      const step = (each: InputBuffer): unknown => {
        const pushed = count % 5 === 0 ? undefined : each.push(movement(tick, (tick >> 2) & 255), count * 25, packet);
        const steps: InputStep[] = [];
        each.play(request, (one) => steps.push(one));
        return [pushed, steps, each.depth, each.played];
      };
      expect(step(restored)).toEqual(step(buffer));
      if (count % 7 !== 0) continue;
      const saved = structuredClone(buffer.save());
      restored = new InputBuffer();
      restored.push(movement(5), 0);
      restored.restore(saved);
      saved.ticks.fill(9);
      saved.movements.fill(9);
      for (const { packet: bytes } of saved.waiting) bytes?.fill(9);
      expect(restored.save()).toEqual(buffer.save());
    }
  });

  it("is refused when it is malformed", () => {
    const saved = new InputBuffer().save();
    const short = { ...saved, ticks: new Uint32Array(3) };
    expect(() => new InputBuffer().restore(short)).toThrow(RangeError);
    const nothingThere = { ...saved, waiting: [{ tick: 1, packet: undefined, arrivedMs: 0 }] };
    expect(() => new InputBuffer().restore(nothingThere)).toThrow(RangeError);
  });
});
