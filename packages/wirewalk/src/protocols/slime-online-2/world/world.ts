/**
 * The world of Slime Online 2: rooms, players, the rules, and who is told what.
 *
 * A message goes through the document's order (sheet S9): in a room, not banned, landing, rate, teleport, transition,
 * anti-cheat, change, relay. A message that is refused on the way changes nothing and is not relayed (sheet V7).
 *
 * The world keeps two states of each player. The **known** state changes by messages alone and is what rules look at;
 * the **ghost** plays on from it by the physics and is what people look at.
 *
 * ```ts
 * import { moveMessage, SlimeWorld, slimeCodec } from "wirewalk/slime-online-2";
 *
 * const world = new SlimeWorld({ dialect: "documented", seed: 1 });
 * world.join(1, { account: "ann", name: "Ann" }, 0);
 * const press = moveMessage("rightPress", 448, 160);
 * world.receive(1, press, slimeCodec("documented").write("client", press), 20);
 * const [enter, broadcast] = world.takeEffects();
 * enter; // => { effect: "enter", player: 1, room: "1" }
 * broadcast.except; // => 1
 * broadcast.message; // => { message: "movePlayer", value: { playerId: 1, ...press.value } }
 * ```
 */
import type { PlayerId, Track, Verdict, VerdictKind } from "../../../motion/index.ts";
import type { JsonObject } from "../../../wire/index.ts";
import type { Effect, Joining, Refusal, World, WorldOptions } from "../../world.ts";
import { demoRoom } from "../movement/demo-rooms.ts";
import { flatGeometry, type RoomGeometry } from "../movement/geometry.ts";
import { toWireCoordinate } from "../movement/keys.ts";
import { detectAssumedLanding, detectBallisticLanding, jumpFrames } from "../movement/landing.ts";
import {
  copyMovementState,
  createMovementState,
  type MovementState,
  updateMovementState,
} from "../movement/movement-state.ts";
import { stepPhysics } from "../movement/physics.ts";
import {
  type PhysicsConstants,
  type PlayerFactors,
  physicsConstants,
  withFactors,
} from "../movement/physics-constants.ts";
import type { SlimeClientMessage, SlimeServerMessage } from "../wire/codec.ts";
import { type DialectRules, dialectRules } from "../wire/dialect.ts";
import { type Direction, directionRow } from "../wire/direction.ts";
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from "../wire/messages.ts";
import { movePlayer } from "../wire/move-player.ts";
import { AntiCheat, maxSpeedViolations, type ViolationKind, violationWindowMs } from "./anti-cheat.ts";
import { MovementRateLimiter, maxMovesPerSecond } from "./rate-limit.ts";
import {
  type AxisBudget,
  type AxisFlag,
  applyJudgement,
  axisSlackSeconds,
  judgeAxes,
  judgeTransition,
  type Move,
  type PositionBaseline,
  validateMovement,
} from "./validation.ts";

/** The options of a world beyond those of every protocol. */
export interface SlimeWorldOptions extends WorldOptions {
  /** The document's transition rule as it stands, without mercy for what honest clients leave out (sheet S1). */
  readonly strict?: boolean;
  /** How an unreported landing is found: the document's 100 ms guess (default), or by the jump's own time (sheet S7). */
  readonly landing?: "assumed" | "ballistic";
  /** The shape of a room, where it is known. Only ghosts and swimming look at it. */
  readonly geometry?: (room: number) => RoomGeometry | undefined;
  readonly constants?: PhysicsConstants;
  /** What LOGIN tells everybody. */
  readonly motd?: string;
}

const FRAME_MS = 1000 / physicsConstants.framesPerSecond;
/** A tick every three frames: landings are found within 50 ms, and 20 ticks a second cost next to nothing. */
const TICK_MS = FRAME_MS * 3;
/** Frames that a ghost plays on after a message (a minute): after that only a stuck key still moves. */
const MAX_GHOST_FRAMES = 3600;
/** Player ids are u16 and rooms of one world are drawn on one page: more than this needs a second world. */
const CAPACITY = 10_000;
/** Where somebody without a place comes in. */
const DEFAULT_ROOM = 1;
const MAX_ROOM = 65_535;
const DEFAULT_SPAWN = { x: 448, y: 160 };
/** How often a server asks whether somebody is there; the client gives up after about 30 s (sheet, "Neighbours"). */
const PING_MS = 20_000;
/** How long a client has to answer for itself before the server answers for it. */
const ANSWER_MS = 1000;
/** Silence that may have been a stall and looks like teleports: the document's rule forgives 5.7 s of running. */
const STALL_MS = 5000;
/** How long after its first message the rest of what a stall held back may take to arrive. */
const BURST_MS = 300;
/** Warps on average, and at once after a pause: each tells everybody in two rooms, and the player of everybody. */
const WARP_EVERY_MS = 200;
const WARP_BURST_MS = 2000;
/** Accounts whose violations are remembered when they leave: whoever leaps, leaves and returns is counted on. */
const MAX_DEPARTED = 1000;
/** How long what a client said before it heard of a change may still be on its way: the longest honest delay. */
const IN_FLIGHT_MS = axisSlackSeconds * 1000;

