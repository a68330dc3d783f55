/**
 * What every cluster must do: run it over each adapter.
 *
 * ```ts
 * describeCluster("in one process", async (leaseMs) => hubOfTest(leaseMs));
 * ```
 *
 * @module
 */
import { afterEach, describe, expect, test } from "vitest";
import { type Cluster, ClusterError, type Lease, MAX_CLUSTER_MESSAGE_BYTES } from "../cluster.ts";

/** One cluster of a test: members join it, and `close` ends it. */
export interface TestedCluster {
  join(name: string): Promise<Cluster>;
  close(): Promise<void>;
}

/** No lease lapses in a test that waits for none, however long the machine stands still. */
const LONG_LEASE_MS = 60_000;
/** Of the tests that wait for it. */
const SHORT_LEASE_MS = 300;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The shared suite. `open` makes an empty cluster, with leases of that time, for each test. */
export function describeCluster(name: string, open: (leaseMs: number) => Promise<TestedCluster>): void {
  describe(name, () => {
    let tested: TestedCluster | undefined;
    let leaseMs = LONG_LEASE_MS;
    const members: Cluster[] = [];
    const join = async (...names: string[]): Promise<Cluster[]> => {
      tested ??= await open(leaseMs);
      const joined = [];
      for (const each of names) joined.push(await tested.join(each));
      members.push(...joined);
      return joined;
    };
    const pair = async (): Promise<[Cluster, Cluster]> => (await join("a", "b")) as [Cluster, Cluster];
    let settles = 0;
    /**
     * A message of another subject comes after those that were subscribed before. Each call has a subject of its own: a request of
     * one that ended a moment ago could still go to the ended subscription, which does not answer.
     */
    const settled = async (from: Cluster, to: Cluster): Promise<void> => {
      const subject = `settled.${settles++}`;
      const cancel = to.subscribe(subject, (message) => message.reply(message.bytes));
      await expect.poll(() => problemOf(from.request(subject, bytesOf(""), 5_000))).toBe(undefined);
      cancel();
    };

    afterEach(async () => {
      for (const member of members.splice(0)) await member.close();
      await tested?.close();
      tested = undefined;
      leaseMs = LONG_LEASE_MS;
    });

    test("members know each other by name, with what they say of themselves, until they leave", async () => {
      leaseMs = SHORT_LEASE_MS;
      const [a, b] = await pair();
      b.setInfo({ http: 7400 });
      await expect.poll(() => a.members().map((each) => each.name)).toEqual(["a", "b"]);
      await expect.poll(() => a.members()[1]?.info).toEqual({ http: 7400 });
      await b.close();
      await expect.poll(() => a.members().map((each) => each.name)).toEqual(["a"]);
    });

    test("messages of one member to one subject arrive in their order, at all who are subscribed", async () => {
      const [a, b] = await pair();
      const [atA, atB]: [string[], string[]] = [[], []];
      a.subscribe("one.two", ({ bytes }) => void atA.push(textOf(bytes)));
      b.subscribe("one.two", ({ bytes, subject }) => void atB.push(`${subject} ${textOf(bytes)}`));
      await settled(a, b);
      const all = Array.from({ length: 100 }, (_, n) => String(n));
      for (const each of all) a.publish("one.two", bytesOf(each));
      a.publish("one", bytesOf("other"));
      await expect.poll(() => atB.length).toBe(100);
      await expect.poll(() => atA.length).toBe(100);
      expect(atA).toEqual(all);
      expect(atB).toEqual(all.map((each) => `one.two ${each}`));
    });

    test("a handler never runs within publish, and not after its subscription ends", async () => {
      const [a, b] = await pair();
      const got: string[] = [];
      const cancel = a.subscribe("one", ({ bytes }) => void got.push(textOf(bytes)));
      await settled(b, a);
      a.publish("one", bytesOf("x"));
      expect(got).toEqual([]);
      await expect.poll(() => got).toEqual(["x"]);
      cancel();
      cancel();
      a.publish("one", bytesOf("y"));
      await settled(b, a);
      expect(got).toEqual(["x"]);
    });

    test("a request gets the first answer; without a subscriber it fails at once, without an answer in time", async () => {
      const [a, b] = await pair();
      expect(await problemOf(a.request("nobody", bytesOf("?"), 10_000))).toBe("no-responders");
      b.subscribe("echo", (message) => {
        message.reply(bytesOf(`${textOf(message.bytes)}!`));
        message.reply(bytesOf("again"));
      });
      b.subscribe("silent", () => {});
      await settled(a, b);
      expect(textOf(await a.request("echo", bytesOf("hello"), 10_000))).toBe("hello!");
      expect(await problemOf(a.request("silent", bytesOf("?"), 30))).toBe("timeout");
    });

    test("one member has a lease, until it gives it back", async () => {
      const [a, b] = await pair();
      const first = await a.claim("world.game");
      expect(first).toMatchObject({ name: "world.game", owner: "a" });
      expect(await b.claim("world.game")).toBeUndefined();
      expect(await a.claim("world.game")).toBeUndefined();
      const other = await b.claim("world.other");
      expect(await a.leases()).toEqual([first, other]);
      expect([await b.holder("world.game"), await b.holder("world.nothing")]).toEqual([first, undefined]);
      expect(await a.renew(first as Lease)).toBe(true);
      await a.release(first as Lease);
      expect(await a.renew(first as Lease)).toBe(false);
      const second = await b.claim("world.game");
      expect(second?.owner).toBe("b");
      expect(second?.epoch).toBeGreaterThan(first?.epoch ?? 0);
    });

    test("a lease that is not renewed lapses, a renewed one does not", async () => {
      leaseMs = SHORT_LEASE_MS;
      const [a, b] = await pair();
      let attempts = 0;
      // Where a stall of the machine outlasts a lease, the renewed one has lapsed too: `renew` says so, and all begins again.
      const attempt = async (): Promise<object> => {
        attempts += 1;
        const [keptName, leftName] = [`kept${attempts}`, `left${attempts}`];
        const [kept, left] = [(await a.claim(keptName)) as Lease, (await a.claim(leftName)) as Lease];
        let isKept = true;
        let second: Lease | undefined;
        for (; isKept && second === undefined; second = await b.claim(leftName)) {
          await new Promise((resolve) => setTimeout(resolve, 30));
          isKept = await a.renew(kept);
        }
        const taken = await b.claim(keptName);
        const held = (await b.leases()).filter(({ name }) => [keptName, leftName].includes(name));
        return {
          isKept: isKept && (await a.renew(kept)),
          taken,
          isAbove: second !== undefined && second.epoch > left.epoch,
          isLeftRenewed: await a.renew(left),
          owners: held.map(({ owner }) => owner),
        };
      };
      await expect
        .poll(attempt, { timeout: 20_000 })
        .toEqual({ isKept: true, taken: undefined, isAbove: true, isLeftRenewed: false, owners: ["a", "b"] });
    });

    test("a lease whose owner is gone goes to one of those who claim it, at once", async () => {
      const [a, b] = await pair();
      const first = (await a.claim("world")) as Lease;
      const claims = await Promise.all([a.claim("world", first), b.claim("world", first)]);
      const second = claims.filter((each) => each !== undefined);
      expect(second).toHaveLength(1);
      expect(second[0]?.epoch).toBeGreaterThan(first.epoch);
      expect(await b.claim("world", first)).toBeUndefined();
      expect(await a.renew(first)).toBe(false);
    });

    test("a lease that is given to another member is that member's at once, under a greater epoch", async () => {
      const [a, b] = await pair();
      const first = (await a.claim("world")) as Lease;
      const given = (await a.transfer(first, "b")) as Lease;
      expect(given).toMatchObject({ name: "world", owner: "b" });
      expect(given.epoch).toBeGreaterThan(first.epoch);
      expect(await b.holder("world")).toEqual(given);
      // Nobody can claim it, not even over the lease that it was.
      expect([await a.claim("world"), await b.claim("world", first)]).toEqual([undefined, undefined]);
      expect([await a.renew(first), await a.renew(given), await a.transfer(first, "a")]).toEqual([
        false,
        false,
        undefined,
      ]);
      await a.release(first);
      expect([await b.renew(given), await b.renew(given)]).toEqual([true, true]);
      expect(await b.holder("world")).toEqual(given);
      await b.release(given);
      expect(await b.renew(given)).toBe(false);
      expect((await a.claim("world"))?.epoch).toBeGreaterThan(given.epoch);
    });

    test("an epoch is above every one that was seen", async () => {
      const [a] = await join("a");
      a?.raiseFloor("world", 1_000_000);
      a?.raiseFloor("world", 7);
      const lease = await a?.claim("world");
      expect(lease?.epoch).toBeGreaterThan(1_000_000);
      expect((await a?.leases())?.[0]?.epoch).toBe(lease?.epoch);
    });

    test("the last snapshot of the greatest epoch is kept, also one of several messages' size", async () => {
      const [a, b] = await pair();
      expect(await a.getSnapshot("world")).toBeUndefined();
      await a.putSnapshot("world", { epoch: 5, bytes: bytesOf("first") });
      await a.putSnapshot("world", { epoch: 5, bytes: bytesOf("second") });
      await b.putSnapshot("world", { epoch: 4, bytes: bytesOf("stale") });
      const found = await b.getSnapshot("world");
      expect([found?.epoch, textOf(found?.bytes ?? bytesOf(""))]).toEqual([5, "second"]);
      const large = new Uint8Array(MAX_CLUSTER_MESSAGE_BYTES * 2 + 1).map((_, at) => at * 31);
      await b.putSnapshot("world", { epoch: 6, bytes: large });
      const read = await a.getSnapshot("world");
      expect(read?.epoch).toBe(6);
      expect(Buffer.compare(read?.bytes ?? bytesOf(""), large)).toBe(0);
      expect(await a.getSnapshot("other")).toBeUndefined();
    });

    test("invalid names and messages that are too long are refused where they are sent", async () => {
      const [a] = await join("a");
      for (const subject of ["", "a b", "a.*", ">", "a..b", "a".repeat(129)]) {
        expect(() => a?.publish(subject, bytesOf(""))).toThrow(RangeError);
      }
      expect(() => a?.publish("a", new Uint8Array(MAX_CLUSTER_MESSAGE_BYTES + 1))).toThrow(RangeError);
      a?.publish("a", new Uint8Array(MAX_CLUSTER_MESSAGE_BYTES));
    });

    test("after close calls are refused, and closing again does nothing", async () => {
      const [a, b] = await pair();
      await a.close();
      await a.close();
      expect(a.isConnected).toBe(false);
      expect(await problemOf(a.claim("world"))).toBe("disconnected");
      expect(await problemOf(a.request("one", bytesOf(""), 100))).toBe("disconnected");
      expect(b.isConnected).toBe(true);
    });
  });
}

/** Why a call failed; undefined when it did not. */
async function problemOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return error instanceof ClusterError ? error.problem : String(error);
  }
}
