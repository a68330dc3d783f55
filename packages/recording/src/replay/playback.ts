/**
 * **Playback**: a recording as a film that can be stopped, stepped and wound. Positions are milliseconds from the first key
 * frame. The caller has the clock: `play` goes on to a position, `seek` goes to any.
 *
 * ```ts
 * const playback = new Playback(recording, { protocols });
 * playback.seek(90_000);
 * while (!playback.continueSeek()) {}
 * playback.step("tick");
 * playback.world?.tracks(playback.nowMs);
 * ```
 */
import type { PlayerId } from "wirewalk/motion";
import type { Effect, Joining, World } from "wirewalk/protocol";
import { type RecordedWorld, RecordKind } from "../profile.ts";
import type { RecordedMessage, Recording } from "../reading/read-recording.ts";
import { readKeyFrame } from "./recorded-world.ts";
import { Replay, type ReplayOptions, type ReplayReport } from "./replay.ts";

export interface PlaybackOptions extends Omit<ReplayOptions, "fromNs" | "toNs" | "comparesStart" | "onTick"> {
  /** Nothing before and after these positions is played. Default: the whole recording. */
  readonly firstMs?: number;
  readonly lastMs?: number;
  /** The playback is at another position, and its world is another one. */
  readonly onJump?: () => void;
}

/** What a step goes to the end of: the next tick, or the next record with a message of a client or to one. */
export type PlaybackStep = "tick" | "packet";

const NS_PER_MS = 1e6;

export class Playback {
  /** What the world was made with. */
  readonly recorded: RecordedWorld;
  /** Time of the world's clock at position 0, and milliseconds since 1970. */
  readonly startMs: number;
  readonly epochMs: number;
  /** Position of the last record. */
  readonly durationMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly #recording: Recording;
  readonly #options: PlaybackOptions;
  readonly #startNs: bigint;
  #replay: Replay;
  #atMs = 0;
  #seek: { readonly replay: Replay; readonly toMs: number } | undefined;
  /** Messages of the record that is replayed. */
  #packets = 0;

  /** Throws `RangeError` for a recording without a key frame, of an unknown game or of another profile, and for a part without length. */
  constructor(recording: Recording, options: PlaybackOptions) {
    this.#recording = recording;
    this.#options = options;
    const first = firstKeyFrame(recording);
    if (first === undefined) throw new RangeError("Cannot replay: the recording has no readable key frame");
    const frame = readKeyFrame(first.data);
    this.recorded = frame.world;
    this.startMs = frame.nowMs;
    this.epochMs = frame.epochMs;
    this.#startNs = first.timeNs;
    this.durationMs = Number((lastMessage(recording) ?? first).timeNs - first.timeNs) / NS_PER_MS;
    const { firstMs = 0, lastMs = this.durationMs } = options;
    this.firstMs = Math.max(0, firstMs);
    this.lastMs = Math.min(this.durationMs, lastMs);
    if (this.firstMs > this.lastMs) {
      throw new RangeError(`Cannot play from ${firstMs} to ${lastMs} ms: the recording has ${this.durationMs} ms`);
    }
    this.#replay = this.#replayFrom(this.firstMs);
    this.seek(this.firstMs);
    while (!this.continueSeek()) {
      // The first position is no jump of a spectator: nobody waits.
    }
  }

  /** The position up to which everything is played. */
  get atMs(): number {
    return this.#atMs;
  }

  /** The same as time of the world's clock. */
  get nowMs(): number {
    return this.startMs + this.#atMs;
  }

  get isAtEnd(): boolean {
    return this.#atMs >= this.lastMs;
  }

  /** True from `seek` until `continueSeek` has returned true. What is called back then belongs to the world after the jump. */
  get isSeeking(): boolean {
    return this.#seek !== undefined;
  }

  /** Undefined where records are missing. */
  get world(): World | undefined {
    return this.#replay.world;
  }

