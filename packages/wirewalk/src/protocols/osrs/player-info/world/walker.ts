/**
 * One player of the demo: it walks and runs by ways through the map, climbs stairs, jumps, rests, and now and then teleports. Its
 * clients send nothing.
 */
import { createRandom, type PlayerId, type Random } from "../../../../motion/index.ts";
import { i32le, u32le } from "../../../../wire/index.ts";
import {
  choice,
  flag,
  type MembersOf,
  number,
  type StateOf,
  state,
  text,
  typedArray,
} from "../../../world-kit/index.ts";
import { MAX_WAY_TILES } from "../movement/demo-map.ts";
import type { MapTile, WalkMap } from "../movement/walk-map.ts";
import { checkIndex, checkTile } from "../wire/constants.ts";
import { orientationOf } from "../wire/orientation.ts";
import { leavesScene, sceneAround } from "../wire/scene.ts";
import { FULL_HEALTH, OUTFITS } from "./outfits.ts";

const REST_CHANCE = 0.1;
const MAX_REST_TICKS = 8;
const TELEPORT_CHANCE = 0.02;
const RUN_CHANCE = 0.4;
const CLIMB_CHANCE = 0.5;
const JUMP_CHANCE = 0.02;
const JUMP_TILES = 3;

/** The members of a walker that are saved as they are. */
const plainMembers = {
  id: number,
  /** The index that player info names the player by. It changes when the player logs in again. */
  index: number,
  /** As the player was called when it joined. */
  name: text,
  level: number,
  runs: flag,
  restTicks: u32le,
  /** The last step: tiles along each axis, and how it was made. */
  dx: i32le,
  dz: i32le,
  orientation: u32le,
  stance: choice("stand", "walk", "run", "teleport"),
  /** The last step was a jump: a forced movement. */
  jumped: flag,
  /** What it wears: a number of `outfits`. */
  outfit: u32le,
  health: u32le,
  /** Index of the player that it fights, 0 for none, and for how many ticks more. */
  foe: u32le,
  fightTicks: u32le,
  /** South-west tile of the part of the map that its client has loaded. */
  sceneX: i32le,
  sceneZ: i32le,
  /** Bytes of its last packet; 0 before the first after an initialisation. */
  packetBytes: u32le,
};

export const savedWalker = state({
  ...plainMembers,
  /** State of its generator. */
  random: i32le,
  x: number,
  z: number,
  /** What is left of its way: x and z in turn. */
  way: typedArray("Int32Array"),
});
type SavedWalker = StateOf<typeof savedWalker>;

export interface Walker extends MembersOf<typeof plainMembers> {
  readonly id: PlayerId;
  readonly name: string;
  readonly random: Random;
  tile: MapTile;
  way: readonly MapTile[];
  /** Tiles of the way that it has gone. */
  gone: number;
}

/** A player on some open tile of the map. `random` is its own. */
export function createWalker(id: PlayerId, index: number, name: string, random: Random, map: WalkMap): Walker {
  return {
    id,
    index,
    name,
    random,
    tile: map.someTile(random),
    level: 0,
    way: [],
    gone: 0,
    runs: false,
    restTicks: 0,
    dx: 0,
    dz: 0,
    orientation: 0,
    stance: "stand",
    jumped: false,
    outfit: random.integer(0, OUTFITS - 1),
    health: FULL_HEALTH,
    foe: 0,
    fightTicks: 0,
    sceneX: 0,
    sceneZ: 0,
    packetBytes: 0,
  };
}

/** Moves a walker by one tick: `stance` and `tile` say what it did. */
export function moveWalker(walker: Walker, map: WalkMap): void {
  const { random, tile } = walker;
  walker.stance = "stand";
  walker.jumped = false;
  walker.dx = 0;
  walker.dz = 0;
  if (walker.restTicks > 0) {
    walker.restTicks--;
    return;
  }
  if (random.chance(TELEPORT_CHANCE)) {
    walker.way = [];
    walker.level = 0;
    arrive(walker, map.someTile(random), "teleport");
    return;
  }
  if (map.isStairs(tile.x, tile.z) && random.chance(CLIMB_CHANCE)) {
    walker.way = [];
    walker.level = 1 - walker.level;
    arrive(walker, tile, "teleport");
    return;
  }
  if (random.chance(JUMP_CHANCE) && jump(walker, map)) return;
  if (walker.gone >= walker.way.length) {
    if (random.chance(REST_CHANCE)) walker.restTicks = random.integer(1, MAX_REST_TICKS);
    const far = (): number => random.integer(-MAX_WAY_TILES, MAX_WAY_TILES);
    walker.way = map.findWay(tile, { x: tile.x + far(), z: tile.z + far() }, walker.level);
    walker.gone = 0;
    walker.runs = random.chance(RUN_CHANCE);
  }
  const steps = Math.min(walker.runs ? 2 : 1, walker.way.length - walker.gone);
  const next = walker.way[walker.gone + steps - 1];
  if (steps === 0 || next === undefined) return;
  walker.gone += steps;
  arrive(walker, next, walker.runs ? "run" : "walk");
}

/** Over whatever lies between, such as a wall. */
function jump(walker: Walker, map: WalkMap): boolean {
  const { random, tile, level } = walker;
  const along = random.chance(0.5) ? JUMP_TILES : -JUMP_TILES;
  const to = random.chance(0.5) ? { x: tile.x + along, z: tile.z } : { x: tile.x, z: tile.z + along };
  if (!map.isOpen(to.x, to.z, level)) return false;
  walker.way = [];
  arrive(walker, to, "run");
  walker.jumped = true;
  return true;
}

function arrive(walker: Walker, tile: MapTile, stance: Walker["stance"]): void {
  walker.dx = tile.x - walker.tile.x;
  walker.dz = tile.z - walker.tile.z;
  walker.orientation = orientationOf(walker.dx, walker.dz) ?? walker.orientation;
  walker.tile = tile;
  walker.stance = stance;
}

/** The client loads the part of the map around the player. */
export function loadScene(walker: Walker): void {
  walker.sceneX = sceneAround(walker.tile.x);
  walker.sceneZ = sceneAround(walker.tile.z);
}

/** The client does so when the player comes near the edge of the loaded part. */
export function followScene(walker: Walker): void {
  const { x, z } = walker.tile;
  if (leavesScene(x, walker.sceneX) || leavesScene(z, walker.sceneZ)) loadScene(walker);
}

/** A walker with the members that are saved. */
export function liveOf({ tile, way, gone, ...walker }: Walker) {
  const left = way.slice(gone).flatMap(({ x, z }) => [x, z]);
  return { ...walker, random: walker.random.save(), x: tile.x, z: tile.z, way: Int32Array.from(left) };
}

/** Throws `RangeError` for an index or a tile that cannot be. */
export function restoreWalker({ random, x, z, way: left, ...walker }: SavedWalker): Walker {
  checkIndex(walker.index);
  const way: MapTile[] = [];
  for (let at = 0; at < left.length; at += 2) way.push({ x: left[at] as number, z: left[at + 1] as number });
  for (const tile of [{ x, z }, ...way]) checkTile(walker.level, tile.x, tile.z);
  return { ...walker, random: createRandom(random), tile: { x, z }, way, gone: 0 };
}
