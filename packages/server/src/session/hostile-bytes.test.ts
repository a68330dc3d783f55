/** Any bytes at any port: the process goes on and the connected players are unaffected. */
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "../index.ts";
import { PlainClient, until } from "../testing/clients.ts";

let server: RunningServer;
let witness: PlainClient;
beforeAll(async () => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol, port: 0 }] });
  witness = await PlainClient.to(server.listeners[0]?.port ?? 0);
  await witness.receives("W1");
  // A connection that sends nothing is disconnected after 20 s.
  witness.sendText("s/nothing");
});
afterAll(() => server.close({ graceMs: 0 }));

async function throwAt(port: number, bytes: Uint8Array): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  socket.end(bytes);
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
}

const UPGRADE = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value, "latin1"));
const bytes = fc.uint8Array({ maxLength: 300 });
/** Of what a path may have. `fc.webPath` makes a table of all code points first: 1.5 s. */
const pathUnits = fc.oneof(
  fc.constantFrom(..."/aZ09-._~!$&'()*+,;=:@"),
  fc.nat(255).map((byte) => `%${byte.toString(16).padStart(2, "0")}`),
);
const paths = fc.oneof(
  fc.constantFrom("/ws/fake", "/ws/studio", "/ws/", "//", "http://[", "*", "/ws/fake?%", "/ws/__proto__", "/%00"),
  fc.string({ unit: pathUnits }).map((path) => `/${path}`),
);
const attacks = fc.oneof(
  bytes,
  fc.tuple(paths, bytes).map(([path, more]) => Buffer.concat([text(UPGRADE(path)), more])),
  fc.tuple(paths, bytes).map(([path, more]) => Buffer.concat([text(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`), more])),
);

test("any bytes at the TCP port", async () => {
  const port = server.listeners[0]?.port ?? 0;
  await fc.assert(
    fc.asyncProperty(bytes, (attack) => throwAt(port, attack)),
    { numRuns: 200 },
  );
});

test("any bytes at the HTTP port, before and after a handshake", async () => {
  const port = server.httpAddress?.port ?? 0;
  await fc.assert(
    fc.asyncProperty(attacks, (attack) => throwAt(port, attack)),
    { numRuns: 300 },
  );
  await until("all attackers are gone", () => server.stats().sessions === 1);
  const friend = await PlainClient.to(server.listeners[0]?.port ?? 0);
  friend.sendText("shello");
  await until("the witness receives the message", () => witness.texts.some((each) => each.endsWith(":hello")));
  expect(witness.isClosed).toBe(false);
});
