import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { FakeWorld } from "../../wirewalk/src/protocols/testing/fake-world.ts";
import { budgetsWith } from "./budgets.ts";
import type { FeedMessage } from "./feed.ts";
import { HostedWorld } from "./hosted-world.ts";
import { type RunningServer, type ServerOptions, startServer } from "./index.ts";
import type { WebSocketLink } from "./links.ts";
import { LogBudget } from "./log-budget.ts";
import { Stalls } from "./stalls.ts";
import { StudioFeed } from "./studio-feed.ts";
import { aMoment, PlainClient, until, WebClient } from "./testing/clients.ts";
import { FrameMeter } from "./websocket-frames.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));
const start = async (options: Partial<ServerOptions> = {}): Promise<number> => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol, port: 0 }], ...options });
  return server.listeners[0]?.port ?? 0;
};
const openFeed = (): Promise<WebClient> => WebClient.to(server.httpAddress, "/ws/studio");
const watch = (feed: WebClient, room: string | null, protocol = "fake"): void =>
  feed.socket.send(JSON.stringify({ type: "watch", protocol, room }));

test("a page is told first who is served, then the rooms", async () => {
  const port = await start();
  const a = await PlainClient.to(port);
  await a.hears("W1");
  const feed = await openFeed();
  const hello = await feed.isTold("hello");
  expect(feed.told[0]).toBe(hello);
  expect(hello.token).toMatch(/^[0-9a-f]{32}$/);
  expect(hello.protocols).toEqual([
    {
      name: "fake",
      title: "Fake",
      dialect: "plain",
      path: "/ws/fake",
      demo: null,
      settings: { opcode: 7 },
      listen: `127.0.0.1:${port}`,
    },
  ]);
  expect(await feed.isTold("rooms")).toEqual({ type: "rooms", protocol: "fake", rooms: [{ room: "1", players: 1 }] });
  const rates = await feed.isTold("rates");
  expect(rates.rates).toMatchObject({ sessions: 1 });
  // A change is told before the second is over.
  const b = await WebClient.to(server.httpAddress, "/ws/fake?room=2");
  await b.hears("W2");
  await feed.isTold("rooms", ({ rooms }) => (rooms as unknown[]).length === 2);
});

test("who watches a room is told its players, who comes and goes, and where they are", async () => {
  await start();
  const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  await a.hears("W1");
  const feed = await openFeed();
  watch(feed, "1");
  expect(await feed.isTold("players")).toEqual({
    type: "players",
    protocol: "fake",
    room: "1",
    players: [{ player: 1, name: "ann", room: "1" }],
  });
  const b = await WebClient.to(server.httpAddress, "/ws/fake");
  await b.hears("W2");
  expect(await feed.isTold("join")).toEqual({
    type: "join",
    protocol: "fake",
    player: { player: 2, name: "player", room: "1" },
  });
  const tracks = await feed.isTold("tracks", (told) => (told.tracks as unknown[]).length === 2);
  expect(tracks).toMatchObject({
    protocol: "fake",
    room: "1",
    tracks: [{ player: 1 }, { player: 2, stance: "stand" }],
  });
  b.sendText("s/room 2");
  expect(await feed.isTold("leave")).toEqual({ type: "leave", protocol: "fake", player: 2, room: "1" });
  const c = await WebClient.to(server.httpAddress, "/ws/fake?room=2");
  await c.hears("W3");
  watch(feed, null);
  await feed.isTold("rooms", ({ rooms }) => JSON.stringify(rooms).includes('{"room":"2","players":2}'));
  expect(feed.told.filter(({ type }) => type === "join")).toHaveLength(1);
});

test("verdicts and bans are told, the last hundred verdicts to those who come later", async () => {
  await start();
  const early = await openFeed();
  watch(early, null);
  await early.isTold("hello");
  const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  await a.hears("W1");
  for (let index = 0; index < 120; index += 1) a.sendText("s/verdict");
  const { verdict } = await early.isTold("verdict");
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
  await until("the last hundred were told", () => late.told.filter(({ type }) => type === "verdict").length >= 100);
  a.sendText("s/ban");
  expect(await early.isTold("ban")).toMatchObject({ protocol: "fake", account: "ann", player: 1, reason: "manners" });
});

