import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { memoryStore, type Store, VirtualClock } from "wirewalk/net";
import { sqliteStore } from "../store/sqlite-store.ts";
import { type Ban, Bans, banText } from "./bans.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
const NOON_MS = Date.UTC(2026, 10, 22, 12);

const folder = mkdtempSync(join(tmpdir(), "wirewalk-bans-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verdict = {
  kind: "reject",
  rule: "teleport",
  reason: "Too far",
  player: 1,
  room: "1",
  atMs: 0,
  message: new Uint8Array(5_000),
  stateBefore: {},
} as const;

const ofAnn = {
  key: "login:ann",
  name: "ann",
  reason: "6 teleports",
  durationMs: DAY_MS,
  evidence: [verdict],
} as const;

/** A machine whose wall clock can be set. Its servers share a store and run one after the other. */
function machine(store: Store) {
  const wall = { ms: NOON_MS };
  let stop = (): void => {};
  let boots = 0;
  return {
    wall,
    /** Starts a server, after the last one was stopped or crashed. */
    boot(seen: Ban[] = []) {
      // Each process has a steady clock of its own.
      boots += 1;
      const clock = new VirtualClock(boots * 7_000);
      const bans = new Bans(store, { clock, epochNow: () => wall.ms, onBan: (ban) => void seen.push(ban) });
      clock.every(1_000, () => bans.poll());
      stop = () => bans.close();
      const run = (ms: number): void => {
        // The wall clock goes on with the steady one.
        const [fromMs, wallMs] = [clock.now(), wall.ms];
        for (let at = 1_000; at <= ms; at += 1_000) {
          wall.ms = wallMs + at;
          clock.advanceTo(fromMs + at);
        }
      };
      return { bans, run };
    },
    shutDown: () => stop(),
  };
}

describe("the list of bans", () => {
  test("evidence is bounded, and a shorter ban does not end a longer one", () => {
    const clock = new VirtualClock();
    const bans = new Bans(memoryStore(), { clock, epochNow: () => NOON_MS + clock.now() });
    const evidence = Array.from({ length: 100 }, (_, atMs) => ({ ...verdict, atMs }));
    const ban = bans.add("game", { ...ofAnn, durationMs: 5_000, evidence });
    expect(ban).toMatchObject({ rule: "teleport", fromMs: NOON_MS, untilMs: NOON_MS + 5_000 });
    const kept = bans.evidence("game", "login:ann");
    expect([kept.length, kept.at(-1)?.atMs, String(kept[0]?.message).length]).toEqual([20, 99, 2_048]);
    clock.advanceBy(1_000);
    bans.add("game", { ...ofAnn, reason: "again", durationMs: 10 });
    clock.advanceBy(3_999);
    expect(bans.find("game", "login:ann")?.untilMs).toBe(NOON_MS + 5_000);
    clock.advanceBy(1);
    expect(bans.find("game", "login:ann")).toBeUndefined();
    expect(bans.list()).toEqual([]);
  });

  test("a ban that is served leaves nothing in the store", () => {
    const store = memoryStore();
    const { boot } = machine(store);
    const { bans, run } = boot();
    bans.add("game", { ...ofAnn, durationMs: 60_000 });
    run(61_000);
    expect([store.list("typed-bans"), store.list("ban-evidence")]).toEqual([[], []]);
  });

  test("bans of its own are not read again, those of others are", () => {
    const store = memoryStore();
    let lists = 0;
    const counted: Store = {
      ...store,
      list: (table) => {
        lists += 1;
        return store.list(table);
      },
    };
    const bans = new Bans(counted);
    const before = lists;
    for (const key of ["login:ann", "login:bob"] as const) bans.add("game", { ...ofAnn, key });
    bans.lift("game", "login:bob");
    store.put("accounts", "game/cleo", {});
    expect([bans.find("game", "login:ann")?.name, lists - before]).toEqual(["ann", 0]);
    new Bans(store).add("game", { ...ofAnn, key: "login:cleo" });
    expect([bans.list().length, lists - before]).toEqual([2, 1]);
  });

  test("keys of one text and two kinds are two", () => {
    const bans = new Bans(memoryStore());
    bans.add("game", { ...ofAnn, key: "login:127.0.0.1" });
    expect(bans.find("game", "address:127.0.0.1")).toBeUndefined();
    expect(bans.find("game", "login:127.0.0.1")).toBeDefined();
    expect(bans.find("other", "login:127.0.0.1")).toBeUndefined();
  });

  test("holds 10,000 bans; then the address ban that ends first gives way", () => {
    const clock = new VirtualClock();
    const bans = new Bans(memoryStore(), { clock });
    bans.add("game", { ...ofAnn, durationMs: 1 });
    for (let at = 0; at < 9_999; at += 1) {
      const key = `address:10.0.${at >> 8}.${at & 255}` as const;
      bans.add("game", { ...ofAnn, key, durationMs: DAY_MS - at, evidence: [] });
    }
    bans.add("game", { ...ofAnn, key: "login:bob" });
    expect(bans.list()).toHaveLength(10_000);
    expect(bans.find("game", "login:ann")).toBeDefined();
    expect(bans.find("game", "address:10.0.39.14")).toBeUndefined();
    expect(bans.find("game", "address:10.0.39.13")).toBeDefined();
  });
});

let opened = 0;
describe.each([
  ["memory", () => memoryStore()],
  ["SQLite", () => sqliteStore(join(folder, String(opened++)))],
])("a store in %s", (_name, open) => {
  test("of an older server keeps every ban: known accounts and other names become logins, addresses addresses", () => {
    const store = open();
    const old = (account: string, fromMs: number): void =>
      store.put("bans", `game/${account}`, {
        protocol: "game",
        account,
        reason: "Multiple speed violations",
        fromMs,
        untilMs: fromMs + DAY_MS,
        evidence: [{ kind: "reject", rule: "teleport" }],
      });
    store.put("accounts", "game/10.9.8.7", { salt: "", hash: "", N: 1, r: 1, p: 1 });
    for (const account of ["ann", "10.9.8.7", "192.0.2.7", "2001:db8::1", "login:ann"]) old(account, NOON_MS - HOUR_MS);
    old("over", NOON_MS - 2 * DAY_MS);
    const { boot } = machine(store);
    const { bans } = boot();
    expect(bans.list().map(({ key, rule, untilMs }) => [key, rule, untilMs - NOON_MS])).toEqual([
      ["address:192.0.2.7", "teleport", 23 * HOUR_MS],
      ["address:2001:db8::/64", "teleport", 23 * HOUR_MS],
      ["login:10.9.8.7", "teleport", 23 * HOUR_MS],
      ["login:ann", "teleport", 23 * HOUR_MS],
      ["login:login:ann", "teleport", 23 * HOUR_MS],
    ]);
    expect(bans.evidence("game", "login:ann")).toEqual([{ kind: "reject", rule: "teleport" }]);
    expect(store.list("bans")).toEqual([]);
    // Again, as after a crash before the version was noted.
    store.delete("schema", "bans");
    old("ann", NOON_MS - HOUR_MS);
    expect(boot().bans.list()).toHaveLength(5);
    store.close();
  });

  test("of a newer server is refused", () => {
    const store = open();
    store.put("schema", "bans", { version: 3 });
    expect(() => new Bans(store)).toThrow("Cannot read bans: they have version 3, this server knows 2");
    store.close();
  });

  test("that two use shows each the bans of the other", () => {
    const store = open();
    const { boot } = machine(store);
    const seen: Ban[] = [];
    const [one, two] = [boot(), boot(seen)];
    one.bans.add("game", ofAnn);
    two.bans.poll();
    expect(seen.map(({ key }) => key)).toEqual(["login:ann"]);
    expect(two.bans.find("game", "login:ann")).toBeDefined();
    expect(two.bans.lift("game", "login:ann")).toBe(true);
    expect(one.bans.find("game", "login:ann")).toBeUndefined();
    store.close();
  });
});

test("records that are damaged are no bans, and bans beside them hold", () => {
  const store = memoryStore();
  const bans = new Bans(store);
  bans.add("osrs", ofAnn);
  bans.add("osrs", { ...ofAnn, key: "login:bob" });
  const record = store.get("typed-bans", "osrs/login:ann") ?? {};
  // Under the key of another ban: shown, it would neither hold nor be lifted.
  store.put("typed-bans", "osrs/login:eve", record);
  // A date that cannot be written.
  for (const [at, broken] of Object.entries({ durationMs: 2 ** 62, fromMs: -(2 ** 62), fromRunMs: 1e300 })) {
    store.put("typed-bans", `osrs/login:${at}`, { ...record, key: `login:${at}`, [at]: broken });
  }
  store.put("ban-clock", "running", { ranMs: 2 ** 70, offsetMs: 2 ** 70, seenRanMs: 1 });
  const again = new Bans(store);
  expect(again.list().map(banText)).toEqual([
    expect.stringContaining("applies to login:ann"),
    expect.stringContaining("applies to login:bob"),
  ]);
  again.add("osrs", { ...ofAnn, key: "login:carl" });
  expect(new Bans(store).find("osrs", "login:carl")).toBeDefined();
});

test("a record that cannot be read is named", () => {
  const inside = join(folder, "damaged");
  sqliteStore(inside).close();
  const database = new DatabaseSync(join(inside, "wirewalk.sqlite"));
  const insert = database.prepare("INSERT INTO records (kind, key, json) VALUES ('typed-bans', ?, ?)");
  for (const text of ["{", "null", "[1]"]) insert.run(`osrs/login:${text}`, text);
  database.close();
  const store = sqliteStore(inside);
  expect(() => store.get("typed-bans", "osrs/login:{")).toThrow("Cannot read the record osrs/login:{ of typed-bans: ");
  expect(() => store.get("typed-bans", "osrs/login:null")).toThrow("it is no object");
  expect(() => store.list("typed-bans")).toThrow("Cannot read the record osrs/login:");
  store.close();
});

test("two connections to one SQLite file see each other's bans and lifts", () => {
  const path = join(folder, "shared");
  const stores = [sqliteStore(path), sqliteStore(path, { shared: true })] as const;
  const seen: string[] = [];
  const one = new Bans(stores[0]);
  const two = new Bans(stores[1], { onBan: ({ key }) => void seen.push(key) });
  one.add("game", ofAnn);
  two.poll();
  expect([seen, two.find("game", "login:ann")?.rule]).toEqual([["login:ann"], "teleport"]);
  expect(two.evidence("game", "login:ann")).toHaveLength(1);
  expect(two.lift("game", "login:ann")).toBe(true);
  expect(one.list()).toEqual([]);
  for (const store of stores) store.close();
});

describe("a clock that is set", () => {
  test("two days on and back again loses no ban", () => {
    const { boot, shutDown, wall } = machine(memoryStore());
    boot().bans.add("game", ofAnn);
    shutDown();
    wall.ms += 2 * DAY_MS;
    const wrong = boot();
    expect(wrong.bans.list()).toEqual([]);
    wrong.run(10_000);
    shutDown();
    wall.ms -= 2 * DAY_MS;
    expect(boot().bans.find("game", "login:ann")?.untilMs).toBe(NOON_MS + DAY_MS);
  });

  test("a year back makes a ban no longer than it is, however often the server starts", () => {
    const { boot, shutDown, wall } = machine(memoryStore());
    boot().bans.add("game", ofAnn);
    shutDown();
    wall.ms -= YEAR_MS;
    for (let restart = 0; restart < 4; restart += 1) {
      const { bans, run } = boot();
      expect(bans.list().map(({ untilMs }) => untilMs - wall.ms)).toEqual([DAY_MS - restart * 6 * HOUR_MS]);
      run(6 * HOUR_MS);
      shutDown();
    }
    expect(boot().bans.list()).toEqual([]);
  });

  test.each([
    ["on", 400 * DAY_MS],
    ["back", -400 * DAY_MS],
  ])("%s while a server runs changes no ban of it, nor after a restart", (_way, jumpMs) => {
    const { boot, shutDown, wall } = machine(memoryStore());
    const { bans, run } = boot();
    bans.add("game", ofAnn);
    run(HOUR_MS);
    wall.ms += jumpMs;
    run(HOUR_MS);
    expect(bans.list()).toMatchObject([{ fromMs: NOON_MS + jumpMs, untilMs: NOON_MS + jumpMs + DAY_MS }]);
    shutDown();
    expect(boot().bans.list()).toMatchObject([{ untilMs: NOON_MS + jumpMs + DAY_MS }]);
  });

  describe("back a year and right again, with a crash in between, ends no ban", () => {
    test.each(["before the clock is set back", "after it"])("that was made %s", (when) => {
      const { boot, wall } = machine(memoryStore());
      const { bans, run } = boot();
      if (when !== "after it") bans.add("game", ofAnn);
      run(HOUR_MS);
      wall.ms -= YEAR_MS;
      run(HOUR_MS);
      if (when === "after it") bans.add("game", ofAnn);
      const untilMs = NOON_MS + DAY_MS + (when === "after it" ? 2 * HOUR_MS : 0);
      expect(bans.list()).toMatchObject([{ untilMs: untilMs - YEAR_MS, durationMs: DAY_MS }]);
      run(HOUR_MS);
      wall.ms += YEAR_MS;
      expect(boot().bans.list()).toMatchObject([{ fromMs: untilMs - DAY_MS, untilMs }]);
    });

    test("that was made by a server that started with the wrong clock", () => {
      const { boot, wall } = machine(memoryStore());
      boot().run(HOUR_MS);
      wall.ms -= YEAR_MS;
      const wrong = boot();
      wrong.bans.add("game", ofAnn);
      wrong.run(HOUR_MS);
      wall.ms += YEAR_MS;
      expect(boot().bans.find("game", "login:ann")?.untilMs).toBe(NOON_MS + HOUR_MS + DAY_MS);
    });

    test("that an earlier server made", () => {
      const { boot, wall } = machine(memoryStore());
      wall.ms -= YEAR_MS;
      boot().bans.add("game", ofAnn);
      const { run } = boot();
      run(HOUR_MS);
      wall.ms += YEAR_MS;
      run(HOUR_MS);
      expect(boot().bans.find("game", "login:ann")?.untilMs).toBe(NOON_MS + DAY_MS);
    });
  });

  test("on a year and back is right again after a week of running", () => {
    const { boot, wall } = machine(memoryStore());
    boot().run(HOUR_MS);
    wall.ms += YEAR_MS;
    boot().run(HOUR_MS);
    wall.ms -= YEAR_MS;
    const over = (): boolean => {
      boot().bans.add("game", ofAnn);
      wall.ms += DAY_MS;
      return boot().bans.find("game", "login:ann") === undefined;
    };
    // Only running counts meanwhile: a ban lasts too long rather than not at all.
    expect(over()).toBe(false);
    for (let day = 0; day < 8; day += 1) boot().run(DAY_MS);
    expect(over()).toBe(true);
  });

  test("the time between two runs counts, also after a crash", () => {
    const { boot, wall } = machine(memoryStore());
    boot().bans.add("game", ofAnn);
    wall.ms += 20 * HOUR_MS;
    const { bans, run } = boot();
    expect(bans.list()).toMatchObject([{ untilMs: NOON_MS + DAY_MS }]);
    run(4 * HOUR_MS);
    expect(bans.list()).toEqual([]);
  });
});

describe("a store that fails", () => {
  const breakable = () => {
    const store = memoryStore();
    const state = { broken: false };
    const put: Store["put"] = (table, key, record) => {
      if (state.broken) throw new Error("database or disk is full");
      store.put(table, key, record);
    };
    return { store: { ...store, put }, state };
  };

  test("holds a ban in memory, says why, and keeps the ban when it works again", () => {
    const { store, state } = breakable();
    const { boot } = machine(store);
    const { bans, run } = boot();
    state.broken = true;
    bans.add("game", ofAnn);
    expect([bans.problem, store.list("typed-bans")]).toEqual(["database or disk is full", []]);
    run(5_000);
    expect(bans.problem).toBe("database or disk is full");
    expect(bans.find("game", "login:ann")).toBeDefined();
    expect(bans.evidence("game", "login:ann")).toHaveLength(1);
    state.broken = false;
    run(1_000);
    expect(bans.problem).toBeUndefined();
    expect(boot().bans.find("game", "login:ann")).toBeDefined();
    expect(bans.evidence("game", "login:ann")).toHaveLength(1);
  });
});
