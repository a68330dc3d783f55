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
import { createRandom, type Random } from "../../../../motion/index.ts";
import type { Bot, BotOptions } from "../../../bot.ts";
import type { WireMessage } from "../../../codec.ts";
import { MouseSampler, mouseButtons } from "../movement/sampler.ts";
import { CYCLE_MS } from "../wire/dialect.ts";
import type { MouseMoveMessage } from "../wire/message.ts";
import { readMousePacket } from "../wire/packet.ts";
import { gaussian, type MovementPlan, movers, type Place } from "./movers.ts";
import { cutStrokes, parsePointerCsv, type RecordedStroke, type TimedPoint } from "./recorded-pointer.ts";
import { changes, type FittedHand, fitHand, fittedMovement, playStroke, rejoin } from "./replaying.ts";

/**
 * Values of `--cheat` that are found within a minute: `linear` moves straight at one speed and rests equally long each time, `bezier`
 * along random curves, `replayed` repeats a human's movements over and over, and `jump` is at once where it clicks.
 */
export const mouseCheats = ["linear", "bezier", "replayed", "jump"] as const;

/**
 * Values of `--cheat` that take minutes to find, or that no rule finds: movers that imitate a hand, and hands that were recorded.
 * docs/hands.md says how many of each are found.
 */
export const handCheats = [
  "windmouse",
  "minimum-jerk",
  "fitts",
  "replayed-long",
  "replayed-jittered",
  "replayed-warped",
  "replayed-mirrored",
  "replayed-scaled",
  "rejoined",
  "fitted",
  "mixed",
  "shared",
] as const;

type MouseCheat = (typeof mouseCheats)[number] | (typeof handCheats)[number] | "none";

/** The game's window in fixed mode. */
export const GAME_WIDTH = 765;
export const GAME_HEIGHT = 503;

/** A mouse reports 125 times a second. */
const EVENT_MS = 8;
/** After a stall of our own process at most this much is made up. */
const MAX_STALL_MS = 10_000;
/** Places of the window to which the hand returns: a bank, a tree, an inventory slot. */
const SPOTS = 6;
/** Movements of a replayed recording; a human's round of work. */
const RECORDED = 12;
/** Movements of a long recording: more than the kinematics remember. */
const LONG = 130;
/** Of a mixed player's movements, those that a machine makes. */
const MACHINE_SHARE = 0.25;
/** Between two points of a recording that is made up here. */
const RECORD_MS = 16;

/** One movement and the rest before it. */
interface Turn {
  readonly restMs: number;
  readonly plan: MovementPlan;
  readonly to: Place;
  readonly click: boolean;
}

/** What a benchmark sets beside the options of every bot. */
export interface HandOptions extends BotOptions {
  /** The strokes of `recording`, where they are known already. */
  readonly strokes?: readonly RecordedStroke[];
  /** Milliseconds between two events of the pointer, in turn; those of a person, to make rates equal. Default: 8. */
  readonly eventsMs?: readonly number[];
  /** Default: the game's window in fixed mode. */
  readonly window?: { readonly width: number; readonly height: number };
}

/** Moves one pointer. Pure: randomness and clock are arguments. */
export class MouseHand {
  readonly #random: Random;
  readonly #cheat: MouseCheat;
  readonly #window: { readonly width: number; readonly height: number };
  readonly #eventsMs: readonly number[];
  readonly #spots: readonly Place[];
  readonly #sampler: MouseSampler;
  /** What a replaying cheat plays: a person's strokes, or made-up ones. */
  readonly #strokes: readonly RecordedStroke[];
  readonly #fitted: FittedHand | undefined;
  #at: Place;
  #turn: Turn | undefined;
  #turnStartMs: number;
  #eventMs: number;
  #events = 0;
  #shown = "";
  #played = 0;

  /** Throws `RangeError` for an unknown cheat. */
  constructor(options: HandOptions, startMs: number) {
    const { random, cheat, dialect } = options;
    this.#cheat = knownCheat(cheat);
    this.#random = random;
    this.#window = options.window ?? { width: GAME_WIDTH, height: GAME_HEIGHT };
    this.#eventsMs = options.eventsMs ?? [EVENT_MS];
    this.#sampler = new MouseSampler({ dialect, startMs });
    this.#spots = Array.from({ length: SPOTS }, () => this.#anywhere());
    this.#at = this.#anywhere();
    this.#turnStartMs = startMs;
    this.#eventMs = startMs;
    this.#strokes = playsStrokes(this.#cheat) ? this.#chooseStrokes(options) : [];
    this.#fitted = this.#cheat === "fitted" ? fitHand(this.#strokes) : undefined;
  }

