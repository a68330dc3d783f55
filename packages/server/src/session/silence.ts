/** How long a connection has sent nothing valid. */
import type { Stalls } from "../runtime/stalls.ts";

/**
 * In a process that is always late fair time hardly passes, and it may be the silent connections that keep it so. So after
 * this many limits of real time a silence is over too…
 */
const REAL_LIMITS = 2;
/** …if the process has looked so often meanwhile: it reads between two looks, so nothing that was sent is unread. */
const MIN_LOOKS = 20;

export class Silence {
  readonly #stalls: Pick<Stalls, "now" | "fairNow">;
  #sinceMs = 0;
  #sinceFairMs = 0;
  #looks = 0;

  constructor(stalls: Pick<Stalls, "now" | "fairNow">) {
    this.#stalls = stalls;
    this.restart();
  }

  restart(): void {
    this.#sinceMs = this.#stalls.now();
    this.#sinceFairMs = this.#stalls.fairNow();
    this.#looks = 0;
  }

  /** Whether it has lasted longer than the limit. Call it at least once a second. */
  exceeds(limitMs: number): boolean {
    this.#looks += 1;
    if (this.#stalls.fairNow() - this.#sinceFairMs > limitMs) return true;
    return this.#looks >= MIN_LOOKS && this.#stalls.now() - this.#sinceMs > REAL_LIMITS * limitMs;
  }
}
