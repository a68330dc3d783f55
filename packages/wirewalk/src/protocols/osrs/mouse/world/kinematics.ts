/**
 * Kinematics of a session: its strokes, a summary of them, and a **score** with its reasons. They are evidence for people;
 * nothing here refuses, corrects or bans.
 *
 * ```ts
 * const kinematics = new MouseKinematics("client");
 * const hand = new MouseHand({ dialect: "client", random: createRandom(1), number: 0, cheat: "replayed" }, 0);
 * const tracker = new MouseTracker({ dialect: "client" });
 * for (let now = 0; now < 180_000; now += 20) {
 *   for (const payload of hand.step(now)) tracker.read(payload, (point) => kinematics.push(point));
 * }
 * kinematics.score().score > 0.9; // => true
 * kinematics.score().findings[0].rule; // => "identical-strokes"
 * ```
 */
import type { JsonObject } from "../../../../wire/index.ts";
import { checkMembers, type Kinds } from "../../../world-kit/index.ts";
import type { MousePoint } from "../movement/tracker.ts";
import { mouseRules } from "../wire/dialect.ts";
import { packStrokes, STROKE_NUMBERS, unpackStrokes } from "./saved-strokes.ts";
import {
  MIN_STROKE_POINTS,
  type SavedStrokeBuilder,
  SHAPE_POINTS,
  type Stroke,
  StrokeBuilder,
  variation,
} from "./stroke.ts";

/** Strokes that a session remembers: some minutes of play. Older ones do not count. */
export const MAX_STROKES = 128;
/** Strokes that a finding needs at least. */
export const MIN_STROKES = 10;
/** Strokes shorter than this are too few pixels to have a shape. */
export const LONG_STROKE_PX = 150;
/** Two strokes have one shape when no two of their points are farther apart than this, or than 1 % of the path. */
export const TWIN_PX = 2;
/** Rests longer than this are pauses in play, not its rhythm. */
const MAX_RHYTHM_MS = 10_000;

/** A session's strokes in numbers: medians over the strokes, units as in `Stroke`. */
export interface MouseSummary {
  readonly strokes: number;
  readonly records: number;
  /** Time from the first stroke's start to the last one's end. */
  readonly durationMs: number;
  readonly pathPx: number;
  readonly meanSpeed: number;
  readonly peakSpeed: number;
  readonly peakAt: number;
  readonly speedVariation: number;
  readonly acceleration: number;
  readonly jerk: number;
  readonly curvature: number;
  readonly straightness: number;
  /** Mean per stroke. */
  readonly corrections: number;
  readonly dwellMs: number;
  /** Standard deviation by mean of the rests under ten seconds. */
  readonly dwellVariation: number;
  /** Standard deviation by mean of the times between samples, within strokes. */
  readonly intervalVariation: number;
}

/** The rules that a score is made of. */
export const mouseRuleNames = [
  "identical-strokes",
  "constant-speed",
  "straight-lines",
  "abrupt-stops",
  "perfect-rhythm",
  "perfect-sampling",
] as const;

export type MouseRule = (typeof mouseRuleNames)[number];

/** A reason of a score: one rule's measure. */
export interface Finding {
  readonly rule: MouseRule;
  readonly reason: string;
  readonly measured: number;
  /** The limit within which a human stays. */
  readonly allowed: number;
  readonly unit: "share" | "variation";
  /** Its weight in the score, 0 to 1. */
  readonly strength: number;
  /** Strokes that it was measured on. */
  readonly strokes: number;
}

export interface MouseScore {
  /** 0: like a hand; 1: like a machine. */
  readonly score: number;
  /** The strongest first; only those with a strength over 0. */
  readonly findings: readonly Finding[];
}

interface Remembered {
  readonly stroke: Stroke;
  /** Whether an earlier stroke had its shape. */
  readonly twin: boolean;
}

/** What `MouseKinematics.save` returns. */
export interface SavedKinematics {
  readonly records: number;
  readonly count: number;
  /** The remembered strokes, the oldest first: see `packStrokes`. */
  readonly strokes: Float64Array;
  /** By stroke: 1 when an earlier one had its shape. */
  readonly twins: Uint8Array;
  readonly builder: SavedStrokeBuilder;
}

const kinematicsKinds: Kinds<SavedKinematics> = {
  records: "number",
  count: "number",
  strokes: "typedArray",
  twins: "typedArray",
  builder: "object",
};

