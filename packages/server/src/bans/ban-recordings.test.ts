import { expect, test } from "vitest";
import { memoryStore, VirtualClock } from "wirewalk/net";
import { Bans } from "./bans.ts";

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const ban = { name: "ann", reason: "speed", durationMs: 60_000, evidence: [] } as const;

function machine(store = memoryStore()) {
  const clock = new VirtualClock();
  return { store, clock, bans: new Bans(store, { clock, epochNow: () => NOON_MS + clock.now() }) };
}

test("a recording stays with its ban, also for another run, and goes with it", () => {
  const { store, clock, bans } = machine();
  const bytes = Uint8Array.from({ length: 999 }, (_, at) => at);
  expect(bans.keepRecording("game", "login:ann", bytes)).toBe(false);
  bans.add("game", { ...ban, key: "login:ann" });
  expect(bans.keepRecording("game", "login:ann", bytes)).toBe(true);
  expect(new Bans(store, { clock, epochNow: () => NOON_MS + clock.now() }).recording("game", "login:ann")).toEqual(
    bytes,
  );
  bans.lift("game", "login:ann");
  expect([bans.recording("game", "login:ann"), store.list("ban-recordings")]).toEqual([undefined, []]);
  bans.add("game", { ...ban, key: "login:ann" });
  bans.keepRecording("game", "login:ann", bytes);
  clock.advanceBy(61_000);
  bans.poll();
  expect(store.list("ban-recordings")).toEqual([]);
});

test("all together are bounded: the oldest give way, also those of an earlier run", () => {
  const { store, clock, bans } = machine();
  const part = new Uint8Array(10_000_000);
  for (const key of ["login:c", "login:a"] as const) {
    bans.add("game", { ...ban, key });
    bans.keepRecording("game", key, part);
    clock.advanceBy(10);
  }
  const again = new Bans(store, { clock, epochNow: () => NOON_MS + clock.now() });
  for (const key of ["login:b", "login:d"] as const) {
    again.add("game", { ...ban, key });
    expect(again.keepRecording("game", key, part)).toBe(true);
  }
  const kept = (["login:a", "login:b", "login:c", "login:d"] as const).filter((key) => again.recording("game", key));
  expect(kept).toEqual(["login:a", "login:b", "login:d"]);
  expect(again.keepRecording("game", "login:a", new Uint8Array(32_000_001))).toBe(false);
});

test("a store that fails costs the recording, not the ban", () => {
  const store = memoryStore();
  const { clock } = machine();
  const failing = {
    ...store,
    put: (table: string, key: string, record: Parameters<typeof store.put>[2]) => {
      if (table === "ban-recordings") throw new Error("disk full");
      store.put(table, key, record);
    },
  };
  const bans = new Bans(failing, { clock, epochNow: () => NOON_MS });
  bans.add("game", { ...ban, key: "login:ann" });
  expect(bans.keepRecording("game", "login:ann", new Uint8Array(9))).toBe(false);
  expect([bans.problem, bans.list().length]).toEqual(["disk full", 1]);
});
