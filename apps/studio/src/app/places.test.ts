import type { ServedWorld } from "@wirewalk/server/feed";
import { expect, test } from "vitest";
import { Places } from "./places.ts";

const world: ServedWorld = {
  name: "maplestory",
  protocol: "maplestory",
  title: "MapleStory",
  dialect: "v83",
  path: "/ws/maplestory",
  listen: null,
  demo: null,
  settings: {},
};

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test("a place is asked for once, and is known when the answer is there", async () => {
  const asked: string[] = [];
  const places = new Places({
    load: async (name, place) => {
      asked.push(`${name} ${place}`);
      return place === "1" ? { mapId: 1 } : undefined;
    },
  });
  const state = places.of(world, "1");
  expect(state.value).toEqual({ state: "loading" });
  expect(places.of(world, "1")).toBe(state);
  expect(places.of(world, "2").value).toEqual({ state: "loading" });
  await settled();
  expect(state.value).toEqual({ state: "known", parts: { mapId: 1 } });
  expect(places.of(world, "2").value).toEqual({ state: "unknown" });
  expect(asked).toEqual(["maplestory 1", "maplestory 2"]);
});

test("a world of a server that was started anew is asked again", async () => {
  let asked = 0;
  const places = new Places({ load: async () => ({ asked: ++asked }) });
  places.of(world, "1");
  const again = places.of({ ...world }, "1");
  await settled();
  expect(again.value).toEqual({ state: "known", parts: { asked: 2 } });
});

test("dropped places are taken where the server has none, and only those of the game", async () => {
  const places = new Places({ load: async (_name, place) => (place === "1" ? { from: "server" } : undefined) });
  const [first, second] = [places.of(world, "1"), places.of(world, "2")];
  await settled();
  expect(second.value.state).toBe("unknown");
  places.drop({ game: "slime-online-2", parts: async () => ({ from: "slime" }) });
  await settled();
  expect(second.value.state).toBe("unknown");
  places.drop({ game: "maplestory", parts: async () => ({ from: "file" }) });
  await settled();
  expect(second.value).toEqual({ state: "known", parts: { from: "file" } });
  expect(first.value).toEqual({ state: "known", parts: { from: "server" } });
});

test("a place that cannot be read is unknown for a reason", async () => {
  const places = new Places({ load: () => Promise.reject(new Error("Map 1: no coordinates")) });
  const state = places.of(world, "1");
  await settled();
  expect(state.value).toEqual({ state: "unknown", reason: "Map 1: no coordinates" });
});

test("a server asked for many places keeps the last ones", async () => {
  let asked = 0;
  const places = new Places({ load: async () => ({ asked: ++asked }) });
  const first = places.of(world, "0");
  for (let place = 1; place <= 64; place++) places.of(world, String(place));
  expect(places.of(world, "64")).toBe(places.of(world, "64"));
  expect(places.of(world, "0")).not.toBe(first);
});
