/** Players as plain data. */
import { CorrectionRecord, LinkPace, type SavedLinkPace, type Verdict } from "../../../motion/index.ts";
import type { Joining } from "../../world.ts";
import { checkMembers, copyPlain, type Kinds } from "../../world-kit/index.ts";
import type { SavedPlayback } from "../movement/playback.ts";
import type { DialectRules } from "../wire/dialect.ts";
import { Allowance, type AllowanceLimits, type SavedAllowance } from "./allowance.ts";
import { DurationBudget, type SavedDurationBudget } from "./duration-budget.ts";
import type { Flight } from "./flight.ts";
import type { ClaimedPlace, Gain } from "./gain.ts";
import { createGhost } from "./ghost.ts";
import type { MapleRuleLimits } from "./limits.ts";
import type { Companion, Departed, Ping, Player } from "./player.ts";
import type { PlayerFactors } from "./rules.ts";
import { type SavedSideBalance, SideBalance } from "./side-balance.ts";
import type { VerificationScore } from "./verification.ts";

interface SavedCompanion {
  readonly slot: number;
  readonly budget: SavedDurationBudget;
}

/** A player as plain data. The room that it is in has its id. */
export interface SavedPlayer
  extends Omit<
    Player,
    | "room"
    | "limits"
    | "budget"
    | "pace"
    | "patience"
    | "silences"
    | "savedUp"
    | "corrections"
    | "evidence"
    | "pets"
    | "summons"
    | "dragon"
    | "balance"
    | "airPush"
    | "pull"
    | "aggro"
    | "farAggro"
    | "ghost"
    | "recentPaths"
  > {
  readonly recentPaths: readonly string[];
  readonly budget: SavedDurationBudget;
  readonly pace: SavedLinkPace;
  readonly patience: SavedDurationBudget;
  readonly silences: SavedAllowance;
  readonly savedUp: SavedAllowance;
  readonly corrections: readonly number[];
  readonly evidence: readonly Verdict[];
  readonly pets: ReadonlyMap<bigint, SavedCompanion>;
  readonly summons: ReadonlyMap<number, SavedCompanion>;
  readonly dragon: SavedCompanion | undefined;
  readonly balance: SavedSideBalance;
  readonly airPush: SavedAllowance;
  readonly pull: SavedAllowance;
  readonly aggro: SavedAllowance;
  readonly farAggro: SavedAllowance;
  readonly ghost: SavedPlayback;
}

const playerKinds: Kinds<SavedPlayer> = {
  id: "number",
  joining: "object",
  sinceMs: "number",
  characterId: "number?",
  isHidden: "boolean",
  fieldKey: "number",
  keyGivenMs: "number",
  keySeen: "boolean",
  staleKeys: "number",
  x: "number",
  y: "number",
  state: "number",
  foothold: "number",
  start: "string",
  anewMs: "number?",
  budget: "object",
  gain: "object",
  claimed: "object?",
  flight: "object?",
  airPush: "object",
  pace: "object",
  stalledMs: "number",
  patience: "object",
  patientUntilMs: "number",
  restedBefore: "boolean",
  isAtRest: "boolean",
  isPatient: "boolean",
  silences: "object",
  claimedMs: "number",
  savedUpMs: "number",
  savedUp: "object",
  corrections: "array",
  evidence: "array",
  factors: "object",
  moves: "number",
  recentPaths: "array",
  pets: "map",
  summons: "map",
  dragon: "object?",
  balance: "object",
  pull: "object",
  aggro: "object",
  farAggro: "object",
  ghost: "object",
  scores: "array",
  shownSinceMs: "number",
  shownBytes: "number",
  lastPingMs: "number",
  pings: "array",
  provenMs: "number",
  provenStalledMs: "number",
  wasMoving: "boolean",
};
const joiningKinds: Kinds<Joining> = { account: "string", name: "string", room: "string?" };
const budgetKinds: Kinds<SavedDurationBudget> = { creditMs: "number", atMs: "number" };
const companionKinds: Kinds<SavedCompanion> = { slot: "number", budget: "object" };
const factorKinds: Kinds<PlayerFactors> = { speed: "number", jump: "number" };
const balanceKinds: Kinds<SavedSideBalance> = { left: "number", right: "number" };
const allowanceKinds: Kinds<SavedAllowance> = { left: "number", atMs: "number" };
const claimedKinds: Kinds<ClaimedPlace> = { x: "number", y: "number", foothold: "number", sinceMs: "number" };
const flightKinds: Kinds<Flight> = { y: "number", vy: "number" };
const pingKinds: Kinds<Ping> = { sentMs: "number", stalledMs: "number" };
const paceKinds: Kinds<SavedLinkPace> = {
  atMs: "number",
  burstMs: "number",
  burstLateMs: "number",
  carried: "boolean",
  together: "number",
  lateMs: "number",
};
const gainKinds: Kinds<Gain> = { heldPx: "number", overXPx: "number", overYPx: "number", atMs: "number" };
const departedKinds: Kinds<Departed> = {
  leftMs: "number",
  room: "string",
  x: "number",
  y: "number",
  gain: "object",
  corrections: "array",
  evidence: "array",
};
const verdictKinds: Kinds<Verdict> = {
  kind: "string",
  rule: "string",
  reason: "string",
  player: "number",
  room: "string",
  atMs: "number",
  measured: "number?",
  allowed: "number?",
  unit: "string?",
  message: "typedArray",
  stateBefore: "object",
};
const scoreKinds: Kinds<VerificationScore> = {
  check: "string",
  score: "number",
  measured: "number",
  allowed: "number",
  unit: "string",
  evidence: "object",
};

