/** Each budget ends one session under its own name, and nobody else notices. */
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test as withoutFixtures } from "vitest";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { scaled } from "../../../wirewalk/src/testing/scale.ts";
import { type RunningServer, startServer } from "../index.ts";
import { aMoment, framed, PlainClient, until, WebClient } from "../testing/clients.ts";
import { type Budgets, budgetsWith } from "./budgets.ts";
import type { DisconnectReason } from "./disconnect.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const usedBytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** A server of each test's own: tests that wait run beside each other. */
class House {
  server: RunningServer | undefined;

  readonly start = async (budgets: Partial<Budgets> = {}, dialect = "plain"): Promise<number> => {
    this.server = await startServer({ http: 0, budgets, listeners: [{ protocol: fakeProtocol, dialect, port: 0 }] });
    return this.server.listeners[0]?.port ?? 0;
  };

  readonly close = async (): Promise<void> => {
    await this.server?.close({ graceMs: 0 });
    this.server = undefined;
  };

  readonly stats = () => this.server?.stats();
  readonly hostCounts = () => this.server?.worlds[0]?.host.counts;
  readonly count = (reason: DisconnectReason): number => this.stats()?.disconnects[reason] ?? 0;
  readonly web = (path = "/ws/fake"): Promise<WebClient> => WebClient.to(this.server?.httpAddress, path);

  /** Two players that keep sending while a third misbehaves. */
  readonly withTwoFriends = async (port: number, bad: () => Promise<void>): Promise<void> => {
    const a = await PlainClient.to(port);
    await until("A is in", () => a.texts.length > 0);
    const b = await this.web();
    await until("B is in", () => b.texts.length > 0);
    // From here on their places are their own.
    a.sendText("shello");
    await until("B receives A's first message", () => b.texts.some((text) => text.endsWith(":hello")));
    b.sendText("shello");
    await until("A receives B's first message", () => a.texts.some((text) => text.endsWith(":hello")));
    await bad();
    a.sendText("sstill here");
    await until("B receives A's message", () => b.texts.some((text) => text.endsWith(":still here")));
    b.sendText("sme too");
    await until("A receives B's message", () => a.texts.some((text) => text.endsWith(":me too")));
    expect(a.isClosed).toBe(false);
    expect(b.closed).toBeUndefined();
  };
}

const test = withoutFixtures.extend<{ house: House }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads there which other fixtures this one needs.
  house: async ({}, use) => {
    const house = new House();
    await use(house);
    await house.close();
  },
});

