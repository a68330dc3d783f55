/** What a process has of memory, and its limits: those of V8's heap, of its control group, and of its address space. */
import { readFileSync } from "node:fs";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { resourceLimits } from "node:worker_threads";
import type { Cancel } from "../net/index.ts";

const MIB = 1024 * 1024;

/** What V8 counts of its limit for the young generation, where nothing else is said. */
const YOUNG_LIMIT_BYTES = 192 * MIB;
/** Spaces that do not count towards the limit of old objects. */
const YOUNG_SPACES: ReadonlySet<string> = new Set(["new_space", "new_large_object_space", "read_only_space"]);

export type MemoryKind = "heap" | "process" | "address-space";

/** One limit, and what is taken of it. */
export interface MemoryUse {
  readonly kind: MemoryKind;
  readonly usedBytes: number;
  readonly limitBytes: number;
}

/** The memory of a process. */
export interface MemorySources {
  /** Each limit that there is. Garbage is counted as used. */
  uses(): readonly MemoryUse[];
  /** Collects all garbage. The process stands still meanwhile. */
  collect(): void;
  /** Calls after each whole collection of V8's own, with the time that it took. */
  onCollected(call: (durationMs: number) => void): Cancel;
}

/** What Node says of a collection. */
interface CollectionEntry {
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

/** The memory of this process, and of V8 in this thread. */
export function processMemory(): MemorySources {
  const heapLimit = oldSpaceLimit();
  const addressLimit = addressSpaceLimit();
  const groupLimit = process.constrainedMemory();
  return {
    uses: () => [
      { kind: "heap", usedBytes: oldSpaceUsed(), limitBytes: heapLimit },
      // Without a limit it is a number that no machine has.
      ...(groupLimit > 0 && groupLimit < Number.MAX_SAFE_INTEGER
        ? [{ kind: "process", usedBytes: process.memoryUsage.rss(), limitBytes: groupLimit } as const]
        : []),
      ...(addressLimit === undefined
        ? []
        : [{ kind: "address-space", usedBytes: addressSpaceUsed(), limitBytes: addressLimit } as const]),
    ],
    collect: collectGarbage,
    onCollected(call) {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { duration, detail } = entry as unknown as CollectionEntry;
          if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) call(duration);
        }
      });
      observer.observe({ entryTypes: ["gc"] });
      return () => observer.disconnect();
    },
  };
}

let collector: ((options: object) => void) | undefined;

/** A collection as before the end of all memory: free pages go back to the system. It stops the process for some 50 ms. */
export function collectGarbage(): void {
  if (collector === undefined) {
    // Contexts that are made while the flag is set have the function, this one has not.
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as (options: object) => void;
    setFlagsFromString("--no-expose-gc");
  }
  collector({ type: "major", flavor: "last-resort" });
}

function oldSpaceUsed(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !YOUNG_SPACES.has(name))
    .reduce((sum, { space_used_size: used }) => sum + used, 0);
}

/** The most that old objects may take: V8 says it only together with the young ones. */
function oldSpaceLimit(): number {
  const { maxOldGenerationSizeMb } = resourceLimits;
  if (maxOldGenerationSizeMb !== undefined && maxOldGenerationSizeMb > 0) return maxOldGenerationSizeMb * MIB;
  const given = [process.env.NODE_OPTIONS ?? "", ...process.execArgv].join(" ");
  const sizes = [...given.matchAll(/--max[-_]old[-_]space[-_]size[= ](\d+)/g)];
  const size = sizes.at(-1)?.[1];
  if (size !== undefined) return Number(size) * MIB;
  const { heap_size_limit: limit } = getHeapStatistics();
  return Math.max(limit / 2, limit - YOUNG_LIMIT_BYTES);
}

/** Undefined where the system has no such limit, or does not say. */
function addressSpaceLimit(): number | undefined {
  try {
    const limit = /^Max address space +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

function addressSpaceUsed(): number {
  return Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? 0) * 1024;
}
