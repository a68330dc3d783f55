import { describe, expect, it } from "vitest";
import { formatHex } from "../../../../wire/index.ts";
import { MouseSampler, mouseButtons } from "./sampler.ts";
import { type MousePoint, MouseTracker } from "./tracker.ts";

function follow(dialect: string, payloads: readonly Uint8Array[]): MousePoint[] {
  const tracker = new MouseTracker({ dialect, strict: true });
  const points: MousePoint[] = [];
  for (const payload of payloads) tracker.read(payload, (point) => points.push({ ...point }));
  return points;
}

describe("the client's rhythm", () => {
  it("samples every 50 ms, flushes every two seconds of movement", () => {
    const sampler = new MouseSampler({ dialect: "client", startMs: 0 });
    const sentAt: number[] = [];
    const payloads: Uint8Array[] = [];
    for (let now = 0; now <= 8000; now += 4) {
      sampler.move(now / 10, now / 20, now);
      const sent = sampler.step(now);
      if (sent.length > 0) sentAt.push(now);
      payloads.push(...sent);
    }
    // 40 samples from 0 on, then 39 more each time.
    expect(sentAt).toEqual([1960, 3900, 5860, 7800]);
    const points = follow("client", payloads);
    expect(points.length).toBe(157);
    for (const { sinceMs } of points.slice(1)) expect([40, 60]).toContain(Math.round(sinceMs / 20) * 20);
  });

  it("a click sends at once, and nothing where nothing has changed", () => {
    const sampler = new MouseSampler({ dialect: "client", startMs: 0 });
    sampler.move(400, 300, 0);
    sampler.press(mouseButtons.left);
    expect(sampler.step(0).map((payload) => formatHex(payload, { separator: "" }))).toEqual(["0000ffff012c0190"]);
    sampler.press(mouseButtons.left);
    expect(sampler.step(20)).toEqual([]);
  });

  it("leaving the window is (-1,-1)", () => {
    const sampler = new MouseSampler({ dialect: "client", startMs: 0 });
    const payloads: Uint8Array[] = [];
    const turns = [() => sampler.move(400, 300, 0), () => sampler.leave(60), () => sampler.move(200, 100, 120)];
    for (const [turn, act] of turns.entries()) {
      act();
      payloads.push(...sampler.step(turn * 60));
    }
    sampler.press(mouseButtons.right);
    payloads.push(...sampler.step(200));
    expect(follow("client", payloads).map(({ x, y, outside }) => [x, y, outside])).toEqual([
      [400, 300, false],
      [-1, -1, true],
      [200, 100, false],
    ]);
  });

  it("while not logged in, samples are lost", () => {
    const sampler = new MouseSampler({ dialect: "client", startMs: 0 });
    sampler.loggedIn = false;
    for (let now = 0; now < 5000; now += 20) {
      sampler.move(now, 5, now);
      expect(sampler.step(now)).toEqual([]);
    }
    expect(sampler.recorder.waiting).toBe(0);
  });

  it("what a process slept through was never sampled", () => {
    const sampler = new MouseSampler({ dialect: "client", startMs: 0 });
    sampler.move(5, 5, 0);
    sampler.step(0);
    sampler.move(9, 9, 3_600_000);
    const points = follow("client", sampler.step(3_600_000));
    expect(points.map(({ x, y }) => [x, y])).toEqual([
      [5, 5],
      [9, 9],
    ]);
  });

  it("native carries the last button, documented the click", () => {
    const native = new MouseSampler({ dialect: "native", startMs: 0 });
    const documented = new MouseSampler({ dialect: "documented", startMs: 0 });
    const sent: { native: Uint8Array[]; documented: Uint8Array[] } = { native: [], documented: [] };
    for (let now = 0; now <= 400; now += 20) {
      for (const [name, sampler] of Object.entries({ native, documented })) {
        sampler.move(100 + (now >= 300 ? 10 : 0), 100, now);
        if (now === 200 || now === 400) sampler.press(mouseButtons.right);
        sent[name as keyof typeof sent].push(...sampler.step(now));
      }
    }
    expect(follow("native", sent.native).map(({ x, button }) => [x, button])).toEqual([
      [100, 0],
      [110, 8],
    ]);
    // Both clicks are records where nothing moved.
    expect(follow("documented", sent.documented).map(({ x, atMs }) => [x, atMs])).toEqual([
      [100, 0],
      [100, 200],
      [110, 300],
      [110, 400],
    ]);
  });
});
