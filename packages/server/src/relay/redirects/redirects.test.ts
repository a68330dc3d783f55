/**
 * A login server, two channels, and a client that goes where their messages send it, with the relay and its shadow world between
 * them, over TCP. The servers are of this file alone.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  type MapleClientMessage,
  type MapleServerMessage,
  mapleHello,
  mapleStory,
  openMapleChannel,
} from "wirewalk/maplestory";
import { Character } from "wirewalk/maplestory/movement";
import { VirtualClock } from "wirewalk/net";
import type { Channel, PlayableProtocol, WireMessage } from "wirewalk/protocol";
import { decode, encode, type JsonObject, parseHex, sized, u16le } from "wirewalk/wire";
import { type RelayOptions, type RunningRelay, startRelay } from "../relay.ts";
import type { RelayEvent } from "../relay-events.ts";
import type { RelayRule } from "../rules.ts";
import { closeRelays, reachedBy } from "../testing/relay-time.ts";
import { town } from "../testing/town.ts";
import { GRANT_MS, type RedirectOptions, UNUSED_MS } from "./redirect-listeners.ts";

const dialects = ["v62", "v83", "v95"] as const;
type Dialect = (typeof dialects)[number];

const helloOf = (dialect: Dialect, seed: number) => ({
  version: Number(dialect.slice(1)),
  patch: "1",
  recvIv: parseHex(`0102030${seed}`),
  sendIv: parseHex(`a0b0c0d${seed}`),
  locale: 8,
});

const setField = (dialect: Dialect, channel: number, fieldKey: number): JsonObject => {
  const seeds = dialect === "v62" ? {} : { notices: 0, seeds: [1, 2, 3] };
  const head = dialect === "v95" ? { options: [], channel, oldDriver: 0 } : { channel };
  const target = { content: "character", ...seeds, data: "ff".repeat(300) };
  return { message: "changeMap", value: { ...head, fieldKey, target } };
};

const serverIp = (port: number, ip = [127, 0, 0, 1], message = "serverIp"): JsonObject => ({
  message,
  value: { result: 0, mode: 0, ip, port, characterId: 77, authenCode: 0, premium: 0 },
});
const changeChannel = (port: number, ip = [127, 0, 0, 1]): JsonObject => ({
  message: "changeChannel",
  value: { moves: 1, ip, port },
});

/** One server: greets, and keeps what its clients send. */
class TestServer {
  readonly #listener: Server;
  readonly #dialect: Dialect;
  readonly sessions: { readonly socket: Socket; readonly channel: Channel; readonly got: WireMessage[] }[] = [];

