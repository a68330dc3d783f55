/**
 * The world of one server: bodies that walk about and receive player info of each other, and mice that are measured. They
 * share nothing but the sessions: a player who joins has a body in room `world`, and from its first mouse packet on is
 * shown in room `mouse` too. A player who asks for room `mouse` has a mouse alone.
 *
 * ```ts
 * const world = new OsrsWorld({ dialect: "client", seed: 1, revision: revision206 });
 * world.join(1, { account: "a", name: "a" }, 0);
 * world.join(2, { account: "b", name: "b", room: "mouse" }, 0);
 * [...world.rooms()]; // => [["world", 1], ["mouse", 1]]
 * ```
 */
import type { PlayerId, Track } from "../../../motion/index.ts";
import type { Side, WireMessage } from "../../codec.ts";
import type { Following } from "../../following.ts";
import type { Shadowed } from "../../shadow.ts";
import type { Effect, Joining, Refusal, SavedWorld, World } from "../../world.ts";
import {
  checkSaved,
  copyState,
  digestOf,
  EffectQueue,
  list,
  maybe,
  number,
  PlayerTable,
  plainData,
  type SavedOutline,
  savedWorld,
  state,
  text,
} from "../../world-kit/index.ts";
import type { MouseMoveMessage } from "../mouse/wire/message.ts";
import { MOUSE_ROOM } from "../mouse/world/observations.ts";
import { MouseWorld, type MouseWorldOptions } from "../mouse/world/world.ts";
import { MAX_PLAYER_INDEX } from "../player-info/wire/constants.ts";
import type { PlayerInfoServerMessage } from "../player-info/wire/message.ts";
import type { Bodies } from "../player-info/world/bodies.ts";
import { PLAYER_INFO_ROOM } from "../player-info/world/observations.ts";
import { ShadowBodies, type ShadowBodiesOptions } from "../player-info/world/shadow-bodies.ts";
import { PlayerInfoWorld, type PlayerInfoWorldOptions } from "../player-info/world/world.ts";
import { OPCODE_BYTES } from "../wire/framing.ts";

/** The options of both parts. */
export type OsrsWorldOptions = PlayerInfoWorldOptions & MouseWorldOptions;

/** A player of one of the two parts, or of both. */
interface Player {
  readonly id: PlayerId;
  readonly joining: Joining;
}

function hasBody(player: Player | undefined): boolean {
  return player !== undefined && player.joining.room !== MOUSE_ROOM;
}

/** Counts the changes of the shape of {@link savedState}. */
const SCHEMA = 1;

const savedState = state({
  players: list(state({ id: number, account: text, name: text, room: maybe(text) })),
  // The parts check theirs.
  bodies: plainData<SavedWorld>(),
  mice: plainData<SavedWorld>(),
  effects: list(plainData<Effect<PlayerInfoServerMessage>>()),
});

/** Up to 2047 sessions. It ticks as player info does: mice have nothing to do by the clock. */
class WorldOf<B extends Bodies> implements World<MouseMoveMessage, PlayerInfoServerMessage>, Following {
  readonly following: Following = this;
  readonly bodies: B;
  readonly mice: MouseWorld;
  readonly tickMs: number;
  readonly capacity: number = MAX_PLAYER_INDEX;
  readonly #outline: SavedOutline;
  #players = new PlayerTable<Player>(MAX_PLAYER_INDEX);
  #effects = new EffectQueue<PlayerInfoServerMessage>();

  constructor(options: OsrsWorldOptions, bodies: B) {
    this.bodies = bodies;
    this.#outline = { schema: SCHEMA, world: `osrs/${options.dialect}`, options: this.bodies.outline.options };
    this.mice = new MouseWorld(options, OPCODE_BYTES);
    this.tickMs = this.bodies.tickMs;
  }

  close(): void {
    this.bodies.close();
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#players.isFull) return "full";
    return (joining.room === MOUSE_ROOM ? this.mice : this.bodies).refuses(joining);
  }

  join(player: PlayerId, joining: Joining, nowMs: number): void {
    this.#players.checkJoin(player, this.refuses(joining));
    this.#players.add(player, { id: player, joining });
    (joining.room === MOUSE_ROOM ? this.mice : this.bodies).join(player, joining, nowMs);
    this.collect();
  }