describe.concurrent("a budget that is overdrawn ends that session alone", () => {
  test("messages per second", async ({ house: { start, count, web, withTwoFriends } }) => {
    const port = await start({ messagesPerSecond: 10, messagesBurst: 30 });
    await withTwoFriends(port, async () => {
      const flood = await PlainClient.to(port);
      flood.send(Buffer.concat(Array.from({ length: 200 }, () => framed("s/nothing"))));
      await flood.closes();
      const webFlood = await web();
      for (let index = 0; index < 200; index += 1) webFlood.sendText("s/nothing");
      expect(await webFlood.closes()).toEqual({ code: 1008, reason: "message-rate" });
      expect(count("message-rate")).toBe(2);
    });
  });

  test("control frames count as messages", async ({ house: { start, count, web, withTwoFriends } }) => {
    const port = await start({ messagesPerSecond: 10, messagesBurst: 30 });
    await withTwoFriends(port, async () => {
      const flood = await web();
      for (let index = 0; index < 200; index += 1) flood.socket.ping();
      await flood.closes();
      expect(count("message-rate")).toBe(1);
    });
  });

  test("bytes per second", async ({ house: { start, count, web, withTwoFriends } }) => {
    const port = await start({ bytesPerSecond: 1_000, bytesBurst: 20_000 });
    await withTwoFriends(port, async () => {
      const flood = await PlainClient.to(port);
      for (let index = 0; index < 4; index += 1) flood.sendText(`s/${"x".repeat(10_000)}`);
      await flood.closes();
      const webFlood = await web();
      for (let index = 0; index < 4; index += 1) webFlood.sendText(`s/${"x".repeat(10_000)}`);
      await webFlood.closes();
      expect(count("byte-rate")).toBe(2);
    });
  });

  test("payloads that are none: a few are refused, a flood is not taken", async ({
    house: { start, stats, count, withTwoFriends },
  }) => {
    const port = await start({ refusedPayloadsBurst: 5, refusedPayloadsPerSecond: 0.001 });
    await withTwoFriends(port, async () => {
      const client = await PlainClient.to(port);
      for (let index = 0; index < 5; index += 1) client.sendText("?");
      client.sendText("s/nothing");
      await until("they were refused", () => stats()?.refusedPayloads === 5);
      expect(client.isClosed).toBe(false);
      client.sendText("?");
      await client.closes();
      expect(count("bad-payloads")).toBe(1);
    });
  });

  test("a length over the limit breaks the stream; what was whole before it counts", async ({
    house: { start, stats, count, withTwoFriends },
  }) => {
    const port = await start();
    await withTwoFriends(port, async () => {
      const client = await PlainClient.to(port);
      const messages = stats()?.messagesIn ?? 0;
      client.send(Buffer.concat([framed("s/nothing"), Buffer.from("ffff", "hex")]));
      await client.closes();
      expect(count("broken-stream")).toBe(1);
      expect(stats()?.messagesIn).toBe(messages + 1);
    });
  });

  test("garbage", async ({ house: { start, withTwoFriends } }) => {
    const port = await start();
    await withTwoFriends(port, async () => {
      for (let index = 0; index < 20; index += 1) {
        const client = await PlainClient.to(port);
        client.send(Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 7919 + index * 104_729) % 251)));
        client.socket.end();
        await client.closes();
      }
    });
  });

  test("half a frame may stay half for so long, however slowly it grows", async ({
    house: { start, count, withTwoFriends },
  }) => {
    const port = await start({ unfinishedFrameMs: 250 });
    await withTwoFriends(port, async () => {
      const slow = await PlainClient.to(port);
      const drip = setInterval(() => slow.send(Uint8Array.of(0x73)), 20);
      slow.send(Uint8Array.of(0xe8, 0x03));
      await slow.closes();
      clearInterval(drip);
      expect(count("unfinished-frame")).toBe(1);
    });
  });

  test("half a WebSocket frame and half a message too", async ({ house: { start, count, web } }) => {
    await start({ unfinishedFrameMs: 200 });
    const half = await web();
    const socket = (half.socket as unknown as { _socket: { write(bytes: Uint8Array): void } })._socket;
    socket.write(Uint8Array.of(0x82, 0x85, 1, 2));
    const fragment = await web();
    fragment.socket.send(Buffer.from("s"), { fin: false });
    expect(await half.closes()).toEqual({ code: 1008, reason: "unfinished-frame" });
    expect(await fragment.closes()).toEqual({ code: 1008, reason: "unfinished-frame" });
    expect(count("unfinished-frame")).toBe(2);
  });

  test("a WebSocket message in endless fragments, empty ones too", async ({ house: { start, count, web } }) => {
    await start({ websocketFragments: 5 });
    const overdrawn = ["/ws/fake", "/ws/studio"].map(async (path) => {
      const honest = await web(path);
      for (let index = 0; index < 3; index += 1) honest.socket.send("", { fin: false, binary: path === "/ws/fake" });
      const endless = await web(path);
      for (let index = 0; index < 50; index += 1) endless.socket.send("", { fin: false, binary: path === "/ws/fake" });
      expect(await endless.closes()).toEqual({ code: 1008, reason: "fragments" });
      await aMoment(5);
      expect(honest.closed).toBeUndefined();
    });
    await Promise.all(overdrawn);
    expect(count("fragments")).toBe(2);
  });

  test("silence", async ({ house: { start, count, web } }) => {
    const port = await start({ idleMs: 150 });
    const silent = await PlainClient.to(port);
    const quietPage = await web();
    await silent.closes();
    expect(await quietPage.closes()).toEqual({ code: 1000, reason: "idle" });
    expect(count("idle")).toBe(2);
  });

  test("the time to log in", async ({ house: { start, count } }) => {
    const port = await start({ loginMs: 150 }, "login");
    const silent = await PlainClient.to(port);
    await silent.closes();
    expect(count("login-time")).toBe(1);
  });

  test("the time to log in counts while the password waits to be checked", async ({
    house: { start, stats, count },
  }) => {
    const port = await start({ loginMs: 150, hashesAtOnce: 1 }, "login");
    // A password takes some 25 ms at least.
    const clients = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const client = await PlainClient.to(port);
        client.sendText(`lname ${index}\0secret`);
        return client;
      }),
    );
    await until("all have an answer", () => clients.every(({ isClosed, texts }) => isClosed || texts.length > 0));
    expect(count("login-time")).toBeGreaterThan(0);
    expect(count("login-time") + (stats()?.players ?? 0)).toBe(30);
  });

  test("text where only binary messages are, and messages that are too long", async ({
    house: { start, count, web, withTwoFriends },
  }) => {
    const port = await start({ websocketMessageBytes: 1_000 });
    await withTwoFriends(port, async () => {
      const text = await web();
      text.socket.send("hello");
      expect((await text.closes()).code).toBe(1003);
      const long = await web();
      long.sendText("s".repeat(1_001));
      expect((await long.closes()).code).toBe(1009);
      expect(count("text-message")).toBe(1);
      expect(count("broken-stream")).toBe(1);
    });
  });

  test("connections of one address, and in total", async ({
    house: { start, close, stats, count, web, withTwoFriends },
  }) => {
    let port = await start({ sessionsPerAddress: 3 });
    await withTwoFriends(port, async () => {
      const third = await web("/ws/studio");
      third.socket.send(JSON.stringify({ type: "watch", world: "fake", room: "1" }));
      await third.receivesEvent("players");
      const fourth = await PlainClient.to(port);
      await fourth.closes();
      await expect(web()).rejects.toThrow("503");
      expect(count("sessions-per-address")).toBe(2);
      third.socket.close();
      await third.closes();
      await until("a place is free", () => stats()?.sessions === 2);
      const fifth = await PlainClient.to(port);
      await until("the fifth is in", () => fifth.texts.length > 0);
    });
    await close();
    port = await start({ sessions: 1 });
    const only = await PlainClient.to(port);
    only.sendText("s/roll");
    await until("it is in, and was answered", () => only.texts.length === 2);
    const other = await PlainClient.to(port);
    await other.closes();
    expect(count("sessions-total")).toBe(1);
  });

  test("a world that throws for one message costs that session alone", async ({
    house: { start, count, web, withTwoFriends },
  }) => {
    const port = await start();
    await withTwoFriends(port, async () => {
      const unlucky = await web();
      unlucky.sendText("s/fail");
      expect((await unlucky.closes()).code).toBe(1011);
      const late = await web("/ws/fake?account=leave-fails");
      late.socket.close();
      const early = await web("/ws/fake?account=join-fails");
      expect((await early.closes()).code).toBe(1011);
      expect(count("world-error")).toBe(2);
    });
  });

  test("a world may disconnect a player, even during its join", async ({
    house: { start, stats, web, withTwoFriends },
  }) => {
    const port = await start();
    await withTwoFriends(port, async () => {
      const kicked = await web();
      kicked.sendText("s/kick");
      expect(await kicked.closes()).toEqual({ code: 1000, reason: "world-close" });
      const unwanted = await web("/ws/fake?account=unwanted");
      await unwanted.closes();
      await until("they are gone", () => stats()?.players === 2);
    });
  });
});

