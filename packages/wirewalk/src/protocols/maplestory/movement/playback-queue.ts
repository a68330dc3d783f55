/** The queue that playback policies are made of: nodes that wait, and the point between two of them. */

/** A point of a path, and how it was reached. Units of the position and per second. */
export interface PlaybackNode {
  readonly x: number;
  readonly y: number;
  /** The velocity on arrival. */
  readonly vx: number;
  readonly vy: number;
  /** Time since the node before, milliseconds; 0 applies at once. */
  readonly durationMs: number;
  /** True when nothing lies between: a teleport. */
  readonly jump: boolean;
  /** Downward acceleration before and after the node; 0 on the ground. */
  readonly gravity: number;
  /** The game's own number of a stance. */
  readonly state: number;
}

/** Nodes in order, from the end of the last path. */
export interface PlaybackPath {
  readonly start: { readonly x: number; readonly y: number };
  readonly nodes: readonly PlaybackNode[];
}

/** Where to draw. */
export interface PlaybackPoint {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  readonly state: number;
  /** `known`: between two nodes; `guessed`: no node is left and the policy extrapolates; `held`: it stands still. */
  readonly source: "known" | "guessed" | "held";
}

/** The point between two nodes after `tMs` of `to.durationMs`. */
export type Interpolation = (from: PlaybackNode, to: PlaybackNode, tMs: number) => PlaybackPoint;

/** The state of a queue as plain data. */
export interface SavedPlaybackQueue {
  /** The node that was passed last; undefined before the first path. */
  readonly last: PlaybackNode | undefined;
  readonly waiting: readonly PlaybackNode[];
  /** Time since the last node. */
  readonly elapsedMs: number;
  readonly backlogMs: number;
  readonly idleMs: number;
}

/** Waiting nodes, and the position in the first of them. Policies are made of it. */
export class PlaybackQueue {
  readonly #interpolate: Interpolation;
  #nodes: PlaybackNode[] = [];
  #first = 0;
  #last: PlaybackNode | undefined;
  #elapsedMs = 0;
  #backlogMs = 0;
  #idleMs = 0;

  constructor(interpolate: Interpolation) {
    this.#interpolate = interpolate;
  }

  /** A queue in the same state. Playing one does not change the other. */
  copy(): PlaybackQueue {
    const copy = new PlaybackQueue(this.#interpolate);
    // Only `add` changes the array, and a copy is for playing: sharing it saves copying every node for every sample.
    copy.#nodes = this.#nodes;
    copy.#first = this.#first;
    copy.#last = this.#last;
    copy.#elapsedMs = this.#elapsedMs;
    copy.#backlogMs = this.#backlogMs;
    copy.#idleMs = this.#idleMs;
    return copy;
  }

  save(): SavedPlaybackQueue {
    const waiting = this.#nodes.slice(this.#first).map(copyNode);
    const last = this.#last === undefined ? undefined : copyNode(this.#last);
    return { last, waiting, elapsedMs: this.#elapsedMs, backlogMs: this.#backlogMs, idleMs: this.#idleMs };
  }

  /** Throws `TypeError` for malformed data; then nothing has changed. */
  restore(saved: SavedPlaybackQueue): void {
    const { last, waiting, elapsedMs, backlogMs, idleMs } = saved;
    if (!Array.isArray(waiting) || [elapsedMs, backlogMs, idleMs].some((ms) => typeof ms !== "number")) {
      throw new TypeError("Cannot restore: a playback queue must have nodes and times");
    }
    const nodes = waiting.map(checkedNode);
    this.#last = last === undefined ? undefined : checkedNode(last);
    this.#nodes = nodes;
    this.#first = 0;
    this.#elapsedMs = elapsedMs;
    this.#backlogMs = backlogMs;
    this.#idleMs = idleMs;
  }

  /** The node that was passed last; undefined before the first path. */
  get last(): PlaybackNode | undefined {
    return this.#last;
  }

  /** The duration of the waiting nodes, milliseconds. */
  get backlogMs(): number {
    return this.#backlogMs;
  }

  /** How long no node has been left, since the last path. */
  get idleMs(): number {
    return this.#idleMs;
  }

  get isEmpty(): boolean {
    return this.#first === this.#nodes.length;
  }

  add(path: PlaybackPath): void {
    this.#last ??= {
      ...path.start,
      vx: 0,
      vy: 0,
      durationMs: 0,
      jump: true,
      gravity: 0,
      state: path.nodes[0]?.state ?? 0,
    };
    this.#idleMs = 0;
    this.#nodes = this.#nodes.slice(this.#first);
    this.#first = 0;
    for (const node of path.nodes) {
      this.#nodes.push(node);
      this.#backlogMs += node.durationMs;
    }
    this.#passInstants();
  }

  /** Plays for some time. */
  play(ms: number): void {
    let left = ms;
    for (;;) {
      const node = this.#nodes[this.#first];
      if (node === undefined) break;
      const rest = node.durationMs - this.#elapsedMs;
      if (left < rest) {
        this.#elapsedMs += left;
        this.#backlogMs -= left;
        return;
      }
      left -= rest;
      this.#backlogMs -= rest;
      this.#pass(node);
      this.#passInstants();
    }
    this.#idleMs += left;
  }

  /** Skips everything up to the newest node. */
  snap(): void {
    const newest = this.#nodes.at(-1);
    if (newest === undefined || this.isEmpty) return;
    this.#last = newest;
    this.#nodes = [];
    this.#first = 0;
    this.#elapsedMs = 0;
    this.#backlogMs = 0;
  }

  /** The current point; undefined before the first path. */
  point(): PlaybackPoint | undefined {
    const from = this.#last;
    if (from === undefined) return undefined;
    const to = this.#nodes[this.#first];
    return to === undefined ? at(from, "held") : this.#interpolate(from, to, this.#elapsedMs);
  }

  #pass(node: PlaybackNode): void {
    this.#last = node;
    this.#elapsedMs = 0;
    this.#first += 1;
  }

