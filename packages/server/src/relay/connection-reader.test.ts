/** What a reader of one connection says of bytes that are never read. */
import { expect, test } from "vitest";
import { osrs } from "wirewalk/osrs";
import type { PlayableProtocol, Side, StreamOptionValues } from "wirewalk/protocol";
import { parseHex } from "wirewalk/wire";
import { ConnectionReader } from "./connection-reader.ts";
import type { RelayEvent } from "./relay-events.ts";

function reading(options: StreamOptionValues = { skipLogin: true }) {
  const events: RelayEvent[] = [];
  const reader = new ConnectionReader({
    protocol: osrs.capabilities.settings?.configure({ revision: 239 }) as PlayableProtocol,
    dialect: "client",
    options,
    connection: 1,
    emit: (event) => events.push(event),
    requested: () => {},
    judge: () => {},
    observe: () => {},
    missed: () => {},
    lost: () => {},
  });
  const push = (direction: Side, hex: string): void => {
    reader.bytes(direction, parseHex(hex), { arrivedMs: 0, timeMs: 0 }).read(() => false);
  };
  return { reader, push, events };
}

const session = "001111111111111111";

test("a login that the server refuses ends both directions, and every byte of them counts as unread", () => {
  const { reader, push, events } = reading();
  push("client", "0e100003aabbcc");
  push("server", `${session}03`);
  push("client", "0102");
  reader.close({ arrivedMs: 0, timeMs: 0 });
  expect(events).toMatchObject([
    { event: "lost", direction: "server", reason: expect.stringContaining("code 3") },
    { event: "lost", direction: "client", reason: expect.stringContaining("of the client after its start") },
  ]);
  expect(reader.counts.client).toEqual({ bytes: 9, messages: 0, unreadable: 0, unreadBytes: 9 });
  expect(reader.counts.server).toEqual({ bytes: 10, messages: 0, unreadable: 0, unreadBytes: 10 });
});

test("a login without an end is lost at the end of the connection", () => {
  const { reader, push, events } = reading();
  push("client", "0e100003aabbcc");
  push("server", session);
  reader.close({ arrivedMs: 0, timeMs: 0 });
  expect(events).toMatchObject([
    {
      event: "lost",
      direction: "client",
      reason: expect.stringContaining("ended within a message or a login, 7 bytes"),
    },
    {
      event: "lost",
      direction: "server",
      reason: expect.stringContaining("ended within a message or a login, 9 bytes"),
    },
  ]);
  expect([reader.counts.client.unreadBytes, reader.counts.server.unreadBytes]).toEqual([7, 9]);
});

test("what a login stands for is shown before the first packet", () => {
  const { reader, push, events } = reading();
  push("client", "0e");
  push("server", `${session}022500000000000000 01f301 ${"22".repeat(24)} 53`.replaceAll(" ", ""));
  push("client", "");
  reader.close({ arrivedMs: 0, timeMs: 0 });
  expect(events).toMatchObject([
    { event: "unframed", direction: "server", what: "login" },
    { event: "message", direction: "server", message: "playerIndex", value: { index: 499 } },
    { event: "message", direction: "server", message: "serverTickEnd", value: {} },
    { event: "unframed", direction: "client", what: "login" },
  ]);
  expect([reader.counts.client.unreadBytes, reader.counts.server.unreadBytes]).toEqual([0, 0]);
});

test("a connection that begins in the middle is lost at its first byte", () => {
  const { reader, push, events } = reading();
  push("server", "530000");
  push("client", "59");
  reader.close({ arrivedMs: 0, timeMs: 0 });
  expect(events).toMatchObject([
    { event: "lost", direction: "server", reason: expect.stringContaining("with code 83, expected 0") },
    { event: "lost", direction: "client", reason: expect.stringContaining("refused it") },
  ]);
  expect([reader.counts.client.unreadBytes, reader.counts.server.unreadBytes]).toEqual([1, 3]);
});

test("a login that ends with its connection, one of whose ends is silent, is lost", () => {
  const { reader, push, events } = reading();
  push("client", "0e");
  reader.close({ arrivedMs: 0, timeMs: 0 });
  expect(events).toMatchObject([
    { event: "lost", direction: "client", reason: expect.stringContaining("1 byte after") },
  ]);
  expect([reader.counts.client.unreadBytes, reader.counts.server.unreadBytes]).toEqual([1, 0]);
});

test("an unknown opcode ends a direction, and every byte from it on counts", () => {
  const { reader, push, events } = reading({});
  // Two ends of ticks, then an opcode that revision 239 does not have, and what follows in the same piece and in the next.
  push("server", "5353 fffe 0102030405");
  push("server", "53535353");
  reader.close({ arrivedMs: 0, timeMs: 0 });
  expect(events).toMatchObject([
    { event: "message", message: "serverTickEnd" },
    { event: "message", message: "serverTickEnd" },
    {
      event: "lost",
      direction: "server",
      reason: expect.stringContaining("after 2 messages, the last one SERVER_TICK_END"),
    },
  ]);
  expect(reader.counts.server).toEqual({ bytes: 13, messages: 2, unreadable: 0, unreadBytes: 11 });
});

test("a message that the end of the connection cuts is lost", () => {
  const { reader, push, events } = reading({});
  push("server", "53 1c0003 007f");
  reader.close({ arrivedMs: 0, timeMs: 0 });
  expect(events).toMatchObject([
    { event: "message" },
    { event: "lost", reason: expect.stringContaining("5 bytes after") },
  ]);
  expect(reader.counts.server.unreadBytes).toBe(5);
});
