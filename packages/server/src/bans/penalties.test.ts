/** Policies and evidence over real sockets. */
import { openRecording, replayRecording } from "@wirewalk/recording";
import { nodeDecompress } from "@wirewalk/recording/node";
import { afterEach, expect, test } from "vitest";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type Policies, type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { aMoment, PlainClient, until } from "../testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));
const start = async (policies: Policies, options: Partial<ServerOptions> = {}): Promise<number> => {
  const listeners = [{ protocol: fakeProtocol, dialect: "login", port: 0, policies }];
  server = await startServer({ listeners, banLoopback: true, registration: "open", ...options });
  return server.listeners[0]?.port ?? 0;
};
const login = async (port: number, name: string): Promise<PlainClient> => {
  const client = await PlainClient.to(port);
  client.sendText(`l${name}\0secret`);
  return client;
};
const scoreOf = (rule: string): number => {
  return server.ledger.find("fake", "login:ann")?.scores.find((each) => each.rule === rule)?.score ?? 0;
};

test("a score goes on over sessions, and ends one at its limit: the next may join", async () => {
  const port = await start({ manners: { action: "kick", limit: 4 } });
  for (let session = 0; session < 3; session += 1) {
    const ann = await login(port, "ann");
    ann.sendText("s/verdict");
    await until("it counts", () => Math.round(scoreOf("manners")) === session + 1);
    ann.drop();
  }
  const [ann, bob] = [await login(port, "ann"), await login(port, "bob")];
  ann.sendText("s/verdict");
  bob.sendText("s/verdict");
  await ann.closes();
  expect(bob.isClosed).toBe(false);
  expect(server.bans.list()).toEqual([]);
  expect([scoreOf("manners"), Math.round(scoreOf("*"))]).toEqual([0, 4]);
  await login(port, "ann");
  await until("she is in again", () => server.stats().players === 2);
});

test("with log-only scores are counted, and nothing follows", async () => {
  const port = await start({ "*": { action: "ban", limit: 4 } }, { enforcement: "log" });
  const ann = await login(port, "ann");
  for (let count = 0; count < 9; count += 1) ann.sendText("s/verdict");
  await until("all are counted", () => scoreOf("*") > 3.9 || scoreOf("manners") > 8.9);
  expect([ann.isClosed, server.bans.list()]).toEqual([false, []]);
});

test("without recordings a ban has the last seconds from memory: they replay, and hold no login", async () => {
  const port = await start({}, { evidence: true });
  const [ann, bob] = [await login(port, "ann"), await login(port, "bob")];
  await until("both are in", () => server.stats().players === 2);
  bob.sendText("shello");
  ann.sendText("s/ban");
  await ann.closes();
  // The next tick records what was done.
  await aMoment(200);
  const { bans } = server;
  expect(bans.list()).toMatchObject([{ key: "login:ann" }]);
  expect(bans.recording("fake", "login:ann")).toBeUndefined();
  // What waits for its seconds is made at the end of the server.
  await server.close({ graceMs: 0 });
  const bytes = bans.recording("fake", "login:ann");
  const recording = openRecording(bytes as Uint8Array, { decompress: nodeDecompress });
  const report = replayRecording(recording, { protocols: { fake: fakeProtocol } });
  expect(report).toMatchObject({ differences: [], gaps: [] });
  expect(report.inputs).toBeGreaterThan(2);
  expect(report.effects).toBeGreaterThan(3);
  for (const { data } of recording.messages()) expect(Buffer.from(data).includes("login:ann")).toBe(false);
});

test("an invalid policy keeps the server from starting", async () => {
  await start({});
  await expect(
    startServer({ listeners: [{ protocol: fakeProtocol, policies: { manners: { limit: 1 } } }] }),
  ).rejects.toThrow("The policy of fake.manners: limit must be within 4..1000000, got 1");
});
