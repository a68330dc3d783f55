/** What the byte view shows, worked out from a trace: which field each bit belongs to. Pure. */
import type { PayloadTrace } from "wirewalk/protocol";
import { formatHex, type TraceField } from "wirewalk/wire";

/** A bit of a message and the field it belongs to; -1: none (not described, or not reached). */
export interface BitCell {
  readonly bit: 0 | 1;
  readonly field: number;
}

/** A byte of a message. */
export interface ByteCell {
  /** From 0. */
  readonly index: number;
  /** Two hex digits. */
  readonly hex: string;
  readonly bits: readonly BitCell[];
  /** The field of the whole byte; -1: none, or several. */
  readonly field: number;
  /** The byte at which reading stopped. */
  readonly broken: boolean;
}

/** A field's value in words, and the number that stands for it where the words are not that number. */
export function fieldWords({ shown, raw }: Pick<TraceField, "shown" | "raw">): {
  readonly words: string;
  readonly number: string | undefined;
} {
  const number = String(raw);
  if (shown === number) return { words: shown, number: undefined };
  // Tables of a game begin with the number: `7, jump left`.
  return { words: shown.startsWith(`${number}, `) ? shown.slice(number.length + 2) : shown, number };
}

/** The bytes of a message with the field of every bit. A field's number is its index in `trace.fields`. */
export function byteCells(payload: Uint8Array, trace: PayloadTrace): readonly ByteCell[] {
  const owner = new Int32Array(payload.length * 8).fill(-1);
  for (const [index, { bitOffset, bitLength }] of trace.fields.entries()) {
    owner.fill(index, bitOffset, bitOffset + bitLength);
  }
  const brokenByte = trace.error === undefined ? -1 : Math.floor(trace.error.bitOffset / 8);
  return Array.from(payload, (byte, index) => {
    const bits = Array.from({ length: 8 }, (_, bit): BitCell => {
      return { bit: ((byte >> (7 - bit)) & 1) as 0 | 1, field: owner[index * 8 + bit] ?? -1 };
    });
    const first = bits[0]?.field ?? -1;
    return {
      index,
      hex: byte.toString(16).padStart(2, "0").toUpperCase(),
      bits,
      field: bits.every(({ field }) => field === first) ? first : -1,
      broken: index === brokenByte,
    };
  });
}

/** Neighbouring bits of one field, as digits. */
export interface BitRun {
  /** Place of the first in its byte. */
  readonly from: number;
  readonly bits: string;
  readonly field: number;
}

/** The bits of a byte by field: an element for each of a hundred bytes' bits took longer to lay out than all the rest of the page. */
export function bitRuns({ bits }: ByteCell): readonly BitRun[] {
  const runs: BitRun[] = [];
  for (const [from, { bit, field }] of bits.entries()) {
    const last = runs.at(-1);
    if (last?.field === field) runs[runs.length - 1] = { ...last, bits: `${last.bits}${bit}` };
    else runs.push({ from, bits: `${bit}`, field });
  }
  return runs;
}

/** Where a field lies, for people: `byte 3`, `bytes 3–4`, `bits 4–6 of byte 2`, `bits 12–19`. */
export function fieldPlace({
  bitOffset,
  bitLength,
}: Pick<TraceField, "bitOffset" | "bitLength"> & Partial<TraceField>): string {
  const firstByte = Math.floor(bitOffset / 8);
  const lastByte = Math.floor((bitOffset + bitLength - 1) / 8);
  if (bitOffset % 8 === 0 && bitLength % 8 === 0) {
    return firstByte === lastByte ? `byte ${firstByte}` : `bytes ${firstByte}–${lastByte}`;
  }
  if (firstByte !== lastByte) return `bits ${bitOffset}–${bitOffset + bitLength - 1}`;
  const from = bitOffset % 8;
  return bitLength === 1
    ? `bit ${from} of byte ${firstByte}`
    : `bits ${from}–${from + bitLength - 1} of byte ${firstByte}`;
}

/** Upper-case hex with spaces, the way the page writes bytes. */
export function showHex(payload: Uint8Array): string {
  return formatHex(payload).toUpperCase();
}
