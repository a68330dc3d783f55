import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import { memoryPair, type Transport, VirtualClock } from "../net/index.ts";
import { protocols } from "../protocols/table.ts";
import { bytesGame } from "../protocols/testing/fake-bytes.ts";
import { formatHex, type WireError } from "../wire/index.ts";
import { type Client, type ClientOptions, connectClient } from "./client.ts";
import { type Count, type Counted, echo, echoProtocol, GREETING } from "./testing/echo-server.ts";

interface Setup {
  readonly clock: VirtualClock;
  readonly client: Client<Count>;
  readonly server: Transport;
  /** The calls of the handlers, in order. */
  readonly events: string[];
}

function setUp(carrier: "stream" | "message", more: Partial<ClientOptions<Count, Counted>> = {}): Setup {
  const clock = new VirtualClock();
  const [transport, server] = memoryPair({ clock, carrier });
  const events: string[] = [];
  const client = connectClient<Count, Counted>({
    protocol: echoProtocol,
    dialect: "greeting",
    transport,
    onMessage: ({ message, value }, payload) => events.push(`${message} ${value.number} ${formatHex(payload)}`),
    onRefused: ({ code }, payload) => events.push(`${code} ${formatHex(payload)}`),
    onClosed: (reason) => events.push(`closed: ${reason}`),
    ...more,
  });
  return { clock, client, server, events };
}

const count = (number: number): Count => ({ message: "count", value: { number } });
/** A number as the server carries it: the length over a stream, the id, the number. */
const carried = (carrier: "stream" | "message", ...payload: number[]): number[] =>
  carrier === "stream" ? [payload.length, 0, ...payload] : payload;

describe.each(["stream", "message"] as const)("a client over a %s carrier", (carrier) => {
  test("sends the greeting first, then the messages", () => {
    const { clock, client, server } = setUp(carrier);
    const { received } = echo(server);
    client.send(count(7));
    clock.advanceBy(0);
    expect(received).toEqual([...GREETING[carrier], ...carried(carrier, 4, 7)]);
  });

  test("receives messages with their payload, in order", () => {
    const { clock, client, server, events } = setUp(carrier);
    echo(server);
    client.send(count(7));
    client.send(count(8));
    expect(events).toEqual([]);
    clock.advanceBy(0);
    expect(events).toEqual(["counted 7 04 07", "counted 8 04 08"]);
  });

  test("a payload that is not a message is reported and skipped", () => {
    const { clock, client, server, events } = setUp(carrier);
    for (const bytes of [
      [4, 5],
      [9, 9, 9],
      [4, 6],
    ]) {
      server.send(new Uint8Array(carried(carrier, ...bytes)));
    }
    clock.advanceBy(0);
    expect(events).toEqual(["counted 5 04 05", "unknown-message 09 09 09", "counted 6 04 06"]);
    expect(client.counts).toMatchObject({ messagesIn: 2, refused: 1 });
  });

  test("counts bytes as carried and messages, both ways", () => {
    const { clock, client, server } = setUp(carrier);
    echo(server);
    client.send(count(7));
    client.send(count(8));
    clock.advanceBy(0);
    const bytes = carrier === "stream" ? 8 : 4;
    expect(client.counts).toEqual({
      bytesIn: bytes,
      bytesOut: bytes + GREETING[carrier].length,
      messagesIn: 2,
      messagesOut: 2,
      refused: 0,
    });
  });

  test("after its own close it neither receives nor sends, and `onClosed` is called once", () => {
    const { clock, client, server, events } = setUp(carrier);
    const { received, closed } = echo(server);
    clock.advanceBy(0);
    server.send(new Uint8Array(carried(carrier, 4, 5)));
    client.close("enough");
    client.close("again");
    client.send(count(9));
    expect([events, client.closed]).toEqual([[], undefined]);
    clock.advanceBy(0);
    expect([events, client.closed]).toEqual([["closed: enough"], "enough"]);
    expect([received, closed.length, client.counts.messagesOut]).toEqual([[...GREETING[carrier]], 1, 0]);
  });

  test("calls `onClosed` when the server disconnects, and sends nothing after it", () => {
    const { clock, client, server, events } = setUp(carrier);
    server.close();
    clock.advanceBy(0);
    client.send(count(1));
    expect([events.length, client.counts.messagesOut]).toEqual([1, 0]);
    expect(client.closed).not.toBeUndefined();
  });

  test("a handler that closes receives none of the messages that arrived with that one", () => {
    const received: number[] = [];
    const { clock, client, server } = setUp(carrier, {
      onMessage({ value }) {
        received.push(value.number);
        client.close();
      },
    });
    if (carrier === "stream") server.send(new Uint8Array([...carried(carrier, 4, 5), ...carried(carrier, 4, 6)]));
    else for (const number of [5, 6]) server.send(new Uint8Array([4, number]));
    clock.advanceBy(0);
    expect(received).toEqual([5]);
  });

  test("a message that cannot be written is its sender's mistake: it throws and nothing leaves", () => {
    const { clock, client, server } = setUp(carrier);
    const { received } = echo(server);
    expect(() => client.send(count(256))).toThrow(RangeError);
    clock.advanceBy(0);
    expect([received, client.counts.messagesOut]).toEqual([[...GREETING[carrier]], 0]);
  });

  test("what a handler throws is not taken for broken bytes", () => {
    const { clock, client, server } = setUp(carrier, {
      onMessage() {
        throw new Error("the handler's own");
      },
    });
    server.send(new Uint8Array(carried(carrier, 4, 5)));
    expect(() => clock.advanceBy(0)).toThrow("the handler's own");
    expect(client.closed).toBeUndefined();
  });
});

