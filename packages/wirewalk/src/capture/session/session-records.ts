/** A session as records like those of a capture: for the inspector. */
import type { Protocol, Side } from "../../protocols/index.ts";
import { WireError } from "../../wire/index.ts";
import type { CaptureTime } from "../file/packet.ts";
import type { CaptureRecord, MessageRecord } from "../records.ts";
import { PayloadReaders, type StreamOptions } from "../stream/payload-readers.ts";
import type { SessionHeader, SessionRecord, SessionSink } from "./session.ts";
import { type SessionProtocolOptions, sessionProtocol } from "./session-protocol.ts";

export interface SessionRecordsOptions extends SessionProtocolOptions {
  /** Options of packet streams, by their names: `osrs/player-info`. */
  readonly streamOptions?: StreamOptions;
  /**
   * Gives records without values, which is enough to count them and takes a third of the time. All records are then one object, which
   * is valid until the next record. Default: each record is an object of its own, with its value.
   */
  readonly glances?: boolean;
  readonly record: (record: CaptureRecord) => void;
  /** Reading of the file stops here. */
  readonly fault: (error: WireError, byteOffset: number) => void;
  /** What the file is, before its first record. */
  readonly begin?: (header: SessionHeader, protocol: Protocol) => void;
}

type Base = Pick<CaptureRecord, "flow" | "protocol" | "dialect">;
type Writable<T> = { -readonly [K in keyof T]: T[K] };
/** A record that is written again and again. */
type Glanced = Writable<Omit<MessageRecord, "time" | "isUndescribed" | "players">> & {
  readonly time: Writable<CaptureTime>;
  isUndescribed: true | undefined;
  players: ArrayLike<number> | undefined;
};

const NS_PER_MS = 1e6;

export class SessionRecords implements SessionSink {
  readonly #options: SessionRecordsOptions;
  #base: Base | undefined;
  readonly #glanced: Glanced = {
    kind: "message",
    time: { seconds: 0, nanoseconds: 0 },
    packet: 0,
    flow: "",
    direction: "client",
    protocol: null,
    dialect: null,
    message: "",
    value: null,
    isUndescribed: undefined,
    payload: new Uint8Array(0),
    players: undefined,
  };
  #readers: Readonly<Record<Side, PayloadReaders>> | undefined;

  constructor(options: SessionRecordsOptions) {
    this.#options = options;
  }

  /** Throws `RangeError` for a game or a version that is not known. */
  header(header: SessionHeader): void {
    const { protocol, dialect } = sessionProtocol(header, this.#options);
    const { streamOptions: options = {} } = this.#options;
    this.#base = { flow: header.flow, protocol: protocol.name, dialect };
    const open = (sender: Side): PayloadReaders =>
      new PayloadReaders({ protocol, dialect, sender, options, hasStart: true });
    this.#readers = { client: open("client"), server: open("server") };
    this.#options.begin?.(header, protocol);
  }

  record(record: SessionRecord): void {
    if (this.#base === undefined || this.#readers === undefined) return;
    const { number, timeMs, sender, payload, fields } = record;
    const isGreeting = fields?.greeting === true;
    if (this.#options.glances === true && !isGreeting) {
      this.#glance(this.#base, this.#readers[sender], record);
      return;
    }
    // Without spreading it for each record, which takes a tenth of the time.
    const { flow, protocol, dialect } = this.#base;
    const time = setTime({ seconds: 0, nanoseconds: 0 }, timeMs);
    const base = { time, packet: number, flow, direction: sender, protocol, dialect };
    if (isGreeting) {
      // The greeting comes before all messages and is no message: no codec reads it.
      const message = { kind: "message", message: "greeting", value: null, isUndescribed: true, payload } as const;
      this.#options.record({ ...base, ...message });
      return;
    }
    try {
      this.#options.record({ kind: "message", ...base, ...this.#readers[sender].readPayload(payload), payload });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#options.record({ kind: "refused", ...base, error, payload });
    }
  }

  #glance(
    { flow, protocol, dialect }: Base,
    readers: PayloadReaders,
    { number, timeMs, sender, payload }: SessionRecord,
  ): void {
    const record = this.#glanced;
    const { time } = record;
    setTime(time, timeMs);
    record.packet = number;
    record.flow = flow;
    record.protocol = protocol;
    record.dialect = dialect;
    record.direction = sender;
    record.payload = payload;
    try {
      const { message, isUndescribed, players } = readers.glance(payload);
      record.message = message;
      record.isUndescribed = isUndescribed;
      record.players = players;
      this.#options.record(record as MessageRecord);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const base = { time: { ...time }, packet: number, flow, direction: sender, protocol, dialect };
      this.#options.record({ kind: "refused", ...base, error, payload });
    }
  }

  fault(error: WireError, byteOffset: number): void {
    this.#options.fault(error, byteOffset);
  }
}

/** Sets a time from milliseconds since 1970, and returns it. */
function setTime(time: Writable<CaptureTime>, timeMs: number): CaptureTime {
  time.seconds = Math.floor(timeMs / 1000);
  time.nanoseconds = Math.round((timeMs - time.seconds * 1000) * NS_PER_MS);
  return time;
}
