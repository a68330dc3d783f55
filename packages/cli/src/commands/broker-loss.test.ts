import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer, natsCluster, type RunningNats, startNatsServer } from "@wirewalk/nats";
import { type RunningServer, startServer } from "@wirewalk/server";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type Cluster, memoryStore, type Store } from "wirewalk/net";
import { memoryFiles, type WorldMaps } from "wirewalk/protocol";
import { startQuietNats } from "../../../nats/src/testing/quiet-nats.ts";
import { WebClient } from "../../../server/src/testing/clients.ts";
import { pacedClock } from "../../../server/src/testing/paced-clock.ts";
import { fakeMapReading } from "../../../wirewalk/src/protocols/testing/fake-maps.ts";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";

const program = findNatsServer();

/** A connection to the broker that can be cut. */
class Line {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async to(port: number): Promise<Line> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const line = new Line(server);
    server.on("connection", (near) => {
      const far = connect(port, "127.0.0.1");
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        line.#sockets.add(from);
        from.on("error", () => {});
        from.on("close", () => to.destroy());
        from.pipe(to);
      }
    });
    return line;
  }

  cut(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#server.listen(this.port, "127.0.0.1");
  }
}

// Debian's package `nats-server`; `.ci/run` installs it.
describe.skipIf(program === undefined)("nodes and their broker, which may be lost", () => {
  const folders: string[] = [];
  let nats: RunningNats;
  let servers: RunningServer[] = [];
  const clusters: Cluster[] = [];
  const lines: Line[] = [];

  // A lease outlasts a stall of the machine, and passes in 1.2 s.
  const LEASE_MS = 12_000;
  const { clock, stop } = pacedClock(10);
  afterAll(stop);

  /** A broker that knows nothing of any before it. */
  const startBroker = async (port?: number): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), "wirewalk-broker-"));
    folders.push(folder);
    const server = { program: program ?? "", folder };
    nats = await (port === undefined ? startQuietNats(server) : startNatsServer({ ...server, port }));
  };
  const startNode = async (name: string, store: Store, url = nats.url, maps?: WorldMaps): Promise<RunningServer> => {
    const cluster = await natsCluster({ url, name, leaseMs: LEASE_MS, callMs: 10_000 });
    clusters.push(cluster);
    const membership = { cluster, roles: ["gateway", "owner"] as const, onDrain: () => {} };
    const server = await startServer({
      http: 0,
      listeners: [{ protocol: fakeProtocol, ...(maps && { maps }) }],
      cluster: membership,
      clock,
      store,
    });
    servers.push(server);
    return server;
  };
  const epochOf = (server: RunningServer): number => server.owned.get("fake")?.lease.epoch ?? 0;
  const closeNodes = async (): Promise<void> => {
    for (const server of servers) await server.close({ graceMs: 0 });
    servers = [];
  };

  afterEach(async () => {
    await closeNodes();
    for (const line of lines.splice(0)) line.cut();
    await nats.stop();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  test("all nodes and the broker are started again: the epoch goes on from that in the store", async () => {
    await startBroker();
    const store = memoryStore();
    store.put("epochs", "world.fake", { epoch: 41 });
    const first = await startNode("a", store);
    await expect.poll(() => epochOf(first)).toBe(42);
    await closeNodes();
    await nats.stop();
    await startBroker();
    const second = await startNode("a", store);
    await expect.poll(() => epochOf(second)).toBe(43);
    expect(store.get("epochs", "world.fake")).toEqual({ epoch: 43 });
  });

  test("a node with other maps does not join over the broker, and names the node whose maps are not its own", async () => {
    await startBroker();
    const maps = (width: number): WorldMaps =>
      fakeMapReading.load(memoryFiles("rooms", new Map([["1.room", new TextEncoder().encode(`width ${width}`)]])));
    const first = await startNode("a", memoryStore(), nats.url, maps(20));
    await expect.poll(() => epochOf(first)).toBeGreaterThan(0);
    const refusal = /^Cannot join the cluster: world fake has .+ here and maps [\da-f]{16} \(1 places\) at node a: /;
    await expect(startNode("b", memoryStore(), nats.url, maps(21))).rejects.toThrow(refusal);
    await expect(startNode("c", memoryStore())).rejects.toThrow("world fake has no maps here");
    const like = await startNode("d", memoryStore(), nats.url, maps(20));
    expect(like.owned.size).toBe(0);
  });

  test("an owner that alone is cut off gives its world up, and no player sees two epochs", async () => {
    await startBroker();
    const store = memoryStore();
    const line = await Line.to(Number(new URL(nats.url).port));
    lines.push(line);
    const owner = await startNode("a", store, `nats://127.0.0.1:${line.port}`);
    await expect.poll(() => epochOf(owner), { timeout: 5_000 }).toBeGreaterThan(0);
    const other = await startNode("b", store);
    const ann = await WebClient.to(owner.httpAddress, "/ws/fake?account=ann");
    await ann.receives("W1");
    const bob = await WebClient.to(other.httpAddress, "/ws/fake?account=bob");
    await bob.receives("W4370");
    ann.sendText("shello");
    await bob.receives("S1:hello");
    const epoch = epochOf(owner);

    line.cut();
    // The owner carries these out, but no other node receives its batches.
    const speaking = setInterval(() => ann.sendText("salone"), 5);
    await expect.poll(() => epochOf(other), { timeout: 10_000 }).toBeGreaterThan(epoch);
    // Players of the old owner receive nothing of the new one: their sessions end.
    bob.sendText("snew");
    expect((await ann.closes()).reason).toContain("world-close");
    clearInterval(speaking);
    expect(owner.owned.size).toBe(0);
    expect(ann.texts.filter((text) => text.includes("new"))).toEqual([]);
    const refused = await WebClient.to(owner.httpAddress, "/ws/fake?account=cat");
    await refused.closes();

    line.mend();
    // Refused until batches come.
    let again = refused;
    await expect
      .poll(
        async () => {
          if (again.closed !== undefined) again = await WebClient.to(owner.httpAddress, "/ws/fake?account=ann");
          return again.texts.some((text) => text.startsWith("W"));
        },
        { timeout: 10_000 },
      )
      .toBe(true);
    again.sendText("sback");
    await expect.poll(() => bob.texts.some((text) => /^S\d+:back$/.test(text)), { timeout: 10_000 }).toBe(true);
    expect(other.stats().disconnects).toEqual({});
    expect(other.owned.get("fake")?.played.world.rooms().get("1")).toBe(2);
  });

  test("without a broker a world goes on for the players at its owner's node; with an empty one for all again", async () => {
    await startBroker();
    const store = memoryStore();
    const owner = await startNode("a", store);
    await expect.poll(() => epochOf(owner)).toBeGreaterThan(0);
    const other = await startNode("b", store);
    const ann = await WebClient.to(owner.httpAddress, "/ws/fake?account=ann");
    await ann.receives("W1");
    const bob = await WebClient.to(other.httpAddress, "/ws/fake?account=bob");
    await bob.receives("W4370");
    const epoch = epochOf(owner);

    const port = Number(new URL(nats.url).port);
    await nats.stop();
    await expect.poll(() => clusters.some(({ isConnected }) => isConnected)).toBe(false);
    // Longer than the lease, which nobody can renew.
    const dan = await WebClient.to(owner.httpAddress, "/ws/fake?account=dan");
    await dan.receives("W2");
    bob.sendText("slate");
    const untilMs = clock.now() + 1.2 * LEASE_MS;
    for (let n = 0; clock.now() < untilMs; n += 1) {
      ann.sendText(`s${n}`);
      await dan.receives(`S1:${n}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(epochOf(owner)).toBe(epoch);

    await startBroker(port);
    // What the other gateway's player sent waits, and is carried out.
    await ann.receives("S4370:late");
    ann.sendText("shere");
    await bob.receives("S1:here");
    expect([epochOf(owner), other.owned.size]).toEqual([epoch, 0]);
    expect([owner.stats().disconnects, other.stats().disconnects]).toEqual([{}, {}]);
  });
});
