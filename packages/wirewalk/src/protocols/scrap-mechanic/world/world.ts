/**
 * The world of Scrap Mechanic: clients send keys; the server moves their characters and sends all positions to all players.
 *
 * A packet waits in its player's buffer until its tick is due by the player's time budget: each tick is played once, in
 * order, and no faster than time passes. Rules are soft: they flag, and the movement goes on.
 *
 * ```ts
 * import { keySets, ScrapWorld, scrapCodec } from "wirewalk/scrap-mechanic";
 *
 * const world = new ScrapWorld({ dialect: "documented", seed: 1 });
 * const codec = scrapCodec("documented");
 * const send = (message, ms) => world.receive(1, message, codec.write("client", message), ms);
 * world.join(1, { account: "ann", name: "Ann" }, 0);
 * send({ message: "hello", value: { version: 1 } }, 0);
 * const [entered, welcome] = world.takeEffects();
 * entered; // => { effect: "enter", player: 1, room: "1" }
 * const { tick } = welcome.message.value;
 * send({ message: "playerMovement", value: { tick, keys: keySets[4], direction: 64, yaw: 0, pitch: 64 } }, 30);
 * world.tick(50);
 * const [update] = world.takeEffects();
 * update.message.value.currentTick; // => tick
 * update.message.value.updates[0].position.y > welcome.message.value.position.y; // => true
 * ```
 */
import { FairClock, type PlayerId, type Track } from "../../../motion/index.ts";
import type { PlayerBudget } from "../../player-budget.ts";
import { checkResponses, givenResponses, savedResponses } from "../../responses.ts";
import type { Effect, Joining, Refusal, SavedWorld, World, WorldOptions } from "../../world.ts";
import {
  checkSaved,
  copyState,
  digestOf,
  EffectQueue,
  PlayerTable,
  RoomTable,
  type SavedOutline,
  savedOptions,
  savedWorld,
} from "../../world-kit/index.ts";
import { UsedMaps } from "../../world-kit/used-maps.ts";
import { type GridMaps, gridMapsIn } from "../maps/grid-maps.ts";
import {
  type MovementModel,
  type MovementModelName,
  modelOf,
  seatCharacter,
  startTumbling,
  TICK_MS,
} from "../movement/model.ts";
import { type Place, type PlaceName, placeOf } from "../movement/place.ts";
import type { ScrapClientMessage, ScrapServerMessage } from "../wire/codec.ts";
import { checkScrapDialect } from "../wire/dialect.ts";
import { SESSION_VERSION } from "../wire/session.ts";
import { MAX_UPDATES, type ObjectUpdate, type Vector3 } from "../wire/unreliable-update.ts";
import { type Character, leaveCharacter, liveOf, restoreCharacter, spawnCharacter } from "./character.ts";
import { CharacterTicks } from "./character-ticks.ts";
import { type ScrapLimits, scrapLimits } from "./limits.ts";
import { budgetsOf, trackOf, updatesOf } from "./observations.ts";
import { type SessionRule, scrapResponses } from "./rules.ts";
import { charactersOf, createLeftPlaces, type Player, type Room, SCHEMA, savedState } from "./saved-state.ts";
import { findSeat, standUp } from "./seats.ts";

/** The options of a world beyond those of every protocol. */
export interface ScrapWorldOptions extends WorldOptions {
  /** The place of all rooms, without maps. Default `plain`. */
  readonly place?: PlaceName | undefined;
  /** Default `smServer`. */
  readonly model?: MovementModel | MovementModelName;
  /** Limits of the rules. Default: those of `scrapLimitTable`. */
  readonly limits?: Partial<ScrapLimits>;
}

/** Sessions at most: each receives all places of its room 40 times a second. */
const CAPACITY = 2000;
/** Players of a room at most: 0x18 counts its updates in a byte. */
const ROOM_CAPACITY = MAX_UPDATES;
const DEFAULT_ROOM = "1";

