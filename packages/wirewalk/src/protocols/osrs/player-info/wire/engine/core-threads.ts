/** The threads that help a core. */

import type { PacketThread, PacketThreads } from "../../../../packet-threads.ts";
import type { SharedCoreExports } from "./core-exports.ts";

/** Memory for the work area of a thread: it takes 930 kB, most of it for crowds. */
export const WORK_AREA_BYTES = 1 << 20;

export class CoreThreads {
  readonly #threads: PacketThread[] = [];
  readonly #exports: SharedCoreExports;
  /** How many have not ended. */
  #alive = 0;

  /** Starts the threads. Their work areas begin at `workAt` in `memory`. */
  constructor(threads: PacketThreads, memory: object, workAt: number, exports: SharedCoreExports) {
    if (exports.workBytes.value > WORK_AREA_BYTES) throw new Error("The work areas are too small");
    this.#exports = exports;
    const { module, patienceMs } = threads;
    if (patienceMs !== undefined) exports.setPatience(patienceMs);
    for (let thread = 0; thread < threads.count - 1; thread++) {
      let hasEnded = false;
      const onEnd = (): void => {
        if (!hasEnded) this.#end();
        hasEnded = true;
      };
      this.#alive++;
      try {
        this.#threads.push(threads.start({ module, memory, workArea: workAt + thread * WORK_AREA_BYTES, onEnd }));
      } catch {
        onEnd();
      }
    }
  }

  #end(): void {
    this.#alive--;
    if (this.#alive === 0) this.#exports.endHelp();
  }

  /** How many help at present. */
  get helping(): number {
    return Math.min(this.#alive, this.#exports.helpers());
  }

  close(): void {
    this.#exports.endHelp();
    for (const thread of this.#threads) thread.stop();
    this.#threads.length = 0;
  }
}
