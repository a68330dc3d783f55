import { afterEach, expect, test } from "vitest";
import { type RunningServer, type ServerOptions, startServer } from "./index.ts";
import { aMoment, PlainClient, until, WebClient } from "./testing/clients.ts";
import { echoProtocol } from "./testing/echo-protocol.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));
const start = async (options: Partial<ServerOptions> = {}): Promise<number> => {
  server = await startServer({ http: 0, listeners: [{ protocol: echoProtocol, port: 0 }], ...options });
  return server.listeners[0]?.port ?? 0;
};
const openFeed = (): Promise<WebClient> => WebClient.to(server.httpAddress, "/ws/studio");
const watch = (feed: WebClient, room: string | null, protocol = "echo"): void =>
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
    { name: "echo", title: "Echo", dialect: "open", path: "/ws/echo", listen: `127.0.0.1:${port}` },
  ]);
  expect(await feed.isTold("rooms")).toEqual({ type: "rooms", protocol: "echo", rooms: [{ room: "1", players: 1 }] });
  const rates = await feed.isTold("rates");
  expect(rates.rates).toMatchObject({ sessions: 1 });
  // A change is told before the second is over.
  const b = await WebClient.to(server.httpAddress, "/ws/echo?room=2");
  await b.hears("W2");
  await feed.isTold("rooms", ({ rooms }) => (rooms as unknown[]).length === 2);
});

test("who watches a room is told its players, who comes and goes, and where they are", async () => {
  await start();
  const a = await WebClient.to(server.httpAddress, "/ws/echo?account=ann");
  await a.hears("W1");
  const feed = await openFeed();
  watch(feed, "1");
  expect(await feed.isTold("players")).toEqual({
    type: "players",
    protocol: "echo",
    room: "1",
    players: [{ player: 1, name: "ann", room: "1" }],
  });
  const b = await WebClient.to(server.httpAddress, "/ws/echo");
  await b.hears("W2");
  expect(await feed.isTold("join")).toEqual({
    type: "join",
    protocol: "echo",
    player: { player: 2, name: "player", room: "1" },
  });
  const tracks = await feed.isTold("tracks", (told) => (told.tracks as unknown[]).length === 2);
  expect(tracks).toMatchObject({
    protocol: "echo",
    room: "1",
    tracks: [{ player: 1 }, { player: 2, stance: "stand" }],
  });
  b.sendText("s/room 2");
  expect(await feed.isTold("leave")).toEqual({ type: "leave", protocol: "echo", player: 2, room: "1" });
  const c = await WebClient.to(server.httpAddress, "/ws/echo?room=2");
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
  const a = await WebClient.to(server.httpAddress, "/ws/echo?account=ann");
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
  expect(await early.isTold("ban")).toMatchObject({ protocol: "echo", account: "ann", player: 1, reason: "manners" });
});

test("a game opened with the feed's token tells that feed alone who its player is", async () => {
  await start();
  const [feed, other] = [await openFeed(), await openFeed()];
  const { token } = await feed.isTold("hello");
  await WebClient.to(server.httpAddress, `/ws/echo?room=4&viewer=${String(token)}`);
  expect(await feed.isTold("self")).toEqual({ type: "self", protocol: "echo", player: 1, room: "4" });
  await WebClient.to(server.httpAddress, "/ws/echo?viewer=nonsense");
  await aMoment();
  expect(other.told.some(({ type }) => type === "self")).toBe(false);
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '"watch"',
  '{"type":"watch"}',
  '{"type":"watch","protocol":"echo"}',
  '{"type":"watch","protocol":"echo","room":7}',
  '{"type":"watch","protocol":"echo","room":""}',
  `{"type":"watch","protocol":"echo","room":"${"x".repeat(65)}"}`,
  '{"type":"watch","protocol":"other","room":null}',
  '{"type":"watch","protocol":"__proto__","room":null}',
  '{"type":"stop","protocol":"echo","room":null}',
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

test("a page that reads too slowly gets no tracks, and nobody waits for it", async () => {
  await start({ budgets: { feedQueuedBytesSoft: 1, feedQueuedBytesHard: 100_000, sessionsPerAddress: 500 } });
  const slow = await openFeed();
  const quick = await openFeed();
  watch(slow, "1");
  watch(quick, "1");
  await slow.isTold("players");
  await quick.isTold("players");
  slow.socket.pause();
  const a = await WebClient.to(server.httpAddress, "/ws/echo");
  // Verdicts are not skipped: they fill the queue of who does not read until it is disconnected.
  const talk = setInterval(() => {
    for (let index = 0; index < 5; index += 1) a.sendText(`s/verdict`);
  }, 50);
  await quick.isTold("verdict");
  clearInterval(talk);
  expect(quick.closed).toBeUndefined();
  const before = quick.told.length;
  await until("the other is told on", () => quick.told.length > before + 3);
});
