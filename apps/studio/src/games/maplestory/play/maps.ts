/** The maps of the watched server as far as this page knows them. */

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { parseRoom } from "wirewalk/maplestory";
import { demoMap, type MapleMap, type MapParts, makeMap, portalKinds } from "wirewalk/maplestory/maps";
import type { JsonObject } from "wirewalk/wire";
import type { PlaceState } from "../../../app/place-state.ts";
import type { WatchedRoom } from "../../game-view.ts";

export type MapState = Exclude<PlaceState, { state: "known" }> | { readonly state: "known"; readonly map: MapleMap };

/** Maps by the parts that they are made of: several scenes have the same. */
const made = new WeakMap<JsonObject, MapState>();

/** The map of a number: a demo map, or one that the server has, or a dropped file. */
export function mapOf({ world, place }: Pick<WatchedRoom, "world" | "place">, mapId: number): ReadonlySignal<MapState> {
  const demo = world.demo === null ? undefined : demoMap(mapId);
  if (demo !== undefined) return signal<MapState>({ state: "known", map: demo });
  const asked = place(String(mapId));
  return computed(() => {
    const state = asked.value;
    return state.state === "known" ? makeOnce(state.parts) : state;
  });
}

/** The map, while it is known. */
export function knownMap(state: MapState): MapleMap | undefined {
  return state.state === "known" ? state.map : undefined;
}

function makeOnce(parts: JsonObject): MapState {
  let state = made.get(parts);
  if (state === undefined) {
    state = stateOf(parts);
    made.set(parts, state);
  }
  return state;
}

function stateOf(parts: JsonObject): MapState {
  try {
    // The server, or the reader in this page, has made them of a map.
    return { state: "known", map: makeMap(parts as unknown as MapParts) };
  } catch (error) {
    return { state: "unknown", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The map's number in a room's name. */
export function mapIdOf(room: string): number {
  return parseRoom(room)?.mapId ?? 0;
}

/** The ground of an unknown map: a plain at the height at which players enter. */
export function plainMap(mapId: number): MapleMap {
  return makeMap({
    mapId,
    title: `Map ${mapId}`,
    footholds: [{ id: 1, x1: -1000, y1: 0, x2: 1000, y2: 0, previous: 0, next: 0 }],
    portals: [{ id: 0, name: "start", kind: portalKinds.start, x: 0, y: 0 }],
  });
}
