/** Judging of monster paths and of who may control a monster: pure functions of the path and of what the server knows. */
import type { PlayerId } from "../../../motion/index.ts";
import { distanceTo, nearestOn } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import { isFlying } from "../movement/document-recorder.ts";
import type { NodePath } from "../movement/nodes.ts";
import { stances } from "../wire/fragment.ts";
import { CHEAT_REPORT_FLAG, type Point } from "../wire/messages.ts";
import type { Judgement, Subject } from "./judgement.ts";
import type { MapleRuleLimits } from "./limits.ts";
import { traitsOf } from "./map-traits.ts";
import type { Monster } from "./monsters.ts";
import type { MapleRule } from "./rules.ts";

/** What {@link pulledPx} has to know. */
export interface PullClaim {
  readonly map: MapleMap | undefined;
  readonly ownPxPerSecond: number;
  /** How fast its kind goes at most by itself; undefined where that is not known. */
  readonly kindPxPerSecond: number | undefined;
  /** Where its controller is. */
  readonly to: number;
}

/** Nobody hits a monster that is further away, pixels: a screen has 800. */
const HIT_PX = 600;

/**
 * By how much a path exceeds the speed of honest monsters, or of its own kind, pixels. Hits throw a monster away from who hits it: whatever
 * comes nearer, or is far away, goes no faster than its kind.
 */
export function pulledPx(
  path: NodePath,
  { map, ownPxPerSecond, kindPxPerSecond, to }: PullClaim,
  limits: MapleRuleLimits,
): number {
  const honest = Math.max(limits.honestMonsterPxPerSecond, ownPxPerSecond);
  let beyond = 0;
  for (const { fromX, dx, dy, px, durationMs } of stepsOf(path, map, limits)) {
    let over = px - (honest * durationMs) / 1000;
    const isPulled = Math.abs(fromX - to) > HIT_PX || (to - fromX) * dx > 0;
    // Down a steep slope it slips.
    if (kindPxPerSecond !== undefined && isPulled && dy < Math.abs(dx) / 2) {
      over = Math.max(over, Math.abs(dx) - (kindPxPerSecond * durationMs) / 1000);
    }
    beyond += Math.max(0, over - limits.slackPx);
  }
  return beyond;
}

/** How fast monsters of a kind are on a map, conveyors included, pixels per second; undefined where that is not known. */
export function ownSpeed(map: MapleMap | undefined, template: number): number | undefined {
  const plan = map?.monsters.find((each) => each.template === template);
  if (map === undefined || plan === undefined) return undefined;
  return plan.speed + Math.max(0, ...traitsOf(map).conveyors.map(({ force = 0 }) => Math.abs(force)));
}

/** Skills of monsters that make those around faster. Source: open servers. */
const hasteSkills: readonly number[] = [115, 156];
/** A kind that is so fast is no faster than it says: rounding, and ends of slopes. */
const KIND_SHARE = 1.2;

/** How fast monsters of a kind go at most by themselves, pixels per second; undefined where that is not known. */
export function kindSpeed(map: MapleMap | undefined, template: number, limits: MapleRuleLimits): number | undefined {
  const own = ownSpeed(map, template);
  if (map === undefined || own === undefined) return undefined;
  if (map.monsters.some(({ skills = [] }) => skills.some(({ id }) => hasteSkills.includes(id)))) return undefined;
  const water = map.swims || map.waters.length > 0 ? limits.swimPxPerSecond : 0;
  return Math.max(own * KIND_SHARE, water, map.flies ? limits.flyPxPerSecond : 0);
}

interface MonsterStep {
  readonly fromX: number;
  readonly dx: number;
  readonly dy: number;
  /** Without what it falls to the ground below it: one that a cheat left in the air does so at its next driver. */
  readonly px: number;
  readonly durationMs: number;
}

function* stepsOf(
  { start, nodes }: NodePath,
  map: MapleMap | undefined,
  { fallPxPerSecond }: MapleRuleLimits,
): Generator<MonsterStep, void, void> {
  let at: Point = start;
  for (const { x, y, durationMs } of nodes) {
    // Where no ground is below it falls out of the map.
    const ground = map?.below(x, at.y)?.y ?? Number.POSITIVE_INFINITY;
    const fall = Math.min((fallPxPerSecond * durationMs) / 1000, ground - at.y);
    const dy = y - at.y;
    const dx = x - at.x;
    yield { fromX: at.x, dx, dy, px: Math.hypot(dx, dy > 0 ? Math.max(0, dy - fall) : dy), durationMs };
    at = { x, y };
  }
}

/** In place of a distance, pixels: there is no such foothold, or no ground. As far as a position can be. */
const NOWHERE_PX = 0xffff;
/** A client sends a path that ends in the air once it has this many fragments: it waits for the ground before. */
const WAITING_FRAGMENTS = 200;

