/**
 * A player's flight where the map is not known. No ground can be compared, but there is gravity: a body that has jumped stands on nothing
 * higher until it has been at its highest point, walks up no faster than it walks, and swims up no faster than one that flies and makes
 * strokes. What is left is what some map would allow. A body that does not rise may stand on something.
 *
 * Source: docs/protocols/maplestory.md 8.2.3.
 */
import type { PathNode } from "../movement/nodes.ts";
import { fall } from "../movement/playback.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import type { Flight, FlightClaim, FlightJudgement, Way } from "./flight.ts";
import { type MapleRuleLimits, mapleRuleDefaults } from "./limits.ts";
import type { NodeTerrain } from "./terrain.ts";

/** What {@link judgeFreeFlight} has to know. */
export interface FreeFlightClaim extends Pick<FlightClaim, "path" | "factors" | "hasSkill" | "pushes"> {
  /** What the body was on where the path begins, as clients name it, and its state there. */
  readonly from: BodyState;
  /** The stance of bodies that swim or fly. In `documented` it is that of a jump. */
  readonly floats: number;
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
  { path, factors, hasSkill, pushes, from, floats }: FreeFlightClaim,
  limits: MapleRuleLimits = mapleRuleDefaults,
): FlightJudgement {
  const { flightSlackPx, grabPx } = limits;
  const jump = limits.jumpPxPerSecond * factors.jump * limits.jumpImpulse;
  const walk = limits.walkPxPerSecond * factors.speed;
  const rise = limits.flyPxPerSecond * factors.speed;
  let highest: Way = before ?? { y: path.start.y, vy: -jump };
  let jumped: Jumped = before?.jumped ?? begun(highest);
  let at: Point = path.start;
  let carrier = carrierOf(from);
  let floated = from.state >> 1 === floats || (before === undefined && carrier === undefined);
  // Onto a ladder and off it a body is moved at once; what is left of that after a path is above the body.
  let grabLeftPx = carrier === "ladder" ? Math.min(grabPx, Math.max(0, path.start.y - highest.y)) : 0;
  let abovePx = 0;
  let pushed = 0;
  for (const node of path.nodes) {
    const { y, vy, state, durationMs, impulse, jump: isInstant } = node;
    const seconds = durationMs / 1000;
    if (isInstant) {
      // Other rules judge how far it is.
      const isFar = hasSkill || Math.hypot(node.x - at.x, y - at.y) > limits.instantPx;
      const movedPx = y - at.y;
      highest = isFar ? { y, vy: -jump } : { y: highest.y + movedPx, vy: highest.vy };
      jumped = isFar ? begun(highest) : { ...jumped, y: jumped.y + movedPx };
      at = node;
    }
    const isAfloat = state >> 1 === floats;
    // Where it was, it may have stood on something.
    const restY = Math.max(at.y, highest.y);
    const landedY = landingY(highest, jumped, rise, limits);
    // On its way it may only pass through water.
    const mayFloat = isAfloat || floated;
    const moved = mayFloat
      ? fall(highest.y, Math.min(highest.vy, -rise), limits.floatDrag, -rise, seconds)
      : fall(highest.y, highest.vy, limits.gravity, limits.maxFall, seconds);
    highest = moved.y > restY ? { y: restY, vy: 0 } : moved;
    jumped = { ...jumped, sinceMs: jumped.sinceMs + durationMs, floated: jumped.floated || mayFloat };
    if (impulse) {
      const speed = Math.max(-jump, Math.min(0, vy * limits.jumpImpulse));
      // Also a stroke in water, once the last one is over. In `documented` it may have landed in the same moment.
      const mayJump =
        carrier !== undefined || (floated && y >= landingY(highest, jumped, rise, limits) - flightSlackPx);
      if (mayJump) highest = { y: restY, vy: speed };
      else {
        pushed += 1;
        // Of a hit, or of a skill.
        if (hasSkill || pushed <= pushes) highest = { y, vy: Math.max(-jump, Math.min(vy, highest.vy)) };
      }
      jumped = begun(highest);
    } else {
      const next = carrierOf(node);
      const risePx = next === undefined ? 0 : walk * seconds;
      if (next === undefined) grabLeftPx = 0;
      else if (next !== carrier && (next === "ladder" || carrier === "ladder")) grabLeftPx = grabPx;
      const grippedY = restY - risePx;
      let topY = next === undefined ? highest.y : grippedY - grabLeftPx;
      grabLeftPx = Math.min(grabLeftPx, Math.max(0, y - grippedY + grabLeftPx));
      if (carrier === undefined && next !== undefined) {
        // It came down where the way begins, or where it ends.
        const hasLanded = at.y >= landedY - flightSlackPx;
        if (!hasLanded && next === "ladder") {
          // It may grab one on its way up, and jump again: now and then.
          pushed += 1;
          if (!hasSkill && pushed > pushes) topY = jumped.y;
        } else topY = Math.min(hasLanded ? topY : jumped.y, landingY(highest, jumped, rise, limits));
      }
      const above = topY - y - flightSlackPx;
      abovePx += Math.max(0, above);
      const ownY = above > 0 ? y + flightSlackPx : Math.max(y, topY);
      if (next !== undefined) {
        highest = { y: ownY, vy: -jump };
        jumped = begun(highest);
      } else if (y < highest.y) highest = { y: ownY, vy: highest.vy };
      carrier = next;
      floated = isAfloat;
    }
    at = node;
  }
  const y = carrier === "ladder" ? at.y - grabLeftPx : highest.y;
  return { flight: { y, vy: highest.vy, jumped }, abovePx, pushed: hasSkill ? 0 : Math.min(pushed, pushes) };
}

/** What an unknown map allows along a path: bodies that swim or fly are faster there, and stay so until something carries them. */
export function freeTerrain(
  nodes: readonly Pick<PathNode, "foothold" | "state">[],
  from: BodyState,
  { factors, floats }: Pick<FreeFlightClaim, "factors" | "floats">,
  limits: MapleRuleLimits,
): readonly NodeTerrain[] {
  const walk = limits.walkPxPerSecond * factors.speed;
  const rise = limits.jumpPxPerSecond * factors.jump;
  let floated = from.state >> 1 === floats;
  return nodes.map((node) => {
    const isWater = node.state >> 1 === floats;
    const across = isWater || floated ? Math.max(walk, limits.flyPxPerSecond * factors.speed) : walk;
    floated = isWater || (floated && carrierOf(node) === undefined);
    return { right: across, left: across, rise, spring: undefined, isWater };
  });
}

function carrierOf({ foothold, state }: BodyState): Carrier {
  if (foothold !== 0) return foothold > 0 ? "ground" : "ladder";
  return state >> 1 === stances.sit ? "ground" : undefined;
}

function begun({ y, vy }: Way): Jumped {
  return { y, vy, sinceMs: 0, floated: false };
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
