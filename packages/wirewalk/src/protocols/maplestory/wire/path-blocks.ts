/**
 * What stands around the fragments of a path in `v62`: the place where it begins, the keys of its steps, its box.
 *
 * Each is described, and read and written by hand beside that: with the descriptions alone the codec took 395 ns to read a
 * captured player's packet and 852 to write it, by hand 156 and 258 (bench `maplestory`). What does not fit goes to the
 * description, which refuses it.
 */
import {
  array,
  bits,
  i16le,
  type Layout,
  type LayoutReader,
  struct,
  u8,
  uint,
  WireError,
  type WordRule,
  withFastPath,
  withMeaning,
} from "../../../wire/index.ts";

/** Key nibbles: 1 down, 2 up, 4 right, 8 left. */
export const keyBits = { down: 1, up: 2, right: 4, left: 8 } as const;

/** The keys of each combination of bits: `no key`, `down right`. */
const keyWords = Array.from({ length: 16 }, (_, nibble): WordRule => {
  const held = Object.entries(keyBits).flatMap(([key, bit]) => ((nibble & bit) === 0 ? [] : [key]));
  return { from: nibble, to: nibble, text: held.join(" ") || "no key" };
});

const describedKeypad: Layout<readonly number[]> = bits(
  array(withMeaning(uint(4), { doc: "keys held in a step", words: keyWords }), { count: u8, limit: 255 }),
  { first: "lsb", paddingName: "unused" },
);

/** A count, then a nibble for each step, low nibble first; what is left of the last byte is 0. */
export const keypad = withFastPath(describedKeypad, {
  read(reader) {
    const bytes = reader.region(0, reader.end);
    const at = reader.offset;
    const count = bytes[at] ?? 0;
    const end = at + 1 + ((count + 1) >> 1);
    const isPadded = (count & 1) === 1 && (bytes[end - 1] as number) > 0xf;
    if (at >= bytes.length || end > bytes.length || isPadded) return describedKeypad.read(reader);
    const nibbles = new Array<number>(count);
    for (let index = 0; index < count; index++) {
      nibbles[index] = ((bytes[at + 1 + (index >> 1)] as number) >> ((index & 1) << 2)) & 0xf;
    }
    reader.seek(end * 8);
    return nibbles;
  },
  write(writer, nibbles) {
    if (!areNibbles(nibbles)) return describedKeypad.write(writer, nibbles);
    writer.u8(nibbles.length);
    for (let index = 0; index < nibbles.length; index += 2) {
      writer.u8((nibbles[index] as number) | (((nibbles[index + 1] as number | undefined) ?? 0) << 4));
    }
  },
});

function areNibbles(values: readonly number[]): boolean {
  if (!Array.isArray(values) || values.length > 255) return false;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if ((value & 0xf) !== value) return false;
  }
  return true;
}

function isI16(value: number): boolean {
  return (value << 16) >> 16 === value;
}

export const px = withMeaning(i16le, { unit: "px" });
const describedPoint = struct({ x: px, y: px });
const describedBox = struct({ left: px, top: px, right: px, bottom: px });

/** The error of a run of shorts that is cut: made here, since a description that only throws is never compiled (2 us). */
function cutShort(reader: LayoutReader, names: readonly string[]): WireError {
  const { offset, remaining } = reader;
  const name = names[remaining >> 1] as string;
  const place = offset + (remaining & ~1);
  const why = `2 bytes needed, ${remaining & 1} left at byte ${place}`;
  return new WireError("truncated", `Cannot read ${name}: ${why}`, place * 8, name);
}

const pointFields = ["x", "y"];
const boxFields = ["left", "top", "right", "bottom"];

/** A place on a map. */
export const point = withFastPath(describedPoint, {
  read(reader) {
    if (reader.remaining < 4) throw cutShort(reader, pointFields);
    return { x: reader.i16le(), y: reader.i16le() };
  },
  write(writer, value) {
    if (typeof value !== "object" || value === null) return describedPoint.write(writer, value);
    const { x, y } = value;
    if (!(isI16(x) && isI16(y))) return describedPoint.write(writer, value);
    writer.i16le(x);
    writer.i16le(y);
  },
});
/** The bounding box of a path. */
export const box = withFastPath(describedBox, {
  read(reader) {
    if (reader.remaining < 8) throw cutShort(reader, boxFields);
    return { left: reader.i16le(), top: reader.i16le(), right: reader.i16le(), bottom: reader.i16le() };
  },
  write(writer, value) {
    if (typeof value !== "object" || value === null) return describedBox.write(writer, value);
    const { left, top, right, bottom } = value;
    if (!(isI16(left) && isI16(top) && isI16(right) && isI16(bottom))) return describedBox.write(writer, value);
    writer.i16le(left);
    writer.i16le(top);
    writer.i16le(right);
    writer.i16le(bottom);
  },
});
