/** How a room stops a player. Exact in f32, like the physics. Source: docs/protocols/slime-online-2.md 6.6. */
import type { RoomGeometry } from "../maps/geometry.ts";
import type { MovementState } from "./movement-state.ts";

/**
 * Moves `state` by its speeds, x first, then y, and applies the room: a wall stops `hsp`, a floor lands
 * (`free` false, `vsp` 0), a ceiling stops the rise, walking off an edge sets `free`. Then `ice` (on the ground only) and
 * `inWater` are read at the new place. (standard 6.6)
 */
export function applyMovement(state: MovementState, geometry: RoomGeometry): void {
  const toX = Math.fround(state.x + state.hsp);
  const x = geometry.stopX(state.x, toX, state.y);
  if (x !== toX) state.hsp = 0;
  state.x = x;

  const toY = Math.fround(state.y + state.vsp);
  const y = geometry.stopY(x, state.y, toY);
  const stopped = y !== toY;
  if (state.vsp >= 0 && geometry.groundAt(x, y)) {
    state.free = false;
    state.vsp = 0;
  } else {
    state.free = true;
    if (stopped) state.vsp = 0;
  }
  state.y = y;

  state.ice = !state.free && geometry.iceAt(x, y);
  state.inWater = geometry.waterAt(x, y);
}
