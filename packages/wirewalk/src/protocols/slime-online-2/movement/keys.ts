/**
 * The client's side: which message a key that goes down or up becomes.
 *
 * ```ts
 * const keys = new KeyHandler();
 * keys.set("right", true, state); // { direction: "rightPress", x: 448, y: 160 }
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 7.1 to 7.3.
 */
import { type Direction, directionRow, type Key } from "../wire/direction.ts";
import type { MovementState } from "./movement-state.ts";

/** A message to send. x and y are there when the direction carries them: u16 pixels. */
export interface Outgoing {
  readonly direction: Direction;
  readonly x?: number;
  readonly y?: number;
}

/** How a {@link KeyHandler} behaves. */
export interface KeyHandlerOptions {
  /** Whether a landing is sent. The document: SHOULD, "may not send it". Default true. */
  readonly sendLanding?: boolean;
}

/** A coordinate as it goes on the wire: rounded to the nearest pixel, halves up, and clamped to 0..65535. */
export function toWireCoordinate(pixels: number): number {
  const rounded = Math.round(pixels);
  return rounded > 65535 ? 65535 : rounded > 0 ? rounded : 0;
}

/** The message of a direction at a place. */
export function outgoing(direction: Direction, x: number, y: number): Outgoing {
  const { position } = directionRow(direction);
  if (position === "none") return { direction };
  if (position === "x") return { direction, x: toWireCoordinate(x) };
  return { direction, x: toWireCoordinate(x), y: toWireCoordinate(y) };
}

/**
 * Turns key edges into messages. It remembers what was sent, and reads the player's state but never changes it: the caller
 * sends the message and applies it to its own prediction with `updateMovementState`.
 */
export class KeyHandler {
  readonly #sendLanding: boolean;
  readonly #down: Record<Key, boolean> = { left: false, right: false, up: false, down: false };
  /** A press of up was sent, so its release has to be sent too. */
  #upSent = false;
  #wasFree = false;

  constructor(options: KeyHandlerOptions = {}) {
    this.#sendLanding = options.sendLanding ?? true;
  }

  /** Whether a key is held. */
  isDown(key: Key): boolean {
    return this.#down[key];
  }

  /**
   * A key edge. Undefined when there is nothing to send: the key is so already (auto-repeat), or up was pressed in the
   * air, which only a swimmer may do.
   */
  set(key: Key, down: boolean, state: Readonly<MovementState>): Outgoing | undefined {
    if (this.#down[key] === down) return undefined;
    this.#down[key] = down;
    const direction = this.#direction(key, down, state);
    return direction && outgoing(direction, state.x, state.y);
  }

  /** To be called after every frame: the landing message of a player who was in the air and is not any more. */
  afterStep(state: Readonly<MovementState>): Outgoing | undefined {
    const landed = this.#wasFree && !state.free;
    this.#wasFree = state.free;
    return landed && this.#sendLanding ? outgoing("landing", state.x, state.y) : undefined;
  }

  /** Forgets all keys: room change, leave, disconnect (standard 5.4). */
  reset(): void {
    for (const key of ["left", "right", "up", "down"] as const) this.#down[key] = false;
    this.#upSent = false;
    this.#wasFree = false;
  }

  #direction(key: Key, down: boolean, state: Readonly<MovementState>): Direction | undefined {
    switch (key) {
      case "left":
        if (state.free) return down ? "leftPressAir" : "leftReleaseAir";
        return down ? "leftPress" : "leftRelease";
      case "right":
        if (state.free) return down ? "rightPressAir" : "rightReleaseAir";
        return down ? "rightPress" : "rightRelease";
      case "down":
        return down ? "downPress" : "downRelease";
      case "up": {
        const isSent = down ? !state.free || state.inWater : this.#upSent;
        this.#upSent = down && isSent;
        if (!isSent) return undefined;
        return down ? "upPress" : "upRelease";
      }
    }
  }
}
