/** What must hold for the bytes of any file, and damaged files to check it with. */
import { joinBytes } from "../../../../wire/index.ts";
import type { SessionHeader, SessionRecord } from "../../session.ts";
import { MapleSharkReader } from "../reader.ts";
import { MapleSharkWriter } from "../writer.ts";

export interface ReadFile {
  readonly header: SessionHeader | undefined;
  readonly records: readonly SessionRecord[];
  /** Text and byte offset. */
  readonly faults: readonly (readonly [text: string, byteOffset: number])[];
}

/** All that the reader gives for a file in pieces of a size, whose memory is overwritten after each. */
export function readMsb(file: Uint8Array, pieceBytes = Math.max(1, file.length)): ReadFile {
  let header: SessionHeader | undefined;
  const records: SessionRecord[] = [];
  const faults: [string, number][] = [];
  const reader = new MapleSharkReader({
    header(given) {
      if (header !== undefined || records.length > 0) throw new Error("a second header, or one after records");
      header = given;
    },
    record: (record) => records.push(record),
    fault: (error, byteOffset) => faults.push([error.message, byteOffset]),
  });
  for (let at = 0; at < file.length; at += pieceBytes) {
    const piece = file.slice(at, at + pieceBytes);
    reader.push(piece);
    piece.fill(0xee);
  }
  reader.end();
  return { header, records, faults };
}

/** The bytes that the writer makes of what was read. */
export function writeMsb({ header, records }: Pick<ReadFile, "header" | "records">): Uint8Array {
  if (header === undefined) return new Uint8Array(0);
  const writer = new MapleSharkWriter();
  return joinBytes([writer.header(header), ...records.map((record) => writer.record(record))]);
}

/**
 * Reads a file of any bytes. Throws unless what is read is the same whole and in pieces, at most one fault comes, and the writer gives
 * back the bytes that were read: all of the file, or all before the record that the fault is about.
 */
export function checkMsb(file: Uint8Array, pieceBytes: number): ReadFile {
  const read = readMsb(file);
  const inPieces = readMsb(file, pieceBytes);
  if (textOf(read) !== textOf(inPieces)) throw new Error(`whole:\n${textOf(read)}\nin pieces:\n${textOf(inPieces)}`);
  const [fault] = read.faults;
  if (read.faults.length > 1) throw new Error(`${read.faults.length} faults`);
  const written = writeMsb(read);
  const isStart = Buffer.compare(written, file.subarray(0, written.length)) === 0;
  if (!isStart || (fault === undefined ? written.length !== file.length : written.length > fault[1])) {
    throw new Error(`${written.length} other bytes were written of ${file.length}, with the fault ${fault}`);
  }
  return read;
}

function textOf({ header, records, faults }: ReadFile): string {
  const lines = records.map(({ payload, ...rest }) =>
    JSON.stringify({ ...rest, hex: Buffer.from(payload).toString("hex") }),
  );
  return [JSON.stringify(header), ...lines, JSON.stringify(faults)].join("\n");
}

export interface DamagedFile {
  readonly kind: "cut" | "flip";
  /** The first byte that is missing or different. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** A file cut and with one byte changed, at places that follow from the seed: `count` of each. */
export function* damagedFiles(file: Uint8Array, seed: number, count: number): Generator<DamagedFile> {
  let state = seed >>> 0;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
  for (let index = 0; index < count; index++) {
    const cut = random(file.length);
    yield { kind: "cut", at: cut, bytes: file.slice(0, cut) };
    const at = random(file.length);
    yield flipped(file, at, 1 + random(255));
  }
}

/** The file with some bits of one byte changed. */
export function flipped(file: Uint8Array, at: number, bits: number): DamagedFile {
  const bytes = file.slice();
  bytes[at] = (bytes[at] as number) ^ bits;
  return { kind: "flip", at, bytes };
}

/** What must be read of a damaged file in spite of the damage. Throws like {@link checkMsb}, and for a record before the damage that is missing. */
export function checkDamagedMsb(
  whole: { readonly offsets: readonly number[]; readonly isAmbiguous: boolean },
  original: ReadFile,
  { kind, at, bytes }: DamagedFile,
  pieceBytes: number,
): ReadFile {
  const read = checkMsb(bytes, pieceBytes);
  const before = whole.offsets.slice(1).filter((end) => end <= at).length;
  // Without some records before the damage, the layout itself may be read otherwise.
  if (at < (whole.offsets[0] ?? 0) || (whole.isAmbiguous && before < 3)) return read;
  for (let index = 0; index < before; index++) {
    const wanted = original.records[index];
    if (JSON.stringify(read.records[index]) !== JSON.stringify(wanted))
      throw new Error(`record ${index + 1} is another`);
  }
  const isBoundary = whole.offsets.includes(at);
  if (kind === "cut" && (read.records.length !== before || (read.faults.length === 0) !== isBoundary)) {
    throw new Error(`cut at ${at}: ${read.records.length} of ${before} records, faults ${JSON.stringify(read.faults)}`);
  }
  return read;
}
