import type { FeedMessage, FeedMoment, FeedRequest, FeedVerdict, ServedWorld } from "@wirewalk/server/feed";
import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import type { Address } from "./address.ts";
import { RATE_SECONDS, type SoughtVerdict, Studio } from "./studio.ts";

const slime: ServedWorld = {
  name: "slime",
  protocol: "slime",
  title: "Slime",
  dialect: "documented",
  path: "/ws/slime",
  listen: null,
  demo: { seed: 1 },
  settings: {},
};
const other: ServedWorld = { ...slime, name: "other", protocol: "other", title: "Other" };

function setUp(start?: Address) {
  const clock = new VirtualClock();
  const requests: FeedRequest[] = [];
  const moments: SoughtVerdict[] = [];
  const studio = new Studio({
    clock,
    send: (request) => requests.push(request),
    start,
    showMoment: (sought) => moments.push(sought),
    standingRooms: (protocol) => (protocol === "slime" ? ["1", "2"] : []),
  });
  const tell = (...messages: FeedMessage[]): void => {
    for (const message of messages) studio.apply(message);
  };
  return { clock, studio, requests, moments, tell };
}

const hello: FeedMessage = { type: "hello", version: 3, token: "secret", worlds: [slime, other] };
const rooms = (...list: [string, number][]): FeedMessage => ({
  type: "rooms",
  world: "slime",
  rooms: list.map(([room, players]) => ({ room, players })),
});
const player = (id: number, room = "1") => ({ player: id, name: `p${id}`, room });
const verdict = (of: Partial<FeedVerdict> = {}): FeedMessage => ({
  type: "verdict",
  world: "slime",
  verdict: {
    kind: "correct",
    rule: "teleport",
    reason: "",
    player: 1,
    name: null,
    room: "1",
    atMs: 0,
    measured: 2,
    allowed: 1,
    unit: "px",
    message: "00080a",
    stateBefore: {},
    ...of,
  },
});

test("goes into the fullest room when no place is asked for", () => {
  const { studio, requests, tell } = setUp();
  tell(hello, rooms(["3", 1], ["10", 7], ["2", 2]));
  expect(studio.room.value).toBe("10");
  expect(requests).toEqual([
    { type: "watch", world: "slime", room: null },
    { type: "watch", world: "slime", room: "10" },
  ]);
});

test("opens the room of the address, and again after a lost connection", () => {
  const { studio, requests, tell } = setUp({ world: "other", room: "7" });
  tell(hello);
  expect(studio.room.value).toBe("7");
  tell(hello);
  expect(requests).toEqual([
    { type: "watch", world: "other", room: "7" },
    { type: "watch", world: "other", room: "7" },
  ]);
});

test("an address with a world that is not served says so, and leads nowhere else", () => {
  const { studio, tell, requests } = setUp({ world: "gone", room: "7" });
  tell(hello);
  expect([studio.unknown.value, studio.world.value, studio.address]).toEqual(["gone", undefined, undefined]);
  expect(requests).toEqual([]);
  studio.open({ world: "other", room: undefined });
  expect([studio.unknown.value, studio.world.value?.name]).toEqual([undefined, "other"]);
});

test("an address leads to a game by its name, and to a player and a verdict once they are there", () => {
  const { studio, tell } = setUp({ world: "slime", room: "1", player: 5, verdictMs: 9_250 });
  tell(hello, rooms(["1", 2]));
  expect(studio.address).toMatchObject({ player: 5, verdictMs: 9_250 });
  tell({ type: "players", world: "slime", room: "1", players: [player(1), player(5)] });
  expect(studio.followed.value).toBe(5);
  expect(studio.inspected.value).toBeUndefined();
  tell(verdict({ player: 1, atMs: 9_250.5 }), verdict({ player: 5, atMs: 9_251 }));
  expect(studio.inspected.value).toBeUndefined();
  tell(verdict({ player: 5, rule: "mine", atMs: 9_250.7 }));
  expect(studio.inspected.value).toMatchObject({ kind: "verdict", verdict: { rule: "mine" } });
  expect(studio.address).toEqual({ world: "slime", room: "1", player: 5, verdictMs: 9_250, atMs: undefined });
  const served = { ...other, name: "second", protocol: "third" };
  const byGame = setUp({ world: "third", room: undefined });
  byGame.tell({ ...hello, worlds: [slime, served] });
  expect(byGame.studio.world.value?.name).toBe("second");
});

/** A world that plays a recording, and how its playback stands at the beginning. */
const recording = { file: "a.mcap", startMs: 1_000, epochMs: 0, firstMs: 0, lastMs: 20_000 };
const played: ServedWorld = { ...slime, playback: recording };
const state = {
  atMs: 0,
  isPlaying: true,
  speed: 1,
  isHeld: false,
  isSeeking: false,
  jump: 0,
  isMissing: false,
  difference: null,
  gameMs: null,
  damage: null,
};

