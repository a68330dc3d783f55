import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import { type Delivery, type NetworkConditions, NetworkLink } from "./network-conditions.ts";

const calm: NetworkConditions = { latencyMs: { low: 50, high: 50 }, jitterMs: 0 };

function link(conditions: NetworkConditions, delivery: Delivery, seed: number): NetworkLink {
  return new NetworkLink({ conditions, delivery, random: createRandom(seed) });
}

const anyLoss = fc.record(
  { rate: fc.double({ min: 0, max: 0.45, noNaN: true }), burst: fc.double({ min: 1, max: 20, noNaN: true }) },
  { requiredKeys: ["rate"] },
);
const anyConditions: fc.Arbitrary<NetworkConditions> = fc.record(
  {
    latencyMs: fc.tuple(fc.nat(300), fc.nat(300)).map(([low, more]) => ({ low, high: low + more })),
    jitterMs: fc.nat(100),
    stall: fc.record({ everyMs: fc.integer({ min: 1, max: 5000 }), durationMs: fc.integer({ min: 1, max: 2000 }) }),
    loss: anyLoss,
    duplicate: fc.double({ min: 0, max: 1, noNaN: true }),
    reorder: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: ["latencyMs", "jitterMs"] },
);
const anySends = fc.array(fc.nat(10_000), { maxLength: 100 }).map((times) => times.sort((a, b) => a - b));

