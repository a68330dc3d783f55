/**
 * Somebody on a map as the packets tell: where it **truly** was, known as soon as the packet about it is here, and where
 * a client shows its **ghost**, by every policy of playback at once. Pure; times are milliseconds of the page's clock.
 *
 * Truth needs the actor's own clock: its batches follow each other without a gap while it moves, and none can be heard
 * before it ended. So the one that was heard fastest says how the two clocks stand, and what another was later is jitter.
 */

import type { PlaybackPoint, PlaybackPolicy } from "wirewalk/maplestory";
import { maplePlayback, type Point } from "wirewalk/maplestory";
import type { NetworkLink } from "wirewalk/net";
import { type Batch, createBatch, pointInBatch, type ToldPath } from "./batch.ts";

export type ActorKind = "player" | "monster" | "pet" | "summon";

/** The policies by name, the client's own first. */
export const policyNames: readonly string[] = maplePlayback("player").map(({ name }) => name);

/** Where an actor is while no packet has told. */
export interface Standing extends Point {
  readonly state: number;
}

/** Where it truly was. `stale`: no packet has told of this time yet. */
export interface TruePoint extends Standing {
  readonly known: "told" | "still" | "stale";
}

/** A ghost of each policy, in the order of `policyNames`, against the truth that they show. */
export interface Comparison {
  readonly atMs: number;
  readonly truth: Point;
  readonly ghosts: readonly Point[];
}

/** How long a batch lasts when nothing forces it out: so late is the best ghost. */
export function batchMs(kind: ActorKind, dialect: string): number {
  if (kind === "monster") return 1080;
  return dialect === "documented" ? 500 : 510;
}

/** A batch that comes no later than this after the one before it goes on from it: the next in a silence is 510 ms later. */
const SEAM_MS = 300;
/** Two clocks drift: the fastest batch is forgotten by so much with each further one. */
const FORGET_MS = 0.2;
/** Batches are kept so long: as far back as the time line goes, with the delay of the drawing. */
const KEPT_MS = 9_000;
/** And so many at most: a peer may send short ones. */
const MAX_BATCHES = 64;
/** Ghosts are compared every three steps of the client's playback, and at its steps: between them it stands. */
const COMPARE_MS = 90;
/** After a longer pause of the page comparing begins anew. */
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
  /** What people call it; undefined: it has only a number. */
  name: string | undefined;
  /** Of a monster: the name of whose client drives it. */
  driver: string | undefined;
  /** The last sign of it. */
  seenMs = 0;
  readonly #dialect: string;
  #ghosts: readonly PlaybackPolicy[];
  #standing: Standing | undefined;
  #batches: Batch[] = [];
  #heard = 0;
  /** The page's clock less the actor's own. */
  #offsetMs = 0;
  /** The first of `#waiting` that no ghost has yet. */
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

  /** When a batch ended. Earlier than was thought at first, if a later one is heard faster. */
  endOf(batch: Batch): number {
    return batch.clockMs + this.#offsetMs;
  }

  /** Says where it stands; packets know better. */
  stand(standing: Standing): void {
    this.#standing = standing;
  }

  /** A packet of it was heard. `link` delays it for the ghosts alone. */
  hear(told: ToldPath, packetBytes: number | undefined, heardMs: number, link: NetworkLink | undefined): void {
    const last = this.#batches.at(-1);
    const durationMs = told.fragments.reduce((sum, fragment) => sum + (fragment.durationMs ?? 0), 0);
    const pauseMs = last === undefined ? Infinity : heardMs - this.#offsetMs - durationMs - last.clockMs;
    const seamless = last !== undefined && pauseMs < SEAM_MS;
    const clockMs = seamless ? last.clockMs + durationMs : heardMs - this.#offsetMs;
    this.#offsetMs = Math.min(this.#offsetMs + FORGET_MS, heardMs - clockMs);
    this.#heard += 1;
    const [arrivesMs = heardMs] = link?.send(heardMs) ?? [];
    const batch = createBatch({
      dialect: this.#dialect,
      number: this.#heard,
      told,
      packetBytes,
      clockMs,
      heardMs,
      arrivesMs,
      last: last?.path.nodes.at(-1) ?? last?.from ?? this.#placeBefore(),
      seamless,
    });
    this.#batches.push(batch);
    this.#waiting.push(batch);
    const isOld = (old: Batch): boolean => heardMs - this.endOf(old) > KEPT_MS;
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
      return { x, y, state, known: !isOver ? "told" : index === this.#batches.length - 1 ? "stale" : "still" };
    }
    const [first] = this.#batches;
    if (first === undefined) return this.#standing === undefined ? undefined : { ...this.#standing, known: "still" };
    return { x: first.from.x, y: first.from.y, state: first.from.state, known: "still" };
  }

  /** Where the last packet that was heard until then ends: all that a server knows. */
  lastTold(atMs: number): Standing | undefined {
    const batch = this.#batches.findLast(({ heardMs }) => heardMs <= atMs);
    return batch?.path.nodes.at(-1) ?? batch?.from ?? this.#standing;
  }

  /** Another network: the ghosts begin anew where they should be now, and get what is to come. */
  restartGhosts(lagMs: number): void {
    // Nobody has looked at them yet: nothing has to begin anew.
    if (this.#advancedMs === Number.NEGATIVE_INFINITY) return;
    this.#waiting = [];
    // Until a packet has come through it they stand: that says nothing of the policies.
    this.#compareMs = undefined;
    this.#ghosts = createGhosts(this.kind);
    const start = this.truth(this.#advancedMs - lagMs);
    if (start !== undefined) for (const ghost of this.#ghosts) ghost.push({ start, nodes: [] }, this.#advancedMs);
  }

  /** Lets the ghosts play until then; what they show on the way is compared with the truth `lagMs` earlier. */
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

  /** The ghost of a policy, where it was let play to. */
  ghost(policy: string): PlaybackPoint | undefined {
    const point = this.#ghosts[policyNames.indexOf(policy)]?.sample(this.#advancedMs);
    if (point !== undefined || this.#standing === undefined) return point;
    return { ...this.#standing, vx: 0, vy: 0, source: "held" };
  }

  #deliver(atMs: number): void {
    for (let batch = this.#waiting[0]; batch !== undefined && batch.arrivesMs <= atMs; batch = this.#waiting[0]) {
      this.#waiting.shift();
      // A batch that was heard while the drawing was ahead of it comes at once: no ghost's clock runs backwards.
      const nowMs = Math.max(batch.arrivesMs, this.#advancedMs);
      for (const ghost of this.#ghosts) ghost.push(batch.path, nowMs);
      this.#advancedMs = nowMs;
      this.#compareMs ??= nowMs + COMPARE_MS;
    }
    this.#advancedMs = Math.max(atMs, this.#advancedMs);
  }

  #compare(atMs: number, lagMs: number, compared: (comparison: Comparison) => void): void {
    const truth = this.truth(atMs - lagMs);
    // Who stands still is shown right by everybody: it would only hide what the policies differ in.
    if (truth?.known !== "told") return;
    const ghosts = this.#ghosts.map((ghost) => ghost.sample(atMs) ?? truth);
    compared({ atMs, truth, ghosts });
  }

  #placeBefore() {
    const { x, y, state } = this.#standing ?? { x: 0, y: 0, state: 0 };
    return { x, y, vx: 0, vy: 0, durationMs: 0, jump: true, gravity: 0, state };
  }
}
