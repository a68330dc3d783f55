/**
 * What a session's strokes say of the hand behind them, in running sums and in a memory of strokes. It takes under 8 KiB and allocates
 * nothing for a point.
 *
 * ```ts
 * const hand = new HandEvidence(50);
 * const machine = new MouseHand({ dialect: "client", random: createRandom(1), number: 0, cheat: "bezier" }, 0);
 * const tracker = new MouseTracker({ dialect: "client" });
 * for (let now = 0; now < 60_000; now += 20) {
 *   for (const payload of machine.step(now)) tracker.read(payload, (point) => hand.push(point));
 * }
 * hand.roughness < 0.4; // => true
 * ```
 *
 * **Roughness**: how much the speed changes from sample to sample, by the mean speed (root mean square). A hand starts with a burst and
 * brakes in steps: 0.7 to 2. One smooth movement from start to target, sampled 20 times a second, has 0.3 to 0.5, whatever its shape.
 *
 * **Turn**: the mean angle between two samples of at least 3 px. A hand's path is bent by its wrist and corrected all the time: 0.15 to 0.6
 * radians. A curve that was computed has 0.05 to 0.12.
 *
 * **Repeats**: strokes that an earlier one was, whatever its place, direction, size and handedness: see `StrokeMemory`.
 *
 * **Measures** of each stroke, with their mean and spread over the session: what `PeopleModel` knows of people.
 */
import { angleOf } from "../../../world-kit/exact-math.ts";
import { checkState, type StateOf, state, typedArray } from "../../../world-kit/index.ts";
import type { MousePoint } from "../movement/tracker.ts";
import { REST_MS } from "./stroke.ts";
import { measureStroke, strokeMeasures } from "./stroke-measures.ts";
import { StrokeMemory, savedStrokeMemory } from "./stroke-memory.ts";

/** Strokes with fewer samples, or a shorter path, are no evidence. */
const MIN_STEPS = 3;
const MIN_PX = 20;
/** Between two samples that far apart the direction is known to a third of a radian. */
const TURN_PX = 3;
/** Strokes that count: those before have half the weight each time that there are as many again. */
const HORIZON = 128;
/** Places of the open stroke's numbers: sums over its steps, then what the last step was, then the last position. */
const OPEN = {
  pathPx: 0,
  speedSum: 1,
  changeSum: 2,
  turnSum: 3,
  turnCount: 4,
  intervalSum: 5,
  intervalCount: 6,
  lastSpeed: 7,
  lastHeading: 8,
  x: 9,
  y: 10,
  size: 11,
} as const;

/** Running sums by name, in one array. */
const sums = [
  "strokes",
  "changes",
  "speeds",
  "turning",
  "turns",
  "intervalsMs",
  "intervals",
  "complex",
  "twins",
  "judged",
  "repeats",
] as const;
type Sum = (typeof sums)[number];

export const savedHand = state({
  sums: typedArray("Float64Array"),
  /** Sums over the strokes, and of the squares, of each of `strokeMeasures` in turn. */
  measures: typedArray("Float64Array"),
  /** The open stroke: its numbers, how many steps it has, and whether a record may go on from the last one. */
  open: typedArray("Float64Array"),
  memory: savedStrokeMemory,
});
export type SavedHand = StateOf<typeof savedHand>;

/** The evidence of one session. */
export class HandEvidence {
  readonly #sampleMs: number;
  readonly #sums = new Float64Array(sums.length);
  readonly #measures = new Float64Array(strokeMeasures.length * 2);
  readonly #measured = new Float64Array(strokeMeasures.length);
  readonly #memory = new StrokeMemory();
  #steps = 0;
  /** Numbers in an array: a field that holds a fraction is a new object each time that it is set. */
  readonly #open = new Float64Array(OPEN.size);
  #isOpen = false;

  /** `sampleMs`: time between two samples of the dialect. */
  constructor(sampleMs: number) {
    this.#sampleMs = sampleMs;
    this.#open[OPEN.lastHeading] = Number.NaN;
  }

  /** Strokes that count, at most {@link HORIZON}. */
  get strokes(): number {
    return this.#sum("strokes");
  }

