/**
 * The world of MapleStory: maps and channels, players with pets and summons, monsters and who drives them, the rules,
 * and who is told what. The clients compute all movement; the server checks it and passes it on, byte for byte, to
 * everybody on the same map and channel but the sender.
 *
 * ```ts
 * const world = new MapleWorld({ dialect: "v62", seed: 1, demo: true });
 * world.join(1, { account: "a", name: "a" }, 0);
 * world.receive(1, { message: "playerLoggedIn", value: { characterId: 7, reserved: 0 } }, payload, 0);
 * world.takeEffects(); // changeMap, enter, showMonster, controlMonster
 * ```
 */
import type { PlaybackPolicy, PlayerId, Track, Verdict, VerdictKind } from "../../../motion/index.ts";
import { formatHex, type JsonObject } from "../../../wire/index.ts";
import type { Effect, Joining, Refusal, World, WorldOptions } from "../../world.ts";
import { demoMap } from "../movement/demo-maps.ts";
import { heightAt, type MapleMap } from "../movement/map.ts";
import { maplePlayback } from "../movement/native-playback.ts";
import { durationOf, type NodePath, nodesOf } from "../movement/nodes.ts";
import type { VerificationPattern } from "../movement/verification-pattern.ts";
import {
  type DocumentedMovePlayer,
  type MapleClientMessage,
  type MapleServerMessage,
  type MoveMessage,
  pathBytesOf,
  type V62MovePlayer,
} from "../wire/codec.ts";
import { type DialectRules, dialectRules } from "../wire/dialect.ts";
import { stances } from "../wire/fragment.ts";
import { CHEAT_REPORT_FLAG, keyBits, type Point, plainPlayer } from "../wire/messages.ts";
import { DurationBudget } from "./duration-budget.ts";
import { type Assignment, HAND_OVER_MS, type Monster, MonsterControl, spawnOf } from "./monsters.ts";
import {
  fastest,
  judgePath,
  type MapleRule,
  monsterLimits,
  type PlayerFactors,
  playerLimits,
  SideBalance,
} from "./rules.ts";
import { type VerificationScore, verifyBox, verifyClock, verifyPath, verifyPattern } from "./verification.ts";

/** The options of a world beyond those of every protocol. */
export interface MapleWorldOptions extends WorldOptions {
  /** The maps, where they are known: the hook for the game's own data. Default: the demo maps, if they are asked for. */
  readonly maps?: (mapId: number) => MapleMap | undefined;
  /** Where somebody without a wish comes in. Default 1. */
  readonly startMap?: number;
  /** Whether a player has a skill that teleports it now. Default: nobody. */
  readonly mayTeleport?: (player: PlayerId, nowMs: number) => boolean;
  /** What `documented` clients and this server have agreed on; without one the opaque bytes are not looked at. */
  readonly pattern?: VerificationPattern;
}

const TICK_MS = 100;
const CAPACITY = 1000;
const MAX_MAP_ID = 999_999_999;
const MAX_CHANNEL = 20;
const DEFAULT_MAP = 1;
const DEFAULT_SPAWN: Point = { x: 0, y: 0 };
/** How often a client is asked whether it is there, and how long it may take to say so, milliseconds. */
const PING_MS = 20_000;
const PONG_MS = 40_000;
/** Who has connected and not said which character comes in is let go, milliseconds. */
const LOGIN_MS = 30_000;
/** Where no word of ours begins the play, a client plays from its connection on: so much earlier than we know of it. */
const CONNECTING_MS = 2000;
/** Paths with another fieldKey are late for so long after a change of map, milliseconds. */
const STALE_KEY_MS = 10_000;
/** Where a client says that it comes in may be so far from where the portal is, pixels: it falls to the ground first. */
const ENTRY_PX = 100;
/** How far off the start of a `documented` path may be, pixels: the end before it was only extrapolated. */
const DOCUMENTED_START_PX = 60;
/** A start off by no more is rounding that some clients do, pixels. */
const BENIGN_START_PX = 2;
/** How near a portal one must stand to go through, pixels. */
const PORTAL_PX = 25;
/** Paths of each player that are remembered, to know one that is sent again. */
const REMEMBERED_PATHS = 16;
/** Pets and summons of one player: the game has 3 and 1. */
const MAX_COMPANIONS = 8;
/** How often those who look on are told where a room's monsters are, milliseconds, and of how many at most. */
const SHOW_MONSTERS_MS = 1000;
const MAX_SHOWN_MONSTERS = 100;
/** Path bytes of one player that those who look on are shown in a second: who drives a map's monsters alone sends 1 kB. */
const MAX_SHOWN_BYTES = 8192;
/** Whom an observation is about that is about nobody in particular. */
const NOBODY: PlayerId = 0;

interface Companion {
  /** Of a pet: its place in the owner's row. */
  readonly slot: number;
  readonly budget: DurationBudget;
}

interface Player {
  readonly id: PlayerId;
  readonly joining: Joining;
  readonly sinceMs: number;
  /** Undefined until the client has said which character comes in. */
  characterId: number | undefined;
  room: Room | undefined;
  isHidden: boolean;
  fieldKey: number;
  /** Until when paths with the key before it are only late. */
  staleKeyUntilMs: number;
  /** Where the last path ended. */
  x: number;
  y: number;
  state: number;
  foothold: number;
  /** The next start may be anywhere near (`near`), anywhere at all, or must be the last end. */
  start: "near" | "anywhere" | "exact";
  budget: DurationBudget;
  factors: PlayerFactors;
  moves: number;
  readonly recent: string[];
  readonly pets: Map<bigint, Companion>;
  readonly summons: Map<number, Companion>;
  readonly balance: SideBalance;
  ghost: PlaybackPolicy;
  scores: readonly VerificationScore[];
  /** Since when, and how many bytes of its paths, those who look on were shown. */
  shownSinceMs: number;
  shownBytes: number;
  lastPingMs: number;
  lastPongMs: number;
}

