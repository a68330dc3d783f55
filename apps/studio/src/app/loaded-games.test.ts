import { expect, test } from "vitest";
import type { GameView, RoomView } from "../games/game-view.ts";
import { LoadedGames } from "./loaded-games.ts";

const view = {} as GameView;
const tracks = {} as RoomView;
const loadTracks = (): Promise<RoomView> => Promise.resolve(tracks);

test("a game is loading until its chunk is here, and is loaded once", async () => {
  let asked = 0;
  let arrive = (_view: GameView): void => {};
  const games = new LoadedGames(
    {
      slow: () => {
        asked += 1;
        return new Promise((resolve) => {
          arrive = resolve;
        });
      },
    },
    loadTracks,
  );
  expect(games.get("slow")).toEqual({ state: "loading" });
  expect(asked).toBe(0);
  const loaded = games.load("slow");
  void games.load("slow");
  expect(games.viewOf("slow")).toBeUndefined();
  arrive(view);
  await loaded;
  await games.load("slow");
  expect(asked).toBe(1);
  expect(games.get("slow")).toEqual({ state: "loaded", view });
  expect(games.viewOf("slow")).toBe(view);
});

test("a chunk that cannot be loaded is a failure, and not tried again", async () => {
  let asked = 0;
  const games = new LoadedGames(
    {
      gone: () => {
        asked += 1;
        return Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
      },
    },
    loadTracks,
  );
  await games.load("gone");
  await games.load("gone");
  expect(games.get("gone")).toEqual({ state: "failed" });
  expect(asked).toBe(1);
});

test.each(["other", "__proto__", "toString", ""])(
  "a game %j that the page does not have is drawn by its tracks",
  async (name) => {
    const games = new LoadedGames({ known: () => Promise.resolve(view) }, loadTracks);
    expect(games.roomViewOf(name, "1")).toBeUndefined();
    await games.load(name);
    expect(games.get(name)).toEqual({ state: "unknown" });
    expect(games.viewOf(name)).toBeUndefined();
    expect(games.roomViewOf(name, "1")).toBe(tracks);
    await games.load("known");
    expect(games.roomViewOf("known", "1")).toBe(view);
  },
);
