import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { RawClient, type RawClientOptions } from "./raw-client.ts";

/** A client, and the server's socket for it. */
async function arrange(options: Partial<RawClientOptions> = {}): Promise<{ client: RawClient; peer: Socket }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const { port } = server.address() as AddressInfo;
  const client = await RawClient.connect({ host: "127.0.0.1", port, ...options });
  const [peer] = await accepted;
  onTestFinished(() => {
    peer.destroy();
    client.drop();
    server.close();
  });
  return { client, peer };
}

test("what it sends leaves as it is, and what comes back is kept", async () => {
  const { client, peer } = await arrange();
  client.send(Uint8Array.of(0xff, 0));
  client.send("é");
  const received: Buffer[] = [];
  peer.on("data", (bytes) => received.push(bytes));
  while (Buffer.concat(received).length < 3) await once(peer, "data");
  expect(Buffer.concat(received).toString("hex")).toBe("ff00e9");
  peer.end("ok");
  await once(client.socket, "close");
  expect([client.text, client.isClosed]).toEqual(["ok", true]);
  expect(() => client.send("nobody reads this")).not.toThrow();
});

test("beyond its limit bytes are read and dropped", async () => {
  const { client, peer } = await arrange({ keptBytes: 10 });
  peer.end(Buffer.alloc(1 << 20));
  await once(client.socket, "close");
  expect(client.socket.bytesRead).toBe(1 << 20);
  expect(client.received.length).toBeLessThan(1 << 20);
});

test("a reset is a close", async () => {
  const { client, peer } = await arrange();
  const closed = new Promise((resolve) => client.socket.once("close", resolve));
  peer.resetAndDestroy();
  await closed;
  expect(client.isClosed).toBe(true);
});

test("an error names both addresses", async () => {
  const { client } = await arrange({ localAddress: "127.0.0.1" });
  expect(client.socket.localAddress).toBe("127.0.0.1");
  const nowhere = RawClient.connect({ host: "127.0.0.1", port: 1, localAddress: "192.0.2.1" });
  await expect(nowhere).rejects.toThrow(/^Cannot connect to 127\.0\.0\.1:1 from 192\.0\.2\.1: E[A-Z]+$/);
});
