import { describe, expect, test } from "vitest";
import { memoryStore, VirtualClock } from "wirewalk/net";
import { nodeRuntime } from "../runtime/runtime.ts";
import { type Budgets, budgetsWith } from "../session/budgets.ts";
import { Accounts, type LoginOutcome } from "./accounts.ts";

const check = (
  accounts: Accounts,
  protocol: string,
  name: string,
  password: string,
  address = "192.0.2.1",
): Promise<LoginOutcome> => accounts.check({ protocol, name, password, address });

test("the first use of a name registers it, and from then on its password counts", async () => {
  const store = memoryStore();
  const accounts = new Accounts(store, budgetsWith());
  expect(await check(accounts, "game", "ann", "secret")).toBe("ok");
  expect(await check(accounts, "game", "ann", "secret")).toBe("ok");
  expect(await check(accounts, "game", "ann", "Secret")).toBe("wrong-password");
  // Another game's Ann is somebody else.
  expect(await check(accounts, "other", "ann", "different")).toBe("ok");
  // And a new process knows them.
  expect(await check(new Accounts(store, budgetsWith()), "game", "ann", "secret")).toBe("ok");
});

test("the store never holds a password, and equal ones look different", async () => {
  const store = memoryStore();
  const accounts = new Accounts(store, budgetsWith());
  await check(accounts, "game", "ann", "secret");
  await check(accounts, "game", "bob", "secret");
  const [ann, bob] = store.list("accounts");
  expect(JSON.stringify([ann, bob])).not.toContain("secret");
  expect(ann?.record.hash).not.toBe(bob?.record.hash);
  expect(ann?.record).toMatchObject({ N: 16_384, r: 8, p: 1 });
});

test("of two concurrent registrations of one name, one succeeds", async () => {
  const accounts = new Accounts(memoryStore(), budgetsWith());
  const outcomes = await Promise.all([check(accounts, "game", "ann", "one"), check(accounts, "game", "ann", "two")]);
  expect(outcomes.toSorted()).toEqual(["ok", "wrong-password"]);
});

test("no name, no password, and too long ones are refused without a hash", async () => {
  const accounts = new Accounts(memoryStore(), budgetsWith());
  expect(await check(accounts, "game", "", "secret")).toBe("no-account");
  expect(await check(accounts, "game", "a".repeat(65), "secret")).toBe("no-account");
  expect(await check(accounts, "game", "ann", "")).toBe("wrong-password");
  expect(await check(accounts, "game", "ann", "a".repeat(257))).toBe("wrong-password");
});

test("hashes beyond the running and the waiting ones are refused as busy", async () => {
  const accounts = new Accounts(memoryStore(), budgetsWith({ hashesAtOnce: 1, hashesWaiting: 2 }));
  const names = ["a", "b", "c", "d", "e"];
  const outcomes = await Promise.all(names.map((name) => check(accounts, "game", name, "secret")));
  expect(outcomes).toEqual(["ok", "ok", "ok", "busy", "busy"]);
  expect(await check(accounts, "game", "d", "secret")).toBe("ok");
});

test("when the accounts are full, new ones are refused and existing ones log in", async () => {
  const accounts = new Accounts(memoryStore(), budgetsWith({ accounts: 1 }));
  expect(await check(accounts, "game", "ann", "secret")).toBe("ok");
  expect(await check(accounts, "game", "bob", "secret")).toBe("full");
  expect(await check(accounts, "game", "ann", "secret")).toBe("ok");
});

/** Accounts whose hashes take no time, on a clock of their own, with a count of the hashes. */
function arrange(budgets: Partial<Budgets> = {}, registration: "open" | "closed" = "open") {
  const clock = new VirtualClock();
  const counts = { hashes: 0 };
  const runtime = {
    ...nodeRuntime,
    deriveKey: (password: string, salt: Buffer) => {
      counts.hashes += 1;
      return Promise.resolve(Buffer.from(`${password} ${salt.toString("hex")}`));
    },
  };
  const accounts = new Accounts(memoryStore(), budgetsWith(budgets), { clock, runtime, registration });
  return { accounts, clock, counts };
}