describe("a client", () => {
  test("closes a broken stream with its reason, after what was complete before the break", () => {
    const { clock, client, server, events } = setUp("stream");
    const closed: string[] = [];
    server.listen({ bytes: () => {}, closed: (reason) => closed.push(reason) });
    server.send(new Uint8Array([2, 0, 4, 5, 99, 99, 1, 2, 3]));
    clock.advanceBy(0);
    const reason = "Cannot read frame length: 25443 is over its limit of 16384 at byte 4";
    expect(events).toEqual(["counted 5 04 05", `closed: ${reason}`]);
    expect([client.closed, closed.length]).toEqual([reason, 1]);
  });

  test("counts refusals and keeps the end without handlers for them", () => {
    const clock = new VirtualClock();
    const [transport, server] = memoryPair({ clock, carrier: "message" });
    const client = connectClient({ protocol: echoProtocol, dialect: "greeting", transport, onMessage: () => {} });
    server.send(new Uint8Array([9]));
    server.close("bye");
    clock.advanceBy(0);
    expect([client.counts.refused, client.closed]).toEqual([1, "bye"]);
  });

  test("an unknown dialect is refused before anything is sent", () => {
    expect(() => setUp("stream", { dialect: "unheard-of" })).toThrow(RangeError);
  });

  test("a game without channels is refused by name, also where no compiler has", () => {
    const game = { ...bytesGame, openChannel: undefined } as unknown as typeof echoProtocol;
    expect(() => setUp("stream", { protocol: game })).toThrow(
      "bytes has no channel (openChannel): it cannot be connected",
    );
  });

  test("any bytes, cut anywhere, end in messages, refusals or a reason", () => {
    const dialects = Object.values(protocols).flatMap((protocol) =>
      protocol.dialects.map(({ name }) => ({ protocol, dialect: name })),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...dialects),
        fc.constantFrom("stream" as const, "message" as const),
        fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 }),
        fc.integer(),
        ({ protocol, dialect }, carrier, chunks, seed) => {
          const clock = new VirtualClock();
          const pairOptions = { clock, carrier, ...(carrier === "stream" ? { cuts: createRandom(seed) } : {}) };
          const [transport, server] = memoryPair(pairOptions);
          const errors: WireError[] = [];
          let ends = 0;
          connectClient({
            protocol,
            dialect,
            transport,
            onMessage: () => {},
            onRefused: (error) => errors.push(error),
            onClosed: () => ends++,
          });
          for (const bytes of chunks) server.send(bytes);
          server.close();
          clock.advanceBy(60_000);
          expect(ends).toBe(1);
          for (const error of errors) expect(error.name).toBe("WireError");
        },
      ),
    );
  });
});
