/** What bots do at a place beside wandering: sit down, crawl through a tunnel, fall from a cliff. */
import type { Random } from "../../../motion/index.ts";
import type { Place } from "../movement/place.ts";
import type { MovementKey } from "../movement/sampler.ts";

/** A part of an errand, done in order. */
export interface Leg {
  /** Where to go. Undefined: stay. */
  readonly to?: { readonly x: number; readonly y: number };
  /** Keys that are held beside forward. */
  readonly keys?: readonly MovementKey[];
  /** The use key is pressed at its start, unless the character is seated already (or not seated). */
  readonly use?: "sit" | "stand";
  /** It ends there, when the server has answered the use key, or after so many ticks. */
  readonly ticks: number;
}

/** From here straight ways lead to everything in the yard, in units north of its areas. */
const CORRIDOR = 1.5;
/** A way that takes longer, in ticks, is given up. */
const WAY_TICKS = 600;
/** Ticks on a seat; under the ceiling; for the answer to the use key, in which no key is pressed: on a bad line it takes seconds. */
const SIT_TICKS = { low: 60, high: 160 };
const CROUCH_TICKS = 40;
const ANSWER_TICKS = 400;

/** Over the cliff, with the keys held on: further than the fall goes, and longer than it and the tumbling take, in ticks. */
const FALL_WAY = 14;
const FALL_TICKS = 140;

/** Up from a seat. */
export const standUp: readonly Leg[] = [{ use: "stand", ticks: ANSWER_TICKS }];

/** One of the errands of a place; undefined where there is nothing to do. */
export function pickErrand({ seats, ramps, lowCeilings }: Place, random: Random): readonly Leg[] | undefined {
  const errands: (readonly Leg[])[] = [];
  for (const { x, y, exit } of seats) {
    errands.push([
      { to: exit, ticks: WAY_TICKS },
      { to: { x, y: (y + exit.y) / 2 }, ticks: CROUCH_TICKS },
      { use: "sit", ticks: ANSWER_TICKS },
      { ticks: random.integer(SIT_TICKS.low, SIT_TICKS.high) },
      { use: "stand", ticks: ANSWER_TICKS },
    ]);
  }
  for (const { fromX, toX, fromY, toY } of lowCeilings) {
    const y = (fromY + toY) / 2;
    errands.push([
      { to: { x: fromX - 1, y: toY + CORRIDOR }, ticks: WAY_TICKS },
      { to: { x: fromX - 1, y }, ticks: WAY_TICKS },
      { to: { x: (fromX + toX) / 2, y }, keys: ["crawl"], ticks: WAY_TICKS },
      // Without the crawl key: it cannot stand up here.
      { ticks: CROUCH_TICKS },
      { to: { x: toX + 1, y }, ticks: WAY_TICKS },
    ]);
  }
  for (const { fromX, topX, toX, fromY, toY } of ramps) {
    const y = (fromY + toY) / 2;
    errands.push([
      { to: { x: fromX - 1, y: toY + CORRIDOR }, ticks: WAY_TICKS },
      { to: { x: fromX - 1, y }, ticks: WAY_TICKS },
      { to: { x: topX, y }, ticks: WAY_TICKS },
      { to: { x: toX + FALL_WAY, y }, keys: random.chance(0.5) ? ["sprint"] : [], ticks: FALL_TICKS },
    ]);
  }
  return errands.length === 0 ? undefined : random.pick(errands);
}
