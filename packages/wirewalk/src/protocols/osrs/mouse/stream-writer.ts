/**
 * Makes mouse packets out of objects: of what a client samples, or of packets as the reader gives them.
 *
 * ```ts
 * const setup = { dialect: "client", sender: "client", framed: false, options: {} };
 * const writer = osrs.streams.mouse.openWriter(setup);
 * writer.write({ samples: [[5, 5, 1000]], flushAfter: [0] }); // => { packets: ["0000ffff00050005"] }
 * const records = [{ form: "small", dt: 5, dx: 1, dy: 0 }];
 * writer.write({ value: { header: [0, 0], records } }); // => new Uint8Array([0, 0, 0x58, 0x60])
 * ```
 */
import { formatHex, type JsonObject, type JsonValue, parseHex, WireError } from "../../../wire/index.ts";
import type { PacketStream, PacketWriter, StreamSetup } from "../../packet-stream.ts";
import { MouseRecorder } from "./movement/recorder.ts";
import { PacketJson } from "./packet-json.ts";
import { CYCLE_MS, type MouseRules, mouseRules } from "./wire/dialect.ts";
import { writeMousePacket } from "./wire/packet.ts";
import { FIRST_DT, type MouseForm, type MousePacket, type MouseRecord } from "./wire/packet-description.ts";

/**
 * The writer. `{ samples: [[x, y, ms], …], flushAfter: [index, …] }` is a fresh client each time, and gives
 * `{ packets: [hex, …] }`; a sample may have the button as a fourth number. `{ value }` is a packet as the reader gives it. What
 * follows from its records (places, times) may be left out, and otherwise must be what the reader would give.
 */
export function mouseWriter(
  opcode: number,
  openChannel: Required<PacketStream>["openChannel"],
  setup: StreamSetup,
): PacketWriter {
  const { dialect, framed } = setup;
  const rules = mouseRules(dialect);
  const channel = framed ? openChannel("client", setup) : undefined;
  const carried = (payload: Uint8Array): Uint8Array =>
    channel === undefined ? payload : channel.frame(Uint8Array.of(opcode, ...payload));
  const session = new PacketJson(dialect, false);
  return {
    write(object) {
      if (object.value === undefined) return { packets: packetsOf(object, rules).map((each) => hexOf(carried(each))) };
      refuseOthers(object, ["value"], "");
      const payload = payloadOf(objectOf(object.value, "value"), rules);
      session.check(object.value as JsonObject, payload);
      return carried(payload);
    },
  };
}

const hexOf = (bytes: Uint8Array): string => formatHex(bytes, { separator: "" });

// --- Samples -----------------------------------------------------------------------------------------------------------

function packetsOf(object: JsonObject, rules: MouseRules): Uint8Array[] {
  refuseOthers(object, ["samples", "flushAfter"], "");
  const { samples, flushes } = parseSamples(object, rules);
  const recorder = new MouseRecorder({ dialect: rules.name });
  const packets: Uint8Array[] = [];
  for (const [index, [x, y, timeMs, button]] of samples.entries()) {
    recorder.sample(x, y, timeMs, button);
    for (let times = flushes.get(index) ?? 0; times > 0; times--) packets.push(...recorder.flush());
  }
  return packets;
}

type Sample = readonly [x: number, y: number, timeMs: number, button: number];

/** Samples, and how many flush tests follow each. Refuses with the path of what is wrong. */
function parseSamples(
  { samples, flushAfter }: JsonObject,
  rules: MouseRules,
): {
  readonly samples: readonly Sample[];
  readonly flushes: ReadonlyMap<number, number>;
} {
  if (!Array.isArray(samples)) throw refused("samples", "it must be a list of [x, y, ms]");
  if (!Array.isArray(flushAfter)) throw refused("flushAfter", "it must be a list of indices of samples");
  const flushes = new Map<number, number>();
  for (const [place, index] of flushAfter.entries()) {
    if (!(Number.isInteger(index) && index >= 0 && index < samples.length)) {
      throw refused(`flushAfter[${place}]`, `it must be the index of a sample, 0..${samples.length - 1}`);
    }
    flushes.set(index, (flushes.get(index) ?? 0) + 1);
  }
  const parsed = samples.map((sample, index) => parseSample(sample, `samples[${index}]`));
  if (rules.header === "window") checkClamped(parsed, rules);
  return { samples: parsed, flushes };
}

