import { afterEach, describe, expect, test } from "vitest";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "../index.ts";
import { aMoment, PlainClient, WebClient } from "../testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));

const start = async (dialect = "plain"): Promise<number> => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol, dialect, port: 0 }] });
  return server.listeners[0]?.port ?? 0;
};

describe("the relay", () => {
  test.each(["plain", "private"])(
    "what one TCP client sends, the other receives and the sender does not (%s)",
    async (dialect) => {
      const port = await start(dialect);
      const a = await PlainClient.to(port);
      await a.receives("W1");
      const b = await PlainClient.to(port);
      await b.receives("W2");
      a.sendText("shello");
      await b.receives("S1:hello");
      await aMoment();
      expect(a.texts).toEqual(["W1"]);
      expect(b.texts).toEqual(["W2", "S1:hello"]);
    },
  );

  test.each(["plain", "private"])("WebSocket and TCP clients receive each other's messages (%s)", async (dialect) => {
    const port = await start(dialect);
    const a = await PlainClient.to(port);
    await a.receives("W1");
    const b = await WebClient.to(server.httpAddress, "/ws/fake");
    await b.receives("W2");
    a.sendText("sto the web");
    await b.receives("S1:to the web");
    b.sendText("sto TCP");
    await a.receives("S2:to TCP");
    expect(b.texts).toEqual(["W2", "S1:to the web"]);
  });

  test("messages of one turn come in one write and as separate messages, in order", async () => {
    const port = await start();
    const a = await PlainClient.to(port);
    const b = await WebClient.to(server.httpAddress, "/ws/fake");
    const c = await PlainClient.to(port);
    await a.receives("W1");
    await b.receives("W2");
    await c.receives("W3");
    const before = server.stats();
    // Long and short: all three forms of a WebSocket frame's length.
    const words = ["a", "b".repeat(125), "c".repeat(300), "d"];
    a.send(
      Buffer.concat(
        words.map((word) => Buffer.from([(word.length + 1) & 255, (word.length + 1) >> 8, 0x73, ...Buffer.from(word)])),
      ),
    );
    await b.receives("S1:d");
    await c.receives("S1:d");
    expect(b.texts.slice(1)).toEqual(words.map((word) => `S1:${word}`));
    expect(c.texts.slice(1)).toEqual(words.map((word) => `S1:${word}`));
    const after = server.stats();
    expect(after.deliveries - before.deliveries).toBe(8);
    expect(after.writes - before.writes).toBe(2);
  });

  test("a server that greets does so first, on both carriers", async () => {
    const port = await start("greeting");
    const a = await PlainClient.to(port);
    const b = await WebClient.to(server.httpAddress, "/ws/fake");
    await a.receives("W1");
    await b.receives("W2");
    expect(a.texts[0]).toBe("Fhello");
    expect(b.texts[0]).toBe("Fhello");
  });

  test("a message stays in its room; a player that changes rooms sends to the new one", async () => {
    await start();
    const a = await WebClient.to(server.httpAddress, "/ws/fake?room=7");
    const b = await WebClient.to(server.httpAddress, "/ws/fake?room=8");
    await a.receives("W1");
    await b.receives("W2");
    a.sendText("snobody");
    a.sendText("s/room 8");
    a.sendText("shere");
    await b.receives("S1:here");
    expect(b.texts).toEqual(["W2", "S1:here"]);
  });
});
