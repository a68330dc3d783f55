/**
 * Writes MapleShark's files, `.msb`, of every version that is read (sheet 2). What a reader gave is written back byte for byte.
 *
 * ```ts
 * import { MapleSharkWriter } from "wirewalk/capture";
 * import { formatHex, parseHex } from "wirewalk/wire";
 *
 * const writer = new MapleSharkWriter({ version: 0x2012, build: 83 });
 * const flow = "10.0.0.7:5000-10.0.0.1:8484";
 * const session = { format: "", protocol: "maplestory", dialect: "v83", settings: {}, startMs: undefined, flow, fields: {} };
 * formatHex(writer.header(session)); // => "12 20 08 00 53 00 88 13"
 * const payload = parseHex("29 00 aa bb");
 * formatHex(writer.record({ timeMs: 1_700_000_000_000, sender: "client", payload })); // => "00 00 e4 e8 5e e5 db 08 02 80 29 00 aa bb"
 * writer.record({ timeMs: 5, sender: "client", payload }); // throws RangeError: Cannot write record 2: its time of 5 ms is not of the years 1998 to 2092
 * ```
 *
 * @module
 */
import { countBytes, joinBytes } from "../../../wire/index.ts";
import type { SessionHeader, SessionRecord, SessionWriter } from "../session.ts";
import { endpointsOf } from "./endpoints.ts";
import { buildOf, GLOBAL_LOCALE } from "./game.ts";
import { type HeadFields, writeHead } from "./head.ts";
import { MAPLESHARK_FORMAT } from "./reader.ts";
import { OPCODE_BYTES, type RecordForm, recordHeadBytes } from "./record-forms.ts";
import { type TimeUnit, timeValue } from "./time.ts";
import { FIRST_VERSION, type Layout, layoutsOf, mapleSharkVersions, OLDEST_VERSION } from "./versions.ts";

const U32_MAX = 0xffff_ffff;

/** The last version of MapleShark. */
const DEFAULT_VERSION = 0x2027;

/** The locale, build, endpoints and the like come from the header, where it is of a file of MapleShark. */
export interface MapleSharkWriterOptions {
  /** One of {@link mapleSharkVersions}. Default: that of the file that the header comes from, otherwise 0x2027. */
  readonly version?: number | undefined;
  /** The game's build. Default: that of the header's file, otherwise that of its dialect. */
  readonly build?: number | undefined;
  /** Default: that of the header's file, otherwise 8, Global. */
  readonly locale?: number;
}

/**
 * States of ciphers that a record does not have are written as 0: MapleShark reads them and uses them for nothing. A refused record
 * writes nothing, and the next one may be written.
 */
export class MapleSharkWriter implements SessionWriter {
  readonly #options: MapleSharkWriterOptions;
  #records: RecordForm | undefined;
  #unit: TimeUnit = "ticks";
  #written = 0;

  constructor(options: MapleSharkWriterOptions = {}) {
    this.#options = options;
  }

  /** Throws `RangeError` for an unknown version, and for a build, locale or text that the version cannot hold. */
  header({ format, dialect, flow, fields }: SessionHeader): Uint8Array {
    const known = format === MAPLESHARK_FORMAT ? fields : {};
    const version = this.#options.version ?? (known.version as number | undefined) ?? DEFAULT_VERSION;
    const layout = layoutFor(version, known);
    const build = this.#options.build ?? (known.build as number | undefined) ?? buildOf(dialect);
    if (build === undefined) {
      throw new RangeError(
        `Cannot write header: dialect ${dialect ?? "unknown"} names no build, give one as an option`,
      );
    }
    const isOldest = version === OLDEST_VERSION;
    if (isOldest && !(build < FIRST_VERSION)) {
      throw new RangeError(
        `Cannot write header.build: the oldest version has builds below ${FIRST_VERSION}, got ${build}`,
      );
    }
    const head: HeadFields = {
      locale: GLOBAL_LOCALE,
      ...endpointsOf(flow),
      ...known,
      build,
      ...(this.#options.locale !== undefined && { locale: this.#options.locale }),
    };
    const bytes = writeHead(isOldest ? build : version, layout.head, head);
    this.#records = layout.records;
    // Milliseconds are what servers write: MapleShark would show them as times of the year 1.
    this.#unit = version === known.version && known.time === "unix-ms" ? "unix-ms" : "ticks";
    return bytes;
  }

  /** Throws `RangeError`, which names the record, for a payload, a time or a state of a cipher that the version cannot hold. */
  record({ timeMs, sender, payload, fields = {} }: Omit<SessionRecord, "number" | "byteOffset">): Uint8Array {
    const form = this.#records;
    if (form === undefined) throw new TypeError("header must be written before records");
    const number = this.#written + 1;
    const refuse = (why: string): never => {
      throw new RangeError(`Cannot write record ${number}: ${why}`);
    };
    const bodyBytes = payload.length - OPCODE_BYTES;
    if (bodyBytes < 0) refuse(`its payload of ${countBytes(payload.length)} has no opcode`);
    if (bodyBytes > form.maxBodyBytes) {
      refuse(`its body has ${bodyBytes} bytes, this version holds at most ${form.maxBodyBytes}`);
    }
    const integer = (name: string, most: number): number => {
      const value = fields[name] ?? 0;
      const fits = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
      return fits ? value : refuse(`${name} must be an integer in 0..${most}, got ${JSON.stringify(value)}`);
    };
    const time = timeValue({ unit: this.#unit, timeMs, hundredNs: integer("hundredNs", 9) });
    if (time === undefined) return refuse(`its time of ${timeMs} ms is not of the years 1998 to 2092`);
    const [opcode = 0, high = 0] = payload;
    const head = { opcode: opcode | (high << 8), isOutbound: sender === "client", bodyBytes };
    const ivs = new Uint8Array(form.ivBytes);
    if (form.ivBytes > 0) {
      const view = new DataView(ivs.buffer);
      view.setUint32(0, integer("ivBefore", U32_MAX), true);
      view.setUint32(4, integer("ivAfter", U32_MAX), true);
    }
    this.#written = number;
    return joinBytes([recordHeadBytes(form, time, head), payload.subarray(OPCODE_BYTES), ivs]);
  }
}

/** The layout of the file that the header comes from, or the first one of its version. */
function layoutFor(version: number, known: SessionHeader["fields"]): Layout {
  const layouts = layoutsOf(version);
  if (layouts === undefined) {
    const names = mapleSharkVersions.map((each) => (each === 0 ? "0" : `0x${each.toString(16)}`)).join(", ");
    throw new RangeError(`version must be one of ${names}, got ${version}`);
  }
  const same = layouts.find(({ program, records }) => known.program === program && known.records === records.name);
  return same ?? (layouts[0] as Layout);
}
