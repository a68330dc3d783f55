import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { connectClient, runBot } from "../client/index.ts";
import { createRandom } from "../motion/index.ts";
import { systemClock } from "../net/index.ts";
import { describeTransport } from "../net/testing/transport-suite.ts";
import { defaultDialect } from "../protocols/default-dialect.ts";
import { slimeOnline2 } from "../protocols/slime-online-2/slime-online-2.ts";
import { protocols } from "../protocols/table.ts";
import { formatHex } from "../wire/index.ts";
import { connectTcp, tcpTransport } from "./tcp.ts";

/** A server on a free port, with one socket of each end. */
async function listenOnce(): Promise<{ port: number; accepted: Promise<Socket>; close(): void }> {
  const server = createServer();
  const accepted = once(server, "connection").then(([socket]: Socket[]) => socket as Socket);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, accepted, close: () => server.close() };
}

describeTransport("TCP over loopback", async () => {
  const { port, accepted, close } = await listenOnce();
  const near = await connectTcp({ host: "127.0.0.1", port });
  const far = tcpTransport(await accepted);
  return { near, far, dispose: close };
});

/** The reason with which a transport ends. */
function endOf(transport: ReturnType<typeof tcpTransport>): Promise<string> {
  return new Promise((resolve) => transport.listen({ bytes: () => {}, closed: resolve }));
}

describe("TCP", () => {
  test("an error names the port that nothing listens on", async () => {
    const { port, accepted, close } = await listenOnce();
    accepted.catch(() => {});
    close();
    await expect(connectTcp({ host: "127.0.0.1", port })).rejects.toThrow(
      `Cannot connect to 127.0.0.1:${port}: ECONNREFUSED`,
    );
  });

  test("a connection that is reset ends with the system's word for it", async () => {
    const { port, accepted, close } = await listenOnce();
    const transport = await connectTcp({ host: "127.0.0.1", port });
    (await accepted).resetAndDestroy();
    expect(await endOf(transport)).toBe("connection lost: ECONNRESET");
    close();
  });

  test("a peer that says goodbye is answered, and what is queued for it still leaves", async () => {
    const { port, accepted, close } = await listenOnce();
    const peer = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    const transport = tcpTransport(await accepted);
    const ended = endOf(transport);
    transport.send(new Uint8Array(1 << 20));
    let received = 0;
    peer.on("data", (data) => {
      received += data.length;
    });
    peer.end();
    await once(peer, "end");
    expect(received).toBe(1 << 20);
    expect(await ended).toBe("closed by peer");
    close();
  });

  test("a peer that stops reading cannot keep a closed connection", async () => {
    const { port, accepted, close } = await listenOnce();
    const peer = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    peer.on("error", () => {});
    const transport = tcpTransport(await accepted);
    const ended = endOf(transport);
    transport.send(new Uint8Array(16 << 20));
    transport.close("too slow");
    expect(await ended).toBe("too slow");
    expect(transport.queuedBytes).toBe(0);
    peer.destroy();
    close();
  });

  test("a side that closes reads to the end what still comes, so that its goodbye is not a reset", async () => {
    const { port, accepted, close } = await listenOnce();
    const near = await connectTcp({ host: "127.0.0.1", port });
    const socket = await accepted;
    const far = tcpTransport(socket);
    near.send(new Uint8Array(1 << 20));
    far.close();
    expect(await endOf(near)).toBe("closed by peer");
    if (!socket.closed) await once(socket, "close");
    expect([socket.readableEnded, socket.bytesRead]).toEqual([true, 1 << 20]);
    close();
  });

  test("nothing is read before `listen`", async () => {
    const { port, accepted, close } = await listenOnce();
    const near = await connectTcp({ host: "127.0.0.1", port });
    const socket = await accepted;
    const far = tcpTransport(socket);
    near.send(new Uint8Array(16 << 20));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(socket.bytesRead).toBeLessThan(1 << 20);
    far.close();
    near.close();
    close();
  });

  test("a socket that is gone ends at once", async () => {
    const { port, accepted, close } = await listenOnce();
    const socket = connect({ host: "127.0.0.1", port });
    await accepted;
    socket.destroy();
    await once(socket, "close");
    const transport = tcpTransport(socket);
    transport.send(new Uint8Array([1]));
    transport.close();
    expect(await endOf(transport)).toBe("connection lost");
    close();
  });
});

/** All bytes that a socket receives until it ends, or its first bytes once there are `length`. */
async function bytesOf(socket: Socket, length = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= length) break;
  }
  return new Uint8Array(Buffer.concat(chunks));
}

describe("over TCP", () => {
  test("a client's message is on the wire as the document prints it", async () => {
    const { port, accepted, close } = await listenOnce();
    const client = connectClient({
      protocol: slimeOnline2,
      dialect: "documented",
      transport: await connectTcp({ host: "127.0.0.1", port }),
      onMessage: () => {},
    });
    client.send({ message: "movePlayer", value: { code: 2, direction: "rightPress", x: 448, y: 160 } });
    client.close();
    expect(formatHex(await bytesOf(await accepted))).toBe("07 00 00 08 02 c0 01 a0 00");
    close();
  });

  test.each(Object.values(protocols))(
    "a bot of $name plays on the machine's clock until it is stopped",
    async (each) => {
      const { port, accepted, close } = await listenOnce();
      const dialect = defaultDialect(each);
      const ended = Promise.withResolvers<string>();
      const run = runBot({
        protocol: each,
        dialect,
        transport: await connectTcp({ host: "127.0.0.1", port }),
        bot: each.bots.create({ dialect, random: createRandom(1), number: 0, cheat: "none" }),
        clock: systemClock,
        onClosed: ended.resolve,
      });
      const socket = await accepted;
      const greeting = each.openChannel({ side: "server", dialect, carrier: "stream" }).handshake?.greeting;
      if (greeting !== undefined) socket.write(greeting);
      expect((await bytesOf(socket, 1)).length).toBeGreaterThan(0);
      socket.resume();
      run.stop("seen enough");
      expect(await ended.promise).toBe("seen enough");
      close();
    },
  );
});
