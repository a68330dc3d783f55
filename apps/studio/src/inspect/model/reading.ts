/** How bytes are read: protocol, stream, dialect, sender, frames. Every reading can be tried on the same bytes. */
import { decodeLines, type ReadingTrial, traceStream, tryReadings, type WayToRead } from "wirewalk/inspect";
import {
  codecStream,
  defaultDialect,
  type PacketStream,
  type PayloadTrace,
  type Protocol,
  packetStreams,
  type Side,
  type StreamSetup,
  type TracedBytes,
} from "wirewalk/protocol";
import { formatHex, type JsonObject, joinBytes } from "wirewalk/wire";

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
  readonly trial: ReadingTrial;
}

export type Protocols = Readonly<Record<string, Protocol>>;

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

function setupOf({ dialect, sender, framed }: Reading): StreamSetup {
  return { dialect, sender, isSenderGiven: true, framed, options: {} };
}

/** The packets of an input, each with the memory of those before it. With frames the inputs are pieces of one stream. */
export function readPackets(
  protocol: Protocol,
  reading: Reading,
  inputs: readonly Uint8Array[],
): readonly ReadPacket[] {
  const stream = streamOf(protocol, reading.part);
  const setup = setupOf(reading);
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

/** The world that is watched: pasted bytes are likely to be of it. */
export type Watched = Pick<Reading, "protocol" | "dialect">;

/** All readings of the given protocols, in the order in which those that fit equally well are preferred. */
export function allReadings(protocols: Protocols, watched?: Watched): readonly Reading[] {
  const readings = Object.values(protocols).flatMap((protocol) =>
    partsOf(protocol).flatMap((part) =>
      dialectsOf(protocol).flatMap((dialect) =>
        readingsOf(streamOf(protocol, part), { protocol: protocol.name, part, dialect }),
      ),
    ),
  );
  const distance = ({ part, protocol, dialect }: Reading): number =>
    // Payloads name their message: bytes that fit by chance are rarer than in packets without a name.
    (protocol !== watched?.protocol ? 4 : 0) + (dialect !== watched?.dialect ? 2 : 0) + (part === "" ? 0 : 1);
  return readings.sort((a, b) => distance(a) - distance(b));
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

/** Tries all readings: the likeliest first, of those that do not fit the one that came furthest. */
export function attempts(
  protocols: Protocols,
  readings: readonly Reading[],
  inputs: readonly Uint8Array[],
): readonly Attempt[] {
  const ways = new Map(
    readings.flatMap((reading): [WayToRead, Reading][] => {
      const protocol = protocols[reading.protocol];
      if (protocol === undefined) return [];
      const stream = streamOf(protocol, reading.part);
      return [[{ name: streamName(reading), protocol, stream, setup: setupOf(reading) }, reading]];
    }),
  );
  const trials = tryReadings([...ways.keys()], inputs, { packets: TRIED_PACKETS });
  return trials.map((trial) => ({ trial, reading: ways.get(trial.way) as Reading }));
}
