/**
 * A player's flight where the map is not known. No ground can be compared, but there is gravity: a body that has jumped stands on nothing
 * higher until it has been at its highest point, walks up no faster than it walks, and swims up no faster than one that flies and makes
 * strokes. What is left is what some map would allow. A body that does not rise may stand on something.
 *
 * Source: docs/protocols/maplestory.md 8.2.3.
 */
import type { PathNode } from "../movement/nodes.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import {
  type Flight,
  type FlightClaim,
  type FlightJudgement,
  type FlightPlaces,
  fallingSeconds,
  type Way,
} from "./flight.ts";
import { type MapleRuleLimits, mapleRuleDefaults } from "./limits.ts";
import {
  CONVEYOR_PX_PER_SECOND,
  isOnConveyor,
  rested,
  type SupposedMap,
  withConveyor,
  withPortal,
  withSpring,
} from "./supposed-map.ts";
import type { Momentum, NodeTerrain, PathTerrain } from "./terrain.ts";

/** What {@link judgeFreeFlight} has to know. */
export interface FreeFlightClaim extends Pick<FlightClaim, "path" | "factors" | "hasSkill" | "pushes"> {
  /** What the body was on where the path begins, as clients name it, and its state there. */
  readonly from: BodyState;
  /** The stance of bodies that swim or fly. In `documented` it is that of a jump. */
  readonly floats: number;
  /** What an unknown map allows on the way to each node. */
  readonly terrain: readonly NodeTerrain[];
}

interface BodyState {
  readonly foothold: number;
  readonly state: number;
}

/** What carries a body: ground or a seat, a ladder or rope, or nothing. */
type Carrier = "ground" | "ladder" | undefined;

type Jumped = NonNullable<Flight["jumped"]>;

/** The flight of a player after a path on an unknown map. Undefined before: the path may begin anywhere. */
export function judgeFreeFlight(
  before: Flight | undefined,
  { path, factors, hasSkill, pushes, from, floats, terrain }: FreeFlightClaim,
  limits: MapleRuleLimits = mapleRuleDefaults,
): FlightJudgement {
  const { flightSlackPx, grabPx, gravity } = limits;
  const jump = limits.jumpPxPerSecond * factors.jump * limits.jumpImpulse;
  const walk = limits.walkPxPerSecond * factors.speed;
  const rise = limits.flyPxPerSecond * factors.speed;
  const highest = { y: before?.y ?? path.start.y, vy: before?.vy ?? -jump };
  // Changed in place, as all of this function: objects for each node were half of what it took.
  const jumped: { -readonly [K in keyof Jumped]: Jumped[K] } = { ...(before?.jumped ?? unmoved) };
  const begin = (y: number, vy: number): void => {
    highest.y = y;
    highest.vy = vy;
    jumped.y = y;
    jumped.vy = vy;
    jumped.sinceMs = 0;
    jumped.floated = false;
  };
  if (before?.jumped === undefined) begin(highest.y, highest.vy);
  let at: Point = path.start;
  let carrier = carrierOf(from);
  let floated = from.state >> 1 === floats || (before === undefined && carrier === undefined);
  // Onto a ladder and off it a body is moved at once; what is left of that after a path is above the body.
  // Of a body that comes in on one it is not known whether it has been moved already.
  const leftPx = before === undefined ? grabPx : Math.min(grabPx, Math.max(0, path.start.y - highest.y));
  let grabLeftPx = carrier === "ladder" ? leftPx : 0;
  let abovePx = 0;
  let farthestPx = 0;
  let places: FlightPlaces | undefined;
  let pushed = 0;
  for (let index = 0; index < path.nodes.length; index++) {
    const node = path.nodes[index] as PathNode;
    const here = terrain[index] as NodeTerrain;
    const { y, vy, state, durationMs, impulse, jump: isInstant } = node;
    const seconds = durationMs / 1000;
    if (isInstant) {
      // Other rules judge how far it is.
      if (hasSkill || Math.hypot(node.x - at.x, y - at.y) > limits.instantPx) begin(y, -jump);
      else {
        highest.y += y - at.y;
        jumped.y += y - at.y;
      }
      at = node;
    }
    const isAfloat = state >> 1 === floats;
    // Where it was, it may have stood on something.
    const restY = Math.max(at.y, highest.y);
    const landedY = landingY(highest, jumped, rise, limits);
    // On its way it may only pass through water.
    const mayFloat = isAfloat || floated;
    if (mayFloat) highest.vy = Math.min(highest.vy, -rise);
    const drag = mayFloat ? limits.floatDrag : gravity;
    const fastest = mayFloat ? -rise : limits.maxFall;
    const falling = fallingSeconds(highest.vy, drag, fastest, seconds);
    const fallenVy = highest.vy + drag * falling;
    highest.y += highest.vy * falling + (drag * falling * falling) / 2 + fallenVy * (seconds - falling);
    highest.vy = fallenVy;
    if (highest.y > restY) {
      highest.y = restY;
      highest.vy = 0;
    }
    jumped.sinceMs += durationMs;
    jumped.floated ||= mayFloat;
    if (here.spring !== undefined) {
      begin(y, -here.spring.pxPerSecond);
      carrier = undefined;
      floated = isAfloat;
    } else if (impulse) {
      const speed = Math.max(-jump, Math.min(0, vy * limits.jumpImpulse));
      // Also a stroke in water, once the last one is over. In `documented` it may have landed in the same moment.
      const mayJump =
        carrier !== undefined || (floated && y >= landingY(highest, jumped, rise, limits) - flightSlackPx);
      if (mayJump) begin(restY, speed);
      else {
        pushed += 1;
        // Of a hit, or of a skill.
        if (hasSkill || pushed <= pushes) begin(y, Math.max(-jump, Math.min(vy, highest.vy)));
        else begin(highest.y, highest.vy);
      }
    } else {
      const next = carrierOf(node);
      // A slope is no longer than its way across.
      const speed = next === "ladder" ? walk : Math.max(here.right, here.left);
      const risePx = next === undefined ? 0 : speed * seconds;
      if (next === undefined) grabLeftPx = 0;
      else if (next !== carrier && (next === "ladder" || carrier === "ladder")) grabLeftPx = grabPx;
      const grippedY = restY - risePx;
      let topY = next === undefined ? highest.y : grippedY - grabLeftPx;
      grabLeftPx = Math.min(grabLeftPx, Math.max(0, y - grippedY + grabLeftPx));
      if (carrier === undefined && next !== undefined) {
        // It came down where the way begins, or where it ends.
        const hasLanded = at.y >= landedY - flightSlackPx;
        const restedY = Math.min(hasLanded ? topY : jumped.y, landingY(highest, jumped, rise, limits));
        if (!hasLanded && (next === "ladder" || y < restedY - flightSlackPx)) {
          // On its way up it may grab one, or come onto a slope that goes up before it, and jump again: now and then.
          pushed += 1;
          if (!hasSkill && pushed > pushes) topY = next === "ladder" ? jumped.y : restedY;
        } else topY = restedY;
      }
      const above = topY - y - flightSlackPx;
      abovePx += Math.max(0, above);
      if (above > farthestPx) {
        farthestPx = above;
        places = { from: { x: node.x, y: topY }, at: { x: node.x, y } };
      }
      const ownY = above > 0 ? y + flightSlackPx : Math.max(y, topY);
      if (next !== undefined) begin(ownY, -jump);
      else if (y < highest.y) highest.y = ownY;
      carrier = next;
      floated = isAfloat;
    }
    at = node;
  }
  const y = carrier === "ladder" ? at.y - grabLeftPx : highest.y;
  return { flight: { y, vy: highest.vy, jumped }, abovePx, places, pushed: hasSkill ? 0 : Math.min(pushed, pushes) };
}

