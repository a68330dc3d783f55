/**
 * The mice of one server: sessions come and go, packets come in, and out come tracks, kinematics and evidence. Nothing
 * is ever sent to a client, refused or corrected, and nobody is banned.
 *
 * Who looks on is shown two things: `mouse-packet` (`packet`, `bytes`, `spanMs`, `cutBytes`, `early`: a button must have
 * sent it, and `points` as `PathPoint`), and every few strokes `mouse-kinematics` (`score`, `findings`, `summary`).
 *
 * ```ts
 * const world = new MouseWorld({ dialect: "client", seed: 1 });
 * world.join(1, { account: "a", name: "a" }, 0);
 * const payload = parseHex("0000 ffff012c0190");
 * world.receive(1, { message: "mouseMove", value: readMousePacket("client", payload) }, payload, 2000);
 * world.tracks(4500)[0].position; // => { x: 400, y: 300 }
 * world.session(1).kinematics.score().findings; // => []
 * ```
 */
import type { PlayerId, Track, VerdictKind } from "../../../../motion/index.ts";
import type { JsonObject } from "../../../../wire/index.ts";
import type { Effect, Joining, Refusal, World, WorldOptions } from "../../../world.ts";
import { FLUSH_SAMPLES, FULL_PAYLOAD_BYTES } from "../movement/recorder.ts";
import { type MousePoint, MouseTracker } from "../movement/tracker.ts";
import { mouseRules } from "../wire/dialect.ts";
import type { MouseMoveMessage } from "../wire/message.ts";
import { findingJson, MouseKinematics, type MouseRule } from "./kinematics.ts";

/** Packets tell of two seconds at once: this long after, everything of a moment has arrived. */
export const PLAYBACK_DELAY_MS = 2500;
/** Points of a path that are remembered: a dozen seconds of movement. */
export const MAX_PATH_POINTS = 256;
/** Players of one world of the game. A session takes about 100 KiB. */
const CAPACITY = 2047;
/** A packet later than this is none: the client's clock has lost time, in a pause that nobody could tell. */
const MAX_LATE_MS = 10_000;
const TICK_MS = 200;
/** Findings are looked for after so many strokes each time. */
const SCORE_EVERY_STROKES = 5;
/** A finding this strong is said aloud. */
const FLAG_STRENGTH = 0.5;
/** A packet this much sooner than samples can be taken is early for sure, whatever the network did to it. */
const EARLY_SHARE = 0.9;
/** After so long without a movement the pointer rests. */
const REST_MS = 250;
/** The one place of all pointers: a window. */
const ROOM = "mouse";

/** A point of a session's path, on the clock of the world. */
export interface PathPoint {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
  /** Whether x and y are places. */
  readonly known: boolean;
  readonly outside: boolean;
  /** Pixels per second since the point before; 0 after a rest or a break. */
  readonly speed: number;
  /** Number of the packet that brought it, from 0. */
  readonly packet: number;
}

/** What a world knows of one player's mouse. */
export interface MouseSession {
  readonly tracker: MouseTracker;
  readonly kinematics: MouseKinematics;
  /** The last points, the oldest first. */
  readonly path: readonly PathPoint[];
  readonly packets: number;
  /** When the last packet came; undefined before the first. */
  readonly arrivedMs: number | undefined;
}

/** One session; its own memory. */
class Session implements MouseSession {
  readonly joining: Joining;
  readonly tracker: MouseTracker;
  readonly kinematics: MouseKinematics;
  readonly path: PathPoint[] = [];
  readonly flagged = new Set<MouseRule>();
  packets = 0;
  arrivedMs: number | undefined;
  /** From the client's clock to the world's: the least that any packet needed, since lateness only adds. */
  offsetMs = 0;
  scoredAt = 0;
  /** Whether the last packet took all that fits. */
  isFull = false;

  constructor(joining: Joining, dialect: string) {
    this.joining = joining;
    this.tracker = new MouseTracker({ dialect });
    this.kinematics = new MouseKinematics(dialect);
  }
}

