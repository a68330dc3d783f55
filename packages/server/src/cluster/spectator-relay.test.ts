/** Pages of a cluster: what a spectator relay shows of worlds whose owners are other nodes, and what it costs. */
import { afterEach, expect, test } from "vitest";
import { type Cluster, type ClusterHub, clusterHub, systemClock, VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type ClusterRole, type RunningServer, startServer } from "../index.ts";
import { WebClient } from "../testing/clients.ts";
import { encodeShown, encodeWatched, type RoomMessage } from "./room-messages.ts";
import { SpectatedWorld } from "./spectated-world.ts";
import { playerSubject, roomSubject, worldSubjects } from "./subjects.ts";

/** Its leases outlast any stall of a busy machine: no test here waits for one to lapse. */
const hubOfTest = (): ClusterHub => clusterHub({ leaseMs: 60_000 });

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close({ graceMs: 0 });
});

/** A member that counts its subscriptions by subject, those that are taken back not included, and its messages. */
function counted(cluster: Cluster): {
  readonly cluster: Cluster;
  readonly subscriptions: Map<string, number>;
  readonly published: Map<string, number>;
} {
  const subscriptions = new Map<string, number>();
  const published = new Map<string, number>();
  const add = (counts: Map<string, number>, subject: string, count: number): void =>
    void counts.set(subject, (counts.get(subject) ?? 0) + count);
  const own: Pick<Cluster, "subscribe" | "publish"> = {
    subscribe(subject, handler) {
      add(subscriptions, subject, 1);
      const cancel = cluster.subscribe(subject, handler);
      return () => {
        add(subscriptions, subject, -1);
        cancel();
      };
    },
    publish(subject, bytes) {
      add(published, subject, 1);
      cluster.publish(subject, bytes);
    },
  };
  const counting = new Proxy(cluster, {
    get: (target, key) => {
      const value: unknown = key in own ? own[key as keyof typeof own] : Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { cluster: counting, subscriptions, published };
}

async function node(hub: ClusterHub, name: string, roles: readonly ClusterRole[], clock = systemClock) {
  const counts = counted(hub.join(name));
  const cluster = { cluster: counts.cluster, roles, onDrain: () => {} };
  const server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }], cluster, clock });
  servers.push(server);
  return { server, ...counts };
}

const page = ({ server }: { readonly server: RunningServer }): Promise<WebClient> =>
  WebClient.to(server.httpAddress, "/ws/studio");
const watch = (client: WebClient, room: string | null, player?: number): void =>
  client.socket.send(JSON.stringify({ type: "watch", world: "fake", room, ...(player && { player }) }));
const hasPlayers = (count: number) => (event: Record<string, unknown>) => (event.tracks as unknown[]).length === count;

test("one subscription per relay and room shows it to any number of pages, also while its owner changes", async () => {
  const hub = hubOfTest();
  const owner = await node(hub, "owner", ["owner"]);
  await expect.poll(() => owner.server.owned.size).toBe(1);
  const gateway = await node(hub, "gateway", ["gateway", "owner"]);
  const relays = [await node(hub, "s", ["spectator"]), await node(hub, "t", ["spectator"])] as const;
  const ann = await WebClient.to(gateway.server.httpAddress, "/ws/fake?account=ann");
  await ann.receives("W1");
  const pages = await Promise.all(relays.flatMap((relay) => Array.from({ length: 20 }, () => page(relay))));
  const [one = ann, last = ann] = [pages[0], pages.at(-1)];
  for (const each of pages) watch(each, "1");
  for (const each of pages) await each.receivesEvent("tracks", hasPlayers(1));
  // The names come from the owner too.
  const isAnn = ({ players }: Record<string, unknown>): boolean =>
    JSON.stringify(players) === '[{"player":1,"name":"ann","room":"1"}]';
  await one.receivesEvent("players", isAnn);
  await last.receivesEvent("rooms", ({ rooms }) => JSON.stringify(rooms) === '[{"room":"1","players":1}]');
  await last.receivesEvent("rates", ({ rates }) => (rates as { sessions: number }).sessions === 1);

  const room = roomSubject("fake", "1");
  const { output, shown } = worldSubjects("fake");
  for (const { subscriptions } of relays) {
    expect([room, shown, output].map((subject) => subscriptions.get(subject) ?? 0)).toEqual([1, 1, 0]);
  }
  const second = roomSubject("fake", "2");
  const bob = await WebClient.to(gateway.server.httpAddress, "/ws/fake?account=bob&room=2");
  await bob.receives("W2");
  watch(last, "2");
  await last.receivesEvent("players", ({ players }) => JSON.stringify(players).includes('"bob"'));
  expect(relays.map(({ subscriptions }) => subscriptions.get(second) ?? 0)).toEqual([0, 1]);
  watch(last, null);
  await expect.poll(() => relays[1].subscriptions.get(second)).toBe(0);

  // Another owner: the room goes on, with what the world then does.
  await owner.server.close({ graceMs: 0 });
  await expect.poll(() => gateway.server.owned.size).toBe(1);
  one.events.length = 0;
  ann.sendText("s/verdict");
  const { verdict } = await one.receivesEvent("verdict");
  expect(verdict).toMatchObject({ name: "ann", room: "1" });
  await one.receivesEvent("tracks", hasPlayers(1));
  ann.sendText("s/show");
  await one.receivesEvent("observation");
  bob.sendText("s/room 1");
  await one.receivesEvent("join", ({ player }) => (player as { name: string }).name === "bob");
  ann.socket.close();
  await one.receivesEvent("leave", ({ player }) => player === 1);
  // Forty pages, and the owner sends one room.
  expect(await fetchText(gateway.server, "/metrics")).toContain('\nwirewalk_cluster_shown_rooms{world="fake"} 1\n');
  expect(relays.map(({ subscriptions }) => subscriptions.get(room))).toEqual([1, 1]);
});

