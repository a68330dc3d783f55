/**
 * Reads MapleShark's files, `.msb`: the messages of one connection of MapleStory, deciphered (sheet 2). Every version of MapleShark and
 * of MapleShark 2 that wrote some is read, and what servers write in their form.
 *
 * ```ts
 * import { MapleSharkReader } from "wirewalk/capture";
 * import { formatHex, parseHex } from "wirewalk/wire";
 *
 * const lines = [];
 * const reader = new MapleSharkReader({
 *   header: ({ dialect }) => lines.push(dialect),
 *   record: ({ timeMs, sender, payload }) => lines.push(`${timeMs} ${sender} ${formatHex(payload)}`),
 *   fault: (error) => lines.push(error.message),
 * });
 * reader.push(parseHex("12 20  08 00  53 00  88 13"));
 * reader.push(parseHex("00 00 e4 e8 5e e5 db 08  02 80  29 00  aa bb  00"));
 * reader.end();
 * lines.shift(); // => "v83"
 * lines.shift(); // => "1700000000000 client 29 00 aa bb"
 * lines.shift(); // => "Cannot read record 2: 12 bytes needed, 1 left at byte 22"
 * ```
 *
 * @module
 */
import { countBytes, type JsonObject, WireError } from "../../../wire/index.ts";
import { ByteWindow } from "../../file/byte-window.ts";
import type { SessionHeader, SessionReader, SessionSink } from "../session.ts";
import { flowOf } from "./endpoints.ts";
import { gameOf, localeName } from "./game.ts";
import { cutRecord, payloadOf, type RecordForm, type RecordHead, readRecordHead } from "./record-forms.ts";
import type { TimeUnit } from "./time.ts";
import { type Candidate, Trial } from "./trial.ts";
import { checkedVersion, layoutsOf, versionName } from "./versions.ts";

/** The name of the format in {@link SessionHeader}. */
export const MAPLESHARK_FORMAT = "mapleshark";

/** The number of the record that holds the server's greeting, which has none on the wire. */
const GREETING_OPCODE = 0xffff;

const VERSION_BYTES = 2;

export interface MapleSharkReaderOptions {
  /** The game's build, in the place of the file's: servers write constants there. It names the dialect. */
  readonly build?: number | undefined;
}

/**
 * Gives the header with the first record or at the end, and a record as soon as all of it is there: opcode (u16, low byte first), then
 * the body, in memory of its own.
 *
 * A record's `fields` are those that it has: `greeting` (true for the server's greeting: after the opcode 0xFFFF all of it follows, its
 * length in front), `ivBefore` and `ivAfter` (the state of the direction's cipher), `hundredNs` (what its time has beside `timeMs`).
 *
 * Memory is bounded by twice the longest record, the piece that is pushed, and what is looked at before a layout is chosen, 256 KiB.
 */
export class MapleSharkReader implements SessionReader {
  readonly #sink: SessionSink;
  readonly #build: number | undefined;
  readonly #window = new ByteWindow();
  #trial: Trial | undefined;
  #version = 0;
  #records: RecordForm | undefined;
  #unit: TimeUnit | undefined;
  #number = 0;
  #isOver = false;

  constructor(sink: SessionSink, { build }: MapleSharkReaderOptions = {}) {
    this.#sink = sink;
    this.#build = build;
  }

  push(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#window.push(bytes);
    this.#read(false);
    this.#window.detach();
  }

  end(): void {
    if (this.#isOver) return;
    this.#read(true);
    this.#isOver = true;
  }

  #read(isEnd: boolean): void {
    const window = this.#window;
    try {
      if (this.#records === undefined) this.#records = this.#readHead(isEnd);
      if (this.#records !== undefined) this.#readRecords(this.#records, isEnd);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#isOver = true;
      window.skip(window.length);
      this.#sink.fault(error, Math.floor(error.bitOffset / 8));
    }
  }

  /** The form of the records; undefined while more bytes are needed. */
  #readHead(isEnd: boolean): RecordForm | undefined {
    const window = this.#window;
    const bytes = window.bytes.subarray(window.at);
    if (this.#trial === undefined) {
      if (bytes.length < VERSION_BYTES) {
        if (!isEnd) return undefined;
        const why = `${countBytes(VERSION_BYTES)} needed, ${bytes.length} left at byte 0`;
        throw new WireError("truncated", `Cannot read header.version: ${why}`, 0);
      }
      this.#version = checkedVersion(window.view.getUint16(window.at, true));
      this.#trial = new Trial(layoutsOf(this.#version) ?? []);
    }
    const chosen = this.#trial.choose(bytes, isEnd);
    if (chosen === undefined) return undefined;
    window.skip(chosen.headBytes);
    this.#unit = chosen.unit;
    this.#sink.header(this.#headerOf(chosen));
    return chosen.layout.records;
  }

  /** Throws what was wrong with a head that was not read. */
  #headerOf({ layout, fields, error, startMs, unit }: Candidate): SessionHeader {
    if (fields === undefined) throw error;
    const { program, records } = layout;
    const named = localeName(fields.locale);
    const version = this.#version;
    return {
      format: MAPLESHARK_FORMAT,
      ...gameOf(program, this.#build ?? fields.build),
      settings: {},
      startMs,
      flow: flowOf(fields),
      fields: {
        program,
        version,
        ...(version > 0 && { versionName: versionName(version) }),
        records: records.name,
        ...(unit && { time: unit }),
        ...fields,
        ...(named !== undefined && { localeName: named }),
      },
    };
  }

  #readRecords(form: RecordForm, isEnd: boolean): void {
    const window = this.#window;
    while (window.length > 0) {
      const { length, offset } = window;
      const place = { number: this.#number + 1, byteOffset: offset, unit: this.#unit };
      if (length < form.headBytes) {
        if (isEnd) throw cutRecord(form.headBytes, length, place);
        return;
      }
      const head = readRecordHead(window.view, window.at, form, place);
      const recordBytes = form.headBytes + head.bodyBytes + form.ivBytes;
      if (length < recordBytes) {
        if (isEnd) throw cutRecord(recordBytes, length, place);
        return;
      }
      const bodyAt = window.at + form.headBytes;
      const bodyEnd = bodyAt + head.bodyBytes;
      window.skip(recordBytes);
      this.#number = place.number;
      this.#sink.record({
        number: place.number,
        byteOffset: offset,
        timeMs: head.time.timeMs,
        sender: head.isOutbound ? "client" : "server",
        payload: payloadOf(head.opcode, window.bytes.subarray(bodyAt, bodyEnd)),
        ...this.#fields(bodyEnd, form, head),
      });
    }
  }

  #fields(ivsAt: number, form: RecordForm, head: RecordHead): { readonly fields?: JsonObject } {
    const { view } = this.#window;
    const { hundredNs } = head.time;
    const isGreeting = head.opcode === GREETING_OPCODE && !head.isOutbound;
    if (form.ivBytes === 0 && hundredNs === 0 && !isGreeting) return {};
    return {
      fields: {
        ...(isGreeting && { greeting: true }),
        ...(form.ivBytes > 0 && { ivBefore: view.getUint32(ivsAt, true), ivAfter: view.getUint32(ivsAt + 4, true) }),
        ...(hundredNs > 0 && { hundredNs }),
      },
    };
  }
}
