/**
 * A **batch**: the fragments of one packet, with the position and time of each node. Times of a batch count from its
 * start, milliseconds.
 */

import {
  type FragmentFields,
  type FragmentKind,
  mapleDialectRules,
  type Point,
  readFragments,
} from "wirewalk/maplestory";
import {
  ballisticBetween,
  durationOf,
  hermiteBetween,
  type Interpolation,
  type NodePath,
  nodesOf,
  type PlaybackNode,
  type PlaybackPoint,
} from "wirewalk/maplestory/movement";
import { ByteReader, parseHex } from "wirewalk/wire";

/** A path of a packet. */
export interface ReceivedPath {
  /** Where it starts; undefined in `documented`. */
  readonly start: Point | undefined;
  readonly fragments: readonly FragmentFields[];
}

/** A node of a path. */
export interface PlacedNode extends Point {
  /** The index of its fragment in the packet. */
  readonly index: number;
  readonly kind: FragmentKind;
  /** When the actor passes it. */
  readonly atMs: number;
  /** Since the node before. */
  readonly durationMs: number;
  readonly inAir: boolean;
}

/** One received packet. */
export interface Batch extends ReceivedPath {
  /** 1, 2, 3 … of its actor. */
  readonly number: number;
  readonly path: NodePath;
  readonly nodes: readonly PlacedNode[];
  readonly durationMs: number;
  /** Bytes of the client's payload; undefined where only the relay was received. */
  readonly packetBytes: number | undefined;
  /** Its end by the actor's own clock. */
  readonly clockMs: number;
  /** When it was received, by the page's clock. */
  readonly receivedMs: number;
  /** When the ghost receives it: later than `receivedMs` with a simulated network. */
  readonly arrivesMs: number;
  /** The node before its first one. */
  readonly from: PlaybackNode;
  /** It continues the batch before it without a pause. */
  readonly seamless: boolean;
}

/** A path that starts farther from the end of the one before does not go on from there: its actor took a portal. */
const JUMPED_PX = 100;

/** The four bytes before the count. */
const PLACE_BYTES = 4;

/** Reads a path out of a relay's bytes in hex. Throws `WireError` for invalid bytes. */
export function readPath(hex: string, dialect: string): ReceivedPath {
  const bytes = parseHex(hex);
  const reader = new ByteReader(bytes);
  const start = mapleDialectRules(dialect).placesAt === "end" ? { x: reader.i16le(), y: reader.i16le() } : undefined;
  const count = new ByteReader(bytes.subarray(PLACE_BYTES)).u8();
  return { start, fragments: readFragments(bytes, PLACE_BYTES + 1, count, mapleDialectRules(dialect).fragments) };
}

/** A received path, and what else a batch needs. */
export interface BatchOptions {
  readonly dialect: string;
  readonly number: number;
  readonly received: ReceivedPath;
  readonly packetBytes: number | undefined;
  readonly clockMs: number;
  readonly receivedMs: number;
  readonly arrivesMs: number;
  /** The last node of the batch before; undefined for the first. */
  readonly last: PlaybackNode | undefined;
  readonly seamless: boolean;
}

export function createBatch(options: BatchOptions): Batch {
  const { dialect, received, last, seamless, ...rest } = options;
  const { relaysStart } = mapleDialectRules(dialect);
  const start = relaysStart || last === undefined ? received.start : undefined;
  const path = nodesOf(received.fragments, dialect, start, last ?? { x: 0, y: 0 });
  const state = path.nodes[0]?.state ?? 0;
  const standing = { ...path.start, vx: 0, vy: 0, durationMs: 0, jump: true, gravity: 0, state };
  return {
    ...received,
    ...rest,
    path,
    nodes: placeNodes(received.fragments, path, dialect),
    durationMs: durationOf(received.fragments),
    from: seamless && last !== undefined && !isFar(last, path.start) ? last : standing,
    seamless,
  };
}

function isFar(a: Point, b: Point): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) > JUMPED_PX;
}

/** Position and time of each fragment's node. In `documented` a node is at its fragment's start. */
export function placeNodes(
  fragments: readonly FragmentFields[],
  path: NodePath,
  dialect: string,
): readonly PlacedNode[] {
  const { fragments: table, placesAt } = mapleDialectRules(dialect);
  const startsThere = placesAt === "start";
  const placed: PlacedNode[] = [];
  let atMs = 0;
  let next = 0;
  let at: Point = path.start;
  fragments.forEach((fragment, index) => {
    const kind = table.kindOf(fragment.type) ?? "absolute";
    const { durationMs = 0 } = fragment;
    const startsMs = atMs;
    atMs += durationMs;
    let inAir = false;
    if (kind !== "equipment" && kind !== "bare") {
      // In `documented` a fragment with a duration is two points: its start and its end.
      const node = path.nodes[next];
      next += startsThere && durationMs > 0 ? 2 : 1;
      at = node ?? at;
      inAir = node !== undefined && (node.gravity > 0 || (!startsThere && node.foothold === 0));
    }
    const passedMs = startsThere ? startsMs : atMs;
    placed.push({ x: at.x, y: at.y, index, kind, atMs: passedMs, durationMs, inAir });
  });
  return placed;
}

/** Where the actor was, `ms` after the start of the batch. The cubic of `v62` is exact on a line and on a parabola. */
export function pointInBatch(batch: Batch, ms: number, dialect: string): PlaybackPoint {
  const between: Interpolation = mapleDialectRules(dialect).placesAt === "end" ? hermiteBetween : ballisticBetween;
  let { from } = batch;
  let left = ms;
  for (const node of batch.path.nodes) {
    if (left < node.durationMs) return between(from, node, left);
    left -= node.durationMs;
    from = node;
  }
  return { x: from.x, y: from.y, vx: 0, vy: 0, state: from.state, source: "held" };
}

/** The fragment's fields in wire order. */
export function fieldsOf(fragment: FragmentFields, dialect: string): readonly (readonly [string, number])[] {
  return mapleDialectRules(dialect)
    .fragments.fieldsOf(fragment.type)
    .map((field) => [field, (fragment as Required<FragmentFields>)[field]]);
}
