/**
 * The others, played from what the server relays: a message sets the state, the same physics as everywhere moves it on.
 */
import type { PlayerId } from "wirewalk/motion";
import { type MovementState, type MovePlayer, type RoomGeometry, updateMovementState } from "wirewalk/slime-online-2";
import type { JsonObject } from "wirewalk/wire";
import { Body, stateJson } from "./body.ts";
import type { HeldKeys } from "./drawing.ts";

/** A ghost that is put right slides to its place in this time; farther than a jump is high it snaps. */
const SLIDE_MS = 120;
const SNAP_PX = 64;

/** Only players of the room have ghosts, and a room holds few; more than this is a broken server. */
const MAX_GHOSTS = 4_096;

interface Ghost {
  readonly body: Body;
  /** Drawn this far off its true place since `slideFromMs`, less and less. */
  slideX: number;
  slideY: number;
  slideFromMs: number;
}

/** A ghost as it is drawn. */
export interface DrawnGhost {
  readonly player: PlayerId;
  readonly body: Body;
  readonly x: number;
  readonly y: number;
}

/** The ghost's state before and after a message. */
export interface GhostEffect {
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

export class Ghosts {
  readonly #geometry: RoomGeometry;
  readonly #ghosts = new Map<PlayerId, Ghost>();

  constructor(geometry: RoomGeometry) {
    this.#geometry = geometry;
  }

  has(player: PlayerId): boolean {
    return this.#ghosts.has(player);
  }

  /** Applies a relayed message. Answers with the state before and after it; before a first position there is none. */
  receive(player: PlayerId, move: MovePlayer, nowMs: number): GhostEffect {
    return this.#change(player, move.x, move.y, nowMs, (state) => {
      updateMovementState(state, move.direction, move.x, move.y);
    });
  }

  /** Puts a ghost where the server says, with the keys that it holds there (`v0106`). */
  place(player: PlayerId, x: number, y: number, keys: HeldKeys, nowMs: number): GhostEffect {
    return this.#change(player, x, y, nowMs, (state) => {
      updateMovementState(state, "landing", x, y);
      state.ileft = keys.left;
      state.iright = keys.right;
      state.iup = keys.up;
      state.idown = keys.down;
      if (keys.left !== keys.right) state.sprDir = keys.right ? 1 : -1;
    });
  }

  #change(
    player: PlayerId,
    x: number | undefined,
    y: number | undefined,
    nowMs: number,
    apply: (state: MovementState) => void,
  ): GhostEffect {
    let ghost = this.#ghosts.get(player);
    let before: JsonObject | undefined;
    if (ghost === undefined) {
      // Without a place there is nothing to draw: an air key of somebody never seen waits for the first position.
      if (x === undefined || y === undefined || this.#ghosts.size >= MAX_GHOSTS) return {};
      const body = new Body(this.#geometry, { x, y }, nowMs);
      ghost = { body, slideX: 0, slideY: 0, slideFromMs: nowMs };
      this.#ghosts.set(player, ghost);
    } else {
      ghost.body.advance(nowMs);
      before = stateJson(ghost.body.state);
    }
    const drawn = drawnAt(ghost, nowMs);
    apply(ghost.body.state);
    ghost.body.settle();
    const [slideX, slideY] = [drawn.x - ghost.body.state.x, drawn.y - ghost.body.state.y];
    const near = Math.hypot(slideX, slideY) <= SNAP_PX;
    ghost.slideX = near ? slideX : 0;
    ghost.slideY = near ? slideY : 0;
    ghost.slideFromMs = nowMs;
    const after = stateJson(ghost.body.state);
    return before === undefined ? { after } : { before, after };
  }

  /** Forgets whoever is not in the room any more: the documented protocol has no word for leaving. */
  keep(present: { has(player: PlayerId): boolean }): void {
    for (const player of this.#ghosts.keys()) if (!present.has(player)) this.#ghosts.delete(player);
  }

  draw(nowMs: number): readonly DrawnGhost[] {
    const drawn: DrawnGhost[] = [];
    for (const [player, ghost] of this.#ghosts) {
      ghost.body.advance(nowMs);
      drawn.push({ player, body: ghost.body, ...drawnAt(ghost, nowMs) });
    }
    return drawn;
  }
}

function drawnAt(ghost: Ghost, nowMs: number): { x: number; y: number } {
  const at = ghost.body.drawnAt(nowMs);
  const left = Math.max(0, 1 - (nowMs - ghost.slideFromMs) / SLIDE_MS);
  return { x: at.x + ghost.slideX * left, y: at.y + ghost.slideY * left };
}