/** The player, which shares nothing with its copy. */
export function savePlayer({ room: _, limits: _limits, ...player }: Player): SavedPlayer {
  return {
    ...player,
    joining: { ...player.joining },
    budget: player.budget.save(),
    gain: { ...player.gain },
    claimed: player.claimed && { ...player.claimed },
    flight: player.flight && { ...player.flight },
    airPush: player.airPush.save(),
    pace: player.pace.save(),
    patience: player.patience.save(),
    silences: player.silences.save(),
    savedUp: player.savedUp.save(),
    corrections: player.corrections.save(),
    evidence: copyPlain(player.evidence),
    factors: { ...player.factors },
    recentPaths: [...player.recentPaths],
    pings: player.pings.map((ping) => ({ ...ping })),
    pets: saveCompanions(player.pets),
    summons: saveCompanions(player.summons),
    dragon: player.dragon && saveCompanion(player.dragon),
    balance: player.balance.save(),
    pull: player.pull.save(),
    aggro: player.aggro.save(),
    farAggro: player.farAggro.save(),
    ghost: player.ghost.save(),
    scores: copyPlain(player.scores),
  };
}

/** A player who is in no room yet. Throws `TypeError` or `RangeError` for malformed data. */
export function restorePlayer(data: unknown, dialect: DialectRules, limits: MapleRuleLimits): Player {
  const saved = checkMembers<SavedPlayer>(data, "player", playerKinds);
  const where = `player ${saved.id}`;
  const { start } = saved;
  if (start !== "near" && start !== "anywhere" && start !== "exact") {
    throw new RangeError(`Cannot restore: ${where}.start must be near, anywhere or exact, got ${start}`);
  }
  if (!saved.recentPaths.every((path) => typeof path === "string")) {
    throw new TypeError(`Cannot restore: ${where}.recentPaths must be strings`);
  }
  for (const ping of saved.pings) checkMembers<Ping>(ping, `${where}.pings`, pingKinds);
  const ghost = createGhost(dialect);
  ghost.restore(saved.ghost);
  for (const score of saved.scores) checkMembers<VerificationScore>(score, `${where}.scores`, scoreKinds);
  return {
    ...saved,
    room: undefined,
    limits,
    joining: { ...checkMembers<Joining>(saved.joining, `${where}.joining`, joiningKinds) },
    budget: restoreBudget(saved.budget, where, limits),
    gain: restoreGain(saved.gain, `${where}.gain`),
    claimed: saved.claimed && { ...checkMembers<ClaimedPlace>(saved.claimed, `${where}.claimed`, claimedKinds) },
    flight: saved.flight && { ...checkMembers<Flight>(saved.flight, `${where}.flight`, flightKinds) },
    airPush: restoreAllowance(limits.airPush, saved.airPush, `${where}.airPush`),
    pace: new LinkPace(checkMembers<SavedLinkPace>(saved.pace, `${where}.pace`, paceKinds), limits.pace),
    patience: restoreBudget(saved.patience, where, limits),
    silences: restoreAllowance(limits.silences, saved.silences, `${where}.silences`),
    savedUp: restoreAllowance(limits.savedUp, saved.savedUp, `${where}.savedUp`),
    corrections: restoreCorrections(saved.corrections, `${where}.corrections`, limits),
    evidence: restoreEvidence(saved.evidence, `${where}.evidence`),
    factors: { ...checkMembers<PlayerFactors>(saved.factors, `${where}.factors`, factorKinds) },
    recentPaths: [...saved.recentPaths],
    pings: saved.pings.map((ping) => ({ ...ping })),
    pets: restoreCompanions(saved.pets, "bigint", `${where}.pets`, limits),
    summons: restoreCompanions(saved.summons, "number", `${where}.summons`, limits),
    dragon: saved.dragon && restoreCompanion(saved.dragon, `${where}.dragon`, limits),
    balance: new SideBalance(
      limits.imbalanceWindowPx,
      checkMembers<SavedSideBalance>(saved.balance, `${where}.balance`, balanceKinds),
    ),
    pull: restoreAllowance(limits.pull, saved.pull, `${where}.pull`),
    aggro: restoreAllowance(limits.aggro, saved.aggro, `${where}.aggro`),
    farAggro: restoreAllowance(limits.farAggro, saved.farAggro, `${where}.farAggro`),
    ghost,
    scores: copyPlain(saved.scores),
  };
}

