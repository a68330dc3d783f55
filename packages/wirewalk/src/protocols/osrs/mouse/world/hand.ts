/**
 * What a session's strokes say of the hand behind them, in running sums and in a memory of shapes. It takes under 8 KiB and allocates
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
 * **Repeats**: strokes whose shape an earlier one had, whatever its place, direction, size and handedness. Shapes that two arcs
 * describe do not count: all hands make them.
 */
import { angleOf, sineOf } from "../../../world-kit/exact-math.ts";
import { checkState, type StateOf, state, typedArray } from "../../../world-kit/index.ts";
import type { MousePoint } from "../movement/tracker.ts";
import { REST_MS } from "./stroke.ts";

/** Strokes with fewer samples, or a shorter path, are no evidence. */
const MIN_STEPS = 3;
const MIN_PX = 20;
/** Between two samples that far apart the direction is known to a third of a radian. */
const TURN_PX = 3;
/** Strokes that count: those before have half the weight each time that there are as many again. */
const HORIZON = 128;
/** Points of one stroke whose shape is remembered: 12.8 s of movement. */
const MAX_POINTS = 256;
/** Shapes that are remembered: the last minutes of play. */
const SHAPES = 96;
/** Points between its ends that a shape is reduced to; each is two bytes. */
const SHAPE_POINTS = 8;
const SHAPE_BYTES = SHAPE_POINTS * 2;
/** A shape's unit: its path has this length. */
const UNIT = 127;
/** A shorter path is too few pixels to have a shape. */
const SHAPE_PX = 80;
/** Nor have fewer points: two or three corners are alike by chance. */
const LEAST_POINTS = 8;
/** The chord gives a shape its direction: one that ends near its start has none. */
const MIN_CHORD_SHARE = 0.3;
/** A shape differs from two arcs by at least this, root mean square in units. */
const LEAST_COMPLEXITY = 1.4;
/** Two strokes have one shape when no coordinate differs by more than this, and all of them by at most a share of the complexity. */
const TWIN_UNITS = 2;
const TWIN_SHARE = 0.4;

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
] as const;
type Sum = (typeof sums)[number];

export const savedHand = state({
  sums: typedArray("Float64Array"),
  /** The remembered shapes, the oldest first. */
  shapes: typedArray("Int8Array"),
  /** The open stroke: its numbers, how many points and steps it has, and whether a record may go on from the last one. */
  open: typedArray("Float64Array"),
  /** Its points, x and y in turn. */
  path: typedArray("Int32Array"),
});
export type SavedHand = StateOf<typeof savedHand>;

/** The evidence of one session. */
export class HandEvidence {
  readonly #sampleMs: number;
  readonly #sums = new Float64Array(sums.length);
  readonly #shapes = new Int8Array(SHAPES * SHAPE_BYTES);
  readonly #shape = new Int8Array(SHAPE_BYTES);
  /** Shapes ever taken: the next goes to this place, modulo the memory. */
  #taken = 0;

  /** The open stroke: its points and its steps. */
  readonly #xs = new Int32Array(MAX_POINTS);
  readonly #ys = new Int32Array(MAX_POINTS);
  #points = 0;
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

