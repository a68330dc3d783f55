/**
 * Records a host. Calls and effects are copied into a chunk; everything else, which is compression, checksums, the index and
 * the disk, happens in between, one chunk after the other. What waits for the disk has a limit: over it records are lost,
 * counted, and the recording goes on with a key frame as soon as there is room. The host never waits and never fails.
 */
import type { HostRecorder } from "wirewalk/host";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Effect, Joining, SavedChannel, SavedWorld, WorldMaps } from "wirewalk/protocol";
import { formatHex } from "wirewalk/wire";
import { encodeCbor } from "../cbor-writer.ts";
import { EffectHashes } from "../effect-hash.ts";
import {
  LIBRARY_VERSION,
  PROFILE_VERSION,
  RECORD_ENCODING,
  RECORD_HEADER_BYTES,
  type RecordedPlayer,
  type RecordedWorld,
  type RecordingSchema,
  RecordKind,
  schemas,
  type Topics,
  topicsOf,
} from "../profile.ts";
import { FileChannel } from "./chunk-builder.ts";
import { ChunkStream } from "./chunk-stream.ts";
import type { FileMeans } from "./file-means.ts";
import { FileQueue, type UndigestedFrame } from "./file-queue.ts";
import {
  limitsOf,
  type RecordHostOptions,
  type RecordingCounts,
  type RecordingLimits,
  type RecordingProblem,
} from "./recording-options.ts";
import { sceneOf } from "./scene-tracks.ts";

interface Session {
  /** Counts the sessions of a recording, from 1. */
  readonly number: number;
  readonly joining: Joining;
  room: string | undefined;
  /** In the current file. */
  channel: FileChannel | undefined;
}

export class HostRecording implements HostRecorder {
  readonly #counts = { records: 0, lostRecords: 0, keyFrames: 0 };
  readonly #options: RecordHostOptions;
  readonly #limits: RecordingLimits;
  readonly #topics: Topics;
  readonly #world: RecordedWorld;
  readonly #sessions = new Map<PlayerId, Session>();
  readonly #texts = new TextEncoder();
  #scratch = new Uint8Array(256);
  #view = new DataView(this.#scratch.buffer);
  readonly #hashes = new EffectHashes();
  /** Messages to single players since the last call, and who of them was corrected. */
  #sent: { readonly to: PlayerId; readonly message: string; readonly payload: Uint8Array }[] = [];
  #corrected: Verdict[] = [];
  #lastSession = 0;
  /** Places of the world's maps that are named already. */
  #namedPlaces = 0;
  #number = 0;
  #other = 0;
  #nowMs: number;
  #keyFrameMs: number;
  #tracksMs = Number.NEGATIVE_INFINITY;
  #fileMs: number;
  /** Since when nothing is recorded; the record that says so comes when it goes on. */
  #losingMs: number | undefined;
  /** From a problem until records are in a file again. */
  #hasProblem = false;
  #lostSince = 0;
  readonly #queue: FileQueue;
  readonly #chunks: ChunkStream;
  readonly #epochNow: () => number;
  #isClosed = false;