/** What is kept of a character that left. Throws `TypeError` or `RangeError` for malformed data. */
export function restoreDeparted(data: unknown, id: unknown, limits: MapleRuleLimits): Departed {
  const where = `departed ${id}`;
  if (typeof id !== "string") throw new TypeError(`Cannot restore: ${where} must have a name`);
  const saved = checkMembers<Departed>(data, where, departedKinds);
  // The record is checked as that of a player; it is kept as times.
  const corrections = restoreCorrections(saved.corrections, `${where}.corrections`, limits).save();
  const gain = restoreGain(saved.gain, `${where}.gain`);
  const evidence = restoreEvidence(saved.evidence, `${where}.evidence`);
  return { ...saved, gain, corrections, evidence };
}

function restoreGain(data: unknown, where: string): Gain {
  return { ...checkMembers<Gain>(data, where, gainKinds) };
}

function restoreCorrections(times: readonly unknown[], where: string, limits: MapleRuleLimits): CorrectionRecord {
  const isTime = (atMs: unknown): atMs is number => typeof atMs === "number";
  if (!times.every(isTime)) throw new TypeError(`Cannot restore: ${where} must be numbers`);
  // What was saved under higher limits is more than a record holds.
  const { maxCorrections, maxCorrectionsLong, corrections } = limits;
  return new CorrectionRecord(corrections, times.slice(-1 - Math.max(maxCorrections, maxCorrectionsLong)));
}

function restoreEvidence(verdicts: readonly Verdict[], where: string): Verdict[] {
  for (const verdict of verdicts) checkMembers<Verdict>(verdict, where, verdictKinds);
  return [...copyPlain(verdicts)];
}

function restoreBudget(data: unknown, where: string, { clockTolerance }: MapleRuleLimits): DurationBudget {
  const saved = checkMembers<SavedDurationBudget>(data, `${where}.budget`, budgetKinds);
  return DurationBudget.restore(saved, clockTolerance);
}

function restoreAllowance(limits: AllowanceLimits, data: unknown, where: string): Allowance {
  return Allowance.restore(limits, checkMembers<SavedAllowance>(data, where, allowanceKinds));
}

function saveCompanions<K>(companions: ReadonlyMap<K, Companion>): ReadonlyMap<K, SavedCompanion> {
  return new Map(Array.from(companions, ([id, companion]) => [id, saveCompanion(companion)]));
}

function saveCompanion({ slot, budget }: Companion): SavedCompanion {
  return { slot, budget: budget.save() };
}

function restoreCompanions<K>(
  saved: ReadonlyMap<K, unknown>,
  kind: "bigint" | "number",
  where: string,
  limits: MapleRuleLimits,
): Map<K, Companion> {
  const companions = new Map<K, Companion>();
  for (const [id, data] of saved) {
    if (typeof id !== kind) throw new TypeError(`Cannot restore: an id of ${where} must be ${kind}`);
    companions.set(id, restoreCompanion(data, where, limits));
  }
  return companions;
}

function restoreCompanion(data: unknown, where: string, limits: MapleRuleLimits): Companion {
  const { slot, budget } = checkMembers<SavedCompanion>(data, where, companionKinds);
  return { slot, budget: restoreBudget(budget, where, limits) };
}