test("the address of a recording's moment goes there once it is known how the playback stands", () => {
  const seeks = (address: Address): unknown[] => {
    const { tell, requests } = setUp(address);
    tell({ ...hello, worlds: [played] }, { type: "playback", world: "slime", playback: state });
    tell({ type: "playback", world: "slime", playback: { ...state, atMs: 100 } });
    return requests.filter(({ type }) => type !== "watch");
  };
  expect(seeks({ world: "slime", room: "1", atMs: 12_500 })).toEqual([{ type: "seek", atMs: 12_500 }]);
  expect(seeks({ world: "slime", room: "1", player: 2, verdictMs: 5_000 })).toEqual([
    { type: "moment", player: 2, atMs: 5_000 },
  ]);
  expect(seeks({ world: "slime", room: "1", atMs: 99_999 })).toEqual([{ type: "seek", atMs: 20_000 }]);
});

const rates: FeedMessage = {
  type: "rates",
  world: "slime",
  rates: { sessions: 0, bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0, verdicts: 0 },
};

test("a verdict that is opened is asked for with its seconds, once, and not while one plays", () => {
  const { studio, moments, tell } = setUp({ world: "slime", room: "1" });
  tell(hello, rooms(["1", 2]), { type: "players", world: "slime", room: "1", players: [player(1)] });
  const message = verdict({ atMs: 9_250.7 });
  tell(message);
  const [found] = studio.recentVerdicts;
  if (found === undefined) throw new Error("no verdict");
  studio.select({ kind: "verdict", verdict: found });
  expect(moments).toEqual([{ world: "slime", player: 1, atMs: 9_250, rule: "teleport" }]);
  tell({ type: "self", world: "slime", player: 1, room: "1" });
  studio.select({ kind: "verdict", verdict: found });
  expect(moments.length).toBe(1);
});

test("a verdict of an address that is not among the last ones is asked for by its time, once all of those are here", () => {
  const { studio, moments, tell } = setUp({ world: "slime", room: "1", player: 5, verdictMs: 9_250 });
  tell(hello, rates, rooms(["1", 2]), { type: "players", world: "slime", room: "1", players: [player(5)] });
  tell(rates);
  expect(moments).toEqual([]);
  tell({ type: "bans", world: "slime", bans: [] }, verdict({ player: 5, atMs: 1 }), rates, rates);
  expect(moments).toEqual([{ world: "slime", player: 5, atMs: 9_250, rule: undefined }]);
  // The link stays what it was.
  expect(studio.address).toMatchObject({ player: 5, verdictMs: 9_250 });
});

test("the seconds of a verdict fill the wire list, select it, and begin again without clearing the lists", () => {
  const { clock, studio, requests, tell } = setUp();
  const told = verdict({ player: 2, room: "2", atMs: 9_000.5, message: "0102" });
  const of = told.type === "verdict" ? told.verdict : undefined;
  const moment = {
    verdict: of,
    atMs: 8_000.5,
    fromMs: 3_000,
    toMs: 10_000,
    messages: [
      { sender: "client", player: 2, atMs: 8_000, payload: "00" },
      { sender: "client", player: 2, atMs: 9_000.5, payload: "0102" },
    ],
  } as unknown as FeedMoment;
  const jumpTo = (jump: number): void =>
    tell({ type: "playback", world: "slime", playback: { ...state, jump, atMs: 3_000 } });
  tell({ ...hello, worlds: [played] }, { type: "playback", world: "slime", playback: state }, rooms(["1", 2]));
  tell({ type: "moment", world: "slime", moment, problem: null });
  clock.advanceBy(1_000);
  expect(studio.room.value).toBe("2");
  expect(studio.inspected.value).toMatchObject({ kind: "verdict", verdict: { player: 2 } });
  const times = (): unknown[] =>
    studio.wire.shown.value.map(({ recordedMs, verdict: on }) => [recordedMs, on.value?.rule]);
  expect(times()).toEqual([
    [8_000.5, "teleport"],
    [7_000, undefined],
  ]);
  jumpTo(1);
  expect([studio.jump.value, studio.rounds.value]).toEqual([1, 0]);
  const asked = requests.length;
  jumpTo(2);
  expect([studio.jump.value, studio.rounds.value, requests.length]).toEqual([1, 1, asked + 1]);
  // They are in the list.
  tell({ type: "wire", world: "slime", records: [{ sender: "client", player: 2, atMs: 8_000, payload: "00" }] });
  clock.advanceBy(1_000);
  expect(times().length).toBe(2);
  tell({ type: "moment", world: "slime", moment: null, problem: null });
  jumpTo(3);
  clock.advanceBy(1_000);
  expect([studio.jump.value, times().length]).toEqual([3, 0]);
});

