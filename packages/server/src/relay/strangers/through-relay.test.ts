/**
 * A relay between two strangers: nothing is lost on its path, it reads the sessions of both games to their end, and finds nothing in honest play.
 */
import { expect, onTestFinished, test } from "vitest";
import { mapleStory } from "wirewalk/maplestory";
import { type Clock, VirtualClock } from "wirewalk/net";
import { osrs } from "wirewalk/osrs";
import { collisionMapsOf, Region } from "wirewalk/osrs/maps";
import type { PlayableProtocol, Side, WorldMaps } from "wirewalk/protocol";
import { type RelayOptions, startRelay } from "../relay.ts";
import type { RelayEvent } from "../relay-events.ts";
import { closeRelays, reachedBy } from "../testing/relay-time.ts";
import type { Address } from "./testing/listening.ts";
import { MapleClient } from "./testing/maple-client.ts";
import { startMapleServers } from "./testing/maple-server.ts";
import type { MapleVersion } from "./testing/maple-versions.ts";
import { OsrsClient, type OsrsClientOptions } from "./testing/osrs-client.ts";
import type { OsrsMessage } from "./testing/osrs-frames.ts";
import { type OsrsServerOptions, startOsrsServer } from "./testing/osrs-server.ts";
import { CLIENT } from "./testing/osrs-table.ts";

/** A relay in front of a server, and what it reports. It is closed before the test ends, whatever the clock says. */
async function relayTo(
  to: Address,
  { maps, ...game }: Pick<RelayOptions, "protocol" | "dialect" | "options"> & { readonly maps?: WorldMaps },
  clock: Clock,
) {
  const events: RelayEvent[] = [];
  const errors: unknown[] = [];
  const relay = await startRelay({
    ...game,
    listen: { host: "127.0.0.1", port: 0 },
    to,
    clock,
    epochMs: () => clock.now(),
    onEvent: (event) => events.push(event),
    onError: (error) => errors.push(error),
    shadow: { seed: 1, demo: false, maps },
    redirects: {},
    page: { http: 0, studioFolder: undefined },
  });
  return { relay, events, errors };
}

const gameOf = (revision: number): PlayableProtocol =>
  osrs.capabilities.settings?.configure({ revision }) as PlayableProtocol;
const game239 = gameOf(239);
const SEEDS = [1, 2, -1, 4] as const;
const isaac = "0000000100000002ffffffff00000004";
/** Of the login: on no wire. */
const STANDING_FOR_LOGIN = ["playerIndex", "playerInfoInit"];

type RelayMessage = Extract<RelayEvent, { event: "message" }>;

interface OsrsPlay {
  readonly server?: Partial<OsrsServerOptions>;
  readonly game?: Partial<Pick<RelayOptions, "protocol" | "dialect" | "options">>;
  readonly client?: Partial<OsrsClientOptions>;
  readonly maps?: WorldMaps;
}

/** A client that plays through a relay, by a clock that is moved on. */
async function openOsrs({ server: options = {}, game = {}, client: own = {}, maps }: OsrsPlay) {
  const server = await startOsrsServer({ seed: 5, tickMs: 0, ...options });
  onTestFinished(() => server.close());
  const clock = new VirtualClock();
  const given = { protocol: game239, dialect: "client", options: { isaac, skipLogin: true }, ...game };
  const read = maps === undefined ? given : { ...given, maps };
  const { relay, events, errors } = await relayTo(server, read, clock);
  const reached = reachedBy(clock);
  onTestFinished(() => closeRelays([relay], reached));
  const login = async (user = "stranger", seeds: readonly [number, number, number, number] = SEEDS) => {
    const client = await OsrsClient.login({
      port: relay.address.port,
      publicKey: server.publicKey,
      seeds,
      seed: 6,
      user,
      ...own,
    });
    onTestFinished(() => client.close());
    return client;
  };
  const client = await login();
  const [session] = server.sessions;
  if (session === undefined) throw new Error("The server has no session");
  const messages = (direction: Side): RelayMessage[] =>
    events.filter((event) => event.event === "message" && event.direction === direction) as RelayMessage[];
  const everythingArrived = () => reached("it arrived", () => session.received.length === client.sent.length);
  return {
    server,
    session,
    client,
    events,
    errors,
    login,
    reached,
    messages,
    async metrics(): Promise<string> {
      const { host, port } = relay.pageAddress ?? { host: "", port: 0 };
      return (await fetch(`http://${host}:${port}/metrics`)).text();
    },
    /** Ticks of 600 ms. */
    async play(ticks: number): Promise<void> {
      for (let count = 0; count < ticks; count++) {
        server.tick();
        clock.advanceBy(600);
        client.play(600);
        await reached("the tick arrives", () => client.ticks.length === session.ticks.length);
      }
    },
    async reconnect(): Promise<void> {
      await everythingArrived();
      await client.reconnect(SEEDS);
    },
    /** The client leaves, and the relay has read all. */
    async end(): Promise<void> {
      await everythingArrived();
      client.close();
      const count = (name: RelayEvent["event"]): number => events.filter(({ event }) => event === name).length;
      await reached("the relay has read it", () => count("close") === count("open"));
    },
    /** Players in view after each player info, as the relay reads them. */
    pictures: () =>
      messages("server")
        .filter(({ message }) => message === "playerInfo")
        .map(({ value }) => value.players),
  };
}

