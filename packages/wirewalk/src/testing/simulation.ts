/**
 * Hours of play of many bots through bad networks, in one thread and without waiting: bots, channels, seeded links, and
 * a host with its world, all on one virtual clock. What a server would do is done, but for sockets.
 */
import { type Framing, framePayloads, Host, payloadFraming, type Recipient } from "../host/index.ts";
import { createRandom, type PlayerId, type Position, type Random, type Verdict } from "../motion/index.ts";
import { type NetworkConditions, NetworkLink, type StallConditions, VirtualClock } from "../net/index.ts";
import type { Bot } from "../protocols/bot.ts";
import type { Channel, WireMessage } from "../protocols/codec.ts";
import type { ServedProtocol } from "../protocols/protocol.ts";
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

/** A message that a bot has received: where it took itself to be before and after. */
export interface Reception<S extends WireMessage> {
  /** Index of the bot in `bots`. */
  readonly number: number;
  readonly message: S;
  readonly before: Position | undefined;
  readonly after: Position | undefined;
  readonly atMs: number;
}

/** Times in which the process of the server stands. */
export interface ProcessStall extends StallConditions {
  /** Each stall lasts from `durationMs` to this. Default: all last `durationMs`. */
  readonly longestMs?: number;
  /**
   * The bots live in the same process. A stall is one of three: both stand; the server alone; or the bots' steps are late while
   * messages are read and answered on both sides, as Node does in a long turn of its event loop.
   */
  readonly withBots?: boolean;
}

export interface SimulationOptions<C extends WireMessage, S extends WireMessage> {
  readonly protocol: ServedProtocol<C, S>;
  readonly world: WorldOptions;
  readonly seed: number;
  readonly durationMs: number;
  readonly conditions: NetworkConditions;
  readonly bots: readonly SimulatedBot<C, S>[];
  /** Times in which the whole server stands: it reads and writes nothing, then handles all that has arrived at once. */
  readonly serverStall?: ProcessStall;
  /** Each client plays once in this time, milliseconds, all that has passed since. Default: as often as its bot wants. */
  readonly clientStepMs?: number;
  /** A connection ends after so many milliseconds on average (exponentially distributed) and its bot connects again, over a link with another latency. */
  readonly reconnectEveryMs?: number;
  /** Called once, before anybody plays: to record the host, for example. */
  readonly onHost?: (host: Host<C, S>) => void;
  readonly onVerdict?: (verdict: Verdict, played: Played<C, S>) => void;
  readonly onReceived?: (reception: Reception<S>) => void;
  /** Called every so often, while the server runs. */
  readonly sample?: { readonly everyMs: number; take(played: Played<C, S>): void };
}

/** What is seen of a play while it goes on. */
export interface Played<C extends WireMessage, S extends WireMessage> {
  readonly world: World<C, S>;
  readonly nowMs: number;
  /** The bot behind each player so far, by its index in `bots`. */
  readonly numbers: ReadonlyMap<PlayerId, number>;
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
  /** The bot behind each player, by its index in `bots`. A bot that connects again is another player. */
  readonly numbers: ReadonlyMap<PlayerId, number>;
  readonly world: World;
}

interface Session<C extends WireMessage, S extends WireMessage> {
  readonly server: Channel<C, S>;
  readonly client: Channel<S, C>;
  readonly up: NetworkLink;
  readonly down: NetworkLink;
  player: number;
  /** False once the server has ended it. */
  open: boolean;
  /** What arrived while the server stood, and while the bot did. */
  waiting: Uint8Array[];
  unread: Uint8Array[];
  /** The bot reads. */
  readonly take: (bytes: Uint8Array) => void;
  lagging: boolean;
}

/** Bytes for one client that the server's kernel takes over; what is more is queued by the server itself. */
const SOCKET_BYTES = 64 * 1024;
/** Bytes queued by the server above which a recipient counts as too slow: the server's own budget. */
const QUEUED_BYTES_SOFT = 256 * 1024;
/** From the end of a bot's connection to the start of its next. */
const RECONNECT_MS = 1000;

