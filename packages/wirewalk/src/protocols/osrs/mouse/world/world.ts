/**
 * The mice of one server: packets in, tracks, kinematics and evidence out. Nothing is sent to a client, refused or corrected,
 * and no player is banned.
 *
 * Spectators receive two observations: `mouse-packet` (`packet`, `bytes`, `spanMs`, `cutBytes`, `early`: a button must have
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
import type { PlayerId, Track } from "../../../../motion/index.ts";
import type { WireMessage } from "../../../codec.ts";
import type { Effect, Joining, Refusal, SavedWorld, World, WorldOptions } from "../../../world.ts";
import {
  checkSaved,
  copyState,
  digestOf,
  EffectQueue,
  list,
  mayBeSeveral,
  PlayerTable,
  plainData,
  type SavedOutline,
  savedOptions,
  savedWorld,
  state,
} from "../../../world-kit/index.ts";
import { FULL_PAYLOAD_BYTES } from "../movement/recorder.ts";
import { type MouseDialect, mouseRules } from "../wire/dialect.ts";
import type { MouseMoveMessage } from "../wire/message.ts";
import { isEarly, type Judgement, judgeClock, judgeFindings } from "./judging.ts";
import { createLeftMice, savedLeftMice } from "./left-mice.ts";
import { type MouseLimits, mouseLimits } from "./limits.ts";
import { kinematicsOf, MOUSE_ROOM, packetOf, stateJson, trackOf } from "./observations.ts";
import { type MouseSession, Session, savedSession } from "./session.ts";

/** Players of one world of the game. A session takes about 100 KiB. */
const CAPACITY = 2047;
const TICK_MS = 200;

/** The options of a world beyond those of every protocol. */
export interface MouseWorldOptions extends WorldOptions {
  /** Limits of the rules. Default: those of `mouseLimitTable`. */
  readonly limits?: Partial<MouseLimits>;
  /**
   * The layout of message `mouseMove`. Default: the dialect's. In a revision where native clients have a message of their own it is
   * `client` in dialect `native` too.
   */
  readonly mouseMoveLayout?: MouseDialect;
}

/** Counts the changes of the shape of {@link savedState}. */
const SCHEMA = 5;

const savedState = state({
  sessions: list(savedSession),
  left: savedLeftMice,
  effects: list(plainData<Effect<never>>()),
});

/** Mice of one dialect, and of native clients among them. */
export class MouseWorld implements World<MouseMoveMessage, never> {
  readonly tickMs = TICK_MS;
  readonly capacity = CAPACITY;
  /** Of message `mouseMove`. */
  readonly #layout: MouseDialect;
  readonly #headerBytes: number;
  readonly #limits: MouseLimits;
  readonly #outline: SavedOutline;
  #sessions = new PlayerTable<Session>(CAPACITY);
  #left = createLeftMice();
  #effects = new EffectQueue<never>();

