/**
 * A **script**: calls of a world, recorded once while bots, honest and cheating, play in it and damaged payloads arrive,
 * together with what the world answered. Rules play a script again, each with a difference that must not matter.
 */
import { createRandom, type PlayerId, type Random } from "../../motion/index.ts";
import { WireError } from "../../wire/index.ts";
import type { Bot } from "../bot.ts";
import type { PayloadCodec, WireMessage } from "../codec.ts";
import type { Protocol } from "../protocol.ts";
import type { Effect, Joining, World, WorldOptions } from "../world.ts";
import { digestOf } from "../world-kit/index.ts";
import { mutated } from "./random-bytes.ts";
import { mustEqual, show } from "./rule.ts";

/** One call of a world. */
export type WorldCall =
  | { readonly call: "join"; readonly player: PlayerId; readonly joining: Joining; readonly nowMs: number }
  | { readonly call: "receive"; readonly player: PlayerId; readonly payload: Uint8Array; readonly nowMs: number }
  | { readonly call: "leave" | "refresh" | "follow" | "unfollow"; readonly player: PlayerId; readonly nowMs: number }
  | { readonly call: "game"; readonly player: PlayerId; readonly seed: number; readonly nowMs: number }
  | { readonly call: "tick"; readonly nowMs: number };

/** What a world says of itself after a call, where the script asked it. */
export interface Checkpoint {
  /** Undefined for a world that cannot be saved yet. */
  readonly digest: bigint | undefined;
  readonly tracks: bigint;
}

export interface Script {
  readonly options: WorldOptions;
  readonly calls: readonly WorldCall[];
  /** What each call gave, and its digest at that time. */
  readonly effects: readonly (readonly Effect[])[];
  readonly digests: readonly bigint[];
  /** By index of the call that came before. */
  readonly checkpoints: ReadonlyMap<number, Checkpoint>;
}

/** What a test says of its protocol, where that is not the same for all. */
export interface PlayOptions {
  /** Rooms that players ask for; undefined leaves it to the world. Default: that alone. */
  readonly rooms?: readonly (string | undefined)[];
  /** Does to a player in a room what only game code does, such as hiding it or giving it a pet. */
  readonly gameCode?: (world: World, player: PlayerId, random: Random, nowMs: number) => void;
  /** How long bots play. Default 12 s. */
  readonly durationMs?: number;
}

/** A call each 150 ms from players that send damaged payloads. */
const NOISE_MS = 150;
const NOISY_PLAYERS = 2;
/** A player leaves, is refreshed, is followed, or meets game code, this often. */
const CHANCE_MS = 400;
/** Payloads that damaged ones are made from. */
const MAX_KNOWN = 500;
/** Calls between two checkpoints. */
const CHECKPOINT_CALLS = 40;

/** Makes one call. The payload of a `receive` is read from `payload`, which the world is given too. */
export function perform(
  world: World,
  codec: PayloadCodec,
  call: WorldCall,
  gameCode: PlayOptions["gameCode"],
  payload = call.call === "receive" ? call.payload.slice() : undefined,
): void {
  const { nowMs } = call;
  switch (call.call) {
    case "join":
      world.join(call.player, call.joining, nowMs);
      break;
    case "receive":
      if (payload !== undefined) world.receive(call.player, codec.read("client", payload), payload, nowMs);
      break;
    case "leave":
      world.leave(call.player, nowMs);
      break;
    case "refresh":
      world.refresh(call.player, nowMs);
      break;
    case "follow":
      world.following?.follow(call.player, nowMs);
      break;
    case "unfollow":
      world.following?.unfollow(call.player);
      break;
    case "game":
      gameCode?.(world, call.player, createRandom(call.seed), nowMs);
      break;
    case "tick":
      world.tick(nowMs);
  }
}

export function checkpointOf(world: World, nowMs: number): Checkpoint {
  return { digest: world.digest?.(), tracks: digestOf(world.tracks(nowMs)) };
}

/** What may be done beside the calls of a script while it is played. */
export interface ReplayHooks {
  /** Before a call: another world may take over. */
  before?(world: World, index: number): World;
  /** Makes the call; default {@link perform}. */
  perform?(world: World, call: WorldCall, index: number): void;
  /** After the call, before its effects are taken. */
  after?(world: World, index: number): World;
  /** With the effects that were taken. */
  taken?(world: World, effects: readonly Effect[], index: number): void;
}

