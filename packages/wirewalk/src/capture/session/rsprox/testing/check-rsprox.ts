/** What must hold of any bytes as a recording of RSProx. For tests, and for the fuzzer. */
import type { Random } from "../../../../motion/index.ts";
import { formatHex, joinBytes, type WireError } from "../../../../wire/index.ts";
import type { SessionHeader, SessionRecord } from "../../session.ts";
import type { MessageSizes } from "../message-sizes.ts";
import { isRsprox } from "../recognize.ts";
import { readRsprox } from "../rsprox-reader.ts";
import { writeRsprox } from "../rsprox-writer.ts";

/** All that a reader gave. */
export interface ReadFile {
  readonly header: SessionHeader | undefined;
  readonly records: readonly SessionRecord[];
  readonly fault: { readonly error: WireError; readonly byteOffset: number } | undefined;
}

type Tables = ReadonlyMap<number, MessageSizes>;

/** Reads a file in pieces of `step` bytes, which are spoilt after each push. */
export function readFile(file: Uint8Array, sizes: Tables, step: number = file.length): ReadFile {
  let header: SessionHeader | undefined;
  let fault: ReadFile["fault"];
  const records: SessionRecord[] = [];
  const reader = readRsprox({
    sizes: (revision) => sizes.get(revision),
    revisions: [...sizes.keys()],
    sink: {
      header(given) {
        if (header !== undefined) throw new Error("a second header");
        header = given;
      },
      record(record) {
        if (header === undefined || fault !== undefined) throw new Error("a record without a header, or after a fault");
        records.push(record);
      },
      fault(error, byteOffset) {
        if (fault !== undefined) throw new Error("a second fault");
        fault = { error, byteOffset };
      },
    },
  });
  for (let at = 0; at < file.length; at += Math.max(1, step)) {
    const piece = file.slice(at, at + Math.max(1, step));
    reader.push(piece);
    piece.fill(0xee);
  }
  reader.end();
  reader.push(file);
  reader.end();
  return { header, records, fault };
}

/** A record in one line. */
export function recordText({ number, byteOffset, timeMs, sender, payload }: SessionRecord): string {
  return `${number} ${byteOffset} ${timeMs} ${sender} ${formatHex(payload)}`;
}

/** Writes what was read. */
export function writtenBack({ header, records }: ReadFile, sizes: Tables): Uint8Array {
  const writer = writeRsprox({ sizes: (revision) => sizes.get(revision) });
  if (header === undefined) return new Uint8Array(0);
  return joinBytes([writer.header(header), ...records.map((record) => writer.record(record))]);
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/**
 * Any bytes: the same in pieces of `step` bytes as whole; what was read is written back as the same bytes, all of them where there is no
 * fault; a fault says which record and where; recognition agrees with reading. Throws `Error` otherwise.
 */
export function checkFile(file: Uint8Array, sizes: Tables, step: number): ReadFile {
  const read = readFile(file, sizes);
  const inPieces = readFile(file, sizes, step);
  const text = ({ header, records, fault }: ReadFile): string =>
    [JSON.stringify(header), ...records.map(recordText), fault?.byteOffset, fault?.error.message].join("\n");
  check(text(read) === text(inPieces), `whole:\n${text(read)}\nin pieces:\n${text(inPieces)}`);
  const { header, records, fault } = read;
  const back = writtenBack(read, sizes);
  check(sameBytes(back, file.subarray(0, back.length)), "other bytes are written back");
  if (fault === undefined) {
    check(header !== undefined && back.length === file.length, "bytes are lost without a fault");
    return read;
  }
  const { error, byteOffset } = fault;
  check(byteOffset >= back.length && byteOffset <= file.length, `a fault at ${byteOffset} behind ${back.length} bytes`);
  check(error.message.includes(` at byte ${byteOffset}`), `no place: ${error.message}`);
  const last = records.at(-1)?.number ?? 0;
  // A head without a table is not given.
  const place = header !== undefined ? `record ${last + 1}: ` : error.code === "unknown-variant" ? "" : "header";
  check(error.message.startsWith(`Cannot read ${place}`), `no record: ${error.message}`);
  if (header !== undefined)
    check(isRsprox(file) !== undefined, "a head that is read needs more bytes to be recognised");
  return read;
}

/** A file, what is in it, and where its records end. */
export interface WholeFile {
  readonly file: Uint8Array;
  readonly sizes: Tables;
  readonly read: ReadFile;
}

/** Every record of a file before byte `at` is in `damaged` too, as it is. */
function checkBefore({ file, read }: WholeFile, damaged: ReadFile, at: number): void {
  const ends = [...read.records.slice(1).map(({ byteOffset }) => byteOffset), file.length];
  const before = read.records.filter((_, index) => (ends[index] as number) <= at);
  for (const [index, record] of before.entries()) {
    const found = damaged.records[index];
    check(found !== undefined && recordText(found) === recordText(record), `record ${record.number} is another one`);
  }
}

/** Damages a file `times` times by a cut and `times` times by one changed byte. Throws `Error` where a rule of {@link checkFile} is broken, or a record before the damage is lost. */
export function checkDamage(file: Uint8Array, sizes: Tables, random: Random, times: number): void {
  const whole = { file, sizes, read: readFile(file, sizes) };
  check(whole.read.fault === undefined, "the file is damaged");
  for (let time = 0; time < times; time++) {
    checkCut(whole, random.integer(0, file.length - 1), random.integer(1, 200));
    checkChange(whole, random.integer(0, file.length - 1), random.integer(1, 0xff), random.integer(1, 200));
  }
}

/** The first `length` bytes of a file. */
export function checkCut(whole: WholeFile, length: number, step: number): void {
  const cut = checkFile(whole.file.subarray(0, length), whole.sizes, step);
  checkBefore(whole, cut, length);
  check(cut.fault === undefined || cut.fault.error.code === "truncated", `a cut is ${cut.fault?.error.code}`);
}

/** A file with one byte changed. */
export function checkChange(whole: WholeFile, at: number, change: number, step: number): void {
  const changed = whole.file.slice();
  changed[at] = (changed[at] as number) ^ change;
  const read = checkFile(changed, whole.sizes, step);
  const recordsAt = whole.read.records.find(({ number }) => number === 1)?.byteOffset ?? whole.file.length;
  if (at >= recordsAt) checkBefore(whole, read, at);
}
