import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHex } from "../../../../wire/index.ts";
import { traces } from "../testing/vectors.ts";
import { MAX_WAITING_SAMPLES, MouseRecorder, type MouseRecorderOptions } from "./recorder.ts";
import { type MousePoint, MouseTracker } from "./tracker.ts";

type Sample = readonly [x: number, y: number, timeMs: number, button?: number];

const hex = (payloads: readonly Uint8Array[]): string[] => payloads.map((each) => formatHex(each, { separator: "" }));

function record(
  samples: readonly Sample[],
  flushAfter: readonly number[],
  options: MouseRecorderOptions = { dialect: "client" },
): Uint8Array[] {
  const recorder = new MouseRecorder(options);
  return samples.flatMap((sample, index) => {
    recorder.sample(...sample);
    return flushAfter.filter((after) => after === index).flatMap(() => recorder.flush());
  });
}

function follow(dialect: string, payloads: readonly Uint8Array[]): MousePoint[] {
  const tracker = new MouseTracker({ dialect });
  const points: MousePoint[] = [];
  for (const payload of payloads) tracker.read(payload, (point) => points.push({ ...point }));
  return points;
}

describe("byte for byte the real writer", () => {
  it.each(traces.map((trace) => [trace.id, trace.kind, trace] as const))("trace %i, %s", (_id, _kind, trace) => {
    const recorder = new MouseRecorder({ dialect: "client" });
    const packets: string[] = [];
    const packetOfFlush: number[] = [];
    trace.samples.forEach((sample, index) => {
      recorder.sample(...sample);
      for (const after of trace.flushAfter) {
        if (after !== index) continue;
        const [payload] = hex(recorder.flush());
        packetOfFlush.push(payload === undefined ? -1 : packets.length);
        if (payload !== undefined) packets.push(payload);
      }
    });
    expect(packets).toEqual(trace.packets);
    expect(packetOfFlush).toEqual(trace.packetOfFlush);
  });

  // The table of standard 3.2.
  it.each<[string, Sample[], number[], string[]]>([
    [
      "all four forms",
      [
        [400, 300, 1000],
        [405, 298, 1050],
        [500, 200, 1100],
        [900, 200, 1150],
        [900, 201, 3000],
      ],
      [4],
      ["0800 ffff012c0190 295e 82df1e c200c80384 e05c00c90384"],
    ],
    [
      "the borders of small and medium",
      [
        [100, 100, 1000],
        [68, 131, 1159],
        [99, 99, 1320],
      ],
      [2],
      ["0602 ffff00640064 703f 889f60"],
    ],
    [
      "outside, and half outside",
      [
        [10, 10, 1000],
        [-1, -1, 1050],
        [700, 500, 1100],
        [-5, 250, 1150],
        [700, 250, 1200],
      ],
      [4],
      ["0800 ffff000a000a 2555 c201f402bc c280000000 c200fa02bc"],
    ],
    [
      "a pause that comes round",
      [
        [10, 10, 1000],
        [11, 10, 164_840],
        [12, 10, 164_900],
      ],
      [2],
      ["0000 ffff000a000a e000000a000b 3860"],
    ],
    [
      "a clock that goes back",
      [
        [10, 10, 5000],
        [11, 10, 4950],
      ],
      [1],
      ["fb00 ffff000a000a e860"],
    ],
    [
      "a place that is the outside mark",
      [
        [5, 5, 1000],
        [0, 32_768, 1050],
      ],
      [1],
      ["0500 ffff00050005 c280000000"],
    ],
    [
      "duplicates and two flushes",
      [
        [5, 5, 1000],
        [5, 5, 1050],
        [6, 5, 1100],
        [6, 5, 1150],
        [7, 5, 1200],
      ],
      [2, 4],
      ["0000 ffff00050005 5860", "0000 5860"],
    ],
  ])("%s", (_name, samples, flushAfter, wanted) => {
    expect(hex(record(samples, flushAfter))).toEqual(wanted.map((text) => text.replaceAll(" ", "")));
  });

  it("native: the button after each record", () => {
    const samples: Sample[] = [
      [400, 300, 1000, 0],
      [405, 298, 1050, 2],
      [500, 200, 1100, 14],
    ];
    expect(hex(record(samples, [2], { dialect: "native" }))).toEqual(["0602ffff012c019000295e0282df1e0e"]);
  });

  it("documented: offsets from (-1,-1), time 0 first, window in cycles", () => {
    const samples: Sample[] = [
      [400, 300, 1000],
      [405, 302, 1040],
      [404, 302, 1060],
      [804, 302, 2060],
      [804, 301, 2080],
      [-1, -1, 2100],
    ];
    // Cycles 2 + 1 + 50 + 1 + 1 = 55, over six records.
    const wanted = "0901 c0012d0191 2142 817f80 e03200000190 81807f c180000000";
    expect(hex(record(samples, [5], { dialect: "documented" }))).toEqual([wanted.replaceAll(" ", "")]);
  });

  it("documented: a click is a record even where nothing moved", () => {
    const recorder = new MouseRecorder({ dialect: "documented" });
    recorder.sample(-1, -1, 0);
    recorder.sample(-1, -1, 20, 1);
    expect(hex(recorder.flush())).toEqual(["00000000"]);
  });

  it("documented: what does not fit goes into another packet right after", () => {
    const samples = Array.from({ length: 300 }, (_, index): Sample => [index % 2 === 0 ? 500 : 100, index, index * 20]);
    const payloads = record(samples, [299], { dialect: "documented" });
    expect(payloads.length).toBe(7);
    expect(follow("documented", payloads).map(({ x, y }) => [x, y])).toEqual(samples.map(([x, y]) => [x, y]));
  });
});

