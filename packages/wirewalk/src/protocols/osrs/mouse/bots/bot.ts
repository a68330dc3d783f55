/**
 * A synthetic hand at a mouse: it moves, rests and clicks, and sends the packets of the client's recorder.
 *
 * ```ts
 * const bot = new MouseBot({ dialect: "client", random: createRandom(1), number: 0, cheat: "none" });
 * bot.start(0); // => []
 * const sent = [];
 * for (let now = 0; now < 10_000; now += 20) sent.push(...bot.step(now));
 * sent[0].value.records[0].dt; // => 8191
 * ```
 */
import type { Random } from "../../../../motion/index.ts";
import type { Bot, BotOptions } from "../../../bot.ts";
import type { WireMessage } from "../../../codec.ts";
import { MouseSampler, mouseButtons } from "../movement/sampler.ts";
import { CYCLE_MS } from "../wire/dialect.ts";
import type { MouseMoveMessage } from "../wire/message.ts";
import { readMousePacket } from "../wire/packet.ts";
import { gaussian, type MovementPlan, movers, type Place } from "./movers.ts";

/**
 * Values of `--cheat`: `linear` moves straight at one speed and rests equally long each time, `bezier` along random
 * curves, `replayed` repeats a human's movements over and over, and `jump` is at once where it clicks.
 */
export const mouseCheats = ["linear", "bezier", "replayed", "jump"] as const;

/** The game's window in fixed mode. */
export const GAME_WIDTH = 765;
export const GAME_HEIGHT = 503;

/** A mouse reports 125 times a second. */
const EVENT_MS = 8;
/** After a stall of our own process at most this many events are made up (10 s). */
const MAX_EVENTS = 1250;
/** Places of the window to which the hand returns: a bank, a tree, an inventory slot. */
const SPOTS = 6;
/** Movements of a replayed recording; a human's round of work. */
const RECORDED = 12;

/** One movement and the rest before it. */
interface Turn {
  readonly restMs: number;
  readonly plan: MovementPlan;
  readonly to: Place;
  readonly click: boolean;
}

/** Moves one pointer. Pure: randomness and clock are arguments. */
export class MouseHand {
  readonly #random: Random;
  readonly #cheat: string;
  readonly #spots: readonly Place[];
  readonly #sampler: MouseSampler;
  #at: Place;
  #turn: Turn | undefined;
  #turnStartMs: number;
  #eventMs: number;
  #shown = "";
  #recording: readonly Turn[] = [];
  #played = 0;

  /** Throws `RangeError` for an unknown cheat. */
  constructor(options: BotOptions, startMs: number) {
    const { random, cheat, dialect } = options;
    if (cheat !== "none" && !(mouseCheats as readonly string[]).includes(cheat)) {
      throw new RangeError(`Unknown cheat ${cheat} of osrs/mouse: it has ${mouseCheats.join(", ")}`);
    }
    this.#random = random;
    this.#cheat = cheat;
    this.#sampler = new MouseSampler({ dialect, startMs });
    this.#spots = Array.from({ length: SPOTS }, () => this.#anywhere());
    this.#at = this.#anywhere();
    this.#turnStartMs = startMs;
    this.#eventMs = startMs;
    if (cheat === "replayed") this.#record();
  }