const logins = [
  ["a login", {}, false],
  ["a login with a proof of work", { difficulty: 6 }, false],
  ["a login with the code of an authenticator", { authenticator: 0x89abcdef }, false],
  ["a login and a reconnect", {}, true],
] as const;

test.each(logins)("Old School RuneScape, %s: the session passes unchanged and is read to its end", async (...given) => {
  const [, options, isReconnected] = given;
  const { server, session, client, events, errors, messages, pictures, ...does } = await openOsrs({ server: options });
  await does.play(30);
  if (isReconnected) {
    await does.reconnect();
    await does.play(10);
  }
  await does.end();
  const hex = ({ opcode, body }: OsrsMessage): string => Buffer.from([opcode, ...body]).toString("hex");
  const read = (direction: Side): string[] =>
    messages(direction)
      .filter(({ message }) => !STANDING_FOR_LOGIN.includes(message))
      .map(({ payload }) => Buffer.from(payload).toString("hex"));
  // Each end has what the other sent, and the relay has read all of it.
  expect(client.ticks).toEqual(session.ticks);
  expect(client.received.map(hex)).toEqual(session.sent.map(hex));
  expect(session.received.map(hex)).toEqual(client.sent.map(hex));
  expect(read("server")).toEqual(session.sent.map(hex));
  expect(read("client")).toEqual(client.sent.map(hex));
  expect([client.problem, server.problems, errors]).toEqual([undefined, [], []]);
  expect(events.filter(({ event }) => !["open", "unframed", "message", "end", "close"].includes(event))).toEqual([]);
  const unread = events.flatMap((event) => (event.event === "close" ? [event.counts] : []));
  expect(unread.flatMap(({ client: a, server: b }) => [a.unreadBytes, b.unreadBytes])).toEqual(
    new Array(isReconnected ? 4 : 2).fill(0),
  );
  // Whom the client sees, at every tick, is whom the server shows it.
  const truth = session.ticks.map((tick) =>
    Object.fromEntries(tick.map(({ index, level, x, z }) => [index, [level, x, z]])),
  );
  expect(pictures()).toEqual(truth);
  const names = new Set(messages("server").map(({ message }) => message));
  expect([...names]).toEqual(expect.arrayContaining(["URL_OPEN", "IF_SETTEXT", "rebuildNormal", "playerIndex"]));
});

test("Old School RuneScape: a session that goes on is shown to nobody where two could be the one", async () => {
  const { client, events, messages, pictures, play, login, reached, reconnect, end } = await openOsrs({});
  const other = await login("other");
  await play(3);
  other.drop();
  await reached("the other one has left", () => events.some(({ event }) => event === "close"));
  const before = pictures().length;
  await reconnect();
  await play(5);
  await end();
  expect(client.problem).toBeUndefined();
  expect(pictures().length).toBe(before);
  const [begin] = messages("server").filter(({ connection, message }) => connection === 3 && message === "playerIndex");
  expect(begin).toBeUndefined();
  expect(events.filter(({ event }) => event === "unseen")).toMatchObject([
    { connection: 3, reason: expect.stringContaining("which player is its own"), rules: [] },
  ]);
  expect(events.filter(({ event, connection }) => event === "unreadable" && connection === 3).length).toBeGreaterThan(
    5,
  );
  expect(verdictsIn(events)).toEqual([]);
});

test("Old School RuneScape: the mouse of the client is read", async () => {
  const { client, messages, play, end } = await openOsrs({});
  await play(30);
  await end();
  const read = messages("client").filter(({ message }) => message === "mouseMove");
  const sent = client.sent.filter(({ opcode }) => opcode === CLIENT.EVENT_MOUSE_MOVE);
  expect(read.length).toBe(sent.length);
  expect(sent.length).toBeGreaterThan(5);
});

