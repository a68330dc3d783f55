import { describe, expect, test } from "vitest";
import { LoginQueue, type LoginQueueOptions, type QueuedLogin } from "./login-queue.ts";

/** A queue whose hashes end when the test says so. */
function arrange(options: Partial<LoginQueueOptions> = {}) {
  const queue = new LoginQueue({ atOnce: 1, waiting: 256, waitingPerPair: 2, ...options });
  const started: string[] = [];
  const dropped: string[] = [];
  const running: (() => void)[] = [];
  const add = (label: string, login: Partial<QueuedLogin> = {}): void => {
    queue.add({
      rank: "plain",
      address: "home",
      name: label,
      isWanted: () => true,
      drop: () => dropped.push(label),
      ...login,
      start() {
        started.push(label);
        return new Promise((resolve) => running.push(resolve));
      },
    });
  };
  /** Ends the oldest running hash. */
  const finish = async (): Promise<void> => {
    running.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const finishAll = async (): Promise<void> => {
    while (running.length > 0) await finish();
  };
  return { queue, started, dropped, add, finish, finishAll };
}

test("one address with 300 logins does not delay another by more than one of them", async () => {
  const { started, add, finish, finishAll } = arrange({ waiting: 1_000 });
  for (let number = 0; number < 300; number += 1) add(`guess ${number}`, { address: "attacker" });
  add("honest");
  await finish();
  await finish();
  expect(started).toEqual(["guess 0", "guess 1", "honest"]);
  await finishAll();
  expect(started).toHaveLength(301);
});

test("300 logins with one name do not delay another name of the same address", async () => {
  const { started, dropped, add, finish } = arrange({ atOnce: 2 });
  for (let number = 0; number < 300; number += 1) add(`guess ${number}`, { name: "victim" });
  expect(dropped).toHaveLength(297);
  add("honest");
  await finish();
  expect(started).toEqual(["guess 0", "honest", "guess 1"]);
});

test("a name that many addresses try has one hash at a time", async () => {
  const { queue, started, add, finish } = arrange({ atOnce: 2 });
  for (let number = 0; number < 50; number += 1) add(`guess ${number}`, { name: "victim", address: `bot ${number}` });
  expect([queue.running, queue.waiting]).toEqual([1, 49]);
  add("honest");
  expect(started).toEqual(["guess 0", "honest"]);
  add("the victim", { name: "victim", rank: "known" });
  await finish();
  expect(started).toEqual(["guess 0", "honest", "the victim"]);
});

test("known pairs and others take turns, suspects come last", async () => {
  const { started, add, finishAll } = arrange();
  add("first");
  for (const rank of ["suspect", "plain", "known"] as const) {
    for (const number of [1, 2]) add(`${rank} ${number}`, { rank });
  }
  await finishAll();
  expect(started).toEqual(["first", "known 1", "plain 1", "known 2", "plain 2", "suspect 1", "suspect 2"]);
});

describe("a full queue", () => {
  test("drops from the longest queue, not the newcomer", async () => {
    const { queue, started, dropped, add, finishAll } = arrange({ waiting: 10 });
    for (let number = 0; number < 11; number += 1) add(`guess ${number}`, { address: "attacker" });
    expect(dropped).toEqual([]);
    add("honest", { address: "home" });
    add("suspect", { address: "cafe", rank: "suspect" });
    expect(dropped).toEqual(["guess 10", "suspect"]);
    expect(queue.waiting).toBe(10);
    await finishAll();
    expect(started).toContain("honest");
    expect([queue.waiting, queue.running]).toEqual([0, 0]);
  });

  test("drops the newcomer when no queue is longer than its own", () => {
    const { dropped, add } = arrange({ waiting: 2 });
    for (const label of ["a", "b", "c", "d"]) add(label, { address: label });
    expect(dropped).toEqual(["d"]);
  });
});

test("a peer that is gone takes no turn", async () => {
  const { started, dropped, add, finishAll } = arrange();
  add("first");
  let isWanted = true;
  add("gone", { isWanted: () => isWanted });
  add("last");
  isWanted = false;
  await finishAll();
  expect([started, dropped]).toEqual([["first", "last"], ["gone"]]);
});
