/**
 * Whether every byte of a file is as it was written. Two checksums and the magic bytes cover a file that its writer has ended; where they
 * do not agree or are not there, each chunk says more: its records are read and its header and its index are made again from them.
 */

import { crc32 } from "@foxglove/crc";
import { Opcode } from "@mcap/core";
import { CHUNK_FIXED_BYTES, chunkHeader, type FoundChunk, RECORD_HEADER_BYTES } from "./chunk-records.ts";

/** A part of the file that is not as it was written. */
export interface WrongBytes {
  readonly start: number;
  readonly end: number;
  readonly reason: string;
}

export interface FileToCheck {
  readonly bytes: Uint8Array;
  readonly chunks: readonly FoundChunk[];
  /** What is no record, in the order of the file. */
  readonly damaged: readonly WrongBytes[];
  /** Where the record is that ends the data section; undefined for a file that was not ended. */
  readonly dataEnd: number | undefined;
  /** The records of a chunk, decompressed; undefined for a damaged one, which the caller names. */
  readonly recordsOf: (chunk: FoundChunk) => Uint8Array | undefined;
}

const MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a];
const DATA_END_BYTES = RECORD_HEADER_BYTES + 4;
/** Where the summary begins and where its offsets begin, u64 each, and its checksum. */
const FOOTER_BYTES = RECORD_HEADER_BYTES + 20;
/** Of an entry of the index of a chunk: time u64, offset u64. */
const INDEX_ENTRY_BYTES = 16;

/** What is wrong, beside what is damaged already. */
export function checkFile(file: FileToCheck): readonly WrongBytes[] {
  const { bytes, dataEnd, damaged } = file;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (dataEnd === undefined) return chunksOf(file, view, bytes.length).wrong;
  const summary = summaryOf(bytes, view, dataEnd + DATA_END_BYTES);
  const written = view.getUint32(dataEnd + RECORD_HEADER_BYTES, true);
  const found = crc32(bytes.subarray(0, dataEnd));
  if (written === found) return summary;
  const { wrong, isRead } = chunksOf(file, view, dataEnd);
  if (!isRead || wrong.length > 0 || damaged.length > 0) return [...wrong, ...summary];
  const reason = `the checksum of the records is ${hexOfCrc(found)}, and the file says ${hexOfCrc(written)}; what chunks hold is whole`;
  return [{ start: 0, end: dataEnd + DATA_END_BYTES, reason }, ...summary];
}

/** The bytes after the data section: the summary, its footer, and the magic bytes. */
function summaryOf(bytes: Uint8Array, view: DataView, start: number): readonly WrongBytes[] {
  const end = bytes.length;
  const wrong = (reason: string): readonly WrongBytes[] => [{ start, end, reason: `the index of the file: ${reason}` }];
  const footer = end - MAGIC.length - FOOTER_BYTES;
  if (footer < start) return wrong("the file ends within it");
  if (!MAGIC.every((byte, index) => bytes[end - MAGIC.length + index] === byte)) {
    return wrong("the file does not end as an MCAP file");
  }
  const crcAt = footer + FOOTER_BYTES - 4;
  const [written, found] = [view.getUint32(crcAt, true), crc32(bytes.subarray(start, crcAt))];
  return written === found ? [] : wrong(`its checksum is ${hexOfCrc(found)}, and the file says ${hexOfCrc(written)}`);
}

/** Chunks whose header or index is not that of their records, and bytes between chunks that are neither; whether all chunks could be read. */
function chunksOf(
  { bytes, chunks, damaged, recordsOf }: FileToCheck,
  view: DataView,
  dataEnd: number,
): { readonly wrong: readonly WrongBytes[]; readonly isRead: boolean } {
  const wrong: WrongBytes[] = [];
  let isRead = true;
  for (const [number, chunk] of chunks.entries()) {
    const records = recordsOf(chunk);
    if (records === undefined) {
      isRead = false;
      continue;
    }
    const header = chunk.start + RECORD_HEADER_BYTES + CHUNK_FIXED_BYTES;
    if (chunkHeader(bytes, chunk).crc === 0) {
      // What such a chunk holds may be anything: it is not walked through.
      wrong.push({ start: chunk.start, end: header, reason: "a chunk has no checksum" });
      continue;
    }
    const content = contentOf(records);
    if (content.first !== chunk.startTime || content.last !== chunk.endTime) {
      wrong.push({ start: chunk.start, end: header, reason: "the times of a chunk are not those of its messages" });
    }
    const next = chunks[number + 1]?.start ?? dataEnd;
    // What is damaged before the next chunk was part of the index.
    const end = damaged.find(({ start }) => start >= chunk.end && start < next)?.start ?? next;
    const reason = indexFault(bytes.subarray(chunk.end, end), view, chunk.end, content.index, end === next);
    if (reason !== undefined) wrong.push({ start: chunk.end, end, reason });
  }
  return { wrong, isRead };
}

/** Of the records of a chunk: the least and the greatest time, and for each channel time and offset of its messages. */
interface ChunkContent {
  readonly first: bigint;
  readonly last: bigint;
  readonly index: ReadonlyMap<number, readonly bigint[]>;
}

function contentOf(records: Uint8Array): ChunkContent {
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const index = new Map<number, bigint[]>();
  let [first, last] = [0n, 0n];
  for (let at = 0; at < records.length; ) {
    const content = at + RECORD_HEADER_BYTES;
    if (records[at] === Opcode.MESSAGE) {
      const [channel, time] = [view.getUint16(content, true), view.getBigUint64(content + 6, true)];
      if (index.size === 0 || time < first) first = time;
      if (time > last) last = time;
      const entries = index.get(channel);
      if (entries === undefined) index.set(channel, [time, BigInt(at)]);
      else entries.push(time, BigInt(at));
    }
    at = content + Number(view.getBigUint64(at + 1, true));
  }
  return { first, last, index };
}

/** What is wrong with the records after a chunk; undefined when they are its index, or what is left of it. */
function indexFault(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  index: ChunkContent["index"],
  isToItsEnd: boolean,
): string | undefined {
  const found = new Set<number>();
  let at = 0;
  while (at < bytes.length) {
    const content = start + at + RECORD_HEADER_BYTES;
    const isIndex = bytes[at] === Opcode.MESSAGE_INDEX && bytes.length - at >= RECORD_HEADER_BYTES + 6;
    if (!isIndex) return "after a chunk there is something other than its index";
    const length = view.getBigUint64(start + at + 1, true);
    const channel = view.getUint16(content, true);
    const entries = index.get(channel) ?? [];
    const size = 6 + (entries.length / 2) * INDEX_ENTRY_BYTES;
    const isRight =
      !found.has(channel) &&
      length === BigInt(size) &&
      at + RECORD_HEADER_BYTES + size <= bytes.length &&
      view.getUint32(content + 2, true) === size - 6 &&
      entries.every((value, entry) => view.getBigUint64(content + 6 + entry * 8, true) === value);
    if (!isRight) return `the index of channel ${channel} of a chunk is not that of its messages`;
    found.add(channel);
    at += RECORD_HEADER_BYTES + size;
  }
  return found.size === index.size || !isToItsEnd ? undefined : "the index of a chunk is missing";
}

export function hexOfCrc(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