  leave(player: PlayerId, nowMs: number): void {
    if (!this.#players.has(player)) return;
    this.bodies.leave(player, nowMs);
    this.mice.leave(player, nowMs);
    this.collect();
    this.#players.remove(player);
  }

  /** Messages that are not about the mouse are ignored: nothing is judged by them. */
  receive(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    const joining = this.#players.get(player)?.joining;
    if (joining === undefined || this.mice.layoutOf(message) === undefined) return;
    if (this.mice.session(player) === undefined) this.mice.join(player, { ...joining, room: MOUSE_ROOM }, nowMs);
    this.mice.receive(player, message, payload, nowMs);
    this.collect();
  }

  tick(nowMs: number): void {
    this.bodies.tick(nowMs);
    this.mice.tick(nowMs);
    this.collect();
  }

  refresh(player: PlayerId, nowMs: number): void {
    this.bodies.refresh(player, nowMs);
    this.mice.refresh(player, nowMs);
    this.collect();
  }

  follow(player: PlayerId, nowMs: number): void {
    this.bodies.follow(player, nowMs);
    this.collect();
  }

  unfollow(player: PlayerId): void {
    this.bodies.unfollow(player);
  }

  takeEffects(): readonly Effect<PlayerInfoServerMessage>[] {
    return this.#effects.take();
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    if (room === PLAYER_INFO_ROOM) return this.bodies.tracks(nowMs);
    if (room === MOUSE_ROOM) return this.mice.tracks(nowMs);
    return room === undefined ? [...this.bodies.tracks(nowMs), ...this.mice.tracks(nowMs)] : [];
  }

  /** Pointers move between ticks, bodies do not. */
  tracksVersion(room: string): number | undefined {
    return room === PLAYER_INFO_ROOM ? this.bodies.tracksVersion() : undefined;
  }

  rooms(): ReadonlyMap<string, number> {
    return new Map([...this.bodies.rooms(), ...this.mice.rooms()]);
  }

  /** Mice need none. */
  usedMaps(): ReadonlyMap<string, string> {
    return this.bodies.usedMaps();
  }

  /** Takes over the effects of both parts. A player with a body receives in room `world`: its mouse is only shown. */
  protected collect(): void {
    for (const effect of this.bodies.takeEffects()) this.#effects.add(effect);
    for (const effect of this.mice.takeEffects()) {
      const isShown =
        (effect.effect === "enter" || effect.effect === "exit") && hasBody(this.#players.get(effect.player));
      if (!isShown) this.#effects.add(effect);
      else this.#effects.add({ ...effect, effect: effect.effect === "enter" ? "show" : "hide" });
    }
  }

  save(): SavedWorld {
    const players = Array.from(this.#players.values(), ({ id, joining: { account, name, room } }) => {
      return { id, account, name, room };
    });
    const state = { players, bodies: this.bodies, mice: this.mice, effects: this.#effects };
    return savedWorld(this.#outline, copyState(savedState, state));
  }

  restore(saved: SavedWorld): void {
    const state = checkSaved(saved, this.#outline, savedState);
    const players = new PlayerTable<Player>(MAX_PLAYER_INDEX);
    for (const { id, account, name, room } of state.players) {
      players.add(id, { id, joining: { account, name, ...(room === undefined ? {} : { room }) } });
    }
    const effects = new EffectQueue(state.effects);
    const bodies = this.bodies.prepareRestore(state.bodies);
    const mice = this.mice.prepareRestore(state.mice);
    const areParts =
      Array.from(bodies.players.values()).every(({ id }) => hasBody(players.get(id))) &&
      Array.from(mice.players.values()).every(({ id }) => players.has(id)) &&
      Array.from(players.values()).every((each) => (hasBody(each) ? bodies : mice).players.has(each.id));
    if (!areParts)
      throw new RangeError("Cannot restore: state.bodies or state.mice has other players than state.players");
    this.#players = players;
    this.#effects = effects;
    bodies.commit();
    mice.commit();
  }

  digest(): bigint {
    return digestOf(this.save());
  }
}

/** Its bodies walk about by themselves. */
export class OsrsWorld extends WorldOf<PlayerInfoWorld> {
  /** Throws `RangeError` for an unknown dialect or an invalid length of ticks. */
  constructor(options: OsrsWorldOptions) {
    super(options, new PlayerInfoWorld(options));
  }
}

/** Stands beside another server, whose players are its bodies: see `ShadowBodies`. Mice are those of our sessions. */
export class OsrsShadowWorld extends WorldOf<ShadowBodies> implements Shadowed {
  readonly shadow: Shadowed = this;

  /** Throws `RangeError` for an unknown dialect or an invalid length of ticks. */
  constructor(options: OsrsWorldOptions & Pick<ShadowBodiesOptions, "undescribed">) {
    super(options, new ShadowBodies(options));
  }

  /** The other server sent the player's client this message. */
  observe(player: PlayerId, message: WireMessage, nowMs: number): void {
    this.bodies.observe(player, message, nowMs);
    this.collect();
  }

  override receive(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    this.bodies.clicked(player, message);
    super.receive(player, message, payload, nowMs);
  }

  /** The rules of the mouse need nothing of what is not described. */
  missed(player: PlayerId, sender: Side, payload: Uint8Array): void {
    if (sender === "client") this.bodies.missedClick(player, payload);
  }

  lost(player: PlayerId): void {
    this.bodies.lost(player);
    this.collect();
  }

  isAdmitted(): boolean {
    return true;
  }
}
