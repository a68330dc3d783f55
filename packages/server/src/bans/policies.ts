/**
 * **Policies**: what follows when the verdicts about an account add up. Data: one policy for each rule of a world, and one for all
 * of its rules together (`*`). The world has answered each message by then: it was corrected or refused where its rule does that.
 */
import type { VerdictKind } from "wirewalk/motion";
import { type Protocol, type Renamed, type Response, type Responses, replacedBy } from "wirewalk/protocol";

/**
 * `log`: nothing beside the score. `tell`: the outputs are told, and the player plays on. `kick`: the session ends. `ban`: the account is
 * banned for a time. Each outweighs those before it, and is told too.
 */
export type PolicyAction = "log" | "tell" | "kick" | "ban";

/** What a score of a rule leads to. */
export interface Policy {
  /** What the world does with a message in which the rule finds something. Default: what the rule says. */
  readonly response?: Response | undefined;
  readonly action: PolicyAction;
  /** The score at which it happens. Each verdict adds {@link VERDICT_POINTS}; the action takes the score back to 0. */
  readonly limit: number;
  /** Milliseconds in which half of a score is forgotten. */
  readonly halfLifeMs: number;
  /** Of a ban, milliseconds. */
  readonly banMs: number;
}

/** Points of a verdict. A benign one is what honest clients do; flags are for people to look at, so they weigh less. */
export const VERDICT_POINTS: Readonly<Record<VerdictKind, number>> = {
  accept: 0,
  benign: 0,
  flag: 1,
  correct: 2,
  reject: 1,
};

/** The name of the policy for all rules of a world together. */
export const ALL_RULES = "*";

const HOUR_MS = 3_600_000;

/** Of every rule, and of all together, that has no other: rules are soft until an operator decides. */
export const DEFAULT_POLICY: Policy = { action: "log", limit: 60, halfLifeMs: 6 * HOUR_MS, banMs: HOUR_MS };

/** Bounds, both allowed. A limit of 4 points is two corrections: no penalty comes before a correction. */
export const policyBounds = {
  limit: { least: 4, most: 1e6 },
  halfLifeMs: { least: 60_000, most: 365 * 24 * HOUR_MS },
  banMs: { least: 1_000, most: 365 * 24 * HOUR_MS },
} as const;

/** Policies of a world by rule, with `*` for all rules together. */
export type Policies = Readonly<Record<string, Partial<Policy>>>;

/** The responses of policies; undefined without any. */
export function responsesOf(policies: Policies = {}): Responses | undefined {
  const chosen = Object.entries(policies).flatMap(([rule, { response }]) =>
    response === undefined ? [] : [[rule, response]],
  );
  return chosen.length === 0 ? undefined : (Object.fromEntries(chosen) as Responses);
}

/** The policies of one world, and its game. */
export interface WorldPolicies {
  readonly protocol: string;
  readonly policies: ReadonlyMap<string, Policy>;
}

/** The policies of all worlds by name, also of those without any. Throws `RangeError` as {@link checkPolicies} does. */
export function policiesOfWorlds(
  worlds: readonly { readonly name: string; readonly protocol: Protocol; readonly policies?: Policies | undefined }[],
): ReadonlyMap<string, WorldPolicies> {
  return new Map(
    worlds.map(({ name, protocol, policies = {} }) => [
      name,
      {
        protocol: protocol.name,
        policies: checkPolicies(name, policies, protocol.capabilities?.rules, protocol.capabilities?.renamed),
      },
    ]),
  );
}

/** The mildest first. */
export const policyActions: readonly PolicyAction[] = ["log", "tell", "kick", "ban"];

/**
 * Whole policies. `rules`: the names that the world's rules have, where they are known. Throws `RangeError` for an unknown rule or
 * action and a number out of bounds, which it names.
 */
export function checkPolicies(
  world: string,
  given: Policies,
  rules: readonly string[] | undefined,
  renamed?: Renamed,
): ReadonlyMap<string, Policy> {
  return new Map(
    Object.entries(given).map(([rule, partial]) => {
      if (rule !== ALL_RULES && rules !== undefined && !rules.includes(rule)) {
        const now = replacedBy(renamed, "rules", rule);
        if (now !== undefined) throw new RangeError(`${world} has no rule ${rule}${now}`);
        throw new RangeError(`${world} has no rule ${rule}, only ${[...rules].sort().join(", ")} and *`);
      }
      const policy = { ...DEFAULT_POLICY, ...partial };
      const name = `The policy of ${world}.${rule}`;
      if (!policyActions.includes(policy.action)) {
        throw new RangeError(`${name} has the unknown action ${policy.action}, expected ${policyActions.join(", ")}`);
      }
      for (const key of Object.keys(policyBounds) as (keyof typeof policyBounds)[]) {
        const { least, most } = policyBounds[key];
        const value = policy[key];
        if (value >= least && value <= most) continue;
        throw new RangeError(`${name}: ${key} must be within ${least}..${most}, got ${value}`);
      }
      return [rule, policy];
    }),
  );
}
