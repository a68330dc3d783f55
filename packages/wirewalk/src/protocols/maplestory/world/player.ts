/** What a world knows of one player. */

import { CorrectionRecord, LinkPace, type PlayerId } from "../../../motion/index.ts";
import type { JsonObject } from "../../../wire/index.ts";
import type { PlayerBudget } from "../../player-budget.ts";
import type { Joining } from "../../world.ts";
import {
  choice,
  flag,
  list,
  type MembersOf,
  maybe,
  number,
  optionalMember,
  type StateOf,
  savedVerdict,
  state,
  text,
} from "../../world-kit/index.ts";
import type { NodePath } from "../movement/nodes.ts";
import type { PlaybackPolicy } from "../movement/playback.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { Allowance } from "./allowance.ts";
import { savedClaimedPlace } from "./claimed-path.ts";
import { DurationBudget } from "./duration-budget.ts";
import { savedFlight } from "./flight.ts";
import { noGain, savedGain } from "./gain.ts";
import type { MapleRuleLimits } from "./limits.ts";
import type { Room } from "./room.ts";
import { SideBalance } from "./side-balance.ts";
import { savedSupposedMap } from "./supposed-map.ts";
import { noMomentum, savedMomentum } from "./terrain.ts";
import { savedScore } from "./verification.ts";

/** Where a player stands on a map that has no portals, or that the world does not know. */
export const DEFAULT_SPAWN: Point = { x: 0, y: 0 };

/** A pet, a summon or a dragon. */
export interface Companion {
  /** Of a pet: its number among the owner's pets. */
  readonly slot: number;
  readonly budget: DurationBudget;
}

/** The members of a player that are saved as they are. */
export const plainMembers = {
  id: number,
  joining: state({ account: text, name: text, room: optionalMember(text) }),
  sinceMs: number,
  /** Undefined until the client has named its character. */
  characterId: maybe(number),
  isHidden: flag,
  fieldKey: number,
  /** When the client was sent this key. */
  keyGivenMs: number,
  /** Whether a path has had this key: what comes after it cannot have an older one. */
  keySeen: flag,
  /** Keys before it that paths may still have. */
  staleKeys: number,
  /** Where another server gives the keys: its keys before this one that paths may still have. Each once. */
  adoptedKeys: optionalMember(list(number)),
  /** Where the last path ended. */
  x: number,
  y: number,
  state: number,
  foothold: number,
  start: choice("near", "anywhere", "exact"),
  /** In `documented`: when it began at a portal, though its account had left a place on this map. */
  anewMs: maybe(number),
  /** What its paths exceed the rules by. */
  gain: savedGain,
  /** In `documented`: the last place that its paths have named. */
  claimed: maybe(savedClaimedPlace),
  /** How high it may be; undefined when its next path may begin anywhere. Only where the map is known. */
  flight: maybe(savedFlight),
  /** What springs and conveyors have given it. */
  momentum: savedMomentum,
  /** What its paths say that its map has, where the map is not known. */
  supposed: optionalMember(savedSupposedMap),
  /** As `StoodBefore` has it. */
  stoodOn: number,
  /** The stalls of this process until its last message (`FairClock`). */
  stalledMs: number,
  /** In `documented`: until when it may report more, after a long silence. */
  patientUntilMs: number,
  /** Whether its last path before the long silence, and its last one of all, ended at rest. */
  restedBefore: flag,
  isAtRest: flag,
  isPatient: flag,
  /** What its paths after the long silence have lasted, and what of it was more than the time since and counts. */
  claimedMs: number,
  savedUpMs: number,
  /** Verdicts of its last corrections, the oldest first. */
  evidence: list(savedVerdict),
  factors: state({ speed: number, jump: number }),
  /** Paths of `documented` received so far: the number that its verification pattern needs. */
  moves: number,
  /** Of the last path. */
  scores: list(savedScore),
  /** The start of the current second, and the bytes of its paths that spectators received in it. */
  shownSinceMs: number,
  shownBytes: number,
  lastPingMs: number,
  /** Where another server sends them: these are its pings, and this world sends none. */
  adoptsPings: optionalMember(flag),
  /** Pings that are not answered, the oldest first, each with all stalls of this process until it was sent. */
  pings: list(state({ sentMs: number, stalledMs: number })),
  /**
   * When the last answered ping was sent, at first the login: the client has received everything that was sent before.
   * -Infinity where there are no pings.
   */
  provenMs: number,
  /** All stalls of this process until then. */
  provenStalledMs: number,
  /** Whether its last path before the answer had ended in motion. */
  wasMoving: flag,
};

