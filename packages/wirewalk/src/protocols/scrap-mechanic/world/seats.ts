/** Sitting down and standing up. */
import { type CharacterState, createCharacter, type MovementModel } from "../movement/model.ts";
import { type Place, SEAT_REACH, type Seat, seatAt, seatedPosition } from "../movement/place.ts";
import type { Vector3 } from "../wire/unreliable-update.ts";
import type { Character } from "./character.ts";

/** The position on the nearest seat that is in reach and free. */
export function findSeat({ state }: Character, others: Iterable<Character>, place: Place): Vector3 | undefined {
  if (state.tumbling) return undefined;
  const taken = new Set<Seat | undefined>();
  let nearest: Vector3 | undefined;
  let least = SEAT_REACH;
  for (const seat of place.seats) {
    const at = seatedPosition(seat, place.ground);
    const far = Math.sqrt((at.x - state.x) ** 2 + (at.y - state.y) ** 2 + (at.z - state.z) ** 2);
    if (far > least) continue;
    // Only then: nearly always no seat is in reach.
    if (taken.size === 0) for (const other of others) taken.add(seatOf(other.state, place));
    if (taken.has(seat)) continue;
    nearest = at;
    least = far;
  }
  return nearest;
}

function seatOf(state: CharacterState, { ground, seats }: Place): Seat | undefined {
  return state.seated ? seatAt(state, seats, ground) : undefined;
}

/**
 * Puts a seated character on its feet: at the exit of its seat, or where it is when game code seated it elsewhere. The use
 * key ends only the first.
 */
export function standUp(
  character: Character,
  model: MovementModel,
  place: Place,
  by: "game code" | "use key" = "game code",
): void {
  const { state } = character;
  if (!state.seated) return;
  const seat = seatOf(state, place);
  if (seat === undefined && by === "use key") return;
  character.seatedTick = undefined;
  state.seated = false;
  if (seat !== undefined) Object.assign(state, createCharacter(model, seat.exit, place.ground), { yaw: state.yaw });
}