interface Room {
  readonly name: string;
  readonly mapId: number;
  readonly channel: number;
  readonly map: MapleMap | undefined;
  readonly players: Set<Player>;
  readonly control: MonsterControl;
  /** When those who look on were told of its monsters last. */
  shownAtMs: number;
}

/** A path as those who look on are shown it, in the observation `path`. */
export interface ShownPath {
  /** Who went it. */
  readonly actor: "player" | "monster" | "pet" | "summon";
  /** The character of a player or of a pet's owner, the monster, the summon. */
  readonly id: number;
  /** The client's packet, without frame and cipher. */
  readonly packetBytes: number;
  /** The path in hex, as it is relayed: four bytes (`v62`: the start), the count, the fragments. */
  readonly path: string;
}

/** A monster as those who look on are shown it, once a second, in the list `monsters` of the observation `monsters`. */
export interface ShownMonster {
  readonly mobId: number;
  readonly template: number;
  readonly x: number;
  readonly y: number;
  readonly state: number;
  /** Who drives it; null: nobody. */
  readonly controller: PlayerId | null;
}

/** The maps and channels of one dialect and who is on them. */
export class MapleWorld implements World<MapleClientMessage, MapleServerMessage> {
  readonly tickMs = TICK_MS;
  readonly capacity = CAPACITY;
  readonly #options: MapleWorldOptions;
  readonly #dialect: DialectRules;
  readonly #maps: (mapId: number) => MapleMap | undefined;
  readonly #logOnly: boolean;
  readonly #players = new Map<PlayerId, Player>();
  readonly #rooms = new Map<string, Room>();
  readonly #createGhost: () => PlaybackPolicy;
  #lastMobId = 1_000_000;
  #effects: Effect<MapleServerMessage>[] = [];

  constructor(options: MapleWorldOptions) {
    this.#options = options;
    this.#dialect = dialectRules(options.dialect);
    this.#maps = options.maps ?? ((mapId) => (options.demo ? demoMap(mapId) : undefined));
    this.#logOnly = options.enforcement === "log";
    const wanted = this.#dialect.name === "documented" ? "documented" : "native";
    const policy = maplePlayback("player").find(({ name }) => name === wanted);
    if (policy === undefined) throw new Error("Cannot happen: every dialect has its policy");
    this.#createGhost = policy.create;
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#players.size >= CAPACITY) return "full";
    return joining.room !== undefined && parseRoom(joining.room) === undefined ? "bad-room" : undefined;
  }

