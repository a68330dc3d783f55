/**
 * Reads recordings of RSProx, a proxy of Old School RuneScape: files `.bin`, one login each, all messages of both sides in clear.
 *
 * ```ts
 * import { readRsprox } from "wirewalk/capture";
 * import { parseHex } from "wirewalk/wire";
 *
 * const revision239 = {
 *   server: new Map([[28, { name: "PLAYER_INFO", size: "varShort" }]]),
 *   client: new Map([[110, { name: "EVENT_MOUSE_MOVE", size: "varByte" }]]),
 * };
 * const seen = [];
 * const reader = readRsprox({
 *   sizes: (revision) => (revision === 239 ? revision239 : undefined),
 *   sink: {
 *     header: ({ startMs, observer, settings }) => seen.push([startMs, observer, settings.revision]),
 *     record: ({ number, timeMs, sender, payload }) => seen.push([number, timeMs, sender, ...payload]),
 *     fault: (error, byteOffset) => seen.push([error.message, byteOffset]),
 *   },
 * });
 * reader.push(parseHex("00000001 000000ef 00000001 04 00 0000018bcfe56800 012d 00000001 00 77 2e 65 78 61 6d 70 6c 65 00"));
 * reader.push(parseHex("2d 00 0005 0002 abcd 44 65 6d 6f 00 00000000  8931 1c 0003 007ff4  28 6e 04 00005860  01 81"));
 * reader.end();
 * seen[0]; // => [1_700_000_000_000, 5, 239]
 * seen[1]; // => [0, 1_700_000_000_000, "server", 253, 0, 5]
 * seen[2]; // => [1, 1_700_000_000_600, "server", 28, 0x00, 0x7f, 0xf4]
 * seen[3]; // => [2, 1_700_000_000_620, "client", 110, 0x00, 0x00, 0x58, 0x60]
 * seen[4]; // => ["Cannot read record 3: the file ends 2 bytes into it at byte 71", 71]
 * ```
 *
 * @module
 */
import { countBytes, WireError, type WireErrorCode } from "../../../wire/index.ts";
import type { SessionReader, SessionSink } from "../session.ts";
import { fittingRevisions, TRIED_BYTES } from "./fitting-revisions.ts";
import { type ReadHeader, readHeader } from "./header.ts";
import { type FindSizes, PLAYER_INDEX_OPCODE, sizeTable } from "./message-sizes.ts";
import { MORE_NEEDED, REFUSED, RecordScanner } from "./record-scanner.ts";

export interface RsproxReaderOptions {
  readonly sizes: FindSizes;
  /** Revisions that `sizes` knows: those tried on a file whose own table does not fit. */
  readonly revisions?: readonly number[];
  readonly sink: SessionSink;
}

/** A window is four times the one before, up to this size. It has room for the longest head or record, and for many usual records. */
const WINDOW_BYTES = 128 * 1024;
const FIRST_WINDOW_BYTES = 2048;
const NO_BYTES = new Uint8Array(0);

/**
 * A reader of one file, in pieces of any size. Memory: one window of 128 KiB and the first 256 KiB of the file, however long it is.
 *
 * The payload of a record is its opcode as one byte, then its body, and the sink may keep it: the bytes never change. It shares a window
 * of 128 KiB with the records around it, so copy the few that are kept for long. Times are the sums of the file's whole
 * milliseconds, which run 0.2 % slow: see `TickClock`. The first record is not in the file: number 0, `playerIndex`, with the index that the
 * head has; without an index there is none.
 *
 * Faults: a head that is cut or none, RuneScape 3, a revision without a table (`unknown-variant`), a record that is cut (`truncated`), an opcode that the
 * table does not have (`unknown-message`), a size or time over its limit (`limit`), a padded number (`bad-value`). Records have no
 * marks, so nothing can be read behind a fault. Where the table may be wrong, the fault waits for 256 KiB of the file or its end, and says which of `revisions` fit.
 */
export function readRsprox(options: RsproxReaderOptions): SessionReader {
  return new RsproxReader(options);
}

/** Why reading stopped, before the revisions were tried. */
interface Break {
  readonly code: WireErrorCode;
  readonly what: string;
  readonly why: string;
  readonly byte: number;
}

class RsproxReader implements SessionReader {
  readonly #options: RsproxReaderOptions;
  #window = NO_BYTES;
  /** The place of the window in the file. */
  #base = 0;
  /** What was not yet used of the window. */
  #from = 0;
  #to = 0;
  /** The first bytes of the file. */
  #start = NO_BYTES;
  #startBytes = 0;
  #head: ReadHeader | undefined;
  #scanner: RecordScanner | undefined;
  #records = 0;
  #timeMs = 0;
  #break: Break | undefined;
  #isOver = false;

  constructor(options: RsproxReaderOptions) {
    this.#options = options;
  }

