/** The distance of ghosts from the truth over the last seconds. Pure. */

/** Mean and 95th percentile, pixels; undefined while nothing was compared. */
export interface ErrorSummary {
  readonly count: number;
  readonly meanPx: number;
  readonly p95Px: number;
}

interface Sample {
  readonly atMs: number;
  /** By policy. */
  readonly px: readonly number[];
}

/** Samples at most: 60 actors, 11 a second, for ten seconds. With more actors the window is shorter. */
const MAX_SAMPLES = 8_000;

/** The errors of several policies, sampled together. */
export class ErrorWindow {
  readonly #windowMs: number;
  #samples: Sample[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(atMs: number, px: readonly number[]): void {
    this.#samples.push({ atMs, px });
  }

  clear(): void {
    this.#samples = [];
  }

  /** The samples of the window that ends at `atMs`, by policy. */
  summaries(atMs: number, policies: number): readonly (ErrorSummary | undefined)[] {
    this.#samples = this.#samples.filter((sample) => sample.atMs > atMs - this.#windowMs).slice(-MAX_SAMPLES);
    return Array.from({ length: policies }, (_, policy) => summarize(this.#samples.map(({ px }) => px[policy] ?? 0)));
  }
}

/** Undefined for no errors. */
export function summarize(px: readonly number[]): ErrorSummary | undefined {
  if (px.length === 0) return undefined;
  const values = Float64Array.from(px);
  let sum = 0;
  for (const value of values) sum += value;
  const place = Math.floor(values.length * 0.95);
  return { count: values.length, meanPx: sum / values.length, p95Px: select(values, place) };
}

/** What would be at a place if the values were sorted. Sorting a crowd's took 20 ms, which a frame does not have; this takes 1. */
function select(values: Float64Array, place: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left++;
      while ((values[right] ?? 0) > pivot) right--;
      if (left > right) break;
      [values[left], values[right]] = [values[right] ?? 0, values[left] ?? 0];
      left++;
      right--;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else break;
  }
  return values[place] ?? 0;
}
