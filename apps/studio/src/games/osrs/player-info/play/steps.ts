/** The last steps of many players, for drawing. Pure; times are the page's. */

export interface Step {
  readonly fromX: number;
  readonly fromZ: number;
  readonly x: number;
  readonly z: number;
  readonly level: number;
  readonly atMs: number;
}

/** How long a step is drawn: three ticks of the game. */
export const STEP_MS = 1_800;

/** Steps kept: three ticks in which every player of a full world moves. */
const MAX_STEPS = 3 * 2047;

/** Farther than this along an axis is a teleport. */
export const LONGEST_STEP_TILES = 2;

export class Steps {
  #steps: Step[] = [];

  /** Oldest first. */
  get all(): readonly Step[] {
    return this.#steps;
  }

  add(step: Step): void {
    this.#steps.push(step);
  }

  clear(): void {
    this.#steps = [];
  }

  /** Forgets steps that are no longer drawn. */
  prune(nowMs: number): void {
    const old = this.#steps.findIndex(({ atMs }) => nowMs - atMs <= STEP_MS);
    this.#steps.splice(0, old === -1 ? this.#steps.length : old);
    if (this.#steps.length > MAX_STEPS) this.#steps.splice(0, this.#steps.length - MAX_STEPS);
  }
}

/** Whether a step is a teleport: farther than a run. */
export function isTeleport({ fromX, fromZ, x, z }: Step): boolean {
  return Math.abs(x - fromX) > LONGEST_STEP_TILES || Math.abs(z - fromZ) > LONGEST_STEP_TILES;
}