test("Old School RuneScape: in ten minutes of honest play nothing is found", async () => {
  const { client, session, events, errors, play, end } = await openOsrs({});
  await play(1000);
  await end();
  expect(client.ticks).toEqual(session.ticks);
  expect(client.mouse.length).toBeGreaterThan(3000);
  expect(verdictsIn(events)).toEqual([]);
  expect(events.filter(({ event }) => event === "lost" || event === "unjudged" || event === "unseen")).toEqual([]);
  expect(errors).toEqual([]);
}, 120_000);

const wrongs = [
  ["seeds", { options: { isaac: "00000001000000020000000300000004", skipLogin: true } }, /no other revision fits/],
  ["revision", { protocol: gameOf(238) }, /no message of revision 238 .*; revision (\d+, )*239(, \d+)* would fit/],
  ["start", { options: { isaac, loginBytes: 9 } }, /no message of revision 239|over its limit/],
] as const;

test.each(wrongs)(
  "Old School RuneScape, with a wrong %s: both directions are lost, to the byte, and pass",
  async (...given) => {
    const [, game, why] = given;
    const { client, session, events, errors, messages, play, end } = await openOsrs({ game });
    await play(20);
    await end();
    expect([client.problem, errors]).toEqual([undefined, []]);
    expect(client.ticks).toEqual(session.ticks);
    const lost = events.filter((event) => event.event === "lost");
    expect(lost.map(({ direction }) => direction).toSorted()).toEqual(["client", "server"]);
    expect(lost.find(({ direction }) => direction === "server")?.reason).toMatch(why);
    expect(lost.map(({ reason }) => reason).join()).toMatch(/at byte \d+, (as the first message|after \d+ messages?)/);
    // What was not read is counted: the rest is the login and the frames of what was.
    const closed = events.flatMap((event) => (event.event === "close" ? [event.counts.server] : []));
    const { bytes = 0, unreadBytes = 0 } = closed[0] ?? {};
    const login = events.flatMap((event) =>
      event.event === "unframed" && event.direction === "server" ? [event.bytes.length] : [],
    );
    const frames = [...messages("server"), ...events.filter(({ event }) => event === "unreadable")].flatMap((event) =>
      "direction" in event && event.direction === "server" && "payload" in event ? [event.payload.length] : [],
    );
    const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);
    const read = bytes - unreadBytes - sum(login);
    // Each frame has up to three bytes beside its payload; what the login stands for has none.
    expect(read).toBeGreaterThanOrEqual(0);
    expect(read).toBeLessThanOrEqual(sum(frames) + 3 * frames.length);
    expect(unreadBytes).toBeGreaterThan(4000);
  },
);

test("Old School RuneScape: a machine at the mouse is found", async () => {
  const { events, play, end } = await openOsrs({ client: { isMachine: true } });
  await play(150);
  await end();
  expect(verdictsIn(events)).not.toEqual([]);
});

test("Old School RuneScape: what the server sends through walls, and what is found, is counted at /metrics", async () => {
  // Nobody may step anywhere in the region, and players of the server start there.
  const maps = collisionMapsOf("closed", [new Region(50, 50, new Uint8Array())]);
  const { events, play, end, metrics } = await openOsrs({ maps, client: { isMachine: true } });
  await play(150);
  const open = await metrics();
  expect(open).toMatch(/^wirewalk_relay_connections\{protocol="osrs",world="osrs"\} 1$/m);
  expect(open).toMatch(/^process_resident_memory_bytes \d+$/m);
  await end();
  const text = await metrics();
  const samples = [...text.matchAll(/^wirewalk_(\w+)\{protocol="osrs",world="osrs",?(.*)\} (\d+)$/gm)];
  const counted = Object.fromEntries(samples.map(([, name, labels, value]) => [`${name} ${labels}`, Number(value)]));
  const count = (isIt: (event: RelayEvent) => boolean): number => events.filter(isIt).length;
  const notices = events.flatMap((event) => (event.event === "notice" ? [event] : []));
  const totals = new Map(notices.map(({ notice, total }) => [notice, total]));
  expect(totals.get("wall-step")).toBeGreaterThan(0);
  for (const [notice, total] of totals) expect(counted[`server_notices_total notice="${notice}"`]).toBe(total);
  const verdicts = events.flatMap((event) => (event.event === "verdict" ? [event.verdict] : []));
  expect(verdicts.length).toBeGreaterThan(0);
  for (const { rule, kind } of verdicts) {
    const same = verdicts.filter((each) => each.rule === rule && each.kind === kind).length;
    expect(counted[`verdicts_total rule="${rule}",kind="${kind}"`]).toBe(same);
  }
  for (const direction of ["client", "server"]) {
    const isRead = (event: RelayEvent): boolean => event.event === "message" && event.direction === direction;
    expect(counted[`relay_messages_total direction="${direction}"`]).toBe(count(isRead));
  }
  expect([counted["relay_opened_total "], counted["relay_connections "]]).toEqual([1, 0]);
});

