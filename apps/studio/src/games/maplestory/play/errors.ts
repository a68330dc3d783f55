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
  const sorted = Float64Array.from(px).sort();
  const meanPx = sorted.reduce((sum, error) => sum + error, 0) / sorted.length;
  return { count: sorted.length, meanPx, p95Px: sorted[Math.floor(sorted.length * 0.95)] ?? 0 };
}
