import { describe, expect, test } from "vitest";
import { Fragment } from "wirewalk/maplestory";
import { createRandom } from "wirewalk/motion";
import { NetworkLink } from "wirewalk/net";
import { Actor, type Comparison, policyNames } from "./actor.ts";

const BATCH_MS = 510;
const SPEED = 100;

/** Walks to the right from 0 at 100 px/s; batch 1 lasts from 0 to 510 ms. */
function walk(number: number) {
  const at = (batches: number): number => (batches * BATCH_MS * SPEED) / 1000;
  const moving = { type: 0, y: 300, vx: SPEED, foothold: 1, state: 2, durationMs: BATCH_MS };
  return {
    start: { x: at(number - 1), y: 300 },
    fragments: [Fragment.of("absolute", { ...moving, x: at(number) })],
  };
}

function actor(): Actor {
  return new Actor({ kind: "player", id: 7, dialect: "v62" });
}

/** Receives batches 1 to n, each some milliseconds after its end. */
function receive(who: Actor, lateMs: readonly number[], link?: NetworkLink): void {
  lateMs.forEach((late, index) => {
    who.receive(walk(index + 1), 40, (index + 1) * BATCH_MS + late, link);
  });
}

function compare(who: Actor, untilMs: number, lagMs: number): readonly Comparison[] {
  const compared: Comparison[] = [];
  for (let atMs = 0; atMs <= untilMs; atMs += 16) who.advance(atMs, lagMs, (comparison) => compared.push(comparison));
  return compared;
}

describe("truth", () => {
  test("is known in hindsight, whatever the jitter of the packets", () => {
    const who = actor();
    receive(who, [20, 180, 0, 90]);
    // The fastest packet arrived at once: the delays of the others do not move the truth.
    for (const atMs of [700, 1300, 2000]) {
      expect(who.truth(atMs)).toMatchObject({ known: "reported" });
      expect(who.truth(atMs)?.x).toBeCloseTo((atMs * SPEED) / 1000, 0);
    }
    expect(who.truth(2100)).toMatchObject({ x: 204, known: "stale" });
    const lateMs = who.batches.map((batch) => batch.receivedMs - who.endOf(batch));
    expect(lateMs).toEqual([20, 180, 0, 90].map((late) => expect.closeTo(late, -0.5)));
  });

  test("stands still through a silence", () => {
    const who = actor();
    who.receive(walk(1), 40, 510, undefined);
    who.receive(walk(2), 40, 510 + 4 * 510, undefined);
    expect(who.batches.map(({ seamless }) => seamless)).toEqual([false, false]);
    expect(who.truth(1200)).toMatchObject({ x: 51, known: "still" });
    expect(who.truth(2000)).toMatchObject({ x: 51, known: "still" });
    expect(who.truth(2300)?.x).toBeGreaterThan(60);
  });

  test("is the given position before the first packet", () => {
    const who = actor();
    expect(who.truth(0)).toBeUndefined();
    expect(who.lastReceived(0)).toBeUndefined();
    who.stand({ x: 9, y: 8, state: 4 });
    expect(who.truth(0)).toEqual({ x: 9, y: 8, state: 4, known: "still" });
    expect(who.ghost("native")).toMatchObject({ x: 9, y: 8 });
  });

  test("the server's position is the end of the last packet", () => {
    const who = actor();
    receive(who, [0, 0]);
    expect(who.lastReceived(900)).toMatchObject({ x: 51 });
    expect(who.lastReceived(1020)).toMatchObject({ x: 102 });
  });

  test("old packets are dropped, the last one never", () => {
    const who = actor();
    receive(who, new Array(40).fill(0));
    expect(who.batches.length).toBeLessThan(20);
    who.receive(walk(41), 40, 600_000, undefined);
    expect(who.batches.map(({ number }) => number)).toEqual([41]);
    for (let number = 42; number < 200; number++)
      who.receive({ start: undefined, fragments: [] }, 8, 600_000, undefined);
    expect(who.batches.length).toBeLessThanOrEqual(64);
  });
});

describe("ghosts", () => {
  test("follow the truth one batch late: native within a pixel, hold in jumps", () => {
    const who = actor();
    receive(who, [0, 0, 0, 0]);
    const compared = compare(who, 2000, BATCH_MS);
    expect(compared.length).toBeGreaterThan(10);
    const worst = policyNames.map((_, policy) =>
      Math.max(...compared.map(({ truth, ghosts }) => Math.abs((ghosts[policy]?.x ?? 0) - truth.x))),
    );
    const [native = 0, , linear = 0, hold = 0] = worst;
    expect(native).toBeLessThan(1);
    // The walk starts from rest in the truth, and at once in a straight line.
    expect(linear).toBeLessThan(10);
    expect(hold).toBeGreaterThan(30);
  });

  test("every policy plays all the time, so that switching is at once", () => {
    const who = actor();
    receive(who, [0, 0]);
    compare(who, 700, BATCH_MS);
    const places = policyNames.map((policy) => who.ghost(policy)?.x);
    expect(places.every((x) => x !== undefined)).toBe(true);
    expect(who.ghost("hold")?.x).toBe(0);
    expect(who.ghost("native")?.x).toBeGreaterThan(5);
  });

  test("an actor that stands still is not compared", () => {
    const who = actor();
    receive(who, [0]);
    const last = compare(who, 5000, BATCH_MS).at(-1);
    expect(last?.atMs).toBeLessThanOrEqual(2 * BATCH_MS);
  });

  test("a worse network delays the ghost and not the truth", () => {
    const conditions = { latencyMs: { low: 60, high: 60 }, jitterMs: 0 };
    const who = actor();
    receive(who, [0, 0], new NetworkLink({ conditions, delivery: "ordered", random: createRandom(1) }));
    expect(who.batches.map(({ receivedMs, arrivesMs }) => arrivesMs - receivedMs)).toEqual([60, 60]);
    expect(who.truth(510)?.x).toBeCloseTo(51);
    who.advance(560, BATCH_MS, () => {});
    expect(who.ghost("linear")).toBeUndefined();
    who.advance(570 + 255, BATCH_MS, () => {});
    expect(who.ghost("linear")?.x).toBeCloseTo(25.5);
  });

  test("start again in another network where they should be, and receive later packets", () => {
    const who = actor();
    who.restartGhosts(BATCH_MS);
    receive(who, [0, 0]);
    compare(who, 1520, BATCH_MS);
    who.restartGhosts(BATCH_MS + 255);
    expect(who.ghost("native")?.x).toBeCloseTo(75.5, 0);
    who.receive(walk(3), 40, 1540, undefined);
    who.advance(3000, BATCH_MS, () => {});
    expect(who.ghost("native")).toMatchObject({ x: 153, source: "held" });
  });

  test("continue with the present after the page was suspended", () => {
    const who = actor();
    receive(who, [0]);
    compare(who, 600, BATCH_MS);
    const compared: Comparison[] = [];
    who.receive(walk(2), 40, 3_600_000, undefined);
    who.advance(3_600_000, BATCH_MS, (comparison) => compared.push(comparison));
    expect(compared.length).toBeLessThanOrEqual(1);
  });
});
