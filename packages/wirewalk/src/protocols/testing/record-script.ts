/**
 * Records scripts: bots play in a world, over good and bad lines, among players who send damaged payloads. In a game without bots
 * all players are of the second kind, and their payloads are made up from descriptions.
 */
import { createRandom, type PlayerId, type Random } from "../../motion/index.ts";
import { WireError } from "../../wire/index.ts";
import type { Bot } from "../bot.ts";
import type { PayloadCodec, WireMessage } from "../codec.ts";
import type { ProtocolWith } from "../protocol.ts";
import type { Effect, Joining, World, WorldOptions } from "../world.ts";
import { digestOf } from "../world-kit/index.ts";
import { generatedPayloads } from "./generated-payloads.ts";
import { readOrRefuse } from "./payloads.ts";
import { mutated } from "./random-bytes.ts";
import { type Checkpoint, checkpointOf, type PlayOptions, perform, type Script, type WorldCall } from "./script.ts";

/** A call each 150 ms from players that send damaged payloads. */
const NOISE_MS = 150;
const NOISY_PLAYERS = 2;
/** A player leaves, is refreshed, is followed, or meets game code, this often. */
const CHANCE_MS = 200;
/** Payloads that damaged ones are made from. */
const MAX_KNOWN = 500;
/** Calls between two checkpoints. */
const CHECKPOINT_CALLS = 40;

/** A script ends with a pause that ends what waits for answers, and some play after it. */
const PAUSE_MS = 70_000;
const AFTER_PAUSE_MS = 1500;

/** Messages of one step of a bot that are sent: after the pause some bots make 600 and more, for all the time that has passed. */
const MAX_BURST = 30;

/** How a player's payloads travel: at once, lost and doubled and overtaken, or all at once after a stall. */
type Line = "good" | "bad" | "stalling";

/** On a bad line a payload is late by up to this, and is lost or doubled with this chance. */
const MAX_DELAY_MS = 150;
const LOSS = 0.05;
/** On a stalling line payloads wait for the end of windows of this length, every second one of them. */
const STALL_MS = 1300;

interface Session {
  readonly bot: Bot | undefined;
  readonly cheat: string;
  readonly number: number;
  readonly line: Line;
  player: PlayerId;
  room: string | undefined;
  nextMs: number;
}

/** Records a script. Equal arguments give equal scripts where worlds and bots are functions of their arguments. */
export function recordScript(
  protocol: ProtocolWith<"createWorld">,
  dialect: string,
  enforcement: "enforce" | "log",
  seed: number,
  options: PlayOptions,
): Script {
  return new Recorder(protocol, { dialect, seed, enforcement, demo: true }, options).record();
}

class Recorder {
  readonly #protocol: ProtocolWith<"createWorld">;
  readonly #options: WorldOptions;
  readonly #play: PlayOptions;
  readonly #codec: PayloadCodec;
  readonly #world: World;
  readonly #random: Random;
  readonly #calls: WorldCall[] = [];
  readonly #effects: (readonly Effect[])[] = [];
  readonly #digests: bigint[] = [];
  readonly #checkpoints = new Map<number, Checkpoint>();
  readonly #sessions = new Set<Session>();
  readonly #known: Uint8Array[] = [];
  readonly #closing: PlayerId[] = [];
  /** Payloads on their way, the first to arrive first. */
  readonly #travelling: { readonly atMs: number; readonly session: Session; readonly payload: Uint8Array }[] = [];
  #lastPlayer = 0;
  #nowMs = 1000;

  constructor(protocol: ProtocolWith<"createWorld">, options: WorldOptions, play: PlayOptions) {
    this.#protocol = protocol;
    this.#options = options;
    this.#play = play;
    this.#codec = protocol.codec(options.dialect);
    this.#world = protocol.createWorld(options);
    this.#random = createRandom(options.seed);
  }

