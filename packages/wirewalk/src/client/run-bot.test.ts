import { describe, expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import { memoryPair, VirtualClock } from "../net/index.ts";
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
