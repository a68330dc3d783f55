/** A player of the world of mice: its path and measurements, on the clock of the world. */
import type { PlayerId } from "../../../../motion/index.ts";
import type { Joining } from "../../../world.ts";
import { checkMembers, type Kinds } from "../../../world-kit/index.ts";
import { type MousePoint, MouseTracker, type SavedTracker } from "../movement/tracker.ts";
import { type LeftKinematics, MouseKinematics, type SavedKinematics } from "./kinematics.ts";
import type { MouseLimits } from "./limits.ts";
import { MAX_PATH_POINTS, type PathPoint, PathRows } from "./path-rows.ts";
import { type MouseRule, mouseRuleNames } from "./rule-names.ts";

/** A packet that is later than this does not count as late: the client's clock has lost time, in a pause. */
const MAX_LATE_MS = 10_000;

/** What a player leaves behind: connecting again does not end its measurements. */
export interface LeftMouse {
  readonly kinematics: LeftKinematics;
  readonly flagged: readonly MouseRule[];
  /** Strokes when the last score was taken. */
  readonly scoredAt: number;
}

/** One player's mouse as a world knows it. */
export interface MouseSession {
  readonly tracker: MouseTracker;
  readonly kinematics: MouseKinematics;
  /** The points that tracks show from now on, the oldest first: objects made at each call. */
  readonly path: readonly PathPoint[];
  readonly packets: number;
  /** When the last packet came; undefined before the first. */
  readonly arrivedMs: number | undefined;
}

/** One session; its own memory. */
export class Session implements MouseSession {
  readonly id: PlayerId;
  readonly account: string;
  readonly name: string;
  readonly tracker: MouseTracker;
  readonly kinematics: MouseKinematics;
  readonly rows = new PathRows();
  /** Rules that gave a verdict. */
  flagged = new Set<MouseRule>();
  packets = 0;
  arrivedMs: number | undefined;
  /** The last packet took all that fits. */
  isFull = false;
  /** Strokes when the last score was taken. */
  scoredAt = 0;
  /** From the client's clock to the world's: the least offset of any packet, since lateness only adds. */
  #offsetMs = 0;

  constructor(
    id: PlayerId,
    { account, name }: Pick<Joining, "account" | "name">,
    dialect: string,
    limits: MouseLimits,
  ) {
    this.id = id;
    this.account = account;
    this.name = name;
    this.tracker = new MouseTracker({ dialect });
    this.kinematics = new MouseKinematics(dialect, limits);
  }

  leave(): LeftMouse {
    const { kinematics, flagged, scoredAt } = this;
    return { kinematics: kinematics.leave(), flagged: [...flagged], scoredAt };
  }

  /** Goes on with what the player left. Throws `TypeError` or `RangeError` for malformed data. */
  resume({ kinematics, flagged, scoredAt }: LeftMouse): void {
    this.kinematics.resume(kinematics);
    this.flagged = checkRules(flagged, "left");
    this.scoredAt = scoredAt;
  }

  get path(): readonly PathPoint[] {
    return this.rows.points();
  }

  /** Adds a record of the next packet to the path, for now on the client's clock. */
  add(point: MousePoint): void {
    this.rows.add(point, this.packets);
  }

  /** Puts the points from row `first` on onto the world's clock and forgets what was shown. Returns the new ones. */
  place(first: number, nowMs: number): readonly PathPoint[] {
    const offsetMs = nowMs - this.tracker.atMs;
    const isLate = offsetMs >= this.#offsetMs && offsetMs <= this.#offsetMs + MAX_LATE_MS;
    if (this.packets === 0 || !isLate) this.#offsetMs = offsetMs;
    this.rows.shift(first, this.#offsetMs);
    const points = this.rows.points(first);
    this.rows.forget(nowMs);
    return points;
  }

  save(): SavedSession {
    const { id, account, name, packets, arrivedMs, isFull, scoredAt } = this;
    return {
      id,
      account,
      name,
      packets,
      arrivedMs,
      isFull,
      scoredAt,
      offsetMs: this.#offsetMs,
      flagged: [...this.flagged],
      path: this.rows.save(),
      tracker: this.tracker.save(),
      kinematics: this.kinematics.save(),
    };
  }

  /** Throws `TypeError` or `RangeError` for malformed data. */
  static restore(data: unknown, dialect: string, limits: MouseLimits): Session {
    const saved = checkMembers<SavedSession>(data, "state.sessions[]", sessionKinds);
    const session = new Session(saved.id, saved, dialect, limits);
    session.tracker.restore(saved.tracker);
    session.kinematics.restore(saved.kinematics);
    session.rows.restore(saved.path, MAX_PATH_POINTS, "state.sessions[].path");
    session.flagged = checkRules(saved.flagged, "state.sessions[]");
    session.packets = saved.packets;
    session.arrivedMs = saved.arrivedMs;
    session.isFull = saved.isFull;
    session.scoredAt = saved.scoredAt;
    session.#offsetMs = saved.offsetMs;
    return session;
  }
}

function checkRules(flagged: readonly MouseRule[], where: string): Set<MouseRule> {
  if (!flagged.every((rule) => mouseRuleNames.includes(rule))) {
    throw new RangeError(`Cannot restore: ${where}.flagged has an unknown rule`);
  }
  return new Set(flagged);
}

export interface SavedSession {
  readonly id: PlayerId;
  readonly account: string;
  readonly name: string;
  readonly packets: number;
  readonly arrivedMs: number | undefined;
  readonly isFull: boolean;
  readonly scoredAt: number;
  readonly offsetMs: number;
  readonly flagged: readonly MouseRule[];
  /** See `PathRows`. */
  readonly path: Float64Array;
  readonly tracker: SavedTracker;
  readonly kinematics: SavedKinematics;
}

const sessionKinds: Kinds<SavedSession> = {
  id: "number",
  account: "string",
  name: "string",
  packets: "number",
  arrivedMs: "number?",
  isFull: "boolean",
  scoredAt: "number",
  offsetMs: "number",
  flagged: "array",
  path: "typedArray",
  tracker: "object",
  kinematics: "object",
};