export interface Player extends MembersOf<typeof plainMembers> {
  readonly id: PlayerId;
  readonly joining: Joining;
  readonly sinceMs: number;
  /** Of its world. */
  readonly limits: MapleRuleLimits;
  room: Room | undefined;
  budget: DurationBudget;
  /** Pushes in the air that are believed. */
  readonly airPush: Allowance;
  /** In `documented`: how late its messages may be. */
  readonly pace: LinkPace;
  /** In `documented`: what it may report after a long silence. */
  readonly patience: DurationBudget;
  /** Long silences that are believed. */
  readonly silences: Allowance;
  readonly savedUp: Allowance;
  corrections: CorrectionRecord;
  readonly pets: Map<bigint, Companion>;
  readonly summons: Map<number, Companion>;
  /** In `v83` a character may have one. */
  dragon: Companion | undefined;
  readonly balance: SideBalance;
  /** Pixels by which its monsters may exceed the honest speed. */
  readonly pull: Allowance;
  /** Monsters that may notice it, and those among them that are far away. */
  readonly aggro: Allowance;
  readonly farAggro: Allowance;
  ghost: PlaybackPolicy;
}

/** What is kept of a character that left. */
export const savedDeparted = state({
  leftMs: number,
  room: text,
  x: number,
  y: number,
  gain: savedGain,
  supposed: optionalMember(savedSupposedMap),
  corrections: list(number),
  evidence: list(savedVerdict),
});
export type Departed = Readonly<StateOf<typeof savedDeparted>>;

/** A player who has joined and is on no map yet. */
export function createPlayer(
  id: PlayerId,
  joining: Joining,
  ghost: PlaybackPolicy,
  stalledMs: number,
  nowMs: number,
  limits: MapleRuleLimits,
): Player {
  const { account, name, room } = joining;
  return {
    id,
    joining: { account, name, ...(room === undefined ? {} : { room }) },
    limits,
    sinceMs: nowMs,
    characterId: undefined,
    room: undefined,
    isHidden: false,
    fieldKey: 0,
    keyGivenMs: nowMs,
    keySeen: false,
    staleKeys: 0,
    ...DEFAULT_SPAWN,
    state: stances.stand << 1,
    foothold: 0,
    start: "anywhere",
    anewMs: undefined,
    budget: new DurationBudget(nowMs, 0, limits.clockTolerance),
    gain: noGain(nowMs),
    claimed: undefined,
    flight: undefined,
    momentum: noMomentum,
    stoodOn: 0,
    airPush: new Allowance(limits.airPush, nowMs),
    pace: new LinkPace(nowMs, limits.pace),
    stalledMs,
    patience: new DurationBudget(nowMs, 0, limits.clockTolerance),
    patientUntilMs: -Infinity,
    restedBefore: true,
    isAtRest: true,
    isPatient: false,
    silences: new Allowance(limits.silences, nowMs),
    claimedMs: 0,
    savedUpMs: 0,
    savedUp: new Allowance(limits.savedUp, nowMs),
    corrections: new CorrectionRecord(limits.corrections),
    evidence: [],
    factors: { speed: 1, jump: 1 },
    moves: 0,
    pets: new Map(),
    summons: new Map(),
    dragon: undefined,
    balance: new SideBalance(limits.imbalanceWindowPx),
    pull: new Allowance(limits.pull, nowMs),
    aggro: new Allowance(limits.aggro, nowMs),
    farAggro: new Allowance(limits.farAggro, nowMs),
    ghost,
    scores: [],
    shownSinceMs: nowMs,
    shownBytes: 0,
    lastPingMs: nowMs,
    pings: [],
    provenMs: -Infinity,
    provenStalledMs: stalledMs,
    wasMoving: false,
  };
}

