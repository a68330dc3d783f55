/**
 * Judging one message of one player: pure functions that return what a rule finds and what the player's state becomes.
 * Nothing is changed here, so a refused message changes nothing (docs/protocols/slime-online-2.md, standard 8.1).
 *
 * The rules themselves are in `validation.ts`. This is what a server adds to them: leniency where an honest client's
 * silence has made the server's belief wrong, allowances of game code, and the findings that become verdicts.
 */
import type { VerdictKind } from "../../../motion/index.ts";
import type { Responses } from "../../responses.ts";
import { anyTerrain, type SlimeRoom } from "../maps/room.ts";
import {
  judgeReach,
  type Line,
  moveReach,
  passTime,
  payForStall,
  type Reach,
  type ReachContext,
  type ReachExcess,
  startReach,
  unprovenLine,
} from "../movement/reach.ts";
import { type Direction, directionRow } from "../wire/direction.ts";
import type { ViolationKind } from "./anti-cheat.ts";
import type { Place } from "./ghost.ts";
import type { SlimeRuleLimits } from "./limits.ts";
import { lineOf } from "./pings.ts";
import type { Physics, Player, PositionState } from "./player.ts";
import { pixelsOffGround, pixelsOutside } from "./standing.ts";
import {
  judgeTransition,
  type Move,
  type PositionBaseline,
  type TransitionJudgement,
  validateMovement,
} from "./validation.ts";

/** What a rule found out about a message: a verdict without its player. */
export interface Finding {
  readonly kind: VerdictKind;
  readonly rule: string;
  readonly reason: string;
  readonly evidence?: { readonly measured: number; readonly allowed: number; readonly unit: string };
  /** Between which places that was measured: in the verdict's state, beside the player's. `room` where they are in another one, `door` the middle of the way there. */
  readonly about?: { readonly from: Place; readonly at: Place; readonly room?: number; readonly door?: Place };
  /** What the anti-cheat counts it as; absent: nothing. */
  readonly violation?: ViolationKind;
}

/** The state of a player that comes in or enters another room: the next position may be anywhere. */
export function anyPosition(sinceMs: number): PositionState {
  return { baseline: undefined, reach: undefined, sinceMs, allowedAtMs: undefined };
}

/** The state of a player whose client and server agree on its place. */
export function placedAt({ x, y }: Place, nowMs: number): PositionState {
  const baseline = { x, y, at: nowMs, saved: 0 };
  return { baseline, reach: startReach(x, y, nowMs, 0), sinceMs: nowMs, allowedAtMs: undefined };
}

/** A player's position, with the time until now counted. */
export function positionBy(
  { position, known, lifted, assumedLanded, limits, owedMs, pings, returnedFrom }: Player,
  nowMs: number,
  rules: SlimeRuleLimits,
  direction?: Direction,
): PositionState {
  const { reach } = position;
  if (reach === undefined) return position;
  const { idown, free } = known;
  // A key that a change of room has lifted may be held on in the client, until its release arrives.
  const { ileft, iright } = known.ileft || known.iright ? known : { ileft: lifted.left, iright: lifted.right };
  const keys = { ileft, iright, crouches: idown && !free && !assumedLanded };
  const paid = owedMs === 0 ? reach : payForStall(reach, owedMs / 1000);
  // What it did before it connected again is not known.
  const line = returnedFrom === undefined ? lineOf(pings, nowMs) : unprovenLine;
  return { ...position, reach: passTime(paid, keys, nowMs, direction, limits.bounds, rules, line) };
}

/** The answer of {@link judgePosition}. */
export type PositionJudgement =
  | {
      readonly accepted: true;
      readonly finding: Finding | undefined;
      /** Commit it after the remaining checks pass. Undefined: the message carries no position. */
      readonly next: PositionState | undefined;
      /** The place that the player gets in place of the claimed one. */
      readonly at?: Place;
    }
  | { readonly accepted: false; readonly finding: Finding };

const noPosition: PositionJudgement = { accepted: true, finding: undefined, next: undefined };

