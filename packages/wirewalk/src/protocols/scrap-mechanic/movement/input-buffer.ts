/**
 * The inputs of one player on their way into the simulation: each tick is played once and in order, whatever the network
 * lost, doubled or turned around. Ticks are compared modulo 2^32.
 *
 * ```ts
 * import { InputBuffer } from "wirewalk/scrap-mechanic/movement";
 * import { keySets } from "wirewalk/scrap-mechanic";
 *
 * const buffer = new InputBuffer();
 * const walk = (tick, direction) => ({ tick, keys: keySets[4], direction, yaw: 0, pitch: 64 });
 * buffer.push(walk(0xffff_ffff, 1), 1000); // => { outcome: "new", tick: 4294967295 }
 * buffer.push(walk(1, 3), 1050); // => { outcome: "new", tick: 4294967297 }
 * buffer.push(walk(1, 3), 1055).outcome; // => "duplicate"
 * const steps = [];
 * const request = { due: 4294967297, limit: 10, nowMs: 1075, graceMs: 20 };
 * buffer.play(request, (step) => steps.push([step.tick, step.movement.direction, step.received]));
 * steps; // => [[4294967295, 1, true], [4294967296, 1, false], [4294967297, 3, true]]
 * buffer.push(walk(0, 2), 1080).outcome; // => "late"
 * ```
 */
