/**
 * **Replay**: the recorded calls are made again on a world of the same game, and what it does is compared with what was
 * recorded: every effect by its hash, which covers the bytes to every client, every verdict in full, and the whole state at
 * each key frame.
 *
 * Replay begins at a key frame. Where records are missing, it begins anew at the next one.
 */
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Effect, Joining, PayloadCodec, Protocol, Side, World } from "wirewalk/protocol";
import { formatHex, WireError } from "wirewalk/wire";
import { decodeCbor } from "../cbor-reader.ts";
import {
  type KeyFrame,
  PROFILE_VERSION,
  type RecordedWorld,
  RecordKind,
  readWorldRecord,
  type UsedPlace,
  type WorldRecord,
} from "../profile.ts";
import type { FoundChunk } from "../reading/chunk-records.ts";
import type { RecordedMessage, Recording } from "../reading/read-recording.ts";
import { ReplayComparison, type ReplayDifference } from "./comparison.ts";
import { checkRecordedMaps } from "./recorded-maps.ts";
import { readKeyFrame, restoreWorld, type WorldSource } from "./recorded-world.ts";

export interface ReplayOptions extends WorldSource {
  /** Replay begins at the last key frame before this time, and ends after the other. Nanoseconds since 1970. */
  readonly fromNs?: bigint;
  readonly toNs?: bigint;
  /**
   * Whether the state at which replay begins is compared with its digest: that takes half as long as restoring it. The states of later
   * key frames always are. Default true.
   */
  readonly comparesStart?: boolean;
  /**
   * Other data for a key frame or a record: the replayed world has another state or other inputs. Nothing is compared then, and a key frame
   * is read only where replay begins.
   */
  readonly changed?: (message: RecordedMessage) => Uint8Array;
  readonly onVerdict?: (verdict: Verdict) => void;
  /** Verdicts as they were recorded. */
  readonly onRecordedVerdict?: (verdict: VerdictJson) => void;
  /** Before a call of the world is made again: joins, messages, ticks and their like. */
  readonly onCall?: (call: WorldRecord) => void;
  /** Before a message of a client is given to the world. */
  readonly onInput?: (player: PlayerId, payload: Uint8Array, nowMs: number) => void;
  /** Before a message of another server to a client is shown to the world. */
  readonly onObserved?: (player: PlayerId, payload: Uint8Array, nowMs: number) => void;
  /** `payload` is the message of a `send` or a `broadcast`. */
  readonly onEffect?: (effect: Effect, payload: Uint8Array | undefined, nowMs: number) => void;
  /** After each tick. */
  readonly onTick?: (world: World, nowMs: number) => void;
  /** Replay begins at a key frame, or begins anew after a gap or a difference: the world is another one. */
  readonly onBegin?: (world: World, frame: KeyFrame) => void;
}

/** A verdict as the file has it: its message is in hex. */
export type VerdictJson = Omit<Verdict, "message"> & { readonly message: string };

/** A part of the recording that cannot be replayed. */
export interface ReplayGap {
  /** Numbers of the records that are missing. */
  readonly from: number;
  readonly to: number;
  /** The time of the world's clock after which they are missing. */
  readonly afterMs: number;
}

export interface ReplayReport {
  readonly world: RecordedWorld;
  readonly fromMs: number;
  readonly toMs: number;
  readonly inputs: number;
  readonly ticks: number;
  /** Effects that were compared. */
  readonly effects: number;
  /** Verdicts other than accept that were compared. */
  readonly verdicts: number;
  /** Key frames at which the state was compared; where a replay begins there is nothing to compare. */
  readonly keyFrames: number;
  readonly gaps: readonly ReplayGap[];
  /** The first ones. */
  readonly differences: readonly ReplayDifference[];
  readonly differenceCount: number;
}

/** A record that was replayed. */
export interface ReplayStep {
  readonly kind: RecordKind | "key-frame";
  readonly nowMs: number;
}

/** A record that is next. */
type Pending =
  | { readonly frame: KeyFrame; readonly nowMs: number; readonly sequence: number }
  | { readonly frame: undefined; readonly record: WorldRecord; readonly nowMs: number; readonly sequence: number };

/** Throws `RangeError` for a recording without a key frame, and for one whose world this version cannot make again. */
export function replayRecording(recording: Recording, options: ReplayOptions): ReplayReport {
  const replay = new Replay(recording, options);
  while (replay.next() !== undefined) {
    // All of it.
  }
  return replay.report();
}

