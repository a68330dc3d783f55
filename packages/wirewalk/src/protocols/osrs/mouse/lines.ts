/**
 * Lines of text for the mouse packet: `wirewalk decode`, `encode` and `inspect` of `osrs/mouse`. The lines of one run
 * are one session.
 *
 * ```ts
 * const decoder = mouseLines(34).decoder({ dialect: "client", direction: "client", framed: false, flags: {} });
 * const [line] = decoder.line("0800 ffff012c0190 295e");
 * line.json.value.spanMs; // => 56
 * line.json.value.records[1]; // => { form: "small", dt: 2, x: 405, y: 298, known: true }
 * ```
 */
import { escapeControls, formatHex, type JsonObject, parseHex, WireError } from "../../../wire/index.ts";
import type { TracedBytes } from "../../codec.ts";
import type { LineConverter, LineOptions, LineResult, LineTools } from "../../line-tools.ts";
import { attempt, streamDecoder, traceFrames } from "../stream-lines.ts";
import { type BodySizes, frameOsrs } from "../wire/framing.ts";
import { MouseRecorder } from "./movement/recorder.ts";
import { type MousePoint, MouseTracker } from "./movement/tracker.ts";
import { mouseRules } from "./wire/dialect.ts";
import { type MouseRecord, packetSpan, readMousePacket } from "./wire/packet.ts";
import { traceMousePacket } from "./wire/trace.ts";

/**
 * - `decode`: a payload in hex, header and records; out `{"spanMs", "records"}` with absolute positions (`documented`:
 *   `{"timeWindow", "records"}` with offsets), and `cutBytes` when the packet's end is no record.
 * - `encode`: `{"samples": [[x, y, ms], …], "flushAfter": [index, …]}`, a fresh client each line; a sample may have the
 *   button as a fourth number. Out `{"packets": [hex, …]}`.
 *
 * `opcode` stands before the size byte in `--framed` lines.
 */
export function mouseLines(opcode: number): LineTools {
  const sizes: BodySizes = new Map([[opcode, "varByte"]]);
  return {
    summary: "Payloads in hex: header and records, without opcode and size byte. The lines of one run are one session.",
    senders: ["client"],
    flags: [{ flag: "--strict", summary: "refuse a packet whose last record is cut or has no form" }],
    decoder(options) {
      const decode =
        mouseRules(options.dialect).header === "window" ? documentedReader(options) : clientReader(options);
      return options.framed
        ? streamDecoder(sizes, (payload) => ({ json: { value: decode(payload.subarray(1)) } }))
        : lineConverter((text) => ({ json: { value: decode(parseHex(text)) } }));
    },
    encoder: (options) => lineConverter((text) => ({ text: encode(text, options, opcode, sizes) })),
    trace(bytes, options) {
      return options.framed
        ? traceFrames(bytes, sizes, (payload) => tracePayload(payload.subarray(1), options))
        : [tracePayload(bytes, options)];
    },
  };
}

/** One line in, one line out, whatever becomes of it. */
function lineConverter(convert: (text: string) => LineResult): LineConverter {
  return { line: (text) => [attempt(() => convert(text))], end: () => [] };
}

type PayloadReader = (payload: Uint8Array) => JsonObject;

const isStrict = (options: LineOptions): boolean => options.flags.strict === true;

function clientReader(options: LineOptions): PayloadReader {
  const tracker = new MouseTracker({ dialect: options.dialect, strict: isStrict(options) });
  return (payload) => {
    const records: JsonObject[] = [];
    const { spanMs, cutBytes } = tracker.read(payload, (point) =>
      records.push(pointJson(point, tracker.rules.buttons)),
    );
    return { spanMs, records, ...(cutBytes > 0 ? { cutBytes } : {}) };
  };
}

