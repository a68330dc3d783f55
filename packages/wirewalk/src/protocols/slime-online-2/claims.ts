/** Places in the messages and verdicts of Slime Online 2. */
import type { Position, Verdict } from "../../motion/index.ts";
import type { Calculation } from "../calculation.ts";
import {
  type Claims,
  type ComparedPlaces,
  comparedIn,
  distanceLine,
  type Envelope,
  type KnownFact,
  reachAround,
  type SumContext,
  secondsText,
} from "../claims.ts";
import type { WireMessage } from "../codec.ts";
import { figure } from "../quantity.ts";
import { physicsConstants } from "./movement/physics-constants.ts";
import { dialectRules } from "./wire/dialect.ts";
import { unwrapX } from "./world/judging.ts";

/** The last accepted position, as `stateJson` writes it. */
interface Baseline {
  readonly x: number;
  readonly y: number | null;
  readonly atMs?: number;
  readonly savedSeconds?: number;
}

/** Capability `claims`. */
export const slimeClaims: Claims = {
  unit: "px",
  isYDown: true,
  of(message, dialect, before) {
    const { x, y = before?.y } = placeOf(message) ?? {};
    if (x === undefined || y === undefined) return [];
    // The wire has 16 bits of a number that may be negative.
    return [{ x: before === undefined ? x : unwrapped(x, before, dialect), y }];
  },
  roomOf({ message, value }) {
    return message === "warp" && "room" in value ? String(value.room) : undefined;
  },
  before: beforeOf,
  compared: comparedOf,
  known: knownOf,
  did: didOf,
  sums: sumsOf,
  envelope(verdict) {
    const before = beforeOf(verdict);
    const { rule, allowed } = verdict;
    if (before === undefined || allowed === undefined) return undefined;
    const from = comparedHere(verdict)?.from ?? before;
    if (rule === "teleport") return { shape: "circle", x: from.x, y: from.y, radius: allowed };
    const axis = rule === "unreachable" ? alongAxis(from, verdict) : undefined;
    return axis ?? (comparedHere(verdict) === undefined ? undefined : reachAround(verdict));
  },
};

/** The rule measures one axis: the reason names it (`judging.ts`). Up and down differ in speed, so only the side that was judged is known. */
function alongAxis(before: Position, { reason, allowed = 0 }: Verdict): Envelope | undefined {
  if (reason.startsWith("Moved")) return { shape: "box", left: before.x - allowed, right: before.x + allowed };
  if (reason.startsWith("Rose")) return { shape: "box", top: before.y - allowed };
  return reason.startsWith("Fell") ? { shape: "box", bottom: before.y + allowed } : undefined;
}

const sides: readonly (readonly [start: string, did: string])[] = [
  ["Moved", "moved {measured} to the side, and at most {allowed} were possible"],
  ["Rose", "rose {measured}, and at most {allowed} were possible"],
  ["Fell", "fell {measured}, and at most {allowed} were possible"],
  ["Says that it stands outside", "says that it stands {measured} outside of the room"],
  ["Says that it stands where", "says that it stands {measured} off the ground"],
  ["Begins where", "began where nobody comes in"],
];

/** The rules about places have several findings, which their reasons tell apart. */
function didOf({ rule, reason }: Verdict): string | undefined {
  if (rule === "unreachable") return sides.find(([start]) => reason.startsWith(start))?.[1];
  if (rule !== "no-door") return undefined;
  if (reason.startsWith("Arrived")) return "came out in room {to}, {measured} away from where the door leads";
  if (reason.startsWith("Went through"))
    return "went through a door that it could not have reached: the door is {measured} away";
  if (reason.startsWith("Left again"))
    return "changed rooms again and again where it had just come in, and not back to where it came from";
  return "went to room {to}, and no door of its room leads there";
}

