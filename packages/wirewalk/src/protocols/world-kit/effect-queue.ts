import type { PlayerId, Verdict } from "../../motion/index.ts";
import type { WireMessage } from "../codec.ts";
import type { Effect } from "../world.ts";
import { copyPlain } from "./plain-data.ts";

/** Fields of an observation, without its name as an effect. */
export type Observation = Omit<Extract<Effect, { effect: "observe" }>, "effect">;

/** Fields of a ban, without its name as an effect. */
export type BanRequest = Omit<Extract<Effect, { effect: "ban" }>, "effect">;

/**
 * What a world wants done, in order, until somebody takes it.
 *
 * ```ts
 * const effects = new EffectQueue();
 * effects.enter(1, "lobby");
 * effects.broadcast("lobby", 1, { message: "arrived", value: { player: 1 } });
 * effects.take(); // the two effects; the next call gives []
 * ```
 */
export class EffectQueue<S extends WireMessage = WireMessage> {
  #effects: Effect<S>[];

  /** With a copy of the effects that waited in a saved world. Throws `TypeError` for data that is not plain. */
  constructor(waiting: readonly Effect<S>[] = []) {
    this.#effects = [...copyPlain(waiting)];
  }

  /** One message to one player; `lossy` and `unreliable` as in `Effect`. */
  send(to: PlayerId, message: S, mayBeLost?: "lossy" | "unreliable"): void {
    if (mayBeLost === undefined) this.#effects.push({ effect: "send", to, message });
    else if (mayBeLost === "lossy") this.#effects.push({ effect: "send", to, message, lossy: true });
    else this.#effects.push({ effect: "send", to, message, unreliable: true });
  }

  /** One message to all who have entered the room, except one. */
  broadcast(room: string, except: PlayerId | undefined, message: S): void {
    this.#effects.push({ effect: "broadcast", room, except, message });
  }

  enter(player: PlayerId, room: string): void {
    this.#effects.push({ effect: "enter", player, room });
  }

  exit(player: PlayerId, room: string): void {
    this.#effects.push({ effect: "exit", player, room });
  }

  show(player: PlayerId, room: string): void {
    this.#effects.push({ effect: "show", player, room });
  }

  hide(player: PlayerId, room: string): void {
    this.#effects.push({ effect: "hide", player, room });
  }

  /**
   * Adds a verdict with its own copy of the message's bytes, since the caller of `receive` may reuse them. Returns that
   * verdict, for worlds that keep evidence.
   */
  verdict(verdict: Verdict): Verdict {
    const owned = { ...verdict, message: verdict.message.slice() };
    this.#effects.push({ effect: "verdict", verdict: owned });
    return owned;
  }

  observe(observation: Observation): void {
    this.#effects.push({ effect: "observe", ...observation });
  }

  ban(ban: BanRequest): void {
    this.#effects.push({ effect: "ban", ...ban });
  }

  close(player: PlayerId, reason: string): void {
    this.#effects.push({ effect: "close", player, reason });
  }

  /** Adds an effect of a world inside this one. */
  add(effect: Effect<S>): void {
    this.#effects.push(effect);
  }

  /** The effects since the last call, in order. They belong to the caller. */
  take(): readonly Effect<S>[] {
    // An empty list is not given away: what is added next would show up in it.
    if (this.#effects.length === 0) return [];
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** A copy of what waits to be taken. */
  save(): readonly Effect<S>[] {
    return copyPlain(this.#effects);
  }
}
