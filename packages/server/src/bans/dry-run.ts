/** A **dry run** of policies: what they would have done with the verdicts of a recording. Nothing is done. */
import type { PlayerId, Verdict } from "wirewalk/motion";
import { memoryStore } from "wirewalk/net";
import type { Protocol } from "wirewalk/protocol";
import { BanClock } from "./ban-clock.ts";
import { loginKey } from "./ban-key.ts";
import { Ledger } from "./ledger.ts";
import { checkPolicies, type Policies, type PolicyAction, responsesOf } from "./policies.ts";

/** A verdict, and whom it is about. */
export interface DryVerdict {
  readonly verdict: Verdict;
  /** Undefined: the player alone counts. */
  readonly account: string | undefined;
  readonly name: string | undefined;
}

export interface DryAction {
  /** Of the world's clock. */
  readonly atMs: number;
  readonly player: PlayerId;
  readonly name: string | undefined;
  /** `relay`, `correct` and `drop` are about a message, the others follow from a score. */
  readonly action: Exclude<PolicyAction, "log"> | "relay" | "correct" | "drop";
  /** `*`: all rules together. */
  readonly rule: string;
  readonly score: number | undefined;
  readonly limit: number | undefined;
  /** False: the player would have been gone by then, or would have played on from another place. */
  readonly isCertain: boolean;
}

/** Throws `RangeError` for a policy that a server of this game cannot have. */
export function dryRun(protocol: Protocol, policies: Policies, verdicts: Iterable<DryVerdict>): readonly DryAction[] {
  const { name, capabilities } = protocol;
  const own = checkPolicies(name, policies, capabilities?.rules, capabilities?.renamed);
  const responses = responsesOf(policies) ?? {};
  let nowMs = 0;
  const clock = new BanClock(
    memoryStore(),
    { now: () => nowMs, after: () => () => {}, every: () => () => {} },
    () => nowMs,
  );
  const ledger = new Ledger(memoryStore(), clock, new Map([[name, { protocol: name, policies: own }]]));
  const actions: DryAction[] = [];
  /** What was done to a player changes what it does next. */
  const touched = new Set<PlayerId>();
  for (const { verdict, account, name: of } of verdicts) {
    const { player, rule, kind, atMs } = verdict;
    if (kind === "accept" || kind === "benign") continue;
    nowMs = Math.max(nowMs, atMs);
    const isCertain = !touched.has(player);
    const response = responses[rule];
    if (response !== undefined && response !== "relay") {
      actions.push({ atMs, player, name: of, action: response, rule, score: undefined, limit: undefined, isCertain });
      touched.add(player);
    }
    const penalty = ledger.add({ name, protocol: name }, loginKey(account ?? `player ${player}`), verdict);
    if (penalty === undefined) continue;
    const { score, policy } = penalty;
    const action = policy.action as Exclude<PolicyAction, "log">;
    actions.push({ atMs, player, name: of, action, rule: penalty.rule, score, limit: policy.limit, isCertain });
    if (action !== "tell") touched.add(player);
  }
  return actions;
}