  /** The payloads that are due by now. */
  step(nowMs: number): readonly Uint8Array[] {
    if (nowMs - this.#eventMs > MAX_EVENTS * EVENT_MS) {
      this.#turnStartMs += nowMs - MAX_EVENTS * EVENT_MS - this.#eventMs;
      this.#eventMs = nowMs - MAX_EVENTS * EVENT_MS;
    }
    const payloads: Uint8Array[] = [];
    for (; this.#eventMs <= nowMs; this.#eventMs += EVENT_MS) {
      this.#play(this.#eventMs);
      payloads.push(...this.#sampler.step(this.#eventMs));
    }
    return payloads;
  }

  #play(nowMs: number): void {
    this.#turn ??= this.#nextTurn();
    const { restMs, plan, to, click } = this.#turn;
    const movingMs = nowMs - this.#turnStartMs - restMs;
    if (movingMs < 0) return;
    const place = movingMs < plan.durationMs ? plan.at(movingMs) : to;
    // A mouse at rest reports nothing.
    const shown = `${Math.floor(place.x)} ${Math.floor(place.y)}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#sampler.move(place.x, place.y, nowMs);
    }
    if (movingMs < plan.durationMs) return;
    if (click) this.#sampler.press(mouseButtons.left);
    this.#at = place;
    this.#turn = undefined;
    this.#turnStartMs = nowMs;
  }

  #nextTurn(): Turn {
    const random = this.#random;
    switch (this.#cheat) {
      case "linear":
        return this.#moveTo(this.#target(0), 600, "linear", true);
      case "bezier":
        return this.#moveTo(this.#target(0), 300 + 900 * random.next(), "bezier", true);
      case "jump":
        return this.#moveTo(this.#target(0), 300 + 900 * random.next(), "jump", true);
      case "replayed": {
        const turn = this.#recording[this.#played % this.#recording.length] as Turn;
        this.#played += 1;
        return { ...turn, restMs: turn.restMs * (0.6 + 0.8 * random.next()) };
      }
      default:
        return this.#humanTurn();
    }
  }

  #humanTurn(): Turn {
    const random = this.#random;
    // Most rests are a quarter of a second to two seconds; 3 % are longer, as for reading.
    const idle = random.chance(0.03) ? 4000 * random.next() : 0;
    const restMs = 300 + 550 * Math.exp(0.6 * gaussian(random)) + idle;
    return this.#moveTo(this.#target(random.chance(0.3) ? 40 : 7), restMs, "human", random.chance(0.8));
  }

  #moveTo(to: Place, restMs: number, mover: keyof typeof movers, click: boolean): Turn {
    return { restMs, plan: movers[mover](this.#at, to, this.#random), to, click };
  }

  /** A spot, missed by about `spreadPx`; or anywhere. */
  #target(spreadPx: number): Place {
    const random = this.#random;
    for (;;) {
      const spot = random.chance(0.75) ? random.pick(this.#spots) : this.#anywhere();
      const x = Math.round(spot.x + spreadPx * gaussian(random));
      const y = Math.round(spot.y + spreadPx * gaussian(random));
      const place = { x: Math.min(Math.max(x, 2), GAME_WIDTH - 3), y: Math.min(Math.max(y, 2), GAME_HEIGHT - 3) };
      if (Math.hypot(place.x - this.#at.x, place.y - this.#at.y) > 30) return place;
    }
  }

  #anywhere(): Place {
    return { x: this.#random.integer(30, GAME_WIDTH - 30), y: this.#random.integer(30, GAME_HEIGHT - 30) };
  }

  /** A round of a human's work that ends where it begins, so that it can go on for ever. */
  #record(): void {
    const start = this.#at;
    const turns: Turn[] = [];
    for (let index = 1; index < RECORDED; index++) {
      const turn = this.#humanTurn();
      turns.push(turn);
      this.#at = turn.to;
    }
    turns.push(this.#moveTo(start, 700, "human", true));
    this.#at = start;
    this.#recording = turns;
  }
}

/** A bot of this game's mouse: it sends `mouseMove` and ignores what it receives. */
export class MouseBot<S extends WireMessage = WireMessage> implements Bot<MouseMoveMessage, S> {
  readonly stepMs = CYCLE_MS;
  readonly #options: BotOptions;
  readonly #message: string;
  #hand: MouseHand | undefined;

  /** `message`: the name of what it sends. `start` throws `RangeError` for an unknown dialect or cheat. */
  constructor(options: BotOptions, message: "mouseMove" | "nativeMouseMove" = "mouseMove") {
    this.#options = options;
    this.#message = message;
  }

  start(nowMs: number): readonly MouseMoveMessage[] {
    this.#hand = new MouseHand(this.#options, nowMs);
    return [];
  }

  receive(_message: S, _nowMs: number): readonly MouseMoveMessage[] {
    return [];
  }

  step(nowMs: number): readonly MouseMoveMessage[] {
    const payloads = this.#hand?.step(nowMs) ?? [];
    const { dialect } = this.#options;
    const message = this.#message as MouseMoveMessage["message"];
    return payloads.map((payload) => ({ message, value: readMousePacket(dialect, payload) }));
  }
}
