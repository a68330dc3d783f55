/** A recording that is played, as the page's feed sees a world. */
import { Playback, type PlaybackOptions, type Recording } from "@wirewalk/recording";
import type { PlayerId, Track, Verdict } from "wirewalk/motion";
import type { Effect, PlayerBudget, Protocol, Side } from "wirewalk/protocol";
import type { FeedCounts, FeedWorld, Observation } from "../feed/feed-world.ts";
import { RoomIndex } from "../feed/room-index.ts";

/** What happens while a recording is played. */
export interface PlaybackEvents {
  verdict(world: FeedWorld, verdict: Verdict): void;
  /** A verdict of the seconds before the position of a jump. */
  earlierVerdict(world: FeedWorld, verdict: Verdict): void;
  observed(world: FeedWorld, observation: Observation): void;
  /** After a jump: what was observed with each player's last message. A page takes it once it knows that the world has jumped. */
  arrived(world: FeedWorld, observations: readonly Observation[]): void;
  moved(world: FeedWorld, player: PlayerId, from: string | undefined, to: string | undefined): void;
  /** Nobody sees messages while `isUnseen`. */
  readonly isUnseen: boolean;
  relayed(world: FeedWorld, player: PlayerId, sender: Side, payload: Uint8Array): void;
  /** The world is at another time: everything in it is another. */
  jumped(world: FeedWorld): void;
}

/** Observations of a player that are kept while a jump is on its way: what nobody sends a message for is observed all the time. */
const KEPT_OBSERVATIONS = 8;

export class PlaybackWorld implements FeedWorld {
  readonly name: string;
  readonly protocol: Protocol;
  readonly playback: Playback;
  readonly #events: PlaybackEvents;
  #index = new RoomIndex();
  /** Of a jump that is on its way. */
  #nextIndex = new RoomIndex();
  #nextVerdicts: Verdict[] = [];
  /** Of each player's last message: what a page sees that stands at it. */
  #nextObservations = new Map<PlayerId, readonly Observation[]>();
  #isJumping = true;
  /** False in the constructor, where no page is there yet. */
  #isShown = false;
  /** What was played, jumps left out. */
  readonly #counts = { bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0, verdicts: 0 };

