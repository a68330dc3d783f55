/** What holds when the owner of a world hands it over, whichever node ends at whichever step: run it over each cluster. */
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { type Cancel, type Cluster, type Lease, systemClock } from "wirewalk/net";
import type { Effect, World } from "wirewalk/protocol";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { ClusterNode, type ClusterRole } from "../cluster/cluster-node.ts";
import { decodeAsk } from "../cluster/hand-over.ts";
import type { RemoteWorld } from "../cluster/remote-world.ts";
import { askOwner, recordBatches, replay } from "./batches.ts";

export interface HandOverCluster {
  join(name: string): Promise<Cluster>;
  close(): Promise<void>;
}

/** Longer than a busy machine stands still: nothing here waits for one to lapse. */
export const LEASE_MS = 60_000;
const log = pino({ level: "silent" });
const codec = fakeProtocol.codec("plain");
const createWorld = (): World => fakeProtocol.createWorld({ dialect: "plain", seed: 1 });

/** What happens between two nodes, where a test may strike. */
type Step = "follow" | "follow answered" | "compare" | "compare answered" | "transfer" | "transferred" | "take";
type Strike = (step: Step) => Promise<void>;

interface Node {
  readonly cluster: Cluster;
  readonly node: ClusterNode;
  readonly world: RemoteWorld;
}

