import { afterEach, describe, expect, test } from "vitest";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { FakeWorld } from "../../../wirewalk/src/protocols/testing/fake-world.ts";
import { type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { aMoment, PlainClient, until, WebClient } from "../testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));
const start = async (options: Partial<ServerOptions> = {}): Promise<number> => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol, port: 0 }], ...options });
  return server.listeners[0]?.port ?? 0;
};
const openFeed = (): Promise<WebClient> => WebClient.to(server.httpAddress, "/ws/studio");
const watch = (feed: WebClient, room: string | null, world = "fake"): void =>
  feed.socket.send(JSON.stringify({ type: "watch", world, room }));

test("a page receives the served worlds first, then the rooms", async () => {
  const port = await start();
  const a = await PlainClient.to(port);
  await a.receives("W1");
  const feed = await openFeed();
  const hello = await feed.receivesEvent("hello");
  expect(feed.events[0]).toBe(hello);
  expect(hello.token).toMatch(/^[0-9a-f]{32}$/);
  expect(hello.worlds).toEqual([
    {
      name: "fake",
      protocol: "fake",
      title: "Fake",
      dialect: "plain",
      path: "/ws/fake",
      demo: null,
      settings: { opcode: 7 },
      listen: `127.0.0.1:${port}`,
    },
  ]);
  expect(await feed.receivesEvent("rooms")).toEqual({
    type: "rooms",
    world: "fake",
    rooms: [{ room: "1", players: 1 }],
  });
  const rates = await feed.receivesEvent("rates");
  expect(rates.rates).toMatchObject({ sessions: 1 });
  // A change is sent within the second.
  const b = await WebClient.to(server.httpAddress, "/ws/fake?room=2");
  await b.receives("W2");
  await feed.receivesEvent("rooms", ({ rooms }) => (rooms as unknown[]).length === 2);
});

test("a spectator of a room receives its players, joins and leaves, and positions", async () => {
  await start();
  const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  await a.receives("W1");
  const feed = await openFeed();
  watch(feed, "1");
  expect(await feed.receivesEvent("players")).toEqual({
    type: "players",
    world: "fake",
    room: "1",
    players: [{ player: 1, name: "ann", room: "1" }],
  });
  const b = await WebClient.to(server.httpAddress, "/ws/fake");
  await b.receives("W2");
  expect(await feed.receivesEvent("join")).toEqual({
    type: "join",
    world: "fake",
    player: { player: 2, name: "player", room: "1" },
  });
  const tracks = await feed.receivesEvent("tracks", (event) => (event.tracks as unknown[]).length === 2);
  expect(tracks).toMatchObject({
    world: "fake",
    room: "1",
    tracks: [{ player: 1 }, { player: 2, stance: "stand" }],
  });
  b.sendText("s/room 2");
  expect(await feed.receivesEvent("leave")).toEqual({ type: "leave", world: "fake", player: 2, room: "1" });
  const c = await WebClient.to(server.httpAddress, "/ws/fake?room=2");
  await c.receives("W3");
  watch(feed, null);
  await feed.receivesEvent("rooms", ({ rooms }) => JSON.stringify(rooms).includes('{"room":"2","players":2}'));
  expect(feed.events.filter(({ type }) => type === "join")).toHaveLength(1);
});

test("pages receive verdicts and bans; a later page receives the last hundred verdicts", async () => {
  await start();
  const early = await openFeed();
  watch(early, null);
  await early.receivesEvent("hello");
  const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  await a.receives("W1");
  for (let index = 0; index < 120; index += 1) a.sendText("s/verdict");
  const { verdict } = await early.receivesEvent("verdict");
  expect(verdict).toMatchObject({
    kind: "reject",
    rule: "manners",
    player: 1,
    room: "1",
    measured: 1,
    allowed: 0,
    unit: "words",
    message: Buffer.from("s/verdict").toString("hex"),
    stateBefore: { room: "1" },
  });
  const late = await openFeed();
  watch(late, null);
  await until(
    "the last hundred have arrived",
    () => late.events.filter(({ type }) => type === "verdict").length >= 100,
  );
});

