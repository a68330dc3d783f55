/**
 * Which layout a file has, where its version leaves several (sheet 2.2, 2.7). Each is read as far as it goes; the one that reads
 * several records is right, because numbers at a wrong place are hardly ever a time, a size and a direction. What is decided follows
 * from the bytes alone, not from the pieces they come in.
 */
import { WireError } from "../../../wire/index.ts";
import { type HeadFields, readHead } from "./head.ts";
import { cutRecord, readRecordHead } from "./record-forms.ts";
import type { TimeUnit } from "./time.ts";
import type { Layout } from "./versions.ts";

/** How many record heads must be read to prove a layout, where a version has several. */
const PROOF_RECORDS = 3;

/** After so many bytes a layout is chosen in any case: four records of the longest that 16 bits of size allow. */
export const LOOK_AHEAD_BYTES = 262_144;

/** Ways to read a file, most likely first. */
export class Trial {
  readonly #candidates: readonly Candidate[];

  constructor(layouts: readonly Layout[]) {
    const proof = layouts.length === 1 ? 1 : PROOF_RECORDS;
    this.#candidates = layouts.map((layout) => new Candidate(layout, proof));
  }

  /** The layout of a file whose first bytes these are; undefined where more of them are needed. */
  choose(start: Uint8Array, isEnd: boolean): Candidate | undefined {
    const isWhole = isEnd && start.length <= LOOK_AHEAD_BYTES;
    const bytes = start.length > LOOK_AHEAD_BYTES ? start.subarray(0, LOOK_AHEAD_BYTES) : start;
    const candidates = this.#candidates;
    for (const candidate of candidates) candidate.read(bytes, isWhole);
    const proven = first(candidates, (candidate) => -candidate.provenAt);
    if (proven.provenAt < Number.POSITIVE_INFINITY) return proven;
    if (!isEnd && bytes.length < LOOK_AHEAD_BYTES && candidates.some(({ isOpen }) => isOpen)) return undefined;
    return first(candidates, (candidate) => candidate.rank);
  }
}

/** One way to read a file, and how far it went. */
export class Candidate {
  readonly layout: Layout;
  fields: HeadFields | undefined;
  /** Of the head, in bytes. */
  headBytes = 0;
  /** Of the first record. */
  startMs: number | undefined;
  /** Of all times. */
  unit: TimeUnit | undefined;
  /** Why nothing more is read. */
  error: WireError | undefined;
  /** Bytes after which the layout was proven. */
  provenAt = Number.POSITIVE_INFINITY;
  readonly #proof: number;
  #at = 0;
  #heads = 0;
  #isWhole = false;

  constructor(layout: Layout, proof: number) {
    this.layout = layout;
    this.#proof = proof;
  }

  /** True while more bytes would tell more. */
  get isOpen(): boolean {
    return this.error === undefined && this.provenAt === Number.POSITIVE_INFINITY && !this.#isWhole;
  }

  /** Heads of records that were read. */
  get heads(): number {
    return this.#heads;
  }

  /** Where the next record begins. */
  get offset(): number {
    return this.#at;
  }

  /** The higher, the likelier: first that it reads up to the end, then how many records, then that it stops only where bytes end. */
  get rank(): number {
    const isCut = this.error === undefined || this.error.code === "truncated";
    return (this.#isWhole ? 2 * PROOF_RECORDS + 2 : 0) + 2 * this.#heads + (isCut ? 1 : 0);
  }

  /** Reads on. All bytes from the start of the file are given each time. */
  read(bytes: Uint8Array, isEnd: boolean): void {
    if (!this.isOpen) return;
    try {
      if (this.fields === undefined && !this.#readHead(bytes, isEnd)) return;
      this.#readRecords(bytes, isEnd);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.error = error;
    }
  }

  #readHead(bytes: Uint8Array, isEnd: boolean): boolean {
    try {
      const { fields, end } = readHead(bytes, this.layout.head);
      this.fields = fields;
      this.headBytes = end;
      this.#at = end;
      return true;
    } catch (error) {
      if (error instanceof WireError && error.code === "truncated" && !isEnd) return false;
      throw error;
    }
  }

  #readRecords(bytes: Uint8Array, isEnd: boolean): void {
    const { records } = this.layout;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    while (this.isOpen) {
      const left = bytes.length - this.#at;
      if (left === 0 && isEnd) {
        this.#isWhole = true;
        return;
      }
      const place = { number: this.#heads + 1, byteOffset: this.#at, unit: this.unit };
      if (left < records.headBytes) {
        if (isEnd) throw cutRecord(records.headBytes, Math.max(0, left), place);
        return;
      }
      const { time, bodyBytes } = readRecordHead(view, this.#at, records, place);
      this.startMs ??= time.timeMs;
      this.unit ??= time.unit;
      this.#heads += 1;
      if (this.#heads === this.#proof) this.provenAt = this.#at + records.headBytes;
      const recordBytes = records.headBytes + bodyBytes + records.ivBytes;
      if (isEnd && recordBytes > left) throw cutRecord(recordBytes, left, place);
      this.#at += recordBytes;
    }
  }
}

/** The first one of the highest value. */
function first(candidates: readonly Candidate[], measure: (candidate: Candidate) => number): Candidate {
  return candidates.reduce((best, candidate) => (measure(candidate) > measure(best) ? candidate : best));
}