// Alone: what the tests beside it take of the event loop would look like a gap.
test("frames that follow each other without a gap are never one old frame", async ({ house: { start, count } }) => {
  const port = await start({ unfinishedFrameMs: 150 });
  const client = await PlainClient.to(port);
  const stream = Buffer.concat(Array.from({ length: 100 }, () => framed("s/x")));
  // Always cut in the middle of a frame.
  for (let at = 0; at < stream.length; at += 5) {
    client.send(stream.subarray(at, at + 5));
    await aMoment(5);
  }
  await aMoment(120);
  expect(client.isClosed).toBe(false);
  expect(count("unfinished-frame")).toBe(0);
});

describe("a slow reader", () => {
  /** A player that sends, one that reads nothing, and one that reads everything. */
  const arrange = async ({ start, web, hostCounts }: House, budgets: Partial<Budgets>) => {
    const port = await start({
      bytesPerSecond: 1e9,
      bytesBurst: 1e9,
      messagesPerSecond: 1e6,
      messagesBurst: 1e6,
      ...budgets,
    });
    const talker = await PlainClient.to(port);
    await until("the talker is in", () => talker.texts.length > 0);
    const reader = await PlainClient.to(port);
    await until("the reader is in", () => reader.texts.length > 0);
    const witness = await web();
    await until("the witness is in", () => witness.texts.length > 0);
    reader.socket.pause();
    const dropped = (): number => hostCounts()?.dropped ?? 0;
    const talk = async (isEnough: () => boolean): Promise<number> => {
      let said = 0;
      while (!isEnough() && said < 5_000) {
        talker.sendText(`s${said}${"x".repeat(8_000)}`);
        said += 1;
        if (said % 8 === 0) await aMoment(1);
      }
      await until("the witness has received all", () => witness.messages.length === said + 1);
      return said;
    };
    return { talker, reader, witness, dropped, talk };
  };

  test("receives no broadcasts until it has caught up, then the full state; other players are unaffected", async ({
    house,
  }) => {
    const { talker, reader, dropped, talk } = await arrange(house, { queuedBytesSoft: 100_000, queuedBytesHard: 1e9 });
    await talk(() => dropped() > 50);
    expect(dropped()).toBeGreaterThan(50);
    reader.socket.resume();
    await reader.receives("Ffresh");
    talker.sendText("safter");
    await reader.receives("S1:after");
    expect(reader.isClosed).toBe(false);
  });

  test("is disconnected when it stays behind for too long", async ({ house }) => {
    const { count } = house;
    const { dropped, talk } = await arrange(house, {
      queuedBytesSoft: 100_000,
      queuedBytesHard: 1e9,
      slowReaderMs: 200,
    });
    await talk(() => dropped() > 0);
    await until("it was disconnected", () => count("slow-reader") === 1);
  });

  test("is disconnected when too much waits for it", async ({ house }) => {
    const { count } = house;
    const { talk } = await arrange(house, { queuedBytesSoft: 1e9, queuedBytesHard: 500_000 });
    await talk(() => count("slow-reader") === 1);
    expect(count("slow-reader")).toBe(1);
  });

  describe("of what newer messages replace", () => {
    /** News to the reader alone, until some are left out. */
    const arrangeNews = async (house: House, budgets: Partial<Budgets>) => {
      const { talker, reader, dropped, witness } = await arrange(house, budgets);
      const { stats } = house;
      witness.socket.terminate();
      await until("the witness is gone", () => stats()?.players === 2);
      let said = 0;
      const tell = async (isEnough: () => boolean): Promise<void> => {
        while (!isEnough() && said < 5_000) {
          talker.sendText(`s/news ${said}:${"x".repeat(8_000)}`);
          said += 1;
          if (said % 8 === 0) await aMoment(1);
        }
      };
      await tell(() => dropped() > 0);
      return { talker, reader, dropped, tell };
    };

    test("is not sent old news late: as long as something waits for it, nothing joins the queue", async ({ house }) => {
      const { hostCounts } = house;
      const { talker, reader, dropped, tell } = await arrangeNews(house, {});
      const { deliveries = 0, bytes = 0 } = hostCounts() ?? {};
      await tell(() => dropped() > 200);
      expect(hostCounts()).toMatchObject({ deliveries, bytes });
      reader.socket.resume();
      // "Ffresh" is the state that a reader gets once it has caught up, at whatever moment that is: no news.
      const numbers = (): number[] =>
        reader.texts.flatMap((text) => (/^F\d/.test(text) ? [Number.parseInt(text.slice(1), 10)] : []));
      await until("what was under way has arrived", () => numbers().length > 0);
      await until("nothing waits", () => {
        talker.sendText("s/news 9999");
        return numbers().at(-1) === 9999;
      });
      const early = numbers().filter((number) => number !== 9999);
      expect(early).toEqual(early.map((_, index) => index));
    });

    test("is disconnected when it takes nothing for too long, however little waits", async ({ house }) => {
      const { count } = house;
      await arrangeNews(house, { slowReaderMs: 200 });
      await until("it was disconnected", () => count("slow-reader") === 1);
    });
  });
});

