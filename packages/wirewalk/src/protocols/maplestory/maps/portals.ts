/** How portals are used, by their kind. */
import type { Point } from "../wire/messages.ts";
import { type MapleMap, type Portal, portalKinds } from "./map.ts";

const byKey: readonly number[] = [
  portalKinds.invisible,
  portalKinds.visible,
  portalKinds.changeable,
  portalKinds.changeableInvisible,
  portalKinds.script,
  portalKinds.scriptInvisible,
  portalKinds.hidden,
  portalKinds.scriptHidden,
];
/** Neither a script nor a touch acts here. */
const plain: readonly number[] = [
  portalKinds.start,
  portalKinds.invisible,
  portalKinds.visible,
  portalKinds.changeable,
  portalKinds.changeableInvisible,
  portalKinds.hidden,
];
const byTouch: readonly number[] = [portalKinds.touched, portalKinds.scriptTouched];
const springs: readonly number[] = [portalKinds.spring, portalKinds.springOfOwn];

/** Whether the client has to press up in it. */
export function isUsedByKey({ kind }: Portal): boolean {
  return byKey.includes(kind);
}

/** Whether it does nothing to a body that stands in it: players can be put there. With up pressed it may lead elsewhere, by no script. */
export function isPlainPortal({ kind }: Portal): boolean {
  return plain.includes(kind);
}

/** Whether it is enough to come near. */
export function isUsedByTouch({ kind }: Portal): boolean {
  return byTouch.includes(kind);
}

/** Whether it throws bodies. */
export function isSpring({ kind }: Portal): boolean {
  return springs.includes(kind);
}

/** How far from a portal its touch reaches where the map does not say, pixels: ours, from how far rows of them are apart. */
export const touchReachPx = 50;
/** How fast a spring throws up where the map does not say, pixels per second: ours, between those that maps name. */
export const springPxPerSecond = 1000;

/** Whether a body at a place touches a portal. */
export function touches({ x, y, reachX = touchReachPx, reachY = touchReachPx }: Portal, at: Point): boolean {
  return Math.abs(at.x - x) <= reachX && Math.abs(at.y - y) <= reachY;
}

/** The velocity that a spring gives, pixels per second, y downwards. */
export function impactOf({ impactX = 0, impactY = springPxPerSecond }: Portal): {
  readonly vx: number;
  readonly vy: number;
} {
  return { vx: impactX, vy: -impactY };
}

/** The portals of a map that act by themselves. */
export interface TouchedPortals {
  readonly springs: readonly Portal[];
  readonly touched: readonly Portal[];
}

const known = new WeakMap<MapleMap, TouchedPortals>();

/** Worked out once for each map. */
export function touchedPortals(map: MapleMap): TouchedPortals {
  let found = known.get(map);
  if (found === undefined) {
    found = { springs: map.portals.filter(isSpring), touched: map.portals.filter(isUsedByTouch) };
    known.set(map, found);
  }
  return found;
}
