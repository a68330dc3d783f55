import { afterEach, expect, test } from "vitest";
import { memoryStore } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { Accounts, type Budgets, type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { budgetsWith } from "../session/budgets.ts";
import { aMoment, framed, PlainClient, until, WebClient } from "../testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));

const start = async (budgets: Partial<Budgets> = {}): Promise<number> => {
  server = await startServer({ http: 0, budgets, listeners: [{ protocol: fakeProtocol, dialect: "login", port: 0 }] });
  return server.listeners[0]?.port ?? 0;
};
const logIn = async (port: number, name: string, password: string): Promise<PlainClient> => {
  const client = await PlainClient.to(port);
  client.sendText(`l${name}\0${password}`);
  return client;
};

test("a login makes a player; a wrong password is answered before the connection closes", async () => {
  const port = await start();
  const a = await logIn(port, "ann", "secret");
  await a.receives("W1");
  expect(server.worlds[0]?.host.players.get(1)).toEqual({ account: "login:ann", name: "ann" });
  a.drop();
  await until("Ann is gone", () => server.stats().players === 0);
  const wrong = await logIn(port, "ann", "guess");
  await wrong.closes();
  expect(wrong.texts).toEqual(["Rwrong-password"]);
  const right = await logIn(port, "ann", "secret");
  await right.receives("W2");
  expect(server.stats().disconnects).toMatchObject({ "refused-wrong-password": 1 });
});

test("the same login takes over: whose machine vanished plays at once, and its earlier connection is closed", async () => {
  const port = await start();
  const bob = await logIn(port, "bob", "secret");
  await bob.receives("W1");
  const vanished = await logIn(port, "ann", "secret");
  await vanished.receives("W2");
  const back = await logIn(port, "ann", "secret");
  await back.receives("W3");
  await vanished.closes();
  expect(server.stats()).toMatchObject({ players: 2, disconnects: { "taken-over": 1 } });
  // Over a WebSocket the reason is in the close frame.
  const page = await WebClient.to(server.httpAddress, "/ws/fake");
  page.sendText("lann\0secret");
  await page.receives("W4");
  await back.closes();
  const last = await logIn(port, "ann", "secret");
  await last.receives("W5");
  expect(await page.closes()).toEqual({ code: 1000, reason: "taken-over" });
  expect(server.stats()).toMatchObject({ players: 2, disconnects: { "taken-over": 3 } });
  bob.sendText("sstill here");
  await last.receives("S1:still here");
});

test("another login, or a refused one, ends no session", async () => {
  const port = await start();
  const ann = await logIn(port, "ann", "secret");
  await ann.receives("W1");
  // A wrong password, another name, a claimed name, and a login that is never finished.
  const guess = await logIn(port, "ann", "guess");
  await guess.closes();
  const other = await logIn(port, "bob", "secret");
  await other.receives("W2");
  const claim = await WebClient.to(server.httpAddress, "/ws/fake?account=ann");
  claim.sendText("lcleo\0secret");
  await claim.receives("W3");
  const half = await PlainClient.to(port);
  half.send(framed("lann\0secret").subarray(0, 6));
  await aMoment();
  expect(server.stats()).toMatchObject({ players: 3, disconnects: { "refused-wrong-password": 1 } });
  other.sendText("shello");
  await ann.receives("S2:hello");
});

test("messages sent right after the login wait for its result, on both carriers", async () => {
  const port = await start();
  const b = await logIn(port, "bob", "secret");
  await b.receives("W1");
  const a = await PlainClient.to(port);
  a.send(Buffer.concat([framed("lann\0secret"), framed("sone"), framed("stwo")]));
  await b.receives("S2:two");
  const c = await WebClient.to(server.httpAddress, "/ws/fake?room=1&account=ignored");
  c.sendText("lcleo\0secret");
  c.sendText("sthree");
  c.sendText("sfour");
  await b.receives("S3:four");
  expect(b.texts).toEqual(["W1", "S2:one", "S2:two", "S3:three", "S3:four"]);
  expect(server.worlds[0]?.host.players.get(3)).toEqual({
    account: "login:cleo",
    name: "cleo",
    room: "1",
  });
});

test("what comes with a login is held to the same budgets when it is read on", async () => {
  const port = await start({ messagesBurst: 50, messagesPerSecond: 0.01 });
  const a = await PlainClient.to(port);
  a.send(Buffer.concat([framed("lann\0secret"), ...Array.from({ length: 100 }, () => framed("s/nothing"))]));
  await a.closes();
  expect(a.texts).toEqual(["W1"]);
  expect(server.stats().disconnects["message-rate"]).toBe(1);
  expect(server.stats().players).toBe(0);
});

test("something else than a login first ends it", async () => {
  const port = await start();
  const a = await PlainClient.to(port);
  a.sendText("shello");
  await a.closes();
  expect(server.stats().disconnects["login-expected"]).toBe(1);
});

test("a client that disconnects during the password check never becomes a player", async () => {
  const port = await start();
  const a = await WebClient.to(server.httpAddress, "/ws/fake");
  a.sendText("lann\0secret");
  a.socket.terminate();
  const b = await logIn(port, "bob", "secret");
  await until("Bob is in", () => server.stats().players === 1);
  b.drop();
  await until("all are gone", () => server.stats().sessions === 0 && server.stats().players === 0);
});

test("players do not wait for the password checks of others", async () => {
  const port = await start();
  const a = await logIn(port, "ann", "secret");
  const b = await logIn(port, "bob", "secret");
  await until("both are in", () => server.stats().players === 2);
  const others = await Promise.all(Array.from({ length: 12 }, (_, index) => logIn(port, `other ${index}`, "secret")));
  a.sendText("smeanwhile");
  const id = [...(server.worlds[0]?.host.players ?? [])].find(([, { name }]) => name === "ann")?.[0];
  await b.receives(`S${id}:meanwhile`);
  expect(server.stats().players).toBeLessThan(14);
  for (const other of others) await until("another is in", () => other.texts.length > 0);
});

test("connections that guess starve no honest login, and are refused without a hash", async () => {
  const port = await start();
  const ann = await logIn(port, "ann", "secret");
  await ann.receives("W1");
  let guesses = 0;
  let isOver = false;
  const guess = async (): Promise<void> => {
    while (!isOver) {
      const guesser = await logIn(port, "ann", `guess ${guesses}`);
      guesses += 1;
      await guesser.closes();
    }
  };
  const guessers = Array.from({ length: 30 }, guess);
  await until("they are locked out", () => (server.stats().disconnects["login-locked"] ?? 0) > 100);
  for (const name of ["bob", "cleo"]) await (await logIn(port, name, "secret")).receives(name === "bob" ? "W2" : "W3");
  isOver = true;
  await Promise.all(guessers);
  // Three wrong passwords are free, and those that were being checked by then count as well.
  expect(server.stats().disconnects["refused-wrong-password"]).toBeLessThan(10);
});

test("a server that others can reach registers no name by a login, unless it is configured to", async () => {
  const outcome = async (options: Partial<ServerOptions>): Promise<string | undefined> => {
    server = await startServer({
      host: "0.0.0.0",
      listeners: [{ protocol: fakeProtocol, dialect: "login", port: 0 }],
      ...options,
    });
    const ann = await logIn(server.listeners[0]?.port ?? 0, "ann", "secret");
    await until("there is an answer", () => ann.texts.length > 0);
    const [text] = ann.texts;
    await server.close({ graceMs: 0 });
    return text;
  };
  expect(await outcome({})).toBe("Rno-account");
  expect(await outcome({ registration: "open" })).toBe("W1");
  expect(await outcome({ demo: true })).toBe("W1");
  expect(await outcome({ host: "127.0.0.1", registration: "closed" })).toBe("Rno-account");
  const store = memoryStore();
  await new Accounts(store, budgetsWith()).create("fake", "ann", "secret");
  expect(await outcome({ store })).toBe("W1");
});

test("a world that refuses a player sends its reason", async () => {
  await start();
  const a = await WebClient.to(server.httpAddress, "/ws/fake?room=nowhere");
  a.sendText("lann\0secret");
  await a.receives("Rbad-room");
  expect(await a.closes()).toEqual({ code: 1008, reason: "refused-bad-room" });
  await aMoment(1);
});
