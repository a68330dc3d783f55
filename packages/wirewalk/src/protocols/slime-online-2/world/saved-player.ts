/** Players as plain data: what decides their later effects, without what follows from it or from the world's options. */
import { LinkPace } from "../../../motion/index.ts";
import { copyState, number, type StateOf, savedVerdict, state } from "../../world-kit/index.ts";
import { savedLinkPace } from "../../world-kit/saved-parts.ts";
import { createMovementState, savedMovementState } from "../movement/movement-state.ts";
import { AntiCheat, savedAntiCheat } from "./anti-cheat.ts";
import { Ghost, savedGhost } from "./ghost.ts";
import { type Player, plainMembers, wireName } from "./player.ts";
import type { PlayerMotion } from "./player-motion.ts";
import { savedRate } from "./rate-limit.ts";

const plainPlayer = state(plainMembers);
const savedFactors = state({ speed: number, jump: number });

export const savedPlayer = state({
  ...plainMembers,
  known: savedMovementState,
  ghost: savedGhost,
  pace: savedLinkPace,
  factors: savedFactors,
  /** The factors of `limits`. */
  limits: savedFactors,
  rate: savedRate,
  antiCheat: savedAntiCheat(savedVerdict),
});
type SavedPlayer = StateOf<typeof savedPlayer>;

/** A player with the members that are saved. */
export function liveOf({ wireName: _, mayBeShown: _mayBeShown, physics, limits, ...player }: Player) {
  return { ...player, factors: physics.factors, limits: limits.factors };
}

/** A player with a saved state, of which it keeps nothing. Throws `RangeError` for more times of messages than any limit allows. */
export function restorePlayer(saved: SavedPlayer, motion: PlayerMotion): Player {
  return {
    ...copyState(plainPlayer, saved),
    wireName: wireName(saved.name),
    known: createMovementState(saved.known),
    ghost: new Ghost(saved.ghost),
    mayBeShown: true,
    pace: new LinkPace(saved.pace, motion.rules.pace),
    physics: motion.physicsOf(saved.factors),
    limits: motion.physicsOf(saved.limits),
    rate: motion.rateOf(saved.rate),
    antiCheat: AntiCheat.restore(saved.antiCheat, motion.rules),
  };
}
