import { pino } from "pino";
import { expect, test } from "vitest";
import { clusterHub, VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { ClusterNode, type ClusterRole } from "./cluster-node.ts";
import { PlayedWorld } from "./played-world.ts";
import { WorldOwner } from "./world-owner.ts";

const EPOCH_MS = 1_700_000_000_000;
const log = pino({ level: "silent" });

test("a world that stood still before it was saved goes on where it stood, at the wall clock of then", async () => {
  const clock = new VirtualClock();
  const cluster = clusterHub({ clock, leaseMs: 60_000 }).join("a");
  const createPlayed = (): PlayedWorld =>
    new PlayedWorld(fakeProtocol.createWorld({ dialect: "plain", seed: 1 }), fakeProtocol.codec("plain"));
  const lease = await cluster.claim("fake");
  if (lease === undefined) throw new Error("the lease is free");
  const played = createPlayed();
  const owner = await WorldOwner.begin(lease, {
    cluster,
    clock,
    epochNow: () => EPOCH_MS + clock.now(),
    name: "fake",
    played,
    log,
    seenEpoch: () => 0,
    ended: () => {},
  });
  clock.advanceBy(10 * played.world.tickMs);
  const lastMs = clock.now();
  // Less than a tick, as when its next owner does not answer in time.
  clock.advanceBy(played.world.tickMs / 2);
  expect(await owner.handOver()).toBe("saved");
  const snapshot = await cluster.getSnapshot("fake");
  const place = createPlayed().restore(snapshot?.bytes ?? new Uint8Array());
  expect(place).toMatchObject({ isFinal: true, nowMs: played.nowMs, wallMs: EPOCH_MS + lastMs });
});

test("the clock of a world is right again after its owner was killed: what is played again does not count twice", async () => {
  const clock = new VirtualClock();
  const hub = clusterHub({ clock, leaseMs: 2_000 });
  const start = async (name: string, role: ClusterRole) => {
    const cluster = hub.join(name);
    const node = new ClusterNode({ cluster, clock, epochNow: () => EPOCH_MS + clock.now(), roles: [role], log });
    if (role === "gateway") await node.takeIds();
    const createWorld = () => fakeProtocol.createWorld({ dialect: "plain", seed: 1 });
    const world = node.add({ name: "fake", protocol: fakeProtocol, dialect: "plain", createWorld });
    node.start(() => {});
    return { cluster, node, world };
  };
  /** In steps, between which messages arrive. */
  const advanceUntil = async (isDone: () => boolean): Promise<void> => {
    for (let step = 0; step < 2_000 && !isDone(); step += 1) {
      clock.advanceBy(10);
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    expect(isDone()).toBe(true);
  };
  const a = await start("a", "owner");
  await advanceUntil(() => a.node.owners.size === 1);
  const b = await start("b", "owner");
  const g = await start("g", "gateway");
  g.world.join(1, { account: "ann", name: "ann" });
  const ownerA = a.node.owners.get("fake");
  await advanceUntil(() => (ownerA?.nextBatch ?? 0) > 40);
  // Its last snapshot is a while ago.
  const since = (): number => clock.now() - (ownerA?.measures.snapshotAtMs ?? 0);
  await advanceUntil(() => since() > 300);
  const ahead = ownerA === undefined ? 0 : ownerA.played.nowMs - clock.now();
  await a.cluster.close();
  await advanceUntil(() => b.node.owners.size === 1);
  const ownerB = b.node.owners.get("fake");
  await advanceUntil(() => (ownerB?.measures.replayedCalls ?? 0) > 0);
  const tickMs = ownerB?.played.world.tickMs ?? 0;
  const next = ownerB?.nextBatch ?? 0;
  await advanceUntil(() => (ownerB?.nextBatch ?? 0) > next + 5);
  expect(Math.abs((ownerB?.played.nowMs ?? 0) - clock.now() - ahead)).toBeLessThanOrEqual(tickMs);
  for (const { node } of [b, g]) await node.close();
});
