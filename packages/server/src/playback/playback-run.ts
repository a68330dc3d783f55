/**
 * A recording that is played to the pages of a feed. There is one playback: all pages see the same, and any of them controls it.
 *
 * Everything happens in turns of a few milliseconds, so that pages are answered while an hour is searched: playing on, a jump,
 * and reading the verdicts of the recording for the line of time.
 */
import { type GameTicks, gameTicks, type PlaybackOptions, type Recording } from "@wirewalk/recording";
import type { Cancel, Clock } from "wirewalk/net";
import type {
  FeedMessage,
  FeedMoment,
  FeedPlayback,
  MomentRequest,
  PlaybackRequest,
  ServedWorld,
} from "../feed/feed.ts";
import type { FeedPage } from "../feed/feed-page.ts";
import type { Observation } from "../feed/feed-world.ts";
import type { FeedControl, SpectatorFeed } from "../feed/spectator-feed.ts";
import { damageOf } from "./damage.ts";
import { momentOf } from "./moment.ts";
import { PlaybackWorld } from "./playback-world.ts";
import { VerdictMarks } from "./verdict-marks.ts";

export interface PlaybackRunOptions
  extends Pick<PlaybackOptions, "protocols" | "createWorld" | "maps" | "firstMs" | "lastMs"> {
  readonly recording: Recording;
  /** Its name, for the page. */
  readonly file: string;
  /** 0.1 to 16. Default 1. */
  readonly speed?: number;
  /** What could not be read of the file that the recording was made of, in a sentence. */
  readonly damage?: string | undefined;
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
/** At the message of a moment it stands so long: its picture is read. */
const HOLD_MS = 1_500;
/** As fast the seconds before it are played at first, so that the page opens at the message. */
const RUN_UP_SPEED = 8;

/** What the recording is played to: `SpectatorFeed`, whatever its pages are. */
type PlaybackFeed<Text> = SpectatorFeed<FeedPage<Text>, Text>;

export class PlaybackRun<Text> implements FeedControl {
  readonly world: PlaybackWorld;
  readonly #options: PlaybackRunOptions;
  readonly #feed: PlaybackFeed<Text>;
  readonly #clock: Clock;
  readonly #marks: VerdictMarks;
  readonly #ticks: GameTicks | undefined;
  #isPlaying = true;
  #speed: number;
  #jump = 0;
  /** Observed with each player's last message before the end of a jump, and not sent yet. */
  #arrived: readonly Observation[] = [];
  /** A jump that is on its way. */
  #wanted: { readonly atMs: number; hasBegun: boolean } | undefined;
  #turnedMs: number;
  #stateMs = Number.NEGATIVE_INFINITY;
  #marksMs = Number.NEGATIVE_INFINITY;
  #areMarksSent = false;
  /** It is played again and again. */
  #moment: FeedMoment | undefined;
  /** The moment was opened, and its message was not reached yet. */
  #isRunUp = false;
  /** It stands at the message of the moment until then. */
  #heldUntilMs: number | undefined;
  /** Why a moment could not be opened. */
  #momentProblem: string | undefined;
  #stopTurns: Cancel = () => {};

  /** Throws `RangeError` for a recording that cannot be played. `clock` is that of the spectators. */
  constructor(options: PlaybackRunOptions, feed: PlaybackFeed<Text>, clock: Clock) {
    const { recording, protocols, createWorld, maps, firstMs, lastMs, speed = 1 } = options;
    this.#options = options;
    this.#feed = feed;
    this.#clock = clock;
    this.#speed = speed;
    this.#turnedMs = clock.now();
    this.world = new PlaybackWorld(
      recording,
      {
        protocols,
        maps,
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
        arrived: (_, observations) => {
          this.#arrived = observations;
          if (this.#wanted === undefined) this.#sendArrived();
        },
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
    this.#marks = new VerdictMarks(recording, this.world.playback);
    this.#ticks = gameTicks(recording, this.world.playback.recorded, protocols);
    feed.playback = this;
  }

  /** The recording as the feed's first message describes it. */
  get served(): ServedWorld {
    const { playback, protocol, name } = this.world;
    const { dialect, demo, seed, settings, maps } = playback.recorded;
    const { startMs, epochMs, firstMs, lastMs } = playback;
    return {
      name,
      protocol: protocol.name,
      title: protocol.title,
      dialect,
      path: "",
      listen: null,
      demo: demo && maps === undefined ? { seed } : null,
      settings,
      playback: { file: this.#options.file, startMs, epochMs, firstMs, lastMs },
    };
  }

  get state(): FeedPlayback {
    const { playback } = this.world;
    const [first] = playback.report.differences;
    return {
      atMs: this.#wanted?.atMs ?? playback.atMs,
      isPlaying: this.#isPlaying,
      speed: this.#playedSpeed,
      isHeld: this.#heldUntilMs !== undefined,
      isSeeking: this.#wanted !== undefined,
      jump: this.#jump,
      isMissing: playback.world === undefined,
      gameMs: this.#ticks?.gameMs(playback.startMs + (this.#wanted?.atMs ?? playback.atMs)) ?? null,
      difference:
        first === undefined
          ? null
          : `${first.what} ${first.field}${first.player === undefined ? "" : ` of player ${first.player}`}: recorded ${first.recorded}, replayed ${first.replayed}`,
      damage: this.#options.damage ?? damageOf(this.#options.recording),
    };
  }

  get #playedSpeed(): number {
    return this.#isRunUp ? Math.max(RUN_UP_SPEED, this.#speed) : this.#speed;
  }

  get messages(): readonly FeedMessage[] {
    return [this.#stateMessage(), this.#marksMessage(), ...(this.#moment === undefined ? [] : [this.#momentMessage()])];
  }

  /** Plays from now on. */
  start(): void {
    this.#turnedMs = this.#clock.now();
    this.#stopTurns = this.#clock.every(TURN_EVERY_MS, () => this.#turn());
  }

  stop(): void {
    this.#stopTurns();
    this.world.playback.world?.close?.();
  }

  control(request: PlaybackRequest): void {
    switch (request.type) {
      case "play":
        if (this.world.playback.isAtEnd && this.#wanted === undefined) this.#seek(this.world.playback.firstMs);
        this.#isPlaying = true;
        break;
      case "pause":
        this.#isPlaying = false;
        break;
      case "step":
        this.#isPlaying = false;
        // A jump that is on its way leads elsewhere.
        if (this.#wanted === undefined) {
          this.#stopHolding();
          this.world.playback.step(request.to);
        }
        break;
      case "speed":
        this.#speed = request.speed;
        break;
      case "seek":
        this.#leaveMoment(request.atMs);
        this.#seek(request.atMs);
        break;
      case "moment":
        this.#openMoment(request);
        break;
      case "leave-moment":
        this.#leaveMoment();
        break;
      case "verdict": {
        const atMs = this.#marks.near(this.#wanted?.atMs ?? this.world.playback.atMs, request.which);
        this.#isPlaying = false;
        this.#leaveMoment(atMs);
        if (atMs !== undefined) this.#seek(atMs);
        break;
      }
    }
    this.#sendState();
  }

  #openMoment(request: MomentRequest): void {
    const { playback, protocol } = this.world;
    const { startMs, firstMs, lastMs } = playback;
    this.#moment = undefined;
    this.#momentProblem = undefined;
    try {
      this.#moment = momentOf({ ...this.#options, protocol, startMs, firstMs, lastMs }, request);
      this.#isPlaying = true;
      this.#seek(this.#moment.fromMs);
      this.#isRunUp = true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#momentProblem = error.message;
    }
    this.#feed.send(this.#momentMessage());
  }

  /** It goes on being played where the playback is sent to a place in it. */
  #leaveMoment(toMs?: number): void {
    const moment = this.#moment;
    if (moment === undefined || (toMs !== undefined && toMs >= moment.fromMs && toMs <= moment.toMs)) return;
    this.#moment = undefined;
    this.#stopHolding();
    this.#feed.send(this.#momentMessage());
  }

  #stopHolding(): void {
    this.#isRunUp = false;
    this.#heldUntilMs = undefined;
  }

  #momentMessage(): FeedMessage {
    return {
      type: "moment",
      world: this.world.name,
      moment: this.#moment ?? null,
      problem: this.#momentProblem ?? null,
    };
  }

  #seek(toMs: number): void {
    const { firstMs, lastMs } = this.world.playback;
    this.#stopHolding();
    // It begins in the next turn: of requests that arrive together only the last is carried out.
    this.#wanted = { atMs: Math.min(lastMs, Math.max(firstMs, toMs)), hasBegun: false };
  }

  #turn(): void {
    const nowMs = this.#clock.now();
    const passedMs = Math.min(LONGEST_TURN_MS, nowMs - this.#turnedMs);
    this.#turnedMs = nowMs;
    const workMs = this.#wanted === undefined ? WORK_MS : SEEK_WORK_MS;
    const isLate = (): boolean => this.#clock.now() - nowMs >= workMs;
    const { playback } = this.world;
    if (this.#wanted !== undefined) {
      if (!this.#wanted.hasBegun) this.world.seek(this.#wanted.atMs);
      this.#wanted.hasBegun = true;
      if (!this.world.continueSeek(isLate)) return;
      this.#wanted = undefined;
      this.#sendState();
      this.#sendArrived();
    } else if (this.#isPlaying) {
      const moment = this.#moment;
      if (this.#isHolding(nowMs)) {
        // Its picture is read.
      } else if (moment === undefined) playback.play(playback.atMs + passedMs * this.#speed, isLate);
      else this.#playMoment(moment, passedMs, nowMs, isLate);
      if (moment !== undefined && playback.atMs >= moment.toMs && this.#heldUntilMs === undefined) {
        this.#seek(moment.fromMs);
        this.#sendState();
      } else if (playback.isAtEnd) {
        this.#isPlaying = false;
        this.#sendState();
      }
    }
    if (nowMs - this.#stateMs >= STATE_EVERY_MS) this.#sendState();
    this.#readMarks(nowMs, isLate);
    while (this.#ticks?.isAll === false && !isLate()) this.#ticks.read();
  }

  #isHolding(nowMs: number): boolean {
    if (this.#heldUntilMs === undefined) return false;
    if (nowMs < this.#heldUntilMs) return true;
    this.#heldUntilMs = undefined;
    this.#sendState();
    return false;
  }

  /** Up to the message, and on from there after a while. */
  #playMoment({ atMs }: FeedMoment, passedMs: number, nowMs: number, isLate: () => boolean): void {
    const { playback } = this.world;
    const wasBefore = playback.atMs < atMs;
    const toMs = playback.atMs + passedMs * this.#playedSpeed;
    const isAll = playback.play(wasBefore ? Math.min(toMs, atMs) : toMs, isLate);
    if (!wasBefore || !isAll || playback.atMs < atMs) return;
    this.#isRunUp = false;
    this.#heldUntilMs = nowMs + HOLD_MS;
    this.#sendState();
  }

  #readMarks(nowMs: number, isLate: () => boolean): void {
    if (this.#areMarksSent) return;
    while (!this.#marks.isAll && !isLate()) this.#marks.read();
    if (!this.#marks.isAll && nowMs - this.#marksMs < STATE_EVERY_MS) return;
    this.#marksMs = nowMs;
    this.#areMarksSent = this.#marks.isAll;
    // All of the file has been read: all of its damage is known.
    if (this.#marks.isAll) this.#sendState();
    this.#feed.send(this.#marksMessage());
  }

  #sendArrived(): void {
    for (const observation of this.#arrived) this.#feed.observed(this.world, observation);
    this.#arrived = [];
  }

  #sendState(): void {
    this.#stateMs = this.#clock.now();
    this.#feed.send(this.#stateMessage());
  }

  #stateMessage(): FeedMessage {
    return { type: "playback", world: this.world.name, playback: this.state };
  }

  #marksMessage(): FeedMessage {
    const { marks, isAll } = this.#marks;
    return { type: "marks", world: this.world.name, marks, isAll };
  }
}