test("a page at a gateway follows its own player, whose messages are shown by the time of the world", async () => {
  const hub = hubOfTest();
  const owner = await node(hub, "owner", ["owner"]);
  await expect.poll(() => owner.server.owned.size).toBe(1);
  // As if its process had been started much earlier.
  const aheadMs = 1e9;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const gateway = await node(hub, "gateway", ["gateway", "spectator"], clock);
  const client = await page(gateway);
  const { token } = await client.receivesEvent("hello");
  const ann = await WebClient.to(gateway.server.httpAddress, `/ws/fake?account=ann&viewer=${token}`);
  await ann.receives("W1");
  expect(await client.receivesEvent("self", ({ room }) => room === "1")).toMatchObject({ player: 1 });
  watch(client, "1");
  const { atMs } = await client.receivesEvent("tracks", hasPlayers(1));
  expect(atMs).toBeLessThan(aheadMs);
  watch(client, "1", 1);
  await client.receivesEvent("observation", ({ what }) => what === "start");
  ann.sendText("shello");
  const { records } = await client.receivesEvent("wire");
  const [record] = records as { sender: string; atMs: number }[];
  expect(record).toMatchObject({ sender: "client", player: 1 });
  expect(record?.atMs).toBeLessThan(aheadMs);
  expect(await fetchText(gateway.server, "/metrics")).toContain('\nwirewalk_cluster_spectated_rooms{world="fake"} 1\n');
});

test("pages of any node follow a player of another: one subscription, which ends with the last of them", async () => {
  const hub = hubOfTest();
  const owner = await node(hub, "owner", ["owner"]);
  await expect.poll(() => owner.server.owned.size).toBe(1);
  const budget = { name: "steps", rule: "speed", used: 2, limit: 5, unit: "steps" };
  // The fake game has no limits that add up.
  const owned = owner.server.owned.get("fake")?.played.world;
  if (owned !== undefined) owned.budgets = (player) => (player === 1 ? [budget] : []);
  const gateway = await node(hub, "gateway", ["gateway", "owner"]);
  const relay = await node(hub, "relay", ["spectator"]);
  const ann = await WebClient.to(gateway.server.httpAddress, "/ws/fake?account=ann");
  const bob = await WebClient.to(gateway.server.httpAddress, "/ws/fake?account=bob");
  await bob.receives("W2");
  const pages = [await page(relay), await page(relay), await page(relay)];
  const [first = ann, second = ann, third = ann] = pages;
  for (const each of pages) watch(each, "1");
  for (const each of pages) await each.receivesEvent("tracks", hasPlayers(2));
  const player = playerSubject("fake", 1);
  const subscriptions = (): number => relay.subscriptions.get(player) ?? 0;
  expect(subscriptions()).toBe(0);
  for (const each of [first, second]) {
    watch(each, "1", 1);
    // Each page needs what the world shows a spectator first.
    await each.receivesEvent("observation", ({ what }) => what === "start");
  }
  expect(subscriptions()).toBe(1);
  const carries = (sender: string, text: string) => (event: Record<string, unknown>) =>
    (event.records as { sender: string; player: number; payload: string }[]).some(
      (each) =>
        each.sender === sender && each.player === 1 && Buffer.from(each.payload, "hex").toString().includes(text),
    );
  ann.sendText("shello");
  bob.sendText("sanswer");
  for (const each of [first, second]) {
    await each.receivesEvent("wire", carries("client", "shello"));
    await each.receivesEvent("wire", carries("server", "S2:answer"));
    // The player's own broadcast does not come back to it.
    expect(each.events.some((event) => event.type === "wire" && carries("server", "hello")(event))).toBe(false);
    expect(await each.receivesEvent("budgets")).toMatchObject({ player: 1, budgets: [budget] });
  }
  expect(third.events.some(({ type }) => type === "wire" || type === "budgets")).toBe(false);
  const shown = (server: RunningServer): Promise<string> => fetchText(server, "/metrics");
  expect(await shown(relay.server)).toContain('\nwirewalk_cluster_spectated_players{world="fake"} 1\n');

  // The next owner goes on with it.
  await owner.server.close({ graceMs: 0 });
  await expect.poll(() => gateway.server.owned.size).toBe(1);
  ann.sendText("safter");
  await first.receivesEvent("wire", carries("client", "safter"));
  const world = gateway.server.owned.get("fake")?.played;
  expect(world?.followed).toEqual(new Set([1]));

  watch(first, "1");
  second.socket.close();
  await expect.poll(subscriptions).toBe(0);
  await expect.poll(() => world?.followed.size, { timeout: 10_000 }).toBe(0);
  expect(await shown(gateway.server)).toContain('\nwirewalk_cluster_shown_players{world="fake"} 0\n');
});

