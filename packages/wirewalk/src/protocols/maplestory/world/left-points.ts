/** Where players of `documented` were when they left, as plain data. Source: docs/protocols/maplestory.md 8.2.2. */
import { checkMembers, type Kinds, type Left, LeftPlaces, type SavedLeftPlaces } from "../../world-kit/index.ts";
import type { Point } from "../wire/messages.ts";
import { MAX_DEPARTED } from "./rules.ts";

/** Where a player was when it left, and what it had gained (`Gain`). */
export interface LeftPoint extends Point {
  readonly heldPx: number;
}
export type SavedLeftPoints = SavedLeftPlaces<LeftPoint>;

const savedKinds: Kinds<SavedLeftPoints> = { nextId: "number", entries: "array" };
const leftKinds: Kinds<Left<LeftPoint>> = {
  id: "number",
  account: "string",
  room: "string",
  leftMs: "number",
  kept: "object",
};
const pointKinds: Kinds<LeftPoint> = { x: "number", y: "number", heldPx: "number" };

/** Throws `TypeError` for malformed data. */
export function createLeftPoints(keptMs: number, saved?: SavedLeftPoints): LeftPlaces<LeftPoint> {
  const limits = { keptMs, most: MAX_DEPARTED };
  if (saved === undefined) return new LeftPlaces(limits);
  const { nextId, entries } = checkMembers<SavedLeftPoints>(saved, "state.left", savedKinds);
  const checked = entries.map((entry) => {
    const left = checkMembers<Left<LeftPoint>>(entry, "state.left.entries[]", leftKinds);
    return { ...left, kept: { ...checkMembers<LeftPoint>(left.kept, "state.left.entries[].kept", pointKinds) } };
  });
  return new LeftPlaces(limits, { nextId, entries: checked });
}
