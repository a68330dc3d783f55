/** What benchmarks of codecs share: work that is done over and over, and what a process of one contestant says of it. */

/** Reads or writes everything once, and adds up what it saw, so that nothing can be left out. */
export type Run = () => number;

export interface Work {
  readonly run: Run;
  /** Packets, fragments or records of a run: what times are divided by. */
  readonly count: number;
}

/**
 * What the module of a game's contestants exports: a kind of work by a contestant on the first `packets` packets. Throws
 * when its package is not installed.
 */
export interface ContestantModule {
  createWork(contestant: string, work: string, packets: number): Work | Promise<Work>;
}

/** What a contestant's process is asked to do. */
export interface CodecTask {
  /** The module of the contestants. */
  readonly module: string;
  readonly contestant: string;
  readonly works: readonly string[];
  readonly measureMs: number;
  /** Those of the works whose memory is measured. */
  readonly counted: readonly string[];
}

export interface WorkReport {
  /** Processor time of the thread. */
  readonly ns: number;
  /** Bytes of the heap; NaN where they are not measured. */
  readonly bytes: number;
  /** Equal for all who read the same, and for all who write the same. */
  readonly sum: number;
}

/** What it answers: a report for each kind of work, or the reason why none was made. */
export type CodecReport = { readonly works: readonly WorkReport[] } | { readonly missing: string };

/** The length and bytes from both ends: enough to see that the same was written. */
export function sumOfBytes(bytes: Uint8Array): number {
  const { length } = bytes;
  // Not `at`: on typed arrays it takes longer than the writing.
  return length * 1000 + (bytes[5] ?? 0) + (bytes[length - 1] ?? 0) + (bytes[length - 3] ?? 0);
}

/** Counts what is refused: all of it. */
export function refusals(payloads: readonly Uint8Array[], read: (payload: Uint8Array) => unknown): Run {
  return () => {
    let refused = 0;
    for (const payload of payloads) {
      try {
        read(payload);
      } catch {
        refused += 1;
      }
    }
    return refused;
  };
}

/** A body behind its id of two bytes, low byte first. */
export function withId(id: number, body: Uint8Array): Uint8Array {
  const packet = new Uint8Array(2 + body.length);
  packet[0] = id;
  packet[1] = id >> 8;
  packet.set(body, 2);
  return packet;
}
