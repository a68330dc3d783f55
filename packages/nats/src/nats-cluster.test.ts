import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cluster, Lease } from "wirewalk/net";
import { describeCluster } from "../../wirewalk/src/net/testing/cluster-suite.ts";
import { findNatsServer, natsCluster, type RunningNats, startNatsServer } from "./index.ts";
import { startQuietNats } from "./testing/quiet-nats.ts";

const program = findNatsServer();

// Debian's package `nats-server`; `.ci/run` installs it.
describe.skipIf(program === undefined)("NATS", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-nats-"));
  let nats: RunningNats;
  let prefixes = 0;
  const opened: Cluster[] = [];
  // Leases and calls last longer than a busy machine stands still, except where a test waits for their end.
  const patient = { leaseMs: 60_000, callMs: 10_000 };
  const join_ = async (name: string, options: { prefix?: string; callMs?: number } = {}): Promise<Cluster> => {
    const cluster = await natsCluster({ url: nats.url, name, ...patient, ...options });
    opened.push(cluster);
    return cluster;
  };
  const server = { program: program ?? "", folder };

  beforeAll(async () => {
    nats = await startQuietNats(server);
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
    await nats.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describeCluster("a cluster over NATS", async (leaseMs) => {
    prefixes += 1;
    const options = { ...patient, url: nats.url, prefix: `suite${prefixes}`, leaseMs };
    return { join: (name) => natsCluster({ ...options, name }), close: async () => {} };
  });

  test("a broker that is started again: leases and subscriptions go on, and no epoch falls", async () => {
    const [a, b] = [await join_("a", { prefix: "again" }), await join_("b", { prefix: "again" })];
    const got: string[] = [];
    b.subscribe("one", ({ bytes }) => void got.push(new TextDecoder().decode(bytes)));
    a.raiseFloor("world", 100);
    const lease = (await a.claim("world")) as Lease;
    await a.putSnapshot("world", { epoch: lease.epoch, bytes: new Uint8Array(10) });
    expect(lease.epoch).toBe(101);
    const port = Number(new URL(nats.url).port);
    await nats.stop();
    await expect.poll(() => a.isConnected || b.isConnected).toBe(false);
    await expect(a.renew(lease)).rejects.toThrow(/The broker is lost/);
    // Nothing of this is sent later: it would be old.
    a.publish("one", new TextEncoder().encode("stale"));
    nats = await startNatsServer({ ...server, port });
    await expect.poll(() => a.isConnected && b.isConnected).toBe(true);
    expect(await b.getSnapshot("world")).toBeUndefined();
    expect(await a.renew(lease)).toBe(true);
    expect(await b.leases()).toEqual([lease]);
    expect(await b.claim("world")).toBeUndefined();
    const second = await b.claim("world", lease);
    expect(second?.epoch).toBeGreaterThan(lease.epoch);
    expect(await a.renew(lease)).toBe(false);
    await a.putSnapshot("world", { epoch: lease.epoch, bytes: new Uint8Array(11) });
    expect((await b.getSnapshot("world"))?.bytes.length).toBe(11);
    const heard = (): number => {
      a.publish("one", new TextEncoder().encode("new"));
      return got.length;
    };
    await expect.poll(heard).toBeGreaterThan(0);
    expect(new Set(got)).toEqual(new Set(["new"]));
  });

  test("a broker that stands still: calls fail in time, and work when it goes on", async () => {
    const a = await join_("a", { prefix: "still", callMs: 1_000 });
    const lease = (await a.claim("world")) as Lease;
    process.kill(nats.pid, "SIGSTOP");
    try {
      // A signal takes a moment.
      const problem = (): Promise<string> => a.renew(lease).then(() => "", String);
      await expect.poll(problem).toMatch(/Cannot renew world|The broker is lost/);
    } finally {
      process.kill(nats.pid, "SIGCONT");
    }
    await expect.poll(() => a.renew(lease).catch(() => false)).toBe(true);
  });

  test("what no member wrote is no lease, no snapshot and no member", async () => {
    const [a, b] = [await join_("a", { prefix: "odd" }), await join_("b", { prefix: "odd" })];
    const { connect } = await import("@nats-io/transport-node");
    const { Kvm } = await import("@nats-io/kv");
    const stranger = await connect({ servers: new URL(nats.url).host });
    try {
      const [leases, snapshots] = [
        await new Kvm(stranger).open("odd-leases"),
        await new Kvm(stranger).open("odd-snapshots"),
      ];
      for (const [index, text] of ["", "null", "[]", "{", '{"owner":1}', '{"owner":"x","epoch":-1}'].entries()) {
        await leases.put(`l${index}`, text);
        await snapshots.put(`s${index}.head`, text);
        stranger.publish("odd.members", text);
      }
      await snapshots.put("s.head", '{"epoch":1,"turn":0,"bytes":9007199254740991,"crc":0}');
      await snapshots.put("t.head", '{"epoch":1,"turn":0,"bytes":3,"crc":0}');
      stranger.publish("odd.s.echo", new Uint8Array(1_000_000));
      await stranger.flush();
      for (const name of ["s0", "s1", "s2", "s3", "s4", "s", "t"]) expect(await a.getSnapshot(name)).toBeUndefined();
      expect(await b.leases()).toEqual([]);
      expect(a.members().map(({ name }) => name)).toEqual(["a", "b"]);
    } finally {
      await stranger.close();
    }
  });
});