/** How far a path is off the ground, pixels, and where. */
export interface OffGround extends Pick<Subject, "from" | "at"> {
  readonly px: number;
}

/**
 * How far a walking monster's path is off the footholds that it names. A monster that flies names none.
 *
 * @param waits whether a client waits for the ground before it sends a path. In `documented` it does not.
 */
export function offGround({ nodes }: NodePath, map: MapleMap, template: number, waits: boolean): OffGround {
  let worst: OffGround = { px: 0 };
  if (map.monsters.some((plan) => plan.template === template && plan.flies === true)) return worst;
  for (const { x, y, foothold, impulse } of nodes) {
    // In the air: only the end counts.
    if (foothold === 0 || impulse) continue;
    const line = map.foothold(foothold);
    if (line === undefined) return { px: NOWHERE_PX, at: { x, y } };
    const px = distanceTo(line, x, y);
    if (px > worst.px) worst = { px, at: { x, y }, from: nearestOn(line, x, y) };
  }
  const last = nodes.at(-1);
  // Map files do not say which monsters fly, and in water all swim.
  const isAfloat =
    last !== undefined &&
    (last.state >> 1 === stances.swim || map.isWater(last.x, last.y) || (!waits && isFlying(last.state)));
  const hangs =
    last !== undefined && last.foothold === 0 && !last.impulse && !isAfloat && nodes.length < WAITING_FRAGMENTS;
  if (!hangs) return worst;
  const above = aboveGround(last, map);
  return above.px > worst.px ? above : worst;
}

/** How far a position is above the ground. */
function aboveGround({ x, y }: Point, map: MapleMap): OffGround {
  const ground = map.below(x, y);
  const at = { x, y };
  return ground === undefined ? { px: NOWHERE_PX, at } : { px: ground.y - y, at, from: { x, y: ground.y } };
}

/** More monsters have noticed the player than a client sends. */
export function judgeAggroRate({ aggroPerSecond }: MapleRuleLimits): Judgement {
  const reason = "More monsters notice it than a client sends";
  return { kind: "reject", rule: "aggro-rate", reason, allowed: aggroPerSecond, unit: "1/s" };
}

/** A monster that is too far away to notice the player. The client may have seen it elsewhere, a few times. */
export function judgeFarAggro(
  { x, y }: Point,
  player: Point,
  isLate: boolean,
  { aggroPx }: MapleRuleLimits,
): Judgement {
  const measured = Math.hypot(x - player.x, y - player.y);
  const about = { from: { x: player.x, y: player.y }, at: { x, y } };
  const evidence = { rule: "aggro-far", measured, allowed: aggroPx, unit: "px", about } as const;
  return isLate
    ? { kind: "benign", reason: "The monster is not near; the client may have seen it elsewhere", ...evidence }
    : { kind: "reject", reason: "Monsters that are far away notice it again and again", ...evidence };
}

/** Monsters that their controller has not moved for a while are given to others. */
export function judgeIdle(count: number, idleMs: number): Judgement {
  const reason = `Has moved none of its ${count} monsters: others drive them now`;
  return {
    kind: "benign",
    rule: "monster-idle",
    reason,
    measured: count,
    allowed: 0,
    unit: `monsters in ${idleMs} ms`,
  };
}

/** A message about a monster that is not on the sender's map. It may have died, or the sender may have left. */
export function judgeElsewhere(mobId: number, isLate: boolean): Judgement {
  const evidence = { rule: "monster-elsewhere", measured: mobId, unit: "mobId" } as const;
  return isLate
    ? { kind: "benign", reason: "The monster is not on this map any more", ...evidence }
    : { kind: "reject", reason: "No such monster lives on this map", ...evidence };
}

/** A path of a monster that another player controls. The sender may have lost control a moment ago. */
export function judgeNotController(mobId: number, isLate: boolean): Judgement {
  const evidence = { rule: "monster-control", measured: mobId, unit: "mobId" } as const;
  return isLate
    ? { kind: "benign", reason: "Still on its way from before the hand-over", ...evidence }
    : { kind: "reject", reason: "Somebody else drives this monster", ...evidence };
}

/**
 * A path that starts far from where a monster was that its sender has only just been given: it had driven it before, and
 * the path is of that time. It is not applied.
 */
export function judgeLateHead(
  headPx: number,
  path: NodePath,
  monster: Readonly<Monster>,
  { monsterHeadPx }: MapleRuleLimits,
): Judgement {
  const reason = "Still on its way from before it was given the monster again";
  const about = headPlaces(path, monster);
  return { kind: "benign", rule: "monster-head", reason, measured: headPx, allowed: monsterHeadPx, unit: "px", about };
}