interface Player {
  readonly id: PlayerId;
  readonly joining: Joining;
  /** As it goes on the wire. */
  readonly name: string;
  room: number;
  /** What messages have said. */
  readonly known: MovementState;
  /** What the physics makes of it until now. */
  readonly ghost: MovementState;
  /** When the ghost's frame 0 was. */
  ghostSinceMs: number;
  /** The frame that the ghost has played, and the one after which it waits for a message. */
  ghostFrame: number;
  ghostLastFrame: number;
  /** The height that the ghost stands on, where no geometry is known. */
  ghostFloor: RoomGeometry;
  /** Somebody was told, or has told us, where the player is. */
  placed: boolean;
  /** Undefined: the next position may be anywhere. */
  baseline: PositionBaseline | undefined;
  axes: AxisBudget | undefined;
  /** When game code allowed a position that is anywhere, and it was not needed yet. */
  allowedAtMs: number | undefined;
  /** When the first position since `baseline` was undefined came. */
  baselineSinceMs: number;
  lastMoveMs: number;
  jumpedAtMs: number | undefined;
  assumedLanded: boolean;
  constants: PhysicsConstants;
  factors: PlayerFactors;
  /** What the player is held to: its own factors, or larger ones that messages on their way may still be due to. */
  lenient: { readonly constants: PhysicsConstants; readonly factors: PlayerFactors; readonly untilMs: number };
  jumpFrames: number;
  /** Keys that were held when the server lifted them: their releases are still to come. */
  readonly lifted: { left: boolean; right: boolean };
  /** When the player last said anything. */
  heardAtMs: number;
  /** Until then what arrives may have been held back by a stall, all at once. */
  burstUntilMs: number;
  /** Whether a teleport of this burst was counted: the others are the same stall. */
  burstCounted: boolean;
  /** When the warps so far are paid for. */
  warpsPaidMs: number;
  readonly rate: MovementRateLimiter;
  readonly antiCheat: AntiCheat<Verdict>;
  banned: boolean;
  lastPingMs: number;
  pingOpen: boolean;
  /** Newcomers to whom this player has not introduced itself, in the order in which the server will do it instead. */
  readonly newcomers: Map<PlayerId, { readonly dueMs: number }>;
}

/** A position that passed: what to tell of it, and what to keep, once all else has passed too. */
interface PassedPosition {
  report(): void;
  keep(): void;
}

/** The rooms of one dialect and the players in them. */
export class SlimeWorld implements World<SlimeClientMessage, SlimeServerMessage> {
  readonly tickMs = TICK_MS;
  readonly capacity = CAPACITY;
  readonly #options: SlimeWorldOptions;
  readonly #dialect: DialectRules;
  readonly #constants: PhysicsConstants;
  readonly #geometry: (room: number) => RoomGeometry | undefined;
  readonly #logOnly: boolean;
  readonly #players = new Map<PlayerId, Player>();
  readonly #rooms = new Map<number, Set<Player>>();
  /** Violations of accounts that left within the last minute, the first to leave first. */
  readonly #departed = new Map<string, { readonly antiCheat: AntiCheat<Verdict>; readonly atMs: number }>();
  #effects: Effect<SlimeServerMessage>[] = [];

