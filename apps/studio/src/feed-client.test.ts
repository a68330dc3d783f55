import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { type Connection, FeedClient, type FeedSocket, pauseBefore } from "./feed-client.ts";

class FakeSocket implements FeedSocket {
  onopen: FeedSocket["onopen"] = null;
  onmessage: FeedSocket["onmessage"] = null;
  onclose: FeedSocket["onclose"] = null;
  readonly sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {}
}

function setUp() {
  const clock = new VirtualClock();
  const sockets: FakeSocket[] = [];
  const connections: Connection[] = [];
  const messages: unknown[] = [];
  const feed = new FeedClient({
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    clock,
    onConnection: (connection) => connections.push(connection),
    onMessage: (message) => messages.push(message),
  });
  return { clock, sockets, connections, messages, feed, last: () => sockets.at(-1) as FakeSocket };
}

const hello = { data: JSON.stringify({ type: "hello", token: "t", protocols: [] }) };

test("is open from the first message on, and hands messages over", () => {
  const { connections, messages, last } = setUp();
  last().onopen?.();
  expect(connections.at(-1)).toEqual({ state: "connecting" });
  last().onmessage?.(hello);
  expect(connections.at(-1)).toEqual({ state: "open" });
  expect(messages).toEqual([{ type: "hello", token: "t", protocols: [] }]);
});

test("sends nothing before the socket is open", () => {
  const { feed, last } = setUp();
  feed.send({ type: "watch", protocol: "p", room: null });
  expect(last().sent).toEqual([]);
  last().onopen?.();
  feed.send({ type: "watch", protocol: "p", room: "1" });
  expect(last().sent).toEqual(['{"type":"watch","protocol":"p","room":"1"}']);
});

test("tries again with pauses that double up to eight seconds, and begin anew after a success", () => {
  expect([0, 1, 2, 3, 4, 5, 60].map(pauseBefore)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  const { clock, sockets, connections, last } = setUp();
  const fail = (): number => {
    const before = clock.now();
    last().onclose?.({ code: 1006, reason: "" });
    const connection = connections.at(-1);
    return connection?.state === "lost" ? connection.retryAtMs - before : Number.NaN;
  };
  expect(fail()).toBe(500);
  clock.advanceBy(500);
  expect(sockets.length).toBe(2);
  expect(fail()).toBe(1_000);
  clock.advanceBy(1_000);
  last().onmessage?.(hello);
  expect(fail()).toBe(500);
});

test("`retryNow` connects at once, and only once", () => {
  const { clock, sockets, feed, last } = setUp();
  last().onclose?.({ code: 1006, reason: "" });
  feed.retryNow();
  feed.retryNow();
  expect(sockets.length).toBe(2);
  clock.advanceBy(60_000);
  expect(sockets.length).toBe(2);
});

test("does not repeat what the server has refused", () => {
  const { clock, sockets, connections, last } = setUp();
  last().onclose?.({ code: 1008, reason: "no such protocol" });
  expect(connections.at(-1)).toEqual({ state: "refused", reason: "no such protocol" });
  clock.advanceBy(60_000);
  expect(sockets.length).toBe(1);
});

test.each([
  [true, "shutdown", "The server ended the connection (shutdown)."],
  [true, "", "The connection to the server broke."],
  [false, "", "The server does not answer."],
])("says why in a sentence (fed %s, %j)", (wasFed, reason, sentence) => {
  const { connections, last } = setUp();
  if (wasFed) last().onmessage?.(hello);
  last().onclose?.({ code: 1001, reason });
  expect(connections.at(-1)).toMatchObject({ state: "lost", reason: sentence });
});
