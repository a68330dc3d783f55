import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { encodeLatin1, formatHex, parseHex, rc4 } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { Channel, Received, WireMessage } from "../../codec.ts";
import { openSlimeChannel } from "./channel.ts";
import type { SlimeClientMessage, SlimeServerMessage } from "./codec.ts";
import { type SlimeDialect, slimeDialects } from "./dialect.ts";
import { MAX_PAYLOAD_BYTES } from "./messages.ts";
import { moveMessage } from "./move-player.ts";

const dialects = slimeDialects.map(({ name }) => name);

const serverEnd = (dialect: SlimeDialect, carrier: "stream" | "message" = "stream") =>
  openSlimeChannel({ side: "server", dialect, carrier });
const clientEnd = (dialect: SlimeDialect, carrier: "stream" | "message" = "stream") =>
  openSlimeChannel({ side: "client", dialect, carrier });

/** All that a channel has ready. */
function drain<M extends WireMessage>(channel: Channel<M, never>): Received<M>[] {
  const all: Received<M>[] = [];
  for (let next = channel.next(); next !== undefined; next = channel.next()) all.push(next);
  return all;
}

const messagesOf = <M extends WireMessage>(channel: Channel<M, never>): (M | undefined)[] =>
  drain(channel).map(({ message }) => message);

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const right = moveMessage("rightPress", 448, 160);
const leftAir = moveMessage("leftPressAir");
const rightOf5: SlimeServerMessage = { message: "movePlayer", value: { playerId: 5, ...right.value } };

describe("the bytes of the standard", () => {
  test.each<[string, SlimeDialect, string, SlimeClientMessage]>([
    ["standard 11, v0106 frame", "v0106", "07 00 60 a2 07 e5 86 ee a1", right],
    ["standard 11, v0106 frame", "v0106", "03 00 60 a2 0f", leftAir],
    ["issue, TCP client in documented", "documented", "07 00 00 08 02 c0 01 a0 00", right],
  ])("%s (%s): %s", (_, dialect, hex, message) => {
    expect(formatHex(clientEnd(dialect).write(message))).toBe(hex);
    const server = serverEnd(dialect);
    server.push(parseHex(hex));
    expect(messagesOf(server)).toEqual([message]);
  });

  test.each<[string, SlimeDialect, string]>([
    ["standard 11, v0106 broadcast", "v0106", "09 00 e6 70 8f e9 2c 5c e4 7d 7b"],
    ["issue, B receives in documented", "documented", "09 00 00 08 05 00 02 c0 01 a0 00"],
  ])("%s (%s): %s", (_, dialect, hex) => {
    expect(formatHex(serverEnd(dialect).write(rightOf5))).toBe(hex);
    const client = clientEnd(dialect);
    client.push(parseHex(hex));
    expect(messagesOf(client)).toEqual([rightOf5]);
  });

  it("RC4 as standard 2.3 checks it", () => {
    expect(formatHex(rc4(encodeLatin1("Key"), encodeLatin1("Plaintext")))).toBe("bb f3 16 e8 d9 40 af 0a d3");
  });
});