/** Rules that found something. */
function verdictsIn(events: readonly RelayEvent[]): string[] {
  return events.flatMap((event) =>
    event.event === "verdict" && event.verdict.kind !== "benign" ? [event.verdict.rule] : [],
  );
}

/** Relays in front of the login server and of each channel, with one clock. */
async function openMaple(version: MapleVersion, isRedirected: boolean) {
  const servers = await startMapleServers({ version, seed: 3 });
  onTestFinished(() => servers.close());
  const clock = new VirtualClock();
  const game = { protocol: mapleStory as PlayableProtocol, dialect: `v${version}`, options: {} };
  const relays = await Promise.all([servers.login, ...servers.channels].map((to) => relayTo(to, game, clock)));
  const reached = reachedBy(clock);
  onTestFinished(() => {
    return closeRelays(
      relays.map(({ relay }) => relay),
      reached,
    );
  });
  const ports = [servers.login, ...servers.channels].map(({ port }) => port);
  const through = ({ host, port }: Address): Address => ({
    host,
    port: relays[ports.indexOf(port)]?.relay.address.port ?? port,
  });
  const client = await MapleClient.login({
    version,
    seed: 4,
    ...through(servers.login),
    ...(isRedirected ? { through } : {}),
  });
  onTestFinished(() => client.close());
  const events = (): RelayEvent[] => relays.flatMap((each) => each.events);
  const verdicts = (): string[] => verdictsIn(events());
  const pathsRead = (): number =>
    events().filter((event) => event.event === "message" && event.message === "movePlayer").length;
  return {
    servers,
    client,
    relays,
    events,
    verdicts,
    /** How many paths the servers have, once the last one is with them: the relay reads a path before it sends it on. */
    async pathsArrived(): Promise<number> {
      const arrived = () => servers.sessions.flatMap(({ paths }) => paths).length;
      await reached("the last path arrives", () => arrived() >= client.paths.length);
      return arrived();
    },
    /** At the pace of the game, or `pace` times as fast. */
    async play(ms: number, pace = 1): Promise<void> {
      for (let atMs = 0; atMs < ms; atMs += 30) {
        clock.advanceBy(30 / pace);
        if (client.step()) await reached("the path is read", () => pathsRead() === client.paths.length);
      }
    },
  };
}

const versions = [62, 83, 95] satisfies MapleVersion[];

test.each(versions)(
  "v%i: a session whose channels are reached through relays is read, and nothing is found in it",
  async (version) => {
    const { servers, client, relays, events, verdicts, pathsArrived, play } = await openMaple(version, true);
    await play(30_000);
    await client.changeChannel(2);
    await play(30_000);
    expect(client.paths.length).toBeGreaterThan(80);
    expect(await pathsArrived()).toBe(client.paths.length);
    expect([client.problem, servers.problems, relays.flatMap(({ errors }) => errors)]).toEqual([undefined, [], []]);
    expect(events().filter(({ event }) => event === "lost" || event === "unjudged")).toEqual([]);
    expect(verdicts()).toEqual([]);
    // The same character in a hurry.
    await play(60_000, 4);
    expect(verdicts()).not.toEqual([]);
  },
);

// Only the login server has a relay in front of it: a stranger gets to the channels by the addresses that servers send.
test.each(versions)(
  "v%i: a client that logs in through a relay stays with it, and in ten minutes nothing is found",
  async (version) => {
    const { servers, client, relays, events, verdicts, pathsArrived, play } = await openMaple(version, false);
    await play(200_000);
    await client.changeChannel(2);
    await play(200_000);
    await client.changeChannel(1);
    await play(200_000);
    const own = servers.channels.map(({ port }) => port);
    expect(client.addresses.filter(({ port }) => own.includes(port))).toEqual([]);
    expect(client.addresses.length).toBe(4);
    const redirected = events().flatMap((event) => (event.event === "redirect" ? [[event.message, event.failed]] : []));
    expect(redirected).toEqual([
      ["serverIp", undefined],
      ["changeChannel", undefined],
      ["changeChannel", undefined],
    ]);
    // Every connection that the servers have is one of the relay.
    expect(events().filter(({ event }) => event === "open").length).toBe(4);
    expect(await pathsArrived()).toBe(client.paths.length);
    expect([client.problem, servers.problems, relays.flatMap(({ errors }) => errors)]).toEqual([undefined, [], []]);
    expect(events().filter(({ event }) => event === "lost" || event === "unjudged")).toEqual([]);
    expect(client.paths.length).toBeGreaterThan(800);
    expect(verdicts()).toEqual([]);
    await play(60_000, 4);
    expect(verdicts()).not.toEqual([]);
  },
  60_000,
);
