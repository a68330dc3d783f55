/**
 * **Replay**: the recorded calls are made again on a world of the same game, and what it does is compared with what was
 * recorded: every effect by its hash, which covers the bytes to every client, every verdict in full, and the whole state at
 * each key frame.
 *
 * Replay begins at a key frame. Where records are missing, it begins anew at the next one.
 */
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Effect, Joining, PayloadCodec, Protocol, World } from "wirewalk/protocol";
import { formatHex } from "wirewalk/wire";
import { decodeCbor } from "../cbor-reader.ts";
import {
  effectHash,
  type KeyFrame,
  PROFILE_VERSION,
  type RecordedWorld,
  RecordKind,
  readWorldRecord,
  type WorldRecord,
} from "../profile.ts";
import type { RecordedMessage, Recording } from "../reading/read-recording.ts";
import { firstDifference } from "./difference.ts";
import { nameOf, playerIn, playerOf } from "./effect-names.ts";

export interface ReplayOptions {
  /** The games by name: those of `wirewalk/protocols`, and others. */
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** Makes the world, where a protocol's own `createWorld` is not enough. */
  readonly createWorld?: (recorded: RecordedWorld, protocol: Protocol) => World;
  /** Replay begins at the last key frame before this time, and ends after the other. Nanoseconds since 1970. */
  readonly fromNs?: bigint;
  readonly toNs?: bigint;
  readonly onVerdict?: (verdict: Verdict) => void;
  /** `payload` is the message of a `send` or a `broadcast`. */
  readonly onEffect?: (effect: Effect, payload: Uint8Array | undefined, nowMs: number) => void;
  /** After each tick. */
  readonly onTick?: (world: World, nowMs: number) => void;
}

/** Where a replay differs from its recording. */
export interface ReplayDifference {
  readonly what: "effect" | "verdict" | "state" | "input";
  /** Ticks since replay began, and the time of the world's clock. */
  readonly tick: number;
  readonly nowMs: number;
  /** Undefined where it is the world's own. */
  readonly player: PlayerId | undefined;
  /** A member of the state: `state.players<7>.x`; or what kind of effect. */
  readonly field: string;
  readonly recorded: string;
  readonly replayed: string;
}

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

const MAX_DIFFERENCES = 100;

/** Throws `RangeError` for a recording without a key frame, of an unknown game or of another profile. */
export function replayRecording(recording: Recording, options: ReplayOptions): ReplayReport {
  const replay = new Replay(recording, options);
  for (const _ of replay.steps()) {
    // All of it.
  }
  return replay.report();
}

/** A replay that goes on record by record. */
export class Replay {
  readonly #recording: Recording;
  readonly #options: ReplayOptions;
  #recorded: RecordedWorld | undefined;
  #world: World | undefined;
  #codec: PayloadCodec | undefined;
  readonly #players = new Map<PlayerId, Joining>();
  /** The number of the next record. */
  #next: number | undefined;
  #hashes: { readonly hash: number; readonly effect: Effect }[] = [];
  #replayedVerdicts: Verdict[] = [];
  #recordedVerdicts: string[] = [];
  #fromMs = 0;
  #nowMs = 0;
  #inputs = 0;
  #ticks = 0;
  #effects = 0;
  #verdicts = 0;
  #keyFrames = 0;
  readonly #gaps: ReplayGap[] = [];
  readonly #differences: ReplayDifference[] = [];
  #differenceCount = 0;

  constructor(recording: Recording, options: ReplayOptions) {
    this.#recording = recording;
    this.#options = options;
  }

  /** Undefined before the first key frame, and from a gap to the next one. */
  get world(): World | undefined {
    return this.#world;
  }

  /** Players of the world with their names, by id. */
  get players(): ReadonlyMap<PlayerId, Joining> {
    return this.#players;
  }

