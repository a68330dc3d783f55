/**
 * Lets a protocol's **bot** play over a transport: sends its messages, gives it those of the server, and steps it by the clock.
 *
 * ```ts
 * import { runBot } from "wirewalk/client";
 *
 * const run = runBot({ protocol: echoProtocol, dialect: "greeting", transport: echoTransport, bot: countingBot, clock });
 * clock.advanceBy(10 * countingBot.stepMs);
 * run.counts.messagesOut; // => 11
 * run.stop("enough");
 * clock.advanceBy(1);
 * run.closed; // => "enough"
 * ```
 *
 * @module
 */
import type { Clock } from "../net/index.ts";
import type { Bot } from "../protocols/bot.ts";
import type { WireMessage } from "../protocols/codec.ts";
import { WireError } from "../wire/index.ts";
import { type ClientCounts, type ClientOptions, connectClient } from "./client.ts";

/** Options of a client whose player is a bot. The handlers only observe. */
export interface BotRunOptions<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage>
  extends Omit<ClientOptions<C, S>, "onMessage"> {
  readonly bot: Bot<C, S>;
  readonly clock: Clock;
  /** A message of the server, before the bot receives it. */
  readonly onMessage?: (message: S, payload: Uint8Array) => void;
}

/** A running bot. */
export interface BotRun {
  readonly counts: Readonly<ClientCounts>;
  /** False until the server's greeting has arrived, in protocols in which the server greets first. */
  readonly ready: boolean;
  /** Why the connection is over; undefined while it is not. */
  readonly closed: string | undefined;
  /** Ends the connection and the bot's steps. */
  stop(reason?: string): void;
}

/**
 * Starts a bot. A `WireError` that it throws ends its connection, with that message as the reason. Bots that start together
 * step together: spread the start of many bots over a step.
 */
export function runBot<C extends WireMessage, S extends WireMessage>(options: BotRunOptions<C, S>): BotRun {
  const { bot, clock, onMessage, onClosed, ...rest } = options;
  const say = (messages: readonly C[]): void => {
    for (const message of messages) client.send(message);
  };
  const client = connectClient<C, S>({
    ...rest,
    onMessage(message, payload) {
      onMessage?.(message, payload);
      try {
        say(bot.receive(message, clock.now()));
      } catch (error) {
        // The message is impossible after those before it: this session ends, other bots play on.
        if (!(error instanceof WireError)) throw error;
        client.close(error.message);
      }
    },
    onClosed(reason) {
      stopSteps();
      onClosed?.(reason);
    },
  });
  say(bot.start(clock.now()));
  const stopSteps = clock.every(bot.stepMs, () => say(bot.step(clock.now())));

  return {
    counts: client.counts,
    get ready() {
      return client.ready;
    },
    get closed() {
      return client.closed;
    },
    stop(reason) {
      stopSteps();
      client.close(reason);
    },
  };
}
