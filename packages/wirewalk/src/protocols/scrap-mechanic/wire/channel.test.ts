import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHex } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import { openScrapChannel } from "./channel.ts";
import { MAX_PACKET_BYTES, type ScrapClientMessage } from "./codec.ts";

const dialect = "documented";
const walking = parseHex("1e80 0000303904400040");
const said: ScrapClientMessage[] = [
  { message: "hello", value: { version: 1 } },
  {
    message: "playerMovement",
    value: {
      tick: 12345,
      keys: { jump: false, crawl: false, horizontal: true, sprint: false, aim: false },
      direction: 64,
      yaw: 0,
      pitch: 64,
    },
  },
];

describe("over a stream", () => {
  it("packets have their length before them, however the stream is split", () => {
    const client = openScrapChannel({ side: "client", dialect, carrier: "stream" });
    const stream = Uint8Array.from(said.flatMap((message) => [...client.write(message)]));
    expect(stream).toEqual(Uint8Array.of(0, 2, 0xf0, 1, 0, 10, ...walking));
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const server = openScrapChannel({ side: "server", dialect, carrier: "stream" });
        const received: unknown[] = [];
        const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
        for (const [index, from] of places.entries()) {
          server.push(stream.subarray(from, places[index + 1] ?? stream.length));
          for (let next = server.next(); next !== undefined; next = server.next()) received.push(next.message);
        }
        expect(received).toEqual(said);
        expect(server.pendingBytes).toBe(0);
      }),
    );
  });

  it("reports an invalid message and continues with the stream", () => {
    const server = openScrapChannel({ side: "server", dialect, carrier: "stream" });
    server.push(Uint8Array.of(0, 0, 0, 1, 0x1e, 0, 10, ...walking));
    expect(server.next()?.error).toMatchObject({ code: "truncated", path: "id" });
    expect(server.next()?.error).toMatchObject({ code: "truncated", path: "token" });
    expect(server.next()?.message).toEqual(said[1]);
    expect(server.next()).toBeUndefined();
  });

  it("a client that claims more than clients send is refused, a server may say more", () => {
    const server = openScrapChannel({ side: "server", dialect, carrier: "stream" });
    expect(wireErrorOf(() => server.push(Uint8Array.of(0x10, 0)))?.code).toBe("limit");
    const client = openScrapChannel({ side: "client", dialect, carrier: "stream" });
    client.push(Uint8Array.of(0x10, 0));
    expect(client.pendingBytes).toBe(2);
  });
});

describe("over a carrier that keeps messages whole", () => {
  it("a packet is a message", () => {
    const client = openScrapChannel({ side: "client", dialect, carrier: "message" });
    const server = openScrapChannel({ side: "server", dialect, carrier: "message" });
    expect(client.write(said[1] as ScrapClientMessage)).toEqual(walking);
    server.push(walking);
    expect(server.next()?.message).toEqual(said[1]);
    expect(wireErrorOf(() => server.push(new Uint8Array(2000)))?.code).toBe("limit");
  });
});

it("a packet that is too large is not framed; an unknown dialect has no channel", () => {
  const server = openScrapChannel({ side: "server", dialect, carrier: "stream" });
  expect(() => server.frame(new Uint8Array(MAX_PACKET_BYTES + 1))).toThrow(RangeError);
  expect(() => openScrapChannel({ side: "server", dialect: "survival", carrier: "stream" })).toThrow(RangeError);
});

it("reads what the options say", () => {
  const lenient = openScrapChannel({ side: "server", dialect, carrier: "message" }, { lenient: true });
  lenient.push(parseHex("1e8f 0000303904400040"));
  expect(lenient.next()?.message).toEqual(said[1]);
  const bare = openScrapChannel({ side: "client", dialect, carrier: "message" }, { countByte: false });
  bare.push(parseHex("1880 0000001000003039"));
  expect(bare.next()?.message).toEqual({
    message: "unreliableUpdate",
    value: { serverTick: 16, currentTick: 12345, updates: [] },
  });
});
