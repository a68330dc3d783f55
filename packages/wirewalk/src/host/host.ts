/**
 * A **host** runs one world: sessions' messages in, effects out. The server, the simulator, replay and the tests all
 * host worlds through this class, so that what one of them saw, the others can repeat.
 *
 * A session and the world talk in messages, never through shared objects: all that a host knows of a session is where
 * to deliver bytes.
 */
import type { PlayerId, Track, Verdict } from "../motion/index.ts";
import type { PayloadCodec, WireMessage } from "../protocols/codec.ts";
import type { Effect, Joining, Refusal, World } from "../protocols/world.ts";
import { Delivery, type DeliveryCounts, type Recipient } from "./delivery.ts";

/** Player ids are u16 on the wires of today's protocols, and 0 is nobody. */
const MAX_PLAYER_ID = 65_535;

/** What a host tells of its world. Called while the host works: note it down, do not call back into the host. */
export interface HostEvents {
  verdict?(verdict: Verdict): void;
  observe?(observation: Extract<Effect, { effect: "observe" }>): void;
  ban?(ban: Extract<Effect, { effect: "ban" }>): void;
  /** The world wants this session ended. */
  close?(player: PlayerId, reason: string): void;
  /** A player went into a room, out of one (`room` undefined), or from one to another. */
  moved?(player: PlayerId, room: string | undefined): void;
  /** A player is among those of a room that it does not hear, or is no more. */
  shown?(player: PlayerId, room: string, isShown: boolean): void;
}

export interface HostOptions<C extends WireMessage, S extends WireMessage> {
  readonly world: World<C, S>;
  readonly codec: PayloadCodec<C, S>;
  readonly events?: HostEvents;
}

/** One world with the sessions that play in it. */
export class Host<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  readonly world: World<C, S>;
  readonly #codec: PayloadCodec<C, S>;
  readonly #events: HostEvents;
  readonly #delivery = new Delivery();
  readonly #players = new Map<PlayerId, Joining>();
  #lastId = 0;

  constructor(options: HostOptions<C, S>) {
    this.world = options.world;
    this.#codec = options.codec;
    this.#events = options.events ?? {};
  }

  /** Players by id, in the order in which they came. */
  get players(): ReadonlyMap<PlayerId, Joining> {
    return this.#players;
  }

  get counts(): Readonly<DeliveryCounts> {
    return this.#delivery.counts;
  }

  /** True when `flush` would write something. */
  get pending(): boolean {
    return this.#delivery.pending;
  }

  /** Undefined when somebody like this may come in. */
  refuses(joining: Joining): Refusal | undefined {
    if (this.#players.size >= Math.min(this.world.capacity, MAX_PLAYER_ID)) return "full";
    return this.world.refuses(joining);
  }

  /** Makes a player of a session. Throws `RangeError` where `refuses` would have answered. */
  join(recipient: Recipient, joining: Joining, nowMs: number): PlayerId {
    const refusal = this.refuses(joining);
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    const player = this.#freeId();
    this.world.join(player, joining, nowMs);
    this.#players.set(player, joining);
    this.#delivery.add(player, recipient);
    this.#apply();
    return player;
  }

  /** Nothing happens when there is no such player. */
  leave(player: PlayerId, nowMs: number): void {
    if (!this.#players.delete(player)) return;
    try {
      this.world.leave(player, nowMs);
      this.#apply();
    } finally {
      // Whatever a world throws, nothing is delivered to who has gone.
      this.#delivery.remove(player);
    }
  }

  /** A message that a session's channel has read. */
  receive(player: PlayerId, message: C, payload: Uint8Array, nowMs: number): void {
    if (!this.#players.has(player)) return;
    this.world.receive(player, message, payload, nowMs);
    this.#apply();
  }

  tick(nowMs: number): void {
    this.world.tick(nowMs);
    this.#apply();
  }

  /**
   * Writes all that waits, once per recipient; with a number of `writes`, that many at most, and the next call goes on from
   * there. True when everybody who had something waiting when the flush began has been given it.
   */
  flush(writes?: number): boolean {
    return this.#delivery.flush(writes);
  }

  /** True while the player reads too slowly and gets no broadcasts. */
  isLagging(player: PlayerId): boolean {
    return this.#delivery.isLagging(player);
  }

  /** The player reads again: it is brought up to date and hears broadcasts from here on. */
  refresh(player: PlayerId, nowMs: number): void {
    if (!this.#players.has(player)) return;
    this.#delivery.resume(player);
    this.world.refresh(player, nowMs);
    this.#apply();
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    return this.world.tracks(nowMs, room);
  }

  /** Somebody begins to look at the player. */
  follow(player: PlayerId, nowMs: number): void {
    if (!this.#players.has(player)) return;
    this.world.following?.follow(player, nowMs);
    this.#apply();
  }

  /** Nobody looks at the player any more. */
  unfollow(player: PlayerId): void {
    this.world.following?.unfollow(player);
    this.#apply();
  }

  #isLeftOut({ to, lossy, unreliable }: Extract<Effect<S>, { effect: "send" }>): boolean {
    return (lossy === true && this.#delivery.isLagging(to)) || (unreliable === true && this.#delivery.isBehind(to));
  }

  /** The next id after the last one given: an id that just left does not come back at once. */
  #freeId(): PlayerId {
    let id = this.#lastId;
    do id = id >= MAX_PLAYER_ID ? 1 : id + 1;
    while (this.#players.has(id));
    this.#lastId = id;
    return id;
  }

  #apply(): void {
    for (const effect of this.world.takeEffects()) {
      switch (effect.effect) {
        case "send":
          if (this.#isLeftOut(effect)) this.#delivery.drop();
          else this.#delivery.send(effect.to, this.#codec.write("server", effect.message));
          break;
        case "broadcast":
          this.#delivery.broadcast(effect.room, effect.except, this.#codec.write("server", effect.message));
          break;
        case "enter":
          this.#delivery.enter(effect.player, effect.room);
          this.#events.moved?.(effect.player, effect.room);
          break;
        case "exit":
          this.#delivery.exit(effect.player);
          this.#events.moved?.(effect.player, undefined);
          break;
        case "show":
        case "hide":
          this.#events.shown?.(effect.player, effect.room, effect.effect === "show");
          break;
        case "verdict":
          this.#events.verdict?.(effect.verdict);
          break;
        case "observe":
          this.#events.observe?.(effect);
          break;
        case "ban":
          this.#events.ban?.(effect);
          break;
        case "close":
          this.#events.close?.(effect.player, effect.reason);
          break;
      }
    }
  }
}
