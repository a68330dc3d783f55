/** Bans over real sockets: whom they end and refuse, and whom not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { memoryStore } from "wirewalk/net";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, type ServerOptions, sqliteStore, startServer } from "../index.ts";
import { aMoment, PlainClient, until, WebClient } from "../testing/clients.ts";

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "wirewalk-bans-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running: RunningServer[] = [];
let server: RunningServer;
afterEach(async () => {
  for (const each of running.splice(0)) await each.close({ graceMs: 0 });
});
const start = async (options: Partial<ServerOptions> = {}, dialect = "plain"): Promise<number> => {
  const listeners = [{ protocol: fakeProtocol, dialect, port: 0, banAddress: "on" as const }];
  server = await startServer({ http: 0, listeners, banLoopback: true, ...options });
  running.push(server);
  return server.listeners[0]?.port ?? 0;
};
const web = (account: string, from?: string): Promise<WebClient> =>
  WebClient.to(server.httpAddress, `/ws/fake?account=${account}`, {}, from);

const UNTIL = /^(?:refused-)?banned: until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC by rule manners; applies to /;

describe("a ban", () => {
  test("of a login ends its session and refuses new ones, of no other login", async () => {
    const port = await start({}, "login");
    const login = async (name: string): Promise<PlainClient> => {
      const client = await PlainClient.to(port);
      client.sendText(`l${name}\0secret`);
      return client;
    };
    const [ann, bob] = [await login("ann"), await login("bob")];
    await until("both are in", () => server.stats().players === 2);
    ann.sendText("s/ban");
    await ann.closes();
    const again = await login("ann");
    await again.closes();
    expect(again.texts).toEqual(["Rbanned"]);
    expect(bob.isClosed).toBe(false);
    expect(server.bans.list()).toMatchObject([
      { protocol: "fake", key: "login:ann", name: "ann", rule: "manners", reason: "manners", durationMs: DAY_MS },
    ]);
    expect(server.bans.evidence("fake", "login:ann")).toMatchObject([
      { kind: "reject", rule: "manners", message: Buffer.from("s/ban").toString("hex") },
    ]);
    expect(server.bans.lift("fake", "login:ann")).toBe(true);
    expect(server.bans.lift("fake", "login:ann")).toBe(false);
    const forgiven = await login("ann");
    await until("she is in", () => forgiven.texts.length > 0);
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
    expect((await ann.closes()).reason).toMatch(UNTIL);
    await stop();

    stop = await run();
    expect(server.bans.list()).toMatchObject([{ key: "address:127.0.0.1", fromMs: epochMs, durationMs: DAY_MS }]);
    await stop();
    epochMs += DAY_MS - 60_000;
    stop = await run();
    expect((await (await web("ann")).closes()).reason).toMatch(UNTIL);
    await stop();

    epochMs += 60_000;
    stop = await run();
    const free = await web("ann");
    await until("she is in", () => free.texts.length > 0);
    expect(server.bans.list()).toEqual([]);
    await stop();
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

describe("on loopback and in demo places", () => {
  test("a ban ends the session alone, unless the server is asked for more", async () => {
    await start({ banLoopback: false });
    const ann = await web("ann");
    const other = await web("ann");
    await until("both are in", () => server.stats().players === 2);
    ann.sendText("s/ban");
    expect(await ann.closes()).toEqual({ code: 1008, reason: "banned: this session alone, by rule manners" });
    const again = await web("ann");
    await until("she is in again", () => again.texts.length > 0);
    expect(other.closed).toBeUndefined();
    expect(server.bans.list()).toEqual([]);
  });
});

// Elsewhere than on Linux this machine has one loopback address.
describe.skipIf(process.platform !== "linux")("an unverified name", () => {
  const VICTIM = "127.0.0.1";
  const ATTACKER = "127.0.0.2";

  const startSlime = async (): Promise<number> => {
    const listeners = [{ protocol: slimeOnline2, dialect: "documented", port: 0, banAddress: "on" as const }];
    server = await startServer({ http: 0, listeners, banLoopback: true });
    running.push(server);
    return server.listeners[0]?.port ?? 0;
  };
  const slime = (query: string, from: string): Promise<WebClient> =>
    WebClient.to(server.httpAddress, `/ws/slime-online-2${query}`, {}, from);

  /** RightPress on the ground, far from where the last one was. */
  const teleport = async (query: string): Promise<void> => {
    const client = await slime(query, ATTACKER);
    for (let count = 0; client.closed === undefined && count < 20; count += 1) {
      const press = Buffer.from("0008020000a000", "hex");
      press.writeUInt16LE(count % 2 === 0 ? 100 : 9_000, 3);
      client.socket.send(press);
      await aMoment(5);
    }
    expect((await client.closes()).reason).toMatch(/^banned: /);
  };

  test("is never banned: six teleports under the name of another player ban their own address", async () => {
    await startSlime();
    const victim = await slime("?account=Victim", VICTIM);
    await teleport("?account=Victim");
    expect(server.bans.list().map(({ key, rule }) => ({ key, rule }))).toEqual([
      { key: `address:${ATTACKER}`, rule: "teleport" },
    ]);
    expect(victim.closed).toBeUndefined();
    const again = await slime("?account=Victim", VICTIM);
    await aMoment();
    expect([again.closed, server.stats().players]).toEqual([undefined, 2]);
  });

  test("is not an address: a name that looks like one bans nobody there", async () => {
    const port = await startSlime();
    const playing = await PlainClient.to(port, VICTIM);
    await until("the player is in", () => server.stats().players === 1);
    await teleport(`?account=${VICTIM}`);
    const later = await PlainClient.to(port, VICTIM);
    await until("another is in", () => server.stats().players === 2);
    expect([playing.isClosed, later.isClosed]).toEqual([false, false]);
    expect(server.bans.list().map(({ key }) => key)).toEqual([`address:${ATTACKER}`]);
  });

  test("is no way around a ban: the attacker under another name is the same", async () => {
    await startSlime();
    await teleport("?account=Victim");
    expect((await (await slime("?account=other", ATTACKER)).closes()).reason).toMatch(/^refused-banned: /);
  });

  test("gives nobody the violations of another player", async () => {
    await startSlime();
    const first = await slime("?account=ann", ATTACKER);
    const second = await slime("?account=ann", VICTIM);
    await until("both are in", () => server.stats().players === 2);
    const accounts = [...(server.worlds[0]?.host.players.values() ?? [])].map(({ account, name }) => ({
      account,
      name,
    }));
    expect(accounts).toEqual([
      { account: `address:${ATTACKER} ann`, name: "ann" },
      { account: `address:${VICTIM} ann`, name: "ann" },
    ]);
    expect([first.closed, second.closed]).toEqual([undefined, undefined]);
  });
});

describe("two servers that share a store", () => {
  test("end each other's sessions of a player that is banned", async () => {
    const store = memoryStore();
    await start({ store });
    const [first, ann] = [server, await web("ann")];
    await start({ store });
    const alsoAnn = await web("ann");
    await until("she plays on both", () => first.stats().players + server.stats().players === 2);
    ann.sendText("s/ban");
    expect((await ann.closes()).reason).toMatch(UNTIL);
    expect((await alsoAnn.closes()).reason).toMatch(UNTIL);
    expect((await (await web("ann")).closes()).reason).toMatch(UNTIL);
    expect(first.bans.lift("fake", "address:127.0.0.1")).toBe(true);
    const forgiven = await web("ann");
    await until("she is in", () => forgiven.texts.length > 0);
  });
});
