/** How bytes are read: protocol, stream, dialect, sender, frames. Every reading can be tried on the same bytes. */
import { decodeLines, traceStream } from "wirewalk/inspect";
import {
  codecStream,
  defaultDialect,
  type PacketStream,
  type PayloadTrace,
  type Protocol,
  packetStreams,
  type Side,
  type StreamOptionValues,
  type StreamSetup,
  type TracedBytes,
} from "wirewalk/protocol";
import { formatHex, type JsonObject, joinBytes, type WireError } from "wirewalk/wire";

/** A way to read bytes, as plain data. */
export interface Reading {
  readonly protocol: string;
  /** The packet stream of the protocol; empty: payloads of its codec. */
  readonly part: string;
  readonly dialect: string;
  readonly sender: Side;
  /** True for bytes as a connection carries them: frames, ciphered where the dialect ciphers. */
  readonly framed: boolean;
}

/** A packet that was read: its bytes with their fields, and its value where it has one. */
export interface ReadPacket {
  /** Where it stands in the bytes that were given, when there are several. */
  readonly title: string | undefined;
  readonly bytes: Uint8Array;
  readonly trace: PayloadTrace;
  /** What `wirewalk decode` prints. */
  readonly json: JsonObject | undefined;
  readonly notes: readonly string[];
}

/** What came of one reading. */
export interface Attempt {
  readonly reading: Reading;
  /** Why it does not fit; undefined when it reads all of the bytes. */
  readonly error: WireError | undefined;
  /** Bits that were read before the refusal. */
  readonly readBits: number;
}

export type Protocols = Readonly<Record<string, Protocol>>;

/** Bytes on which readings are tried: enough for any packet, and for the first frames of a stream. */
const TRIED_BYTES = 4_096;

/** Packets on which readings are tried. Each costs a trace for each of 56 readings: 585 packets of 7 bytes took 2.5 s. */
const TRIED_PACKETS = 64;

/** `slime-online-2`, `osrs/mouse`. */
export function streamName({ protocol, part }: Pick<Reading, "protocol" | "part">): string {
  return part === "" ? protocol : `${protocol}/${part}`;
}

/** `slime-online-2 v0106, from the client, framed`. */
export function readingName(reading: Reading): string {
  return `${streamName(reading)} ${reading.dialect}, from the ${reading.sender}${reading.framed ? ", framed" : ""}`;
}

export function sameReading(a: Reading, b: Reading): boolean {
  return streamName(a) === streamName(b) && a.dialect === b.dialect && a.sender === b.sender && a.framed === b.framed;
}

/** The parts of a protocol that bytes can be read as, its payloads first. */
export function partsOf(protocol: Protocol): readonly string[] {
  return ["", ...Object.keys(packetStreams(protocol)).filter((part) => part !== "")];
}

/** The stream of a part. A game that has none for its payloads is read by its codec. */
export function streamOf(protocol: Protocol, part: string): PacketStream {
  return packetStreams(protocol)[part] ?? codecStream(protocol);
}

/** A packet that is not whole is no proof of a reading: streams that would take it can be asked to refuse it. */
function setupOf(stream: PacketStream, { dialect, sender, framed }: Reading, isTrial: boolean): StreamSetup {
  const isStrict = isTrial && stream.options.some(({ name }) => name === "strict");
  const options: StreamOptionValues = isStrict ? { strict: true } : {};
  return { dialect, sender, isSenderGiven: true, framed, options };
}

/** The packets of an input, each with the memory of those before it. With frames the inputs are pieces of one stream. */
export function readPackets(
  protocol: Protocol,
  reading: Reading,
  inputs: readonly Uint8Array[],
): readonly ReadPacket[] {
  const stream = streamOf(protocol, reading.part);
  const setup = setupOf(stream, reading, false);
  const lines = decodeLines(stream, setup);
  const packets = reading.framed ? [joinBytes(inputs)] : inputs;
  return packets.flatMap((bytes) => {
    const results = lines.line(formatHex(bytes, { separator: "" }));
    return withoutInner(traceStream(stream, bytes, setup)).map((part, index) => {
      const { title, notes = [] } = part;
      return { title, bytes: part.bytes, trace: part, json: jsonOf(results[index], part), notes };
    });
  });
}

