/** Expressions of C# for places in bytes, and for numbers that are loaded and stored there. */
import type { ByteTransform } from "../../wire/describe/node.ts";
import type { Place, WireInteger } from "../steps.ts";
import { type BytePiece, knownBytes, loadOf } from "../typed/loads.ts";
import { type PlaceText, plus } from "../typed/step-printer.ts";

/** The byte in which a place lies. */
export function byteOf({ base, bits }: Place): string {
  return base === "bit"
    ? `(int)(${bits === 0 ? "bit" : `(${plus("bit", bits)})`} >> 3)`
    : plus("at", Math.floor(bits / 8));
}

/** A place in bits from the start of the array. */
export function bitOf({ base, bits }: Place): string {
  return base === "bit" ? plus("bit", bits) : plus("at * 8L", bits);
}

/** Unsigned bits at a place, at most 32: 32 bits come out signed. */
export function bitsAt(place: Place, width: number): string {
  return `${place.order === "lsb" ? "LowBits" : "HighBits"}(b, ${bitOf(place)}, ${width})`;
}

const transforms: Readonly<Record<ByteTransform, (text: string) => string>> = {
  "+128": (text) => `${text} + 128`,
  neg: (text) => `-${text}`,
  sub: (text) => `128 - ${text}`,
};

function pieceText({ place, shift, transform }: BytePiece): string {
  const byte = place.order === "bytes" ? `b[${byteOf(place)}]` : bitsAt(place, 8);
  const own = transform === undefined ? byte : `(${transforms[transform](byte)} & 0xff)`;
  return shift === 0 ? own : `${own} << ${shift}`;
}

/** The number at a place: an `int`, or a `uint` where it is unsigned and of 32 bits. */
function wireNumber(place: Place, as: WireInteger): string {
  const { bits, signed } = as;
  const load = loadOf(place, as);
  if (load.is === "plain")
    return load.name === "u8"
      ? `b[${byteOf(place)}]`
      : `${load.name.charAt(0).toUpperCase()}${load.name.slice(1)}(b, ${byteOf(place)})`;
  const text = load.is === "bits" ? bitsAt(place, bits) : load.pieces.map(pieceText).join(" | ");
  if (bits === 32)
    return signed ? (load.is === "bits" ? text : `(${text})`) : `(uint)${load.is === "bits" ? text : `(${text})`}`;
  if (!signed) return text;
  return `${load.is === "bits" || load.pieces.length === 1 ? text : `(${text})`} << ${32 - bits} >> ${32 - bits}`;
}

/** The value of an integer at a place. */
export function integerAt(place: Place, as: WireInteger): string {
  const { bias = 0, divisor = 1, bits, signed } = as;
  const raw = wireNumber(place, as);
  if (bias === 0 && divisor === 1) return raw;
  const whole = /^\w+(?:\([^()]*\)|\[[^[\]]*\])$/.test(raw) ? raw : `(${raw})`;
  // A bias may lead out of an int.
  const isWide = (bits === 32 && !signed) || Math.abs(bias) + 2 ** bits > 0x7fff_ffff;
  const moved = plus(isWide ? `(long)${whole}` : whole, -bias);
  return divisor === 1 ? moved : `(${moved}) / ${divisor}.0`;
}

/** Statements that store a number that is known. */
export function putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
  const bytes = knownBytes(place, as, value);
  if (bytes !== undefined)
    return bytes.map((byte, index) => `b[${byteOf({ ...place, bits: place.bits + index * 8 })}] = ${byte}`);
  const wire = value * (as.divisor ?? 1) + (as.bias ?? 0);
  return putNumber(place, { ...as, bias: 0, divisor: 1 }, String(wire | 0), "int");
}

/** How often `putNumber` names its number. */
export function usesOf(place: Place, as: WireInteger): number {
  const load = loadOf(place, as);
  return load.is === "bytes" ? load.pieces.length : 1;
}

/** Statements that store a number as it stands on the wire, before its low byte is changed. `type`: of the text. */
export function putNumber(place: Place, as: WireInteger, text: string, type: string): readonly string[] {
  const load = loadOf(place, as);
  const own = /^[\w.]+(?:\([^()]*\))?$/.test(text) ? text : `(${text})`;
  const int = type === "int" ? text : `(int)${own}`;
  if (load.is === "plain")
    return as.bits === 8
      ? [`b[${byteOf(place)}] = (byte)${own}`]
      : [`Put${load.name.slice(1)}(b, ${byteOf(place)}, ${int})`];
  if (load.is === "bits")
    return [`Put${place.order === "lsb" ? "Low" : "High"}Bits(b, ${bitOf(place)}, ${as.bits}, ${int})`];
  return load.pieces.map(({ place: byte, shift, transform }) => {
    const moved = shift === 0 ? own : `(${own} >> ${shift})`;
    const changed = transform === undefined ? moved : `(${transforms[transform](moved)})`;
    if (byte.order === "bytes") return `b[${byteOf(byte)}] = (byte)${changed}`;
    return `Put${byte.order === "lsb" ? "Low" : "High"}Bits(b, ${bitOf(byte)}, 8, (int)(${changed} & 0xff))`;
  });
}

export const csharpPlaces: PlaceText = { byteOf, bitOf, bitsAt, integerAt };
