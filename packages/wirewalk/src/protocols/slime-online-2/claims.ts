/** Places in the messages and verdicts of Slime Online 2. */
import type { Position, Verdict } from "../../motion/index.ts";
import {
  type Claims,
  type ComparedPlaces,
  comparedIn,
  type Envelope,
  type KnownFact,
  reachAround,
  secondsText,
} from "../claims.ts";
import type { WireMessage } from "../codec.ts";
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
    return [{ x: dialectRules(dialect).signedJumpX ? unwrapX(x, before) : x, y }];
  },
  roomOf({ message, value }) {
    return message === "warp" && "room" in value ? String(value.room) : undefined;
  },
  before: beforeOf,
  compared: comparedOf,
  known: knownOf,
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
            name: "Time that it had not used for moving",
            value: `${secondsText(savedSeconds * 1000)}, which it may use now`,
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
