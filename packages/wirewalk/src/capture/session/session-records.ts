/** A session as records like those of a capture: for the inspector. */
import type { Protocol, Side } from "../../protocols/index.ts";
import { WireError } from "../../wire/index.ts";
import type { CaptureTime } from "../file/packet.ts";
import type { CaptureRecord } from "../records.ts";
import { PayloadReaders, type StreamOptions } from "../stream/payload-readers.ts";
import type { SessionHeader, SessionRecord, SessionSink } from "./session.ts";
import { type SessionProtocolOptions, sessionProtocol } from "./session-protocol.ts";

export interface SessionRecordsOptions extends SessionProtocolOptions {
  /** Options of packet streams, by their names: `osrs/player-info`. */
  readonly streamOptions?: StreamOptions;
  /** Gives records without values, which takes a third of the time: for whoever counts. Default: with them. */
  readonly glances?: boolean;
  readonly record: (record: CaptureRecord) => void;
  /** Reading of the file stops here. */
  readonly fault: (error: WireError, byteOffset: number) => void;
  /** What the file is, before its first record. */
  readonly begin?: (header: SessionHeader, protocol: Protocol) => void;
}

const NS_PER_MS = 1e6;

export class SessionRecords implements SessionSink {
  readonly #options: SessionRecordsOptions;
  #base: Pick<CaptureRecord, "flow" | "protocol" | "dialect"> | undefined;
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

  record({ number, timeMs, sender, payload, fields }: SessionRecord): void {
    if (this.#base === undefined || this.#readers === undefined) return;
    // Without spreading it for each record, which takes a tenth of the time.
    const { flow, protocol, dialect } = this.#base;
    const base = { time: captureTime(timeMs), packet: number, flow, direction: sender, protocol, dialect };
    if (fields?.greeting === true) {
      // Before all messages, and none of them: no codec reads it.
      const message = { kind: "message", message: "greeting", value: null, isUndescribed: true, payload } as const;
      this.#options.record({ ...base, ...message });
      return;
    }
    try {
      const readers = this.#readers[sender];
      const shown = this.#options.glances === true ? readers.glance(payload) : readers.readPayload(payload);
      this.#options.record({ kind: "message", ...base, ...shown, payload });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#options.record({ kind: "refused", ...base, error, payload });
    }
  }

  fault(error: WireError, byteOffset: number): void {
    this.#options.fault(error, byteOffset);
  }
}

/** Milliseconds since 1970 as seconds and nanoseconds. */
function captureTime(timeMs: number): CaptureTime {
  const seconds = Math.floor(timeMs / 1000);
  return { seconds, nanoseconds: Math.round((timeMs - seconds * 1000) * NS_PER_MS) };
}
