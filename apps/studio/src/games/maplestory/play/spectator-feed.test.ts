import { beforeEach, expect, test } from "vitest";
import { encodePath, Fragment, v62Fragments } from "wirewalk/maplestory";
import { createRandom, type Track } from "wirewalk/motion";
import { formatHex } from "wirewalk/wire";
import { Actors } from "./actors.ts";
import { SpectatorFeed } from "./spectator-feed.ts";

let actors: Actors;
let feed: SpectatorFeed;

beforeEach(() => {
  actors = new Actors({ dialect: "v62", random: createRandom(1) });
  feed = new SpectatorFeed(actors, "v62");
});

const names = (): readonly string[] => [...actors.all].map(({ key, name }) => `${key} ${name ?? ""}`.trim());

function track(player: number, more: Partial<Track> = {}): Track {
  return {
    player,
    room: "1",
    atMs: 0,
    position: { x: player, y: 300 },
    velocity: { x: 0, y: 0 },
    facingTurns: 0.5,
    stance: "sit",
    source: "claimed",
    details: { characterId: player + 100 },
    ...more,
  };
}

function received(...tracks: readonly Track[]) {
  return {
    tracks: new Map(tracks.map((each) => [each.player, each])),
    players: new Map(tracks.map(({ player }) => [player, { player, name: `bot ${player}`, room: "1" }])),
  };
}

function path(actor: string, id: number) {
  const fragments = [
    Fragment.of("absolute", { type: 0, x: 50, y: 300, vx: 9, foothold: 1, state: 2, durationMs: 510 }),
  ];
  const hex = formatHex(encodePath({ start: { x: 1, y: 300 }, fragments }, v62Fragments));
  return { what: "path", data: { actor, id, packetBytes: 45, path: hex } };
}

const monsters = (...list: readonly { mobId: number; controller: number | null }[]) => ({
  what: "monsters",
  data: { monsters: list.map((each) => ({ ...each, template: 100_100, x: 5, y: 6, state: 4 })) },
});

test("a player that only stands is known by its track, with name, position and stance", () => {
  feed.update(received(track(1)), 0);
  expect(names()).toEqual(["player 101 bot 1"]);
  // Sits, to the left.
  expect(actors.get("player 101")?.truth(0)).toMatchObject({ x: 1, y: 300, state: 21 });
});

test("a hidden player is not shown, and one that left is removed within a second", () => {
  feed.update(received(track(1), track(2, { details: { characterId: 102, hidden: true } })), 0);
  expect(names()).toEqual(["player 101 bot 1"]);
  feed.update(received(), 900);
  expect(names()).toEqual(["player 101 bot 1"]);
  feed.update(received(), 1100);
  expect(names()).toEqual([]);
});

test("paths become packets of their actors; a pet goes with its owner", () => {
  feed.update(received(track(1)), 0);
  feed.apply(path("player", 101), 510);
  feed.apply(path("pet", 101), 510);
  expect(actors.get("player 101")?.batches).toMatchObject([{ number: 1, durationMs: 510, packetBytes: 45 }]);
  feed.update(received(track(1)), 60_000);
  expect(names()).toEqual(["player 101 bot 1", "pet 101"]);
  feed.update(received(), 62_000);
  feed.update(received(), 62_001);
  expect(names()).toEqual([]);
});

test("monsters are those of the last list, with the name of the player that drives them", () => {
  feed.update(received(track(1)), 0);
  feed.apply(monsters({ mobId: 7, controller: 1 }, { mobId: 8, controller: null }), 0);
  feed.update(received(track(1)), 10);
  expect([...actors.all].map(({ key, driver }) => [key, driver])).toEqual([
    ["player 101", undefined],
    ["monster 7", "bot 1"],
    ["monster 8", undefined],
  ]);
  feed.apply(monsters({ mobId: 8, controller: 1 }), 1000);
  feed.update(received(track(1)), 1100);
  expect(names()).toEqual(["player 101 bot 1", "monster 8"]);
});

test("an observation of another kind is ignored", () => {
  feed.apply({ what: "weather", data: {} }, 0);
  expect(names()).toEqual([]);
});
