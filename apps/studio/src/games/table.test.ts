import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { type GameView, type RoomView, roomView } from "./game-view.ts";
import { games } from "./table.ts";

/** All sheets of the page: those that it begins with, and those of games. */
const css = ["style", "games"]
  .map((folder) => new URL(`../${folder}/`, import.meta.url))
  .flatMap((folder) => globSync("**/*.css", { cwd: folder }).map((path) => readFileSync(new URL(path, folder), "utf8")))
  .join("\n");

const gameViews = new Map<string, GameView>();
for (const [name, load] of Object.entries(games)) gameViews.set(name, await load());

test("every game of the page is the protocol of its name", () => {
  for (const [name, view] of gameViews) expect(view.protocol).toBe(protocols[name]);
  expect([...gameViews.keys()].sort()).toEqual(Object.keys(protocols).sort());
});

/** Every view with a name: a protocol's own, and those of rooms that are drawn in a way of their own. */
const views = Array.from(gameViews).flatMap(([name, view]): [name: string, view: RoomView][] => [
  [name, view],
  ...Object.entries(view.views ?? {}).map(([room, own]): [string, RoomView] => [`${name}/${room}`, own]),
]);

test.each(views)("every mark in the legend of %s has a sample", (_name, { legend }) => {
  for (const { mark } of legend) expect(css, mark).toMatch(new RegExp(`\\.legend-${mark}\\b[^-]`));
});

test.each(views)("no mark in the legend of %s stands for two things", (_name, { legend }) => {
  expect(new Set(legend.map(({ mark }) => mark)).size).toBe(legend.length);
});

test("a room without a view of its own gets the game's default view", () => {
  const [whole, own] = ["whole", "own"].map((mark) => ({ legend: [{ mark, meaning: "" }] }) as unknown as RoomView);
  const view = { ...whole, views: { special: own } } as unknown as GameView;
  expect(roomView(view, "special")).toBe(own);
  for (const room of ["", "1", "toString", "__proto__"]) expect(roomView(view, room)).toBe(view);
});
