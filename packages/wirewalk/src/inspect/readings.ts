/**
 * Which protocols, dialects and framings packets may be of: each is tried, and of those that do not fit the first refusal is kept.
 *
 * ```ts
 * import { tryReadings, waysToRead } from "wirewalk/inspect";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const ways = waysToRead([slimeOnline2], { sender: "client", framed: false });
 * const trials = tryReadings(ways, [Uint8Array.of(0, 8, 10)]);
 * trials.map(({ way, error }) => `${way.setup.dialect} ${error?.code ?? "fits"}`); // => ["documented fits", "v0106 unknown-message", "documentedLittleEndian unknown-message"]
 * ```
 *
 * @module
 */
import {
  defaultDialect,
  type PacketStream,
  type Protocol,
  packetStreams,
  type Side,
  type StreamOptionValues,
  type StreamSetup,
  type TracedBytes,
} from "../protocols/index.ts";
import { joinBytes, type WireError } from "../wire/index.ts";
import { attempt } from "./attempt.ts";
import { traceStream, withInner } from "./trace-stream.ts";

/** A packet stream and the setup in which it is read. */
export interface WayToRead {
  /** `slime-online-2`, `osrs/mouse`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly stream: PacketStream;
  readonly setup: StreamSetup;
}

/** What is known of packets. What is left out is tried. */
export interface KnownOfPackets {
  /** The name of a stream. */
  readonly name?: string | undefined;
  readonly dialect?: string | undefined;
  readonly sender?: Side | undefined;
  readonly framed?: boolean | undefined;
  /** Of the stream that is named. */
  readonly options?: StreamOptionValues;
}

/** How a way of reading came out. */
export interface ReadingTrial {
  readonly way: WayToRead;
  /** Packets that were refused, and packets that were read. */
  readonly refused: number;
  readonly read: number;
  /** The first refusal, and the packet that it was of, from 0; for carried bytes 0. */
  readonly error?: WireError;
  readonly packet?: number;
  /** Of a way that fits: true when it reads other bytes of the same lengths as well, so that it says little of these. */
  readonly readsAnything?: true;
}

/**
 * All ways that are left, the likeliest first: default dialect and usual sender, bare packets before carried bytes. A stream whose
 * frames are not known has bare packets alone. A side that sends no messages is left out, unless it is the known sender.
 */
export function waysToRead(protocols: readonly Protocol[], known: KnownOfPackets = {}): readonly WayToRead[] {
  return protocols.flatMap((protocol) => {
    const first = defaultDialect(protocol);
    const all = [first, ...protocol.dialects.map(({ name }) => name).filter((name) => name !== first)];
    const dialects = known.dialect === undefined ? all : all.filter((name) => name === known.dialect);
    return Object.entries(packetStreams(protocol)).flatMap(([part, stream]) => {
      const name = part === "" ? protocol.name : `${protocol.name}/${part}`;
      if (known.name !== undefined && known.name !== name) return [];
      const senders = stream.senders.filter((sender) => known.sender === undefined || known.sender === sender);
      const framings = [false, true].filter(
        (framed) => (known.framed ?? framed) === framed && !(framed && stream.openChannel === undefined),
      );
      return framings.flatMap((framed) =>
        dialects.flatMap((dialect) =>
          senders
            .filter((sender) => known.sender !== undefined || sendsAny(protocol, stream, { dialect, sender }))
            .map((sender) => ({
              name,
              protocol,
              stream,
              setup: {
                dialect,
                sender,
                isSenderGiven: known.sender !== undefined,
                framed,
                options: known.options ?? {},
              },
            })),
        ),
      );
    });
  });
}

/** Whether the side sends anything in the dialect. Streams whose packets are no messages name their senders themselves. */
function sendsAny(
  protocol: Protocol,
  { lineSchemas }: PacketStream,
  { dialect, sender }: Pick<StreamSetup, "dialect" | "sender">,
): boolean {
  const { messages } = protocol.codec(dialect);
  return lineSchemas !== undefined || messages.length === 0 || messages.some((each) => each.sender === sender);
}

/** Bytes of packets that decide: trying all ways takes some 10 ms for each KiB. */
const TRIAL_BYTES = 16 * 1024;

/** Other bytes of the same length: a way that reads these too says little about the packets. */
const scrambles: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
  (bytes) => bytes.map((byte) => byte ^ 0xff),
  (bytes) => bytes.toReversed(),
  (bytes) => bytes.map((byte, at) => byte ^ (0x5a + 29 * at)),
];