/** What the position rules need to know beside the move and the player's position. */
export interface PositionContext {
  readonly nowMs: number;
  /** How late the message may be: see `LinkPace`. */
  readonly lateMs: number;
  /** What pings have shown of the line. */
  readonly line: Line;
  /** The length of the silence that ended with this message or just before it; 0 when there was none of note. */
  readonly silenceMs: number;
  /** The physics that the player is held to. */
  readonly limits: Physics;
  readonly rules: SlimeRuleLimits;
  /** Report teleports and believe them. */
  readonly logOnly: boolean;
  /** The responses to rules that an installation has chosen. */
  readonly responses?: Responses | undefined;
  /** The player's room; undefined where it is unknown. */
  readonly room: SlimeRoom | undefined;
  /** Whether the player may be in the air, as in its first position. */
  readonly mayFly: boolean;
  /** Where the keys have taken the player, which is where it is if its place is not believed. Undefined: such a message is refused. */
  readonly playedTo: (() => Place) | undefined;
  /** Whether the client goes where the server puts it. */
  readonly isObeyed: boolean;
  /** What the document's teleport rule refuses is refused, whatever a stall explains. Default false. */
  readonly strict?: boolean;
}

/**
 * The position that a move claims: its presence, the teleport rule and the time that it takes.
 *
 * @param state with the time until now counted (`passTime`).
 */
export function judgePosition(state: PositionState, move: Move, context: PositionContext): PositionJudgement {
  const { nowMs, lateMs, silenceMs, limits, rules, logOnly } = context;
  const { x, y } = move;
  const result = validateMovement(move, state.baseline, nowMs, teleportFactor(limits), rules);
  if (!result.ok && result.error !== "teleport") {
    const { measured, allowed, unit } = result;
    const finding: Finding = {
      kind: "reject",
      rule: "position",
      reason: "A coordinate is missing, or one is there that the move does not carry",
      evidence: { measured, allowed, unit },
      violation: "position",
    };
    return { accepted: false, finding };
  }
  if (x === undefined) return noPosition;

  // From a place that may be anywhere; y is as free where the message does not carry it.
  const first: PositionBaseline = { x, y, at: nowMs, saved: 0 };
  const isAllowed = state.allowedAtMs !== undefined;
  // Where the server itself has put it, or left it, it may stand.
  const isThere = x === state.reach?.x && y === state.reach.y;
  const misplaced = isAllowed || isThere ? undefined : judgeStanding({ x, y }, context);
  const isRefused = misplaced !== undefined && misplaced.kind !== "flag";
  if (state.reach === undefined) {
    const next = nextPosition(state, first, startReach(x, y, nowMs, lateMs, limits.bounds), nowMs, rules);
    return { accepted: true, finding: undefined, next };
  }
  const way = judgeReach(state.reach, { x, y }, reachContext(context));
  // The allowance is used: everything is measured anew from here.
  if (!way.accepted && isAllowed) {
    const reach = startReach(x, y, nowMs, lateMs, limits.bounds);
    const next = { baseline: first, reach, sinceMs: nowMs, allowedAtMs: undefined };
    return { accepted: true, finding: undefined, next };
  }

  const leap = { measured: result.measured, allowed: result.allowed, unit: "px" };
  if (way.accepted && (result.ok || context.strict !== true)) {
    if (isRefused) return putBack(state, state.reach, move, misplaced, undefined, context);
    const baseline = result.ok ? result.baseline : { x, y: y ?? state.baseline?.y, at: nowMs, saved: 0 };
    return { accepted: true, finding: misplaced, next: nextPosition(state, baseline, way.reach, nowMs, rules) };
  }
  const excess = way.accepted ? undefined : way.excess;
  const found =
    result.ok && excess !== undefined
      ? {
          rule: "unreachable",
          reason: reasonOf(excess, state.reach),
          evidence: { measured: excess.measured, allowed: excess.allowed, unit: "px" },
          about: wayBetween(state.reach, move),
          violation: "unreachable" as const,
        }
      : {
          rule: "teleport",
          reason: `Moved ${leap.measured.toFixed(1)} px where ${leap.allowed.toFixed(1)} px were possible`,
          evidence: leap,
          about: wayBetween(state.baseline ?? state.reach, move),
          violation: "teleport" as const,
        };
  const response = context.responses?.[found.rule];
  if (response === "relay" || (logOnly && response !== "drop")) {
    const height = y ?? state.baseline?.y;
    const reach = startReach(x, height, nowMs, lateMs, limits.bounds);
    const next = nextPosition(state, { ...first, y: height }, reach, nowMs, rules);
    return { accepted: true, finding: { ...found, kind: "flag" }, next };
  }
  // After a stall longer than any credit the end of its burst is refused, and is no sign of a cheat.
  const { violation, ...uncounted } = found;
  const isLate = excess !== undefined && excess.seconds * 1000 <= silenceMs;
  const finding = isLate ? uncounted : found;
  if (response === "drop") return { accepted: false, finding: { ...finding, kind: "reject" } };
  const corrected = { ...finding, kind: "correct" } as const;
  // Where it runs too fast, a teleport is still measured from where the client says it is.
  const isRunning = excess !== undefined && isTooFast(excess, state.reach, x);
  const baseline = result.ok && isRunning ? result.baseline : undefined;
  return putBack(state, state.reach, move, corrected, baseline, context);
}

