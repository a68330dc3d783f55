import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import { type BodySize, type BodySizes, frameOsrs, MAX_BODY_BYTES, OsrsDeframer } from "./framing.ts";
import { Isaac, OpcodeCipher } from "./isaac.ts";

const FIXED = 7;
const BYTE = 34;
const SHORT = 80;
const sizes: BodySizes = new Map<number, BodySize>([
  [FIXED, 3],
  [BYTE, "varByte"],
  [SHORT, "varShort"],
]);

function drain(deframer: OsrsDeframer): Uint8Array[] {
  const payloads: Uint8Array[] = [];
  for (let payload = deframer.next(); payload !== undefined; payload = deframer.next()) payloads.push(payload);
  return payloads;
}

const payload = fc.oneof(
  fc.uint8Array({ minLength: 3, maxLength: 3 }).map((body) => Uint8Array.of(FIXED, ...body)),
  fc.uint8Array({ maxLength: 255 }).map((body) => Uint8Array.of(BYTE, ...body)),
  fc.uint8Array({ maxLength: 1000 }).map((body) => Uint8Array.of(SHORT, ...body)),
);

describe("frames of the game", () => {
  it("carry a size where the opcode has none of its own", () => {
    expect(frameOsrs(sizes, Uint8Array.of(FIXED, 1, 2, 3))).toEqual(Uint8Array.of(FIXED, 1, 2, 3));
    expect(frameOsrs(sizes, Uint8Array.of(BYTE, 1, 2))).toEqual(Uint8Array.of(BYTE, 2, 1, 2));
    expect(frameOsrs(sizes, Uint8Array.of(SHORT, 1, 2))).toEqual(Uint8Array.of(SHORT, 0, 2, 1, 2));
  });

  it("are written for what can be read alone", () => {
    expect(() => frameOsrs(sizes, Uint8Array.of(9))).toThrow(RangeError);
    expect(() => frameOsrs(sizes, new Uint8Array())).toThrow(RangeError);
    expect(() => frameOsrs(sizes, Uint8Array.of(FIXED, 1))).toThrow(RangeError);
    expect(() => frameOsrs(sizes, Uint8Array.of(BYTE, ...new Uint8Array(256)))).toThrow(RangeError);
    const longest = new Uint8Array(1 + MAX_BODY_BYTES);
    longest[0] = SHORT;
    expect(frameOsrs(sizes, longest)).toHaveLength(3 + MAX_BODY_BYTES);
    const tooLong = new Uint8Array(2 + MAX_BODY_BYTES);
    tooLong[0] = SHORT;
    expect(() => frameOsrs(sizes, tooLong)).toThrow(RangeError);
  });

  it("come whole out of a stream that splits and glues them anywhere", () => {
    fc.assert(
      fc.property(fc.array(payload, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 40 })), (payloads, cuts) => {
        const stream = Uint8Array.from(payloads.flatMap((each) => [...frameOsrs(sizes, each)]));
        const deframer = new OsrsDeframer(sizes);
        const read: Uint8Array[] = [];
        let at = 0;
        for (let turn = 0; at < stream.length; turn++) {
          const next = at + (cuts[turn % Math.max(1, cuts.length)] ?? 1);
          deframer.push(stream.subarray(at, next));
          read.push(...drain(deframer));
          at = next;
        }
        expect(read).toEqual(payloads);
        expect(deframer.pending).toBe(0);
      }),
    );
  });

  it("say how much of one is there", () => {
    const deframer = new OsrsDeframer(sizes);
    deframer.push(Uint8Array.of(SHORT));
    expect(deframer.pending).toBe(1);
    deframer.push(Uint8Array.of(0));
    deframer.push(Uint8Array.of(2, 5));
    expect(deframer.pending).toBe(4);
    expect(drain(deframer)).toEqual([]);
    deframer.push(Uint8Array.of(6));
    expect(drain(deframer)).toEqual([Uint8Array.of(SHORT, 5, 6)]);
    expect(deframer.pending).toBe(0);
  });

  it("may have no body", () => {
    const deframer = new OsrsDeframer(sizes);
    deframer.push(Uint8Array.of(BYTE, 0, SHORT, 0, 0));
    expect(drain(deframer)).toEqual([Uint8Array.of(BYTE), Uint8Array.of(SHORT)]);
  });
});