  join(id: PlayerId, joining: Joining, nowMs: number): void {
    const refusal = this.refuses(joining);
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    if (this.#players.has(id)) throw new RangeError(`Cannot join: player ${id} is here already`);
    const player: Player = {
      id,
      joining,
      sinceMs: nowMs,
      characterId: undefined,
      room: undefined,
      isHidden: false,
      fieldKey: 0,
      staleKeyUntilMs: nowMs,
      ...DEFAULT_SPAWN,
      state: stances.stand << 1,
      foothold: 0,
      start: "anywhere",
      budget: new DurationBudget(nowMs),
      factors: { speed: 1, jump: 1 },
      moves: 0,
      recent: [],
      pets: new Map(),
      summons: new Map(),
      balance: new SideBalance(),
      ghost: this.#createGhost(),
      scores: [],
      shownSinceMs: nowMs,
      shownBytes: 0,
      lastPingMs: nowMs,
      lastPongMs: nowMs,
    };
    this.#players.set(id, player);
    // Without the word for it, whoever is connected is in.
    if (this.#dialect.movementOnly) this.#logIn(player, id, nowMs);
  }

  leave(id: PlayerId, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    this.#exit(player, nowMs);
    this.#players.delete(id);
  }

  receive(id: PlayerId, message: MapleClientMessage, payload: Uint8Array, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    switch (message.message) {
      case "playerLoggedIn":
        this.#receiveLogin(player, message.value.characterId, payload, nowMs);
        return;
      case "pong":
        player.lastPongMs = nowMs;
        return;
      case "aggro":
        this.#receiveAggro(player, message.value.mobId, payload, nowMs);
        return;
      case "moveLife":
        this.#receiveLife(player, message, payload, nowMs);
        return;
      default:
        this.#receiveOwn(player, message, payload, nowMs);
    }
  }

  tick(nowMs: number): void {
    for (const room of this.#rooms.values()) this.#observeMonsters(room, nowMs);
    if (this.#dialect.movementOnly) return;
    for (const player of this.#players.values()) {
      if (player.characterId === undefined) {
        if (nowMs - player.sinceMs >= LOGIN_MS) this.#close(player, "login-expected");
      } else if (nowMs - player.lastPongMs >= PING_MS + PONG_MS) {
        this.#close(player, "ping-timeout");
        // Once is enough: it is on its way out.
        player.lastPongMs = nowMs;
      } else if (nowMs - player.lastPingMs >= PING_MS) {
        player.lastPingMs = nowMs;
        this.#send(player.id, { message: "ping", value: {} });
      }
    }
  }

  refresh(id: PlayerId, _nowMs: number): void {
    const player = this.#players.get(id);
    if (player?.room === undefined) return;
    this.#describeRoom(player, player.room);
  }

  takeEffects(): readonly Effect<MapleServerMessage>[] {
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    const players = room === undefined ? this.#players.values() : (this.#rooms.get(room)?.players ?? []);
    const tracks: Track[] = [];
    for (const player of players) if (player.room !== undefined) tracks.push(this.#track(player, player.room, nowMs));
    return tracks;
  }

  rooms(): ReadonlyMap<string, number> {
    const occupied = [...this.#rooms.values()].filter(({ players }) => players.size > 0);
    return new Map(occupied.map(({ name, players }) => [name, players.size]));
  }

  // --- For game code -------------------------------------------------------------------------------------------------

  /** The monsters of a room, by id. They live as long as the world. */
  monsters(room: string): ReadonlyMap<number, Readonly<Monster>> {
    return this.#rooms.get(room)?.control.monsters ?? new Map();
  }

  /** Players of a room that others can see. */
  visiblePlayers(room: string): readonly PlayerId[] {
    return [...(this.#rooms.get(room)?.players ?? [])].filter(({ isHidden }) => !isHidden).map(({ id }) => id);
  }

  /** How genuine a player's last path was, check by check. */
  scoresOf(id: PlayerId): readonly VerificationScore[] {
    return this.#player(id).scores;
  }

  /** Sets what soda and skills multiply. Throws `RangeError` for factors that are not positive. */
  setFactors(id: PlayerId, factors: PlayerFactors): void {
    if (!(factors.speed > 0 && factors.jump > 0)) throw new RangeError("factors must be positive");
    this.#player(id).factors = factors;
  }

  /** Gives a player a pet. Throws `RangeError` for more than the game has. */
  addPet(id: PlayerId, petId: bigint, slot: number, nowMs: number): void {
    const { pets } = this.#player(id);
    if (pets.size >= MAX_COMPANIONS) throw new RangeError(`A player has at most ${MAX_COMPANIONS} pets`);
    pets.set(petId, { slot, budget: new DurationBudget(nowMs) });
  }

  /** Gives a player a summon. Throws `RangeError` for more than the game has. */
  addSummon(id: PlayerId, summonId: number, nowMs: number): void {
    const { summons } = this.#player(id);
    if (summons.size >= MAX_COMPANIONS) throw new RangeError(`A player has at most ${MAX_COMPANIONS} summons`);
    summons.set(summonId, { slot: 0, budget: new DurationBudget(nowMs) });
  }

  /** Hides a game master from everybody, or shows it again. A hidden one drives no monsters. */
  setHidden(id: PlayerId, hidden: boolean, nowMs: number): void {
    const player = this.#player(id);
    const { room } = player;
    if (player.isHidden === hidden) return;
    player.isHidden = hidden;
    if (room === undefined) return;
    if (hidden) {
      this.#broadcastNeighbour(room, id, { message: "removePlayer", value: { characterId: characterOf(player) } });
      this.#tellAssignments(room, room.control.exit(id, nowMs));
    } else {
      this.#broadcastNeighbour(room, id, this.#show(player));
      this.#tellAssignments(room, room.control.enter(id, nowMs));
    }
  }

  /** A player hits a monster: it drives it from here on, with aggro. */
  attack(id: PlayerId, mobId: number, nowMs: number): void {
    const { room } = this.#player(id);
    if (room !== undefined) this.#tellAssignments(room, room.control.attack(mobId, id, nowMs));
  }

  /** Puts a monster on a map, also while nobody is there. Gives its id. Throws `RangeError` for no such room. */
  spawnMonster(roomName: string, template: number, at: Point, nowMs: number): number {
    const wish = parseRoom(roomName);
    if (wish === undefined) throw new RangeError(`There is no room ${roomName}`);
    const room = this.#room(wish.mapId, wish.channel, nowMs);
    const monster = this.#createMonster(room, template, at);
    const assigned = room.control.add(monster, nowMs);
    this.#broadcastNeighbour(room, undefined, this.#showMonster(monster));
    this.#tellAssignments(room, assigned);
    return monster.mobId;
  }

  /** A monster dies. Throws `RangeError` when there is none. */
  killMonster(roomName: string, mobId: number, nowMs: number): void {
    const room = this.#rooms.get(roomName);
    const monster = room?.control.monsters.get(mobId);
    if (room === undefined || monster === undefined)
      throw new RangeError(`There is no monster ${mobId} in ${roomName}`);
    room.control.remove(mobId, nowMs);
    this.#broadcastNeighbour(room, undefined, { message: "removeMonster", value: { mobId, animation: 1 } });
  }

  /**
   * Takes a player to a map's portal, with a new fieldKey. Throws `RangeError` for numbers that are no map, channel or
   * portal.
   */
  changeMap(id: PlayerId, mapId: number, channel: number, portal: number, nowMs: number): void {
    const wish = parseRoom(roomName(mapId, channel));
    if (wish === undefined) throw new RangeError(`There is no map ${mapId} on channel ${channel}`);
    if (!(Number.isInteger(portal) && portal >= 0 && portal <= 0xff)) throw new RangeError(`${portal} is no portal`);
    const player = this.#player(id);
    this.#exit(player, nowMs);
    this.#enter(player, this.#room(mapId, channel, nowMs), portal, nowMs);
  }

  // --- Coming and going ------------------------------------------------------------------------------------------------

  #receiveLogin(player: Player, characterId: number, payload: Uint8Array, nowMs: number): void {
    if (player.characterId !== undefined) {
      this.#verdict(player, "reject", "login-twice", "A character is in the world already", payload, nowMs);
      return;
    }
    for (const other of this.#players.values()) {
      if (other.characterId !== characterId) continue;
      this.#verdict(player, "reject", "character-online", "Somebody else plays this character", payload, nowMs);
      this.#close(player, "already-online");
      return;
    }
    this.#logIn(player, characterId, nowMs);
  }

  #logIn(player: Player, characterId: number, nowMs: number): void {
    player.characterId = characterId;
    player.lastPingMs = nowMs;
    player.lastPongMs = nowMs;
    // Who has which pets is known where the login is done: until game code says more, one with the character's number.
    this.addPet(player.id, BigInt(characterId), 0, nowMs);
    const wish = player.joining.room === undefined ? undefined : parseRoom(player.joining.room);
    const { mapId, channel } = wish ?? { mapId: this.#options.startMap ?? DEFAULT_MAP, channel: 1 };
    const room = this.#room(mapId, channel, nowMs);
    const portals = room.map?.portals.length ?? 0;
    this.#enter(player, room, portals === 0 ? 0 : player.id % portals, nowMs);
  }

  #enter(player: Player, room: Room, portal: number, nowMs: number): void {
    const at = room.map?.portals[portal] ?? DEFAULT_SPAWN;
    player.room = room;
    player.x = at.x;
    player.y = at.y;
    player.foothold = 0;
    player.state = stances.stand << 1;
    player.start = !this.#dialect.movementOnly && room.map !== undefined ? "near" : "anywhere";
    player.staleKeyUntilMs = nowMs + STALE_KEY_MS;
    player.fieldKey = (player.fieldKey + 1) & 0xff;
    player.budget = new DurationBudget(nowMs, !this.#dialect.movementOnly ? 0 : CONNECTING_MS);
    player.ghost = this.#createGhost();
    player.recent.length = 0;
    room.players.add(player);
    if (!this.#dialect.movementOnly) {
      const { mapId, channel } = room;
      const target = { content: "map", notices: 0, mapId, spawnPoint: portal, hp: 50, chase: 0, time: 0n } as const;
      this.#send(player.id, {
        message: "changeMap",
        value: { channel: channel - 1, fieldKey: player.fieldKey, target },
      });
    }
    this.#effects.push({ effect: "enter", player: player.id, room: room.name });
    if (!player.isHidden) this.#broadcastNeighbour(room, player.id, this.#show(player));
    this.#describeRoom(player, room);
    if (!player.isHidden) this.#tellAssignments(room, room.control.enter(player.id, nowMs));
  }

  #exit(player: Player, nowMs: number): void {
    const { room } = player;
    if (room === undefined) return;
    player.room = undefined;
    room.players.delete(player);
    const assignments = room.control.exit(player.id, nowMs);
    this.#effects.push({ effect: "exit", player: player.id, room: room.name });
    if (!player.isHidden) {
      this.#broadcastNeighbour(room, player.id, {
        message: "removePlayer",
        value: { characterId: characterOf(player) },
      });
    }
    this.#tellAssignments(room, assignments);
  }

  /** What somebody who comes in sees. */
  #describeRoom(player: Player, room: Room): void {
    if (this.#dialect.movementOnly) return;
    for (const other of room.players) {
      if (other !== player && !other.isHidden) this.#send(player.id, this.#show(other));
    }
    for (const monster of room.control.monsters.values()) this.#send(player.id, this.#showMonster(monster));
    for (const monster of room.control.monsters.values()) {
      if (monster.controller === player.id) this.#send(player.id, controlOf(monster));
    }
  }

  #room(mapId: number, channel: number, nowMs: number): Room {
    const name = roomName(mapId, channel);
    let room = this.#rooms.get(name);
    if (room === undefined) {
      const map = this.#maps(mapId);
      room = { name, mapId, channel, map, players: new Set(), control: new MonsterControl(), shownAtMs: nowMs };
      // Unknown maps have no monsters and nothing to remember: a room of them is kept only while somebody is there.
      this.#rooms.set(name, room);
      for (const { template, x, y } of map?.monsters ?? []) {
        room.control.add(this.#createMonster(room, template, { x, y }), nowMs);
      }
      this.#dropEmptyRooms(room);
    }
    return room;
  }

  /** Rooms cost little, but their names are a client's wish: more than a world's players could be in are not kept. */
  #dropEmptyRooms(kept: Room): void {
    if (this.#rooms.size <= CAPACITY) return;
    for (const [name, room] of this.#rooms) {
      if (room !== kept && room.players.size === 0) this.#rooms.delete(name);
    }
  }

  #createMonster(room: Room, template: number, at: Point): Monster {
    this.#lastMobId += 1;
    const ground = room.map?.below(at.x, at.y);
    const foothold = ground?.foothold.id ?? 0;
    return {
      mobId: this.#lastMobId,
      template,
      room: room.name,
      mp: 100,
      x: at.x,
      y: ground === undefined ? at.y : Math.round(heightAt(ground.foothold, at.x)),
      state: stances.stand << 1,
      foothold,
      originFoothold: foothold,
      controller: undefined,
      aggro: false,
      former: new Map(),
      attacked: undefined,
      movedAtMs: -Infinity,
    };
  }

  #show(player: Player): MapleServerMessage {
    const { joining, x, y, state } = player;
    const name = joining.name.slice(0, 12).replaceAll(/[^\x20-\x7e]/g, "?");
    return { message: "showPlayer", value: plainPlayer({ characterId: characterOf(player), name, x, y, state }) };
  }

