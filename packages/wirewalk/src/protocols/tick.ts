/** The longest tick that an installation may choose. */
export const MAX_TICK_MS = 60_000;

/** Throws `RangeError` unless this is a length of ticks that an installation may choose: 1 to {@link MAX_TICK_MS} ms. */
export function checkTickMs(tickMs: number): void {
  if (Number.isInteger(tickMs) && tickMs >= 1 && tickMs <= MAX_TICK_MS) return;
  throw new RangeError(`tickMs must be a whole number from 1 to ${MAX_TICK_MS}, got ${tickMs}`);
}

/** A game whose tick an installation may choose, by `WorldOptions.tickMs`. Capability `tick` of a `Protocol`. */
export interface TickChoice {
  /** Milliseconds between two ticks of the game. */
  readonly defaultMs: number;
}
