/** A **clock** as a port: code that needs time takes one as an argument, and a simulation gives its own. */

/** Cancels a planned call. Nothing happens when it was already made. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since an arbitrary moment; never decreases. */
  now(): number;
  /** Calls once, `delayMs` from now. */
  after(delayMs: number, call: () => void): Cancel;
  /** Calls every `periodMs`; late calls are not repeated. */
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
