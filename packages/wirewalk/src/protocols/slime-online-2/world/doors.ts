/**
 * Warps of a client, in rooms whose doors are known: from a door that leads there, to where it leads (docs/protocols/slime-online-2.md,
 * standard 8.9). Pure: nothing is changed here.
 */

import type { RoomDoor, RoomPlace, SlimeRoom } from "../maps/room.ts";
import type { SlimeMaps } from "../maps/slime-maps.ts";
import type { Finding, PositionContext } from "./judging.ts";
import type { SlimeRuleLimits } from "./limits.ts";
import type { PositionState } from "./player.ts";
import { judgeTravel, startTravel, type Travel, type TravelExcess } from "./travel.ts";

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
export interface WarpContext extends Pick<PositionContext, "nowMs" | "lateMs" | "limits" | "rules"> {
  readonly room: SlimeRoom | undefined;
  readonly maps: SlimeMaps | undefined;
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
  if (returns.some((place) => isNear(place, to, rules.doorPx))) return accepted(state, to, state.travel, context);
  return { known: true, accepted: false, finding: noWay(doors, to, rules) };
}

/** Goes through the first door that the player can have reached. */
function judgeWays(
  state: PositionState,
  to: WarpTarget,
  ways: readonly RoomDoor[],
  context: WarpContext,
): DoorJudgement {
  const { travel } = state;
  // Where the player is, nobody knows.
  if (travel === undefined) return accepted(state, to, undefined, context);
  let nearest: TravelExcess | undefined;
  for (const door of ways) {
    const reached = reach(travel, door, context);
    if (!("measured" in reached)) return accepted(state, nearestOf(to, door), reached, context);
    if (nearest === undefined || reached.measured < nearest.measured) nearest = reached;
  }
  const { measured = 0, allowed = 0 } = nearest ?? {};
  const reason = `Went through a door ${measured.toFixed(1)} px away where ${allowed.toFixed(1)} px were possible`;
  return { known: true, accepted: false, finding: findingOf(reason, measured, allowed) };
}

/** The time that the way to a door takes, as of any position. What the keys say is left to the positions that a client sends. */
function reach(travel: Travel, door: RoomDoor, { lateMs, limits, rules }: WarpContext): Travel | TravelExcess {
  const isSized = door.w !== undefined && door.h !== undefined;
  const px = isSized ? rules.doorPx : rules.unknownDoorPx;
  const [left, right] = [door.x - px, door.x + (door.w ?? 0) + px];
  const [top, bottom] = [door.y - px, door.y + (door.h ?? 0) + px];
  const x = Math.min(Math.max(travel.x, left), right);
  const y = travel.y === undefined ? undefined : Math.min(Math.max(travel.y, top), bottom);
  // The way up may be a slope to any part of the door.
  const across = Math.max(Math.abs(left - travel.x), Math.abs(right - travel.x));
  const way = judgeTravel({ ...travel, across: travel.across + across }, { x, y }, lateMs, limits.ruled, rules);
  if (way.accepted) return way.travel;
  const { axis } = way.excess;
  return axis === "horizontal" || axis === "rise" || axis === "fall" ? way.excess : travel;
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
  const near = (value: number, target = value): number => value + WIRE * Math.round((target - value) / WIRE);
  return { x: near(x, to.x), y: near(y, to.y) };
}

function accepted(
  state: PositionState,
  { x, y }: RoomPlace,
  travel: Travel | undefined,
  { nowMs, lateMs, rules }: WarpContext,
): DoorJudgement {
  const moved = travel === undefined ? startTravel(x, y, nowMs, lateMs, rules) : { ...travel, x, y, atMs: nowMs };
  const position = { ...state, baseline: { x, y, at: nowMs, saved: 0 }, travel: moved, allowedAtMs: undefined };
  return { known: true, accepted: true, position };
}

function noWay(doors: readonly RoomDoor[], to: WarpTarget, { doorPx }: SlimeRuleLimits): Finding {
  const places = doors.filter((door) => door.to.room === undefined || door.to.room === to.room);
  if (places.length === 0) return findingOf(`No door of its room leads to room ${to.room}`);
  const away = Math.min(
    ...places.map((door) => Math.hypot(onWire(to.x - (door.to.x ?? to.x)), onWire(to.y - (door.to.y ?? to.y)))),
  );
  return findingOf(`Arrived ${away.toFixed(1)} px from where the door leads`, away, doorPx);
}

function findingOf(reason: string, measured?: number, allowed = 0): Finding {
  const evidence = measured === undefined ? {} : { evidence: { measured, allowed, unit: "px" } };
  return { kind: "correct", rule: "no-door", reason, ...evidence, violation: "no-door" };
}
