/**
 * Lets a protocol's **bot** play over a transport: what it says is sent, what comes back it hears, and the clock steps it.
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

/** A client's options; the bot is its player. The handlers only look on. */
export interface BotRunOptions<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage>
  extends Omit<ClientOptions<C, S>, "onMessage"> {
  readonly bot: Bot<C, S>;
  readonly clock: Clock;
  /** A message of the server, before the bot hears it. */
  readonly onMessage?: (message: S, payload: Uint8Array) => void;
}

/** A bot that plays, until the connection is over. */
export interface BotRun {
  readonly counts: Readonly<ClientCounts>;
  /** False until the server's greeting has arrived, in protocols in which the server greets first. */
  readonly ready: boolean;
  /** Why the connection is over; undefined while it is not. */
  readonly closed: string | undefined;
  /** Ends the connection; the bot takes no step any more. */
  stop(reason?: string): void;
}

/**
 * Starts a bot at once. A `WireError` that it throws ends its connection, for that reason. Bots that start together step
 * together: start a flock spread over a step.
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
        // What the server said cannot be true: that is told as the end of the session, and everybody else plays on.
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
