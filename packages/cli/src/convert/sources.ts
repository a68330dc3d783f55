/** A file of any kind as sessions: a session of another tool, a recording, a capture, or the JSON lines of `inspect` and `convert`. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import {
  CaptureInspector,
  type CaptureRecord,
  type SessionFormat,
  type SessionHeader,
  type SessionRecord,
} from "wirewalk/capture";
import type { Protocol, Side } from "wirewalk/protocol";
import { type JsonObject, type JsonValue, parseHex, WireError } from "wirewalk/wire";
import { UsageError } from "../context.ts";
import { kindOfFile } from "../files/file-kind.ts";
import { fileBytes } from "../files/input-bytes.ts";
import { refusedFile } from "../files/record-input.ts";
import { ofFile } from "../files/recording-input.ts";
import type { ChosenMaps } from "../input/maps.ts";
import { withSettings } from "../input/settings.ts";
import { objectOf, protocolOf, sessionHeaderOf } from "./session-header.ts";

/** What a file holds, in its order. */
export type SourceEvent =
  | { readonly session: string; readonly header: SessionHeader }
  | { readonly session: string; readonly record: Omit<SessionRecord, "number" | "byteOffset">; readonly where: string }
  /** Something of the file that is in no session. */
  | { readonly lost: string; readonly where: string };

export interface SourceOptions {
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly dialect?: string | undefined;
  readonly build?: number | undefined;
  /** The maps of recorded worlds. Default: none. */
  readonly chosen?: ChosenMaps | undefined;
}

/** Reads a file from its start. Throws {@link UsageError} for a file of no known kind, and `FailedError`. */
export function readSource(file: string, options: SourceOptions): AsyncGenerator<SourceEvent, void, void> {
  const kind = kindOfFile(file);
  if (kind?.kind === "session") return sessionEvents(file, kind.format, options);
  if (kind?.kind === "recording") return recordingEvents(file, options);
  if (kind?.kind === "capture") return captureEvents(file, options);
  if (/\.jsonl?$/i.test(file)) return lineEvents(file, options);
  throw new UsageError(
    `${file} is no capture, no recording, no session of another tool and no JSON lines (.jsonl): wirewalk convert reads these`,
  );
}

async function* sessionEvents(
  file: string,
  format: SessionFormat,
  { protocols, dialect, build }: SourceOptions,
): AsyncGenerator<SourceEvent, void, void> {
  let events: SourceEvent[] = [];
  let sessions = 0;
  const name = (): string => `session ${sessions}`;
  const reader = format.open({
    protocols,
    build,
    sink: {
      header(header) {
        sessions += 1;
        events.push({ session: name(), header: dialect === undefined ? header : { ...header, dialect } });
      },
      record: (record) => void events.push({ session: name(), record, where: `record ${record.number}` }),
      fault: (error, byteOffset) => void events.push({ lost: error.message, where: `byte ${byteOffset}` }),
    },
  });
  for await (const chunk of fileBytes(file).chunks((why) => events.push({ lost: why, where: "the compression" }))) {
    refusedFile(file, () => reader.push(chunk));
    yield* events;
    events = [];
  }
  refusedFile(file, () => reader.end());
  yield* events;
}

async function* recordingEvents(
  file: string,
  { protocols, chosen }: SourceOptions,
): AsyncGenerator<SourceEvent, void, void> {
  const { recordedHeader, recordedSessions, recordedWorld } = await import("@wirewalk/recording");
  const { readRecordingFile } = await import("@wirewalk/recording/node");
  const recording = await ofFile(file, () => readRecordingFile(file));
  const world = await ofFile(file, () => recordedWorld(recording));
  const header = recordedHeader(world, protocols[world.protocol] as Protocol);
  const known = new Set<string>();
  const records = recordedSessions(recording, {
    protocols,
    maps: await ofFile(file, () => chosen?.ofRecording(file, recording)),
  });
  let number = 0;
  for (let next = await ofFile(file, () => records.next()); ; next = await ofFile(file, () => records.next())) {
    if (next.done === true) {
      for (const { from, to } of next.value.gaps)
        yield { lost: "records are missing", where: `records ${from} to ${to}` };
      break;
    }
    const { session: count, name, record } = next.value;
    const session = world.session === undefined ? `${name} (session ${count})` : `session ${count}`;
    if (!known.has(session)) {
      known.add(session);
      yield { session, header };
    }
    number += 1;
    yield { session, record, where: `message ${number}` };
  }
  for (const { start, end, reason } of recording.damage) yield { lost: reason, where: `bytes ${start} to ${end}` };
}

