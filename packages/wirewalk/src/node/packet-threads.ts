/** Threads for the player-info engine. */
import { Worker } from "node:worker_threads";
import { sharedCoreModule } from "./shared-core-module.ts";

/** The sources in the workspace, before any build, else the build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
const MAX_THREADS = 16;

/** What a thread is to do: as `PacketThreadTask` of `wirewalk/osrs/player-info`, which has the words. */
export interface PacketThreadWork {
  readonly module: object;
  readonly memory: object;
  readonly workArea: number;
  onEnd(): void;
}

/** Threads of Node, as the option `threads` of `PlayerInfoEngine` takes them. */
export interface NodePacketThreads {
  readonly count: number;
  readonly module: object;
  start(work: PacketThreadWork): { stop(): void };
}

declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

let compiled: object | undefined;

/**
 * Threads that make the packets of a `PlayerInfoEngine` together: `count` of them, the caller's included. An engine starts `count - 1`
 * workers, which sleep between ticks and keep no process alive. Throws `RangeError` unless `count` is an integer in 2..16.
 *
 * ```ts
 * const engine = new PlayerInfoEngine({ dialect: "client", threads: packetThreads(2) });
 * engine.tick();
 * engine.close();
 * ```
 */
export function packetThreads(count: number): NodePacketThreads {
  if (!(Number.isInteger(count) && count >= 2 && count <= MAX_THREADS)) {
    throw new RangeError(`count must be an integer in 2..${MAX_THREADS}, got ${count}`);
  }
  return {
    count,
    get module() {
      compiled ??= new WebAssembly.Module(Buffer.from(sharedCoreModule, "base64"));
      return compiled;
    },
    start({ module, memory, workArea, onEnd }) {
      const worker = new Worker(new URL(`./packet-thread${extension}`, import.meta.url), {
        workerData: { module, memory, workArea },
        execArgv: [],
        // It runs WebAssembly alone.
        resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
      });
      // Without a listener the process would end. The end of the thread follows.
      worker.once("error", () => {});
      worker.once("exit", onEnd);
      worker.unref();
      return {
        stop() {
          void worker.terminate();
        },
      };
    },
  };
}
