import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { memoryStore, type RemoteStore, type Store } from "wirewalk/net";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "../index.ts";
import { PlainClient, WebClient } from "../testing/clients.ts";
import { smallDisk } from "../testing/small-disk.ts";
import { sqliteStore } from "./sqlite-store.ts";

let server: RunningServer;
const get = async (path: string): Promise<readonly [status: number, text: string]> => {
  const response = await fetch(`http://127.0.0.1:${server.httpAddress?.port}${path}`);
  return [response.status, await response.text()];
};
/** Also one that is late with messages, as on a busy machine, has no other problem. */
const readyText = async (): Promise<string> => (await get("/readyz"))[1].replace(/^overloaded: .*\n$/, "ok\n");
afterEach(() => server.close({ graceMs: 0 }));

/** A disk that fills up, or goes away, once the server runs. */
function failing(what: "get" | "put" | "check" | "version"): { readonly store: Store; broken: boolean } {
  const store = memoryStore();
  const state = { store: { ...store }, broken: false };
  const work = store[what] as (...args: unknown[]) => unknown;
  state.store[what] = ((...args: unknown[]) => {
    if (state.broken) throw new Error("disk I/O error");
    return work(...args);
  }) as never;
  return state;
}

test("a ban that cannot be kept holds in memory; /readyz and the metrics say so until it is kept", async () => {
  const disk = failing("put");
  const listeners = [{ protocol: fakeProtocol, banAddress: "on" as const }];
  server = await startServer({ http: 0, listeners, store: disk.store, banLoopback: true });
  const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  await a.receives("W1");
  const at = (path: string): Promise<string> =>
    fetch(`http://127.0.0.1:${server.httpAddress?.port}${path}`).then((response) => response.text());
  // A busy machine may be late with messages, which is not what is looked for.
  const ready = /^(?:ok|overloaded: .*)\n$/;
  expect(await at("/readyz")).toMatch(ready);
  disk.broken = true;
  a.sendText("s/ban");
  expect((await a.closes()).reason).toMatch(/^banned: /);
  const again = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  expect((await again.closes()).reason).toMatch(/^refused-banned: /);
  await expect.poll(() => at("/readyz")).toBe("degraded: bans are held in memory alone: disk I/O error\n");
  expect(await at("/metrics")).toContain("\nwirewalk_store_failing 1\n");
  disk.broken = false;
  await expect.poll(() => at("/readyz")).toMatch(ready);
  expect(await at("/metrics")).toContain("\nwirewalk_store_failing 0\n");
  expect(disk.store.list("typed-bans")).toHaveLength(1);
});

test("a server starts on a disk that is full", async () => {
  const disk = failing("put");
  disk.broken = true;
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }], store: disk.store });
  const a = await WebClient.to(server.httpAddress, "/ws/fake");
  await a.receives("W1");
});

test("while the store cannot be read, bans hold, logins are refused and sessions go on", async () => {
  const disk = failing("get");
  const plain = failing("version");
  server = await startServer({
    listeners: [{ protocol: fakeProtocol, dialect: "login", port: 0 }],
    store: disk.store,
  });
  disk.broken = true;
  const a = await PlainClient.to(server.listeners[0]?.port ?? 0);
  a.sendText("lann\0secret");
  await a.closes();
  expect(server.stats().disconnects["accounts-unavailable"]).toBe(1);
  await server.close({ graceMs: 0 });
  const listeners = [{ protocol: fakeProtocol, port: 0, banAddress: "on" as const }];
  server = await startServer({ listeners, store: plain.store, banLoopback: true });
  const b = await PlainClient.to(server.listeners[0]?.port ?? 0);
  await b.receives("W1");
  plain.broken = true;
  b.sendText("s/ban");
  await b.closes();
  const c = await PlainClient.to(server.listeners[0]?.port ?? 0);
  await c.closes();
  expect(server.stats().disconnects).toMatchObject({ banned: 1, "refused-banned": 1 });
});

test.each(["get", "check"] as const)(
  "where players log in, a server whose store fails at %s is not ready, and finds by itself when it works again",
  async (what) => {
    const disk = failing(what);
    const listeners = [{ protocol: fakeProtocol }, { protocol: fakeProtocol, dialect: "login", port: 0 }];
    server = await startServer({ http: 0, listeners, store: disk.store });
    await expect.poll(readyText).toBe("ok\n");
    disk.broken = true;
    await expect.poll(() => get("/readyz")).toEqual([503, "failing: logins fail: disk I/O error\n"]);
    expect((await get("/metrics"))[1]).toContain("\nwirewalk_logins_failing 1\n");
    // No login was tried, and none is tried now.
    disk.broken = false;
    await expect.poll(readyText).toBe("ok\n");
    expect((await get("/metrics"))[1]).toContain("\nwirewalk_logins_failing 0\n");
    await server.close({ graceMs: 0 });
    server = await startServer({ http: 0, listeners: listeners.slice(0, 1), store: disk.store });
    disk.broken = true;
    // Where nobody logs in, nobody is refused.
    const a = await WebClient.to(server.httpAddress, "/ws/fake");
    await a.receives("W1");
    expect(await readyText()).not.toContain("logins");
  },
);

