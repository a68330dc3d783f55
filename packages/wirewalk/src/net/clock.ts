/** A **clock** as a port: what needs time asks for one, and a simulation gives its own. */

/** Takes a planned call back; harmless when it already happened. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since some moment, never running backwards. */
  now(): number;
  /** Calls once, `delayMs` from now. */
  after(delayMs: number, call: () => void): Cancel;
  /** Calls again and again, every `periodMs`; late calls are not made up for. */
  every(periodMs: number, call: () => void): Cancel;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
  every(periodMs, call) {
    const timer = setInterval(call, periodMs);
    return () => clearInterval(timer);
  },
};
