import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scaled } from "../../../../testing/scale.ts";
import { formatHex, parseHex, WireError } from "../../../../wire/index.ts";
import { payloads, traces } from "../testing/vectors.ts";
import { mouseDialects } from "../wire/dialect.ts";
import { packetSpan, readMousePacket } from "../wire/packet.ts";
import { MouseRecorder } from "./recorder.ts";
import { type MousePacketSummary, type MousePoint, MouseTracker } from "./tracker.ts";

interface Arrival {
  readonly hex: string;
  readonly arrivedMs?: number;
}

function follow(packets: readonly (string | Arrival)[], dialect = "client", tracker = new MouseTracker({ dialect })) {
  const points: MousePoint[] = [];
  const summaries: MousePacketSummary[] = packets.map((packet) => {
    const { hex, arrivedMs } = typeof packet === "string" ? { hex: packet, arrivedMs: undefined } : packet;
    return tracker.read(parseHex(hex), (point) => points.push({ ...point }), arrivedMs);
  });
  return { points, summaries, tracker };
}

const places = (points: readonly MousePoint[]): (readonly [number, number])[] => points.map(({ x, y }) => [x, y]);

describe("the real writer's traces", () => {
  it.each(traces.map((trace) => [trace.id, trace.kind, trace] as const))("trace %i, %s", (_id, kind, trace) => {
    const { points } = follow(trace.packets);
    if (kind === "quirk-backwards-clock") return;
    expect(points).toHaveLength(trace.positions.length);
    expect(points.every(({ known }) => known)).toBe(true);
    expect(points.map(({ first }) => first)).toEqual(points.map((_, index) => index === 0));
    for (const [index, { dt }] of points.entries()) expect(dt).toBe((trace.positions[index]?.[2] as number) & 0x1fff);
    // What the other quirks meant is not in their bytes (standard 5.4).
    if (kind.startsWith("quirk") && kind !== "quirk-dt-wrap") return;
    expect(places(points)).toEqual(trace.positions.map(([x, y]) => [x, y]));
  });

  it.each(
    traces.filter(({ kind }) => !kind.startsWith("quirk")).map((trace) => [trace.id, trace.kind, trace] as const),
  )("trace %i, %s: every packet's last time is exact, and the others are within a cycle", (_id, _kind, trace) => {
    let last = "-1 -1";
    const times = trace.samples.flatMap(([x, y, timeMs]) => {
      const place = `${Math.min(Math.max(x, -1), 65_534)} ${Math.min(Math.max(y, -1), 65_534)}`;
      if (place === last) return [];
      last = place;
      return [timeMs];
    });
    const { points } = follow(trace.packets);
    let index = 0;
    for (const records of trace.recordsPerPacket) {
      for (const point of points.slice(index, index + records)) {
        // At most 19 ms a record, of which the mean is known.
        expect(Math.abs(point.atMs - ((times[index] as number) - (times[0] as number)))).toBeLessThan(19 * 30);
        index += 1;
      }
      expect(points[index - 1]?.atMs).toBe((times[index - 1] as number) - (times[0] as number));
    }
    for (const [at, point] of points.entries()) {
      expect(point.sinceMs).toBe(at === 0 ? 0 : point.atMs - (points[at - 1]?.atMs as number));
      expect(point.sinceMs).toBeGreaterThanOrEqual(0);
    }
  });
});

describe("position unknown", () => {
  it("until the first record that carries a place; offsets before it count from an unknown one", () => {
    // Small (5,0), medium (10,10), then large quick (700,500), small (1,0).
    const { points } = follow(["0000 5960 828a8a", "0000 c201f402bc 5860"]);
    expect(points.map(({ x, y, known }) => ({ x, y, known }))).toEqual([
      { x: 5, y: 0, known: false },
      { x: 15, y: 10, known: false },
      { x: 700, y: 500, known: true },
      { x: 701, y: 500, known: true },
    ]);
  });

  it("again after a new login: the process may be another", () => {
    const { tracker } = follow(["0000 ffff000a000a"]);
    expect(tracker.known).toBe(true);
    tracker.relogin();
    const { points } = follow(["0000 5860", "0000 ffff00100010", "0000 5860"], "client", tracker);
    expect(points.map(({ known, first }) => ({ known, first }))).toEqual([
      { known: false, first: false },
      { known: true, first: true },
      { known: true, first: false },
    ]);
    expect(points.at(-1)).toMatchObject({ x: 17, y: 16 });
  });

  it("the outside mark is a place", () => {
    const { points } = follow(["0000 5860 c280000000"]);
    expect(points[1]).toMatchObject({ x: -1, y: -1, known: true, outside: true });
  });

  it("documented begins at (-1,-1) (standard 7.1)", () => {
    const { points } = follow(["0000 c0012d0191 2142", "0000 c280000000 8281ff"], "documented");
    expect(places(points)).toEqual([
      [400, 300],
      [405, 302],
      [-1, -1],
      [0, 126],
    ]);
    expect(points.map(({ outside, first }) => [outside, first])).toEqual([
      [false, false],
      [false, false],
      [true, false],
      [false, false],
    ]);
  });
});

