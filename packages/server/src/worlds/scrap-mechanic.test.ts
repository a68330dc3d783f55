/** Scrap Mechanic through a whole server: bytes in and out over TCP and WebSocket, and what hostile peers do. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRandom } from "wirewalk/motion";
import {
  keySets,
  LEVEL_PITCH,
  type MovementKeys,
  openScrapChannel,
  type Playing,
  type ScrapClientMessage,
  type ScrapServerMessage,
  scrapMechanic,
  type UnreliableUpdate,
} from "wirewalk/scrap-mechanic";
import { formatHex, parseHex } from "wirewalk/wire";
import { type RunningServer, startServer } from "../index.ts";
import { aMoment, PlainClient, until, WebClient } from "../testing/clients.ts";

const WALK = keySets[4] as MovementKeys;
const FORWARD = 64;

let server: RunningServer;
let port: number;
beforeEach(async () => {
  server = await startServer({ http: 0, listeners: [{ protocol: scrapMechanic, port: 0 }] });
  port = server.listeners[0]?.port ?? 0;
});
afterEach(() => server.close({ graceMs: 0 }));

const players = (): number => server.stats().players;
const ended = (): object => server.stats().disconnects;

/** A client over either carrier: sends messages or bytes and keeps what it receives. */
class Player {
  readonly socket: PlainClient | WebClient;
  readonly received: ScrapServerMessage[] = [];
  readonly #channel: ReturnType<typeof openChannel>;
  #taken = 0;

  private constructor(socket: PlainClient | WebClient) {
    this.socket = socket;
    this.#channel = openChannel(socket instanceof PlainClient ? "stream" : "message");
  }

  /** Connected; nothing sent. */
  static async to(carrier: Carrier, path = "/ws/scrap-mechanic"): Promise<Player> {
    const before = players();
    const socket = carrier === "TCP" ? await PlainClient.to(port) : await WebClient.to(server.httpAddress, path);
    await until("the player is in", () => players() === before + 1);
    return new Player(socket);
  }

  /** Playing. */
  static async playing(carrier: Carrier): Promise<Player> {
    const player = await Player.to(carrier);
    player.say({ message: "hello", value: { version: 1 } });
    await until("it is playing", () => player.hello !== undefined);
    return player;
  }

