import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { impairedLine, parseImpairment } from "./impairment.ts";
import type { Line } from "./pipe.ts";

test("the line is read from its text", () => {
  expect(parseImpairment("seed=7,delay=80ms,jitter=20ms,stall=2s@30s")).toEqual({
    seed: 7,
    conditions: {
      latencyMs: { low: 80, high: 80 },
      jitterMs: 20,
      stall: { durationMs: 2000, everyMs: 30_000, regular: true },
    },
  });
});

test.each([
  ["", "'' is not seed=NUMBER"],
  ["seed=1", "nothing is impaired"],
  ["delay=80", "delay must be a time up to 60s, as 80ms or 2s, got '80'"],
  ["delay=61s", "delay must be a time up to 60s"],
  ["delay=1ms,delay=2ms", "delay is given twice"],
  ["loss=1", "'loss=1' is not seed=NUMBER"],
  ["stall=2s", "stall must be as 2s@30s"],
  ["stall=0ms@1s", "stall needs times above 0"],
  ["seed=-1,delay=1ms", "seed must be a whole number"],
])("%j is refused", (text, why) => {
  expect(() => parseImpairment(text)).toThrow(why);
});

interface Arrived {
  readonly atMs: number;
  readonly what: string;
}

/** The end of a line: what arrives, and whether it takes more. */
function receiver(clock: VirtualClock): { line: Line; arrived: Arrived[]; takes: { more: boolean } } {
  const arrived: Arrived[] = [];
  const takes = { more: true };
  const note = (what: string): void => void arrived.push({ atMs: clock.now(), what });
  const line: Line = {
    heldBytes: 0,
    push(bytes) {
      note(Buffer.from(bytes).toString());
      return takes.more;
    },
    drained: () => {},
    end: () => note("end"),
    reset: () => note("reset"),
    close: () => {},
  };
  return { line, arrived, takes };
}

test("bytes, ends and resets arrive late and in order, the same in every run of a seed", () => {
  const play = (seed: number): readonly Arrived[] => {
    const clock = new VirtualClock();
    const { line, arrived } = receiver(clock);
    const stage = impairedLine(parseImpairment(`seed=${seed},delay=80ms,jitter=20ms`), 1, clock);
    const late = stage("client", line, () => {});
    for (const word of ["a", "b", "c", "d"]) {
      late.push(Buffer.from(word));
      clock.advanceBy(5);
    }
    late.end();
    clock.advanceBy(200);
    return arrived;
  };
  const arrived = play(1);
  expect(arrived.map(({ what }) => what)).toEqual(["a", "b", "c", "d", "end"]);
  expect(arrived[0]?.atMs).toBeGreaterThanOrEqual(80);
  expect(arrived[0]?.atMs).toBeLessThanOrEqual(101);
  expect(play(1)).toEqual(arrived);
  expect(play(2)).not.toEqual(arrived);
});

test("a stalled line holds a limited number of bytes, and a receiver that takes no more is waited for", () => {
  const clock = new VirtualClock();
  const { line, arrived, takes } = receiver(clock);
  let drains = 0;
  const late = impairedLine(parseImpairment("delay=10ms"), 1, clock)("client", line, () => {
    drains += 1;
  });
  const piece = new Uint8Array(64 * 1024);
  expect([1, 2, 3, 4].map(() => late.push(piece))).toEqual([true, true, true, false]);
  takes.more = false;
  clock.advanceBy(50);
  expect([arrived.length, late.heldBytes, drains]).toEqual([1, 3 * piece.length, 0]);
  takes.more = true;
  late.drained();
  expect([arrived.length, late.heldBytes, drains]).toEqual([4, 0, 1]);
});
