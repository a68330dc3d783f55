/** A server that speaks first: nothing that its client says may go out before its greeting has come. */
import { expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import { memoryPair, type Transport, VirtualClock } from "../net/index.ts";
import { mapleStory } from "../protocols/maplestory/maplestory.ts";
import { defaultHello, type Hello, openMapleChannel } from "../protocols/maplestory/wire/channel.ts";
import type { MapleClientMessage } from "../protocols/maplestory/wire/codec.ts";
import { parseHex } from "../wire/index.ts";
import { type Client, connectClient } from "./client.ts";
import { runBot } from "./run-bot.ts";

const otherHello: Hello = { ...defaultHello("v62"), recvIv: parseHex("9a3bc42b"), sendIv: parseHex("01020304") };
const pong: MapleClientMessage = { message: "pong", value: {} };

interface Setup {
  readonly clock: VirtualClock;
  readonly client: Client<MapleClientMessage>;
  readonly server: Transport;
  /** Bytes that came to the server. */
  readonly came: number[];
  readonly closed: string[];
}

function setUp(): Setup {
  const clock = new VirtualClock();
  const [transport, server] = memoryPair({ clock, carrier: "stream" });
  const came: number[] = [];
  const closed: string[] = [];
  server.listen({ bytes: (bytes) => came.push(...bytes), closed: () => {} });
  const options = { protocol: mapleStory, dialect: "v62", transport, onMessage: () => {} };
  const client = connectClient({ ...options, onClosed: (reason) => closed.push(reason) });
  return { clock, client, server, came, closed };
}

/** What the server of that hello understands. */
function understood(greeting: Hello, came: readonly number[]): unknown[] {
  const channel = openMapleChannel({ side: "server", dialect: "v62", carrier: "stream", hello: greeting });
  channel.push(Uint8Array.from(came));
  const messages: unknown[] = [];
  for (let next = channel.next(); next !== undefined; next = channel.next()) messages.push(next.message);
  return messages;
}

const greetingOf = (greeting: Hello): Uint8Array =>
  openMapleChannel({ side: "server", dialect: "v62", carrier: "stream", hello: greeting }).handshake?.greeting ??
  new Uint8Array();

test.each([
  ["the usual IVs", defaultHello("v62")],
  ["other IVs", otherHello],
])("what is said too early waits for the hello, with %s, and goes out in order", (_, greeting) => {
  const { clock, client, server, came } = setUp();
  const login: MapleClientMessage = { message: "playerLoggedIn", value: { characterId: 7, reserved: 0 } };
  client.send(login);
  client.send(pong);
  clock.advanceBy(1000);
  expect([came, client.counts.messagesOut, client.counts.bytesOut]).toEqual([[], 0, 0]);
  const hello = greetingOf(greeting);
  server.send(hello.subarray(0, 9));
  clock.advanceBy(1000);
  expect(came).toEqual([]);
  server.send(hello.subarray(9));
  clock.advanceBy(1000);
  client.send(pong);
  clock.advanceBy(1000);
  expect(understood(greeting, came)).toEqual([login, pong, pong]);
  expect(client.counts).toMatchObject({ messagesOut: 3, bytesOut: came.length });
});

test("a message that cannot be written is refused at once, though it would have to wait", () => {
  const { client } = setUp();
  const wrong: MapleClientMessage = { message: "playerLoggedIn", value: { characterId: -1, reserved: 0 } };
  expect(() => client.send(wrong)).toThrow(RangeError);
});

test("the client closes when no greeting arrives, however much it has to send", () => {
  const { clock, client, closed } = setUp();
  for (let count = 0; count < 40_000; count++) client.send(pong);
  clock.advanceBy(1);
  expect(closed).toEqual(["No greeting from the server"]);
});

test("the server reads a bot's first message under any IVs", () => {
  const clock = new VirtualClock();
  const [transport, server] = memoryPair({ clock, carrier: "stream" });
  const came: number[] = [];
  server.listen({ bytes: (bytes) => came.push(...bytes), closed: () => {} });
  const bot = mapleStory.bots.create({ dialect: "v62", random: createRandom(1), number: 0, cheat: "none" });
  runBot({ protocol: mapleStory, dialect: "v62", transport, bot, clock });
  clock.advanceBy(500);
  server.send(greetingOf(otherHello));
  clock.advanceBy(500);
  expect(understood(otherHello, came)).toMatchObject([{ message: "playerLoggedIn" }]);
});
