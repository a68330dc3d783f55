import { describe, expect, test } from "vitest";
import { type TrackSnapshot, TrackWriter } from "wirewalk/motion";
import { VirtualClock } from "wirewalk/net";
import { type Connection, FeedClient, type FeedSocket, pauseBefore } from "./feed-client.ts";

class FakeSocket implements FeedSocket {
  onopen: FeedSocket["onopen"] = null;
  onmessage: FeedSocket["onmessage"] = null;
  onclose: FeedSocket["onclose"] = null;
  binaryType: FeedSocket["binaryType"] = "blob";
  isClosed = false;
  readonly sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.isClosed = true;
  }
}

function setUp() {
  const clock = new VirtualClock();
  const sockets: FakeSocket[] = [];
  const connections: Connection[] = [];
  const messages: unknown[] = [];
  const snapshots: TrackSnapshot[] = [];
  const feed = new FeedClient({
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    clock,
    onConnection: (connection) => connections.push(connection),
    onMessage: (message) => messages.push(message),
    onTracks: (snapshot) => snapshots.push(snapshot),
  });
  return { clock, sockets, connections, messages, snapshots, feed, last: () => sockets.at(-1) as FakeSocket };
}

const hello = { data: JSON.stringify({ type: "hello", version: 3, token: "t", worlds: [] }) };

test("is open from the first message on, and hands messages over", () => {
  const { connections, messages, last } = setUp();
  last().onopen?.();
  expect(connections.at(-1)).toEqual({ state: "connecting" });
  last().onmessage?.(hello);
  expect(connections.at(-1)).toEqual({ state: "open" });
  expect(messages).toEqual([{ type: "hello", version: 3, token: "t", worlds: [] }]);
});

test("sends nothing before the socket is open", () => {
  const { feed, last } = setUp();
  feed.send({ type: "watch", world: "p", room: null });
  expect(last().sent).toEqual([]);
  last().onopen?.();
  feed.send({ type: "watch", world: "p", room: "1" });
  expect(last().sent).toEqual(['{"type":"watch","world":"p","room":"1"}']);
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
  last().onclose?.({ code: 1008, reason: "no such world" });
  expect(connections.at(-1)).toEqual({ state: "refused", reason: "no such world" });
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

test.each([1, 2, 4, undefined])("does not read a feed of version %s, and asks for a reload", (version) => {
  const { clock, sockets, connections, messages, last } = setUp();
  last().onmessage?.({ data: JSON.stringify({ type: "hello", version, token: "t", worlds: [] }) });
  expect(connections.at(-1)).toMatchObject({ state: "refused", reason: expect.stringContaining("Reload the page") });
  expect(messages).toEqual([]);
  expect(last().isClosed).toBe(true);
  clock.advanceBy(60_000);
  expect(sockets.length).toBe(1);
});

describe("tracks", () => {
  const track = { player: 1, room: "1", atMs: 0, position: { x: 1, y: 2 }, velocity: { x: 0, y: 0 } };
  const walker = { ...track, facingTurns: 0, stance: "stand", source: "observed" } as const;
  const bytes = (of: Uint8Array | undefined) => ({ data: Uint8Array.from(of ?? []).buffer });

  test("are read from a full snapshot on, and nothing else of binary messages", () => {
    const { snapshots, last } = setUp();
    const writer = new TrackWriter({ stream: 1, world: "p", room: "1" });
    expect(last().binaryType).toBe("arraybuffer");
    last().onmessage?.(bytes(writer.update(50, [walker])));
    expect(snapshots).toEqual([]);
    last().onmessage?.(bytes(writer.full(50)));
    last().onmessage?.(bytes(writer.update(100, [{ ...walker, position: { x: 5, y: 2 } }])));
    expect(snapshots.map(({ tracks }) => tracks.get(1)?.position)).toEqual([
      { x: 1, y: 2 },
      { x: 5, y: 2 },
    ]);
  });

  test("that cannot be read end the connection, and the next one begins with a full snapshot", () => {
    const { clock, sockets, snapshots, connections, last } = setUp();
    const writer = new TrackWriter({ stream: 1, world: "p", room: "1" });
    last().onmessage?.(hello);
    last().onmessage?.(bytes(writer.full(50)));
    last().onmessage?.(bytes(Uint8Array.of(9)));
    expect(last().isClosed).toBe(true);
    last().onclose?.({ code: 1005, reason: "" });
    expect(connections.at(-1)).toMatchObject({ state: "lost" });
    clock.advanceBy(500);
    expect(sockets.length).toBe(2);
    last().onmessage?.(hello);
    last().onmessage?.(bytes(writer.full(100)));
    expect(snapshots.map(({ atMs }) => atMs)).toEqual([50, 100]);
  });
});
