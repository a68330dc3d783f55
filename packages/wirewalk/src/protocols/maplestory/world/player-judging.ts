/** Judging of player paths: pure functions of the path and of what the server knows of the player. */
import type { MapleMap } from "../maps/map.ts";
import type { NodePath } from "../movement/nodes.ts";
import { fall } from "../movement/playback.ts";
import type { Point } from "../wire/messages.ts";
import { type FarthestWay, type Judgement, type Reach, type Refusal, type Subject, subjectOf } from "./judgement.ts";
import { type MapleRuleLimits, mapleRuleDefaults } from "./limits.ts";
import { explainsInstant, leadsThroughPortal } from "./map-traits.ts";
import type { PlayerFactors } from "./rules.ts";
import type { NodeTerrain } from "./terrain.ts";

/** Where the next path of a player may start: near the portal, anywhere, or at the end of the last path. */
export type PathStart = "near" | "anywhere" | "exact";

/** The largest finding in a path, in pixels per second or pixels. */
export interface Finding {
  readonly rule: "speed" | "teleport" | "teleport-skill";
  /** For people. */
  readonly reason: string;
  readonly measured: number;
  readonly allowed: number;
  readonly unit: "px/s" | "px";
  readonly about?: Subject;
}

/** Where a path is. */
export interface PathPlace {
  /** Undefined where it is not known. */
  readonly map?: MapleMap | undefined;
  /** What the map allows on the way to each node; undefined on a plain map. */
  readonly terrain?: readonly NodeTerrain[] | undefined;
}

/** What is impossible in a player's path; undefined for a possible one. */
export function judgePath(
  path: NodePath,
  factors: PlayerFactors,
  mayTeleport: boolean,
  limits: MapleRuleLimits = mapleRuleDefaults,
  { map, terrain }: PathPlace = {},
): Finding | undefined {
  const walk = limits.walkPxPerSecond * factors.speed;
  const jump = limits.jumpPxPerSecond * factors.jump;
  let worst: Finding | undefined;
  let worstShare = 1;
  const isWorst = (measured: number, allowed: number): boolean => {
    if (measured <= allowed * worstShare) return false;
    worstShare = measured / allowed;
    return true;
  };
  const find = (does: string, measured: number, allowed: number, about?: Subject): void => {
    if (!isWorst(measured, allowed)) return;
    const reason = `${does} faster than the game allows`;
    worst = { rule: "speed", reason, measured, allowed, unit: "px/s", ...(about && { about }) };
  };
  let at: Point = path.start;
  let beyondPx = 0;
  let farthest: FarthestWay | undefined;
  for (const [index, { x, y, vx, vy, durationMs, jump: isInstant, impulse, foothold }] of path.nodes.entries()) {
    const from = at;
    const dx = Math.abs(x - from.x);
    const dy = y - from.y;
    at = { x, y };
    if (isInstant) {
      const far = Math.hypot(dx, dy);
      if (mayTeleport || far <= limits.instantPx) continue;
      const isOfMap = terrain?.[index]?.isPortal === true || explainsInstant(map, from, at, limits);
      if (!isOfMap && isWorst(far, limits.instantPx)) {
        const reason = "Teleports without a skill";
        const about = { from: { x: from.x, y: from.y }, at };
        worst = { rule: "teleport-skill", reason, measured: far, allowed: limits.instantPx, unit: "px", about };
      }
      continue;
    }
    const here = terrain?.[index];
    const isRight = impulse ? vx > 0 : x > from.x;
    const across = here === undefined ? walk : isRight ? here.right : here.left;
    const upwards = here?.rise ?? jump;
    if (impulse) {
      find("Sets off", Math.abs(vx), across * limits.walkImpulse);
      find("Jumps", -vy, upwards * limits.jumpImpulse);
    }
    // Grabbing a ladder moves to it at once; everything else takes time.
    const slack = limits.slackPx + (foothold < 0 ? limits.grabPx : 0);
    const seconds = Math.max(durationMs, 1) / 1000;
    const beyondX = Math.max(0, dx - slack - across * seconds);
    const beyondY = Math.max(0, dy - slack - limits.fallPxPerSecond * seconds, -dy - slack - upwards * seconds);
    if (beyondX === 0 && beyondY === 0) continue;
    const side = (perSecond: number): number => perSecond * seconds + slack;
    const reach: Reach = {
      left: side(here?.left ?? walk),
      right: side(here?.right ?? walk),
      up: side(upwards),
      down: side(limits.fallPxPerSecond),
    };
    const way = { from, at, reach, beyondPx: beyondX + beyondY };
    const about = subjectOf(way, way.beyondPx, 0);
    find("Moves", Math.max(0, dx - slack) / seconds, across, about);
    find("Falls", Math.max(0, dy - slack) / seconds, limits.fallPxPerSecond, about);
    find("Rises", Math.max(0, -dy - slack) / seconds, upwards, about);
    if (way.beyondPx > (farthest?.beyondPx ?? 0)) farthest = way;
    beyondPx += way.beyondPx;
  }
  // Far beyond what the time allows it is a teleport.
  if (beyondPx > limits.teleportPx) {
    const reason = "Further than its time allows";
    const about = farthest && subjectOf(farthest, beyondPx, limits.teleportPx);
    return {
      rule: "teleport",
      reason,
      measured: beyondPx,
      allowed: limits.teleportPx,
      unit: "px",
      ...(about && { about }),
    };
  }
  return worst;
}

