/** What is told of another server's own output: counted, and at most so often. */
import type { PlayerId } from "../../../../motion/index.ts";
import { i32le, u32le } from "../../../../wire/index.ts";
import type { ServerNotice } from "../../../shadow.ts";
import { choice, copyState, list, number, type Observation, type StateOf, state } from "../../../world-kit/index.ts";
import { TICK_MS, type WorldTile } from "../wire/constants.ts";
import { PLAYER_INFO_ROOM } from "./observations.ts";

/** One notice of each kind about a player in this time. */
const QUIET_MS = 60_000;
/** Notices about all players in this time. */
const MOST_IN_QUIET = 30;

const savedNoted = state({
  index: u32le,
  kind: choice("wall-step", "long-walk"),
  /** When it was told last. */
  toldMs: number,
  /** Where and when it was last found: two clients see the same step. */
  atMs: number,
  x: i32le,
  z: i32le,
});
type Noted = StateOf<typeof savedNoted>;
type Kind = Noted["kind"];

export const savedServerNotices = state({
  /** In the order in which they were first found. */
  noted: list(savedNoted),
  totals: state({ "wall-step": u32le, "long-walk": u32le }),
  /** When the present time of {@link QUIET_MS} began, and what was told in it. */
  sinceMs: number,
  told: u32le,
});
type SavedServerNotices = StateOf<typeof savedServerNotices>;

/** A finding, before it is known whether it is told. */
export interface ServerFinding {
  readonly kind: Kind;
  /** Of the player at the other server. */
  readonly index: number;
  /** Where the player is now. */
  readonly to: WorldTile;
  /** The tile before the step, or the one that was clicked. */
  readonly since: { readonly from: readonly [number, number] } | { readonly clicked: readonly [number, number] };
  /** Packets of the client since its initialisation, this one among them. */
  readonly tick: number;
  readonly reason: string;
}

export class ServerNotices {
  readonly #noted: Map<string, Noted>;
  readonly #totals: Record<Kind, number>;
  #sinceMs: number;
  #told: number;

  constructor(saved?: SavedServerNotices) {
    this.#noted = new Map(saved?.noted.map((noted) => [keyOf(noted), { ...noted }]));
    this.#totals = { "wall-step": 0, "long-walk": 0, ...saved?.totals };
    this.#sinceMs = saved?.sinceMs ?? Number.NEGATIVE_INFINITY;
    this.#told = saved?.told ?? 0;
  }

  /** Counts a finding. Gives what is told of it; undefined where enough was told. */
  note(player: PlayerId, finding: ServerFinding, nowMs: number): Observation | undefined {
    const { kind, index, since, to, tick, reason } = finding;
    const before = this.#noted.get(keyOf(finding));
    if (before !== undefined && before.x === to.x && before.z === to.z && nowMs - before.atMs < TICK_MS)
      return undefined;
    this.#totals[kind] += 1;
    if (nowMs - this.#sinceMs >= QUIET_MS) {
      this.#sinceMs = nowMs;
      this.#told = 0;
    }
    const isQuiet = before !== undefined && nowMs - before.toldMs < QUIET_MS;
    const isTold = !isQuiet && this.#told < MOST_IN_QUIET;
    const toldMs = isTold ? nowMs : (before?.toldMs ?? Number.NEGATIVE_INFINITY);
    // At most one for each index and kind.
    this.#noted.set(keyOf(finding), { index, kind, toldMs, atMs: nowMs, x: to.x, z: to.z });
    if (!isTold) return undefined;
    this.#told += 1;
    const notice: ServerNotice = { notice: kind, reason, total: this.#totals[kind] };
    const data = { ...notice, index, level: to.level, ...since, to: [to.x, to.z], tick };
    return { player, room: PLAYER_INFO_ROOM, what: "server-notice", data };
  }

  save(): SavedServerNotices {
    return copyState(savedServerNotices, {
      noted: this.#noted.values(),
      totals: this.#totals,
      sinceMs: this.#sinceMs,
      told: this.#told,
    });
  }
}

function keyOf({ index, kind }: Pick<Noted, "index" | "kind">): string {
  return `${index} ${kind}`;
}
