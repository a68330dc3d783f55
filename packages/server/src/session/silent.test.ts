/** Connections that send nothing: they get no place for long, and take none from a player that does. */
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { osrs } from "wirewalk/osrs";
import type { PlayableProtocol, World } from "wirewalk/protocol";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "../index.ts";
import { aMoment, PlainClient, until, WebClient } from "../testing/clients.ts";
import type { Budgets } from "./budgets.ts";
import type { DisconnectReason } from "./disconnect.ts";

let server: RunningServer;
const silent: Socket[] = [];
afterEach(async () => {
  for (const socket of silent.splice(0)) socket.destroy();
  await server.close({ graceMs: 0 });
});

/** A world with room for five. */
const createSmall: PlayableProtocol["createWorld"] = (options) =>
  Object.defineProperty(fakeProtocol.createWorld(options), "capacity", { value: 5 }) as unknown as World;
const small = { ...fakeProtocol, createWorld: createSmall } as PlayableProtocol;
const other = { ...fakeProtocol, name: "other" } as PlayableProtocol;

const start = async (
  budgets: Partial<Budgets> = {},
  protocols: readonly PlayableProtocol[] = [fakeProtocol as PlayableProtocol],
) => {
  server = await startServer({ http: 0, budgets, listeners: protocols.map((protocol) => ({ protocol, port: 0 })) });
  return server.listeners.map(({ port }) => port);
};
const count = (reason: DisconnectReason): number => server.stats().disconnects[reason] ?? 0;

/** Connects and sends nothing, and reads what comes. */
const openSilent = async (port: number, many: number): Promise<void> => {
  const opened = Array.from({ length: many }, async () => {
    const socket = connect(port, "127.0.0.1");
    silent.push(socket);
    socket.on("error", () => {});
    socket.resume();
    await new Promise((resolve) => socket.once("connect", resolve));
  });
  await Promise.all(opened);
};

/** A player that has spoken. */
const playing = async (port: number): Promise<PlainClient> => {
  const client = await PlainClient.to(port);
  await until("it is in", () => client.texts.some((text) => text.startsWith("W")));
  const before = server.stats().messagesIn;
  client.sendText("s/nothing");
  await until("its message has arrived", () => server.stats().messagesIn > before);
  return client;
};

test("a full world has a place for a player that speaks, and takes it from the longest silent", async () => {
  const [port = 0] = await start({}, [small]);
  const first = await playing(port);
  await openSilent(port, 4);
  await until("the world is full", () => server.stats().players === 5);
  for (let newcomers = 1; newcomers <= 4; newcomers += 1) {
    await playing(port);
    expect(count("evicted")).toBe(newcomers);
  }
  const late = await PlainClient.to(port);
  await late.closes();
  expect(count("refused-full")).toBe(1);
  expect(first.isClosed).toBe(false);
  expect(server.stats().players).toBe(5);
});

test("silent connections of one game leave the others their places", async () => {
  const [port = 0, otherPort = 0] = await start({ sessions: 40, reservedShare: 0.3 }, [
    fakeProtocol as PlayableProtocol,
    other,
  ]);
  // Three listeners, the page among them, with four places each: 32 are left for one of them.
  await Promise.all(Array.from({ length: 32 }, () => playing(port)));
  const one = await PlainClient.to(port);
  await one.closes();
  expect(count("sessions-per-listener")).toBe(1);
  for (let index = 0; index < 4; index += 1) await playing(otherPort);
  const full = await PlainClient.to(otherPort);
  await full.closes();
  expect(server.stats().disconnects).toEqual({ "sessions-per-listener": 2 });
});

test("silent connections, more than there are places, close the door of nobody", async () => {
  const [port = 0, otherPort = 0] = await start({ sessions: 30 }, [fakeProtocol as PlayableProtocol, other]);
  await openSilent(port, 60);
  await until("all were accepted", () => count("evicted") >= 60 - 30);
  const player = await playing(port);
  const second = await playing(otherPort);
  const page = await WebClient.to(server.httpAddress, "/ws/studio");
  await openSilent(port, 60);
  await until("all were accepted", () => count("evicted") >= 120 - 30);
  await aMoment(5);
  expect([player.isClosed, second.isClosed, server.stats().players <= 30]).toEqual([false, false, true]);
  player.sendText("s/roll");
  await until("it is answered", () => player.texts.some((text) => text.startsWith("F")));
  page.socket.terminate();
});

/** A WebSocket that is opened and answers nothing. */
const openMute = (): void => {
  const { host, port } = server.httpAddress ?? { host: "", port: 0 };
  const mute = connect(port, host);
  silent.push(mute);
  const head = [
    "GET /ws/fake HTTP/1.1",
    `Host: ${host}:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ];
  mute.write(`${head.join("\r\n")}\r\n\r\n`);
  mute.resume();
};

describe("a connection that sends nothing", () => {
  test("stays over TCP as a player: who only watches has nothing to send", async () => {
    const [port = 0] = await start({ silentMs: 150 });
    await openSilent(port, 3);
    await until("they are in", () => server.stats().players === 3);
    // It comes later, so the limit of the others is over when it has gone.
    openMute();
    await until("the mute one is gone", () => count("silent") === 1);
    expect(server.stats().players).toBe(3);
  });

  test("stays over TCP for hours when a world sends to it; one that is sent nothing is idle", async () => {
    server = await startServer({
      http: 0,
      budgets: { silentMs: 150, idleMs: 300 },
      listeners: [
        { protocol: osrs as PlayableProtocol, port: 0, tickMs: 20 },
        { protocol: fakeProtocol as PlayableProtocol, port: 0 },
      ],
    });
    const [watched = 0, quiet = 0] = server.listeners.map(({ port }) => port);
    await openSilent(watched, 2);
    await until("they are in", () => server.stats().players === 2);
    for (let limits = 1; limits <= 3; limits += 1) {
      await openSilent(quiet, 1);
      await until("the quiet one is idle", () => count("idle") === limits);
    }
    expect(server.stats().disconnects).toEqual({ idle: 3 });
    expect(server.stats().players).toBe(2);
  });

  test("stays when its WebSocket answers pings: a spectator has nothing to send", async () => {
    await start({ silentMs: 150 });
    const [player, page] = await Promise.all([
      WebClient.to(server.httpAddress, "/ws/fake"),
      WebClient.to(server.httpAddress, "/ws/studio"),
    ]);
    openMute();
    await until("the mute one is gone", () => count("silent") === 1);
    await aMoment(200);
    expect(server.stats().disconnects).toEqual({ silent: 1 });
    expect([player.closed, page.closed]).toEqual([undefined, undefined]);
  });
});