describe("outside and drift", () => {
  it("a relative record may land outside without the mark", () => {
    const { points } = follow(["0800 ffff000a000a 2555 c201f402bc"]);
    expect(points.map(({ outside, drift }) => [outside, drift])).toEqual([
      [false, "none"],
      [true, "none"],
      [false, "none"],
    ]);
  });

  it("after the mark one coordinate may have been inside: relative places may be off until the next absolute one", () => {
    const trace = traces.find(({ kind }) => kind === "quirk-partial-sentinel-then-relative");
    const { points } = follow(trace?.packets ?? []);
    expect(points.map(({ drift }) => drift)).toEqual(["none", "none", "none", "possible", "possible"]);
    // The pointer was at (20,255) and (40,260).
    expect(places(points).slice(3)).toEqual([
      [20, 4],
      [40, 9],
    ]);
    const after = traces.find(({ kind }) => kind === "quirk-partial-sentinel");
    expect(follow([...(after?.packets ?? []), "0000 c201f402bc 5860"]).points.at(-1)?.drift).toBe("none");
  });

  it("a process that begins half outside drifts too", () => {
    const trace = traces.find(({ kind }) => kind === "quirk-first-is-outside-by-x");
    expect(follow(trace?.packets ?? []).points.map(({ first, drift }) => [first, drift])).toEqual([
      [true, "none"],
      [false, "possible"],
      [false, "possible"],
    ]);
  });

  it("records lost with a damaged packet make the drift certain", () => {
    const { points, summaries } = follow(["fb00 ffff000a000a e860", "0000 5860", "0000 c201f402bc", "0000 5860"]);
    expect(summaries[0]).toMatchObject({ records: 1, cutBytes: 2 });
    expect(points.map(({ known, drift }) => [known, drift])).toEqual([
      [true, "none"],
      [true, "certain"],
      [true, "none"],
      [true, "none"],
    ]);
  });
});

describe("time", () => {
  it("what whole cycles leave over is spread over the records, the first of the process excepted", () => {
    const { points, summaries } = follow(["0800 ffff012c0190 295e 82df1e c200c80384 e05c00c90384"]);
    // Truly 0, 50, 100, 150, 2000.
    expect(points.map(({ atMs }) => atMs)).toEqual([0, 50, 100, 150, 2000]);
    expect(summaries[0]).toEqual({ records: 5, spanMs: 2000, timeWindow: 0, meanResidueMs: 10, cutBytes: 0 });
  });

  it("a session that was running counts from its first packet's start", () => {
    expect(follow(["0a00 295e 295e"]).points.map(({ atMs, sinceMs }) => [atMs, sinceMs])).toEqual([
      [50, 50],
      [100, 50],
    ]);
  });

  it("a full record may hide a pause of 163.84 s, and one that would have fitted a shorter form does", () => {
    const { points, summaries } = follow(["0000 ffff000a000a e000000a000b 3860 e05c00c90384"]);
    expect(points.map(({ pause }) => pause)).toEqual(["none", "certain", "none", "possible"]);
    expect(points.map(({ atMs }) => atMs)).toEqual([0, 163_840, 163_900, 165_740]);
    // The packet's own word knows nothing of it.
    expect(summaries[0]?.spanMs).toBe(1900);
  });

  it("times of arrival tell how long a pause was", () => {
    const packets = (gapMs: number): Arrival[] => [
      { hex: "0000 ffff000a000a", arrivedMs: 5000 },
      { hex: "0000 e05c00c90384", arrivedMs: 5000 + gapMs },
    ];
    expect(follow(packets(1900)).tracker.atMs).toBe(1840);
    // 2.5 s of network more or less change nothing.
    expect(follow(packets(163_840 + 1840 + 2500)).tracker.atMs).toBe(163_840 + 1840);
    expect(follow(packets(3 * 163_840)).tracker.atMs).toBe(3 * 163_840 + 1840);
  });

  it("8191 is the first of a process where a packet begins, and a time elsewhere", () => {
    const { points, summaries } = follow(["0000 5860", "0000 ffff000a000a ffff000b000b"]);
    expect(points.map(({ first }) => first)).toEqual([false, true, false]);
    expect(points.map(({ sinceMs }) => sinceMs)).toEqual([100, 0, 163_820]);
    expect(summaries[1]?.spanMs).toBe(163_820);
  });

  it("documented: cycles, and the document's window", () => {
    const { points, summaries } = follow(["0901 c0012d0191 2142 e1f400050005"], "documented");
    expect(points.map(({ atMs, pause }) => [atMs, pause])).toEqual([
      [0, "none"],
      [40, "none"],
      [10_040, "none"],
    ]);
    expect(summaries[0]).toEqual({ records: 3, spanMs: 560, timeWindow: 28, meanResidueMs: 0, cutBytes: 0 });
  });
});