test("lists standing rooms and the watched one even when they are empty, in the order of numbers", () => {
  const { studio, tell } = setUp({ world: "slime", room: "33" });
  tell(hello, rooms(["10", 4], ["2", 1]));
  expect(studio.rooms.value).toEqual([
    { room: "1", players: 0 },
    { room: "2", players: 1 },
    { room: "10", players: 4 },
    { room: "33", players: 0 },
  ]);
});

test("a game that is loaded later brings its standing rooms, and does not hide a fuller one", () => {
  const standing = { rooms: [] as string[] };
  const requests: FeedRequest[] = [];
  const clock = new VirtualClock();
  const send = (request: FeedRequest): unknown => requests.push(request);
  const make = () => new Studio({ clock, send, start: undefined, standingRooms: () => standing.rooms });
  const early = make();
  early.apply(hello);
  standing.rooms = ["1", "2"];
  early.refreshRooms();
  expect(early.rooms.value.map(({ room }) => room)).toEqual(["1", "2"]);
  expect(early.room.value).toBeUndefined();
  early.apply(rooms(["2", 3]));
  expect(early.room.value).toBe("2");
  // With nobody anywhere, the first standing room is entered once it is known.
  standing.rooms = [];
  const late = make();
  late.apply(hello);
  late.apply(rooms());
  expect(late.room.value).toBeUndefined();
  standing.rooms = ["1", "2"];
  late.refreshRooms();
  expect(late.room.value).toBe("1");
});

test("keeps the players of the watched room alone", () => {
  const { studio, tell } = setUp({ world: "slime", room: "1" });
  tell(hello, { type: "players", world: "slime", room: "1", players: [player(1)] });
  tell({ type: "join", world: "slime", player: player(2) });
  tell({ type: "join", world: "slime", player: player(3, "2") });
  tell({ type: "join", world: "other", player: player(4) });
  tell({ type: "leave", world: "slime", player: 1, room: "1" });
  expect([...studio.players.value.keys()]).toEqual([2]);
  expect(studio.roster.value.map((row) => row.player.player)).toEqual([2]);
});

test("is live from the first snapshot of the watched room on", () => {
  const { studio, tell } = setUp({ world: "slime", room: "1" });
  const snapshot = { atMs: 0, heldMs: 0, isFull: true, tracks: new Map() };
  tell(hello);
  studio.applyTracks({ ...snapshot, world: "slime", room: "2" });
  studio.applyTracks({ ...snapshot, world: "other", room: "1" });
  expect(studio.live.value).toBe(false);
  studio.applyTracks({ ...snapshot, world: "slime", room: "1" });
  expect(studio.live.value).toBe(true);
});

test("passes on the observations of the watched room, until the listener is removed", () => {
  const { studio, tell } = setUp({ world: "slime", room: "1" });
  const observation = { type: "observation", world: "slime", player: 1, atMs: 0, what: "step", data: {} } as const;
  const arrived: string[] = [];
  tell(hello);
  const stop = studio.onObservation(({ room, what }) => arrived.push(`${what} in ${room}`));
  tell({ ...observation, room: "1" }, { ...observation, room: "2" });
  stop();
  tell({ ...observation, room: "1" });
  expect(arrived).toEqual(["step in 1"]);
});

test("keeps a minute of rates", () => {
  const { studio, tell } = setUp({ world: "slime", room: "1" });
  const rates = { sessions: 0, bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0, verdicts: 0 };
  tell(hello);
  for (let second = 0; second < 100; second++)
    tell({ type: "rates", world: "slime", rates: { ...rates, sessions: second } });
  expect(studio.rates.value.length).toBe(RATE_SECONDS);
  expect(studio.rates.value.at(-1)?.sessions).toBe(99);
});

test("a verdict on the own player is put on the message that it is about", () => {
  const { clock, studio, tell } = setUp({ world: "slime", room: "1" });
  tell(hello, { type: "self", world: "slime", player: 5, room: "1" });
  studio.wire.add({ sender: "client", payload: new Uint8Array([0, 8, 10]) });
  studio.wire.add({ sender: "server", payload: new Uint8Array([0, 8, 10]) });
  tell(verdict({ player: 4 }), verdict({ player: 5, rule: "mine" }));
  clock.advanceBy(1_000);
  const [received, sent] = studio.wire.shown.value;
  expect(sent?.verdict.value?.rule).toBe("mine");
  expect(received?.verdict.value).toBeUndefined();
});

