/**
 * What people are like at a mouse, as tables of numbers: see `PeopleLikeness`.
 *
 * There are none here. The recordings that the benchmark reads declare no licence, so numbers that were made of them are not passed on.
 * `npm run bench -- hands --data DIR --write-model FILE` makes this file from recordings that you have; docs/hands.md says which.
 */
import type { PeopleModel } from "./people-likeness.ts";

/** Used by every `MouseKinematics` that is given no other. */
export const peopleModel: PeopleModel | null = null;
