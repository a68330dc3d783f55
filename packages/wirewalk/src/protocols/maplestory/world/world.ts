/**
 * The world of MapleStory: maps on channels, players with pets and summons, monsters and who controls them. Clients compute
 * all movement; the server checks each path and relays it byte for byte to all players on the same map and channel except
 * the sender.
 * Source: docs/protocols/maplestory.md 8 and 9.
 *
 * ```ts
 * const world = new MapleWorld({ dialect: "v62", seed: 1, demo: true });
 * world.join(1, { account: "a", name: "a" }, 0);
 * world.receive(1, { message: "playerLoggedIn", value: { characterId: 7, reserved: 0 } }, payload, 0);
 * world.takeEffects(); // changeMap, enter, showMonster, controlMonster
 * ```
 */
import type { PlayerId, Track } from "../../../motion/index.ts";
import type { PlayerBudget } from "../../player-budget.ts";
import type { Effect, Joining, Refusal, SavedWorld, World } from "../../world.ts";
import { digestOf } from "../../world-kit/index.ts";
import type { MapleClientMessage, MapleServerMessage } from "../wire/codec.ts";
import type { Point } from "../wire/messages.ts";
import { keepDeparted } from "./corrections.ts";
import { DurationBudget } from "./duration-budget.ts";
import { createGhost, trackOf } from "./ghost.ts";
import type { Judgement } from "./judgement.ts";
import { passOnMonsters, receiveAggro, receiveLife } from "./monster-moves.ts";
import type { Monster } from "./monsters.ts";
import { observeMonsters } from "./observations.ts";
import { CAPACITY, TICK_MS, WorldParts } from "./parts.ts";
import {
  adoptPing,
  budgetsOf,
  type Companion,
  createPlayer,
  noteArrival,
  notePing,
  notePong,
  type Player,
  unansweredMs,
} from "./player.ts";
import { receiveOwnMove } from "./player-moves.ts";
import { attackMonster, killMonster, spawnMonster } from "./population.ts";
import { keepPoint } from "./returning.ts";
import { parseChannel, parseRoom } from "./room.ts";
import type { PlayerFactors } from "./rules.ts";
import { restoreState, saveState } from "./saved-state.ts";
import { type AdoptedMap, adoptMap, changeMap, describeRoom, leaveRoom, logIn, setHidden } from "./travel.ts";
import type { VerificationScore } from "./verification.ts";
import type { MapleWorldOptions } from "./world-options.ts";

export type { MapleWorldOptions };

/** Unanswered pings of another server that are kept. That server would have closed the session long before so many. */
const MAX_PINGS = 1000;
/** Pets and summons of one player: the game has 3 and 1. */
const MAX_COMPANIONS = 8;

const loginTwice: Judgement = {
  kind: "reject",
  rule: "login-twice",
  reason: "A character is in the world already",
};
const characterOnline: Judgement = {
  kind: "reject",
  rule: "character-online",
  reason: "Another player plays this character",
};
/** Of the same address and name: its machine may have vanished. */
const stillOnline: Judgement = {
  kind: "benign",
  rule: "character-online",
  reason: "Its earlier connection is not silent for long enough",
};

