import { expect, test } from "vitest";
import { Inbox } from "./inbox.ts";
import type { TransportEvents } from "./transport.ts";

/** An inbox whose turns the test takes, and the events that it delivered. */
function setUp(): { inbox: Inbox; calls: (number[] | string)[]; events: TransportEvents; turn(): void } {
  const turns: (() => void)[] = [];
  const calls: (number[] | string)[] = [];
  return {
    inbox: new Inbox((call) => turns.push(call)),
    calls,
    events: { bytes: (bytes) => calls.push([...bytes]), closed: (reason) => calls.push(reason) },
    turn: () => {
      for (const call of turns.splice(0)) call();
    },
  };
}

const one = new Uint8Array([1]);
const two = new Uint8Array([2, 2]);

test("early bytes and the end wait for a listener, and come after listen", () => {
  const { inbox, calls, events, turn } = setUp();
  inbox.bytes(one);
  inbox.bytes(two);
  expect(inbox.earlyBytes).toBe(3);
  inbox.closed("gone");
  inbox.listen(events);
  expect(calls).toEqual([]);
  turn();
  expect(calls).toEqual([[1], [2, 2], "gone"]);
  expect(inbox.earlyBytes).toBe(0);
});

test("what comes between listen and its turn keeps its place", () => {
  const { inbox, calls, events, turn } = setUp();
  inbox.bytes(one);
  inbox.listen(events);
  inbox.bytes(two);
  turn();
  expect(calls).toEqual([[1], [2, 2]]);
});

test("`closed` is called once, and nothing after it", () => {
  const { inbox, calls, events, turn } = setUp();
  inbox.listen(events);
  turn();
  inbox.closed("first");
  inbox.closed("second");
  inbox.bytes(one);
  expect(calls).toEqual(["first"]);
});

test("a muted inbox delivers only the end, and keeps no bytes", () => {
  const { inbox, calls, events, turn } = setUp();
  inbox.bytes(two);
  inbox.mute();
  inbox.bytes(one);
  expect(inbox.earlyBytes).toBe(0);
  inbox.listen(events);
  turn();
  inbox.bytes(one);
  inbox.closed("own wish");
  expect(calls).toEqual(["own wish"]);
});

test("a listener that closes during early bytes receives no more of them", () => {
  const { inbox, calls, turn } = setUp();
  inbox.bytes(one);
  inbox.bytes(two);
  inbox.listen({
    bytes(bytes) {
      calls.push([...bytes]);
      inbox.mute();
    },
    closed: (reason) => calls.push(reason),
  });
  turn();
  inbox.closed("own wish");
  expect(calls).toEqual([[1], "own wish"]);
});