/** Rooms, and characters on the ground of each. */
export class ScrapWorld implements World<ScrapClientMessage, ScrapServerMessage> {
  readonly tickMs = TICK_MS;
  readonly capacity = CAPACITY;
  readonly #outline: SavedOutline;
  readonly #model: MovementModel;
  readonly #maps: GridMaps | undefined;
  readonly #placeOf: (room: string) => Place;
  readonly #limits: ScrapLimits;
  readonly #ticks: CharacterTicks;
  #players = new PlayerTable<Player>(CAPACITY);
  /** Players whose hello is awaited, in the order in which they joined. */
  #silent = new Set<Player>();
  #rooms = new RoomTable<string, Room>();
  #left = createLeftPlaces();
  #effects = new EffectQueue<ScrapServerMessage>();
  #clock = new FairClock({ tickMs: TICK_MS });
  #used = new UsedMaps();
  /** Places of rooms, while there are players in them. */
  readonly #places = new Map<string, Place>();

  /** Throws `RangeError` for an unknown dialect, `TypeError` for maps of another game. */
  constructor(options: ScrapWorldOptions) {
    const { place = "plain" } = options;
    this.#maps = gridMapsIn(options);
    this.#placeOf = (room) => placeOf({ ...options, room });
    const model = modelOf(options.model);
    const { responses = {} } = options;
    checkResponses("scrap-mechanic", responses, scrapResponses);
    this.#model = model;
    const limits = scrapLimits(options.limits);
    this.#limits = limits;
    this.#ticks = new CharacterTicks({
      model,
      place: (room) => this.#place(room),
      limits,
      responses: givenResponses(options),
      verdict: (verdict) => void this.#effects.verdict(verdict),
      use: (character, nowMs) => this.#use(character, nowMs),
    });
    this.#outline = {
      schema: SCHEMA,
      world: `scrap-mechanic/${checkScrapDialect(options.dialect)}`,
      options: savedOptions({
        model,
        place,
        maps: this.#maps === undefined ? "none" : "given",
        ...limits,
        ...savedResponses(responses),
      }),
    };
  }

  refuses({ room = DEFAULT_ROOM }: Joining): Refusal | undefined {
    if (!/^[1-9]\d{0,4}$/.test(room)) return "bad-room";
    if (this.#players.isFull || this.#membersOf(room) >= ROOM_CAPACITY) return "full";
    return undefined;
  }

  /** What the characters of a room stand on. */
  #place(room: string): Place {
    const known = this.#places.get(room);
    if (known !== undefined) return known;
    const maps = this.#maps;
    const name = maps?.placeOf(room);
    if (maps !== undefined && name !== undefined) this.#used.note(name, () => maps.digest(name));
    const place = this.#placeOf(room);
    this.#places.set(room, place);
    return place;
  }

  /** Players before their hello count too. */
  #membersOf(room: string): number {
    let members = 0;
    for (const player of this.#players.values()) if (player.room === room) members += 1;
    return members;
  }

  join(id: PlayerId, joining: Joining, nowMs: number): void {
    this.#players.checkJoin(id, this.refuses(joining));
    const { account, room = DEFAULT_ROOM } = joining;
    const player: Player = {
      id,
      account,
      room,
      helloUntilMs: this.#clock.fairMs(nowMs) + this.#limits.helloMs,
      character: undefined,
    };
    this.#players.add(id, player);
    this.#silent.add(player);
  }

  leave(id: PlayerId, nowMs: number): void {
    const player = this.#players.remove(id);
    if (player === undefined) return;
    this.#silent.delete(player);
    if (player.character === undefined) return;
    const { account, room } = player;
    this.#left.add({ account, room, leftMs: nowMs, kept: leaveCharacter(player.character) });
    this.#rooms.get(room)?.players.delete(player.character);
    this.#rooms.dropIfUnused(room);
    if (this.#rooms.get(room) === undefined) this.#places.delete(room);
    this.#effects.exit(id, room);
    this.#effects.broadcast(room, id, { message: "left", value: { character: id } });
  }

  receive(id: PlayerId, message: ScrapClientMessage, payload: Uint8Array, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    if (message.message === "hello") this.#receiveHello(player, message.value.version, payload, nowMs);
    else if (player.character === undefined) {
      const what = message.message === "use" ? "The use key" : "Movement";
      this.#breach(player, "not-playing", `${what} before the session is playing`, payload, nowMs);
    } else if (message.message === "use") this.#ticks.use(player.character, nowMs);
    else this.#ticks.receive(player.character, message.value, payload, nowMs, this.#clock.stalledMs(nowMs));
  }

  tick(nowMs: number): void {
    const serverTick = tickAt(nowMs);
    this.#clock.tick(nowMs);
    this.#endSilence(nowMs);
    this.#left.tick(nowMs);
    const stalledMs = this.#clock.stalledMs(nowMs);
    for (const { players } of this.#rooms.values()) {
      for (const character of players) this.#ticks.play(character, nowMs, stalledMs);
      const updates = updatesOf(players);
      for (const character of players) this.#sendUpdate(character, serverTick, updates);
    }
  }

  refresh(id: PlayerId, nowMs: number): void {
    const character = this.#players.get(id)?.character;
    if (character === undefined) return;
    this.#sendUpdate(character, tickAt(nowMs), updatesOf(this.#charactersIn(character.room)));
  }

  takeEffects(): readonly Effect<ScrapServerMessage>[] {
    return this.#effects.take();
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    const rooms =
      room === undefined ? [...this.#rooms.values()].map(({ players }) => players) : [this.#charactersIn(room)];
    return rooms.flatMap((characters) => Array.from(characters, (each) => trackOf(each, nowMs)));
  }

  budgets(player: PlayerId): readonly PlayerBudget[] {
    const character = this.#players.get(player)?.character;
    return character === undefined ? [] : budgetsOf(character, this.#limits);
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#rooms.counts();
  }

  usedMaps(): ReadonlyMap<string, string> {
    return this.#used.digests;
  }

  save(): SavedWorld {
    const players = Array.from(this.#players.values(), ({ character, ...player }) => {
      return { ...player, character: character && liveOf(character) };
    });
    const rooms = Array.from(this.#rooms.entries(), ([name, { players: characters }]) => {
      return [name, Array.from(characters, ({ player }) => player)] as const;
    });
    const plain = { players, rooms, used: this.#used.digests };
    const state = { ...plain, left: this.#left, effects: this.#effects, clock: this.#clock };
    return savedWorld(this.#outline, copyState(savedState, state));
  }

  restore(saved: SavedWorld): void {
    const state = checkSaved(saved, this.#outline, savedState);
    const used = new UsedMaps(state.used);
    used.mustBeIn(this.#maps);
    const players = new PlayerTable<Player>(CAPACITY);
    for (const { id, account, room, helloUntilMs, character } of state.players) {
      const restored = character && restoreCharacter(id, room, character, this.#limits);
      players.add(id, { id, account, room, helloUntilMs, character: restored });
    }
    const rooms = new RoomTable<string, Room>({
      rooms: Array.from(state.rooms, ([name, ids]) => [name, { players: new Set(charactersOf(players, ids)) }]),
    });
    const effects = new EffectQueue(state.effects);
    this.#players = players;
    this.#silent = new Set([...players.values()].filter(({ helloUntilMs }) => helloUntilMs !== undefined));
    this.#rooms = rooms;
    this.#left = createLeftPlaces(state.left);
    this.#effects = effects;
    this.#clock = new FairClock({ tickMs: TICK_MS }, state.clock);
    this.#used = used;
    this.#places.clear();
  }

  digest(): bigint {
    return digestOf(this.save());
  }

  /**
   * Seats a character where it is, or puts it back on its feet: for game code. While it is seated nothing moves it. Nothing
   * happens for an unknown character.
   */
  setSeated(id: PlayerId, seated: boolean, nowMs: number): void {
    const character = this.#players.get(id)?.character;
    if (character === undefined) return;
    if (!seated) standUp(character, this.#model, this.#place(character.room));
    else this.#sit(character, character.state, nowMs);
  }

  /**
   * Lets a character tumble, with a push in units/s: for game code. It gets up by itself when it is slow. Nothing happens for
   * an unknown character. Throws `RangeError` for a push that is not finite.
   */
  tumble(id: PlayerId, push: Vector3): void {
    if (![push.x, push.y, push.z].every(Number.isFinite)) throw new RangeError("push must be finite");
    const character = this.#players.get(id)?.character;
    if (character === undefined) return;
    character.seatedTick = undefined;
    startTumbling(character.state, this.#model, push);
  }

  /** The use key: down on a free seat in reach, or up from one. */
  #use(character: Character, nowMs: number): void {
    if (character.seatedTick !== undefined) {
      standUp(character, this.#model, this.#place(character.room), "use key");
      return;
    }
    const seat = findSeat(character, this.#charactersIn(character.room), this.#place(character.room));
    if (seat !== undefined) this.#sit(character, seat, nowMs);
  }

  #sit(character: Character, at: Vector3, nowMs: number): void {
    seatCharacter(character.state, at);
    character.seatedTick ??= character.budget.reachedTick(nowMs) + 1;
  }

  #charactersIn(room: string): Iterable<Character> {
    return this.#rooms.get(room)?.players ?? [];
  }

  // --- Session -------------------------------------------------------------------------------------------------------

  #receiveHello(player: Player, version: number, payload: Uint8Array, nowMs: number): void {
    const { id, account, room } = player;
    if (player.character !== undefined) {
      this.#breach(player, "hello-twice", "Playing already", payload, nowMs);
      return;
    }
    if (version !== SESSION_VERSION) {
      this.#breach(player, "wrong-version", `Speaks version ${version}, not ${SESSION_VERSION}`, payload, nowMs);
      return;
    }
    const tick = tickAt(nowMs);
    const packet = payload.slice();
    // To connect again is no way back to the spawn, and no new slack for a fast clock.
    const [left] = this.#left.of(account, room, nowMs);
    if (left !== undefined) this.#left.take(account, left.id);
    const character = spawnCharacter({
      player: id,
      room,
      model: this.#model,
      ground: this.#place(room).ground,
      tick,
      packet,
      left: left?.kept,
      nowMs,
      stalledMs: this.#clock.stalledMs(nowMs),
      limits: this.#limits,
    });
    player.character = character;
    this.#endAwaiting(player);
    this.#rooms.obtain(room, () => ({ players: new Set() })).players.add(character);
    this.#effects.enter(id, room);
    const { x, y, z } = character.state;
    this.#effects.send(id, { message: "playing", value: { character: id, tick, position: { x, y, z } } });
  }

  #endSilence(nowMs: number): void {
    for (const player of this.#silent) {
      if (player.helloUntilMs !== undefined && this.#clock.fairMs(nowMs) < player.helloUntilMs) return;
      this.#endAwaiting(player);
      this.#breach(player, "no-hello", `No hello within ${this.#limits.helloMs / 1000} s`, new Uint8Array(), nowMs);
    }
  }

  #endAwaiting(player: Player): void {
    player.helloUntilMs = undefined;
    this.#silent.delete(player);
  }

  /** A protocol error: refused, and the session ends. */
  #breach({ id, room }: Player, rule: SessionRule, reason: string, message: Uint8Array, nowMs: number): void {
    this.#effects.verdict({ kind: "reject", rule, reason, player: id, room, atMs: nowMs, message, stateBefore: {} });
    this.#effects.close(id, reason);
  }

  #sendUpdate(character: Character, serverTick: number, updates: readonly ObjectUpdate[]): void {
    const value = { serverTick, currentTick: character.movement.tick, updates };
    this.#effects.send(character.player, { message: "unreliableUpdate", value }, "unreliable");
  }
}

/** The tick of a time, modulo 2^32. */
function tickAt(nowMs: number): number {
  return Math.floor(nowMs / TICK_MS) >>> 0;
}