  /** Throws `RangeError` like `Playback`. */
  constructor(recording: Recording, options: Omit<PlaybackOptions, `on${string}`>, events: PlaybackEvents) {
    this.#events = events;
    this.playback = new Playback(recording, {
      ...options,
      onBegin: (world, { nowMs, players }) => {
        const index = new RoomIndex();
        for (const { player, room } of players) if (room !== undefined) index.move(player, room);
        // A recording that began after they joined has no rooms of players, and none has those in which they are only shown.
        const joined = new Set(players.map(({ player }) => player));
        for (const { player, room } of world.tracks(nowMs)) {
          // Beside another server there are tracks of players who never joined.
          if (!joined.has(player)) continue;
          if (index.of(player) === undefined) index.move(player, room);
          else if (index.of(player) !== room) index.show(player, room, true);
        }
        this.#nextIndex = index;
        this.#nextVerdicts = [];
        this.#nextObservations = new Map();
        if (!this.#isJumping) this.#jump();
      },
      onInput: (player, payload) => {
        if (this.#isJumping) {
          this.#nextObservations.delete(player);
          return;
        }
        this.#counts.messagesIn += 1;
        this.#counts.bytesIn += payload.length;
        this.#wire("client", player, payload);
      },
      onObserved: (player, payload) => this.#sent(player, payload),
      onEffect: (effect, payload) => this.#effect(effect, payload),
      onJump: () => this.#jump(),
    });
    this.name = this.playback.recorded.protocol;
    this.protocol = options.protocols[this.name] as Protocol;
    this.#isShown = true;
  }

  get feedCounts(): FeedCounts {
    return { sessions: this.playback.players.size, ...this.#counts };
  }

  seek(toMs: number): void {
    this.#isJumping = true;
    this.playback.seek(toMs);
  }

  /** True when the jump is done, or there is none. */
  continueSeek(isLate: () => boolean): boolean {
    return this.playback.continueSeek(isLate);
  }

  nameOf(player: PlayerId): string | undefined {
    return this.playback.players.get(player)?.name;
  }

  roomOf(player: PlayerId): string | undefined {
    return this.#index.of(player);
  }

  playersIn(room: string): readonly PlayerId[] {
    return this.#index.playersIn(room);
  }

  isIn(player: PlayerId, room: string): boolean {
    return this.#index.isIn(player, room);
  }

  rooms(): ReadonlyMap<string, number> {
    return this.playback.world?.rooms() ?? new Map();
  }

  tracks(nowMs: number, room: string): readonly Track[] {
    return this.playback.world?.tracks(nowMs, room) ?? [];
  }

  tracksVersion(room: string): number | undefined {
    return this.playback.world?.tracksVersion?.(room);
  }

  budgets(player: PlayerId): readonly PlayerBudget[] | undefined {
    return this.playback.world?.budgets?.(player, this.playback.nowMs);
  }

  follow(player: PlayerId): void {
    if (!this.#isJumping) this.playback.follow(player);
  }

  unfollow(player: PlayerId): void {
    if (!this.#isJumping) this.playback.unfollow(player);
  }

  #jump(): void {
    this.#index = this.#nextIndex;
    this.#nextIndex = new RoomIndex();
    this.#isJumping = false;
    if (this.#isShown) this.#events.jumped(this);
    const [verdicts, observations] = [this.#nextVerdicts, this.#nextObservations];
    this.#nextVerdicts = [];
    this.#nextObservations = new Map();
    if (!this.#isShown) return;
    for (const verdict of verdicts) this.#events.earlierVerdict(this, verdict);
    this.#events.arrived(this, [...observations.values()].flat());
  }

  #wire(sender: Side, player: PlayerId, payload: Uint8Array): void {
    if (!this.#events.isUnseen) this.#events.relayed(this, player, sender, payload);
  }

  /** A message to a client, of this world or of the other server that it stands beside. */
  #sent(to: PlayerId, payload: Uint8Array): void {
    if (this.#isJumping) return;
    this.#counts.messagesOut += 1;
    this.#counts.bytesOut += payload.length;
    this.#wire("server", to, payload);
  }

  #effect(effect: Effect, payload: Uint8Array | undefined): void {
    const index = this.#isJumping ? this.#nextIndex : this.#index;
    switch (effect.effect) {
      case "send":
      case "broadcast": {
        if (payload !== undefined) this.#sent(effect.effect === "send" ? effect.to : 0, payload);
        return;
      }
      case "enter":
      case "exit": {
        const to = effect.effect === "enter" ? effect.room : undefined;
        const from = index.move(effect.player, to);
        if (!this.#isJumping && from !== to) this.#events.moved(this, effect.player, from, to);
        return;
      }
      case "show":
      case "hide": {
        const { player, room } = effect;
        const isShown = effect.effect === "show";
        index.show(player, room, isShown);
        if (this.#isJumping) return;
        this.#events.moved(this, player, isShown ? undefined : room, isShown ? room : undefined);
        return;
      }
      case "verdict":
        if (this.#isJumping) this.#nextVerdicts.push(effect.verdict);
        else {
          if (effect.verdict.kind !== "accept") this.#counts.verdicts += 1;
          this.#events.verdict(this, effect.verdict);
        }
        return;
      case "observe":
        if (!this.#isJumping) this.#events.observed(this, effect);
        else {
          const before = this.#nextObservations.get(effect.player) ?? [];
          this.#nextObservations.set(effect.player, [...before.slice(1 - KEPT_OBSERVATIONS), effect]);
        }
        return;
      default:
      // Bans and closes were for the server of then.
    }
  }
}
