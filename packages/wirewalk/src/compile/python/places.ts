/** Expressions of Python for places in bytes, and for numbers that are loaded and stored there. */
import type { ByteTransform } from "../../wire/describe/node.ts";
import type { Place, WireInteger } from "../steps.ts";
import { type BytePiece, knownBytes, loadOf } from "../typed/loads.ts";
import { type PlaceText, plus } from "../typed/step-printer.ts";

/** The byte in which a place lies. */
export function byteOf({ base, bits }: Place): string {
  // In Python a sum binds closer than a shift.
  return base === "bit" ? `(${bits === 0 ? "bit" : `(${plus("bit", bits)})`} >> 3)` : plus("at", Math.floor(bits / 8));
}

/** A place in bits from the start of the bytes. */
export function bitOf({ base, bits }: Place): string {
  return base === "bit" ? plus("bit", bits) : plus("at * 8", bits);
}

/** Unsigned bits at a place. */
export function bitsAt(place: Place, width: number): string {
  return `_${place.order === "lsb" ? "low" : "high"}_bits(b, ${bitOf(place)}, ${width})`;
}

const transforms: Readonly<Record<ByteTransform, (text: string) => string>> = {
  "+128": (text) => `${text} + 128`,
  neg: (text) => `-${text}`,
  sub: (text) => `128 - ${text}`,
};

function pieceText({ place, shift, transform }: BytePiece): string {
  const byte = place.order === "bytes" ? `b[${byteOf(place)}]` : bitsAt(place, 8);
  const own = transform === undefined ? byte : `(${transforms[transform](byte)} & 0xFF)`;
  return shift === 0 ? own : `${own} << ${shift}`;
}

/** The number at a place. */
function wireNumber(place: Place, as: WireInteger): string {
  const load = loadOf(place, as);
  if (load.is === "plain") return load.name === "u8" ? `b[${byteOf(place)}]` : `_${load.name}(b, ${byteOf(place)})`;
  const text = load.is === "bits" ? bitsAt(place, as.bits) : load.pieces.map(pieceText).join(" | ");
  return as.signed ? `_signed(${text}, ${as.bits})` : text;
}

/** The value of an integer at a place. */
export function integerAt(place: Place, as: WireInteger): string {
  const { bias = 0, divisor = 1 } = as;
  const raw = wireNumber(place, as);
  if (bias === 0 && divisor === 1) return raw;
  const whole = raw.includes(" | ") || raw.includes(" << ") ? `(${raw})` : raw;
  const moved = plus(whole, -bias);
  return divisor === 1 ? moved : `${bias === 0 ? moved : `(${moved})`} / ${divisor}`;
}

/** Statements that store a number that is known. */
export function putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
  const bytes = knownBytes(place, as, value);
  if (bytes !== undefined)
    return bytes.map((byte, index) => `b[${byteOf({ ...place, bits: place.bits + index * 8 })}] = ${byte}`);
  return putNumber(place, { ...as, bias: 0, divisor: 1 }, String(value * (as.divisor ?? 1) + (as.bias ?? 0)));
}

/** How often `putNumber` names its number. */
export function usesOf(place: Place, as: WireInteger): number {
  const load = loadOf(place, as);
  return load.is === "bytes" ? load.pieces.length : 1;
}

/** Statements that store a number as it stands on the wire, before its low byte is changed. */
export function putNumber(place: Place, as: WireInteger, text: string): readonly string[] {
  const load = loadOf(place, as);
  const own = /^-?[\w.]+(?:\(.*\))?$/.test(text) ? text : `(${text})`;
  if (load.is === "plain")
    return as.bits === 8
      ? [`b[${byteOf(place)}] = ${own} & 0xFF`]
      : [`_put_${load.name.slice(1)}(b, ${byteOf(place)}, ${text})`];
  if (load.is === "bits")
    return [`_put_${place.order === "lsb" ? "low" : "high"}_bits(b, ${bitOf(place)}, ${as.bits}, ${text})`];
  return load.pieces.map(({ place: byte, shift, transform }) => {
    const moved = shift === 0 ? own : `(${own} >> ${shift})`;
    const changed = transform === undefined ? moved : `(${transforms[transform](moved)})`;
    if (byte.order === "bytes") return `b[${byteOf(byte)}] = ${changed} & 0xFF`;
    return `_put_${byte.order === "lsb" ? "low" : "high"}_bits(b, ${bitOf(byte)}, 8, ${changed} & 0xFF)`;
  });
}

export const pythonPlaces: PlaceText = { byteOf, bitOf, bitsAt, integerAt };