describe("wrong passwords", () => {
  test("slow down the pair of name and address that sent them, and nobody else", async () => {
    const { accounts, clock, counts } = arrange();
    await check(accounts, "game", "victim", "secret", "198.51.100.1");
    await check(accounts, "game", "neighbour", "secret", "192.0.2.1");
    for (let guess = 0; guess < 4; guess += 1) {
      expect(await check(accounts, "game", "victim", `guess ${guess}`)).toBe("wrong-password");
    }
    const { hashes } = counts;
    for (let guess = 0; guess < 300; guess += 1) {
      expect(await check(accounts, "game", "victim", `guess ${guess}`)).toBe("locked");
    }
    // Not even the right one, or a guess would be known to be right.
    expect(await check(accounts, "game", "victim", "secret")).toBe("locked");
    expect(counts.hashes).toBe(hashes);
    expect(await check(accounts, "game", "victim", "secret", "198.51.100.1")).toBe("ok");
    expect(await check(accounts, "game", "victim", "secret", "203.0.113.9")).toBe("ok");
    expect(await check(accounts, "game", "neighbour", "secret")).toBe("ok");
    clock.advanceBy(1_000);
    expect(await check(accounts, "game", "victim", "secret")).toBe("ok");
  });

  test("wait twice as long each time, 15 minutes at most", async () => {
    const { accounts, clock } = arrange();
    await check(accounts, "game", "victim", "secret", "198.51.100.1");
    const waits: number[] = [];
    for (let guess = 0; guess < 16; guess += 1) {
      const startMs = clock.now();
      while ((await check(accounts, "game", "victim", "guess")) === "locked") clock.advanceBy(1_000);
      waits.push((clock.now() - startMs) / 1_000);
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    // A day of guesses at one name from one address.
    let guesses = 0;
    for (const endMs = clock.now() + 86_400_000; clock.now() < endMs; clock.advanceBy(60_000)) {
      if ((await check(accounts, "game", "victim", "guess")) === "wrong-password") guesses += 1;
    }
    // The first of them waits too.
    expect(guesses).toBe(95);
    clock.advanceBy(3_600_000);
    for (let guess = 0; guess < 4; guess += 1) {
      expect(await check(accounts, "game", "victim", "guess")).toBe("wrong-password");
    }
  });

  test("count for a whole IPv6 network: a customer has all its addresses", async () => {
    const { accounts } = arrange();
    await check(accounts, "game", "victim", "secret");
    const outcomes: LoginOutcome[] = [];
    for (let host = 1; host <= 20; host += 1) {
      outcomes.push(await check(accounts, "game", "victim", "guess", `2001:db8:0:7::${host.toString(16)}`));
    }
    expect(outcomes.filter((outcome) => outcome === "wrong-password")).toHaveLength(4);
    expect(await check(accounts, "game", "victim", "guess", "2001:db8:0:8::1")).toBe("wrong-password");
  });

  test("of many names from one address put that address's new names behind all others", async () => {
    const { accounts } = arrange({ hashesAtOnce: 1, loginFailuresPerAddress: 10 });
    for (const name of ["ann", "bob"]) await check(accounts, "game", name, "secret", `198.51.100.${name.length}`);
    const known = check(accounts, "game", "cleo", "secret");
    await known;
    for (let name = 0; name < 4; name += 1) {
      await check(accounts, "game", `name ${name}`, "secret", "198.51.100.77");
      for (let guess = 0; guess < 3; guess += 1) await check(accounts, "game", `name ${name}`, "guess");
    }
    const order: string[] = [];
    const login = async (name: string, address: string): Promise<void> => {
      await check(accounts, "game", name, "secret", address);
      order.push(`${name} ${address}`);
    };
    await Promise.all([
      login("ann", "203.0.113.1"),
      login("ann", "192.0.2.1"),
      login("bob", "203.0.113.2"),
      login("cleo", "192.0.2.1"),
    ]);
    expect(order).toEqual(["ann 203.0.113.1", "cleo 192.0.2.1", "bob 203.0.113.2", "ann 192.0.2.1"]);
  });
});

describe("registration", () => {
  test("closed: an unknown name is refused without a hash, `create` makes accounts", async () => {
    const { accounts, counts } = arrange({}, "closed");
    expect(await check(accounts, "game", "ann", "secret")).toBe("no-account");
    expect(counts.hashes).toBe(0);
    expect(await accounts.create("game", "ann", "secret")).toBe(true);
    expect(await accounts.create("game", "ann", "other")).toBe(false);
    expect(await check(accounts, "game", "ann", "secret")).toBe("ok");
    expect(await check(accounts, "other", "ann", "secret")).toBe("no-account");
    await expect(accounts.create("game", "", "secret")).rejects.toThrow(
      "An account's name must have 1 to 64 characters",
    );
    await expect(accounts.create("game", "bob", "")).rejects.toThrow("A password must have 1 to 256 characters");
    expect(accounts.list()).toEqual([{ protocol: "game", name: "ann" }]);
    expect([accounts.remove("game", "ann"), accounts.remove("game", "ann")]).toEqual([true, false]);
    expect(await check(accounts, "game", "ann", "secret")).toBe("no-account");
  });

  test("open: one address creates so many accounts and then so many an hour; others are not affected", async () => {
    const { accounts, clock } = arrange({ registrationsPerAddress: 3, registrationsPerHour: 2 });
    const create = (name: string, address?: string) => check(accounts, "game", name, "secret", address);
    for (const name of ["a", "b", "c"]) expect(await create(name)).toBe("ok");
    expect(await create("d")).toBe("registrations");
    expect(await create("a")).toBe("ok");
    expect(await create("d", "198.51.100.1")).toBe("ok");
    clock.advanceBy(1_800_000);
    expect([await create("e"), await create("f")]).toEqual(["ok", "registrations"]);
    // This machine's own bots and tests create many.
    for (let number = 0; number < 10; number += 1) expect(await create(`bot ${number}`, "127.0.0.1")).toBe("ok");
  });

  test("open: hundreds at once from one address do not slip through while the first are hashed", async () => {
    const { accounts } = arrange({ registrationsPerAddress: 3, hashesAtOnce: 1 });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, number) => check(accounts, "game", `name ${number}`, "secret")),
    );
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(3);
    expect(accounts.list()).toHaveLength(3);
  });
});

test("the password of a peer that is gone is not hashed", async () => {
  const { accounts, counts } = arrange({ hashesAtOnce: 1 });
  const gone = { protocol: "game", password: "secret", address: "192.0.2.1", isWanted: () => false };
  await Promise.all([
    check(accounts, "game", "ann", "secret"),
    ...Array.from({ length: 50 }, (_, number) => accounts.check({ ...gone, name: `name ${number}` })),
    check(accounts, "game", "bob", "secret", "198.51.100.1"),
  ]);
  expect(counts.hashes).toBe(2);
});
