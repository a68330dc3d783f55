import { describe, expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import { memoryPair, type Transport, VirtualClock } from "../net/index.ts";
import { protocols } from "../protocols/table.ts";
import { WireError } from "../wire/index.ts";
import { runBot } from "./run-bot.ts";
import { countingBot, echo, echoProtocol, GREETING } from "./testing/echo-server.ts";

function setUp(stepMs = 50) {
  const clock = new VirtualClock(1000);
  const [transport, server] = memoryPair({ clock, carrier: "message" });
  const bot = countingBot(stepMs);
  const closed: string[] = [];
  const run = runBot({
    protocol: echoProtocol,
    dialect: "greeting",
    transport,
    bot,
    clock,
    onClosed: (reason) => closed.push(reason),
  });
  return { clock, server, bot, run, closed };
}

describe("a bot", () => {
  test("starts after the greeting, then steps at its own pace", () => {
    const { clock, server, bot } = setUp();
    const { received } = echo(server);
    clock.advanceBy(149);
    expect(received).toEqual([...GREETING.message, 4, 0, 4, 1, 4, 2]);
    clock.advanceBy(1);
    expect(bot.calls).toEqual([
      [0, 1000],
      [1, 1050],
      [2, 1100],
      [3, 1150],
    ]);
  });

  test("sends its answers to a message", () => {
    const { clock, server, run } = setUp(1000);
    server.send(new Uint8Array([4, 100]));
    clock.advanceBy(0);
    expect(run.counts).toMatchObject({ messagesIn: 1, messagesOut: 2 });
  });

  test("takes no step after `stop`, and reports the reason", () => {
    const { clock, run, closed } = setUp();
    clock.advanceBy(50);
    run.stop("enough");
    run.stop("again");
    clock.advanceBy(1000);
    expect([run.counts.messagesOut, run.closed, closed]).toEqual([2, "enough", ["enough"]]);
  });

  test("takes no step after the server has ended the connection", () => {
    const { clock, server, run, bot, closed } = setUp();
    let steps = 0;
    const step = bot.step;
    bot.step = (nowMs) => {
      steps += 1;
      return step(nowMs);
    };
    server.close("shutting down");
    clock.advanceBy(1000);
    expect([steps, run.closed, closed]).toEqual([0, "shutting down", ["shutting down"]]);
  });

  test("closes its own connection alone when a received message contradicts its state", () => {
    const { clock, server, bot, run, closed } = setUp();
    bot.receive = () => {
      throw new WireError("bad-state", "Cannot read 100: 99 never came", 0);
    };
    server.send(new Uint8Array([4, 100]));
    clock.advanceBy(1000);
    expect([run.closed, closed]).toEqual(["Cannot read 100: 99 never came", ["Cannot read 100: 99 never came"]]);
  });

  test("`onMessage` is called before the bot receives the message", () => {
    const clock = new VirtualClock();
    const [transport, server] = memoryPair({ clock, carrier: "stream" });
    echo(server);
    const bot = countingBot(1000);
    const seen: number[][] = [];
    const onMessage = ({ value }: { readonly value: { readonly number: number } }): void => {
      seen.push([value.number, bot.calls.length]);
    };
    runBot({ protocol: echoProtocol, dialect: "greeting", transport, bot, clock, onMessage });
    clock.advanceBy(1000);
    expect(seen).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  describe("that wants to connect again", () => {
    /** Wants another connection after each third step. Its attempts to connect are answered as listed, then never again. */
    function setUpAgain(answers: readonly ("opened" | "refused")[], canReconnect = true) {
      const clock = new VirtualClock();
      const ends: { readonly received: number[]; readonly closed: string[] }[] = [];
      const attemptsMs: number[] = [];
      const connect = (): Transport => {
        const [transport, server] = memoryPair({ clock, carrier: "message" });
        ends.push(echo(server));
        return transport;
      };
      const reconnect = async (): Promise<Transport> => {
        const answer = answers[attemptsMs.length];
        attemptsMs.push(clock.now());
        if (answer !== "opened") throw new Error("Cannot connect: ECONNREFUSED");
        return connect();
      };
      const counting = countingBot(100);
      let [starts, steps] = [0, 0];
      const bot: typeof counting = {
        ...counting,
        get wantsReconnect() {
          return steps % 3 === 0;
        },
        start(nowMs) {
          starts += 1;
          return counting.start(nowMs);
        },
        step(nowMs) {
          steps += 1;
          return counting.step(nowMs);
        },
      };
      const closed: string[] = [];
      const onClosed = (reason: string): void => void closed.push(reason);
      const again = canReconnect ? { reconnect } : {};
      const run = runBot({
        protocol: echoProtocol,
        dialect: "greeting",
        transport: connect(),
        bot,
        clock,
        onClosed,
        ...again,
      });
      const play = async (ms: number): Promise<void> => {
        for (let left = ms; left > 0; left -= 50) {
          clock.advanceBy(50);
          await Promise.resolve();
          await Promise.resolve();
        }
      };
      return { play, run, ends, closed, attemptsMs, starts: () => starts };
    }

    test("closes its connection, and half a second later starts anew over another", async () => {
      const { play, run, ends, closed, attemptsMs, starts } = setUpAgain(["opened", "opened"]);
      await play(1000);
      expect([starts(), ends.map((end) => end.closed)]).toEqual([2, [["reconnect"], []]]);
      expect(attemptsMs).toEqual([800]);
      const sent = run.counts.messagesOut;
      run.stop("enough");
      await play(50);
      expect([run.closed, closed, ends.at(-1)?.closed]).toEqual(["enough", ["enough"], ["enough"]]);
      // Both connections count.
      expect(sent).toBe(ends.reduce((sum, { received }) => sum + (received.length - GREETING.message.length) / 2, 0));
    });

    test("waits twice as long after each failure, and gives up after five", async () => {
      const { play, run, closed, attemptsMs } = setUpAgain(["refused"]);
      await play(60_000);
      expect(attemptsMs).toEqual([800, 1800, 3800, 7800, 15_800]);
      expect([run.closed, closed]).toEqual(["Cannot connect: ECONNREFUSED", ["Cannot connect: ECONNREFUSED"]]);
    });

    test("is stopped between two connections", async () => {
      const { play, run, ends, closed } = setUpAgain(["opened"]);
      await play(500);
      expect(run.closed).toBeUndefined();
      run.stop("enough");
      expect(closed).toEqual([]);
      await play(5000);
      expect([run.closed, closed, ends.length]).toEqual(["enough", ["enough"], 1]);
    });

    test("goes on where it cannot", async () => {
      const { play, starts, ends, closed } = setUpAgain([], false);
      await play(2000);
      expect([starts(), ends.length, closed]).toEqual([1, 1, []]);
    });
  });

  const bots = Object.values(protocols).flatMap((protocol) =>
    protocol.dialects.map(({ name }) => ({ protocol, dialect: name })),
  );

  test.each(bots)("of every protocol sends the same bytes from the same seed: $protocol.name, $dialect", (played) => {
    const { protocol, dialect } = played;
    const said = (seed: number): number[] => {
      const clock = new VirtualClock();
      const [transport, server] = memoryPair({ clock, carrier: "stream" });
      const bytes: number[] = [];
      server.listen({ bytes: (chunk) => bytes.push(...chunk), closed: () => {} });
      const bot = protocol.bots.create({ dialect, random: createRandom(seed), number: 0, cheat: "none" });
      runBot({ protocol, dialect, transport, bot, clock });
      // Whose server greets says nothing before it was greeted.
      const greeting = protocol.openChannel({ side: "server", dialect, carrier: "stream" }).handshake?.greeting;
      if (greeting !== undefined) server.send(greeting);
      clock.advanceTo(20_000);
      return bytes;
    };
    expect(said(1).length).toBeGreaterThan(0);
    expect(said(1)).toEqual(said(1));
  });
});