describe.each(dialects)("a stream in %s", (dialect) => {
  const sent: SlimeClientMessage[] = [right, leftAir, moveMessage("upPress", 7), moveMessage("landing", 1, 2)];

  it("is split at any byte", () => {
    const bytes = concat(...sent.map((message) => clientEnd(dialect).write(message)));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const server = serverEnd(dialect);
      server.push(bytes.subarray(0, cut));
      const before = messagesOf(server);
      server.push(bytes.subarray(cut));
      expect([...before, ...messagesOf(server)]).toEqual(sent);
      expect(server.pendingBytes).toBe(0);
    }
  });

  it("comes byte by byte", () => {
    const server = serverEnd(dialect);
    const read: unknown[] = [];
    for (const byte of concat(...sent.map((message) => clientEnd(dialect).write(message)))) {
      server.push(Uint8Array.of(byte));
      read.push(...messagesOf(server));
    }
    expect(read).toEqual(sent);
  });

  it("is cut and glued in any way", () => {
    const bytes = concat(...sent.map((message) => clientEnd(dialect).write(message)));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const server = serverEnd(dialect);
        const read: unknown[] = [];
        let from = 0;
        for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
          server.push(bytes.subarray(from, cut));
          read.push(...messagesOf(server));
          from = cut;
        }
        expect(read).toEqual(sent);
      }),
    );
  });

  it("what one side writes the other reads, in both directions", () => {
    const client = clientEnd(dialect);
    const server = serverEnd(dialect);
    for (const message of sent) server.push(client.write(message));
    expect(messagesOf(server)).toEqual(sent);
    for (let round = 0; round < 3; round++) client.push(server.write(rightOf5));
    expect(messagesOf(client)).toEqual([rightOf5, rightOf5, rightOf5]);
  });

  it("may reuse the memory of its chunks", () => {
    const chunk = clientEnd(dialect).write(right).slice();
    const server = serverEnd(dialect);
    server.push(chunk);
    chunk.fill(0xee);
    expect(messagesOf(server)).toEqual([right]);
  });

  it("has no greeting", () => {
    expect(serverEnd(dialect).handshake).toBeUndefined();
    expect(clientEnd(dialect).handshake).toBeUndefined();
  });

  it("a payload is framed alike on every channel: one frame for many", () => {
    const payload = parseHex("01 02 03");
    const channels = [serverEnd(dialect), serverEnd(dialect)];
    channels[0]?.write(rightOf5);
    expect(channels.every(({ sharesFrames }) => sharesFrames)).toBe(true);
    expect(channels[0]?.frame(payload)).toEqual(channels[1]?.frame(payload));
    // The payload stays as it is: others are sent it too.
    expect(payload).toEqual(parseHex("01 02 03"));
  });

  it("an invalid payload is returned with its error, and the stream goes on", () => {
    const client = clientEnd(dialect);
    const server = serverEnd(dialect);
    server.push(concat(client.frame(parseHex("00")), client.write(right), client.frame(parseHex("63 63 63"))));
    server.push(client.write(leftAir));
    const received = drain(server);
    expect(received.map(({ message }) => message)).toEqual([undefined, right, undefined, leftAir]);
    expect(received[0]).toMatchObject({ payload: parseHex("00"), error: { code: "truncated", path: "type" } });
    expect(received[2]).toMatchObject({ payload: parseHex("63 63 63"), error: { code: "unknown-message" } });
  });

  it("an empty payload is refused, and the stream goes on", () => {
    const server = serverEnd(dialect);
    server.push(concat(parseHex("00 00"), clientEnd(dialect).write(right), parseHex("00 00")));
    const received = drain(server);
    expect(received.map(({ message, error }) => message ?? error?.code)).toEqual(["truncated", right, "truncated"]);
  });

  it("a length over the limit ends the stream, after what came whole before it", () => {
    const client = clientEnd(dialect);
    const server = serverEnd(dialect);
    const bytes = concat(client.write(right), client.write(leftAir), Uint8Array.of(0x01, 0x20));
    const error = wireErrorOf(() => server.push(bytes));
    expect(error).toMatchObject({ code: "limit", bitOffset: (bytes.length - 2) * 8 });
    expect(server.next()?.message).toEqual(right);
    expect(server.next()?.message).toEqual(leftAir);
    expect(wireErrorOf(() => server.next())?.code).toBe("bad-state");
    expect(wireErrorOf(() => server.push(client.write(right)))?.code).toBe("bad-state");
  });

  it("a length at the limit is believed; nothing is kept but what has come", () => {
    const server = serverEnd(dialect);
    server.push(Uint8Array.of(MAX_PAYLOAD_BYTES & 0xff, MAX_PAYLOAD_BYTES >> 8));
    expect(server.pendingBytes).toBe(2);
    const piece = new Uint8Array(1000);
    for (let sent = 0; sent < 8000; sent += 1000) server.push(piece);
    expect(server.pendingBytes).toBe(8002);
    expect(server.next()).toBeUndefined();
    server.push(piece.subarray(0, MAX_PAYLOAD_BYTES - 8000));
    expect(drain(server)).toMatchObject([{ error: {} }]);
    expect(server.pendingBytes).toBe(0);
  });

  it("a payload over the limit cannot be framed", () => {
    expect(serverEnd(dialect).frame(new Uint8Array(MAX_PAYLOAD_BYTES))).toHaveLength(MAX_PAYLOAD_BYTES + 2);
    expect(() => serverEnd(dialect).frame(new Uint8Array(MAX_PAYLOAD_BYTES + 1))).toThrow(RangeError);
  });

  it("any bytes give messages, refusals or the end of the stream, and never more pending than a frame", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
        const server = serverEnd(dialect);
        for (const chunk of chunks) {
          const error = wireErrorOf(() => {
            server.push(chunk);
            drain(server);
          });
          expect(error?.code ?? "limit").toBe("limit");
          expect(server.pendingBytes).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES + 2);
          if (error !== undefined) return;
        }
      }),
    );
  });
});

