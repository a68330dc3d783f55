/**
 * Mouse packets as a packet stream: the packets of one session, with positions as far as those before it tell them.
 *
 * ```ts
 * const setup = { dialect: "client", sender: "client", framed: false, options: {} };
 * const { value } = osrs.streams.mouse.openReader(setup).read(parseHex("0800 ffff012c0190 295e"));
 * value.spanMs; // => 56
 * value.records[1]; // => { form: "small", dt: 2, x: 405, y: 298, known: true }
 * ```
 */
import { formatHex, type JsonObject, WireError } from "../../../wire/index.ts";
import type { PacketReader, PacketStream, PacketWriter, StreamSetup } from "../../packet-stream.ts";
import { OPCODE_BYTES } from "../wire/framing.ts";
import { MouseRecorder } from "./movement/recorder.ts";
import { type MousePoint, MouseTracker } from "./movement/tracker.ts";
import { mouseRules } from "./wire/dialect.ts";
import { packetSpan, readMousePacket } from "./wire/packet.ts";
import type { MouseRecord } from "./wire/packet-description.ts";
import { traceMousePacket } from "./wire/trace.ts";

/** What the stream needs of the game. */
export interface MouseStreamOptions {
  /** Stands before the size in frames. */
  readonly opcode: number;
  readonly openChannel: PacketStream["openChannel"];
}

/**
 * - Packets are payloads: header and records. In frames opcode and size stand before them.
 * - The reader gives `{ value: { spanMs, records } }` with absolute positions (`documented`: `{ timeWindow, records }` with
 *   offsets), and `cutBytes` when the packet's end is not a record.
 * - The writer takes `{ samples: [[x, y, ms], …], flushAfter: [index, …] }`, a fresh client each time; a sample may have
 *   the button as a fourth number. It gives `{ packets: [hex, …] }`.
 */
export function mouseStream({ opcode, openChannel }: MouseStreamOptions): PacketStream {
  return {
    summary: "Payloads in hex: header and records, without opcode and size byte. The lines of one run are one session.",
    senders: ["client"],
    options: [
      {
        name: "strict",
        kind: "switch",
        default: false,
        summary: "refuse a packet whose last record is cut or has no form",
      },
    ],
    reversible: false,
    openReader: mouseReader,
    openWriter: (setup) => mouseWriter(opcode, openChannel, setup),
    openChannel,
  };
}

function mouseReader(setup: StreamSetup): PacketReader {
  const read = mouseRules(setup.dialect).header === "window" ? documentedReader(setup) : clientReader(setup);
  return {
    read: (packet) => ({ value: read(packet) }),
    receive: ({ payload }) => ({ value: read(payload.subarray(OPCODE_BYTES)) }),
    trace(packet) {
      const bytes = setup.framed ? packet.subarray(OPCODE_BYTES) : packet;
      return { ...traceMousePacket(setup.dialect, bytes, { strict: isStrict(setup) }), bytes };
    },
  };
}

type PayloadReader = (payload: Uint8Array) => JsonObject;

const isStrict = ({ options }: StreamSetup): boolean => options.strict === true;

function clientReader(setup: StreamSetup): PayloadReader {
  const tracker = new MouseTracker({ dialect: setup.dialect, strict: isStrict(setup) });
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

function documentedReader(setup: StreamSetup): PayloadReader {
  const { dialect } = setup;
  const rules = mouseRules(dialect);
  return (payload) => {
    const packet = readMousePacket(dialect, payload, { strict: isStrict(setup) });
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

function mouseWriter(opcode: number, openChannel: PacketStream["openChannel"], setup: StreamSetup): PacketWriter {
  const { dialect, framed } = setup;
  const channel = framed ? openChannel("client", setup) : undefined;
  return {
    write(object) {
      const { samples, flushes } = parseSamples(object);
      const recorder = new MouseRecorder({ dialect });
      const packets: string[] = [];
      for (const [index, [x, y, timeMs, button]] of samples.entries()) {
        recorder.sample(x, y, timeMs, button);
        for (let times = flushes.get(index) ?? 0; times > 0; times--) {
          for (const payload of recorder.flush()) {
            const bytes = channel === undefined ? payload : channel.frame(Uint8Array.of(opcode, ...payload));
            packets.push(formatHex(bytes, { separator: "" }));
          }
        }
      }
      return { packets };
    },
  };
}

type Sample = readonly [x: number, y: number, timeMs: number, button: number];

/** Samples, and how many flush tests follow each. Refuses with the path of what is wrong. */
function parseSamples({ samples, flushAfter }: JsonObject): {
  readonly samples: readonly Sample[];
  readonly flushes: ReadonlyMap<number, number>;
} {
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
