/** The errors of the last seconds as a line: each power of ten as high as the next, or millimetres would not be seen. */
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { AGREEMENT_MS, type AgreementSample } from "../play/agreement.ts";

/** From a tenth of a millimetre to ten metres. */
const LOWEST = 0.0001;
const HIGHEST = 10;

/** Lines behind, in metres. */
const marks: readonly (readonly [metres: number, words: string])[] = [
  [0.001, "1 mm"],
  [0.1, "step"],
];

/** How high an error stands, 0 to 1. */
export function errorHeight(metres: number): number {
  const share = Math.log10(Math.max(LOWEST, metres) / LOWEST) / Math.log10(HIGHEST / LOWEST);
  return Math.min(1, share);
}

export interface ChartColours {
  readonly line: string;
  readonly corrected: string;
  readonly grid: string;
  readonly words: string;
}

export function drawErrors(
  { context, width, height }: FittedCanvas,
  samples: readonly AgreementSample[],
  nowMs: number,
  colours: ChartColours,
): void {
  const x = (atMs: number): number => width - ((nowMs - atMs) / AGREEMENT_MS) * width;
  const y = (metres: number): number => height - 2 - errorHeight(metres) * (height - 4);
  context.clearRect(0, 0, width, height);
  context.font = "9px system-ui, sans-serif";
  context.textBaseline = "bottom";
  context.fillStyle = colours.words;
  context.strokeStyle = colours.grid;
  context.lineWidth = 1;
  for (const [metres, words] of marks) {
    const level = Math.round(y(metres)) + 0.5;
    context.beginPath();
    context.moveTo(0, level);
    context.lineTo(width, level);
    context.stroke();
    context.fillText(words, 1, level);
  }
  context.beginPath();
  for (const { atMs, error } of samples) context.lineTo(x(atMs), y(error));
  context.strokeStyle = colours.line;
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.stroke();
  context.fillStyle = colours.corrected;
  for (const { atMs, error, corrected } of samples) {
    if (!corrected) continue;
    context.beginPath();
    context.arc(x(atMs), y(error), 2, 0, 2 * Math.PI);
    context.fill();
  }
}
