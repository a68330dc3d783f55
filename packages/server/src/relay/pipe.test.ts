/** The path of a relay: what one side does to its connection happens to the other, and nothing piles up between them. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "wirewalk/net";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { aMoment, until } from "../testing/clients.ts";
import { type RelayOptions, type RunningRelay, startRelay } from "./relay.ts";
import type { RelayEvent } from "./relay-events.ts";

interface Arranged {
  readonly relay: RunningRelay;
  readonly client: Socket;
  /** The server's end. */
  readonly server: Socket;
  readonly events: RelayEvent[];
}

/** A client, a relay and a server, connected. */
async function arrange({
  isOpen,
  ...options
}: Partial<RelayOptions> & { readonly isOpen?: (relay: RunningRelay) => boolean } = {}): Promise<Arranged> {
  const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const events: RelayEvent[] = [];
  const relay = await startRelay({
    protocol: slimeOnline2,
    dialect: "v0106",
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to: { host: "127.0.0.1", port: (listener.address() as AddressInfo).port },
    clock: systemClock,
    epochMs: Date.now,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const accepted = once(listener, "connection") as Promise<[Socket]>;
  const client = connect({ ...relay.address, allowHalfOpen: true });
  client.on("error", () => {});
  const [server] = await accepted;
  server.on("error", () => {});
  await until("the relay is connected", () => isOpen?.(relay) ?? events.length > 0);
  onTestFinished(async () => {
    client.destroy();
    server.destroy();
    listener.close();
    await relay.close();
  });
  return { relay, client, server, events };
}

function collect(socket: Socket): Buffer[] {
  const received: Buffer[] = [];
  socket.on("data", (bytes) => received.push(bytes));
  socket.resume();
  return received;
}

function collecting(socket: Socket): Socket {
  socket.resume();
  return socket;
}

const textOf = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString();

test.each(["client", "server"] as const)(
  "a direction that its %s ends is ended, and the other one goes on",
  async (side) => {
    const arranged = await arrange();
    const near = arranged[side];
    const far = side === "client" ? arranged.server : arranged.client;
    const atFar = collect(far);
    const atNear = collect(near);
    near.end("last words");
    await once(far, "end");
    expect(textOf(atFar)).toBe("last words");
    far.write("still here");
    await until("the other direction goes on", () => textOf(atNear) === "still here");
    expect([near.destroyed, far.destroyed]).toEqual([false, false]);
    far.end();
    await until("the connection is over", () => arranged.events.at(-1)?.event === "close");
    expect(arranged.events.map(({ event }) => event).filter((event) => event === "end" || event === "reset")).toEqual([
      "end",
      "end",
    ]);
  },
);

test.each(["client", "server"] as const)("a reset by the %s is a reset for the other side", async (side) => {
  const arranged = await arrange();
  const far = side === "client" ? arranged.server : arranged.client;
  far.resume();
  arranged[side].resume();
  const reset = once(far, "error") as Promise<[NodeJS.ErrnoException]>;
  arranged[side].resetAndDestroy();
  const [error] = await reset;
  expect(error.code).toBe("ECONNRESET");
  await until("it is reported", () => arranged.events.at(-1)?.event === "close");
  expect(arranged.events.find(({ event }) => event === "reset")).toMatchObject({ direction: side, code: "ECONNRESET" });
});

test("a client of a server that cannot be reached is reset", async () => {
  const free = createServer();
  free.listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const { relay, client, events } = await arrange().then(async (arranged) => {
    const other = await startRelay({
      protocol: slimeOnline2,
      dialect: "v0106",
      options: {},
      listen: { host: "127.0.0.1", port: 0 },
      to: { host: "127.0.0.1", port },
      clock: systemClock,
      epochMs: Date.now,
      onEvent: (event) => arranged.events.push(event),
    });
    onTestFinished(() => other.close());
    return { ...arranged, relay: other, client: connect(other.address) };
  });
  const [error] = (await once(client, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET");
  await until("it is reported", () => events.some(({ event }) => event === "refused"));
  expect(events.find(({ event }) => event === "refused")).toMatchObject({ reason: "ECONNREFUSED" });
  expect(relay.connections).toBe(0);
});

/** The most that a relay may hold of one direction: a read of Node, and what its socket buffers. */
const HELD_BYTES = 256 * 1024;
const SENT_BYTES = 20 * 1024 * 1024;
const PIECE_BYTES = 65_536;

test.each(["client", "server"] as const)(
  "a %s that does not read stops the sender, and nothing is lost or piles up",
  async (side) => {
    const { relay, client, server } = await arrange();
    const reader = side === "client" ? client : server;
    const sender = side === "client" ? server : client;
    reader.pause();
    sender.resume();
    const sent = Buffer.alloc(SENT_BYTES);
    for (let at = 0; at < sent.length; at += 4) sent.writeUInt32BE(at, at);
    let at = 0;
    const send = (): void => {
      let takesMore = true;
      for (; takesMore && at < sent.length; at += PIECE_BYTES)
        takesMore = sender.write(sent.subarray(at, at + PIECE_BYTES));
    };
    sender.on("drain", send);
    send();
    // The system's buffers fill, then the sender is stopped.
    let before = -1;
    while (sender.bytesWritten - sender.writableLength !== before) {
      before = sender.bytesWritten - sender.writableLength;
      await aMoment(40);
    }
    expect(before).toBeLessThan(SENT_BYTES);
    expect(relay.heldBytes).toBeLessThan(HELD_BYTES);
    await until("all is read beside the path", () => relay.waitingBytes === 0);
    const received = collect(reader);
    reader.resume();
    await until("all has arrived", () => received.reduce((sum, { length }) => sum + length, 0) === SENT_BYTES);
    expect(Buffer.concat(received).equals(sent)).toBe(true);
    expect(relay.heldBytes).toBe(0);
  },
);

test("more connections than there may be are reset", async () => {
  const { relay, client, server } = await arrange({ maxConnections: 1 });
  const second = connect(relay.address);
  const [error] = (await once(second, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET");
  expect(relay.connections).toBe(1);
  client.end("still relayed");
  expect(textOf([((await once(collecting(server), "data")) as [Buffer])[0]])).toBe("still relayed");
});

test("an error beside the path is reported, and the path goes on", async () => {
  const errors: unknown[] = [];
  const { client, server } = await arrange({
    onEvent: (event) => {
      if (event.event === "message") throw new Error("a bug");
    },
    onError: (error) => errors.push(error),
    isOpen: (relay) => relay.connections === 1,
  });
  const received = collect(server);
  for (let times = 1; times <= 2; times++) {
    client.write(Buffer.from("030060a20f", "hex"));
    await until("it is reported", () => errors.length === times);
  }
  expect(Buffer.concat(received).length).toBe(10);
});

test("what cannot be read is passed on, and shown with its reason", async () => {
  const { client, server, events } = await arrange();
  const received = collect(server);
  // A length over the limit: the stream has lost its place. 0xffff, low byte first.
  client.write(Buffer.from("ffff0102", "hex"));
  await until("the first have arrived", () => Buffer.concat(received).length === 4);
  client.write("and more");
  await until("all has arrived", () => Buffer.concat(received).length === 12);
  await until("it is reported", () => events.some(({ event }) => event === "lost"));
  expect(events.find(({ event }) => event === "lost")).toMatchObject({
    direction: "client",
    reason: expect.stringContaining("65535"),
  });
  client.end();
  server.end();
  await until("it is over", () => events.at(-1)?.event === "close");
  const { counts } = events.at(-1) as Extract<RelayEvent, { event: "close" }>;
  expect(counts.client).toMatchObject({ bytes: 12, messages: 0 });
  expect(counts.client.unreadBytes).toBeGreaterThanOrEqual(8);
});

test("a frame that holds no message is unreadable, and the next one is read", async () => {
  const { client, server, events } = await arrange();
  server.resume();
  client.write(Buffer.from("0200ffff" + "030060a20f", "hex"));
  await until("both are reported", () => events.some(({ event }) => event === "message"));
  expect(events.map(({ event }) => event)).toEqual(["open", "unreadable", "message"]);
});