test("where only known names log in, a store that cannot be written refuses nobody", async () => {
  const disk = failing("check");
  const listeners = [{ protocol: fakeProtocol, dialect: "login", port: 0 }];
  server = await startServer({ http: 0, listeners, store: disk.store, registration: "closed" });
  await server.accounts.create("fake", "ann", "secret");
  disk.broken = true;
  const a = await PlainClient.to(server.listeners[0]?.port ?? 0);
  a.sendText("lann\0secret");
  await a.receives("W1");
  expect(await readyText()).toBe("ok\n");
});

test("a database that does not answer: logins fail without a look that stops the thread", async () => {
  const store = memoryStore();
  let answer: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let isAway = false;
  const remote: RemoteStore = {
    get: async (table, key) => store.get(table, key),
    add: async () => false,
    update: async (table, key, change) => store.update(table, key, change),
    check: async () => {
      if (isAway) await answered;
    },
  };
  const listeners = [{ protocol: fakeProtocol, dialect: "login", port: 0 }];
  server = await startServer({ http: 0, listeners, store: { ...store, remote } });
  await expect.poll(readyText).toBe("ok\n");
  isAway = true;
  await expect
    .poll(() => get("/readyz"), { timeout: 20_000 })
    .toEqual([503, expect.stringMatching(/^failing: logins fail: no answer of the store for \d+ s\n$/)]);
  isAway = false;
  answer();
  await expect.poll(readyText).toBe("ok\n");
});

test("while accounts are away, a player of Slime Online 2 gets no false reason", async () => {
  const disk = failing("get");
  server = await startServer({ listeners: [{ protocol: slimeOnline2, port: 0 }], store: disk.store });
  disk.broken = true;
  const codec = slimeOnline2.codec("v0106");
  const channel = slimeOnline2.openChannel({ side: "client", dialect: "v0106", carrier: "stream" });
  const value = { version: "0.106", user: "ann", password: "secret", mac: "" };
  const a = await PlainClient.to(server.listeners[0]?.port ?? 0);
  a.send(channel.frame(codec.write("client", { message: "login", value })));
  await a.closes();
  expect(a.hex).toBe("");
  expect(server.stats().disconnects["accounts-unavailable"]).toBe(1);
});

describe("a disk that is really full", () => {
  const disk = smallDisk(4);
  afterAll(() => disk?.remove());

  // Mounting needs rights that a container may not have.
  test.skipIf(disk === undefined)(
    "stops logins and recordings; both go on by themselves when there is space",
    async () => {
      if (disk === undefined) return;
      const store = sqliteStore(join(disk.folder, "data"));
      const folder = join(disk.folder, "recordings");
      const listeners = [
        { protocol: fakeProtocol, dialect: "login", port: 0 },
        { protocol: fakeProtocol, name: "open" },
      ];
      server = await startServer({ http: 0, listeners, store, recordings: { folder } });
      await expect.poll(readyText).toBe("ok\n");
      const before = readdirSync(folder).filter((name) => name.endsWith(".mcap"));
      disk.fill();
      await expect.poll(() => get("/readyz")).toEqual([503, "failing: logins fail: database or disk is full\n"]);
      const losing = (world: string): string => `\nwirewalk_recording_losing{protocol="fake",world="${world}"} 1\n`;
      await expect.poll(async () => (await get("/metrics"))[1], { timeout: 20_000 }).toContain(losing("open"));
      // A recording that has given up leaves room for a login.
      disk.fill();
      const a = await PlainClient.to(server.listeners[0]?.port ?? 0);
      a.sendText("lann\0secret");
      await a.closes();
      expect(server.stats().disconnects["accounts-unavailable"]).toBe(1);
      // Play goes on.
      const b = await WebClient.to(server.httpAddress, "/ws/open");
      await b.receives("W1");
      disk.free();
      await expect.poll(readyText, { timeout: 20_000 }).toBe("ok\n");
      const c = await PlainClient.to(server.listeners[0]?.port ?? 0);
      c.sendText("lann\0secret");
      await c.receives("W1");
      const fresh = readdirSync(folder).filter((name) => name.endsWith(".mcap") && !before.includes(name));
      for (const world of ["fake", "open"]) expect(fresh.some((name) => name.startsWith(`${world}-`))).toBe(true);
      await server.close({ graceMs: 0 });
      store.close();
    },
  );
});
