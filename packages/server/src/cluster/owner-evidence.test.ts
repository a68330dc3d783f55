import { openRecording, replayRecording } from "@wirewalk/recording";
import { nodeDecompress } from "@wirewalk/recording/node";
import { afterEach, expect, test } from "vitest";
import type { Verdict } from "wirewalk/motion";
import { clusterHub, memoryStore, VirtualClock } from "wirewalk/net";
import { protocols } from "wirewalk/protocols";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { type Ban, Bans } from "../bans/bans.ts";
import { type ClusterRole, type RunningServer, startServer } from "../index.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import { aMoment, WebClient } from "../testing/clients.ts";
import type { HostedWorld } from "../worlds/hosted-world.ts";
import { evidenceRequestOf, OwnerEvidence } from "./owner-evidence.ts";

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close({ graceMs: 0 });
});

test("a ban at a gateway carries what the owner of the world has recorded", async () => {
  const hub = clusterHub({ leaseMs: 60_000 });
  const store = memoryStore();
  const node = async (name: string, roles: readonly ClusterRole[]): Promise<RunningServer> => {
    const server = await startServer({
      http: 0,
      listeners: [{ protocol: slimeOnline2, dialect: "documented" }],
      cluster: { cluster: hub.join(name), roles, onDrain: () => {} },
      store,
      evidence: roles.includes("owner"),
      banLoopback: true,
    });
    servers.push(server);
    return server;
  };
  const owner = await node("owner", ["owner"]);
  await expect.poll(() => owner.owned.size, { timeout: 10_000 }).toBe(1);
  const gateway = await node("gateway", ["gateway"]);
  const cheat = await WebClient.to(gateway.httpAddress, "/ws/slime-online-2?account=mallory&room=1");
  let moves = 0;
  // Right is pressed and released, 3,000 px apart.
  const timer = setInterval(() => {
    moves += 1;
    const x = moves % 2 === 0 ? 3_000 : 0;
    cheat.socket.send(Uint8Array.of(0, 8, moves % 2 === 0 ? 6 : 2, x & 255, x >> 8, 160, 0));
  }, 60);
  expect((await cheat.closes()).reason).toContain("banned");
  clearInterval(timer);
  const [ban] = gateway.bans.list();
  if (ban === undefined) throw new Error("nobody was banned");
  const kept = (): Uint8Array | undefined => new Bans(store).recording("slime-online-2", ban.key);
  await expect.poll(kept, { timeout: 15_000 }).toBeDefined();
  const recording = openRecording(kept() ?? new Uint8Array(0), { decompress: nodeDecompress });
  const { differenceCount, ticks, world } = replayRecording(recording, { protocols });
  expect([differenceCount, ticks > 0, world.owner?.node]).toEqual([0, true, "owner"]);
});

test("an owner that is gone, or does not know the ban yet, is asked again", async () => {
  const hub = clusterHub();
  const clock = new VirtualClock();
  const lines: string[] = [];
  const log = { warn: (_: object, text: string) => void lines.push(text) } as unknown as LogBudget;
  const evidence = new OwnerEvidence({ cluster: hub.join("gateway"), clock, log });
  const asked: string[] = [];
  const world = { name: "one" } as HostedWorld;
  const ban = { protocol: "game", key: "login:ann" } as unknown as Ban;
  const verdict = { atMs: 5 } as Verdict;
  evidence.banned(world, ban, {
    effect: "ban",
    player: 7,
    account: "",
    reason: "",
    durationMs: 1,
    evidence: [verdict],
  });
  const settle = async (ms: number): Promise<void> => {
    clock.advanceBy(ms);
    await aMoment(1);
  };
  // Nobody owns the world.
  await settle(3_000);
  const answers = ["unknown-ban", "kept"];
  hub.join("owner").subscribe("owner.one", ({ bytes, reply }) => {
    asked.push(new TextDecoder().decode(bytes));
    reply(new TextEncoder().encode(JSON.stringify({ evidence: answers[asked.length - 1] })));
  });
  for (let second = 0; second < 9; second += 1) await settle(1_000);
  expect(asked).toEqual(Array(2).fill('{"evidence":{"key":"login:ann","player":7,"atMs":5}}'));
  expect(lines).toEqual([]);
  await evidence.close();
});

test("what is no request for evidence is refused", () => {
  const request = { key: "login:ann", player: 7, atMs: 12.5 };
  expect(evidenceRequestOf(request)).toEqual(request);
  expect(evidenceRequestOf({ key: "login:ann", player: 7 })).toEqual({ key: "login:ann", player: 7 });
  for (const wrong of [
    { key: "ann" },
    { key: 7 },
    { player: 0 },
    { player: 65_536 },
    { atMs: "12" },
    { atMs: Number.NaN },
  ]) {
    expect(evidenceRequestOf({ ...request, ...wrong })).toBeUndefined();
  }
  expect(evidenceRequestOf(undefined)).toBeUndefined();
});
