import { describe, expect, test } from "vitest";
import type { Verdict, VerdictKind } from "wirewalk/motion";
import { memoryStore, type Store, VirtualClock } from "wirewalk/net";
import { BanClock } from "./ban-clock.ts";
import { Ledger, type Penalty } from "./ledger.ts";
import { checkPolicies, type Policies } from "./policies.ts";

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const NOON_MS = Date.UTC(2026, 10, 22, 12);

const verdict = (rule: string, kind: VerdictKind = "correct"): Verdict => {
  return { kind, rule, reason: "", player: 1, room: "1", atMs: 0, message: new Uint8Array(), stateBefore: {} };
};

/** A machine whose wall clock can be set. Its servers share a store and run one after the other. */
function machine(
  policies: Policies = {},
  store: Store = memoryStore(),
  others: Readonly<Record<string, Policies>> = {},
) {
  const wall = { ms: NOON_MS };
  let boots = 0;
  return {
    wall,
    store,
    boot() {
      // Each process has a steady clock of its own.
      boots += 1;
      const clock = new VirtualClock(boots * 7_000);
      const time = new BanClock(store, clock, () => wall.ms);
      const worlds = Object.entries({ game: policies, ...others });
      const of = new Map(
        worlds.map(([name, own]) => [name, { protocol: "game", policies: checkPolicies(name, own, undefined) }]),
      );
      const ledger = new Ledger(store, time, of);
      return {
        ledger,
        run(ms: number): void {
          wall.ms += ms;
          clock.advanceBy(ms);
        },
        stop(): void {
          ledger.close();
          time.save(true);
        },
        score(rule: string): number {
          return ledger.find("game", "login:ann")?.scores.find((each) => each.rule === rule)?.score ?? 0;
        },
        add: (each: Verdict, name = "game"): Penalty | undefined =>
          ledger.add({ name, protocol: "game" }, "login:ann", each),
      };
    },
  };
}

describe("what adds up", () => {
  test("half of a score is forgotten in its half-life", () => {
    const { add, run, score } = machine({ speed: { halfLifeMs: HOUR_MS } }).boot();
    for (let count = 0; count < 4; count += 1) add(verdict("speed"));
    expect(score("speed")).toBe(8);
    run(HOUR_MS);
    expect(score("speed")).toBeCloseTo(4, 9);
    run(HOUR_MS / 2);
    expect(score("speed")).toBeCloseTo(4 / Math.SQRT2, 9);
    run(20 * HOUR_MS);
    expect(score("speed")).toBe(0);
  });

  test("a score counts in all worlds of a game, by the policy of the world that gives the verdict", () => {
    const kick = { action: "kick", limit: 8 } as const;
    const { add, run, score } = machine({ speed: { halfLifeMs: HOUR_MS } }, memoryStore(), {
      game2: { speed: kick },
    }).boot();
    for (let count = 0; count < 6; count += 1) expect(add(verdict("speed"))).toBeUndefined();
    expect(score("speed")).toBe(12);
    // The longest half-life: that of the second world, 6 h.
    run(HOUR_MS);
    expect(score("speed")).toBeCloseTo(12 * 2 ** (-1 / 6), 9);
    expect(add(verdict("speed"), "game2")).toMatchObject({ rule: "speed", policy: { action: "kick", limit: 8 } });
    expect(score("speed")).toBe(0);
  });

  test("cheats below the limit of each rule reach that of all", () => {
    const own = { action: "ban", limit: 10 } as const;
    const { add } = machine({ speed: own, jump: own, fall: own, "*": { action: "ban", limit: 24 } }).boot();
    const penalties = Array.from({ length: 12 }, (_, index) =>
      add(verdict(["speed", "jump", "fall"][index % 3] as string)),
    );
    expect(penalties.slice(0, 11)).toEqual(new Array(11).fill(undefined));
    expect(penalties[11]).toMatchObject({ rule: "*", score: 24, policy: { action: "ban", limit: 24 } });
    expect(penalties[11]?.verdicts.map(({ rule }) => rule)).toEqual(["jump", "fall", "speed", "jump", "fall"]);
    // Then it begins again.
    expect(add(verdict("start"))).toBeUndefined();
  });

  test("cheating now and then reaches it too, honest play between is no excuse", () => {
    const { add, run, score } = machine({ speed: { action: "kick", limit: 20, halfLifeMs: 6 * HOUR_MS } }).boot();
    let hours = 0;
    let penalty: Penalty | undefined;
    // Three verdicts an hour, and an hour of nothing.
    while (penalty === undefined && hours < 100) {
      for (let count = 0; count < 3; count += 1) penalty ??= add(verdict("speed"));
      run(2 * HOUR_MS);
      hours += 2;
    }
    expect(penalty).toMatchObject({ rule: "speed", policy: { action: "kick" } });
    // 6 points each time, of which 2^(-1/3) are left two hours later: 6, 10.8, 14.5, 17.5, 19.9, 21.8.
    expect(hours).toBe(12);
    expect(score("speed")).toBeLessThan(6);
  });

  test("benign verdicts are none, flags weigh half of corrections", () => {
    const { add, score } = machine().boot();
    add(verdict("late", "benign"));
    expect(score("late")).toBe(0);
    add(verdict("start", "flag"));
    expect([score("start"), score("*")]).toEqual([1, 1]);
    add(verdict("teleport"));
    expect([score("teleport"), score("*")]).toEqual([2, 3]);
  });

  test("without a policy nothing follows", () => {
    const { add } = machine().boot();
    for (let count = 0; count < 1_000; count += 1) expect(add(verdict("speed"))).toBeUndefined();
  });
});

