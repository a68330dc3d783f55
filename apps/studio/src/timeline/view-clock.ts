/** The time that the page looks at: now, a moment that is held, or what was kept, played again. Pure: the caller gives the time. */
import { type ReadonlySignal, signal } from "@preact/signals";

export type Viewing =
  | { readonly state: "live" }
  | { readonly state: "held" }
  | { readonly state: "playing"; readonly speed: number };

export const speeds: readonly number[] = [0.25, 0.5, 1, 2, 4];

export class ViewClock {
  readonly #viewing = signal<Viewing>({ state: "live" });
  /** The moment that was looked at, at `#sinceMs`. */
  #atMs = 0;
  #sinceMs = 0;

  get viewing(): ReadonlySignal<Viewing> {
    return this.#viewing;
  }

  get isLive(): boolean {
    return this.#viewing.peek().state === "live";
  }

  /** The moment to show. Playing ends in the present. */
  at(nowMs: number): number {
    const viewing = this.#viewing.peek();
    if (viewing.state === "live") return nowMs;
    if (viewing.state === "held") return this.#atMs;
    const atMs = this.#atMs + (nowMs - this.#sinceMs) * viewing.speed;
    if (atMs < nowMs) return atMs;
    this.live();
    return nowMs;
  }

  /** Shows one moment, as long as nothing else is asked for. */
  hold(atMs: number): void {
    this.#atMs = atMs;
    this.#viewing.value = { state: "held" };
  }

  /** Goes on from the moment that is shown. */
  play(speed: number, nowMs: number): void {
    this.#atMs = this.at(nowMs);
    this.#sinceMs = nowMs;
    if (this.#atMs < nowMs || speed < 1) this.#viewing.value = { state: "playing", speed };
  }

  live(): void {
    this.#viewing.value = { state: "live" };
  }
}
