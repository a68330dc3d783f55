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
      { ok: true, value: { spanMs: 100, records: [{ form: "small", dt: 5, x: null, y: null, known: false }] } },
      {
        ok: true,
        value: {
          spanMs: 56,
          records: [
            { form: "full", dt: 8191, x: 400, y: 300, known: true },
            { form: "small", dt: 2, x: 405, y: 298, known: true },
          ],
        },
      },
      { ok: true, value: { spanMs: 40, records: [{ form: "largeQuick", dt: 2, x: -1, y: -1, known: true }] } },
    ]);
  });

  it("native has the button", () => {
    expect(decode(["0000 5860 0e"], { dialect: "native" })).toEqual([
      {
        ok: true,
        value: { spanMs: 100, records: [{ form: "small", dt: 5, x: null, y: null, known: false, button: 14 }] },
      },
    ]);
  });

  it("documented has offsets and the document's window", () => {
    expect(decode(["0905 295e 82df1e c280000000 e05cffff0003"], { dialect: "documented" })).toEqual([
      {
        ok: true,
        value: {
          timeWindow: 41,
          records: [
            { form: "small", dt: 2, dx: 5, dy: 30 },
            { form: "medium", dt: 2, dx: 95, dy: -98 },
            { form: "largeQuick", dt: 2, dx: -1, dy: -1, outside: true },
            { form: "full", dt: 92, dx: 3, dy: -1 },
          ],
        },
      },
    ]);
  });

  it("tolerant: a cut record ends the packet, not the session", () => {
    expect(decode(["fb00 ffff000a000a e860", "0000 5860", "0000 c200c80384"])).toEqual([
      {
        ok: true,
        value: { spanMs: -5, records: [{ form: "full", dt: 8191, x: 10, y: 10, known: true }], cutBytes: 2 },
      },
      { ok: true, value: { spanMs: 100, records: [{ form: "small", dt: 5, x: 11, y: 10, known: true, drift: true }] } },
      { ok: true, value: { spanMs: 40, records: [{ form: "largeQuick", dt: 2, x: 900, y: 200, known: true }] } },
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
    expect(encode(traces)).toEqual(traces.map(({ packets }) => ({ packets })));
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
  ])("%j is refused", (line, path) => {
    expect(encode([line])).toMatchObject([{ ok: false, error: { code: "bad-value", path } }]);
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
