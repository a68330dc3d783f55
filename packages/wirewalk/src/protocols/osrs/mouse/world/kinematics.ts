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
import { checkState, type MembersOf, number, type StateOf, state, typedArray } from "../../../world-kit/index.ts";
import type { MousePoint } from "../movement/tracker.ts";
import { mouseRules } from "../wire/dialect.ts";
import { HandEvidence, savedHand } from "./hand.ts";
import { type MouseLimits, measureLimits, mouseLimitDefaults } from "./limits.ts";
import { type Likeness, likenessOf, type PeopleModel } from "./people-likeness.ts";
import { peopleModel } from "./people-model.ts";
import type { MouseRule } from "./rule-names.ts";
import { MIN_STROKE_POINTS, type Stroke, StrokeBuilder, savedStrokeBuilder, variation } from "./stroke.ts";
import { strokeMeasures } from "./stroke-measures.ts";
import { type StrokeColumn, StrokeRows } from "./stroke-rows.ts";

/** Strokes that a session remembers: some minutes of play. Older ones do not count. */
export const MAX_STROKES = 128;
/** Strokes that a finding needs, unless a world has other limits. */
export const MIN_STROKES: number = mouseLimitDefaults.minStrokes;

/** A session's strokes in numbers: medians over the strokes, units as in `Stroke`. */
export interface MouseSummary {
  readonly strokes: number;
  /** Far moves without a way between, of the whole session. */
  readonly jumps: number;
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
  /** See `HandEvidence`; 0 before the first stroke. */
  readonly roughness: number;
  /** In radians; 0 before the first stroke. */
  readonly turn: number;
  /** Each of `strokeMeasures` over the strokes of the last minutes, in its own unit; none before the first stroke. */
  readonly measures: readonly { readonly name: string; readonly mean: number; readonly spread: number }[];
}

/** A reason of a score: one rule's measure. */
export interface Finding {
  readonly rule: MouseRule;
  readonly reason: string;
  readonly measured: number;
  /** The limit within which a human stays. */
  readonly allowed: number;
  readonly unit: "share" | "variation" | "rad" | "sd";
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

const totals = {
  records: number,
  /** Strokes and jumps of the whole session. */
  count: number,
  jumpCount: number,
  /** Of the last far moves: how many, and how many of them were jumps. */
  far: number,
  farJumps: number,
};
/** The remembered strokes, the oldest first: see `StrokeRows`. */
const strokes = typedArray("Float64Array");
/** What was counted of the whole session, and the hand behind it. */
const counted = { ...totals, hand: savedHand };

/** What {@link MouseKinematics.leave} returns. */
export const leftKinematics = state({ ...counted, strokes });
export type LeftKinematics = StateOf<typeof leftKinematics>;

/** What `MouseKinematics.save` returns. */
export const savedKinematics = state({ ...counted, strokes, builder: savedStrokeBuilder });
type SavedKinematics = StateOf<typeof savedKinematics>;

/** The kinematics of one session. */
export class MouseKinematics {
  readonly #builder: StrokeBuilder;
  readonly #hand: HandEvidence;
  /** Whether times are finer than the samples' rhythm, so that regularity can be measured. */
  readonly #fineTimes: boolean;
  /** Whether all pointers are mice: a finger on a screen jumps as a bot does. */
  readonly #onlyMice: boolean;
  readonly #limits: MouseLimits;
  readonly #model: PeopleModel | null;
  readonly #strokes = new StrokeRows();
  #totals: MembersOf<typeof totals> = { records: 0, count: 0, jumpCount: 0, far: 0, farJumps: 0 };

  /** Throws `RangeError` for an unknown dialect. Without a `model` of people (null) `unlike-people` is not judged. */
  constructor(dialect: string, limits: MouseLimits = mouseLimitDefaults, model: PeopleModel | null = peopleModel) {
    this.#model = model;
    const rules = mouseRules(dialect);
    this.#limits = limits;
    this.#builder = new StrokeBuilder({ sampleMs: rules.sampleMs });
    this.#hand = new HandEvidence(rules.sampleMs);
    this.#fineTimes = rules.header === "residue";
    this.#onlyMice = !rules.buttons;
  }

  /** What the strokes say of the hand. */
  get hand(): HandEvidence {
    return this.#hand;
  }

  /** Strokes of the whole session. */
  get count(): number {
    return this.#totals.count;
  }