/** Whether the client may not have received what was sent at a time, so that its messages are late and not wrong. */
export function mayBeUnaware(
  { provenMs, limits }: Pick<Player, "provenMs" | "limits">,
  sentMs: number,
  nowMs: number,
): boolean {
  return sentMs >= provenMs && nowMs < sentMs + limits.silenceMs;
}

/** Whether the client may still send the messages of its last map. */
export function mayBeOnLastMap(player: Player, nowMs: number): boolean {
  return !player.keySeen && mayBeUnaware(player, player.keyGivenMs, nowMs);
}

/** Gives the player the next fieldKey. */
export function giveKey(player: Player, nowMs: number): void {
  player.staleKeys = player.keySeen ? 1 : player.staleKeys + 1;
  player.keySeen = false;
  player.keyGivenMs = nowMs;
  player.fieldKey = (player.fieldKey + 1) & 0xff;
}

/**
 * The most time of a player that may not be reported yet, milliseconds. A pong comes after everything that the client did
 * before its ping, so only the time since that ping is open. A stalled connection answers no pings: all of the stall is open. Without
 * pings it shows in the pace of the messages how late they may be.
 *
 * A client whose steps are late answers a ping first, and plays and sends them later: so time before the ping is open too. One that moved then
 * was behind, since a player that moves sends a path every 510 ms. One that rested sends nothing, and could save the time up: it may have
 * been late once, and by what our own process stood since, but not in addition to the time since the ping.
 */
export function unreportedMs(player: Player, nowMs: number): number {
  const { provenMs, provenStalledMs, stalledMs, pace, wasMoving, limits } = player;
  const { recordingMs, jitterMs, lateStepsMs, silenceMs } = limits;
  if (provenMs === -Infinity) return recordingMs + jitterMs + pace.lateMs;
  const sinceMs = Math.min(nowMs - provenMs, silenceMs);
  const ownMs = Math.min(stalledMs - provenStalledMs, sinceMs);
  return recordingMs + (wasMoving ? lateStepsMs + sinceMs : Math.max(lateStepsMs + ownMs, sinceMs));
}

/** The budget that a path is paid from, and the most that may be saved up in it, milliseconds. */
export interface Funds {
  readonly budget: DurationBudget;
  readonly ceilingMs: number;
}

/** What a path of so many milliseconds is paid from. After a long silence that may be more than usual. */
export function fundsFor(player: Player, durationMs: number, nowMs: number): Funds {
  const { budget, patience, provenMs, patientUntilMs, silences, limits } = player;
  const usual = { budget, ceilingMs: unreportedMs(player, nowMs) };
  if (provenMs !== -Infinity || nowMs > patientUntilMs) return usual;
  if (player.restedBefore && !mayHaveSavedUp(player, durationMs, nowMs)) return { budget, ceilingMs: 0 };
  if (durationMs <= budget.available(nowMs, usual.ceilingMs)) return usual;
  const patient = { budget: patience, ceilingMs: limits.longMostMs };
  if (durationMs > patience.available(nowMs, patient.ceilingMs)) return usual;
  const cost = player.restedBefore ? limits.restingSilenceCost : limits.movingSilenceCost;
  player.isPatient ||= silences.spend(cost, nowMs);
  return player.isPatient ? patient : usual;
}

/** Counts a path after a silence that began at rest; false when the player has saved up too much time in all. */
function mayHaveSavedUp(player: Player, durationMs: number, nowMs: number): boolean {
  player.claimedMs += durationMs;
  const { longBurstMs, savedUpOnceMs, recordingMs, jitterMs } = player.limits;
  const sinceMs = nowMs - (player.patientUntilMs - longBurstMs);
  const savedMs = Math.min(savedUpOnceMs, player.claimedMs - sinceMs - recordingMs - jitterMs);
  if (savedMs <= player.savedUpMs) return true;
  if (!player.savedUp.spend(savedMs - player.savedUpMs, nowMs)) return false;
  player.savedUpMs = savedMs;
  return true;
}

