import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { type ClusterHub, clusterHub, memoryStore, type RemoteStore, type Store, systemClock } from "wirewalk/net";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type ClusterRole, drainSubject, type RunningServer, startServer } from "../index.ts";
import { aMoment, until, WebClient } from "../testing/clients.ts";
import { encodeBatch } from "./batch.ts";
import { ClusterNode } from "./cluster-node.ts";
import { RemoteWorld } from "./remote-world.ts";
import { worldSubjects } from "./subjects.ts";

/** Its leases outlast any stall of a busy machine: no test here waits for one to lapse. */
const hubOfTest = (): ClusterHub => clusterHub({ leaseMs: 60_000 });

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close({ graceMs: 0 });
});

async function node(
  hub: ClusterHub,
  name: string,
  roles: readonly ClusterRole[],
  onDrain = () => {},
  store?: Store,
): Promise<RunningServer> {
  const cluster = { cluster: hub.join(name), roles, onDrain };
  const server = await startServer({
    http: 0,
    listeners: [{ protocol: fakeProtocol }],
    cluster,
    ...(store && { store }),
  });
  servers.push(server);
  return server;
}

const at = (server: RunningServer, path: string): Promise<string> =>
  fetch(`http://127.0.0.1:${server.httpAddress?.port}${path}`).then((response) => response.text());

test("players of two gateways are in one world, and stay connected when its owner hands it over", async () => {
  const hub = hubOfTest();
  const owner = await node(hub, "owner", ["owner"]);
  await expect.poll(() => owner.owned.size).toBe(1);
  const [b, c] = [await node(hub, "b", ["gateway", "owner"]), await node(hub, "c", ["gateway"])];
  const ann = await WebClient.to(b.httpAddress, "/ws/fake?account=ann");
  const bob = await WebClient.to(c.httpAddress, "/ws/fake?account=bob");
  // The ids of gateways differ: those of the second begin at 4370.
  await ann.receives("W1");
  await bob.receives("W4370");
  ann.sendText("shello");
  await bob.receives("S1:hello");
  const [first] = owner.owned.values();
  expect(first?.played.world.rooms().get("1")).toBe(2);
  // As SIGTERM does.
  await owner.close({ graceMs: 0 });
  await expect.poll(() => b.owned.get("fake")?.lease.epoch).toBeGreaterThan(first?.lease.epoch ?? 0);
  bob.sendText("sagain");
  await ann.receives("S4370:again");
  ann.sendText("sstill here");
  await bob.receives("S1:still here");
  expect(b.owned.get("fake")?.played.world.rooms().get("1")).toBe(2);
  expect([b.stats().disconnects, c.stats().disconnects]).toEqual([{}, {}]);
  expect(await at(c, "/metrics")).toContain('\nwirewalk_cluster_takeovers_total{world="fake"} 1\n');
  await expect.poll(() => at(b, "/metrics")).toMatch(/\nwirewalk_cluster_snapshot_bytes\{world="fake"\} [1-9]/);
});

test("a node that ends has told the next owner which players leave, also one that takes its time", async () => {
  const hub = hubOfTest();
  const a = await node(hub, "a", ["gateway", "owner"]);
  await expect.poll(() => a.owned.size).toBe(1);
  // A claim waits for its store.
  const store = memoryStore();
  const get: RemoteStore["get"] = async (table, key) => {
    await aMoment(150);
    return store.get(table, key);
  };
  const update: RemoteStore["update"] = async (table, key, change) => store.update(table, key, change);
  const slow = { ...store, remote: { get, update, add: async () => false, check: async () => {} } };
  const b = await node(hub, "b", ["gateway", "owner"], () => {}, slow);
  const ann = await WebClient.to(a.httpAddress, "/ws/fake?account=ann");
  await ann.receives("W1");
  const bob = await WebClient.to(b.httpAddress, "/ws/fake?account=bob");
  await bob.receives("W4370");
  await a.close({ graceMs: 0 });
  expect(b.owned.get("fake")?.played.world.rooms().get("1")).toBe(1);
  expect(b.stats().disconnects).toEqual({});
});

test("a gateway that ends: its players leave the world, and their ids are free", async () => {
  const hub = hubOfTest();
  const a = await node(hub, "a", ["gateway", "owner"]);
  const b = await node(hub, "b", ["gateway"]);
  const ann = await WebClient.to(b.httpAddress, "/ws/fake?account=ann");
  await ann.receives("W4370");
  const rooms = () => a.owned.get("fake")?.played.world.rooms().get("1");
  expect(rooms()).toBe(1);
  await b.close({ graceMs: 0 });
  await expect.poll(rooms).toBe(undefined);
  const c = await node(hub, "c", ["gateway"]);
  const again = await WebClient.to(c.httpAddress, "/ws/fake?account=ann");
  await again.receives("W4370");
});

