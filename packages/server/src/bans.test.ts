import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { memoryStore } from "wirewalk/net";
import { fakeProtocol } from "../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { Bans } from "./bans.ts";
import { type RunningServer, type ServerOptions, sqliteStore, startServer } from "./index.ts";
import { aMoment, PlainClient, until, WebClient } from "./testing/clients.ts";

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "wirewalk-bans-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));
const start = async (options: Partial<ServerOptions> = {}, dialect = "plain"): Promise<number> => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol, dialect, port: 0 }], ...options });
  return server.listeners[0]?.port ?? 0;
};
const web = (account: string): Promise<WebClient> => WebClient.to(server.httpAddress, `/ws/fake?account=${account}`);

describe("a ban", () => {
  test("ends all sessions of the account and refuses new ones, of no other account", async () => {
    await start();
    const [ann, annToo, bob] = [await web("ann"), await web("ann"), await web("bob")];
    await until("all are in", () => server.stats().players === 3);
    ann.sendText("s/ban");
    expect(await ann.closes()).toEqual({ code: 1008, reason: "banned" });
    expect(await annToo.closes()).toEqual({ code: 1008, reason: "banned" });
    const again = await web("ann");
    expect(await again.closes()).toEqual({ code: 1008, reason: "refused-banned" });
    expect(bob.closed).toBeUndefined();
    expect(server.bans.list()).toMatchObject([
      {
        protocol: "fake",
        account: "ann",
        reason: "manners",
        evidence: [{ kind: "reject", rule: "manners", message: Buffer.from("s/ban").toString("hex") }],
      },
    ]);
    expect(server.bans.lift("fake", "ann")).toBe(true);
    expect(server.bans.lift("fake", "ann")).toBe(false);
    const forgiven = await web("ann");
    await until("she is in", () => forgiven.texts.length > 0);
  });

  test("of a TCP player without an account bans the address", async () => {
    const port = await start();
    const a = await PlainClient.to(port);
    a.sendText("s/ban");
    await a.closes();
    const b = await PlainClient.to(port);
    await b.closes();
    expect(server.bans.list()[0]?.account).toBe("127.0.0.1");
  });

  test("survives a restart of the server and ends by the clock", async () => {
    let epochMs = 1_700_000_000_000;
    const run = async (): Promise<() => Promise<void>> => {
      const store = sqliteStore(folder);
      await start({ store, epochNow: () => epochMs });
      return async () => {
        await server.close({ graceMs: 0 });
        store.close();
      };
    };
    let stop = await run();
    const ann = await web("ann");
    ann.sendText("s/ban");
    await ann.closes();
    await stop();

    stop = await run();
    expect(server.bans.list()).toMatchObject([{ account: "ann", fromMs: epochMs, untilMs: epochMs + DAY_MS }]);
    epochMs += DAY_MS - 1;
    expect((await (await web("ann")).closes()).reason).toBe("refused-banned");
    await stop();

    stop = await run();
    epochMs += 1;
    const free = await web("ann");
    await until("she is in", () => free.texts.length > 0);
    expect(server.bans.list()).toEqual([]);
    await stop();
  });

  test("is answered with the game's own message if it has one", async () => {
    const port = await start({}, "login");
    const a = await PlainClient.to(port);
    a.sendText("lann\0secret");
    await a.receives("W1");
    a.sendText("s/ban");
    await a.closes();
    const again = await PlainClient.to(port);
    again.sendText("lann\0secret");
    await again.closes();
    expect(again.texts).toEqual(["Rbanned"]);
  });

  test("is never made in log-only mode, even if a world orders one", async () => {
    await start({ enforcement: "log" });
    const ann = await web("ann");
    await until("she is in", () => ann.texts.length > 0);
    ann.sendText("s/ban");
    ann.sendText("s/verdict");
    const bob = await web("bob");
    ann.sendText("sstill here");
    await bob.receives("S1:still here");
    await aMoment(20);
    expect(ann.closed).toBeUndefined();
    expect(server.bans.list()).toEqual([]);
  });
});

describe("the list of bans", () => {
  const verdict = {
    kind: "reject",
    rule: "teleport",
    reason: "Too far",
    player: 1,
    room: "1",
    atMs: 0,
    message: new Uint8Array(5_000),
    stateBefore: {},
  } as const;

  test("evidence is bounded, and a shorter ban does not end a longer one", () => {
    let nowMs = 1_000;
    const bans = new Bans(memoryStore(), () => nowMs);
    const evidence = Array.from({ length: 100 }, (_, atMs) => ({ ...verdict, atMs }));
    const ban = bans.add("game", { account: "ann", reason: "teleport", durationMs: 5_000, evidence });
    expect(ban.evidence).toHaveLength(20);
    expect(ban.evidence.at(-1)?.atMs).toBe(99);
    expect(String(ban.evidence[0]?.message)).toHaveLength(2_048);
    bans.add("game", { account: "ann", reason: "again", durationMs: 10, evidence: [] });
    nowMs = 5_999;
    expect(bans.find("game", "ann")?.untilMs).toBe(6_000);
    nowMs = 6_000;
    expect(bans.find("game", "ann")).toBeUndefined();
    expect(bans.list()).toEqual([]);
  });
});