/** Plays it all. Equal options give equal results. */
export function simulate<C extends WireMessage, S extends WireMessage>(
  options: SimulationOptions<C, S>,
): SimulationResult {
  return new Simulation(options).run();
}

/** Plays it all as `simulate` does, and waits in between: for a disk, for example. */
export async function simulateInSteps<C extends WireMessage, S extends WireMessage>(
  options: SimulationOptions<C, S>,
  { stepMs, between }: { readonly stepMs: number; readonly between: () => Promise<void> },
): Promise<SimulationResult> {
  const simulation = new Simulation(options);
  simulation.begin();
  for (let atMs = 0; atMs < options.durationMs; ) {
    atMs = Math.min(atMs + stepMs, options.durationMs);
    simulation.advanceTo(atMs);
    await between();
  }
  return simulation.result();
}

class Simulation<C extends WireMessage, S extends WireMessage> {
  readonly #options: SimulationOptions<C, S>;
  readonly #clock = new VirtualClock();
  readonly #verdicts: Verdict[] = [];
  readonly #bans: Extract<Effect, { effect: "ban" }>[] = [];
  readonly #sessions = new Map<number, Session<C, S>>();
  readonly #closing: number[] = [];
  readonly #firstReceivedMs = new Map<PlayerId, number>();
  readonly #numbers = new Map<PlayerId, number>();
  readonly #banned = new Set<string>();
  readonly #world: World<C, S>;
  readonly #host: Host<C, S>;
  readonly #sharesFrames: boolean;
  readonly #framing: Framing;
  #received = 0;
  #refused = 0;
  #isStanding = false;
  #areBotsStanding = false;
  #areStepsLate = false;

  constructor(options: SimulationOptions<C, S>) {
    this.#options = options;
    const { protocol } = options;
    const { dialect } = options.world;
    this.#world = protocol.createWorld(options.world);
    this.#host = new Host<C, S>({
      world: this.#world,
      codec: protocol.codec(dialect),
      events: {
        verdict: (verdict) => {
          options.onVerdict?.(verdict, this.#played());
          this.#verdicts.push(verdict);
        },
        ban: (ban) => {
          this.#bans.push(ban);
          this.#banned.add(ban.account);
        },
        close: (player) => this.#closing.push(player),
      },
    });
    options.onHost?.(this.#host);
    const framing = protocol.openChannel({ side: "server", dialect, carrier: "stream" });
    this.#sharesFrames = framing.sharesFrames;
    this.#framing = framing.sharesFrames ? { frame: (payload) => framing.frame(payload) } : payloadFraming;
  }

