/** Several worlds of one game in a server: what each has alone, and what they share. */
import { afterEach, expect, test } from "vitest";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { aMoment, PlainClient, until, WebClient } from "../testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));

/** Starts two worlds of the fake game; their ports. */
async function start(dialect = "plain", options: Partial<ServerOptions> = {}): Promise<readonly [number, number]> {
  const listener = { protocol: fakeProtocol, dialect, port: 0, banAddress: "on" as const };
  server = await startServer({ http: 0, listeners: [listener, listener], banLoopback: true, ...options });
  const [first, second] = server.listeners.map(({ port }) => port);
  return [first as number, second as number];
}

async function join(port: number, welcome: string): Promise<PlainClient> {
  const client = await PlainClient.to(port);
  await client.receives(welcome);
  return client;
}

const metrics = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${server.httpAddress?.port}/metrics`)).text();

test("each listener is a world with a name, and its players see no others", async () => {
  const [first, second] = await start();
  expect(server.worlds.map(({ name }) => name)).toEqual(["fake", "fake-2"]);
  expect(server.listeners.map(({ world }) => world)).toEqual(["fake", "fake-2"]);
  // Each world counts its own players.
  const [a, b, c] = [await join(first, "W1"), await join(first, "W2"), await join(second, "W1")];
  const d = await WebClient.to(server.httpAddress, "/ws/fake-2");
  await d.receives("W2");
  a.sendText("sfirst");
  c.sendText("ssecond");
  await b.receives("S1:first");
  await d.receives("S1:second");
  await aMoment();
  expect([b.texts, d.texts].map((texts) => texts.filter((text) => text.startsWith("S")))).toEqual([
    ["S1:first"],
    ["S1:second"],
  ]);
  const values = await metrics();
  for (const line of [
    'wirewalk_players{protocol="fake",world="fake"} 2',
    'wirewalk_players{protocol="fake",world="fake-2"} 2',
    'wirewalk_sessions{protocol="fake",world="fake-2",carrier="websocket"} 1',
    'wirewalk_messages_in_total{protocol="fake",world="fake",carrier="tcp"} 1',
    'wirewalk_silent_connections{listener="fake-2"} 1',
  ]) {
    expect(values).toContain(`${line}\n`);
  }
});

test("given names are kept, and the others go around them", async () => {
  const listeners = [{ name: "fake-2" }, {}, {}, { name: "other" }].map((each) => ({
    protocol: fakeProtocol,
    ...each,
  }));
  server = await startServer({ listeners });
  expect(server.worlds.map(({ name }) => name)).toEqual(["fake-2", "fake", "fake-3", "other"]);
});

test("a ban holds in all worlds of the game: it ends sessions there, and refuses new ones", async () => {
  const [first, second] = await start();
  const [a, b] = [await join(first, "W1"), await join(second, "W1")];
  a.sendText("s/ban");
  await Promise.all([a.closes(), b.closes()]);
  const again = await PlainClient.to(second);
  await again.closes();
  expect(again.texts).toEqual([]);
  expect(server.bans.list()).toMatchObject([{ protocol: "fake", key: "address:127.0.0.1" }]);
});

test("a login is in one world of its game: in the next one it takes its place over", async () => {
  const [first, second] = await start("login");
  const login = async (port: number): Promise<PlainClient> => {
    const client = await PlainClient.to(port);
    client.sendText("lann\0secret");
    await client.receives("W1");
    return client;
  };
  const before = await login(first);
  await login(second);
  await before.closes();
  expect(server.accounts.list()).toEqual([{ protocol: "fake", name: "ann" }]);
});

test("a page sees all worlds, and watches one", async () => {
  const [first, second] = await start();
  await join(first, "W1");
  const c = await join(second, "W1");
  const page = await WebClient.to(server.httpAddress, "/ws/studio");
  const { worlds } = await page.receivesEvent("hello");
  expect(worlds).toMatchObject([
    { name: "fake", protocol: "fake", title: "Fake: fake", path: "/ws/fake", listen: `127.0.0.1:${first}` },
    { name: "fake-2", protocol: "fake", title: "Fake: fake-2", path: "/ws/fake-2", listen: `127.0.0.1:${second}` },
  ]);
  page.socket.send(JSON.stringify({ type: "watch", world: "fake-2", room: "1" }));
  await page.receivesEvent("tracks", ({ world }) => world === "fake-2");
  c.sendText("s/verdict");
  await page.receivesEvent("verdict", ({ world }) => world === "fake-2");
  expect(page.events.filter(({ type, world }) => type === "tracks" && world === "fake")).toEqual([]);
});

test("a player moves to another world over its connection, with its account", async () => {
  const [first, second] = await start("login");
  const client = await PlainClient.to(first);
  client.sendText("lann\0secret");
  await client.receives("W1");
  const [stays, there] = [await PlainClient.to(first), await PlainClient.to(second)];
  stays.sendText("lbob\0secret");
  there.sendText("lcid\0secret");
  await stays.receives("W2");
  await there.receives("W1");

  expect(() => server.move({ world: "fake", player: 9 }, "fake-2")).toThrow(
    new RangeError("Cannot move player 9: it is not in fake"),
  );
  expect(() => server.move({ world: "fake", player: 1 }, "other")).toThrow(new RangeError("There is no world other"));
  expect(() => server.move({ world: "fake", player: 1 }, "fake")).toThrow("must be two worlds of one game and dialect");
  // Refused by the other world: it stays where it is.
  expect(server.move({ world: "fake", player: 1 }, "fake-2", "no room")).toBe("bad-room");
  client.sendText("sstill here");
  await stays.receives("S1:still here");

  expect(server.move({ world: "fake", player: 1 }, "fake-2")).toBeUndefined();
  await client.receives("W2");
  client.sendText("shere now");
  await there.receives("S2:here now");
  await aMoment();
  expect(stays.texts).not.toContain("S2:here now");
  const worlds = server.worlds.map(({ host }) => [...host.players.values()].map(({ name }) => name));
  expect(worlds).toEqual([["bob"], ["cid", "ann"]]);
  client.socket.end();
  await until("she is gone", () => server.stats().players === 2);
  const values = await metrics();
  expect(values).toContain('wirewalk_sessions{protocol="fake",world="fake",carrier="tcp"} 1\n');
  expect(values).toContain('wirewalk_sessions{protocol="fake",world="fake-2",carrier="tcp"} 1\n');
});
