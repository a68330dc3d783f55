import { encodeCbor } from "@wirewalk/recording";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { Host } from "wirewalk/host";
import { createRandom } from "wirewalk/motion";
import { type Cluster, clusterHub, systemClock } from "wirewalk/net";
import { defaultDialect, type PlayableProtocol, type WireMessage, type World } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { askOwner, recordBatches, replay } from "../testing/batches.ts";
import { ClusterNode } from "./cluster-node.ts";
import type { RemoteWorld } from "./remote-world.ts";

// Longer than a busy machine stands still: nothing here waits for it.
const LEASE_MS = 60_000;
const log = pino({ level: "silent" });

/** A node without sockets: its gateway's host is played by bots. */
interface TestNode {
  readonly name: string;
  readonly node: ClusterNode;
  readonly cluster: Cluster;
  readonly remote: RemoteWorld;
  readonly host: Host;
  readonly closed: string[];
  received: number;
  stop(): void;
}

const running: TestNode[] = [];
afterEach(async () => {
  for (const { node, stop } of running.splice(0)) {
    stop();
    await node.close();
  }
});

function worldOf(protocol: PlayableProtocol, dialect: string): World {
  return protocol.createWorld({ dialect, seed: 7, demo: true });
}

async function startNode(cluster: Cluster, protocol: PlayableProtocol, dialect: string): Promise<TestNode> {
  cluster.setInfo({ isGateway: true });
  const node = new ClusterNode({ cluster, clock: systemClock, epochNow: Date.now, roles: ["gateway", "owner"], log });
  const ids = await node.takeIds();
  const createWorld = (): World => worldOf(protocol, dialect);
  const remote = node.add({ name: protocol.name, protocol, dialect, createWorld });
  const closed: string[] = [];
  const host = new Host<WireMessage, WireMessage>({
    world: remote,
    codec: remote.codec,
    ids,
    events: { close: (player, reason) => void closed.push(`${player} ${reason}`) },
  });
  remote.onEffects(() => host.tick(systemClock.now()));
  const cancel = systemClock.every(20, () => {
    host.tick(systemClock.now());
    host.flush();
  });
  node.start(() => {});
  const each: TestNode = { name: cluster.name, node, cluster, remote, host, closed, received: 0, stop: cancel };
  running.push(each);
  return each;
}

/** Bots of a node play until the result is called. */
function play(each: TestNode, protocol: PlayableProtocol, dialect: string, count: number): () => void {
  const codec = protocol.codec(dialect);
  const random = createRandom(each.name.charCodeAt(0));
  const stops = Array.from({ length: count }, (_, number) => {
    const [room] = protocol.bots.rooms ?? [];
    const place = room === undefined ? {} : { room };
    const bot = protocol.bots.create({ dialect, random: random.fork(), number, cheat: "none", ...place });
    const recipient = {
      framing: { frame: (payload: Uint8Array) => payload },
      deliver: () => {
        each.received += 1;
        return true;
      },
    };
    const name = `bot ${each.name}${number}`;
    const asked = room === undefined ? {} : { room: String(room) };
    const player = each.host.join(recipient, { account: name, name, ...asked }, systemClock.now());
    const send = (messages: readonly WireMessage[]): void => {
      for (const message of messages) {
        const payload = codec.write("client", message);
        each.host.receive(player, codec.read("client", payload), payload, systemClock.now());
      }
    };
    send(bot.start(systemClock.now()));
    return systemClock.every(Math.min(bot.stepMs, 50), () => send(bot.step(systemClock.now())));
  });
  return () => {
    for (const stop of stops) stop();
  };
}

const ownerOf = (): TestNode | undefined => running.find(({ node }) => node.owners.size > 0);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(Object.values(protocols).map((protocol) => [protocol.name, protocol] as const))(
  "%s",
  (name, protocol) => {
    const dialect = defaultDialect(protocol);

    test("an owner that is killed: another goes on from what its gateways have seen, effect by effect", async () => {
      const hub = clusterHub({ leaseMs: LEASE_MS });
      const batches = recordBatches(hub.join("observer"), name);
      const a = await startNode(hub.join("a"), protocol, dialect);
      await expect.poll(() => ownerOf()?.name).toBe("a");
      const b = await startNode(hub.join("b"), protocol, dialect);
      const stops = [play(a, protocol, dialect, 2), play(b, protocol, dialect, 3)];
      await expect.poll(() => b.received).toBeGreaterThan(0);
      await sleep(150);
      const epoch = b.remote.epoch;
      // As kill -9 does: nothing of it is heard from here on.
      stops[0]?.();
      await a.cluster.close();
      await expect.poll(() => b.node.owners.size).toBe(1);
      await expect.poll(() => b.remote.epoch).toBeGreaterThan(epoch);
      await sleep(150);
      stops[1]?.();
      await expect.poll(() => b.remote.waiting).toBe(0);
      expect(b.closed).toEqual([]);
      expect(b.remote.counts).toMatchObject({ takeovers: 1, diverged: 0, dropped: 0 });

      const { digest, batch: next } = await askOwner(b.cluster, name);
      await expect.poll(() => batches.some(({ batch }) => batch === next)).toBe(true);
      // What both owners sent under one number is the same, and all of it is what the calls give in a world of one's own.
      const world = worldOf(protocol, dialect);
      const codec = protocol.codec(dialect);
      for (let number = 1; number < next; number += 1) {
        const same = batches.filter(({ batch }) => batch === number);
        const first = same[0];
        if (first === undefined) throw new Error(`batch ${number} was not sent`);
        const effects = encodeCbor(replay(world, codec, first.log));
        for (const each of same) {
          expect(Buffer.compare(encodeCbor(each.effects), effects)).toBe(0);
          expect(encodeCbor(each.log)).toEqual(encodeCbor(first.log));
        }
      }
      expect(world.digest().toString(16)).toBe(digest);
    });
  },
);
