/**
 * Hours of play of many bots through bad networks, in one thread and without waiting: bots, channels, seeded links, and
 * a host with its world, all on one virtual clock. What a server would do is done, but for sockets.
 */
import { framePayloads, Host, payloadFraming, type Recipient } from "../host/index.ts";
import { createRandom, type PlayerId, type Verdict } from "../motion/index.ts";
import { type NetworkConditions, NetworkLink, VirtualClock } from "../net/index.ts";
import type { Bot } from "../protocols/bot.ts";
import type { Channel, WireMessage } from "../protocols/codec.ts";
import type { Protocol } from "../protocols/protocol.ts";
import type { Effect, Joining, World, WorldOptions } from "../protocols/world.ts";

/** One bot of a simulation. */
export interface SimulatedBot<C extends WireMessage, S extends WireMessage> {
  readonly bot: Bot<C, S>;
  readonly joining: Joining;
  /** When it connects. */
  readonly startMs: number;
  /** Whether what the server says is decoded for it; without, the bytes are only counted. */
  readonly listens: boolean;
}

export interface SimulationOptions<C extends WireMessage, S extends WireMessage> {
  readonly protocol: Protocol<C, S>;
  readonly world: WorldOptions;
  readonly seed: number;
  readonly durationMs: number;
  readonly conditions: NetworkConditions;
  readonly bots: readonly SimulatedBot<C, S>[];
  readonly onVerdict?: (verdict: Verdict) => void;
}

export interface SimulationResult {
  readonly verdicts: readonly Verdict[];
  readonly bans: readonly Extract<Effect, { effect: "ban" }>[];
  /** Messages that the host took in. */
  readonly received: number;
  /** Messages that recipients were given. */
  readonly delivered: number;
  /** Payloads that a channel could not read: honest bots have none. */
  readonly refused: number;
  /** When each player's first message reached the host. */
  readonly firstReceivedMs: ReadonlyMap<PlayerId, number>;
  readonly world: World;
}

interface Session<C extends WireMessage, S extends WireMessage> {
  readonly server: Channel<C, S>;
  readonly client: Channel<S, C>;
  readonly up: NetworkLink;
  readonly down: NetworkLink;
  player: number;
  open: boolean;
}

/** Plays it all. Equal options give equal results. */
export function simulate<C extends WireMessage, S extends WireMessage>(
  options: SimulationOptions<C, S>,
): SimulationResult {
  const { protocol, conditions } = options;
  const { dialect } = options.world;
  const clock = new VirtualClock();
  const random = createRandom(options.seed);
  const verdicts: Verdict[] = [];
  const bans: Extract<Effect, { effect: "ban" }>[] = [];
  const sessions = new Map<number, Session<C, S>>();
  const closing: number[] = [];
  const firstReceivedMs = new Map<PlayerId, number>();
  let received = 0;
  let refused = 0;
  const world = protocol.createWorld(options.world);
  const host = new Host<C, S>({
    world,
    codec: protocol.codec(dialect),
    events: {
      verdict(verdict) {
        options.onVerdict?.(verdict);
        verdicts.push(verdict);
      },
      ban: (ban) => bans.push(ban),
      close: (player) => closing.push(player),
    },
  });
  const serverFraming = protocol.openChannel({ side: "server", dialect, carrier: "stream" });
  const framing = serverFraming.sharesFrames
    ? { frame: (payload: Uint8Array) => serverFraming.frame(payload) }
    : payloadFraming;

  const settle = (): void => {
    for (const player of closing.splice(0)) {
      const session = sessions.get(player);
      if (session !== undefined) session.open = false;
      sessions.delete(player);
      host.leave(player, clock.now());
    }
    host.flush();
  };

  for (const { bot, joining, startMs, listens } of options.bots) {
    const links = random.fork();
    clock.after(startMs, () => {
      const link = (): NetworkLink => new NetworkLink({ conditions, delivery: "ordered", random: links });
      const session: Session<C, S> = {
        server: protocol.openChannel({ side: "server", dialect, carrier: "stream" }),
        client: protocol.openChannel({ side: "client", dialect, carrier: "stream" }),
        up: link(),
        down: link(),
        player: 0,
        open: true,
      };
      const say = (messages: readonly C[]): void => {
        for (const message of messages) {
          const bytes = session.client.write(message);
          for (const atMs of session.up.send(clock.now())) {
            clock.after(atMs - clock.now(), () => {
              if (!session.open) return;
              session.server.push(bytes);
              for (let next = session.server.next(); next !== undefined; next = session.server.next()) {
                if (next.message === undefined) refused += 1;
                else {
                  received += 1;
                  if (!firstReceivedMs.has(session.player)) firstReceivedMs.set(session.player, clock.now());
                  host.receive(session.player, next.message, next.payload, clock.now());
                }
              }
              settle();
            });
          }
        }
      };
      const receive = (bytes: Uint8Array): void => {
        session.client.push(bytes);
        for (let next = session.client.next(); next !== undefined; next = session.client.next()) {
          if (next.message === undefined) refused += 1;
          else say(bot.receive(next.message, clock.now()));
        }
      };
      const recipient: Recipient = {
        framing,
        deliver(bytes) {
          if (!listens) return true;
          // The bytes may be shared: what travels is a copy, as on a wire.
          const copy = serverFraming.sharesFrames
            ? bytes.slice()
            : framePayloads(bytes, (payload) => session.server.frame(payload));
          for (const atMs of session.down.send(clock.now())) clock.after(atMs - clock.now(), () => receive(copy));
          return true;
        },
      };
      // What a side says first is there before anything else is.
      const fromServer = session.server.handshake?.greeting;
      const fromClient = session.client.handshake?.greeting;
      if (fromServer !== undefined) session.client.push(fromServer);
      if (fromClient !== undefined) session.server.push(fromClient);
      session.player = host.join(recipient, joining, clock.now());
      sessions.set(session.player, session);
      settle();
      // A login has been checked when the world is joined: what the bot says first is the login itself.
      const first = bot.start(clock.now());
      say(protocol.capabilities.login?.admission(dialect) === undefined ? first : first.slice(1));
      clock.every(bot.stepMs, () => {
        if (session.open) say(bot.step(clock.now()));
      });
    });
  }
  clock.every(world.tickMs, () => {
    host.tick(clock.now());
    settle();
  });
  clock.advanceTo(options.durationMs);
  return { verdicts, bans, received, delivered: host.counts.deliveries, refused, firstReceivedMs, world };
}
