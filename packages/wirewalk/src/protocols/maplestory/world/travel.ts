/** Players enter and leave maps: at their login, through portals, when they are put back, when they hide or disconnect. */

import { type MapleMap, type Portal, portalKinds } from "../maps/map.ts";
import { isPlainPortal, touches } from "../maps/portals.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { keyBits } from "../wire/path-blocks.ts";
import { takeDeparted } from "./corrections.ts";
import { DurationBudget } from "./duration-budget.ts";
import { noGain } from "./gain.ts";
import { createGhost } from "./ghost.ts";
import type { Judgement } from "./judgement.ts";
import { FALLEN_PX, traitsOf } from "./map-traits.ts";
import type { WorldParts } from "./parts.ts";
import { DEFAULT_SPAWN, giveKey, type Player } from "./player.ts";
import { announceControl, obtainRoom } from "./population.ts";
import { entryCreditMs } from "./returning.ts";
import { parseChannel, parseRoom, type Room, type RoomKey, roomName, UNKNOWN_MAP } from "./room.ts";
import { nothingSupposed } from "./supposed-map.ts";
import { noMomentum } from "./terrain.ts";
import { startMapOf } from "./world-options.ts";

const MAX_PORTAL = 0xff;
/** How near a portal a player must stand to pass through it, pixels. */
const PORTAL_PX = 25;
/** How high a portal may hang above the ground on which a player uses it, pixels. */
const PORTAL_HEIGHT_PX = 100;

/** The client has named its character: it enters the room that it asked for, or the start map. */
export function logIn(world: WorldParts, player: Player, characterId: number, nowMs: number): void {
  player.characterId = characterId;
  player.lastPingMs = nowMs;
  if (world.voice.hasLogin) {
    player.provenMs = nowMs;
    player.provenStalledMs = world.clock.stalledMs(nowMs);
  }
  // Pets and summons are known where the login is done. Until game code adds others: one of each with the character's number.
  player.pets.set(BigInt(characterId), { slot: 0, budget: new DurationBudget(nowMs) });
  player.summons.set(characterId, { slot: 0, budget: new DurationBudget(nowMs) });
  // Game code may have moved the player before.
  leaveRoom(world, player, nowMs);
  const kept = world.voice.hasLogin ? takeDeparted(world, player, nowMs) : undefined;
  const { room: wanted = "" } = player.joining;
  const own = parseRoom(kept?.room ?? "") ?? { mapId: startMapOf(world.options), channel: 1 };
  const channel = parseChannel(wanted);
  const key: RoomKey = channel === undefined ? (parseRoom(wanted) ?? own) : { ...own, channel };
  const room = obtainRoom(world, key, nowMs);
  // A character that comes back is where it was: connecting again moves no player.
  const portal = kept?.room === room.name ? nearestPortal(room.map, kept) : entryPortal(world, room.map, player.id);
  enterRoom(world, player, room, portal, nowMs);
  if (kept?.room === room.name && kept.supposed !== undefined) player.supposed = kept.supposed;
}

/** Where a newcomer enters: at one of the map's start points. In the demo maps, which have few, at any portal. */
function entryPortal({ maps }: WorldParts, map: MapleMap | undefined, playerId: number): number {
  if (map === undefined) return 0;
  const { starts, safe } = traitsOf(map);
  const entries = maps === undefined ? map.portals : starts.length > 0 ? starts : safe.slice(0, 1);
  return entries[playerId % entries.length]?.id ?? 0;
}

/** Moves a player to a portal of a map, with a new fieldKey. Throws `RangeError` for an invalid map, channel or portal. */
export function changeMap(world: WorldParts, player: Player, key: RoomKey, portal: number, nowMs: number): void {
  const { mapId, channel } = key;
  if (parseRoom(roomName(mapId, channel)) === undefined) {
    throw new RangeError(`There is no map ${mapId} on channel ${channel}`);
  }
  if (!(Number.isInteger(portal) && portal >= 0 && portal <= MAX_PORTAL)) {
    throw new RangeError(`There is no portal ${portal}`);
  }
  // First out, then in: the room may be the same one, and is new then unless it has to stay.
  leaveRoom(world, player, nowMs);
  enterRoom(world, player, obtainRoom(world, key, nowMs), portal, nowMs);
}

/** Where another server has put a player. */
export interface AdoptedMap {
  /** Undefined where that server has not said it in a way that is read. */
  readonly mapId?: number;
  /** From 1. */
  readonly channel: number;
  /** Default 0. */
  readonly portal?: number;
  /** The player may enter at any place, not at the portal. */
  readonly anywhere?: boolean;
  readonly fieldKey: number;
}