  #passInstants(): void {
    if (this.#elapsedMs > 0) return;
    for (let node = this.#nodes[this.#first]; node?.durationMs === 0; node = this.#nodes[this.#first]) this.#pass(node);
  }
}

/** The node without what a game's own nodes have beside. */
function copyNode({ x, y, vx, vy, durationMs, jump, gravity, state }: PlaybackNode): PlaybackNode {
  return { x, y, vx, vy, durationMs, jump, gravity, state };
}

const nodeNumbers = ["x", "y", "vx", "vy", "durationMs", "gravity", "state"] as const;

function checkedNode(saved: PlaybackNode): PlaybackNode {
  if (typeof saved !== "object" || saved === null) throw new TypeError("Cannot restore: a node must be an object");
  const node = copyNode(saved);
  for (const name of nodeNumbers) {
    if (typeof node[name] !== "number") throw new TypeError(`Cannot restore: ${name} of a node must be number`);
  }
  if (typeof node.jump !== "boolean") throw new TypeError("Cannot restore: jump of a node must be boolean");
  return node;
}

/** A point at a node. */
function at(node: PlaybackNode, source: PlaybackPoint["source"]): PlaybackPoint {
  const { x, y, vx, vy, state } = node;
  return source === "held" ? { x, y, vx: 0, vy: 0, state, source } : { x, y, vx, vy, state, source };
}

/** Stays at the last node until the next one is reached. */
export const holdBetween: Interpolation = (from, to) => ({ ...at(from, "held"), state: to.state, source: "known" });

/** In a straight line. */
export const linearBetween: Interpolation = (from, to, tMs) => {
  if (to.jump) return { ...at(from, "held"), source: "known" };
  const share = tMs / to.durationMs;
  return {
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
    vx: ((to.x - from.x) * 1000) / to.durationMs,
    vy: ((to.y - from.y) * 1000) / to.durationMs,
    state: to.state,
    source: "known",
  };
};

/** In a straight line, in the air on the parabola through both ends. */
export const ballisticBetween: Interpolation = (from, to, tMs) => {
  const line = linearBetween(from, to, tMs);
  if (to.gravity === 0 || to.jump) return line;
  const t = tMs / 1000;
  const whole = to.durationMs / 1000;
  return {
    ...line,
    y: line.y + (to.gravity / 2) * t * (t - whole),
    vy: line.vy + to.gravity * (t - whole / 2),
  };
};

/** The cubic that has position and velocity of both ends: exact on a line, and on a parabola. */
export const hermiteBetween: Interpolation = (from, to, tMs) => {
  if (to.jump) return { ...at(from, "held"), source: "known" };
  const whole = to.durationMs / 1000;
  const s = tMs / to.durationMs;
  const [x, vx] = hermite(from.x, from.vx * whole, to.x, to.vx * whole, s);
  const [y, vy] = hermite(from.y, from.vy * whole, to.y, to.vy * whole, s);
  return { x, y, vx: vx / whole, vy: vy / whole, state: to.state, source: "known" };
};

/** Value and slope at `s` in 0..1. */
function hermite(p0: number, m0: number, p1: number, m1: number, s: number): readonly [number, number] {
  const s2 = s * s;
  const s3 = s2 * s;
  const rise = p1 - p0;
  const value = p0 + m0 * (s3 - 2 * s2 + s) + rise * (3 * s2 - 2 * s3) + m1 * (s3 - s2);
  const slope = m0 * (3 * s2 - 4 * s + 1) + 6 * rise * (s - s2) + m1 * (3 * s2 - 2 * s);
  return [value, slope];
}
