/**
 * Which protocols, dialects and framings packets may be of: each is tried, ranked by what its reading says, and the first refusal is kept.
 *
 * ```ts
 * import { tryReadings, waysToRead } from "wirewalk/inspect";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const ways = waysToRead([slimeOnline2], { sender: "client", framed: false });
 * const trials = tryReadings(ways, [Uint8Array.of(0, 8, 10)]);
 * trials.map(({ way, standing }) => `${way.setup.dialect} ${standing}`); // => ["documented fits", "v0106 refused", "documentedLittleEndian refused"]
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
import { joinBytes, type TraceField, type WireError } from "../wire/index.ts";
import { attempt } from "./attempt.ts";
import { evidenceOf } from "./evidence.ts";
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

/**
 * What a trial says of the bytes, the best first:
 *
 * - `fits`: every packet is read, and bytes of chance hardly ever are.
 * - `cut`: everything up to the end is read, which bytes of chance hardly ever are; something is missing, or there are bytes too many.
 * - `mostly`: of several packets more are read than refused.
 * - `weak`: every packet is read, which says little. {@link ReadingTrial.doubt} says why.
 * - `refused`: it does not fit.
 */
export type Standing = "fits" | "cut" | "mostly" | "weak" | "refused";

/** How a way of reading came out. */
export interface ReadingTrial {
  readonly way: WayToRead;
  readonly standing: Standing;
  /** Packets that were refused, and packets that were read. */
  readonly refused: number;
  readonly read: number;
  /** The first refusal, and the packet that it was of, from 0; for carried bytes 0. */
  readonly error?: WireError;
  readonly packet?: number;
  /** Of a way that fits and is weak: why that says little. */
  readonly doubt?: string;
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

/** Packets that decide: each is traced by each way. Player info takes some 10 ms for one that it refuses. */
const TRIAL_PACKETS = 512;
const COSTLY_TRIAL_PACKETS = 16;

/** Carried bytes that are changed to see what chance reads. */
const EVIDENCE_BYTES = 256;

/** From how many bits of evidence on a fit says something. */
const FITS_BITS = 3;

/** From how many bits on the beginning of a packet does. A byte that must be right has at most five. */
const CUT_BITS = 10;

/** How {@link tryReadings} goes about it. */
export interface TrialOptions {
  /** How many packets decide at most. Default 512. */
  readonly packets?: number;
}

/**
 * Tries the ways on the first 16 KiB of the packets, the best {@link Standing} first. Ways that are equal keep their order.
 */
export function tryReadings(
  ways: readonly WayToRead[],
  packets: readonly Uint8Array[],
  { packets: most = TRIAL_PACKETS }: TrialOptions = {},
): readonly ReadingTrial[] {
  const start = startOf(packets, most);
  return ways
    .map((way, index) => {
      const trial = judged(tryWay(way, start), start);
      return { trial, ranks: [standings.indexOf(trial.standing), ...ranksOf(trial), index] };
    })
    .sort((a, b) => compare(a.ranks, b.ranks))
    .map(({ trial }) => trial);
}

const standings: readonly Standing[] = ["fits", "cut", "mostly", "weak", "refused"];

/** What one way came to, before anything is said of it. */
type Outcome = Omit<ReadingTrial, "standing" | "doubt">;

/** With what the outcome says of the packets. */
function judged(outcome: Outcome, start: StartOfPackets): ReadingTrial {
  const { way, refused, read, error, packet = 0 } = outcome;
  if (error === undefined) {
    const doubt = doubtOf(way, start);
    return doubt === undefined ? { ...outcome, standing: "fits" } : { ...outcome, standing: "weak", doubt };
  }
  if (read > refused) return { ...outcome, standing: "mostly" };
  const isEnd = (error.code === "truncated" || error.code === "trailing") && !isCostly(way);
  const isCut = isEnd && error.bitOffset > 0 && refused === 1 && packet === read && !way.setup.framed;
  const says = isCut && evidence(way, start) >= CUT_BITS;
  return { ...outcome, standing: says ? "cut" : "refused" };
}

/** Why a way that fits says little. */
function doubtOf(way: WayToRead, start: StartOfPackets): string | undefined {
  if (evidence(way, start) < FITS_BITS) return "it reads almost any bytes";
  const strict = strictly(way);
  if (strict !== undefined && tryWay(strict, start).refused > 0) return "it forgives a packet that is not whole";
  for (const parts of tracePackets(way, triedOf(way, start.packets))) {
    const odd = parts.flatMap(({ fields }) => fields).find(isOdd);
    if (odd !== undefined) return `${odd.path} would be ${odd.shown}`;
  }
  return undefined;
}

/** The way with leave for nothing, where its stream has such an option that nobody set. */
function strictly(way: WayToRead): WayToRead | undefined {
  const { stream, setup } = way;
  const has = setup.options.strict === undefined && stream.options.some(({ name }) => name === "strict");
  return has ? { ...way, setup: { ...setup, options: { ...setup.options, strict: true } } } : undefined;
}

/** A number that no movement has: a fraction that is not finite, or is nearer to nothing or farther than any world. */
function isOdd({ raw }: TraceField): boolean {
  if (typeof raw !== "number" || raw === 0) return false;
  const size = Math.abs(raw);
  return !(size >= 1e-9 && size <= 1e15);
}

/** Readers that take much memory are not opened hundreds of times. */
function isCostly({ stream }: WayToRead): boolean {
  return stream.readerBytes !== undefined;
}

/** The packets that a way is tried on. */
function triedOf(way: WayToRead, packets: readonly Uint8Array[]): readonly Uint8Array[] {
  return isCostly(way) ? packets.slice(0, COSTLY_TRIAL_PACKETS) : packets;
}

/** How little the first packet's reading owes to chance. */
function evidence(way: WayToRead, { packets, isCut }: StartOfPackets): number {
  const bytes = way.setup.framed ? joinBytes(packets).subarray(0, EVIDENCE_BYTES) : packets[0];
  if (bytes === undefined || bytes.length === 0) return 0;
  return evidenceOf(
    (other) => {
      const { error } = tryWay(way, { packets: [other], isCut });
      return error === undefined ? Number.POSITIVE_INFINITY : error.bitOffset;
    },
    bytes,
    isCostly(way),
  );
}

/**
 * Sort keys of ways that do not fit; smaller is better: bare packets before carried bytes, fewer refused packets, a later first refusal. An unknown
 * message number ranks last of equal ones, at any bit.
 */
function ranksOf({ refused, error, packet, way }: ReadingTrial): readonly number[] {
  if (error === undefined) return [];
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

function startOf(packets: readonly Uint8Array[], most: number): StartOfPackets {
  const taken: Uint8Array[] = [];
  let bytes = 0;
  for (const packet of packets) {
    const isEnough = taken.length >= most || bytes + packet.length > TRIAL_BYTES;
    if (isEnough && taken.length > 0) return { packets: taken, isCut: true };
    taken.push(packet);
    bytes += packet.length;
  }
  return { packets: taken, isCut: false };
}

function tryWay(way: WayToRead, { packets, isCut }: StartOfPackets): Outcome {
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
  for (const parts of tracePackets(way, triedOf(way, packets))) {
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