  push(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#keepStart(bytes);
    for (let at = 0; at < bytes.length && this.#break === undefined && !this.#isOver; ) {
      if (this.#to === this.#window.length) this.#renewWindow();
      const count = Math.min(this.#window.length - this.#to, bytes.length - at);
      this.#window.set(bytes.subarray(at, at + count), this.#to);
      this.#to += count;
      at += count;
      this.#read();
    }
    if (this.#break !== undefined && this.#startBytes === TRIED_BYTES) this.#explain(this.#break, false);
  }

  end(): void {
    if (this.#isOver) return;
    const held = this.#to - this.#from;
    const byte = this.#base + this.#from;
    if (this.#break === undefined && (held > 0 || this.#head === undefined)) {
      const what = this.#head === undefined ? "header" : `record ${this.#records + 1}`;
      this.#break = { code: "truncated", what, why: `the file ends ${countBytes(held)} into it`, byte };
    }
    if (this.#break !== undefined) this.#explain(this.#break, true);
    this.#finish();
  }

  #keepStart(bytes: Uint8Array): void {
    const count = Math.min(TRIED_BYTES - this.#startBytes, bytes.length);
    if (count === 0) return;
    const needed = this.#startBytes + count;
    if (needed > this.#start.length) {
      const larger = new Uint8Array(Math.min(TRIED_BYTES, Math.max(needed, this.#start.length * 2)));
      larger.set(this.#start);
      this.#start = larger;
    }
    this.#start.set(bytes.subarray(0, count), this.#startBytes);
    this.#startBytes += count;
  }

  /** The old window is left to the records that share it. */
  #renewWindow(): void {
    const size = Math.min(WINDOW_BYTES, Math.max(FIRST_WINDOW_BYTES, this.#window.length * 4));
    const window = new Uint8Array(size);
    window.set(this.#window.subarray(this.#from));
    this.#base += this.#from;
    this.#to -= this.#from;
    this.#from = 0;
    this.#window = window;
  }

  #read(): void {
    if (this.#head === undefined) this.#readHead();
    if (this.#scanner !== undefined) this.#readRecords(this.#scanner);
  }

  #readHead(): void {
    const { sizes, sink } = this.#options;
    try {
      this.#head = readHeader(this.#window.subarray(0, this.#to));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#fault(error.within("header"));
      return;
    }
    if (this.#head === undefined) return;
    const { header, revision, bytes, observerOffset } = this.#head;
    this.#from = bytes;
    this.#timeMs = header.startMs ?? 0;
    const found = sizes(revision);
    if (found === undefined) {
      // Nothing behind the head can be read, and the receiver of a header would have no game for it.
      const why = `no table of messages is known for revision ${revision} (--table FILE gives one)`;
      this.#break = { code: "unknown-variant", what: "records", why, byte: bytes };
      return;
    }
    sink.header(header);
    const { observer } = header;
    if (observer !== undefined) {
      const payload = Uint8Array.of(PLAYER_INDEX_OPCODE, observer >> 8, observer & 0xff);
      sink.record({ number: 0, byteOffset: observerOffset, timeMs: this.#timeMs, sender: "server", payload });
    }
    this.#scanner = new RecordScanner(sizeTable(found));
  }

  #readRecords(scanner: RecordScanner): void {
    const { sink } = this.#options;
    const window = this.#window;
    const end = this.#to;
    for (;;) {
      const at = this.#from;
      const next = scanner.scan(window, at, end);
      if (next === MORE_NEEDED) return;
      if (next === REFUSED) {
        this.#refuse(scanner);
        return;
      }
      // The byte before the body is the opcode, or the last one of the size, which is known now.
      const start = scanner.bodyAt - 1;
      window[start] = scanner.opcode;
      this.#from = next;
      this.#timeMs += scanner.deltaMs;
      this.#records += 1;
      sink.record({
        number: this.#records,
        byteOffset: this.#base + at,
        timeMs: this.#timeMs,
        sender: scanner.isServer ? "server" : "client",
        payload: window.subarray(start, next),
      });
    }
  }

  #refuse({ refusal }: RecordScanner): void {
    if (refusal === undefined) return;
    const { code, why, at } = refusal;
    this.#break = { code, what: `record ${this.#records + 1}`, why, byte: this.#base + at };
  }

  #explain({ code, what, why, byte }: Break, isWhole: boolean): void {
    const fitting =
      this.#head === undefined || byte === 0
        ? ""
        : this.#fittingText(this.#head, isWhole && this.#startBytes < TRIED_BYTES, code);
    this.#fault(new WireError(code, `Cannot read ${what}: ${why} at byte ${byte}${fitting}`, byte * 8, what));
  }

  #fittingText({ revision, bytes: recordsAt }: ReadHeader, isWhole: boolean, code: WireErrorCode): string {
    const { sizes, revisions = [] } = this.#options;
    const bytes = this.#start.subarray(0, this.#startBytes);
    const fitting = fittingRevisions({ bytes, recordsAt, isWhole }, revisions, sizes);
    const others = fitting.filter((each) => each !== revision);
    const named = `revision ${revision}, which the head names`;
    if (others.length > 0)
      return `; the file's first ${countBytes(bytes.length)} fit revision ${others.join(", ")}, not ${named}`;
    if (code === "truncated" || fitting.length > 0 || revisions.length === 0) return "";
    return `; the file's first ${countBytes(bytes.length)} fit no known revision (${revisions.join(", ")})`;
  }

  #fault(error: WireError): void {
    this.#finish();
    this.#options.sink.fault(error, error.bitOffset / 8);
  }

  #finish(): void {
    this.#isOver = true;
    this.#window = NO_BYTES;
    this.#start = NO_BYTES;
  }
}
