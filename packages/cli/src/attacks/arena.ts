/** What attacks use: connections to the target from an address of the attacker, players, metrics, and bounded waiting. */

import type { Socket } from "node:net";
import { type BotRun, runBot } from "wirewalk/client";
import { createRandom, type Random } from "wirewalk/motion";
import { systemClock, type Transport } from "wirewalk/net";
import { RawClient, tcpTransport } from "wirewalk/node";
import type { Bot } from "wirewalk/protocol";
import { closeCodeIn, frameTransport, upgradeRequest } from "./frames.ts";
import { CannotRun, type Outcome } from "./outcome.ts";
import { hostAndPort, type Target, type TargetGame } from "./target.ts";

export interface ArenaOptions {
  readonly target: Target;
  /** No other attack on the same server has it: 1 to 60,000. */
  readonly number: number;
  readonly seed: number;
  /** No wait is longer. Default: as long as the attack needs. */
  readonly patienceMs?: number;
  /** Share of the connections and messages that an attack uses, for short runs. Default 1. */
  readonly scale?: number;
}

export interface PlayerOptions {
  /** One of the game's cheats. Default: none. */
  readonly cheat?: string;
  readonly carrier?: "tcp" | "websocket";
  /** Default: the attacker's. */
  readonly localAddress?: string | undefined;
  /** Names and rooms of the address: `account=ann&room=3`. */
  readonly query?: string;
  readonly number?: number;
  /** A bot that has played before. Default: a new one. */
  readonly bot?: Bot;
  /** Receives the transport, and may wrap it. */
  readonly wrap?: (transport: Transport) => Transport;
  /** The connection before anything is sent. */
  readonly onSocket?: (socket: Socket) => void;
}

/** How long a newcomer may take until it plays: twenty times what it takes on an idle server. */
const NEWCOMER_MS = 10_000;
const LOOK_MS = 10;
/** Bytes of the server that a connection keeps. */
const MAX_KEPT = 256 * 1024;

/** About the length of a listener's queue. */
const OPENING_AT_ONCE = 100;

export class Arena {
  readonly target: Target;
  readonly random: Random;
  /** No other attack on the same server has it. */
  readonly number: number;
  readonly #patienceMs: number;
  readonly #scale: number;
  readonly #ends: (() => void)[] = [];
  #players = 0;

  constructor({ target, number, seed, patienceMs = Number.POSITIVE_INFINITY, scale = 1 }: ArenaOptions) {
    this.target = target;
    this.random = createRandom(seed);
    this.number = number;
    this.#patienceMs = patienceMs;
    this.#scale = scale;
  }

  /** A loopback address that only this attack uses; undefined where the server is not on loopback. */
  get address(): string | undefined {
    return this.addressOf(1);
  }

  /** Another one of them, from 1 to 200. Systems other than Linux have 127.0.0.1 alone. */
  addressOf(index: number): string | undefined {
    if (process.platform !== "linux" || !this.target.host.startsWith("127.")) return undefined;
    return `127.${1 + (this.number >> 8)}.${this.number & 0xff}.${index}`;
  }

  /** Another one, for attacks that need two addresses. Throws {@link CannotRun} when only one address can be used. */
  otherAddress(index: number): string {
    const address = this.addressOf(index);
    if (address === undefined) throw new CannotRun("it needs several addresses: Linux, and a server on loopback");
    return address;
  }

  /** Throws {@link CannotRun} for a game that is not served. */
  game(name: string): TargetGame {
    const game = this.target.games.get(name);
    if (game === undefined) throw new CannotRun(`the server has no game ${name}`);
    return game;
  }