  /** Throws `RangeError` for an unknown dialect. `headerBytes` stand before the packet in every payload: an opcode. */
  constructor(options: MouseWorldOptions, headerBytes = 0) {
    this.#headerBytes = headerBytes;
    const dialect = mouseRules(options.dialect).name;
    this.#layout = options.mouseMoveLayout ?? dialect;
    this.#limits = mouseLimits(options.limits);
    const other = this.#layout === dialect ? {} : { mouseMoveLayout: this.#layout };
    const saved = savedOptions({ headerBytes, ...other, ...this.#limits });
    this.#outline = { schema: SCHEMA, world: `osrs/mouse/${dialect}`, options: saved };
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#sessions.isFull) return "full";
    return joining.room === undefined || joining.room === MOUSE_ROOM ? undefined : "bad-room";
  }

  join(player: PlayerId, joining: Joining, nowMs: number): void {
    this.#sessions.checkJoin(player, this.refuses(joining));
    // Positions and times begin anew: the client's process may be another, and nothing relative is trusted.
    const session = new Session(player, joining, this.#layout, this.#limits);
    const { account } = joining;
    const [left] = mayBeSeveral(account) ? [] : this.#left.of(account, MOUSE_ROOM, nowMs);
    if (left !== undefined) {
      session.resume(left.kept);
      this.#left.take(account, left.id);
    }
    this.#sessions.add(player, session);
    this.#effects.enter(player, MOUSE_ROOM);
  }

  leave(player: PlayerId, nowMs: number): void {
    const session = this.#sessions.remove(player);
    if (session === undefined) return;
    this.#effects.exit(player, MOUSE_ROOM);
    const { account } = session;
    const kept = session.leave();
    // Strokes of an address that is several people are the evidence against none of them.
    if (mayBeSeveral(account) || kept.kinematics.count + kept.kinematics.jumpCount === 0) return;
    this.#left.add({ account, room: MOUSE_ROOM, leftMs: nowMs, kept });
  }

  /** The dialect whose layout a client's message about its mouse has; undefined for every other message. */
  layoutOf({ message }: WireMessage): MouseDialect | undefined {
    if (message === "mouseMove") return this.#layout;
    return message === "nativeMouseMove" ? "native" : undefined;
  }

  /** Messages that are not about the mouse are ignored. */
  receive(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    const layout = this.layoutOf(message);
    const known = this.#sessions.get(player);
    if (known === undefined || layout === undefined) return;
    const session = known.tracker.rules.name === layout ? known : this.#turnTo(layout, known);
    const { tracker, kinematics } = session;
    const body = payload.subarray(this.#headerBytes);
    const first = session.rows.length;
    const summary = tracker.read(
      body,
      (point) => {
        kinematics.push(point);
        session.add(point);
      },
      nowMs,
    );
    const points = session.place(first, nowMs);
    const early = isEarly(session, tracker.rules.sampleMs, nowMs);
    this.#effects.observe(packetOf(session, body.length, summary, early, points));
    session.packets += 1;
    session.arrivedMs = nowMs;
    session.isFull = body.length >= FULL_PAYLOAD_BYTES;
    const clock = judgeClock(summary);
    if (clock !== undefined) this.#verdict(session, clock, payload, nowMs);
    this.#score(session, payload, nowMs);
  }

  /** Another kind of client sends the player's packets from here on. Measurements are kept; places and times begin anew. */
  #turnTo(layout: MouseDialect, left: Session): Session {
    const { id, account, name } = left;
    const own = layout === this.#layout ? undefined : layout;
    const session = new Session(id, { account, name, layout: own }, this.#layout, this.#limits);
    session.resume(left.leave());
    this.#sessions.remove(id);
    this.#sessions.add(id, session);
    return session;
  }

  tick(nowMs: number): void {
    this.#left.tick(nowMs);
  }

  refresh(_player: PlayerId, _nowMs: number): void {}

  takeEffects(): readonly Effect<never>[] {
    return this.#effects.take();
  }

  tracks(nowMs: number, room: string = MOUSE_ROOM): readonly Track[] {
    if (room !== MOUSE_ROOM) return [];
    return Array.from(this.#sessions.values(), (session) => trackOf(session, nowMs));
  }

  rooms(): ReadonlyMap<string, number> {
    return new Map(this.#sessions.size === 0 ? [] : [[MOUSE_ROOM, this.#sessions.size]]);
  }

  /** A player's mouse; undefined for an unknown player. */
  session(player: PlayerId): MouseSession | undefined {
    return this.#sessions.get(player);
  }

  #score(session: Session, payload: Uint8Array, nowMs: number): void {
    const { kinematics, flagged } = session;
    if (kinematics.moves < session.scoredAt + this.#limits.scoreEveryStrokes) return;
    session.scoredAt = kinematics.moves;
    this.#effects.observe(kinematicsOf(session));
    for (const judgement of judgeFindings(kinematics.score().findings, flagged, this.#limits)) {
      flagged.add(judgement.rule);
      this.#verdict(session, judgement, payload, nowMs);
    }
  }

  #verdict(session: Session, judgement: Judgement, message: Uint8Array, atMs: number): void {
    const { kind, rule, reason, ...evidence } = judgement;
    const about = { player: session.id, room: MOUSE_ROOM, atMs };
    this.#effects.verdict({ kind, rule, reason, ...about, ...evidence, message, stateBefore: stateJson(session) });
  }

  save(): SavedWorld {
    const state = { sessions: this.#sessions.values(), left: this.#left, effects: this.#effects };
    return savedWorld(this.#outline, copyState(savedState, state));
  }

  restore(saved: SavedWorld): void {
    this.prepareRestore(saved).commit();
  }

  /** The first half of {@link restore}: checks everything and returns the second half, which cannot fail. */
  prepareRestore(saved: SavedWorld): { readonly players: PlayerTable<Session>; commit(): void } {
    const state = checkSaved(saved, this.#outline, savedState);
    const sessions = new PlayerTable<Session>(CAPACITY);
    for (const data of state.sessions) {
      const session = Session.restore(data, this.#layout, this.#limits);
      sessions.add(session.id, session);
    }
    const left = createLeftMice(state.left, this.#layout);
    const effects = new EffectQueue(state.effects);
    return {
      players: sessions,
      commit: () => {
        this.#sessions = sessions;
        this.#left = left;
        this.#effects = effects;
      },
    };
  }

  digest(): bigint {
    return digestOf(this.save());
  }
}