  constructor(options: SlimeWorldOptions) {
    this.#options = options;
    this.#dialect = dialectRules(options.dialect);
    this.#constants = options.constants ?? physicsConstants;
    this.#geometry = options.geometry ?? ((room) => (options.demo ? demoRoom(room)?.geometry : undefined));
    this.#logOnly = options.enforcement === "log";
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#players.size >= CAPACITY) return "full";
    if (joining.room !== undefined && roomNumber(joining.room) === undefined) return "bad-room";
    if (!this.#dialect.neighbours) return undefined;
    for (const player of this.#players.values())
      if (player.joining.account === joining.account) return "already-online";
    return undefined;
  }

  join(id: PlayerId, joining: Joining, nowMs: number): void {
    const refusal = this.refuses(joining);
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    if (!(Number.isInteger(id) && id >= 1 && id <= 0xffff))
      throw new RangeError(`Cannot join: id must be 1..65535, got ${id}`);
    if (this.#players.has(id)) throw new RangeError(`Cannot join: player ${id} is here already`);
    const room = joining.room === undefined ? DEFAULT_ROOM : (roomNumber(joining.room) ?? DEFAULT_ROOM);
    const spawns = this.#options.demo ? demoRoom(room)?.spawns : undefined;
    const spawn = spawns?.[id % spawns.length] ?? DEFAULT_SPAWN;
    const player: Player = {
      id,
      joining,
      name: wireText(joining.name, MAX_NAME_LENGTH),
      room,
      known: createMovementState(spawn),
      ghost: createMovementState(spawn),
      ghostSinceMs: nowMs,
      ghostFrame: 0,
      ghostLastFrame: MAX_GHOST_FRAMES,
      ghostFloor: flatGeometry(spawn.y),
      placed: this.#dialect.neighbours,
      baseline: undefined,
      axes: undefined,
      allowedAtMs: undefined,
      baselineSinceMs: nowMs,
      lastMoveMs: nowMs,
      jumpedAtMs: undefined,
      assumedLanded: false,
      constants: this.#constants,
      factors: noFactors,
      lenient: { constants: this.#constants, factors: noFactors, untilMs: nowMs },
      jumpFrames: jumpFrames(this.#constants),
      lifted: { left: false, right: false },
      heardAtMs: nowMs,
      burstUntilMs: -Infinity,
      burstCounted: false,
      warpsPaidMs: nowMs,
      rate: new MovementRateLimiter(),
      antiCheat: this.#departed.get(joining.account)?.antiCheat ?? new AntiCheat(),
      banned: false,
      lastPingMs: nowMs,
      pingOpen: false,
      newcomers: new Map(),
    };
    this.#departed.delete(joining.account);
    this.#players.set(id, player);
    if (this.#dialect.neighbours) this.#welcome(player, nowMs);
    this.#enter(player, room);
    // Where there are introductions, they bring keys and place.
    if (!this.#dialect.neighbours) this.refresh(id, nowMs);
  }

  leave(id: PlayerId, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    // Where there is LOGOUT, it tells everybody, those in the room too.
    if (!this.#dialect.neighbours) this.#tellReleases(player, nowMs);
    this.#exit(player);
    this.#players.delete(id);
    if (player.antiCheat.total("teleport") > 0) {
      this.#departed.delete(player.joining.account);
      this.#departed.set(player.joining.account, { antiCheat: player.antiCheat, atMs: nowMs });
      if (this.#departed.size > MAX_DEPARTED) this.#forgetDeparted(Infinity, 1);
    }
    if (!this.#dialect.neighbours) return;
    for (const other of this.#players.values()) {
      other.newcomers.delete(id);
      this.#send(other.id, { message: "logout", value: { playerId: id } });
    }
  }

  receive(id: PlayerId, message: SlimeClientMessage, payload: Uint8Array, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined || player.banned) return;
    if (nowMs - player.heardAtMs >= STALL_MS) {
      player.burstUntilMs = nowMs + BURST_MS;
      player.burstCounted = false;
    }
    player.heardAtMs = nowMs;
    switch (message.message) {
      case "movePlayer":
        this.#receiveMove(player, message.value, payload, nowMs);
        return;
      case "playerStop":
        this.#receiveStop(player, message.value.x, message.value.y, payload, nowMs);
        return;
      case "warp":
        // Everything that is passed on counts: who may say little else must not do it at a greater rate.
        if (!this.#withinRate(player, payload, nowMs) || !this.#withinWarps(player, payload, nowMs)) return;
        this.#move(player, message.value.room, message.value.x, message.value.y, nowMs);
        return;
      case "chat":
        if (!this.#withinRate(player, payload, nowMs)) return;
        this.#broadcast(player.room, undefined, { message: "chat", value: { playerId: id, text: message.value.text } });
        return;
      case "newPlayer":
        this.#receiveAnswer(player, message.value, nowMs);
        return;
      case "ping":
        // An answer is not answered, or two ends would echo for ever; a ping of the client's own is.
        if (player.pingOpen) player.pingOpen = false;
        else this.#ping(player, nowMs);
        return;
      case "logout":
        this.#effects.push({ effect: "close", player: id, reason: "logout" });
        return;
      case "login":
        this.#verdict(player, "reject", "login-twice", "Logged in already", payload, nowMs);
        return;
    }
  }

  tick(nowMs: number): void {
    for (const player of this.#players.values()) {
      this.#detectLanding(player, nowMs);
      if (this.#dialect.neighbours && nowMs - player.lastPingMs >= PING_MS) this.#ping(player, nowMs);
      for (const [newcomer, { dueMs }] of player.newcomers) {
        if (dueMs > nowMs) break;
        player.newcomers.delete(newcomer);
        this.#introduce(player, newcomer, this.#place(player, nowMs));
      }
    }
    this.#forgetDeparted(nowMs - violationWindowMs, MAX_DEPARTED);
  }

  refresh(id: PlayerId, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    if (this.#dialect.neighbours) {
      for (const other of this.#players.values()) {
        // Whoever went elsewhere meanwhile would stand there for ever.
        if (other.room !== player.room) this.#send(id, warpLeft(other.id));
      }
    }
    this.#showRoom(player, nowMs);
  }

  takeEffects(): readonly Effect<SlimeServerMessage>[] {
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    const players = room === undefined ? this.#players.values() : (this.#rooms.get(roomNumber(room) ?? -1) ?? []);
    return Array.from(players, (player) => this.#track(player, nowMs));
  }

  rooms(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#rooms, ([room, players]) => [String(room), players.size]));
  }

  /**
   * Sets what a player's sodas multiply; 1 and 1 is a player without. Verdicts follow from here on, the smaller limits
   * once nothing can be on its way any more that was said under the larger ones. Throws `RangeError` for factors that
   * are not positive.
   */
  setFactors(id: PlayerId, factors: PlayerFactors, nowMs: number): void {
    const player = this.#player(id);
    player.constants = withFactors(this.#constants, factors);
    player.factors = factors;
    player.jumpFrames = jumpFrames(player.constants);
    const { speed, jump } = player.lenient.factors;
    const larger = { speed: Math.max(speed, factors.speed), jump: Math.max(jump, factors.jump) };
    player.lenient = {
      constants: withFactors(this.#constants, larger),
      factors: larger,
      untilMs: nowMs + IN_FLIGHT_MS,
    };
  }

  /**
   * The player's next position may be anywhere: for a cannon, a moving platform, a warp within the room. Positions that
   * were on their way already do not use it up.
   */
  allowAnywhere(id: PlayerId, nowMs: number): void {
    this.#player(id).allowedAtMs = nowMs;
  }

  /**
   * Takes a player to another room, or elsewhere in its own, with all keys up: what game code may do, as a door does.
   * The player is told by `command` where the protocol has the word. Throws `RangeError` for a room or position that is
   * not a u16.
   */
  warp(id: PlayerId, room: number, x: number, y: number, nowMs: number, command = false): void {
    const player = this.#player(id);
    for (const [name, value] of Object.entries({ room, x, y })) {
      if (!(Number.isInteger(value) && value >= 0 && value <= 0xffff))
        throw new RangeError(`${name} must be a u16, got ${value}`);
    }
    if (command && this.#dialect.neighbours) {
      this.#send(id, { message: "warp", value: { kind: "command", x, y, room } });
    }
    this.#move(player, room, x, y, nowMs);
    // What the player said before it heard of this comes from where it was.
    player.allowedAtMs = nowMs;
  }

  // --- Movement ------------------------------------------------------------------------------------------------------

  #receiveMove(player: Player, value: Move & { readonly code: number }, payload: Uint8Array, nowMs: number): void {
    this.#detectLanding(player, nowMs);
    const { direction, y } = value;
    if (!this.#withinRate(player, payload, nowMs)) return;
    const x = this.#unwrapped(player, value.x);
    const position = this.#checkPosition(player, { direction, x, y }, payload, nowMs);
    if (position === undefined) return;

    const strict = this.#options.strict ?? false;
    const isLifted = !strict && releasesLifted(player, direction);
    const state = isLifted ? { ...player.known, ileft: true, iright: true } : player.known;
    const judgement = judgeTransition(state, direction, { strict, assumedLanded: player.assumedLanded });
    if (judgement.kind === "reject") {
      if (direction === "upPress" && judgement.rule === "ground" && !strict) {
        // Refused like any (sheet S1), but no offence: who lands without saying so and jumps again within 100 ms, or in
        // one burst after a stall, is honest. The press has no effect, as a press in the air has none in the client.
        this.#verdict(player, "benign", "up-in-air", "Up pressed in the air: no effect, not relayed", payload, nowMs);
        return;
      }
      const reason = judgement.message ?? "not legal in this state";
      const verdict = this.#verdict(player, "reject", "transition", reason, payload, nowMs);
      this.#violation(player, "transition", verdict, nowMs);
      return;
    }
    position.report();
    const rule = isLifted ? "lifted-before" : judgement.rule;
    if (isLifted || judgement.kind === "benign") {
      this.#verdict(player, "benign", rule, benignReasons[rule] ?? rule, payload, nowMs);
    }

    position.keep();
    applyJudgement(player.known, judgement);
    this.#syncGhost(player, nowMs);
    const wasFree = player.known.free;
    updateMovementState(player.known, direction, x, y, player.constants.jumpSpeed);
    const { key } = directionRow(direction);
    if (key === "left" || key === "right") player.lifted[key] = false;
    // Only what can be said on the ground alone settles that the guess was right; the air has settled it already.
    if (player.known.free || directionRow(direction).where === "ground" || direction === "landing") {
      player.assumedLanded = false;
    }
    if (player.known.free && !wasFree) player.jumpedAtMs = direction === "upPress" ? nowMs : undefined;
    if (!player.known.free) player.jumpedAtMs = undefined;
    player.lastMoveMs = nowMs;
    this.#settleGhost(player, nowMs, direction);
    this.#broadcast(player.room, player.id, {
      message: "movePlayer",
      value: { playerId: player.id, ...movePlayer(direction, value.x, y) },
    });
  }

  #receiveStop(player: Player, claimedX: number, y: number, payload: Uint8Array, nowMs: number): void {
    this.#detectLanding(player, nowMs);
    if (!this.#withinRate(player, payload, nowMs)) return;
    const x = this.#unwrapped(player, claimedX);
    // A stop claims a position as a landing does.
    const position = this.#checkPosition(player, { direction: "landing", x, y }, payload, nowMs);
    if (position === undefined) return;
    position.report();
    position.keep();
    liftKeys(player, x, y);
    player.jumpedAtMs = undefined;
    player.assumedLanded = false;
    player.lastMoveMs = nowMs;
    this.#settleGhost(player, nowMs);
    const stop: SlimeServerMessage = { message: "playerStop", value: { playerId: player.id, x: claimedX, y } };
    this.#broadcast(player.room, player.id, stop);
  }

  /**
   * An x as `v0106` means it: 16 bits of a number that may be negative, signed in upPress and unsigned elsewhere. Left
   * of a room's edge 65531 is -5, and whoever takes five steps there has not come from the other end of the world.
   */
  #unwrapped(player: Player, x: number): number;
  #unwrapped(player: Player, x: number | undefined): number | undefined;
  #unwrapped({ baseline }: Player, x: number | undefined): number | undefined {
    if (x === undefined || baseline === undefined || !this.#dialect.signedJumpX) return x;
    return x + 0x10000 * Math.round((baseline.x - x) / 0x10000);
  }

  #withinRate(player: Player, payload: Uint8Array, nowMs: number): boolean {
    if (player.rate.allow(nowMs)) return true;
    const verdict = this.#verdict(
      player,
      "reject",
      "rate-limit",
      "More messages than the client can send",
      payload,
      nowMs,
      {
        measured: player.rate.count(nowMs) + 1,
        allowed: maxMovesPerSecond,
        unit: "messages/s",
      },
    );
    this.#violation(player, "rate-limit", verdict, nowMs);
    return false;
  }

  #withinWarps(player: Player, payload: Uint8Array, nowMs: number): boolean {
    const paidMs = Math.max(player.warpsPaidMs, nowMs) + WARP_EVERY_MS;
    if (paidMs <= nowMs + WARP_BURST_MS) {
      player.warpsPaidMs = paidMs;
      return true;
    }
    const verdict = this.#verdict(player, "reject", "warp-rate", "More warps than there are doors", payload, nowMs);
    this.#violation(player, "rate-limit", verdict, nowMs);
    return false;
  }

  /** Judges where a message says the player is. Undefined: refused. */
  #checkPosition(player: Player, move: Move, payload: Uint8Array, nowMs: number): PassedPosition | undefined {
    const { lenient } = player;
    const { x, y } = move;
    // A fall is as fast as ever for whom something else makes slow.
    const factor = Math.max(1, lenient.factors.speed, lenient.factors.jump);
    const result = validateMovement(move, player.baseline, nowMs, factor);
    if (!result.ok && result.error !== "teleport") {
      const { measured, allowed, unit } = result;
      const evidence = { measured, allowed, unit };
      const reason = "The position is not whole";
      const verdict = this.#verdict(player, "reject", "position", reason, payload, nowMs, evidence);
      this.#violation(player, "position", verdict, nowMs);
      return undefined;
    }
    if (x === undefined) return nothingToKeep;

    const axes = judgeAxes(player.axes, { x, y }, nowMs, lenient.constants);
    const inOrder = result.ok && axes.flags.length === 0;
    if (!inOrder && player.allowedAtMs !== undefined) {
      // The allowance is used: everything is measured anew from here.
      const fresh = judgeAxes(undefined, { x, y }, nowMs, lenient.constants).budget;
      return {
        report() {},
        keep: () => {
          player.allowedAtMs = undefined;
          player.baseline = undefined;
          this.#keepPosition(player, { x, y, at: nowMs, saved: 0 }, fresh, nowMs);
        },
      };
    }
    if (result.ok) {
      return {
        report: () => {
          for (const flag of axes.flags) this.#flagAxis(player, flag, payload, nowMs);
        },
        keep: () => this.#keepPosition(player, result.baseline, axes.budget, nowMs),
      };
    }

    const { measured, allowed, unit } = result;
    const evidence = { measured, allowed, unit };
    const reason = `Moved ${measured.toFixed(1)} px where ${allowed.toFixed(1)} px were possible`;
    // What is believed in spite of the rule.
    const believed: PositionBaseline = { x, y: y ?? player.baseline?.y, at: nowMs, saved: 0 };
    const keep = (): void => this.#keepPosition(player, believed, axes.budget, nowMs);
    // A stall that swallows the very first positions delivers them at once, when no travel time has been saved yet.
    // What full speed explains within the longest forgivable stall is then believed.
    const settling = nowMs - player.baselineSinceMs <= axisSlackSeconds * 1000;
    if (settling && axes.flags.length === 0) {
      return { report: () => this.#verdict(player, "benign", "late-start", reason, payload, nowMs, evidence), keep };
    }
    if (this.#logOnly) {
      return {
        report: () => {
          const verdict = this.#verdict(player, "flag", "teleport", reason, payload, nowMs, evidence);
          this.#violation(player, "teleport", verdict, nowMs);
        },
        keep,
      };
    }
    const verdict = this.#verdict(player, "correct", "teleport", reason, payload, nowMs, evidence);
    // Refused they all are; but what a stall held back is one accident, however many messages it was.
    const sameStall = nowMs <= player.burstUntilMs && player.burstCounted;
    player.burstCounted = true;
    if (!sameStall) this.#violation(player, "teleport", verdict, nowMs);
    if (!player.banned) this.#correct(player, nowMs);
    return undefined;
  }

  #keepPosition(player: Player, baseline: PositionBaseline | undefined, axes: AxisBudget, nowMs: number): void {
    if (player.baseline === undefined) player.baselineSinceMs = nowMs;
    player.baseline = baseline;
    player.axes = axes;
    player.placed = true;
    // The next position is spent on this one, unless it may have been on its way when it was allowed.
    if (player.allowedAtMs !== undefined && nowMs - player.allowedAtMs > IN_FLIGHT_MS) player.allowedAtMs = undefined;
    const { constants, factors } = player;
    if (nowMs >= player.lenient.untilMs) player.lenient = { constants, factors, untilMs: Infinity };
  }

  #flagAxis(player: Player, flag: AxisFlag, payload: Uint8Array, nowMs: number): void {
    const { axis, measured, allowed, unit } = flag;
    const reason = `Moved ${measured.toFixed(1)} px (${axis}) where ${allowed.toFixed(1)} px were possible`;
    const verdict = this.#verdict(player, "flag", "axis-speed", reason, payload, nowMs, { measured, allowed, unit });
    this.#violation(player, "axis-speed", verdict, nowMs);
  }

  /** Tells the client where the server last believed it. Positions from the server override the client's. */
  #correct(player: Player, nowMs: number): void {
    // There it stands now, whatever path its keys or its jump would have taken it.
    this.#settleGhost(player, nowMs);
    player.ghost.vsp = 0;
    if (this.#dialect.neighbours) {
      this.#send(player.id, this.#position(player, nowMs, this.#lastPlace(player)));
      return;
    }
    const { x, y } = this.#lastPlace(player);
    this.#send(player.id, {
      message: "movePlayer",
      value: { playerId: player.id, ...movePlayer("landing", x, y) },
    });
  }

  #detectLanding(player: Player, nowMs: number): void {
    const { known, ghost } = player;
    if (!known.free) return;
    const geometry = this.#geometry(player.room);
    if (geometry !== undefined) {
      this.#syncGhost(player, nowMs);
      known.inWater = geometry.waterAt(ghost.x, ghost.y);
    }
    if (this.#options.landing === "ballistic") {
      if (detectBallisticLanding(known, player.jumpedAtMs, nowMs, player.jumpFrames)) player.jumpedAtMs = undefined;
    } else if (detectAssumedLanding(known, player.lastMoveMs, nowMs)) {
      player.assumedLanded = true;
    }
  }

  /** Counts what went wrong; too many teleports end in a ban of the account (sheet A1, A2). */
  #violation(player: Player, kind: ViolationKind, verdict: Verdict, nowMs: number): void {
    player.antiCheat.record(kind, nowMs, verdict);
    if (kind !== "teleport") return;
    const detection = player.antiCheat.check(nowMs);
    if (detection.kind === "clean") return;
    const evidence = detection.evidence.map((violation) => violation.evidence);
    this.#verdict(player, this.#logOnly ? "flag" : "reject", "anti-cheat", detection.reason, verdict.message, nowMs, {
      measured: evidence.length,
      allowed: maxSpeedViolations,
      unit: "teleports/min",
    });
    player.antiCheat.clear();
    if (this.#logOnly) return;
    player.banned = true;
    this.#effects.push({
      effect: "ban",
      player: player.id,
      account: player.joining.account,
      reason: detection.reason,
      durationMs: detection.durationMs,
      evidence,
    });
    this.#effects.push({ effect: "close", player: player.id, reason: "banned" });
  }