/** The way that was measured: where a height is not known, there is none to measure. */
function wayBetween(
  { x, y }: { readonly x: number; readonly y: number | undefined },
  move: Pick<Move, "x" | "y">,
): { readonly from: Place; readonly at: Place } {
  const height = y ?? move.y ?? 0;
  return { from: { x, y: height }, at: { x: move.x ?? x, y: move.y ?? height } };
}

/** A place that is not believed. The key of its message is, so that no key is left held. */
function putBack(
  state: PositionState,
  reach: Reach,
  { direction }: Move,
  finding: Finding,
  baseline: PositionBaseline | undefined,
  { playedTo, isObeyed, nowMs, rules }: PositionContext,
): PositionJudgement {
  const { key } = directionRow(direction);
  const isBelieved = baseline !== undefined || (key !== undefined && key !== "up");
  if (finding.kind !== "correct" || playedTo === undefined || !isBelieved) return { accepted: false, finding };
  const at = playedTo();
  const next =
    baseline === undefined
      ? positionBack({ ...state, reach }, at, isObeyed, nowMs)
      : nextPosition(state, baseline, backAt(reach, at, isObeyed, nowMs), nowMs, rules);
  return { accepted: true, finding, next, at };
}

/** The position of a player that was put back there. Where it has not moved since, the time that it has not used remains. */
export function positionBack(
  position: PositionState & { readonly reach: Reach },
  at: Place,
  isObeyed: boolean,
  nowMs: number,
): PositionState {
  const { reach } = position;
  if (at.x !== reach.x || at.y !== reach.y) {
    return { ...position, baseline: { ...at, at: nowMs, saved: 0 }, reach: backAt(reach, at, isObeyed, nowMs) };
  }
  const keys = { leftHeld: reach.leftHeld || !isObeyed, rightHeld: reach.rightHeld || !isObeyed };
  return { ...position, reach: { ...reach, ...keys } };
}

function reachContext({ lateMs, line, limits, room, rules }: PositionContext): ReachContext {
  return { lateMs, line, bounds: limits.bounds, terrain: room?.terrain ?? anyTerrain, rules };
}

/** Whether a player runs there, and too fast: with the key of that direction down, or ahead of the clock until just now. */
function isTooFast({ obstacle }: ReachExcess, { x: from, left, right, xLead }: Reach, x: number): boolean {
  return (obstacle === "run" || obstacle === "held-back") && ((x < from ? left : right) > 0 || xLead > 0);
}

/** The account of a player that was put back. Of one that does not obey it is not known which keys it holds. */
function backAt(reach: Reach, { x, y }: Place, isObeyed: boolean, nowMs: number): Reach {
  return { ...moveReach(reach, x, y, nowMs), leftHeld: !isObeyed, rightHeld: !isObeyed };
}

