/**
 * Judgements: what a rule finds in a message, as data. The functions that judge are pure; the world turns a judgement into
 * a verdict by adding the player, the message and the state before.
 */
import type { VerdictKind } from "../../../motion/index.ts";
import type { Point } from "../wire/messages.ts";
import type { MapleRule } from "./rules.ts";
import type { VerificationScore } from "./verification.ts";

/** A finding of one rule. */
export interface Judgement {
  readonly kind: VerdictKind;
  readonly rule: MapleRule;
  /** For people. */
  readonly reason: string;
  readonly measured?: number;
  readonly allowed?: number;
  readonly unit?: string;
  readonly about?: Subject;
}

/** What a finding is of which a player must not keep what it gains: a flag where the world refuses nothing. */
export type Refusal = "correct" | "reject" | "flag";

/** What of the map a judgement is about, and between which places it measures: in the evidence of the verdict, beside the state. Numbers are the map's own. */
export type Subject = {
  readonly wall?: number;
  /** The foothold that the path names. It need not exist. */
  readonly named?: number;
  /** The ladder or rope that the path names. It need not exist. */
  readonly ladder?: number;
  /** The portal that the player should have been at. */
  readonly portal?: number;
  /** Where the message says that the player or the monster was then. */
  readonly at?: { readonly x: number; readonly y: number };
  /** What its distance is measured from: the nearest place of what the path names, the wall, the portal, where a monster was. */
  readonly from?: { readonly x: number; readonly y: number };
  /** How far from there the time of this part of a path leads, pixels to each side. */
  readonly reach?: Reach;
  /** What it may be beyond that, pixels along both axes together. */
  readonly sparePx?: number;
};

export type Reach = { readonly left: number; readonly right: number; readonly up: number; readonly down: number };

/** The part of a path that is farthest beyond its reach. */
export interface FarthestWay {
  readonly from: Point;
  readonly at: Point;
  readonly reach: Reach;
  /** Pixels along both axes together. */
  readonly beyondPx: number;
}

/** That part as the subject of a judgement: `measuredPx` is how far the whole path is beyond, of which `allowedPx` are. */
export function subjectOf({ from, at, reach, beyondPx }: FarthestWay, measuredPx: number, allowedPx: number): Subject {
  // What other parts have used of it is gone.
  const sparePx = Math.max(0, allowedPx - (measuredPx - beyondPx));
  return { from: { x: from.x, y: from.y }, at: { x: at.x, y: at.y }, reach, sparePx };
}

/** True where the message must not be applied or relayed. */
export function isRefusal({ kind }: Judgement): boolean {
  return kind === "reject" || kind === "correct";
}

const scoreReasons: Readonly<Record<VerificationScore["check"], string>> = {
  "field-key": "The key of another map",
  start: "Does not start where the last path ended",
  box: "The box is not that of the path",
  durations: "The durations are not those of its steps",
  "wall-clock": "More time than has passed",
  pattern: "Without the pattern that both sides agreed on",
};

/** A flag for a score below 1; nothing for what an honest client sends. */
export function judgeScore({ check, score, measured, allowed, unit }: VerificationScore): readonly Judgement[] {
  return score < 1 ? [{ kind: "flag", rule: check, reason: scoreReasons[check], measured, allowed, unit }] : [];
}

/** An empty path crashes the clients that receive it. */
export function judgeEmpty(fragments: readonly unknown[]): Judgement | undefined {
  if (fragments.length > 0) return undefined;
  return { kind: "reject", rule: "empty-path", reason: "An empty path crashes other players' clients" };
}
