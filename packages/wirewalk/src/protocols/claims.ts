import type { Position, Verdict } from "../motion/index.ts";
import type { JsonObject } from "../wire/index.ts";
import type { Calculation, CalculationLine } from "./calculation.ts";
import type { WireMessage } from "./codec.ts";
import type { Effect } from "./world.ts";

/**
 * Where a rule would have let a player be. A box without a side is open there; `spare` is what the rule tolerates beyond it, along both axes
 * together.
 */
export type Envelope =
  | { readonly shape: "circle"; readonly x: number; readonly y: number; readonly radius: number }
  | {
      readonly shape: "box";
      readonly left?: number;
      readonly top?: number;
      readonly right?: number;
      readonly bottom?: number;
      readonly spare?: number;
    };

/** How far a place is beyond an envelope, in its units; 0 or less within it. */
export function beyondEnvelope(envelope: Envelope, { x, y }: Position): number {
  if (envelope.shape === "circle") return Math.hypot(x - envelope.x, y - envelope.y) - envelope.radius;
  const { left = x, right = x, top, bottom, spare = 0 } = envelope;
  const isUp = top !== undefined && bottom !== undefined && top > bottom;
  const [low = y, high = y] = isUp ? [bottom, top] : [top, bottom];
  return Math.max(0, left - x, x - right) + Math.max(0, low - y, y - high) - spare;
}

/** What a distance is measured between. */
export interface ComparedPlaces {
  /** Where it begins: the end of a floor, a door, where a monster was. */
  readonly from?: Position;
  /** Where the message says that somebody was. */
  readonly at?: Position;
  /** The room that both are in. Default: that of the verdict. */
  readonly room?: string;
}

/** Something that the server knew of a player, for people who run a server: `{ name: "Held keys", value: "right" }`. */
export interface KnownFact {
  readonly name: string;
  readonly value: string;
}

/**
 * What a game's messages and verdicts say about places, so that a verdict can be drawn. Capability `claims` of a `Protocol`. A
 * game whose clients name no places, such as one that sends keys alone, has no `of`.
 */
export interface Claims {
  /** Of positions: pixels, metres, tiles. */
  readonly unit: "px" | "m" | "tiles";
  /** Whether y grows downwards, as on a screen. */
  readonly isYDown: boolean;
  /** The places that a client's message names, in order. `before`: the last place that is known, for a coordinate that it leaves out. */
  of?(message: WireMessage, dialect: string, before: Position | undefined): readonly Position[];
  /** Whom the places of a message are of, where that is not the player: `monster 1000017`. */
  mover?(message: WireMessage): string | undefined;
  /** The room that the places of a message are in, where the message leads to a room. */
  roomOf?(message: WireMessage): string | undefined;
  /** The places that an observation of the world names, in order: for messages that are read with memory. */
  observed?(observation: Extract<Effect, { effect: "observe" }>): readonly Position[];
  /** The place in a verdict's state before; undefined where it has none. */
  before?(verdict: Verdict): Position | undefined;
  /** The places that a rule has compared, where its verdict has them. Default: the place before, and the last one of the message. */
  compared?(verdict: Verdict): ComparedPlaces | undefined;
  /** What the server knew before the message, without names of fields. Places are left out: `before` has them. */
  known?(verdict: Verdict): readonly KnownFact[];
  /** Undefined for a rule that measures no place. */
  envelope?(verdict: Verdict): Envelope | undefined;
  /**
   * The client's own time after a message, in milliseconds, given that of the message before it; undefined for a message that takes none. For
   * rules that compare it with the server's time.
   */
  clock?(message: WireMessage, beforeMs: number): number | undefined;
  /** What the player did, in place of the glossary's `did`, where a rule has several findings. */
  did?(verdict: Verdict): string | undefined;
  /** How the verdict's figures come about, where they are more than a count. A sum that does not come out is not shown. */
  sums?(verdict: Verdict, context: SumContext): readonly Calculation[];
}

/** What sums are made of beside the verdict. */
export interface SumContext {
  /** Undefined where the message cannot be read, or where there is none. */
  readonly message: WireMessage | undefined;
  readonly dialect: string;
  /** Limits in force, by name. */
  readonly limits: Readonly<Record<string, number>>;
}

/** The distance of two places. `what`: what it is, such as `From where it stood to where it says that it is`. */
export function distanceLine(what: string, from: Position, at: Position): CalculationLine {
  const [dx, dy] = [at.x - from.x, at.y - from.y];
  const along = (a: number, b: number): CalculationLine => ({
    what,
    terms: [{ value: Math.max(a, b) }, { by: "-", value: Math.min(a, b) }],
    unit: "px",
  });
  if (dy === 0) return along(from.x, at.x);
  if (dx === 0) return along(from.y, at.y);
  return { what, terms: [{ value: Math.abs(dx) }, { value: Math.abs(dy) }], unit: "px", isDiagonal: true };
}

/** A fact of a number in a verdict's state; none where the state does not have it. */
export function numberFact(name: string, value: unknown, text: (value: number) => string): readonly KnownFact[] {
  return typeof value === "number" ? [{ name, value: text(value) }] : [];
}

/** `1.25 s` */
export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** The places that a verdict's state has under `from` and `at`. */
export function comparedIn({ from, at }: JsonObject): ComparedPlaces | undefined {
  const [start, end] = [placeIn(from), placeIn(at)];
  if (start === undefined && end === undefined) return undefined;
  return { ...(start && { from: start }), ...(end && { at: end }) };
}

function placeIn(value: JsonObject[string] | undefined): Position | undefined {
  if (typeof value !== "object" || value === null || !("x" in value) || !("y" in value)) return undefined;
  const { x, y } = value;
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}

/** Around where a distance begins, as far as is allowed. */
export function reachAround(verdict: Verdict): Envelope | undefined {
  const { from } = comparedIn(verdict.stateBefore) ?? {};
  const { allowed, unit } = verdict;
  if (from === undefined || allowed === undefined || unit !== "px") return undefined;
  return { shape: "circle", x: from.x, y: from.y, radius: allowed };
}