/** The kinematics of one session. */
export class MouseKinematics {
  readonly #builder: StrokeBuilder;
  /** Whether times are finer than the samples' rhythm, so that regularity can be measured. */
  readonly #fineTimes: boolean;
  #strokes: Remembered[] = [];
  #records = 0;
  #count = 0;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(dialect: string) {
    const rules = mouseRules(dialect);
    this.#builder = new StrokeBuilder({ sampleMs: rules.sampleMs });
    this.#fineTimes = rules.header === "residue";
  }

  /** Strokes of the whole session. */
  get count(): number {
    return this.#count;
  }

  /** The strokes that are remembered, the oldest first. */
  get strokes(): readonly Stroke[] {
    return this.#strokes.map(({ stroke }) => stroke);
  }

  /** Takes a session's next record. Returns the stroke that ended with it. */
  push(point: MousePoint): Stroke | undefined {
    this.#records += 1;
    return this.#remember(this.#builder.push(point));
  }

  /** Ends the open stroke, at the end of a session or after long silence. */
  finish(): Stroke | undefined {
    return this.#remember(this.#builder.finish());
  }

  /** Everything that decides later strokes, summaries and scores. */
  save(): SavedKinematics {
    return {
      records: this.#records,
      count: this.#count,
      strokes: packStrokes(this.strokes),
      twins: Uint8Array.from(this.#strokes, ({ twin }) => (twin ? 1 : 0)),
      builder: this.#builder.save(),
    };
  }

  /** Goes on as the saved one would. Throws `TypeError` or `RangeError` for malformed data: then nothing has changed. */
  restore(data: SavedKinematics): void {
    const { records, count, strokes, twins, builder } = checkMembers(data, "kinematics", kinematicsKinds);
    const rows = strokes.length / STROKE_NUMBERS;
    if (!(strokes instanceof Float64Array) || rows !== twins.length || rows > MAX_STROKES) {
      throw new TypeError(`Cannot restore: kinematics.strokes must be at most ${MAX_STROKES} rows, twins one per row`);
    }
    this.#builder.restore(builder);
    this.#records = records;
    this.#count = count;
    this.#strokes = unpackStrokes(strokes).map((stroke, at) => ({ stroke, twin: twins[at] === 1 }));
  }

  #remember(stroke: Stroke | undefined): Stroke | undefined {
    if (stroke === undefined) return undefined;
    const twin = stroke.pathPx >= LONG_STROKE_PX && this.#strokes.some((other) => areTwins(other.stroke, stroke));
    this.#strokes.push({ stroke, twin });
    if (this.#strokes.length > MAX_STROKES) this.#strokes.shift();
    this.#count += 1;
    return stroke;
  }

  summary(): MouseSummary {
    const strokes = this.strokes;
    const first = strokes[0];
    const last = strokes.at(-1);
    const middle = (value: (stroke: Stroke) => number): number => median(strokes.map(value));
    const rhythm = rhythmOf(strokes);
    return {
      strokes: this.#count,
      records: this.#records,
      durationMs: first === undefined || last === undefined ? 0 : last.startMs + last.durationMs - first.startMs,
      pathPx: middle(({ pathPx }) => pathPx),
      meanSpeed: middle(({ meanSpeed }) => meanSpeed),
      peakSpeed: middle(({ peakSpeed }) => peakSpeed),
      peakAt: middle(({ peakAt }) => peakAt),
      speedVariation: middle(({ speedVariation }) => speedVariation),
      acceleration: middle(({ acceleration }) => acceleration),
      jerk: middle(({ jerk }) => jerk),
      curvature: middle(({ curvature }) => curvature),
      straightness: middle(({ straightness }) => straightness),
      corrections: strokes.reduce((sum, { corrections }) => sum + corrections, 0) / Math.max(strokes.length, 1),
      dwellMs: median(rhythm),
      dwellVariation: variation(rhythm),
      intervalVariation: middle(({ intervalVariation }) => intervalVariation),
    };
  }

  /** The findings that look like a machine. None before ten strokes. */
  score(): MouseScore {
    const findings = this.#findings()
      .filter(({ strength }) => strength > 0)
      .sort((a, b) => b.strength - a.strength);
    // Independent findings: each takes its share of the doubt that the others leave.
    const doubt = findings.reduce((left, { strength }) => left * (1 - strength), 1);
    return { score: 1 - doubt, findings };
  }

  #findings(): readonly Finding[] {
    const all = this.#strokes;
    const long = all.filter(({ stroke }) => stroke.chordPx >= LONG_STROKE_PX);
    const timed = long.filter(({ stroke }) => stroke.speeds >= MIN_STROKE_POINTS);
    const rhythm = rhythmOf(this.strokes);
    const findings: Finding[] = [
      share("identical-strokes", long, ({ twin }) => twin, "have the very shape of an earlier one"),
      share("constant-speed", timed, ({ stroke }) => stroke.speedVariation < CONSTANT, "keep one speed throughout"),
      share("straight-lines", long, ({ stroke }) => isRuled(stroke), "are straight lines with no correction"),
      share("abrupt-stops", timed, ({ stroke }) => stroke.endSpeed > ABRUPT, "stop dead without slowing down"),
      regularity("perfect-rhythm", rhythm, "Rests between strokes are equally long"),
    ];
    if (this.#fineTimes) {
      const intervals = timed.map(({ stroke }) => stroke.intervalVariation);
      findings.push(regularity("perfect-sampling", intervals, "Samples are equally far apart", median(intervals)));
    }
    return findings;
  }
}

