/**
 * A relay between clients and servers of every game and dialect, over TCP and WebSocket: what each end sent is what the other received,
 * and what is shown.
 */
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeCbor, type Recording, RecordKind, readWorldRecord, replayRecording } from "@wirewalk/recording";
import { readRecordingFile } from "@wirewalk/recording/node";
import { afterAll, expect, test } from "vitest";
import { runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { connectWebSocket, type Transport } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";
import {
  type Channel,
  type ChannelOptions,
  type PlayableProtocol,
  packetStreams,
  type Received,
  type SavedChannel,
  type Side,
  type WireMessage,
} from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { type Carrier, formatHex } from "wirewalk/wire";
import { sampled } from "../../../wirewalk/src/testing/scale.ts";
import { startServer } from "../index.ts";
import { until } from "../testing/clients.ts";
import { pacedClock } from "../testing/paced-clock.ts";
import { type RunningRelay, startRelay } from "./relay.ts";
import type { RelayEvent } from "./relay-events.ts";

const hexOf = (bytes: Uint8Array): string => formatHex(bytes, { separator: "" });

// Twenty times as fast as real time.
const { clock, stop } = pacedClock(20);
afterAll(stop);

/** Bytes of each side of a connection as they were carried. */
type Carried = Readonly<Record<Side, Uint8Array[]>>;

const CLIENTS = 2;
/** Messages of each side of each connection. */
const ENOUGH = { client: 6, server: 6 };

/** The game, with what its channels on the server's side have read. */
function watched(protocol: PlayableProtocol, carrier: Carrier, read: Received[][]): PlayableProtocol {
  return {
    ...protocol,
    openChannel: ((options: ChannelOptions) => {
      const channel: Channel = protocol.openChannel({ ...options, side: options.side as "server" });
      if (options.side !== "server" || options.carrier !== carrier) return channel;
      const received: Received[] = [];
      let isUsed = false;
      return new Proxy(channel, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== "function") return member;
          return (...args: unknown[]): unknown => {
            // The server also opens channels that receive nothing.
            if (name === "push" && !isUsed) read.push(received);
            isUsed ||= name === "push";
            const result: unknown = Reflect.apply(member, target, args);
            if (name === "next" && result !== undefined) received.push(structuredCloned(result as Received));
            return result;
          };
        },
      });
    }) as PlayableProtocol["openChannel"],
  };
}

function structuredCloned(received: Received): Received {
  return { ...received, payload: received.payload.slice() };
}

