import { describe, expect, it } from "vitest";
import { decodeLines, encodeLines, type LineResult, traceStream } from "../../../inspect/index.ts";
import type { PacketStream, StreamSetup } from "../../packet-stream.ts";
import { osrs } from "../osrs.ts";
import { traces } from "./testing/vectors.ts";

const mouse = osrs.streams.mouse as PacketStream;

const setup: StreamSetup = { dialect: "client", sender: "client", framed: false, options: {} };

/** What the command line would print. */
function print(result: LineResult): unknown {
  if ("text" in result) return JSON.parse(result.text);
  if ("json" in result) return JSON.parse(JSON.stringify({ ok: true, ...result.json }));
  return JSON.parse(JSON.stringify({ ok: false, error: result.error }));
}

function decode(lines: readonly string[], change: Partial<StreamSetup> = {}): unknown[] {
  const decoder = decodeLines(mouse, { ...setup, ...change });
  return [...lines.flatMap((line) => decoder.line(line)), ...decoder.end()].map(print);
}

function encode(lines: readonly (object | string)[], change: Partial<StreamSetup> = {}): unknown[] {
  const encoder = encodeLines(mouse, { ...setup, ...change });
  return lines
    .flatMap((line) => encoder.line(typeof line === "string" ? line : JSON.stringify(line)))
    .map((result) => print(result));
}

describe("decode", () => {
  it("a payload a line, absolute positions, one session", () => {
    expect(decode(["0000 5860", "0800 ffff012c0190 295e", "0000 c280000000"])).toEqual([
      {
        ok: true,
        value: {
          header: [0, 0],
          spanMs: 100,
          records: [{ form: "small", dt: 5, dx: 1, dy: 0, x: null, y: null, known: false, atMs: 100 }],
        },
      },
      {
        ok: true,
        value: {
          header: [8, 0],
          spanMs: 56,
          records: [
            { form: "full", dt: 8191, x: 400, y: 300, known: true, atMs: 100, first: true },
            { form: "small", dt: 2, dx: 5, dy: -2, x: 405, y: 298, known: true, atMs: 156 },
          ],
        },
      },
      {
        ok: true,
        value: {
          header: [0, 0],
          spanMs: 40,
          records: [{ form: "largeQuick", dt: 2, x: -1, y: -1, known: true, outside: true, atMs: 196 }],
        },
      },
    ]);
  });

  it("pauses, and places that are unknown after a record that was outside in one coordinate", () => {
    const lines = ["0000 ffff000a000a e000000a000b", "0000 c280000000 5860 c200c80384", "0000 e12c000a000a"];
    const values = decode(lines) as { value: { records: object[] } }[];
    expect(values.flatMap(({ value }) => value.records)).toMatchObject([
      { first: true, known: true, atMs: 0 },
      { pause: "certain", x: 11, y: 10, atMs: 163_840 },
      { outside: true, x: -1, y: -1, known: true },
      { form: "small", dx: 1, dy: 0, x: null, y: null, known: false, drift: "possible" },
      { x: 900, y: 200, known: true },
      { pause: "possible" },
    ]);
  });

  it("native has the button", () => {
    expect(decode(["0000 5860 0e"], { dialect: "native" })).toEqual([
      {
        ok: true,
        value: {
          header: [0, 0],
          spanMs: 100,
          records: [{ form: "small", dt: 5, dx: 1, dy: 0, x: null, y: null, known: false, button: 14, atMs: 100 }],
        },
      },
    ]);
  });

  it("documented has offsets and the document's window", () => {
    expect(decode(["0905 295e 82df1e c280000000 e05cffff0003"], { dialect: "documented" })).toEqual([
      {
        ok: true,
        value: {
          header: [9, 5],
          timeWindow: 41,
          records: [
            { form: "small", dt: 2, dx: 5, dy: 30, x: 4, y: 29, known: true, atMs: 40 },
            { form: "medium", dt: 2, dx: 95, dy: -98, x: 99, y: -69, known: true, outside: true, atMs: 80 },
            { form: "largeQuick", dt: 2, dx: -1, dy: -1, x: -1, y: -1, known: true, outside: true, atMs: 120 },
            { form: "full", dt: 92, dx: 3, dy: -1, x: 2, y: -2, known: true, atMs: 1960 },
          ],
        },
      },
    ]);
  });

  it("tolerant: a cut record ends the packet, not the session", () => {
    expect(decode(["fb00 ffff000a000a e860", "0000 5860", "0000 c200c80384"])).toEqual([
      {
        ok: true,
        value: {
          header: [-5, 0],
          spanMs: -5,
          records: [{ form: "full", dt: 8191, x: 10, y: 10, known: true, atMs: 0, first: true }],
          cut: "e860",
        },
      },
      {
        ok: true,
        value: {
          header: [0, 0],
          spanMs: 100,
          records: [
            { form: "small", dt: 5, dx: 1, dy: 0, x: null, y: null, known: false, atMs: 100, drift: "certain" },
          ],
        },
      },
      {
        ok: true,
        value: {
          header: [0, 0],
          spanMs: 40,
          records: [{ form: "largeQuick", dt: 2, x: 900, y: 200, known: true, atMs: 140 }],
        },
      },
    ]);
  });

  it("strict: it is refused, and the session stands where it stood", () => {
    const [first, second, third] = decode(["0000 ffff000a000a", "0000 c200c80384 e860", "0000 5860"], {
      options: { strict: true },
    });
    expect(first).toMatchObject({ ok: true });
    expect(second).toEqual({
      ok: false,
      error: {
        code: "truncated",
        message: "Cannot read records[1]: 6 bytes needed, 2 left at byte 7",
        bitOffset: 56,
        path: "records[1]",
      },
    });
    expect(third).toMatchObject({ value: { records: [{ x: 11, y: 10, known: true }] } });
  });

  it.each([["client"], ["native"], ["documented"]])("%s: what is not a payload is refused", (dialect) => {
    expect(decode(["", "00", "xy", "0"], { dialect })).toMatchObject([
      { ok: false, error: { code: "truncated" } },
      { ok: false, error: { code: "truncated" } },
      { ok: false, error: { code: "bad-hex" } },
      { ok: false, error: { code: "bad-hex" } },
    ]);
  });
});