  run(): SimulationResult {
    this.begin();
    this.advanceTo(this.#options.durationMs);
    return this.result();
  }

  /** Plans everything; then time may advance. */
  begin(): void {
    const { bots, serverStall, sample, seed } = this.#options;
    const clock = this.#clock;
    const random = createRandom(seed);
    for (const [number, bot] of bots.entries()) {
      const links = random.fork();
      clock.after(bot.startMs, () => this.#connect(bot, number, links));
    }
    clock.every(this.#world.tickMs, () => {
      if (!this.#isStanding) this.#tick();
    });
    if (serverStall !== undefined) this.#planStall(serverStall, random.fork());
    if (sample !== undefined) {
      clock.every(sample.everyMs, () => {
        if (!this.#isStanding) sample.take(this.#played());
      });
    }
  }

  advanceTo(atMs: number): void {
    this.#clock.advanceTo(atMs);
  }

  result(): SimulationResult {
    return {
      verdicts: this.#verdicts,
      bans: this.#bans,
      received: this.#received,
      delivered: this.#host.counts.deliveries,
      refused: this.#refused,
      firstReceivedMs: this.#firstReceivedMs,
      numbers: this.#numbers,
      world: this.#world,
    };
  }

  #played(): Played<C, S> {
    return { world: this.#world, nowMs: this.#clock.now(), numbers: this.#numbers };
  }

  // --- The server ----------------------------------------------------------------------------------------------------

  #tick(): void {
    this.#host.tick(this.#clock.now());
    this.#settle();
  }

  #settle(): void {
    for (const player of this.#closing.splice(0)) {
      const session = this.#sessions.get(player);
      if (session !== undefined) session.open = false;
      this.#sessions.delete(player);
      this.#host.leave(player, this.#clock.now());
    }
    this.#host.flush();
  }

  #planStall(stall: ProcessStall, random: Random): void {
    const { everyMs, durationMs, longestMs = durationMs, regular = false, withBots = false } = stall;
    // Regular or not: the first may come at any time.
    const waitMs = regular ? everyMs * (0.9 + 0.2 * random.next()) : -Math.log(1 - random.next()) * everyMs;
    this.#clock.after(waitMs, () => {
      const stands = withBots ? random.pick(["both", "server", "steps"] as const) : "server";
      this.#isStanding = stands !== "steps";
      this.#areBotsStanding = stands === "both";
      this.#areStepsLate = stands !== "server";
      const forMs = longestMs === durationMs ? durationMs : durationMs + (longestMs - durationMs) * random.next();
      this.#clock.after(forMs, () => {
        this.#goOn(random.chance(0.5));
        this.#planStall(stall, random);
      });
    });
  }

  /** A stall is over. The sockets are read one after the other; the late timers run before or after. */
  #goOn(ticksFirst: boolean): void {
    const wasStanding = this.#isStanding;
    this.#isStanding = false;
    this.#areBotsStanding = false;
    this.#areStepsLate = false;
    if (!wasStanding) return;
    if (ticksFirst) this.#tick();
    for (const session of this.#sessions.values()) {
      for (const bytes of session.waiting.splice(0)) this.#read(session, bytes);
    }
    this.#settle();
    if (!ticksFirst) this.#tick();
    for (const session of this.#sessions.values()) {
      for (const bytes of session.unread.splice(0)) session.take(bytes);
    }
  }

  #arrived(session: Session<C, S>, bytes: Uint8Array): void {
    if (!session.open) return;
    if (this.#isStanding) {
      session.waiting.push(bytes);
      return;
    }
    this.#read(session, bytes);
    this.#settle();
  }

  #read(session: Session<C, S>, bytes: Uint8Array): void {
    if (!session.open) return;
    const nowMs = this.#clock.now();
    session.server.push(bytes);
    for (let next = session.server.next(); next !== undefined; next = session.server.next()) {
      if (next.message === undefined) this.#refused += 1;
      else {
        this.#received += 1;
        if (!this.#firstReceivedMs.has(session.player)) this.#firstReceivedMs.set(session.player, nowMs);
        this.#host.receive(session.player, next.message, next.payload, nowMs);
      }
    }
  }

  #hungUp(session: Session<C, S>): void {
    if (!session.open) return;
    if (this.#isStanding) {
      // What arrived before the end is read first.
      this.#clock.after(RECONNECT_MS / 10, () => this.#hungUp(session));
      return;
    }
    session.open = false;
    this.#sessions.delete(session.player);
    this.#host.leave(session.player, this.#clock.now());
    this.#settle();
  }

  // --- One connection ------------------------------------------------------------------------------------------------

  #connect(simulated: SimulatedBot<C, S>, number: number, links: Random): void {
    const { protocol, conditions, onReceived } = this.#options;
    const { dialect } = this.#options.world;
    const { bot, joining, listens } = simulated;
    const clock = this.#clock;
    const host = this.#host;
    if (this.#isStanding) {
      clock.after(RECONNECT_MS, () => this.#connect(simulated, number, links));
      return;
    }
    // A banned account is refused at the door, and so is one that is still online.
    if (this.#banned.has(joining.account) || host.refuses(joining) !== undefined) return;
    const link = (): NetworkLink => new NetworkLink({ conditions, delivery: "ordered", random: links });
    const session: Session<C, S> = {
      server: protocol.openChannel({ side: "server", dialect, carrier: "stream" }),
      client: protocol.openChannel({ side: "client", dialect, carrier: "stream" }),
      up: link(),
      down: link(),
      player: 0,
      open: true,
      waiting: [],
      unread: [],
      take: (bytes) => take(bytes),
      lagging: false,
    };
    // A link keeps the order, and so does a queue: times that are equal are not once they are delays, which are rounded.
    const sent: Uint8Array[] = [];
    const answered: Uint8Array[] = [];
    const say = (messages: readonly C[]): void => {
      const nowMs = clock.now();
      for (const message of messages) {
        const bytes = session.client.write(message);
        for (const atMs of session.up.send(nowMs, bytes.length)) {
          sent.push(bytes);
          clock.after(atMs - nowMs, () => this.#arrived(session, sent.shift() as Uint8Array));
        }
      }
    };
    const receive = (bytes: Uint8Array): void => {
      if (this.#areBotsStanding) session.unread.push(bytes);
      else session.take(bytes);
    };
    const take = (bytes: Uint8Array): void => {
      const nowMs = clock.now();
      session.client.push(bytes);
      for (let next = session.client.next(); next !== undefined; next = session.client.next()) {
        if (next.message === undefined) this.#refused += 1;
        else if (onReceived === undefined) say(bot.receive(next.message, nowMs));
        else {
          const before = bot.place;
          const answers = bot.receive(next.message, nowMs);
          onReceived({ number, message: next.message, before, after: bot.place, atMs: nowMs });
          say(answers);
        }
      }
    };
    const recipient: Recipient = {
      framing: this.#framing,
      get isBehind() {
        return session.down.queuedBytes(clock.now()) > SOCKET_BYTES;
      },
      deliver: (bytes) => {
        if (!listens) return true;
        const nowMs = clock.now();
        // The bytes may be shared: what travels is a copy, as on a wire.
        const copy = this.#sharesFrames
          ? bytes.slice()
          : framePayloads(bytes, (payload) => session.server.frame(payload));
        for (const atMs of session.down.send(nowMs, copy.length)) {
          answered.push(copy);
          clock.after(atMs - nowMs, () => receive(answered.shift() as Uint8Array));
        }
        if (session.down.queuedBytes(nowMs) <= SOCKET_BYTES + QUEUED_BYTES_SOFT) return true;
        this.#awaitDrain(session);
        return false;
      },
    };
    // What a side says first is there before anything else is.
    const fromServer = session.server.handshake?.greeting;
    const fromClient = session.client.handshake?.greeting;
    if (fromServer !== undefined) session.client.push(fromServer);
    if (fromClient !== undefined) session.server.push(fromClient);
    session.player = host.join(recipient, joining, clock.now());
    this.#sessions.set(session.player, session);
    this.#numbers.set(session.player, number);
    this.#settle();
    // A login has been checked when the world is joined: what the bot says first is the login itself.
    const first = bot.start(clock.now());
    say(protocol.capabilities?.login?.admission(dialect) === undefined ? first : first.slice(1));
    const { clientStepMs = 0, reconnectEveryMs } = this.#options;
    const endsMs =
      reconnectEveryMs === undefined ? Infinity : clock.now() - Math.log(1 - links.next()) * reconnectEveryMs;
    const cancel = clock.every(Math.max(clientStepMs, bot.stepMs), () => {
      if (!session.open) {
        cancel();
        return;
      }
      if (this.#areStepsLate) return;
      say(bot.step(clock.now()));
      if (bot.wantsReconnect !== true && clock.now() < endsMs) return;
      cancel();
      const [arrivesMs = clock.now()] = session.up.send(clock.now());
      clock.after(arrivesMs - clock.now(), () => this.#hungUp(session));
      clock.after(arrivesMs - clock.now() + RECONNECT_MS, () => this.#connect(simulated, number, links));
    });
  }

  /** A reader that was too slow receives the state anew once it has read everything. */
  #awaitDrain(session: Session<C, S>): void {
    if (session.lagging) return;
    session.lagging = true;
    const check = (): void => {
      if (!session.open) return;
      const nowMs = this.#clock.now();
      const queued = session.down.queuedBytes(nowMs) - SOCKET_BYTES;
      if (queued > 0 || this.#isStanding) {
        this.#clock.after(100, check);
        return;
      }
      session.lagging = false;
      this.#host.refresh(session.player, nowMs);
      this.#settle();
    };
    this.#clock.after(100, check);
  }
}