  /** The payloads that are due by now. */
  step(nowMs: number): readonly Uint8Array[] {
    if (nowMs - this.#eventMs > MAX_STALL_MS) {
      this.#turnStartMs += nowMs - MAX_STALL_MS - this.#eventMs;
      this.#eventMs = nowMs - MAX_STALL_MS;
    }
    const payloads: Uint8Array[] = [];
    while (this.#eventMs <= nowMs) {
      this.#play(this.#eventMs);
      payloads.push(...this.#sampler.step(this.#eventMs));
      this.#eventMs = this.#nextEventMs();
    }
    return payloads;
  }

  /** A device reports the first movement after a rest at once, and then at its rate. */
  #nextEventMs(): number {
    const nextMs = this.#eventMs + (this.#eventsMs[this.#events++ % this.#eventsMs.length] as number);
    const movesMs = this.#turnStartMs + (this.#turn?.restMs ?? 0) + EVENT_MS;
    return movesMs > this.#eventMs ? Math.min(movesMs, nextMs) : nextMs;
  }

  #play(nowMs: number): void {
    this.#turn ??= this.#nextTurn();
    const { restMs, plan, to, click } = this.#turn;
    const movingMs = nowMs - this.#turnStartMs - restMs;
    if (movingMs < 0) return;
    const place = this.#inside(movingMs < plan.durationMs ? plan.at(movingMs) : to);
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
      case "none":
        return this.#humanTurn();
      case "linear":
        return this.#moveTo(this.#target(0), 600, "linear", true);
      case "bezier":
      case "jump":
      case "fitts":
      case "windmouse":
        return this.#moveTo(this.#target(0), 300 + 900 * random.next(), this.#cheat, true);
      case "minimum-jerk":
        return this.#moveTo(this.#target(7), this.#humanRestMs(), "minimumJerk", true);
      case "rejoined":
      case "fitted": {
        const to = this.#target(7);
        const plan =
          this.#fitted === undefined
            ? rejoin(this.#strokes, this.#at, to, random)
            : fittedMovement(this.#fitted, this.#at, to, random);
        return { restMs: random.pick(this.#strokes).restMs, plan, to, click: true };
      }
      case "mixed":
        if (random.chance(MACHINE_SHARE)) return this.#moveTo(this.#target(0), this.#humanRestMs(), "jump", true);
        return this.#replayTurn();
      default:
        return this.#replayTurn();
    }
  }

  #humanRestMs(): number {
    const random = this.#random;
    // Most rests are a quarter of a second to two seconds; 3 % are longer, as for reading.
    const idle = random.chance(0.03) ? 4000 * random.next() : 0;
    return 300 + 550 * Math.exp(0.6 * gaussian(random)) + idle;
  }

  #humanTurn(): Turn {
    const random = this.#random;
    const restMs = this.#humanRestMs();
    return this.#moveTo(this.#target(random.chance(0.3) ? 40 : 7), restMs, "human", random.chance(0.8));
  }

