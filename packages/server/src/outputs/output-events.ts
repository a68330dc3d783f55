/** What outputs are told, as plain data. */

/** `verdict`: a rule found something. `penalty`: verdicts have added up to the limit of a policy. `action`: an operator did something. */
export interface OutputEvent {
  readonly event: "verdict" | "penalty" | "action";
  /** Milliseconds since 1970. */
  readonly epochMs: number;
  readonly protocol: string;
  readonly world: string;
  /** Of the verdict, as in recordings; the last one of a penalty. Empty where it is not known. */
  readonly verdict: string;
  readonly player: number;
  /** The name that other players saw: unverified, and chosen by the player. */
  readonly name: string;
  readonly rule: string;
  readonly kind: string;
  readonly reason: string;
  readonly measured: number | null;
  readonly allowed: number | null;
  readonly unit: string | null;
  /** Of the world's clock. */
  readonly atMs: number;
  /** Of a penalty: what follows. Of an action: what was done. */
  readonly action: string | null;
  readonly score: number | null;
  readonly limit: number | null;
  /** Of an action: who. */
  readonly by: string | null;
}

/** The members that a template may name. */
export const outputFields: readonly (keyof OutputEvent)[] = [
  "event",
  "epochMs",
  "protocol",
  "world",
  "verdict",
  "player",
  "name",
  "rule",
  "kind",
  "reason",
  "measured",
  "allowed",
  "unit",
  "atMs",
  "action",
  "score",
  "limit",
  "by",
];
