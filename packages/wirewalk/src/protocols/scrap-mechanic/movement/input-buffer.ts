/**
 * The inputs of one player on their way into the simulation: each tick is played once and in order, whatever the network
 * lost, doubled or turned around. Ticks are compared modulo 2^32.
 *
 * ```ts
 * import { InputBuffer, keySets } from "wirewalk/scrap-mechanic";
 *
 * const buffer = new InputBuffer();
 * const walk = (tick, direction) => ({ tick, keys: keySets[4], direction, yaw: 0, pitch: 64 });
 * buffer.push(walk(0xffff_ffff, 1), 1000); // => { outcome: "new", tick: 4294967295 }
 * buffer.push(walk(1, 3), 1050); // => { outcome: "new", tick: 4294967297 }
 * buffer.push(walk(1, 3), 1055).outcome; // => "duplicate"
 * const steps = [];
 * const request = { due: 4294967297, limit: 10, nowMs: 1075, graceMs: 20 };
 * buffer.play(request, (step) => steps.push([step.tick, step.movement.direction, step.heard]));
 * steps; // => [[4294967295, 1, true], [4294967296, 1, false], [4294967297, 3, true]]
 * buffer.push(walk(0, 2), 1080).outcome; // => "late"
 * ```
 */
import { keySets, keysByte, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";

/** Ticks that are remembered, behind and ahead: 6.4 seconds. More than a session waits for. */
const SLOTS = 256;
/** A lost input is taken for its predecessor for this many ticks, half a second; after that the player stands. */
export const MAX_FILL_TICKS = 20;

/** No keys. */
const noKeys = keySets[0] as MovementKeys;

/** What became of an input. `changed`: its tick was heard before, with other keys or another look. */
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
  readonly heard: boolean;
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

interface Slot {
  readonly tick: number;
  readonly movement: PlayerMovement;
  readonly packet: Uint8Array | undefined;
  readonly arrivedMs: number;
}

/** The movement that stands in for a tick that did not come, `missing` ticks (1, 2 …) after the last one that did. */
export function fillMovement(last: PlayerMovement, tick: number, missing: number): PlayerMovement {
  return { ...last, tick: tick >>> 0, keys: missing <= MAX_FILL_TICKS ? last.keys : noKeys };
}

/** Inputs by tick. */
export class InputBuffer {
  readonly #slots: (Slot | undefined)[] = new Array<Slot | undefined>(SLOTS).fill(undefined);
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

  /** A tick of the wire, counted on over 2^32 from the newest one heard. */
  unwrap(tick: number): number {
    const newest = this.#newest;
    return newest === undefined ? tick : newest + ((tick - newest) | 0);
  }

  /** Takes in an input that arrives now. The caller has made sure that its tick is not far in the future. */
  push(movement: PlayerMovement, nowMs: number, packet?: Uint8Array): Pushed {
    const tick = this.unwrap(movement.tick);
    if (this.#newest === undefined) this.#next = tick;
    const index = slotOf(tick);
    const known = this.#slots[index];
    if (known?.tick === tick)
      return { outcome: sameMovement(known.movement, movement) ? "duplicate" : "changed", tick };
    if (tick < this.#next) return { outcome: "late", tick };
    this.#slots[index] = { tick, movement, packet, arrivedMs: nowMs };
    this.#newest = Math.max(this.#newest ?? tick, tick);
    // What does not fit in the memory is not simulated: nobody is owed seconds in which nothing was heard.
    this.#next = Math.max(this.#next, this.#newest - SLOTS + 1);
    return { outcome: "new", tick };
  }

  /** Drops what waits and goes on with this tick, as after a leap of the player's clock. */
  restart(tick: number): void {
    this.#slots.fill(undefined);
    this.#newest = tick - 1;
    this.#next = tick;
    this.#missing = 0;
  }

  /** Plays ticks in their order, up to the newest that was heard. Returns how many. */
  play({ due, limit, nowMs, graceMs }: PlayRequest, step: (step: InputStep) => void): number {
    const end = Math.min(due, this.#newest ?? Number.NEGATIVE_INFINITY);
    let count = 0;
    for (; this.#next <= end && count < limit; count++) {
      const tick = this.#next;
      const slot = this.#heard(tick);
      if (slot === undefined && nowMs - this.#overtakenMs() < graceMs) break;
      this.#next += 1;
      if (slot !== undefined) {
        this.#last = slot.movement;
        this.#missing = 0;
        step({ tick, movement: slot.movement, heard: true, packet: slot.packet });
      } else if (this.#last !== undefined) {
        this.#missing += 1;
        step({ tick, movement: fillMovement(this.#last, tick, this.#missing), heard: false, packet: undefined });
      }
    }
    return count;
  }

  /** When the first tick after the next one came. */
  #overtakenMs(): number {
    for (let tick = this.#next + 1; tick <= (this.#newest ?? 0); tick++) {
      const slot = this.#heard(tick);
      if (slot !== undefined) return slot.arrivedMs;
    }
    return Number.NEGATIVE_INFINITY;
  }

  #heard(tick: number): Slot | undefined {
    const slot = this.#slots[slotOf(tick)];
    return slot?.tick === tick ? slot : undefined;
  }
}

function slotOf(tick: number): number {
  return ((tick % SLOTS) + SLOTS) % SLOTS;
}

function sameMovement(a: PlayerMovement, b: PlayerMovement): boolean {
  return keysByte(a.keys) === keysByte(b.keys) && a.direction === b.direction && a.yaw === b.yaw && a.pitch === b.pitch;
}
