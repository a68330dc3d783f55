/**
 * Reads the text logs of MSniffer, a sniffer of MapleStory before MapleShark, which imports them (sheet 3).
 *
 * ```ts
 * import { MsnifferReader } from "wirewalk/capture";
 * import { formatHex } from "wirewalk/wire";
 *
 * const lines = [];
 * const reader = new MsnifferReader({
 *   header: ({ dialect, flow }) => lines.push(`${dialect} ${flow}`),
 *   record: ({ sender, payload }) => lines.push(`${sender} ${formatHex(payload)}`),
 *   fault: (error) => lines.push(error.message),
 * });
 * const bytes = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
 * reader.push(bytes('Capturing MapleStory version 83 on 10.0.0.1:8484 with unknown "1"\n'));
 * reader.push(bytes("[9:5:59][4] Send:  29 00 AA BB\n[9:6:0][4] Recv:  11 00 01\n"));
 * lines.shift(); // => "v83 ?-10.0.0.1:8484"
 * lines.shift(); // => "client 29 00 aa bb"
 * lines.shift(); // => "Cannot read line 3: it says 4 bytes and has 3 at byte 97"
 * ```
 *
 * @module
 */
import { countBytes, decodeLatin1 } from "../../../wire/index.ts";
import { GLOBAL_LOCALE, gameOf, localeName } from "../mapleshark/game.ts";
import type { SessionHeader, SessionSink } from "../session.ts";
import { hexBytes } from "./hex-bytes.ts";
import { type Line, refusedLine } from "./line-reader.ts";
import { type LineFormat, TextLogReader } from "./text-log-reader.ts";

const SESSION = /^Capturing MapleStory version (\d{1,5}) on ([0-9.]+):(\d{1,5}) with unknown "(.*)"/;
const PACKET = /^\[(\d{1,2}):(\d{1,2}):(\d{1,2})\]\[(\d{1,7})\] (Recv|Send): {1,2}(.*)$/;

/** A log has no date. MapleShark takes this one, 2012-10-10, and no time zone. */
const DATE_MS = Date.UTC(2012, 9, 10);
const DAY_MS = 86_400_000;
const MOST_U16 = 0xffff;
/** What is searched for the line that begins a session. */
const START_BYTES = 4096;

/** True for the start of a log: give it 4 KiB, or the whole of a shorter file. */
export function isMsnifferLog(start: Uint8Array): boolean {
  const text = decodeLatin1(start.subarray(0, START_BYTES));
  return text.split(/\r\n|\r|\n/).some((line) => SESSION.test(line));
}

/**
 * A log may hold several sessions: each gives a header of its own. Their times are whole seconds of a day in 2012, or of the days after
 * it where midnight passes. Lines that begin with neither `[` nor `Capturing` are passed over.
 */
export class MsnifferReader extends TextLogReader {
  constructor(sink: SessionSink) {
    super(sink, new MsnifferFormat(sink));
  }
}

class MsnifferFormat implements LineFormat {
  readonly #sink: SessionSink;
  #hasSession = false;
  #dayMs = DATE_MS;
  #lastMs = 0;

  constructor(sink: SessionSink) {
    this.#sink = sink;
  }

  line(line: Line): ReturnType<LineFormat["line"]> {
    const { text } = line;
    if (text.startsWith("Capturing MapleStory")) this.#session(line);
    if (!text.startsWith("[")) return undefined;
    const [, hours, minutes, seconds, length, direction, hex = ""] = PACKET.exec(text) ?? [];
    if (direction === undefined) {
      throw refusedLine(line, "bad-value", "it is no packet of the form [h:m:s][length] Recv:  hex or Send:");
    }
    if (!this.#hasSession)
      throw refusedLine(line, "bad-state", 'a packet stands before the first "Capturing MapleStory"');
    const timeMs = this.#timeMs(line, Number(hours), Number(minutes), Number(seconds));
    const payload = hexBytes(line, hex);
    if (payload.length !== Number(length)) {
      throw refusedLine(line, "bad-length", `it says ${countBytes(Number(length))} and has ${payload.length}`);
    }
    if (payload.length < 2) throw refusedLine(line, "bad-length", "a packet has an opcode of 2 bytes");
    return { timeMs, sender: direction === "Send" ? "client" : "server", payload };
  }

  /** A log can be cut anywhere between two packets, and nothing shows it. */
  end(): void {}

  #session(line: Line): void {
    const [, build, address, port, patchLocation] = SESSION.exec(line.text) ?? [];
    const isComplete = patchLocation !== undefined && Number(build) <= MOST_U16 && Number(port) <= MOST_U16;
    if (!isComplete) throw refusedLine(line, "bad-value", sessionForm);
    this.#hasSession = true;
    this.#dayMs = DATE_MS;
    this.#lastMs = 0;
    this.#sink.header(headerOf(Number(build), `${address}:${port}`, patchLocation));
  }

  /** A time that is more than half a day before the last one is of the next day. */
  #timeMs(line: Line, hours: number, minutes: number, seconds: number): number {
    if (hours > 23 || minutes > 59 || seconds > 59) {
      throw refusedLine(line, "bad-value", `its time is ${hours}:${minutes}:${seconds}`);
    }
    const ofDay = ((hours * 60 + minutes) * 60 + seconds) * 1000;
    if (this.#dayMs + ofDay < this.#lastMs - DAY_MS / 2) this.#dayMs += DAY_MS;
    this.#lastMs = this.#dayMs + ofDay;
    return this.#lastMs;
  }
}

const sessionForm =
  'it is no start of the form: Capturing MapleStory version N on IP:PORT with unknown "PATCH", with numbers of 16 bits';

function headerOf(build: number, server: string, patchLocation: string): SessionHeader {
  return {
    format: "msniffer",
    ...gameOf("MapleShark", build),
    settings: {},
    startMs: undefined,
    flow: `?-${server}`,
    fields: {
      build,
      patchLocation,
      server,
      locale: GLOBAL_LOCALE,
      localeName: localeName(GLOBAL_LOCALE) ?? "",
      date: "not in the file",
    },
  };
}
