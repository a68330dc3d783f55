/**
 * Connections as bots and worlds make them, byte by byte, on one virtual clock: of all games, over TCP and WebSocket. Nothing waits
 * and nothing is lost on the way: what becomes of the bytes in a capture is added by `made-capture.ts`.
 */
import { type Framing, framePayloads, Host, payloadFraming } from "../../host/index.ts";
import { createRandom, type Random } from "../../motion/index.ts";
import { VirtualClock } from "../../net/index.ts";
import type { Channel, Joining, PlayableProtocol, Side, WireMessage } from "../../protocols/index.ts";
import { httpHead, websocketFrames } from "./websocket-frames.ts";

/** The bots of one world. */
export interface PlayedWorld {
  readonly protocol: PlayableProtocol;
  readonly dialect: string;
  readonly carrier: "tcp" | "websocket";
  readonly bots: number;
}

/** What is carried, in the order of the clock. Connections are numbered from 0, through all worlds. */
export interface CarriedEvents {
  open(connection: number, world: PlayedWorld, atMs: number): void;
  data(connection: number, sender: Side, bytes: Uint8Array, atMs: number): void;
  close(connection: number, atMs: number): void;
  /** A message that a channel of the game has read: what an inspection of the same bytes must find. */
  read?(connection: number, sender: Side, payload: Uint8Array): void;
}

export interface PlayOptions {
  readonly worlds: readonly PlayedWorld[];
  readonly seed: number;
  readonly durationMs: number;
  /** Asked every second of the virtual clock. */
  readonly isEnough?: () => boolean;
}

/** From a side to the other. */
const DELAY_MS = 5;
/** Bots connect one after the other within this time, and play for at least the second. */
const ARRIVAL_MS = 3000;
const LEAST_STAY_MS = 20_000;

/** Plays until the time is over or it is enough. */
export function playConnections(options: PlayOptions, events: CarriedEvents): void {
  const { worlds, seed, durationMs, isEnough } = options;
  const clock = new VirtualClock();
  const random = createRandom(seed);
  const counter = { connections: 0 };
  for (const world of worlds) new World(world, clock, random.fork(), events, counter).start();
  for (let atMs = 1000; atMs <= durationMs && isEnough?.() !== true; atMs += 1000) clock.advanceTo(atMs);
}

class World {
  readonly #played: PlayedWorld;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #events: CarriedEvents;
  readonly #counter: { connections: number };
  readonly #host: Host;
  readonly #framing: Framing;
  readonly #isShared: boolean;
  readonly #closing = new Map<number, () => void>();

  constructor(
    played: PlayedWorld,
    clock: VirtualClock,
    random: Random,
    events: CarriedEvents,
    counter: { connections: number },
  ) {
    this.#played = played;
    this.#clock = clock;
    this.#random = random;
    this.#events = events;
    this.#counter = counter;
    const { protocol, dialect } = played;
    const world = protocol.createWorld({ dialect, seed: random.integer(1, 1_000_000), demo: true });
    const closed: number[] = [];
    this.#host = new Host({
      world,
      codec: protocol.codec(dialect),
      events: { close: (player) => closed.push(player) },
    });
    const channel = this.#openChannel("server");
    this.#isShared = channel.sharesFrames && played.carrier === "tcp";
    this.#framing = this.#isShared ? { frame: (payload) => channel.frame(payload) } : payloadFraming;
    clock.every(world.tickMs, () => {
      this.#host.tick(clock.now());
      this.#host.flush();
      for (const player of closed.splice(0)) this.#closing.get(player)?.();
    });
  }

  start(): void {
    for (let number = 0; number < this.#played.bots; number++) {
      this.#clock.after(this.#random.integer(0, ARRIVAL_MS), () => this.#connect(number));
    }
  }

  #openChannel(side: Side): Channel {
    const { protocol, dialect, carrier } = this.#played;
    return protocol.openChannel({
      side: side as "client",
      dialect,
      carrier: carrier === "tcp" ? "stream" : "message",
    }) as Channel;
  }

  #connect(number: number): void {
    const { protocol, dialect, carrier } = this.#played;
    const clock = this.#clock;
    const connection = this.#counter.connections++;
    const random = this.#random.fork();
    const bot = protocol.bots.create({ dialect, random, number, cheat: "none" });
    const client = this.#openChannel("client");
    const server = this.#openChannel("server");
    const joining: Joining = { account: `bot-${connection}`, name: `bot${connection}` };
    const admission = protocol.capabilities?.login?.admission(dialect);
    let player: number | undefined;
    let isOpen = true;
    const carry = (sender: Side, payload: Uint8Array): Uint8Array =>
      carrier === "tcp" ? payload : websocketFrames(sender, payload, random);

    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      if (player !== undefined) {
        this.#host.leave(player, clock.now());
        this.#host.flush();
      }
      this.#events.close(connection, clock.now());
      clock.after(1000, () => this.#connect(number));
    };
    const toServer = (messages: readonly WireMessage[]): void => {
      for (const message of messages) {
        const bytes = client.write(message);
        this.#events.data(connection, "client", carry("client", bytes), clock.now());
        clock.after(DELAY_MS, () => {
          if (isOpen) read(server, "client", bytes, receive);
        });
      }
    };
    const toClient = (bytes: Uint8Array): void => {
      this.#events.data(connection, "server", bytes, clock.now());
    };
    const read = (
      channel: Channel,
      sender: Side,
      bytes: Uint8Array,
      take: (message: WireMessage, payload: Uint8Array) => void,
    ): void => {
      channel.push(bytes);
      for (let next = channel.next(); next !== undefined; next = channel.next()) {
        if (next.message === undefined) throw next.error;
        this.#events.read?.(connection, sender, next.payload);
        take(next.message, next.payload);
      }
    };
    const receive = (message: WireMessage, payload: Uint8Array): void => {
      if (player === undefined) join();
      else this.#host.receive(player, message, payload, clock.now());
      this.#host.flush();
    };
    const deliver = (bytes: Uint8Array): boolean => {
      if (!isOpen) return true;
      const payloads: Uint8Array[] = [];
      let carried = bytes.slice();
      if (!this.#isShared) {
        carried = framePayloads(bytes, (payload) => {
          const framed = server.frame(payload);
          payloads.push(framed);
          return carry("server", framed);
        }).slice();
      }
      toClient(carried);
      clock.after(DELAY_MS, () => {
        for (const piece of this.#isShared ? [carried] : payloads) {
          if (isOpen) read(client, "server", piece, (message) => toServer(bot.receive(message, clock.now())));
        }
      });
      return true;
    };
    const join = (): void => {
      player = this.#host.join({ framing: this.#framing, deliver }, joining, clock.now());
      this.#closing.set(player, close);
      this.#host.flush();
    };

    this.#events.open(connection, this.#played, clock.now());
    if (carrier === "websocket") {
      this.#events.data(connection, "client", httpHead("client", protocol.name, dialect), clock.now());
      this.#events.data(connection, "server", httpHead("server", protocol.name, dialect), clock.now());
    }
    const greeting = server.handshake?.greeting;
    if (greeting !== undefined) {
      toClient(greeting);
      client.push(greeting);
    }
    // With a login, the first message joins.
    if (admission === undefined) join();
    toServer(bot.start(clock.now()));
    const cancel = clock.every(bot.stepMs, () => {
      if (isOpen) toServer(bot.step(clock.now()));
      else cancel();
    });
    clock.after(LEAST_STAY_MS + random.integer(0, LEAST_STAY_MS * 4), close);
  }
}