describe("encode", () => {
  it("the vectors, as many lines as there are traces", () => {
    const lines = traces.map(({ samples, flushAfter }) => ({ samples, flushAfter }));
    expect(encode(lines)).toEqual(traces.map(({ packets }) => ({ packets })));
  });

  it("prints the packets alone", () => {
    const line = JSON.stringify({ samples: [[5, 5, 1000]], flushAfter: [0] });
    expect(encodeLines(mouse, setup).line(line)).toEqual([{ text: '{"packets":["0000ffff00050005"]}' }]);
  });

  it("a fourth number is the button", () => {
    const line = { samples: [[5, 5, 1000, 8]], flushAfter: [0, 0] };
    expect(encode([line], { dialect: "native" })).toEqual([{ packets: ["0000ffff0005000508"] }]);
    expect(encode([line], { dialect: "client" })).toEqual([{ packets: ["0000ffff00050005"] }]);
  });

  it.each<[object | string, string]>([
    ["{", ""],
    ["[]", ""],
    [{ flushAfter: [] }, "samples"],
    [{ samples: [] }, "flushAfter"],
    [{ samples: [], flushAfter: [0] }, "flushAfter[0]"],
    [{ samples: [[1, 2]], flushAfter: [] }, "samples[0]"],
    [{ samples: [[1, 2, 3], "x"], flushAfter: [] }, "samples[1]"],
    [{ samples: [[1, 2.5, 3]], flushAfter: [] }, "samples[0]"],
    [{ samples: [[1, 2, 3, 256]], flushAfter: [] }, "samples[0]"],
    [{ samples: [[1, 2, 3]], flushAfter: [1] }, "flushAfter[0]"],
    [{ samples: [[1, 2, 3]], flushAfter: ["0"] }, "flushAfter[0]"],
    [{ samples: [[1, 2, 3]], flushAfter: [], flushafter: [] }, "flushafter"],
    [{ value: {}, samples: [] }, "samples"],
    [{ value: { header: [0, 0], records: [], recods: [] } }, "value.recods"],
    [{ value: { header: [0], records: [] } }, "value.header"],
    [{ value: { header: [0, 128], records: [] } }, "value"],
    [{ value: { header: [0, 0], records: [null] } }, "value.records[0]"],
    [{ value: { header: [0, 0], records: [{ form: "tiny" }] } }, "value.records[0].form"],
    [{ value: { header: [0, 0], records: [{ form: "small", dt: 1, dx: 1 }] } }, "value.records[0].dy"],
    [{ value: { header: [0, 0], records: [{ form: "small", dt: 8, dx: 1, dy: 0 }] } }, "value"],
    [
      { value: { header: [0, 0], records: [{ form: "small", dt: 1, dx: 1, dy: 0, buton: 1 }] } },
      "value.records[0].buton",
    ],
    [{ value: { header: [0, 0], spanMs: 21, records: [{ form: "small", dt: 1, dx: 1, dy: 0 }] } }, "value.spanMs"],
    [
      { value: { header: [0, 0], records: [{ form: "full", dt: 9, x: 1, y: 1, first: true }] } },
      "value.records[0].first",
    ],
    [{ value: { header: [0, 0], records: [], cut: "5860" } }, "value.cut"],
    [{ value: { header: [0, 0], records: [], cut: 5 } }, "value.cut"],
  ])("%j is refused", (line, path) => {
    expect(encode([line])).toMatchObject([{ ok: false, error: { code: "bad-value", path } }]);
  });
});

