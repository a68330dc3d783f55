/** Records of a file without personal data: their payloads are replaced and read again. */
import {
  openScrubber,
  type Protocol,
  type PseudonymScope,
  Pseudonyms,
  type Scrubber,
  type Side,
} from "../protocols/index.ts";
import { WireError } from "../wire/index.ts";
import type { CaptureRecord, MessageRecord, RefusedRecord } from "./records.ts";
import { PrivateHosts } from "./session/private-session.ts";
import { PayloadReaders, type ShownMessage, type StreamOptions } from "./stream/payload-readers.ts";

export interface PrivateRecordsOptions {
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly whose: PseudonymScope;
  /** Those that the records were read with. Default: none. */
  readonly streamOptions?: StreamOptions;
  /** Those that players of the file have by now. Default: none. */
  readonly pseudonyms?: Pseudonyms;
}

/** Connections whose memory is kept, 160 kB each where it is much. A connection past them begins anew, and what it cannot read is refused. */
const MAX_FLOWS = 1000;

type Flow = Readonly<Record<Side, PayloadReaders>> & { readonly scrubber: Scrubber };

/** Of one file: equal names have equal pseudonyms in all its connections. */
export class PrivateRecords {
  readonly #options: PrivateRecordsOptions;
  readonly #pseudonyms: Pseudonyms;
  readonly #hosts = new PrivateHosts();
  readonly #flows = new Map<string, Flow>();

  constructor(options: PrivateRecordsOptions) {
    this.#options = options;
    this.#pseudonyms = options.pseudonyms ?? new Pseudonyms();
  }

  /** A flow with other hosts, as its records have it. */
  flow(flow: string): string {
    return this.#hosts.flow(flow);
  }

  /**
   * The record without personal data. Throws `RangeError` for a game whose personal data is not known, and where it cannot be found in
   * a message.
   */
  record(record: CaptureRecord): CaptureRecord {
    const flow = this.flow(record.flow);
    if (record.kind === "gap") {
      this.#forget(record.flow, record.direction);
      return { ...record, flow };
    }
    if (record.kind === "refused") return { ...record, flow, ...hidden(record.error, record.payload) };
    if (record.message === "greeting" && record.value === null) return { ...record, flow };
    return { ...this.#message(record), flow };
  }

  #message(record: MessageRecord): CaptureRecord {
    const { direction } = record;
    const known = this.#flowOf(record);
    const payload = known.scrubber.scrub(direction, record.payload);
    let shown: ShownMessage;
    try {
      shown = known[direction].readPayload(payload);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const { time, packet, flow, protocol, dialect } = record;
      return { kind: "refused", time, packet, flow, direction, protocol, dialect, ...hidden(error, payload) };
    }
    const { message, value, isUndescribed } = shown;
    if (message !== record.message) {
      const why = `${record.message} of the file is ${message} with the settings of ${record.protocol}`;
      throw new RangeError(`Cannot give pseudonyms: ${why}, which --set chooses`);
    }
    const { isUndescribed: _, ...rest } = record;
    return { ...rest, message, value, payload, ...(isUndescribed === true && { isUndescribed }) };
  }

  #flowOf({ flow, protocol: name, dialect }: MessageRecord): Flow {
    const known = this.#flows.get(flow);
    if (known !== undefined) return known;
    const { protocols, whose, streamOptions: options = {} } = this.#options;
    const protocol = name === null ? undefined : protocols[name];
    if (protocol === undefined || dialect === null)
      throw new RangeError(`Cannot give pseudonyms: unknown protocol ${name}`);
    const open = (sender: Side): PayloadReaders =>
      new PayloadReaders({ protocol, dialect, sender, options, hasStart: false });
    const scrubber = openScrubber(protocol, { dialect, whose, pseudonyms: this.#pseudonyms });
    const made = { scrubber, client: open("client"), server: open("server") };
    this.#flows.set(flow, made);
    const [oldest] = this.#flows.keys();
    if (this.#flows.size > MAX_FLOWS && oldest !== undefined) this.#flows.delete(oldest);
    return made;
  }

  #forget(flow: string, direction: Side): void {
    this.#flows.get(flow)?.[direction].forget();
  }
}

/** A refused payload may hold personal data: its bytes become zeros, and its error keeps only the code and the place. */
function hidden(
  { code, bitOffset, path }: WireError,
  { length }: Uint8Array,
): Pick<RefusedRecord, "error" | "payload"> {
  const what = path === "" ? "message" : path;
  const why = `Cannot read ${what}: ${code} at byte ${Math.floor(bitOffset / 8)}; its bytes are not shown`;
  return { error: new WireError(code, why, bitOffset, path), payload: new Uint8Array(length) };
}