test("a node is asked to drain by its name; without a cluster a server owns nothing of one", async () => {
  const hub = hubOfTest();
  let asked = 0;
  await node(hub, "a", ["gateway", "owner"], () => {
    asked += 1;
  });
  const other = hub.join("other");
  await other.request(drainSubject("a"), new Uint8Array(0), 10_000);
  expect(asked).toBe(1);
  await expect(other.request(drainSubject("b"), new Uint8Array(0), 10_000)).rejects.toThrow(/No member/);
  const alone = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }] });
  servers.push(alone);
  expect(alone.owned.size).toBe(0);
});

test("one login at two gateways: the second takes over, and begins where the first was", async () => {
  const hub = hubOfTest();
  const store = memoryStore();
  const listeners = [{ protocol: slimeOnline2, dialect: "v0106" }];
  const [b, c] = await Promise.all(
    ["b", "c"].map(async (name) => {
      const cluster = { cluster: hub.join(name), roles: ["gateway", "owner"] as const, onDrain: () => {} };
      const server = await startServer({ http: 0, listeners, cluster, store });
      servers.push(server);
      return server;
    }),
  );
  const first = await SlimePlayer.login(b, "ann");
  const second = { x: first.place.x + 3, y: first.place.y };
  // The player presses right where it stands, and releases it three pixels further.
  first.move(2, first.place);
  await aMoment(50);
  first.move(6, second);
  await aMoment(150);
  const again = await SlimePlayer.login(c, "ann");
  expect(again.place).toEqual(second);
  expect((await first.socket.closes()).reason).toMatch(/world-close/);
  const [owner] = [b, c].flatMap((each) => [...(each?.owned.values() ?? [])]);
  expect(owner?.played.world.rooms().get("1")).toBe(1);
  expect(c?.stats().disconnects).toEqual({});
});

/** A client of Slime Online 2, dialect v0106, that writes and reads bytes of its own. */
class SlimePlayer {
  readonly socket: WebClient;
  /** Where the server has placed it. */
  readonly place: { readonly x: number; readonly y: number };

  private constructor(socket: WebClient, place: SlimePlayer["place"]) {
    this.socket = socket;
    this.place = place;
  }

  static async login(server: RunningServer | undefined, name: string): Promise<SlimePlayer> {
    const socket = await WebClient.to(server?.httpAddress, "/ws/slime-online-2");
    socket.sendText(`\x0a\0${["0.106", name, "secret", "00"].join("\0")}\0`);
    const find = (): Buffer | undefined => socket.messages.find((each) => each[0] === 10 && each[2] === 1);
    await until("a login was answered", () => find() !== undefined);
    // Type, result, id and time; the message of the day; day, hour and minute; the name.
    const answer = find() ?? Buffer.alloc(0);
    const at = answer.indexOf(0, answer.indexOf(0, 9) + 4) + 1;
    return new SlimePlayer(socket, { x: answer.readUInt16LE(at), y: answer.readUInt16LE(at + 2) });
  }

  move(key: number, { x, y }: SlimePlayer["place"]): void {
    const bytes = Buffer.from([2, 0, key, 0, 0, 0, 0]);
    bytes.writeUInt16LE(x, 3);
    bytes.writeUInt16LE(y, 5);
    this.socket.socket.send(bytes);
  }
}

test("a gateway whose process is killed: its players leave before it is silent for 4 s", async () => {
  const hub = hubOfTest();
  const owner = await node(hub, "owner", ["owner"]);
  await expect.poll(() => owner.owned.size).toBe(1);
  const membership = { cluster: hub.join("b"), roles: ["gateway"] as const, onDrain: () => {} };
  const b = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }], cluster: membership });
  servers.push(b);
  const ann = await WebClient.to(b.httpAddress, "/ws/fake?account=ann");
  await ann.receives("W1");
  // As kill -9 does: nothing of it is heard.
  await membership.cluster.close();
  const rooms = () => owner.owned.get("fake")?.played.world.rooms().get("1");
  await expect.poll(rooms).toBe(undefined);
  expect(owner.owned.get("fake")?.measures.absentGateways).toBe(1);
});

