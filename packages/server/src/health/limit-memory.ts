/**
 * **Memory that V8 keeps.** What a server's objects take is a small part of what its process takes. Measured with 2,000 clients
 * that send 10 messages a second each: 27 MiB of objects in use, RSS 284 MiB, and 284 MiB still when all had left.
 *
 * - The **young generation**, where new objects are made, is doubled whenever enough of them survive, up to 128 MiB on a
 *   machine with much memory. With 16 MiB the same server takes 181 MiB, and a delivery costs as much time.
 * - Pages of the heap that are free again are kept for later. Only a collection as before the end of all memory gives them back to the
 *   system: 181 → 125 MiB. It stops the process for some 50 ms, so it runs when most clients have left.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import type { Cancel, Clock } from "wirewalk/net";
import { collectGarbage } from "wirewalk/node";

/** The young generation grows no more from here on. A smaller one costs time: objects that are about to die are copied too. */
const YOUNG_BYTES = 16 * 1024 * 1024;
const LOOK_MS = 1_000;
/** Fewer sessions than this leave little behind. */
const CROWD = 100;
/** The part of the most sessions that there were, from which on most have left. */
const FEW_SHARE = 0.1;
/** So long they must have been away: others may come in their place. */
const AWAY_MS = 10_000;

/** What is changed of a process. */
export interface HeapControl {
  /** Size of the young generation. */
  youngBytes(): number;
  mayGrow(may: boolean): void;
  /** Gives free pages back to the system. */
  release(): void;
}

/**
 * Keeps the memory of this process small, as far as V8's settings do; `sessions` is how many there are now. The settings are
 * those of the whole process, so it is for the program that runs the server. Call what it gives to stop.
 *
 * ```ts
 * const server = await startServer({ http: 7400, listeners: [{ protocol: slimeOnline2, port: 5555 }] });
 * const stop = limitMemory(systemClock, () => server.stats().sessions);
 * ```
 */
export function limitMemory(clock: Clock, sessions: () => number, heap: HeapControl = processHeap()): Cancel {
  let mayGrow = true;
  let most = 0;
  let awayMs: number | undefined;
  const look = (): void => {
    // V8 makes it smaller in a process that has nothing to do: it must be able to grow again.
    const isSmall = heap.youngBytes() < YOUNG_BYTES;
    if (mayGrow !== isSmall) {
      mayGrow = isSmall;
      heap.mayGrow(mayGrow);
    }
    const count = sessions();
    most = Math.max(most, count);
    if (most < CROWD || count > most * FEW_SHARE) {
      awayMs = undefined;
      return;
    }
    awayMs ??= clock.now();
    if (clock.now() - awayMs < AWAY_MS) return;
    heap.release();
    most = count;
    awayMs = undefined;
  };
  look();
  const cancel = clock.every(LOOK_MS, look);
  return () => {
    cancel();
    heap.mayGrow(true);
  };
}

function processHeap(): HeapControl {
  return {
    youngBytes: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0,
    mayGrow: (may) => setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`),
    release: collectGarbage,
  };
}