  constructor(dialect: Dialect, seed: number) {
    this.#dialect = dialect;
    const hello = helloOf(dialect, seed);
    this.#listener = createServer((socket) => {
      const channel = openMapleChannel({ side: "server", dialect, carrier: "stream", hello, greeted: true }) as Channel;
      const got: WireMessage[] = [];
      this.sessions.push({ socket, channel, got });
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        channel.push(bytes);
        for (let next = channel.next(); next !== undefined; next = channel.next()) {
          if (next.message !== undefined) got.push(next.message);
        }
      });
      socket.write(encode(sized(u16le, mapleHello), hello));
    });
  }

  async listen(): Promise<number> {
    this.#listener.listen(0, "127.0.0.1");
    await once(this.#listener, "listening");
    return this.port;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  send(...messages: readonly JsonObject[]): void {
    const { socket, channel } = this.sessions.at(-1) as (typeof this.sessions)[number];
    const codec = mapleStory.codec(this.#dialect);
    socket.write(Buffer.concat(messages.map((json) => channel.write(codec.fromJson("server", json)))));
  }

  close(): void {
    for (const { socket } of this.sessions) socket.destroy();
    this.#listener.close();
  }
}

/** A client of one connection. It reads the hello of the server, as a client does. */
class TestClient {
  readonly socket: Socket;
  readonly got: MapleServerMessage[] = [];
  readonly #dialect: Dialect;
  #held = Buffer.alloc(0);
  #channel: Channel | undefined;
  isClosed = false;

  constructor(dialect: Dialect, port: number, localAddress?: string) {
    this.#dialect = dialect;
    this.socket = connect({ port, host: "127.0.0.1", ...(localAddress === undefined ? {} : { localAddress }) });
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.isClosed = true;
    });
    this.socket.on("data", (bytes) => this.#take(bytes));
  }

  get isGreeted(): boolean {
    return this.#channel !== undefined;
  }

  send(message: MapleClientMessage): void {
    this.socket.write((this.#channel as Channel).write(message));
  }

  sendJson(json: JsonObject): void {
    this.send(mapleStory.codec(this.#dialect).fromJson("client", json) as MapleClientMessage);
  }

  #take(bytes: Buffer): void {
    this.#held = Buffer.concat([this.#held, bytes]);
    if (this.#channel === undefined) {
      const length = this.#held.length < 2 ? Infinity : 2 + this.#held.readUInt16LE(0);
      if (this.#held.length < length) return;
      const hello = decode(mapleHello, this.#held.subarray(2, length));
      const setup = { dialect: this.#dialect, carrier: "stream", hello, greeted: true } as const;
      this.#channel = openMapleChannel({ side: "client", ...setup }) as Channel;
      this.#held = this.#held.subarray(length);
    }
    this.#channel.push(this.#held);
    this.#held = Buffer.alloc(0);
    for (let next = this.#channel.next(); next !== undefined; next = this.#channel.next()) {
      if (next.message !== undefined) this.got.push(next.message as MapleServerMessage);
    }
  }
}

interface Opened {
  readonly redirects?: RedirectOptions | undefined;
  readonly rules?: readonly RelayRule[];
  readonly listenHost?: string;
  readonly maxConnections?: number;
}

async function open(dialect: Dialect, options: Opened = {}) {
  const { redirects = {}, rules, listenHost = "127.0.0.1", maxConnections } = options;
  const login = new TestServer(dialect, 1);
  const channels = [new TestServer(dialect, 2), new TestServer(dialect, 3)] as const;
  const port = await login.listen();
  for (const channel of channels) await channel.listen();
  const clock = new VirtualClock();
  const events: RelayEvent[] = [];
  const setup: RelayOptions = {
    protocol: mapleStory as PlayableProtocol,
    dialect,
    options: {},
    listen: { host: listenHost, port: 0 },
    to: { host: "127.0.0.1", port },
    clock,
    epochMs: () => clock.now(),
    onEvent: (event) => events.push(event),
    shadow: { seed: 1, demo: true },
    ...("redirects" in options && options.redirects === undefined ? {} : { redirects }),
    ...(rules === undefined ? {} : { rules }),
    ...(maxConnections === undefined ? {} : { maxConnections }),
  };
  const relay: RunningRelay = await startRelay(setup);
  const clients: TestClient[] = [];
  const reached = reachedBy(clock);
  onTestFinished(async () => {
    for (const { socket } of clients) socket.destroy();
    await closeRelays([relay], reached);
    for (const server of [login, ...channels]) server.close();
  });
  const dial = (to: number, localAddress?: string): TestClient => {
    const client = new TestClient(dialect, to, localAddress);
    clients.push(client);
    return client;
  };
  const greeted = async (to: number): Promise<TestClient> => {
    const client = dial(to);
    await reached("it is greeted", () => client.isGreeted);
    return client;
  };
  /** What the client gets of what the server sends. */
  const through = async (server: TestServer, client: TestClient, ...messages: JsonObject[]) => {
    const before = client.got.length;
    server.send(...messages);
    await reached("it is received", () => client.got.length >= before + messages.length);
    return client.got.slice(before);
  };
  const of = <K extends RelayEvent["event"]>(event: K) =>
    events.filter((each): each is Extract<RelayEvent, { event: K }> => each.event === event);
  return { relay, login, channels, clock, events, of, reached, dial, greeted, through };
}

type Opening = Awaited<ReturnType<typeof open>>;

/** The port that a message sends the client to, which must be the relay's. */
function redirectedTo(message: MapleServerMessage | undefined): number {
  const { ip, port } = (message as MapleServerMessage).value as {
    readonly ip: readonly number[];
    readonly port: number;
  };
  expect(ip).toEqual([127, 0, 0, 1]);
  return port;
}

/** Logs in at a channel and plays there for some seconds by the rules. */
async function play(session: Opening, client: TestClient, channel: TestServer, dialect: Dialect, fieldKey: number) {
  const { clock, reached, of, through } = session;
  const rest = dialect === "v62" ? { reserved: 0 } : { rest: "" };
  client.sendJson({ message: "playerLoggedIn", value: { characterId: 77, ...rest } });
  await reached("it has logged in", () => channel.sessions.at(-1)?.got[0]?.message === "playerLoggedIn");
  const [entered] = await through(channel, client, setField(dialect, 3, fieldKey));
  expect(entered).toMatchObject({ message: "changeMap", value: { fieldKey } });
  const character = new Character({ dialect, map: town, at: { x: 40, y: -700 }, fieldKey });
  let sent = 0;
  for (let step = 0; step * character.stepMs < 4000; step++) {
    clock.advanceBy(character.stepMs);
    const path = character.step(step % 120 < 60 ? { left: true } : { right: true });
    if (path === undefined) continue;
    sent += 1;
    const before = of("message").length;
    client.send(path);
    await reached("it is read", () => of("message").length > before);
  }
  expect(sent).toBeGreaterThan(5);
  await reached("it has arrived", () => channel.sessions.at(-1)?.got.length === 1 + sent);
}

test.each(dialects)("%s: from the login to a channel and to another one, always through the relay", async (dialect) => {
  const session = await open(dialect);
  const { relay, login, channels, greeted, through, of, reached } = session;
  const [first, second] = channels;
  const atLogin = await greeted(relay.address.port);
  const [ping, sent, pong] = await through(login, atLogin, { message: "ping", value: {} }, serverIp(first.port), {
    message: "ping",
    value: {},
  });
  expect([ping?.message, sent?.message, pong?.message]).toEqual(["ping", "serverIp", "ping"]);
  const port = redirectedTo(sent);
  expect([first.port, second.port, login.port, relay.address.port]).not.toContain(port);
  atLogin.socket.end();

  const atFirst = await greeted(port);
  await play(session, atFirst, first, dialect, 9);
  const [moved] = await through(first, atFirst, changeChannel(second.port));
  expect(moved?.message).toBe("changeChannel");
  const next = redirectedTo(moved);
  expect(next).not.toBe(port);

  // The client connects to the next channel before its last connection is over.
  const atSecond = await greeted(next);
  await play(session, atSecond, second, dialect, 9);
  atFirst.socket.end();

  // Back to the first: the same listener.
  const [back] = await through(second, atSecond, changeChannel(first.port));
  expect(redirectedTo(back)).toBe(port);
  const again = await greeted(port);
  await play(session, again, first, dialect, 1);
  expect(relay.redirectListeners).toBe(2);

  expect(of("verdict").filter(({ verdict }) => verdict.kind !== "benign")).toEqual([]);
  expect([...of("lost"), ...of("unreadable"), ...of("refused"), ...of("unjudged")]).toEqual([]);
  await reached("it is said", () => of("redirect").length === 3);
  expect(of("redirect")[0]).toMatchObject({
    connection: 1,
    message: "serverIp",
    from: { host: "127.0.0.1", port: first.port },
    to: { host: "127.0.0.1", port },
  });
  expect(of("open").map((event) => event.server.port)).toEqual([login.port, first.port, second.port, first.port]);
  // The relay shows what the server has sent.
  expect(of("message").find(({ message }) => message === "serverIp")?.value).toMatchObject({ port: first.port });
});

test("the list of all worlds sends to a channel too, and a refused login to none", async () => {
  const { relay, login, channels, greeted, through } = await open("v95");
  const client = await greeted(relay.address.port);
  const refused = { message: "serverIp", value: { result: 6, mode: 0, refused: "" } };
  const [no] = await through(login, client, refused);
  expect(no?.value).toMatchObject({ result: 6 });
  expect(relay.redirectListeners).toBe(0);
  const [sent] = await through(login, client, serverIp(channels[0].port, [127, 0, 0, 1], "serverIpOfAll"));
  const port = redirectedTo(sent);
  expect(port).not.toBe(channels[0].port);
  await greeted(port);
  expect(channels[0].sessions).toHaveLength(1);
});

test("a message in pieces, with others before and behind it, arrives whole and in order, and the end after it", async () => {
  const { relay, login, channels, greeted, reached } = await open("v83");
  const client = await greeted(relay.address.port);
  const { socket, channel } = login.sessions[0] as (typeof login.sessions)[number];
  const codec = mapleStory.codec("v83");
  const messages = [
    ...Array.from({ length: 20 }, () => setField("v83", 1, 5)),
    serverIp(channels[0].port),
    setField("v83", 1, 6),
    changeChannel(channels[1].port),
    setField("v83", 1, 7),
  ];
  const bytes = Buffer.concat(messages.map((json) => channel.write(codec.fromJson("server", json))));
  for (let at = 0; at < bytes.length; at += 97) {
    socket.write(bytes.subarray(at, at + 97));
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.end(Buffer.from([1, 2, 3]));
  await reached("it has ended", () => client.socket.readableEnded);
  expect(client.got.map(({ message }) => message)).toEqual(messages.map(({ message }) => message));
  expect(redirectedTo(client.got[20])).not.toBe(channels[0].port);
  expect(redirectedTo(client.got[22])).not.toBe(channels[1].port);
  expect(client.socket.bytesRead).toBe(bytes.length + 3 + 16);
});

test("only the client that was sent there may connect, and only for a while", async () => {
  const { relay, login, channels, greeted, through, dial, reached, of, clock } = await open("v83");
  const client = await greeted(relay.address.port);
  const [sent] = await through(login, client, serverIp(channels[0].port));
  const port = redirectedTo(sent);
  // Another address of this machine.
  const stranger = dial(port, "127.0.0.9");
  await reached("it is refused", () => stranger.isClosed && of("refused").length === 1);
  expect(of("refused")[0]?.reason).toBe("127.0.0.9: its server has not sent this client here");
  expect(stranger.isGreeted).toBe(false);
  expect(channels[0].sessions).toHaveLength(0);
  await greeted(port);
  clock.advanceBy(GRANT_MS + 1);
  const late = dial(port);
  await reached("it is refused", () => late.isClosed && of("refused").length === 2);
  // Sent there again it may connect again.
  expect(redirectedTo((await through(login, client, serverIp(channels[0].port)))[0])).toBe(port);
  await greeted(port);
  expect(channels[0].sessions).toHaveLength(2);
});

test("a listener is closed when nobody has used it for a while, and not before its last connection is over", async () => {
  const { relay, login, channels, greeted, through, clock, dial, reached } = await open("v83");
  const client = await greeted(relay.address.port);
  const port = redirectedTo((await through(login, client, serverIp(channels[0].port)))[0]);
  const playing = await greeted(port);
  clock.advanceBy(UNUSED_MS * 2);
  expect(relay.redirectListeners).toBe(1);
  playing.socket.destroy();
  await reached("it is over", () => relay.connections === 1);
  clock.advanceBy(UNUSED_MS - 20_000);
  expect(relay.redirectListeners).toBe(1);
  clock.advanceBy(40_000);
  expect(relay.redirectListeners).toBe(0);
  const late = dial(port);
  await reached("nobody listens", () => late.isClosed);
});

test("listeners are bounded: one more passes unchanged, and says so", async () => {
  const { relay, login, channels, greeted, through, of, reached } = await open("v62", {
    redirects: { maxListeners: 1 },
  });
  const client = await greeted(relay.address.port);
  const [first, second] = await through(login, client, serverIp(channels[0].port), serverIp(channels[1].port));
  expect(redirectedTo(first)).not.toBe(channels[0].port);
  expect(redirectedTo(second)).toBe(channels[1].port);
  await reached("it is said", () => of("redirect").length === 2);
  expect(of("redirect")[1]).toMatchObject({ failed: "all of the 1 listeners for redirects are in use" });
  expect(of("redirect")[1]?.to).toBeUndefined();
});

test("connections to listeners count among those of the relay", async () => {
  const { relay, login, channels, greeted, through, dial, reached } = await open("v62", { maxConnections: 2 });
  const client = await greeted(relay.address.port);
  const port = redirectedTo((await through(login, client, serverIp(channels[0].port)))[0]);
  await greeted(port);
  const third = dial(port);
  await reached("it is reset", () => third.isClosed);
  expect(channels[0].sessions).toHaveLength(1);
});

test.each([
  ["0.0.0.0", [0, 0, 0, 0], {}, "0.0.0.0 is no address of a server"],
  ["a group of machines", [224, 0, 0, 1], {}, "224.0.0.1 is no address of a server"],
  ["a link", [169, 254, 169, 254], {}, "169.254.169.254 is no address of a server"],
  ["a host that is not allowed", [127, 0, 0, 1], { hosts: ["192.0.2.7"] }, "127.0.0.1 is not among the hosts"],
] as const)("%s is not connected to", async (_, ip, redirects, why) => {
  const { relay, login, greeted, through, of, reached } = await open("v83", { redirects });
  const client = await greeted(relay.address.port);
  const [sent] = await through(login, client, serverIp(7575, [...ip]));
  expect(sent?.value).toMatchObject({ ip, port: 7575 });
  await reached("it is said", () => of("redirect").length === 1);
  expect(of("redirect")[0]?.failed).toContain(why);
  expect(relay.redirectListeners).toBe(0);
});

test("the relay itself is no server", async () => {
  const { relay, login, channels, greeted, through, of, reached } = await open("v83");
  const client = await greeted(relay.address.port);
  const port = redirectedTo((await through(login, client, serverIp(channels[0].port)))[0]);
  for (const own of [relay.address.port, port]) {
    const [sent] = await through(login, client, serverIp(own));
    expect(redirectedTo(sent)).toBe(own);
  }
  await reached("it is said", () => of("redirect").length === 3);
  expect(of("redirect").map(({ failed }) => failed)).toEqual([
    undefined,
    "it is the relay itself",
    "it is the relay itself",
  ]);
});

test("behind NAT the message has the advertised address", async () => {
  const { relay, login, channels, greeted, through } = await open("v83", { redirects: { advertise: "192.0.2.200" } });
  const client = await greeted(relay.address.port);
  const [sent] = await through(login, client, serverIp(channels[0].port));
  const { ip, port } = (sent as MapleServerMessage).value as { readonly ip: readonly number[]; readonly port: number };
  expect(ip).toEqual([192, 0, 2, 200]);
  await greeted(port);
});

test("an advertised name is refused: messages hold IPv4", async () => {
  await expect(open("v83", { redirects: { advertise: "relay.example" } })).rejects.toThrow("is no IPv4 address");
});

test("by IPv6 the message passes unchanged, and says that it needs an address", async () => {
  const { relay, login, channels, of, reached } = await open("v83", { listenHost: "::1" });
  const socket = connect(relay.address.port, "::1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.resume();
  await reached("it is connected", () => login.sessions.length === 1);
  login.send(serverIp(channels[0].port));
  await reached("it is said", () => of("redirect").length === 1);
  expect(of("redirect")[0]?.failed).toContain("has reached the relay at ::1");
});

test("without redirects the address passes as it is", async () => {
  const { relay, login, channels, greeted, through, of } = await open("v83", { redirects: undefined });
  const client = await greeted(relay.address.port);
  const [sent] = await through(login, client, serverIp(channels[0].port));
  expect(redirectedTo(sent)).toBe(channels[0].port);
  expect(relay.redirectListeners).toBe(0);
  expect(of("redirect")).toEqual([]);
});

test("rules apply before: what they drop sends nobody anywhere", async () => {
  const rules: readonly RelayRule[] = [
    { direction: "server", message: "ping", drop: true },
    { direction: "server", message: "serverIp", where: { mode: 1 }, drop: true },
  ];
  const { relay, login, channels, greeted, through } = await open("v83", { rules });
  const client = await greeted(relay.address.port);
  const dropped = serverIp(channels[1].port);
  login.send({ message: "ping", value: {} }, { ...dropped, value: { ...(dropped.value as JsonObject), mode: 1 } });
  const [sent] = await through(login, client, serverIp(channels[0].port));
  expect(redirectedTo(sent)).not.toBe(channels[0].port);
  expect(relay.redirectListeners).toBe(1);
  expect(client.got.map(({ message }) => message)).toEqual(["serverIp"]);
});
