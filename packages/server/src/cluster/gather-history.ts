/** A new owner asks all gateways for the logs of the batches since its snapshot, and joins what they have. */
import { encodeCbor } from "@wirewalk/recording";
import type { Clock, Cluster } from "wirewalk/net";
import { decodeHistory, type LoggedBatch } from "./history.ts";
import type { WorldSubjects } from "./subjects.ts";

/** Gateways answer within a round trip; one that has not after this time is gone. */
const GATHER_MS = 150;

export interface GatherOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly subjects: WorldSubjects;
  readonly epoch: number;
  /** The first batch that the snapshot does not hold. */
  readonly from: number;
  /** A node that is known to be gone: nothing waits for it. */
  readonly gone: string | undefined;
}

export interface Gathered {
  /** In their order, each once. */
  readonly logs: readonly LoggedBatch[];
  /** The first batch of the logs, or the first that a gateway expects when there are none; `from` without gateways. */
  readonly first: number;
  /** The first batch that some gateway has not seen. */
  readonly leastNext: number;
}

export async function gatherHistory({ cluster, clock, subjects, epoch, from, gone }: GatherOptions): Promise<Gathered> {
  const logs = new Map<number, LoggedBatch>();
  const nexts: number[] = [];
  const expected = new Set(
    cluster.members().flatMap(({ name, info }) => (name !== gone && info.isGateway === true ? [name] : [])),
  );
  const { promise: gathered, resolve } = Promise.withResolvers<void>();
  const cancelTimer = clock.after(GATHER_MS, resolve);
  const cancelHistory = cluster.subscribe(subjects.history, ({ bytes }) => {
    const part = decodeHistory(bytes);
    if (part === undefined || part.epoch !== epoch) return;
    for (const each of part.logs) if (!logs.has(each.batch)) logs.set(each.batch, each);
    if (!part.isLast) return;
    if (part.next > 0) nexts.push(part.next);
    expected.delete(part.gateway);
    if (expected.size === 0) resolve();
  });
  cluster.publish(subjects.taken, encodeCbor({ epoch, from }));
  if (expected.size === 0) resolve();
  await gathered;
  cancelTimer();
  cancelHistory();
  const sorted = [...logs.values()].sort((a, b) => a.batch - b.batch);
  const leastNext = Math.min(...nexts, Number.MAX_SAFE_INTEGER);
  const mostNext = Math.max(...nexts, 0);
  const first = sorted[0]?.batch ?? (mostNext > from ? mostNext : from);
  return { logs: sorted, first, leastNext };
}