function parseSample(sample: unknown, path: string): Sample {
  if (!(Array.isArray(sample) && (sample.length === 3 || sample.length === 4))) {
    throw refused(path, "it must be [x, y, ms], or [x, y, ms, button]");
  }
  const [x, y, timeMs, button = 0] = sample as number[];
  if (!(Number.isSafeInteger(x) && Number.isSafeInteger(y) && Number.isSafeInteger(timeMs))) {
    throw refused(path, "x, y and ms must be whole numbers");
  }
  if (!(Number.isInteger(button) && button >= 0 && button <= 0xff)) {
    throw refused(path, "a button must be an integer in 0..255");
  }
  return [x as number, y as number, timeMs as number, button];
}

/**
 * The recorder clamps places and times. In `client` and `native` so does the real client; in `documented` there is none to
 * follow, so what would be clamped is refused.
 */
function checkClamped(samples: readonly Sample[], { maxCoordinate }: MouseRules): void {
  let before: number | undefined;
  for (const [index, [x, y, timeMs]] of samples.entries()) {
    const wrong = [x, y].find((coordinate) => coordinate < -1 || coordinate > maxCoordinate);
    if (wrong !== undefined) {
      throw refused(`samples[${index}]`, `x and y must be in -1..${maxCoordinate}, got ${wrong}`);
    }
    const gapMs = timeMs - (before ?? timeMs);
    const most = FIRST_DT * CYCLE_MS;
    if (gapMs < 0) throw refused(`samples[${index}]`, "its time is before that of the sample before");
    if (gapMs > most)
      throw refused(`samples[${index}]`, `its time is ${gapMs} ms after the sample before, over ${most}`);
    before = timeMs;
  }
}

// --- Packets as the reader gives them --------------------------------------------------------------------------------------

const packetKeys = ["header", "spanMs", "timeWindow", "records", "cut"];
const recordKeys = [
  "form",
  "dt",
  "x",
  "y",
  "dx",
  "dy",
  "button",
  "known",
  "outside",
  "atMs",
  "first",
  "pause",
  "drift",
];
const forms: readonly JsonValue[] = ["small", "medium", "largeQuick", "full"] satisfies MouseForm[];

function payloadOf(value: JsonObject, rules: MouseRules): Uint8Array<ArrayBuffer> {
  refuseOthers(value, packetKeys, "value");
  const { header, records, cut = "" } = value;
  const [average, excess] = Array.isArray(header) && header.length === 2 ? (header as number[]) : [];
  if (!Number.isInteger(average) || !Number.isInteger(excess)) {
    throw refused("value.header", "it must be two integers");
  }
  if (!Array.isArray(records)) throw refused("value.records", "it must be a list");
  if (typeof cut !== "string") throw refused("value.cut", "it must be a text of hex digits");
  const packet: MousePacket = {
    average: average as number,
    excess: excess as number,
    records: records.map((record, at) => recordOf(record, `value.records[${at}]`, rules)),
    cut: within("value.cut", () => parseHex(cut)),
  };
  try {
    return writeMousePacket(rules.name, packet);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw new WireError("bad-value", error.message.replace(/^Cannot write /, "Cannot write value."), 0, "value");
  }
}

/** A record by its offsets, or by its place where the form carries one. */
function recordOf(json: JsonValue, path: string, rules: MouseRules): MouseRecord {
  const record = objectOf(json, path);
  refuseOthers(record, recordKeys, path);
  const { form, dt, button = 0, outside } = record;
  if (!forms.includes(form as JsonValue)) throw refused(`${path}.form`, `it must be one of ${forms.join(", ")}`);
  const isLarge = form === "largeQuick" || form === "full";
  const [xName, yName] = isLarge && rules.absolute ? ["x", "y"] : ["dx", "dy"];
  const number = (name: string, value: JsonValue | undefined): number => {
    if (typeof value === "number" && Number.isInteger(value)) return value;
    throw refused(`${path}.${name}`, "it must be an integer");
  };
  const x = number(xName, record[xName]);
  const y = number(yName, record[yName]);
  return {
    form: form as MouseForm,
    dt: number("dt", dt),
    x,
    y,
    // Places say it themselves; offsets of -1 may be offsets.
    outside: isLarge && (rules.absolute ? x === -1 && y === -1 : outside === true),
    button: number("button", button),
  };
}

function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof WireError ? error.within(path) : error;
  }
}

function objectOf(json: JsonValue, path: string): JsonObject {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as JsonObject;
  throw refused(path, "it must be an object");
}

/** Throws for a field that has no meaning: a misspelt one would be lost without a word. */
function refuseOthers(json: JsonObject, known: readonly string[], path: string): void {
  const other = Object.keys(json).find((key) => !known.includes(key));
  if (other === undefined) return;
  throw refused(path === "" ? other : `${path}.${other}`, `there is no such field, only ${known.join(", ")}`);
}

function refused(path: string, why: string): WireError {
  return new WireError("bad-value", `Cannot read ${path}: ${why}`, 0, path);
}