/** Plays a script in a world. Throws where its effects, digests or tracks are not those of the script. */
export function replay(protocol: Protocol, script: Script, options: PlayOptions, hooks: ReplayHooks = {}): World {
  const codec = protocol.codec(script.options.dialect);
  let world = protocol.createWorld(script.options);
  script.calls.forEach((call, index) => {
    world = hooks.before?.(world, index) ?? world;
    if (hooks.perform === undefined) perform(world, codec, call, options.gameCode);
    else hooks.perform(world, call, index);
    world = hooks.after?.(world, index) ?? world;
    const effects = world.takeEffects();
    hooks.taken?.(world, effects, index);
    if (digestOf(effects) !== script.digests[index]) {
      mustEqual(effects, script.effects[index], () => `Effects of call ${index} (${show(call)})`);
    }
    const checkpoint = script.checkpoints.get(index);
    if (checkpoint === undefined) return;
    const found = checkpointOf(world, call.nowMs);
    const place = `after call ${index} (${show(call)})`;
    mustEqual(found.digest, checkpoint.digest, () => `The digest ${place}`);
    mustEqual(found.tracks, checkpoint.tracks, () => `The digest of the tracks ${place}`);
  });
  return world;
}

interface Session {
  readonly bot: Bot | undefined;
  readonly cheat: string;
  readonly number: number;
  player: PlayerId;
  room: string | undefined;
  nextMs: number;
}

/** Records a script. Equal arguments give equal scripts where worlds and bots are functions of their arguments. */
export function recordScript(
  protocol: Protocol,
  dialect: string,
  enforcement: "enforce" | "log",
  seed: number,
  options: PlayOptions,
): Script {
  return new Recorder(protocol, { dialect, seed, enforcement, demo: true }, options).record();
}

class Recorder {
  readonly #protocol: Protocol;
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
  #lastPlayer = 0;
  #nowMs = 1000;

  constructor(protocol: Protocol, options: WorldOptions, play: PlayOptions) {
    this.#protocol = protocol;
    this.#options = options;
    this.#play = play;
    this.#codec = protocol.codec(options.dialect);
    this.#world = protocol.createWorld(options);
    this.#random = createRandom(options.seed);
  }

  record(): Script {
    const endMs = this.#nowMs + (this.#play.durationMs ?? 12_000);
    let tickMs = this.#nowMs + this.#world.tickMs;
    let chanceMs = this.#nowMs + CHANCE_MS;
    for (const [number, cheat] of ["none", ...this.#protocol.bots.cheats, "none"].entries()) this.#join(cheat, number);
    for (let count = 0; count < NOISY_PLAYERS; count++) this.#join(undefined, count);
    while (this.#nowMs < endMs) {
      const next = Math.min(tickMs, chanceMs, ...Array.from(this.#sessions, ({ nextMs }) => nextMs));
      this.#nowMs = Math.max(this.#nowMs, next);
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
    const bot = cheat === undefined ? undefined : this.#protocol.bots.create({ dialect, random, number, cheat });
    this.#lastPlayer += 1;
    const session: Session = {
      bot,
      cheat: cheat ?? "",
      number,
      player: this.#lastPlayer,
      room: undefined,
      nextMs: this.#nowMs + (bot?.stepMs ?? NOISE_MS),
    };
    this.#sessions.add(session);
    this.#call({ call: "join", player: session.player, joining, nowMs: this.#nowMs });
    // A server checks a login before it joins the world, and takes it out of what the world receives.
    const admission = this.#protocol.capabilities.login?.admission(dialect);
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
    if (!isRefused(this.#codec, damaged)) this.#receive(session.player, damaged);
  }

  #say(session: Session, messages: readonly WireMessage[]): void {
    for (const message of messages) {
      if (!this.#sessions.has(session)) return;
      const payload = this.#codec.write("client", message);
      if (this.#known.length < MAX_KNOWN) this.#known.push(payload);
      else this.#known[this.#random.integer(0, MAX_KNOWN - 1)] = payload;
      this.#receive(session.player, payload);
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
    switch (this.#random.integer(0, 5)) {
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

/** True for a client's payload that is no message. */
export function isRefused(codec: PayloadCodec, payload: Uint8Array): boolean {
  try {
    codec.read("client", payload);
    return false;
  } catch (error) {
    if (error instanceof WireError) return true;
    throw error;
  }
}
