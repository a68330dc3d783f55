/**
 * The records of a file: time since the record before and sender in one number, opcode, size, body.
 *
 * Source: `blurite/rsprox`, `proxy/src/main/kotlin/net/rsprox/proxy/binary/BinaryStream.kt`; the number is `pMidiVarLen` of `blurite/rsprot`.
 */
import type { WireErrorCode } from "../../../wire/index.ts";
import { MAX_BODY_BYTES, MAX_OPCODE, type SizeTable, UNKNOWN, VAR_BYTE, VAR_SHORT } from "./message-sizes.ts";

/** Seven bits a byte, high ones first: the high bit says that another byte follows. */
const MORE = 0x80;
const MAX_NUMBER_BYTES = 5;
const MAX_NUMBER = 0xffff_ffff;
/** Server opcodes from here on have two bytes: the cipher's form, kept in files. */
const WIDE_OPCODE = 0x80;

/** Why bytes are no record. */
export interface Refusal {
  readonly code: WireErrorCode;
  readonly why: string;
  /** An index of the bytes that were scanned. */
  readonly at: number;
}

/** What {@link RecordScanner.scan} gives for bytes that are the start of a record, and for bytes that are none. */
export const MORE_NEEDED = 0;
export const REFUSED = -1;

/** Finds where a record begins and ends. What it found last stands in its fields: one scanner for all records, no object for each. */
export class RecordScanner {
  readonly #table: SizeTable;
  isServer = false;
  /** Milliseconds since the record before. */
  deltaMs = 0;
  opcode = 0;
  bodyAt = 0;
  bodyBytes = 0;
  refusal: Refusal | undefined;

  constructor(table: SizeTable) {
    this.#table = table;
  }

  /**
   * Looks at the record that begins at `start`: gives the index behind it, or {@link MORE_NEEDED}, or {@link REFUSED}, with the reason in
   * `refusal`. Forms that no writer writes are refused, a padded number and a small opcode in two bytes: so every file that can be
   * read is written back with the same bytes.
   */
  scan(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    if (at >= end) return MORE_NEEDED;
    let number = bytes[at++] as number;
    if (number >= MORE) {
      if (number === MORE) return this.#refuse("bad-value", "its time begins with a byte of no value", start);
      number &= 0x7f;
      for (;;) {
        if (at >= end) return MORE_NEEDED;
        const byte = bytes[at++] as number;
        number = number * 128 + (byte & 0x7f);
        if (byte < MORE) break;
        if (at - start === MAX_NUMBER_BYTES) {
          return this.#refuse("limit", `its time has more than ${MAX_NUMBER_BYTES} bytes`, start);
        }
      }
      if (number > MAX_NUMBER) return this.#refuse("limit", `its time and sender, ${number}, are over 32 bits`, start);
    }
    this.isServer = (number & 1) === 1;
    this.deltaMs = number >>> 1;
    if (at >= end) return MORE_NEEDED;
    const opcodeAt = at;
    let opcode = bytes[at++] as number;
    if (this.isServer && opcode >= WIDE_OPCODE) {
      if (at >= end) return MORE_NEEDED;
      opcode = (opcode - WIDE_OPCODE) * 256 + (bytes[at++] as number);
      if (opcode < WIDE_OPCODE) return this.#refuse("bad-value", `opcode ${opcode} has two bytes`, opcodeAt);
    }
    const sizes = this.isServer ? this.#table.server : this.#table.client;
    const size = opcode > MAX_OPCODE ? UNKNOWN : (sizes[opcode] as number);
    let length = size;
    if (size < 0) {
      if (size === UNKNOWN) return this.#refuseOpcode(opcode, opcodeAt);
      if (size === VAR_BYTE) {
        if (at >= end) return MORE_NEEDED;
        length = bytes[at++] as number;
      } else if (size === VAR_SHORT) {
        if (at + 2 > end) return MORE_NEEDED;
        length = ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
        at += 2;
        if (length > MAX_BODY_BYTES) {
          const why = `size ${length} of opcode ${opcode} is over its limit of ${MAX_BODY_BYTES}`;
          return this.#refuse("limit", why, at - 2);
        }
      }
    }
    this.opcode = opcode;
    this.bodyAt = at;
    this.bodyBytes = length;
    return at + length > end ? MORE_NEEDED : at + length;
  }

  #refuseOpcode(opcode: number, at: number): number {
    return this.#refuse("unknown-message", `the ${this.isServer ? "server" : "client"} has no opcode ${opcode}`, at);
  }

  #refuse(code: WireErrorCode, why: string, at: number): number {
    this.refusal = { code, why, at };
    return REFUSED;
  }
}
