import { expect, test } from "vitest";
import { skipsOf } from "./bits.ts";

const field = (path: string, bitLength: number, raw: number) => ({
  path,
  bitLength,
  raw,
  bitOffset: 0,
  shown: String(raw),
});

/** The example of the standard, section 9: one runs, all others and all places without a player are skipped. */
test("a skip covers one place and those of its count, and its size is all that each would take alone", () => {
  const skips = skipsOf([
    field("pass1.player[499].update", 1, 1),
    field("pass1.player[499].type", 2, 2),
    field("pass4.player[1].update", 1, 0),
    field("pass4.player[1].skip.size", 2, 3),
    field("pass4.player[1].skip.count", 11, 2045),
    field("pass4.padding", 2, 0),
  ]);
  expect(skips).toEqual({ players: 2046, bits: 14, oneByOneBits: 2046 * 3 });
});

test("a skip of one place alone has no count, and saves nothing", () => {
  const alone = [field("pass2.player[7].update", 1, 0), field("pass2.player[7].skip.size", 2, 0)];
  expect(skipsOf(alone)).toEqual({ players: 1, bits: 3, oneByOneBits: 3 });
  expect(skipsOf([])).toEqual({ players: 0, bits: 0, oneByOneBits: 0 });
});
