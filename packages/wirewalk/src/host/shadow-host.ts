/**
 * The host of a **shadow world**: the game's own world is given what clients sent to another server, and what that server sent them, and
 * judges. Nobody receives what it sends. A relay has one beside its connections; a recorded session is played into one.
 *
 * ```ts
 * const host = new ShadowHost({ protocol: maplestory, dialect: "v83", seed: 0, demo: false, onEffect: show, onFailed: report });
 * host.join(1, { account: "a", name: "a" }, 0);
 * host.observe(1, changeMap, payload, 10); // the other server: the client is in this map
 * host.receive(1, move, movePayload, 500); // the client: verdicts come as effects
 * ```
 */
import type { PlayerId, Track } from "../motion/index.ts";
import type { PayloadCodec, Side, WireMessage } from "../protocols/codec.ts";
import type { WorldMaps } from "../protocols/maps.ts";
import type { ProtocolWith } from "../protocols/protocol.ts";
import type { Responses } from "../protocols/responses.ts";
import type { Effect, Joining, Refusal, World, WorldOptions } from "../protocols/world.ts";
import type { HostRecorder } from "./host-recorder.ts";

export interface ShadowHostOptions {
  readonly protocol: ProtocolWith<"createWorld">;
  readonly dialect: string;
  readonly seed: number;
  /** The other server has the demo places of this game. */
  readonly demo: boolean;
  /** The places of the other server, instead of demo places. Default: none. */
  readonly maps?: WorldMaps | undefined;
  /** Rules whose messages never reach the other server, as `drop`: a relay holds them back. Default: none. */
  readonly responses?: Responses | undefined;
  readonly onEffect: (effect: Effect) => void;
  /** The world has no place for a player. */
  readonly onRefused?: (player: PlayerId, refusal: Refusal) => void;
  /** The world threw: a bug in it. */
  readonly onFailed: (error: unknown) => void;
}

/** What shadow worlds are made with. */
export function shadowOptions({
  dialect,
  seed,
  demo,
  maps,
  responses,
}: Pick<ShadowHostOptions, "dialect" | "seed" | "demo" | "maps" | "responses">): Omit<WorldOptions, "threads"> {
  // It makes no corrections: what a client does next does not depend on this world.
  const given = { ...(maps === undefined ? {} : { maps }), ...(responses === undefined ? {} : { responses }) };
  return { dialect, seed, demo, ...given, shadow: true, enforcement: "log" };
}

/** Also receives what the other server sent. */
export interface ShadowRecorder extends HostRecorder {
  observed(player: PlayerId, payload: Uint8Array, nowMs: number): void;
}

export class ShadowHost {
  readonly world: World;
  readonly players = new Map<PlayerId, Joining>();
  /** Records the calls and effects of the world from here on; undefined ends it. */
  recorder: ShadowRecorder | undefined;
  readonly #options: ShadowHostOptions;
  readonly #codec: PayloadCodec;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: ShadowHostOptions) {
    const { protocol, dialect } = options;
    this.#options = options;
    this.#codec = protocol.codec(dialect);
    this.world = protocol.createWorld(shadowOptions(options)) as World;
  }

  /** False for a player that the world refuses, such as one that is online already: it is not judged. */
  join(player: PlayerId, joining: Joining, nowMs: number): boolean {
    this.#run(() => {
      const refusal = this.world.refuses(joining);
      if (refusal !== undefined) {
        this.#options.onRefused?.(player, refusal);
        return;
      }
      this.recorder?.join(player, joining, nowMs);
      this.world.join(player, joining, nowMs);
      this.players.set(player, joining);
    });
    return this.players.has(player);
  }

  leave(player: PlayerId, nowMs: number): void {
    if (!this.players.delete(player)) return;
    this.recorder?.leave(player, nowMs);
    this.#run(() => this.world.leave(player, nowMs));
  }

  receive(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    if (!this.players.has(player)) return;
    this.recorder?.receive(player, payload, nowMs);
    this.#run(() => this.world.receive(player, message, payload, nowMs));
  }

  /** The other server sent the player's client a message. */
  observe(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    if (!this.players.has(player)) return;
    this.recorder?.observed(player, payload, nowMs);
    this.#run(() => this.world.shadow?.observe(player, message, nowMs));
  }

  /** A message of either side that could not be read, or that is not described. */
  missed(player: PlayerId, sender: Side, payload: Uint8Array, nowMs: number): void {
    // A record without bytes stands for a lost direction.
    if (!this.players.has(player) || payload.length === 0) return;
    if (sender === "client") this.recorder?.receive(player, payload, nowMs);
    else this.recorder?.observed(player, payload, nowMs);
    this.#run(() => this.world.shadow?.missed(player, sender, payload, nowMs));
  }

  /** What the other server sends to the player is not read any further. */
  lost(player: PlayerId, nowMs: number): void {
    if (!this.players.has(player)) return;
    this.recorder?.observed(player, new Uint8Array(0), nowMs);
    this.#run(() => this.world.shadow?.lost(player, nowMs));
  }

  /** Whether the other server has taken the player's login. */
  isAdmitted(player: PlayerId): boolean {
    return this.world.shadow?.isAdmitted(player) ?? true;
  }

  tick(nowMs: number): void {
    this.recorder?.tick(nowMs);
    this.#run(() => this.world.tick(nowMs));
  }

  follow(player: PlayerId, nowMs: number): void {
    this.recorder?.follow(player, nowMs);
    this.#run(() => this.world.following?.follow(player, nowMs));
  }

  unfollow(player: PlayerId): void {
    this.recorder?.unfollow(player);
    this.#run(() => this.world.following?.unfollow(player));
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    return this.read([], () => this.world.tracks(nowMs, room));
  }

  /** What the world says; `otherwise` when it throws. */
  read<T>(otherwise: T, call: () => T): T {
    try {
      return call();
    } catch (error) {
      this.#options.onFailed(error);
      return otherwise;
    }
  }

  #run(call: () => void): void {
    try {
      call();
      for (const effect of this.world.takeEffects()) {
        if (this.recorder !== undefined) this.#record(this.recorder, effect);
        this.#options.onEffect(effect);
      }
    } catch (error) {
      this.#options.onFailed(error);
    }
  }

  #record(recorder: ShadowRecorder, effect: Effect): void {
    const isMessage = effect.effect === "send" || effect.effect === "broadcast";
    recorder.effect(effect, isMessage ? this.#codec.write("server", effect.message) : undefined);
  }
}
