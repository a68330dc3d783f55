/** Networks that the page can simulate before the ghosts, to compare policies: those of the table in the docs. */
import type { NetworkConditions } from "wirewalk/net";

export interface NetworkChoice {
  readonly name: string;
  /** Undefined: nothing is simulated. */
  readonly conditions: NetworkConditions | undefined;
}

export const networkChoices: readonly NetworkChoice[] = [
  { name: "unchanged", conditions: undefined },
  { name: "+ 80 ms jitter", conditions: { latencyMs: { low: 60, high: 60 }, jitterMs: 80 } },
  {
    name: "+ 500 ms, stalls",
    conditions: { latencyMs: { low: 150, high: 150 }, jitterMs: 500, stall: { everyMs: 30_000, durationMs: 2000 } },
  },
];
