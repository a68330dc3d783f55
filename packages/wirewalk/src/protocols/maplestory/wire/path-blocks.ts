/** What stands around the fragments of a path in `v62`: the place where it begins, the keys of its steps, its box. */
import { array, bits, i16le, type Layout, struct, u8, uint, type WordRule, withMeaning } from "../../../wire/index.ts";

/** Key nibbles: 1 down, 2 up, 4 right, 8 left. */
export const keyBits = { down: 1, up: 2, right: 4, left: 8 } as const;

/** The keys of each combination of bits: `no key`, `down right`. */
const keyWords = Array.from({ length: 16 }, (_, nibble): WordRule => {
  const held = Object.entries(keyBits).flatMap(([key, bit]) => ((nibble & bit) === 0 ? [] : [key]));
  return { from: nibble, to: nibble, text: held.join(" ") || "no key" };
});

/** A count, then a nibble for each step, low nibble first; what is left of the last byte is 0. */
export const keypad: Layout<readonly number[]> = bits(
  withMeaning(array(withMeaning(uint(4), { doc: "keys held in a step", words: keyWords }), { count: u8, limit: 255 }), {
    doc: "the keys that were held, a nibble for each step",
  }),
  { first: "lsb", paddingName: "unused" },
);

const px = (doc: string): Layout<number> => withMeaning(i16le, { doc, unit: "px" });
/** A place on a map. */
export const place = { x: px("to the right"), y: px("downwards") };
export const point = struct(place);
/** The bounding box of a path. */
export const box = struct({
  left: px("the least x of the path"),
  top: px("the least y of the path"),
  right: px("the greatest x of the path"),
  bottom: px("the greatest y of the path"),
});