describe("restarts and clocks", () => {
  test("a score goes on where it was: running by the steady clock, between runs by the wall clock", () => {
    const { boot, wall } = machine();
    const first = boot();
    for (let count = 0; count < 8; count += 1) first.add(verdict("speed"));
    first.run(3 * HOUR_MS);
    first.stop();
    wall.ms += 3 * HOUR_MS;
    // The default half-life: 6 h.
    expect(boot().score("speed")).toBeCloseTo(8, 6);
  });

  test("a wall clock that is set while the server runs changes nothing", () => {
    const { boot, wall } = machine();
    const server = boot();
    server.add(verdict("speed"));
    for (const jumpMs of [YEAR_MS, -2 * YEAR_MS, YEAR_MS]) {
      wall.ms += jumpMs;
      expect(server.score("speed")).toBe(2);
    }
    server.run(6 * HOUR_MS);
    expect(server.score("speed")).toBeCloseTo(1, 9);
  });

  test("one that was set back between runs raises no score", () => {
    const { boot, wall } = machine();
    const first = boot();
    first.add(verdict("speed"));
    first.run(6 * HOUR_MS);
    first.stop();
    wall.ms -= YEAR_MS;
    const second = boot();
    expect(second.score("speed")).toBeLessThanOrEqual(1 + 1e-9);
    expect(second.score("speed")).toBeGreaterThan(0.99);
  });

  test("a crash loses the seconds that were not written, and no more", () => {
    const { boot } = machine();
    const first = boot();
    first.add(verdict("speed"));
    for (let polls = 0; polls < 16; polls += 1) first.ledger.poll();
    first.add(verdict("speed"));
    expect(boot().score("speed")).toBeCloseTo(2, 6);
  });

  test("connecting again does not begin anew; a session without a lasting key does", () => {
    const { boot } = machine();
    const { ledger, add, score } = boot();
    add(verdict("speed"));
    ledger.forget("game", "login:ann");
    expect(score("speed")).toBe(2);
    ledger.add({ name: "game", protocol: "game" }, "session:7", verdict("speed"));
    ledger.forget("game", "session:7");
    expect(ledger.find("game", "session:7")).toBeUndefined();
  });
});

