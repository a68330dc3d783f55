/**
 * What the readers of the mouse benchmark read: ten minutes of synthetic humans at the real client's recorder, the same
 * in every process.
 */
import { createRandom } from "wirewalk/motion";
import { MouseHand, readMousePacket } from "wirewalk/osrs/mouse";

export interface Workload {
  readonly payloads: readonly Uint8Array[];
  readonly records: number;
}

const MINUTES = 10;
const HANDS = 4;

export function createWorkload(): Workload {
  const payloads: Uint8Array[] = [];
  for (let seed = 1; seed <= HANDS; seed += 1) {
    const hand = new MouseHand({ dialect: "client", random: createRandom(seed), number: seed, cheat: "none" }, 0);
    for (let now = 0; now < (MINUTES / HANDS) * 60_000; now += 20) payloads.push(...hand.step(now));
  }
  let records = 0;
  for (const payload of payloads) records += readMousePacket("client", payload, { strict: true }).records.length;
  return { payloads, records };
}

export const readerNames = [
  "wirewalk, streaming",
  "wirewalk, objects",
  "wirewalk, tracker",
  "kaitai",
  "binary-parser",
  "the document's code",
] as const;

export type ReaderName = (typeof readerNames)[number];

/** Reads all payloads once, and adds up what it read, so that nothing can be left out. */
export type Reader = (payloads: readonly Uint8Array[]) => number;

/** What a reader's process is asked to do. */
export interface ReaderTask {
  readonly reader: ReaderName;
  readonly measureMs: number;
}

/** What it answers. */
export interface ReaderReport {
  readonly nsPerRecord: number;
  readonly bytesPerRecord: number;
  /** Sum over all records; the same for all that read the real client's packets. */
  readonly sum: number;
}

/** It cannot run: a package is not installed. */
export interface ReaderMissing {
  readonly missing: string;
}
