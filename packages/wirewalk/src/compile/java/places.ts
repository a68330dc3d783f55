/** Expressions of Java for places in bytes, and for numbers that are loaded and stored there. */
import type { ByteTransform } from "../../wire/describe/node.ts";
import type { Place, WireInteger } from "../steps.ts";
import { type BytePiece, knownBytes, loadOf } from "../typed/loads.ts";
import { type PlaceText, plus } from "../typed/step-printer.ts";

/** The byte in which a place lies. */
export function byteOf({ base, bits }: Place): string {
  return base === "bit"
    ? `(int) (${bits === 0 ? "bit" : `(${plus("bit", bits)})`} >> 3)`
    : plus("at", Math.floor(bits / 8));
}

/** A place in bits from the start of the array. */
export function bitOf({ base, bits }: Place): string {
  return base === "bit" ? plus("bit", bits) : plus("at * 8L", bits);
}

/** Unsigned bits at a place, at most 32: 32 bits come out signed. */
export function bitsAt(place: Place, width: number): string {
  return place.order === "lsb" ? `lowBits(b, ${bitOf(place)}, ${width})` : `highBits(b, ${bitOf(place)}, ${width})`;
}

const pieceText = ({ place, shift, transform }: BytePiece, isLong: boolean): string => {
  const byte = place.order === "bytes" ? `b[${byteOf(place)}]` : bitsAt(place, 8);
  const changed =
    transform === "+128"
      ? `${byte} + 128`
      : transform === "neg"
        ? `-${byte}`
        : transform === "sub"
          ? `128 - ${byte}`
          : byte;
  const own = `(${changed.includes(" ") ? `(${changed})` : changed} & 0xff${isLong ? "L" : ""})`;
  return shift === 0 ? own : `${own} << ${shift}`;
};

/** The number at a place: an `int`, or a `long` where it is unsigned and of 32 bits. */
function wireNumber(place: Place, as: WireInteger): string {
  const { bits, signed } = as;
  const load = loadOf(place, as);
  if (load.is === "plain") return `${load.name}(b, ${byteOf(place)})`;
  if (load.is === "bits") return signOf(bitsAt(place, bits), bits, signed);
  const text = load.pieces.map((piece) => pieceText(piece, bits === 32 && !signed)).join(" | ");
  if (bits === 32) return `(${text})`;
  return signed ? `(${text}) << ${32 - bits} >> ${32 - bits}` : load.pieces.length === 1 ? text.slice(1, -1) : text;
}

function signOf(text: string, bits: number, signed: boolean): string {
  if (!signed) return bits === 32 ? `${text} & 0xffffffffL` : text;
  return bits === 32 ? text : `${text} << ${32 - bits} >> ${32 - bits}`;
}

/** The value of an integer at a place. */
export function integerAt(place: Place, as: WireInteger): string {
  const { bias = 0, divisor = 1 } = as;
  const raw = wireNumber(place, as);
  if (bias === 0 && divisor === 1) return raw;
  const whole = /^\w+\([^()]*\)$/.test(raw) ? raw : `(${raw})`;
  // A bias may lead out of an int.
  const wide =
    Math.abs(bias) + 2 ** as.bits > 0x7fff_ffff && !(as.bits === 32 && !as.signed) ? `(long) ${whole}` : whole;
  const moved = bias === 0 ? whole : bias < 0 ? `${wide} + ${-bias}` : `${wide} - ${bias}`;
  return divisor === 1 ? moved : `(${moved}) / ${divisor}.0`;
}

const transforms: Readonly<Record<ByteTransform, (text: string) => string>> = {
  "+128": (text) => `${text} + 128`,
  neg: (text) => `-${text}`,
  sub: (text) => `128 - ${text}`,
};

/** Statements that store a number that is known. */
export function putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
  const bytes = knownBytes(place, as, value);
  if (bytes !== undefined)
    return bytes.map(
      (byte, index) => `b[${byteOf({ ...place, bits: place.bits + index * 8 })}] = ${byteLiteral(byte)}`,
    );
  const wire = value * (as.divisor ?? 1) + (as.bias ?? 0);
  return putNumber(place, { ...as, bias: 0, divisor: 1 }, String(wire | 0), "int");
}

const byteLiteral = (byte: number): string => (byte < 128 ? String(byte) : `(byte) ${byte}`);

/** Statements that store a number as it stands on the wire, before its low byte is changed: a name or a call without side effects. */
export function putNumber(place: Place, as: WireInteger, text: string, type: "int" | "long"): readonly string[] {
  const load = loadOf(place, as);
  const int = type === "long" ? `(int) ${/^[\w.]+(?:\(\))?$/.test(text) ? text : `(${text})`}` : text;
  const own = /^-?[\w.]+(?:\(\))?$/.test(text) ? text : `(${text})`;
  if (load.is === "plain")
    return as.bits === 8
      ? [`b[${byteOf(place)}] = (byte) ${own}`]
      : [`put${load.name.slice(1)}(b, ${byteOf(place)}, ${int})`];
  if (load.is === "bits")
    return [`put${place.order === "lsb" ? "Low" : "High"}Bits(b, ${bitOf(place)}, ${as.bits}, ${int})`];
  return load.pieces.map(({ place: byte, shift, transform }) => {
    const moved = shift === 0 ? own : `(${own} >> ${shift})`;
    const changed = transform === undefined ? moved : `(${transforms[transform](moved)})`;
    if (byte.order === "bytes") return `b[${byteOf(byte)}] = (byte) ${changed}`;
    return `put${byte.order === "lsb" ? "Low" : "High"}Bits(b, ${bitOf(byte)}, 8, (int) ${changed} & 0xff)`;
  });
}

export const javaPlaces: PlaceText = { byteOf, bitOf, bitsAt, integerAt };
