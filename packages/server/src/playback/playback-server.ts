/**
 * Plays a recording to the page, on this machine alone. There is one playback: all pages see the same, and any of them
 * controls it.
 *
 * Everything happens in turns of a few milliseconds, so that pages are answered while an hour is searched: playing on, a jump,
 * and reading the verdicts of the recording for the line of time.
 */
import type { PlaybackOptions, Recording } from "@wirewalk/recording";
import { type Cancel, type Clock, systemClock } from "wirewalk/net";
import type { FeedMessage, FeedPlayback, PlaybackRequest } from "../feed/feed.ts";
import type { FeedControl } from "../feed/studio-feed.ts";
import { WorldPage, type WorldPageOptions } from "../feed/world-page.ts";
import { nodeRuntime, type Runtime } from "../runtime/runtime.ts";
import { PlaybackWorld } from "./playback-world.ts";
import { VerdictMarks } from "./verdict-marks.ts";

export interface PlaybackServerOptions
  extends Pick<PlaybackOptions, "protocols" | "createWorld" | "firstMs" | "lastMs"> {
  readonly recording: Recording;
  /** Its name, for the page. */
  readonly file: string;
  /** Port on 127.0.0.1; 0 for any. */
  readonly http: number;
  /** The built page; undefined: the feed alone. */
  readonly studioFolder: string | undefined;
  /** See `ServerOptions`. */
  readonly docsFolder?: string | undefined;
  /** 0.1 to 16. Default 1. */
  readonly speed?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: Node's own. */
  readonly runtime?: Runtime;
}

export interface RunningPlayback {
  readonly address: { readonly host: string; readonly port: number };
  readonly state: FeedPlayback;
  control(request: PlaybackRequest): void;
  close(): Promise<void>;
}

/** Often enough for tracks every 50 ms. */
const TURN_EVERY_MS = 10;
/** Work of a turn: a page's request waits for it. */
const WORK_MS = 8;
/** Of a jump, for which somebody waits. */
const SEEK_WORK_MS = 40;
/** After a longer one, such as a machine that slept, the playback goes on where it was. */
const LONGEST_TURN_MS = 250;
const STATE_EVERY_MS = 1_000;
/** A page that is scrubbed sends a request for each place of the pointer. */
const REQUESTS_PER_SECOND = 60;

/** Throws `RangeError` for a recording that cannot be played, and `Error` when the port cannot be listened on. */
export async function startPlayback(options: PlaybackServerOptions): Promise<RunningPlayback> {
  const playback = new PlaybackServer(options);
  try {
    await playback.listen();
  } catch (error) {
    await playback.close();
    throw error;
  }
  return playback;
}

class PlaybackServer implements RunningPlayback, FeedControl {
  readonly #options: PlaybackServerOptions;
  readonly #clock: Clock;
  readonly #page: WorldPage;
  readonly #world: PlaybackWorld;
  readonly #marks: VerdictMarks;
  #isPlaying = true;
  #speed: number;
  #jump = 0;
  /** A jump that is on its way. */
  #wanted: { readonly atMs: number; hasBegun: boolean } | undefined;
  #turnedMs: number;
  #stateMs = Number.NEGATIVE_INFINITY;
  #marksMs = Number.NEGATIVE_INFINITY;
  #areMarksSent = false;
  #stopTurns: Cancel = () => {};

