/** What players of the world of mice left behind, as plain data. */
import { LeftPlaces, type SavedLeftPlaces, type StateOf, savedLeftPlaces } from "../../../world-kit/index.ts";
import { MouseKinematics } from "./kinematics.ts";
import { leftMouse } from "./session.ts";

/**
 * How long what a player left is kept, milliseconds, as long as places are in the other games, and of how many players: each
 * takes up to 60 KiB.
 */
const limits = { keptMs: 600_000, most: 256 } as const;

type LeftMouse = StateOf<typeof leftMouse>;

export const savedLeftMice = savedLeftPlaces(leftMouse);

/** Throws `TypeError` for malformed data. */
export function createLeftMice(saved?: SavedLeftPlaces<LeftMouse>, dialect = ""): LeftPlaces<LeftMouse> {
  // What cannot be taken over is found now, and not when its player comes back.
  for (const { kept } of saved?.entries ?? []) new MouseKinematics(dialect).resume(kept.kinematics);
  return new LeftPlaces(limits, saved);
}
