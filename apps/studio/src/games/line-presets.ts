/** Lines to choose from, by name. */
import { type BadLineSettings, goodLine } from "./bad-line.ts";

export interface LinePreset {
  readonly name: string;
  readonly settings: BadLineSettings;
}

export const linePresets: readonly LinePreset[] = [
  { name: "As it is", settings: goodLine },
  { name: "Far", settings: { ...goodLine, latencyMs: 120, jitterMs: 10 } },
  { name: "Mobile", settings: { ...goodLine, latencyMs: 60, jitterMs: 80, loss: 0.02, stallMs: 600 } },
  {
    name: "Bad",
    settings: { ...goodLine, latencyMs: 60, jitterMs: 200, loss: 0.1, stallMs: 1_200, bytesPerSecond: 4_000 },
  },
];

/** The one that settings are of, whatever their seed; undefined for others. */
export function presetOf(settings: BadLineSettings): LinePreset | undefined {
  return linePresets.find(
    ({ settings: of }) => JSON.stringify({ ...of, seed: settings.seed }) === JSON.stringify(settings),
  );
}
