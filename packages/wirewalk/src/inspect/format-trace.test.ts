import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  array,
  BitReader,
  cstring,
  f32be,
  fixedBytes,
  flags,
  i16le,
  type Layout,
  parseHex,
  struct,
  Tracer,
  traceLayout,
  u8,
  u16be,
  u64le,
  WireError,
} from "../wire/index.ts";
import { formatTrace } from "./format-trace.ts";

const format = (layout: Layout<unknown>, hex: string): string[] => {
  const bytes = parseHex(hex);
  return formatTrace(bytes, traceLayout(layout, bytes)).split("\n");
};

const message = struct({
  type: u16be,
  keys: flags(u8, { left: 0, right: 1 }),
  points: array(struct({ x: i16le }), { count: u8, limit: 4 }),
  speed: f32be,
  id: u64le,
  name: cstring({ limit: 9 }),
  mac: fixedBytes(4),
  rest: fixedBytes(12),
});

describe("a whole message", () => {
  test("is a table with aligned columns", () => {
    const hex = "0008 03 02 0100 feff 3e28f5c3 0100000000000080 6869 1b00 01020304 000102030405060708090a0b";
    expect(format(message, hex)).toEqual([
      "offset  bytes                        field                       value  meaning",
      "     0  00 08                        type                            8",
      "     2  03                           keys                            3  left, right",
      "     3  02                           points.count                    2",
      "     4  01 00                        points[0].x                     1",
      "     6  fe ff                        points[1].x                    -2",
      "     8  3e 28 f5 c3                  speed                       0.165",
      "    12  01 00 00 00 00 00 00 80      id            9223372036854775809",
      '    20  68 69 1b 00                  name                      4 bytes  "hi\\u001b"',
      "    24  01 02 03 04                  mac                       4 bytes",
      "    28  00 01 02 03 04 05 06 07 ...  rest                     12 bytes  00 01 02 03 04 05 06 07 08 09 0a 0b",
    ]);
  });
});

describe("a line of a given width", () => {
  const bytes = parseHex("0008 03 02 0100 feff 3e28f5c3 0100000000000080 6869 1b00 01020304 000102030405060708090a0b");
  const shown = (width: number): string[] => formatTrace(bytes, traceLayout(message, bytes), { width }).split("\n");

  test("has fewer bytes where it is narrow, and a long meaning goes on below", () => {
    const [mac = "", ...rest] = shown(88).slice(-3);
    expect(mac).toMatch(/^ {4}24 {2}01 02 03 04 {6}mac +4 bytes$/);
    expect(rest.map((line) => line.trim())).toEqual([
      expect.stringMatching(/^28 {2}00 01 02 03 \.\.\. {2}rest +12 bytes {2}00 01 02 03 04 05 06 07 08$/),
      "09 0a 0b",
    ]);
    expect(rest[1]?.indexOf("09")).toBe(rest[0]?.indexOf("00 01 02 03 04"));
    for (const line of shown(90)) expect(line.length).toBeLessThanOrEqual(90);
  });

  test("is not divided where too little is left of it", () => {
    expect(shown(60).length).toBe(shown(200).length);
  });

  test("takes the pieces' colours, padded as without", () => {
    const pieces: string[] = [];
    const plain = formatTrace(bytes, traceLayout(message, bytes));
    const text = formatTrace(bytes, traceLayout(message, bytes), {
      paint(piece, text) {
        pieces.push(piece);
        return text;
      },
    });
    expect(text).toBe(plain);
    expect(new Set(pieces)).toEqual(new Set(["head", "offset", "bytes", "path", "value", "meaning"]));
  });
});

