import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { type WebSocket as ServerSocket, WebSocketServer } from "ws";
import { describeTransport } from "./testing/transport-suite.ts";
import type { Transport } from "./transport.ts";
import { connectWebSocket, webSocketTransport } from "./websocket.ts";

/** A server on a free port; its sockets speak the standard's interface too. */
async function serve(): Promise<{ url: string; accepted: Promise<ServerSocket>; close(): void }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  const accepted = once(server, "connection").then(([socket]: ServerSocket[]) => socket as ServerSocket);
  await once(server, "listening");
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    accepted,
    close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

describeTransport("WebSocket over loopback", async () => {
  const { url, accepted, close } = await serve();
  const wrapped = accepted.then((socket) => webSocketTransport(socket as unknown as WebSocket));
  return { near: await connectWebSocket(url), far: await wrapped, dispose: close };
});

async function opened(): Promise<{ transport: Transport; peer: ServerSocket; url: string; close(): void }> {
  const { url, accepted, close } = await serve();
  const transport = await connectWebSocket(url);
  return { transport, peer: await accepted, url, close };
}

function endOf(transport: Transport): Promise<string> {
  return new Promise((resolve) => transport.listen({ bytes: () => {}, closed: resolve }));
}

describe("WebSocket", () => {
  test("an error names the address that nothing listens on; an invalid address is refused at once", async () => {
    const { url, accepted, close } = await serve();
    accepted.catch(() => {});
    close();
    await expect(connectWebSocket(url)).rejects.toThrow(`Cannot connect to ${url}`);
    await expect(connectWebSocket("not an address")).rejects.toThrow();
  });

  test("a text message ends the connection with a reason, on both sides", async () => {
    const { transport, peer, close } = await opened();
    const closed = once(peer, "close");
    peer.send("hello");
    expect(await endOf(transport)).toBe("a text message came where only binary ones may");
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([4003, "a text message came where only binary ones may"]);
    close();
  });

  test.each([
    [1000, "", "closed by peer"],
    [1001, "going away", "going away"],
    [4321, "", "closed by peer: code 4321"],
  ])("the peer's code %i and reason %j become the reason %j", async (code, reason, expected) => {
    const { transport, peer, close } = await opened();
    peer.close(code, reason);
    expect(await endOf(transport)).toBe(expected);
    close();
  });

  test("a connection that breaks is lost", async () => {
    const { transport, peer, close } = await opened();
    peer.terminate();
    expect(await endOf(transport)).toBe("connection lost");
    close();
  });

  test("a long reason is cut to what a close frame holds, between characters", async () => {
    const { transport, peer, close } = await opened();
    const closed = once(peer, "close");
    const reason = "€".repeat(100);
    transport.close(reason);
    expect(await endOf(transport)).toBe(reason);
    expect(String((await closed)[1])).toBe("€".repeat(41));
    close();
  });

  test("the bytes held before `listen` are bounded", async () => {
    const { transport, peer, close } = await opened();
    const closed = once(peer, "close");
    for (let sent = 0; sent < 3; sent++) peer.send(new Uint8Array(1 << 19));
    expect((await closed)[0]).toBe(4009);
    expect(await endOf(transport)).toBe("too many bytes arrived before listen()");
    close();
  });

  test("a socket must be open", async () => {
    const { url, close } = await serve();
    const socket = new WebSocket(url);
    expect(() => webSocketTransport(socket)).toThrow(TypeError);
    await once(socket, "open");
    socket.close();
    close();
  });
});