  constructor(options: PlaybackServerOptions) {
    const { recording, protocols, createWorld, firstMs, lastMs, http, studioFolder, docsFolder } = options;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#speed = options.speed ?? 1;
    this.#turnedMs = this.#clock.now();
    const page: WorldPageOptions = { http, studioFolder, docsFolder, requestsPerSecond: REQUESTS_PER_SECOND };
    this.#page = new WorldPage(page, {
      clock: this.#clock,
      runtime: options.runtime ?? nodeRuntime,
      worldNow: () => this.#world.playback.nowMs,
    });
    const { feed } = this.#page;
    try {
      this.#world = new PlaybackWorld(
        recording,
        {
          protocols,
          ...(createWorld === undefined ? {} : { createWorld }),
          ...(firstMs === undefined ? {} : { firstMs }),
          ...(lastMs === undefined ? {} : { lastMs }),
        },
        {
          get isUnseen() {
            return feed.isUnseen;
          },
          verdict: (world, verdict) => feed.verdict(world, verdict),
          earlierVerdict: (world, verdict) => feed.earlierVerdict(world, verdict),
          observed: (world, observation) => feed.observed(world, observation),
          moved: (world, player, from, to) => feed.moved(world, player, from, to),
          relayed: (world, player, sender, payload) => feed.relayed(world, player, sender, payload),
          jumped: (world) => {
            this.#jump += 1;
            feed.jumped(world);
            // A jump that was asked for is done later in this turn.
            if (this.#wanted === undefined) this.#sendState();
          },
        },
      );
      this.#marks = new VerdictMarks(recording, this.#world.playback);
    } catch (error) {
      // A recording of another version cannot be played: what the page has begun would keep the process alive.
      void this.#page.close();
      throw error;
    }
    feed.playback = this;
  }

  get address(): { readonly host: string; readonly port: number } {
    return this.#page.address ?? { host: "127.0.0.1", port: this.#options.http };
  }

  get state(): FeedPlayback {
    const { playback } = this.#world;
    const [first] = playback.report.differences;
    return {
      atMs: this.#wanted?.atMs ?? playback.atMs,
      isPlaying: this.#isPlaying,
      speed: this.#speed,
      isSeeking: this.#wanted !== undefined,
      jump: this.#jump,
      isMissing: playback.world === undefined,
      difference:
        first === undefined
          ? null
          : `${first.what} ${first.field}${first.player === undefined ? "" : ` of player ${first.player}`}: recorded ${first.recorded}, replayed ${first.replayed}`,
    };
  }

  get messages(): readonly FeedMessage[] {
    return [this.#stateMessage(), this.#marksMessage()];
  }

  async listen(): Promise<void> {
    const { playback, protocol } = this.#world;
    const { dialect, demo, seed, settings } = playback.recorded;
    const { startMs, epochMs, firstMs, lastMs } = playback;
    await this.#page.listen(this.#world, {
      name: this.#world.name,
      protocol: protocol.name,
      title: protocol.title,
      dialect,
      path: "",
      listen: null,
      demo: demo ? { seed } : null,
      settings,
      playback: { file: this.#options.file, startMs, epochMs, firstMs, lastMs },
    });
    this.#turnedMs = this.#clock.now();
    this.#stopTurns = this.#clock.every(TURN_EVERY_MS, () => this.#turn());
  }

  async close(): Promise<void> {
    this.#stopTurns();
    await this.#page.close();
    this.#world.playback.world?.close?.();
  }

  control(request: PlaybackRequest): void {
    switch (request.type) {
      case "play":
        if (this.#world.playback.isAtEnd && this.#wanted === undefined) this.#seek(this.#world.playback.firstMs);
        this.#isPlaying = true;
        break;
      case "pause":
        this.#isPlaying = false;
        break;
      case "step":
        this.#isPlaying = false;
        // A jump that is on its way leads elsewhere.
        if (this.#wanted === undefined) this.#world.playback.step(request.to);
        break;
      case "speed":
        this.#speed = request.speed;
        break;
      case "seek":
        this.#seek(request.atMs);
        break;
      case "verdict": {
        const atMs = this.#marks.near(this.#wanted?.atMs ?? this.#world.playback.atMs, request.which);
        this.#isPlaying = false;
        if (atMs !== undefined) this.#seek(atMs);
        break;
      }
    }
    this.#sendState();
  }

  #seek(toMs: number): void {
    const { firstMs, lastMs } = this.#world.playback;
    // It begins in the next turn: of requests that arrive together only the last is carried out.
    this.#wanted = { atMs: Math.min(lastMs, Math.max(firstMs, toMs)), hasBegun: false };
  }

  #turn(): void {
    const nowMs = this.#clock.now();
    const passedMs = Math.min(LONGEST_TURN_MS, nowMs - this.#turnedMs);
    this.#turnedMs = nowMs;
    const workMs = this.#wanted === undefined ? WORK_MS : SEEK_WORK_MS;
    const isLate = (): boolean => this.#clock.now() - nowMs >= workMs;
    const { playback } = this.#world;
    if (this.#wanted !== undefined) {
      if (!this.#wanted.hasBegun) this.#world.seek(this.#wanted.atMs);
      this.#wanted.hasBegun = true;
      if (!this.#world.continueSeek(isLate)) return;
      this.#wanted = undefined;
      this.#sendState();
    } else if (this.#isPlaying) {
      playback.play(playback.atMs + passedMs * this.#speed, isLate);
      if (playback.isAtEnd) {
        this.#isPlaying = false;
        this.#sendState();
      }
    }
    if (nowMs - this.#stateMs >= STATE_EVERY_MS) this.#sendState();
    this.#readMarks(nowMs, isLate);
  }

  #readMarks(nowMs: number, isLate: () => boolean): void {
    if (this.#areMarksSent) return;
    while (!this.#marks.isAll && !isLate()) this.#marks.read();
    if (!this.#marks.isAll && nowMs - this.#marksMs < STATE_EVERY_MS) return;
    this.#marksMs = nowMs;
    this.#areMarksSent = this.#marks.isAll;
    this.#page.feed.send(this.#marksMessage());
  }

  #sendState(): void {
    this.#stateMs = this.#clock.now();
    this.#page.feed.send(this.#stateMessage());
  }

  #stateMessage(): FeedMessage {
    return { type: "playback", world: this.#world.name, playback: this.state };
  }

  #marksMessage(): FeedMessage {
    const { marks, isAll } = this.#marks;
    return { type: "marks", world: this.#world.name, marks, isAll };
  }
}