test("what a game shows goes to those who watch its room", async () => {
  await start();
  const [here, elsewhere] = [await openFeed(), await openFeed()];
  watch(here, "1");
  watch(elsewhere, "2");
  await here.isTold("players");
  await elsewhere.isTold("players");
  const a = await WebClient.to(server.httpAddress, "/ws/fake");
  a.sendText("s/show");
  const { atMs, ...shown } = await here.isTold("observation");
  const observation = { type: "observation", protocol: "fake", room: "1", player: 1 };
  expect(shown).toEqual({ ...observation, what: "gesture", data: { hands: 2 } });
  expect(atMs).toBeGreaterThan(0);
  await aMoment();
  expect(elsewhere.told.some(({ type }) => type === "observation")).toBe(false);
});

describe("a player looked at closely", () => {
  const look = (feed: WebClient, player: unknown, room: string | null = "1"): void =>
    feed.socket.send(JSON.stringify({ type: "watch", protocol: "fake", room, player }));
  const followed = (): readonly number[] => {
    const world = server.worlds[0]?.host.world;
    return world instanceof FakeWorld ? [...world.followed] : [];
  };
  const shown = (feed: WebClient): unknown[] =>
    feed.told.filter(({ type }) => type === "observation").map(({ what, player }) => `${what} ${player}`);

  test("is shown to who looks, from the start, and to nobody else", async () => {
    await start();
    const [a, b] = [
      await WebClient.to(server.httpAddress, "/ws/fake"),
      await WebClient.to(server.httpAddress, "/ws/fake"),
    ];
    await b.hears("W2");
    const [near, far, late] = [await openFeed(), await openFeed(), await openFeed()];
    watch(far, "1");
    look(near, 2);
    expect(await near.isTold("observation")).toMatchObject({ room: "1", player: 2, what: "start", data: {} });
    b.sendText("s/look");
    a.sendText("s/look");
    await near.isTold("observation", ({ what }) => what === "closer");
    look(late, 2);
    await late.isTold("observation");
    b.sendText("s/look");
    await late.isTold("observation", ({ what }) => what === "closer");
    b.sendText("s/show");
    await far.isTold("observation");
    await near.isTold("observation", ({ what }) => what === "gesture");
    expect(shown(near)).toEqual(["start 2", "closer 2", "start 2", "closer 2", "gesture 2"]);
    expect(shown(late)).toEqual(["start 2", "closer 2", "gesture 2"]);
    expect(shown(far)).toEqual(["gesture 2"]);
  });

  test("is let go when nobody looks any more, or it leaves the room", async () => {
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
    await until("1 is let go", () => !followed().includes(1));
    look(a, null);
    await until("2 is let go", () => followed().length === 0);
    look(a, 3);
    await until("3 is followed", () => followed().length === 1);
    players[2]?.sendText("s/room 2");
    await until("3 is let go", () => followed().length === 0);
    look(a, 1);
    await until("1 is followed again", () => followed().length === 1);
    players[0]?.socket.close();
    await until("1 is let go again", () => followed().length === 0);
  });

  test("who is not in the room is nobody", async () => {
    await start();
    const other = await WebClient.to(server.httpAddress, "/ws/fake?room=2");
    await other.hears("W1");
    const feed = await openFeed();
    for (const player of [1, 77, 0, -1, 65_536]) look(feed, player);
    look(feed, 1, null);
    await until("all were answered", () => feed.told.filter(({ type }) => type === "players").length === 5);
    await aMoment();
    expect(followed()).toEqual([]);
    expect(feed.closed).toBeUndefined();
  });

  test("may be one who is shown in the room", async () => {
    await start();
    const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
    await a.hears("W1");
    const feed = await openFeed();
    watch(feed, "mirror");
    await feed.isTold("players");
    a.sendText("s/appear");
    const player = { player: 1, name: "ann", room: "mirror" };
    expect(await feed.isTold("join")).toEqual({ type: "join", protocol: "fake", player });
    look(feed, 1, "mirror");
    expect(await feed.isTold("players", ({ players }) => (players as unknown[]).length > 0)).toMatchObject({
      players: [player],
    });
    expect(followed()).toEqual([1]);
    const home = await openFeed();
    watch(home, "1");
    expect(await home.isTold("players")).toMatchObject({ players: [{ player: 1, name: "ann", room: "1" }] });
    a.sendText("s/vanish");
    expect(await feed.isTold("leave")).toEqual({ type: "leave", protocol: "fake", player: 1, room: "mirror" });
    await until("1 is let go", () => followed().length === 0);
  });
});