async function* captureEvents(file: string, { protocols }: SourceOptions): AsyncGenerator<SourceEvent, void, void> {
  let records: CaptureRecord[] = [];
  const faults: SourceEvent[] = [];
  const inspector = new CaptureInspector({
    protocols: Object.values(protocols),
    sink: {
      record: (record) => void records.push(record),
      flow() {},
      fault: ({ byteOffset, text }) => void faults.push({ lost: text, where: `byte ${byteOffset}` }),
    },
  });
  const known = new Set<string>();
  const taken = function* (): Generator<SourceEvent, void, void> {
    for (const record of records) yield* eventsOf(record, known, protocols);
    yield* faults.splice(0);
    records = [];
  };
  for await (const chunk of fileBytes(file).chunks((why) => faults.push({ lost: why, where: "the compression" }))) {
    refusedFile(file, () => inspector.push(chunk));
    yield* taken();
  }
  refusedFile(file, () => inspector.end());
  yield* taken();
}

function* eventsOf(
  record: CaptureRecord,
  known: Set<string>,
  protocols: SourceOptions["protocols"],
): Generator<SourceEvent, void, void> {
  const { flow, protocol, dialect, direction, time, packet } = record;
  const where = `packet ${packet}`;
  if (record.kind === "gap") yield { lost: "bytes are missing in the capture", where };
  else if (protocol === null || dialect === null) yield { lost: "no protocol fits a connection", where };
  else if (record.kind === "refused") yield { lost: record.error.message, where };
  else {
    const timeMs = time.seconds * 1000 + time.nanoseconds / 1e6;
    if (!known.has(flow)) {
      known.add(flow);
      yield { session: flow, header: headerOf({ protocol, dialect, flow, settings: settingsOf(protocols[protocol]) }) };
    }
    yield { session: flow, record: { timeMs, sender: direction, payload: record.payload }, where };
  }
}

/** Settings of a game that its files name: the revision. */
function settingsOf(protocol: Protocol | undefined): Readonly<Record<string, number>> {
  const revision = protocol?.capabilities?.settings?.values.revision?.default;
  return revision === undefined ? {} : { revision };
}

function headerOf(
  known: Pick<SessionHeader, "protocol" | "dialect" | "flow"> & Partial<Pick<SessionHeader, "settings">>,
): SessionHeader {
  return { format: "capture", settings: {}, startMs: undefined, fields: {}, ...known };
}

/** The lines of {@link recordJson}; before those of a session may stand `{"session": header}`. */
async function* lineEvents(file: string, { protocols }: SourceOptions): AsyncGenerator<SourceEvent, void, void> {
  const known = new Map<string, Protocol>();
  const faults: SourceEvent[] = [];
  const bytes = fileBytes(file).chunks((why) => faults.push({ lost: why, where: "the compression" }));
  let number = 0;
  let header: SessionHeader | undefined;
  for await (const line of createInterface({ input: Readable.from(bytes), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const where = `line ${number}`;
    if (line.trim() === "") continue;
    const at = `${file}: line ${number}`;
    let given: JsonValue;
    try {
      given = JSON.parse(line) as JsonValue;
    } catch (error) {
      throw new UsageError(`${at}: ${error instanceof Error ? error.message : String(error)}`);
    }
    const json = objectOf(given, `${at}: it`);
    if (json.session !== undefined) {
      header = sessionHeaderOf(json.session, protocols, at);
      continue;
    }
    const { flow, protocol, dialect, gap, error } = json;
    if (gap !== undefined) yield { lost: "bytes are missing", where };
    else if (typeof flow !== "string" || typeof protocol !== "string" || typeof dialect !== "string") {
      throw new UsageError(`${at}: it has no flow, protocol and dialect: see docs/inspect.md`);
    } else if (error !== undefined) yield { lost: "a refused message", where };
    else {
      let game = known.get(flow);
      if (game === undefined) {
        const own = header ?? headerOf({ protocol, dialect, flow });
        const played = protocolOf(protocols, own.protocol, at);
        game = withSettings(played, new Map([[played.name, own.settings]]));
        known.set(flow, game);
        yield { session: flow, header: own };
        header = undefined;
      }
      yield { session: flow, record: lineRecord(json, game, dialect, at), where };
    }
  }
  yield* faults;
}

function lineRecord(
  json: JsonObject,
  game: Protocol,
  dialect: string,
  at: string,
): Omit<SessionRecord, "number" | "byteOffset"> {
  const { time, direction, message, value, hex } = json;
  const timeMs = Number(time) * 1000;
  if (!Number.isFinite(timeMs) || (direction !== "client" && direction !== "server")) {
    throw new UsageError(`${at}: it has no time and direction: see docs/inspect.md`);
  }
  const sender: Side = direction;
  try {
    const codec = game.codec(dialect);
    const payload =
      hex === undefined
        ? codec.write(sender, codec.fromJson(sender, { message: message ?? null, value: value ?? null }))
        : parseHex(String(hex));
    // Seconds as text hold nanoseconds; a number has 15 digits.
    return { timeMs: Math.round(timeMs * 1e3) / 1e3, sender, payload };
  } catch (error) {
    if (error instanceof WireError || error instanceof RangeError) throw new UsageError(`${at}: ${error.message}`);
    throw error;
  }
}
