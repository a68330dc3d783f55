/**
 * What a decoder saw, field by field, down to the bit. Layouts collect it by themselves; code that reads bits by hand
 * adds its fields with {@link Tracer.field}.
 *
 * ```ts
 * import { BitReader, Tracer } from "wirewalk/wire";
 *
 * const reader = new BitReader(new Uint8Array([0b0110_0000]));
 * const tracer = new Tracer();
 * const type = reader.read(2);
 * tracer.field("type", reader.bitOffset - 2, 2, type, "walk");
 * tracer.fields; // => [{ path: "type", bitOffset: 0, bitLength: 2, raw: 1, shown: "walk" }]
 * ```
 *
 * @module
 */

import type { WireError } from "./wire-error.ts";

/** One field of a message. Within a trace no two fields share a bit, and all together cover every bit read. */
export interface TraceField {
  /** Where in the value: `fragments[3].x`; a count before a list is `fragments.count`. */
  path: string;
  /** In bits from the start of the bytes, most significant bit of a byte first. */
  bitOffset: number;
  bitLength: number;
  /** The number on the wire, or hex digits for a run of bytes. */
  raw: number | bigint | string;
  /** What it means, for a person to read. */
  shown: string;
  /** Named bits of a field that no layout describes, in wire order. */
  flags?: readonly { readonly name: string; readonly bitOffset: number }[];
}

/** Bytes that came out of a field, such as a compressed block, with their fields. */
export interface InnerTrace {
  readonly title: string;
  readonly bytes: Uint8Array;
  readonly fields: readonly TraceField[];
  /** What they hold, or why reading stopped. */
  readonly value?: unknown;
  readonly error?: WireError;
}

/** Collects the fields of one message in the order in which they are read. */
export class Tracer {
  readonly #fields: TraceField[] = [];
  /** Bytes whose fields have no places in the message, because they came out of a compressed block. */
  inner: InnerTrace | undefined;

  get fields(): readonly TraceField[] {
    return this.#fields;
  }

  /** Adds a field. `shown` is `raw` as text when there is nothing better to say. */
  field(path: string, bitOffset: number, bitLength: number, raw: number | bigint | string, shown = String(raw)): void {
    this.#fields.push({ path, bitOffset, bitLength, raw, shown });
  }

  /** Names single bits of the last field. */
  nameBits(flags: NonNullable<TraceField["flags"]>): void {
    const last = this.#fields.at(-1);
    if (last !== undefined) last.flags = flags;
  }

  /** Drops all fields but the first `count`: for readers that go back. */
  truncate(count: number): void {
    this.#fields.length = Math.min(count, this.#fields.length);
  }

  /** Replaces the shown text of the last field: for callers that know more about the value than its layout. */
  reshow(shown: string): void {
    const last = this.#fields.at(-1);
    if (last !== undefined) last.shown = shown;
  }
}

/**
 * Where `fields` fail to cover `byteLength` bytes with every bit exactly once: a sentence for the first gap or overlap,
 * or `undefined` when they tile. The test of every trace.
 */
export function tilingFault(fields: readonly TraceField[], byteLength: number): string | undefined {
  let covered = 0;
  for (const { path, bitOffset, bitLength } of [...fields].sort((a, b) => a.bitOffset - b.bitOffset)) {
    if (bitLength <= 0) return `${path} is ${bitLength} bits long`;
    if (bitOffset > covered) return `bits ${covered}..${bitOffset - 1} before ${path} belong to no field`;
    if (bitOffset < covered)
      return `${path} at bit ${bitOffset} overlaps the field before it, which ends at ${covered}`;
    covered = bitOffset + bitLength;
  }
  if (covered < byteLength * 8) return `bits ${covered}..${byteLength * 8 - 1} belong to no field`;
  if (covered > byteLength * 8) return `the last field ends at bit ${covered} of ${byteLength * 8}`;
  return undefined;
}
