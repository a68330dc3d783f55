import { type Logger, pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { type Clock, type Cluster, clusterHub, systemClock, VirtualClock } from "wirewalk/net";
import { type MapReading, memoryFiles, type World, type WorldMaps } from "wirewalk/protocol";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { mapsDifference, saidMaps } from "./cluster-maps.ts";
import { ClusterNode } from "./cluster-node.ts";

/** Longer than any test waits. */
const LEASE_MS = 60_000;

const running: ClusterNode[] = [];
afterEach(async () => {
  for (const node of running.splice(0)) await node.close();
});

function roomsOf(widths: Readonly<Record<string, number>>): WorldMaps {
  const files = Object.entries(widths).map(([room, width]) => {
    return [`${room}.room`, new TextEncoder().encode(`width ${width}`)] as const;
  });
  return (fakeProtocol.capabilities.maps as MapReading).load(memoryFiles("rooms", new Map(files)));
}

interface Made {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly maps?: WorldMaps;
  readonly create?: () => World;
}

const plainWorld = (): World => fakeProtocol.createWorld({ dialect: "plain", seed: 1 });

function nodeOf(cluster: Cluster, { clock = systemClock, log, maps, create = plainWorld }: Made): ClusterNode {
  const silent = pino({ level: "silent" });
  const node = new ClusterNode({ cluster, clock, epochNow: () => 0, roles: ["owner"], log: log ?? silent });
  node.add({ name: "fake", protocol: fakeProtocol, dialect: "plain", createWorld: create, maps });
  running.push(node);
  return node;
}

test("a node whose maps are not those of the others does not join, and says both", () => {
  const hub = clusterHub({ leaseMs: LEASE_MS });
  const [town, other] = [roomsOf({ 1: 20, 2: 30 }), roomsOf({ 1: 20, 2: 31 })];
  nodeOf(hub.join("a"), { maps: town }).start(() => {});
  nodeOf(hub.join("b"), { maps: roomsOf({ 1: 20, 2: 30 }) }).start(() => {});
  const [here, there] = [saidMaps(other).digest, saidMaps(town).digest];
  expect(() => nodeOf(hub.join("c"), { maps: other }).start(() => {})).toThrow(
    `Cannot join the cluster: world fake has maps ${here} (2 places) here and maps ${there} (2 places) at node a: all nodes need the same`,
  );
  expect(() => nodeOf(hub.join("d"), {}).start(() => {})).toThrow(
    `world fake has no maps here and maps ${there} (2 places) at node a`,
  );
});

test("nodes with other maps that join at the same time name each other once, and are no candidates for each other", () => {
  const hub = clusterHub({ leaseMs: LEASE_MS });
  const clock = new VirtualClock();
  const lines: { readonly node: string; readonly level: number }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  // Its start is before that of the other is seen.
  const unseen: Cluster = hub.join("a");
  const late = nodeOf(unseen, { clock, log, maps: roomsOf({ 1: 20 }) });
  late.start(() => {});
  const info = { maps: { fake: saidMaps(roomsOf({ 1: 21 })) }, isOwner: true, load: 0 };
  hub.join("b").setInfo(info);
  clock.advanceBy(3_000);
  expect(lines.filter(({ level }) => level >= 50)).toMatchObject([{ node: "b" }]);
});

test("a set is said by all of its names and what rules use of some; another node may say anything", () => {
  const many = (width: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: 100 }, (_, room) => [String(room + 1), width]));
  const { digest, places } = saidMaps(roomsOf(many(20)));
  expect(places).toBe(100);
  expect(saidMaps(roomsOf(many(20))).digest).toBe(digest);
  expect(saidMaps(roomsOf(many(21))).digest).not.toBe(digest);
  expect(saidMaps(roomsOf({ ...many(20), 101: 20 })).digest).not.toBe(digest);
  const own = new Map([["fake", { digest, places }]]);
  for (const info of [
    {},
    { maps: null },
    { maps: 7 },
    { maps: { other: null } },
    { maps: { fake: { digest, places } } },
  ]) {
    expect(mapsDifference(own, { name: "x", info })).toBeUndefined();
  }
  for (const said of [null, 7, [], { digest: 5 }, { digest: "f".repeat(9_000), places: -1 }]) {
    const text = mapsDifference(own, { name: "x", info: { maps: { fake: said } } });
    expect(text).toContain(`world fake has maps ${digest} (100 places) here and`);
    expect(text?.length).toBeLessThan(200);
  }
});

test("a node that cannot go on with a world leaves it to another", async () => {
  const hub = clusterHub({ leaseMs: LEASE_MS });
  const [a, b] = [hub.join("a"), hub.join("b")];
  const clock = new VirtualClock();
  const problems: { readonly err?: { readonly message: string } }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void problems.push(JSON.parse(line)) });
  const owner = nodeOf(a, { clock });
  const moving = setInterval(() => clock.advanceBy(20), 2);
  try {
    owner.start(() => {});
    await expect.poll(() => owner.owners.size).toBe(1);
    const unable = nodeOf(b, {
      clock,
      log,
      create: () =>
        Object.assign(plainWorld(), {
          restore: () => {
            throw new RangeError("Map 1 was 0a, rooms has 0b");
          },
        }),
    });
    unable.start(() => {});
    await owner.close();
    await expect.poll(() => problems.some(({ err }) => err?.message === "Map 1 was 0a, rooms has 0b")).toBe(true);
    const able = nodeOf(hub.join("c"), { clock });
    able.start(() => {});
    await expect.poll(() => able.owners.size).toBe(1);
    expect(unable.owners.size).toBe(0);
  } finally {
    clearInterval(moving);
  }
});
