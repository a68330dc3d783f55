/** What a fuzz run is: steps that each follow from one seed, and throw when something is not as it must be. */
import { createRandom, type Random } from "wirewalk/motion";

export interface FuzzRun {
  readonly name: string;
  /** One short piece of work, all of which follows from `random`. Throws when a rule is broken. */
  step(random: Random): void | Promise<void>;
}

/** A broken rule, with the seed whose first step breaks it. */
export class FuzzFailure extends Error {
  readonly seed: number;

  constructor(run: FuzzRun, seed: number, cause: unknown) {
    super(`${run.name} fails from seed ${seed}`, { cause });
    this.seed = seed;
  }
}

/** Runs steps until the time is over, each from a seed one higher than the one before. Gives how many there were; throws `FuzzFailure`. */
export async function runUntil(run: FuzzRun, seed: number, endMs: number): Promise<number> {
  let steps = 0;
  do {
    try {
      await run.step(createRandom(seed + steps));
    } catch (error) {
      throw new FuzzFailure(run, seed + steps, error);
    }
    steps += 1;
  } while (performance.now() < endMs);
  return steps;
}