/** Stands before or behind the relay, and keeps what passes. It shares nothing with the relay. */
async function startWitness(port: number, carried: Carried[], cleanUps: CleanUp[]): Promise<number> {
  const server = createServer((near) => {
    const kept: Carried = { client: [], server: [] };
    carried.push(kept);
    const far = connect({ host: "127.0.0.1", port });
    near.on("data", (bytes) => {
      kept.client.push(bytes);
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      kept.server.push(bytes);
      near.write(bytes);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on("error", () => {});
      socket.on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A transport whose bytes are kept. */
function keeping(transport: Transport, carried: Carried): Transport {
  return {
    carrier: transport.carrier,
    get queuedBytes() {
      return transport.queuedBytes;
    },
    listen: (events) =>
      transport.listen({
        ...events,
        bytes(bytes) {
          carried.server.push(bytes.slice());
          events.bytes(bytes);
        },
      }),
    send(bytes) {
      carried.client.push(bytes.slice());
      transport.send(bytes);
    },
    close: (reason) => transport.close(reason),
  };
}

/** Tests that run beside each other have no common `onTestFinished`: one would clean up after another. */
type CleanUp = () => void;

interface Played {
  readonly events: readonly RelayEvent[];
  readonly atClients: readonly Carried[];
  readonly atServer: readonly Carried[];
  /** Messages that the clients read, by client. */
  readonly clientRead: readonly { readonly message: WireMessage; readonly payload: Uint8Array }[][];
  readonly serverRead: readonly Received[][];
  readonly recording: Recording;
}

/** Over WebSocket a client names its account. */
function connectTo(
  carrier: Carrier,
  port: number,
  { protocol, number }: { protocol: PlayableProtocol; number: number },
): Promise<Transport> {
  if (carrier === "stream") return connectTcp({ host: "127.0.0.1", port });
  const query = new URLSearchParams({ account: `client ${number}` });
  return connectWebSocket(`ws://127.0.0.1:${port}/ws/${protocol.name}?${query}`);
}

async function play(protocol: PlayableProtocol, dialect: string, carrier: Carrier): Promise<Played> {
  const cleanUps: CleanUp[] = [];
  try {
    return await playWith(cleanUps, protocol, dialect, carrier);
  } finally {
    for (const cleanUp of cleanUps) cleanUp();
  }
}

async function playWith(
  cleanUps: CleanUp[],
  protocol: PlayableProtocol,
  dialect: string,
  carrier: Carrier,
): Promise<Played> {
  const serverRead: Received[][] = [];
  const atServer: Carried[] = [];
  const atClients: Carried[] = [];
  const clientRead: { message: WireMessage; payload: Uint8Array }[][] = [];
  const events: RelayEvent[] = [];
  const server = await startServer({
    http: 0,
    listeners: [{ protocol: watched(protocol, carrier, serverRead), dialect, port: 0 }],
    clock,
    demo: true,
    enforcement: "log",
  });
  const isWeb = carrier === "message";
  const port = await startWitness(
    (isWeb ? server.httpAddress?.port : server.listeners[0]?.port) ?? 0,
    atServer,
    cleanUps,
  );
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-relay-"));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  const relay: RunningRelay = await startRelay({
    protocol,
    dialect,
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to: { host: "127.0.0.1", port },
    clock,
    epochMs: () => performance.timeOrigin + performance.now(),
    onEvent: (event) => events.push(event),
    shadow: { seed: 1, demo: true },
    recording: { folder, carried: true },
  });
  // A WebSocket gives messages and not the bytes that were carried.
  const nearPort = isWeb ? await startWitness(relay.address.port, atClients, cleanUps) : relay.address.port;
  const runs = [];
  for (let number = 0; number < CLIENTS; number++) {
    const carried: Carried = { client: [], server: [] };
    if (!isWeb) atClients.push(carried);
    const read: { message: WireMessage; payload: Uint8Array }[] = [];
    clientRead.push(read);
    const transport = keeping(await connectTo(carrier, nearPort, { protocol, number }), carried);
    // One after the other: the first connection of the clients is the first of the relay and of the server.
    await until("the relay has connected", () => atServer.length > number);
    runs.push(
      runBot({
        protocol,
        dialect,
        transport,
        clock,
        bot: protocol.bots.create({ dialect, number, cheat: "none", random: createRandom(number) }),
        onMessage: (message, payload) => read.push({ message, payload: payload.slice() }),
      }),
    );
    await until("the server reads it", () => serverRead.length > number);
  }
  await until(`${protocol.name} ${dialect} has played`, () =>
    serverRead.every(({ length }, index) => {
      return (
        length >= ENOUGH.client &&
        (clientRead[index]?.length ?? 0) >= (speaksBack(protocol, dialect) ? ENOUGH.server : 0)
      );
    }),
  );
  for (const run of runs) run.stop();
  await until("all is closed", () => events.filter(({ event }) => event === "close").length === CLIENTS);
  const shownOf = (connection: number): number =>
    events.filter(
      (event) => event.event === "message" && event.connection === connection && event.direction === "client",
    ).length;
  // A client's last message may be on its way when it closes; a server that is closed does not read it any more.
  await until("the server has read all", () => serverRead.every(({ length }, index) => length >= shownOf(index + 1)));
  await relay.close();
  await server.close({ graceMs: 0 });
  const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".mcap"));
  const recording = await readRecordingFile(join(folder, file));
  return { events, atClients, atServer, clientRead, serverRead, recording };
}

/** In some dialects a server only passes on what others send. */
function speaksBack(protocol: PlayableProtocol, dialect: string): boolean {
  return protocol.codec(dialect).messages.some(({ sender }) => sender === "server");
}

/** Messages of the client of a connection as they were recorded, and as a channel reads them from the carried bytes. */
function recordedOf(
  protocol: PlayableProtocol,
  recording: Recording,
  connection: number,
): Record<"plain" | "carried", string[]> {
  const plain: string[] = [];
  const carried: string[] = [];
  let channel: Channel | undefined;
  for (const { schema, metadata, data } of recording.messages()) {
    const record = schema === "wirewalk.Record" ? readWorldRecord(data) : undefined;
    if (record === undefined || metadata.get("player") !== String(connection)) continue;
    if (record.kind === RecordKind.message) plain.push(hexOf(record.body));
    else if (record.kind === RecordKind.channel) {
      const saved = decodeCbor(record.body) as SavedChannel;
      const [, dialect = ""] = saved.channel.split("/");
      channel = protocol.openChannel({ side: "server", dialect, carrier: "stream" });
      channel.restore(saved);
    } else if (record.kind === RecordKind.carried) channel?.push(record.body);
    for (let next = channel?.next(); next !== undefined; next = channel?.next()) carried.push(hexOf(next.payload));
  }
  return { plain, carried };
}

function bytesOf(pieces: readonly Uint8Array[] | undefined): string {
  return hexOf(Buffer.concat(pieces ?? []));
}

/** Each dialect over TCP, and one of each game over WebSocket, whose messages have no frames of the game. */
const cases = Object.values(protocols).flatMap((protocol) => [
  ...protocol.dialects.map(({ name }) => [protocol.name, name, "TCP", protocol] as const),
  ...sampled(protocol.dialects, 1).map(({ name }) => [protocol.name, name, "WebSocket", protocol] as const),
]);

test.concurrent.each(cases)(
  "%s %s over %s: bytes are equal, and what is shown is what both ends read",
  async (_name, dialect, carrier, protocol) => {
    const played = await play(protocol, dialect, carrier === "TCP" ? "stream" : "message");
    const { events, atClients, atServer, clientRead, serverRead, recording } = played;
    expect(events.filter(({ event }) => ["lost", "unreadable", "unjudged"].includes(event))).toEqual([]);
    for (let index = 0; index < CLIENTS; index++) {
      expect(bytesOf(atServer[index]?.client)).toBe(bytesOf(atClients[index]?.client));
      expect(bytesOf(atServer[index]?.server).startsWith(bytesOf(atClients[index]?.server))).toBe(true);
      const shown = (direction: Side): readonly Extract<RelayEvent, { event: "message" }>[] =>
        events
          .filter((event) => event.event === "message")
          .filter((event) => {
            return event.connection === index + 1 && event.direction === direction;
          });
      const ofServer = serverRead[index] ?? [];
      const ofClient = clientRead[index] ?? [];
      expect(shown("client").map(({ payload }) => hexOf(payload))).toEqual(
        ofServer.map(({ payload }) => hexOf(payload)),
      );
      expect(shown("client").map(({ message }) => message)).toEqual(ofServer.map(({ message }) => message?.message));
      // A client that closes does not read what is still on its way.
      const toClient = shown("server").slice(0, ofClient.length);
      expect(toClient.map(({ payload }) => hexOf(payload))).toEqual(ofClient.map(({ payload }) => hexOf(payload)));
      if (packetStreams(protocol)[""] === undefined) continue;
      const { plain, carried } = recordedOf(protocol, recording, index + 1);
      // A login is not recorded.
      const hasLogin = protocol.capabilities?.login?.admission(dialect) !== undefined;
      expect(plain).toEqual(ofServer.slice(hasLogin ? 1 : 0).map(({ payload }) => hexOf(payload)));
      // The channel begins with bytes that came after the login.
      if (carrier === "TCP") expect(plain.slice(plain.length - carried.length)).toEqual(carried);
      if (carrier === "TCP") expect(carried.length).toBeGreaterThan(plain.length / 2);
      const codec = protocol.codec(dialect);
      expect(toClient.map(({ message, value }) => ({ message, value }))).toEqual(
        ofClient.map(({ message }) => codec.toJson("server", message)),
      );
    }
    expect(replayRecording(recording, { protocols })).toMatchObject({
      differences: [],
      gaps: [],
      inputs: expect.any(Number),
    });
    expect(recording.damage).toEqual([]);
    // Honest players of a server with the same places: its verdicts are those of the server's own world.
    const verdicts = events.filter(({ event }) => event === "verdict");
    expect(verdicts.filter((event) => event.event === "verdict" && event.verdict.kind !== "benign")).toEqual([]);
  },
);