/** What {@link judgeFieldKey} needs to know of a player. */
export interface FieldKeyState {
  readonly fieldKey: number;
  /** Keys before it that paths may still have. */
  readonly staleKeys: number;
  /** The same of another server, whose keys count by no rule: 1 at the login and 0 ever after is common. */
  readonly adoptedKeys: readonly number[] | undefined;
  /** Whether the client may not know the key yet. */
  readonly isUnaware: boolean;
}

/** A path that carries the fieldKey of another map is not applied; it is only late while the client may not know better. */
export function judgeFieldKey(
  sent: number,
  { fieldKey, staleKeys, adoptedKeys, isUnaware }: FieldKeyState,
): Judgement | undefined {
  if (sent === fieldKey) return undefined;
  const isOlder = adoptedKeys?.includes(sent) ?? ((fieldKey - sent) & 0xff) <= staleKeys;
  const isLate = isUnaware && isOlder;
  const evidence = { rule: "field-key", measured: sent, allowed: fieldKey, unit: "key" } as const;
  return isLate
    ? { kind: "benign", reason: "Still on its way from the last map", ...evidence }
    : { kind: "reject", reason: "The key of another map", ...evidence };
}

/** What {@link judgeMovement} needs to know. */
export interface MovementState {
  /** Where the last path ended. */
  readonly end: Point;
  readonly start: PathStart;
  readonly factors: PlayerFactors;
  readonly mayTeleport: boolean;
  /** What a teleport is. */
  readonly refusal: Refusal;
  /** Whether paths before it were refused, so that its first way lasts for all of them. Default false. */
  readonly wasRefused?: boolean;
  /** How fast it went downwards at the end of the last path, pixels per second. Default 0. */
  readonly vy?: number | undefined;
  /** In `documented`: how far to a side the path begins from where the last one has led. A claimed path itself begins at the last place. */
  readonly ledPx?: number | undefined;
  readonly limits: MapleRuleLimits;
  readonly place?: PathPlace;
}

/** Judges the start and the speed of a path. A correction is the last judgement. */
export function judgeMovement(path: NodePath, state: MovementState): readonly Judgement[] {
  const { refusal, limits } = state;
  const start = judgeStart(path, state);
  if (start?.rule === "teleport") return [{ ...start, kind: refusal }];
  const judgements: Judgement[] = start === undefined ? [] : [start];
  const finding =
    judgePath(path, state.factors, state.mayTeleport, limits, state.place) ??
    (state.wasRefused === true ? judgeHeight(path, state.vy ?? 0, state.factors, limits) : undefined);
  if (finding === undefined) return judgements;
  judgements.push({ ...finding, kind: kindOf(finding.rule, refusal) });
  return judgements;
}

/** Of a finding in a path. A single speed is flagged; where nobody is put back, only what leads elsewhere is refused. */
function kindOf(rule: Finding["rule"], refusal: Refusal): Refusal {
  if (rule === "speed") return "flag";
  return rule === "teleport" || rule === "teleport-skill" || refusal === "correct" ? refusal : "flag";
}

