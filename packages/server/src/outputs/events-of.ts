/** Events of outputs, out of what the server knows. */
import { verdictId } from "@wirewalk/recording";
import type { Verdict } from "wirewalk/motion";
import type { Penalty, VerdictWorld } from "../bans/ledger.ts";
import type { KeptAction, ShownVerdict } from "../verdicts/shown-verdict.ts";
import type { OutputEvent } from "./output-events.ts";

/** Whom a verdict is about, and when it was found. */
export interface ToldVerdict {
  readonly world: VerdictWorld;
  readonly verdict: Verdict;
  readonly name: string;
  readonly epochMs: number;
}

export function verdictEvent({ world, verdict, name, epochMs }: ToldVerdict): OutputEvent {
  const { player, rule, kind, reason, measured = null, allowed = null, unit = null, atMs } = verdict;
  return {
    event: "verdict",
    epochMs,
    protocol: world.protocol,
    world: world.name,
    verdict: verdictId(verdict),
    player,
    name,
    rule,
    kind,
    reason,
    measured: finite(measured),
    allowed: finite(allowed),
    unit,
    atMs,
    action: null,
    score: null,
    limit: null,
    by: null,
  };
}

export function penaltyEvent(of: ToldVerdict, { rule, policy, score }: Penalty): OutputEvent {
  const { action, limit } = policy;
  return { ...verdictEvent(of), event: "penalty", rule, action, score, limit };
}

export function actionEvent(verdict: ShownVerdict, { action, by, reason, atMs }: KeptAction): OutputEvent {
  const { world, protocol, id, player, name, rule, kind, measured, allowed, unit } = verdict;
  return {
    event: "action",
    epochMs: atMs,
    protocol,
    world,
    verdict: id,
    player,
    name,
    rule,
    kind,
    reason,
    measured: finite(measured),
    allowed: finite(allowed),
    unit,
    atMs: verdict.atMs,
    action,
    score: null,
    limit: null,
    by,
  };
}

/** JSON has no Infinity. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
