/** Writes recordings of RSProx. What {@link readRsprox} reads without a fault is written with the same bytes. */
import { countBytes, joinBytes } from "../../../wire/index.ts";
import type { SessionHeader, SessionRecord, SessionWriter } from "../session.ts";
import { writeHeader } from "./header.ts";
import {
  type FindSizes,
  MAX_BODY_BYTES,
  PLAYER_INDEX_OPCODE,
  type SizeTable,
  sizeTable,
  UNKNOWN,
  VAR_BYTE,
  VAR_SHORT,
} from "./message-sizes.ts";

export interface RsproxWriterOptions {
  readonly sizes: FindSizes;
}

type WrittenRecord = Omit<SessionRecord, "number" | "byteOffset">;

/** Half of the 32 bits that time and sender share. */
const MAX_PAUSE_MS = 0x7fff_ffff;
const WIDE_OPCODE = 0x80;
/** Before each byte of a number but the last. */
const MORE = 0x80;
/** Time and sender, opcode, size. */
const MAX_HEAD_BYTES = 9;
/** Opcode and body of `playerIndex`. */
const INDEX_BYTES = 3;
const NO_BYTES = new Uint8Array(0);

/**
 * A writer of one file. A head that does not know the observer or the start is written with the first record, which must then be `playerIndex`
 * (opcode 253, body u16) for the observer; until then the writer gives no bytes. `playerIndex` is no record of a file: it becomes the
 * head's index. A head that came from RSProx keeps all its fields, others have version 1.1 of the revision, world 0 and no cache.
 *
 * Times are cut to whole milliseconds, each from the start, so that nothing adds up.
 *
 * Throws `RangeError` for what a file cannot hold: no revision, a revision without a table, a second observer, a record before the one before it or before the
 * start, a pause over 2^31 - 1 ms, an opcode or a size that is not the table's; `TypeError` for calls out of order. A record that is refused
 * changes nothing.
 */
export function writeRsprox(options: RsproxWriterOptions): SessionWriter {
  return new RsproxWriter(options);
}

class RsproxWriter implements SessionWriter {
  readonly #options: RsproxWriterOptions;
  #session: { readonly header: SessionHeader; readonly table: SizeTable } | undefined;
  /** Undefined until the head is written. */
  #observer: number | undefined;
  /** The time of the last record: whole milliseconds since 1970. */
  #writtenMs = 0;

  constructor(options: RsproxWriterOptions) {
    this.#options = options;
  }

  header(header: SessionHeader): Uint8Array {
    if (this.#session !== undefined) throw new TypeError("Cannot write rsprox: a file has one header");
    const { protocol, settings, startMs } = header;
    if (protocol !== "osrs") throw refused(`it holds sessions of osrs, not of ${protocol}`);
    const { revision } = settings;
    if (revision === undefined) throw refused("the session has no setting revision");
    const sizes = this.#options.sizes(revision);
    if (sizes === undefined) throw refused(`no table of messages is known for revision ${revision}`);
    const table = sizeTable(sizes);
    const observer = observerOf(header);
    let bytes: Uint8Array = NO_BYTES;
    if (observer !== undefined && startMs !== undefined) {
      bytes = writeHeader(header, { startMs, observer });
      this.#observer = observer;
      this.#writtenMs = Math.floor(startMs);
    }
    this.#session = { header, table };
    return bytes;
  }

  record(record: WrittenRecord): Uint8Array {
    if (this.#session === undefined) throw new TypeError("Cannot write rsprox: the header comes first");
    const { header, table } = this.#session;
    const index = indexIn(record);
    const isOpen = this.#observer !== undefined;
    const observer = this.#observer ?? observerOf(header) ?? index;
    if (observer === undefined) throw refused("the header has no observer, and the first record is not playerIndex");
    if (index !== undefined && index !== observer)
      throw refused(`a file has one observer, ${observer}, not ${index} as well`);
    const sinceMs = isOpen ? this.#writtenMs : Math.floor(header.startMs ?? record.timeMs);
    const head = isOpen ? NO_BYTES : writeHeader(header, { startMs: sinceMs, observer });
    const bytes = index === undefined ? recordBytes(table, record, sinceMs) : NO_BYTES;
    this.#observer = observer;
    this.#writtenMs = index === undefined ? Math.floor(record.timeMs) : sinceMs;
    return isOpen ? bytes : joinBytes([head, bytes]);
  }
}

function refused(why: string): RangeError {
  return new RangeError(`Cannot write rsprox: ${why}`);
}

function observerOf({ observer, format, fields }: SessionHeader): number | undefined {
  return observer ?? (format === "rsprox" ? (fields.localPlayerIndex as number | undefined) : undefined);
}

/** The index in a `playerIndex`; undefined for every other record. */
function indexIn({ sender, payload }: WrittenRecord): number | undefined {
  const [opcode, high = 0, low = 0] = payload;
  if (sender !== "server" || opcode !== PLAYER_INDEX_OPCODE) return undefined;
  if (payload.length !== INDEX_BYTES)
    throw refused(`playerIndex has ${countBytes(INDEX_BYTES)}, got ${payload.length}`);
  return (high << 8) | low;
}

function recordBytes(table: SizeTable, { timeMs, sender, payload }: WrittenRecord, sinceMs: number): Uint8Array {
  const deltaMs = Math.floor(timeMs) - sinceMs;
  if (!(deltaMs >= 0)) throw refused(`a record at ${timeMs} ms comes after ${sinceMs} ms`);
  if (deltaMs > MAX_PAUSE_MS) throw refused(`a pause of ${deltaMs} ms is over ${MAX_PAUSE_MS}`);
  const isServer = sender === "server";
  const [opcode = -1] = payload;
  const size = opcode < 0 ? UNKNOWN : (table[sender][opcode] as number);
  const length = payload.length - 1;
  const limit = size === VAR_BYTE ? 0xff : MAX_BODY_BYTES;
  if (size === UNKNOWN) throw refused(opcode < 0 ? "a record has no opcode" : `the ${sender} has no opcode ${opcode}`);
  if (size >= 0 ? length !== size : length > limit) {
    const wanted = size >= 0 ? `${size}` : `at most ${limit}`;
    throw refused(`a body of opcode ${opcode} of the ${sender} has ${wanted} bytes, got ${length}`);
  }
  const bytes = new Uint8Array(MAX_HEAD_BYTES + length);
  let at = putNumber(bytes, deltaMs * 2 + (isServer ? 1 : 0));
  if (isServer && opcode >= WIDE_OPCODE) bytes[at++] = WIDE_OPCODE;
  bytes[at++] = opcode;
  if (size === VAR_SHORT) bytes[at++] = length >> 8;
  if (size < 0) bytes[at++] = length & 0xff;
  bytes.set(payload.subarray(1), at);
  return bytes.subarray(0, at + length);
}

/** Puts a number of up to 32 bits in as few groups of seven as it has. Gives the index behind it. */
function putNumber(bytes: Uint8Array, number: number): number {
  let at = 0;
  for (let shift = 28; shift > 0; shift -= 7) {
    if (number >= 2 ** shift) bytes[at++] = MORE | ((number >>> shift) & 0x7f);
  }
  bytes[at++] = number & 0x7f;
  return at;
}