test("the page that follows a player receives how much of its limits it has used", async () => {
  await start({ demo: true, listeners: [{ protocol: slimeOnline2, dialect: "documented" }] });
  const [follows, watches] = [await openFeed(), await openFeed()];
  await WebClient.to(server.httpAddress, "/ws/slime-online-2?account=ann");
  await until("it is in", () => server.stats().players === 1);
  follows.socket.send(JSON.stringify({ type: "watch", world: "slime-online-2", room: "1", player: 1 }));
  watch(watches, "1", "slime-online-2");
  const { budgets } = await follows.receivesEvent("budgets");
  expect(budgets).toEqual([
    { name: "advantage-x", rule: "unreachable", used: expect.any(Number), limit: 0.55, unit: "s" },
    { name: "advantage-y", rule: "unreachable", used: expect.any(Number), limit: 0.55, unit: "s" },
    { name: "held-back", rule: "unreachable", used: expect.any(Number), limit: 5.45, unit: "s" },
    { name: "corrections", rule: "anti-cheat", used: 0, limit: 20, unit: "corrections/h" },
  ]);
  await watches.receivesEvent("rates");
  expect(watches.events.some(({ type }) => type === "budgets")).toBe(false);
});

test("bans in force are sent after a change and to every page that comes later, without addresses", async () => {
  await start({ banLoopback: true });
  const early = await openFeed();
  watch(early, null);
  expect((await early.receivesEvent("bans")).bans).toEqual([]);
  const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  await a.receives("W1");
  a.sendText("s/ban");
  const isBanned = ({ bans }: Record<string, unknown>): boolean => (bans as unknown[]).length === 1;
  const { bans } = await early.receivesEvent("bans", isBanned);
  expect(bans).toEqual([
    {
      holdsOn: "address",
      name: "ann",
      rule: "manners",
      reason: "manners",
      fromMs: expect.any(Number),
      untilMs: expect.any(Number),
    },
  ]);
  const late = await openFeed();
  watch(late, null);
  await late.receivesEvent("bans", isBanned);
  const said = [...early.events, ...late.events].filter(({ type }) => type !== "hello");
  expect(JSON.stringify(said)).not.toContain("127.0.0.1");
  server.bans.lift("fake", "address:127.0.0.1");
  await late.receivesEvent("bans", (event) => !isBanned(event));
});

test("observations go to the spectators of their room", async () => {
  await start();
  const [here, elsewhere] = [await openFeed(), await openFeed()];
  watch(here, "1");
  watch(elsewhere, "2");
  await here.receivesEvent("players");
  await elsewhere.receivesEvent("players");
  const a = await WebClient.to(server.httpAddress, "/ws/fake");
  a.sendText("s/show");
  const { atMs, ...shown } = await here.receivesEvent("observation");
  const observation = { type: "observation", world: "fake", room: "1", player: 1 };
  expect(shown).toEqual({ ...observation, what: "gesture", data: { hands: 2 } });
  expect(atMs).toBeGreaterThan(0);
  await aMoment();
  expect(elsewhere.events.some(({ type }) => type === "observation")).toBe(false);
});