/** A member whose calls of a hand-over a test sees, before and after. */
function watched(cluster: Cluster, strike: Strike): Cluster {
  const calls: Partial<Cluster> = {
    async request(subject, bytes, timeoutMs) {
      const ask = subject.startsWith("next.") ? decodeAsk(bytes)?.ask : undefined;
      if (ask === undefined || ask === "take") return cluster.request(subject, bytes, timeoutMs);
      await strike(ask);
      const answer = await cluster.request(subject, bytes, timeoutMs);
      await strike(`${ask} answered`);
      return answer;
    },
    async transfer(lease: Lease, to: string) {
      await strike("transfer");
      const given = await cluster.transfer(lease, to);
      await strike("transferred");
      return given;
    },
    publish(subject, bytes) {
      if (subject.startsWith("next.")) void strike("take");
      cluster.publish(subject, bytes);
    },
  };
  return new Proxy(cluster, {
    get(target, key) {
      const value: unknown = calls[key as keyof Cluster] ?? target[key as keyof Cluster];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export function describeHandOver(name: string, open: () => Promise<HandOverCluster>): void {
  describe(name, () => {
    let cluster: HandOverCluster | undefined;
    const members: Cluster[] = [];
    const nodes: Node[] = [];
    const ticks: Cancel[] = [];
    afterEach(async () => {
      for (const { node } of nodes.splice(0)) await node.close();
      for (const cancel of ticks.splice(0)) cancel();
      for (const member of members.splice(0)) await member.close();
      await cluster?.close();
      cluster = undefined;
    });

    const join = async (member: string): Promise<Cluster> => {
      cluster ??= await open();
      const joined = await cluster.join(member);
      members.push(joined);
      return joined;
    };
    const start = async (member: Cluster, roles: readonly ClusterRole[], create = createWorld): Promise<Node> => {
      const node = new ClusterNode({ cluster: member, clock: systemClock, epochNow: Date.now, roles, log });
      if (roles.includes("gateway")) await node.takeIds();
      const world = node.add({ name: "fake", protocol: fakeProtocol, dialect: "plain", createWorld: create });
      node.start(() => {});
      const each = { cluster: member, node, world };
      nodes.push(each);
      // As its server does.
      ticks.push(systemClock.every(20, () => world.tick()));
      return each;
    };

    /** `a` owns the world, `b` and `c` may; a player at the gateway `g` says numbers without an end. */
    const play = async (
      strike: (step: Step, of: { a: Cluster; b: Cluster }) => Promise<void>,
      createAtB = createWorld,
    ) => {
      const order: string[] = [];
      const observer = await join("observer");
      const batches = recordBatches(observer, "fake", ({ epoch }) => {
        order.push(`batch of ${epoch}`);
      });
      const [memberA, memberB, memberC, memberG] = [await join("a"), await join("b"), await join("c"), await join("g")];
      const a = await start(
        watched(memberA, (step) => {
          order.push(step);
          return strike(step, { a: memberA, b: memberB });
        }),
        ["owner"],
      );
      await expect.poll(() => a.node.owners.size).toBe(1);
      const ordered = (member: Cluster): Cluster =>
        new Proxy(member, {
          get(target, key) {
            const value: unknown = target[key as keyof Cluster];
            if (key === "getSnapshot" || key === "claim") order.push(key);
            return typeof value === "function" ? value.bind(target) : value;
          },
        });
      const b = await start(ordered(memberB), ["owner"], createAtB);
      const c = await start(ordered(memberC), ["owner"]);
      const g = await start(memberG, ["gateway"]);
      const heard: string[] = [];
      const closed: Effect[] = [];
      g.world.onEffects(() => {
        for (const effect of g.world.takeEffects()) {
          if (effect.effect === "close") closed.push(effect);
          if (effect.effect !== "broadcast") continue;
          const { payload } = effect.message as unknown as { readonly payload: Uint8Array };
          const said = codec.read("server", payload) as {
            readonly message: string;
            readonly value: { readonly text: string };
          };
          if (said.message === "said") heard.push(said.value.text);
        }
      });
      g.world.join(1, { account: "ann", name: "ann" });
      let said = 0;
      const saying = systemClock.every(4, () => {
        said += 1;
        g.world.receive(
          1,
          { message: "say", value: {} },
          codec.write("client", { message: "say", value: { text: String(said) } }),
        );
      });
      await expect.poll(() => heard.length).toBeGreaterThan(20);
      // All of them have what the owner has sent.
      await expect.poll(() => Math.min(b.world.epoch, c.world.epoch)).toBeGreaterThan(0);

      /** Nothing was lost or repeated, and the world is what all calls give. */
      const checkAll = async (): Promise<void> => {
        const heardBefore = heard.length;
        await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(heardBefore + 20);
        saying();
        await expect.poll(() => g.world.waiting, { timeout: 10_000 }).toBe(0);
        await expect.poll(() => heard.length).toBe(said);
        expect(heard).toEqual(Array.from({ length: said }, (_, at) => `1:${at + 1}`));
        expect([closed, g.world.counts.diverged, g.world.counts.dropped]).toEqual([[], 0, 0]);
        const { digest, batch: next } = await askOwner(observer, "fake");
        await expect.poll(() => batches.some(({ batch }) => batch === next - 1)).toBe(true);
        const own = createWorld();
        for (let number = 1; number < next; number += 1) {
          const same = batches.filter(({ batch }) => batch === number);
          if (same[0] === undefined) throw new Error(`batch ${number} was not sent`);
          replay(own, codec, same[0].log);
          for (const each of same) expect(each.log).toEqual(same[0].log);
        }
        expect(own.digest().toString(16)).toBe(digest);
        // One epoch after the other: an owner that stopped sends nothing more.
        const epochs = batches.map(({ epoch }) => epoch);
        expect(epochs).toEqual(epochs.toSorted((x, y) => x - y));
      };
      const owner = a.node.owners.get("fake");
      if (owner === undefined) throw new Error("a does not own the world");
      return { a, b, c, g, owner, order, checkAll };
    };

    test("the next owner has done what takes time before the world changes hands, and nobody can claim it between", async () => {
      const { a, b, c, owner, order, checkAll } = await play(async () => {});
      const { epoch } = owner.lease;
      await a.node.drain();
      await expect.poll(() => b.node.owners.size + c.node.owners.size).toBe(1);
      const next = [b, c].flatMap(({ node }) => [...node.owners.values()])[0]?.lease.epoch ?? 0;
      await checkAll();
      expect([a.node.handOvers, next > epoch]).toEqual([{ live: 1, saved: 0 }, true]);
      const steps = ["follow", "follow answered", "compare", "compare answered", "transfer", "transferred", "take"];
      expect(order.filter((each) => steps.includes(each))).toEqual(steps);
      // From `compare` on the world stands still, until the first batch of the next owner.
      const pause = order.slice(order.indexOf("compare"), order.indexOf(`batch of ${next}`));
      expect(pause).not.toContain("getSnapshot");
      expect(order.slice(order.indexOf("compare"))).not.toContain("claim");
    });

    // Each line: what happens at a step of the hand-over from a to b, how it ends, and who owns the world then.
    test.each<readonly [Step, "a" | "b", "live" | "saved" | undefined, readonly ("b" | "c")[]]>([
      ["follow", "b", "saved", ["c"]],
      ["follow answered", "b", "saved", ["c"]],
      ["compare", "b", "saved", ["c"]],
      ["compare answered", "b", "live", ["c"]],
      ["transferred", "b", "live", ["c"]],
      ["follow answered", "a", undefined, ["b", "c"]],
      ["compare answered", "a", undefined, ["b", "c"]],
      ["transferred", "a", undefined, ["b"]],
    ])("at %j the process of %s is killed", async (at, who, way, owners) => {
      let isDone = false;
      const world = await play(async (step, { a, b }) => {
        if (step !== at || isDone) return;
        isDone = true;
        // As kill -9 does: nothing of it is heard from here on.
        await (who === "a" ? a : b).close();
      });
      const done = await world.owner.handOver("b");
      expect(isDone).toBe(true);
      if (way !== undefined) expect(done).toBe(way);
      await expect
        .poll(() => owners.reduce((all, each) => all + world[each].node.owners.size, 0), { timeout: 10_000 })
        .toBe(1);
      await world.checkAll();
    });

    test("a next owner that has come to another state, or drains, gets a saved world", async () => {
      let isOther = true;
      const createOther = (): World => {
        const world = createWorld();
        const digest = world.digest.bind(world);
        world.digest = () => digest() ^ (isOther ? 1n : 0n);
        return world;
      };
      const { a, b, c, owner, checkAll } = await play(async () => {}, createOther);
      expect(await owner.handOver("b")).toBe("saved");
      isOther = false;
      await expect.poll(() => b.node.owners.size + c.node.owners.size).toBe(1);
      const [from, to] = b.node.owners.size === 1 ? [b, c] : [c, b];
      // It owns nothing, and refuses.
      await to.node.drain();
      const second = from.node.owners.get("fake");
      expect(await second?.handOver(to.cluster.name)).toBe("saved");
      await expect.poll(() => a.node.owners.size + from.node.owners.size).toBe(1);
      await checkAll();
    });
  });
}