  /** NaN before the first stroke. */
  get roughness(): number {
    return Math.sqrt(this.#sum("changes") / this.#sum("speeds"));
  }

  /** In radians; NaN before the first stroke. */
  get turn(): number {
    return this.#sum("turning") / this.#sum("turns");
  }

  /** Turns that {@link turn} was taken of. */
  get turns(): number {
    return this.#sum("turns");
  }

  /** Strokes with a shape of their own, and those of them whose shape an earlier one had. */
  get complex(): number {
    return this.#sum("complex");
  }
  get twins(): number {
    return this.#sum("twins");
  }

  /** Strokes that are long enough to be known again, and those of them that an earlier one was; one that is only near to an earlier one counts in part. */
  get judged(): number {
    return this.#sum("judged");
  }
  get repeats(): number {
    return this.#sum("repeats");
  }

  /** Mean of a measure over the strokes, by its place in `strokeMeasures`; NaN before the first stroke. */
  mean(measure: number): number {
    return (this.#measures[measure * 2] as number) / this.strokes;
  }

  /** Standard deviation of a measure over the strokes. */
  spread(measure: number): number {
    const mean = this.mean(measure);
    return Math.sqrt(Math.max((this.#measures[measure * 2 + 1] as number) / this.strokes - mean * mean, 0));
  }

  /** Mean time between two samples of a moving pointer; NaN before there are any. */
  get intervalMs(): number {
    return this.#sum("intervalsMs") / this.#sum("intervals");
  }
  get intervals(): number {
    return this.#sum("intervals");
  }

  /** Takes a session's next record. */
  push(point: MousePoint): void {
    const { x, y, sinceMs } = point;
    const goesOn = this.#isOpen && !point.first && !point.outside;
    const rested = sinceMs >= REST_MS;
    if (!goesOn || rested) this.finish();
    if (goesOn) this.#step(point);
    this.#isOpen = !point.outside;
    this.#open[OPEN.x] = x;
    this.#open[OPEN.y] = y;
  }

  /** Takes the record itself: a fraction that is an argument is a new object. */
  #step(point: MousePoint): void {
    const { x, y, sinceMs } = point;
    const rested = sinceMs >= REST_MS;
    const ms = rested ? this.#sampleMs : Math.max(sinceMs, 1);
    if (this.#memory.points === 0) {
      this.#memory.add(this.#open[OPEN.x] as number, this.#open[OPEN.y] as number, point.atMs - ms);
    }
    const dx = x - (this.#open[OPEN.x] as number);
    const dy = y - (this.#open[OPEN.y] as number);
    const px = Math.sqrt(dx * dx + dy * dy);
    const speed = px / ms;
    if (this.#steps > 0) {
      const change = speed - (this.#open[OPEN.lastSpeed] as number);
      this.#open[OPEN.changeSum] = (this.#open[OPEN.changeSum] as number) + change * change;
    }
    this.#open[OPEN.lastSpeed] = speed;
    this.#open[OPEN.speedSum] = (this.#open[OPEN.speedSum] as number) + speed;
    this.#open[OPEN.pathPx] = (this.#open[OPEN.pathPx] as number) + px;
    this.#steps += 1;
    if (!rested) {
      this.#open[OPEN.intervalSum] = (this.#open[OPEN.intervalSum] as number) + ms;
      this.#open[OPEN.intervalCount] = (this.#open[OPEN.intervalCount] as number) + 1;
    }
    if (px >= TURN_PX) {
      const heading = angleOf(dy, dx);
      const turn = Math.abs(heading - (this.#open[OPEN.lastHeading] as number));
      // Nothing was turned from before the first direction: NaN compares as false.
      if (turn >= 0) {
        this.#open[OPEN.turnSum] = (this.#open[OPEN.turnSum] as number) + (turn > Math.PI ? 2 * Math.PI - turn : turn);
        this.#open[OPEN.turnCount] = (this.#open[OPEN.turnCount] as number) + 1;
      }
      this.#open[OPEN.lastHeading] = heading;
    } else this.#open[OPEN.lastHeading] = Number.NaN;
    this.#memory.add(x, y, point.atMs);
  }

  /** Ends the open stroke. */
  finish(): void {
    const steps = this.#steps;
    if (steps >= MIN_STEPS && (this.#open[OPEN.pathPx] as number) >= MIN_PX) this.#count(steps);
    this.#memory.drop();
    this.#steps = 0;
    this.#open[OPEN.pathPx] = 0;
    this.#open[OPEN.speedSum] = 0;
    this.#open[OPEN.changeSum] = 0;
    this.#open[OPEN.turnSum] = 0;
    this.#open[OPEN.turnCount] = 0;
    this.#open[OPEN.intervalSum] = 0;
    this.#open[OPEN.intervalCount] = 0;
    this.#open[OPEN.lastHeading] = Number.NaN;
  }

  #count(steps: number): void {
    if (this.#sum("strokes") >= HORIZON) {
      for (let at = 0; at < this.#sums.length; at++) this.#sums[at] = (this.#sums[at] as number) / 2;
      for (let at = 0; at < this.#measures.length; at++) this.#measures[at] = (this.#measures[at] as number) / 2;
    }
    this.#add("strokes", 1);
    this.#add("changes", this.#open[OPEN.changeSum] as number);
    this.#add("speeds", ((this.#open[OPEN.speedSum] as number) * (this.#open[OPEN.speedSum] as number)) / steps);
    this.#add("turning", this.#open[OPEN.turnSum] as number);
    this.#add("turns", this.#open[OPEN.turnCount] as number);
    this.#add("intervalsMs", this.#open[OPEN.intervalSum] as number);
    this.#add("intervals", this.#open[OPEN.intervalCount] as number);
    const taken = this.#memory.take(this.#open[OPEN.pathPx] as number);
    if (taken.isJudged) {
      this.#add("judged", 1);
      this.#add("repeats", taken.repeat);
    }
    if (taken.isComplex) this.#add("complex", 1);
    if (taken.isTwin) this.#add("twins", 1);
    const speeds = ((this.#open[OPEN.speedSum] as number) * (this.#open[OPEN.speedSum] as number)) / steps;
    measureStroke(this.#measured, {
      taken,
      pathPx: this.#open[OPEN.pathPx] as number,
      roughness: Math.sqrt((this.#open[OPEN.changeSum] as number) / speeds),
      turn: (this.#open[OPEN.turnSum] as number) / Math.max(this.#open[OPEN.turnCount] as number, 1),
    });
    for (let at = 0; at < this.#measured.length; at++) {
      const value = this.#measured[at] as number;
      this.#measures[at * 2] = (this.#measures[at * 2] as number) + value;
      this.#measures[at * 2 + 1] = (this.#measures[at * 2 + 1] as number) + value * value;
    }
  }

  #sum(name: Sum): number {
    return this.#sums[sums.indexOf(name)] as number;
  }

  #add(name: Sum, value: number): void {
    const at = sums.indexOf(name);
    this.#sums[at] = (this.#sums[at] as number) + value;
  }

  /** Everything that decides what is measured later. */
  save(): SavedHand {
    const open = Float64Array.of(...this.#open, this.#steps, this.#isOpen ? 1 : 0);
    return { sums: this.#sums.slice(), measures: this.#measures.slice(), open, memory: this.#memory.save() };
  }

  /** Throws `TypeError` for malformed data: then nothing has changed. */
  restore(data: SavedHand): void {
    const { sums: values, measures, open, memory } = checkState(savedHand, data, "hand");
    const [steps = 0, isOpen = 0] = open.subarray(OPEN.size);
    checkLength("sums", values, sums.length);
    checkLength("measures", measures, this.#measures.length);
    checkLength("open", open, OPEN.size + 2);
    this.#memory.restore(memory);
    this.#sums.set(values);
    this.#measures.set(measures);
    this.#open.set(open.subarray(0, OPEN.size));
    this.#steps = steps;
    this.#isOpen = isOpen === 1;
  }

  /** The next record is another session's: no stroke goes on to it. */
  begin(): void {
    this.finish();
    this.#isOpen = false;
  }
}

function checkLength(name: string, { length }: { readonly length: number }, expected: number): void {
  if (length !== expected) throw new TypeError(`hand.${name}: ${length} numbers, expected ${expected}`);
}
