/** Rooms and the monsters in them: rooms are made, monsters are placed, killed and assigned to clients. */
import type { PlayerId } from "../../../motion/index.ts";
import { heightAt } from "../maps/foothold.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import type { Assignment, Monster } from "./monsters.ts";
import type { WorldParts } from "./parts.ts";
import { createRoom, parseRoom, type Room, type RoomKey, roomName } from "./room.ts";

/** Mana of a monster whose kind is not known. */
const MONSTER_MP = 100;

/** The room of a map and channel, with the map's monsters when it is new. */
export function obtainRoom(world: WorldParts, key: RoomKey, nowMs: number): Room {
  return world.rooms.obtain(roomName(key.mapId, key.channel), () => {
    const room = createRoom(key, world.useMap(key.mapId), world.nextMobId, nowMs);
    for (const { template, x, y } of room.map?.monsters ?? []) {
      room.control.add(createMonster(world, room, template, { x, y }), nowMs);
    }
    return room;
  });
}

/** Places a monster in a room, also in one without players. Returns its id. Throws `RangeError` for an invalid room. */
export function spawnMonster(world: WorldParts, roomName: string, template: number, at: Point, nowMs: number): number {
  const key = parseRoom(roomName);
  if (key === undefined) throw new RangeError(`There is no room ${roomName}`);
  const room = obtainRoom(world, key, nowMs);
  const monster = createMonster(world, room, template, at);
  const assigned = room.control.add(monster, nowMs);
  world.broadcast(room, undefined, world.voice.showMonster(monster));
  announceControl(world, room, assigned);
  return monster.mobId;
}

/** A monster dies. Throws `RangeError` for an unknown one. */
export function killMonster(world: WorldParts, roomName: string, mobId: number, nowMs: number): void {
  const room = world.rooms.get(roomName);
  if (room?.control.monsters.has(mobId) !== true) throw new RangeError(`There is no monster ${mobId} in ${roomName}`);
  room.control.remove(mobId, nowMs);
  world.broadcast(room, undefined, world.voice.removeMonster(mobId));
  world.rooms.dropIfUnused(roomName);
}

/** A player attacks a monster: it controls it from now on, with aggro. */
export function attackMonster(world: WorldParts, room: Room, mobId: number, player: PlayerId, nowMs: number): void {
  announceControl(world, room, room.control.attack(mobId, player, nowMs, world.limits.attackMs));
}

/** Sends who must stop controlling a monster, and who must start. */
export function announceControl(world: WorldParts, room: Room, assignments: readonly Assignment[]): void {
  for (const { monster, from, to } of assignments) {
    const former = from === undefined ? undefined : world.players.get(from);
    if (former?.room === room) world.send(former.id, world.voice.stopControl(monster.mobId));
    if (to !== undefined) world.send(to, world.voice.controlMonster(monster));
  }
}

function createMonster(world: WorldParts, room: Room, template: number, at: Point): Monster {
  const ground = room.map?.below(at.x, at.y);
  const foothold = ground?.foothold.id ?? 0;
  const mobId = world.nextMobId;
  world.nextMobId += 1;
  const y = ground === undefined ? at.y : Math.round(heightAt(ground.foothold, at.x));
  return {
    mobId,
    template,
    room: room.name,
    mp: room.map?.monsters.find((plan) => plan.template === template)?.mp ?? MONSTER_MP,
    granted: undefined,
    restedMs: -Infinity,
    x: at.x,
    y,
    state: stances.stand << 1,
    foothold,
    originFoothold: foothold,
    controller: undefined,
    aggro: false,
    givenMs: -Infinity,
    givenX: at.x,
    givenY: y,
    former: new Map(),
    attacked: undefined,
    movedAtMs: -Infinity,
  };
}
