/** What the world shows of a player: its track, and the state that a verdict keeps as evidence. */
import type { Track } from "../../../motion/index.ts";
import type { JsonObject } from "../../../wire/index.ts";
import type { PlayerBudget } from "../../player-budget.ts";
import type { MovementState } from "../movement/movement-state.ts";
import { mostHeldBack, type Reach } from "../movement/reach.ts";
import type { SlimeRuleLimits } from "./limits.ts";
import { lineOf } from "./pings.ts";
import { keyFlags, type Player } from "./player.ts";

/** Where the player's ghost is. Play it until `nowMs` before. */
export function trackOf(player: Player, nowMs: number): Track {
  const { known, physics } = player;
  const { state } = player.ghost;
  const perSecond = physics.constants.framesPerSecond;
  return {
    player: player.id,
    room: String(player.room),
    atMs: nowMs,
    position: { x: state.x, y: state.y },
    velocity: { x: state.hsp * perSecond, y: state.vsp * perSecond },
    facingTurns: state.sprDir === 1 ? 0 : 0.5,
    stance: stanceOf(state),
    source: player.placed ? "simulated" : "guessed",
    details: { name: player.name, ...keyFlags(known), assumedLanded: player.assumedLanded },
  };
}

function stanceOf(state: Readonly<MovementState>): string {
  if (state.inWater && state.free) return "swim";
  if (state.free) return state.vsp < 0 ? "jump" : "fall";
  if (state.idown) return "crouch";
  return state.hsp === 0 ? "stand" : "walk";
}

/** How much of what adds up the player has used. */
export function budgetsOf(
  { position: { reach }, antiCheat, pings }: Player,
  nowMs: number,
  rules: SlimeRuleLimits,
): readonly PlayerBudget[] {
  const { advantageSeconds, maxCorrections, correctionWindowMs } = rules;
  const advantage = { rule: "unreachable", limit: advantageSeconds, unit: "s" };
  return [
    { name: "advantage-x", ...advantage, used: reach?.xLead ?? 0 },
    { name: "advantage-y", ...advantage, used: reach?.yLead ?? 0 },
    {
      name: "held-back",
      rule: "unreachable",
      limit: mostHeldBack(rules, lineOf(pings, nowMs)),
      unit: "s",
      used: Math.max(0, reach?.drawn ?? 0),
    },
    {
      name: "corrections",
      rule: "anti-cheat",
      used: antiCheat.correctionsOf(nowMs),
      limit: maxCorrections,
      unit: correctionWindowMs === 3_600_000 ? "corrections/h" : `corrections/${correctionWindowMs / 1000} s`,
    },
  ];
}

/** What 8.6 measures from, in seconds and px; below 0 a lead is credit. */
function reachJson(reach: Reach): JsonObject {
  const { xLead, yLead, left, right, rested, high, jumps, leftSlide, rightSlide, drawn, atMs } = reach;
  return {
    leadX: xLead,
    leadY: yLead,
    leftSeconds: left,
    rightSeconds: right,
    restedSeconds: rested,
    highSeconds: high,
    jumps,
    leftSlidePx: leftSlide,
    rightSlidePx: rightSlide,
    heldBackSeconds: drawn,
    countedMs: atMs,
  };
}

/** The state that rules look at, as JSON. */
export function stateJson({ known, position, assumedLanded }: Player): JsonObject {
  const { ileft, iright, iup, iupPress, idown, free, vsp, x, y, sprDir } = known;
  const { baseline, reach } = position;
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
    assumedLanded,
    baseline:
      baseline === undefined
        ? null
        : { x: baseline.x, y: baseline.y ?? null, atMs: baseline.at, savedSeconds: baseline.saved },
    reach: reach === undefined ? null : reachJson(reach),
  };
}