  /** Strokes and jumps of the whole session. */
  get moves(): number {
    return this.#totals.count + this.#totals.jumpCount;
  }

  /** The strokes that are remembered, the oldest first: objects made at each call. */
  get strokes(): readonly Stroke[] {
    return Array.from({ length: this.#strokes.length }, (_, row) => this.#strokes.stroke(row));
  }

  /** Takes a session's next record. Returns the stroke that ended with it. */
  push(point: MousePoint): Stroke | undefined {
    this.#totals.records += 1;
    this.#hand.push(point);
    return this.#remember(this.#builder.push(point));
  }

  /** Ends the open stroke, at the end of a session or after long silence. */
  finish(): Stroke | undefined {
    this.#hand.finish();
    return this.#remember(this.#builder.finish());
  }

  /** Everything that decides later strokes, summaries and scores. */
  save(): SavedKinematics {
    const hand = this.#hand.save();
    return { ...this.#totals, hand, strokes: this.#strokes.save(), builder: this.#builder.save() };
  }

  /** Goes on as the saved one would. Throws `TypeError` for malformed data: then it is of no more use. */
  restore(data: SavedKinematics): void {
    const { strokes: rows, builder, hand, ...sums } = checkState(savedKinematics, data, "kinematics");
    this.#builder.restore(builder);
    this.#hand.restore(hand);
    this.#strokes.restore(rows, MAX_STROKES, "kinematics.strokes");
    this.#totals = sums;
  }

  /** What counts when its player comes back: its strokes, with the open one as far as it went. */
  leave(): LeftKinematics {
    this.finish();
    this.#hand.begin();
    return { ...this.#totals, hand: this.#hand.save(), strokes: this.#strokes.save() };
  }

  /**
   * Goes on with what a player left, before its first record. Times and places of the new session begin anew, so no stroke goes on. Throws
   * `TypeError` for malformed data.
   */
  resume({ strokes: rows, hand, ...sums }: LeftKinematics): void {
    this.#hand.restore(hand);
    this.#strokes.restore(rows, MAX_STROKES, "kinematics.strokes");
    this.#strokes.endNow();
    this.#totals = sums;
  }

  /** Counts a far move. The older half is forgotten each time that there are as many as strokes are remembered. */
  #countFar(isJump: boolean): void {
    if (this.#totals.far >= MAX_STROKES) {
      this.#totals.far /= 2;
      this.#totals.farJumps /= 2;
    }
    this.#totals.far += 1;
    if (isJump) this.#totals.farJumps += 1;
  }

  #remember(stroke: Stroke | undefined): Stroke | undefined {
    const { longStrokePx } = this.#limits;
    if (this.#builder.shortMovePx >= longStrokePx) {
      this.#totals.jumpCount += 1;
      this.#countFar(true);
    }
    if (stroke === undefined) return undefined;
    if (stroke.chordPx >= longStrokePx) this.#countFar(false);
    this.#strokes.add(stroke, this.#hasTwin(stroke));
    this.#strokes.keep(MAX_STROKES);
    this.#totals.count += 1;
    return stroke;
  }

  #hasTwin(stroke: Stroke): boolean {
    const { longStrokePx, twinPx, twinShare } = this.#limits;
    if (stroke.pathPx < longStrokePx) return false;
    const allowedPx = Math.max(twinPx, stroke.pathPx * twinShare);
    for (let row = 0; row < this.#strokes.length; row++) {
      if (this.#strokes.hasShape(row, stroke, allowedPx)) return true;
    }
    return false;
  }

  summary(): MouseSummary {
    const rows = this.#strokes;
    const { length } = rows;
    const last = length - 1;
    const middle = (column: StrokeColumn): number => median(rows.column(column));
    const rhythm = this.#rhythm();
    return {
      strokes: this.#totals.count,
      jumps: this.#totals.jumpCount,
      records: this.#totals.records,
      durationMs:
        length === 0 ? 0 : rows.number(last, "startMs") + rows.number(last, "durationMs") - rows.number(0, "startMs"),
      pathPx: middle("pathPx"),
      meanSpeed: middle("meanSpeed"),
      peakSpeed: middle("peakSpeed"),
      peakAt: middle("peakAt"),
      speedVariation: middle("speedVariation"),
      acceleration: middle("acceleration"),
      jerk: middle("jerk"),
      curvature: middle("curvature"),
      straightness: middle("straightness"),
      corrections: rows.column("corrections").reduce((sum, each) => sum + each, 0) / Math.max(length, 1),
      dwellMs: median(rhythm),
      dwellVariation: variation(rhythm),
      intervalVariation: middle("intervalVariation"),
      roughness: this.#hand.strokes === 0 ? 0 : this.#hand.roughness,
      turn: this.#hand.turns === 0 ? 0 : this.#hand.turn,
      measures:
        this.#hand.strokes === 0
          ? []
          : strokeMeasures.map(({ name }, at) => ({
              name,
              mean: this.#hand.mean(at),
              spread: this.#hand.spread(at),
            })),
    };
  }

  /** The rests that belong to the rhythm of play. Unknown ones are NaN, which is in no order with any number. */
  #rhythm(): number[] {
    return this.#strokes.column("dwellMs").filter((dwellMs) => dwellMs <= this.#limits.rhythmMaxMs);
  }

  /** The findings that look like a machine. None before ten strokes, or ten far moves. */
  score(): MouseScore {
    const findings = this.#findings()
      .filter(({ strength }) => strength > 0)
      .sort((a, b) => b.strength - a.strength);
    // Independent findings: each takes its share of the doubt that the others leave.
    const doubt = findings.reduce((left, { strength }) => left * (1 - strength), 1);
    return { score: 1 - doubt, findings };
  }

  #jumps(): Finding {
    const [far, jumps] = [Math.round(this.#totals.far), Math.round(this.#totals.farJumps)];
    const measured = this.#totals.far === 0 ? 0 : this.#totals.farJumps / this.#totals.far;
    return {
      rule: "jumps",
      reason: `${jumps} of ${far} far moves have no way between`,
      measured,
      allowed: measureLimits("jumps", this.#limits).allowed,
      unit: "share",
      // Where a moving pointer is seen too rarely, a hand jumps as well.
      strength: this.#isCoarse() ? 0 : strengthOf(this.#limits, "jumps", measured, far),
      strokes: far,
    };
  }

  #isCoarse(): boolean {
    const { intervals, intervalMs } = this.#hand;
    return intervals >= MIN_INTERVALS && intervalMs > this.#limits.jumpsMaxIntervalMs;
  }

  /** What a hand never does by itself: it moves too smoothly, or in shapes that were there before. */
  #handFindings(): readonly Finding[] {
    const { strokes, roughness, turn, turns, complex, twins, judged, repeats } = this.#hand;
    const finding = (
      rule: MouseRule,
      unit: Finding["unit"],
      measured: number,
      count: number,
      reason: string,
    ): Finding => ({
      rule,
      reason,
      measured,
      allowed: measureLimits(rule, this.#limits).allowed,
      unit,
      strength: Number.isNaN(measured) ? 0 : strengthOf(this.#limits, rule, measured, Math.round(count)),
      strokes: Math.round(count),
    });
    const again = [
      finding(
        "repeated-shapes",
        "share",
        twins / (complex + UNREPEATED),
        strokes,
        `${Math.round(twins)} of ${Math.round(complex)} strokes with a shape of their own repeat an earlier one`,
      ),
      finding(
        "repeated-strokes",
        "share",
        Math.max(repeats - BY_CHANCE, 0) / (judged + UNREPEATED),
        judged,
        `${repeats.toFixed(1)} of ${Math.round(judged)} strokes were made before, with the same path and the same speeds`,
      ),
    ];
    // The others were measured on mice that are sampled every 50 ms, and nowhere else.
    if (!this.#onlyMice || !this.#fineTimes) return again;
    const changes = `From sample to sample the speed changes by ${Math.round(roughness * 100)} % of its mean`;
    const bends = `Between two samples the path turns by ${turn.toFixed(2)} rad`;
    const beside = this.likeness();
    return [
      finding("smooth-speed", "variation", roughness, strokes, changes),
      finding("smooth-turns", "rad", turn, Math.min(strokes, turns / TURNS_OF_A_STROKE), bends),
      ...again,
      ...(beside === undefined
        ? []
        : [finding("unlike-people", "sd", beside.distance, beside.strokes, unlikeText(beside))]),
    ];
  }

  /** The session beside people: undefined before the first stroke, and without people whose device is like this one. */
  likeness(): Likeness | undefined {
    if (this.#model === null || this.#hand.strokes < 2) return undefined;
    return likenessOf(this.#hand, this.#model);
  }

  #findings(): readonly Finding[] {
    const rows = this.#strokes;
    const limits = this.#limits;
    const { longStrokePx, constantVariation, abruptShare } = limits;
    const of = (row: number, column: StrokeColumn): number => rows.number(row, column);
    const all = Array.from({ length: rows.length }, (_, row) => row);
    const long = all.filter((row) => of(row, "chordPx") >= longStrokePx);
    const timed = long.filter((row) => of(row, "speeds") >= MIN_STROKE_POINTS);
    const findings: Finding[] = [
      share(limits, "identical-strokes", long, (row) => of(row, "twin") === 1, "have the very shape of an earlier one"),
      share(
        limits,
        "constant-speed",
        timed,
        (row) => of(row, "speedVariation") < constantVariation,
        "keep one speed throughout",
      ),
      share(
        limits,
        "straight-lines",
        long,
        (row) => isRuled(rows, row, limits),
        "are straight lines with no correction",
      ),
      share(
        limits,
        "abrupt-stops",
        timed,
        (row) => of(row, "endSpeed") > abruptShare,
        "stop dead without slowing down",
      ),
      ...(this.#onlyMice ? [this.#jumps()] : []),
      ...this.#handFindings(),
      regularity(limits, "perfect-rhythm", this.#rhythm(), "Rests between strokes are equally long"),
    ];
    if (this.#fineTimes) {
      const intervals = timed.map((row) => of(row, "intervalVariation"));
      findings.push(
        regularity(limits, "perfect-sampling", intervals, "Samples are equally far apart", median(intervals)),
      );
    }
    return findings;
  }
}

/** Near the line between its ends, and never slowed down to aim again. */
function isRuled(strokes: StrokeRows, row: number, { straightPx, straightShare }: MouseLimits): boolean {
  const allowedPx = Math.max(straightPx, strokes.number(row, "chordPx") * straightShare);
  return strokes.number(row, "corrections") === 0 && strokes.number(row, "deviationPx") <= allowedPx;
}

/** Times between samples that say whether a pointer is seen often enough. */
const MIN_INTERVALS = 20;
/** Directions are compared this often in a stroke; where it is less often, as many fewer strokes are evidence. */
const TURNS_OF_A_STROKE = 8;
/** So many strokes that repeat nothing are added to those of a session: a single repeat among few is chance. */
const UNREPEATED = 5;

/** So many strokes of a hand are near to an earlier one by chance: a player who clicks one spot again and again had four in 86. */
const BY_CHANCE = 2;

/** No rule alone is certain. */
export const MAX_STRENGTH = 0.95;

function strengthOf(limits: MouseLimits, rule: MouseRule, measured: number, count: number): number {
  if (count < limits.minStrokes) return 0;
  const { allowed, full } = measureLimits(rule, limits);
  const reached = (measured - allowed) / (full - allowed);
  return MAX_STRENGTH * Math.min(Math.max(reached, 0), 1);
}

/** Names the two measures that are most unusual. */
function unlikeText({ distance, measures }: Likeness): string {
  const most = measures.slice(0, 2).map(({ name }) => name);
  return `The strokes are ${distance.toFixed(1)} times as far from the mean of people as a person is, most in ${most.join(" and ")}`;
}

function share(
  limits: MouseLimits,
  rule: MouseRule,
  among: readonly number[],
  has: (row: number) => boolean,
  what: string,
): Finding {
  const having = among.filter(has).length;
  const measured = among.length === 0 ? 0 : having / among.length;
  return {
    rule,
    reason: `${having} of ${among.length} strokes ${what}`,
    measured,
    allowed: measureLimits(rule, limits).allowed,
    unit: "share",
    strength: strengthOf(limits, rule, measured, among.length),
    strokes: among.length,
  };
}

function regularity(
  limits: MouseLimits,
  rule: MouseRule,
  values: readonly number[],
  what: string,
  measured: number = variation(values),
): Finding {
  return {
    rule,
    reason: `${what}: they vary by ${(measured * 100).toFixed(1)} %`,
    measured,
    allowed: measureLimits(rule, limits).allowed,
    unit: "variation",
    strength: strengthOf(limits, rule, measured, values.length),
    strokes: values.length,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** A finding as plain data, for verdicts and logs. */
export function findingJson({ rule, reason, measured, allowed, unit, strength, strokes }: Finding): JsonObject {
  return { rule, reason, measured, allowed, unit, strength, strokes };
}