  #showMonster(monster: Monster): MapleServerMessage {
    return { message: "showMonster", value: { mobId: monster.mobId, spawn: spawnOf(monster, false) } };
  }

  #tellAssignments(room: Room, assignments: readonly Assignment[]): void {
    if (this.#dialect.movementOnly) return;
    for (const { monster, from, to } of assignments) {
      const old = from === undefined ? undefined : this.#players.get(from);
      if (old?.room === room) {
        this.#send(old.id, { message: "controlMonster", value: { mode: "stop", mobId: monster.mobId } });
      }
      if (to !== undefined) this.#send(to, controlOf(monster));
    }
  }

  // --- The player, its pets and summons -----------------------------------------------------------------------------------

  #receiveOwn(
    player: Player,
    message: Exclude<MoveMessage, { message: "moveLife" }>,
    payload: Uint8Array,
    nowMs: number,
  ): void {
    const { room } = player;
    if (room === undefined) {
      this.#verdict(player, "reject", "not-on-a-map", "Moved before coming in", payload, nowMs);
      return;
    }
    if (message.message === "movePlayer") this.#receiveMove(player, room, message, payload, nowMs);
    else this.#receiveCompanion(player, room, message, payload, nowMs);
  }

  #receiveCompanion(
    player: Player,
    room: Room,
    message: Extract<MoveMessage, { message: "movePet" | "moveSummon" }>,
    payload: Uint8Array,
    nowMs: number,
  ): void {
    const isPet = message.message === "movePet";
    const companion = isPet ? player.pets.get(message.value.petId) : player.summons.get(message.value.summonId);
    if (companion === undefined) {
      const rule = isPet ? "pet-owner" : "summon-owner";
      this.#verdict(player, "reject", rule, "Moved what is not its own", payload, nowMs);
      return;
    }
    if (this.#refusesEmpty(player, message, payload, nowMs)) return;
    const clock = verifyClock(message.value.fragments, companion.budget, nowMs);
    if (clock.score < 1) this.#flagScore(player, clock, payload, nowMs);
    this.#checkBox(player, message, payload, nowMs);
    companion.budget.spend(durationOf(message.value.fragments), nowMs);
    const pathBytes = pathBytesOf(message, payload, this.#dialect.name);
    const characterId = characterOf(player);
    if (player.isHidden) return;
    const id = isPet ? characterId : message.value.summonId;
    this.#observePath(player, room, isPet ? "pet" : "summon", id, pathBytes, payload, nowMs);
    this.#broadcast(
      room,
      player.id,
      isPet
        ? { message: "movePet", value: { characterId, slot: companion.slot, pathBytes } }
        : { message: "moveSummon", value: { characterId, summonId: message.value.summonId, pathBytes } },
    );
  }

  /** The box around what is not the player itself. */
  #checkBox(player: Player, { value }: MoveMessage, payload: Uint8Array, nowMs: number): void {
    if (!("box" in value)) return;
    const score = verifyBox(value);
    if (score.score < 1) this.#flagScore(player, score, payload, nowMs);
  }

  #refusesEmpty(player: Player, message: MoveMessage, payload: Uint8Array, nowMs: number): boolean {
    if (message.value.fragments.length > 0) return false;
    this.#verdict(player, "reject", "empty-path", "An empty path crashes other players' clients", payload, nowMs);
    return true;
  }

  #receiveMove(
    player: Player,
    room: Room,
    message: Extract<MoveMessage, { message: "movePlayer" }>,
    payload: Uint8Array,
    nowMs: number,
  ): void {
    const { value } = message;
    const isV62 = "fieldKey" in value;
    if (isV62 && !this.#checkFieldKey(player, value, payload, nowMs)) return;
    if (this.#refusesEmpty(player, message, payload, nowMs)) return;
    const { name } = this.#dialect;
    const pathBytes = pathBytesOf(message, payload, name);
    const path = nodesOf(value.fragments, name, isV62 ? value.start : undefined, player);
    player.scores = isV62
      ? verifyPath(
          value,
          { fieldKey: player.fieldKey, end: player.start === "exact" ? player : undefined, budget: player.budget },
          nowMs,
        )
      : this.#verifyDocumented(player, value, pathBytes, nowMs);
    for (const score of player.scores) {
      if (score.score < 1 && score.check !== "start") this.#flagScore(player, score, payload, nowMs);
    }
    if (!this.#checkPlace(player, path, pathBytes, payload, nowMs)) return;

    player.budget.spend(durationOf(value.fragments), nowMs);
    this.#remember(player, pathBytes);
    this.#settle(player, path);
    player.ghost.push(path, nowMs);
    if (!player.isHidden) {
      const characterId = characterOf(player);
      this.#observePath(player, room, "player", characterId, pathBytes, payload, nowMs);
      this.#broadcast(room, player.id, { message: "movePlayer", value: { characterId, pathBytes } });
    }
    if (isV62) this.#usePortal(player, room, value.keypad.at(-1) ?? 0, nowMs);
  }

  #verifyDocumented(
    player: Player,
    value: DocumentedMovePlayer,
    pathBytes: Uint8Array,
    nowMs: number,
  ): readonly VerificationScore[] {
    const clock = verifyClock(value.fragments, player.budget, nowMs);
    const { pattern } = this.#options;
    const sequence = player.moves;
    // Refused or not: the client counts what it sends.
    player.moves += 1;
    // The section: count and fragments, without the four bytes before it.
    return pattern === undefined ? [clock] : [clock, verifyPattern(pattern, value, pathBytes.subarray(4), sequence)];
  }

  #checkFieldKey(player: Player, { fieldKey }: V62MovePlayer, payload: Uint8Array, nowMs: number): boolean {
    if (fieldKey === player.fieldKey) return true;
    const isLate = fieldKey === ((player.fieldKey - 1) & 0xff) && nowMs <= player.staleKeyUntilMs;
    const evidence = { measured: fieldKey, allowed: player.fieldKey, unit: "key" };
    if (isLate)
      this.#verdict(player, "benign", "field-key", "Still on its way from the last map", payload, nowMs, evidence);
    else this.#verdict(player, "reject", "field-key", "The key of another map", payload, nowMs, evidence);
    return false;
  }

  /** Start and speed. False when the path is refused. */
  #checkPlace(player: Player, path: NodePath, pathBytes: Uint8Array, payload: Uint8Array, nowMs: number): boolean {
    const gap = Math.hypot(path.start.x - player.x, path.start.y - player.y);
    const isDocumented = this.#dialect.name === "documented";
    const honest = player.start === "near" ? ENTRY_PX : isDocumented ? DOCUMENTED_START_PX : 0;
    if (player.start !== "anywhere" && gap > honest) {
      const evidence = { measured: gap, allowed: honest, unit: "px" };
      if (player.recent.includes(textOf(pathBytes))) {
        this.#verdict(
          player,
          "flag",
          "replayed-path",
          "A path that was sent before, from elsewhere",
          payload,
          nowMs,
          evidence,
        );
      } else if (gap > playerLimits.teleportPx) {
        return this.#teleported(
          player,
          "teleport",
          "Starts far from where the last path ended",
          payload,
          nowMs,
          evidence,
        );
      } else {
        const kind = gap <= BENIGN_START_PX ? "benign" : "flag";
        this.#verdict(player, kind, "start", "Does not start where the last path ended", payload, nowMs, evidence);
      }
    }
    const mayTeleport = this.#options.mayTeleport?.(player.id, nowMs) ?? false;
    // A fragment of `documented` ends where the next one starts, on a ladder beside it perhaps.
    const slackPx = playerLimits.slackPx + (isDocumented ? playerLimits.grabPx : 0);
    const finding = judgePath(path, player.factors, mayTeleport, slackPx);
    if (finding === undefined) return true;
    const { rule, measured, allowed, unit } = finding;
    const evidence = { measured, allowed, unit };
    if (rule === "teleport" || rule === "teleport-skill") {
      const reason = rule === "teleport" ? "Further than its time allows" : "Teleports without a skill";
      return this.#teleported(player, rule, reason, payload, nowMs, evidence);
    }
    this.#verdict(player, "flag", rule, "Faster than the game allows", payload, nowMs, evidence);
    return true;
  }

  /**
   * Somebody is where it cannot be. Where the protocol has a word for it the path is refused and the client is put on
   * the nearest portal; otherwise it is only flagged: refusing it would refuse everything after it too.
   */
  #teleported(
    player: Player,
    rule: MapleRule,
    reason: string,
    payload: Uint8Array,
    nowMs: number,
    evidence: Evidence,
  ): boolean {
    const { room } = player;
    if (this.#logOnly || this.#dialect.movementOnly || room?.map === undefined) {
      this.#verdict(player, "flag", rule, reason, payload, nowMs, evidence);
      return true;
    }
    this.#verdict(player, "correct", rule, reason, payload, nowMs, evidence);
    let nearest = 0;
    let distance = Infinity;
    room.map.portals.forEach(({ x, y }, index) => {
      const away = Math.hypot(x - player.x, y - player.y);
      if (away >= distance) return;
      nearest = index;
      distance = away;
    });
    this.changeMap(player.id, room.mapId, room.channel, nearest, nowMs);
    return false;
  }

  #remember(player: Player, pathBytes: Uint8Array): void {
    player.recent.push(textOf(pathBytes));
    if (player.recent.length > REMEMBERED_PATHS) player.recent.shift();
  }

  #settle(player: Player, path: NodePath): void {
    const last = path.nodes.at(-1);
    player.x = last?.x ?? path.start.x;
    player.y = last?.y ?? path.start.y;
    player.state = last?.state ?? player.state;
    player.foothold = last?.foothold ?? 0;
    player.start = "exact";
  }

  /** Who stands in a portal and presses up goes through. */
  #usePortal(player: Player, room: Room, keys: number, nowMs: number): void {
    if ((keys & keyBits.up) === 0 || player.foothold <= 0) return;
    const portal = room.map?.portals.find(
      ({ x, y, target }) => target !== undefined && Math.hypot(x - player.x, y - player.y) <= PORTAL_PX,
    );
    if (portal?.target === undefined) return;
    const { mapId, portal: wanted } = portal.target;
    const index = this.#maps(mapId)?.portals.findIndex(({ name }) => name === wanted) ?? -1;
    this.changeMap(player.id, mapId, room.channel, Math.max(0, index), nowMs);
  }

  // --- Monsters -----------------------------------------------------------------------------------------------------------

  #receiveAggro(player: Player, mobId: number, payload: Uint8Array, nowMs: number): void {
    const { room } = player;
    const monster = room?.control.monsters.get(mobId);
    if (room === undefined || monster === undefined) {
      this.#refuseElsewhere(player, mobId, payload, nowMs);
      return;
    }
    if (monster.aggro || player.isHidden) return;
    this.#tellAssignments(room, room.control.attack(mobId, player.id, nowMs));
  }

  /** A monster may die, or be left behind on another map, while the word of it is on its way. */
  #refuseElsewhere(player: Player, mobId: number, payload: Uint8Array, nowMs: number): void {
    const { room, staleKeyUntilMs } = player;
    const isLate = room !== undefined && (nowMs <= staleKeyUntilMs || room.control.wasHere(mobId, nowMs));
    const reason = isLate ? "The monster is not on this map any more" : "No such monster lives on this map";
    this.#verdict(player, isLate ? "benign" : "reject", "monster-elsewhere", reason, payload, nowMs, {
      measured: mobId,
      unit: "mobId",
    });
  }

  #receiveLife(
    player: Player,
    message: Extract<MoveMessage, { message: "moveLife" }>,
    payload: Uint8Array,
    nowMs: number,
  ): void {
    const { room } = player;
    const { mobId, moveId, flags } = message.value;
    const monster = room?.control.monsters.get(mobId);
    // Without an answer the client stops driving the monster, whatever becomes of its word.
    const canAttack = (flags & 0xf) !== 0;
    this.#send(player.id, {
      message: "moveMonsterResponse",
      value: { mobId, moveId, nextAttack: canAttack ? 1 : 0, mp: monster?.mp ?? 0, skillId: 0, skillLevel: 0 },
    });
    if (room === undefined || monster === undefined) {
      this.#refuseElsewhere(player, mobId, payload, nowMs);
      return;
    }
    if (!this.#mayDrive(player, room, monster, payload, nowMs)) return;
    if (this.#refusesEmpty(player, message, payload, nowMs)) return;
    const { name } = this.#dialect;
    const path = nodesOf(
      message.value.fragments,
      name,
      "start" in message.value ? message.value.start : undefined,
      monster,
    );
    this.#checkBox(player, message, payload, nowMs);
    this.#checkMonsterPath(player, room, monster, message.value.moveFlags, path, payload, nowMs);
    const last = path.nodes.at(-1);
    monster.movedAtMs = nowMs;
    if (last !== undefined) {
      monster.x = last.x;
      monster.y = last.y;
      monster.state = last.state;
      monster.foothold = last.foothold;
    }
    const { actionAndDirection, target } = message.value;
    const pathBytes = pathBytesOf(message, payload, name);
    this.#observePath(player, room, "monster", mobId, pathBytes, payload, nowMs);
    this.#broadcast(room, player.id, {
      message: "moveMonster",
      value: { mobId, flags, actionAndDirection, target, pathBytes },
    });
  }

  /** Whether the player drives the monster, or takes it over now. */
  #mayDrive(player: Player, room: Room, monster: Monster, payload: Uint8Array, nowMs: number): boolean {
    if (monster.controller === player.id) return true;
    const { attacked } = monster;
    if (attacked?.player === player.id && nowMs <= attacked.untilMs && !player.isHidden) {
      this.#tellAssignments(room, room.control.attack(monster.mobId, player.id, nowMs));
      return true;
    }
    // Nobody was told who drives what in a dialect without the word for it: who drives what stands still may.
    if (this.#dialect.movementOnly && nowMs - monster.movedAtMs > HAND_OVER_MS) {
      room.control.attack(monster.mobId, player.id, nowMs);
      return true;
    }
    const isLate = nowMs <= (monster.former.get(player.id) ?? -Infinity);
    const reason = isLate ? "Still on its way from before the hand-over" : "Somebody else drives this monster";
    this.#verdict(player, isLate ? "benign" : "reject", "monster-control", reason, payload, nowMs, {
      measured: monster.mobId,
      unit: "mobId",
    });
    return false;
  }

  #checkMonsterPath(
    player: Player,
    room: Room,
    monster: Monster,
    moveFlags: number,
    path: NodePath,
    payload: Uint8Array,
    nowMs: number,
  ): void {
    const flag = (rule: MapleRule, reason: string, measured: number, allowed: number, unit: string): void => {
      this.#verdict(player, "flag", rule, reason, payload, nowMs, { measured, allowed, unit });
    };
    if ((moveFlags & CHEAT_REPORT_FLAG) !== 0) {
      flag(
        "client-report",
        "The client itself reports a cheating controller",
        moveFlags,
        CHEAT_REPORT_FLAG - 1,
        "flags",
      );
    }
    const head = Math.hypot(path.start.x - monster.x, path.start.y - monster.y);
    if (head > monsterLimits.headPx) {
      flag("monster-head", "Starts far from where the monster was", head, monsterLimits.headPx, "px");
    }
    const speed = fastest(path);
    if (speed > monsterLimits.speedPxPerSecond) {
      flag("monster-speed", "Faster than any monster", speed, monsterLimits.speedPxPerSecond, "px/s");
    }
    player.balance.add(path);
    const imbalance = player.balance.imbalance ?? 0;
    if (imbalance >= monsterLimits.vacuumImbalance) {
      flag("vacuum-side", "Its monsters all go one way", imbalance, monsterLimits.vacuumImbalance, "of all");
    }
    const end = path.nodes.at(-1) ?? path.start;
    const half = monsterLimits.boxPx / 2;
    let inBox = 1;
    for (const other of room.control.monsters.values()) {
      if (other === monster || other.controller !== player.id) continue;
      if (Math.abs(other.x - end.x) <= half && Math.abs(other.y - end.y) <= half) inBox += 1;
    }
    if (inBox <= monsterLimits.honestInBox) return;
    const kind = inBox >= monsterLimits.vacuumInBox ? "flag" : "benign";
    this.#verdict(player, kind, "vacuum-box", "Its monsters are all in one place", payload, nowMs, {
      measured: inBox,
      allowed: monsterLimits.honestInBox,
      unit: "monsters",
    });
  }

  // --- Showing -----------------------------------------------------------------------------------------------------------

  /** Shows those who look on what is relayed. What is over a player's share they do not see; its ghost waits there. */
  #observePath(
    player: Player,
    room: Room,
    actor: ShownPath["actor"],
    id: number,
    pathBytes: Uint8Array,
    payload: Uint8Array,
    nowMs: number,
  ): void {
    if (nowMs - player.shownSinceMs >= 1000) {
      player.shownSinceMs = nowMs;
      player.shownBytes = 0;
    }
    player.shownBytes += pathBytes.length;
    if (player.shownBytes > MAX_SHOWN_BYTES) return;
    const shown = {
      actor,
      id,
      packetBytes: payload.length,
      // Hex takes the longest of all this, and mostly nobody looks on: it is made for who reads it.
      get path() {
        return formatHex(pathBytes, { separator: "" });
      },
    };
    this.#effects.push({
      effect: "observe",
      player: player.id,
      room: room.name,
      what: "path",
      data: shown satisfies ShownPath,
    });
  }

  #observeMonsters(room: Room, nowMs: number): void {
    if (room.players.size === 0 || nowMs - room.shownAtMs < SHOW_MONSTERS_MS) return;
    room.shownAtMs = nowMs;
    const monsters = [];
    for (const { mobId, template, x, y, state, controller } of room.control.monsters.values()) {
      if (monsters.length === MAX_SHOWN_MONSTERS) break;
      monsters.push({ mobId, template, x, y, state, controller: controller ?? null } satisfies ShownMonster);
    }
    this.#effects.push({
      effect: "observe",
      player: NOBODY,
      room: room.name,
      what: "monsters",
      data: { monsters },
    });
  }

  // --- Saying -------------------------------------------------------------------------------------------------------------

  #track(player: Player, room: Room, nowMs: number): Track {
    const point = player.ghost.sample(nowMs);
    const state = point?.state ?? player.state;
    return {
      player: player.id,
      room: room.name,
      atMs: nowMs,
      position: { x: point?.x ?? player.x, y: point?.y ?? player.y },
      velocity: { x: point?.vx ?? 0, y: point?.vy ?? 0 },
      facingTurns: (state & 1) === 1 ? 0.5 : 0,
      stance: this.#dialect.fragments.stanceOf(state),
      source: point === undefined || point.source === "guessed" ? "guessed" : "claimed",
      details: {
        name: player.joining.name,
        characterId: characterOf(player),
        hidden: player.isHidden,
        foothold: player.foothold,
        monsters: room.control.countOf(player.id),
      },
    };
  }

  #send(to: PlayerId, message: MapleServerMessage): void {
    this.#effects.push({ effect: "send", to, message });
  }

  #broadcast(room: Room, except: PlayerId | undefined, message: MapleServerMessage): void {
    this.#effects.push({ effect: "broadcast", room: room.name, except, message });
  }

  #broadcastNeighbour(room: Room, except: PlayerId | undefined, message: MapleServerMessage): void {
    if (!this.#dialect.movementOnly) this.#broadcast(room, except, message);
  }

  #close(player: Player, reason: string): void {
    this.#effects.push({ effect: "close", player: player.id, reason });
  }

  #flagScore(player: Player, score: VerificationScore, payload: Uint8Array, nowMs: number): void {
    const { check, measured, allowed, unit } = score;
    this.#verdict(player, "flag", check, scoreReasons[check], payload, nowMs, { measured, allowed, unit });
  }

  #verdict(
    player: Player,
    kind: VerdictKind,
    rule: MapleRule,
    reason: string,
    payload: Uint8Array,
    nowMs: number,
    evidence: Evidence = {},
  ): void {
    const verdict: Verdict = {
      kind,
      rule,
      reason,
      player: player.id,
      room: player.room?.name ?? "",
      atMs: nowMs,
      ...evidence,
      message: payload,
      stateBefore: stateJson(player, nowMs),
    };
    this.#effects.push({ effect: "verdict", verdict });
  }

  #player(id: PlayerId): Player {
    const player = this.#players.get(id);
    if (player === undefined) throw new RangeError(`There is no player ${id}`);
    return player;
  }
}

