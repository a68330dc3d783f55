/** Expressions of Go for places in bytes, and for numbers that are loaded and stored there. */
import type { ByteTransform } from "../../wire/describe/node.ts";
import type { Place, WireInteger } from "../steps.ts";
import { type BytePiece, inBytes, knownBytes, loadOf } from "../typed/loads.ts";
import { type PlaceText, plus } from "../typed/step-printer.ts";
import { integerType } from "./types.ts";

/** The byte in which a place lies. */
export function byteOf({ base, bits }: Place): string {
  return base === "bit" ? `${bits === 0 ? "bit" : `(${plus("bit", bits)})`} >> 3` : plus("at", Math.floor(bits / 8));
}

/** A place in bits from the start of the message. */
export function bitOf({ base, bits }: Place): string {
  return base === "bit" ? plus("bit", bits) : plus("at * 8", bits);
}

/** Unsigned bits at a place, as a `uint32`. */
export function bitsAt(place: Place, width: number): string {
  return `${place.order === "lsb" ? "low" : "high"}Bits(b, ${bitOf(place)}, ${width})`;
}

const transforms: Readonly<Record<ByteTransform, (text: string) => string>> = {
  "+128": (text) => `(${text} + 128)`,
  neg: (text) => `-${text}`,
  sub: (text) => `(128 - ${text})`,
};

function byteAt(place: Place, near: string | undefined): string {
  const [bytes, at] = inBytes(place, near, byteOf);
  return `${bytes}[${at}]`;
}

function pieceText({ place, shift, transform }: BytePiece, near: string | undefined): string {
  const byte = place.order === "bytes" ? byteAt(place, near) : `byte(${bitsAt(place, 8)})`;
  const own = `uint32(${transform === undefined ? byte : transforms[transform](byte)})`;
  return shift === 0 ? own : `${own} << ${shift}`;
}

/** The type of an integer as it is loaded. */
export function loadedType({ bits, signed, bias = 0, divisor }: WireInteger): string {
  if (divisor !== undefined) return "float64";
  const low = signed ? -(2 ** (bits - 1)) : 0;
  return integerType(low - bias, low + 2 ** bits - 1 - bias);
}

/** The number at a place as its loaded type, before bias and divisor. */
function wireNumber(place: Place, as: WireInteger, near: string | undefined): string {
  const { bits, signed } = as;
  const load = loadOf(place, as);
  const own = loadedType({ bits, signed, order: as.order });
  if (load.is === "plain" && bits === 8) return signed ? `int8(${byteAt(place, near)})` : byteAt(place, near);
  const text =
    load.is === "plain"
      ? `u${load.name.slice(1)}(${inBytes(place, near, byteOf).join(", ")})`
      : load.is === "bits"
        ? bitsAt(place, bits)
        : load.pieces.map((piece) => pieceText(piece, near)).join(" | ");
  // Parts of the runtime load 16 bits as a uint16, all others as a uint32.
  const isShort = load.is === "plain" && bits === 16;
  if (!signed && load.is !== "bytes" && own === (isShort ? "uint16" : "uint32")) return text;
  return signed && ![8, 16, 32].includes(bits) ? `${own}(signed(${text}, ${bits}))` : `${own}(${text})`;
}

/** The value of an integer at a place, as its loaded type. */
export function integerAt(place: Place, as: WireInteger, near?: string): string {
  const { bias = 0, divisor } = as;
  const raw = wireNumber(place, as, near);
  if (bias === 0 && divisor === undefined) return raw;
  const moved = plus(`int64(${raw})`, -bias);
  return divisor !== undefined ? `float64(${moved}) / ${divisor}` : `${loadedType(as)}(${moved})`;
}

/** Statements that store a number that is known. */
export function putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
  const bytes = knownBytes(place, as, value);
  if (bytes !== undefined)
    return bytes.map((byte, index) => `b[${byteOf({ ...place, bits: place.bits + index * 8 })}] = ${byte}`);
  const wire = value * (as.divisor ?? 1) + (as.bias ?? 0);
  return putNumber(place, as, `uint32(${wire >>> 0})`);
}

/** Statements that store a number, a `uint32`, as it stands on the wire, before its low byte is changed. */
export function putNumber(place: Place, as: WireInteger, word: string): readonly string[] {
  const load = loadOf(place, as);
  if (load.is === "plain")
    return as.bits === 8
      ? [`b[${byteOf(place)}] = byte(${word.startsWith("uint32(") ? word.slice(7, -1) : word})`]
      : [`put${load.name.slice(1)}(b, ${byteOf(place)}, ${word})`];
  if (load.is === "bits")
    return [`put${place.order === "lsb" ? "Low" : "High"}Bits(b, ${bitOf(place)}, ${as.bits}, ${word})`];
  return load.pieces.map(({ place: byte, shift, transform }) => {
    const moved = `byte(${shift === 0 ? word : `${word} >> ${shift}`})`;
    const changed = transform === undefined ? moved : transforms[transform](moved);
    if (byte.order === "bytes") return `b[${byteOf(byte)}] = ${changed}`;
    return `put${byte.order === "lsb" ? "Low" : "High"}Bits(b, ${bitOf(byte)}, 8, uint32(${changed}))`;
  });
}

export const goPlaces: PlaceText = { byteOf, bitOf, bitsAt, integerAt };