describe("when packets are sent", () => {
  it("with a pressed button, or with 40 samples; the last one handled counts again", () => {
    const recorder = new MouseRecorder({ dialect: "client" });
    const flushedAt: number[] = [];
    for (let index = 0; index < 200; index++) {
      recorder.sample(index, 7, index * 50);
      if (recorder.cycle(false).length > 0) flushedAt.push(index);
    }
    expect(flushedAt).toEqual([39, 78, 117, 156, 195]);
    expect(recorder.cycle(true)).toHaveLength(1);
    expect(recorder.cycle(true)).toEqual([]);
    expect(recorder.waiting).toBe(1);
  });

  it("documented: every 40 cycles, whatever waits", () => {
    const recorder = new MouseRecorder({ dialect: "documented" });
    const flushedAt: number[] = [];
    for (let cycle = 1; cycle <= 120; cycle++) {
      if (cycle % 3 === 0) recorder.sample(cycle, 7, cycle * 20);
      if (recorder.cycle(cycle === 50).length > 0) flushedAt.push(cycle);
    }
    expect(flushedAt).toEqual([40, 50, 90]);
  });

  describe.each([
    ["client", 50],
    ["native", 50],
    ["documented", 20],
  ])("%s: of a pointer that rests", (dialect, sampleMs) => {
    /** When packets are sent in ten minutes after a login, in milliseconds. */
    function sentAfterLogin(recorder: MouseRecorder, x: number, y: number, loginMs: number): number[] {
      const sent: number[] = [];
      for (let ms = 20; ms <= 600_000; ms += 20) {
        if (Math.floor(ms / sampleMs) > Math.floor((ms - 20) / sampleMs)) recorder.sample(x, y, loginMs + ms);
        if (recorder.cycle(false).length > 0) sent.push(ms);
      }
      return sent;
    }

    it("the first packet comes within 2.1 s of the first login, and no other", () => {
      const sent = sentAfterLogin(new MouseRecorder({ dialect }), 400, 300, 0);
      expect(sent).toHaveLength(1);
      expect(sent[0]).toBeLessThanOrEqual(2100);
    });

    it("none comes where the client knows its place, or outside of the window", () => {
      const recorder = new MouseRecorder({ dialect });
      sentAfterLogin(recorder, 400, 300, 0);
      recorder.discard();
      expect(sentAfterLogin(recorder, 400, 300, 1_000_000)).toEqual([]);
      expect(sentAfterLogin(new MouseRecorder({ dialect }), -1, -1, 0)).toEqual([]);
    });
  });

  it("what does not fit waits for the next cycle, up to 500 samples", () => {
    const recorder = new MouseRecorder({ dialect: "client" });
    for (let index = 0; index < MAX_WAITING_SAMPLES + 100; index++) recorder.sample(index * 200, index % 2, index * 50);
    expect(recorder.waiting).toBe(MAX_WAITING_SAMPLES);
    const payloads: Uint8Array[] = [];
    for (let cycle = 0; cycle < 100; cycle++) payloads.push(...recorder.cycle(false));
    expect(payloads.every(({ length }) => length <= 251)).toBe(true);
    // The flush condition stops holding when fewer than 40 wait.
    expect(recorder.waiting).toBeLessThan(40);
    payloads.push(...recorder.flush());
    expect(follow("client", payloads).length).toBe(MAX_WAITING_SAMPLES);
  });

  it("while not logged in samples are lost, and the base stays", () => {
    const recorder = new MouseRecorder({ dialect: "client" });
    recorder.sample(10, 10, 1000);
    expect(hex(recorder.flush())).toEqual(["0000ffff000a000a"]);
    recorder.sample(20, 20, 1050);
    recorder.discard();
    recorder.sample(12, 10, 1100);
    expect(hex(recorder.flush())).toEqual(["000058a0"]);
  });
});

