/** Networks that the page can put before the ghosts, to see what a policy is worth: those of the docs' table. */
import type { NetworkConditions } from "wirewalk/net";

export interface NetworkChoice {
  readonly name: string;
  /** Undefined: as it comes. */
  readonly conditions: NetworkConditions | undefined;
}

export const networkChoices: readonly NetworkChoice[] = [
  { name: "as it comes", conditions: undefined },
  { name: "+ 80 ms jitter", conditions: { latencyMs: { low: 60, high: 60 }, jitterMs: 80 } },
  {
    name: "+ 500 ms, stalls",
    conditions: { latencyMs: { low: 150, high: 150 }, jitterMs: 500, stall: { everyMs: 30_000, durationMs: 2000 } },
  },
];