  #portOf(name: string): number {
    const { port } = this.game(name);
    if (port === undefined) throw new CannotRun(`the server has no TCP port for ${name} (wirewalk serve --listen)`);
    return port;
  }

  count(full: number): number {
    return Math.max(1, Math.round(full * this.#scale));
  }

  /** This time, or the longest that the attack may wait. */
  within(ms: number): number {
    return Math.min(ms, this.#patienceMs);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.within(ms)));
  }

  /** Waits until something is so; the milliseconds that took, or undefined when it is not so in time. */
  async until(
    isSo: () => boolean | Promise<boolean>,
    withinMs: number,
    everyMs = LOOK_MS,
  ): Promise<number | undefined> {
    return whenSo(isSo, this.within(withinMs), everyMs);
  }

  /** A connection to a game's port. */
  async tcp(game: string, localAddress = this.address): Promise<RawClient> {
    return this.#connect(this.#portOf(game), localAddress);
  }

  /** Many connections to a game's port that send these bytes and nothing more, from a few addresses of the attacker. */
  async crowd(game: string, full: number, bytes?: Uint8Array): Promise<RawClient[]> {
    const count = this.count(full);
    const clients: RawClient[] = [];
    for (let opened = 0; opened < count; opened += OPENING_AT_ONCE) {
      const batch = Array.from({ length: Math.min(OPENING_AT_ONCE, count - opened) }, () => this.tcp(game));
      for (const client of await Promise.all(batch)) {
        // What a game sends to thousands of them is not kept.
        client.socket.removeAllListeners("data");
        client.socket.resume();
        if (bytes !== undefined) client.send(bytes);
        clients.push(client);
      }
    }
    return clients;
  }

  /** A connection to the HTTP port. */
  async http(localAddress = this.address): Promise<RawClient> {
    return this.#connect(this.target.http, localAddress);
  }

  /** `HOST:PORT` as a `Host` header. */
  get httpHost(): string {
    return hostAndPort({ host: this.target.host, port: this.target.http });
  }

  /** Sends one request and gives the head of the answer, or that the connection was closed without one. */
  async request(text: string, withinMs = 5_000): Promise<HttpAnswer> {
    const client = await this.http();
    client.send(text);
    const endMs = await this.until(() => client.isClosed || client.text.includes("\r\n\r\n"), withinMs);
    const { text: answer, isClosed } = client;
    client.drop();
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
    return { status, text: answer, isClosed, ms: endMs };
  }

  /** Upgrades a connection. The status is 101 when that succeeded; `received` then begins with the first frame. */
  async webSocket(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    localAddress = this.address,
  ): Promise<UpgradedClient> {
    const client = await this.http(localAddress);
    client.send(upgradeRequest(path, headers.Host ?? this.httpHost, headers));
    // What is judged comes after it: an impatient attack on a busy machine waits for it too.
    await whenSo(() => client.isClosed || client.text.includes("\r\n\r\n"), NEWCOMER_MS, LOOK_MS);
    const end = client.text.indexOf("\r\n\r\n") + 4;
    const head = client.text.slice(0, end);
    return {
      client,
      head,
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
      closeCode: () => closeCodeIn(client.received.subarray(end)),
      transport: () => frameTransport(client, client.received.subarray(end)),
    };
  }

  /** A player of a game, over a connection of its own. */
  async player(game: string, options: PlayerOptions = {}): Promise<BotRun> {
    const { protocol, dialect } = this.game(game);
    const { carrier = "tcp", localAddress = this.address, query = "", wrap = (same) => same, onSocket } = options;
    const connect = async (): Promise<Transport> => {
      if (carrier === "tcp") {
        const client = await this.tcp(game, localAddress);
        onSocket?.(client.socket);
        client.socket.removeAllListeners("data");
        return wrap(tcpTransport(client.socket));
      }
      const upgraded = await this.webSocket(`/ws/${game}?${query}`, {}, localAddress);
      if (upgraded.status !== 101) throw new CannotRun(`the upgrade was answered ${upgraded.status}`);
      return wrap(upgraded.transport());
    };
    const transport = await connect();
    const bot = options.bot ?? this.bot(game, options);
    const run = runBot({ protocol, dialect, transport, bot, clock: systemClock, reconnect: connect });
    this.onEnd(() => run.stop());
    return run;
  }

  /** A bot of a game that has no connection. */
  bot(game: string, { cheat = "none", query = "", number }: PlayerOptions = {}): Bot {
    const { protocol, dialect } = this.game(game);
    this.#players += 1;
    const room = new URLSearchParams(query).get("room");
    return protocol.bots.create({
      dialect,
      random: this.random.fork(),
      number: number ?? this.number * 100 + this.#players,
      cheat,
      ...(room === null ? {} : { room: Number(room) }),
    });
  }

  /** How long it takes until a newcomer plays: it is in and receives the game; undefined when it never does. */
  async newcomer(game: string, options: PlayerOptions = {}, withinMs = NEWCOMER_MS): Promise<number | undefined> {
    const startMs = performance.now();
    try {
      const run = await this.player(game, options);
      const isIn = await this.until(
        () => run.closed !== undefined || (run.ready && run.counts.messagesIn > 0),
        withinMs,
      );
      const plays = isIn !== undefined && run.closed === undefined;
      const tookMs = performance.now() - startMs;
      run.stop();
      return plays ? tookMs : undefined;
    } catch (error) {
      if (error instanceof CannotRun) return undefined;
      throw error;
    }
  }

  /** The sum of the samples of a metric whose line contains these labels. Throws {@link CannotRun} without metrics. */
  async metric(name: string, ...labels: readonly string[]): Promise<number> {
    let sum = 0;
    for (const line of (await this.#metricsText()).split("\n")) {
      const isOf = line.startsWith(`${name} `) || line.startsWith(`${name}{`);
      if (isOf && labels.every((label) => line.includes(label))) sum += Number(line.slice(line.lastIndexOf(" ")));
    }
    return sum;
  }

  /** Verdicts above benign about players of a game. */
  async verdicts(game: string): Promise<number> {
    const all = await this.metric("wirewalk_verdicts_total", `protocol="${game}"`);
    return all - (await this.metric("wirewalk_verdicts_total", `protocol="${game}"`, 'kind="benign"'));
  }

  async #metricsText(): Promise<string> {
    const url = `http://${this.httpHost}/metrics`;
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
      if (answer.ok) return await answer.text();
    } catch {
      // As without metrics.
    }
    throw new CannotRun(`no metrics at ${url}`);
  }

  onEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** Closes what the attack opened. */
  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /** Throws {@link CannotRun} when the server does not accept, or the address of the attacker is not one of this machine. */
  async #connect(port: number, localAddress: string | undefined): Promise<RawClient> {
    const { host } = this.target;
    const client = await RawClient.connect({ host, port, localAddress, keptBytes: MAX_KEPT }).catch((error: Error) => {
      throw new CannotRun(error.message);
    });
    this.onEnd(() => client.drop());
    return client;
  }
}