  #moveTo(to: Place, restMs: number, mover: keyof typeof movers, click: boolean): Turn {
    return { restMs, plan: movers[mover](this.#at, to, this.#random), to, click };
  }

  /** The next recorded stroke, from where the pointer is; where it would leave the window, first a movement to where it was recorded. */
  #replayTurn(): Turn {
    const random = this.#random;
    const { restMs: recordedMs, points } = this.#strokes[this.#played % this.#strokes.length] as RecordedStroke;
    const change = changes[this.#cheat];
    const played = change === undefined ? points : change(points, random);
    const [first] = played as readonly [TimedPoint];
    const end = played.at(-1) as TimedPoint;
    const isInside = played.every(({ x, y }) => this.#isInside(this.#at.x + x - first.x, this.#at.y + y - first.y));
    if (!isInside && Math.hypot(first.x - this.#at.x, first.y - this.#at.y) > 2) {
      return this.#moveTo({ x: first.x, y: first.y }, this.#humanRestMs(), "human", false);
    }
    this.#played += 1;
    // Replays that know what they do vary the rests.
    const restMs = recordedMs * (change === undefined ? 1 : 0.6 + 0.8 * random.next());
    const to = { x: this.#at.x + end.x - first.x, y: this.#at.y + end.y - first.y };
    return { restMs, plan: playStroke(played, this.#at), to, click: true };
  }

  /** A spot, missed by about `spreadPx`; or anywhere. */
  #target(spreadPx: number): Place {
    const random = this.#random;
    for (;;) {
      const spot = random.chance(0.75) ? random.pick(this.#spots) : this.#anywhere();
      const x = Math.round(spot.x + spreadPx * gaussian(random));
      const y = Math.round(spot.y + spreadPx * gaussian(random));
      const place = this.#inside({ x, y });
      if (Math.hypot(place.x - this.#at.x, place.y - this.#at.y) > 30) return place;
    }
  }

  #anywhere(): Place {
    const { width, height } = this.#window;
    return { x: this.#random.integer(30, width - 30), y: this.#random.integer(30, height - 30) };
  }

  #isInside(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.#window.width && y < this.#window.height;
  }

  #inside({ x, y }: Place): Place {
    const { width, height } = this.#window;
    return { x: Math.min(Math.max(x, 2), width - 3), y: Math.min(Math.max(y, 2), height - 3) };
  }

  #chooseStrokes({ recording, number, random, ...given }: HandOptions): readonly RecordedStroke[] {
    const strokes = given.strokes ?? (recording === undefined ? undefined : cutStrokes(parsePointerCsv(recording)));
    const isRound = this.#cheat.startsWith("replayed");
    const length = isRound && this.#cheat !== "replayed-long" ? RECORDED : LONG;
    if (strokes !== undefined && strokes.length > 0) {
      // Two accounts with one trace play the whole of it, from its start.
      if (this.#cheat === "shared" || this.#cheat === "mixed") return strokes;
      const start = random.integer(0, Math.max(strokes.length - length, 0));
      return isRound ? strokes.slice(start, start + length) : strokes;
    }
    // Bots 0 and 1, 2 and 3 and so on share a recording.
    const source = this.#cheat === "shared" ? createRandom(1 + (number >> 1)) : random.fork();
    return madeUpStrokes(source, length, this.#window);
  }
}

function knownCheat(cheat: string): MouseCheat {
  const known = ["none", ...mouseCheats, ...handCheats] as const;
  const found = known.find((each) => each === cheat);
  if (found !== undefined) return found;
  throw new RangeError(`Unknown cheat ${cheat} of osrs/mouse: it has ${[...mouseCheats, ...handCheats].join(", ")}`);
}

function playsStrokes(cheat: MouseCheat): boolean {
  return cheat.startsWith("replayed") || ["rejoined", "fitted", "mixed", "shared"].includes(cheat);
}

/** A recording of the synthetic hand, where no person's is given. */
function madeUpStrokes(
  random: Random,
  length: number,
  { width, height }: { readonly width: number; readonly height: number },
): readonly RecordedStroke[] {
  const place = (): Place => ({ x: random.integer(30, width - 30), y: random.integer(30, height - 30) });
  const spots = Array.from({ length: SPOTS }, place);
  const strokes: RecordedStroke[] = [];
  for (let at = place(); strokes.length < length; ) {
    const to = random.chance(0.75) ? random.pick(spots) : place();
    if (Math.hypot(to.x - at.x, to.y - at.y) <= 30) continue;
    const plan = movers.human(at, to, random);
    const points: TimedPoint[] = [];
    for (let ms = 0; ms < plan.durationMs + RECORD_MS; ms += RECORD_MS)
      points.push({ ...plan.at(Math.min(ms, plan.durationMs)), ms });
    strokes.push({ restMs: 300 + 550 * Math.exp(0.6 * gaussian(random)), points });
    at = to;
  }
  return strokes;
}

/** A bot of this game's mouse: it sends `mouseMove` and ignores what it receives. */
export class MouseBot<S extends WireMessage = WireMessage> implements Bot<MouseMoveMessage, S> {
  readonly stepMs = CYCLE_MS;
  readonly #options: HandOptions;
  readonly #message: string;
  #hand: MouseHand | undefined;

  /** `message`: the name of what it sends. `start` throws `RangeError` for an unknown dialect or cheat. */
  constructor(options: HandOptions, message: "mouseMove" | "nativeMouseMove" = "mouseMove") {
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
