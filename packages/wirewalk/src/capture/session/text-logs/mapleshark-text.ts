/**
 * Reads and writes the text that MapleShark exports: a head of six lines, then a line for each packet (sheet 3).
 *
 * ```ts
 * import { MapleSharkTextReader, MapleSharkTextWriter } from "wirewalk/capture";
 *
 * const lines = [];
 * const writer = new MapleSharkTextWriter({ packets: 1, dataBytes: 4 });
 * const reader = new MapleSharkTextReader({
 *   header: (header) => lines.push(header.flow),
 *   record: (record) => lines.push(writer.record(record)),
 *   fault: (error) => lines.push(error.message),
 * });
 * const bytes = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
 * reader.push(bytes("=== MapleStory Version: 83; Locale: 8 ===\r\nEndpoint From: 10.0.0.1:8484\r\n"));
 * reader.push(bytes("Endpoint To: 10.0.0.7:5000\r\n- Packets: 1\r\n- Data: 4 bytes\r\n======\r\n"));
 * reader.push(bytes("[2023-11-14 22:13:20.000][Outbound] [0029] AA BB\r\n"));
 * reader.end();
 * lines.shift(); // => "10.0.0.7:5000-10.0.0.1:8484"
 * lines.shift(); // => bytes("[2023-11-14 22:13:20.000][Outbound] [0029] AA BB\r\n")
 * ```
 *
 * @module
 */
import { decodeLatin1, encodeLatin1, formatHex, type JsonObject, WireError } from "../../../wire/index.ts";
import { endpointsOf, knownOf } from "../mapleshark/endpoints.ts";
import { buildOf, GLOBAL_LOCALE, gameOf, localeName } from "../mapleshark/game.ts";
import { OPCODE_BYTES, payloadOf } from "../mapleshark/record-forms.ts";
import type { SessionHeader, SessionRecord, SessionSink, SessionWriter } from "../session.ts";
import { hexBytes } from "./hex-bytes.ts";
import { type Line, refusedLine } from "./line-reader.ts";
import { type LineFormat, TextLogReader } from "./text-log-reader.ts";

const FORMAT = "mapleshark-text";
const FIRST_LINE = /^=== MapleStory Version: (\d{1,5}); Locale: (\d{1,3}) ===$/;
/** The time of a day has the separators of the language of the machine that wrote it. */
const PACKET =
  /^\[(\d{4})-(\d\d)-(\d\d) (\d\d)[:.](\d\d)[:.](\d\d)\.(\d{3})\]\[(Outbound|Inbound )\] \[([0-9A-F]{4})(?: \| (.*))?\](?: (.*))?$/;

const RULE = "=".repeat(48);

/** True for the start of an export. */
export function isMapleSharkText(start: Uint8Array): boolean {
  const [first = ""] = decodeLatin1(start.subarray(0, 64)).split(/\r|\n/);
  return FIRST_LINE.test(first);
}

/**
 * A record has `fields.name` where the names of opcodes were exported. Times are whole milliseconds. At the end, fewer packets or bytes
 * than the head says are a fault: the file is cut.
 */
export class MapleSharkTextReader extends TextLogReader {
  constructor(sink: SessionSink) {
    super(sink, new MapleSharkTextFormat(sink));
  }
}

/** The lines of the head after the first one. */
const headLines: readonly (readonly [name: string, start: string])[] = [
  ["localEndpoint", "Endpoint From: "],
  ["remoteEndpoint", "Endpoint To: "],
  ["packets", "- Packets: "],
  ["dataBytes", "- Data: "],
];

class MapleSharkTextFormat implements LineFormat {
  readonly #sink: SessionSink;
  readonly #fields: Record<string, string | number> = {};
  #hasFirstLine = false;
  #hasHeader = false;
  #packets = 0;
  #dataBytes = 0;
  #offset = 0;

  constructor(sink: SessionSink) {
    this.#sink = sink;
  }

  line(line: Line): ReturnType<LineFormat["line"]> {
    this.#offset = line.byteOffset + line.text.length;
    if (!this.#hasFirstLine) {
      this.#firstLine(line);
      return undefined;
    }
    if (!this.#hasHeader) {
      this.#headLine(line);
      return undefined;
    }
    return line.text === "" ? undefined : this.#packet(line);
  }

