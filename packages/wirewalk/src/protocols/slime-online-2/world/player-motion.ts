/**
 * How a player's state changes: by accepted messages, by game code, and by time. Nothing is judged and nothing is sent
 * here.
 */
import { LinkPace, type PlayerId, type Verdict } from "../../../motion/index.ts";
import type { Joining } from "../../world.ts";
import type { RoomGeometry } from "../maps/geometry.ts";
import { motionBounds } from "../movement/bounds.ts";
import { detectAssumedLanding, detectBallisticLanding, jumpFrames } from "../movement/landing.ts";
import { copyMovementState, createMovementState, updateMovementState } from "../movement/movement-state.ts";
import { type PhysicsConstants, type PlayerFactors, withFactors } from "../movement/physics-constants.ts";
import { directionRow } from "../wire/direction.ts";
import type { AntiCheat } from "./anti-cheat.ts";
import { Ghost, type Place, wirePlace } from "./ghost.ts";
import { anyPosition, placedAt } from "./judging.ts";
import { ruledPhysics, type SlimeRuleLimits, slimeLimitTable } from "./limits.ts";
import { noPings } from "./pings.ts";
import type { LeftPlace } from "./places.ts";
import { type Physics, type Player, type PositionState, wireName } from "./player.ts";
import { MovementRateLimiter, type SavedRate } from "./rate-limit.ts";
import { outOfSolids } from "./standing.ts";
import { applyJudgement, type Move, type TransitionJudgement } from "./validation.ts";

/** What the world knows about all of its players and rooms. */
export interface PlayerMotionOptions {
  /** The shape of a room; undefined where it is unknown. */
  readonly geometry: (room: number) => RoomGeometry | undefined;
  readonly constants: PhysicsConstants;
  readonly landing: "assumed" | "ballistic";
  readonly rules: SlimeRuleLimits;
}

/** Where a player comes in, and what is known about it before its first message. */
export interface Arrival {
  readonly room: number;
  readonly at: Place;
  readonly placed: boolean;
  readonly antiCheat: AntiCheat<Verdict>;
  /** The stalls of this process so far. */
  readonly stalledMs: number;
  /** What the account left last in this room, a short time ago. */
  readonly left: LeftPlace | undefined;
  readonly returnedFrom: number | undefined;
}

export class PlayerMotion {
  readonly #options: PlayerMotionOptions;
  /** Of players without sodas: nearly all of them. */
  readonly #physics: Physics;
  readonly #ruled: PhysicsConstants;

  constructor(options: PlayerMotionOptions) {
    this.#options = options;
    const { constants, rules } = options;
    this.#ruled = ruledPhysics(constants, rules);
    const factors = { speed: 1, jump: 1 };
    this.#physics = { constants, ...ruledBy(this.#ruled), factors, jumpFrames: jumpFrames(constants) };
  }

  get rules(): SlimeRuleLimits {
    return this.#options.rules;
  }

  /** The rate of a player that joins now, or goes on. */
  rateOf(start: number | SavedRate): MovementRateLimiter {
    const { maxMovesPerSecond } = this.rules;
    const saved = typeof start === "number" ? 0 : start.times.length;
    if (typeof start === "number" || saved <= maxMovesPerSecond || saved > slimeLimitTable.maxMovesPerSecond.most) {
      return new MovementRateLimiter(start, maxMovesPerSecond);
    }
    // Saved under a higher limit.
    return new MovementRateLimiter({ ...start, times: start.times.slice(-maxMovesPerSecond) }, maxMovesPerSecond);
  }

  create(id: PlayerId, { account, name }: Joining, arrival: Arrival, nowMs: number): Player {
    const { room, at, placed, antiCheat, stalledMs, left, returnedFrom } = arrival;
    return {
      id,
      account,
      name,
      wireName: wireName(name),
      room,
      known: createMovementState(at),
      ghost: Ghost.standing(at, nowMs),
      placed,
      mayBeShown: placed,
      lastMoveMs: nowMs,
      jumpedAtMs: undefined,
      assumedLanded: false,
      lifted: { left: false, right: false },
      position: left?.position ?? (placed ? placedAt(at, nowMs) : anyPosition(nowMs)),
      hasStood: false,
      physics: this.#physics,
      limits: this.#physics,
      limitsUntilMs: nowMs,
      pace: new LinkPace(nowMs, this.rules.pace),
      stalledMs,
      owedMs: 0,
      silenceMs: 0,
      burstUntilMs: -Infinity,
      burstCounted: false,
      warpsPaidMs: left?.warpsPaidMs ?? nowMs,
      entrance: undefined,
      strangeDoorsPaidMs: left?.strangeDoorsPaidMs ?? nowMs,
      chatPaidMs: left?.chatPaidMs ?? nowMs,
      rate: this.rateOf(left?.rate ?? nowMs),
      antiCheat,
      banned: false,
      correctedMs: -Infinity,
      pings: noPings(nowMs),
      start: left?.start,
      returnedFrom,
      anewMs: undefined,
      newcomers: new Map(),
    };
  }

