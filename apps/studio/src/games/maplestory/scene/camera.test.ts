import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { Fragment } from "wirewalk/maplestory";
import { demoMaps, type MapParts } from "wirewalk/maplestory/maps";
import type { PlaceState } from "../../../app/place-state.ts";
import { createBatch } from "../play/batch.ts";
import { knownMap, mapIdOf, mapOf, plainMap } from "../play/maps.ts";
import { cameraFor, toScreen } from "./camera.ts";
import { nearestNode, wayOf } from "./path-drawing.ts";

const world = {
  name: "maplestory",
  protocol: "maplestory",
  title: "",
  dialect: "v62",
  path: "",
  listen: null,
  demo: { seed: 1 },
  settings: {},
};

test.each(demoMaps())("the whole of $title is on the canvas, heads too", (map) => {
  const size = { width: 600, height: 200 };
  const camera = cameraFor(size, map, []);
  for (const { x1, y1, x2, y2 } of map.footholds) {
    for (const place of [
      { x: x1, y: y1 - 60 },
      { x: x2, y: y2 },
    ]) {
      const { x, y } = toScreen(camera, place);
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(size.width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(size.height);
    }
  }
});

test("an unknown map shows the bounds of all actors", () => {
  const camera = cameraFor({ width: 500, height: 500 }, undefined, [{ x: 9000, y: -700 }]);
  const { x, y } = toScreen(camera, { x: 9000, y: -700 });
  expect(x).toBeLessThan(500);
  expect(y).toBeGreaterThan(0);
});

test("the maps of a server are known if it plays the demo maps", () => {
  const place = () => signal<PlaceState>({ state: "unknown" });
  expect(knownMap(mapOf({ world, place }, 2).value)?.title).toBe("Scaffold");
  expect(mapOf({ world, place }, 99).value).toEqual({ state: "unknown" });
  expect(mapOf({ world: { ...world, demo: null }, place }, 2).value).toEqual({ state: "unknown" });
  expect(mapIdOf("100000000-3")).toBe(100_000_000);
  expect(plainMap(7).below(0, 0)?.y).toBe(0);
});

test("a map of the server is loading, then known, and made once", () => {
  const state = signal<PlaceState>({ state: "loading" });
  const watched = { world: { ...world, demo: null }, place: () => state };
  const map = mapOf(watched, 100_000_000);
  expect(map.value).toEqual({ state: "loading" });
  const floor = { id: 7, x1: 0, y1: 0, x2: 90, y2: 0, previous: 0, next: 0 };
  const parts: MapParts = { mapId: 100_000_000, footholds: [floor] };
  state.value = { state: "known", parts: JSON.parse(JSON.stringify(parts)) };
  expect(knownMap(map.value)?.foothold(7)).toEqual(floor);
  expect(knownMap(mapOf(watched, 100_000_000).value)).toBe(knownMap(map.value));
  state.value = { state: "known", parts: JSON.parse(JSON.stringify({ ...parts, footholds: [floor, floor] })) };
  expect(map.value).toMatchObject({ state: "unknown", reason: expect.stringContaining("two of its footholds") });
});

test("a path has a point for each step of the client, so that the spacing shows the speed", () => {
  const fragments = [Fragment.of("absolute", { type: 0, x: 60, vx: 100, foothold: 1, state: 2, durationMs: 600 })];
  const batch = createBatch({
    dialect: "v62",
    number: 1,
    received: { start: { x: 0, y: 0 }, fragments },
    packetBytes: 45,
    clockMs: 600,
    receivedMs: 600,
    arrivesMs: 600,
    last: { x: 0, y: 0, vx: 100, vy: 0, durationMs: 0, jump: false, gravity: 0, state: 2 },
    seamless: true,
  });
  const way = wayOf(batch, "v62");
  expect(way).toHaveLength(21);
  expect(way.map(({ x }) => Math.round(x)).slice(0, 4)).toEqual([0, 3, 6, 9]);
  expect(wayOf(batch, "v62")).toBe(way);
});

test("the node under the pointer is the nearest one within reach", () => {
  const node = (x: number) => ({ x, y: 0, place: { key: "player 1", batch: 1, fragment: x } });
  expect(nearestNode([node(0), node(10)], { x: 7, y: 2 }, 9)?.place.fragment).toBe(10);
  expect(nearestNode([node(0)], { x: 7, y: 9 }, 9)).toBeUndefined();
});
