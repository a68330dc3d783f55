/** A **player** of the simulation: a bot behind a client, which comes back after its connection is over. */
import { type BotRun, runBot } from "wirewalk/client";
import { createRandom, type PlayerId } from "wirewalk/motion";
import type { Clock, VirtualClock } from "wirewalk/net";
import { type Bot, openMaps, type PlayableProtocol, type WorldMaps } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { Connection } from "./connection.ts";
import type { Expected } from "./delivery-check.ts";
import type { Findings } from "./findings.ts";
import { LightClient } from "./light-client.ts";
import { lines } from "./network.ts";
import type { Plan, PlannedPlayer } from "./plan.ts";
import type { ServerUnderTest } from "./server-under-test.ts";

/** A client that was disconnected tries again after so long, then after twice as long, and so on up to the second. */
const RETRY_MS = 500;
const MAX_RETRY_MS = 2_000;
/** The promises to honest players are about messages that are late by at most this: a gap of five seconds, and jitter. */
const PROMISED_DELAY_MS = 6_000;

/** One set for all bots. */
const openedMaps = new Map<string, WorldMaps>();

function mapsOf(protocol: PlayableProtocol, path: string): WorldMaps {
  const key = `${protocol.name} ${path}`;
  const maps = openedMaps.get(key) ?? openMaps(protocol, path);
  openedMaps.set(key, maps);
  return maps;
}

export class SimulatedPlayer {
  readonly plan: PlannedPlayer;
  connection: Connection | undefined;
  /** The id in the world; undefined while it is in none. */
  player: PlayerId | undefined;
  expected: Expected | undefined;
  /** It has sent something that no client sends. */
  isDisturbed = false;
  /** Its machine was lost: the server goes on with that session until a probe of the connection fails. */
  hasVanished = false;
  /** It was disconnected for reading too slowly. */
  wasSlow = false;
  run: { readonly closed: string | undefined; stop(reason: string): void } | undefined;
  /** Connections so far. */
  connects = 0;
  messagesIn = 0;
  readonly #episode: Plan;
  readonly #base: VirtualClock;
  readonly #server: ServerUnderTest;
  readonly #findings: Findings;
  readonly #protocol: PlayableProtocol;
  readonly #clock: Clock;
  #retryMs = RETRY_MS;
  #stopped = false;

  constructor(options: {
    readonly plan: PlannedPlayer;
    readonly episode: Plan;
    readonly base: VirtualClock;
    readonly server: ServerUnderTest;
    readonly findings: Findings;
  }) {
    this.plan = options.plan;
    this.#episode = options.episode;
    this.#base = options.base;
    this.#server = options.server;
    this.#findings = options.findings;
    this.#protocol = protocols[options.episode.game] as PlayableProtocol;
    const { base } = options;
    const { rate } = options.plan;
    this.#clock = {
      now: () => base.now() * rate,
      after: (delayMs, call) => base.after(delayMs / rate, call),
      every: (periodMs, call) => base.every(periodMs / rate, call),
    };
    base.after(options.plan.startMs, () => this.connect());
  }

  /** Whether the promises to honest players cover it. */
  get isPromised(): boolean {
    return this.isHonest && !this.isDisturbed && (this.connection?.worstDelayMs ?? 0) <= PROMISED_DELAY_MS;
  }

  get isHonest(): boolean {
    return this.plan.cheat === "none";
  }

  get isConnected(): boolean {
    return this.run !== undefined && this.run.closed === undefined;
  }

  /** Nothing more comes from this player. */
  stop(): void {
    this.#stopped = true;
    this.run?.stop("enough");
  }

  connect(): void {
    if (this.#stopped || this.isConnected) return;
    const running = this.#server.running;
    if (running === undefined || running.process.isStalled) {
      this.#again();
      return;
    }
    const { number, seed, cheat, room, kind, line, address, decodes, part } = this.plan;
    this.connects += 1;
    if (this.connects > 1) this.#findings.mark("reconnect");
    this.player = undefined;
    this.expected = undefined;
    this.isDisturbed = false;
    const { game, dialect, turnMs, maps } = this.#episode;
    // The same seed again: a bot keeps the name that it logs in with. Those of OSRS have none, and no hand makes the same strokes twice.
    const random = createRandom(game === "osrs" ? seed + this.connects - 1 : seed);
    const bot = this.#protocol.bots.create({
      dialect,
      random: random.fork(),
      number,
      cheat,
      ...(maps === undefined ? {} : { maps: mapsOf(this.#protocol, maps) }),
      ...(room === undefined ? {} : { room: Number.parseInt(room, 10) }),
      ...(part === undefined ? {} : { part }),
    });
    const connection = new Connection({
      base: this.#base,
      process: running.process,
      kind,
      address,
      line: lines[line],
      random: createRandom(seed + this.connects),
      turnMs,
      polls: !decodes,
    });
    this.connection = connection;
    const request = {
      ...(kind === "tcp" ? {} : { account: `player${number}` }),
      ...(room === undefined ? {} : { room }),
    };
    running.process.read(() => void running.server.connect(game, connection.link, request));
    this.run = decodes ? this.#runFull(connection, bot) : this.#runLight(connection, bot);
  }

  #runFull({ transport }: Connection, bot: Bot): BotRun {
    const { dialect } = this.#episode;
    const { number } = this.plan;
    return runBot({
      protocol: this.#protocol,
      dialect,
      transport,
      bot,
      clock: this.#clock,
      onMessage: (_message, payload) => this.#received(payload),
      onRefused: (error) => this.#findings.add("unreadable", `player ${number}: ${error.message}`),
      onClosed: (reason) => {
        if (reason.startsWith("Cannot read")) this.#findings.add("unreadable", `player ${number}: ${reason}`);
        this.#closed();
      },
    });
  }

  #runLight(connection: Connection, bot: Bot): LightClient {
    const { number, kind, steps } = this.plan;
    return new LightClient({
      protocol: this.#protocol,
      dialect: this.#episode.dialect,
      connection,
      bot,
      clock: this.#clock,
      stepMs: bot.stepMs * steps,
      kind,
      expected: () => this.expected,
      onExpected: () => {
        this.messagesIn += 1;
        this.#retryMs = RETRY_MS;
      },
      onPayload: (payload) => this.#received(payload),
      onUnreadable: (reason) => this.#findings.add("unreadable", `player ${number}: ${reason}`),
      onClosed: () => this.#closed(),
    });
  }

  #closed(): void {
    this.run = undefined;
    this.#again();
  }

  /** Nothing arrives for so long, in either direction. */
  block(durationMs: number): void {
    this.connection?.block(this.#base.now() + durationMs);
  }

  #again(): void {
    this.#base.after(this.#retryMs, () => this.connect());
    this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
  }

  #received(payload: Uint8Array): void {
    this.messagesIn += 1;
    this.#retryMs = RETRY_MS;
    const wrong = this.expected?.take(payload);
    if (wrong !== undefined) this.#findings.add("order", `player ${this.plan.number} received ${wrong}`);
  }
}
