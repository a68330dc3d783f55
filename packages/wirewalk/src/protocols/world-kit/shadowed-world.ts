/**
 * A game's world beside another server. What was seen of each player decides which findings mean something. The other findings are left
 * out of its effects, so that servers, recordings and replays have the same ones.
 */
import type { PlayerId, Track } from "../../motion/index.ts";
import type { Side, WireMessage } from "../codec.ts";
import type { Following } from "../following.ts";
import type { PlayerBudget } from "../player-budget.ts";
import type { Gap, SavedSight, Shadowed, Sight } from "../shadow.ts";
import type { Effect, Joining, Refusal, SavedWorld, World } from "../world.ts";
import { digestOf } from "./digest.ts";
import { copyPlain } from "./plain-data.ts";

/** What {@link ShadowedWorld} knows of a game. */
export interface ShadowedOptions<W extends World> {
  readonly world: W;
  /** Rules that need what only the other server knows: their findings mean nothing. */
  readonly unknownRules: readonly string[];
  /** What is seen of one player, from its joining on, or as it was saved. Throws `RangeError` for saved data of another form. */
  openSight(saved?: SavedSight): Sight;
  /** The other server sent the player this message. */
  observe(world: W, player: PlayerId, message: WireMessage, nowMs: number): void;
}

interface Watched {
  readonly sight: Sight;
  /** Messages of the other server to this player are not read any further. */
  isDeaf: boolean;
  /** Reasons that were reported. */
  readonly reported: Set<string>;
  room: string;
}

interface SavedWatched {
  readonly player: PlayerId;
  readonly sight: SavedSight;
  readonly isDeaf: boolean;
  readonly reported: readonly string[];
  readonly room: string;
}

interface SavedState {
  readonly world: object;
  readonly watched: readonly SavedWatched[];
  readonly effects: readonly Effect[];
}

const deaf: Gap = { reason: "what the server sends is not read any further" };

