/**
 * A relay between two strangers. Nothing is lost on its path, and it reads the session of MapleStory's channels. What it cannot read yet is said by
 * tests that have to fail.
 */
import { expect, onTestFinished, test } from "vitest";
import { mapleStory } from "wirewalk/maplestory";
import { type Clock, systemClock, VirtualClock } from "wirewalk/net";
import { osrs } from "wirewalk/osrs";
import type { PlayableProtocol } from "wirewalk/protocol";
import { until } from "../../testing/clients.ts";
import { type RelayOptions, startRelay } from "../relay.ts";
import type { RelayEvent } from "../relay-events.ts";
import type { Address } from "./testing/listening.ts";
import { MapleClient } from "./testing/maple-client.ts";
import { startMapleServers } from "./testing/maple-server.ts";
import type { MapleVersion } from "./testing/maple-versions.ts";
import { OsrsClient } from "./testing/osrs-client.ts";
import { type OsrsServerOptions, startOsrsServer } from "./testing/osrs-server.ts";
import { CLIENT } from "./testing/osrs-table.ts";

/** A relay in front of a server, and what it reports. It is closed before the test ends, whatever the clock says. */
async function relayTo(to: Address, game: Pick<RelayOptions, "protocol" | "dialect" | "options">, clock: Clock) {
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
    shadow: { seed: 1, demo: false },
  });
  return { relay, events, errors };
}

const revision239 = osrs.capabilities.settings?.configure({ revision: 239 }) as PlayableProtocol;
const SEEDS = [1, 2, -1, 4] as const;

async function playOsrs(options: Partial<OsrsServerOptions>, isReconnected: boolean) {
  const server = await startOsrsServer({ seed: 5, tickMs: 0, ...options });
  onTestFinished(() => server.close());
  const { relay, events, errors } = await relayTo(
    server,
    {
      protocol: revision239,
      dialect: "client",
      options: { isaac: "0000000100000002ffffffff00000004", skipLogin: true },
    },
    systemClock,
  );
  onTestFinished(() => relay.close());
  const client = await OsrsClient.login({
    port: relay.address.port,
    publicKey: server.publicKey,
    seeds: SEEDS,
    seed: 6,
  });
  onTestFinished(() => client.close());
  const [session] = server.sessions;
  const play = async (ticks: number): Promise<void> => {
    for (let count = 0; count < ticks; count++) {
      server.tick();
      client.play(600);
      await until("the tick arrives", () => client.ticks.length === session?.ticks.length);
    }
  };
  await play(30);
  if (isReconnected) {
    await until("everything was received", () => session?.received.length === client.sent.length);
    await client.reconnect(SEEDS);
    await play(10);
  }
  await until("everything was received", () => session?.received.length === client.sent.length);
  client.close();
  const closed = (): number => events.filter(({ event }) => event === "close").length;
  await until("the relay has read it", () => closed() === (isReconnected ? 2 : 1));
  return { server, session, client, events, errors };
}

const logins = [
  ["a login", {}, false],
  ["a login with a proof of work", { difficulty: 6 }, false],
  ["a login with the code of an authenticator", { authenticator: 0x89abcdef }, false],
  ["a login and a reconnect", {}, true],
] as const;

test.each(logins)("Old School RuneScape, %s: the session passes unchanged", async (_, options, isReconnected) => {
  const { server, session, client, errors } = await playOsrs(options, isReconnected);
  expect(client.ticks).toEqual(session?.ticks);
  expect(session?.received.map(({ body }) => body.toString("hex"))).toEqual(
    client.sent.map(({ body }) => body.toString("hex")),
  );
  expect([client.problem, server.problems, errors]).toEqual([undefined, [], []]);
});

test("Old School RuneScape: the mouse of the client is read", async () => {
  const { client, events } = await playOsrs({}, false);
  const read = events.filter((event) => event.event === "message" && event.direction === "client");
  const sent = client.sent.filter(({ opcode }) => opcode === CLIENT.EVENT_MOUSE_MOVE);
  expect(read.length).toBe(sent.length);
  expect(sent.length).toBeGreaterThan(5);
});

test.each(logins)("Old School RuneScape, %s: the session is read to its end", async (_, options, isReconnected) => {
  const { client, events } = await playOsrs(options, isReconnected);
  expect(events.filter(({ event }) => event === "lost")).toEqual([]);
  const read = events.filter((event) => event.event === "message" && event.direction === "server");
  expect(read.length).toBeGreaterThanOrEqual(client.ticks.length);
});

/** Relays in front of the login server and of each channel, with one clock. */
async function openMaple(version: MapleVersion, isRedirected: boolean) {
  const servers = await startMapleServers({ version, seed: 3 });
  onTestFinished(() => servers.close());
  const clock = new VirtualClock();
  const game = { protocol: mapleStory as PlayableProtocol, dialect: `v${version}`, options: {} };
  const relays = await Promise.all([servers.login, ...servers.channels].map((to) => relayTo(to, game, clock)));
  /** Time passes while it waits: the relays read beside the path by the clock. */
  const reached = (what: string, isSo: () => boolean): Promise<void> =>
    until(what, () => {
      clock.advanceBy(1);
      return isSo();
    });
  onTestFinished(async () => {
    let isClosed = false;
    const closing = Promise.all(relays.map(({ relay }) => relay.close())).then(() => {
      isClosed = true;
    });
    await reached("they are closed", () => isClosed);
    await closing;
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
  const verdicts = (): string[] =>
    events().flatMap((event) =>
      event.event === "verdict" && event.verdict.kind !== "benign" ? [event.verdict.rule] : [],
    );
  const pathsRead = (): number =>
    events().filter((event) => event.event === "message" && event.message === "movePlayer").length;
  return {
    servers,
    client,
    relays,
    events,
    verdicts,
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
    const { servers, client, relays, events, verdicts, play } = await openMaple(version, true);
    await play(30_000);
    await client.changeChannel(2);
    await play(30_000);
    expect(client.paths.length).toBeGreaterThan(80);
    expect(servers.sessions.flatMap(({ paths }) => paths).length).toBe(client.paths.length);
    expect([client.problem, servers.problems, relays.flatMap(({ errors }) => errors)]).toEqual([undefined, [], []]);
    expect(events().filter(({ event }) => event === "lost" || event === "unjudged")).toEqual([]);
    expect(verdicts()).toEqual([]);
    // The same character in a hurry.
    await play(60_000, 4);
    expect(verdicts()).not.toEqual([]);
  },
);

// A relay at the login server alone does not change the addresses that the server names.
test.fails.each(versions)("v%i: a client that logs in through a relay stays with relays", async (version) => {
  const { servers, client } = await openMaple(version, false);
  await client.changeChannel(2);
  const own = servers.channels.map(({ port }) => port);
  expect(client.addresses.filter(({ port }) => own.includes(port))).toEqual([]);
});
