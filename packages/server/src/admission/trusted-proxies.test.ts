import { afterEach, describe, expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { aMoment, framed, PlainClient, until, WebClient } from "../testing/clients.ts";
import { TrustedProxies } from "./trusted-proxies.ts";

describe("networks", () => {
  test("hold their addresses in every spelling, and no others", () => {
    const proxies = new TrustedProxies(["192.0.2.0/24", "198.51.100.7", "2001:db8::/32", "::1"]);
    const inside = ["192.0.2.255", "::ffff:192.0.2.1", "198.51.100.7", "2001:DB8:0::5", "::1"];
    expect(inside.map((address) => proxies.has(address))).toEqual(inside.map(() => true));
    const outside = ["192.0.3.1", "198.51.100.8", "2001:db9::1", "127.0.0.1", "unknown", ""];
    expect(outside.map((address) => proxies.has(address))).toEqual(outside.map(() => false));
    expect(new TrustedProxies([]).has("127.0.0.1")).toBe(false);
  });

  test.each(["localhost", "10.0.0.0/33", "10.0.0.0/8/8", "2001:db8::/129", "10.0.0.0/", "10.0.0.0/-1", ""])(
    "%j is none",
    (text) => {
      expect(() => new TrustedProxies([text])).toThrow(RangeError);
    },
  );
});

describe("X-Forwarded-For", () => {
  const proxies = new TrustedProxies(["10.0.0.0/8", "::1"]);

  test.each([
    ["from anybody else is ignored", "203.0.113.9", "198.51.100.7", "203.0.113.9"],
    ["names the client", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
    [
      "names the rightmost that is not a proxy: the rest was said by the client",
      "10.0.0.1",
      "192.0.2.1, 198.51.100.7",
      "198.51.100.7",
    ],
    ["goes through several proxies", "::1", "192.0.2.1,198.51.100.7, 10.0.0.2 ,10.0.0.3", "198.51.100.7"],
    ["may have ports and brackets", "10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
    ["may have a port", "10.0.0.1", "198.51.100.7:4711", "198.51.100.7"],
    ["of proxies alone names the first of them", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["that cannot be read leaves the last proxy", "10.0.0.1", "198.51.100.7, unknown", "10.0.0.1"],
    ["that is empty leaves the proxy", "10.0.0.1", "", "10.0.0.1"],
    ["in another spelling is the same address", "10.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"],
  ])("%s", (_name, peer, header, client) => {
    expect(proxies.clientOf(peer, header)).toBe(client);
  });

  test("that is absent leaves the peer", () => {
    expect(proxies.clientOf("10.0.0.1", undefined)).toBe("10.0.0.1");
  });

  test("of thousands of hops is read from the right", () => {
    const header = `${"192.0.2.1,".repeat(5_000)} 198.51.100.7`;
    expect(proxies.clientOf("10.0.0.1", header)).toBe("198.51.100.7");
  });
});

describe("a server behind a proxy", () => {
  let server: RunningServer;
  afterEach(() => server.close({ graceMs: 0 }));
  const start = async (options: Partial<ServerOptions> = {}): Promise<number> => {
    server = await startServer({
      http: 0,
      banLoopback: true,
      listeners: [{ protocol: fakeProtocol, port: 0, banAddress: "on" }],
      trustedProxies: ["127.0.0.1"],
      ...options,
    });
    return server.listeners[0]?.port ?? 0;
  };
  const count = (reason: keyof ReturnType<RunningServer["stats"]>["disconnects"]): number =>
    server.stats().disconnects[reason] ?? 0;
  const header = (client: string): Buffer => Buffer.from(`PROXY TCP4 ${client} 198.51.100.1 1234 5555\r\n`, "latin1");
  const through = async (port: number, client: string): Promise<PlainClient> => {
    const socket = await PlainClient.to(port);
    socket.send(Buffer.concat([header(client), framed("s/roll")]));
    return socket;
  };

  test("knows its clients by the header, and reads the message that came with it", async () => {
    const port = await start({ budgets: { sessionsPerAddress: 1 } });
    const a = await through(port, "192.0.2.1");
    const b = await through(port, "192.0.2.2");
    for (const each of [a, b]) await until("its message is answered", () => each.texts.length === 2);
    const second = await through(port, "192.0.2.1");
    await second.closes();
    expect(server.stats().disconnects).toEqual({ "sessions-per-address": 1 });
  });

  test("takes a header in pieces, and of version 2", async () => {
    const port = await start();
    const client = await PlainClient.to(port);
    for (const byte of header("192.0.2.1")) {
      client.send(Uint8Array.of(byte));
      await aMoment(1);
    }
    const binary = await PlainClient.to(port);
    binary.sendHex("0D0A0D0A000D0A515549540A 21 11 000C C0000205 C6336401 3039 15B3");
    await until("both play", () => server.stats().players === 2);
    client.sendText("s/ban");
    await client.closes();
    expect(server.bans.list().map(({ key }) => key)).toEqual(["address:192.0.2.1"]);
    const again = await through(port, "192.0.2.1");
    await again.closes();
    expect(count("refused-banned")).toBe(1);
    expect(binary.isClosed).toBe(false);
  });

  test("refuses a proxy that sends no header, none in time, or one that cannot be read", async () => {
    const clock = new VirtualClock();
    const port = await start({ clock });
    const bare = await PlainClient.to(port);
    bare.sendText("shello");
    await bare.closes();
    const silent = await PlainClient.to(port);
    await aMoment(30);
    clock.advanceBy(5_000);
    await silent.closes();
    const leaving = await PlainClient.to(port);
    leaving.drop();
    await until("all are refused", () => count("proxy-header") === 3);
    expect(server.stats()).toMatchObject({ sessions: 0, players: 0 });
    const waiting = await PlainClient.to(port);
    await aMoment(30);
    const closed = server.close({ graceMs: 0 });
    clock.advanceBy(1);
    await Promise.all([closed, waiting.closes()]);
  });

  test("refuses a header of anybody else, and one inside of the proxy's", async () => {
    let port = await start();
    const nested = await PlainClient.to(port);
    nested.send(Buffer.concat([header("192.0.2.1"), header("192.0.2.2")]));
    await nested.closes();
    expect(count("untrusted-proxy")).toBe(1);
    await server.close({ graceMs: 0 });
    port = await start({ trustedProxies: ["192.0.2.0/24"] });
    const spoofing = await through(port, "192.0.2.1");
    await spoofing.closes();
    expect(count("untrusted-proxy")).toBe(1);
  });

  test("knows the clients of its WebSockets by X-Forwarded-For, and nobody else's", async () => {
    await start({ budgets: { sessionsPerAddress: 1 } });
    const to = (client: string) => WebClient.to(server.httpAddress, "/ws/fake", { "x-forwarded-for": client });
    const speak = async (client: WebClient): Promise<void> => {
      client.sendText("s/roll");
      await until("it is answered", () => client.messages.length === 2);
    };
    await speak(await to("192.0.2.1"));
    await speak(await to("203.0.113.5, 192.0.2.2"));
    await expect(to("192.0.2.1")).rejects.toThrow("503");
    await expect(to("198.51.100.9, 192.0.2.1")).rejects.toThrow("503");
    await server.close({ graceMs: 0 });
    await start({ trustedProxies: [], budgets: { sessionsPerAddress: 1 } });
    await speak(await to("192.0.2.1"));
    await expect(to("192.0.2.2")).rejects.toThrow("503");
  });

  test("counts an IPv6 network as one address", async () => {
    const port = await start({ budgets: { sessionsPerAddress: 1 } });
    const from = async (client: string): Promise<PlainClient> => {
      const socket = await PlainClient.to(port);
      socket.send(Buffer.concat([Buffer.from(`PROXY TCP6 ${client} 2001:db8::1 1 2\r\n`), framed("s/roll")]));
      return socket;
    };
    const first = await from("2001:db8:0:7::1");
    await until("it plays", () => first.texts.length === 2);
    const neighbour = await from("2001:db8:0:7:ffff::2");
    await neighbour.closes();
    const other = await from("2001:db8:0:8::1");
    await until("it plays", () => other.texts.length === 2);
    expect(server.stats().disconnects).toEqual({ "sessions-per-address": 1 });
  });
});