function headPlaces({ start }: NodePath, { x, y }: Readonly<Monster>): Subject {
  return { from: { x, y }, at: { x: start.x, y: start.y } };
}

/**
 * The distance from where a monster was to the start of a path, pixels. A controller that had driven it before may have sent
 * paths of that time after it was given the monster again; its first path since then starts where the monster was given.
 */
export function headOf(
  path: NodePath,
  monster: Readonly<Monster>,
  nowMs: number,
  { benignStartPx, silenceMs }: MapleRuleLimits,
): number {
  const { x, y, givenMs, givenX, givenY } = monster;
  const { start } = path;
  const isGiven = Math.hypot(start.x - givenX, start.y - givenY) <= benignStartPx;
  if (isGiven && nowMs < givenMs + silenceMs) return 0;
  return Math.hypot(start.x - x, start.y - y);
}

/** What {@link judgeMonsterPath} needs to know. */
export interface MonsterPathState {
  /** Where the monster was. */
  readonly monster: Readonly<Monster>;
  /** From where the monster was to the start of the path, pixels. */
  readonly headPx: number;
  readonly moveFlags: number;
  /** The balance of the controller's monsters with this path in it; undefined before enough movement. */
  readonly imbalance: number | undefined;
  /** By how much the path exceeds the honest speed beyond what is left of the allowance, and what is left of it, pixels. */
  readonly pulledPx: number;
  readonly pullLeftPx: number;
  /** How far the path is off the ground. */
  readonly offGround: OffGround;
  /** All monsters of the map. */
  readonly monsters: Iterable<Readonly<Monster>>;
  readonly controller: PlayerId;
  readonly limits: MapleRuleLimits;
}

/** Judges the path of a monster that its controller has sent. */
export function judgeMonsterPath(path: NodePath, state: MonsterPathState): readonly Judgement[] {
  const { headPx, moveFlags, imbalance = 0, limits } = state;
  const judgements: Judgement[] = [];
  const flag = (
    rule: MapleRule,
    reason: string,
    measured: number,
    allowed: number,
    unit: string,
    about?: Subject,
  ): void => {
    judgements.push({ kind: "flag", rule, reason, measured, allowed, unit, ...(about && { about }) });
  };
  if ((moveFlags & CHEAT_REPORT_FLAG) !== 0) {
    const reason = "The client itself reports a cheating controller";
    flag("client-report", reason, moveFlags, CHEAT_REPORT_FLAG - 1, "flags");
  }
  if (headPx > limits.monsterHeadPx) {
    const places = headPlaces(path, state.monster);
    flag("monster-head", "Starts far from where the monster was", headPx, limits.monsterHeadPx, "px", places);
  }
  const { px: offGroundPx, ...places } = state.offGround;
  if (offGroundPx > limits.monsterGroundPx) {
    const hasNone = offGroundPx === NOWHERE_PX;
    const off = { measured: offGroundPx, allowed: limits.monsterGroundPx, unit: "px", about: places };
    judgements.push({
      kind: "flag",
      rule: "monster-ground",
      ...(hasNone
        ? { reason: "Names a foothold that the map does not have, or is in the air where no ground is below" }
        : { reason: "Is not on the foothold that it names", ...off }),
    });
  }
  if (state.pulledPx > 0) {
    flag("vacuum-pull", "Its monsters are faster than any, time and again", state.pulledPx, state.pullLeftPx, "px");
  }
  if (imbalance >= limits.vacuumImbalance) {
    flag("vacuum-side", "Its monsters all go one way", imbalance, limits.vacuumImbalance, "of all");
  }
  const inBox = countInBox(path.nodes.at(-1) ?? path.start, state);
  if (inBox > limits.honestInBox) {
    judgements.push({
      kind: inBox >= limits.vacuumInBox ? "flag" : "benign",
      rule: "vacuum-box",
      reason: "Its monsters are all in one place",
      measured: inBox,
      allowed: limits.honestInBox,
      unit: "monsters",
    });
  }
  return judgements;
}

/**
 * Monsters in the box around the path's end that their controller has brought together, the moved one included. Those that it was
 * given within `boxPx` of the moved one's x do not count: a vacuum had left them in one place, or they fall to it.
 */
function countInBox(end: Point, { monster, monsters, controller, limits }: MonsterPathState): number {
  const half = limits.boxPx / 2;
  let count = 1;
  for (const other of monsters) {
    if (other === monster || other.controller !== controller) continue;
    if (Math.abs(other.givenX - monster.givenX) <= limits.boxPx) continue;
    if (Math.abs(other.x - end.x) <= half && Math.abs(other.y - end.y) <= half) count += 1;
  }
  return count;
}
