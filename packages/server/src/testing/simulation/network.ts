/** The lines on which simulated players sit, by name. */
import type { NetworkConditions } from "wirewalk/net";

export interface Line {
  readonly conditions: NetworkConditions;
  /** What the line carries in a millisecond, one way. Default: anything. */
  readonly bytesPerMs?: number;
}

const home = { low: 10, high: 80 } as const;

export const lines = {
  /** A cable in the same building. */
  near: { conditions: { latencyMs: { low: 0, high: 3 }, jitterMs: 1 } },
  home: { conditions: { latencyMs: home, jitterMs: 15 } },
  /** Another continent. */
  far: { conditions: { latencyMs: { low: 120, high: 240 }, jitterMs: 60 } },
  /** A busy radio cell: half a second between the fastest and the slowest packet. */
  jitter: { conditions: { latencyMs: home, jitterMs: 500 } },
  /** A tunnel: five seconds without a packet, every thirty. Random stalls would now and then follow each other: no promise covers that. */
  stalls: {
    conditions: { latencyMs: home, jitterMs: 15, stall: { everyMs: 25_000, durationMs: 5_000, regular: true } },
  },
  /** One packet in twenty is lost, three in a row: a stream waits for it to be sent again. */
  loss: { conditions: { latencyMs: home, jitterMs: 15, loss: { rate: 0.05, burst: 3 } } },
  /** 64 kbit/s. */
  narrow: { conditions: { latencyMs: home, jitterMs: 15 }, bytesPerMs: 8 },
} as const satisfies Readonly<Record<string, Line>>;

export type LineName = keyof typeof lines;

export const lineNames = Object.keys(lines) as readonly LineName[];
