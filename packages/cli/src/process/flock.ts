import { type BotRun, runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import type { Clock, Transport } from "wirewalk/net";
import type { ProtocolWith, WorldMaps } from "wirewalk/protocol";

/** Connections that are opened at the same time: about the length of a listener's queue. */
const OPENING_AT_ONCE = 64;

/** How long `stop` waits for connections to close: twice what a transport takes for it. */
const STOP_MS = 2000;

export interface FlockOptions {
  readonly protocol: ProtocolWith<"openChannel" | "bots">;
  readonly dialect: string;
  readonly count: number;
  /** Random seed of all bots; the order in which they connect does not matter. */
  readonly seed: number;
  /** One of the protocol's cheats, or `none`. */
  readonly cheat: string;
  /** One of the protocol's parts: what the bots do. */
  readonly part?: string;
  /** The text of a person's recording, for cheats that replay one. Default: none. */
  readonly recording?: string;
  /** The maps of the server. Default: none. */
  readonly maps?: WorldMaps | undefined;
  readonly clock: Clock;
  /** The bots are spread over these rooms; without them the world decides. */
  readonly rooms?: readonly number[];
  /** A connected bot was disconnected, for this reason; not called by `stop`. */
  readonly onGone?: (number: number, reason: string) => void;
  /** Connections that are opened at the same time. Default 64. */
  readonly atOnce?: number;
  /** Opens a connection of bot `number`, from 0, that asks for a room: again for a bot that wants another one. */
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
  /** Messages of all bots, disconnected ones included. */
  readonly sent: number;
  readonly received: number;
  /** Payloads of the server that could not be read. */
  readonly refused: number;
  /** Why bots were disconnected or could not connect, with their number. */
  readonly reasons: ReadonlyMap<string, number>;
}

/** Bots that play together over connections of their own. */
export interface Flock {
  counts(): FlockCounts;
  /** Resolves when every bot has connected or failed to. */
  readonly opened: Promise<void>;
  /** Resolves when no bot is connected or connecting. */
  readonly ended: Promise<void>;
  /** Closes every connection and waits for that, at most 2 s. */
  stop(): Promise<void>;
}

/** Starts bots, a few at a time, spread over a step so that they do not all send at the same moment. */
export function startFlock(options: FlockOptions): Flock {
  const { protocol, dialect, count, cheat, part, recording, rooms = [], maps, clock, connect } = options;
  const { atOnce = OPENING_AT_ONCE } = options;
  const randoms = createRandom(options.seed);
  const waiting = Array.from({ length: count }, (_, number) => {
    const room = rooms[number % rooms.length];
    const where = { ...(room === undefined ? {} : { room }), ...(maps === undefined ? {} : { maps }) };
    const given = {
      ...where,
      ...(part === undefined ? {} : { part }),
      ...(recording === undefined ? {} : { recording }),
    };
    return { bot: protocol.bots.create({ dialect, random: randoms.fork(), number, cheat, ...given }), number, room };
  });
  const runs: BotRun[] = [];
  const reasons = new Map<string, number>();
  const alive: Promise<void>[] = [];
  let stopping = false;
  const note = (reason: string): void => {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  };

  type Waiting = (typeof waiting)[number];

  async function play({ bot, number, room }: Waiting, transport: Transport): Promise<void> {
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
    const reconnect = (): Promise<Transport> => connect(number, room);
    runs.push(runBot({ protocol, dialect, transport, bot, clock, reconnect, onClosed }));
  }

  async function open(): Promise<void> {
    const playing: Promise<void>[] = [];
    for (let next = waiting.shift(); next !== undefined && !stopping; next = waiting.shift()) {
      try {
        playing.push(play(next, await connect(next.number, next.room)));
      } catch (error) {
        note(error instanceof Error ? error.message : String(error));
      }
    }
    await Promise.all(playing);
  }
  const opened = Promise.all(Array.from({ length: Math.min(count, atOnce) }, open)).then(() => undefined);
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