/** The maps and channels of one dialect, with all players and monsters. */
export class MapleWorld implements World<MapleClientMessage, MapleServerMessage> {
  readonly tickMs = TICK_MS;
  readonly capacity = CAPACITY;
  readonly #parts: WorldParts;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: MapleWorldOptions) {
    this.#parts = new WorldParts(options);
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#parts.players.isFull) return "full";
    const { room } = joining;
    if (room === undefined) return undefined;
    return parseRoom(room) === undefined && parseChannel(room) === undefined ? "bad-room" : undefined;
  }

  join(id: PlayerId, joining: Joining, nowMs: number): void {
    const { players, dialect, voice, clock, limits } = this.#parts;
    players.checkJoin(id, this.refuses(joining));
    const player = createPlayer(id, joining, createGhost(dialect), clock.stalledMs(nowMs), nowMs, limits);
    players.add(id, player);
    if (!voice.hasLogin) logIn(this.#parts, player, id, nowMs);
  }

  leave(id: PlayerId, nowMs: number): void {
    const player = this.#parts.players.get(id);
    if (player === undefined) return;
    const keep = this.#parts.voice.hasLogin ? keepDeparted : keepPoint;
    keep(this.#parts, player, nowMs);
    leaveRoom(this.#parts, player, nowMs);
    this.#parts.players.remove(id);
  }

  receive(id: PlayerId, message: MapleClientMessage, payload: Uint8Array, nowMs: number): void {
    const player = this.#parts.players.get(id);
    if (player === undefined) return;
    const { voice, clock } = this.#parts;
    const stalledMs = clock.stalledMs(nowMs);
    if (voice.hasLogin) player.stalledMs = stalledMs;
    else noteArrival(player, nowMs, stalledMs);
    switch (message.message) {
      case "playerLoggedIn":
        this.#receiveLogin(player, message.value.characterId, payload, nowMs);
        return;
      case "pong":
        notePong(player);
        return;
      case "aggro":
        receiveAggro(this.#parts, player, message.value.mobId, payload, nowMs);
        return;
      case "moveLife":
        receiveLife(this.#parts, player, message, payload, nowMs);
        return;
      default:
        receiveOwnMove(this.#parts, player, message, payload, nowMs);
    }
  }

  tick(nowMs: number): void {
    const { rooms, players, effects, voice, left, clock } = this.#parts;
    clock.tick(nowMs);
    left.tick(nowMs);
    for (const room of rooms.values()) {
      if (!observeMonsters(effects, room, nowMs)) continue;
      passOnMonsters(this.#parts, room, nowMs);
    }
    if (!voice.hasLogin) return;
    const { pingMs, pongMs, loginMs } = this.#parts.limits;
    for (const player of players.values()) {
      // Another server decides how long it waits.
      if (player.adoptsPings === true || player.adoptedKeys !== undefined) continue;
      if (player.characterId === undefined) {
        if (nowMs - player.sinceMs >= loginMs) effects.close(player.id, "login-expected");
      } else if (unansweredMs(player, nowMs) >= pongMs) {
        effects.close(player.id, "ping-timeout");
        // One close is enough.
        player.pings.length = 0;
      } else if (nowMs - player.lastPingMs >= pingMs) {
        notePing(player, nowMs, clock.stalledMs(nowMs));
        this.#parts.send(player.id, voice.ping());
      }
    }
  }

  refresh(id: PlayerId, _nowMs: number): void {
    const player = this.#parts.players.get(id);
    if (player?.room !== undefined) describeRoom(this.#parts, player, player.room);
  }

  takeEffects(): readonly Effect<MapleServerMessage>[] {
    return this.#parts.effects.take();
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    const { players, rooms, dialect } = this.#parts;
    const wanted = room === undefined ? players.values() : this.#playersIn(rooms.get(room)?.players ?? []);
    const tracks: Track[] = [];
    for (const player of wanted) {
      if (player.room !== undefined) tracks.push(trackOf(player, player.room, dialect, nowMs));
    }
    return tracks;
  }

  budgets(player: PlayerId, nowMs: number): readonly PlayerBudget[] {
    const known = this.#parts.players.get(player);
    return known === undefined ? [] : budgetsOf(known, nowMs);
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#parts.rooms.counts();
  }

  usedMaps(): ReadonlyMap<string, string> {
    return this.#parts.used.digests;
  }

  save(): SavedWorld {
    return saveState(this.#parts);
  }

  restore(saved: SavedWorld): void {
    Object.assign(this.#parts, restoreState(saved, this.#parts));
  }

  digest(): bigint {
    return digestOf(this.save());
  }

  // --- For game code -------------------------------------------------------------------------------------------------

  /** The monsters of a room, by id. Empty for a room that does not exist. */
  monsters(room: string): ReadonlyMap<number, Readonly<Monster>> {
    return this.#parts.rooms.get(room)?.control.monsters ?? new Map();
  }

  /** Players of a room that others can see. */
  visiblePlayers(room: string): readonly PlayerId[] {
    const players = this.#playersIn(this.#parts.rooms.get(room)?.players ?? []);
    return [...players].filter(({ isHidden }) => !isHidden).map(({ id }) => id);
  }

  /** The scores of a player's last path. */
  scoresOf(id: PlayerId): readonly VerificationScore[] {
    return this.#parts.players.need(id).scores;
  }

  /** Sets what soda and skills multiply. Throws `RangeError` for factors that are not positive. */
  setFactors(id: PlayerId, factors: PlayerFactors): void {
    if (!(factors.speed > 0 && factors.jump > 0)) throw new RangeError("factors must be positive");
    this.#parts.players.need(id).factors = { speed: factors.speed, jump: factors.jump };
  }

  /** Gives a player a pet. Throws `RangeError` for more than the game has. */
  addPet(id: PlayerId, petId: bigint, slot: number, nowMs: number): void {
    addCompanion(this.#parts.players.need(id).pets, petId, "pets", { slot, budget: this.#budget(nowMs) });
  }

  /** Gives a player a summon. Throws `RangeError` for more than the game has. */
  addSummon(id: PlayerId, summonId: number, nowMs: number): void {
    const summon = { slot: 0, budget: this.#budget(nowMs) };
    addCompanion(this.#parts.players.need(id).summons, summonId, "summons", summon);
  }

  /** Gives a player a dragon, or takes it away. Only `v83` and `v95` have them. Throws `RangeError` in any other dialect. */
  setDragon(id: PlayerId, hasDragon: boolean, nowMs: number): void {
    const { dialect, players } = this.#parts;
    if (!dialect.hasDragons) throw new RangeError(`Dialect ${dialect.name} has no dragons`);
    players.need(id).dragon = hasDragon ? { slot: 0, budget: this.#budget(nowMs) } : undefined;
  }

  /** Hides a game master from all clients, or shows it again. A hidden one controls no monsters. */
  setHidden(id: PlayerId, hidden: boolean, nowMs: number): void {
    setHidden(this.#parts, this.#parts.players.need(id), hidden, nowMs);
  }

  /** A player hits a monster: it controls it from now on, with aggro. */
  attack(id: PlayerId, mobId: number, nowMs: number): void {
    const { room } = this.#parts.players.need(id);
    if (room !== undefined) attackMonster(this.#parts, room, mobId, id, nowMs);
  }

  /** Places a monster in a room, also in one without players. Returns its id. Throws `RangeError` for an invalid room. */
  spawnMonster(roomName: string, template: number, at: Point, nowMs: number): number {
    return spawnMonster(this.#parts, roomName, template, at, nowMs);
  }

  /** A monster dies. Throws `RangeError` for an unknown one. */
  killMonster(roomName: string, mobId: number, nowMs: number): void {
    killMonster(this.#parts, roomName, mobId, nowMs);
  }

  /** Moves a player to a portal of a map, with a new fieldKey. Throws `RangeError` for an invalid map, channel or portal. */
  changeMap(id: PlayerId, mapId: number, channel: number, portal: number, nowMs: number): void {
    changeMap(this.#parts, this.#parts.players.need(id), { mapId, channel }, portal, nowMs);
  }

  /**
   * Takes over where another server has put the player, with the fieldKey that it sent: for a world that only judges. From
   * then on the world moves this player through no portal by itself. Throws `RangeError` for an invalid portal.
   */
  adoptMap(id: PlayerId, to: AdoptedMap, nowMs: number): void {
    adoptMap(this.#parts, this.#parts.players.need(id), to, nowMs);
  }

  /** Another server has sent the player a ping, which its client will answer: for a world that only judges. */
  adoptPing(id: PlayerId, nowMs: number): void {
    const { players, clock } = this.#parts;
    const player = players.need(id);
    if (player.pings.length < MAX_PINGS) adoptPing(player, nowMs, clock.stalledMs(nowMs));
  }

  #receiveLogin(player: Player, characterId: number, payload: Uint8Array, nowMs: number): void {
    const { players, effects } = this.#parts;
    if (player.characterId !== undefined) {
      this.#parts.judge(player, loginTwice, payload, nowMs);
      return;
    }
    for (const other of players.values()) {
      if (other.characterId !== characterId) continue;
      const isSame = other.joining.account === player.joining.account;
      if (!isSame || unansweredMs(other, nowMs) < this.#parts.limits.takeOverMs) {
        this.#parts.judge(player, isSame ? stillOnline : characterOnline, payload, nowMs);
        effects.close(player.id, "already-online");
        return;
      }
      // What it has gained goes over to the new connection with it.
      this.leave(other.id, nowMs);
      effects.close(other.id, "taken-over");
      break;
    }
    logIn(this.#parts, player, characterId, nowMs);
  }

  #budget(nowMs: number): DurationBudget {
    return new DurationBudget(nowMs, 0, this.#parts.limits.clockTolerance);
  }

  *#playersIn(ids: Iterable<PlayerId>): Generator<Player> {
    for (const id of ids) yield this.#parts.players.need(id);
  }
}

function addCompanion<K>(companions: Map<K, Companion>, id: K, what: string, companion: Companion): void {
  if (companions.size >= MAX_COMPANIONS) throw new RangeError(`A player has at most ${MAX_COMPANIONS} ${what}`);
  companions.set(id, companion);
}