import { bytes, list, maybe, number, type StateOf, state, typedArray } from "../../world-kit/index.ts";
import { keySets, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import { packBits, unpackMovement } from "./packed-movement.ts";

/**
 * Ticks that are remembered, behind and ahead: 12.8 s. A stall of the connection and one of the server, 5 s each, and a second
 * of lost packets are less. Nothing older is played, so that is the most that a player can save up.
 */
const SLOTS = 512;
/** A lost input is taken for its predecessor for this many ticks, half a second; after that the player stands. */
export const MAX_FILL_TICKS = 20;

/** No keys. */
const noKeys = keySets[0] as MovementKeys;

/** What became of an input. `changed`: its tick arrived before, with other keys or another look. */
export interface Pushed {
  readonly outcome: "new" | "duplicate" | "changed" | "late";
  /** The tick, counted on over 2^32. */
  readonly tick: number;
}

/** One tick to simulate. */
export interface InputStep {
  readonly tick: number;
  readonly movement: PlayerMovement;
  /** False for what stands in for an input that did not come. */
  readonly received: boolean;
  /** The packet, where one came. */
  readonly packet: Uint8Array | undefined;
}

/** Which ticks are to be played. */
export interface PlayRequest {
  /** The newest tick whose time has come. */
  readonly due: number;
  /** Ticks at most. */
  readonly limit: number;
  readonly nowMs: number;
  /** A tick that is missing is waited for until a later one has been there for this long: it may have been overtaken. */
  readonly graceMs: number;
}

/** An input that has not been played. */
interface Waiting {
  readonly movement: PlayerMovement;
  readonly packet: Uint8Array | undefined;
  readonly arrivedMs: number;
}

/** The state of an `InputBuffer`, as plain data. */
export const savedInputBuffer = state({
  /** Of each slot: the tick modulo 2^32, and the movement as `packBits` gives it; 0 for an empty slot. */
  ticks: typedArray("Uint32Array"),
  movements: typedArray("Uint32Array"),
  /** The inputs that have not been played, in the order of their arrival. */
  waiting: list(state({ tick: number, packet: maybe(bytes), arrivedMs: number })),
  newest: maybe(number),
  next: number,
  /** The last input that was played, packed; the next ones that are missing repeat its keys. */
  last: maybe(number),
  missing: number,
});
type SavedInputBuffer = StateOf<typeof savedInputBuffer>;

/** The movement that stands in for a tick that did not come, `missing` ticks (1, 2 …) after the last one that did. */
export function fillMovement(last: PlayerMovement, tick: number, missing: number): PlayerMovement {
  return { ...last, tick: tick >>> 0, keys: missing <= MAX_FILL_TICKS ? last.keys : noKeys };
}

/** Inputs by tick. */
export class InputBuffer {
  /** The last inputs by their tick modulo the number of slots, played or not: tick modulo 2^32, and packed movement. */
  readonly #ticks = new Uint32Array(SLOTS);
  readonly #movements = new Uint32Array(SLOTS);
  readonly #waiting = new Map<number, Waiting>();
  #newest: number | undefined;
  /** The next tick to be played. */
  #next = 0;
  #last: PlayerMovement | undefined;
  #missing = 0;

  /** Ticks that wait, with those that are missing among them. */
  get depth(): number {
    return this.#newest === undefined ? 0 : Math.max(0, this.#newest - this.#next + 1);
  }

  /** The newest tick that has been played; undefined before the first. */
  get played(): number | undefined {
    return this.#last === undefined ? undefined : this.#next - 1;
  }

  /** The newest tick that has arrived; undefined before the first. */
  get newest(): number | undefined {
    return this.#newest;
  }

  /** Whether a tick that is due by then has not been played, or a later one has arrived that shows it missing. */
  waits(due: number): boolean {
    return this.#newest !== undefined && this.#next <= Math.min(due, this.#newest);
  }

  /** A tick of the wire, counted on over 2^32 from the newest one that arrived. */
  unwrap(tick: number): number {
    const newest = this.#newest;
    return newest === undefined ? tick : newest + ((tick - newest) | 0);
  }

  /**
   * Takes in an input that arrives now, and keeps `packet` as it is. The caller has made sure that the tick is not far in
   * the future.
   */
  push(movement: PlayerMovement, nowMs: number, packet?: Uint8Array): Pushed {
    const tick = this.unwrap(movement.tick);
    if (this.#newest === undefined) this.#next = tick;
    const slot = slotOf(tick);
    const bits = packBits(movement);
    const known = this.#movements[slot];
    if (known !== 0 && this.#ticks[slot] === tick >>> 0)
      return { outcome: known === bits ? "duplicate" : "changed", tick };
    if (tick < this.#next) return { outcome: "late", tick };
    this.#ticks[slot] = tick;
    this.#movements[slot] = bits;
    this.#waiting.set(tick, { movement, packet, arrivedMs: nowMs });
    this.#newest = Math.max(this.#newest ?? tick, tick);
    // What does not fit in the memory is not simulated: seconds without any packet are not caught up.
    const oldest = this.#newest - SLOTS + 1;
    if (this.#next < oldest) {
      this.#next = oldest;
      for (const waiting of this.#waiting.keys()) if (waiting < oldest) this.#waiting.delete(waiting);
    }
    return { outcome: "new", tick };
  }

  /** Drops what waits and goes on with this tick, as after a leap of the player's clock. */
  restart(tick: number): void {
    this.#movements.fill(0);
    this.#ticks.fill(0);
    this.#waiting.clear();
    this.#newest = tick - 1;
    this.#next = tick;
    this.#missing = 0;
  }

  /** Plays ticks in their order, up to the newest that has arrived. Returns how many. */
  play({ due, limit, nowMs, graceMs }: PlayRequest, step: (step: InputStep) => void): number {
    const end = Math.min(due, this.#newest ?? Number.NEGATIVE_INFINITY);
    let count = 0;
    for (; this.#next <= end && count < limit; count++) {
      const tick = this.#next;
      const input = this.#waiting.get(tick);
      if (input === undefined && nowMs - this.#overtakenMs() < graceMs) break;
      this.#next += 1;
      if (input !== undefined) {
        this.#waiting.delete(tick);
        this.#last = input.movement;
        this.#missing = 0;
        step({ tick, movement: input.movement, received: true, packet: input.packet });
      } else if (this.#last !== undefined) {
        this.#missing += 1;
        step({ tick, movement: fillMovement(this.#last, tick, this.#missing), received: false, packet: undefined });
      }
    }
    return count;
  }

  /** The state, which shares nothing with the buffer. */
  save(): SavedInputBuffer {
    return {
      ticks: this.#ticks.slice(),
      movements: this.#movements.slice(),
      waiting: Array.from(this.#waiting, ([tick, { packet, arrivedMs }]) => {
        return { tick, packet: packet?.slice(), arrivedMs };
      }),
      newest: this.#newest,
      next: this.#next,
      last: this.#last && packBits(this.#last),
      missing: this.#missing,
    };
  }

  /** Takes over a state. Throws `TypeError` or `RangeError` for malformed data. */
  restore(saved: SavedInputBuffer): void {
    if (saved.ticks.length !== SLOTS || saved.movements.length !== SLOTS) {
      throw new RangeError(`Cannot restore: an input buffer has ${SLOTS} slots, got ${saved.ticks.length}`);
    }
    this.#ticks.set(saved.ticks);
    this.#movements.set(saved.movements);
    this.#waiting.clear();
    for (const { tick, packet, arrivedMs } of saved.waiting) {
      const movement = unpackMovement({ tick: tick >>> 0, bits: saved.movements[slotOf(tick)] as number });
      this.#waiting.set(tick, { movement, packet: packet?.slice(), arrivedMs });
    }
    this.#newest = saved.newest;
    this.#next = saved.next;
    this.#last = saved.last === undefined ? undefined : unpackMovement({ tick: 0, bits: saved.last });
    this.#missing = saved.missing;
  }

  /** When the first tick after the next one came. */
  #overtakenMs(): number {
    for (let tick = this.#next + 1; tick <= (this.#newest ?? 0); tick++) {
      const input = this.#waiting.get(tick);
      if (input !== undefined) return input.arrivedMs;
    }
    return Number.NEGATIVE_INFINITY;
  }
}

function slotOf(tick: number): number {
  return ((tick % SLOTS) + SLOTS) % SLOTS;
}
