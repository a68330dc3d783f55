/** Places in the messages and verdicts of MapleStory. */
import type { Verdict } from "../../motion/index.ts";
import type { JsonObject } from "../../wire/index.ts";
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
import type { Reach } from "./world/judgement.ts";

interface PathMessage {
  readonly fragments: readonly FragmentFields[];
  readonly start?: Point;
}

/** Capability `claims`. */
export const mapleClaims: Claims = {
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
  envelope: envelopeOf,
  clock: (message, beforeMs) =>
    moverOf(message) === undefined && "fragments" in message.value
      ? beforeMs + durationOf((message.value as unknown as PathMessage).fragments)
      : undefined,
};

/** What the time of a part of a path allows, as the rule had it; the highest way; or what a distance may be. */
function envelopeOf(verdict: Verdict): Envelope | undefined {
  const { rule, allowed, stateBefore } = verdict;
  const { from } = comparedIn(stateBefore) ?? {};
  const reach = reachIn(stateBefore.reach);
  if (from !== undefined && reach !== undefined) {
    const { sparePx } = stateBefore;
    return {
      shape: "box",
      left: from.x - reach.left,
      right: from.x + reach.right,
      top: from.y - reach.up,
      bottom: from.y + reach.down,
      ...(typeof sparePx === "number" && sparePx > 0 ? { spare: sparePx } : {}),
    };
  }
  // The highest way there is, and what a path may be above it.
  if (rule === "flight") return from === undefined ? undefined : { shape: "box", top: from.y - (allowed ?? 0) };
  return rule === "gain" ? undefined : reachAround(verdict);
}

function reachIn(value: JsonObject[string] | undefined): Reach | undefined {
  if (typeof value !== "object" || value === null || !("left" in value)) return undefined;
  const { left, right, up, down } = value;
  const isWhole = [left, right, up, down].every((side) => typeof side === "number");
  return isWhole ? (value as unknown as Reach) : undefined;
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
