/**
 * Warps of a client, in rooms whose doors are known: from a door that leads there, to where it leads (docs/protocols/slime-online-2.md,
 * standard 8.9). Pure: nothing is changed here.
 */
import { anyTerrain, type RoomDoor, type RoomPlace, type SlimeRoom } from "../maps/room.ts";
import type { SlimeMaps } from "../maps/slime-maps.ts";
import { judgeReach, moveReach, type Reach, type ReachExcess, rest, startReach } from "../movement/reach.ts";
import type { Finding, PositionContext } from "./judging.ts";
import type { SlimeRuleLimits } from "./limits.ts";
import type { Entrance, PositionState } from "./player.ts";

/** What a client's warp says. */
export interface WarpTarget extends RoomPlace {
  readonly room: number;
}

export type DoorJudgement =
  /** Nothing is known of the doors, or game code allows any place. */
  | { readonly known: false }
  /** `position` is the player's at the other end, with what it has gained so far. */
  | { readonly known: true; readonly accepted: true; readonly position: PositionState }
  | { readonly known: true; readonly accepted: false; readonly finding: Finding };

/** What the rule needs to know of a warp. */
export interface WarpContext extends Pick<PositionContext, "nowMs" | "lateMs" | "line" | "limits" | "rules"> {
  readonly room: SlimeRoom | undefined;
  readonly maps: SlimeMaps | undefined;
}

/** A door leads back to where its other end is: another door at the same spot is rare. So far from either place a warp is from there, px. */
const SPOT_PX = 64;
const BACK_PX = 200;
/** One such door in this time on average, and so many at once. */
const STRANGE_EVERY_MS = 20_000;
const STRANGE_BURST_MS = 4 * STRANGE_EVERY_MS;

/** Whether a warp starts where the player came in, and leads elsewhere than back. */
export function isStrange(entrance: Entrance | undefined, from: RoomPlace, to: WarpTarget): boolean {
  if (entrance === undefined || !isNear(entrance.at, from, SPOT_PX)) return false;
  return to.room !== entrance.fromRoom || !isNear(entrance.from, to, BACK_PX);
}

/** A strange door, when the earlier ones are paid for at `paidMs`: the time when this one is paid for too. Undefined: refused. */
export function payForStrangeDoor(paidMs: number, nowMs: number): number | undefined {
  const nextMs = Math.max(paidMs, nowMs) + STRANGE_EVERY_MS;
  return nextMs <= nowMs + STRANGE_BURST_MS ? nextMs : undefined;
}

export const strangeDoorFinding: Finding = findingOf(
  "Left again and again where it came in, and not back to where it came from",
);

/** Whether a client may begin there: where players come in, or before a door. */
export function isEntrance(
  { spawns, returns, doors = [] }: SlimeRoom,
  { x, y }: { readonly x: number; readonly y?: number | undefined },
): boolean {
  const isAt = (left: number, top: number, right: number, bottom: number): boolean =>
    x >= left - SPOT_PX && x <= right + SPOT_PX && (y === undefined || (y >= top - SPOT_PX && y <= bottom + SPOT_PX));
  return (
    [...spawns, ...returns].some((place) => isAt(place.x, place.y, place.x, place.y)) ||
    doors.some((door) => isAt(door.x, door.y, door.x + (door.w ?? 0), door.y + (door.h ?? 0)))
  );
}

/** Coordinates are 16 bits of a number that may be negative. */
const WIRE = 0x10000;

/** @param state with the time until now counted. */
export function judgeDoor(state: PositionState, to: WarpTarget, context: WarpContext): DoorJudgement {
  const { room, maps, rules } = context;
  const { doors } = room ?? {};
  if (doors === undefined || state.allowedAtMs !== undefined) return { known: false };
  const ways = doors.filter((door) => leadsTo(door, to, rules.doorPx));
  if (ways.length > 0) return judgeWays(state, to, ways, context);
  const returns = maps?.room(to.room)?.returns ?? [];
  if (returns.some((place) => isNear(place, to, rules.doorPx))) return accepted(state, to, state.reach, context);
  return { known: true, accepted: false, finding: noWay(doors, to, rules) };
}

/** Goes through the first door that the player can have reached. */
function judgeWays(
  state: PositionState,
  to: WarpTarget,
  ways: readonly RoomDoor[],
  context: WarpContext,
): DoorJudgement {
  const { reach: from } = state;
  // Where the player is, nobody knows.
  if (from === undefined) return accepted(state, to, undefined, context);
  let nearest: { readonly reached: ReachExcess; readonly door: RoomDoor } | undefined;
  for (const door of ways) {
    const reached = reachDoor(from, door, context);
    if (!("measured" in reached)) return accepted(state, nearestOf(to, door), reached, context);
    if (nearest === undefined || reached.measured < nearest.reached.measured) nearest = { reached, door };
  }
  const { measured = 0, allowed = 0 } = nearest?.reached ?? {};
  const reason = `Went through a door ${measured.toFixed(1)} px away where ${allowed.toFixed(1)} px were possible`;
  const about = nearest === undefined ? undefined : { from: placeOf(from, nearest.door), at: middleOf(nearest.door) };
  return { known: true, accepted: false, finding: findingOf(reason, { measured, allowed, about }) };
}

function middleOf({ x, y, w = 0, h = 0 }: RoomDoor): RoomPlace {
  return { x: x + w / 2, y: y + h / 2 };
}