  get players(): ReadonlyMap<PlayerId, Joining> {
    return this.#replay.players;
  }

  /** Of what was played since the last jump, with the seconds before it since its key frame. */
  get report(): ReplayReport {
    return this.#replay.report();
  }

  /**
   * Plays on to a position, or as far as it gets until `isLate`. True when it is there. Does nothing for a position before the
   * one where it is.
   */
  play(toMs: number, isLate: () => boolean = () => false): boolean {
    const untilMs = Math.min(toMs, this.lastMs);
    for (let next = this.#nextMs; next !== undefined && next <= untilMs; next = this.#nextMs) {
      this.#replay.next();
      this.#atMs = Math.max(this.#atMs, next);
      if (isLate()) return false;
    }
    this.#atMs = Math.max(this.#atMs, untilMs);
    return true;
  }

  step(what: PlaybackStep): void {
    this.#packets = 0;
    for (let next = this.#nextMs; next !== undefined && next <= this.lastMs; next = this.#nextMs) {
      const kind = this.#replay.next()?.kind;
      this.#atMs = Math.max(this.#atMs, next);
      if (what === "tick" ? kind === RecordKind.tick : this.#packets > 0) return;
    }
    this.#atMs = this.lastMs;
  }

  /** Goes to a position: to the key frame before it, and from there by replay. Call `continueSeek` until it returns true. */
  seek(toMs: number): void {
    const target = Math.min(this.lastMs, Math.max(this.firstMs, toMs));
    this.#seek = { replay: this.#replayFrom(target), toMs: target };
  }

  /** Goes on until `isLate`. True when the playback is at the wanted position. */
  continueSeek(isLate: () => boolean = () => false): boolean {
    const seek = this.#seek;
    if (seek === undefined) return true;
    const { replay, toMs } = seek;
    for (let next = replay.nextMs; next !== undefined && next - this.startMs <= toMs; next = replay.nextMs) {
      replay.next();
      if (isLate()) return false;
    }
    this.#replay.world?.close?.();
    this.#replay = replay;
    this.#atMs = toMs;
    this.#seek = undefined;
    this.#options.onJump?.();
    return true;
  }

  /** Follows a player for a spectator: see `Replay`. A jump ends it. */
  follow(player: PlayerId): void {
    this.#replay.follow(player);
  }

  unfollow(player: PlayerId): void {
    this.#replay.unfollow(player);
  }

  get #nextMs(): number | undefined {
    const { nextMs } = this.#replay;
    return nextMs === undefined ? undefined : nextMs - this.startMs;
  }

  #replayFrom(atMs: number): Replay {
    const { onInput, onObserved, onEffect } = this.#options;
    return new Replay(this.#recording, {
      ...this.#options,
      fromNs: this.#startNs + BigInt(Math.floor(atMs * NS_PER_MS)),
      // A jump has 200 ms, and the chunk of a key frame has a checksum.
      comparesStart: false,
      onInput: (player, payload, nowMs) => {
        this.#packets += 1;
        onInput?.(player, payload, nowMs);
      },
      onObserved: (player, payload, nowMs) => {
        this.#packets += 1;
        onObserved?.(player, payload, nowMs);
      },
      onEffect: (effect: Effect, payload, nowMs) => {
        if (payload !== undefined) this.#packets += 1;
        onEffect?.(effect, payload, nowMs);
      },
    });
  }
}

function firstKeyFrame(recording: Recording): RecordedMessage | undefined {
  for (const chunk of recording.chunks) {
    const [frame] = recording.messagesOf(chunk, (topic) => topic.endsWith("/key-frames"));
    if (frame !== undefined) return frame;
  }
  return undefined;
}

function lastMessage(recording: Recording): RecordedMessage | undefined {
  for (const chunk of recording.chunks.toReversed()) {
    const last = recording.messagesOf(chunk).at(-1);
    if (last !== undefined) return last;
  }
  return undefined;
}