/** Mice of one dialect. */
export class MouseWorld implements World<MouseMoveMessage, never> {
  readonly tickMs = TICK_MS;
  readonly capacity = CAPACITY;
  readonly #dialect: string;
  readonly #headerBytes: number;
  readonly #sessions = new Map<PlayerId, Session>();
  #effects: Effect<never>[] = [];

  /** Throws `RangeError` for an unknown dialect. `headerBytes` stand before the packet in every payload: an opcode. */
  constructor(options: WorldOptions, headerBytes = 0) {
    this.#headerBytes = headerBytes;
    this.#dialect = mouseRules(options.dialect).name;
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#sessions.size >= CAPACITY) return "full";
    return joining.room === undefined || joining.room === ROOM ? undefined : "bad-room";
  }

  join(player: PlayerId, joining: Joining, _nowMs: number): void {
    const refusal = this.refuses(joining);
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    if (this.#sessions.has(player)) throw new RangeError(`Cannot join: player ${player} is here already`);
    // A login after a logout begins anew: the client's process may be another, and nothing relative is trusted.
    this.#sessions.set(player, new Session(joining, this.#dialect));
    this.#effects.push({ effect: "enter", player, room: ROOM });
  }

  leave(player: PlayerId, _nowMs: number): void {
    if (this.#sessions.delete(player)) this.#effects.push({ effect: "exit", player, room: ROOM });
  }

  receive(player: PlayerId, _message: MouseMoveMessage, payload: Uint8Array, nowMs: number): void {
    const session = this.#sessions.get(player);
    if (session === undefined) return;
    const { tracker, kinematics } = session;
    const body = payload.subarray(this.#headerBytes);
    const first = session.path.length;
    const { cutBytes, records, meanResidueMs, spanMs } = tracker.read(
      body,
      (point) => {
        kinematics.push(point);
        session.path.push(pathPoint(point, session.path.at(-1), session.packets));
      },
      nowMs,
    );
    const points = this.#place(session, first, nowMs);
    const bytes = body.length;
    const early = this.#isEarly(session, nowMs);
    this.#observe(player, "mouse-packet", { packet: session.packets, bytes, spanMs, cutBytes, early, points });
    session.packets += 1;
    session.arrivedMs = nowMs;
    session.isFull = bytes >= FULL_PAYLOAD_BYTES;
    if (cutBytes > 0 || meanResidueMs < 0) {
      const reason = `The client's clock went back: ${records} records read, ${cutBytes} bytes left`;
      this.#verdict(player, session, "benign", "clock-back", reason, payload, nowMs);
    }
    this.#score(player, session, payload, nowMs);
  }

  tick(_nowMs: number): void {}

  refresh(_player: PlayerId, _nowMs: number): void {}

  takeEffects(): readonly Effect<never>[] {
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }

  tracks(nowMs: number, room: string = ROOM): readonly Track[] {
    if (room !== ROOM) return [];
    return Array.from(this.#sessions, ([player, session]) => trackOf(player, session, nowMs));
  }

  rooms(): ReadonlyMap<string, number> {
    return new Map(this.#sessions.size === 0 ? [] : [[ROOM, this.#sessions.size]]);
  }

  /** What is known of a player's mouse; undefined when there is no such player. */
  session(player: PlayerId): MouseSession | undefined {
    return this.#sessions.get(player);
  }

  /**
   * Whether a packet came so soon after the one before that not enough samples for it can have been taken: then a button
   * was pressed. A full packet is followed by its rest.
   */
  #isEarly({ arrivedMs, isFull, tracker }: Session, nowMs: number): boolean {
    const timedMs = (FLUSH_SAMPLES - 1) * tracker.rules.sampleMs;
    return arrivedMs !== undefined && !isFull && nowMs - arrivedMs < timedMs * EARLY_SHARE;
  }

  #observe(player: PlayerId, what: string, data: JsonObject): void {
    this.#effects.push({ effect: "observe", player, room: ROOM, what, data });
  }

  /** Puts the points of a packet on the world's clock, forgets the oldest, and gives the new ones as plain data. */
  #place(session: Session, first: number, nowMs: number): JsonObject[] {
    const { path, tracker } = session;
    const offsetMs = nowMs - tracker.atMs;
    const isLate = offsetMs >= session.offsetMs && offsetMs <= session.offsetMs + MAX_LATE_MS;
    if (session.packets === 0 || !isLate) session.offsetMs = offsetMs;
    for (let index = first; index < path.length; index++) {
      const point = path[index] as PathPoint;
      const earliestMs = path[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
      // Where the clocks were just found to be nearer, this packet would begin before the one before it ended.
      path[index] = { ...point, atMs: Math.max(point.atMs + session.offsetMs, earliestMs) };
    }
    const points = path.slice(first).map((point) => ({ ...point }));
    if (path.length > MAX_PATH_POINTS) path.splice(0, path.length - MAX_PATH_POINTS);
    return points;
  }

  #score(player: PlayerId, session: Session, payload: Uint8Array, nowMs: number): void {
    const { kinematics, flagged } = session;
    if (kinematics.count < session.scoredAt + SCORE_EVERY_STROKES) return;
    session.scoredAt = kinematics.count;
    this.#observe(player, "mouse-kinematics", stateJson(session));
    for (const finding of kinematics.score().findings) {
      const { rule, reason, measured, allowed, unit, strength } = finding;
      // Once a session: what has been said need not be repeated, the score is there to be asked.
      if (strength < FLAG_STRENGTH || flagged.has(rule)) continue;
      flagged.add(rule);
      this.#verdict(player, session, "flag", rule, reason, payload, nowMs, { measured, allowed, unit });
    }
  }

  #verdict(
    player: PlayerId,
    session: Session,
    kind: VerdictKind,
    rule: string,
    reason: string,
    message: Uint8Array,
    atMs: number,
    evidence: { measured?: number; allowed?: number; unit?: string } = {},
  ): void {
    const stateBefore = stateJson(session);
    this.#effects.push({
      effect: "verdict",
      verdict: { kind, rule, reason, player, room: ROOM, atMs, ...evidence, message: message.slice(), stateBefore },
    });
  }
}