/** A replay that goes on record by record. */
export class Replay {
  readonly #options: ReplayOptions;
  readonly #recording: Recording;
  readonly #messages: Iterator<RecordedMessage, void>;
  #recorded: RecordedWorld | undefined;
  #world: World | undefined;
  #protocol: Protocol | undefined;
  #codec: PayloadCodec | undefined;
  readonly #players = new Map<PlayerId, Joining>();
  readonly #followed = new Set<PlayerId>();
  /** With other settings, or other data: what the replayed world does is not what was recorded. */
  readonly #isOther: boolean;
  /** False then, and while a spectator of the replay follows a player until the next key frame after it. */
  #isCompared: boolean;
  readonly #comparison: ReplayComparison;
  #pending: Pending | undefined;
  /** The number of the next record. */
  #next: number | undefined;
  #fromMs = 0;
  #nowMs = 0;
  #inputs = 0;
  #ticks = 0;
  readonly #gaps: ReplayGap[] = [];

  constructor(recording: Recording, options: ReplayOptions) {
    this.#options = options;
    this.#recording = recording;
    this.#isOther = options.settings !== undefined || options.changed !== undefined;
    this.#isCompared = !this.#isOther;
    this.#messages = messagesFrom(recording, options.fromNs);
    this.#comparison = new ReplayComparison(() => ({ tick: this.#ticks, nowMs: this.#nowMs }));
  }

  /** Undefined before the first key frame, and from a gap to the next one. */
  get world(): World | undefined {
    return this.#world;
  }

  /** What the world was made with; undefined before the first key frame. */
  get recorded(): RecordedWorld | undefined {
    return this.#recorded;
  }

  /** The game with the settings of the recording; undefined before the first key frame. */
  get protocol(): Protocol | undefined {
    return this.#protocol;
  }

  /** Players of the world with their names, by id. */
  get players(): ReadonlyMap<PlayerId, Joining> {
    return this.#players;
  }

  /** Milliseconds of the world's clock: the time of the last record. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Time of the next record in milliseconds of the world's clock; undefined at the end. */
  get nextMs(): number | undefined {
    this.#pending ??= this.#pull();
    return this.#pending?.nowMs;
  }

  /** Replays the next record; undefined at the end. */
  next(): ReplayStep | undefined {
    const pending = this.#pending ?? this.#pull();
    this.#pending = undefined;
    if (pending === undefined) return undefined;
    this.#count(pending.sequence);
    if (pending.frame !== undefined) {
      this.#nowMs = pending.nowMs;
      this.#keyFrame(pending.frame);
      return { kind: "key-frame", nowMs: pending.nowMs };
    }
    if (this.#world !== undefined) {
      this.#nowMs = pending.nowMs;
      this.#perform(this.#world, pending.record);
    }
    return { kind: pending.record.kind, nowMs: pending.nowMs };
  }

  /** Replays; gives the time after each record, in milliseconds of the world's clock. */
  *steps(): Generator<number, void, void> {
    while (this.next() !== undefined) yield this.#nowMs;
  }

