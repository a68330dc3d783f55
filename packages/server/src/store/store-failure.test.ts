import { afterEach, expect, test } from "vitest";
import { memoryStore, type Store } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "../index.ts";
import { PlainClient, WebClient } from "../testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));

/** A disk that fills up, or goes away, once the server runs. */
function failing(what: "get" | "put" | "version"): { readonly store: Store; broken: boolean } {
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
