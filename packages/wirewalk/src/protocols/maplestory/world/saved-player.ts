/** Players as plain data. */

import type { Joining } from "../../world.ts";
import { checkMembers, copyPlain, type Kinds } from "../../world-kit/index.ts";
import type { SavedPlayback } from "../movement/playback.ts";
import type { DialectRules } from "../wire/dialect.ts";
import { DurationBudget, type SavedDurationBudget } from "./duration-budget.ts";
import { createGhost } from "./ghost.ts";
import type { Companion, Player } from "./player.ts";
import type { PlayerFactors } from "./rules.ts";
import { type SavedSideBalance, SideBalance } from "./side-balance.ts";
import type { VerificationScore } from "./verification.ts";

interface SavedCompanion {
  readonly slot: number;
  readonly budget: SavedDurationBudget;
}

/** A player as plain data. The room that it is in has its id. */
export interface SavedPlayer
  extends Omit<Player, "room" | "budget" | "pets" | "summons" | "balance" | "ghost" | "recentPaths"> {
  readonly recentPaths: readonly string[];
  readonly budget: SavedDurationBudget;
  readonly pets: ReadonlyMap<bigint, SavedCompanion>;
  readonly summons: ReadonlyMap<number, SavedCompanion>;
  readonly balance: SavedSideBalance;
  readonly ghost: SavedPlayback;
}

const playerKinds: Kinds<SavedPlayer> = {
  id: "number",
  joining: "object",
  sinceMs: "number",
  characterId: "number?",
  isHidden: "boolean",
  fieldKey: "number",
  staleKeyUntilMs: "number",
  x: "number",
  y: "number",
  state: "number",
  foothold: "number",
  start: "string",
  budget: "object",
  factors: "object",
  moves: "number",
  recentPaths: "array",
  pets: "map",
  summons: "map",
  balance: "object",
  ghost: "object",
  scores: "array",
  shownSinceMs: "number",
  shownBytes: "number",
  lastPingMs: "number",
  lastPongMs: "number",
};
const joiningKinds: Kinds<Joining> = { account: "string", name: "string", room: "string?" };
const budgetKinds: Kinds<SavedDurationBudget> = { creditMs: "number", atMs: "number" };
const companionKinds: Kinds<SavedCompanion> = { slot: "number", budget: "object" };
const factorKinds: Kinds<PlayerFactors> = { speed: "number", jump: "number" };
const balanceKinds: Kinds<SavedSideBalance> = { left: "number", right: "number" };
const scoreKinds: Kinds<VerificationScore> = {
  check: "string",
  score: "number",
  measured: "number",
  allowed: "number",
  unit: "string",
  evidence: "object",
};

/** The player, which shares nothing with its copy. */
export function savePlayer({ room: _, ...player }: Player): SavedPlayer {
  return {
    ...player,
    joining: { ...player.joining },
    budget: player.budget.save(),
    factors: { ...player.factors },
    recentPaths: [...player.recentPaths],
    pets: saveCompanions(player.pets),
    summons: saveCompanions(player.summons),
    balance: player.balance.save(),
    ghost: player.ghost.save(),
    scores: copyPlain(player.scores),
  };
}

/** A player who is in no room yet. Throws `TypeError` or `RangeError` for malformed data. */
export function restorePlayer(data: unknown, dialect: DialectRules): Player {
  const saved = checkMembers<SavedPlayer>(data, "player", playerKinds);
  const where = `player ${saved.id}`;
  const { start } = saved;
  if (start !== "near" && start !== "anywhere" && start !== "exact") {
    throw new RangeError(`Cannot restore: ${where}.start must be near, anywhere or exact, got ${start}`);
  }
  if (!saved.recentPaths.every((path) => typeof path === "string")) {
    throw new TypeError(`Cannot restore: ${where}.recentPaths must be strings`);
  }
  const ghost = createGhost(dialect);
  ghost.restore(saved.ghost);
  for (const score of saved.scores) checkMembers<VerificationScore>(score, `${where}.scores`, scoreKinds);
  return {
    ...saved,
    room: undefined,
    joining: { ...checkMembers<Joining>(saved.joining, `${where}.joining`, joiningKinds) },
    budget: restoreBudget(saved.budget, where),
    factors: { ...checkMembers<PlayerFactors>(saved.factors, `${where}.factors`, factorKinds) },
    recentPaths: [...saved.recentPaths],
    pets: restoreCompanions(saved.pets, "bigint", `${where}.pets`),
    summons: restoreCompanions(saved.summons, "number", `${where}.summons`),
    balance: new SideBalance(checkMembers<SavedSideBalance>(saved.balance, `${where}.balance`, balanceKinds)),
    ghost,
    scores: copyPlain(saved.scores),
  };
}

function restoreBudget(data: unknown, where: string): DurationBudget {
  return DurationBudget.restore(checkMembers<SavedDurationBudget>(data, `${where}.budget`, budgetKinds));
}

function saveCompanions<K>(companions: ReadonlyMap<K, Companion>): ReadonlyMap<K, SavedCompanion> {
  return new Map(Array.from(companions, ([id, { slot, budget }]) => [id, { slot, budget: budget.save() }]));
}

function restoreCompanions<K>(
  saved: ReadonlyMap<K, unknown>,
  kind: "bigint" | "number",
  where: string,
): Map<K, Companion> {
  const companions = new Map<K, Companion>();
  for (const [id, data] of saved) {
    if (typeof id !== kind) throw new TypeError(`Cannot restore: an id of ${where} must be ${kind}`);
    const { slot, budget } = checkMembers<SavedCompanion>(data, where, companionKinds);
    companions.set(id, { slot, budget: restoreBudget(budget, where) });
  }
  return companions;
}