describe("a link", () => {
  test("in order: everything arrives once, in order, and no sooner than its latency", () => {
    fc.assert(
      fc.property(anyConditions, anySends, fc.integer(), (conditions, sends, seed) => {
        const stream = link(conditions, "ordered", seed);
        let last = Number.NEGATIVE_INFINITY;
        for (const nowMs of sends) {
          const arrivals = stream.send(nowMs);
          expect(arrivals).toHaveLength(1);
          const [arrivesMs = Number.NaN] = arrivals;
          expect(arrivesMs).toBeGreaterThanOrEqual(Math.max(last, nowMs + stream.latencyMs));
          last = arrivesMs;
        }
      }),
    );
  });

  test("of datagrams: each arrives at most twice, earliest first, no sooner than its latency", () => {
    fc.assert(
      fc.property(anyConditions, anySends, fc.integer(), (conditions, sends, seed) => {
        const datagrams = link(conditions, "datagram", seed);
        for (const nowMs of sends) {
          const arrivals = datagrams.send(nowMs);
          expect(arrivals.length).toBeLessThanOrEqual(2);
          expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
          for (const arrivesMs of arrivals) expect(arrivesMs).toBeGreaterThanOrEqual(nowMs + datagrams.latencyMs);
        }
      }),
    );
  });

  test("same seed, same sends: same arrivals", () => {
    const delivery = fc.constantFrom<Delivery>("ordered", "datagram");
    fc.assert(
      fc.property(anyConditions, delivery, anySends, fc.integer(), (conditions, how, sends, seed) => {
        const first = link(conditions, how, seed);
        const second = link(conditions, how, seed);
        expect(sends.map((ms) => first.send(ms))).toEqual(sends.map((ms) => second.send(ms)));
      }),
    );
  });

  test("the latency is drawn once, within its bounds, and differs from link to link", () => {
    const conditions = { latencyMs: { low: 20, high: 300 }, jitterMs: 0 };
    const latencies = Array.from({ length: 200 }, (_, seed) => {
      const one = link(conditions, "ordered", seed);
      expect([one.send(0), one.send(1000)]).toEqual([[one.latencyMs], [1000 + one.latencyMs]]);
      return one.latencyMs;
    });
    expect(Math.min(...latencies)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...latencies)).toBeLessThanOrEqual(300);
    expect(new Set(latencies).size).toBe(200);
  });

  test("jitter delays each packet by its own share", () => {
    const jittery = link({ ...calm, jitterMs: 30 }, "ordered", 1);
    const delays = Array.from({ length: 200 }, (_, index) => (jittery.send(index * 1000)[0] ?? 0) - index * 1000);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...delays)).toBeLessThan(80);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(25);
  });

  test("what is sent in a stall arrives as a burst after its end, and the stalls are as many as asked for", () => {
    const stalling = link({ ...calm, stall: { everyMs: 10_000, durationMs: 2000 } }, "ordered", 3);
    const bursts = new Map<number, number>();
    for (let nowMs = 0; nowMs < 3_600_000; nowMs += 100) {
      const [arrivesMs = 0] = stalling.send(nowMs);
      const delayMs = arrivesMs - nowMs - 50;
      expect(delayMs).toBeLessThanOrEqual(2000);
      if (delayMs > 0) bursts.set(arrivesMs, (bursts.get(arrivesMs) ?? 0) + 1);
    }
    // An hour holds 300 times 10 s + 2 s; each stall swallows what is sent every 100 ms of 2 s.
    expect(bursts.size).toBeGreaterThan(250);
    expect(bursts.size).toBeLessThan(350);
    const whole = [...bursts.values()].slice(0, -1);
    for (const packets of whole) expect(Math.abs(packets - 20)).toBeLessThanOrEqual(1);
  });

  test("the stalls stand where they stand, however much is sent and lost", () => {
    const stall = { everyMs: 500, durationMs: 200 };
    const busy = link({ ...calm, stall, loss: { rate: 0.3 }, duplicate: 0.5 }, "datagram", 4);
    const quiet = link({ ...calm, stall }, "datagram", 4);
    for (let nowMs = 0; nowMs < 20_000; nowMs += 10) {
      const [arrivesMs] = busy.send(nowMs);
      const [wanted] = nowMs % 50 === 0 ? quiet.send(nowMs) : [];
      if (arrivesMs !== undefined && wanted !== undefined) expect(arrivesMs).toBe(wanted);
    }
  });

  test.each([
    ["5 % at random", { rate: 0.05 }, 1 / 0.95],
    ["5 % in bursts of 4", { rate: 0.05, burst: 4 }, 4],
    ["30 % in bursts of 10", { rate: 0.3, burst: 10 }, 10],
    ["none", { rate: 0 }, Number.NaN],
  ])("loses %s", (_, loss, burst) => {
    const lossy = link({ ...calm, loss }, "datagram", 5);
    const packets = 200_000;
    let lost = 0;
    let bursts = 0;
    let wasLost = false;
    for (let index = 0; index < packets; index++) {
      const isLost = lossy.send(index).length === 0;
      if (isLost) lost += 1;
      if (isLost && !wasLost) bursts += 1;
      wasLost = isLost;
    }
    expect(Math.abs(lost / packets - loss.rate)).toBeLessThan(0.1 * loss.rate + 1e-9);
    if (lost > 0) expect(Math.abs(lost / bursts - burst)).toBeLessThan(0.1 * burst);
  });

  test("in order, loss becomes waiting, which all that follows shares", () => {
    const lossy = link({ ...calm, loss: { rate: 0.1 } }, "ordered", 6);
    const delays = Array.from({ length: 1000 }, (_, index) => (lossy.send(index * 20)[0] ?? 0) - index * 20);
    // Sent again after 200 ms, and the nine packets that came in the meantime waited for it.
    expect(delays).toContain(250);
    const first = delays.indexOf(250);
    expect(delays.slice(first, first + 10)).toEqual([250, 230, 210, 190, 170, 150, 130, 110, 90, 70]);
    expect(delays.filter((ms) => ms === 50).length).toBeGreaterThan(100);
  });

  test("regular stalls keep their distance, and no link's first one is that of another", () => {
    const stall = { everyMs: 10_000, durationMs: 2000, regular: true };
    const starts = [1, 2, 3].map((seed) => {
      const stalling = link({ ...calm, stall }, "ordered", seed);
      const ends = new Set<number>();
      for (let nowMs = 0; nowMs < 600_000; nowMs += 100) {
        const [arrivesMs = 0] = stalling.send(nowMs);
        if (arrivesMs - nowMs > 50) ends.add(arrivesMs);
      }
      const sorted = [...ends];
      for (let index = 1; index < sorted.length; index++) {
        const distanceMs = (sorted[index] as number) - (sorted[index - 1] as number);
        expect(distanceMs).toBeGreaterThanOrEqual(11_000);
        expect(distanceMs).toBeLessThanOrEqual(13_000);
      }
      expect(ends.size).toBeGreaterThan(45);
      return sorted[0];
    });
    expect(new Set(starts).size).toBe(3);
  });

  test("a link with a memory of 150 ms forgets its bursts: what is sent again is lost no more often than anything", () => {
    const loss = { rate: 0.05, burst: 3 };
    const longest = (memoryMs?: number): number => {
      const lossy = link({ ...calm, loss: { ...loss, ...(memoryMs === undefined ? {} : { memoryMs }) } }, "ordered", 9);
      let worstMs = 0;
      for (let nowMs = 0; nowMs < 1_000_000; nowMs += 25) {
        worstMs = Math.max(worstMs, (lossy.send(nowMs)[0] ?? 0) - nowMs - 50);
      }
      return worstMs;
    };
    // Eight losses of one packet; and, with chance 0.05 each, four or five of one.
    expect(longest()).toBe(200 * (2 ** 8 - 1));
    expect(longest(150)).toBeLessThanOrEqual(200 * (2 ** 5 - 1));
    // Packets that come seldom are lost independently.
    const seldom = link({ ...calm, loss: { ...loss, memoryMs: 150 } }, "datagram", 10);
    const lost = Array.from({ length: 100_000 }, (_, index) => seldom.send(index * 1000).length === 0);
    const pairs = lost.filter((isLost, index) => isLost && lost[index - 1]).length;
    expect(lost.filter(Boolean).length / lost.length).toBeCloseTo(0.05, 2);
    expect(pairs / lost.filter(Boolean).length).toBeLessThan(0.1);
  });

  test("a line carries so many bytes a second, headers included, and what waits is known", () => {
    const line = link({ ...calm, bytesPerSecond: 8000 }, "ordered", 8);
    expect(line.send(0, 360)).toEqual([100]);
    expect(line.send(10, 360)).toEqual([150]);
    expect(line.queuedBytes(10)).toBeCloseTo(720);
    expect(line.queuedBytes(1000)).toBe(0);
    expect(link(calm, "ordered", 8).queuedBytes(0)).toBe(0);
    expect(line.send(1000, 0)).toEqual([1055]);
  });

  test("a network that loses nearly everything still delivers a stream in the end", () => {
    const [arrivesMs = Number.NaN] = link({ ...calm, loss: { rate: 0.999_999 } }, "ordered", 7).send(0);
    expect(arrivesMs).toBe(50 + 200 * (2 ** 8 - 1));
  });

  test("datagrams are doubled and overtaken as often as asked for, and else keep their order in spite of jitter", () => {
    const odd = link({ ...calm, jitterMs: 40, duplicate: 0.1, reorder: 0.1 }, "datagram", 8);
    const steady = link({ ...calm, jitterMs: 40 }, "datagram", 8);
    let doubled = 0;
    let held = 0;
    let last = 0;
    let steadyLast = 0;
    for (let nowMs = 0; nowMs < 20_000; nowMs += 2) {
      const [arrivesMs = Number.NaN, again] = odd.send(nowMs);
      if (again !== undefined) doubled += 1;
      if (arrivesMs < last) held += 1;
      last = arrivesMs;
      const [steadyMs = Number.NaN] = steady.send(nowMs);
      expect(steadyMs).toBeGreaterThanOrEqual(steadyLast);
      steadyLast = steadyMs;
    }
    expect(Math.abs(doubled - 1000)).toBeLessThan(150);
    expect(held).toBeGreaterThan(300);
  });

  test.each([
    ["latency that ends before it starts", { latencyMs: { low: 2, high: 1 } }],
    ["negative latency", { latencyMs: { low: -1, high: 1 } }],
    ["negative jitter", { jitterMs: -1 }],
    ["a chance over 1", { duplicate: 1.1 }],
    ["no number", { reorder: Number.NaN }],
    ["stalls without end", { stall: { everyMs: 0, durationMs: 1 } }],
    ["losing everything", { loss: { rate: 1 } }],
    ["bursts of less than one", { loss: { rate: 0.1, burst: 0.5 } }],
    ["more loss than its bursts hold", { loss: { rate: 0.9, burst: 1 } }],
  ])("refuses %s", (_, wrong) => {
    expect(() => link({ ...calm, ...wrong }, "datagram", 1)).toThrow(RangeError);
  });
});
