/**
 * The **time line**: a lane for each player and monster. A lane has the packets as blocks from their first step to their
 * end, with the fragments to scale, and the time at which each packet was received. Pure; times are the page's.
 */
import type { FragmentKind } from "wirewalk/maplestory";
import type { Actor } from "../play/actor.ts";
import type { Batch } from "../play/batch.ts";

/** How much of the past a time line shows. */
export const TIME_LINE_MS = 6_000;

/** A fragment that lasts. */
export interface Segment {
  readonly index: number;
  readonly kind: FragmentKind;
  readonly fromMs: number;
  readonly toMs: number;
  readonly inAir: boolean;
}

/** One packet. */
export interface Block {
  readonly batch: Batch;
  readonly fromMs: number;
  readonly toMs: number;
  readonly segments: readonly Segment[];
  /** Fragments without a duration: impulses, instants, equipment. */
  readonly marks: readonly { readonly index: number; readonly kind: FragmentKind; readonly atMs: number }[];
  /** When the ghost received it. */
  readonly arrivesMs: number;
  /** How much later than the fastest packet of its actor it was received. */
  readonly lateMs: number;
  /** True while it is still being recorded or on its way, at the shown time. */
  readonly isOpen: boolean;
}

export interface Lane {
  readonly key: string;
  readonly blocks: readonly Block[];
}

/** A fragment of a packet of an actor. */
export interface Place {
  readonly key: string;
  readonly batch: number;
  /** Undefined: the packet as a whole. */
  readonly fragment: number | undefined;
}

/** The packets of an actor on the time line at `shownMs`. */
export function laneOf(actor: Actor, shownMs: number): Lane {
  const blocks: Block[] = [];
  for (const batch of actor.batches) {
    const toMs = actor.endOf(batch);
    const fromMs = toMs - batch.durationMs;
    if (fromMs > shownMs || Math.max(toMs, batch.arrivesMs) < shownMs - TIME_LINE_MS) continue;
    blocks.push(blockOf(batch, fromMs, toMs, shownMs));
  }
  return { key: actor.key, blocks };
}

function blockOf(batch: Batch, fromMs: number, toMs: number, shownMs: number): Block {
  const segments: Segment[] = [];
  const marks = [];
  let atMs = fromMs;
  for (const { index, kind, durationMs, inAir } of batch.nodes) {
    if (durationMs === 0) marks.push({ index, kind, atMs });
    else segments.push({ index, kind, fromMs: atMs, toMs: atMs + durationMs, inAir });
    atMs += durationMs;
  }
  const { arrivesMs } = batch;
  return {
    batch,
    fromMs,
    toMs,
    segments,
    marks,
    arrivesMs,
    lateMs: Math.max(0, arrivesMs - toMs),
    isOpen: arrivesMs > shownMs,
  };
}

/** The part of a lane at a time: a mark within `nearMs`, else a fragment, else undefined. */
export function placeAt({ key, blocks }: Lane, atMs: number, nearMs: number): Place | undefined {
  for (const { batch, marks } of blocks) {
    const mark = marks.find((each) => Math.abs(each.atMs - atMs) <= nearMs);
    if (mark !== undefined) return { key, batch: batch.number, fragment: mark.index };
  }
  for (const { batch, segments } of blocks) {
    const segment = segments.find(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
    if (segment !== undefined) return { key, batch: batch.number, fragment: segment.index };
  }
  return undefined;
}
