/**
 * The world of one server: bodies that walk about and are told of each other, and mice that are looked at. They share
 * nothing but the sessions: who joins has a body in room `world`, and from its first mouse packet on is shown in room
 * `mouse` too. Who asks for room `mouse` has a mouse alone.
 *
 * ```ts
 * const world = new OsrsWorld({ dialect: "client", seed: 1, revision: revision206 });
 * world.join(1, { account: "a", name: "a" }, 0);
 * world.join(2, { account: "b", name: "b", room: "mouse" }, 0);
 * [...world.rooms()]; // => [["world", 1], ["mouse", 1]]
 * ```
 */
import type { PlayerId, Track } from "../../../motion/index.ts";
import type { Following } from "../../following.ts";
import type { Effect, Joining, Refusal, World } from "../../world.ts";
import type { MouseMoveMessage } from "../mouse/wire/message.ts";
import { MouseWorld } from "../mouse/world/world.ts";
import { MAX_PLAYER_INDEX } from "../player-info/wire/constants.ts";
import type { PlayerInfoServerMessage } from "../player-info/wire/message.ts";
import { PLAYER_INFO_ROOM, PlayerInfoWorld, type PlayerInfoWorldOptions } from "../player-info/world/world.ts";
import { OPCODE_BYTES } from "../wire/framing.ts";

/** The room of all mice. */
const MOUSE_ROOM = "mouse";

/** Up to 2047 sessions. It ticks as player info does: mice have nothing to do by the clock. */
export class OsrsWorld implements World<MouseMoveMessage, PlayerInfoServerMessage> {
  readonly following: Following = this;
  readonly bodies: PlayerInfoWorld;
  readonly mice: MouseWorld;
  readonly tickMs: number;
  readonly capacity: number = MAX_PLAYER_INDEX;
  readonly #sessions = new Map<PlayerId, Joining>();
  #effects: Effect<PlayerInfoServerMessage>[] = [];

  /** Throws `RangeError` for an unknown dialect or a tick that is none. */
  constructor(options: PlayerInfoWorldOptions) {
    this.bodies = new PlayerInfoWorld(options);
    this.mice = new MouseWorld(options, OPCODE_BYTES);
    this.tickMs = this.bodies.tickMs;
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#sessions.size >= this.capacity) return "full";
    return (joining.room === MOUSE_ROOM ? this.mice : this.bodies).refuses(joining);
  }

  join(player: PlayerId, joining: Joining, nowMs: number): void {
    const refusal = this.refuses(joining);
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    if (this.#sessions.has(player)) throw new RangeError(`Cannot join: player ${player} is here already`);
    this.#sessions.set(player, joining);
    (joining.room === MOUSE_ROOM ? this.mice : this.bodies).join(player, joining, nowMs);
    this.#take();
  }

  leave(player: PlayerId, nowMs: number): void {
    if (!this.#sessions.has(player)) return;
    this.bodies.leave(player, nowMs);
    this.mice.leave(player, nowMs);
    this.#take();
    this.#sessions.delete(player);
  }

  receive(player: PlayerId, message: MouseMoveMessage, payload: Uint8Array, nowMs: number): void {
    const joining = this.#sessions.get(player);
    if (joining === undefined) return;
    if (this.mice.session(player) === undefined) this.mice.join(player, { ...joining, room: MOUSE_ROOM }, nowMs);
    this.mice.receive(player, message, payload, nowMs);
    this.#take();
  }

  tick(nowMs: number): void {
    this.bodies.tick(nowMs);
    this.mice.tick(nowMs);
    this.#take();
  }

  refresh(player: PlayerId, nowMs: number): void {
    this.bodies.refresh(player, nowMs);
    this.mice.refresh(player, nowMs);
    this.#take();
  }

  follow(player: PlayerId, nowMs: number): void {
    this.bodies.follow(player, nowMs);
    this.#take();
  }

  unfollow(player: PlayerId): void {
    this.bodies.unfollow(player);
  }

  takeEffects(): readonly Effect<PlayerInfoServerMessage>[] {
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    if (room === PLAYER_INFO_ROOM) return this.bodies.tracks(nowMs);
    if (room === MOUSE_ROOM) return this.mice.tracks(nowMs);
    return room === undefined ? [...this.bodies.tracks(nowMs), ...this.mice.tracks(nowMs)] : [];
  }

  rooms(): ReadonlyMap<string, number> {
    return new Map([...this.bodies.rooms(), ...this.mice.rooms()]);
  }

  /** Takes over what both parts want done. Who has a body hears of bodies: its mouse is only shown. */
  #take(): void {
    for (const effect of this.bodies.takeEffects()) this.#effects.push(effect);
    for (const effect of this.mice.takeEffects()) {
      const isShown =
        (effect.effect === "enter" || effect.effect === "exit") &&
        this.#sessions.get(effect.player)?.room !== MOUSE_ROOM;
      if (!isShown) this.#effects.push(effect);
      else this.#effects.push({ ...effect, effect: effect.effect === "enter" ? "show" : "hide" });
    }
  }
}