/** A stream that needs more than bytes has no line of hex; its trace may have a message. */
function jsonOf(result: object | undefined, part: TracedBytes): JsonObject | undefined {
  if (part.error !== undefined || result === undefined || !("json" in result)) return undefined;
  return result.json as JsonObject;
}

/** `traceStream` lists what a packet holds in another form after the packet, which has it too. */
function withoutInner(parts: readonly TracedBytes[]): readonly TracedBytes[] {
  const inner = new Set(parts.map((part) => part.inner).filter((part) => part !== undefined));
  return parts.filter((part) => !inner.has(part));
}

/** All readings of the given protocols, in the order in which those that fit are preferred. */
export function allReadings(protocols: Protocols): readonly Reading[] {
  const readings = Object.values(protocols).flatMap((protocol) =>
    partsOf(protocol).flatMap((part) =>
      dialectsOf(protocol).flatMap((dialect) =>
        readingsOf(streamOf(protocol, part), { protocol: protocol.name, part, dialect }),
      ),
    ),
  );
  // Payloads name their message: bytes that fit by chance are rarer than in packets without a name.
  return [...readings.filter(({ part }) => part === ""), ...readings.filter(({ part }) => part !== "")];
}

/** Each sender, bare packets and, where the stream has frames, carried bytes. */
function readingsOf(
  { senders, openChannel }: PacketStream,
  which: Pick<Reading, "protocol" | "part" | "dialect">,
): readonly Reading[] {
  const framings = openChannel === undefined ? [false] : [false, true];
  return senders.flatMap((sender) => framings.map((framed) => ({ ...which, sender, framed })));
}

/** The dialect of the shipped client first. */
function dialectsOf(protocol: Protocol): readonly string[] {
  const first = defaultDialect(protocol);
  return [first, ...protocol.dialects.map(({ name }) => name).filter((name) => name !== first)];
}

/** Tries one reading. Long input is tried by its start: a frame that the start cuts is no refusal. */
export function attempt(protocol: Protocol, reading: Reading, inputs: readonly Uint8Array[]): Attempt {
  const stream = streamOf(protocol, reading.part);
  const setup = setupOf(stream, reading, true);
  let readBits = 0;
  let triedBytes = 0;
  for (const bytes of reading.framed ? [joinBytes(inputs)] : inputs.slice(0, TRIED_PACKETS)) {
    const isCut = reading.framed && bytes.length > TRIED_BYTES;
    const tried = isCut ? bytes.subarray(0, TRIED_BYTES) : bytes;
    const parts = traceStream(stream, tried, setup);
    const refused = parts.findIndex(({ error }) => error !== undefined);
    const error = parts[refused]?.error;
    const isCutFrame = isCut && refused > 0 && refused === parts.length - 1 && error?.code === "truncated";
    if (error !== undefined && !isCutFrame) return { reading, error, readBits: readBits + error.bitOffset };
    readBits += tried.length * 8;
    triedBytes += tried.length;
    if (triedBytes >= TRIED_BYTES) break;
  }
  return { reading, error: undefined, readBits };
}

/** Tries all readings: those that fit first, then those that came furthest. */
export function attempts(
  protocols: Protocols,
  readings: readonly Reading[],
  inputs: readonly Uint8Array[],
): readonly Attempt[] {
  const all = readings.flatMap((reading) => {
    const protocol = protocols[reading.protocol];
    return protocol === undefined ? [] : [attempt(protocol, reading, inputs)];
  });
  const rank = ({ error, readBits }: Attempt): number => (error === undefined ? Number.POSITIVE_INFINITY : readBits);
  return all.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
}