test("what no node would send is refused, counted, and stops nobody", async () => {
  const hub = hubOfTest();
  const a = await node(hub, "a", ["gateway", "owner"]);
  await expect.poll(() => a.owned.size).toBe(1);
  const ann = await WebClient.to(a.httpAddress, "/ws/fake?account=ann");
  await ann.receives("W1");
  const stranger = hub.join("stranger");
  const huge = new Uint8Array(37);
  // A head of one part whose epoch leaves no room for any after it.
  const view = new DataView(huge.buffer);
  view.setUint8(0, 1);
  view.setUint16(3, 1);
  view.setFloat64(5, 2 ** 52);
  for (const bytes of [new Uint8Array(0), new Uint8Array(100).fill(0xff), huge]) {
    for (const subject of ["in", "out", "taken", "history"]) stranger.publish(`${subject}.fake`, bytes);
  }
  const bob = await WebClient.to(a.httpAddress, "/ws/fake?account=bob");
  await bob.receives("W2");
  ann.sendText("shere");
  await bob.receives("S1:here");
  const text = await at(a, "/metrics");
  // Batches and questions of owners; calls of gateways.
  expect(text).toContain('\nwirewalk_cluster_refused_total{world="fake",role="gateway"} 6\n');
  expect(text).toContain('\nwirewalk_cluster_refused_total{world="fake",role="owner"} 3\n');
});

test("a gateway that learned its first batch before any batch came has seen no other world", async () => {
  const hub = hubOfTest();
  const owner = hub.join("owner");
  const { owner: asked, output } = worldSubjects("fake");
  owner.subscribe(asked, (message) =>
    message.reply(new TextEncoder().encode(JSON.stringify({ epoch: 3, node: "owner", batch: 8, from: 7, oldest: 1 }))),
  );
  const world = new RemoteWorld({
    cluster: hub.join("g"),
    clock: systemClock,
    name: "fake",
    codec: fakeProtocol.codec("plain"),
    admission: undefined,
    capacity: 10,
    run: 1,
    hasSessions: true,
    takesBatches: true,
  });
  world.join(1, { account: "ann", name: "ann" });
  world.tick();
  // What it says to the owner is sent when it knows the first batch.
  await new Promise<void>((resolve) => void owner.subscribe("in.fake", () => resolve()));
  const join = { nowMs: 1, from: { gateway: "g", run: 1, first: 1 }, calls: [{ call: "nothing" } as const] };
  for (const batch of [7, 8]) {
    const log = batch === 7 ? [join] : [];
    // The epoch began with the world: its base is before all of them.
    for (const bytes of encodeBatch({ epoch: 3, batch, base: 0, wallMs: 0, log, effects: [] }))
      owner.publish(output, bytes);
  }
  await expect.poll(() => world.waiting).toBe(0);
  expect([world.counts.diverged, world.takeEffects()]).toEqual([0, []]);
  world.end();
});

test("a node that joins gets worlds of one that has all of them, and its players play on", async () => {
  const hub = hubOfTest();
  const log = pino({ level: "silent" });
  const join = async (
    name: string,
  ): Promise<{ readonly node: ClusterNode; readonly worlds: readonly RemoteWorld[] }> => {
    const cluster = hub.join(name);
    const roles = ["gateway", "owner"] as const;
    const each = new ClusterNode({ cluster, clock: systemClock, epochNow: Date.now, roles, log, rebalanceMs: 40 });
    await each.takeIds();
    const createWorld = () => fakeProtocol.createWorld({ dialect: "plain", seed: 1 });
    const worlds = ["one", "two", "three", "four"].map((world) =>
      each.add({ name: world, protocol: fakeProtocol, dialect: "plain", createWorld }),
    );
    each.start(() => {});
    return { node: each, worlds };
  };
  const a = await join("a");
  await expect.poll(() => a.node.owners.size).toBe(4);
  for (const world of a.worlds) world.join(1, { account: "ann", name: "ann" });
  const inRooms = (each: typeof a) => [...each.node.owners.values()].map(({ played }) => played.world.rooms().get("1"));
  await expect.poll(() => inRooms(a)).toEqual([1, 1, 1, 1]);
  const b = await join("b");
  try {
    // How many depends on what the worlds have cost.
    await expect.poll(() => b.node.owners.size).toBeGreaterThan(0);
    await expect.poll(() => [a, b].flatMap(inRooms)).toEqual([1, 1, 1, 1]);
    expect(a.node.owners.size).toBeGreaterThan(0);
    expect([a.node.rebalances > 0, b.node.failovers]).toEqual([true, 0]);
    // Nobody was disconnected.
    expect(a.worlds.map(({ counts }) => counts.diverged)).toEqual([0, 0, 0, 0]);
  } finally {
    await Promise.all([a.node.close(), b.node.close()]);
  }
});

test("a node records no carried bytes", async () => {
  const cluster = { cluster: hubOfTest().join("a"), roles: ["gateway"] as const, onDrain: () => {} };
  const recordings = { folder: "never-made", carried: true };
  const starting = startServer({ listeners: [{ protocol: fakeProtocol }], cluster, recordings });
  await expect(starting).rejects.toThrow("A node of a cluster records no carried bytes");
});
