import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { WireLog } from "./wire-log.ts";

const verdict = (message: string) =>
  ({
    kind: "reject",
    rule: "r",
    reason: "",
    player: 1,
    name: null,
    room: "1",
    atMs: 0,
    measured: null,
    allowed: null,
    unit: null,
    message,
    stateBefore: {},
  }) as const;

function setUp() {
  const clock = new VirtualClock();
  const log = new WireLog(clock);
  return { clock, log, ids: () => log.shown.value.map(({ id }) => id) };
}

test("shows the newest first, a few times a second", () => {
  const { clock, log, ids } = setUp();
  log.add({ sender: "client", payload: new Uint8Array([1]) });
  log.add({ sender: "server", payload: new Uint8Array([2]) });
  expect(ids()).toEqual([]);
  clock.advanceBy(200);
  expect(ids()).toEqual([2, 1]);
});

test("what is received never pushes out what was sent", () => {
  const { clock, log } = setUp();
  log.add({ sender: "client", payload: new Uint8Array([1]) });
  for (let count = 0; count < 5_000; count++) log.add({ sender: "server", payload: new Uint8Array([2]) });
  clock.advanceBy(200);
  expect(log.shown.value.length).toBe(601);
  expect(log.shown.value.at(-1)?.sender).toBe("client");
});

test("verdicts on equal bytes go to the messages in the order in which they were sent", () => {
  const { clock, log } = setUp();
  log.add({ sender: "client", payload: new Uint8Array([1, 0xab]) });
  log.add({ sender: "client", payload: new Uint8Array([1, 0xab]) });
  const first = verdict("01 AB");
  const second = verdict("01ab");
  log.judge(first);
  log.judge(second);
  log.judge(verdict("01ab"));
  clock.advanceBy(200);
  expect(log.shown.value.map((entry) => entry.verdict.value)).toEqual([second, first]);
});

test("in a recording a verdict goes to the newest of equal messages up to its time", () => {
  const { clock, log } = setUp();
  const record = { sender: "client", player: 1 } as const;
  for (const ms of [10, 20, 30]) log.addFed({ ...record, payload: new Uint8Array([1]) }, 0, ms);
  const late = verdict("01");
  log.judge(late, false, 20.001);
  clock.advanceBy(200);
  expect(log.shown.value.map((entry) => [entry.recordedMs, entry.verdict.value])).toEqual([
    [30, undefined],
    [20, late],
    [10, undefined],
  ]);
});

test("a verdict that comes late is about no message of now", () => {
  const { clock, log } = setUp();
  log.add({ sender: "client", payload: new Uint8Array([1]) });
  clock.advanceBy(60_000);
  log.judge(verdict("01"));
  expect(log.shown.value[0]?.verdict.value).toBeUndefined();
});

test("clear empties it", () => {
  const { clock, log, ids } = setUp();
  log.add({ sender: "client", payload: new Uint8Array([1]) });
  log.clear();
  clock.advanceBy(200);
  expect(ids()).toEqual([]);
});

test("finds the entry of the very bytes that were logged, as long as it is kept", () => {
  const { log } = setUp();
  const [payload, equal] = [new Uint8Array([7]), new Uint8Array([7])];
  log.add({ sender: "server", payload: equal });
  log.add({ sender: "server", payload });
  expect(log.find(payload)?.id).toBe(2);
  expect(log.find(new Uint8Array([7]))).toBeUndefined();
  log.clear();
  expect(log.find(payload)).toBeUndefined();
});
