/** Places in the messages and verdicts of MapleStory. */
import type { Verdict } from "../../motion/index.ts";
import type { JsonObject } from "../../wire/index.ts";
import type { Calculation, CalculationLine } from "../calculation.ts";
import {
  type Claims,
  comparedIn,
  distanceLine,
  type Envelope,
  type KnownFact,
  numberFact,
  reachAround,
  type SumContext,
  secondsText,
} from "../claims.ts";
import type { WireMessage } from "../codec.ts";
import { figure } from "../quantity.ts";
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
  did: didOf,
  sums: sumsOf,
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

/** Rules with several findings, which their reasons tell apart. */
function didOf({ rule, reason }: Verdict): string | undefined {
  if (rule === "teleport" && reason.startsWith("Starts"))
    return "moved on from a place {measured} away from where it last was";
  if (rule === "speed") {
    const [does = ""] = /^(Moves|Falls|Rises|Sets off|Jumps)/.exec(reason) ?? [];
    const did = { Moves: "went", Falls: "fell", Rises: "rose", "Sets off": "set off", Jumps: "jumped" }[does];
    return did === undefined ? undefined : `${did} at {measured}, and the game allows {allowed}`;
  }
  if (rule === "wall" && reason.startsWith("Drops")) return "dropped through a floor that lets nobody through";
  if (rule === "monster-ground" && reason.startsWith("Names")) return "moved {mover} to where the map has no ground";
  return undefined;
}

/** What the rules that measure a distance compare. */
const distances: Readonly<Record<string, string>> = {
  start: "From where its last movement ended to where this one begins",
  teleport: "From where its last movement ended to where this one begins",
  "teleport-skill": "From where it was to where it says that it is at once",
  flight: "From the highest place that a jump leads to, up to where it says that it is",
  foothold: "From the ground that the message names to where it says that it stands",
  ladder: "From the ladder or rope that the message names to where it says that it is",
  wall: "From the wall to where it says that it is behind it",
  portal: "From the player to the portal",
  "monster-head": "From where the monster was to where its movement begins",
  "monster-ground": "From the ground to where the message says that the monster is",
  "aggro-far": "From the player to the monster",
};

function sumsOf(verdict: Verdict, context: SumContext): readonly Calculation[] {
  const { rule, reason, measured = 0, stateBefore } = verdict;
  const { message, dialect, limits } = context;
  const path = message === undefined || moverOf(message) !== undefined ? undefined : pathOf(message);
  if (rule === "teleport" && reason.startsWith("Further")) {
    return path === undefined
      ? []
      : [
          {
            gives: "measured",
            lines: beyondLines(path, dialect, limits),
            limits: ["walkPxPerSecond", "jumpPxPerSecond", "fallPxPerSecond", "slackPx"],
          },
        ];
  }
  if (rule === "speed") return path === undefined ? [] : speedSums(verdict, path, dialect, limits);
  if (rule === "gain" && typeof stateBefore.gainPx === "number") {
    const terms = [{ value: stateBefore.gainPx }, { by: "+", value: measured - stateBefore.gainPx } as const];
    const what = "Gained before, and what this movement added";
    const note = "A pixel of it is forgiven in each second.";
    return measured < stateBefore.gainPx ? [] : [{ gives: "measured", lines: [{ what, terms, unit: "px" }], note }];
  }
  const what = distances[rule];
  const isStart = rule === "start" || reason.startsWith("Starts");
  const places = isStart ? { from: beforeOf(verdict), at: path?.start } : undefined;
  const { from, at } = comparedIn(stateBefore) ?? places ?? {};
  if (what === undefined || from === undefined || at === undefined) return [];
  return [{ gives: "measured", lines: [distanceLine(what, from, at)] }];
}

/** What of a path is beyond its time, along each axis, as `judgePath` adds it up for a player without skills on plain ground. */
function beyondLines(path: PathMessage, dialect: string, limits: SumContext["limits"]): readonly CalculationLine[] {
  const { walkPxPerSecond = 0, jumpPxPerSecond = 0, fallPxPerSecond = 0 } = limits;
  const ways = [
    { name: "sideways", perSecond: walkPxPerSecond },
    { name: "downwards", perSecond: fallPxPerSecond },
    { name: "upwards", perSecond: jumpPxPerSecond },
  ].map((way) => ({ ...way, pieces: [] as number[], px: 0, seconds: 0, slackPx: 0 }));
  for (const { dx, dy, seconds, slackPx } of stepsOf(path, dialect, limits)) {
    for (const [index, px] of [Math.abs(dx), dy, -dy].entries()) {
      const way = ways[index];
      if (way === undefined || px - slackPx - way.perSecond * seconds <= 0) continue;
      way.pieces.push(px);
      way.px += px;
      way.seconds += seconds;
      way.slackPx += slackPx;
    }
  }
  const beyond = ways.filter(({ px }) => px > 0);
  const rests = beyond.map(({ px, seconds, slackPx, perSecond }) => px - slackPx - perSecond * seconds);
  const lines = beyond.flatMap(({ name, pieces, px, seconds, slackPx, perSecond }): readonly CalculationLine[] => [
    // The places that the story names are those of one piece.
    ...(pieces.length < 2 ? [] : [sumLine(`The pieces of the movement that go too far ${name}`, pieces)]),
    {
      what: `What the time of this movement allows ${name}`,
      terms: [
        { value: perSecond, unit: "px/s" },
        { by: "×", value: seconds, unit: "s" },
      ],
      unit: "px",
    },
    {
      what: `Distance ${name}, less that and less what rounding explains`,
      terms: [{ value: px }, { by: "-", value: perSecond * seconds }, { by: "-", value: slackPx }],
      unit: "px",
    },
  ]);
  if (rests.length < 2) return lines;
  return [...lines, sumLine("Together", rests)];
}

