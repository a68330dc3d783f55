import { pino } from "pino";
import { expect, test } from "vitest";
import type { Clock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { LogBudget } from "../runtime/log-budget.ts";
import { HostedWorld, type Member } from "./hosted-world.ts";

/** A world with two members whose writes take as long as the test says. */
function arrange(flushMs = 0) {
  const state = { nowMs: 0, writeMs: 0, writes: 0, planned: [] as { delayMs: number; call: () => void }[] };
  const clock: Clock = {
    now: () => state.nowMs,
    after: (delayMs, call) => {
      state.planned.push({ delayMs, call });
      return () => {};
    },
    every: () => () => {},
  };
  const world = new HostedWorld({
    protocol: fakeProtocol,
    dialect: "plain",
    clock,
    seed: 1,
    enforcement: "enforce",
    demo: false,
    flushMs,
    log: new LogBudget(pino({ level: "silent" }), { clock, linesPerMinute: 1 }),
    observer: { verdict: () => {}, observed: () => {}, moved: () => {}, carried: () => {} },
    banned: () => {},
  });
  const member = (): Member => ({
    account: "login:ann",
    banKey: "login:ann",
    queuedBytes: 0,
    framing: { frame: (payload) => payload },
    deliver: () => {
      state.writes += 1;
      state.nowMs += state.writeMs;
      return true;
    },
    note: () => {},
    saveChannel: () => ({ schema: 1, channel: "plain", state: {} }),
    end: () => {},
  });
  for (const name of ["ann", "bob"]) world.join(member(), { account: name, name });
  const say = (): void => world.receive(1, { message: "say", value: { text: "x" } }, new Uint8Array(0));
  const delays = (): readonly number[] => state.planned.map(({ delayMs }) => delayMs);
  return { state, say, delays };
}
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a quiet world flushes once at the end of a turn, for any number of messages in it", async () => {
  const { state, say } = arrange();
  await nextTurn();
  expect(state.writes).toBe(2);
  say();
  say();
  expect(state.writes).toBe(2);
  await nextTurn();
  expect(state.writes).toBe(3);
  expect(state.planned).toEqual([]);
});

test("after a flush it rests for a quarter of its first 15 ms and for all that was longer, at most 25 ms", async () => {
  const { state, say, delays } = arrange();
  state.writeMs = 4;
  await nextTurn();
  say();
  say();
  await nextTurn();
  expect(delays()).toEqual([2]);
  state.nowMs += 2;
  state.writeMs = 1_000;
  state.planned[0]?.call();
  say();
  expect(delays()).toEqual([2, 25]);
  state.nowMs += 25;
  state.writeMs = 0;
  state.planned[1]?.call();
  say();
  const { writes } = state;
  await nextTurn();
  expect(state.writes).toBe(writes + 1);
  expect(state.planned).toHaveLength(2);
  // One write of 20 ms: a quarter of 15, and 5.
  state.writeMs = 20;
  say();
  await nextTurn();
  say();
  expect(delays()).toEqual([2, 25, 9]);
});

test("after a short flush it rests for as long as that took, as far as both stay within 4 ms", async () => {
  const { state, say, delays } = arrange();
  // To each of two players.
  state.writeMs = 1;
  await nextTurn();
  say();
  expect(delays()).toEqual([2]);
  state.nowMs += 2;
  state.writeMs = 3;
  state.planned[0]?.call();
  say();
  expect(delays()).toEqual([2, 1]);
});

test("with a time of merging it is that time", () => {
  const { delays } = arrange(50);
  expect(delays()).toEqual([50]);
});
