import { afterEach, expect, test } from "vitest";
import { type ClusterHub, clusterHub } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type ClusterRole, drainSubject, type RunningServer, startServer } from "../index.ts";
import { WebClient } from "../testing/clients.ts";

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close({ graceMs: 0 });
});

async function node(
  hub: ClusterHub,
  name: string,
  roles: readonly ClusterRole[],
  onDrain = () => {},
): Promise<RunningServer> {
  const cluster = { cluster: hub.join(name), roles, onDrain };
  const server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }], cluster });
  servers.push(server);
  return server;
}

const at = (server: RunningServer, path: string): Promise<string> =>
  fetch(`http://127.0.0.1:${server.httpAddress?.port}${path}`).then((response) => response.text());

test("players of two gateways are in one world, and stay connected when its owner hands it over", async () => {
  const hub = clusterHub({ leaseMs: 1_000 });
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
  expect(await at(b, "/metrics")).toMatch(/\nwirewalk_cluster_snapshot_bytes\{world="fake"\} [1-9]/);
});

test("a gateway that ends: its players leave the world, and their ids are free", async () => {
  const hub = clusterHub({ leaseMs: 1_000 });
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
  const hub = clusterHub();
  let asked = 0;
  await node(hub, "a", ["gateway", "owner"], () => {
    asked += 1;
  });
  const other = hub.join("other");
  await other.request(drainSubject("a"), new Uint8Array(0), 1_000);
  expect(asked).toBe(1);
  await expect(other.request(drainSubject("b"), new Uint8Array(0), 1_000)).rejects.toThrow(/No member/);
  const alone = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }] });
  servers.push(alone);
  expect(alone.owned.size).toBe(0);
});
