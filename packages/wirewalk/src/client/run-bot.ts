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
import type { Cancel, Clock, Transport } from "../net/index.ts";
import type { Bot } from "../protocols/bot.ts";
import type { WireMessage } from "../protocols/codec.ts";
import { WireError } from "../wire/index.ts";
import { type Client, type ClientCounts, type ClientOptions, connectClient } from "./client.ts";

/** From the end of a connection to the start of the next; twice as long after each attempt that failed. */
const RECONNECT_MS = 500;
/** Attempts to connect again before a bot gives up: 15.5 s in all. */
const RECONNECT_ATTEMPTS = 5;

/** Options of a client whose player is a bot. The handlers only observe. */
export interface BotRunOptions<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage>
  extends Omit<ClientOptions<C, S>, "onMessage"> {
  readonly bot: Bot<C, S>;
  readonly clock: Clock;
  /**
   * Opens the next connection of a bot that wants one, see `Bot.wantsReconnect`. After a failure it is called again, at most
   * five times. Without it a bot has one connection.
   */
  readonly reconnect?: () => Promise<Transport>;
  /** A message of the server, before the bot receives it. */
  readonly onMessage?: (message: S, payload: Uint8Array) => void;
}

/** A running bot. */
export interface BotRun {
  /** Of all its connections. */
  readonly counts: Readonly<ClientCounts>;
  /** False until the server's greeting has arrived, in protocols in which the server greets first. */
  readonly ready: boolean;
  /** Why the run is over; undefined while it is not, also between two connections. */
  readonly closed: string | undefined;
  /** Ends the connection and the bot's steps. */
  stop(reason?: string): void;
}

/**
 * Starts a bot. A `WireError` that it throws ends its run, with that message as the reason. Bots that start together
 * step together: spread the start of many bots over a step.
 */
export function runBot<C extends WireMessage, S extends WireMessage>(options: BotRunOptions<C, S>): BotRun {
  const { bot, clock, reconnect, onMessage, onClosed, ...rest } = options;
  /** Of connections that are over. */
  const past: ClientCounts = { bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0, refused: 0 };
  let client: Client<C>;
  let stopSteps: Cancel = () => {};
  let cancelWait: Cancel | undefined;
  let isReconnecting = false;
  let closed: string | undefined;

  const finish = (reason: string): void => {
    if (closed !== undefined) return;
    closed = reason;
    onClosed?.(reason);
  };
  const say = (messages: readonly C[]): void => {
    for (const message of messages) client.send(message);
  };

  function open(transport: Transport): void {
    isReconnecting = false;
    client = connectClient<C, S>({
      ...rest,
      transport,
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
        if (!isReconnecting) finish(reason);
        else if (closed === undefined) waitAndConnect(RECONNECT_MS, 1);
      },
    });
    say(bot.start(clock.now()));
    stopSteps = clock.every(bot.stepMs, () => {
      say(bot.step(clock.now()));
      if (reconnect === undefined || bot.wantsReconnect !== true) return;
      stopSteps();
      isReconnecting = true;
      client.close("reconnect");
    });
  }

  function waitAndConnect(waitMs: number, attempt: number): void {
    cancelWait = clock.after(waitMs, () => {
      cancelWait = undefined;
      void connectAgain(waitMs, attempt);
    });
  }

  async function connectAgain(waitMs: number, attempt: number): Promise<void> {
    let transport: Transport | undefined;
    try {
      transport = await reconnect?.();
    } catch (error) {
      if (closed !== undefined) return;
      if (attempt < RECONNECT_ATTEMPTS) waitAndConnect(2 * waitMs, attempt + 1);
      else finish(error instanceof Error ? error.message : String(error));
      return;
    }
    if (transport === undefined) return;
    if (closed !== undefined) {
      transport.close();
      return;
    }
    addCounts(past, client.counts);
    open(transport);
  }

  open(rest.transport);
  return {
    get counts() {
      const counts = { ...past };
      addCounts(counts, client.counts);
      return counts;
    },
    get ready() {
      return client.ready;
    },
    get closed() {
      return closed;
    },
    stop(reason) {
      stopSteps();
      if (!isReconnecting) {
        client.close(reason);
        return;
      }
      cancelWait?.();
      if (closed !== undefined) return;
      closed = reason ?? "closed";
      // Not while `stop` runs, as with a connection.
      clock.after(0, () => onClosed?.(closed ?? ""));
    },
  };
}

function addCounts(sum: ClientCounts, counts: Readonly<ClientCounts>): void {
  sum.bytesIn += counts.bytesIn;
  sum.bytesOut += counts.bytesOut;
  sum.messagesIn += counts.messagesIn;
  sum.messagesOut += counts.messagesOut;
  sum.refused += counts.refused;
}