/** What is found about a position where nobody can stand: a flag where the installation believes it. */
function judgeStanding(
  { x, y }: Pick<Move, "x" | "y">,
  { room, mayFly, rules, logOnly, responses }: PositionContext,
): Finding | undefined {
  if (room === undefined || mayFly || x === undefined || y === undefined) return undefined;
  const { geometry, open, bounds } = room;
  const beyond = geometry === undefined || open ? pixelsOutside(bounds, { x, y }, rules.edgePx) : 0;
  const off = geometry === undefined ? 0 : pixelsOffGround(geometry, { x, y }, rules.groundPx);
  if (beyond === 0 && off === 0) return undefined;
  const [measured, allowed] = beyond > 0 ? [beyond, rules.edgePx] : [off, rules.groundPx];
  const response = responses?.unreachable;
  return {
    kind: response === "drop" ? "reject" : logOnly || response === "relay" ? "flag" : "correct",
    rule: "unreachable",
    reason: beyond > 0 ? "Says that it stands outside of the room" : "Says that it stands where there is no ground",
    evidence: { measured, allowed, unit: "px" },
    about: { from: beyond > 0 ? insideOf(bounds, { x, y }) : { x, y: y + off }, at: { x, y } },
    violation: "unreachable",
  };
}

/** The place of a room that is nearest to one outside of it. */
function insideOf({ left, top, right, bottom }: SlimeRoom["bounds"], { x, y }: Place): Place {
  return { x: Math.min(Math.max(x, left), right), y: Math.min(Math.max(y, top), bottom) };
}

/** A slowed player still falls at full speed, so the factor is at least 1. */
export function teleportFactor({ factors }: Physics): number {
  return Math.max(1, factors.speed, factors.jump);
}

function nextPosition(
  { baseline: last, sinceMs, allowedAtMs }: PositionState,
  baseline: PositionBaseline | undefined,
  reach: Reach,
  nowMs: number,
  { inFlightMs }: SlimeRuleLimits,
): PositionState {
  // A position that may have been sent before the allowance does not use it up; a later one does.
  const isAllowed = allowedAtMs !== undefined && nowMs - allowedAtMs <= inFlightMs;
  return {
    baseline,
    reach,
    sinceMs: last === undefined ? nowMs : sinceMs,
    allowedAtMs: isAllowed ? allowedAtMs : undefined,
  };
}

/** What was claimed, and what would have been possible. */
function reasonOf({ obstacle, measured, allowed }: ReachExcess, { jumps }: Reach): string {
  const px = `${measured.toFixed(1)} px`;
  const most = `at most ${allowed.toFixed(1)} px`;
  switch (obstacle) {
    case "run":
      return `Moved ${px} to the side: ${most} in that time`;
    case "slide":
      return `Moved ${px} to the side without its key: ${most} by sliding and flying on`;
    case "held-back":
      return `Moved ${px} to the side: ${most} after all that its line may have held back`;
    case "fall":
      return `Fell ${px}: ${most} in that time`;
    case "rise":
      return `Rose ${px}: ${most} ${jumps === 0 ? "without a jump" : jumps === 1 ? "with one jump" : `with ${jumps} jumps`}`;
  }
}

/** The answer of {@link judgeKeys}. */
export type KeyJudgement =
  | {
      readonly accepted: true;
      readonly finding: Finding | undefined;
      /** For `applyJudgement`, before the move itself is applied. */
      readonly transition: TransitionJudgement;
    }
  | { readonly accepted: false; readonly finding: Finding };

const benignReasons: Readonly<Record<string, string>> = {
  "walked-off": "An air code on the ground: walked off an edge, which sends nothing",
  "landing-missing": "A ground code in the air: landed without saying so",
  "released-twice": "Released a key that was not held",
  "lifted-before": "Released a key that was lifted at a change of room or a stop",
};

