/** How integers stand on the wire, in the pieces that a language loads and stores. */
import type { ByteTransform } from "../../wire/describe/node.ts";
import type { Place, WireInteger } from "../steps.ts";

/** A byte of an integer: where it lies, how far it is moved up in the number, and how it is changed. */
export interface BytePiece {
  readonly place: Place;
  readonly shift: number;
  readonly transform?: ByteTransform;
}

/**
 * `plain`: whole bytes at a known byte in a usual order, by their name: `u16le`. `bytes`: whole bytes in another order, changed, or across
 * bytes. `bits`: bits of any number, the most significant first, or within one byte from its low end.
 */
export type Load =
  | { readonly is: "plain"; readonly name: string }
  | { readonly is: "bytes"; readonly pieces: readonly BytePiece[] }
  | { readonly is: "bits" };

/** How an integer is loaded and stored, before bias and divisor. */
export function loadOf(place: Place, { bits, signed, order, transform }: WireInteger): Load {
  const isWhole = bits % 8 === 0;
  const isBytes = place.order === "bytes" || (isWhole && (order !== "be" || transform !== undefined));
  if (!isBytes) return { is: "bits" };
  const isUsual = order === "be" || order === "le";
  if (place.order === "bytes" && place.base === "at" && isUsual && transform === undefined)
    return { is: "plain", name: `${signed ? "i" : "u"}${bits}${bits === 8 ? "" : order}` };
  const count = bits / 8;
  const pieces = Array.from({ length: count }, (_, index): BytePiece => {
    const low = isUsual ? (order === "be" ? count - 1 - index : index) : Number(order[index]);
    return {
      place: { ...place, bits: place.bits + index * 8 },
      shift: 8 * low,
      ...(low === 0 && transform !== undefined ? { transform } : {}),
    };
  });
  return { is: "bytes", pieces };
}

/** The bytes in which a place lies, and where in them: the message, or bytes from the cursor on that were taken before, by their name. */
export function inBytes(
  place: Place,
  near: string | undefined,
  byteOf: (place: Place) => string,
): readonly [bytes: string, at: string] {
  return near === undefined ? ["b", byteOf(place)] : [near, String(place.bits / 8)];
}

/** The bytes of a number that is known, in wire order; undefined where it lies across bytes. */
export function knownBytes(place: Place, as: WireInteger, value: number): readonly number[] | undefined {
  if (place.order !== "bytes") return undefined;
  const { bits, order, transform, bias = 0, divisor = 1 } = as;
  const wire = value * divisor + bias;
  const count = bits / 8;
  return Array.from({ length: count }, (_, index) => {
    const low = order === "be" ? count - 1 - index : order === "le" ? index : Number(order[index]);
    const byte = Math.floor(wire / 2 ** (8 * low)) & 255;
    if (low > 0 || transform === undefined) return byte;
    return (transform === "+128" ? byte + 128 : transform === "neg" ? -byte : 128 - byte) & 255;
  });
}
