/** A player of the world of mice: its path and measurements, on the clock of the world. */
import type { PlayerId } from "../../../../motion/index.ts";
import type { Joining } from "../../../world.ts";
import {
  choice,
  copyState,
  flag,
  list,
  maybe,
  number,
  optionalMember,
  type StateOf,
  state,
  text,
  typedArray,
} from "../../../world-kit/index.ts";
import { type MousePoint, MouseTracker, savedTracker } from "../movement/tracker.ts";
import type { MouseDialect } from "../wire/dialect.ts";
import { leftKinematics, MouseKinematics, savedKinematics } from "./kinematics.ts";
import type { MouseLimits } from "./limits.ts";
import { MAX_PATH_POINTS, type PathPoint, PathRows } from "./path-rows.ts";
import { type MouseRule, mouseRuleNames } from "./rule-names.ts";

/** A packet that is later than this does not count as late: the client's clock has lost time, in a pause. */
const MAX_LATE_MS = 10_000;

/** What a player leaves behind: connecting again does not end its measurements. */
export const leftMouse = state({
  kinematics: leftKinematics,
  flagged: list(choice(...mouseRuleNames)),
  /** Strokes when the last score was taken. */
  scoredAt: number,
});
type LeftMouse = StateOf<typeof leftMouse>;

export const savedSession = state({
  id: number,
  account: text,
  name: text,
  /** Absent: the layout of the world's `mouseMove`. */
  layout: optionalMember(choice("documented", "client", "native")),
  packets: number,
  arrivedMs: maybe(number),
  isFull: flag,
  scoredAt: number,
  offsetMs: number,
  flagged: list(choice(...mouseRuleNames)),
  /** See `PathRows`. */
  path: typedArray("Float64Array"),
  tracker: savedTracker,
  kinematics: savedKinematics,
});
type SavedSession = StateOf<typeof savedSession>;

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
  /** The layout of its packets; undefined: that of the world's `mouseMove`. */
  readonly layout: MouseDialect | undefined;
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
    { account, name, layout }: Pick<Joining, "account" | "name"> & { readonly layout?: MouseDialect | undefined },
    dialect: string,
    limits: MouseLimits,
  ) {
    this.id = id;
    this.account = account;
    this.name = name;
    this.layout = layout;
    this.tracker = new MouseTracker({ dialect: layout ?? dialect });
    this.kinematics = new MouseKinematics(layout ?? dialect, limits);
  }

  leave(): LeftMouse {
    const { kinematics, flagged, scoredAt } = this;
    return { kinematics: kinematics.leave(), flagged: [...flagged], scoredAt };
  }

  /** Goes on with what the player left. Throws `TypeError` or `RangeError` for malformed data. */
  resume({ kinematics, flagged, scoredAt }: LeftMouse): void {
    this.kinematics.resume(kinematics);
    this.flagged = new Set(flagged);
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
    const { rows: path, layout, ...session } = this;
    const own = layout === undefined ? {} : { layout };
    return copyState(savedSession, { ...session, ...own, offsetMs: this.#offsetMs, path });
  }

  /** Throws `TypeError` for malformed data. */
  static restore(saved: SavedSession, dialect: string, limits: MouseLimits): Session {
    const { tracker, kinematics, path, flagged, offsetMs, layout: _, ...plain } = saved;
    const session = Object.assign(new Session(saved.id, saved, dialect, limits), plain);
    session.tracker.restore(tracker);
    session.kinematics.restore(kinematics);
    session.rows.restore(path, MAX_PATH_POINTS, "state.sessions[].path");
    session.flagged = new Set(flagged);
    session.#offsetMs = offsetMs;
    return session;
  }
}
