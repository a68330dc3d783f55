/** Relays on a virtual clock. They read beside the path by it, so a test that waits for them moves it on. */
import type { VirtualClock } from "wirewalk/net";
import { until } from "../../testing/clients.ts";
import type { RunningRelay } from "../relay.ts";

/** Waits until something is so. Throws when it never is. */
export type Reached = (what: string, isSo: () => boolean) => Promise<void>;

/** Waits while the clock moves on. */
export function reachedBy(clock: VirtualClock): Reached {
  return (what, isSo) =>
    until(what, () => {
      clock.advanceBy(1);
      return isSo();
    });
}

/** Resolves when the relays have reported all that passed. */
export async function closeRelays(relays: readonly RunningRelay[], reached: Reached): Promise<void> {
  let isClosed = false;
  const closing = Promise.all(relays.map((relay) => relay.close())).then(() => {
    isClosed = true;
  });
  await reached("the relays are closed", () => isClosed);
  await closing;
}