  say(message: ScrapClientMessage): void {
    this.carry(this.#channel.write(message));
  }

  /** A packet that may be none. */
  sayBytes(packet: Uint8Array): void {
    this.carry(this.#channel.frame(packet));
  }

  carry(bytes: Uint8Array): void {
    if (this.socket instanceof PlainClient) this.socket.send(bytes);
    else this.socket.socket.send(bytes);
  }

  /** Walks forward along +Y, a tick every 25 ms from the first of the session on. */
  async walk(ticks: number): Promise<number> {
    const first = this.start.tick;
    for (let tick = first; tick < first + ticks; tick++) {
      this.say({
        message: "playerMovement",
        value: { tick, keys: WALK, direction: FORWARD, yaw: 0, pitch: LEVEL_PITCH },
      });
      await aMoment(25);
    }
    return first + ticks - 1;
  }

  /** All messages received so far. */
  listen(): readonly ScrapServerMessage[] {
    for (const bytes of this.#fresh()) this.#channel.push(bytes);
    for (let next = this.#channel.next(); next !== undefined; next = this.#channel.next()) {
      if (next.message === undefined) throw next.error;
      this.received.push(next.message);
    }
    return this.received;
  }

  get hello(): Playing | undefined {
    const [first] = this.listen();
    return first?.message === "playing" ? first.value : undefined;
  }

  get start(): Playing {
    if (this.hello === undefined) throw new Error("Not playing");
    return this.hello;
  }

  get updates(): readonly UnreliableUpdate[] {
    return this.listen().flatMap((each) => (each.message === "unreliableUpdate" ? [each.value] : []));
  }

  get isClosed(): boolean {
    return this.socket instanceof PlainClient ? this.socket.isClosed : this.socket.closed !== undefined;
  }

  /** Where a character stood in the newest update. */
  sees(character: number): { readonly x: number; readonly y: number; readonly z: number } | undefined {
    const found = this.updates.at(-1)?.updates.find((each) => each.kind === "character" && each.id === character);
    return found?.kind === "character" ? found.position : undefined;
  }

  /** Waits for further updates on an open connection. */
  async isWell(): Promise<void> {
    const { length } = this.updates;
    await until("updates go on", () => this.updates.length > length + 2);
    expect(this.isClosed).toBe(false);
  }

  #fresh(): readonly Uint8Array[] {
    const { socket } = this;
    const fresh =
      socket instanceof PlainClient ? [socket.received.subarray(this.#taken)] : socket.messages.slice(this.#taken);
    this.#taken = socket instanceof PlainClient ? socket.received.length : socket.messages.length;
    return fresh;
  }
}

type Carrier = "TCP" | "WebSocket";
const carriers: readonly Carrier[] = ["TCP", "WebSocket"];
const openChannel = (carrier: "stream" | "message") =>
  openScrapChannel({ side: "client", dialect: "documented", carrier });

test("over TCP each packet has its length before it, the high byte first", async () => {
  const client = await Player.to("TCP");
  client.carry(parseHex("0002 f001"));
  await until("an answer and a packet have come", () => client.updates.length > 0);
  const { received } = client.socket as PlainClient;
  const { character, tick } = client.start;
  expect(formatHex(received.subarray(0, 11))).toBe(
    `00 15 f1 ${formatHex(Uint8Array.of(0, 0, 0, character))} ${formatHex(bigEndian(tick))}`,
  );
  // 32 bytes of one character in 0x18, none of which LZ4 can shorten: id, token, one byte more of its count.
  expect(formatHex(received.subarray(23, 28))).toBe("00 23 18 f0 11");
});

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

test("over WebSocket a message is a packet", async () => {
  const client = await Player.to("WebSocket");
  client.carry(parseHex("f001"));
  await until("an answer and two packets have come", () => client.updates.length > 1);
  const [playing, ...updates] = (client.socket as WebClient).messages;
  expect(playing?.length).toBe(21);
  expect(playing?.[0]).toBe(0xf1);
  for (const update of updates) expect([update.length, update[0]]).toEqual([35, 0x18]);
});

describe.each(carriers)("over %s", (carrier) => {
  test("packets of 0x1E are played, and 0x18 says which tick of the client's is in it", async () => {
    const client = await Player.playing(carrier);
    const { character, position } = client.start;
    const last = await client.walk(20);
    await until("the last tick has been played", () => client.updates.at(-1)?.currentTick === last);
    const ticks = client.updates.map(({ currentTick }) => currentTick);
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
    expect(ticks[0]).toBeLessThanOrEqual(client.start.tick);
    const { x, y } = client.sees(character) ?? position;
    expect(x).toBe(position.x);
    // 20 steps towards 4 units a second, of which the first ones are slower.
    expect(y - position.y).toBeGreaterThan(1);
    expect(y - position.y).toBeLessThan(2);
    expect(server.worlds[0]?.host.world.tracks(0)).toMatchObject([{ source: "simulated", details: { tick: last } }]);
  });

  test("movement before playing ends that session alone, with a reason", async () => {
    const friend = await Player.playing("TCP");
    const hasty = await Player.to(carrier);
    hasty.sayBytes(parseHex("1e80 0000303904400040"));
    await until("it was sent away", () => hasty.isClosed);
    expect(hasty.listen()).toEqual([]);
    if (hasty.socket instanceof WebClient) expect(hasty.socket.closed).toEqual({ code: 1000, reason: "world-close" });
    expect(ended()).toEqual({ "world-close": 1 });
    await friend.isWell();
    expect(players()).toBe(1);
  });

  test("messages in one chunk after a movement before playing are ignored", async () => {
    const hasty = await Player.to(carrier);
    hasty.sayBytes(parseHex("1e80 0000303904400040"));
    hasty.say({ message: "hello", value: { version: 1 } });
    await until("it was sent away", () => hasty.isClosed);
    expect(hasty.listen()).toEqual([]);
  });

  test.each([
    ["another version", [2]],
    ["hello twice", [1, 1]],
  ])("%s ends the session", async (_, versions) => {
    const client = await Player.to(carrier);
    for (const version of versions) client.say({ message: "hello", value: { version } });
    await until("it was sent away", () => client.isClosed);
    expect(ended()).toEqual({ "world-close": 1 });
  });

  test("what is not a packet is refused and counted, and the session goes on", async () => {
    const client = await Player.playing(carrier);
    const refused = [
      "", // nothing
      "1e", // no block
      "1e8f 0000303904400040", // a token that no sender writes
      "1e70 00003039044000", // seven bytes
      "1e80 00003039e4400040", // key bits without meaning
      "1e80 000030390440004000", // one byte too many
      "1890 00000010 00003039 00", // what servers send
      "f1 00000007 00003039 00000000 3f800000 40000000",
      "42",
    ];
    for (const hex of refused) client.sayBytes(parseHex(hex));
    const last = await client.walk(2);
    await until("the last tick has been played", () => client.updates.at(-1)?.currentTick === last);
    expect(server.stats().refusedPayloads).toBe(refused.length);
    await client.isWell();
  });

  test("a block that wants to become more than eight bytes is refused where it says so", async () => {
    const client = await Player.playing(carrier);
    // One literal, then a match at offset 1 whose length goes on and on: 255 bytes for each of these.
    const bomb = Uint8Array.of(0x1e, 0x1f, 7, 1, 0, ...new Uint8Array(1000).fill(255), 0);
    const endless = Uint8Array.of(0x1e, 0xf0, ...new Uint8Array(1000).fill(255));
    for (let count = 0; count < 10; count++) {
      client.sayBytes(bomb);
      client.sayBytes(endless);
    }
    await until("they were refused", () => server.stats().refusedPayloads === 20);
    await client.isWell();
  });

  test("random bytes end their own session with a reason and affect no other", async () => {
    const random = createRandom(1);
    const friend = await Player.playing(carrier);
    const makeNoise = async (noisy: Player): Promise<void> => {
      while (!noisy.isClosed) {
        const noise = Uint8Array.from({ length: random.integer(1, 400) }, () => random.integer(0, 255));
        if (random.chance(0.5)) noise[0] = 0x1e;
        if (random.chance(0.5)) noisy.sayBytes(noise);
        else noisy.carry(noise);
        await aMoment(0);
      }
    };
    const noisy: Player[] = [];
    while (noisy.length < 20) noisy.push(await Player.playing(carrier));
    await Promise.all(noisy.map(makeNoise));
    const reasons = new Set(Object.keys(ended()));
    expect(["bad-payloads", "broken-stream", "world-close"]).toEqual(expect.arrayContaining([...reasons]));
    await friend.isWell();
    expect(players()).toBe(1);
  });
});

test("a packet that is longer than any of a client's ends the session before it is held", async () => {
  const stream = await Player.to("TCP");
  const whole = await Player.to("WebSocket");
  stream.carry(parseHex("0401"));
  whole.carry(new Uint8Array(1025));
  await until("both were sent away", () => stream.isClosed && whole.isClosed);
  expect(ended()).toEqual({ "broken-stream": 2 });
  expect((whole.socket as WebClient).closed).toEqual({ code: 1002, reason: "broken-stream" });
});

test("players of both carriers see each other come, walk and go", async () => {
  const ann = await Player.playing("TCP");
  const bob = await Player.playing("WebSocket");
  const [annId, bobId] = [ann.start.character, bob.start.character];
  await until("both see both", () => [ann, bob].every((each) => each.sees(annId) && each.sees(bobId)));
  const [annLast, bobLast] = await Promise.all([ann.walk(10), bob.walk(10)]);
  await until("Ann's ticks are played", () => ann.updates.at(-1)?.currentTick === annLast);
  await until("Bob's ticks are played", () => bob.updates.at(-1)?.currentTick === bobLast);
  await until("both see the same", () => {
    const [byAnn, byBob] = [ann.updates.at(-1), bob.updates.at(-1)];
    return JSON.stringify(byAnn?.updates) === JSON.stringify(byBob?.updates);
  });
  for (const { start } of [ann, bob]) {
    expect(ann.sees(start.character)?.y).toBeGreaterThan(start.position.y + 0.3);
  }
  (bob.socket as WebClient).socket.close();
  await until("Ann receives Bob's exit", () => ann.listen().some((each) => each.message === "left"));
  expect(ann.listen().find((each) => each.message === "left")).toEqual({
    message: "left",
    value: { character: bobId },
  });
  await until("Ann sees herself alone", () => ann.sees(bobId) === undefined);
});

test("each room is a world of its own, and an unknown room is refused", async () => {
  const ann = await Player.playing("TCP");
  const bob = await Player.to("WebSocket", "/ws/scrap-mechanic?room=2");
  bob.say({ message: "hello", value: { version: 1 } });
  await until("Bob sees himself", () => bob.updates.length > 2);
  for (const player of [ann, bob]) expect(player.updates.at(-1)?.updates).toHaveLength(1);
  const lost = await WebClient.to(server.httpAddress, "/ws/scrap-mechanic?room=nowhere");
  expect(await lost.closes()).toEqual({ code: 1008, reason: "refused-bad-room" });
});