function pathPoint(point: MousePoint, last: PathPoint | undefined, packet: number): PathPoint {
  const { x, y, atMs, known, outside, sinceMs, first } = point;
  const goesOn = last !== undefined && !first && !outside && !last.outside && last.known === known;
  const speed = goesOn && sinceMs > 0 && sinceMs < REST_MS ? (Math.hypot(x - last.x, y - last.y) * 1000) / sinceMs : 0;
  return { x, y, atMs, known, outside, speed, packet };
}

/** Where the pointer was `PLAYBACK_DELAY_MS` ago. */
function trackOf(player: PlayerId, session: Session, nowMs: number): Track {
  const { path } = session;
  const shownMs = nowMs - PLAYBACK_DELAY_MS;
  let index = path.length - 1;
  while (index > 0 && (path[index] as PathPoint).atMs > shownMs) index -= 1;
  const from = path[index];
  const to = path[index + 1];
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
  const angle = Math.atan2(-velocity.y, velocity.x) / (2 * Math.PI);
  return {
    player,
    room: ROOM,
    atMs: nowMs,
    position,
    velocity,
    facingTurns: angle < 0 ? angle + 1 : angle,
    stance,
    source: stance === "unknown" ? "guessed" : "claimed",
    details: { name: session.joining.name, packets: session.packets, strokes: session.kinematics.count },
  };
}

function stateJson({ tracker, kinematics, packets }: Session): JsonObject {
  const { score, findings } = kinematics.score();
  return {
    atMs: tracker.atMs,
    known: tracker.known,
    packets,
    score,
    findings: findings.map(findingJson),
    summary: { ...kinematics.summary() },
  };
}