/** Speeds of samples vary by about 0.12 from the rounding of their times alone; a human's by 0.5. */
const CONSTANT = 0.2;
/** A human's last samples are the slowest, whatever was corrected before. */
const ABRUPT = 0.7;

/** Within two pixels, or half a percent, of the line between its ends, and never slowed down to aim again. */
function isRuled({ deviationPx, chordPx, corrections }: Stroke): boolean {
  return corrections === 0 && deviationPx <= Math.max(1.5, chordPx * 0.005);
}

/**
 * `allowed`: the measure from which a rule counts, well above what synthetic humans reach in an hour (see the test). `full`:
 * the measure at which it counts in full, where bots are.
 */
const limits: Readonly<Record<MouseRule, { readonly allowed: number; readonly full: number }>> = {
  "identical-strokes": { allowed: 0.15, full: 0.5 },
  "constant-speed": { allowed: 0.25, full: 0.7 },
  "straight-lines": { allowed: 0.35, full: 0.8 },
  "abrupt-stops": { allowed: 0.4, full: 0.9 },
  "perfect-rhythm": { allowed: 0.15, full: 0.03 },
  "perfect-sampling": { allowed: 0.04, full: 0.005 },
};
/** No rule alone is certain. */
const MAX_STRENGTH = 0.95;

function strengthOf(rule: MouseRule, measured: number, count: number): number {
  if (count < MIN_STROKES) return 0;
  const { allowed, full } = limits[rule];
  const reached = (measured - allowed) / (full - allowed);
  return MAX_STRENGTH * Math.min(Math.max(reached, 0), 1);
}

function share(
  rule: MouseRule,
  among: readonly Remembered[],
  has: (each: Remembered) => boolean,
  what: string,
): Finding {
  const having = among.filter(has).length;
  const measured = among.length === 0 ? 0 : having / among.length;
  return {
    rule,
    reason: `${having} of ${among.length} strokes ${what}`,
    measured,
    allowed: limits[rule].allowed,
    unit: "share",
    strength: strengthOf(rule, measured, among.length),
    strokes: among.length,
  };
}

function regularity(
  rule: MouseRule,
  values: readonly number[],
  what: string,
  measured: number = variation(values),
): Finding {
  return {
    rule,
    reason: `${what}: they vary by ${(measured * 100).toFixed(1)} %`,
    measured,
    allowed: limits[rule].allowed,
    unit: "variation",
    strength: strengthOf(rule, measured, values.length),
    strokes: values.length,
  };
}

/** The rests that belong to the rhythm of play. */
function rhythmOf(strokes: readonly Stroke[]): number[] {
  return strokes.flatMap(({ dwellMs }) => (dwellMs === undefined || dwellMs > MAX_RHYTHM_MS ? [] : [dwellMs]));
}

/** Whether two strokes have one shape, wherever they begin. */
function areTwins(a: Stroke, b: Stroke): boolean {
  const allowedPx = Math.max(TWIN_PX, b.pathPx * 0.01);
  if (Math.abs(a.pathPx - b.pathPx) > allowedPx * 2) return false;
  for (let i = SHAPE_POINTS * 2 - 2; i >= 0; i -= 2) {
    const dx = (a.shape[i] as number) - (b.shape[i] as number);
    const dy = (a.shape[i + 1] as number) - (b.shape[i + 1] as number);
    if (dx * dx + dy * dy > allowedPx * allowedPx) return false;
  }
  return true;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** A finding as plain data, for verdicts and logs. */
export function findingJson({ rule, reason, measured, allowed, unit, strength, strokes }: Finding): JsonObject {
  return { rule, reason, measured, allowed, unit, strength, strokes };
}
