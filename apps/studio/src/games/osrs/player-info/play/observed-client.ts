/**
 * The followed player's client: a decoder that reads the packets it was sent, and what each packet did. The feed's
 * observations fill it. Pure.
 */
import { PlayerInfoDecoder, PlayerInfoPlayback, type PlayerInfoUpdate } from "wirewalk/osrs/player-info";
import { type JsonObject, parseHex, type TraceField, Tracer, WireError } from "wirewalk/wire";
import { type ActionPlace, type Actions, actionsOf } from "./actions.ts";
import { type BitSplit, blockBits, splitBits } from "./bits.ts";
import { Looks } from "./looks.ts";

/** Packets kept, for the chart. */
export const KEPT_TICKS = 120;

/** Fields kept of a packet: 2047 players in view have four each, more than can be read. */
export const MAX_FIELDS = 3_000;

/** One packet of the client, and what it did. */
export interface SeenTick {
  /** 1, 2, 3 … since the page was opened. */
  readonly number: number;
  /** On the server's clock. */
  readonly atMs: number;
  readonly packet: Uint8Array;
  readonly update: PlayerInfoUpdate;
  readonly bits: BitSplit;
  /** Bits of the masks by block, most first. */
  readonly blocks: readonly (readonly [block: string, bits: number])[];
  readonly actions: Actions;
  /** The packet's fields, at most {@link MAX_FIELDS}. */
  readonly fields: readonly TraceField[];
  /** What the client knew before and after the packet, in a few numbers. */
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Where the stream went wrong. */
export interface StreamFault {
  /** A `PlayerInfoError` has pass, player and bit; the error of an invalid start has not, nor has one that the server found. */
  readonly error: WireError;
  /** The packet that has the fault; undefined for an invalid start, and for a fault that the server reports. */
  readonly packet: Uint8Array | undefined;
  /** Fields of the packet, up to the fault. */
  readonly fields: readonly TraceField[];
}

/** An observation of the followed player. */
export interface ObservationData {
  readonly what: string;
  readonly atMs: number;
  readonly data: JsonObject;
}

export class ObservedClient {
  #decoder: PlayerInfoDecoder | undefined;
  #playback: PlayerInfoPlayback | undefined;
  #looks: Looks | undefined;
  #fault: StreamFault | undefined;
  #ticks: SeenTick[] = [];
  #lastNumber = 0;

  /** Undefined until the server has sent the client's state. */
  get decoder(): PlayerInfoDecoder | undefined {
    return this.#decoder;
  }

  /** The same players between two packets. */
  get playback(): PlayerInfoPlayback | undefined {
    return this.#playback;
  }

  /** What its client shows of players beside where they are. */
  get looks(): Looks | undefined {
    return this.#looks;
  }

  /** 20 ms later. */
  cycle(): void {
    this.#playback?.cycle();
    this.#looks?.cycle();
  }

  /** Set when a packet could not be read: nothing more is read until the stream begins anew. */
  get fault(): StreamFault | undefined {
    return this.#fault;
  }

  /** Oldest first, at most {@link KEPT_TICKS}. */
  get ticks(): readonly SeenTick[] {
    return this.#ticks;
  }

  /** Another player is followed, or none. */
  forget(): void {
    this.#decoder = undefined;
    this.#playback = undefined;
    this.#looks = undefined;
    this.#fault = undefined;
    this.#ticks = [];
  }

  /** Takes an observation of the followed player. Returns the packet, if it was one and could be read. */
  apply({ what, atMs, data }: ObservationData): SeenTick | undefined {
    if (what === "player-info-start") this.#begin(data.state as JsonObject);
    else if (what === "player-info") return this.#read(parseHex(String(data.hex)), atMs);
    else if (what === "player-info-unread") this.#lose(String(data.reason));
    return undefined;
  }

  /** The server cannot read the stream of another server. Where the own decoder has found why, its place is shown. */
  #lose(reason: string): void {
    this.#fault ??= { error: new WireError("bad-state", reason, 0), packet: undefined, fields: [] };
  }

  /** Begins in the middle of the client's stream, with the state that the server sends. */
  #begin(state: JsonObject): void {
    const decoder = this.#guarded(undefined, new Tracer(), () => PlayerInfoDecoder.fromState(state));
    if (decoder === undefined) return;
    // The packets before still count: another page began to follow the same client, or it has logged in again.
    this.#decoder = decoder;
    this.#playback = new PlayerInfoPlayback(decoder);
    this.#looks = new Looks(decoder);
    this.#fault = undefined;
  }

  #read(packet: Uint8Array, atMs: number): SeenTick | undefined {
    const decoder = this.#decoder;
    if (decoder === undefined || this.#fault !== undefined) return undefined;
    const [x, z, level] = [decoder.x.slice(), decoder.z.slice(), decoder.level.slice()];
    const before = summaryOf(decoder);
    const tracer = new Tracer();
    const update = this.#guarded(packet, tracer, () => decoder.decode(packet, tracer));
    if (update === undefined) return undefined;
    this.#playback?.take(update);
    this.#looks?.take(update);
    const was = (index: number): ActionPlace => placeIn(level, x, z, index);
    const is = (index: number): ActionPlace => placeIn(decoder.level, decoder.x, decoder.z, index);
    this.#lastNumber += 1;
    const tick: SeenTick = {
      number: this.#lastNumber,
      atMs,
      packet,
      update,
      bits: splitBits(update, packet.length),
      blocks: blockBits(tracer.fields),
      actions: actionsOf(update, tracer.fields, was, is),
      fields: tracer.fields.slice(0, MAX_FIELDS),
      before,
      after: summaryOf(decoder),
    };
    this.#ticks.push(tick);
    if (this.#ticks.length > KEPT_TICKS) this.#ticks.shift();
    return tick;
  }

  /** Reads. An error ends the stream. */
  #guarded<T>(packet: Uint8Array | undefined, tracer: Tracer, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#fault = { error, packet, fields: tracer.fields.slice(0, MAX_FIELDS) };
      return undefined;
    }
  }
}

function placeIn(level: Int8Array, x: Int32Array, z: Int32Array, index: number): ActionPlace {
  return { level: level[index] ?? 0, x: x[index] ?? 0, z: z[index] ?? 0 };
}

/** A client's knowledge in a few numbers. */
function summaryOf(decoder: PlayerInfoDecoder): JsonObject {
  const { localIndex, locals, flags } = decoder;
  let skipped = 0;
  for (let index = 1; index < flags.length; index++) skipped += (flags[index] ?? 0) & 1;
  return {
    ...placeIn(decoder.level, decoder.x, decoder.z, localIndex),
    locals: locals.length,
    "slots out of view": decoder.local.length - 1 - locals.length,
    "slots skipped": skipped,
  };
}
