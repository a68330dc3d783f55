import { expect, test } from "vitest";
import { memoryStore } from "wirewalk/net";
import { Accounts } from "./accounts.ts";
import { budgetsWith } from "./budgets.ts";

test("the first use of a name registers it, and from then on its password counts", async () => {
  const store = memoryStore();
  const accounts = new Accounts(store, budgetsWith());
  expect(await accounts.check("game", "ann", "secret")).toBe("ok");
  expect(await accounts.check("game", "ann", "secret")).toBe("ok");
  expect(await accounts.check("game", "ann", "Secret")).toBe("wrong-password");
  // Another game's Ann is somebody else.
  expect(await accounts.check("other", "ann", "different")).toBe("ok");
  // And a new process knows them.
  expect(await new Accounts(store, budgetsWith()).check("game", "ann", "secret")).toBe("ok");
});

test("the store never holds a password, and equal ones look different", async () => {
  const store = memoryStore();
  const accounts = new Accounts(store, budgetsWith());
  await accounts.check("game", "ann", "secret");
  await accounts.check("game", "bob", "secret");
  const [ann, bob] = store.list("accounts");
  expect(JSON.stringify([ann, bob])).not.toContain("secret");
  expect(ann?.record.hash).not.toBe(bob?.record.hash);
  expect(ann?.record).toMatchObject({ N: 16_384, r: 8, p: 1 });
});

test("of two concurrent registrations of one name, one succeeds", async () => {
  const accounts = new Accounts(memoryStore(), budgetsWith());
  const outcomes = await Promise.all([accounts.check("game", "ann", "one"), accounts.check("game", "ann", "two")]);
  expect(outcomes.toSorted()).toEqual(["ok", "wrong-password"]);
});

test("no name, no password, and too long ones are refused without a hash", async () => {
  const accounts = new Accounts(memoryStore(), budgetsWith());
  expect(await accounts.check("game", "", "secret")).toBe("no-account");
  expect(await accounts.check("game", "a".repeat(65), "secret")).toBe("no-account");
  expect(await accounts.check("game", "ann", "")).toBe("wrong-password");
  expect(await accounts.check("game", "ann", "a".repeat(257))).toBe("wrong-password");
});

test("hashes beyond the running and the waiting ones are refused as busy", async () => {
  const accounts = new Accounts(memoryStore(), budgetsWith({ hashesAtOnce: 1, hashesWaiting: 2 }));
  const names = ["a", "b", "c", "d", "e"];
  const outcomes = await Promise.all(names.map((name) => accounts.check("game", name, "secret")));
  expect(outcomes).toEqual(["ok", "ok", "ok", "busy", "busy"]);
  expect(await accounts.check("game", "d", "secret")).toBe("ok");
});

test("when the accounts are full, new ones are refused and existing ones log in", async () => {
  const accounts = new Accounts(memoryStore(), budgetsWith({ accounts: 1 }));
  expect(await accounts.check("game", "ann", "secret")).toBe("ok");
  expect(await accounts.check("game", "bob", "secret")).toBe("full");
  expect(await accounts.check("game", "ann", "secret")).toBe("ok");
});