const unmoved: Jumped = { y: 0, vy: 0, sinceMs: 0, floated: false };

/** Where a path is on an unknown map. */
interface FreePlace extends Pick<FreeFlightClaim, "factors" | "floats"> {
  readonly before: Momentum;
  readonly supposed: SupposedMap;
  /** Whether nodes name where they end, with the ground and the velocity there. */
  readonly namesGround: boolean;
}

export interface FreeTerrain extends PathTerrain {
  readonly supposed: SupposedMap;
}

/**
 * What an unknown map allows along a path. Bodies that swim or fly are faster there. What only a conveyor, a spring or a portal explains is
 * supposed to be there, if the map can have it. What a body has of these it keeps in the air, as on a known map.
 */
export function freeTerrain(
  nodes: readonly PathNode[],
  from: BodyState & Point,
  { factors, floats, before, supposed: supposedBefore, namesGround }: FreePlace,
  limits: MapleRuleLimits,
): FreeTerrain {
  const walk = limits.walkPxPerSecond * factors.speed;
  const jump = limits.jumpPxPerSecond * factors.jump;
  const afloatPx = Math.max(0, limits.flyPxPerSecond * factors.speed - walk);
  let { right, left, rise } = before;
  let supposed = supposedBefore;
  let { lowestY } = supposed;
  // A client's path begins anew behind a portal.
  let hasPassed = false;
  let at: Point = from;
  let carrier = carrierOf(from);
  let floated = from.state >> 1 === floats;
  const found: NodeTerrain[] = [];
  let last: NodeTerrain | undefined;
  for (const node of nodes) {
    const { x, y, vx, vy, durationMs, impulse, jump: isInstant } = node;
    const seconds = durationMs / 1000;
    const next = impulse ? undefined : carrierOf(node);
    const isWater = node.state >> 1 === floats;
    supposed = rested(supposed, durationMs);
    if (isWater || floated) {
      right = Math.max(right, afloatPx);
      left = Math.max(left, afloatPx);
    }
    let spring: NodeTerrain["spring"];
    let isPortal = false;
    let isCarried = false;
    if (isInstant) {
      const mayBe: boolean = !hasPassed && Math.hypot(x - at.x, y - at.y) > limits.instantPx;
      const portal: SupposedMap | undefined = mayBe ? withPortal(supposed, at, node) : undefined;
      isPortal = portal !== undefined;
      hasPassed ||= isPortal;
      supposed = portal ?? supposed;
    } else if (impulse) {
      const fastest = walk + (vx < 0 ? left : right);
      if (-vy > jump * limits.jumpImpulse) {
        const found = withSpring(supposed, node);
        if (found !== undefined) {
          supposed = found;
          rise = Math.max(rise, Math.min(-vy, limits.springPxPerSecond));
          spring = { top: y, pxPerSecond: rise };
          if (vx > fastest) right = CONVEYOR_PX_PER_SECOND;
          else if (-vx > fastest) left = CONVEYOR_PX_PER_SECOND;
        }
      } else if (Math.abs(vx) > fastest * limits.walkImpulse && carrier === "ground")
        carry(at, { x: at.x + Math.sign(vx), y: at.y });
    } else if (carrier === "ground" || next === "ground") {
      const toLeft = x < at.x || (x === at.x && vx < 0);
      const kept = toLeft ? left : right;
      const beyondPx = Math.abs(x - at.x) - limits.roundingPx - (walk + kept) * seconds;
      // Where nodes name the velocity at their end, less is left of what it had before.
      const leftOver = Math.max(0, kept - (namesGround ? limits.walkDrag * seconds : 0));
      const isFast = beyondPx > 0 || (toLeft ? -vx : vx) > walk + leftOver + limits.roundingPx;
      const to = { x: x === at.x ? x + Math.sign(vx) : x, y };
      if (isFast && beyondPx <= CONVEYOR_PX_PER_SECOND * seconds) isCarried = carry(at, to);
      else if (isOnConveyor(supposed, at, to)) {
        isCarried = true;
        if (toLeft) left = CONVEYOR_PX_PER_SECOND;
        else right = CONVEYOR_PX_PER_SECOND;
      }
    }
    if (
      last === undefined ||
      spring !== undefined ||
      last.spring !== undefined ||
      last.isPortal !== isPortal ||
      last.isWater !== isWater ||
      last.right !== walk + right ||
      last.left !== walk + left ||
      last.rise !== Math.max(jump, rise)
    ) {
      last = { right: walk + right, left: walk + left, rise: Math.max(jump, rise), spring, isWater, isPortal };
    }
    found.push(last);
    if (next !== undefined) {
      rise = 0;
      lowestY = Math.max(lowestY, y);
      // Where on its way the conveyor ends is not known.
      const slowed = next === "ladder" ? Number.POSITIVE_INFINITY : isCarried ? 0 : limits.walkDrag * seconds;
      right = Math.max(0, right - slowed);
      left = Math.max(0, left - slowed);
    }
    floated = isWater || (floated && next === undefined);
    carrier = next;
    at = node;
  }
  if (lowestY > supposed.lowestY) supposed = { ...supposed, lowestY };
  return { nodes: found, momentum: { right, left, rise }, supposed };

  function carry(start: Point, to: Point): boolean {
    const carried = withConveyor(supposed, start, to);
    if (carried === undefined) return false;
    supposed = carried;
    if (to.x < start.x) left = CONVEYOR_PX_PER_SECOND;
    else right = CONVEYOR_PX_PER_SECOND;
    return true;
  }
}

function carrierOf({ foothold, state }: BodyState): Carrier {
  if (foothold !== 0) return foothold > 0 ? "ground" : "ladder";
  return state >> 1 === stances.sit ? "ground" : undefined;
}

/**
 * The highest place where a body on its highest way may land, or make a stroke: before it falls again it is where it jumped, and one that may have
 * been in water is as fast as it swims at best. A jump may be a little weaker than it could be.
 */
function landingY(
  highest: Way,
  { y, vy, sinceMs, floated }: Jumped,
  rise: number,
  { gravity, jumpImpulse }: MapleRuleLimits,
): number {
  const weaker = 2 * vy * (1 - 1 / jumpImpulse);
  if (highest.vy >= (floated ? -rise : weaker)) return highest.y;
  // It may as well have been in the air.
  const seconds = floated ? Math.min(sinceMs / 1000, -vy / gravity) : 0;
  return vy + gravity * seconds >= weaker ? y + vy * seconds + (gravity * seconds * seconds) / 2 : y;
}
