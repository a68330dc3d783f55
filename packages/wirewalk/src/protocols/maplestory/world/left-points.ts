/** Where players of `documented` were when they left, as plain data. Source: docs/protocols/maplestory.md 8.2.2. */
import {
  LeftPlaces,
  number,
  type SavedLeftPlaces,
  type StateOf,
  savedLeftPlaces,
  state,
} from "../../world-kit/index.ts";
import { MAX_DEPARTED } from "./rules.ts";

const leftPoint = state({ x: number, y: number, heldPx: number });

/** Where a player was when it left, and what it had gained (`Gain`). */
export type LeftPoint = Readonly<StateOf<typeof leftPoint>>;

export const savedLeftPoints = savedLeftPlaces(leftPoint);

export function createLeftPoints(keptMs: number, saved?: SavedLeftPlaces<LeftPoint>): LeftPlaces<LeftPoint> {
  return new LeftPlaces({ keptMs, most: MAX_DEPARTED }, saved);
}