describe("many connections", () => {
  const sockets = scaled(10_000, 200);

  test(`${sockets} opened and dropped: nobody notices, and places and memory come back`, async ({
    house: { start, stats, withTwoFriends },
  }) => {
    const port = await start({ sessionsPerAddress: 2_000, sessions: 2_000 });
    const open = async (total: number): Promise<void> => {
      for (let batch = 0; batch < total / 50; batch += 1) {
        const sockets = Array.from({ length: 50 }, (_, index) => {
          const socket = connect(port, "127.0.0.1");
          socket.on("error", () => {});
          return new Promise<void>((resolve) => {
            socket.once("connect", () => {
              // Some leave half a frame, some nothing, some a reset.
              if (index % 3 === 0) socket.write(Uint8Array.of(9, 0, 1));
              if (index % 2 === 0) socket.resetAndDestroy();
              else socket.destroy();
            });
            socket.once("close", () => resolve());
          });
        });
        await Promise.all(sockets);
        // Node accepts one connection per turn of the loop that these clients share: a full backlog would cost a second.
        await until("the server has seen them go", () => stats()?.sessions === 2);
      }
    };
    await withTwoFriends(port, async () => {
      await open(sockets / 10);
      const before = usedBytes();
      await open((sockets / 10) * 9);
      expect(stats()?.players).toBe(2);
      // One kept session is some 10 KB: one in twenty would show.
      expect(usedBytes() - before).toBeLessThan(sockets * 400);
    });
  });
});

describe("budgets", () => {
  test("must be over 0", () => {
    expect(() => budgetsWith({ idleMs: 0 })).toThrow(new RangeError("Budget idleMs must be over 0, got 0"));
    expect(() => budgetsWith({ sessions: Number.NaN })).toThrow(RangeError);
  });
});