  /** Replays; gives the time after each record, in milliseconds of the world's clock. */
  *steps(): Generator<number, void, void> {
    const { toNs } = this.#options;
    const startNs = this.#startNs();
    for (const message of this.#recording.messages({
      ...(startNs === undefined ? {} : { fromNs: startNs }),
      ...(toNs === undefined ? {} : { toNs }),
    })) {
      if (startNs !== undefined && message.timeNs < startNs) continue;
      if (toNs !== undefined && message.timeNs > toNs) return;
      if (this.#take(message)) yield this.#nowMs;
    }
  }

  report(): ReplayReport {
    if (this.#recorded === undefined) throw new RangeError("Cannot replay: the recording has no readable key frame");
    return {
      world: this.#recorded,
      fromMs: this.#fromMs,
      toMs: this.#nowMs,
      inputs: this.#inputs,
      ticks: this.#ticks,
      effects: this.#effects,
      verdicts: this.#verdicts,
      keyFrames: this.#keyFrames,
      gaps: this.#gaps,
      differences: this.#differences,
      differenceCount: this.#differenceCount,
    };
  }

  /** Time of the last key frame before the wanted time. */
  #startNs(): bigint | undefined {
    const { fromNs } = this.#options;
    if (fromNs === undefined) return undefined;
    const before = this.#recording.chunks.filter(({ startTime }) => startTime <= fromNs);
    for (const chunk of before.reverse()) {
      const [frame] = this.#recording.messagesOf(chunk, (topic) => topic.endsWith("/key-frames"));
      if (frame !== undefined && frame.timeNs <= fromNs) return frame.timeNs;
    }
    return undefined;
  }

  /** Whether it was a record of a replay. */
  #take(message: RecordedMessage): boolean {
    const { topic, data } = message;
    if (topic.endsWith("/key-frames")) {
      this.#keyFrame(message);
      return true;
    }
    if (message.schema === "wirewalk.Verdict") {
      if (this.#world !== undefined) this.#recordedVerdicts.push(new TextDecoder().decode(data));
      return false;
    }
    if (message.schema !== "wirewalk.Record") return false;
    const record = readWorldRecord(data);
    if (record === undefined) {
      throw new RangeError(`Cannot replay: record ${message.sequence} is not of profile ${PROFILE_VERSION}`);
    }
    this.#count(message.sequence);
    if (this.#world === undefined) return false;
    this.#nowMs = record.nowMs;
    this.#perform(this.#world, record);
    return true;
  }

  /** Finds missing records: replay then waits for the next key frame. */
  #count(number: number): void {
    if (this.#next !== undefined && number !== this.#next) {
      this.#gaps.push({ from: this.#next, to: number - 1, afterMs: this.#nowMs });
      this.#world = undefined;
    }
    this.#next = (number + 1) >>> 0;
  }

  #keyFrame(message: RecordedMessage): void {
    this.#count(message.sequence);
    const frame = decodeCbor(message.data) as KeyFrame;
    if (frame.profile !== PROFILE_VERSION) {
      throw new RangeError(`Cannot replay: profile ${frame.profile}, expected ${PROFILE_VERSION}`);
    }
    this.#nowMs = frame.nowMs;
    const before = this.#world;
    if (before !== undefined && this.#recorded !== undefined) {
      this.#keyFrames += 1;
      if (before.digest().toString(16).padStart(16, "0") === frame.digest) return;
      const found = firstDifference(frame.saved, before.save());
      // Go on from what was recorded, so that later differences are new ones.
      this.#differ({
        what: "state",
        player: playerIn(found?.path ?? "", before),
        field: found?.path ?? "digest",
        recorded: found?.recorded ?? frame.digest,
        replayed: found?.replayed ?? before.digest().toString(16).padStart(16, "0"),
      });
    }
    this.#begin(frame);
  }

  /** Throws `RangeError` when this world cannot be made again, with the reason. */
  #begin(frame: KeyFrame): void {
    const protocol = this.#protocolOf(frame.world);
    if (this.#recorded === undefined) {
      this.#fromMs = frame.nowMs;
      this.#recorded = frame.world;
    }
    this.#codec = protocol.codec(frame.world.dialect);
    const world = (this.#options.createWorld ?? createWorld)(frame.world, protocol);
    try {
      world.restore(frame.saved);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new RangeError(`Cannot replay a recording of wirewalk ${frame.library}: ${why}`, { cause: error });
    }
    this.#world = world;
    this.#hashes = [];
    this.#recordedVerdicts = [];
    this.#replayedVerdicts = [];
    this.#players.clear();
    for (const { player, joining } of frame.players) this.#players.set(player, joining);
  }

  #protocolOf({ protocol: name, settings }: RecordedWorld): Protocol {
    const protocol = this.#options.protocols[name];
    if (protocol === undefined) throw new RangeError(`Cannot replay: unknown protocol ${name}`);
    if (Object.keys(settings).length === 0) return protocol;
    return protocol.capabilities.settings?.configure(settings) ?? protocol;
  }

  #perform(world: World, { kind, player, nowMs, body }: WorldRecord): void {
    if (kind === RecordKind.effects) {
      this.#compare(body);
      return;
    }
    if (kind === RecordKind.carried || kind === RecordKind.channel || kind === RecordKind.lost) return;
    if (kind !== RecordKind.tick) this.#inputs += 1;
    try {
      this.#call(world, kind, { player, nowMs, body });
    } catch (error) {
      if (error instanceof UnreadableInput) {
        this.#differ({ what: "input", player, field: "message", recorded: formatHex(body), replayed: error.message });
      }
      // What else a world throws it has thrown in the recording too: see `Host`.
      return;
    }
    for (const effect of world.takeEffects()) this.#effect(effect, nowMs);
    if (kind === RecordKind.tick) {
      this.#ticks += 1;
      this.#options.onTick?.(world, nowMs);
    }
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
        world.leave(player, nowMs);
        return;
      case RecordKind.message:
        world.receive(player, this.#readInput(body), body, nowMs);
        return;
      case RecordKind.refresh:
        world.refresh(player, nowMs);
        return;
      case RecordKind.follow:
        world.following?.follow(player, nowMs);
        return;
      case RecordKind.unfollow:
        world.following?.unfollow(player);
        return;
      case RecordKind.tick:
        world.tick(nowMs);
        return;
      default:
    }
  }

  #readInput(payload: Uint8Array): ReturnType<PayloadCodec["read"]> {
    try {
      return (this.#codec as PayloadCodec).read("client", payload);
    } catch (error) {
      throw new UnreadableInput(error instanceof Error ? error.message : String(error));
    }
  }

  #effect(effect: Effect, nowMs: number): void {
    const isMessage = effect.effect === "send" || effect.effect === "broadcast";
    const payload = isMessage ? this.#codec?.write("server", effect.message) : undefined;
    this.#hashes.push({ hash: effectHash(effect, payload), effect });
    if (effect.effect === "verdict" && effect.verdict.kind !== "accept") {
      this.#replayedVerdicts.push(effect.verdict);
      this.#options.onVerdict?.(effect.verdict);
    }
    this.#options.onEffect?.(effect, payload, nowMs);
  }

  /** Compares what was done since the record of effects before. */
  #compare(body: Uint8Array): void {
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const replayed = this.#hashes;
    const recordedVerdicts = this.#recordedVerdicts;
    const replayedVerdicts = this.#replayedVerdicts;
    this.#hashes = [];
    this.#recordedVerdicts = [];
    this.#replayedVerdicts = [];
    const count = Math.floor(body.length / 4);
    this.#effects += count;
    this.#verdicts += recordedVerdicts.length;
    for (let index = 0; index < Math.max(recordedVerdicts.length, replayedVerdicts.length); index += 1) {
      if (!this.#isSameVerdict(recordedVerdicts[index], replayedVerdicts[index])) return;
    }
    for (let index = 0; index < Math.max(count, replayed.length); index += 1) {
      const own = replayed[index];
      const hash = index < count ? view.getUint32(4 * index, true) : undefined;
      if (own !== undefined && own.hash === hash) continue;
      this.#differ({
        what: "effect",
        player: own === undefined ? undefined : playerOf(own.effect),
        field: own === undefined ? "number of effects" : nameOf(own.effect),
        recorded: hash === undefined ? `${count} effects` : hash.toString(16).padStart(8, "0"),
        replayed: own === undefined ? `${replayed.length} effects` : own.hash.toString(16).padStart(8, "0"),
      });
      return;
    }
  }

  #isSameVerdict(recorded: string | undefined, replayed: Verdict | undefined): boolean {
    const before = recorded === undefined ? undefined : (JSON.parse(recorded) as Verdict);
    const after =
      replayed === undefined
        ? undefined
        : (JSON.parse(JSON.stringify({ ...replayed, message: formatHex(replayed.message) })) as Verdict);
    const found = firstDifference(before, after, "verdict");
    if (found === undefined) return true;
    const player = (before ?? after)?.player;
    this.#differ({ what: "verdict", player, field: found.path, recorded: found.recorded, replayed: found.replayed });
    return false;
  }

  #differ(difference: Omit<ReplayDifference, "tick" | "nowMs">): void {
    this.#differenceCount += 1;
    if (this.#differences.length === MAX_DIFFERENCES) return;
    this.#differences.push({ ...difference, tick: this.#ticks, nowMs: this.#nowMs });
  }
}

/** An input that the codec of this version refuses. */
class UnreadableInput extends Error {}

function createWorld({ dialect, seed, enforcement, demo, tickMs }: RecordedWorld, protocol: Protocol): World {
  return protocol.createWorld({ dialect, seed, enforcement, demo, ...(tickMs === undefined ? {} : { tickMs }) });
}