  /** Forgets up to `count` of those who left by then, the first first. */
  #forgetDeparted(byMs: number, count: number): void {
    let left = count;
    for (const [account, { atMs }] of this.#departed) {
      if (atMs > byMs || left-- <= 0) return;
      this.#departed.delete(account);
    }
  }

  // --- Rooms ---------------------------------------------------------------------------------------------------------

  /** To another room, or elsewhere in its own, with all keys up; everybody concerned is told. */
  #move(player: Player, room: number, x: number, y: number, nowMs: number): void {
    if (this.#dialect.neighbours) this.#broadcast(player.room, player.id, warpLeft(player.id));
    else this.#tellReleases(player, nowMs);
    this.#exit(player);
    liftKeys(player, x, y);
    this.#settleGhost(player, nowMs);
    player.placed = true;
    this.#enter(player, room);
    // The document has no word for arriving, but a landing brings whom it names, the player itself included.
    if (this.#dialect.neighbours) this.#broadcast(room, player.id, warpArrived(player.id, { x, y }));
    else this.#broadcast(room, undefined, this.#notice(player.id, "landing", x, y));
    this.#showRoom(player, nowMs);
  }

  /** Tells a player of everybody in its room: that they are there, where, and with which keys held. */
  #showRoom(player: Player, nowMs: number): void {
    for (const other of this.#rooms.get(player.room) ?? []) {
      if (other === player) continue;
      if (this.#dialect.neighbours) {
        this.#send(player.id, warpArrived(other.id, this.#place(other, nowMs)));
        this.#send(player.id, this.#position(other, nowMs));
      } else {
        for (const move of this.#movesThatBring(other, nowMs)) this.#send(player.id, move);
      }
    }
  }

  #enter(player: Player, room: number): void {
    player.room = room;
    let players = this.#rooms.get(room);
    if (players === undefined) {
      players = new Set();
      this.#rooms.set(room, players);
    }
    players.add(player);
    this.#effects.push({ effect: "enter", player: player.id, room: String(room) });
  }

  /** The document has no word for leaving. Keys that stay down would walk a ghost into the wall for ever. */
  #tellReleases(player: Player, nowMs: number): void {
    for (const move of this.#releases(player, nowMs)) this.#broadcast(player.room, player.id, move);
  }

  /** Out of its room, without a place (sheet S8). */
  #exit(player: Player): void {
    this.#effects.push({ effect: "exit", player: player.id, room: String(player.room) });
    const players = this.#rooms.get(player.room);
    players?.delete(player);
    if (players?.size === 0) this.#rooms.delete(player.room);
    player.baseline = undefined;
    player.axes = undefined;
    player.allowedAtMs = undefined;
    player.jumpedAtMs = undefined;
    player.assumedLanded = false;
  }

  #releases(player: Player, nowMs: number): readonly SlimeServerMessage[] {
    const { ileft, iright, iup, idown } = player.known;
    const { x, y } = this.#place(player, nowMs);
    const held: [boolean, Direction][] = [
      [ileft, player.placed ? "leftRelease" : "leftReleaseAir"],
      [iright, player.placed ? "rightRelease" : "rightReleaseAir"],
      [iup, "upRelease"],
      [idown, "downRelease"],
    ];
    return held.filter(([isHeld]) => isHeld).map(([, direction]) => this.#notice(player.id, direction, x, y));
  }

  /** A move of somebody, with as much of the position as the direction carries. */
  #notice(playerId: PlayerId, direction: Direction, x: number, y: number): SlimeServerMessage {
    const { position } = directionRow(direction);
    const move = movePlayer(direction, position === "none" ? undefined : x, position === "xy" ? y : undefined);
    return { message: "movePlayer", value: { playerId, ...move } };
  }

  /**
   * The moves that bring a newcomer's picture of a player up to date: keys at the place where the player said it was,
   * then, if it has moved on since, a landing at the place where it must be by now.
   */
  #movesThatBring(player: Player, nowMs: number): readonly SlimeServerMessage[] {
    const { ileft, iright, iup, idown } = player.known;
    const last = this.#lastPlace(player);
    const now = this.#place(player, nowMs);
    const moves: SlimeServerMessage[] = [];
    const say = (direction: Direction, at: { x: number; y: number }): void => {
      moves.push(this.#notice(player.id, direction, at.x, at.y));
    };
    if (!player.placed) {
      // Keys alone, in the words that carry no place: ours would be made up.
      if (ileft) say("leftPressAir", now);
      if (iright) say("rightPressAir", now);
      if (idown) say("downPress", now);
      return moves;
    }
    const inAir = player.ghost.free;
    if (inAir) {
      // Landing sets the place, up takes off again: the only way to say "in the air" with a place.
      say("landing", now);
      say("upPress", now);
      if (!iup) say("upRelease", now);
      if (ileft) say("leftPressAir", now);
      if (iright) say("rightPressAir", now);
      if (idown) say("downPress", now);
      return moves;
    }
    if (iup) say("upPress", last);
    if (ileft) say("leftPress", last);
    if (iright) say("rightPress", last);
    if (idown) say("downPress", last);
    const placed = (ileft || iright) && last.x === now.x && last.y === now.y;
    // After up it is the landing that says: on the ground all the same.
    if (iup || !placed) say("landing", now);
    return moves;
  }

  // --- Neighbours of v0106 -------------------------------------------------------------------------------------------

  #welcome(player: Player, nowMs: number): void {
    const { x, y } = this.#place(player, nowMs);
    const seconds = Math.floor(nowMs / 1000);
    const none = (count: number): number[] => new Array<number>(count).fill(0);
    this.#send(player.id, {
      message: "login",
      value: {
        result: "success",
        playerId: player.id,
        time: seconds >>> 0,
        motd: wireText(this.#options.motd ?? "", MAX_TEXT_LENGTH),
        day: (Math.floor(seconds / 86_400) % 7) + 1,
        hour: Math.floor(seconds / 3600) % 24,
        minute: Math.floor(seconds / 60) % 60,
        name: player.name,
        x,
        y,
        room: player.room,
        ...plainAppearance,
        points: 0,
        signature: 0,
        quest: 0,
        questStep: 0,
        trees: 0,
        built: 0,
        emotes: none(5),
        outfits: none(9),
        accessories: none(9),
        items: none(9),
        tools: none(9),
      },
    });
    for (const other of this.#players.values()) {
      if (other === player) continue;
      const { id: playerId, room, name } = player;
      this.#send(other.id, {
        message: "newPlayer",
        value: { kind: "announce", x, y, playerId, room, name, ...plainAppearance },
      });
      other.newcomers.set(playerId, { dueMs: nowMs + ANSWER_MS });
    }
  }

  #receiveAnswer(player: Player, value: { playerId: PlayerId; x: number; y: number }, nowMs: number): void {
    if (!player.newcomers.delete(value.playerId)) return;
    // The answer is a claim like any other: a place that cannot be is not passed on.
    const { speed, jump } = player.lenient.factors;
    const move = { direction: "landing", x: this.#unwrapped(player, value.x), y: value.y } as const;
    const claim = validateMovement(move, player.baseline, nowMs, Math.max(1, speed, jump));
    this.#introduce(player, value.playerId, claim.ok ? { x: value.x, y: value.y } : this.#place(player, nowMs));
  }

  #introduce(player: Player, newcomer: PlayerId, at: { x: number; y: number }): void {
    const { id: playerId, room, name } = player;
    this.#send(newcomer, {
      message: "newPlayer",
      value: {
        kind: "present",
        ...at,
        playerId,
        ...keyFlags(player.known),
        room,
        name,
        ...plainAppearance,
      },
    });
  }

  #position(player: Player, nowMs: number, at = this.#place(player, nowMs)): SlimeServerMessage {
    return {
      message: "position",
      value: { kind: "correction", playerId: player.id, ...at, ...keyFlags(player.known) },
    };
  }

  #ping(player: Player, nowMs: number): void {
    player.lastPingMs = nowMs;
    player.pingOpen = true;
    this.#send(player.id, { message: "ping", value: {} });
  }

  // --- Ghosts --------------------------------------------------------------------------------------------------------

  /** Where the player must be by now, as it goes on the wire. */
  #place(player: Player, nowMs: number): { x: number; y: number } {
    this.#syncGhost(player, nowMs);
    return { x: toWireCoordinate(player.ghost.x), y: toWireCoordinate(player.ghost.y) };
  }

  /** Where the player last said that it was, as it goes on the wire. */
  #lastPlace(player: Player): { x: number; y: number } {
    return { x: toWireCoordinate(player.known.x), y: toWireCoordinate(player.known.y) };
  }

  /**
   * Plays the ghost up to now, in whole frames counted from one moment: where it is follows from the messages and the
   * time alone, however often somebody looks.
   */
  #syncGhost(player: Player, nowMs: number): void {
    const frame = Math.floor((nowMs - player.ghostSinceMs) / FRAME_MS);
    if (frame <= player.ghostFrame) return;
    const frames = Math.min(frame, player.ghostLastFrame) - player.ghostFrame;
    player.ghostFrame = frame;
    const geometry = this.#geometry(player.room) ?? player.ghostFloor;
    for (let left = frames; left > 0; left--) {
      stepPhysics(player.ghost, player.constants, "documented", geometry);
      // Most players stand still most of the time.
      if (isAtRest(player.ghost)) return;
    }
  }

  /** The ghost takes over what a message has said, and goes on from there. */
  #settleGhost(player: Player, nowMs: number, direction?: Direction): void {
    const { known, ghost } = player;
    const carriesPlace = direction === undefined || movesPlace.has(direction);
    const { x, y, hsp, vsp, free, ice, inWater } = ghost;
    copyMovementState(known, ghost);
    ghost.hsp = hsp;
    ghost.ice = ice;
    ghost.inWater = inWater;
    if (direction === undefined) ghost.hsp = 0;
    else if (!carriesPlace) {
      ghost.x = x;
      ghost.y = y;
      // In the air the flight goes on; what messages say of the ground is only believed when they name a place.
      ghost.free = free || known.free;
      ghost.vsp = vsp;
    } else if (direction === "upPress") {
      ghost.y = y;
      if (free) {
        ghost.vsp = vsp;
        ghost.free = true;
      }
    }
    if (carriesPlace && direction !== "upPress") player.ghostFloor = flatGeometry(ghost.y);
    if (direction === undefined) {
      player.ghostSinceMs = nowMs;
      player.ghostFrame = 0;
    }
    player.ghostLastFrame = player.ghostFrame + MAX_GHOST_FRAMES;
  }

  #track(player: Player, nowMs: number): Track {
    this.#syncGhost(player, nowMs);
    const { ghost, known, constants } = player;
    const perSecond = constants.framesPerSecond;
    return {
      player: player.id,
      room: String(player.room),
      atMs: nowMs,
      position: { x: ghost.x, y: ghost.y },
      velocity: { x: ghost.hsp * perSecond, y: ghost.vsp * perSecond },
      facingTurns: ghost.sprDir === 1 ? 0 : 0.5,
      stance: stanceOf(ghost),
      source: player.placed ? "simulated" : "guessed",
      details: { name: player.joining.name, ...keyFlags(known), assumedLanded: player.assumedLanded },
    };
  }

  // --- Saying --------------------------------------------------------------------------------------------------------

  #send(to: PlayerId, message: SlimeServerMessage): void {
    this.#effects.push({ effect: "send", to, message });
  }

  #broadcast(room: number, except: PlayerId | undefined, message: SlimeServerMessage): void {
    this.#effects.push({ effect: "broadcast", room: String(room), except, message });
  }

  #verdict(
    player: Player,
    kind: VerdictKind,
    rule: string,
    reason: string,
    payload: Uint8Array,
    nowMs: number,
    evidence: { measured?: number; allowed?: number; unit?: string } = {},
  ): Verdict {
    const verdict: Verdict = {
      kind,
      rule,
      reason,
      player: player.id,
      room: String(player.room),
      atMs: nowMs,
      ...evidence,
      // Kept longer than the memory that it came in may be.
      message: new Uint8Array(payload),
      stateBefore: stateJson(player),
    };
    this.#effects.push({ effect: "verdict", verdict });
    return verdict;
  }

  #player(id: PlayerId): Player {
    const player = this.#players.get(id);
    if (player === undefined) throw new RangeError(`There is no player ${id}`);
    return player;
  }
}