/**
 * Tries the ways on the first 16 KiB of the packets. Those with the fewest refusals stand first; of several that fit, those that
 * refuse the same packets with their bytes changed. Ways that are equal keep their order.
 */
export function tryReadings(ways: readonly WayToRead[], packets: readonly Uint8Array[]): readonly ReadingTrial[] {
  const start = startOf(packets);
  return ways
    .map((way, index) => {
      const trial = tryWay(way, start);
      const others = trial.refused > 0 ? 0 : countOthers(way, start);
      const shown: ReadingTrial = others === scrambles.length ? { ...trial, readsAnything: true } : trial;
      return { trial: shown, ranks: [...ranksOf(trial, others), index] };
    })
    .sort((a, b) => compare(a.ranks, b.ranks))
    .map(({ trial }) => trial);
}

/** How many changed packets the way reads as well. */
function countOthers(way: WayToRead, start: StartOfPackets): number {
  return scrambles.filter((scramble) => tryWay(way, scrambled(start, scramble)).refused === 0).length;
}

/**
 * Sort keys; smaller is better. Ways that fit come first: the fewer changed packets they also read, the better. Then the others: bare packets
 * before carried bytes, fewer refused packets, a later first refusal. An unknown message number ranks last of equal ones, at any bit.
 */
function ranksOf({ refused, error, packet, way }: ReadingTrial, others: number): readonly number[] {
  if (error === undefined) return [0, others];
  const isUnknown = error.code === "unknown-message";
  return [way.setup.framed ? 2 : 1, refused, -(packet ?? 0), isUnknown ? 1 : 0, isUnknown ? 0 : -error.bitOffset];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : (a[index] as number) - (b[index] as number);
}

interface StartOfPackets {
  readonly packets: readonly Uint8Array[];
  /** True when bytes were left out: then the last frame need not be whole. */
  readonly isCut: boolean;
}

function startOf(packets: readonly Uint8Array[]): StartOfPackets {
  const taken: Uint8Array[] = [];
  let bytes = 0;
  for (const packet of packets) {
    if (bytes + packet.length > TRIAL_BYTES && taken.length > 0) return { packets: taken, isCut: true };
    taken.push(packet);
    bytes += packet.length;
  }
  return { packets: taken, isCut: false };
}

function scrambled({ packets, isCut }: StartOfPackets, scramble: (bytes: Uint8Array) => Uint8Array): StartOfPackets {
  return { packets: packets.map(scramble), isCut };
}

function tryWay(way: WayToRead, { packets, isCut }: StartOfPackets): ReadingTrial {
  const { stream, setup } = way;
  if (setup.framed) {
    const carried = joinBytes(packets);
    // A single long packet is tried by its start alone.
    const parts = traceStream(stream, carried.subarray(0, TRIAL_BYTES), setup);
    const wasCut = isCut || carried.length > TRIAL_BYTES;
    const errors = parts.flatMap(({ error }) => (error === undefined ? [] : [error]));
    if (wasCut && parts.length > 1 && errors.at(-1) === parts.at(-1)?.error) errors.pop();
    const counts = { way, refused: errors.length, read: parts.length - errors.length };
    return errors[0] === undefined ? counts : { ...counts, error: errors[0] };
  }
  let first: Pick<ReadingTrial, "error" | "packet"> | undefined;
  let [refused, index] = [0, 0];
  for (const parts of tracePackets(way, packets)) {
    const error = parts.find((part) => part.error !== undefined)?.error;
    if (error !== undefined) {
      first ??= { error, packet: index };
      refused += 1;
    }
    index += 1;
  }
  return { way, refused, read: index - refused, ...first };
}

/**
 * The fields of several packets in their order, read with the memory of those before: for each its parts, or with `framed` the
 * parts of all of them as the bytes of one stream.
 */
export function* tracePackets(
  { stream, setup }: WayToRead,
  packets: readonly Uint8Array[],
): Generator<readonly TracedBytes[]> {
  if (setup.framed) {
    yield traceStream(stream, joinBytes(packets), setup);
    return;
  }
  const opened = attempt(() => ({ reader: stream.openReader(setup) }));
  for (const bytes of packets) {
    const traced =
      opened.error === undefined ? attempt(() => ({ parts: withInner(opened.reader.trace(bytes)) })) : opened;
    yield traced.error === undefined ? traced.parts : [{ bytes, fields: [], error: traced.error }];
  }
}