const fetchText = (server: RunningServer, path: string): Promise<string> =>
  fetch(`http://127.0.0.1:${server.httpAddress?.port}${path}`).then((response) => response.text());

test("a relay asks for a whole room when a message was lost, and drops those of an earlier owner and invalid bytes", async () => {
  const hub = hubOfTest();
  const [owner, relay] = [hub.join("owner"), hub.join("relay")];
  const clock = new VirtualClock();
  const seen: string[] = [];
  const world = new SpectatedWorld({
    cluster: relay,
    clock,
    name: "fake",
    protocol: fakeProtocol,
    feed: {
      moved: (_world, player, from, to) => void seen.push(`${player} ${from ?? "-"} ${to ?? "-"}`),
      observed: (_world, { what }) => void seen.push(what),
      verdict: () => {},
      filled: (_world, room) => void seen.push(`filled ${room}`),
      carried: () => {},
    },
  });
  const asked: Uint8Array[] = [];
  owner.subscribe(worldSubjects("fake").watched, ({ bytes }) => void asked.push(bytes));
  const wholes = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve));
    const whole = encodeWatched({ relay: "relay", rooms: ["a"], whole: ["a"], players: [], begun: [] });
    return asked.filter((bytes) => Buffer.from(bytes).equals(whole)).length;
  };
  const send = async (epoch: number, number: number, message: Partial<RoomMessage>): Promise<void> => {
    const room = { kind: "room", room: "a", atMs: 5, players: undefined, events: [], tracks: undefined } as const;
    for (const part of encodeShown({ epoch, number }, { ...room, ...message })) {
      owner.publish(roomSubject("fake", "a"), part);
    }
    await new Promise((resolve) => setTimeout(resolve));
  };
  const join = (player: number) => ({ events: [{ event: "join", player, name: `p${player}` }] }) as const;

  world.watch(new Set(["a"]));
  expect(await wholes()).toBe(1);
  // Nothing is known before a whole room has come.
  await send(7, 1, join(1));
  expect(seen).toEqual([]);
  await send(7, 2, { players: [[2, "two"]] });
  await send(7, 3, join(3));
  expect(seen).toEqual(["filled a", "3 - a"]);
  expect([world.playersIn("a"), world.nameOf(3), world.tracksMs("a")]).toEqual([[2, 3], "p3", 5]);
  // The fourth is lost.
  await send(7, 5, join(5));
  expect([world.counts.gaps, world.playersIn("a"), await wholes()]).toEqual([1, [2, 3], 2]);
  // The answer may be lost too.
  clock.advanceTo(250);
  expect(await wholes()).toBe(3);
  await send(7, 6, { players: [[5, "five"]] });
  // Another relay requested the whole room: this one continues as before.
  await send(7, 7, {
    players: [
      [5, "five"],
      [6, "six"],
    ],
    events: [{ event: "join", player: 6, name: "six" }],
  });
  expect(seen.slice(2)).toEqual(["filled a", "6 - a"]);
  // Of the owner before.
  await send(6, 8, join(8));
  expect(world.counts.fenced).toBe(1);
  for (const bytes of [new Uint8Array(0), new Uint8Array(40).fill(1), new Uint8Array(21)]) {
    owner.publish(roomSubject("fake", "a"), bytes);
  }
  await send(7, 8, { tracks: new Uint8Array([1, 2, 3]) });
  expect([world.counts.gaps, world.counts.refused, world.playersIn("a")]).toEqual([2, 3, [5, 6]]);
  // The next owner counts from 1.
  await send(8, 1, { players: [[9, "nine"]] });
  await send(7, 9, join(1));
  expect([world.playersIn("a"), world.counts.fenced]).toEqual([[9], 2]);
  world.watch(new Set());
  expect([world.watched, world.playersIn("a")]).toEqual([0, []]);
  world.close();
});
