import { type BotRun, runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import type { Clock, Transport } from "wirewalk/net";
import type { Protocol } from "wirewalk/protocol";

/** Connections that are being opened at the same time: a listener's queue of the system is about this long. */
const OPENING_AT_ONCE = 64;

/** How long the ends of a stopped flock are waited for: twice what a transport takes for its own goodbye. */
const STOP_MS = 2000;

export interface FlockOptions {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly count: number;
  /** The behaviour of all bots follows from it, whatever the order in which they connect. */
  readonly seed: number;
  /** One of the protocol's cheats, or `none`. */
  readonly cheat: string;
  /** One of the protocol's parts, for what the bots are to do. */
  readonly part?: string;
  readonly clock: Clock;
  /** Rooms over which the bots are spread; without them the world decides. */
  readonly rooms?: readonly number[];
  /** A bot that was connected is gone by itself, for that reason. */
  readonly onGone?: (number: number, reason: string) => void;
  /** Opens the connection of bot `number`, from 0, that asks for a room. */
  readonly connect: (number: number, room: number | undefined) => Promise<Transport>;
}

/** What a flock has done so far. */
export interface FlockCounts {
  /** Bots that are connected now. */
  readonly connected: number;
  /** Bots that were connected at some time. */
  readonly everConnected: number;
  /** Of these, bots that received the server's greeting, or need none. */
  readonly everReady: number;
  /** Messages of all bots, also of those that are gone. */
  readonly sent: number;
  readonly received: number;
  /** Payloads of the server that were no message. */
  readonly refused: number;
  /** Why bots are gone, or never came, with their number. */
  readonly reasons: ReadonlyMap<string, number>;
}

/** Bots that play together over connections of their own. */
export interface Flock {
  counts(): FlockCounts;
  /** Resolves when every bot has been connected, or failed to be. */
  readonly opened: Promise<void>;
  /** Resolves when no bot is connected any more, nor trying to be. */
  readonly ended: Promise<void>;
  /** Ends every connection, and waits for that within bounds. */
  stop(): Promise<void>;
}

/** Starts bots, a few at a time, each at its own moment of a step so that they do not speak in chorus. */
export function startFlock(options: FlockOptions): Flock {
  const { protocol, dialect, count, cheat, part, rooms = [], clock, connect } = options;
  const randoms = createRandom(options.seed);
  const waiting = Array.from({ length: count }, (_, number) => {
    const room = rooms[number % rooms.length];
    const place = { ...(room === undefined ? {} : { room }), ...(part === undefined ? {} : { part }) };
    return { bot: protocol.bots.create({ dialect, random: randoms.fork(), number, cheat, ...place }), number, room };
  });
  const runs: BotRun[] = [];
  const reasons = new Map<string, number>();
  const alive: Promise<void>[] = [];
  let stopping = false;
  const note = (reason: string): void => {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  };

  async function play(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined && !stopping; next = waiting.shift()) {
      const { bot, number, room } = next;
      let transport: Transport;
      try {
        transport = await connect(number, room);
      } catch (error) {
        note(error instanceof Error ? error.message : String(error));
        continue;
      }
      await new Promise<void>((resolve) => clock.after((bot.stepMs * number) / count, resolve));
      if (stopping) return transport.close();
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      alive.push(over);
      const onClosed = (reason: string): void => {
        if (!stopping) {
          note(reason);
          options.onGone?.(number, reason);
        }
        end();
      };
      runs.push(runBot({ protocol, dialect, transport, bot, clock, onClosed }));
    }
  }
  const opened = Promise.all(Array.from({ length: Math.min(count, OPENING_AT_ONCE) }, play)).then(() => undefined);
  const ended = opened.then(() => Promise.all(alive)).then(() => undefined);

  return {
    counts() {
      const counts = {
        connected: 0,
        everConnected: runs.length,
        everReady: 0,
        sent: 0,
        received: 0,
        refused: 0,
        reasons,
      };
      for (const run of runs) {
        if (run.closed === undefined) counts.connected += 1;
        if (run.ready) counts.everReady += 1;
        counts.sent += run.counts.messagesOut;
        counts.received += run.counts.messagesIn;
        counts.refused += run.counts.refused;
      }
      return counts;
    },
    opened,
    ended,
    async stop() {
      stopping = true;
      for (const run of runs) run.stop();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(STOP_MS, resolve);
      await Promise.race([ended, late]);
      cancel();
    },
  };
}
