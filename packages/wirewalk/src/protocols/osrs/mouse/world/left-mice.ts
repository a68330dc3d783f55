/** What players of the world of mice left behind, as plain data. */
import {
  checkMembers,
  copyPlain,
  type Kinds,
  type Left,
  LeftPlaces,
  type SavedLeftPlaces,
} from "../../../world-kit/index.ts";
import { type LeftKinematics, MouseKinematics } from "./kinematics.ts";
import type { LeftMouse } from "./session.ts";

/**
 * How long what a player left is kept, milliseconds, as long as places are in the other games, and of how many players: each
 * takes up to 60 KiB.
 */
const limits = { keptMs: 600_000, most: 256 } as const;

export type LeftMice = LeftPlaces<LeftMouse>;
export type SavedLeftMice = SavedLeftPlaces<LeftMouse>;

const savedKinds: Kinds<SavedLeftMice> = { nextId: "number", entries: "array" };
const leftKinds: Kinds<Left<LeftMouse>> = {
  id: "number",
  account: "string",
  room: "string",
  leftMs: "number",
  kept: "object",
};
const mouseKinds: Kinds<LeftMouse> = { kinematics: "object", flagged: "array", scoredAt: "number" };
const kinematicsKinds: Kinds<LeftKinematics> = {
  records: "number",
  count: "number",
  jumpCount: "number",
  far: "number",
  farJumps: "number",
  strokes: "typedArray",
};

/** Throws `TypeError` or `RangeError` for malformed data. */
export function createLeftMice(saved?: SavedLeftMice, dialect = ""): LeftMice {
  if (saved === undefined) return new LeftPlaces(limits);
  const { nextId, entries } = checkMembers<SavedLeftMice>(saved, "state.left", savedKinds);
  for (const entry of entries) {
    const { kept } = checkMembers<Left<LeftMouse>>(entry, "state.left.entries[]", leftKinds);
    const { kinematics } = checkMembers<LeftMouse>(kept, "state.left.entries[].kept", mouseKinds);
    // What cannot be taken over is found now, and not when its player comes back.
    new MouseKinematics(dialect).resume(
      checkMembers(kinematics, "state.left.entries[].kept.kinematics", kinematicsKinds),
    );
  }
  return new LeftPlaces(limits, { nextId, entries: copyPlain(entries) });
}
