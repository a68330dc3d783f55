/** What to do about a verdict: by its rule, by how far it is over the limit, and by how often it was found. */
import { type RuleInfo, ruleInfoOf } from "wirewalk/protocol";
import type { VerdictExplanation } from "./explain-verdict.ts";

/** `nothing`, `watch`, `warn`, `kick`, `ban`; `doubt`: the verdict itself is to be looked at. */
export type AdviceKind = "nothing" | "watch" | "warn" | "kick" | "ban" | "doubt";

export interface Advice {
  readonly kind: AdviceKind;
  readonly text: string;
}

/** From here on a measure is far over its limit. */
export const CLEAR_SHARE = 1.5;
/** So many findings of one rule in these seconds are no chance. */
const OFTEN = 3;
/** So many rules that agree. */
const MANY_RULES = 2;

/** How often the rule found the same in these seconds, this verdict included. */
export function timesOf({ near, rule }: Pick<VerdictExplanation, "near" | "rule">): number {
  return 1 + near.filter((each) => each.rule === rule && each.kind !== "benign").length;
}

/**
 * How many messages came in the second before, where the rule counts those that it took alone: its number is then one over the limit, however
 * many come. Undefined for other rules.
 */
export function sentInSecond({ measure, near, rule, kind }: Measured): number | undefined {
  const { measured = 0, allowed = 0, unit } = measure ?? {};
  if (kind !== "reject" || unit !== "messages/s" || measured !== allowed + 1) return undefined;
  return measured + near.filter((each) => each.rule === rule && each.ms <= 0 && each.ms > -1_000).length;
}

type Measured = Pick<VerdictExplanation, "measure" | "near" | "rule" | "kind">;

/** What was measured as a share of the limit, above 1 for what is beyond it; undefined where there is no such share. */
export function excessShare(explanation: Measured): number | undefined {
  const { measure } = explanation;
  if (measure === undefined) return undefined;
  const sent = sentInSecond(explanation);
  if (sent !== undefined) return sent / (measure.allowed ?? 1);
  const { measured, allowed, unit } = measure;
  if (allowed === undefined || allowed <= 0 || measured <= 0) return undefined;
  // How fast a clock runs: what counts is by how much it differs from ours.
  if (unit === "s/s" && allowed > 1) return measured <= 1 ? undefined : (measured - 1) / (allowed - 1);
  return measured < allowed ? allowed / measured : measured / allowed;
}

/** Whether it is far over the limit. What has no limit is so where the message was refused. */
export function isClear(explanation: Measured): boolean {
  const share = excessShare(explanation);
  return share === undefined ? explanation.kind !== "flag" : share >= CLEAR_SHARE;
}

/** `hasStalled`: whether the connection had hung just before. */
export function adviceOf(
  explanation: VerdictExplanation,
  { info, hasStalled }: { readonly info: RuleInfo | undefined; readonly hasStalled: boolean },
): Advice {
  const { kind, replay, near, rule } = explanation;
  const weight = info?.weight ?? "strong";
  const times = timesOf(explanation);
  const share = excessShare(explanation);
  const clear = isClear(explanation);
  const isOften = times >= OFTEN;
  const others = new Set(near.filter((each) => each.kind !== "benign" && each.rule !== rule).map((each) => each.rule))
    .size;
  if (kind === "benign") return { kind: "nothing", text: "Nothing. Honest clients do this too." };
  if (!replay.isReproduced) {
    const text =
      "Do not act on this verdict: its seconds, judged again, do not give it. Dismiss it as false if you have a reason to.";
    return { kind: "doubt", text };
  }
  if (weight === "noise") return { kind: "nothing", text: "Nothing. By itself this is no sign of a cheat." };
  if (hasStalled && !clear) {
    return {
      kind: "nothing",
      text: "Nothing yet: the connection had just hung. Look again if it happens without a pause.",
    };
  }
  if (weight === "hint") {
    const agree = others >= MANY_RULES ? ` ${others + 1} rules agree, so a look is worth it.` : "";
    return {
      kind: others >= MANY_RULES || isOften ? "watch" : "nothing",
      text:
        others >= MANY_RULES || isOften
          ? `Watch the player, and speak with it.${agree} Do not ban for this alone: it is a reason to look, and no proof.`
          : "Nothing yet. Watch the player if other rules find something too. Never ban for this alone.",
    };
  }
  const remedied = info?.remedy !== undefined && kind === "flag";
  if (remedied) {
    return isOften || clear
      ? {
          kind: "warn",
          text: "Warn the player; there is no hurry, since it gains nothing. Disconnect it if it goes on.",
        }
      : { kind: "watch", text: "Watch the player; there is no hurry, since it gains nothing." };
  }
  if (weight === "proof") {
    return isOften
      ? { kind: "ban", text: "Ban the player for a time: no honest client sends this, and it sent it more than once." }
      : {
          kind: "kick",
          text: "Disconnect the player: no honest client sends this. Ban it for a time if it comes back and goes on.",
        };
  }
  if (clear && isOften) {
    const why = share === undefined ? `it did so ${times} times` : `it was far over the limit, and ${times} times`;
    return {
      kind: "ban",
      text: `Disconnect the player, or ban it for a time, such as a day for the first time: ${why}.`,
    };
  }
  if (clear) {
    return {
      kind: "warn",
      text: "Warn the player, and look at its other verdicts. This alone is worth a question, and not yet a ban.",
    };
  }
  return isOften
    ? {
        kind: "warn",
        text: "Warn the player: each is only a little over the limit, and so many are no chance. Disconnect it if it goes on.",
      }
    : {
        kind: "watch",
        text: "Nothing yet but to watch the player: a little over the limit, once or twice, can be chance.",
      };
}

/** What a rule says of itself, by the names of the game. */
export function titleOf(game: Parameters<typeof ruleInfoOf>[0], rule: string): string {
  return ruleInfoOf(game, rule)?.title ?? rule;
}
