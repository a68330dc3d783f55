import { expect, test } from "vitest";
import { Inbox } from "./inbox.ts";
import type { TransportEvents } from "./transport.ts";

/** An inbox whose turns the test takes, and the events that it delivered. */
function setUp(): { inbox: Inbox; told: (number[] | string)[]; events: TransportEvents; turn(): void } {
  const turns: (() => void)[] = [];
  const told: (number[] | string)[] = [];
  return {
    inbox: new Inbox((call) => turns.push(call)),
    told,
    events: { bytes: (bytes) => told.push([...bytes]), closed: (reason) => told.push(reason) },
    turn: () => {
      for (const call of turns.splice(0)) call();
    },
  };
}

const one = new Uint8Array([1]);
const two = new Uint8Array([2, 2]);

test("early bytes and the end wait for a listener, and come after listen", () => {
  const { inbox, told, events, turn } = setUp();
  inbox.bytes(one);
  inbox.bytes(two);
  expect(inbox.earlyBytes).toBe(3);
  inbox.closed("gone");
  inbox.listen(events);
  expect(told).toEqual([]);
  turn();
  expect(told).toEqual([[1], [2, 2], "gone"]);
  expect(inbox.earlyBytes).toBe(0);
});

test("what comes between listen and its turn keeps its place", () => {
  const { inbox, told, events, turn } = setUp();
  inbox.bytes(one);
  inbox.listen(events);
  inbox.bytes(two);
  turn();
  expect(told).toEqual([[1], [2, 2]]);
});

test("`closed` is called once, and nothing after it", () => {
  const { inbox, told, events, turn } = setUp();
  inbox.listen(events);
  turn();
  inbox.closed("first");
  inbox.closed("second");
  inbox.bytes(one);
  expect(told).toEqual(["first"]);
});

test("a muted inbox delivers only the end, and keeps no bytes", () => {
  const { inbox, told, events, turn } = setUp();
  inbox.bytes(two);
  inbox.mute();
  inbox.bytes(one);
  expect(inbox.earlyBytes).toBe(0);
  inbox.listen(events);
  turn();
  inbox.bytes(one);
  inbox.closed("own wish");
  expect(told).toEqual(["own wish"]);
});

test("a listener that closes during early bytes receives no more of them", () => {
  const { inbox, told, turn } = setUp();
  inbox.bytes(one);
  inbox.bytes(two);
  inbox.listen({
    bytes(bytes) {
      told.push([...bytes]);
      inbox.mute();
    },
    closed: (reason) => told.push(reason),
  });
  turn();
  inbox.closed("own wish");
  expect(told).toEqual([[1], "own wish"]);
});
