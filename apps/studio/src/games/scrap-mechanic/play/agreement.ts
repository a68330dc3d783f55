/** How well the own prediction and the server agree: the numbers of the last ten seconds. */
import type { Reconciliation } from "wirewalk/motion";
import { movementModel, TICK_MS } from "wirewalk/scrap-mechanic/movement";

/** How far one walks in a tick, in metres: what an error is measured against. */
export const STEP_METRES = (movementModel.walkSpeed * TICK_MS) / 1000;

/** How far back the numbers go. */
export const AGREEMENT_MS = 10_000;

/** Words of the server within that time, and some more for a burst after a stall. */
const MAX_SAMPLES = 600;

/** What one word of the server said of the prediction, in metres. */
export interface AgreementSample {
  readonly atMs: number;
  /** How far off the prediction of that tick was. */
  readonly error: number;
  /** How far off it is now, after the correction if there was one. */
  readonly left: number;
  readonly corrected: boolean;
}

/** The last ten seconds, in metres. */
export interface AgreementSummary {
  /** Words of the server. */
  readonly reports: number;
  readonly corrected: number;
  /** The last error. */
  readonly error: number;
  readonly worst: number;
  /** The worst that was left after reconciliation. */
  readonly left: number;
  /** Oldest first. */
  readonly samples: readonly AgreementSample[];
}

export class Agreement {
  readonly #samples: AgreementSample[] = [];

  /** What came of a word of the server; an old one says nothing. */
  add({ outcome, error }: Reconciliation, left: number, atMs: number): void {
    if (outcome === "old") return;
    this.#samples.push({ atMs, error, left, corrected: outcome !== "agreed" });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }

  summary(nowMs: number): AgreementSummary {
    while (this.#samples[0] !== undefined && nowMs - this.#samples[0].atMs > AGREEMENT_MS) this.#samples.shift();
    const samples = this.#samples;
    return {
      reports: samples.length,
      corrected: samples.filter(({ corrected }) => corrected).length,
      error: samples.at(-1)?.error ?? 0,
      worst: samples.reduce((most, { error }) => Math.max(most, error), 0),
      left: samples.reduce((most, { left }) => Math.max(most, left), 0),
      samples: samples.slice(),
    };
  }
}

/** Metres in words: `0 mm`, `0.04 mm`, `12 mm`, `1.2 m`. */
export function showLength(metres: number): string {
  const mm = metres * 1000;
  if (mm >= 1000) return `${metres.toFixed(metres < 10 ? 1 : 0)} m`;
  if (mm >= 10 || mm === 0) return `${Math.round(mm)} mm`;
  return mm < 0.005 ? "0 mm" : `${mm.toFixed(mm < 1 ? 2 : 1)} mm`;
}

/** Metres as a share of a walking step: `0 %`, `0.4 %`, `120 %`. */
export function showStepShare(metres: number): string {
  const percent = (metres / STEP_METRES) * 100;
  return `${percent >= 10 || percent < 0.005 ? Math.round(percent) : Number(percent.toFixed(percent < 1 ? 2 : 1))} %`;
}