test("a game opened with the feed's token tells that feed alone who its player is", async () => {
  await start();
  const [feed, other] = [await openFeed(), await openFeed()];
  const { token } = await feed.isTold("hello");
  await WebClient.to(server.httpAddress, `/ws/fake?room=4&viewer=${String(token)}`);
  expect(await feed.isTold("self")).toEqual({ type: "self", protocol: "fake", player: 1, room: "4" });
  await WebClient.to(server.httpAddress, "/ws/fake?viewer=nonsense");
  await aMoment();
  expect(other.told.some(({ type }) => type === "self")).toBe(false);
});

test("it is told again when its player enters another room, and of nobody else", async () => {
  await start();
  const feed = await openFeed();
  const { token } = await feed.isTold("hello");
  const selves = (): number => feed.told.filter(({ type }) => type === "self").length;
  const a = await WebClient.to(server.httpAddress, `/ws/fake?viewer=${String(token)}`);
  await feed.isTold("self");
  a.sendText("s/room 2");
  await feed.isTold("self", ({ room }) => room === "2");
  expect(selves()).toBe(2);
  const b = await WebClient.to(server.httpAddress, "/ws/fake");
  await b.hears("W2");
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
  '{"type":"watch","protocol":"fake"}',
  '{"type":"watch","protocol":"fake","room":7}',
  '{"type":"watch","protocol":"fake","room":""}',
  `{"type":"watch","protocol":"fake","room":"${"x".repeat(65)}"}`,
  '{"type":"watch","protocol":"other","room":null}',
  '{"type":"watch","protocol":"__proto__","room":null}',
  '{"type":"stop","protocol":"fake","room":null}',
  '{"type":"watch","protocol":"fake","room":"1","player":"1"}',
  '{"type":"watch","protocol":"fake","room":"1","player":1.5}',
  '{"type":"watch","protocol":"fake","room":"1","player":[1]}',
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

describe("a page that reads too slowly", () => {
  /** A page's link whose queue is as long as the test says. */
  function slowLink() {
    const told: FeedMessage[] = [];
    const link = {
      kind: "websocket",
      address: "127.0.0.1",
      meter: new FrameMeter(),
      queuedBytes: 0,
      closedWith: undefined as string | undefined,
      listen: () => {},
      writeText: (text: Buffer) => void told.push(JSON.parse(String(text)) as FeedMessage),
      close: (reason: string) => {
        link.closedWith = reason;
      },
    };
    return { link, told };
  }

  test("gets no tracks until it has caught up, and is closed when it never does", () => {
    const clock = new VirtualClock();
    const feed = new StudioFeed(clock);
    const world = new HostedWorld({
      protocol: fakeProtocol,
      dialect: "plain",
      clock,
      seed: 1,
      enforcement: "enforce",
      demo: false,
      flushMs: 0,
      log: new LogBudget(pino({ level: "silent" }), clock, 1),
      observer: feed,
      banned: () => {},
    });
    feed.start([world], []);
    const budgets = budgetsWith({ feedQueuedBytesSoft: 1_000, feedQueuedBytesHard: 5_000 });
    const { link, told } = slowLink();
    const house = { budgets, stalls: new Stalls(clock), clock, ended: () => {}, gone: () => {} };
    const session = feed.open(
      link as unknown as WebSocketLink,
      house,
      new LogBudget(pino({ level: "silent" }), clock, 1),
    );
    session.watched = { protocol: "fake", room: "1" };
    const tracks = (): number => told.filter(({ type }) => type === "tracks").length;

    clock.advanceBy(1_000);
    expect(tracks()).toBe(20);
    link.queuedBytes = 1_001;
    clock.advanceBy(1_000);
    expect(tracks()).toBe(20);
    expect(told.filter(({ type }) => type === "rates")).toHaveLength(2);
    link.queuedBytes = 0;
    clock.advanceBy(500);
    expect(tracks()).toBe(30);
    expect(link.closedWith).toBeUndefined();
    link.queuedBytes = 5_001;
    clock.advanceBy(50);
    expect(link.closedWith).toBe("slow-reader");
  });
});
