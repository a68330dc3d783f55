/** What clients sent, and the corrections that they were sent, as records like those of a capture: for the inspector. */
import { type CaptureRecord, PayloadReaders } from "wirewalk/capture";
import { type Protocol, replacedBy, type Side } from "wirewalk/protocol";
import { parseHex, WireError } from "wirewalk/wire";
import { decodeCbor } from "../cbor-reader.ts";
import { type KeyFrame, type RecordedWorld, RecordKind, readWorldRecord } from "../profile.ts";
import type { RecordedMessage, Recording } from "./read-recording.ts";

/** Characters of names that stand in `flow`: others would end an address there. */
const NOT_IN_FLOWS = /[^\w.]/g;

/** Throws `RangeError` for a recording without a readable key frame, and of an unknown protocol. */
export function* sessionRecords(
  recording: Recording,
  protocols: Readonly<Record<string, Protocol>>,
): Generator<CaptureRecord, void, void> {
  const world = recordedWorld(recording);
  const protocol = protocols[world.protocol];
  if (protocol === undefined) throw new RangeError(`Cannot read the recording: unknown protocol ${world.protocol}`);
  const sessions = new Sessions(configured(protocol, world), world.dialect);
  for (const message of recording.messages()) yield* sessions.records(message);
}

/** What the world of a recording was made with. Throws `RangeError` when no key frame can be read. */
export function recordedWorld(recording: Recording): RecordedWorld {
  for (const { data } of recording.messages({ topic: (topic) => topic.endsWith("/key-frames") })) {
    return (decodeCbor(data) as KeyFrame).world;
  }
  throw new RangeError("Cannot read the recording: no key frame can be read");
}

function configured(protocol: Protocol, { settings }: RecordedWorld): Protocol {
  const { renamed, settings: own } = protocol.capabilities ?? {};
  // Limits that the rules had in an earlier version do not change how messages are read.
  const today = Object.entries(settings).filter(([name]) => replacedBy(renamed, "settings", name) === undefined);
  if (today.length === 0) return protocol;
  return own?.configure(Object.fromEntries(today)) ?? protocol;
}

/** The readers of one session, by who sent. */
type Session = Record<Side, PayloadReaders> & { readonly flow: string };

class Sessions {
  readonly #protocol: Protocol;
  readonly #dialect: string;
  readonly #sessions = new Map<string, Session>();
  /** The session of each player that is in the world. */
  readonly #players = new Map<number, Session>();
  /** The number of the next record. */
  #next: number | undefined;
  #count = 0;

  constructor(protocol: Protocol, dialect: string) {
    this.#protocol = protocol;
    this.#dialect = dialect;
  }

  *records(message: RecordedMessage): Generator<CaptureRecord, void, void> {
    const { topic, schema, data } = message;
    if (schema === "wirewalk.Correction") {
      const { player, payload } = JSON.parse(new TextDecoder().decode(data)) as { player: number; payload: string };
      const session = this.#players.get(player);
      if (session !== undefined) yield this.#record(message, session, "server", parseHex(payload));
      return;
    }
    if (topic.endsWith("/key-frames")) {
      yield* this.#checkNumber(message);
      return;
    }
    if (schema !== "wirewalk.Record") return;
    yield* this.#checkNumber(message);
    if (!topic.includes("/sessions/")) return;
    const record = readWorldRecord(data);
    const session = this.#sessionOf(message, record?.kind === RecordKind.join);
    if (record === undefined) {
      const error = new WireError("unknown-variant", "Cannot read record: it is not of this version of the profile", 0);
      yield { ...this.#baseOf(message, session.flow, "client"), kind: "refused", error, payload: data };
      return;
    }
    this.#players.set(record.player, session);
    if (record.kind === RecordKind.message) yield this.#record(message, session, "client", record.body);
    else if (record.kind === RecordKind.observed) yield this.#record(message, session, "server", record.body);
  }

  /** Records are numbered: a number that is left out is a record that is missing. */
  *#checkNumber(message: RecordedMessage): Generator<CaptureRecord, void, void> {
    const { sequence } = message;
    const missing = this.#next === undefined ? 0 : (sequence - this.#next) >>> 0;
    this.#next = (sequence + 1) >>> 0;
    if (missing === 0) return;
    for (const { client, server } of this.#sessions.values()) {
      client.forget();
      server.forget();
    }
    const error = new WireError(
      "bad-state",
      `Cannot read recording: ${missing} records are missing before this one`,
      0,
    );
    yield { ...this.#baseOf(message, "all-server:0", "client"), kind: "refused", error, payload: new Uint8Array() };
  }

  #sessionOf({ topic, metadata }: RecordedMessage, isJoin: boolean): Session {
    const known = this.#sessions.get(topic);
    if (known !== undefined) return known;
    const name = (metadata.get("name") ?? "").replace(NOT_IN_FLOWS, "_");
    const number = topic.slice(topic.lastIndexOf("/") + 1);
    const open = (sender: Side): PayloadReaders =>
      new PayloadReaders({
        protocol: this.#protocol,
        dialect: this.#dialect,
        sender,
        options: {},
        hasStart: isJoin,
      });
    const flow = `${name === "" ? "session" : name}:${number}-server:0`;
    const session = { flow, client: open("client"), server: open("server") };
    this.#sessions.set(topic, session);
    return session;
  }

  #record(message: RecordedMessage, session: Session, sender: Side, payload: Uint8Array): CaptureRecord {
    const base = this.#baseOf(message, session.flow, sender);
    try {
      return { kind: "message", ...base, ...session[sender].readPayload(payload), payload };
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return { kind: "refused", ...base, error, payload };
    }
  }

  #baseOf({ timeNs }: RecordedMessage, flow: string, direction: Side) {
    this.#count += 1;
    const time = { seconds: Number(timeNs / 1_000_000_000n), nanoseconds: Number(timeNs % 1_000_000_000n) };
    const { name: protocol } = this.#protocol;
    return { time, packet: this.#count, flow, direction, protocol, dialect: this.#dialect };
  }
}
