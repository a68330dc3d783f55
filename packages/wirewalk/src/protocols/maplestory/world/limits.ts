/** The limits of a world: those of the table, or others. Source: docs/protocols/maplestory.md 8. */
import type { CorrectionRecordOptions, LinkPaceLimits } from "../../../motion/index.ts";
import { type RuleLimits, ruleLimits } from "../../settings.ts";
import { clientPhysics, type MaplePhysics } from "../maps/physics.ts";
import { walkConstants } from "../movement/walker.ts";
import type { AllowanceLimits } from "./allowance.ts";
import { mapleLimitTable } from "./limit-table.ts";
import { mapleRenamed } from "./rules.ts";

/** Values by the names of {@link mapleLimitTable}. */
export type MapleLimits = RuleLimits<typeof mapleLimitTable>;

/** Limits as the rules read them: values by name, and what follows from them. */
export interface MapleRuleLimits extends MapleLimits {
  readonly corrections: CorrectionRecordOptions;
  readonly pace: LinkPaceLimits;
  readonly silences: AllowanceLimits;
  readonly savedUp: AllowanceLimits;
  readonly airPush: AllowanceLimits;
  readonly pull: AllowanceLimits;
  readonly aggro: AllowanceLimits;
  readonly farAggro: AllowanceLimits;
  /** What the client's bodies move by. */
  readonly gravity: number;
  readonly maxFall: number;
  readonly walkDrag: number;
  readonly floatDrag: number;
  readonly airAcceleration: number;
}

/** Throws `RangeError` for an unknown name or an invalid value. */
export function mapleRuleLimits(given: Partial<MapleLimits> = {}): MapleRuleLimits {
  const values = ruleLimits("maplestory", mapleLimitTable, given, mapleRenamed);
  const { maxCorrections, correctionWindowMs, maxCorrectionsLong, correctionWindowLongMs } = values;
  return {
    ...values,
    corrections: {
      apartMs: values.correctionsApartMs,
      limits: [
        { count: maxCorrections, withinMs: correctionWindowMs },
        { count: maxCorrectionsLong, withinMs: correctionWindowLongMs },
      ],
    },
    pace: { maxLateMs: values.lateMaxMs, maxStalledMs: values.stalledMaxMs },
    silences: { most: values.believedSilences, perSecond: values.silencesPerMinute / 60 },
    savedUp: { most: values.savedUpMs, perSecond: values.savedUpMsPerMinute / 60 },
    airPush: { most: values.airPushes, perSecond: values.airPushesPerMinute / 60 },
    pull: { most: values.pullPx, perSecond: values.pullPxPerSecond },
    aggro: { most: values.aggroMost, perSecond: values.aggroPerSecond },
    gravity: walkConstants.gravity,
    maxFall: walkConstants.maxFall,
    walkDrag: walkConstants.walkDrag,
    floatDrag: walkConstants.floatDrag,
    airAcceleration: walkConstants.airAcceleration,
    farAggro: { most: values.farAggroMost, perSecond: 1000 / values.farAggroEveryMs },
  };
}

/** The same for clients with other constants of movement: what they are more or less by, limits are too. */
export function limitsOfPhysics(limits: MapleRuleLimits, physics: MaplePhysics | undefined): MapleRuleLimits {
  if (physics === undefined) return limits;
  const times = (name: keyof MaplePhysics): number => physics[name] / clientPhysics[name];
  return {
    ...limits,
    walkPxPerSecond: limits.walkPxPerSecond * times("walkSpeed"),
    jumpPxPerSecond: limits.jumpPxPerSecond * times("jumpSpeed"),
    fallPxPerSecond: limits.fallPxPerSecond * times("fallSpeed"),
    swimPxPerSecond: limits.swimPxPerSecond * times("swimSpeed"),
    flyPxPerSecond: limits.flyPxPerSecond * times("flySpeed"),
    gravity: limits.gravity * times("gravityAcc"),
    maxFall: limits.maxFall * times("fallSpeed"),
    walkDrag: limits.walkDrag * times("walkDrag"),
    floatDrag: limits.floatDrag * times("floatDrag1"),
    airAcceleration: limits.airAcceleration * times("floatDrag2"),
  };
}

/** The game's own. */
export const mapleRuleDefaults: MapleRuleLimits = mapleRuleLimits();