describe("a player looked at closely", () => {
  const look = (feed: WebClient, player: unknown, room: string | null = "1"): void =>
    feed.socket.send(JSON.stringify({ type: "watch", world: "fake", room, player }));
  const followed = (): readonly number[] => {
    const world = server.worlds[0]?.host.world;
    return world instanceof FakeWorld ? [...world.followed] : [];
  };
  const shown = (feed: WebClient): unknown[] =>
    feed.events.filter(({ type }) => type === "observation").map(({ what, player }) => `${what} ${player}`);

  test("is observed by its followers alone, each from a start of its own", async () => {
    await start();
    const [a, b] = [
      await WebClient.to(server.httpAddress, "/ws/fake"),
      await WebClient.to(server.httpAddress, "/ws/fake"),
    ];
    await b.receives("W2");
    const [near, far, late] = [await openFeed(), await openFeed(), await openFeed()];
    watch(far, "1");
    look(near, 2);
    expect(await near.receivesEvent("observation")).toMatchObject({ room: "1", player: 2, what: "start", data: {} });
    b.sendText("s/look");
    a.sendText("s/look");
    await near.receivesEvent("observation", ({ what }) => what === "closer");
    look(late, 2);
    await late.receivesEvent("observation");
    b.sendText("s/look");
    await late.receivesEvent("observation", ({ what }) => what === "closer");
    b.sendText("s/show");
    await far.receivesEvent("observation");
    await near.receivesEvent("observation", ({ what }) => what === "gesture");
    expect(shown(near)).toEqual(["start 2", "closer 2", "start 2", "closer 2", "gesture 2"]);
    expect(shown(late)).toEqual(["start 2", "closer 2", "gesture 2"]);
    expect(shown(far)).toEqual(["gesture 2"]);
  });

  test("has its messages shown to its followers alone, in both directions", async () => {
    await start();
    const [a, b] = [
      await WebClient.to(server.httpAddress, "/ws/fake"),
      await WebClient.to(server.httpAddress, "/ws/fake"),
    ];
    await b.receives("W2");
    const [near, far] = [await openFeed(), await openFeed()];
    watch(far, "1");
    look(near, 2);
    await until("2 is followed", () => followed().includes(2));
    // Its own, then what the other says to the room.
    b.sendText("shello");
    await near.receivesEvent("wire", ({ records }) => JSON.stringify(records).includes('"client"'));
    a.sendText("swelcome");
    await near.receivesEvent("wire", ({ records }) => JSON.stringify(records).includes('"server"'));
    const records = near.events.flatMap((event) =>
      event.type === "wire" ? (event.records as { sender: string; player: number; payload: string }[]) : [],
    );
    expect(
      records.map(({ sender, player, payload }) => [sender, player, Buffer.from(payload, "hex").toString()]),
    ).toEqual([
      ["client", 2, "shello"],
      ["server", 2, "S1:welcome"],
    ]);
    expect(far.events.some(({ type }) => type === "wire")).toBe(false);
    look(near, 1);
    await until("2 is no longer followed", () => !followed().includes(2));
    b.sendText("sunseen");
    a.sendText("sseen");
    await near.receivesEvent("wire", ({ records: last }) =>
      JSON.stringify(last).includes(Buffer.from("sseen").toString("hex")),
    );
    expect(JSON.stringify(near.events)).not.toContain(Buffer.from("sunseen").toString("hex"));
  });

  test("is no longer followed when its last follower leaves, or when it leaves the room", async () => {
    await start();
    const players: WebClient[] = [];
    for (let count = 1; count <= 3; count += 1) players.push(await WebClient.to(server.httpAddress, "/ws/fake"));
    const [a, b] = [await openFeed(), await openFeed()];
    look(a, 1);
    look(b, 1);
    await until("1 is followed", () => followed().includes(1));
    look(a, 2);
    await until("2 is followed too", () => followed().length === 2);
    await aMoment(120);
    expect(followed()).toEqual([1, 2]);
    b.socket.close();
    await until("1 is no longer followed", () => !followed().includes(1));
    look(a, null);
    await until("2 is no longer followed", () => followed().length === 0);
    look(a, 3);
    await until("3 is followed", () => followed().length === 1);
    players[2]?.sendText("s/room 2");
    await until("3 is no longer followed", () => followed().length === 0);
    look(a, 1);
    await until("1 is followed again", () => followed().length === 1);
    players[0]?.socket.close();
    await until("1 is no longer followed again", () => followed().length === 0);
  });

  test("a player outside the room is unknown", async () => {
    await start();
    const other = await WebClient.to(server.httpAddress, "/ws/fake?room=2");
    await other.receives("W1");
    const feed = await openFeed();
    for (const player of [1, 77, 0, -1, 65_536]) look(feed, player);
    look(feed, 1, null);
    await until("all were answered", () => feed.events.filter(({ type }) => type === "players").length === 5);
    await aMoment();
    expect(followed()).toEqual([]);
    expect(feed.closed).toBeUndefined();
  });

  test("may be a player of another room that is shown in this one", async () => {
    await start();
    const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
    await a.receives("W1");
    const feed = await openFeed();
    watch(feed, "mirror");
    await feed.receivesEvent("players");
    a.sendText("s/appear");
    const player = { player: 1, name: "ann", room: "mirror" };
    expect(await feed.receivesEvent("join")).toEqual({ type: "join", world: "fake", player });
    look(feed, 1, "mirror");
    expect(await feed.receivesEvent("players", ({ players }) => (players as unknown[]).length > 0)).toMatchObject({
      players: [player],
    });
    expect(followed()).toEqual([1]);
    const home = await openFeed();
    watch(home, "1");
    expect(await home.receivesEvent("players")).toMatchObject({ players: [{ player: 1, name: "ann", room: "1" }] });
    a.sendText("s/vanish");
    expect(await feed.receivesEvent("leave")).toEqual({ type: "leave", world: "fake", player: 1, room: "mirror" });
    await until("1 is no longer followed", () => followed().length === 0);
  });
});