describe("the safe option", () => {
  const coordinate = fc.oneof(
    fc.integer({ min: 0, max: 900 }),
    fc.integer({ min: -9, max: 70_000 }),
    fc.constantFrom(-1, 0, 32_768),
  );
  const step = fc.oneof(
    fc.integer({ min: 0, max: 120 }),
    fc.integer({ min: -500, max: 0 }),
    fc.constantFrom(163_799, 163_800, 163_820, 163_840, 400_000),
  );
  const session = fc.array(fc.tuple(coordinate, coordinate, step, fc.boolean()), { maxLength: 90 });

  it.each(["client", "native"])("%s: every place is read as it was, and every time that fits", (dialect) => {
    fc.assert(
      fc.property(session, (steps) => {
        const recorder = new MouseRecorder({ dialect, safe: true });
        const tracker = new MouseTracker({ dialect, strict: true });
        const read: [number, number, number][] = [];
        const meant: [number, number, number][] = [];
        let atMs = 50_000;
        let lastMs: number | undefined;
        let clockMs = 0;
        let last = "-1 -1";
        const readAll = (): void => {
          for (const payload of recorder.flush()) {
            tracker.read(payload, ({ x, y, atMs, known, drift }) => {
              expect(known).toBe(true);
              read.push([x, y, atMs]);
              if (drift !== "none") expect(drift).toBe("possible");
            });
          }
        };
        for (const [x, y, stepMs, flush] of steps) {
          atMs += stepMs;
          recorder.sample(x, y, atMs);
          const outside = x < 0 || y < 0;
          const [cx, cy] = outside ? [-1, -1] : [Math.min(x, 65_534), Math.min(y, 65_534)];
          const place: [number, number] = cx === 0 && cy === 32_768 ? [0, 32_767] : [cx, cy];
          if (place.join(" ") !== last) {
            last = place.join(" ");
            const steady = Math.max(atMs, lastMs ?? atMs);
            const ms = steady - (lastMs ?? steady);
            clockMs += Math.min(ms - (ms % 20), 8190 * 20) + (ms % 20);
            lastMs = steady;
            meant.push([...place, clockMs]);
          }
          if (flush) readAll();
        }
        for (let rest = 0; rest < 40; rest++) readAll();
        expect(read.map(([x, y]) => [x, y])).toEqual(meant.map(([x, y]) => [x, y]));
        // The last record of a packet is exact; the last of all is the last of its packet.
        if (meant.length > 0) expect(read.at(-1)?.[2]).toBe(meant.at(-1)?.[2]);
      }),
    );
  });
});

it("refuses what is not a sample", () => {
  const recorder = new MouseRecorder({ dialect: "client" });
  expect(() => recorder.sample(0.5, 0, 0)).toThrow("x must be a whole number, got 0.5");
  expect(() => recorder.sample(0, Number.NaN, 0)).toThrow(RangeError);
  expect(() => recorder.sample(0, 0, Number.POSITIVE_INFINITY)).toThrow(RangeError);
  expect(() => recorder.sample(0, 0, 0, 256)).toThrow("button must be an integer in 0..255, got 256");
  expect(() => new MouseRecorder({ dialect: "java" })).toThrow("Unknown dialect java of osrs/mouse");
});

