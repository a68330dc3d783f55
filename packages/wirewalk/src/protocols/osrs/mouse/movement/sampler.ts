/**
 * The client's timing around the recorder: pointer movements in, packets out. The clock is an argument.
 *
 * ```ts
 * const sampler = new MouseSampler({ dialect: "client", startMs: 0 });
 * sampler.move(400, 300, 5);
 * sampler.press(mouseButtons.left);
 * sampler.step(60); // => [parseHex("0000 ffff012c0190")]
 * ```
 */
import { CYCLE_MS, mouseRules } from "../wire/dialect.ts";
import { MouseRecorder, type MouseRecorderOptions } from "./recorder.ts";

/** The game's numbers of the buttons (standard 3.1). */
export const mouseButtons = { none: 0, left: 2, right: 8, middle: 14 } as const;

/** Cycles played at most in one step (10 s): a suspended process has no samples of that time. */
const MAX_CYCLES = 500;

export interface MouseSamplerOptions extends MouseRecorderOptions {
  /** When the first client cycle begins. */
  readonly startMs: number;
}

/**
 * Plays client cycles of 20 ms: each latches the pointer, samples it when a sample is due (every 50 ms, in `documented`
 * every cycle), and tests whether to flush.
 */
export class MouseSampler {
  readonly recorder: MouseRecorder;
  /** While false, samples are lost, as in a client that is not logged in. */
  loggedIn = true;
  readonly #sampleMs: number;
  /** A sample's button means that one was pressed now; otherwise it is the last one pressed. */
  readonly #clicks: boolean;
  #cycleMs: number;
  #sampleAtMs: number;
  #x = -1;
  #y = -1;
  #eventMs: number;
  #button: number = mouseButtons.none;
  #pressed = false;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: MouseSamplerOptions) {
    const rules = mouseRules(options.dialect);
    this.recorder = new MouseRecorder(options);
    this.#sampleMs = rules.sampleMs;
    this.#clicks = rules.header === "window";
    this.#cycleMs = options.startMs;
    this.#sampleAtMs = options.startMs;
    this.#eventMs = Math.floor(options.startMs);
  }

  /** The pointer is at this position, in pixels of the window; fractions are cut off. */
  move(x: number, y: number, atMs: number): void {
    this.#x = Math.floor(x);
    this.#y = Math.floor(y);
    this.#eventMs = Math.floor(atMs);
  }

  /** The pointer has left the window. */
  leave(atMs: number): void {
    this.move(-1, -1, atMs);
  }

  /** A button went down: one of `mouseButtons`. */
  press(button: number): void {
    this.#button = button;
    this.#pressed = true;
  }

  /** Plays the cycles that are due. Returns the payloads to send. */
  step(nowMs: number): readonly Uint8Array[] {
    const payloads: Uint8Array[] = [];
    if (nowMs - this.#cycleMs > MAX_CYCLES * CYCLE_MS) {
      this.#cycleMs = nowMs - MAX_CYCLES * CYCLE_MS;
      this.#sampleAtMs = Math.max(this.#sampleAtMs, this.#cycleMs);
    }
    for (; this.#cycleMs <= nowMs; this.#cycleMs += CYCLE_MS) {
      if (this.#sampleAtMs <= this.#cycleMs) {
        const button = this.#clicks && !this.#pressed ? mouseButtons.none : this.#button;
        // In `documented` a position belongs to its cycle, not to its event.
        this.recorder.sample(this.#x, this.#y, this.#clicks ? Math.floor(this.#cycleMs) : this.#eventMs, button);
        this.#sampleAtMs += this.#sampleMs;
      }
      if (this.loggedIn) payloads.push(...this.recorder.cycle(this.#pressed));
      else this.recorder.discard();
      this.#pressed = false;
    }
    return payloads;
  }
}