  record(): Script {
    let endMs = this.#nowMs + (this.#play.durationMs ?? 12_000);
    let tickMs = this.#nowMs + this.#world.tickMs;
    let chanceMs = this.#nowMs + CHANCE_MS;
    const { bots } = this.#protocol;
    if (bots === undefined) this.#known.push(...generatedPayloads(this.#codec, "client", this.#random, MAX_KNOWN));
    const cheats = bots === undefined ? [] : ["none", ...bots.cheats, "none"];
    for (const [number, cheat] of cheats.entries()) this.#join(cheat, number);
    for (let count = 0; count < NOISY_PLAYERS; count++) this.#join(undefined, count);
    let pauseMs = endMs - AFTER_PAUSE_MS;
    while (this.#nowMs < endMs) {
      if (this.#nowMs >= pauseMs) {
        // Nothing happens for a while, as when a process is stopped; then all clocks go on from there.
        this.#nowMs += PAUSE_MS;
        endMs += PAUSE_MS;
        pauseMs = Number.POSITIVE_INFINITY;
      }
      const arrivalMs = this.#travelling[0]?.atMs ?? Number.POSITIVE_INFINITY;
      const next = Math.min(tickMs, chanceMs, arrivalMs, ...Array.from(this.#sessions, ({ nextMs }) => nextMs));
      this.#nowMs = Math.max(this.#nowMs, next);
      this.#arrive();
      for (const session of [...this.#sessions]) {
        if (session.nextMs <= this.#nowMs && this.#sessions.has(session)) this.#step(session);
      }
      if (tickMs <= this.#nowMs) {
        tickMs = this.#nowMs + this.#world.tickMs;
        this.#call({ call: "tick", nowMs: this.#nowMs });
      }
      if (chanceMs <= this.#nowMs) {
        chanceMs = this.#nowMs + CHANCE_MS;
        this.#meddle();
      }
    }
    return {
      options: this.#options,
      calls: this.#calls,
      effects: this.#effects,
      digests: this.#digests,
      checkpoints: this.#checkpoints,
    };
  }

  /** A cheat's name makes a bot, undefined a player that sends damaged payloads. */
  #join(cheat: string | undefined, number: number): void {
    const { dialect } = this.#options;
    const room = this.#random.pick(this.#play.rooms ?? [undefined]);
    const who = `${cheat ?? "noise"}-${number}`;
    const joining: Joining = { account: who, name: who, ...(room === undefined ? {} : { room }) };
    if (this.#world.refuses(joining) !== undefined) return;
    const random = this.#random.fork();
    const bot = cheat === undefined ? undefined : this.#protocol.bots?.create({ dialect, random, number, cheat });
    this.#lastPlayer += 1;
    const session: Session = {
      bot,
      cheat: cheat ?? "",
      number,
      line: this.#random.pick(["good", "good", "bad", "stalling"]),
      player: this.#lastPlayer,
      room: undefined,
      nextMs: this.#nowMs + (bot?.stepMs ?? NOISE_MS),
    };
    this.#sessions.add(session);
    this.#call({ call: "join", player: session.player, joining, nowMs: this.#nowMs });
    // A server checks a login before it joins the world, and takes it out of what the world receives.
    const admission = this.#protocol.capabilities?.login?.admission(dialect);
    const first = bot?.start(this.#nowMs).filter((message) => admission?.credentials(message) === undefined) ?? [];
    this.#say(session, first);
  }

  #step(session: Session): void {
    const { bot } = session;
    if (bot !== undefined) {
      session.nextMs = this.#nowMs + bot.stepMs;
      this.#say(session, bot.step(this.#nowMs));
      return;
    }
    session.nextMs = this.#nowMs + NOISE_MS;
    if (this.#known.length === 0) return;
    const payload = this.#random.pick(this.#known);
    const damaged = this.#random.chance(0.3) ? payload : mutated(this.#random, payload);
    if (readOrRefuse(this.#codec, "client", damaged) !== undefined) this.#receive(session.player, damaged);
  }

  #say(session: Session, messages: readonly WireMessage[]): void {
    for (const message of messages.slice(0, MAX_BURST)) {
      if (!this.#sessions.has(session)) return;
      const payload = this.#codec.write("client", message);
      if (this.#known.length < MAX_KNOWN) this.#known.push(payload);
      else this.#known[this.#random.integer(0, MAX_KNOWN - 1)] = payload;
      this.#send(session, payload);
    }
  }

  /** Sends a payload over the player's line. */
  #send(session: Session, payload: Uint8Array): void {
    const random = this.#random;
    const nowMs = this.#nowMs;
    if (session.line === "bad") {
      const copies = random.chance(LOSS) ? random.pick([0, 2]) : 1;
      for (let count = 0; count < copies; count++)
        this.#post(session, payload, nowMs + random.integer(0, MAX_DELAY_MS));
    } else if (session.line === "stalling" && Math.floor(nowMs / STALL_MS) % 2 === 1) {
      this.#post(session, payload, Math.ceil(nowMs / STALL_MS) * STALL_MS);
    } else this.#receive(session.player, payload);
  }

  #post(session: Session, payload: Uint8Array, atMs: number): void {
    const index = this.#travelling.findIndex((other) => other.atMs > atMs);
    this.#travelling.splice(index < 0 ? this.#travelling.length : index, 0, { atMs, session, payload });
  }

  #arrive(): void {
    for (let next = this.#travelling[0]; next !== undefined && next.atMs <= this.#nowMs; next = this.#travelling[0]) {
      this.#travelling.shift();
      if (this.#sessions.has(next.session)) this.#receive(next.session.player, next.payload);
    }
  }

  #receive(player: PlayerId, payload: Uint8Array): void {
    this.#call({ call: "receive", player, payload, nowMs: this.#nowMs });
  }

  /** What a server, a spectator or game code does now and then. */
  #meddle(): void {
    const session = this.#random.pick([...this.#sessions]);
    const { player } = session;
    const nowMs = this.#nowMs;
    switch (this.#random.integer(0, 9)) {
      case 0:
        this.#leave(session);
        break;
      case 1:
        this.#call({ call: "refresh", player, nowMs });
        break;
      case 2:
      case 3:
        this.#call({ call: this.#random.chance(0.7) ? "follow" : "unfollow", player, nowMs });
        break;
      default:
        if (this.#play.gameCode === undefined || session.room === undefined) break;
        this.#call({ call: "game", player, seed: this.#random.integer(0, 1e9), nowMs });
    }
  }

  /** Leaves, and somebody like it joins. */
  #leave(session: Session): void {
    this.#sessions.delete(session);
    this.#call({ call: "leave", player: session.player, nowMs: this.#nowMs });
    this.#join(session.bot === undefined ? undefined : session.cheat, session.number);
  }

  #call(call: WorldCall): void {
    perform(this.#world, this.#codec, call, this.#play.gameCode);
    const index = this.#calls.push(call) - 1;
    const effects = this.#world.takeEffects();
    this.#effects.push(effects);
    this.#digests.push(digestOf(effects));
    if (index % CHECKPOINT_CALLS === 0) this.#checkpoints.set(index, checkpointOf(this.#world, call.nowMs));
    this.#carryOut(effects);
  }

  /** Does what a server would: delivers, and ends sessions. */
  #carryOut(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.effect === "enter" || effect.effect === "exit") {
        const session = this.#sessionOf(effect.player);
        if (session !== undefined) session.room = effect.effect === "enter" ? effect.room : undefined;
      } else if (effect.effect === "close") {
        this.#closing.push(effect.player);
      } else if (effect.effect === "send") {
        this.#deliver(this.#sessionOf(effect.to), effect.message);
      } else if (effect.effect === "broadcast") {
        for (const session of [...this.#sessions]) {
          if (session.room === effect.room && session.player !== effect.except) this.#deliver(session, effect.message);
        }
      }
    }
    for (let player = this.#closing.shift(); player !== undefined; player = this.#closing.shift()) {
      const session = this.#sessionOf(player);
      if (session !== undefined) this.#leave(session);
    }
  }

  #deliver(session: Session | undefined, message: WireMessage): void {
    if (session?.bot === undefined) return;
    try {
      this.#say(session, session.bot.receive(message, this.#nowMs));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#leave(session);
    }
  }

  #sessionOf(player: PlayerId): Session | undefined {
    for (const session of this.#sessions) if (session.player === player) return session;
    return undefined;
  }
}