function pointJson(point: MousePoint, buttons: boolean): JsonObject {
  const { form, dt, known, button } = point;
  return {
    form,
    dt,
    x: known ? point.x : null,
    y: known ? point.y : null,
    known,
    ...(buttons ? { button } : {}),
    // Records were lost: the position is that of a pointer which has moved since.
    ...(point.drift === "certain" ? { drift: true } : {}),
  };
}

function documentedReader(options: LineOptions): PayloadReader {
  const { dialect } = options;
  const rules = mouseRules(dialect);
  return (payload) => {
    const packet = readMousePacket(dialect, payload, { strict: isStrict(options) });
    const cutBytes = packet.cut.length;
    return {
      timeWindow: packetSpan(rules, packet),
      records: packet.records.map(recordJson),
      ...(cutBytes > 0 ? { cutBytes } : {}),
    };
  };
}

function recordJson({ form, dt, x, y, outside }: MouseRecord): JsonObject {
  return { form, dt, dx: x, dy: y, ...(outside ? { outside } : {}) };
}

function encode(text: string, { dialect, framed }: LineOptions, opcode: number, sizes: BodySizes): string {
  const { samples, flushes } = parseSamples(text);
  const recorder = new MouseRecorder({ dialect });
  const packets: string[] = [];
  for (const [index, [x, y, timeMs, button]] of samples.entries()) {
    recorder.sample(x, y, timeMs, button);
    for (let times = flushes.get(index) ?? 0; times > 0; times--) {
      for (const payload of recorder.flush()) {
        const bytes = framed ? frameOsrs(sizes, Uint8Array.of(opcode, ...payload)) : payload;
        packets.push(formatHex(bytes, { separator: "" }));
      }
    }
  }
  return JSON.stringify({ packets });
}

type Sample = readonly [x: number, y: number, timeMs: number, button: number];

/** Samples, and how many flush tests follow each. Refuses with the path of what is wrong. */
function parseSamples(text: string): { samples: readonly Sample[]; flushes: ReadonlyMap<number, number> } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw refused("JSON", "", escapeControls(error instanceof Error ? error.message : "not JSON"));
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw refused("JSON", "", "a line holds one object");
  }
  const { samples, flushAfter } = json as Record<string, unknown>;
  if (!Array.isArray(samples)) throw refused("samples", "samples", "it must be a list of [x, y, ms]");
  if (!Array.isArray(flushAfter)) throw refused("flushAfter", "flushAfter", "it must be a list of indices of samples");
  const flushes = new Map<number, number>();
  for (const [place, index] of flushAfter.entries()) {
    const path = `flushAfter[${place}]`;
    if (!(Number.isInteger(index) && index >= 0 && index < samples.length)) {
      throw refused(path, path, `it must be the index of a sample, 0..${samples.length - 1}`);
    }
    flushes.set(index, (flushes.get(index) ?? 0) + 1);
  }
  return { samples: samples.map((sample, index) => parseSample(sample, `samples[${index}]`)), flushes };
}

function parseSample(sample: unknown, path: string): Sample {
  if (!(Array.isArray(sample) && (sample.length === 3 || sample.length === 4))) {
    throw refused(path, path, "it must be [x, y, ms], or [x, y, ms, button]");
  }
  const [x, y, timeMs, button = 0] = sample as number[];
  if (!(Number.isSafeInteger(x) && Number.isSafeInteger(y) && Number.isSafeInteger(timeMs))) {
    throw refused(path, path, "x, y and ms must be whole numbers");
  }
  if (!(Number.isInteger(button) && button >= 0 && button <= 0xff)) {
    throw refused(path, path, "a button must be an integer in 0..255");
  }
  return [x as number, y as number, timeMs as number, button];
}

function refused(what: string, path: string, why: string): WireError {
  return new WireError("bad-value", `Cannot read ${what}: ${why}`, 0, path);
}

function tracePayload(bytes: Uint8Array, options: LineOptions): TracedBytes {
  return { ...traceMousePacket(options.dialect, bytes, { strict: isStrict(options) }), bytes };
}
