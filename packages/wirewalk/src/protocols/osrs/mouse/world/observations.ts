/** What spectators see of mice: tracks, packets with their points, kinematics; and the evidence of verdicts. */
import type { Track } from "../../../../motion/index.ts";
import type { JsonObject } from "../../../../wire/index.ts";
import { angleOf } from "../../../world-kit/exact-math.ts";
import type { Observation } from "../../../world-kit/index.ts";
import type { MousePacketSummary } from "../movement/tracker.ts";
import { findingJson, type MouseSummary } from "./kinematics.ts";
import { type PathPoint, PLAYBACK_DELAY_MS } from "./path-rows.ts";
import type { Session } from "./session.ts";

/** The one room of all pointers: a window. */
export const MOUSE_ROOM = "mouse";

/** Where the pointer was `PLAYBACK_DELAY_MS` ago. */
export function trackOf(session: Session, nowMs: number): Track {
  const { rows } = session;
  const shownMs = nowMs - PLAYBACK_DELAY_MS;
  const row = rows.rowAt(shownMs);
  const from = rows.point(row);
  const to = rows.point(row + 1);
  let position = { x: from?.x ?? -1, y: from?.y ?? -1 };
  let velocity = { x: 0, y: 0 };
  let stance = from === undefined || !from.known ? "unknown" : from.outside ? "outside" : "rest";
  if (from !== undefined && to !== undefined && to.speed > 0 && shownMs >= from.atMs && shownMs < to.atMs) {
    const spanMs = to.atMs - from.atMs;
    const share = (shownMs - from.atMs) / spanMs;
    position = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    velocity = { x: ((to.x - from.x) * 1000) / spanMs, y: ((to.y - from.y) * 1000) / spanMs };
    if (stance === "rest") stance = "move";
  }
  const angle = angleOf(-velocity.y, velocity.x) / (2 * Math.PI);
  return {
    player: session.id,
    room: MOUSE_ROOM,
    atMs: nowMs,
    position,
    velocity,
    facingTurns: angle < 0 ? angle + 1 : angle,
    stance,
    source: stance === "unknown" ? "guessed" : "claimed",
    details: { name: session.name, packets: session.packets, strokes: session.kinematics.count },
  };
}

/** `mouse-packet`: a packet with its points. */
export function packetOf(
  { id, packets }: Session,
  bytes: number,
  { spanMs, cutBytes }: MousePacketSummary,
  early: boolean,
  points: readonly PathPoint[],
): Observation {
  const data = { packet: packets, bytes, spanMs, cutBytes, early, points: points.map((point) => ({ ...point })) };
  return { player: id, room: MOUSE_ROOM, what: "mouse-packet", data };
}

/** `mouse-kinematics`: the state below. */
export function kinematicsOf(session: Session): Observation {
  return { player: session.id, room: MOUSE_ROOM, what: "mouse-kinematics", data: stateJson(session) };
}

/** A session's state, as evidence. */
export function stateJson({ tracker, kinematics, packets }: Session): JsonObject {
  const { score, findings } = kinematics.score();
  return {
    atMs: tracker.atMs,
    known: tracker.known,
    packets,
    score,
    findings: findings.map(findingJson),
    summary: summaryJson(kinematics.summary()),
  };
}

function summaryJson({ measures, ...numbers }: MouseSummary): JsonObject {
  return { ...numbers, measures: measures.map((measure) => ({ ...measure })) };
}
