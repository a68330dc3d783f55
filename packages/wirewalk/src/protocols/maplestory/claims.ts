/** Places in the messages and verdicts of MapleStory. */
import type { Position, Verdict } from "../../motion/index.ts";
import {
  type Claims,
  comparedIn,
  type Envelope,
  type KnownFact,
  numberFact,
  reachAround,
  secondsText,
} from "../claims.ts";
import type { WireMessage } from "../codec.ts";
import { durationOf, nodesOf } from "./movement/nodes.ts";
import { type FragmentFields, stances } from "./wire/fragment.ts";
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
  mover: moverOf,
  before: beforeOf,
  compared: ({ stateBefore }) => comparedIn(stateBefore),
  known: knownOf,
  envelope(verdict, message) {
    const before = beforeOf(verdict);
    const path = moverOf(message) === undefined ? pathOf(message) : undefined;
    const envelope = before === undefined || path === undefined ? undefined : envelopeOf(verdict, before, path, limits);
    return envelope ?? reachAround(verdict);
  },
});

/** How far a path may lead by its time: every fragment may be off by the rounding of its ends. */
function envelopeOf(
  { rule, allowed, reason, stateBefore }: Verdict,
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
    case "flight": {
      // The highest way there is, and what a path may be above it.
      const { from: highest } = comparedIn(stateBefore) ?? {};
      return highest === undefined ? undefined : { shape: "box", top: highest.y - (allowed ?? 0) };
    }
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

/** A path of the player, or of a monster, a pet, a summon or a dragon of it. */
function pathOf({ value }: WireMessage): PathMessage | undefined {
  return "fragments" in value ? (value as unknown as PathMessage) : undefined;
}

function moverOf({ message, value }: WireMessage): string | undefined {
  const { mobId, petId, summonId } = value as Readonly<Record<string, unknown>>;
  switch (message) {
    case "moveLife":
      return `monster ${mobId}`;
    case "movePet":
      return `pet ${petId}`;
    case "moveSummon":
      return `summon ${summonId}`;
    case "moveDragon":
      return "dragon";
    default:
      return undefined;
  }
}

function beforeOf({ stateBefore: { x, y } }: Verdict): { readonly x: number; readonly y: number } | undefined {
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}

const stanceNames: ReadonlyMap<number, string> = new Map(
  Object.entries(stances).map(([name, number]) => [number, name]),
);

const starts: Readonly<Record<string, string>> = {
  exact: "where its last path ended",
  near: "near where it came into the map",
  anywhere: "anywhere: the server did not know its place",
};

function knownOf({ stateBefore }: Verdict): readonly KnownFact[] {
  const { state, foothold, start, availableMs, gainPx, named, ladder, wall, portal } = stateBefore;
  const onMap = (name: string, value: unknown): readonly KnownFact[] =>
    numberFact(name, value, (id) => `number ${id} of the map`);
  return [
    ...numberFact("Body", state, (value) => stanceNames.get(value >> 1) ?? "unknown"),
    ...numberFact("Stood on", foothold, (id) =>
      id === 0 ? "nothing: in the air" : id < 0 ? `ladder or rope ${-id} of the map` : `ground ${id} of the map`,
    ),
    ...(typeof start === "string" ? [{ name: "Its next path had to begin", value: starts[start] ?? start }] : []),
    ...numberFact("Time that its paths could still take", availableMs, secondsText),
    ...numberFact("Way gained before, beyond its time", gainPx, (px) => `${px.toFixed(1)} px`),
    ...onMap("Ground that the path names", named),
    ...onMap("Ladder or rope that the path names", ladder),
    ...onMap("Wall", wall),
    ...onMap("Portal", portal),
  ];
}
