/**
 * The client's side of movement: keys, mouse and tools into one packet per tick, at most one per frame.
 *
 * ```ts
 * import { MovementSampler } from "wirewalk/scrap-mechanic/movement";
 *
 * const sampler = new MovementSampler({ tick: 100, nowMs: 0 });
 * sampler.press("forward", true);
 * sampler.press("sprint", true);
 * sampler.frame(10); // => undefined
 * sampler.frame(26).keys.sprint; // => false
 * sampler.frame(51).keys.sprint; // => true
 * sampler.press("forward", false);
 * sampler.frame(76).keys; // => { jump: false, crawl: false, horizontal: false, sprint: true, aim: false }
 * sampler.frame(76); // => undefined
 * ```
 */
import { ANGLES, LEVEL_PITCH, MAX_PITCH, nearestAngle } from "../wire/angle.ts";
import { keySets, keysByte, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import { TICK_MS } from "./model.ts";

/** What can be held down. */
export type MovementKey = "forward" | "backward" | "left" | "right" | "jump" | "crawl" | "sprint";

export interface SamplerOptions {
  /** The tick that begins at `nowMs`; the first packet is of the one after it. */
  readonly tick: number;
  readonly nowMs: number;
}

/** A thousandth of a millisecond: frames that are a tick apart are so in spite of rounding. */
const ROUNDING_MS = 0.001;

/** Where the keys lead: 1/256 turn. By how far right (-1, 0, 1), and in each row by how far forward. */
const directions = [
  [160, 128, 96],
  [192, undefined, 64],
  [224, 0, 32],
] as const;

/** Samples one player. Times are milliseconds of one clock. */
export class MovementSampler {
  readonly #startTick: number;
  readonly #startMs: number;
  readonly #held = new Set<MovementKey>();
  /** The analog stick's way, where one is pushed. */
  #stick: number | undefined;
  #aiming = false;
  #inControl = true;
  #yawTurns = 0;
  #pitchTurns = LEVEL_PITCH / ANGLES;
  #direction = 0;
  #wasHorizontal = false;
  #sentTicks = 0;

  constructor({ tick, nowMs }: SamplerOptions) {
    this.#startTick = tick;
    this.#startMs = nowMs;
  }

  /** A key goes down or up. */
  press(key: MovementKey, down: boolean): void {
    if (down) this.#held.add(key);
    else this.#held.delete(key);
  }

  /** All keys go up, as when the window loses the focus. */
  release(): void {
    this.#held.clear();
    this.#stick = undefined;
  }

  /** An analog stick, in turns from the right, counter-clockwise; undefined: released. It overrides the keys. */
  push(turns: number | undefined): void {
    this.#stick = turns === undefined ? undefined : nearestAngle(turns);
  }

  /** The mouse turns the look, in turns: left and up are positive. Nobody looks further up than straight up. */
  turn(yawTurns: number, pitchTurns: number): void {
    this.#yawTurns += yawTurns;
    this.#yawTurns -= Math.floor(this.#yawTurns);
    this.#pitchTurns = Math.min(Math.max(this.#pitchTurns + pitchTurns, 0), MAX_PITCH / ANGLES);
  }

  /** A tool slows the player down. */
  aim(aiming: boolean): void {
    this.#aiming = aiming;
  }

  /** Whether the character stands on its own feet: seated or tumbling, all keys read as up. */
  control(inControl: boolean): void {
    this.#inControl = inControl;
  }

  /** The look now: not rounded, for drawing. */
  get look(): { readonly yawTurns: number; readonly pitchTurns: number } {
    return { yawTurns: this.#yawTurns, pitchTurns: this.#pitchTurns };
  }

  /**
   * A frame is drawn: the packet to send, or undefined when no tick has begun since the last one. After a slow frame the
   * ticks that were passed have no packet: there is at most one per frame.
   */
  frame(nowMs: number): PlayerMovement | undefined {
    const ticks = Math.floor((nowMs - this.#startMs + ROUNDING_MS) / TICK_MS);
    if (ticks <= this.#sentTicks) return undefined;
    this.#sentTicks = ticks;
    return {
      tick: (this.#startTick + ticks) >>> 0,
      keys: this.#keys(),
      direction: this.#direction,
      yaw: nearestAngle(this.#yawTurns),
      pitch: Math.round(this.#pitchTurns * ANGLES),
    };
  }

  #keys(): MovementKeys {
    if (!this.#inControl) {
      this.#wasHorizontal = false;
      return keySets[0] as MovementKeys;
    }
    const held = this.#held;
    const forward = held.has("forward");
    const backward = held.has("backward");
    const left = held.has("left");
    const right = held.has("right");
    const horizontal = this.#stick !== undefined || forward || backward || left || right;
    if (horizontal) {
      // QUIRK: keys that cancel each other out are pressed all the same, and lead wherever the last ones did.
      const way = directions[1 + Number(right) - Number(left)]?.[1 + Number(forward) - Number(backward)];
      this.#direction = this.#stick ?? way ?? this.#direction;
    }
    // One packet late at both ends: it looks at whether the packet before was moving.
    const sprint = held.has("sprint") && this.#wasHorizontal;
    this.#wasHorizontal = horizontal;
    const keys = { jump: held.has("jump"), crawl: held.has("crawl"), horizontal, sprint, aim: this.#aiming };
    return keySets[keysByte(keys)] as MovementKeys;
  }
}