/** Where a player is whose height may not be known. */
function placeOf({ x, y }: Reach, door: RoomDoor): RoomPlace {
  return { x, y: y ?? middleOf(door).y };
}

/** The time that the way to a door takes, as of any position. What the keys say is left to the positions that a client sends. */
function reachDoor(from: Reach, door: RoomDoor, context: WarpContext): Reach | ReachExcess {
  const { lateMs, line, limits, room, rules } = context;
  const isSized = door.w !== undefined && door.h !== undefined;
  const px = isSized ? rules.doorPx : rules.unknownDoorPx;
  const [left, right] = [door.x - px, door.x + (door.w ?? 0) + px];
  const [top, bottom] = [door.y - px, door.y + (door.h ?? 0) + px];
  const x = Math.min(Math.max(from.x, left), right);
  const y = from.y === undefined ? undefined : Math.min(Math.max(from.y, top), bottom);
  // The way up may be a slope to any part of the door.
  const aside = Math.max(Math.abs(left - from.x), Math.abs(right - from.x));
  const footX = from.footX + (x < from.footX ? aside : -aside);
  const anyKeys = { leftHidden: Infinity, rightHidden: Infinity };
  const climbing = { ...from, ...anyKeys, footX, across: from.across + aside };
  const way = judgeReach(
    climbing,
    { x, y },
    { lateMs, line, bounds: limits.bounds, terrain: room?.terrain ?? anyTerrain, rules },
  );
  if (way.accepted) return way.reach;
  const { obstacle } = way.excess;
  return obstacle === "slide" || obstacle === "held-back" ? from : way.excess;
}

function leadsTo({ to }: RoomDoor, { room, x, y }: WarpTarget, px: number): boolean {
  if (to.room !== undefined && to.room !== room) return false;
  return (to.x === undefined || onWire(x - to.x) <= px) && (to.y === undefined || onWire(y - to.y) <= px);
}

function isNear(place: RoomPlace, to: RoomPlace, px: number): boolean {
  return onWire(place.x - to.x) <= px && onWire(place.y - to.y) <= px;
}

/** How far two coordinates are apart of which the wire has the low 16 bits. */
function onWire(difference: number): number {
  return Math.abs(difference - WIRE * Math.round(difference / WIRE));
}

/** The place of a warp, as the numbers near the door's target that have these 16 bits. */
function nearestOf({ x, y }: RoomPlace, { to }: RoomDoor): RoomPlace {
  return { x: nearestTo(x, to.x), y: nearestTo(y, to.y) };
}

function nearestTo(value: number, target = value): number {
  return value + WIRE * Math.round((target - value) / WIRE);
}

function accepted(
  state: PositionState,
  { x, y }: RoomPlace,
  reach: Reach | undefined,
  context: WarpContext,
): DoorJudgement {
  return { known: true, accepted: true, position: arrived(state, { x, y }, reach, context) };
}

function noWay(doors: readonly RoomDoor[], to: WarpTarget, { doorPx }: SlimeRuleLimits): Finding {
  const places = doors.filter((door) => door.to.room === undefined || door.to.room === to.room);
  if (places.length === 0) return findingOf(`No door of its room leads to room ${to.room}`);
  const targets = places.map((door) => ({ x: door.to.x ?? to.x, y: door.to.y ?? to.y }));
  const distances = targets.map(({ x, y }) => Math.hypot(onWire(to.x - x), onWire(to.y - y)));
  const away = Math.min(...distances);
  const nearest = distances.indexOf(away);
  const from = targets[nearest] ?? to;
  const door = places[nearest];
  const at = { x: nearestTo(to.x, from.x), y: nearestTo(to.y, from.y) };
  const about = { from, at, room: to.room, ...(door && { door: middleOf(door) }) };
  return findingOf(`Arrived ${away.toFixed(1)} px from where the door leads`, {
    measured: away,
    allowed: doorPx,
    about,
  });
}

interface Distance {
  readonly measured: number;
  readonly allowed: number;
  readonly about: Finding["about"] | undefined;
}

function findingOf(reason: string, distance?: Distance): Finding {
  const { measured, allowed, about } = distance ?? {};
  const evidence =
    measured === undefined || allowed === undefined ? {} : { evidence: { measured, allowed, unit: "px" } };
  return { kind: "correct", rule: "no-door", reason, ...evidence, ...(about && { about }), violation: "no-door" };
}

/** The state of a player that comes out of a door. It may hold its keys on, and go on as it went. */
export function arrived(
  state: PositionState,
  { x, y }: RoomPlace,
  reach: Reach | undefined,
  { nowMs, lateMs, limits, rules }: Omit<WarpContext, "room" | "maps">,
): PositionState {
  const start = startReach(x, y, nowMs, lateMs, limits.bounds);
  const moved =
    reach === undefined ? start : { ...moveReach(rest(reach, lateMs, rules), x, y, nowMs), ...slidesOf(start) };
  return { ...state, baseline: { x, y, at: nowMs, saved: 0 }, reach: moved, allowedAtMs: undefined };
}

function slidesOf({
  leftSlide,
  rightSlide,
  loose,
  jumps,
}: Reach): Pick<Reach, "leftSlide" | "rightSlide" | "loose" | "jumps"> {
  return { leftSlide, rightSlide, loose, jumps };
}