  /** Records from here on, until `close`. */
  constructor(options: RecordHostOptions, means: FileMeans) {
    const { host, protocol, world, nowMs } = options;
    this.#options = options;
    this.#limits = limitsOf(options);
    if (host.recorder !== undefined) throw new RangeError("Cannot record: the host is recorded already");
    this.#topics = topicsOf(protocol.name);
    const settings = protocol.capabilities?.settings?.values ?? {};
    this.#world = {
      protocol: protocol.name,
      dialect: world.dialect,
      seed: world.seed,
      enforcement: world.enforcement ?? "enforce",
      demo: world.demo ?? false,
      ...(world.shadow === true ? { shadow: true } : {}),
      tickMs: world.tickMs,
      ...(world.responses === undefined ? {} : { responses: world.responses }),
      ...(world.maps === undefined ? {} : { maps: setName(world.maps) }),
      ...(options.owner === undefined ? {} : { owner: options.owner }),
      ...(options.session === undefined ? {} : { session: options.session }),
      settings: Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default])),
    };
    this.#epochNow = options.epochNow ?? Date.now;
    this.#queue = new FileQueue({
      sink: options.sink,
      means,
      epochNow: this.#epochNow,
      metadata: metadataOf(this.#world),
      keyFrames: new FileChannel({
        // Used out of the order in which other channels get their ids.
        id: 0,
        schema: undefined,
        topic: this.#topics.keyFrames,
        encoding: "cbor",
        metadata: new Map(),
      }),
      onWritten: () => this.#written(),
      onFailed: (error, file, lostRecords) => this.#failed(error, file, lostRecords),
    });
    this.#chunks = new ChunkStream(this.#queue, this.#limits);
    this.#nowMs = nowMs;
    this.#keyFrameMs = nowMs;
    this.#fileMs = nowMs;
    for (const [player, joining] of host.players) this.#open(player, joining, host.roomOf?.(player));
    this.#guard(() => {
      this.#beginFile();
      this.#keyFrame();
    });
    host.recorder = this;
  }

  get counts(): Readonly<RecordingCounts> {
    return { ...this.#counts, ...this.#queue.counts };
  }

  /** Bytes that wait for the disk. */
  get pendingBytes(): number {
    return this.#queue.bytes + this.#chunks.bytes;
  }

  /** True while nothing is recorded, because the disk failed or is too slow: until records are in a file again. */
  get isLosing(): boolean {
    return this.#hasProblem;
  }

  /** Name of the file that is written now. */
  get file(): string | undefined {
    return this.#queue.file?.name;
  }

  join(player: PlayerId, joining: Joining, nowMs: number): void {
    this.#guard(() => {
      this.#called(nowMs);
      this.#open(player, joining);
      this.#record(RecordKind.join, player, encodeCbor(joining));
    });
  }

  leave(player: PlayerId, nowMs: number): void {
    this.#guard(() => {
      this.#called(nowMs);
      this.#record(RecordKind.leave, player);
      this.#sessions.delete(player);
    });
  }

  receive(player: PlayerId, payload: Uint8Array, nowMs: number): void {
    // Not by `#guard`: a closure for each message.
    try {
      this.#called(nowMs);
      this.#record(RecordKind.message, player, payload);
    } catch (error) {
      this.#lose("recorder-failed", asError(error));
    }
  }

  refresh(player: PlayerId, nowMs: number): void {
    this.#guard(() => {
      this.#called(nowMs);
      this.#record(RecordKind.refresh, player);
    });
  }

  follow(player: PlayerId, nowMs: number): void {
    this.#guard(() => {
      this.#called(nowMs);
      this.#record(RecordKind.follow, player);
    });
  }

  unfollow(player: PlayerId): void {
    this.#guard(() => {
      this.#called(this.#nowMs);
      this.#record(RecordKind.unfollow, player);
    });
  }

  /** Bytes of a player's client, before its channel takes them. For evidence: replay goes by messages. */
  carried(player: PlayerId, bytes: Uint8Array, nowMs: number): void {
    this.#guard(() => {
      this.#nowMs = nowMs;
      this.#record(RecordKind.carried, player, bytes);
    });
  }

  /** The state of a player's channel before its first carried bytes. Give those at key frames by the option `channels`. */
  channel(player: PlayerId, saved: SavedChannel, nowMs: number): void {
    this.#guard(() => {
      this.#nowMs = nowMs;
      this.#record(RecordKind.channel, player, encodeCbor(saved));
    });
  }

  /** A message of another server to the player's client, which the world of a relay takes over. */
  observed(player: PlayerId, payload: Uint8Array, nowMs: number): void {
    this.#guard(() => {
      this.#called(nowMs);
      this.#record(RecordKind.observed, player, payload);
    });
  }

  tick(nowMs: number): void {
    this.#guard(() => {
      this.#called(nowMs);
      this.#effects();
      if (this.#losingMs !== undefined) this.#recover();
      else if (nowMs - this.#keyFrameMs >= this.#limits.keyFrameMs) this.#keyFrame();
      const { tracksMs } = this.#limits;
      const isDue = tracksMs > 0 && nowMs - this.#tracksMs >= tracksMs;
      if (isDue && this.#losingMs === undefined) this.#tracks();
      this.#record(RecordKind.tick, 0);
    });
  }

  effect(effect: Effect, payload: Uint8Array | undefined): void {
    try {
      this.#effect(effect, payload);
    } catch (error) {
      this.#lose("recorder-failed", asError(error));
    }
  }

  /** Resolves when every chunk that has ended is in its file, or lost. */
  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  /** Ends the chunk, so that all that was recorded is in its file, or lost, when it resolves. */
  async flush(): Promise<void> {
    this.#guard(() => this.#chunks.endChunk());
    await this.#queue.settled();
  }

  /** Ends the recording: resolves when the file is closed. The host goes on without it. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      if (this.#options.host.recorder === this) this.#options.host.recorder = undefined;
      this.#guard(() => {
        this.#called(this.#nowMs);
        this.#effects();
        if (this.#losingMs === undefined) this.#keyFrame();
      });
      this.#queue.endFile();
    }
    await this.#queue.settled();
  }

  // --- Records ---------------------------------------------------------------------------------------------------------

  #open(player: PlayerId, joining: Joining, room?: string): void {
    this.#lastSession += 1;
    this.#sessions.set(player, { number: this.#lastSession, joining, room, channel: undefined });
  }

  #effect(effect: Effect, payload: Uint8Array | undefined): void {
    if (effect.effect === "enter" || effect.effect === "exit") {
      const session = this.#sessions.get(effect.player);
      if (session !== undefined) session.room = effect.effect === "enter" ? effect.room : undefined;
    }
    if (this.#losingMs !== undefined) return;
    this.#hashes.add(effect, payload);
    if (effect.effect === "send" && payload !== undefined) {
      this.#sent.push({ to: effect.to, message: effect.message.message, payload });
    } else if (effect.effect === "verdict" && effect.verdict.kind !== "accept") {
      this.#verdict(effect.verdict);
    }
  }

  /** The host makes another call: what the one before did is complete. */
  #called(nowMs: number): void {
    this.#nowMs = nowMs;
    const used = this.#options.host.world.usedMaps?.();
    if (used !== undefined && used.size > this.#namedPlaces) this.#places(used);
    if (this.#sent.length === 0 && this.#corrected.length === 0) return;
    for (const { player, atMs } of this.#corrected) {
      for (const { to, message, payload } of this.#sent) {
        if (to !== player) continue;
        this.#json(this.#topics.corrections, schemas.correction, {
          player,
          atMs,
          message,
          payload: formatHex(payload),
        });
      }
    }
    this.#corrected = [];
    this.#sent = [];
  }

  /** Names the places that the world has used since the last call. */
  #places(used: ReadonlyMap<string, string>): void {
    const places = [...used].slice(this.#namedPlaces);
    this.#namedPlaces = used.size;
    for (const [place, digest] of places) this.#record(RecordKind.place, 0, encodeCbor({ place, digest }));
  }

  #record(kind: RecordKind, player: PlayerId, body?: Uint8Array): void {
    this.#number += 1;
    if (this.#losingMs !== undefined) {
      this.#counts.lostRecords += 1;
      return;
    }
    const length = RECORD_HEADER_BYTES + (body?.length ?? 0);
    if (length > this.#scratch.length) {
      this.#scratch = new Uint8Array(2 * length);
      this.#view = new DataView(this.#scratch.buffer);
    }
    this.#scratch[0] = kind;
    this.#view.setUint16(1, player, true);
    this.#view.setFloat64(3, this.#nowMs, true);
    if (body !== undefined) this.#scratch.set(body, RECORD_HEADER_BYTES);
    const channel =
      player === 0 ? this.#chunks.channel(this.#topics.world, schemas.record, RECORD_ENCODING) : this.#input(player);
    this.#counts.records += 1;
    this.#add(channel, this.#number - 1, this.#scratch.subarray(0, length));
  }

  #input(player: PlayerId): FileChannel {
    const session = this.#sessions.get(player);
    if (session === undefined) return this.#chunks.channel(this.#topics.world, schemas.record, RECORD_ENCODING);
    session.channel ??= this.#chunks.newChannel(
      this.#topics.session(session.number),
      schemas.record,
      RECORD_ENCODING,
      new Map([
        ["player", String(player)],
        ["name", session.joining.name],
        ["account", session.joining.account],
      ]),
    );
    return session.channel;
  }

  #effects(): void {
    if (this.#hashes.length === 0) return;
    const hashes = this.#hashes.read();
    const body = new DataView(new ArrayBuffer(4 * hashes.length));
    for (let index = 0; index < hashes.length; index += 1) body.setUint32(4 * index, hashes[index] as number, true);
    this.#hashes.clear();
    this.#record(RecordKind.effects, 0, new Uint8Array(body.buffer));
  }

  #verdict(verdict: Verdict): void {
    if (verdict.kind === "correct") this.#corrected.push(verdict);
    this.#json(this.#topics.verdicts, schemas.verdict, { ...verdict, message: formatHex(verdict.message) });
  }

  #tracks(): void {
    this.#tracksMs = this.#nowMs;
    const tracks = this.#options.host.tracks(this.#nowMs);
    if (tracks.length === 0) return;
    const scene = sceneOf(tracks, this.#chunks.epochUs(this.#nowMs), 2 * this.#limits.tracksMs);
    this.#other += 1;
    this.#add(this.#chunks.channel(this.#topics.tracks, schemas.scene, "json"), this.#other, this.#texts.encode(scene));
  }

  #json(topic: string, schema: RecordingSchema, data: object): void {
    if (this.#losingMs !== undefined) return;
    this.#other += 1;
    this.#add(this.#chunks.channel(topic, schema, "json"), this.#other, this.#texts.encode(JSON.stringify(data)));
  }

  /** Bytes are copied. */
  #add(channel: FileChannel, sequence: number, data: Uint8Array): void {
    this.#chunks.add(channel, sequence, this.#nowMs, data);
    const { memoryBytes } = this.#limits;
    if (this.pendingBytes > memoryBytes && this.#losingMs === undefined) {
      const error = new Error(`${this.pendingBytes} bytes wait for the disk, at most ${memoryBytes}`);
      this.#lose("too-slow", error);
    }
  }

  // --- Key frames ----------------------------------------------------------------------------------------------------------

  #beginFile(): void {
    for (const session of this.#sessions.values()) session.channel = undefined;
    this.#fileMs = this.#nowMs;
    this.#chunks.beginFile(this.#epochNow() - this.#nowMs);
  }

  #keyFrame(): void {
    // A slow disk: key frames would fill the memory that inputs need.
    if (this.pendingBytes + this.#queue.keyFrameBytes > this.#limits.memoryBytes / 2 && !this.#isClosed) return;
    this.#keyFrameMs = this.#nowMs;
    this.#chunks.endChunk();
    const { host, channels } = this.#options;
    const { rotateMs, rotateBytes } = this.#limits;
    const isFull = this.#queue.lastFileBytes >= rotateBytes || this.#chunks.hasMostChannels;
    if ((isFull || this.#nowMs - this.#fileMs >= rotateMs) && !this.#isClosed) {
      this.#queue.endFile();
      this.#beginFile();
    }
    const saved: SavedWorld = host.world.save();
    const players: RecordedPlayer[] = Array.from(this.#sessions, ([player, { number, joining, room }]) => {
      return { player, topic: this.#topics.session(number), joining: { ...joining }, room };
    });
    const used = this.#world.maps === undefined ? undefined : new Map(host.world.usedMaps?.());
    this.#namedPlaces = used?.size ?? 0;
    const frame: UndigestedFrame = {
      profile: PROFILE_VERSION,
      library: LIBRARY_VERSION,
      world: this.#world,
      saved,
      nowMs: this.#nowMs,
      epochMs: this.#chunks.epochUs(this.#nowMs) / 1000,
      players,
      ...(used === undefined ? {} : { maps: used }),
      channels: channels?.() ?? new Map(),
    };
    this.#number += 1;
    this.#counts.keyFrames += 1;
    this.#queue.addKeyFrame(frame, this.#number - 1);
  }

  // --- Loss ----------------------------------------------------------------------------------------------------------------

  #lose(problem: RecordingProblem["problem"], error: Error, file = this.#queue.file?.name): void {
    if (this.#losingMs === undefined) this.#hashes.clear();
    this.#losingMs = this.#nowMs;
    // A file that was tried in between and failed as well belongs to the same problem.
    if (this.#hasProblem) return;
    this.#hasProblem = true;
    this.#lostSince = this.#counts.lostRecords;
    this.#say(() => this.#options.onProblem?.({ problem, file, error }));
  }

  #failed(error: Error, file: string | undefined, lostRecords: number): void {
    const shown = file === undefined ? error : new Error(`${file}: ${error.message}`, { cause: error });
    this.#lose("disk-failed", shown, file);
    this.#counts.lostRecords += lostRecords + this.#chunks.drop();
  }

  /** Something is in a file. */
  #written(): void {
    if (!this.#hasProblem || this.#losingMs !== undefined) return;
    this.#hasProblem = false;
    const lostRecords = this.#counts.lostRecords - this.#lostSince;
    this.#say(() => this.#options.onResumed?.({ file: this.#queue.file?.name, lostRecords }));
  }

  /** A handler that fails must not end the play. */
  #say(handler: () => void): void {
    try {
      handler();
    } catch {
      // It is the caller's.
    }
  }

  /** Goes on with a key frame when there is room again, and after a failure with another file. */
  #recover(): void {
    const { retryMs, memoryBytes } = this.#limits;
    const hasFailed = this.#queue.file === undefined;
    if (hasFailed && this.#nowMs - (this.#losingMs ?? 0) < retryMs) return;
    if (this.pendingBytes + this.#queue.keyFrameBytes > memoryBytes / 2) return;
    this.#losingMs = undefined;
    if (hasFailed) this.#beginFile();
    const body = new DataView(new ArrayBuffer(4));
    body.setUint32(0, this.#counts.lostRecords - this.#lostSince, true);
    this.#keyFrame();
    this.#record(RecordKind.lost, 0, new Uint8Array(body.buffer));
  }

  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#lose("recorder-failed", asError(error));
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** What stands in a recording for a path: its last name, since folders above it are nobody else's business. */
function setName({ name }: WorldMaps): string {
  return name.replace(/[\\/]+$/, "").replace(/^.*[\\/]/s, "") || name;
}

/** What a recording's world was made with, for people. */
function metadataOf({ settings, tickMs, responses = {}, owner, ...world }: RecordedWorld): ReadonlyMap<string, string> {
  return new Map([
    ["profile", String(PROFILE_VERSION)],
    ["library", LIBRARY_VERSION],
    ...Object.entries(world).map(([name, value]): [string, string] => [name, String(value)]),
    ...(tickMs === undefined ? [] : [["tickMs", String(tickMs)] as [string, string]]),
    ...Object.entries(owner ?? {}).map(([name, value]): [string, string] => [`owner.${name}`, String(value)]),
    ...Object.entries(settings).map(([name, value]): [string, string] => [`setting.${name}`, String(value)]),
    ...Object.entries(responses).map(([rule, response]): [string, string] => [`response.${rule}`, response]),
  ]);
}