interface Evidence {
  readonly measured?: number;
  readonly allowed?: number;
  readonly unit?: string;
}

const scoreReasons: Readonly<Record<VerificationScore["check"], string>> = {
  "field-key": "The key of another map",
  start: "Does not start where the last path ended",
  box: "The box is not that of the path",
  durations: "The durations are not those of its steps",
  "wall-clock": "More time than has passed",
  pattern: "Without the pattern that both sides agreed on",
};

function characterOf(player: Player): number {
  return player.characterId ?? player.id;
}

function controlOf(monster: Monster): MapleServerMessage {
  const mode = monster.aggro ? "controlWithAggro" : "control";
  return { message: "controlMonster", value: { mode, mobId: monster.mobId, spawn: spawnOf(monster, true) } };
}

/** Bytes as a key. */
function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function stateJson(player: Player, nowMs: number): JsonObject {
  const { x, y, state, foothold, fieldKey, start, budget } = player;
  return { x, y, state, foothold, fieldKey, start, availableMs: budget.available(nowMs), scores: scoresJson(player) };
}

function scoresJson({ scores }: Player): JsonObject {
  return Object.fromEntries(scores.map(({ check, score, evidence }) => [check, { score, evidence }]));
}

/** A room's name: the map's number, and the channel unless it is the first. */
export function roomName(mapId: number, channel: number): string {
  return channel === 1 ? String(mapId) : `${mapId}-${channel}`;
}

/** The map and channel of a room's name; undefined when it is none. */
export function parseRoom(name: string): { readonly mapId: number; readonly channel: number } | undefined {
  const [, map, channel = "1"] = /^(\d{1,9})(?:-(\d{1,2}))?$/.exec(name) ?? [];
  if (map === undefined) return undefined;
  const wish = { mapId: Number(map), channel: Number(channel) };
  const isKnown = wish.mapId <= MAX_MAP_ID && wish.channel >= 1 && wish.channel <= MAX_CHANNEL;
  return isKnown ? wish : undefined;
}
