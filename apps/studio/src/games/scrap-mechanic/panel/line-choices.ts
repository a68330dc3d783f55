/** Lines to choose from, before one moves the sliders. */
import { type LineSettings, perfectLine } from "../play/worse-network.ts";

export interface LineChoice {
  readonly name: string;
  readonly summary: string;
  readonly settings: LineSettings;
}

export const lineChoices: readonly LineChoice[] = [
  { name: "As it is", summary: "Nothing is added", settings: perfectLine },
  {
    name: "Far",
    summary: "The other side of the world: 120 ms each way",
    settings: { ...perfectLine, delayMs: 120, jitterMs: 10 },
  },
  {
    name: "Bad",
    summary: "5 % lost in bursts, up to 200 ms of jitter",
    settings: { ...perfectLine, delayMs: 40, jitterMs: 200, loss: 0.05 },
  },
];
