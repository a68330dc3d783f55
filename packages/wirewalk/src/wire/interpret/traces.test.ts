import { describe, expect, it } from "vitest";
import { bits, bytesWith, integer, struct, traceLayout, u8, uint } from "../index.ts";

const shown = (layout: Parameters<typeof traceLayout>[0], bytes: readonly number[]): string[] =>
  traceLayout(layout, Uint8Array.from(bytes)).fields.map(({ path, shown: text }) => `${path} ${text}`);

describe("what a trace shows", () => {
  it("a number out of its range, and then why it is refused", () => {
    const layout = struct({ index: integer({ bits: 16, min: 1, max: 2047 }) });
    const { fields, error } = traceLayout(layout, Uint8Array.of(8, 0));
    expect(fields).toEqual([{ path: "index", bitOffset: 0, bitLength: 16, raw: 2048, shown: "2048" }]);
    expect(error?.message).toBe("Cannot read index: 2048 is not in 1..2047 at byte 0");
  });

  it("padding that may be anything as ignored, padding that must be 0 as its value", () => {
    expect(shown(bits(struct({ a: uint(6) }), { padding: "any" }), [0b0000_0111])).toEqual(["a 1", "padding ignored"]);
    expect(shown(bits(struct({ a: uint(6) })), [0b0000_0100])).toEqual(["a 1", "padding 0"]);
  });

  it("the fields within bytes under the name of the bytes, and without it where they are flat", () => {
    const inside = struct({ x: u8, y: u8 });
    expect(shown(struct({ place: bytesWith(inside) }), [1, 2])).toEqual(["place.x 1", "place.y 2"]);
    expect(shown(struct({ place: bytesWith(inside, { flat: true }) }), [1, 2])).toEqual(["x 1", "y 2"]);
  });
});