/** Pays for a path. */
export function pay(player: Player, durationMs: number, nowMs: number): void {
  player.budget.spend(durationMs, nowMs, unreportedMs(player, nowMs));
  if (player.provenMs === -Infinity) player.patience.spend(durationMs, nowMs, player.limits.longMostMs);
}

/** Notes a message of a dialect without pings; `stalledMs` are all stalls of this process until now. */
export function noteArrival(player: Player, nowMs: number, stalledMs: number): void {
  if (nowMs - player.pace.atMs > player.limits.longSilenceMs) {
    player.patientUntilMs = nowMs + player.limits.longBurstMs;
    player.isPatient = false;
    player.restedBefore = player.isAtRest;
    player.claimedMs = 0;
    player.savedUpMs = 0;
  }
  player.pace.arrived(nowMs, stalledMs - player.stalledMs);
  player.stalledMs = stalledMs;
}

/** Notes a ping that is sent now; `stalledMs` are all stalls of this process until now. */
export function notePing(player: Player, nowMs: number, stalledMs: number): void {
  player.lastPingMs = nowMs;
  player.pings.push({ sentMs: nowMs, stalledMs });
}

/** Notes a ping of another server. From then on this world sends none: the client answers those of that server alone. */
export function adoptPing(player: Player, nowMs: number, stalledMs: number): void {
  if (player.adoptsPings !== true) player.pings.length = 0;
  player.adoptsPings = true;
  notePing(player, nowMs, stalledMs);
}

/** Notes a pong, which answers the oldest ping. */
export function notePong(player: Player): void {
  const ping = player.pings.shift();
  if (ping === undefined) return;
  player.provenMs = ping.sentMs;
  player.provenStalledMs = ping.stalledMs;
  player.wasMoving = !player.isAtRest;
}

/** For how long a ping has not been answered; 0 when all are. */
export function unansweredMs({ pings }: Pick<Player, "pings">, nowMs: number): number {
  return nowMs - (pings[0]?.sentMs ?? nowMs);
}

/** The id of a player's character on the wire. */
export function characterOf({ id, characterId }: Player): number {
  return characterId ?? id;
}

/** The state that a verdict shows. */
export function stateJson(player: Player, nowMs: number): JsonObject {
  const { x, y, state, foothold, fieldKey, start, budget, gain } = player;
  const availableMs = budget.available(nowMs, unreportedMs(player, nowMs));
  const gainPx = gain.heldPx;
  return { x, y, state, foothold, fieldKey, start, availableMs, gainPx, scores: scoresJson(player) };
}

/** How much of what adds up the player has used. What it may report is used up by paths that last longer than the time that passes. */
export function budgetsOf(player: Player, nowMs: number): readonly PlayerBudget[] {
  const { budget, gain, corrections, limits } = player;
  const limitMs = unreportedMs(player, nowMs);
  return [
    { name: "gain", rule: "gain", used: gain.heldPx, limit: limits.gainPx, unit: "px" },
    {
      name: "duration",
      rule: "wall-clock",
      used: limitMs - budget.available(nowMs, limitMs),
      limit: limitMs,
      unit: "ms",
    },
    ...limits.corrections.limits.map(({ count, withinMs }) => ({
      name: `corrections-${withinMs / 60_000}-min`,
      rule: "corrections",
      used: corrections.count(nowMs, withinMs),
      limit: count,
      unit: `corrections in ${withinMs / 60_000} min`,
    })),
  ];
}

function scoresJson({ scores }: Player): JsonObject {
  return Object.fromEntries(scores.map(({ check, score, evidence }) => [check, { score, evidence }]));
}

/** Moves the player to the end of a path. */
export function moveToEnd(player: Player, path: NodePath): void {
  const last = path.nodes.at(-1);
  player.x = last?.x ?? path.start.x;
  player.y = last?.y ?? path.start.y;
  player.state = last?.state ?? player.state;
  player.foothold = last?.foothold ?? 0;
  player.start = "exact";
  player.isAtRest = last === undefined || (last.vx === 0 && last.vy === 0);
}