test("the feed whose token opened a game, and no other, receives its player id", async () => {
  await start();
  const [feed, other] = [await openFeed(), await openFeed()];
  const { token } = await feed.receivesEvent("hello");
  await WebClient.to(server.httpAddress, `/ws/fake?room=4&viewer=${String(token)}`);
  expect(await feed.receivesEvent("self")).toEqual({ type: "self", world: "fake", player: 1, room: "4" });
  await WebClient.to(server.httpAddress, "/ws/fake?viewer=nonsense");
  await aMoment();
  expect(other.events.some(({ type }) => type === "self")).toBe(false);
});

test("that feed is sent its player again when the player enters another room, and no other player", async () => {
  await start();
  const feed = await openFeed();
  const { token } = await feed.receivesEvent("hello");
  const selves = (): number => feed.events.filter(({ type }) => type === "self").length;
  const a = await WebClient.to(server.httpAddress, `/ws/fake?viewer=${String(token)}`);
  await feed.receivesEvent("self");
  a.sendText("s/room 2");
  await feed.receivesEvent("self", ({ room }) => room === "2");
  expect(selves()).toBe(2);
  const b = await WebClient.to(server.httpAddress, "/ws/fake");
  await b.receives("W2");
  b.sendText("s/room 2");
  await aMoment();
  expect(selves()).toBe(2);
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '"watch"',
  '{"type":"watch"}',
  '{"type":"watch","world":"fake"}',
  '{"type":"watch","world":"fake","room":7}',
  '{"type":"watch","world":"fake","room":""}',
  `{"type":"watch","world":"fake","room":"${"x".repeat(65)}"}`,
  '{"type":"watch","world":"other","room":null}',
  '{"type":"watch","world":"__proto__","room":null}',
  '{"type":"stop","world":"fake","room":null}',
  '{"type":"watch","world":"fake","room":"1","player":"1"}',
  '{"type":"watch","world":"fake","room":"1","player":1.5}',
  '{"type":"watch","world":"fake","room":"1","player":[1]}',
])("anything else than a request ends the feed: %s", async (text) => {
  await start();
  const feed = await openFeed();
  feed.socket.send(text);
  expect((await feed.closes()).code).toBe(1008);
});

test("a binary message and a flood of requests end the feed, and its place is given back", async () => {
  await start();
  const binary = await openFeed();
  binary.socket.send(Buffer.from("{}"));
  expect((await binary.closes()).code).toBe(1008);
  const flood = await openFeed();
  for (let index = 0; index < 50; index += 1) watch(flood, "1");
  expect(await flood.closes()).toEqual({ code: 1008, reason: "message-rate" });
  await until("the places are free", () => server.stats().sessions === 0);
});
