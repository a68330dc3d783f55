/**
 * A player made of code: it wanders, sprints, crawls and jumps with the client's own sampler, predicts itself and agrees
 * with the server. Some do worse, on purpose.
 *
 * ```ts
 * import { createRandom } from "wirewalk/motion";
 * import { ScrapBot } from "wirewalk/scrap-mechanic";
 *
 * const bot = new ScrapBot({ dialect: "documented", random: createRandom(1), number: 0, cheat: "none" });
 * bot.start(0); // => [{ message: "hello", value: { version: 1 } }]
 * bot.step(25); // => []
 * bot.receive({ message: "playing", value: { character: 7, tick: 100, position: { x: 0, y: 0, z: 0.7 } } }, 30);
 * bot.step(55)[0].value.tick; // => 100
 * ```
 */
import type { Position, Random, Reconciliation } from "../../../motion/index.ts";
import type { Bot, BotOptions } from "../../bot.ts";
import { TICK_MS } from "../movement/model.ts";
import { type Place, placeOf, plain } from "../movement/place.ts";
import { type PredictorOptions, ScrapPredictor } from "../movement/predictor.ts";
import { MovementSampler } from "../movement/sampler.ts";
import { ANGLES, angleTurns, cosine, sine } from "../wire/angle.ts";
import type { ScrapClientMessage, ScrapServerMessage } from "../wire/codec.ts";
import { checkScrapDialect } from "../wire/dialect.ts";
import { keySets, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import { SESSION_VERSION } from "../wire/session.ts";
import { type Leg, pickErrand, standUp } from "./errands.ts";

/**
 * What `--cheat` takes. `clock-…` counts that many seconds a second, `replay` sends old ticks again with other keys,
 * `keys` sprints and turns on the spot, `pitch` looks further up than straight up. `lag-switch` sends nothing for 5 s and then all its ticks
 * at once, over and over: it stands, and then goes at four times the speed. `gaps` turns on the spot, and leaves out every other tick.
 */
export const scrapCheats = [
  "clock-1.02",
  "clock-1.2",
  "clock-2",
  "replay",
  "keys",
  "pitch",
  "lag-switch",
  "gaps",
] as const;

/** Ticks that `lag-switch` holds back: 5 s. */
const HELD_TICKS = 200;

/** A bot stays within this distance of the middle. */
const HOME_RADIUS = 24;
/** Ticks between two packets that are sent again, and their age in ticks. */
const REPLAY_EVERY = 30;
const REPLAY_AGE = 10;
/** How often a bot with nothing else to do has an errand. */
const ERRAND_CHANCE = 0.15;
/** A bot has arrived within this distance, in units: a step and a half of a sprint. */
const ARRIVED = 0.3;
/** Frames are drawn twice as often as ticks come: no tick is missed by a timer that is a little late. */
const FRAME_MS = TICK_MS / 2;

/** The options of this game's bots beyond those of every bot. */
export interface ScrapBotOptions extends BotOptions, Omit<PredictorOptions, "room"> {
  /** The bot's seconds per second: 1.001 is honest, crystals differ. Default 1, or the number in the cheat's name. */
  readonly clockRate?: number;
  /** Time between two frames, milliseconds: of a slow machine more than a tick. Default 12.5, and 50 for the cheat that leaves out ticks. */
  readonly frameMs?: number;
}

/** Plays one character. Pure: state and clock in, messages out. */
export class ScrapBot implements Bot<ScrapClientMessage, ScrapServerMessage> {
  readonly stepMs: number;
  readonly #options: ScrapBotOptions;
  readonly #random: Random;
  readonly #clockRate: number;
  readonly #place: Place;
  #startMs = 0;
  #sampler: MovementSampler | undefined;
  #predictor: ScrapPredictor | undefined;
  #reconciliation: Reconciliation | undefined;
  #planTicks = 0;
  #turnPerTick = 0;
  /** What is left of an errand, and the ticks that its first leg has taken. */
  #errand: readonly Leg[] = [];
  #legTicks = 0;
  #sent = 0;
  readonly #sentMovements: PlayerMovement[] = [];
  #heldBack: ScrapClientMessage[] = [];

  /** Throws `RangeError` for an unknown dialect, `TypeError` for maps of another game. */
  constructor(options: ScrapBotOptions) {
    checkScrapDialect(options.dialect);
    this.#options = options;
    this.#random = options.random;
    this.#place = placeOf(options);
    const [, rate] = /^clock-(.+)$/.exec(options.cheat) ?? [];
    this.#clockRate = options.clockRate ?? Number(rate ?? 1);
    const { frameMs = options.cheat === "gaps" ? 2 * TICK_MS : FRAME_MS } = options;
    this.stepMs = frameMs / this.#clockRate;
  }

  /** The bot's own character; undefined until the session is playing. */
  get predictor(): ScrapPredictor | undefined {
    return this.#predictor;
  }

  /** What came of the server's last word on it. */
  get reconciliation(): Reconciliation | undefined {
    return this.#reconciliation;
  }

  get place(): Position | undefined {
    const state = this.#predictor?.state;
    return state && { x: state.x, y: state.y, z: state.z };
  }

  start(nowMs: number): readonly ScrapClientMessage[] {
    this.#startMs = nowMs;
    // Where it is and from which tick on comes with `playing`, also when it connects again.
    this.#predictor = undefined;
    this.#sampler = undefined;
    this.#errand = [];
    this.#planTicks = 0;
    this.#heldBack = [];
    return [{ message: "hello", value: { version: SESSION_VERSION } }];
  }

  receive(message: ScrapServerMessage, nowMs: number): readonly ScrapClientMessage[] {
    if (message.message === "playing" && this.#predictor === undefined) {
      this.#predictor = new ScrapPredictor(message.value, this.#options);
      this.#sampler = new MovementSampler({ tick: message.value.tick - 1, nowMs: this.#ownMs(nowMs) });
    } else if (message.message === "unreliableUpdate") {
      this.#reconciliation = this.#predictor?.reconcile(message.value, nowMs);
    }
    return none;
  }

  step(nowMs: number): readonly ScrapClientMessage[] {
    const sampler = this.#sampler;
    const predictor = this.#predictor;
    if (sampler === undefined || predictor === undefined) return none;
    const sampled = sampler.frame(this.#ownMs(nowMs));
    if (sampled === undefined) return none;
    const uses = this.#errand.length > 0 ? this.#run(sampler, predictor) : this.#decide(sampler, predictor);
    // While it is seated or tumbles its keys are up.
    sampler.control(predictor.inControl);
    const movement = this.#tampered(sampled);
    predictor.predict(movement);
    const said: ScrapClientMessage[] = [{ message: "playerMovement", value: movement }];
    for (const value of this.#replayed(movement)) said.push({ message: "playerMovement", value });
    if (uses) said.push({ message: "use", value: {} });
    return this.#options.cheat === "lag-switch" ? this.#holdBack(said) : said;
  }

  #holdBack(said: readonly ScrapClientMessage[]): readonly ScrapClientMessage[] {
    this.#heldBack.push(...said);
    if (this.#heldBack.length < HELD_TICKS) return [];
    const all = this.#heldBack;
    this.#heldBack = [];
    return all;
  }

  /** The time by the bot's own clock. */
  #ownMs(nowMs: number): number {
    return this.#startMs + (nowMs - this.#startMs) * this.#clockRate;
  }

  /** What a bored person does: walks somewhere for a while, looks about, sprints, crawls and jumps on the way. */
  #decide(sampler: MovementSampler, predictor: ScrapPredictor): false {
    const random = this.#random;
    sampler.turn(this.#turnPerTick, (random.next() - 0.5) * 0.004);
    sampler.press("jump", random.chance(0.02));
    this.#planTicks -= 1;
    if (predictor.state.seated) {
      // An answer that came too late: up again.
      this.#errand = standUp;
      this.#legTicks = 0;
      sampler.release();
      return false;
    }
    if (this.#planTicks > 0) return false;
    this.#planTicks = random.integer(8, 80);
    this.#turnPerTick = random.chance(0.5) ? (random.next() - 0.5) * 0.02 : 0;
    sampler.release();
    // The plain has no errands.
    const place = this.#place;
    const errand = place !== plain && random.chance(ERRAND_CHANCE) ? pickErrand(place, random) : undefined;
    if (errand !== undefined) {
      this.#errand = errand;
      this.#legTicks = 0;
      this.#turnPerTick = 0;
      this.#planTicks = 0;
      sampler.press("jump", false);
      sampler.aim(false);
      return false;
    }
    const { x, y } = predictor.state;
    const isAway = Math.hypot(x, y) > HOME_RADIUS;
    if (isAway) sampler.turn(turnsTo(-x, -y, 16) - sampler.look.yawTurns, 0);
    if (!isAway && random.chance(0.2)) return false;
    sampler.press(isAway ? "forward" : random.pick(["forward", "forward", "backward", "left", "right"]), true);
    if (!isAway && random.chance(0.3)) sampler.press(random.pick(["left", "right"]), true);
    sampler.press("sprint", random.chance(0.4));
    sampler.press("crawl", random.chance(0.15));
    sampler.aim(random.chance(0.1));
    return false;
  }

  /** A tick of an errand. True when the use key is pressed. */
  #run(sampler: MovementSampler, predictor: ScrapPredictor): boolean {
    const leg = this.#errand[0] as Leg;
    const { x, y } = predictor.state;
    const dx = (leg.to?.x ?? x) - x;
    const dy = (leg.to?.y ?? y) - y;
    const isThere = leg.to !== undefined && Math.sqrt(dx * dx + dy * dy) < ARRIVED;
    this.#legTicks += 1;
    const { seated } = predictor.state;
    const isAnswered = leg.use !== undefined && seated === (leg.use === "sit");
    if (isThere || isAnswered || this.#legTicks > leg.ticks) {
      this.#errand = this.#errand.slice(1);
      this.#legTicks = 0;
      sampler.release();
      return false;
    }
    if (leg.to !== undefined) sampler.turn(turnsTo(dx, dy, 64) - sampler.look.yawTurns, 0);
    sampler.press("forward", leg.to !== undefined);
    for (const key of leg.keys ?? []) sampler.press(key, true);
    return leg.use !== undefined && this.#legTicks === 1;
  }

  #tampered(movement: PlayerMovement): PlayerMovement {
    this.#sent += 1;
    switch (this.#options.cheat) {
      case "pitch":
        return this.#sent % 2 === 0 ? { ...movement, pitch: 200 } : movement;
      case "keys":
        // Sprints on the spot, and looks as if it went another way each time.
        return { ...movement, keys: sprintOnly, direction: (this.#sent * 32) % ANGLES };
      case "gaps":
        return { ...movement, keys: noKeys, direction: (this.#sent * 32) % ANGLES };
      default:
        return movement;
    }
  }

  #replayed(movement: PlayerMovement): readonly PlayerMovement[] {
    if (this.#options.cheat !== "replay") return none;
    this.#sentMovements.push(movement);
    if (this.#sentMovements.length > REPLAY_AGE) this.#sentMovements.shift();
    const [oldest] = this.#sentMovements;
    if (oldest === undefined || this.#sent % REPLAY_EVERY !== 0) return [];
    return [{ ...oldest, keys: sprintForward, direction: (oldest.direction + 128) % ANGLES }];
  }
}

const none: readonly never[] = [];
const noKeys = keySets[0] as MovementKeys;
const sprintOnly = keySets[8] as MovementKeys;
const sprintForward = keySets[12] as MovementKeys;

/** The look along a way, the best of so many. */
function turnsTo(dx: number, dy: number, looks: number): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let yaw = 0; yaw < ANGLES; yaw += ANGLES / looks) {
    const towards = -sine(yaw) * dx + cosine(yaw) * dy;
    if (towards > most) {
      best = yaw;
      most = towards;
    }
  }
  return angleTurns(best);
}
