import { afterEach, expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "../index.ts";
import { PlainClient } from "../testing/clients.ts";
import { BanNotices } from "./ban-notices.ts";

let server: RunningServer | undefined;
afterEach(() => server?.close({ graceMs: 0 }));

test("the last ban of an address and protocol counts, for a minute", () => {
  const clock = new VirtualClock();
  const notices = new BanNotices(clock);
  notices.add("192.0.2.7", "game", "login:ann", "first");
  notices.add("192.0.2.7", "game", "session:3", "second");
  expect(notices.find("192.0.2.7", "game")).toEqual({ text: "second", key: null });
  expect(notices.find("192.0.2.7", "other")).toBeUndefined();
  expect(notices.find("192.0.2.8", "game")).toBeUndefined();
  clock.advanceBy(60_001);
  expect(notices.find("192.0.2.7", "game")).toBeUndefined();
});

test("a thousand are kept, the newest", () => {
  const notices = new BanNotices(new VirtualClock());
  for (let at = 0; at <= 1_000; at += 1) notices.add(`10.0.${at >> 8}.${at & 255}`, "game", "login:ann", String(at));
  expect(notices.find("10.0.0.0", "game")).toBeUndefined();
  expect(notices.find("10.0.0.1", "game")).toEqual({ text: "1", key: "login:ann" });
});

// Elsewhere than on Linux this machine has one loopback address.
test.skipIf(process.platform !== "linux")("an address reads about itself alone", async () => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol, port: 0 }], banLoopback: true });
  const a = await PlainClient.to(server.listeners[0]?.port ?? 0, "127.0.0.2");
  a.sendText("s/ban");
  await a.closes();
  const ask = async (from: string): Promise<string> => {
    const client = await PlainClient.to(server?.httpAddress?.port ?? 0, from);
    client.send(Buffer.from("GET /ban?protocol=fake HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    await client.closes();
    return client.received.toString().split("\r\n\r\n")[1] ?? "";
  };
  expect(JSON.parse(await ask("127.0.0.1"))).toEqual({ ban: null });
  expect(JSON.parse(await ask("127.0.0.2"))).toEqual({
    ban: { text: expect.stringMatching(/^banned until .* by rule manners; applies to /), key: "address:127.0.0.2" },
  });
});