describe("where reading broke", () => {
  test("a mark stands under the bytes that could not be read", () => {
    expect(format(message, "0008 03 02 0100 fe").slice(-3)).toEqual([
      "     4  01 00  points[0].x       1",
      "     6  fe     (not read)",
      "        ^ truncated: Cannot read points[1].x: 2 bytes needed, 1 left at byte 6",
    ]);
  });

  test("at the end of the bytes it stands under the last row", () => {
    expect(format(struct({ a: u8, b: u8 }), "07")).toEqual([
      "offset  bytes  field  value  meaning",
      "     0  07     a          7",
      "           ^ truncated: Cannot read b: 1 byte needed, 0 left at byte 1",
    ]);
  });

  test("a value that was read and refused has its row, and what follows is not read", () => {
    expect(format(message, "0008 85 01 02")).toEqual([
      "offset  bytes  field       value  meaning",
      "     0  00 08  type            8",
      "     2  85     keys          133",
      "        ^ bad-value: Cannot read keys: reserved bits 0x84 are set at byte 2",
      "     3  01 02  (not read)",
    ]);
  });

  test("trailing bytes", () => {
    expect(format(u8, "07 08 09").slice(-2)).toEqual([
      "     1  08 09  (not read)",
      "        ^ trailing: Cannot read end of message: 2 bytes left at byte 1",
    ]);
  });

  test("no bytes at all", () => {
    expect(format(u8, "")).toEqual([
      "offset  bytes  field  value  meaning",
      "        ^ truncated: Cannot read u8: 1 byte needed, 0 left at byte 0",
    ]);
  });

  test("inside a field it stands under the byte", () => {
    const tracer = new Tracer();
    tracer.field("body", 0, 32, "01020304", "01 02 03 04");
    const error = new WireError("bad-checksum", "Cannot read body: sum is wrong", 16);
    expect(
      formatTrace(Uint8Array.of(1, 2, 3, 4), { fields: tracer.fields, error })
        .split("\n")
        .at(-1),
    ).toBe("              ^ bad-checksum: Cannot read body: sum is wrong");
  });
});

describe("bits", () => {
  test("show as bits with the byte boundaries, at byte.bit; bytes among them as bytes", () => {
    const bytes = parseHex("b5 6f 00 80 ff");
    const bits = new BitReader(bytes);
    const tracer = new Tracer();
    for (const [path, width, shown] of [
      ["walk", 1, "yes"],
      ["delta", 12, undefined],
      ["pad", 3, undefined],
      ["mask", 16, "chat"],
    ] as const) {
      const at = bits.bitOffset;
      tracer.field(path, at, width, bits.read(width), shown);
    }
    expect(formatTrace(bytes, { fields: tracer.fields }).split("\n")).toEqual([
      "offset  bytes          field            value  meaning",
      "     0  1              walk                 1  yes",
      "   0.1  0110101 01101  delta             1709",
      "   1.5  111            pad                  7",
      "     2  00 80          mask               128  chat",
      "     4  ff             (not described)",
    ]);
  });

  test("gaps between bits have rows, and long runs are cut", () => {
    const tracer = new Tracer();
    tracer.field("a", 4, 40, "0000000000");
    expect(formatTrace(new Uint8Array(6), { fields: tracer.fields }).split("\n").slice(1)).toEqual([
      "     0  0000                                      (not described)",
      "   0.4  0000 00000000 00000000 00000000 0000 ...  a                5 bytes",
      "   5.4  0000                                      (not described)",
    ]);
  });
});

test("whatever the fields, the error and the bytes, the page has no control character but its line ends", () => {
  // Control characters, and any UTF-16 code unit. fast-check's own unit "binary" makes a table of all code points first: 1.5 s.
  const unit = fc.oneof(fc.nat(0x9f), fc.nat(0xffff)).map((code) => String.fromCharCode(code));
  const anyText = fc.string({ unit });
  const field = fc.record({
    path: anyText,
    bitOffset: fc.nat(100),
    bitLength: fc.integer({ min: 1, max: 100 }),
    raw: fc.oneof(fc.integer(), fc.constant("abcd"), fc.float()),
    shown: anyText,
  });
  const error = fc.tuple(anyText, fc.nat(100)).map(([text, at]) => new WireError("bad-value", text, at));
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 20 }),
      fc.array(field),
      fc.option(error, { nil: undefined }),
      (bytes, fields, error) => {
        const lines = formatTrace(bytes, { fields, error }).split("\n");
        const codes = Array.from(lines.join(""), (character) => character.charCodeAt(0));
        expect(codes.filter((code) => code < 0x20 || (code >= 0x7f && code < 0xa0))).toEqual([]);
        expect(lines.filter((line) => /^ *\^ /.test(line)).length).toBeGreaterThanOrEqual(error === undefined ? 0 : 1);
      },
    ),
  );
});