function sumLine(what: string, values: readonly number[]): CalculationLine {
  const terms = values.map((value, index) => (index === 0 ? { value } : ({ by: "+", value } as const)));
  return { what, terms, unit: "px" };
}

function speedSums(
  { reason, measured = 0, allowed = 0 }: Verdict,
  path: PathMessage,
  dialect: string,
  limits: SumContext["limits"],
): readonly Calculation[] {
  const isUp = reason.startsWith("Rises");
  const isDown = reason.startsWith("Falls");
  if (!isUp && !isDown && !reason.startsWith("Moves")) return [];
  const steps = stepsOf(path, dialect, limits).map(({ dx, dy, ...step }) => {
    return { ...step, px: isUp ? -dy : isDown ? dy : Math.abs(dx) };
  });
  const step = steps.find(({ px, slackPx, seconds }) => Math.abs((px - slackPx) / seconds - measured) < 0.01);
  if (step === undefined) return [];
  const { px, slackPx, seconds } = step;
  const what = "Distance of one piece of the movement, less what rounding explains, by its time";
  const terms = [
    { value: px, unit: "px" },
    { by: "-", value: slackPx },
    { by: "÷", value: seconds, unit: "s" },
  ] as const;
  const own = isUp ? limits.jumpPxPerSecond : isDown ? limits.fallPxPerSecond : limits.walkPxPerSecond;
  const faster = own === undefined || own === allowed ? [] : fasterSums(own, allowed);
  return [{ gives: "measured", lines: [{ what, terms, unit: "px/s" }], limits: ["slackPx"] }, ...faster];
}

function fasterSums(own: number, allowed: number): readonly Calculation[] {
  const terms = [{ value: own, unit: "px/s" }, { by: "×", value: allowed / own } as const];
  const what = "The game's own speed, times what this player's skills and this ground add";
  return [{ gives: "allowed", lines: [{ what, terms, unit: "px/s" }] }];
}

/** The pieces of a path that take time. */
function stepsOf({ fragments, start }: PathMessage, dialect: string, limits: SumContext["limits"]) {
  const { slackPx = 0, grabPx = 0 } = limits;
  const path = nodesOf(fragments, dialect, start);
  let at: Point = path.start;
  return path.nodes.flatMap(({ x, y, durationMs, jump, foothold }) => {
    const from = at;
    at = { x, y };
    if (jump) return [];
    const seconds = Math.max(durationMs, 1) / 1000;
    return [{ dx: x - from.x, dy: y - from.y, seconds, slackPx: slackPx + (foothold < 0 ? grabPx : 0) }];
  });
}

const stanceNames: ReadonlyMap<number, string> = new Map(
  Object.entries(stances).map(([name, number]) => [number, name]),
);

/** Words for stances. */
const bodies: Readonly<Record<string, string>> = {
  walk: "walked",
  stand: "stood",
  jump: "was in the air",
  alert: "stood, after a fight",
  prone: "lay down",
  fly: "flew",
  swim: "swam",
  ladder: "climbed a ladder",
  rope: "climbed a rope",
  dead: "was dead",
  sit: "sat",
};

const starts: Readonly<Record<string, string>> = {
  exact: "where its last movement ended",
  near: "near where it came into the map",
  anywhere: "anywhere: the server did not know its place",
};

/** Rules about what a player's computer moves beside the player. */
const isOfMonsters = (rule: string): boolean => /^(monster|vacuum|aggro)-/.test(rule);

function knownOf({ rule, stateBefore }: Verdict): readonly KnownFact[] {
  const { state, foothold, start, availableMs, gainPx, named, ladder, wall, portal } = stateBefore;
  const onMap = (name: string, value: unknown): readonly KnownFact[] =>
    numberFact(name, value, (id) => `number ${id} of the map`);
  const subject = [
    ...onMap(isOfMonsters(rule) ? "Ground that the message names" : "Ground that the movement names", named),
    ...onMap("Ladder or rope that the movement names", ladder),
    ...onMap("Wall", wall),
    ...onMap("Portal", portal),
  ];
  const body = (name: string): readonly KnownFact[] =>
    numberFact(name, state, (value) => bodies[stanceNames.get(value >> 1) ?? ""] ?? "unknown");
  // Its own movement has no part in it.
  if (isOfMonsters(rule)) return [...body("What the player's own body did"), ...subject];
  return [
    ...body("What its body did"),
    ...numberFact("Ground under it", foothold, (id) =>
      id === 0 ? "none that it has named yet" : id < 0 ? `ladder or rope ${-id} of the map` : `ground ${id} of the map`,
    ),
    ...(typeof start === "string" ? [{ name: "Its next movement had to begin", value: starts[start] ?? start }] : []),
    ...numberFact("Time that its next movement could take", availableMs, secondsText),
    ...(rule === "gain"
      ? numberFact("Distance gained before, beyond its time", gainPx, (px) => `${figure(px)} px`)
      : []),
    ...subject,
  ];
}