/** How high a body jumps at most, pixels: 77 by itself, half as much again by skills and potions. */
export const JUMP_PX = 120;

/**
 * How high or low a first way leads: a body that rises for longer than a jump climbs, no faster than it walks, and nothing is sooner below than
 * what falls.
 */
function judgeHeight(
  { start, nodes }: NodePath,
  vy: number,
  factors: PlayerFactors,
  limits: MapleRuleLimits,
): Finding | undefined {
  const [first] = nodes;
  if (first === undefined) return undefined;
  const { gravity, fallPxPerSecond, slackPx } = limits;
  const seconds = first.durationMs / 1000;
  const jump = limits.jumpPxPerSecond * factors.jump * limits.jumpImpulse;
  const measured = Math.abs(first.y - start.y);
  const allowed =
    first.y < start.y
      ? jump ** 2 / (2 * gravity) + limits.walkPxPerSecond * factors.speed * seconds
      : fall(slackPx, Math.max(0, vy), gravity, fallPxPerSecond, seconds).y;
  const reason = "Further than its time allows";
  const about = { from: { x: start.x, y: start.y }, at: { x: first.x, y: first.y } };
  return measured > allowed ? { rule: "teleport", reason, measured, allowed, unit: "px", about } : undefined;
}

/** What a player's paths have gained in all. A path that is flagged for its own speed is not flagged twice. */
export function judgeHeld(
  heldPx: number,
  {
    accepted,
    isFlagged,
    canCorrect,
    farthest,
  }: { accepted: boolean; isFlagged: boolean; canCorrect: boolean; farthest?: FarthestWay | undefined },
  { gainNoticePx, gainPx }: MapleRuleLimits,
): Judgement | undefined {
  const about = farthest && subjectOf(farthest, farthest.beyondPx, 0);
  const evidence = { rule: "gain", measured: heldPx, unit: "px", ...(about && { about }) } as const;
  if (isFlagged && !canCorrect) return undefined;
  if (!accepted) {
    const kind = canCorrect ? "correct" : "flag";
    return { kind, reason: "Its paths are too far in all for their time", allowed: gainPx, ...evidence };
  }
  if (heldPx <= gainNoticePx || isFlagged) return undefined;
  return {
    kind: "flag",
    reason: "Its paths add up to more than their time allows",
    allowed: gainNoticePx,
    ...evidence,
  };
}

function judgeStart(
  path: NodePath,
  { end, start, ledPx, limits, place: { map } = {} }: MovementState,
): Judgement | undefined {
  const gap = ledPx ?? Math.hypot(path.start.x - end.x, path.start.y - end.y);
  const honest = ledPx !== undefined ? limits.documentedStartPx : start === "near" ? limits.entryPx : 0;
  if (start === "anywhere" || gap <= honest) return undefined;
  if (map !== undefined && mayBegin(path.start, start, end, map, limits)) return undefined;
  const about = { from: { x: end.x, y: end.y }, at: { x: path.start.x, y: path.start.y } };
  const evidence = { measured: gap, allowed: honest, unit: "px", about };
  // The way there is judged as all others are.
  if (ledPx !== undefined) return undefined;
  if (gap > limits.teleportPx) {
    return { kind: "flag", rule: "teleport", reason: "Starts far from where the last path ended", ...evidence };
  }
  const kind = gap <= limits.benignStartPx ? "benign" : "flag";
  return { kind, rule: "start", reason: "Does not start where the last path ended", ...evidence };
}

/** Whether the map explains a start elsewhere: the first path begins on the ground below the portal, others behind a portal within the map. */
function mayBegin(at: Point, start: PathStart, end: Point, map: MapleMap, limits: MapleRuleLimits): boolean {
  if (start !== "near") return leadsThroughPortal(map, end, at, limits.portalPx);
  const ground = map.below(end.x, end.y);
  if (ground === undefined || Math.abs(at.x - end.x) > limits.entryPx) return false;
  return at.y >= end.y - limits.entryPx && at.y <= ground.y + limits.entryPx;
}