describe("RC4 of v0106", () => {
  it("begins anew with every message: equal messages are equal frames", () => {
    const client = clientEnd("v0106");
    expect(client.write(right)).toEqual(client.write(right));
    const server = serverEnd("v0106");
    server.push(concat(client.write(right), client.write(leftAir), client.write(right)));
    expect(messagesOf(server)).toEqual([right, leftAir, right]);
  });

  it("has a key for each direction: a client does not read what clients write", () => {
    const client = clientEnd("v0106");
    client.push(clientEnd("v0106").write(right));
    expect(drain(client)).toMatchObject([{ error: { code: "unknown-message" } }]);
  });

  it("leaves the length in clear", () => {
    expect([...clientEnd("v0106").frame(new Uint8Array(300)).subarray(0, 2)]).toEqual([300 & 0xff, 300 >> 8]);
  });
});

describe.each(dialects)("a carrier that keeps messages whole, in %s", (dialect) => {
  it("takes payloads without length prefix and without cipher", () => {
    const client = clientEnd(dialect, "message");
    const server = serverEnd(dialect, "message");
    const type = { documented: "00 08", documentedLittleEndian: "08 00", v0106: "02 00" }[dialect];
    expect(formatHex(client.write(right))).toBe(`${type} 02 c0 01 a0 00`);
    expect(formatHex(server.write(rightOf5))).toBe(`${type} 05 00 02 c0 01 a0 00`);
    server.push(client.write(right));
    server.push(client.write(leftAir));
    expect(messagesOf(server)).toEqual([right, leftAir]);
    client.push(server.write(rightOf5));
    expect(messagesOf(client)).toEqual([rightOf5]);
    expect(server.sharesFrames).toBe(true);
    expect(server.pendingBytes).toBe(0);
  });

  it("one message is one payload: two glued together are refused, and so is a part of one or none", () => {
    const client = clientEnd(dialect, "message");
    const server = serverEnd(dialect, "message");
    server.push(concat(client.write(right), client.write(leftAir)));
    server.push(client.write(right).subarray(0, 4));
    server.push(new Uint8Array(0));
    server.push(client.write(leftAir));
    expect(drain(server).map(({ message, error }) => message ?? error?.code)).toEqual([
      "trailing",
      "truncated",
      "truncated",
      leftAir,
    ]);
  });

  it("a message over the limit is refused", () => {
    const server = serverEnd(dialect, "message");
    server.push(new Uint8Array(MAX_PAYLOAD_BYTES));
    expect(wireErrorOf(() => server.push(new Uint8Array(MAX_PAYLOAD_BYTES + 1)))?.code).toBe("limit");
    expect(() => server.frame(new Uint8Array(MAX_PAYLOAD_BYTES + 1))).toThrow(RangeError);
  });
});

it("an unknown dialect opens no channel", () => {
  expect(() => openSlimeChannel({ side: "server", dialect: "v0107", carrier: "stream" })).toThrow(RangeError);
});
