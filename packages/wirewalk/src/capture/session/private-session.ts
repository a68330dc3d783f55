/** Sessions without personal data: between the reader of a file and what takes its messages. */
import { openScrubber, type PseudonymScope, Pseudonyms, type Scrubber } from "../../protocols/index.ts";
import type { JsonObject, WireError } from "../../wire/index.ts";
import { endpointsOf } from "./mapleshark/endpoints.ts";
import type { SessionHeader, SessionRecord, SessionSink } from "./session.ts";
import { type SessionProtocolOptions, sessionProtocol } from "./session-protocol.ts";

/** Hosts in place of those of a file: addresses for documentation (RFC 5737, 192.0.2.0/24). */
export class PrivateHosts {
  readonly #hosts = new Map<string, string>();

  /** The flow with other hosts; ports stay. Equal hosts have equal addresses, of which there are 254. */
  flow(flow: string): string {
    const [, client = flow, clientPort = "", server = "", serverPort = ""] =
      /^(.*?)((?::\d+)?)-(.*?)((?::\d+)?)$/.exec(flow) ?? [];
    return `${this.#host(client)}${clientPort}-${this.#host(server)}${serverPort}`;
  }

  #host(host: string): string {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const address = `192.0.2.${(this.#hosts.size % 254) + 1}`;
    this.#hosts.set(host, address);
    return address;
  }
}

export interface PrivateSessionOptions extends SessionProtocolOptions {
  readonly whose: PseudonymScope;
}

/** Fields of heads that name nobody, of all formats. */
const harmlessFields: ReadonlySet<string> = new Set([
  // RSProx: the game, its world and its client.
  ...["headerVersion", "revision", "subRevision", "clientType", "platformType", "timestamp", "worldId", "worldFlags"],
  ...["worldLocation", "worldHost", "worldActivity", "localPlayerIndex", "clientName", "js5MasterIndex"],
  // MapleShark and its texts.
  ...["program", "version", "versionName", "records", "time", "build", "locale", "localeName", "patchLocation"],
  ...["localPort", "remotePort", "packets", "dataBytes"],
]);
/** Fields of records: numbers of ciphers and times, whether it is the greeting, and the name of an opcode. */
const harmlessRecordFields: ReadonlySet<string> = new Set(["ivBefore", "ivAfter", "hundredNs", "greeting", "name"]);

/** Replaces personal data in the sessions of one file. */
export class PrivateSessions {
  readonly #options: PrivateSessionOptions;
  readonly #pseudonyms = new Pseudonyms();
  readonly #hosts = new PrivateHosts();
  readonly #scrubbers = new Map<string, Scrubber>();
  /** Messages of which something was replaced. */
  changed = 0;

  constructor(options: PrivateSessionOptions) {
    this.#options = options;
  }

  /** Throws `RangeError` for a game or a version that is not known, and for a game whose personal data is not known. */
  header(session: string, header: SessionHeader): SessionHeader {
    const { protocol, dialect } = sessionProtocol(header, this.#options);
    const { whose } = this.#options;
    this.#scrubbers.set(session, openScrubber(protocol, { dialect, whose, pseudonyms: this.#pseudonyms }));
    // The flow of RSProx has the host of a world, which is no personal data.
    const flow = header.format === "rsprox" ? header.flow : this.#hosts.flow(header.flow);
    return { ...header, flow, fields: privateFields(header.fields, flow) };
  }

  /** Throws `RangeError` where personal data cannot be found. */
  record<R extends Omit<SessionRecord, "number" | "byteOffset">>(session: string, record: R): R {
    const { fields } = record;
    const isGreeting = fields?.greeting === true;
    const scrubber = this.#scrubbers.get(session);
    if (scrubber === undefined) throw new RangeError(`Cannot give pseudonyms: no header of ${session} came before`);
    const payload = isGreeting ? record.payload : scrubber.scrub(record.sender, record.payload);
    if (payload !== record.payload) this.changed += 1;
    return { ...record, payload, ...(fields === undefined ? {} : { fields: kept(fields, harmlessRecordFields) }) };
  }
}

function kept(fields: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
}

function privateFields(fields: JsonObject, flow: string): JsonObject {
  const { accountHash, localEndpoint, remoteEndpoint } = fields;
  const own = endpointsOf(flow);
  return {
    ...kept(fields, harmlessFields),
    ...(typeof accountHash === "string" && { accountHash: accountHash.replace(/./g, "0") }),
    ...(localEndpoint !== undefined && { localEndpoint: own.localEndpoint ?? "" }),
    ...(remoteEndpoint !== undefined && { remoteEndpoint: own.remoteEndpoint ?? "" }),
  };
}

/** A sink that gives another one the sessions of a file without personal data. */
export class PrivateSession implements SessionSink {
  readonly #sessions: PrivateSessions;
  readonly #sink: SessionSink;

  constructor(options: PrivateSessionOptions, sink: SessionSink) {
    this.#sessions = new PrivateSessions(options);
    this.#sink = sink;
  }

  header(header: SessionHeader): void {
    this.#sink.header(this.#sessions.header("", header));
  }

  record(record: SessionRecord): void {
    this.#sink.record(this.#sessions.record("", record));
  }

  fault(error: WireError, byteOffset: number): void {
    this.#sink.fault(error, byteOffset);
  }
}
