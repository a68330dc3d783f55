/**
 * The records of the data section of an MCAP file, found by their lengths alone. Where a length is damaged, the next chunk is
 * searched for: a chunk's lengths agree with each other, and other bytes hardly ever do.
 */
import { Opcode } from "@mcap/core";

const MAGIC_BYTES = 8;
/** Opcode u8, length u64. */
export const RECORD_HEADER_BYTES = 9;
/** Two times, the size, the checksum, the length of the name of the compression, and the length of the records. */
export const CHUNK_FIXED_BYTES = 8 + 8 + 8 + 4 + 4 + 8;
const MAX_NAME_BYTES = 16;

/** A chunk in the file, as its own header has it. Its content is not checked yet. */
export interface FoundChunk {
  /** Of the record, in bytes of the file. */
  readonly start: number;
  readonly end: number;
  readonly startTime: bigint;
  readonly endTime: bigint;
}

/** Bytes that are part of no valid record. */
export interface DamagedBytes {
  readonly start: number;
  readonly end: number;
  readonly reason: string;
}

export interface FoundRecords {
  readonly chunks: readonly FoundChunk[];
  readonly metadata: readonly { readonly start: number; readonly end: number }[];
  readonly damaged: readonly DamagedBytes[];
  /** Where the record is that ends the data section: a summary follows. Undefined when the writer has not ended the file. */
  readonly dataEnd: number | undefined;
}

/** Finds the records of a file. Looks at each byte at most once, and reads no content. */
export function findRecords(bytes: Uint8Array): FoundRecords {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: FoundChunk[] = [];
  const metadata: { start: number; end: number }[] = [];
  const damaged: DamagedBytes[] = [];
  const skip = (start: number, reason: string): number => {
    const next = nextChunk(bytes, view, start + 1);
    const end = next ?? bytes.length;
    damaged.push({ start, end, reason });
    return end;
  };
  let at = Math.min(MAGIC_BYTES, bytes.length);
  while (at < bytes.length) {
    if (bytes.length - at < RECORD_HEADER_BYTES) {
      at = skip(at, "the file ends within a record");
      continue;
    }
    const opcode = bytes[at] as number;
    const length = Number(view.getBigUint64(at + 1, true));
    const start = at + RECORD_HEADER_BYTES;
    const end = start + length;
    if (end > bytes.length) {
      at = skip(at, "a record is longer than the file");
      continue;
    }
    if (opcode === Opcode.CHUNK && isChunk(view, at)) {
      chunks.push({
        start: at,
        end,
        startTime: view.getBigUint64(start, true),
        endTime: view.getBigUint64(start + 8, true),
      });
    } else if (opcode === Opcode.DATA_END && length === 4) {
      return { chunks, metadata, damaged, dataEnd: at };
    } else if (opcode === Opcode.METADATA) {
      metadata.push({ start: at, end });
    } else if (!isConsistent(opcode, view, start, length)) {
      at = skip(at, "a record is not valid");
      continue;
    }
    at = end;
  }
  return { chunks, metadata, damaged, dataEnd: undefined };
}

/** Whether a record of the data section that is no chunk has lengths that agree. */
function isConsistent(opcode: number, view: DataView, start: number, length: number): boolean {
  switch (opcode) {
    case Opcode.HEADER:
      return start === MAGIC_BYTES + RECORD_HEADER_BYTES;
    case Opcode.MESSAGE_INDEX:
      return length >= 6 && view.getUint32(start + 2, true) === length - 6;
    case Opcode.ATTACHMENT:
    case Opcode.SCHEMA:
    case Opcode.CHANNEL:
    case Opcode.MESSAGE:
      return true;
    default:
      // A program may add records of its own from 0x80 on.
      return opcode >= 0x80;
  }
}

function nextChunk(bytes: Uint8Array, view: DataView, from: number): number | undefined {
  for (let at = bytes.indexOf(Opcode.CHUNK, from); at >= 0; at = bytes.indexOf(Opcode.CHUNK, at + 1)) {
    if (isChunk(view, at)) return at;
  }
  return undefined;
}

/** What the header of a chunk says of its records. */
export interface ChunkHeader {
  readonly compression: string;
  /** Of the records, decompressed. */
  readonly size: bigint;
  /** 0: none. */
  readonly crc: number;
  /** Where its records begin, in bytes of the file. */
  readonly records: number;
}

export function chunkHeader(bytes: Uint8Array, { start }: FoundChunk): ChunkHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = start + RECORD_HEADER_BYTES;
  const name = at + 32;
  const nameBytes = view.getUint32(at + 28, true);
  return {
    size: view.getBigUint64(at + 16, true),
    crc: view.getUint32(at + 24, true),
    compression: new TextDecoder().decode(bytes.subarray(name, name + nameBytes)),
    records: name + nameBytes + 8,
  };
}

/** Whether a whole chunk lies here, by its lengths. */
function isChunk(view: DataView, at: number): boolean {
  const left = view.byteLength - at - RECORD_HEADER_BYTES;
  if (left < CHUNK_FIXED_BYTES) return false;
  // The upper half first: it is 0 in files of less than 4 GiB.
  const length = view.getUint32(at + 5, true) * 2 ** 32 + view.getUint32(at + 1, true);
  if (length < CHUNK_FIXED_BYTES || length > left) return false;
  const start = at + RECORD_HEADER_BYTES;
  const nameBytes = view.getUint32(start + 28, true);
  if (nameBytes > MAX_NAME_BYTES || CHUNK_FIXED_BYTES + nameBytes > length) return false;
  const records = start + 32 + nameBytes;
  const size = view.getUint32(records + 4, true) * 2 ** 32 + view.getUint32(records, true);
  return size === length - CHUNK_FIXED_BYTES - nameBytes;
}