test("verdicts are repeated by the server after every watch, and are not counted twice", () => {
  const { clock, studio, tell } = setUp({ world: "slime", room: "1" });
  tell(hello, verdict());
  studio.watch(slime, "2");
  tell(verdict());
  clock.advanceBy(1_000);
  expect(studio.verdicts.value.map(({ total }) => total)).toEqual([1]);
});

test("another world starts with nothing of the last", () => {
  const { clock, studio, tell } = setUp({ world: "slime", room: "1" });
  tell(hello, { type: "players", world: "slime", room: "1", players: [player(1)] }, verdict());
  const ban = { holdsOn: "login", name: "a", rule: "teleport", reason: "", fromMs: 0, untilMs: 1 } as const;
  tell({ type: "bans", world: "slime", bans: [ban] });
  clock.advanceBy(1_000);
  studio.watch(other, undefined);
  clock.advanceBy(1_000);
  expect([studio.players.value.size, studio.verdicts.value, studio.bans.value, studio.rooms.value]).toEqual([
    0,
    [],
    [],
    [],
  ]);
});

test("another world's bytes do not stay in the wire log", () => {
  const { studio, tell, clock } = setUp();
  tell(hello, rooms(["1", 1]));
  studio.wire.add({ sender: "client", payload: new Uint8Array([1]) });
  clock.advanceBy(1_000);
  expect(studio.wire.shown.value).toHaveLength(1);
  studio.watch(slime, "2");
  clock.advanceBy(1_000);
  expect(studio.wire.shown.value).toHaveLength(1);
  studio.watch(other, undefined);
  clock.advanceBy(1_000);
  expect(studio.wire.shown.value).toEqual([]);
});

test("follows one player of the room: asks at once, then for the last of a quick choice, and repeats no verdict", () => {
  const { clock, studio, requests, tell } = setUp({ world: "slime", room: "1" });
  tell(hello, verdict());
  clock.advanceBy(1_000);
  const before = requests.length;
  studio.follow(4);
  studio.follow(5);
  studio.follow(6);
  studio.follow(6);
  expect(studio.followed.value).toBe(6);
  clock.advanceBy(1_000);
  tell(verdict());
  clock.advanceBy(1_000);
  expect(requests.slice(before)).toEqual([
    { type: "watch", world: "slime", room: "1", player: 4 },
    { type: "watch", world: "slime", room: "1", player: 6 },
  ]);
  expect(studio.verdicts.value.map(({ total }) => total)).toEqual([1]);
  studio.follow(undefined);
  expect(requests.at(-1)).toEqual({ type: "watch", world: "slime", room: "1" });
});

test("follows the same player again after a lost connection, and no player of another room", () => {
  const { studio, requests, tell } = setUp({ world: "slime", room: "1" });
  tell(hello);
  studio.follow(4);
  tell(hello);
  expect(requests.at(-1)).toEqual({ type: "watch", world: "slime", room: "1", player: 4 });
  studio.watch(slime, "2");
  expect(studio.followed.value).toBeUndefined();
  expect(requests.at(-1)).toEqual({ type: "watch", world: "slime", room: "2" });
});

test("a recording sets the time of the drawing, and after a jump the room is watched again with the same player", () => {
  const { clock, studio, requests, tell } = setUp({ world: "slime", room: "1" });
  const recording = { file: "play.mcap", startMs: 0, epochMs: 0, firstMs: 0, lastMs: 60_000 };
  const playback = (change: Partial<typeof state>): FeedMessage => ({
    type: "playback",
    world: "slime",
    playback: { ...state, speed: 2, jump: 3, ...change },
  });
  tell({ ...hello, worlds: [{ ...slime, playback: recording }] }, playback({}));
  tell({ type: "players", world: "slime", room: "1", players: [player(1)] });
  studio.follow(1);
  clock.advanceBy(1_000);
  expect(studio.sceneClock.at(clock.now())).toBe(2_000);
  tell(playback({ isPlaying: false }));
  clock.advanceBy(1_000);
  expect(studio.sceneClock.at(clock.now())).toBe(2_000);
  tell(verdict());
  const before = requests.length;
  tell(playback({ jump: 4, atMs: 30_000 }));
  expect(requests.slice(before)).toEqual([{ type: "watch", world: "slime", room: "1", player: 1 }]);
  expect(studio.recentVerdicts).toEqual([]);
  studio.control({ type: "seek", atMs: 5 });
  expect(requests.at(-1)).toEqual({ type: "seek", atMs: 5 });
  // A live server follows at the same address.
  tell(hello);
  expect([studio.playback.value, studio.sceneClock.rate]).toEqual([undefined, 1]);
});