describe("a body that is enciphered too", () => {
  const seed = [1, 2, 3, 4];
  const hiddenBodies = new Set([SHORT]);
  const carriage = () => ({ cipher: new OpcodeCipher("server", seed), hiddenBodies });
  const payloads = [
    Uint8Array.of(FIXED, 1, 2, 3),
    Uint8Array.of(SHORT),
    Uint8Array.of(SHORT, 0x68, 0x69, 0xff, 0),
    Uint8Array.of(BYTE, 9),
    Uint8Array.of(SHORT, 7),
    Uint8Array.of(FIXED, 4, 5, 6),
  ];
  const stream = (): Uint8Array => {
    const sent = carriage();
    return Uint8Array.from(payloads.flatMap((each) => [...frameOsrs(sizes, each, sent)]));
  };

  it("takes a number for each byte, after the opcode's; its size is plain", () => {
    const numbers = new Isaac(seed.map((word) => word + 50));
    const hidden = (byte: number): number => (byte + numbers.next()) & 0xff;
    const frames = [
      [hidden(FIXED), 1, 2, 3],
      [hidden(SHORT), 0, 0],
      [hidden(SHORT), 0, 4, hidden(0x68), hidden(0x69), hidden(0xff), hidden(0)],
      [hidden(BYTE), 1, 9],
      [hidden(SHORT), 0, 1, hidden(7)],
      [hidden(FIXED), 4, 5, 6],
    ];
    expect(stream()).toEqual(Uint8Array.from(frames.flat()));
  });

  it("is read wherever the stream is cut, and by a deframer that takes over there", () => {
    const bytes = stream();
    for (let cut = 0; cut <= bytes.length; cut++) {
      const deframer = new OsrsDeframer(sizes, carriage());
      // The caller's own: it stays as it came.
      const first = bytes.slice(0, cut);
      deframer.push(first);
      expect(first).toEqual(bytes.subarray(0, cut));
      const saved = structuredClone(deframer.save());
      const other = new OsrsDeframer(sizes, carriage());
      other.restore(saved);
      expect(other.save()).toEqual(saved);
      for (const each of [deframer, other]) {
        each.push(bytes.subarray(cut));
        expect(drain(each)).toEqual(payloads);
        expect(each.pending).toBe(0);
      }
    }
  });

  it("is plain where opcodes are", () => {
    const frame = frameOsrs(sizes, Uint8Array.of(SHORT, 7), { hiddenBodies });
    expect(frame).toEqual(Uint8Array.of(SHORT, 0, 1, 7));
    const deframer = new OsrsDeframer(sizes, { hiddenBodies });
    deframer.push(frame);
    expect(drain(deframer)).toEqual([Uint8Array.of(SHORT, 7)]);
  });
});

describe("a stream that lost its place", () => {
  it("returns the whole payloads before, then refuses the unknown opcode, then returns nothing", () => {
    const deframer = new OsrsDeframer(sizes);
    deframer.push(Uint8Array.of(BYTE, 1, 5, 99, 1, 2));
    expect(deframer.next()).toEqual(Uint8Array.of(BYTE, 5));
    expect(deframer.pending).toBe(3);
    const refusal = wireErrorOf(() => deframer.next());
    expect(refusal).toMatchObject({ code: "unknown-message", bitOffset: 24, path: "opcode" });
    expect(refusal?.message).toBe("Cannot read opcode: 99 is not among 7, 34, 80 at byte 3");
    expect(wireErrorOf(() => deframer.push(Uint8Array.of(BYTE)))?.code).toBe("bad-state");
    expect(wireErrorOf(() => deframer.next())?.code).toBe("unknown-message");
  });

  it("saves the same after a refused size, whether it was restored before or not", () => {
    const whole = new OsrsDeframer(sizes);
    whole.push(Uint8Array.of(SHORT, 0, 2, 5, 6));
    const restored = new OsrsDeframer(sizes);
    restored.restore(structuredClone(whole.save()));
    for (const deframer of [whole, restored]) deframer.push(Uint8Array.of(SHORT, 0xff, 0xff, 1));
    expect(restored.save()).toEqual(whole.save());
  });

  it("refuses an opcode below 128 in two bytes", () => {
    const deframer = new OsrsDeframer(sizes, { isSmart: true });
    deframer.push(Uint8Array.of(BYTE, 0, 0x80, BYTE, 0));
    expect(deframer.next()).toEqual(Uint8Array.of(BYTE));
    const refusal = wireErrorOf(() => deframer.next());
    expect(refusal).toMatchObject({ code: "bad-value", bitOffset: 24, path: "opcode" });
    expect(refusal?.message).toBe(`Cannot read opcode: ${BYTE} has two bytes, expected one at byte 3`);
  });

  it("refuses a size over the limit before a byte of the body", () => {
    const deframer = new OsrsDeframer(sizes);
    deframer.push(Uint8Array.of(SHORT, (MAX_BODY_BYTES + 1) >>> 8, (MAX_BODY_BYTES + 1) & 0xff));
    expect(wireErrorOf(() => deframer.next())).toMatchObject({ code: "limit", bitOffset: 8, path: "size" });
  });
});