  #keep(x: number, y: number): void {
    if (this.#points < MAX_POINTS) {
      this.#xs[this.#points] = x;
      this.#ys[this.#points] = y;
    }
    this.#points += 1;
  }

  /** Takes the record itself: a fraction that is an argument is a new object. */
  #step({ x, y, sinceMs }: MousePoint): void {
    const rested = sinceMs >= REST_MS;
    const ms = rested ? this.#sampleMs : Math.max(sinceMs, 1);
    if (this.#points === 0) this.#keep(this.#open[OPEN.x] as number, this.#open[OPEN.y] as number);
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
    this.#keep(x, y);
  }

  /** Ends the open stroke. */
  finish(): void {
    const steps = this.#steps;
    if (steps >= MIN_STEPS && (this.#open[OPEN.pathPx] as number) >= MIN_PX) this.#count(steps);
    this.#points = 0;
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
    }
    this.#add("strokes", 1);
    this.#add("changes", this.#open[OPEN.changeSum] as number);
    this.#add("speeds", ((this.#open[OPEN.speedSum] as number) * (this.#open[OPEN.speedSum] as number)) / steps);
    this.#add("turning", this.#open[OPEN.turnSum] as number);
    this.#add("turns", this.#open[OPEN.turnCount] as number);
    this.#add("intervalsMs", this.#open[OPEN.intervalSum] as number);
    this.#add("intervals", this.#open[OPEN.intervalCount] as number);
    const complexity = this.#measureShape();
    if (complexity < LEAST_COMPLEXITY) return;
    this.#add("complex", 1);
    if (this.#hasTwin(SHAPE_BYTES * (TWIN_SHARE * complexity) ** 2)) this.#add("twins", 1);
    this.#shapes.set(this.#shape, (this.#taken % SHAPES) * SHAPE_BYTES);
    this.#taken += 1;
  }

  /**
   * Fills `#shape` and returns how far it is from two arcs; 0 where the stroke has no shape. The shape is what is left when place, direction,
   * size and handedness are taken away: points evenly along the path, along and across the line between its ends, by the path.
   */
  #measureShape(): number {
    const count = this.#points;
    if (count < LEAST_POINTS || count > MAX_POINTS || (this.#open[OPEN.pathPx] as number) < SHAPE_PX) return 0;
    const xs = this.#xs;
    const ys = this.#ys;
    const [x0, y0] = [xs[0] as number, ys[0] as number];
    const cx = (xs[count - 1] as number) - x0;
    const cy = (ys[count - 1] as number) - y0;
    const chord = Math.sqrt(cx * cx + cy * cy);
    if (chord < (this.#open[OPEN.pathPx] as number) * MIN_CHORD_SHARE) return 0;
    const scale = UNIT / ((this.#open[OPEN.pathPx] as number) * chord);
    let at = 0;
    let walkedPx = 0;
    let segmentPx = this.#segment(0);
    let arc = 0;
    let wave = 0;
    let squares = 0;
    let largest = 0;
    for (let step = 0; step < SHAPE_POINTS; step++) {
      const wantedPx = ((this.#open[OPEN.pathPx] as number) * (step + 1)) / (SHAPE_POINTS + 1);
      while (at < count - 2 && walkedPx + segmentPx < wantedPx) {
        walkedPx += segmentPx;
        at += 1;
        segmentPx = this.#segment(at);
      }
      const share = segmentPx === 0 ? 0 : Math.min((wantedPx - walkedPx) / segmentPx, 1);
      const dx = (xs[at] as number) + ((xs[at + 1] as number) - (xs[at] as number)) * share - x0;
      const dy = (ys[at] as number) + ((ys[at + 1] as number) - (ys[at] as number)) * share - y0;
      const across = (dy * cx - dx * cy) * scale;
      this.#shape[step * 2] = Math.round((dx * cx + dy * cy) * scale);
      this.#shape[step * 2 + 1] = Math.round(across);
      if (Math.abs(across) > Math.abs(largest)) largest = across;
      arc += across * (BOWS[step] as number);
      wave += across * (WAVES[step] as number);
      squares += across * across;
    }
    if (largest < 0) {
      for (let step = 0; step < SHAPE_POINTS; step++)
        this.#shape[step * 2 + 1] = -(this.#shape[step * 2 + 1] as number);
    }
    // Sines at these points are orthogonal, and the square of each sums to half of one more than their number.
    const simple = (arc * arc + wave * wave) / ((SHAPE_POINTS + 1) / 2);
    return Math.sqrt(Math.max(squares - simple, 0) / SHAPE_POINTS);
  }

  #segment(at: number): number {
    const dx = (this.#xs[at + 1] as number) - (this.#xs[at] as number);
    const dy = (this.#ys[at + 1] as number) - (this.#ys[at] as number);
    return Math.sqrt(dx * dx + dy * dy);
  }

  /** `mostSquares`: the squares of all differences together. */
  #hasTwin(mostSquares: number): boolean {
    const shape = this.#shape;
    const shapes = this.#shapes;
    const end = Math.min(this.#taken, SHAPES) * SHAPE_BYTES;
    for (let from = 0; from < end; from += SHAPE_BYTES) {
      let at = 0;
      let squares = 0;
      for (; at < SHAPE_BYTES; at++) {
        const difference = (shapes[from + at] as number) - (shape[at] as number);
        squares += difference * difference;
        if (difference > TWIN_UNITS || difference < -TWIN_UNITS || squares > mostSquares) break;
      }
      if (at === SHAPE_BYTES) return true;
    }
    return false;
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
    const kept = Math.min(this.#taken, SHAPES);
    const shapes = new Int8Array(kept * SHAPE_BYTES);
    const first = this.#taken - kept;
    for (let shape = 0; shape < kept; shape++) {
      const from = ((first + shape) % SHAPES) * SHAPE_BYTES;
      shapes.set(this.#shapes.subarray(from, from + SHAPE_BYTES), shape * SHAPE_BYTES);
    }
    const path = new Int32Array(Math.min(this.#points, MAX_POINTS) * 2);
    for (let point = 0; point < path.length / 2; point++) {
      path[point * 2] = this.#xs[point] as number;
      path[point * 2 + 1] = this.#ys[point] as number;
    }
    const open = Float64Array.of(...this.#open, this.#points, this.#steps, this.#isOpen ? 1 : 0);
    return { sums: this.#sums.slice(), shapes, open, path };
  }

  /** Throws `TypeError` for malformed data: then nothing has changed. */
  restore(data: SavedHand): void {
    const { sums: values, shapes, open, path } = checkState(savedHand, data, "hand");
    const [points = 0, steps = 0, isOpen = 0] = open.subarray(OPEN.size);
    checkLength("sums", values, sums.length);
    checkLength("open", open, OPEN.size + 3);
    checkLength("path", path, Math.min(points, MAX_POINTS) * 2);
    if (shapes.length % SHAPE_BYTES !== 0 || shapes.length > this.#shapes.length) {
      throw new TypeError(`hand.shapes: ${shapes.length} bytes, expected at most ${SHAPES} x ${SHAPE_BYTES}`);
    }
    this.#sums.set(values);
    this.#shapes.set(shapes);
    this.#taken = shapes.length / SHAPE_BYTES;
    this.#open.set(open.subarray(0, OPEN.size));
    this.#points = points;
    this.#steps = steps;
    this.#isOpen = isOpen === 1;
    for (let point = 0; point < path.length / 2; point++) {
      this.#xs[point] = path[point * 2] as number;
      this.#ys[point] = path[point * 2 + 1] as number;
    }
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

/** What is taken off a shape before it counts as one of its own: an arc to one side, and one to each side. */
const [BOWS, WAVES] = [1, 2].map((halves) =>
  Float64Array.from({ length: SHAPE_POINTS }, (_, step) =>
    sineOf((Math.PI * halves * (step + 1)) / (SHAPE_POINTS + 1)),
  ),
) as [Float64Array, Float64Array];