describe("refusals change nothing", () => {
  it.each(mouseDialects.map(({ name }) => name))("%s: bits flipped in every vector, before the next one", (dialect) => {
    const state = (tracker: MouseTracker): object => {
      const points: MousePoint[] = [];
      tracker.read(parseHex(dialect === "native" ? "0000 5860 00" : "0000 5860"), (point) => points.push({ ...point }));
      return points;
    };
    let refused = 0;
    for (const payload of payloads) {
      for (let bit = 0; bit < payload.length * 8; bit++) {
        const damaged = payload.slice();
        damaged[bit >> 3] = (payload[bit >> 3] as number) ^ (1 << (bit & 7));
        const tracker = new MouseTracker({ dialect, strict: true });
        const twin = new MouseTracker({ dialect, strict: true });
        try {
          tracker.read(damaged);
          continue;
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          refused += 1;
        }
        expect(state(tracker)).toEqual(state(twin));
      }
    }
    expect(refused).toBeGreaterThan(100);
  });

  it("also of what was known and when", () => {
    const { tracker } = follow(
      ["0800 ffff012c0190 295e"],
      "client",
      new MouseTracker({ dialect: "client", strict: true }),
    );
    for (const hex of ["", "00", "0000 295e e8", "0000 c200c80384 a000", "00".repeat(300)]) {
      expect(() => tracker.read(parseHex(hex))).toThrow(WireError);
    }
    const { points } = follow(["0000 2820"], "client", tracker);
    expect(points).toEqual([
      expect.objectContaining({ x: 405, y: 298, known: true, drift: "none", atMs: 96, sinceMs: 40 }),
    ]);
  });
});

it("several sessions do not touch each other", () => {
  const alone = traces.map(({ packets }) => follow(packets).points);
  const trackers = traces.map(() => new MouseTracker({ dialect: "client" }));
  const together: MousePoint[][] = traces.map(() => []);
  for (let turn = 0; turn < 20; turn++) {
    for (const [index, { packets }] of traces.entries()) {
      const hex = packets[turn];
      if (hex !== undefined) trackers[index]?.read(parseHex(hex), (point) => together[index]?.push({ ...point }));
    }
  }
  expect(together).toEqual(alone);
});

it("a server that comes late sees the same path from the first place on", () => {
  for (const { packets } of traces.filter(({ kind }) => !kind.startsWith("quirk"))) {
    const whole = follow(packets).points;
    const late = follow(packets.slice(1)).points;
    const offset = whole.length - late.length;
    for (const [index, point] of late.entries()) {
      const { x, y } = whole[offset + index] as MousePoint;
      if (point.known) expect([point.x, point.y]).toEqual([x, y]);
    }
  }
});

it("what the recorder of each dialect writes is followed", () => {
  for (const { name } of mouseDialects) {
    const recorder = new MouseRecorder({ dialect: name });
    const samples = Array.from({ length: 400 }, (_, index) => [(index * 37) % 700, (index * 91) % 500, index * 60]);
    const packets: string[] = [];
    for (const [x, y, ms] of samples as [number, number, number][]) {
      recorder.sample(x, y, ms, 0);
      for (const payload of recorder.cycle(ms % 4200 === 0)) packets.push(formatHex(payload));
    }
    packets.push(...recorder.flush().map((payload) => formatHex(payload)));
    packets.push(...recorder.flush().map((payload) => formatHex(payload)));
    const { points } = follow(packets, name);
    expect(places(points)).toEqual(samples.map(([x, y]) => [x, y]));
    expect(points.at(-1)?.atMs).toBe(399 * 60);
  }
});

it("its words on a packet are those of the packet alone, whatever the bytes", () => {
  fc.assert(
    fc.property(fc.constantFrom(...mouseDialects), fc.uint8Array({ minLength: 2, maxLength: 80 }), (rules, bytes) => {
      const packet = readMousePacket(rules.name, bytes);
      const tracker = new MouseTracker({ dialect: rules.name });
      const points: MousePoint[] = [];
      const summary = tracker.read(bytes, (point) => points.push({ ...point }));
      expect(summary.records).toBe(packet.records.length);
      expect(summary.cutBytes).toBe(packet.cut.length);
      const window = rules.header === "window";
      expect(window ? summary.timeWindow : summary.spanMs).toBe(packetSpan(rules, packet));
      expect(points.map(({ form, dt, button, index }) => [form, dt, button, index])).toEqual(
        packet.records.map(({ form, dt, button }, index) => [form, dt, button, index]),
      );
      // Times add up to the span, but for the pauses that are known to have come round.
      const pausesMs = points.filter(({ pause }) => pause === "certain").length * 163_840;
      const cyclesMs = packet.records.reduce((sum, { dt }) => sum + dt * 20, 0);
      const wantedMs = window ? cyclesMs : summary.spanMs + pausesMs;
      const timed = points.some(({ first }) => !first);
      expect(tracker.atMs).toBe(timed ? wantedMs : 0);
    }),
    { numRuns: scaled(2000, 100) },
  );
});
