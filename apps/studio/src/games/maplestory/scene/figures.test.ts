import { beforeEach, expect, test } from "vitest";
import { Fragment } from "wirewalk/maplestory";
import { createRandom } from "wirewalk/motion";
import type { Actor } from "../play/actor.ts";
import { Actors } from "../play/actors.ts";
import {
  batchesOf,
  figuresOf,
  nameOf,
  nearestFigure,
  sortActors,
  truthOf,
  unsentOf,
  type ViewState,
} from "./figures.ts";
import { type MaplePalette, mapleColours } from "./marks.ts";
import { cardOf, laneRow } from "./panel-state.ts";
import { Selection } from "./selection.ts";
import { laneOf } from "./time-line.ts";

const names = ["accent", "text", "text-dim", "scene", "panel", ...mapleColours] as const;
const colours = {
  ...Object.fromEntries(names.map((name) => [name, name])),
  players: Array.from({ length: 8 }, (_, index) => `player-${index}`),
} as unknown as MaplePalette;

let actors: Actors;
let selection: Selection;

beforeEach(() => {
  actors = new Actors({ dialect: "v62", random: createRandom(1) });
  selection = new Selection((key) => actors.get(key));
});

function view(more: Partial<ViewState> = {}): ViewState {
  const settings = { trails: true, names: true, serverTracks: true };
  return { nowMs: 2000, shownMs: 700, play: undefined, policy: "native", selection, settings, colours, ...more };
}

/** Walks right for two batches, from 0 to 510 and to 1,020 ms. */
function walker(id: number): Actor {
  actors.show("player", id, { x: 0, y: 0, state: 4 }, 0).name = `bot ${id}`;
  for (const number of [1, 2]) {
    const at = (count: number): number => count * 51;
    const fragments = [
      Fragment.of("absolute", { type: 0, x: at(number), vx: 100, foothold: 1, state: 2, durationMs: 510 }),
    ];
    const received = { start: { x: at(number - 1), y: 0 }, fragments };
    actors.receive("player", id, { received, packetBytes: 45, atMs: number * 510 });
  }
  return actors.get(`player ${id}`) as Actor;
}

const play = (ownKey: string) => ({
  ownKey,
  own: () => ({ x: 99, y: 0, state: 2 }),
  unsent: [{ x: 98, y: 0 }],
  driven: (mobId: number) => (mobId === 7 ? { x: 5, y: 6, state: 3 } : undefined),
});

test("a spectator sees truth and ghost of all, the name above the truth", () => {
  const actor = walker(1);
  actors.advance(700);
  const [ghost, truth, ...more] = figuresOf([actor], view());
  expect(more).toEqual([]);
  expect(ghost).toMatchObject({ as: "ghost", label: undefined, state: 2 });
  expect(truth).toMatchObject({ as: "truth", label: "bot 1" });
  expect(truth?.x).toBeGreaterThan(ghost?.x ?? Infinity);
});

test("a player sees its own truth, ghosts of the others, and their reported positions", () => {
  const [own, other] = [walker(1), walker(2)];
  actors.advance(700);
  const monster = actors.show("monster", 7, { x: 0, y: 0, state: 4 }, 0);
  const seen = view({ play: play("player 1"), shownMs: 1100 });
  expect(figuresOf([own, other, monster], seen).map(({ key, as, own: isOwn }) => [key, as, isOwn])).toEqual([
    ["player 1", "ghost", true],
    ["player 1", "truth", true],
    ["player 2", "ghost", false],
    ["player 2", "reported", false],
    ["monster 7", "ghost", false],
    ["monster 7", "truth", false],
  ]);
  expect(truthOf(monster, seen)).toEqual({ x: 5, y: 6, state: 3, isLive: true });
  expect(figuresOf([other], { ...seen, settings: { ...seen.settings, serverTracks: false } })).toHaveLength(1);
  expect(unsentOf(own, seen)).toEqual([
    { x: 98, y: 0 },
    { x: 99, y: 0, state: 2 },
  ]);
  expect(unsentOf(other, seen)).toEqual([]);
});

test("in a crowd only the selected actor has a name", () => {
  for (let id = 1; id <= 21; id++) actors.show("player", id, { x: 0, y: 0, state: 4 }, 0);
  selection.choose("player 3");
  const labels = figuresOf([...actors.all], view()).flatMap(({ label }) => label ?? []);
  expect(labels).toEqual(["player 3"]);
});

test("packets fade with age, and one that was clicked stays", () => {
  const actor = walker(1);
  const drawn = (shownMs: number) => batchesOf(actor, view({ shownMs })).map(({ batch }) => batch.number);
  expect(drawn(500)).toEqual([]);
  expect(drawn(1100)).toEqual([1, 2]);
  expect(drawn(2600)).toEqual([2]);
  selection.pin({ key: "player 1", batch: 1, fragment: 0 });
  expect(drawn(9000)).toEqual([1]);
});

test("spectators know the movement since the last packet", () => {
  const way = unsentOf(walker(1), view({ shownMs: 700 }));
  expect(way[0]?.x).toBeCloseTo(51, 0);
  expect(way.length).toBe(7);
});

test("lanes are sorted: the own character, players by name, monsters by number", () => {
  for (const id of [10, 9, 2]) actors.show("player", id, { x: 0, y: 0, state: 4 }, 0).name = `bot ${id}`;
  actors.show("monster", 1, { x: 0, y: 0, state: 4 }, 0);
  expect(sortActors(actors.all, "player 10").map(nameOf)).toEqual(["bot 10", "bot 2", "bot 9", "mob 1"]);
});

test("a click means the nearest body", () => {
  const actor = walker(1);
  actors.advance(700);
  const figures = figuresOf([actor], view());
  const truth = figures.at(-1);
  expect(nearestFigure(figures, { x: (truth?.x ?? 0) + 3, y: -20 }, 30)).toBe(truth);
  expect(nearestFigure(figures, { x: 500, y: -20 }, 30)).toBeUndefined();
});

test("the packet under the pointer goes before the clicked one, and that before the selected actor", () => {
  const actor = walker(1);
  actors.advance(1100);
  const where = { dialect: "v62", map: undefined };
  const card = () => cardOf((key) => actors.get(key), where, view({ shownMs: 1100 }));
  expect(card()).toBeUndefined();
  selection.choose("player 1");
  expect(card()).toMatchObject({ name: "bot 1", pinned: true, fragment: undefined, batch: { number: 2 } });
  selection.pin({ key: "player 1", batch: 1, fragment: 0 });
  expect(card()).toMatchObject({ fragment: 0, batch: { number: 1 } });
  selection.hover({ key: "player 1", batch: 2, fragment: 0 });
  expect(card()).toMatchObject({ pinned: false, batch: { number: 2 } });
  selection.hover(undefined);
  selection.choose(undefined);
  expect(card()).toBeUndefined();
  expect(laneRow(actor, laneOf(actor, 1100), view())).toMatchObject({
    name: "bot 1",
    selected: false,
    last: { durationMs: 510, lateMs: expect.closeTo(0, 0) },
  });
});

test("a packet that was dropped is not selected", () => {
  selection.hover({ key: "player 1", batch: 1, fragment: 0 });
  expect(selection.at).toBeUndefined();
  expect(selection.isHovering).toBe(false);
});