  /** The physics of a player with these factors. Throws `RangeError` for factors that are not positive. */
  physicsOf(factors: PlayerFactors): Physics {
    if (factors.speed === 1 && factors.jump === 1) return this.#physics;
    const constants = withFactors(this.#options.constants, factors);
    const ruled = withFactors(this.#ruled, factors);
    const { speed, jump } = factors;
    return { constants, ...ruledBy(ruled), factors: { speed, jump }, jumpFrames: jumpFrames(constants) };
  }

  /** Plays a player's ghost until now. */
  play(player: Player, nowMs: number): void {
    const { ghost } = player;
    // Most calls come within the frame of another one.
    if (ghost.isDue(nowMs)) ghost.play(player.physics.constants, this.#options.geometry(player.room), nowMs);
  }

  /** Where a player is by now. */
  placeOf(player: Player, nowMs: number): Place {
    this.play(player, nowMs);
    return wirePlace(player.ghost.state);
  }

  /** Finds a landing that no message has reported (standard 8.7 of docs/protocols/slime-online-2.md). */
  detectLanding(player: Player, nowMs: number): void {
    const { known, ghost } = player;
    if (!known.free) return;
    const geometry = this.#options.geometry(player.room);
    if (geometry !== undefined) {
      this.play(player, nowMs);
      known.inWater = geometry.waterAt(ghost.state.x, ghost.state.y);
    }
    if (this.#options.landing === "ballistic") {
      if (detectBallisticLanding(known, player.jumpedAtMs, nowMs, player.physics.jumpFrames))
        player.jumpedAtMs = undefined;
    } else if (detectAssumedLanding(known, player.lastMoveMs, nowMs, this.rules.assumedLandingMs)) {
      player.assumedLanded = true;
    }
  }

  /** Applies an accepted move. */
  move(player: Player, { direction, x, y }: Move, transition: TransitionJudgement, nowMs: number): void {
    this.play(player, nowMs);
    const { known, lifted } = player;
    applyJudgement(known, transition);
    const wasFree = known.free;
    updateMovementState(known, direction, x, y, player.physics.constants.jumpSpeed);
    const { key, where, position } = directionRow(direction);
    if (key === "left" || key === "right") lifted[key] = false;
    // A code that is legal on the ground alone settles that the guess was right; in the air it is settled already.
    if (known.free || where === "ground" || direction === "landing") player.assumedLanded = false;
    if (known.free && !wasFree) player.jumpedAtMs = direction === "upPress" ? nowMs : undefined;
    if (!known.free) player.jumpedAtMs = undefined;
    player.lastMoveMs = nowMs;
    player.mayBeShown = true;
    const { ghost } = player;
    const geometry = position === "x" ? this.#options.geometry(player.room) : undefined;
    ghost.follow(known, direction, geometry && outOfSolids(geometry, { x: known.x, y: ghost.state.y }).y);
  }

  /** Keeps a position whose time is counted until now. */
  count(player: Player, counted: PositionState): void {
    player.position = counted;
    player.owedMs = 0;
  }

  /** Commits an accepted position. Undefined: the message carried none. */
  accept(player: Player, position: PositionState | undefined, nowMs: number): void {
    if (position === undefined) return;
    this.count(player, position);
    player.placed = true;
    player.mayBeShown = true;
    if (nowMs < player.limitsUntilMs) return;
    player.limits = player.physics;
    player.limitsUntilMs = Infinity;
  }

  /** Standing at a place with all keys up, facing as before. */
  stand(player: Player, at: Place, nowMs: number): void {
    this.play(player, nowMs);
    const { known, lifted } = player;
    lifted.left ||= known.ileft;
    lifted.right ||= known.iright;
    copyMovementState(createMovementState({ ...at, sprDir: known.sprDir }), known);
    player.ghost.stand(known, nowMs);
    player.jumpedAtMs = undefined;
    player.assumedLanded = false;
    player.mayBeShown = true;
  }

  /** The last place that the player can have reached: where its keys have taken it. A jump in a room of unknown shape is taken back. */
  possiblePlace(player: Player, nowMs: number): Place {
    const { x, y } = this.placeOf(player, nowMs);
    const isOverUnknown = this.#options.geometry(player.room) === undefined && player.ghost.state.free;
    return { x, y: isOverUnknown ? wirePlace(player.known).y : y };
  }

  /** Puts the ghost there, standing. */
  correct(player: Player, { x, y }: Place, nowMs: number): void {
    this.play(player, nowMs);
    player.known.x = x;
    player.known.y = y;
    player.ghost.stand(player.known, nowMs);
  }

  /** Sets what a player's sodas multiply. Smaller limits hold once no message sent under the larger ones can arrive. */
  setFactors(player: Player, factors: PlayerFactors, nowMs: number): void {
    const physics = this.physicsOf(factors);
    this.play(player, nowMs);
    player.ghost.rebase();
    player.physics = physics;
    const { speed, jump } = player.limits.factors;
    player.limits = this.physicsOf({ speed: Math.max(speed, factors.speed), jump: Math.max(jump, factors.jump) });
    player.limitsUntilMs = nowMs + this.rules.inFlightMs;
  }
}

function ruledBy(ruled: PhysicsConstants): Pick<Physics, "ruled" | "bounds"> {
  return { ruled, bounds: motionBounds(ruled) };
}