/** The writer of standard 5.3 in Java's arithmetic: 64-bit times, 32-bit counts, bytes cut to 8 bits. A trace's packets. */
function javaWriter(samples: readonly Sample[], flushAfter: readonly number[]): string[] {
  const int = (value: bigint): number => Number(BigInt.asIntN(32, value));
  const packets: string[] = [];
  let waiting: Sample[] = [];
  let [lastX, lastY] = [-1, -1];
  let lastTime: bigint | undefined;
  const flush = (): void => {
    const bytes: number[] = [];
    let [residues, records, handled] = [0, 0, 0];
    for (let i = 0; i < waiting.length && (records === 0 || bytes.length + 2 < 246); i++) {
      handled = i;
      const [rawX, rawY, ms] = waiting[i] as Sample;
      const x = Math.max(-1, Math.min(65_534, rawX));
      const y = Math.max(-1, Math.min(65_534, rawY));
      if (x === lastX && y === lastY) continue;
      let [dx, dy, dt] = [x, y, 0x7fffffff];
      if (lastTime !== undefined) {
        const passed = BigInt(ms) - lastTime;
        [dx, dy, dt] = [x - lastX, y - lastY, int(passed / 20n)];
        residues = int(BigInt(residues) + (passed % 20n));
      }
      const absolute = x === -1 || y === -1 ? [0x80, 0, 0, 0] : [y >> 8, y, x >> 8, x];
      if (dt < 8 && dx >= -32 && dx <= 31 && dy >= -32 && dy <= 31) {
        const word = int((BigInt(dt) << 12n) + (BigInt(dx + 32) << 6n) + BigInt(dy + 32));
        bytes.push(word >> 8, word);
      } else if (dt < 32 && dx >= -128 && dx <= 127 && dy >= -128 && dy <= 127)
        bytes.push(0x80 + dt, dx + 128, dy + 128);
      else if (dt < 32) bytes.push(0xc0 + dt, ...absolute);
      else bytes.push(0xe0 | ((dt & 0x1fff) >> 8), dt, ...absolute);
      [lastX, lastY, lastTime] = [x, y, BigInt(ms)];
      records += 1;
    }
    waiting = waiting.slice(handled);
    if (records === 0) return;
    const header = [int(BigInt(residues) / BigInt(records)), int(BigInt(residues) % BigInt(records))];
    packets.push([...header, ...bytes].map((byte) => (byte & 0xff).toString(16).padStart(2, "0")).join(""));
  };
  samples.forEach((sample, index) => {
    if (waiting.length < 500) waiting.push(sample);
    for (const after of flushAfter) if (after === index) flush();
  });
  return packets;
}

it("agrees with the writer of standard 5.3 in Java's arithmetic on any samples", () => {
  const coordinate = fc.oneof(
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: -300, max: 1200 }),
    fc.integer({ min: -70_000, max: 140_000 }),
    fc.constantFrom(-1, 0, 32_768, 65_534, 65_535),
  );
  const step = fc.oneof(
    fc.integer({ min: 0, max: 100 }),
    fc.integer({ min: -3000, max: 200_000 }),
    fc.integer({ min: -(10 ** 13), max: 10 ** 13 }),
  );
  const samples = fc.array(fc.tuple(coordinate, coordinate, step, fc.nat({ max: 40 })), {
    maxLength: 300,
    size: "max",
  });
  fc.assert(
    fc.property(samples, fc.integer({ min: 0, max: 2 ** 41 }), (steps, startMs) => {
      let timeMs = startMs;
      const trace = steps.map(([x, y, stepMs]): Sample => {
        timeMs += stepMs;
        return [x, y, timeMs];
      });
      const flushAfter = steps.flatMap(([, , , draw], index) =>
        draw === 0 ? [index, index] : draw === 1 ? [index] : [],
      );
      if (steps.length > 0) flushAfter.push(steps.length - 1);
      expect(hex(record(trace, flushAfter))).toEqual(javaWriter(trace, flushAfter));
    }),
    { numRuns: 500 },
  );
});
