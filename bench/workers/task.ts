/** Messages between the benchmark of worker threads and its server. */
import { threadNs } from "../harness.ts";

export const MAX_THREADS = 8;

export interface WorkersTask {
  /** Worker threads; 0: the worlds are on the main thread. */
  readonly workers: number;
  /** Of each world. */
  readonly sockets: number;
}

export interface WorkersReady {
  readonly tcpPorts: readonly number[];
  readonly webSocketPort: number;
  /** By world. */
  readonly paths: readonly string[];
}

/** Processor time so far. */
export interface ThreadReading {
  /** Milliseconds of the clock that all processes share. */
  readonly atMs: number;
  /** Microseconds: the main thread, then the workers. */
  readonly threadsUs: readonly number[];
}

/** Microseconds of the processor that this thread took. */
export function threadUs(): number {
  return threadNs() / 1000;
}
