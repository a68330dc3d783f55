/**
 * A session that another tool recorded, made into a recording: its messages are given to the game's own world, which judges as the shadow
 * world of a relay does. It then plays, replays and is judged again like any other.
 *
 * ```ts
 * const session = new SessionRecording({ protocols, sink, means, onProblem: report });
 * const reader = format.open({ ...options, sink: session });
 * for (const piece of pieces) {
 *   reader.push(piece);
 *   await session.settled();
 * }
 * reader.end();
 * await session.close();
 * ```
 */
import {
  type SessionHeader,
  type SessionProtocolOptions,
  type SessionRecord,
  type SessionSink,
  sessionProtocol,
} from "wirewalk/capture";
import { ShadowHost, shadowOptions } from "wirewalk/host";
import { type Joining, type PayloadCodec, type Protocol, requireMembers, type WorldMaps } from "wirewalk/protocol";
import { WireError } from "wirewalk/wire";
import type { FileMeans } from "../writing/file-means.ts";
import type { RecordingSink } from "../writing/file-queue.ts";
import { HostRecording } from "../writing/host-recording.ts";
import type { RecordHostOptions } from "../writing/recording-options.ts";

export interface SessionRecordingOptions
  extends SessionProtocolOptions,
    Pick<RecordHostOptions, "keyFrameMs" | "chunkMs" | "tracksMs"> {
  readonly sink: RecordingSink;
  readonly means: FileMeans;
  /** The maps by which sessions of a game are judged. Default: none. */
  readonly mapsOf?: (protocol: Protocol) => WorldMaps | undefined;
  /** A message that was refused, or a fault of the file. Reading goes on where it can. */
  readonly onProblem: (error: WireError, record: SessionRecord | undefined) => void;
}

/** What was made of a session. */
export interface SessionCounts {
  readonly messages: number;
  readonly undescribed: number;
  readonly refused: number;
  /** Verdicts above benign. */
  readonly verdicts: number;
  readonly durationMs: number;
}

/** The one session of the file. */
const PLAYER = 1;
const JOINING: Joining = { account: "client", name: "client" };
/** Longer pauses are no play: the world is not ticked through them. */
const MAX_TICKED_MS = 60_000;

interface Playing {
  readonly host: ShadowHost;
  readonly codec: PayloadCodec;
  readonly recording: HostRecording;
  readonly startMs: number;
  readonly protocol: string;
  readonly dialect: string;
}

export class SessionRecording implements SessionSink {
  readonly #options: SessionRecordingOptions;
  readonly #counts = { messages: 0, undescribed: 0, refused: 0, verdicts: 0, durationMs: 0 };
  #header: SessionHeader | undefined;
  #playing: Playing | undefined;
  /** Of the file's clock, from its first record on. */
  #nowMs = 0;
  #tickMs = 0;

  constructor(options: SessionRecordingOptions) {
    this.#options = options;
  }

  get counts(): SessionCounts {
    return this.#counts;
  }

  /** Throws `RangeError` for a game or a version that is not known. */
  header(header: SessionHeader): void {
    const { protocol, dialect } = sessionProtocol(header, this.#options);
    const before = this.#playing;
    this.#header ??= header;
    if (before === undefined) return;
    // A log of several sessions: the player leaves, and comes again with the next record.
    if (protocol.name !== before.protocol || dialect !== before.dialect) {
      throw new RangeError(`Cannot record: the file has sessions of ${before.protocol}/${before.dialect} and others`);
    }
    before.host.leave(PLAYER, this.#nowMs);
  }

  record(record: SessionRecord): void {
    const playing = this.#playing ?? this.#begin(record.timeMs);
    this.#advance(playing, record.timeMs - playing.startMs);
    const { host, codec } = playing;
    const { sender, payload } = record;
    this.#counts.durationMs = this.#nowMs;
    if (!host.players.has(PLAYER)) host.join(PLAYER, JOINING, this.#nowMs);
    if (codec.undescribed?.(sender, payload) !== undefined) {
      this.#counts.undescribed += 1;
      host.missed(PLAYER, sender, payload, this.#nowMs);
      return;
    }
    try {
      const message = codec.read(sender, payload);
      this.#counts.messages += 1;
      if (sender === "client") host.receive(PLAYER, message, payload, this.#nowMs);
      else host.observe(PLAYER, message, payload, this.#nowMs);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#counts.refused += 1;
      host.missed(PLAYER, sender, payload, this.#nowMs);
      this.#options.onProblem(error, record);
    }
  }

  fault(error: WireError): void {
    this.#options.onProblem(error, undefined);
  }

  /** Resolves when what was recorded is in its file. Await it between the pieces of a long file. */
  async settled(): Promise<void> {
    await this.#playing?.recording.settled();
  }

  /** Ends the recording. A file without records makes one of no length. */
  async close(): Promise<SessionCounts> {
    const playing = this.#playing ?? (this.#header === undefined ? undefined : this.#begin(this.#header.startMs ?? 0));
    if (playing !== undefined) {
      const { host, recording } = playing;
      // The player stays: its last position is what a playback ends with.
      host.tick(this.#nowMs);
      await recording.close();
      host.world.close?.();
    }
    return this.#counts;
  }

  #begin(firstMs: number): Playing {
    if (this.#header === undefined) throw new RangeError("Cannot record: the session has no header");
    const { sink, means, keyFrameMs, chunkMs, tracksMs } = this.#options;
    const { protocol, dialect } = sessionProtocol(this.#header, this.#options);
    const startMs = this.#header.startMs ?? firstMs;
    const world = { dialect, seed: 0, demo: false, maps: this.#options.mapsOf?.(protocol) };
    const host = new ShadowHost({
      protocol: requireMembers(protocol, ["createWorld"], "be played from a session"),
      ...world,
      onEffect: (effect) => {
        if (effect.effect === "verdict" && !["accept", "benign"].includes(effect.verdict.kind)) {
          this.#counts.verdicts += 1;
        }
      },
      onFailed: (error) => {
        throw error;
      },
    });
    const recording = new HostRecording(
      {
        host,
        protocol,
        world: shadowOptions(world),
        sink,
        nowMs: 0,
        epochNow: () => startMs + this.#nowMs,
        rotateMs: Number.POSITIVE_INFINITY,
        rotateBytes: Number.POSITIVE_INFINITY,
        memoryBytes: Number.POSITIVE_INFINITY,
        session: JSON.stringify(this.#header),
        ...(keyFrameMs === undefined ? {} : { keyFrameMs }),
        ...(chunkMs === undefined ? {} : { chunkMs }),
        ...(tracksMs === undefined ? {} : { tracksMs }),
      },
      means,
    );
    this.#playing = { host, codec: protocol.codec(dialect), recording, startMs, protocol: protocol.name, dialect };
    return this.#playing;
  }

  /** The world ticks by the file's clock, which never goes back. */
  #advance({ host }: Playing, toMs: number): void {
    const { tickMs } = host.world;
    if (toMs - this.#tickMs > MAX_TICKED_MS) this.#tickMs = toMs - (toMs % tickMs);
    while (this.#tickMs + tickMs <= toMs) {
      this.#tickMs += tickMs;
      this.#nowMs = Math.max(this.#nowMs, this.#tickMs);
      host.tick(this.#nowMs);
    }
    this.#nowMs = Math.max(this.#nowMs, toMs);
  }
}
