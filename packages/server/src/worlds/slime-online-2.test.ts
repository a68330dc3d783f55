/** The promise of the relay, byte by byte, with a real game over real sockets. */
import { afterEach, describe, expect, test } from "vitest";
import { openSlimeChannel, slimeOnline2 } from "wirewalk/slime-online-2";
import { formatHex, parseHex } from "wirewalk/wire";
import { type RunningServer, startServer } from "../index.ts";
import { aMoment, PlainClient, until, WebClient } from "../testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));

const start = async (dialect: string): Promise<number> => {
  server = await startServer({ http: 0, listeners: [{ protocol: slimeOnline2, dialect, port: 0 }] });
  return server.listeners[0]?.port ?? 0;
};
const players = (): readonly number[] => [...(server.worlds[0]?.host.players.keys() ?? [])];
const joined = (count: number): Promise<void> => until(`${count} players are in`, () => players().length === count);

/** RightPress at (448, 160), as the document prints it. */
const PRESS = "000802C001A000";

describe("documented", () => {
  test("B receives exactly what A sent with A's id before it, A receives nothing", async () => {
    const port = await start("documented");
    const a = await PlainClient.to(port);
    await joined(1);
    const b = await PlainClient.to(port);
    await joined(2);
    a.sendHex("0700 000802C001A000");
    await until("B received something", () => b.received.length >= 11);
    await aMoment();
    const id = Buffer.from(new Uint16Array([players()[0] ?? 0]).buffer).toString("hex");
    expect(b.hex).toBe(`0900 0008 ${id} 02c001a000`.replaceAll(" ", ""));
    expect(a.hex).toBe("");
  });

  test("the same from TCP to a browser and back, without length", async () => {
    const port = await start("documented");
    const a = await PlainClient.to(port);
    await joined(1);
    const b = await WebClient.to(server.httpAddress, "/ws/slime-online-2?account=bea");
    await joined(2);
    const c = await WebClient.to(server.httpAddress, "/ws/slime-online-2?account=cleo&room=2");
    await joined(3);
    a.sendHex(`0700${PRESS}`);
    await until("B received something", () => b.messages.length >= 1);
    expect(b.messages.map((message) => message.toString("hex"))).toEqual(["0008010002c001a000"]);
    b.socket.send(parseHex(PRESS));
    await until("A received something", () => a.received.length >= 11);
    await aMoment();
    expect(a.hex).toBe("090000080200" + "02c001a000");
    expect(b.messages).toHaveLength(1);
    expect(c.messages).toHaveLength(0);
  });

  test("a stream may be cut anywhere", async () => {
    const port = await start("documented");
    const a = await PlainClient.to(port);
    await joined(1);
    const b = await PlainClient.to(port);
    await joined(2);
    for (const byte of parseHex(`0700${PRESS}`)) {
      a.send(Uint8Array.of(byte));
      await aMoment(1);
    }
    await until("B received something", () => b.hex === "090000080100" + "02c001a000");
  });

  test("codes that do not exist are refused and counted, and never relayed", async () => {
    const port = await start("documented");
    const a = await PlainClient.to(port);
    await joined(1);
    const b = await PlainClient.to(port);
    await joined(2);
    a.sendHex("0300 000800  0300 00080E  0300 0008FF  0400 00080A00  0300 00080A");
    await until("B received something", () => b.received.length >= 7);
    await aMoment();
    expect(b.hex).toBe("0500000801000a");
    expect(server.stats().refusedPayloads).toBe(4);
  });
});

describe("v0106", () => {
  const login = (channel: ReturnType<typeof openSlimeChannel>, user: string, password = "secret"): Uint8Array =>
    channel.write({ message: "login", value: { version: "0.106", user, password, mac: "00" } } as never);
  const open = (carrier: "stream" | "message") => openSlimeChannel({ side: "client", dialect: "v0106", carrier });

  test("the standard's ciphered bytes, through TCP and WebSocket", async () => {
    const port = await start("v0106");
    // A is to be player 5.
    for (const [index, name] of ["one", "two", "three", "four"].entries()) {
      const other = await PlainClient.to(port);
      other.send(login(open("stream"), name));
      await joined(index + 1);
    }
    const a = await PlainClient.to(port);
    a.send(login(open("stream"), "Ann"));
    await joined(5);
    const b = await PlainClient.to(port);
    b.send(login(open("stream"), "bob"));
    await joined(6);
    const c = await WebClient.to(server.httpAddress, "/ws/slime-online-2");
    c.socket.send(login(open("message"), "cleo"));
    await joined(7);
    await aMoment();
    const [receivedA, receivedB, receivedC] = [a.received.length, b.received.length, c.messages.length];
    a.sendHex("07 00 60 A2 07 E5 86 EE A1");
    await until("B received something", () => b.received.length > receivedB);
    await until("C received something", () => c.messages.length > receivedC);
    await aMoment();
    expect(formatHex(b.received.subarray(receivedB)).toUpperCase()).toBe("09 00 E6 70 8F E9 2C 5C E4 7D 7B");
    expect(c.messages.slice(receivedC).map((message) => message.toString("hex"))).toEqual(["0200050002c001a000"]);
    expect(a.received.length).toBe(receivedA);
    // And from the browser back.
    c.socket.send(parseHex("02 00 02 C0 01 A0 00"));
    await until("A received something", () => a.received.length > receivedA);
    const channel = open("stream");
    channel.push(a.received);
    const received = [];
    for (let next = channel.next(); next !== undefined; next = channel.next()) received.push(next.message);
    expect(received.at(-1)).toEqual({
      message: "movePlayer",
      value: expect.objectContaining({ playerId: 7, code: 2, x: 448, y: 160 }),
    });
  });

  test("a wrong password is answered with the game's own message", async () => {
    const port = await start("v0106");
    const a = await PlainClient.to(port);
    a.send(login(open("stream"), "ann"));
    await joined(1);
    a.drop();
    await joined(0);
    const b = await PlainClient.to(port);
    b.send(login(open("stream"), "ann", "guess"));
    await b.closes();
    const channel = open("stream");
    channel.push(b.received);
    expect(channel.next()?.message).toEqual({ message: "login", value: { result: "wrongPassword" } });
    expect(server.stats().disconnects["refused-wrong-password"]).toBe(1);
  });
});

test("a listener without a dialect speaks the default one: that of the shipped client", async () => {
  await server?.close();
  server = await startServer({ listeners: [{ protocol: slimeOnline2, port: 0 }] });
  expect(server.listeners.map(({ dialect }) => dialect)).toEqual(["v0106"]);
});
