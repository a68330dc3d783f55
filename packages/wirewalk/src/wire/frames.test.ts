import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ByteWriter, type DeframerOptions, LengthPrefixDeframer, parseHex } from "./index.ts";
import { wireErrorOf } from "./testing/check-layout.ts";

afterEach(() => vi.restoreAllMocks());

const options: DeframerOptions = { limit: 300, lengthLayout: "u16le" };

function frame(payloads: Uint8Array[], lengthLayout: DeframerOptions["lengthLayout"]): Uint8Array {
  const writer = new ByteWriter();
  for (const payload of payloads) {
    writer[lengthLayout](payload.length);
    writer.bytes(payload);
  }
  return writer.toBytes();
}

function takeAll(deframer: LengthPrefixDeframer): Uint8Array[] {
  const payloads: Uint8Array[] = [];
  for (let payload = deframer.next(); payload !== undefined; payload = deframer.next()) payloads.push(payload);
  return payloads;
}

test("frames split and glued anywhere come out whole and in order", () => {
  const payloads = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
  const layouts = fc.constantFrom("u16le" as const, "u16be" as const);
  fc.assert(
    fc.property(payloads, layouts, fc.array(fc.nat()), (payloads, lengthLayout, cuts) => {
      const stream = frame(payloads, lengthLayout);
      const deframer = new LengthPrefixDeframer({ limit: 300, lengthLayout, allowEmpty: true });
      const places = [...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
      const found: Uint8Array[] = [];
      let at = 0;
      for (const place of places) {
        deframer.push(stream.subarray(at, place));
        at = place;
        found.push(...takeAll(deframer));
      }
      expect(found).toEqual(payloads);
      expect(deframer.pending).toBe(0);
    }),
  );
});

test("pending counts what has arrived of an unfinished frame", () => {
  const deframer = new LengthPrefixDeframer(options);
  const seen: number[] = [];
  for (const byte of parseHex("0300 010203 01")) {
    deframer.push(Uint8Array.of(byte));
    seen.push(deframer.pending);
  }
  expect(seen).toEqual([1, 2, 3, 4, 0, 1]);
});

test("a payload is the caller's own, and a chunk may be reused", () => {
  const deframer = new LengthPrefixDeframer(options);
  const chunk = parseHex("0200 0102 0200 03");
  deframer.push(chunk);
  chunk.fill(9);
  deframer.push(Uint8Array.of(4));
  expect(takeAll(deframer)).toEqual([Uint8Array.of(1, 2), Uint8Array.of(3, 4)]);
});

describe("a length that is refused", () => {
  test("is refused with its second byte, before anything is kept for it", () => {
    const deframer = new LengthPrefixDeframer(options);
    deframer.push(parseHex("0100 07 2d"));
    expect(wireErrorOf(() => deframer.push(parseHex("01")))?.toJSON()).toEqual({
      code: "limit",
      message: "Cannot read frame length: 301 is over its limit of 300 at byte 3",
      bitOffset: 24,
      path: "",
    });
  });

  test("zero is refused unless allowed", () => {
    expect(wireErrorOf(() => new LengthPrefixDeframer(options).push(parseHex("0000")))?.code).toBe("bad-length");
    const lenient = new LengthPrefixDeframer({ ...options, allowEmpty: true });
    lenient.push(parseHex("0000 0000"));
    expect(takeAll(lenient)).toEqual([new Uint8Array(0), new Uint8Array(0)]);
  });

  test("leaves what came before it, and nothing after", () => {
    const deframer = new LengthPrefixDeframer(options);
    expect(wireErrorOf(() => deframer.push(parseHex("0100 07 ffff 0100 08")))?.code).toBe("limit");
    expect(deframer.next()).toEqual(Uint8Array.of(7));
    for (let i = 0; i < 2; i++) {
      expect(wireErrorOf(() => deframer.next())?.code).toBe("bad-state");
      expect(wireErrorOf(() => deframer.push(parseHex("0100 08")))?.code).toBe("bad-state");
    }
  });
});

describe("memory", () => {
  /** How many bytes are copied and allocated while `action` runs. */
  function measure(action: () => void): { copied: number } {
    let copied = 0;
    const original = Uint8Array.prototype.set;
    vi.spyOn(Uint8Array.prototype, "set").mockImplementation(function (this: Uint8Array, source, offset) {
      copied += source.length;
      original.call(this, source, offset);
    });
    action();
    vi.restoreAllMocks();
    return { copied };
  }

  test("each byte is copied a bounded number of times, one at a time as at once", () => {
    const payload = new Uint8Array(60_000).fill(7);
    const stream = frame([payload, payload], "u16be");
    for (const size of [1, 7, 1460, stream.length]) {
      const deframer = new LengthPrefixDeframer({ limit: 65535, lengthLayout: "u16be" });
      const found: Uint8Array[] = [];
      const { copied } = measure(() => {
        for (let at = 0; at < stream.length; at += size) {
          deframer.push(stream.subarray(at, at + size));
          found.push(...takeAll(deframer));
        }
      });
      expect(found).toEqual([payload, payload]);
      expect(copied).toBeGreaterThanOrEqual(120_000);
      expect(copied).toBeLessThan(3 * 120_000);
    }
  });

  test("a payload holds no more memory than its bytes", () => {
    const deframer = new LengthPrefixDeframer(options);
    for (const byte of frame([new Uint8Array(300), new Uint8Array(65)], "u16le")) deframer.push(Uint8Array.of(byte));
    expect(takeAll(deframer).map((payload) => payload.buffer.byteLength)).toEqual([300, 65]);
  });
});

test("the limit must be one that a length can say", () => {
  for (const limit of [0, -1, 65536, 1.5, Number.NaN]) {
    expect(() => new LengthPrefixDeframer({ ...options, limit })).toThrow(RangeError);
  }
});
