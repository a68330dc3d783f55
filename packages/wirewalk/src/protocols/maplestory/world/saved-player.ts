/** Players as plain data. */
import { CorrectionRecord, LinkPace } from "../../../motion/index.ts";
import { u64le } from "../../../wire/index.ts";
import { copyState, list, mapOf, maybe, number, plainData, type StateOf, state } from "../../world-kit/index.ts";
import { savedLinkPace } from "../../world-kit/saved-parts.ts";
import type { SavedPlayback } from "../movement/playback.ts";
import type { DialectRules } from "../wire/dialect.ts";
import { Allowance, savedAllowance } from "./allowance.ts";
import { DurationBudget, type SavedDurationBudget, savedDurationBudget } from "./duration-budget.ts";
import { createGhost } from "./ghost.ts";
import type { MapleRuleLimits } from "./limits.ts";
import { type Companion, type Departed, type Player, plainMembers, savedDeparted } from "./player.ts";
import { SideBalance, savedSideBalance } from "./side-balance.ts";

const plainPlayer = state(plainMembers);
const savedCompanion = state({ slot: number, budget: savedDurationBudget });

/** A player as plain data. The room that it is in has its id. */
export const savedPlayer = state({
  ...plainMembers,
  budget: savedDurationBudget,
  airPush: savedAllowance,
  pace: savedLinkPace,
  patience: savedDurationBudget,
  silences: savedAllowance,
  savedUp: savedAllowance,
  corrections: list(number),
  pets: mapOf(u64le, savedCompanion),
  summons: mapOf(number, savedCompanion),
  dragon: maybe(savedCompanion),
  balance: savedSideBalance,
  pull: savedAllowance,
  aggro: savedAllowance,
  farAggro: savedAllowance,
  // The policy checks it.
  ghost: plainData<SavedPlayback>(),
});
type SavedPlayer = StateOf<typeof savedPlayer>;

/** A player before the first room. Throws `TypeError` for a malformed ghost. */
export function restorePlayer(saved: SavedPlayer, dialect: DialectRules, limits: MapleRuleLimits): Player {
  const budgetOf = (budget: SavedDurationBudget) => DurationBudget.restore(budget, limits.clockTolerance);
  const companionOf = ({ slot, budget }: StateOf<typeof savedCompanion>) => ({ slot, budget: budgetOf(budget) });
  const companionsOf = <K>(companions: ReadonlyMap<K, StateOf<typeof savedCompanion>>): Map<K, Companion> =>
    new Map(Array.from(companions, ([id, companion]) => [id, companionOf(companion)]));
  const allowance = (name: "airPush" | "silences" | "savedUp" | "pull" | "aggro" | "farAggro") =>
    Allowance.restore(limits[name], saved[name]);
  const ghost = createGhost(dialect);
  ghost.restore(saved.ghost);
  return {
    ...copyState(plainPlayer, saved),
    room: undefined,
    limits,
    budget: budgetOf(saved.budget),
    airPush: allowance("airPush"),
    pace: new LinkPace(saved.pace, limits.pace),
    patience: budgetOf(saved.patience),
    silences: allowance("silences"),
    savedUp: allowance("savedUp"),
    corrections: restoreCorrections(saved.corrections, limits),
    pets: companionsOf(saved.pets),
    summons: companionsOf(saved.summons),
    dragon: saved.dragon && companionOf(saved.dragon),
    balance: new SideBalance(limits.imbalanceWindowPx, saved.balance),
    pull: allowance("pull"),
    aggro: allowance("aggro"),
    farAggro: allowance("farAggro"),
    ghost,
  };
}

/** What is kept of a character that left. */
export function restoreDeparted(saved: Departed, limits: MapleRuleLimits): Departed {
  const corrections = restoreCorrections(saved.corrections, limits).save();
  return copyState(savedDeparted, { ...saved, corrections });
}

/** What was saved under higher limits is more than a record holds. */
function restoreCorrections(times: readonly number[], limits: MapleRuleLimits): CorrectionRecord {
  const { maxCorrections, maxCorrectionsLong, corrections } = limits;
  return new CorrectionRecord(corrections, times.slice(-1 - Math.max(maxCorrections, maxCorrectionsLong)));
}