describe("bounds", () => {
  test("thousands of accounts: the lowest give way, a high score stays", () => {
    const { boot, store } = machine();
    const { ledger, add, score } = boot();
    for (let count = 0; count < 20; count += 1) add(verdict("speed"));
    for (let number = 0; number < 9_000; number += 1) {
      ledger.add({ name: "game", protocol: "game" }, `address:2001:db8:${number.toString(16)}::/64`, verdict("speed"));
    }
    expect(ledger.size).toBe(4_000);
    expect(score("speed")).toBe(40);
    ledger.close();
    const records = store.list("ledger");
    expect(records.length).toBe(64);
    const accounts = records.flatMap(({ record }) => Object.keys(record.accounts as object));
    expect(accounts.length).toBe(4_000);
    expect(accounts).toContain("game/login:ann");
  });

  test("damaged records are left out, and a store that fails is named and tried again", () => {
    const { boot, store } = machine();
    for (const accounts of [
      { "game/login:ann": { speed: [Number.NaN, 1], jump: "x" }, "no-key": {}, "game/else": 4 },
      7,
    ]) {
      store.put("ledger", String(accounts), { fromMs: NOON_MS, fromRunMs: 0, accounts } as never);
    }
    store.put("ledger", "3", { fromMs: "yesterday" });
    expect(boot().ledger.list()).toEqual([]);
    let isFull = true;
    const failing: Store = {
      ...store,
      put: (...args) => {
        if (isFull) throw new Error("disk full");
        store.put(...args);
      },
    };
    const { ledger, add } = machine({}, failing).boot();
    add(verdict("speed"));
    ledger.poll();
    expect(ledger.problem).toBe("disk full");
    isFull = false;
    ledger.poll();
    expect(ledger.problem).toBeUndefined();
    expect(store.list("ledger").some(({ record }) => JSON.stringify(record).includes('login:ann":{"speed"'))).toBe(
      true,
    );
  });

  test.each([
    [{ seed: { action: "kick" } }, "game has no rule seed, only jump, speed and *"],
    [
      { speed: { action: "hang" } },
      "The policy of game.speed has the unknown action hang, expected log, tell, kick, ban",
    ],
    [{ speed: { action: "kick", limit: 2 } }, "The policy of game.speed: limit must be within 4..1000000, got 2"],
    [{ "*": { halfLifeMs: 0 } }, "The policy of game.*: halfLifeMs must be within 60000..31536000000, got 0"],
    [{ jump: { banMs: Number.NaN } }, "The policy of game.jump: banMs must be within 1000..31536000000, got NaN"],
  ])("a policy %j is refused", (policies, why) => {
    expect(() => checkPolicies("game", policies as Policies, ["speed", "jump"])).toThrow(new RangeError(why));
  });
});

describe("two servers with one store", () => {
  test("add to the scores that both have found, and know the sum after their next writes", () => {
    const { boot, store } = machine({ speed: { halfLifeMs: HOUR_MS } });
    const [a, b] = [boot(), boot()];
    for (let count = 0; count < 3; count += 1) a.add(verdict("speed"));
    for (let count = 0; count < 2; count += 1) b.add(verdict("speed"));
    a.ledger.poll();
    b.ledger.poll();
    expect(b.score("speed")).toBe(10);
    a.add(verdict("speed"));
    a.ledger.poll();
    expect(a.score("speed")).toBe(12);
    expect(a.ledger.find("game", "login:ann")?.scores[0]?.verdicts).toBe(6);
    // Nothing is added twice.
    b.ledger.close();
    a.ledger.close();
    const third = machine({ speed: { halfLifeMs: HOUR_MS } }, store).boot();
    expect(third.score("speed")).toBe(12);
  });

  test("a limit that only both together reach is reached, and begins anew in the store too", () => {
    const { boot } = machine({ speed: { limit: 9, action: "kick" } });
    const [a, b] = [boot(), boot()];
    for (let count = 0; count < 3; count += 1) expect(a.add(verdict("speed"))).toBeUndefined();
    a.ledger.poll();
    expect(b.add(verdict("speed"))).toBeUndefined();
    b.ledger.poll();
    expect(b.add(verdict("speed"))).toMatchObject({ rule: "speed", score: 10 });
    b.ledger.poll();
    expect(b.score("speed")).toBe(0);
    // What it has seen before the penalty is forgotten with the store's.
    expect(a.add(verdict("speed"))).toBeUndefined();
    a.ledger.poll();
    expect(a.score("speed")).toBe(2);
  });
});
