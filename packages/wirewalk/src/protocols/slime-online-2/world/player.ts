/** One player of a world: everything that the world remembers about it (docs/protocols/slime-online-2.md). */
import type { LinkPace, PlayerId, Verdict } from "../../../motion/index.ts";
import { flag, type MembersOf, mapOf, maybe, number, type StateOf, state, text } from "../../world-kit/index.ts";
import type { MotionBounds } from "../movement/bounds.ts";
import type { MovementState } from "../movement/movement-state.ts";
import type { PhysicsConstants, PlayerFactors } from "../movement/physics-constants.ts";
import { savedReach } from "../movement/reach.ts";
import { MAX_NAME_LENGTH } from "../wire/messages.ts";
import type { AntiCheat } from "./anti-cheat.ts";
import { type Ghost, savedPlace } from "./ghost.ts";
import { savedPings } from "./pings.ts";
import type { MovementRateLimiter } from "./rate-limit.ts";
import { savedBaseline } from "./validation.ts";

/** What a player's sodas multiply, and what follows from it. */
export interface Physics {
  readonly factors: PlayerFactors;
  readonly constants: PhysicsConstants;
  /** The same for rules, with the speeds of the limits, and what follows from it. */
  readonly ruled: PhysicsConstants;
  readonly bounds: MotionBounds;
  /** Frames of a jump. */
  readonly jumpFrames: number;
}

/** What the position rules remember of a player. */
export const savedPosition = state({
  /** The last accepted position; undefined: the next one may be anywhere. */
  baseline: maybe(savedBaseline),
  reach: maybe(savedReach),
  /** When the first position since `baseline` was undefined was accepted. */
  sinceMs: number,
  /** When game code allowed a position anywhere; undefined: it did not, or the allowance was used. */
  allowedAtMs: maybe(number),
});
export type PositionState = Readonly<StateOf<typeof savedPosition>>;

/** Where a player came into its room, and where it left the one before, in rooms whose doors are not known. */
const savedEntrance = state({
  /** The room that it left, and the place there. */
  fromRoom: number,
  from: savedPlace,
  at: savedPlace,
});
export type Entrance = Readonly<StateOf<typeof savedEntrance>>;

/** The members of a player that are saved as they are. */
export const plainMembers = {
  id: number,
  account: text,
  /** As the carrier or the login gave it. */
  name: text,
  room: number,
  /** Whether the player has reported a position, or the server has sent it one. */
  placed: flag,
  /** When the last move was accepted. */
  lastMoveMs: number,
  /** When the present jump began; undefined on the ground and in a fall off an edge. */
  jumpedAtMs: maybe(number),
  /** The player is on the ground by a guess of the server (standard 8.7). */
  assumedLanded: flag,
  /** Keys that were held when the server released them: the client's own releases are still to come. */
  lifted: state({ left: flag, right: flag }),
  position: savedPosition,
  /** Whether it has sent a position since it joined: it may do so in the middle of a jump, whatever the code says. */
  hasStood: flag,
  /** The first position from this time on makes the player's own physics the limit. */
  limitsUntilMs: number,
  /** The stalls of this process until its last message (`FairClock`). */
  stalledMs: number,
  /** What of them its account of positions has not been paid for yet. */
  owedMs: number,
  /** The length of the last silence that may have been a long stall. */
  silenceMs: number,
  /** Messages that arrive until then may all have been delayed by that stall. */
  burstUntilMs: number,
  /** Whether a teleport of this burst was counted. */
  burstCounted: flag,
  /** The warps so far are paid for from this time on. */
  warpsPaidMs: number,
  /** Where it came into its room; undefined for one that came by no warp of its own. */
  entrance: maybe(savedEntrance),
  /** Doors that lead elsewhere than the player came from are paid for from this time on. */
  strangeDoorsPaidMs: number,
  /** The same for chat. */
  chatPaidMs: number,
  banned: flag,
  /** When its client was last sent a correction. */
  correctedMs: number,
  pings: savedPings,
  /** Where the account began in this room; undefined before its first position. */
  start: maybe(savedPlace),
  /** The entry of what its account left and its first position is measured from; undefined without one, and after that position. */
  returnedFrom: maybe(number),
  /** When it began anew in this room, though its account had left something here. */
  anewMs: maybe(number),
  /** Newcomers to whom this player has not been introduced, with the time when the server does it. Earliest first. */
  newcomers: mapOf(number, number),
};

export interface Player extends MembersOf<typeof plainMembers> {
  readonly id: PlayerId;
  readonly account: string;
  readonly name: string;
  /** As the wire carries it. */
  readonly wireName: string;
  /** What accepted messages have established. Rules read this state alone. */
  readonly known: MovementState;
  readonly ghost: Ghost;
  /**
   * False until the player has a place or has moved: no move is needed to show it. Thousands of silent connections are such players, and
   * to play their ghosts for each newcomer took 2 ms. Not saved: a restored player may be shown.
   */
  mayBeShown: boolean;
  physics: Physics;
  /** The limits of the position rules: the player's own, or larger ones while messages sent under them may still arrive. */
  limits: Physics;
  /** How late its messages may be. */
  readonly pace: LinkPace;
  readonly rate: MovementRateLimiter;
  readonly antiCheat: AntiCheat<Verdict>;
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
