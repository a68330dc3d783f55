import { expect, test } from "vitest";
import type { GameView } from "./games/game-view.ts";
import { LoadedGames } from "./loaded-games.ts";

const view = {} as GameView;

test("a game is loading until its chunk is here, and is loaded once", async () => {
  let asked = 0;
  let arrive = (_view: GameView): void => {};
  const games = new LoadedGames({
    slow: () => {
      asked += 1;
      return new Promise((resolve) => {
        arrive = resolve;
      });
    },
  });
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
  const games = new LoadedGames({
    gone: () => {
      asked += 1;
      return Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
    },
  });
  await games.load("gone");
  await games.load("gone");
  expect(games.get("gone")).toEqual({ state: "failed" });
  expect(asked).toBe(1);
});

test.each(["other", "__proto__", "toString", ""])("the page has no game %j", async (name) => {
  const games = new LoadedGames({ known: () => Promise.resolve(view) });
  await games.load(name);
  expect(games.get(name)).toEqual({ state: "unknown" });
  expect(games.viewOf(name)).toBeUndefined();
});
