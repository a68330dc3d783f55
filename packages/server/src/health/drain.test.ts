import { request } from "node:http";
import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import type { PlayMember, ServedProtocol } from "wirewalk/protocol";
import { fakeWithout } from "../../../wirewalk/src/protocols/testing/fake-bytes.ts";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type Policies, type RunningServer, startServer } from "../index.ts";
import { Server } from "../server.ts";
import { PlainClient, until, WebClient } from "../testing/clients.ts";

const start = (budgets = {}): Promise<RunningServer> =>
  startServer({ http: 0, budgets, listeners: [{ protocol: fakeProtocol, port: 0 }] });

const status = (server: RunningServer, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { host, port } = server.httpAddress ?? { host: "", port: 0 };
    const sent = request({ host, port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end();
  });

test("a server that stops sends the reason and all queued data, then closes every connection", async () => {
  const server = await start();
  const a = await PlainClient.to(server.listeners[0]?.port ?? 0);
  await a.receives("W1");
  const b = await WebClient.to(server.httpAddress, "/ws/fake");
  await b.receives("W2");
  const feed = await WebClient.to(server.httpAddress, "/ws/studio");
  await feed.receivesEvent("hello");
  a.sendText("slast words");
  await until("the server has read them", () => server.stats().messagesIn === 1);
  await server.close({ graceMs: 5_000 });
  expect(b.texts).toContain("S1:last words");
  await a.closes();
  expect(await b.closes()).toEqual({ code: 1001, reason: "shutdown" });
  expect(await feed.closes()).toEqual({ code: 1001, reason: "shutdown" });
  expect(server.stats()).toMatchObject({ sessions: 0, players: 0 });
  await expect(status(server, "/livez")).rejects.toThrow("ECONNREFUSED");
  await expect(PlainClient.to(server.listeners[0]?.port ?? 0)).rejects.toThrow("ECONNREFUSED");
});

test("while it drains it is alive, not ready and refuses connections; a second call ends at once", async () => {
  const server = await start({ bytesPerSecond: 1e9, bytesBurst: 1e9, messagesPerSecond: 1e6, messagesBurst: 1e6 });
  const port = server.listeners[0]?.port ?? 0;
  const talker = await PlainClient.to(port);
  await talker.receives("W1");
  const reader = await PlainClient.to(port);
  await reader.receives("W2");
  // A client that does not read has queued data, which the drain waits for.
  reader.socket.pause();
  const dropped = (): number => server.worlds[0]?.host.counts.dropped ?? 0;
  for (let said = 0; dropped() === 0 && said < 5_000; said += 1) {
    talker.sendText(`s${"x".repeat(8_000)}`);
    if (said % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  let isClosed = false;
  const closed = server.close({ graceMs: 60_000 }).then(() => {
    isClosed = true;
  });
  expect(await status(server, "/livez")).toBe(200);
  expect(await status(server, "/readyz")).toBe(503);
  await expect(WebClient.to(server.httpAddress, "/ws/fake")).rejects.toThrow("503");
  await expect(PlainClient.to(port)).rejects.toThrow("ECONNREFUSED");
  await talker.closes();
  expect(isClosed).toBe(false);
  await server.close();
  await closed;
  expect(server.stats().sessions).toBe(0);
});

test("the grace has an end", async () => {
  const server = await start();
  const client = await WebClient.to(server.httpAddress, "/ws/fake");
  await client.receives("W1");
  client.socket.pause();
  await server.close({ graceMs: 100 });
  expect(server.stats().sessions).toBe(0);
});

test("a port that is taken is named, and nothing is left running", async () => {
  const server = await start();
  const { port } = server.listeners[0] ?? { port: 0 };
  const { http } = { http: server.httpAddress?.port };
  await expect(startServer({ listeners: [{ protocol: fakeProtocol, port }] })).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${port}: the port is in use`,
  );
  await expect(startServer({ http, listeners: [{ protocol: fakeProtocol, port: 0 }] })).rejects.toThrow("in use");
  await server.close({ graceMs: 0 });
});

test.each([
  [["fake", "fake"], "Cannot serve two worlds with the name fake"],
  [["studio"], "A world needs a name of at most 64 small letters, digits and hyphens that is not studio, got studio"],
  [["a/b"], "A world needs a name of at most 64 small letters, digits and hyphens that is not studio, got a/b"],
])("worlds have names of their own: %j", async (names, message) => {
  const listeners = names.map((name) => ({ protocol: fakeProtocol, name }));
  await expect(startServer({ listeners })).rejects.toThrow(new RangeError(message));
});

test.each<[PlayMember, string]>([
  ["createWorld", "fake has no world (createWorld): it cannot be served"],
  ["openChannel", "fake has no channel (openChannel): it cannot be served"],
])("a game without %s is refused, also where no compiler has", async (member, message) => {
  const protocol = fakeWithout(member) as ServedProtocol;
  await expect(startServer({ listeners: [{ protocol }] })).rejects.toThrow(message);
});

test("a policy that cannot be is refused before anything runs", () => {
  const listenersWith = (policies: Policies) => ({ clock, listeners: [{ protocol: fakeProtocol, policies }] });
  const clock = new VirtualClock();
  expect(() => new Server(listenersWith({ "*": { limit: 1 } }))).toThrow("limit must be within 4..1000000, got 1");
  expect(() => new Server(listenersWith({ "*": { response: "drop" } }))).toThrow("The response of fake to * cannot be");
  expect(clock.nextMs).toBeUndefined();
});

test("threads are for games that have work for them", async () => {
  await expect(startServer({ listeners: [{ protocol: fakeProtocol, threads: 2 }] })).rejects.toThrow(
    new RangeError("The threads of fake must be an integer in 1..1, got 2"),
  );
});

test("a protocol may be served over WebSocket alone, and without any HTTP", async () => {
  const webOnly = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }] });
  expect(webOnly.listeners).toEqual([]);
  const client = await WebClient.to(webOnly.httpAddress, "/ws/fake");
  await client.receives("W1");
  await webOnly.close({ graceMs: 0 });
  const tcpOnly = await startServer({ listeners: [{ protocol: fakeProtocol, port: 0 }] });
  expect(tcpOnly.httpAddress).toBeUndefined();
  await tcpOnly.close({ graceMs: 0 });
});

test("a dialect that does not exist is refused before anything runs", async () => {
  const { slimeOnline2 } = await import("wirewalk/slime-online-2");
  await expect(startServer({ listeners: [{ protocol: slimeOnline2, dialect: "other" }] })).rejects.toThrow(RangeError);
});