  /**
   * Follows a player for a spectator of the replay. The world then has effects that the recorded one had not: nothing is
   * compared until the first key frame at which nobody is followed.
   */
  follow(player: PlayerId): void {
    if (this.#world === undefined || !this.#players.has(player) || this.#followed.has(player)) return;
    this.#followed.add(player);
    this.#isCompared = false;
    this.#world.following?.follow(player, this.#nowMs);
    this.#takeEffects(this.#world);
  }

  /** Ends `follow`. */
  unfollow(player: PlayerId): void {
    if (!this.#followed.delete(player) || this.#world === undefined) return;
    this.#world.following?.unfollow(player);
    this.#takeEffects(this.#world);
  }

  report(): ReplayReport {
    if (this.#recorded === undefined) throw new RangeError("Cannot replay: the recording has no readable key frame");
    const { counts, differences, differenceCount } = this.#comparison;
    return {
      world: this.#recorded,
      fromMs: this.#fromMs,
      toMs: this.#nowMs,
      inputs: this.#inputs,
      ticks: this.#ticks,
      ...counts,
      gaps: this.#gaps,
      differences,
      differenceCount,
    };
  }

  /** The next record in the file. Verdicts on the way to it are those of the records before. */
  #pull(): Pending | undefined {
    const { toNs } = this.#options;
    const { changed = ({ data }: RecordedMessage) => data } = this.#options;
    for (let next = this.#messages.next(); next.done !== true; next = this.#messages.next()) {
      const { topic, schema, sequence, data, timeNs } = next.value;
      if (toNs !== undefined && timeNs > toNs) return undefined;
      if (topic.endsWith("/key-frames")) {
        const frame = readKeyFrame(changed(next.value));
        return { frame, nowMs: frame.nowMs, sequence };
      }
      if (schema === "wirewalk.Verdict" && this.#world !== undefined) {
        const json = new TextDecoder().decode(data);
        this.#comparison.recordedVerdict(json);
        this.#options.onRecordedVerdict?.(JSON.parse(json) as VerdictJson);
      }
      if (schema !== "wirewalk.Record") continue;
      const record = readWorldRecord(changed(next.value));
      if (record === undefined) {
        throw new RangeError(`Cannot replay: record ${sequence} is not of profile ${PROFILE_VERSION}`);
      }
      return { frame: undefined, record, nowMs: record.nowMs, sequence };
    }
    return undefined;
  }

  /** Finds missing records: replay then waits for the next key frame. */
  #count(number: number): void {
    if (this.#next !== undefined && number !== this.#next) {
      this.#gaps.push({ from: this.#next, to: number - 1, afterMs: this.#nowMs });
      this.#world = undefined;
    }
    this.#next = (number + 1) >>> 0;
  }

  #keyFrame(frame: KeyFrame): void {
    const world = this.#world;
    if (world === undefined) {
      this.#begin(frame);
      return;
    }
    // The state is another one.
    if (this.#isOther) return;
    if (!this.#isCompared && this.#followed.size > 0) return;
    if (this.#isCompared && this.#comparison.state(frame, world)) return;
    try {
      // After a difference replay goes on from what was recorded, so that later differences are new ones.
      this.#begin(frame);
    } catch (error) {
      // A state that cannot be restored was named as a difference: replay goes on from its own.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Throws `RangeError` when this world cannot be made again, with the reason. */
  #begin(frame: KeyFrame): void {
    const { createWorld, maps } = this.#options;
    // Who makes the world has chosen its maps.
    if (createWorld === undefined) checkRecordedMaps(this.#recording, maps);
    const { protocol, world } = restoreWorld(frame, this.#options);
    if (this.#recorded === undefined) {
      this.#fromMs = frame.nowMs;
      this.#recorded = frame.world;
    }
    this.#protocol = protocol;
    this.#codec = protocol.codec(frame.world.dialect);
    this.#world = world;
    this.#comparison.begin();
    if (!this.#isOther && this.#options.comparesStart !== false) this.#comparison.restored(frame, world);
    this.#players.clear();
    for (const { player, joining } of frame.players) this.#players.set(player, joining);
    this.#options.onBegin?.(world, frame);
    const followed = [...this.#followed];
    this.#followed.clear();
    this.#isCompared = !this.#isOther;
    for (const player of followed) this.follow(player);
  }

  #perform(world: World, { kind, player, nowMs, body }: WorldRecord): void {
    if (kind === RecordKind.effects) {
      if (this.#isCompared) this.#comparison.effects(body);
      else this.#comparison.begin();
      return;
    }
    if (kind === RecordKind.place) {
      this.#place(world, decodeCbor(body) as UsedPlace);
      return;
    }
    if (kind === RecordKind.carried || kind === RecordKind.channel || kind === RecordKind.lost) return;
    if (kind !== RecordKind.tick) this.#inputs += 1;
    this.#options.onCall?.({ kind, player, nowMs, body });
    try {
      this.#call(world, kind, { player, nowMs, body });
    } catch (error) {
      if (error instanceof UnreadableInput) {
        this.#comparison.differ({
          what: "input",
          player,
          field: "message",
          recorded: formatHex(body),
          replayed: error.message,
        });
      }
      // What else a world throws it has thrown in the recording too: see `Host`.
      return;
    }
    this.#takeEffects(world);
    if (kind === RecordKind.tick) {
      this.#ticks += 1;
      this.#options.onTick?.(world, nowMs);
    }
  }

  /** The recorded world has used a place: this one has too, in the same form. */
  #place(world: World, { place, digest }: UsedPlace): void {
    if (!this.#isCompared) return;
    const replayed = world.usedMaps?.().get(place);
    if (replayed === digest) return;
    const field = `maps.${place}`;
    this.#comparison.differ({
      what: "state",
      player: undefined,
      field,
      recorded: digest,
      replayed: replayed ?? "not used",
    });
  }

  #call(world: World, kind: RecordKind, { player, nowMs, body }: Omit<WorldRecord, "kind">): void {
    switch (kind) {
      case RecordKind.join: {
        const joining = decodeCbor(body) as Joining;
        this.#players.set(player, joining);
        world.join(player, joining, nowMs);
        return;
      }
      case RecordKind.leave:
        this.#players.delete(player);
        this.#followed.delete(player);
        world.leave(player, nowMs);
        return;
      case RecordKind.message: {
        const message = this.#read(world, "client", body);
        this.#options.onInput?.(player, body, nowMs);
        if (message !== undefined) world.receive(player, message, body, nowMs);
        else world.shadow?.missed(player, "client", body, nowMs);
        return;
      }
      case RecordKind.observed: {
        if (body.length === 0) {
          world.shadow?.lost(player, nowMs);
          return;
        }
        this.#options.onObserved?.(player, body, nowMs);
        const message = this.#read(world, "server", body);
        if (message !== undefined) world.shadow?.observe(player, message, nowMs);
        else world.shadow?.missed(player, "server", body, nowMs);
        return;
      }
      case RecordKind.refresh:
        world.refresh(player, nowMs);
        return;
      case RecordKind.follow:
        if (!this.#followed.has(player)) world.following?.follow(player, nowMs);
        return;
      case RecordKind.unfollow:
        if (!this.#followed.has(player)) world.following?.unfollow(player);
        return;
      case RecordKind.tick:
        world.tick(nowMs);
        return;
      default:
    }
  }

  /**
   * Undefined for what the recorded world did not receive as a message: one that is not described and, in a shadow world, one that
   * cannot be read.
   */
  #read(world: World, sender: Side, payload: Uint8Array): ReturnType<PayloadCodec["read"]> | undefined {
    const codec = this.#codec as PayloadCodec;
    try {
      return codec.undescribed?.(sender, payload) === undefined ? codec.read(sender, payload) : undefined;
    } catch (error) {
      if (world.shadow !== undefined && error instanceof WireError) return undefined;
      throw new UnreadableInput(error instanceof Error ? error.message : String(error));
    }
  }

  #takeEffects(world: World): void {
    for (const effect of world.takeEffects()) {
      const isMessage = effect.effect === "send" || effect.effect === "broadcast";
      const payload = isMessage ? this.#codec?.write("server", effect.message) : undefined;
      this.#comparison.effect(effect, payload);
      if (effect.effect === "verdict" && effect.verdict.kind !== "accept") this.#options.onVerdict?.(effect.verdict);
      this.#options.onEffect?.(effect, payload, this.#nowMs);
    }
  }
}

/** An input that the codec of this version refuses. */
class UnreadableInput extends Error {}

/** From the last key frame that is not after the time, or all. */
function* messagesFrom(recording: Recording, fromNs: bigint | undefined): Generator<RecordedMessage, void, void> {
  const { chunks } = recording;
  const start = fromNs === undefined ? undefined : lastKeyFrame(recording, fromNs);
  if (start !== undefined) yield* start.messages;
  for (const chunk of chunks.slice(start === undefined ? 0 : start.chunk + 1)) yield* recording.messagesOf(chunk);
}

/** The last key frame that is not after the time: its chunk, and the messages of that from the key frame on. */
function lastKeyFrame(
  recording: Recording,
  fromNs: bigint,
): { readonly chunk: number; readonly messages: readonly RecordedMessage[] } | undefined {
  // A key frame is a chunk by itself, of one time. Others are read only when none of these has one: an hour has five of them for
  // each key frame.
  for (const isTried of [isOfOneTime, () => true]) {
    for (let chunk = recording.chunks.length - 1; chunk >= 0; chunk -= 1) {
      const found = recording.chunks[chunk] as FoundChunk;
      // The header of a chunk has no checksum: where its time is too late, replay begins at a key frame before it.
      if (found.startTime > fromNs || !isTried(found)) continue;
      const messages = recording.messagesOf(found);
      const at = messages.findLastIndex(({ topic, timeNs }) => topic.endsWith("/key-frames") && timeNs <= fromNs);
      if (at >= 0) return { chunk, messages: messages.slice(at) };
    }
  }
  return undefined;
}

function isOfOneTime({ startTime, endTime }: FoundChunk): boolean {
  return startTime === endTime;
}
