/** What a world knows of one player. */

import { CorrectionRecord, type PlayerId, type Verdict } from "../../../motion/index.ts";
import type { JsonObject } from "../../../wire/index.ts";
import type { Joining } from "../../world.ts";
import type { NodePath } from "../movement/nodes.ts";
import type { PlaybackPolicy } from "../movement/playback.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { Allowance } from "./allowance.ts";
import { DurationBudget } from "./duration-budget.ts";
import { type Gain, noGain } from "./gain.ts";
import type { PathStart } from "./player-judging.ts";
import type { Room } from "./room.ts";
import {
  aggroLimits,
  connectionLimits,
  correctionLimits,
  farAggroLimits,
  type PlayerFactors,
  pullLimits,
  RECORDING_MS,
  UNPROVEN_MS,
} from "./rules.ts";
import { SideBalance } from "./side-balance.ts";
import type { VerificationScore } from "./verification.ts";

/** Where a player stands on a map that has no portals, or that the world does not know. */
export const DEFAULT_SPAWN: Point = { x: 0, y: 0 };
/** The last paths of each player that are kept, to detect one that is sent again. */
const KEPT_PATHS = 16;

/** A pet, a summon or a dragon. */
export interface Companion {
  /** Of a pet: its number among the owner's pets. */
  readonly slot: number;
  readonly budget: DurationBudget;
}

export interface Player {
  readonly id: PlayerId;
  readonly joining: Joining;
  readonly sinceMs: number;
  /** Undefined until the client has named its character. */
  characterId: number | undefined;
  room: Room | undefined;
  isHidden: boolean;
  fieldKey: number;
  /** When the client was sent this key. */
  keyGivenMs: number;
  /** Whether a path has had this key: what comes after it cannot have an older one. */
  keySeen: boolean;
  /** Keys before it that paths may still have. */
  staleKeys: number;
  /** Where the last path ended. */
  x: number;
  y: number;
  state: number;
  foothold: number;
  start: PathStart;
  /** In `documented`: when it began at a portal, though its account had left a place on this map. */
  anewMs: number | undefined;
  budget: DurationBudget;
  /** What its paths exceed the rules by. */
  gain: Gain;
  corrections: CorrectionRecord;
  /** Verdicts of its last corrections, the oldest first. */
  readonly evidence: Verdict[];
  factors: PlayerFactors;
  /** Paths of `documented` received so far: the number that its verification pattern needs. */
  moves: number;
  /** The last paths on this map, as keys of their bytes. */
  readonly recentPaths: string[];
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
  /** Of the last path. */
  scores: readonly VerificationScore[];
  /** The start of the current second, and the bytes of its paths that spectators received in it. */
  shownSinceMs: number;
  shownBytes: number;
  lastPingMs: number;
  /** When the pings were sent that are not answered, the oldest first. */
  readonly pingsMs: number[];
  /**
   * When the last answered ping was sent, at first the login: the client has received everything that was sent before.
   * -Infinity where there are no pings.
   */
  provenMs: number;
}

/** What is kept of a character that left. */
export interface Departed {
  readonly leftMs: number;
  readonly room: string;
  readonly x: number;
  readonly y: number;
  readonly gain: Gain;
  readonly corrections: readonly number[];
  readonly evidence: readonly Verdict[];
}

/** A player who has joined and is on no map yet. */
export function createPlayer(id: PlayerId, joining: Joining, ghost: PlaybackPolicy, nowMs: number): Player {
  const { account, name, room } = joining;
  return {
    id,
    joining: { account, name, ...(room === undefined ? {} : { room }) },
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
    budget: new DurationBudget(nowMs),
    gain: noGain(nowMs),
    corrections: new CorrectionRecord(correctionLimits),
    evidence: [],
    factors: { speed: 1, jump: 1 },
    moves: 0,
    recentPaths: [],
    pets: new Map(),
    summons: new Map(),
    dragon: undefined,
    balance: new SideBalance(),
    pull: new Allowance(pullLimits, nowMs),
    aggro: new Allowance(aggroLimits, nowMs),
    farAggro: new Allowance(farAggroLimits, nowMs),
    ghost,
    scores: [],
    shownSinceMs: nowMs,
    shownBytes: 0,
    lastPingMs: nowMs,
    pingsMs: [],
    provenMs: -Infinity,
  };
}

/** Whether the client may not have received what was sent at a time, so that its messages are late and not wrong. */
export function mayBeUnaware({ provenMs }: Pick<Player, "provenMs">, sentMs: number, nowMs: number): boolean {
  return sentMs >= provenMs && nowMs < sentMs + connectionLimits.silenceMs;
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
 * before its ping, so only the time since that ping is open. A stalled connection answers no pings: all of the stall is open.
 */
export function unreportedMs({ provenMs }: Player, nowMs: number): number {
  if (provenMs === -Infinity) return UNPROVEN_MS;
  return RECORDING_MS + Math.min(nowMs - provenMs, connectionLimits.silenceMs);
}

/** Notes a ping that is sent now. */
export function notePing(player: Player, nowMs: number): void {
  player.lastPingMs = nowMs;
  player.pingsMs.push(nowMs);
}

/** Notes a pong, which answers the oldest ping. */
export function notePong(player: Player): void {
  player.provenMs = player.pingsMs.shift() ?? player.provenMs;
}

/** For how long a ping has not been answered; 0 when all are. */
export function unansweredMs({ pingsMs }: Pick<Player, "pingsMs">, nowMs: number): number {
  return nowMs - (pingsMs[0] ?? nowMs);
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

function scoresJson({ scores }: Player): JsonObject {
  return Object.fromEntries(scores.map(({ check, score, evidence }) => [check, { score, evidence }]));
}

/** A path's bytes as a key: one character a byte. */
export function pathKey(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Keeps a path, and drops the oldest one when there are too many. */
export function keepPath(player: Player, key: string): void {
  player.recentPaths.push(key);
  if (player.recentPaths.length > KEPT_PATHS) player.recentPaths.shift();
}

/** Moves the player to the end of a path. */
export function moveToEnd(player: Player, path: NodePath): void {
  const last = path.nodes.at(-1);
  player.x = last?.x ?? path.start.x;
  player.y = last?.y ?? path.start.y;
  player.state = last?.state ?? player.state;
  player.foothold = last?.foothold ?? 0;
  player.start = "exact";
}
