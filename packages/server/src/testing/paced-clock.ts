/** A clock for tests over real sockets that passes faster than real time, and stands still while the process does. */
import { type Clock, VirtualClock } from "wirewalk/net";

/**
 * The most that passes in a turn of the event loop. By a clock that ran on while the process stood still, half a second at 20 x would
 * be 10 s, after which a server disconnects clients that have not logged in.
 */
const MAX_TURN_MS = 200;

export interface PacedClock {
  readonly clock: Clock;
  stop(): void;
}

/** `haste` times as fast as real time. */
export function pacedClock(haste: number): PacedClock {
  const clock = new VirtualClock();
  let turnMs = performance.now();
  const pump = setInterval(() => {
    const nowMs = performance.now();
    clock.advanceBy(Math.min((nowMs - turnMs) * haste, MAX_TURN_MS));
    turnMs = nowMs;
  }, 1);
  return { clock, stop: () => clearInterval(pump) };
}
