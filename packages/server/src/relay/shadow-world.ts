/**
 * The **shadow world** of a relay: the game's own world is given what clients send, and judges it. It sends nothing: its
 * messages, corrections and bans are dropped, and only verdicts, rooms and tracks are shown.
 */
import type { PlayerId, Track, Verdict } from "wirewalk/motion";
import type { Admission, Effect, Protocol, WireMessage, World } from "wirewalk/protocol";
import { RoomIndex } from "../room-index.ts";

export interface ShadowWorldOptions {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly seed: number;
  /** The server has the demo places of this game: those of `wirewalk serve --bots`. */
  readonly demo: boolean;
  readonly events: ShadowEvents;
}

export interface ShadowEvents {
  verdict(verdict: Verdict): void;
  moved?(player: PlayerId, from: string | undefined, to: string | undefined): void;
  observed?(observation: Extract<Effect, { effect: "observe" }>): void;
  /** The world threw: a bug in it. */
  failed(error: unknown): void;
}

export class ShadowWorld {
  readonly world: World;
  readonly admission: Admission | undefined;
  readonly #events: ShadowEvents;
  readonly #index = new RoomIndex();
  readonly #names = new Map<PlayerId, string>();

  constructor({ protocol, dialect, seed, demo, events }: ShadowWorldOptions) {
    // It corrects nobody: what a client does next does not depend on this world.
    this.world = protocol.createWorld({ dialect, seed, demo, enforcement: "log" }) as World;
    this.admission = protocol.capabilities.login?.admission(dialect);
    this.#events = events;
  }

  get players(): ReadonlyMap<PlayerId, string> {
    return this.#names;
  }

  get rooms(): RoomIndex {
    return this.#index;
  }

  /** A client has connected. In a dialect with a login it joins when that arrives. */
  connected(player: PlayerId, address: string, nowMs: number): void {
    if (this.admission === undefined) this.#join(player, `${address} ${player}`, `connection ${player}`, nowMs);
  }

  left(player: PlayerId, nowMs: number): void {
    if (!this.#names.delete(player)) return;
    this.#run(() => this.world.leave(player, nowMs));
  }

  receive(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    if (!this.#names.has(player)) {
      const login = this.admission?.credentials(message);
      if (login === undefined) return;
      this.#join(player, login.name, login.name, nowMs);
      return;
    }
    this.#run(() => this.world.receive(player, message, payload, nowMs));
  }

  tick(nowMs: number): void {
    this.#run(() => this.world.tick(nowMs));
  }

  tracks(nowMs: number, room: string): readonly Track[] {
    return this.world.tracks(nowMs, room);
  }

  #join(player: PlayerId, account: string, name: string, nowMs: number): void {
    this.#run(() => {
      // A player that this world refuses, such as one that is online already, is not judged.
      if (this.world.refuses({ account, name }) !== undefined) return;
      this.world.join(player, { account, name }, nowMs);
      this.#names.set(player, name);
    });
  }

  #run(call: () => void): void {
    try {
      call();
      for (const effect of this.world.takeEffects()) this.#show(effect);
    } catch (error) {
      this.#events.failed(error);
    }
  }

  #show(effect: Effect): void {
    switch (effect.effect) {
      case "verdict":
        this.#events.verdict(effect.verdict);
        break;
      case "enter":
      case "exit": {
        const to = effect.effect === "enter" ? effect.room : undefined;
        const from = this.#index.move(effect.player, to);
        if (from !== to) this.#events.moved?.(effect.player, from, to);
        break;
      }
      case "show":
      case "hide": {
        const isShown = effect.effect === "show";
        this.#index.show(effect.player, effect.room, isShown);
        this.#events.moved?.(effect.player, isShown ? undefined : effect.room, isShown ? effect.room : undefined);
        break;
      }
      case "observe":
        this.#events.observed?.(effect);
        break;
      default:
      // Sends, broadcasts, bans and closes are for a server.
    }
  }
}
