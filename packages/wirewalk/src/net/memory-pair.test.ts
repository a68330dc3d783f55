import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import { systemClock } from "./clock.ts";
import { type MemoryPairOptions, memoryPair } from "./memory-pair.ts";
import type { NetworkConditions } from "./network-conditions.ts";
import { describeTransport } from "./testing/transport-suite.ts";
import { VirtualClock } from "./virtual-clock.ts";

const bad: NetworkConditions = {
  latencyMs: { low: 20, high: 300 },
  jitterMs: 40,
  stall: { everyMs: 1000, durationMs: 500 },
  loss: { rate: 0.05, burst: 4 },
};

function describePair(name: string, options: Omit<MemoryPairOptions, "clock">): void {
  describeTransport(`a pair in memory, ${name}`, () => {
    const clock = new VirtualClock();
    const [near, far] = memoryPair({ clock, ...options });
    return { near, far, turn: () => clock.advanceBy(1000) };
  });
}

for (const carrier of ["stream", "message"] as const) {
  describeTransport(`a pair in memory, ${carrier}, on the machine's clock`, () => {
    const [near, far] = memoryPair({ clock: systemClock, carrier });
    return { near, far };
  });
  describePair(carrier, { carrier });
  describePair(`${carrier}, over a bad network`, { carrier, network: { conditions: bad, random: createRandom(1) } });
}
describePair("stream, cut", { carrier: "stream", cuts: createRandom(2) });
describePair("stream, cut, over a bad network", {
  carrier: "stream",
  cuts: createRandom(3),
  network: { conditions: bad, random: createRandom(4) },
});

/** What the far end of a pair receives, with the time of each arrival. */
function run(
  options: Omit<MemoryPairOptions, "clock">,
  sends: readonly { atMs: number; bytes: Uint8Array }[],
): { atMs: number; bytes: number[] }[] {
  const clock = new VirtualClock();
  const [near, far] = memoryPair({ clock, ...options });
  const received: { atMs: number; bytes: number[] }[] = [];
  far.listen({ bytes: (bytes) => received.push({ atMs: clock.now(), bytes: [...bytes] }), closed: () => {} });
  clock.advanceBy(0);
  for (const { atMs, bytes } of sends) clock.after(atMs, () => near.send(bytes));
  clock.advanceTo(300_000);
  return received;
}

const sendsOf = fc.array(
  fc.record({ atMs: fc.integer({ min: 0, max: 5000 }), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
  { maxLength: 30 },
);

describe("a pair in memory", () => {
  test("without a network, what is sent arrives at the same time, in a turn of its own", () => {
    expect(run({ carrier: "message" }, [{ atMs: 7, bytes: new Uint8Array([1]) }])).toEqual([{ atMs: 7, bytes: [1] }]);
  });

  test("a cut stream splits and glues", () => {
    const sends = Array.from({ length: 50 }, (_, atMs) => ({ atMs, bytes: new Uint8Array(10).fill(atMs) }));
    const received = run({ carrier: "stream", cuts: createRandom(5) }, sends);
    expect(received.some(({ bytes }) => bytes.length < 10)).toBe(true);
    expect(received.some(({ bytes }) => new Set(bytes).size > 1)).toBe(true);
  });

  test("a stream carries every byte in order over any network, and the same seed the same way", () => {
    fc.assert(
      fc.property(fc.integer(), sendsOf, (seed, unsorted) => {
        const sends = unsorted.toSorted((a, b) => a.atMs - b.atMs);
        const again = () => ({
          carrier: "stream" as const,
          cuts: createRandom(seed),
          network: { conditions: bad, random: createRandom(seed + 1) },
        });
        const received = run(again(), sends);
        expect(received.flatMap(({ bytes }) => bytes)).toEqual(sends.flatMap(({ bytes }) => [...bytes]));
        expect(run(again(), sends)).toEqual(received);
      }),
    );
  });

  test("datagrams get lost, doubled and overtaken, and are never cut", () => {
    const sends = Array.from({ length: 300 }, (_, index) => ({
      atMs: index * 20,
      bytes: new Uint8Array([index >> 8, index]),
    }));
    const conditions = { ...bad, duplicate: 0.1, reorder: 0.2 };
    const network = { conditions, random: createRandom(6), delivery: "datagram" as const };
    const numbers = run({ carrier: "message", network }, sends).map(
      ({ bytes: [high = 0, low = 0] }) => high * 256 + low,
    );
    const distinct = new Set(numbers);
    expect(distinct.size).toBeLessThan(300);
    expect(distinct.size).toBeGreaterThan(200);
    expect(numbers.length).toBeGreaterThan(distinct.size);
    expect(numbers.some((number, index) => number < (numbers[index - 1] ?? 0))).toBe(true);
  });

  test("the end comes after every datagram, however late", () => {
    const conditions = { latencyMs: { low: 50, high: 50 }, jitterMs: 0, duplicate: 1, reorder: 1 };
    for (let seed = 0; seed < 20; seed++) {
      const clock = new VirtualClock();
      const network = { conditions, random: createRandom(seed), delivery: "datagram" as const };
      const [near, far] = memoryPair({ clock, carrier: "message", network });
      const calls: (number | string)[] = [];
      far.listen({ bytes: ([first = 0]) => calls.push(first), closed: (reason) => calls.push(reason) });
      near.send(new Uint8Array([1]));
      near.close("done");
      clock.advanceTo(1000);
      expect(calls).toEqual([1, 1, "done"]);
    }
  });

  test("the two directions have luck of their own, and so have two pairs of one generator", () => {
    const clock = new VirtualClock();
    const random = createRandom(7);
    const arrivals: number[] = [];
    for (let pairs = 0; pairs < 2; pairs++) {
      const [near, far] = memoryPair({ clock, carrier: "stream", network: { conditions: bad, random } });
      for (const end of [near, far]) end.listen({ bytes: () => arrivals.push(clock.now()), closed: () => {} });
      for (const end of [near, far]) end.send(new Uint8Array([1]));
    }
    clock.advanceTo(60_000);
    expect(new Set(arrivals).size).toBe(4);
  });

  test("a message carrier sends the reason of a close, a stream cannot", () => {
    for (const [carrier, reason] of [
      ["message", "done"],
      ["stream", "closed by peer"],
    ] as const) {
      const clock = new VirtualClock();
      const [near, far] = memoryPair({ clock, carrier });
      const calls: string[] = [];
      far.listen({ bytes: () => {}, closed: (why) => calls.push(why) });
      near.close("done");
      clock.advanceBy(0);
      expect(calls).toEqual([reason]);
    }
  });

  test("what is on its way counts as queued", () => {
    const clock = new VirtualClock();
    const conditions = { latencyMs: { low: 50, high: 50 }, jitterMs: 0 };
    const [near] = memoryPair({ clock, carrier: "stream", network: { conditions, random: createRandom(8) } });
    near.send(new Uint8Array(10));
    clock.advanceTo(49);
    expect(near.queuedBytes).toBe(10);
    clock.advanceTo(50);
    expect(near.queuedBytes).toBe(0);
  });

  test("what cannot be is refused", () => {
    const clock = new VirtualClock();
    const network = { conditions: bad, random: createRandom(1), delivery: "datagram" as const };
    expect(() => memoryPair({ clock, carrier: "stream", network })).toThrow(RangeError);
    expect(() => memoryPair({ clock, carrier: "message", cuts: createRandom(1) })).toThrow(RangeError);
  });
});
