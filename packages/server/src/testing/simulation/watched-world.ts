/**
 * A world that is watched: it does what the world does, and tells what was asked of it and what came out. From time to time
 * it plays a stretch again in a second world and compares the digests.
 */
import type { PlayerId, Position, Track, Verdict } from "wirewalk/motion";
import type {
  Effect,
  Following,
  Joining,
  PayloadCodec,
  Refusal,
  SavedWorld,
  WireMessage,
  World,
  WorldOptions,
} from "wirewalk/protocol";
import { SETTLED_MS } from "../../../../wirewalk/src/protocols/testing/refusal-rules.ts";

export interface WorldWatcher {
  /** What the world gave after a call; `sender` is the player whose message it was, `seenAt` where others will see a player by it. */
  effects(effects: readonly Effect[], sender: PlayerId | undefined, seenAt: SeenAt): void;
  refreshed(player: PlayerId): void;
  left(player: PlayerId): void;
  broken(check: string, detail: string): void;
}

/** Where others see a player once what they were told has been carried out; undefined for one that they do not see. */
export type SeenAt = (player: PlayerId) => Position | undefined;

/** A stretch is played again about every so many calls, and has so many. */
const REPLAY_EVERY_CALLS = 8_000;
const REPLAY_CALLS = 800;

export interface WatchedWorldOptions {
  readonly create: (options: WorldOptions) => World;
  readonly options: WorldOptions;
  readonly codec: PayloadCodec;
  readonly watcher: WorldWatcher;
}

export class WatchedWorld implements World {
  readonly tickMs: number;
  readonly capacity: number;
  readonly following?: Following;
  /** Stretches that were played again. */
  replays = 0;
  readonly #world: World;
  readonly #make: () => World;
  readonly #codec: PayloadCodec;
  readonly #watcher: WorldWatcher;
  #sender: PlayerId | undefined;
  #receivedMs = 0;
  #calls = 0;
  #stretch: { readonly saved: SavedWorld; readonly calls: ((world: World) => void)[] } | undefined;

  constructor({ create, options, codec, watcher }: WatchedWorldOptions) {
    this.#make = () => create(options);
    this.#world = this.#make();
    this.#codec = codec;
    this.#watcher = watcher;
    this.tickMs = this.#world.tickMs;
    this.capacity = this.#world.capacity;
    if (this.#world.following !== undefined) {
      this.following = {
        follow: (player, nowMs) => this.#do((world) => world.following?.follow(player, nowMs)),
        unfollow: (player) => this.#do((world) => world.following?.unfollow(player)),
      };
    }
  }

  refuses(joining: Joining): Refusal | undefined {
    return this.#world.refuses(joining);
  }

  join(player: PlayerId, joining: Joining, nowMs: number): void {
    this.#do((world) => world.join(player, joining, nowMs));
  }

  leave(player: PlayerId, nowMs: number): void {
    this.#do((world) => world.leave(player, nowMs));
    this.#watcher.left(player);
  }

  receive(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    this.#receivedMs = nowMs;
    this.#sender = player;
    this.#beforeCall();
    if (this.#stretch !== undefined) {
      const copy = payload.slice();
      this.#stretch.calls.push((world) => world.receive(player, this.#codec.read("client", copy), copy, nowMs));
    }
    this.#world.receive(player, message, payload, nowMs);
  }

  tick(nowMs: number): void {
    this.#do((world) => world.tick(nowMs));
  }

  refresh(player: PlayerId, nowMs: number): void {
    this.#watcher.refreshed(player);
    this.#do((world) => world.refresh(player, nowMs));
  }

  takeEffects(): readonly Effect[] {
    const effects = this.#world.takeEffects();
    const sender = this.#sender;
    this.#sender = undefined;
    this.#watcher.effects(effects, sender, (player) => {
      return this.#world.tracks(this.#receivedMs + SETTLED_MS).find((track) => track.player === player)?.position;
    });
    return effects;
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    return this.#world.tracks(nowMs, room);
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#world.rooms();
  }

  save(): SavedWorld {
    return this.#world.save();
  }

  restore(saved: SavedWorld): void {
    this.#world.restore(saved);
  }

  digest(): bigint {
    return this.#world.digest();
  }

  #do(call: (world: World) => void): void {
    this.#beforeCall();
    this.#stretch?.calls.push(call);
    call(this.#world);
  }

  #beforeCall(): void {
    this.#calls += 1;
    const phase = this.#calls % REPLAY_EVERY_CALLS;
    if (this.#stretch !== undefined && this.#stretch.calls.length >= REPLAY_CALLS) this.#replay();
    // The first stretch starts early, so that short episodes have one.
    else if (this.#stretch === undefined && phase === 20) {
      this.#stretch = { saved: structuredClone(this.#world.save()), calls: [] };
    }
  }

  /** Plays the current stretch again, however short it is. */
  finish(): void {
    if (this.#stretch !== undefined) this.#replay();
  }

  #replay(): void {
    const stretch = this.#stretch;
    this.#stretch = undefined;
    if (stretch === undefined) return;
    const other = this.#make();
    other.restore(stretch.saved);
    for (const call of stretch.calls) {
      call(other);
      other.takeEffects();
    }
    this.replays += 1;
    // Effects of the call before this one are taken in both.
    if (other.digest() === this.#world.digest()) return;
    this.#watcher.broken("replay", `a world that plays ${stretch.calls.length} calls again has another digest`);
  }
}

/** Whether a message says no more of a player than where it stands, and the place is the one where others see it from then on. */
export type SaysWhereItStands = (message: WireMessage) => boolean;

/**
 * The effects of a refused message on others; undefined when it has none. Others may be told where the player stands, where a game cannot
 * put its client back.
 */
export function effectOfRefused(
  effects: readonly Effect[],
  sender: PlayerId,
  saysWhereItStands: SaysWhereItStands = () => false,
): string | undefined {
  const refused = effects.find(
    (effect): effect is Extract<Effect, { effect: "verdict" }> =>
      effect.effect === "verdict" && effect.verdict.kind === "reject" && effect.verdict.player === sender,
  );
  if (refused === undefined) return undefined;
  const heard = effects.find(
    (effect) =>
      (effect.effect === "broadcast" || (effect.effect === "send" && effect.to !== sender)) &&
      !saysWhereItStands(effect.message),
  );
  return heard === undefined ? undefined : `${brief(refused.verdict)}, and yet ${heard.effect} to others`;
}

export function brief({ kind, rule, measured, allowed, unit, player }: Verdict): string {
  return `${kind} ${rule}: ${measured} of ${allowed} ${unit}, player ${player}`;
}
