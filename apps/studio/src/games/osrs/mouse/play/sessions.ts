/**
 * The server's observations of each mouse: its path, its packets and its kinematics. The feed of a room fills it, the
 * drawing reads it. Times are the server's.
 */
import type { PlayerId } from "wirewalk/motion";
import {
  MAX_PATH_POINTS,
  MIN_STROKES,
  type MouseFinding,
  type MouseSummary,
  type PathPoint,
} from "wirewalk/osrs/mouse";
import type { JsonObject } from "wirewalk/wire";
import type { FeedObservation } from "../../../../app/studio.ts";

/** How long a path is kept: as far back as the speed profile goes, with the delay of playback. */
export const KEPT_MS = 15_000;

/** Scores from 0.5 on look like a machine, scores below 0.2 like a hand. The server flags single findings from 0.5 on too. */
const MACHINE_SCORE = 0.5;
const HUMAN_SCORE = 0.2;

/** A packet as the server read it. */
export interface SeenPacket {
  readonly packet: number;
  readonly bytes: number;
  readonly spanMs: number;
  /** Bytes at its end that are less than a record. */
  readonly cutBytes: number;
  /** It came too early for its number of samples: a button sent it. */
  readonly early: boolean;
  readonly records: number;
}

/** What the server measured of a session so far. */
export interface SeenKinematics {
  readonly score: number;
  readonly findings: readonly MouseFinding[];
  readonly summary: MouseSummary;
}

/** One session. */
export interface SeenSession {
  /** Oldest first. */
  readonly points: readonly PathPoint[];
  /** Oldest first: the packets that brought `points`. */
  readonly packets: readonly SeenPacket[];
  /** Undefined until the server has sent it, which it does every five strokes. */
  readonly kinematics: SeenKinematics | undefined;
}

interface OpenSession {
  points: PathPoint[];
  packets: SeenPacket[];
  kinematics: SeenKinematics | undefined;
}

/** Whether a session looks like a hand or a machine: a hint for people, not a judgement. */
export type Reading = "early" | "human" | "unclear" | "machine";

/** `early`: fewer strokes than a finding needs. */
export function readingOf(kinematics: SeenKinematics | undefined): Reading {
  if (kinematics === undefined || kinematics.summary.strokes + kinematics.summary.jumps < MIN_STROKES) return "early";
  if (kinematics.score >= MACHINE_SCORE) return "machine";
  return kinematics.score < HUMAN_SCORE ? "human" : "unclear";
}

/** All sessions of the watched room. */
export class SeenSessions {
  readonly #sessions = new Map<PlayerId, OpenSession>();

  get(player: PlayerId): SeenSession | undefined {
    return this.#sessions.get(player);
  }

  /** Takes an observation. Observations of another kind are ignored. */
  apply({ player, what, data }: Pick<FeedObservation, "player" | "what" | "data">): void {
    if (what === "mouse-packet") this.#packet(player, data);
    else if (what === "mouse-kinematics") this.#open(player).kinematics = data as unknown as SeenKinematics;
  }

  /** Forgets players who have left the room. */
  keep(present: { has(player: PlayerId): boolean }): void {
    for (const player of this.#sessions.keys()) if (!present.has(player)) this.#sessions.delete(player);
  }

  /** Forgets everything: the next observation is another server's, or comes after a gap. */
  clear(): void {
    this.#sessions.clear();
  }

  #open(player: PlayerId): OpenSession {
    const session = this.#sessions.get(player) ?? { points: [], packets: [], kinematics: undefined };
    this.#sessions.set(player, session);
    return session;
  }

  #packet(player: PlayerId, data: JsonObject): void {
    const { points, ...packet } = data as unknown as Omit<SeenPacket, "records"> & { points: PathPoint[] };
    const last = this.#sessions.get(player)?.packets.at(-1)?.packet;
    // The id belongs to another player now.
    if (last !== undefined && packet.packet <= last) this.#sessions.delete(player);
    const session = this.#open(player);
    // Packets were missed here: the path between is unknown.
    if (last !== undefined && packet.packet > last + 1) session.points = [];
    session.packets.push({ ...packet, records: points.length });
    session.points.push(...points);
    const newestMs = session.points.at(-1)?.atMs ?? 0;
    let old = Math.max(0, session.points.length - MAX_PATH_POINTS);
    // The last point stays, however old it is: the pointer is still there.
    while (old < session.points.length - 1 && newestMs - (session.points[old]?.atMs ?? 0) > KEPT_MS) old += 1;
    session.points.splice(0, old);
    const oldest = session.points[0]?.packet ?? packet.packet;
    session.packets = session.packets.filter(({ packet }) => packet >= oldest).slice(-MAX_PATH_POINTS);
  }
}