/** Directions that say where the player is. */
const movesPlace: ReadonlySet<Direction> = new Set([
  "leftPress",
  "rightPress",
  "upPress",
  "leftRelease",
  "rightRelease",
  "landing",
]);

const benignReasons: Readonly<Record<string, string>> = {
  "walked-off": "An air code on the ground: walked off an edge, which sends nothing",
  "landing-missing": "A ground code in the air: landed without saying so",
  "released-twice": "Released a key that was not held",
  "lifted-before": "Released a key that was lifted at a change of room or a stop",
};

const plainAppearance = { body: 1, accessory1: 0, accessory2: 0 };

const noFactors: PlayerFactors = { speed: 1, jump: 1 };

const nothingToKeep: PassedPosition = { report() {}, keep() {} };

function warpLeft(playerId: PlayerId): SlimeServerMessage {
  return { message: "warp", value: { playerId, kind: "left" } };
}

function warpArrived(playerId: PlayerId, at: { readonly x: number; readonly y: number }): SlimeServerMessage {
  return { message: "warp", value: { playerId, kind: "arrived", x: at.x, y: at.y } };
}

/** A text as names and messages of the day carry it: a control character, or one without a byte, is a question mark. */
function wireText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[^ -\u00ff]/g, "?");
}

/** All keys up at a place, facing as before. */
function liftKeys({ known, lifted }: Player, x: number, y: number): void {
  lifted.left ||= known.ileft;
  lifted.right ||= known.iright;
  copyMovementState(createMovementState({ x, y, sprDir: known.sprDir }), known);
}

