import { afterEach, expect, test } from "vitest";
import { memoryStore, type Store } from "wirewalk/net";
import { fakeProtocol } from "../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "./index.ts";
import { PlainClient, WebClient } from "./testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));

/** A disk that is full, or gone. */
const failing = (what: keyof Store): Store => ({
  ...memoryStore(),
  [what]: () => {
    throw new Error("disk I/O error");
  },
});

test("a ban that cannot be kept still ends the session, and the server goes on", async () => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }], store: failing("put") });
  const a = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  const b = await WebClient.to(server.httpAddress, "/ws/fake?account=bob");
  await b.receives("W2");
  a.sendText("s/ban");
  expect((await a.closes()).reason).toBe("banned");
  expect(b.closed).toBeUndefined();
});

test("while the store cannot be read, logins are refused and sessions go on", async () => {
  server = await startServer({
    listeners: [{ protocol: fakeProtocol, dialect: "login", port: 0 }],
    store: failing("get"),
  });
  const a = await PlainClient.to(server.listeners[0]?.port ?? 0);
  a.sendText("lann\0secret");
  await a.closes();
  expect(server.stats().disconnects["world-error"]).toBe(1);
  await server.close({ graceMs: 0 });
  server = await startServer({ listeners: [{ protocol: fakeProtocol, port: 0 }], store: failing("get") });
  const b = await PlainClient.to(server.listeners[0]?.port ?? 0);
  await b.closes();
});
