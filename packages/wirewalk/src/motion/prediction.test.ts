import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import { createRandom, ErrorSmoother, Prediction } from "./index.ts";

test.each(["prediction.ts", "prediction-smoothing.ts"])("the example of %s is true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, { ErrorSmoother, Prediction });
});

/** A ball with inertia: its velocity is not sent, as in games that send places. */
interface Ball {
  x: number;
  v: number;
}

function step(ball: Ball, push: number): void {
  ball.v = ball.v * 0.8 + push * 0.2;
  ball.x += ball.v;
}

function rolling(capacity = 64): Prediction<Ball, number, number> {
  return new Prediction<Ball, number, number>({
    create: () => ({ x: 0, v: 0 }),
    copy: (from, to) => Object.assign(to, from),
    step,
    distance: (ball, x) => Math.abs(ball.x - x),
    correct: (ball, x) => {
      ball.x = x;
    },
    tolerance: 1e-9,
    capacity,
    tick: 0,
  });
}

describe("a prediction", () => {
  it("that plays the same inputs as the server is never corrected", () => {
    const client = rolling();
    const server: Ball = { x: 0, v: 0 };
    const random = createRandom(1);
    const pushes = Array.from({ length: 500 }, () => random.integer(-1, 1));
    for (const [index, push] of pushes.entries()) {
      client.predict(push);
      // The server is twenty ticks behind.
      const late = index - 20;
      if (late < 0) continue;
      step(server, pushes[late] as number);
      expect(client.reconcile(late + 1, server.x)).toEqual({ outcome: "agreed", error: 0, replayed: 0 });
    }
  });

  it("that is corrected stands where playing on from the truth leads", () => {
    const client = rolling();
    for (const push of [1, 1, 0, 0, -1]) client.predict(push);
    const wanted: Ball = { x: 10, v: client.at(2)?.v ?? Number.NaN };
    expect(client.reconcile(2, 10)).toMatchObject({ outcome: "corrected", replayed: 3 });
    for (const push of [0, 0, -1]) step(wanted, push);
    expect(client.state).toEqual(wanted);
    expect(client.confirmedTick).toBe(2);
  });

  it("forgets its error when an input is lost on the way to the server", () => {
    const client = rolling();
    const server: Ball = { x: 0, v: 0 };
    for (let tick = 1; tick <= 200; tick++) {
      client.predict(1);
      step(server, tick === 50 ? 0 : 1);
      client.reconcile(tick, server.x);
    }
    expect(client.state.x).toBeCloseTo(server.x, 8);
    expect(client.state.v).toBeCloseTo(server.v, 6);
  });

  it("takes truths in their order: an older one, or one that is forgotten, changes nothing", () => {
    const client = rolling(8);
    for (let tick = 1; tick <= 20; tick++) client.predict(1);
    const before = { ...client.state };
    expect(client.reconcile(12, 99)).toMatchObject({ outcome: "old" });
    expect(client.at(12)).toBeUndefined();
    expect(client.at(21)).toBeUndefined();
    expect(client.reconcile(16, client.at(16)?.x ?? Number.NaN)).toMatchObject({ outcome: "agreed" });
    expect(client.reconcile(15, 99)).toMatchObject({ outcome: "old" });
    expect(client.reconcile(16, 99)).toMatchObject({ outcome: "old" });
    expect(client.state).toEqual(before);
  });

  it("goes to a truth that is ahead of it", () => {
    const client = rolling();
    client.predict(1);
    expect(client.reconcile(30, 5)).toMatchObject({ outcome: "ahead" });
    expect([client.tick, client.state.x]).toEqual([30, 5]);
    client.predict(0);
    expect(client.tick).toBe(31);
  });

  it("that is put somewhere goes on from there, and forgets what led to it", () => {
    const client = rolling();
    for (let tick = 1; tick <= 5; tick++) client.predict(1);
    const { v } = client.state;
    expect(client.reset(50)).toMatchObject({ outcome: "corrected", replayed: 0 });
    expect([client.tick, client.confirmedTick, client.state.x, client.state.v]).toEqual([5, 5, 50, v]);
    expect(client.at(4)).toBeUndefined();
    expect(client.reconcile(4, 3)).toMatchObject({ outcome: "old" });
    const wanted: Ball = { x: 50, v };
    step(wanted, -1);
    client.predict(-1);
    expect(client.state).toEqual(wanted);
    expect(client.reconcile(6, wanted.x)).toMatchObject({ outcome: "agreed" });
  });

  it("takes every truth over when nothing is tolerated, one that was predicted too", () => {
    const corrected: number[] = [];
    const client = new Prediction<Ball, number, number>({
      create: () => ({ x: 0, v: 0 }),
      copy: (from, to) => Object.assign(to, from),
      step,
      distance: (ball, x) => Math.abs(ball.x - x),
      correct: (ball, x) => {
        ball.v = 0;
        corrected.push(x);
      },
      tolerance: -1,
      capacity: 8,
      tick: 0,
    });
    client.predict(1);
    const { x } = client.state;
    expect(client.reconcile(1, x)).toEqual({ outcome: "corrected", error: 0, replayed: 0 });
    expect([corrected, client.state.v]).toEqual([[x], 0]);
  });

  it("plays edges again as it plays held keys: an input is what a tick takes", () => {
    type Edge = "down" | "up";
    const create = (): { x: number; held: boolean } => ({ x: 0, held: false });
    const walker = new Prediction<{ x: number; held: boolean }, readonly Edge[], number>({
      create,
      copy: (from, to) => Object.assign(to, from),
      step(state, edges) {
        for (const edge of edges) state.held = edge === "down";
        if (state.held) state.x += 1;
      },
      distance: (state, x) => Math.abs(state.x - x),
      correct: (state, x) => {
        state.x = x;
      },
      tolerance: 0,
      capacity: 16,
      tick: 0,
    });
    for (const edges of [[], ["down"], [], ["up", "down"], ["up"], []] as const) walker.predict(edges);
    expect(walker.state).toEqual({ x: 3, held: false });
    expect(walker.reconcile(1, 10)).toEqual({ outcome: "corrected", error: 10, replayed: 5 });
    expect(walker.state).toEqual({ x: 13, held: false });
  });

  it("needs a memory", () => {
    expect(() => rolling(1)).toThrow(RangeError);
  });
});

describe("smoothing", () => {
  it("keeps what is drawn where it was, and ends at the prediction", () => {
    const smoother = new ErrorSmoother({ axes: 3, halfLifeMs: 50, snap: 3 });
    let drawn = [0, 0, 0];
    let predicted = [0, 0, 0];
    for (let ms = 0; ms < 1000; ms += 10) {
      const before = predicted;
      predicted = ms % 200 === 100 ? before.map((value) => value + 0.5) : before;
      if (predicted !== before) smoother.corrected(before, predicted, ms);
      const offset = smoother.offset(ms);
      const next = predicted.map((value, axis) => value + (offset[axis] as number));
      // A frame of 10 ms never goes further than an eighth of the error.
      expect(Math.hypot(...next.map((value, axis) => value - (drawn[axis] as number)))).toBeLessThan(0.15);
      drawn = next;
    }
    expect(Math.hypot(...smoother.offset(2000))).toBeLessThan(1e-5);
  });
});
