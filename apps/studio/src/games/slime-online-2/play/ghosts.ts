/**
 * The other players. A relayed message sets a ghost's state, and the physics of the game plays on from it.
 */
import type { PlayerId } from "wirewalk/motion";
import type { MovePlayer } from "wirewalk/slime-online-2";
import type { RoomGeometry } from "wirewalk/slime-online-2/maps";
import { type MovementState, updateMovementState } from "wirewalk/slime-online-2/movement";
import type { JsonObject } from "wirewalk/wire";
import type { HeldKeys } from "../scene/drawing.ts";
import { Body, stateJson } from "./body.ts";

/** A corrected ghost slides to its place in this time. Over a distance higher than a jump it is put there at once. */
const SLIDE_MS = 120;
const SNAP_PX = 64;

/** Only players of the room have ghosts. A server that sends more than this is broken. */
const MAX_GHOSTS = 4_096;

interface Ghost {
  readonly body: Body;
  /** Distance between the drawn and the true place at `slideFromMs`. It shrinks to zero. */
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

/** A ghost's state before and after a message. */
export interface GhostChange {
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

  /** Applies a relayed message. Returns the state before and after it; nothing before the first position. */
  receive(player: PlayerId, move: MovePlayer, nowMs: number): GhostChange {
    return this.#change(player, move.x, move.y, nowMs, (state) => {
      updateMovementState(state, move.direction, move.x, move.y);
    });
  }

  /** Puts a ghost at the place that the server sends, with its held keys (`v0106`). */
  place(player: PlayerId, x: number, y: number, keys: HeldKeys, nowMs: number): GhostChange {
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
  ): GhostChange {
    let ghost = this.#ghosts.get(player);
    let before: JsonObject | undefined;
    if (ghost === undefined) {
      // Without a position there is nothing to draw: air codes of an unknown player are ignored.
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

  /** Removes the ghosts of players that left the room: the document's dialects have no message for leaving. */
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