export interface HttpAnswer {
  /** 0 without an answer. */
  readonly status: number;
  readonly text: string;
  readonly isClosed: boolean;
  /** Until the answer or the close; undefined when neither came. */
  readonly ms: number | undefined;
}

export interface UpgradedClient {
  readonly client: RawClient;
  readonly head: string;
  readonly status: number;
  /** The code with which the server closed; undefined while it has not. */
  closeCode(): number | undefined;
  transport(): Transport;
}

/** `1.2 s`, `35 ms`, `never`. */
export function formatMs(ms: number | undefined): string {
  if (ms === undefined) return "never";
  return ms >= 1_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}

/** Held when the server closes the connection within this time. */
export async function closes(arena: Arena, client: RawClient, withinMs: number): Promise<Outcome> {
  const tookMs = await arena.until(() => client.isClosed, withinMs);
  return { held: tookMs !== undefined, figure: `closed after ${formatMs(tookMs)}` };
}

/** The milliseconds until something is so; undefined when it is not so in time. */
async function whenSo(
  isSo: () => boolean | Promise<boolean>,
  limitMs: number,
  everyMs: number,
): Promise<number | undefined> {
  const startMs = performance.now();
  for (;;) {
    if (await isSo()) return performance.now() - startMs;
    if (performance.now() - startMs > limitMs) return undefined;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