/** What a position may be later: fast runs and falls at once. */
function sumsOf(verdict: Verdict, { message, dialect, limits }: SumContext): readonly Calculation[] {
  const { rule, reason, atMs, allowed = 0, stateBefore } = verdict;
  const { framesPerSecond } = physicsConstants;
  const { from, at } = comparedIn(stateBefore) ?? {};
  if (rule === "no-door") {
    if (!reason.startsWith("Arrived") || from === undefined || at === undefined) return [];
    const { from: door } = comparedIn({ from: stateBefore.door ?? null }) ?? {};
    const stood = beforeOf(verdict);
    const isThere =
      door === undefined || stood === undefined
        ? ""
        : ` The door is at ${placeWords(door)}, and the player was at ${placeWords(stood)}.`;
    const note = `That is from ${placeWords(from)} to ${placeWords(at)}.${isThere}`;
    return [
      {
        gives: "measured",
        lines: [distanceLine("From where the door leads to where the message says", from, at)],
        note,
      },
    ];
  }
  const { baseline } = stateBefore as { readonly baseline?: Baseline | null };
  const { maxSpeed = 0, maxFall = 0, teleportTolerance = 1 } = limits;
  if (rule === "unreachable" && reason.startsWith("Moved")) {
    const seconds = allowed / (maxSpeed * framesPerSecond);
    const terms = [{ value: maxSpeed, unit: "px/frame" }, { by: "×", value: framesPerSecond } as const];
    const run = { what: "The fastest run, of 60 frames a second", terms, unit: "px/s" };
    const most = {
      what: "As far as its keys, its line and the time since then allow",
      terms: [{ value: maxSpeed * framesPerSecond }, { by: "×", value: seconds, unit: "s" } as const],
      unit: "px",
    };
    return seconds > 0 ? [{ gives: "allowed", lines: [run, most], limits: ["maxSpeed"] }] : [];
  }
  if (rule !== "teleport" || baseline === null || baseline === undefined || message === undefined) return [];
  const place = placeOf(message);
  if (place === undefined) return [];
  const claimed = { x: unwrapped(place.x, baseline, dialect), y: place.y ?? baseline.y ?? 0 };
  const before = { x: baseline.x, y: place.y === undefined ? claimed.y : (baseline.y ?? claimed.y) };
  const what = "From its last accepted place to where the message says that it is";
  const line = distanceLine(what, before, claimed);
  const wraps = claimed.x !== place.x;
  const seconds = Math.max((atMs - (baseline.atMs ?? atMs)) / 1000, 1 / framesPerSecond);
  const saved = baseline.savedSeconds ?? 0;
  const [run, fall] = [maxSpeed * framesPerSecond, maxFall * framesPerSecond];
  const speed = Math.hypot(run, fall);
  const most = speed * teleportTolerance;
  const factor = allowed / (most * (seconds + saved));
  const faster = Math.abs(factor - 1) > 1e-6 ? [{ by: "×", value: factor } as const] : [];
  return [
    {
      gives: "measured",
      lines: [line],
      ...(wraps && {
        note: `The message has x ${figure(place.x)}. The game writes x with 16 bits, so that this may also mean ${figure(place.x)} - 65,536 = ${figure(claimed.x)}. The place that is nearer counts, in the player's favour.`,
      }),
    },
    {
      gives: "allowed",
      limits: ["maxSpeed", "maxFall", "teleportTolerance", "savedTravelSeconds"],
      lines: [
        {
          what: `Full run (${figure(run)} px a second) and full fall (${figure(fall)}) at once`,
          terms: [{ value: run }, { value: fall }],
          unit: "px/s",
          isDiagonal: true,
        },
        {
          what: "With the tolerance of the rule",
          terms: [{ value: speed }, { by: "×", value: teleportTolerance }, ...faster],
          unit: "px/s",
        },
        ...(saved === 0
          ? []
          : [
              {
                what: "Time since its last accepted place, and time that it had not used before",
                terms: [{ value: seconds }, { by: "+", value: saved } as const],
                unit: "s",
              },
            ]),
        {
          what:
            saved === 0
              ? "What is possible in the time since its last accepted place"
              : "What is possible in that time",
          terms: [
            { value: most * (faster.length > 0 ? factor : 1), unit: "px/s" },
            { by: "×", value: seconds + saved, unit: "s" },
          ],
          unit: "px",
        },
      ],
    },
  ];
}

function placeWords({ x, y }: Position): string {
  return `x ${figure(x)}, y ${figure(y)}`;
}

function unwrapped(x: number, before: Pick<Position, "x">, dialect: string): number {
  return dialectRules(dialect).signedJumpX ? unwrapX(x, before) : x;
}

/** Whether the state has places of the room that a warp leads to. */
function isElsewhere({ room }: Verdict["stateBefore"]): boolean {
  return typeof room === "number";
}

function comparedOf({ stateBefore }: Verdict): ComparedPlaces | undefined {
  const compared = comparedIn(stateBefore);
  return compared === undefined || !isElsewhere(stateBefore)
    ? compared
    : { ...compared, room: String(stateBefore.room) };
}

/** What is compared in the verdict's own room. */
function comparedHere(verdict: Verdict): ComparedPlaces | undefined {
  const compared = comparedOf(verdict);
  return (compared?.room ?? verdict.room) === verdict.room ? compared : undefined;
}

/** Moves, stops, answers to newcomers and warps name a place; a jump names an x alone. */
function placeOf({ value }: WireMessage): { readonly x: number; readonly y: number | undefined } | undefined {
  const { x, y } = value as { readonly x?: unknown; readonly y?: unknown };
  return typeof x === "number" ? { x, y: typeof y === "number" ? y : undefined } : undefined;
}

function knownOf({ atMs, stateBefore }: Verdict): readonly KnownFact[] {
  const { left, right, down, upPress, free, facing, assumedLanded } = stateBefore;
  const { atMs: sinceMs, savedSeconds } = (stateBefore.baseline ?? {}) as unknown as Partial<Baseline>;
  const { from } = comparedIn(stateBefore) ?? {};
  const keys = Object.entries({ left, right, down, jump: upPress }).flatMap(([key, held]) => (held ? [key] : []));
  return [
    sinceMs === undefined
      ? { name: "Last accepted place", value: "none yet in this room" }
      : { name: "Last accepted place", value: `${secondsText(atMs - sinceMs)} before this message` },
    { name: "Body", value: free ? (assumedLanded ? "in the air, and landed by now" : "in the air") : "on the ground" },
    ...(typeof facing === "string" ? [{ name: "Facing", value: facing }] : []),
    { name: "Held keys", value: keys.length === 0 ? "none" : keys.join(", ") },
    ...(savedSeconds === undefined
      ? []
      : [
          {
            name: "Time in which it could have moved and had not",
            value: `${secondsText(savedSeconds * 1000)}, added to what it may move now`,
          },
        ]),
    ...(isElsewhere(stateBefore) && from !== undefined
      ? [{ name: "Where the door leads", value: `room ${stateBefore.room}, x ${from.x}, y ${from.y}` }]
      : []),
  ];
}

/** What positions are measured from: the last accepted one, else where the player is believed to be. */
function beforeOf({ stateBefore }: Verdict): { readonly x: number; readonly y: number } | undefined {
  const baseline = stateBefore.baseline as unknown as Baseline | null | undefined;
  const { x, y } = stateBefore;
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  return baseline === null || baseline === undefined ? { x, y } : { x: baseline.x, y: baseline.y ?? y };
}