/**
 * Takes over the map and the fieldKey that another server gave. A map or a channel that cannot be named counts as an unknown map:
 * the key holds nevertheless. Throws `RangeError` for an invalid portal.
 */
export function adoptMap(
  world: WorldParts,
  player: Player,
  { mapId = UNKNOWN_MAP, channel, portal = 0, anywhere = false, fieldKey }: AdoptedMap,
  nowMs: number,
): void {
  const named = parseRoom(roomName(mapId, channel));
  const far = named === undefined ? undefined : farPortal(world, player, named.mapId, portal);
  if (far !== undefined) world.judge(player, far, nothing, nowMs);
  // The client never received the keys of this world.
  const before = player.adoptedKeys;
  const late = before === undefined ? [] : player.keySeen ? [player.fieldKey] : [...before, player.fieldKey];
  changeMap(world, player, named ?? { mapId: UNKNOWN_MAP, channel: 1 }, portal, nowMs);
  // The place of a portal that this world does not know is not known either.
  if (anywhere || player.room?.map?.portal(portal) === undefined) player.start = "anywhere";
  player.fieldKey = fieldKey & 0xff;
  player.adoptedKeys = [...new Set(late)];
}

/** Puts a player who is where it cannot be on the nearest portal of its map. That takes back what it has gained. */
export function putBack(world: WorldParts, player: Player, room: Room, nowMs: number): void {
  player.gain = noGain(nowMs);
  changeMap(world, player, room, nearestPortal(room.map, player), nowMs);
}

/** Puts a player that has fallen out of its map back into it, where no other server does. It keeps what it has gained. */
export function catchFallen(world: WorldParts, player: Player, room: Room, nowMs: number): void {
  const { map } = room;
  if (map === undefined || map.footholds.length === 0 || !world.voice.canMovePlayers) return;
  if (player.y <= map.bounds.bottom + FALLEN_PX || player.adoptedKeys !== undefined || player.room !== room) return;
  changeMap(world, player, room, nearestPortal(map, player), nowMs);
}

/** The number of the nearest portal that a player stays at; 0 on an unknown map. */
function nearestPortal(map: MapleMap | undefined, { x, y }: Point): number {
  let nearest = 0;
  let distance = Infinity;
  const { safe } = map === undefined ? { safe: [] } : traitsOf(map);
  for (const portal of safe.length > 0 ? safe : (map?.portals ?? [])) {
    const away = Math.hypot(portal.x - x, portal.y - y);
    if (away >= distance) continue;
    nearest = portal.id;
    distance = away;
  }
  return nearest;
}

/** No message of the client led to a finding. */
const nothing = new Uint8Array(0);

/**
 * Another server has let a player through a portal from afar. Start points, and portals that no portal of the map names, are entered for
 * many other reasons. Where the player is has to be known.
 */
function farPortal(world: WorldParts, player: Player, mapId: number, entered: number): Judgement | undefined {
  const { farPortalPx } = world.limits;
  const map = player.room?.map;
  if (map === undefined || player.start !== "exact" || map.mapId === mapId) return undefined;
  const there = world.mapOf(mapId)?.portal(entered);
  if (there === undefined || there.kind === portalKinds.start) return undefined;
  let nearest = Infinity;
  let portal = 0;
  for (const { id, x, y, kind, target, script, reachX = 0, reachY = 0 } of map.portals) {
    const leadsThere = target?.mapId === mapId && target.portal === there.name;
    const mayLead = script !== undefined || kind === portalKinds.door;
    if (!leadsThere && !mayLead) continue;
    const px = Math.hypot(Math.max(0, Math.abs(x - player.x) - reachX), Math.max(0, Math.abs(y - player.y) - reachY));
    if (leadsThere) {
      if (px < nearest) [nearest, portal] = [px, id];
    } else if (px <= farPortalPx) return undefined;
  }
  if (nearest <= farPortalPx || nearest === Infinity) return undefined;
  const way = map.portals.find(({ id }) => id === portal);
  const reason = `Entered by portal ${there.name} from far away`;
  return {
    kind: "flag",
    rule: "portal",
    reason,
    measured: nearest,
    allowed: farPortalPx,
    unit: "px",
    about: { portal, ...(way && { from: { x: way.x, y: way.y } }), at: { x: player.x, y: player.y } },
  };
}

/**
 * A player passes through a portal to another map: one that it stands in with up pressed, or one that it has touched. Where another server
 * decides, that server says so. Through those within its map the client moves it by itself.
 */
