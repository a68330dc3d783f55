import { pino } from "pino";
import { expect, test } from "vitest";
import { clusterHub, VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { PlayedWorld } from "./played-world.ts";
import { WorldOwner } from "./world-owner.ts";

const EPOCH_MS = 1_700_000_000_000;

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
    log: pino({ level: "silent" }),
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
