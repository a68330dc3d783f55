/**
 * An actor on a map, out of its packets: where it **truly** was, which is known once the packet has arrived, and where a
 * client draws its **ghost**, by every playback policy at once. Pure; times are milliseconds of the page's clock.
 *
 * Truth needs the actor's own clock. Its batches follow each other without a gap while it moves, and none arrives before it
 * has ended. So the batch with the least delay gives the offset between the clocks; more delay than that is jitter.
 */

import type { Point } from "wirewalk/maplestory";
import type { PlaybackPoint, PlaybackPolicy } from "wirewalk/maplestory/movement";
import { maplePlayback } from "wirewalk/maplestory/movement";
import type { NetworkLink } from "wirewalk/net";
import { type Batch, createBatch, pointInBatch, type ReceivedPath } from "./batch.ts";

export type ActorKind = "player" | "monster" | "pet" | "summon" | "dragon";

/** The policies by name, the client's own first. */
export const policyNames: readonly string[] = maplePlayback("player").map(({ name }) => name);

/** Where an actor is before its first packet. */
export interface Standing extends Point {
  readonly state: number;
}

/** Where it truly was. `stale`: no packet has reported this time yet. */
export interface TruePoint extends Standing {
  readonly known: "reported" | "still" | "stale";
}

/** The ghosts of all policies, in the order of `policyNames`, beside the truth. */
export interface Comparison {
  readonly atMs: number;
  readonly truth: Point;
  readonly ghosts: readonly Point[];
}

/** The usual duration of a batch: the least delay of a ghost. */
export function batchMs(kind: ActorKind, dialect: string): number {
  if (kind === "monster") return 1080;
  return dialect === "documented" ? 500 : 510;
}

/** A batch that starts at most this much after the last one continues it: after a silence it starts 510 ms later. */
const SEAM_MS = 300;
/** Clocks drift: with each batch the least delay is raised by this much. */
const FORGET_MS = 0.2;
/** How long batches are kept: the length of the time line, with the delay of the drawing. */
const KEPT_MS = 9_000;
/** Batches that are kept at most: a peer may send short ones. */
const MAX_BATCHES = 64;
/** Ghosts are compared at every third step of the client's playback, which stands still between its steps. */
const COMPARE_MS = 90;
/** After a longer pause of the page, comparing starts again. */
const LONGEST_PAUSE_MS = 2_000;

export interface ActorOptions {
  readonly kind: ActorKind;
  readonly id: number;
  readonly dialect: string;
}

export function actorKey(kind: ActorKind, id: number): string {
  return `${kind} ${id}`;
}

function createGhosts(kind: ActorKind): readonly PlaybackPolicy[] {
  return maplePlayback(kind === "player" ? "player" : "other").map(({ create }) => create());
}

export class Actor {
  readonly kind: ActorKind;
  readonly id: number;
  readonly key: string;
  /** Undefined: it has only a number. */
  name: string | undefined;
  /** Of a monster: the name of the player whose client drives it. */
  driver: string | undefined;
  /** When it was last shown or received. */
  seenMs = 0;
  readonly #dialect: string;
  #ghosts: readonly PlaybackPolicy[];
  #standing: Standing | undefined;
  #batches: Batch[] = [];
  #receivedCount = 0;
  /** The page's clock minus the actor's own. */
  #offsetMs = 0;
  /** Batches that no ghost has received yet. */
  #waiting: Batch[] = [];
  #advancedMs = Number.NEGATIVE_INFINITY;
  #compareMs: number | undefined;

  constructor({ kind, id, dialect }: ActorOptions) {
    this.kind = kind;
    this.id = id;
    this.key = actorKey(kind, id);
    this.#dialect = dialect;
    this.#ghosts = createGhosts(kind);
  }

  /** Oldest first. */
  get batches(): readonly Batch[] {
    return this.#batches;
  }

  /** When a batch ended. A later batch with less delay corrects it. */
  endOf(batch: Batch): number {
    return batch.clockMs + this.#offsetMs;
  }

  /** Where it is; packets are preferred. */
  stand(standing: Standing): void {
    this.#standing = standing;
  }

  /** A packet was received. `link` delays it for the ghosts alone. */
  receive(
    received: ReceivedPath,
    packetBytes: number | undefined,
    receivedMs: number,
    link: NetworkLink | undefined,
  ): void {
    const last = this.#batches.at(-1);
    const durationMs = received.fragments.reduce((sum, fragment) => sum + (fragment.durationMs ?? 0), 0);
    const pauseMs = last === undefined ? Infinity : receivedMs - this.#offsetMs - durationMs - last.clockMs;
    const seamless = last !== undefined && pauseMs < SEAM_MS;
    const clockMs = seamless ? last.clockMs + durationMs : receivedMs - this.#offsetMs;
    this.#offsetMs = Math.min(this.#offsetMs + FORGET_MS, receivedMs - clockMs);
    this.#receivedCount += 1;
    const [arrivesMs = receivedMs] = link?.send(receivedMs) ?? [];
    const batch = createBatch({
      dialect: this.#dialect,
      number: this.#receivedCount,
      received,
      packetBytes,
      clockMs,
      receivedMs,
      arrivesMs,
      last: last?.path.nodes.at(-1) ?? last?.from ?? this.#placeBefore(),
      seamless,
    });
    this.#batches.push(batch);
    this.#waiting.push(batch);
    const isOld = (old: Batch): boolean => receivedMs - this.endOf(old) > KEPT_MS;
    while (this.#batches.length > MAX_BATCHES || (this.#batches.length > 1 && this.#batches.slice(0, 1).some(isOld))) {
      this.#batches.shift();
    }
  }