export function usePortal(
  world: WorldParts,
  player: Player,
  room: Room,
  { start, keys }: { readonly start: Point; readonly keys: number },
  nowMs: number,
): void {
  const { map } = room;
  if (map === undefined || player.adoptedKeys !== undefined) return;
  const isUp = (keys & keyBits.up) !== 0 && player.foothold > 0;
  const portal =
    traitsOf(map).touched.find((each) => touches(each, player) && !touches(each, start)) ??
    (isUp ? map.portals.find((each) => opens(map, each, player)) : undefined);
  if (portal?.target === undefined) return;
  const { mapId, portal: name } = portal.target;
  const there = world.useMap(mapId);
  // A given set has no way to a map that it has not.
  if (there === undefined && world.maps !== undefined) return;
  const entered = there?.portals.find((each) => each.name === name);
  changeMap(world, player, { mapId, channel: room.channel }, entered?.id ?? entryPortal(world, there, 0), nowMs);
}

/** Whether it opens for who stands in it and presses up. A script is the game's own: this world has none. */
function opens(map: MapleMap, portal: Portal, player: Player): boolean {
  const { x, y, target } = portal;
  if (target === undefined || target.mapId === map.mapId || !isPlainPortal(portal)) return false;
  if (Math.hypot(x - player.x, y - player.y) <= PORTAL_PX) return true;
  if (Math.abs(x - player.x) > PORTAL_PX || player.y < y || player.y > y + PORTAL_HEIGHT_PX) return false;
  const ground = map.below(x, y);
  return ground !== undefined && Math.abs(ground.y - player.y) <= PORTAL_PX;
}

/** Hides a game master from all clients, or shows it again. A hidden one controls no monsters. */
export function setHidden(world: WorldParts, player: Player, hidden: boolean, nowMs: number): void {
  const { room } = player;
  if (player.isHidden === hidden) return;
  player.isHidden = hidden;
  if (room === undefined) return;
  if (hidden) world.broadcast(room, player.id, world.voice.removePlayer(player));
  else showTo(world, room, player);
  const { control } = room;
  announceControl(world, room, hidden ? control.exit(player.id, nowMs) : control.enter(player.id, nowMs));
}

/** Takes the player off its map. The room goes with its last player unless it has to stay. */
export function leaveRoom(world: WorldParts, player: Player, nowMs: number): void {
  const { room } = player;
  if (room === undefined) return;
  player.room = undefined;
  room.players.delete(player.id);
  const assignments = room.control.exit(player.id, nowMs);
  world.effects.exit(player.id, room.name);
  if (!player.isHidden) world.broadcast(room, player.id, world.voice.removePlayer(player));
  announceControl(world, room, assignments);
  world.rooms.dropIfUnused(room.name);
}

function enterRoom(world: WorldParts, player: Player, room: Room, portal: number, nowMs: number): void {
  const { voice } = world;
  const at = room.map?.portal(portal) ?? DEFAULT_SPAWN;
  player.room = room;
  player.x = at.x;
  player.y = at.y;
  player.foothold = 0;
  player.state = stances.stand << 1;
  // A client that was sent to a portal starts near it, where the map is known.
  player.anewMs = undefined;
  player.start = voice.canMovePlayers && room.map !== undefined ? "near" : "anywhere";
  giveKey(player, nowMs);
  player.budget = new DurationBudget(nowMs, entryCreditMs(world, player, room, nowMs), world.limits.clockTolerance);
  player.ghost = createGhost(world.dialect);
  player.gain = { ...player.gain, overXPx: 0, overYPx: 0 };
  player.claimed = undefined;
  player.flight = undefined;
  player.momentum = noMomentum;
  if (player.supposed !== undefined) player.supposed = nothingSupposed;
  player.stoodOn = 0;
  room.players.add(player.id);
  world.send(player.id, voice.changeMap(player, room, portal));
  world.effects.enter(player.id, room.name);
  if (!player.isHidden) showTo(world, room, player);
  describeRoom(world, player, room);
  if (!player.isHidden) announceControl(world, room, room.control.enter(player.id, nowMs));
}

/** Shows a player to all others of its room. */
function showTo(world: WorldParts, room: Room, player: Player): void {
  for (const message of world.voice.showPlayer(player)) world.broadcast(room, player.id, message);
}

/** Sends the players and monsters of a room, and the monsters that the player controls. */
export function describeRoom(world: WorldParts, player: Player, room: Room): void {
  const { voice, players } = world;
  for (const id of room.players) {
    const other = players.need(id);
    if (other === player || other.isHidden) continue;
    for (const message of voice.showPlayer(other)) world.send(player.id, message);
  }
  for (const monster of room.control.monsters.values()) world.send(player.id, voice.showMonster(monster));
  for (const monster of room.control.monsters.values()) {
    if (monster.controller === player.id) world.send(player.id, voice.controlMonster(monster));
  }
}
