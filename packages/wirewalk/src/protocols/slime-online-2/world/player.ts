/** One player of a world: everything that the world remembers about it (docs/protocols/slime-online-2.md). */
import type { LinkPace, PlayerId, Verdict } from "../../../motion/index.ts";
import type { MovementState } from "../movement/movement-state.ts";
import type { PhysicsConstants, PlayerFactors } from "../movement/physics-constants.ts";
import { MAX_NAME_LENGTH } from "../wire/messages.ts";
import type { AntiCheat } from "./anti-cheat.ts";
import type { Ghost, Place } from "./ghost.ts";
import type { MovementRateLimiter } from "./rate-limit.ts";
import type { Travel } from "./travel.ts";
import type { PositionBaseline } from "./validation.ts";

/** What a player's sodas multiply, and what follows from it. */
export interface Physics {
  readonly factors: PlayerFactors;
  readonly constants: PhysicsConstants;
  /** The same for rules, with the speeds of the limits. */
  readonly ruled: PhysicsConstants;
  /** Frames of a jump. */
  readonly jumpFrames: number;
}

/** What the position rules remember of a player. */
export interface PositionState {
  /** The last accepted position; undefined: the next one may be anywhere. */
  readonly baseline: PositionBaseline | undefined;
  readonly travel: Travel | undefined;
  /** When the first position since `baseline` was undefined was accepted. */
  readonly sinceMs: number;
  /** When game code allowed a position anywhere; undefined: it did not, or the allowance was used. */
  readonly allowedAtMs: number | undefined;
}

export interface Player {
  readonly id: PlayerId;
  readonly account: string;
  /** As the carrier or the login gave it. */
  readonly name: string;
  /** As the wire carries it. */
  readonly wireName: string;
  room: number;
  /** What accepted messages have established. Rules read this state alone. */
  readonly known: MovementState;
  readonly ghost: Ghost;
  /** Whether the player has reported a position, or the server has sent it one. */
  placed: boolean;
  /**
   * False until the player has a place or has moved: no move is needed to show it. Thousands of silent connections are such players, and
   * to play their ghosts for each newcomer took 2 ms. Not saved: a restored player may be shown.
   */
  mayBeShown: boolean;
  /** When the last move was accepted. */
  lastMoveMs: number;
  /** When the present jump began; undefined on the ground and in a fall off an edge. */
  jumpedAtMs: number | undefined;
  /** The player is on the ground by a guess of the server (standard 8.7). */
  assumedLanded: boolean;
  /** Keys that were held when the server released them: the client's own releases are still to come. */
  readonly lifted: { left: boolean; right: boolean };
  position: PositionState;
  /** Whether it has sent a position since it joined: it may do so in the middle of a jump, whatever the code says. */
  hasStood: boolean;
  physics: Physics;
  /** The limits of the position rules: the player's own, or larger ones while messages sent under them may still arrive. */
  limits: Physics;
  /** The first position from this time on makes the player's own physics the limit. */
  limitsUntilMs: number;
  /** How late its messages may be. */
  readonly pace: LinkPace;
  /** The stalls of this process until its last message (`FairClock`). */
  stalledMs: number;
  /** The length of the last silence that may have been a long stall. */
  silenceMs: number;
  /** Messages that arrive until then may all have been delayed by that stall. */
  burstUntilMs: number;
  /** Whether a teleport of this burst was counted. */
  burstCounted: boolean;
  /** The warps so far are paid for from this time on. */
  warpsPaidMs: number;
  /** The same for chat. */
  chatPaidMs: number;
  readonly rate: MovementRateLimiter;
  readonly antiCheat: AntiCheat<Verdict>;
  banned: boolean;
  lastPingMs: number;
  /** Whether the last ping is unanswered. */
  pingOpen: boolean;
  /** Where the account began in this room; undefined before its first position. */
  start: Place | undefined;
  /** The entry of what its account left and its first position is measured from; undefined without one, and after that position. */
  returnedFrom: number | undefined;
  /** When it began anew in this room, though its account had left something here. */
  anewMs: number | undefined;
  /** Newcomers to whom this player has not been introduced, with the time when the server does it. Earliest first. */
  readonly newcomers: Map<PlayerId, number>;
}

export interface Room {
  /** In the order in which they entered it. */
  readonly players: Set<Player>;
}

/** A player's name as the wire carries it. */
export function wireName(name: string): string {
  return wireText(name, MAX_NAME_LENGTH);
}

/**
 * A text as the wire carries it: cut to the length, with a question mark for a control character and for a character that
 * Latin-1 does not have.
 */
export function wireText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[^ -\u00ff]/g, "?");
}

/** The five flags in which POSITION and NEW_PLAYER carry the held keys. */
export function keyFlags(state: Readonly<MovementState>): {
  left: boolean;
  right: boolean;
  up: boolean;
  down: boolean;
  upPress: boolean;
} {
  return { left: state.ileft, right: state.iright, up: state.iup, down: state.idown, upPress: state.iupPress };
}
