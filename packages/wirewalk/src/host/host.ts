/**
 * A **host** runs one world: sessions' messages in, effects out. The server, the simulator and the tests all run worlds
 * through this class, so that each can repeat a run of the others.
 *
 * A session and its world share no objects: they exchange messages, and a host knows of a session only where to deliver
 * bytes.
 */
import type { PlayerId, Track, Verdict } from "../motion/index.ts";
import type { PayloadCodec, WireMessage } from "../protocols/codec.ts";
import type { Effect, Joining, Refusal, World } from "../protocols/world.ts";
import { Delivery, type DeliveryCounts, type Recipient } from "./delivery.ts";
import type { HostRecorder } from "./host-recorder.ts";
import type { HostTap } from "./host-tap.ts";

/** Player ids are u16 in the protocols here, and 0 is not a player. */
const MAX_PLAYER_ID = 65_535;

/** Handlers of a world's effects. They are called while the host works and must not call back into it. */
export interface HostEvents {
  verdict?(verdict: Verdict): void;
  observe?(observation: Extract<Effect, { effect: "observe" }>): void;
  ban?(ban: Extract<Effect, { effect: "ban" }>): void;
  /** Ends the player's session. */
  close?(player: PlayerId, reason: string): void;
  /** A player entered a room, left one (`room` undefined), or went from one to another. */
  moved?(player: PlayerId, room: string | undefined): void;
  /** A player is shown in a room whose broadcasts it does not receive, or is no longer shown there. */
  shown?(player: PlayerId, room: string, isShown: boolean): void;
}

export interface HostOptions<C extends WireMessage, S extends WireMessage> {
  readonly world: World<C, S>;
  readonly codec: PayloadCodec<C, S>;
  readonly events?: HostEvents;
  /** The ids of its players, first and last. Default 1..65535; hosts that share a world have ids of their own. */
  readonly ids?: { readonly first: number; readonly last: number };
}

/** One world with its sessions. */
export class Host<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  readonly world: World<C, S>;
  /** Records from here on; undefined ends it. */
  recorder: HostRecorder<S> | undefined;
  /** Sees payloads from here on; undefined ends it. */
  tap: HostTap | undefined;
  readonly #codec: PayloadCodec<C, S>;
  readonly #events: HostEvents;
  readonly #delivery = new Delivery();
  readonly #players = new Map<PlayerId, Joining>();
  readonly #ids: { readonly first: number; readonly last: number };
  #lastId: number;

  constructor(options: HostOptions<C, S>) {
    this.world = options.world;
    this.#ids = options.ids ?? { first: 1, last: MAX_PLAYER_ID };
    this.#lastId = this.#ids.first - 1;
    this.#codec = options.codec;
    this.#events = options.events ?? {};
  }

  /** Players by id, in the order in which they joined. */
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

  /** Bytes that wait for a flush; those to a room count once. */
  get heldBytes(): number {
    return this.#delivery.heldBytes;
  }

  /** Why the world refuses a player; undefined when it may join. */
  refuses(joining: Joining): Refusal | undefined {
    const { first, last } = this.#ids;
    if (this.#players.size >= Math.min(this.world.capacity, last - first + 1)) return "full";
    return this.world.refuses(joining);
  }

  /** Joins a session as a player. Throws `RangeError` when `refuses` gives a reason. */
  join(recipient: Recipient, joining: Joining, nowMs: number): PlayerId {
    const refusal = this.refuses(joining);
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    const player = this.#freeId();
    this.recorder?.join(player, joining, nowMs);
    this.world.join(player, joining, nowMs);
    this.#players.set(player, joining);
    this.#delivery.add(player, recipient);
    this.#apply();
    return player;
  }

  /** Nothing happens for an unknown player. */
  leave(player: PlayerId, nowMs: number): void {
    if (!this.#players.delete(player)) return;
    this.recorder?.leave(player, nowMs);
    try {
      this.world.leave(player, nowMs);
      this.#apply();
    } finally {
      // Also when the world throws: nothing is delivered to a player that left.
      this.#delivery.remove(player);
    }
  }

  /** A message that a session's channel has read. */
  receive(player: PlayerId, message: C, payload: Uint8Array, nowMs: number): void {
    if (!this.#players.has(player)) return;
    this.recorder?.receive(player, payload, nowMs);
    this.tap?.received(player, payload);
    this.world.receive(player, message, payload, nowMs);
    this.#apply();
  }

  tick(nowMs: number): void {
    this.recorder?.tick(nowMs);
    this.world.tick(nowMs);
    this.#apply();
  }

  /**
   * Writes everything that is pending, once per recipient. With `writes` at most that many, and the next call continues.
   * True when all that was pending at the start of the flush has been written.
   */
  flush(writes?: number): boolean {
    return this.#delivery.flush(writes);
  }

  /** True while the player reads too slowly and receives no broadcasts. */
  isLagging(player: PlayerId): boolean {
    return this.#delivery.isLagging(player);
  }

  /** The player has caught up: sends it the current state, and broadcasts from here on. */
  refresh(player: PlayerId, nowMs: number): void {
    if (!this.#players.has(player)) return;
    this.recorder?.refresh(player, nowMs);
    this.#delivery.resume(player);
    this.world.refresh(player, nowMs);
    this.#apply();
  }

  /** Sends a player a message that is not of its world, such as an operator's: the world and its recordings do not know of it. */
  tell(player: PlayerId, message: S): void {
    if (!this.#players.has(player)) return;
    const payload = this.#codec.write("server", message);
    this.#delivery.send(player, payload);
    this.tap?.sent(player, payload);
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    return this.world.tracks(nowMs, room);
  }

  /** While this number stays, the room's tracks stay. Undefined: they may change at any time. */
  tracksVersion(room: string): number | undefined {
    return this.world.tracksVersion?.(room);
  }

  /** A spectator starts to follow the player. */
  follow(player: PlayerId, nowMs: number): void {
    if (!this.#players.has(player)) return;
    this.recorder?.follow(player, nowMs);
    this.world.following?.follow(player, nowMs);
    this.#apply();
  }

  /** No spectator follows the player any more. */
  unfollow(player: PlayerId): void {
    this.recorder?.unfollow(player);
    this.world.following?.unfollow(player);
    this.#apply();
  }

  #isLeftOut({ to, lossy, unreliable }: Extract<Effect<S>, { effect: "send" }>): boolean {
    return (lossy === true && this.#delivery.isLagging(to)) || (unreliable === true && this.#delivery.isBehind(to));
  }

  /** The next free id after the last one given, so that the id of a player that just left is not reused at once. */
  #freeId(): PlayerId {
    const { first, last } = this.#ids;
    let id = this.#lastId;
    do id = id >= last ? first : id + 1;
    while (this.#players.has(id));
    this.#lastId = id;
    return id;
  }

  #apply(): void {
    const { recorder, tap } = this;
    for (const effect of this.world.takeEffects()) {
      let payload: Uint8Array | undefined;
      switch (effect.effect) {
        case "send":
          if (this.#isLeftOut(effect)) {
            this.#delivery.drop();
            if (recorder !== undefined) payload = this.#codec.write("server", effect.message);
          } else {
            payload = this.#codec.write("server", effect.message);
            this.#delivery.send(effect.to, payload);
            tap?.sent(effect.to, payload);
          }
          break;
        case "broadcast":
          payload = this.#codec.write("server", effect.message);
          this.#delivery.broadcast(effect.room, effect.except, payload);
          tap?.broadcast(effect.room, effect.except, payload);
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
      recorder?.effect(effect, payload);
    }
  }
}
