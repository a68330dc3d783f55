/** The port of a world to the threads of its platform. Node's are `packetThreads` of `wirewalk/node`; a page has none: it may not wait for one. */

/** What a thread is to do. */
export interface PacketThreadTask {
  /** A `WebAssembly.Module` and a shared `WebAssembly.Memory`: the thread makes an instance, which imports the memory as `env.memory`, */
  readonly module: object;
  readonly memory: object;
  /** and calls its export `serve` with this number. The call returns when the world or engine is closed. */
  readonly workArea: number;
  /** Called once the thread has ended or could not be started. */
  onEnd(): void;
}

export interface PacketThread {
  /** Ends the thread, whatever it does. */
  stop(): void;
}

/** Threads that make the packets of a tick together. */
export interface PacketThreads {
  /** With that of the caller: 2..16. */
  readonly count: number;
  /** The core of player info for shared memory, a `WebAssembly.Module`. */
  readonly module: object;
  /** After so many milliseconds in the middle of a tick a thread that does not answer counts as dead. Default 10,000. */
  readonly patienceMs?: number;
  /** Starts a thread. It keeps no process alive. */
  start(task: PacketThreadTask): PacketThread;
}

/** A game whose packets threads can make together, by `WorldOptions.threads`. Capability `threads` of a `Protocol`. */
export interface ThreadChoice {
  /** The most threads. */
  readonly most: number;
}