/** Messages are those of `W`. */
export class ShadowedWorld<C extends WireMessage, S extends WireMessage, W extends World<C, S>>
  implements World<C, S>, Shadowed
{
  readonly shadow: Shadowed = this;
  readonly #options: ShadowedOptions<W>;
  readonly #world: W;
  #watched = new Map<PlayerId, Watched>();
  #effects: Effect<S>[] = [];

  constructor(options: ShadowedOptions<W>) {
    this.#options = options;
    this.#world = options.world;
  }

  /** The game's own world. */
  get inner(): W {
    return this.#world;
  }

  get tickMs(): number {
    return this.#world.tickMs;
  }

  get capacity(): number {
    return this.#world.capacity;
  }

  get following(): Following | undefined {
    return this.#world.following;
  }

  usedMaps(): ReadonlyMap<string, string> {
    return this.#world.usedMaps?.() ?? new Map();
  }

  refuses(joining: Joining): Refusal | undefined {
    return this.#world.refuses(joining);
  }

  join(player: PlayerId, joining: Joining, nowMs: number): void {
    this.#world.join(player, joining, nowMs);
    this.#watched.set(player, {
      sight: this.#options.openSight(),
      isDeaf: false,
      reported: new Set(),
      room: joining.room ?? "",
    });
    this.#collect();
  }

  leave(player: PlayerId, nowMs: number): void {
    this.#world.leave(player, nowMs);
    this.#collect();
    this.#watched.delete(player);
  }

  receive(player: PlayerId, message: C, payload: Uint8Array, nowMs: number): void {
    const watched = this.#watched.get(player);
    if (watched === undefined) return;
    watched.sight.saw("client", message);
    for (const gap of watched.isDeaf ? [deaf] : watched.sight.gaps(message)) this.#report(player, watched, gap);
    this.#world.receive(player, message, payload, nowMs);
    this.#collect();
  }

  observe(player: PlayerId, message: WireMessage, nowMs: number): void {
    this.#watched.get(player)?.sight.saw("server", message);
    this.#options.observe(this.#world, player, message, nowMs);
    this.#collect();
  }

  missed(player: PlayerId, sender: Side, payload: Uint8Array): void {
    this.#watched.get(player)?.sight.missed(sender, payload);
  }

  lost(player: PlayerId): void {
    const watched = this.#watched.get(player);
    if (watched !== undefined) watched.isDeaf = true;
  }

  isAdmitted(player: PlayerId): boolean {
    return this.#watched.get(player)?.sight.isAdmitted === true;
  }

  tick(nowMs: number): void {
    this.#world.tick(nowMs);
    this.#collect();
  }

  refresh(player: PlayerId, nowMs: number): void {
    this.#world.refresh(player, nowMs);
    this.#collect();
  }

  takeEffects(): readonly Effect<S>[] {
    // Following a player gives effects too, which wait in the game's world.
    this.#collect();
    const taken = this.#effects;
    this.#effects = [];
    return taken;
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    return this.#world.tracks(nowMs, room);
  }

  tracksVersion(room: string): number | undefined {
    return this.#world.tracksVersion?.(room);
  }

  budgets(player: PlayerId, nowMs: number): readonly PlayerBudget[] {
    return this.#world.budgets?.(player, nowMs) ?? [];
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#world.rooms();
  }

  close(): void {
    this.#world.close?.();
  }

  save(): SavedWorld {
    this.#collect();
    const { schema, world, options, state } = this.#world.save();
    const watched = Array.from(this.#watched, ([player, { sight, isDeaf, reported, room }]): SavedWatched => {
      return { player, sight: sight.save(), isDeaf, reported: [...reported], room };
    });
    const saved: SavedState = { world: state, watched, effects: copyPlain(this.#effects) };
    return { schema, world, options: { ...options, shadow: true }, state: saved };
  }

  restore(saved: SavedWorld): void {
    const { options, state } = saved;
    const { shadow, ...own } = options;
    if (shadow !== true) throw new RangeError(`Cannot restore: option shadow was ${shadow} and is true`);
    const { world, watched, effects } = checkedState(state);
    // All that can be refused comes before the first change.
    const waiting = copyPlain(effects) as Effect<S>[];
    const restored = new Map<PlayerId, Watched>();
    for (const { player, sight, isDeaf, reported, room } of watched) {
      restored.set(player, { sight: this.#options.openSight(sight), isDeaf, reported: new Set(reported), room });
    }
    this.#world.restore({ ...saved, options: own, state: world });
    this.#watched = restored;
    this.#effects = waiting;
  }

  digest(): bigint {
    return digestOf(this.save());
  }

  #report(player: PlayerId, { reported, room }: Watched, { reason, rules }: Gap): void {
    if (reported.has(reason)) return;
    reported.add(reason);
    const data = { reason, ...(rules === undefined ? {} : { rules: [...rules] }) };
    this.#effects.push({ effect: "observe", player, room, what: "unseen", data });
  }

  #collect(): void {
    for (const effect of this.#world.takeEffects()) {
      if (effect.effect === "enter") {
        const watched = this.#watched.get(effect.player);
        if (watched !== undefined) watched.room = effect.room;
      }
      if (!this.#isSilent(effect)) this.#effects.push(effect);
    }
  }

  #isSilent(effect: Effect<S>): boolean {
    if (effect.effect !== "verdict") return false;
    const { verdict } = effect;
    if (this.#options.unknownRules.includes(verdict.rule)) return true;
    const watched = this.#watched.get(verdict.player);
    return watched !== undefined && (watched.isDeaf || watched.sight.silences(verdict));
  }
}

/** Throws `RangeError` that names the member. */
function checkedState(state: object): SavedState {
  const { world, watched, effects } = state as Partial<SavedState>;
  check(typeof world === "object" && world !== null, "state.world", "an object");
  check(Array.isArray(watched), "state.watched", "an array");
  check(Array.isArray(effects), "state.effects", "an array");
  const players = new Set<PlayerId>();
  for (const [index, each] of (watched as readonly unknown[]).entries()) {
    const at = `state.watched[${index}]`;
    check(typeof each === "object" && each !== null, at, "an object");
    const { player, sight, isDeaf, reported, room } = each as SavedWatched;
    check(Number.isInteger(player) && player > 0 && player <= 0xffff, `${at}.player`, "1 to 65535");
    check(!players.has(player), `${at}.player`, "another than those before it");
    players.add(player);
    const isSight = typeof sight === "object" && sight !== null && Object.values(sight).every(Number.isInteger);
    check(isSight, `${at}.sight`, "whole numbers by name");
    check(typeof isDeaf === "boolean", `${at}.isDeaf`, "true or false");
    const areTexts = Array.isArray(reported) && reported.every((reason) => typeof reason === "string");
    check(areTexts, `${at}.reported`, "an array of texts");
    check(typeof room === "string", `${at}.room`, "a text");
  }
  return state as SavedState;
}

function check(isSo: boolean, at: string, what: string): void {
  if (!isSo) throw new RangeError(`Cannot restore: ${at} must be ${what}`);
}