/** Whether a move fits the keys that are held and the ground or air that the player is in. */
export function judgeKeys(
  player: Pick<Player, "known" | "lifted" | "assumedLanded">,
  direction: Direction,
  strict: boolean,
): KeyJudgement {
  const { known, assumedLanded } = player;
  const isLifted = !strict && releasesLifted(player, direction);
  const state = isLifted ? { ...known, ileft: true, iright: true } : known;
  const transition = judgeTransition(state, direction, { strict, assumedLanded });
  if (transition.kind === "reject") {
    if (direction === "upPress" && transition.rule === "ground" && !strict) {
      // Refused like any other, and not a violation: a player who lands without a message and jumps again within 100 ms,
      // or in one burst after a stall, is honest. In the client too a press of up in the air has no effect.
      const reason = "Up pressed in the air: no effect, not relayed";
      return { accepted: false, finding: { kind: "benign", rule: "up-in-air", reason } };
    }
    const reason = transition.message ?? "not legal in this state";
    return { accepted: false, finding: { kind: "reject", rule: "transition", reason, violation: "transition" } };
  }
  const rule = isLifted ? "lifted-before" : transition.rule;
  const isBenign = isLifted || transition.kind === "benign";
  const finding = isBenign ? ({ kind: "benign", rule, reason: benignReasons[rule] ?? rule } as const) : undefined;
  return { accepted: true, finding, transition };
}

/** Whether this is the release of a key that the server has released already. */
function releasesLifted({ known, lifted }: Pick<Player, "known" | "lifted">, direction: Direction): boolean {
  const { key, action } = directionRow(direction);
  if (action !== "release") return false;
  return (key === "left" && lifted.left && !known.ileft) || (key === "right" && lifted.right && !known.iright);
}

/** A message too many. `count` messages were accepted within the last second. */
export function rateFinding(count: number, { maxMovesPerSecond }: SlimeRuleLimits): Finding {
  return {
    kind: "reject",
    rule: "rate-limit",
    reason: "More messages than the client can send",
    evidence: { measured: count + 1, allowed: maxMovesPerSecond, unit: "messages/s" },
    violation: "rate-limit",
  };
}

/**
 * A client's warp, when its earlier ones are paid for at `paidMs`: the time when this one is paid for too. Undefined:
 * refused. Every warp is sent to two rooms.
 */
export function payForWarp(
  paidMs: number,
  nowMs: number,
  { warpEveryMs, warpBurstMs }: SlimeRuleLimits,
): number | undefined {
  const nextMs = Math.max(paidMs, nowMs) + warpEveryMs;
  return nextMs <= nowMs + warpBurstMs ? nextMs : undefined;
}

/** The same for a chat message: a long one costs as much as several. */
export function payForChat(
  paidMs: number,
  text: string,
  nowMs: number,
  { chatEveryMs, chatBurstMs, chatLetters }: SlimeRuleLimits,
): number | undefined {
  const nextMs = Math.max(paidMs, nowMs) + chatEveryMs * Math.max(1, Math.ceil(text.length / chatLetters));
  return nextMs <= nowMs + chatBurstMs ? nextMs : undefined;
}

export const chatRateFinding: Finding = {
  kind: "reject",
  rule: "chat-rate",
  reason: "More chat than a player types",
  violation: "rate-limit",
};

export const warpRateFinding: Finding = {
  kind: "reject",
  rule: "warp-rate",
  reason: "More warps than there are doors",
  violation: "rate-limit",
};

export const startFinding: Finding = {
  kind: "correct",
  rule: "unreachable",
  reason: "Begins where nobody comes in",
  violation: "unreachable",
};

export const loginTwiceFinding: Finding = { kind: "reject", rule: "login-twice", reason: "Logged in already" };

/**
 * An x as `v0106` means it: 16 bits of a number that may be negative, signed in upPress and unsigned elsewhere. Left
 * of a room's edge 65531 is -5: of the numbers that it may be, the nearest to the last position.
 */
export function unwrapX(x: number, baseline: Pick<PositionBaseline, "x"> | undefined): number {
  return baseline === undefined ? x : x + 0x10000 * Math.round((baseline.x - x) / 0x10000);
}
