/** Places in the messages and verdicts of MapleStory. */
import type { Position, Verdict } from "../../motion/index.ts";
import type { Claims, Envelope } from "../claims.ts";
import type { WireMessage } from "../codec.ts";
import { durationOf, nodesOf } from "./movement/nodes.ts";
import type { FragmentFields } from "./wire/fragment.ts";
import type { Point } from "./wire/messages.ts";
import type { MapleRuleLimits } from "./world/limits.ts";

interface PathMessage {
  readonly fragments: readonly FragmentFields[];
  readonly start?: Point;
}

/** Capability `claims` of the game with its limits. */
export const mapleClaims = (limits: MapleRuleLimits): Claims => ({
  unit: "px",
  isYDown: true,
  of(message, dialect) {
    const path = pathOf(message);
    if (path === undefined) return [];
    const { start, nodes } = nodesOf(path.fragments, dialect, path.start);
    const places = nodes.map(({ x, y }) => ({ x, y }));
    return path.start === undefined ? places : [start, ...places];
  },
  before: beforeOf,
  envelope(verdict, message) {
    const before = beforeOf(verdict);
    const path = pathOf(message);
    return before === undefined || path === undefined ? undefined : envelopeOf(verdict, before, path, limits);
  },
});

/** How far a path may lead by its time: every fragment may be off by the rounding of its ends. */
function envelopeOf(
  { rule, allowed, reason }: Verdict,
  before: Position,
  path: PathMessage,
  limits: MapleRuleLimits,
): Envelope | undefined {
  const isOfStart = rule === "start" || reason.startsWith("Starts");
  if (isOfStart) return { shape: "circle", ...before, radius: allowed ?? 0 };
  const from = path.start ?? before;
  const seconds = durationOf(path.fragments) / 1000;
  const slackPx = limits.slackPx * path.fragments.length;
  const reach = (perSecond: number, more = 0): number => perSecond * seconds + slackPx + more;
  switch (rule) {
    case "teleport-skill":
      return { shape: "circle", ...from, radius: allowed ?? 0 };
    case "speed":
    case "teleport":
    case "gain": {
      // A speed is allowed in px/s: it leads no further than its time.
      const more = { speed: 0, teleport: allowed ?? 0, gain: limits.gainPx }[rule];
      const across = reach(limits.walkPxPerSecond, more);
      return {
        shape: "box",
        left: from.x - across,
        right: from.x + across,
        top: from.y - reach(limits.jumpPxPerSecond, more),
        bottom: from.y + reach(limits.fallPxPerSecond, more),
      };
    }
    default:
      return undefined;
  }
}

function pathOf({ message, value }: WireMessage): PathMessage | undefined {
  return message === "movePlayer" && "fragments" in value ? (value as PathMessage) : undefined;
}

function beforeOf({ stateBefore: { x, y } }: Verdict): { readonly x: number; readonly y: number } | undefined {
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}