  end(): void {
    const { packets, dataBytes } = this.#fields;
    let why: string | undefined;
    if (!this.#hasHeader) why = "its head is not complete";
    else if (packets !== this.#packets) why = `its head says ${packets} packets, ${this.#packets} were read`;
    else if (dataBytes !== this.#dataBytes) why = `its head says ${dataBytes} bytes, ${this.#dataBytes} were read`;
    if (why === undefined) return;
    throw new WireError("truncated", `Cannot read end of file: ${why} at byte ${this.#offset}`, this.#offset * 8);
  }

  #firstLine(line: Line): void {
    const [, build, locale] = FIRST_LINE.exec(line.text) ?? [];
    if (locale === undefined || Number(build) > 0xffff || Number(locale) > 0xff) {
      throw refusedLine(line, "bad-value", "it is not of the form === MapleStory Version: N; Locale: N ===");
    }
    this.#fields.build = Number(build);
    this.#fields.locale = Number(locale);
    const named = localeName(Number(locale));
    if (named !== undefined) this.#fields.localeName = named;
    this.#hasFirstLine = true;
  }

  #headLine(line: Line): void {
    const { text } = line;
    if (/^=+$/.test(text)) {
      const missing = headLines.find(([name]) => this.#fields[name] === undefined);
      if (missing !== undefined) throw refusedLine(line, "bad-value", `no line "${missing[1]}" stands before it`);
      this.#header();
      return;
    }
    const found = headLines.find(([, start]) => text.startsWith(start));
    if (found === undefined) throw refusedLine(line, "bad-value", "it is no line of a head");
    const [name, start] = found;
    const value = text.slice(start.length);
    // Groups of digits are separated as the language of the machine does it.
    this.#fields[name] = name === "packets" || name === "dataBytes" ? Number(value.replace(/\D/g, "")) : value;
  }

  /** QUIRK: without ports beside them, endpoints are what MapleShark means by them: `From` is the server. */
  #header(): void {
    this.#hasHeader = true;
    const { build, localEndpoint, remoteEndpoint } = this.#fields;
    const fields: JsonObject = { ...this.#fields };
    this.#sink.header({
      format: FORMAT,
      ...gameOf("MapleShark", build as number),
      settings: {},
      startMs: undefined,
      flow: `${knownOf(remoteEndpoint as string)}-${knownOf(localEndpoint as string)}`,
      fields,
    });
  }

  #packet(line: Line): NonNullable<ReturnType<LineFormat["line"]>> {
    const [, year, month, day, hours, minutes, seconds, milliseconds, direction, opcode, name, hex = ""] =
      PACKET.exec(line.text) ?? [];
    if (opcode === undefined)
      throw refusedLine(line, "bad-value", "it is no packet of the form [time][direction] [opcode] hex");
    const text = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`;
    const timeMs = Date.parse(text);
    // Some engines take 30 February for a day of March.
    if (Number.isNaN(timeMs) || isoText(timeMs) !== text) throw refusedLine(line, "bad-value", `its time is ${text}`);
    const payload = payloadOf(Number.parseInt(opcode, 16), hexBytes(line, hex));
    this.#packets += 1;
    this.#dataBytes += payload.length;
    const sender = direction === "Outbound" ? "client" : "server";
    return { timeMs, sender, payload, ...(name !== undefined && { fields: { name } }) };
  }
}

function isoText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** What stands in the head and must be known before the first packet. */
export interface MapleSharkTextCounts {
  readonly packets: number;
  /** Of all payloads, with their opcodes. */
  readonly dataBytes: number;
}

/** Writes an export, a byte for each character. It has no state of ciphers, and whole milliseconds. Names of opcodes are written where `fields.name` has them. */
export class MapleSharkTextWriter implements SessionWriter {
  readonly #counts: MapleSharkTextCounts;
  #written = 0;

  constructor(counts: MapleSharkTextCounts) {
    this.#counts = counts;
  }

  /** Throws `RangeError` for a header without a build. */
  header({ flow, fields, dialect }: SessionHeader): Uint8Array {
    const { build = buildOf(dialect), locale = GLOBAL_LOCALE } = fields;
    if (build === undefined)
      throw new RangeError(`Cannot write header: dialect ${dialect ?? "unknown"} names no build`);
    const endpoints = endpointsOf(flow);
    const { localEndpoint = endpoints.localEndpoint, remoteEndpoint = endpoints.remoteEndpoint } = fields;
    const { packets, dataBytes } = this.#counts;
    return lines([
      `=== MapleStory Version: ${build}; Locale: ${locale} ===`,
      `Endpoint From: ${localEndpoint}`,
      `Endpoint To: ${remoteEndpoint}`,
      `- Packets: ${packets}`,
      `- Data: ${String(dataBytes).replace(/\B(?=(\d{3})+$)/g, ",")} bytes`,
      RULE,
    ]);
  }

  /** Throws `RangeError`, which names the record, for a payload without an opcode and a time outside the years 0 to 9999. */
  record({ timeMs, sender, payload, fields = {} }: Omit<SessionRecord, "number" | "byteOffset">): Uint8Array {
    const number = this.#written + 1;
    if (payload.length < OPCODE_BYTES) throw new RangeError(`Cannot write record ${number}: its payload has no opcode`);
    const [low = 0, high = 0] = payload;
    const opcode = ((high << 8) | low).toString(16).toUpperCase().padStart(4, "0");
    const time = /^(\d{4}-\d\d-\d\d)T(.{12})Z$/.exec(Number.isFinite(timeMs) ? isoText(timeMs) : "");
    if (time === null)
      throw new RangeError(`Cannot write record ${number}: its time of ${timeMs} ms has no year of 4 digits`);
    const name = fields.name === undefined ? "" : ` | ${fields.name}`;
    const direction = sender === "client" ? "Outbound" : "Inbound ";
    const hex = formatHex(payload.subarray(OPCODE_BYTES)).toUpperCase();
    this.#written = number;
    return lines([`[${time[1]} ${time[2]}][${direction}] [${opcode}${name}] ${hex}`]);
  }
}

function lines(texts: readonly string[]): Uint8Array {
  const broken = texts.find((text) => /[\r\n]/.test(text));
  if (broken !== undefined) throw new RangeError(`text must be one line, got ${JSON.stringify(broken)}`);
  return encodeLatin1(texts.map((text) => `${text}\r\n`).join(""));
}