describe("encode takes what decode prints", () => {
  it.each(["client", "native", "documented"])("%s: every packet of the vectors, bit for bit", (dialect) => {
    for (const { samples, flushAfter } of traces) {
      const fits =
        dialect !== "documented" ||
        samples.every(([x, y, ms], at) => {
          const before = samples[at - 1]?.[2] ?? ms;
          return x >= -1 && y >= -1 && x <= 32_766 && y <= 32_766 && ms >= before && ms - before <= 163_820;
        });
      if (!fits) continue;
      const [made] = encode([{ samples, flushAfter }], { dialect }) as { packets: string[] }[];
      const packets = made?.packets ?? [];
      const encoder = encodeLines(mouse, { ...setup, dialect });
      const decoded = decode(packets, { dialect });
      expect(decoded.map((line) => encoder.line(JSON.stringify(line)))).toEqual(packets.map((text) => [{ text }]));
    }
  });

  it("and says what follows otherwise", () => {
    const [line] = decode(["0800 ffff012c0190 295e"]) as { value: { records: { x: number }[] } }[];
    (line?.value.records[1] as { x: number }).x = 7;
    expect(encode([line as object])).toMatchObject([
      {
        ok: false,
        error: {
          path: "value.records[1].x",
          message: "Cannot write value.records[1].x: it must be 405 or absent: it follows from the records",
        },
      },
    ]);
  });

  it("documented: what would be clamped is refused", () => {
    const places = [[32_767, 0, 0], [0, -2, 0]]; // biome-ignore format: one line
    const lines = places.map((sample) => ({ samples: [sample], flushAfter: [0] }));
    expect(encode(lines, { dialect: "documented" })).toMatchObject([
      { error: { path: "samples[0]", message: expect.stringContaining("must be in -1..32766, got 32767") } },
      { error: { path: "samples[0]", message: expect.stringContaining("got -2") } },
    ]);
  });

  it("documented: a clock that goes back and a pause that does not fit are refused", () => {
    const times = (...ms: number[]): object => ({ samples: ms.map((each, at) => [at, 0, each]), flushAfter: [0] });
    expect(encode([times(9, 8), times(0, 163_821), times(0, 163_820)], { dialect: "documented" })).toMatchObject([
      { error: { path: "samples[1]", message: expect.stringContaining("before that of the sample before") } },
      { error: { path: "samples[1]", message: expect.stringContaining("over 163820") } },
      { packets: [expect.any(String)] },
    ]);
  });
});

describe("framed", () => {
  const framed = { framed: true };
  const line = { samples: [[5, 5, 1000], [6, 5, 1050], [7, 5, 1100]], flushAfter: [0, 2] }; // biome-ignore format: one line

  it("opcode and size byte, split and glued anywhere", () => {
    const packets = ["2208 0000ffff00050005", "2206 0a00 2860 2860"].map((text) => text.replaceAll(" ", ""));
    expect(encode([line], framed)).toEqual([{ packets }]);
    const stream = packets.join("");
    for (let at = 0; at <= stream.length; at += 2) {
      const results = decode([stream.slice(0, at), stream.slice(at)], framed);
      expect(results).toMatchObject([
        { value: { spanMs: 0 } },
        { value: { spanMs: 100, records: [{ x: 6 }, { x: 7 }] } },
      ]);
    }
  });

  it("another opcode breaks the stream, which begins again with the next line", () => {
    expect(decode(["2204 0000 5860 ff", "2204 0000 5860", "zz", "22"], framed)).toMatchObject([
      { ok: true },
      { ok: false, error: { code: "unknown-message", bitOffset: 48, path: "opcode" } },
      { ok: true },
      { ok: false, error: { code: "bad-hex" } },
      { ok: false, error: { code: "truncated", message: "Cannot read frame: the input ends 1 byte into it" } },
    ]);
  });

  it("a payload that is none leaves the stream its place", () => {
    expect(decode(["2200 2204 0000 5860"], framed)).toMatchObject([
      { ok: false, error: { code: "truncated" } },
      { ok: true },
    ]);
  });

  it("is traced frame by frame", () => {
    const bytes = Uint8Array.of(0x22, 4, 0, 0, 0x58, 0x60, 0x22, 2, 0);
    const parts = traceStream(mouse, bytes, { ...setup, framed: true });
    expect(parts.map(({ title }) => title)).toEqual([
      "Frame at byte 0: header 22 04, payload of 4 bytes",
      "No whole frame at byte 6",
    ]);
    expect(parts[0]?.fields).toHaveLength(6);
    expect(parts[1]?.error?.code).toBe("truncated");
    expect(traceStream(mouse, new Uint8Array(), { ...setup, framed: true })).toHaveLength(1);
  });
});

it("inspect shows every field with its place and meaning", () => {
  const [part] = traceStream(mouse, Uint8Array.of(8, 0, 255, 255, 1, 44, 1, 144, 0x29, 0x5e), setup);
  expect(
    part?.fields.map(({ path, bitOffset, bitLength, shown }) => `${path} ${bitOffset}+${bitLength} ${shown}`),
  ).toEqual([
    "average 0+8 8 ms left over per record",
    "excess 8+8 0 ms; the packet spans 56 ms",
    "records[0].form 16+3 full",
    "records[0].dt 19+13 the process's first",
    "records[0].y 32+16 300",
    "records[0].x 48+16 400",
    "records[1].form 64+1 small",
    "records[1].dt 65+3 40 ms",
    "records[1].x 68+6 +5 to 405",
    "records[1].y 74+6 -2 to 298",
  ]);
});