/** Whether this is the release of a key that is still down in the client only. */
function releasesLifted({ known, lifted }: Player, direction: Direction): boolean {
  const { key, action } = directionRow(direction);
  if (action !== "release") return false;
  return (key === "left" && lifted.left && !known.ileft) || (key === "right" && lifted.right && !known.iright);
}

/** True where another frame would change nothing. */
function isAtRest(state: Readonly<MovementState>): boolean {
  return !state.free && state.hsp === 0 && state.vsp === 0 && state.ileft === state.iright && !state.iupPress;
}

function keyFlags(state: Readonly<MovementState>): {
  left: boolean;
  right: boolean;
  up: boolean;
  down: boolean;
  upPress: boolean;
} {
  return { left: state.ileft, right: state.iright, up: state.iup, down: state.idown, upPress: state.iupPress };
}

function stanceOf(state: Readonly<MovementState>): string {
  if (state.inWater && state.free) return "swim";
  if (state.free) return state.vsp < 0 ? "jump" : "fall";
  if (state.idown) return "crouch";
  return state.hsp === 0 ? "stand" : "walk";
}

function stateJson(player: Player): JsonObject {
  const { ileft, iright, iup, iupPress, idown, free, vsp, x, y, sprDir } = player.known;
  const { baseline } = player;
  return {
    left: ileft,
    right: iright,
    up: iup,
    upPress: iupPress,
    down: idown,
    free,
    vsp,
    x,
    y,
    facing: sprDir === 1 ? "right" : "left",
    assumedLanded: player.assumedLanded,
    baseline:
      baseline === undefined
        ? null
        : { x: baseline.x, y: baseline.y ?? null, atMs: baseline.at, savedSeconds: baseline.saved },
  };
}

/** A room's number from its name; undefined when it is none. */
function roomNumber(name: string): number | undefined {
  if (!/^\d{1,5}$/.test(name)) return undefined;
  const room = Number(name);
  return room <= MAX_ROOM ? room : undefined;
}
