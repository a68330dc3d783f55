/**
 * How much of a limit that adds up a player has used: time, distance, corrections. For people who watch; reading it changes
 * nothing.
 */
export interface PlayerBudget {
  /** In kebab case, unique within the game. */
  readonly name: string;
  /** The rule that finds more than the limit. */
  readonly rule: string;
  /** Below 0 it is credit: what a late message may still use. */
  readonly used: number;
  readonly limit: number;
  readonly unit: string;
}