  /** Where it truly was; undefined while nothing is known of it. */
  truth(atMs: number): TruePoint | undefined {
    const clockMs = atMs - this.#offsetMs;
    for (let index = this.#batches.length - 1; index >= 0; index--) {
      const batch = this.#batches[index];
      if (batch === undefined) break;
      const intoMs = clockMs - (batch.clockMs - batch.durationMs);
      if (intoMs < 0) continue;
      const { x, y, state } = pointInBatch(batch, intoMs, this.#dialect);
      const isOver = intoMs > batch.durationMs;
      return { x, y, state, known: !isOver ? "reported" : index === this.#batches.length - 1 ? "stale" : "still" };
    }
    const [first] = this.#batches;
    if (first === undefined) return this.#standing === undefined ? undefined : { ...this.#standing, known: "still" };
    return { x: first.from.x, y: first.from.y, state: first.from.state, known: "still" };
  }

  /** Where the last packet received by then ended: the position that a server knows. */
  lastReceived(atMs: number): Standing | undefined {
    const batch = this.#batches.findLast(({ receivedMs }) => receivedMs <= atMs);
    return batch?.path.nodes.at(-1) ?? batch?.from ?? this.#standing;
  }

  /** For another network: the ghosts start again where they should be now, and receive later packets. */
  restartGhosts(lagMs: number): void {
    // They were not drawn yet.
    if (this.#advancedMs === Number.NEGATIVE_INFINITY) return;
    this.#waiting = [];
    // They stand still until the first packet through the new network, which says nothing about the policies.
    this.#compareMs = undefined;
    this.#ghosts = createGhosts(this.kind);
    const start = this.truth(this.#advancedMs - lagMs);
    if (start !== undefined) for (const ghost of this.#ghosts) ghost.push({ start, nodes: [] }, this.#advancedMs);
  }

  /** Plays the ghosts up to a time and compares them on the way with the truth `lagMs` earlier. */
  advance(atMs: number, lagMs: number, compared: (comparison: Comparison) => void): void {
    if (this.#compareMs !== undefined && atMs - this.#compareMs > LONGEST_PAUSE_MS) {
      this.#compareMs += Math.floor((atMs - this.#compareMs) / COMPARE_MS) * COMPARE_MS;
    }
    while (this.#compareMs !== undefined && this.#compareMs <= atMs) {
      this.#deliver(this.#compareMs);
      this.#compare(this.#compareMs, lagMs, compared);
      this.#compareMs += COMPARE_MS;
    }
    this.#deliver(atMs);
  }

  /** The ghost of a policy at the time that it was played to. */
  ghost(policy: string): PlaybackPoint | undefined {
    const point = this.#ghosts[policyNames.indexOf(policy)]?.sample(this.#advancedMs);
    if (point !== undefined || this.#standing === undefined) return point;
    return { ...this.#standing, vx: 0, vy: 0, source: "held" };
  }

  #deliver(atMs: number): void {
    for (let batch = this.#waiting[0]; batch !== undefined && batch.arrivesMs <= atMs; batch = this.#waiting[0]) {
      this.#waiting.shift();
      // A batch that arrived before the drawn time is delivered at once: no ghost's clock runs backwards.
      const nowMs = Math.max(batch.arrivesMs, this.#advancedMs);
      for (const ghost of this.#ghosts) ghost.push(batch.path, nowMs);
      this.#advancedMs = nowMs;
      this.#compareMs ??= nowMs + COMPARE_MS;
    }
    this.#advancedMs = Math.max(atMs, this.#advancedMs);
  }

  #compare(atMs: number, lagMs: number, compared: (comparison: Comparison) => void): void {
    const truth = this.truth(atMs - lagMs);
    // All policies draw a standing actor right: it would hide their differences.
    if (truth?.known !== "reported") return;
    const ghosts = this.#ghosts.map((ghost) => ghost.sample(atMs) ?? truth);
    compared({ atMs, truth, ghosts });
  }

  #placeBefore() {
    const { x, y, state } = this.#standing ?? { x: 0, y: 0, state: 0 };
    return { x, y, vx: 0, vy: 0, durationMs: 0, jump: true, gravity: 0, state };
  }
}
