/** What a gateway gives a new owner: the logs of the batches that it has seen since a snapshot. */
import { encodeCbor } from "@wirewalk/recording";
import { MAX_CLUSTER_MESSAGE_BYTES } from "wirewalk/net";
import { decodeOrNothing, isCount, isLog, isObject, type LoggedCalls } from "./batch.ts";

export interface LoggedBatch {
  readonly batch: number;
  readonly log: readonly LoggedCalls[];
}

export interface History {
  readonly gateway: string;
  /** The epoch of the owner that asked. */
  readonly epoch: number;
  /** The next batch that the gateway expects; 0 when it has seen none. */
  readonly next: number;
  readonly logs: readonly LoggedBatch[];
}

/** Some messages; the last of them says so. */
export interface HistoryPart extends History {
  readonly isLast: boolean;
}

/** Batches of one message: their logs are a few hundred bytes each. */
const PER_MESSAGE = 64;
const MAX_LOGS = 1_000;

export function encodeHistory(history: History): readonly Uint8Array[] {
  const messages: Uint8Array[] = [];
  let count = PER_MESSAGE;
  for (let at = 0; at < history.logs.length || messages.length === 0; ) {
    const logs = history.logs.slice(at, at + count);
    const bytes = encodeCbor({ ...history, logs, isLast: at + count >= history.logs.length });
    if (bytes.length > MAX_CLUSTER_MESSAGE_BYTES) {
      // A batch alone fits: it came as a message, with its effects.
      if (count === 1) return messages;
      count = Math.ceil(count / 2);
      continue;
    }
    messages.push(bytes);
    at += count;
  }
  return messages;
}

/** Undefined for bytes that are none. */
export function decodeHistory(bytes: Uint8Array): HistoryPart | undefined {
  const data = decodeOrNothing(bytes);
  if (!isObject(data)) return undefined;
  const { gateway, epoch, next, logs, isLast } = data;
  if (typeof gateway !== "string" || !isCount(epoch) || !isCount(next) || typeof isLast !== "boolean") return undefined;
  if (!Array.isArray(logs) || logs.length > MAX_LOGS) return undefined;
  if (!logs.every((each) => isObject(each) && isCount(each.batch) && isLog(each.log))) return undefined;
  return { gateway, epoch, next, isLast, logs: logs as readonly LoggedBatch[] };
}
