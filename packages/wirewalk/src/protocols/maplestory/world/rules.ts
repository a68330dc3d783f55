/**
 * What movement is possible: rules over the points of a path, with the honest limits that operators have published.
 * Pure functions; the world makes verdicts of what they find. Source: docs/protocols/maplestory.md 8.
 */

import type { NodePath } from "../movement/nodes.ts";
import { walkConstants } from "../movement/walker.ts";
import type { Point } from "../wire/messages.ts";

/** Names of all rules that a verdict may have. `docs/maplestory.md` says of each what it finds and where that is tested. */
export const mapleRules = [
  "login-twice",
  "character-online",
  "not-on-a-map",
  "field-key",
  "start",
  "box",
  "durations",
  "wall-clock",
  "pattern",
  "speed",
  "jump",
  "fall",
  "impulse",
  "teleport",
  "teleport-skill",
  "replayed-path",
  "empty-path",
  "pet-owner",
  "summon-owner",
  "monster-elsewhere",
  "monster-control",
  "monster-speed",
  "monster-head",
  "vacuum-box",
  "vacuum-side",
  "client-report",
] as const;
export type MapleRule = (typeof mapleRules)[number];

/** Honest limits of players; soda and skills multiply the first two. */
export const playerLimits = {
  walkPxPerSecond: walkConstants.walk,
  jumpPxPerSecond: walkConstants.jump,
  /** "~670": measured falls go a little over. */
  fallPxPerSecond: 680,
  /** Rounding of both ends of a node and of its time. */
  slackPx: 3,
  /** What a grab of a ladder moves at once, pixels. */
  grabPx: 14,
  /** A path may be so much longer in all before it is no speed any more but a teleport. */
  teleportPx: 150,
  /** Without a skill an instant moves no further, pixels: sitting down on a chair. */
  instantPx: 30,
} as const;

/** Honest limits of monsters. */
export const monsterLimits = {
  /** Honest paths go up to 253. */
  speedPxPerSecond: 600,
  /** From the last end to the next start. */
  headPx: 150,
  boxPx: 25,
  /** In one box: honest up to 5, a vacuum has 10. */
  honestInBox: 5,
  vacuumInBox: 10,
  /** Left against right over a long time: honest below 0.1, a vacuum has 0.7. */
  vacuumImbalance: 0.7,
  /** What a long time is: so many pixels in all. Less is chance: one walk to the edge is all to one side. */
  imbalanceWindowPx: 20_000,
} as const;

/** Factors of a player's soda and skills. */
export interface PlayerFactors {
  readonly speed: number;
  readonly jump: number;
}

/** The worst that was found, in pixels per second or pixels. */
export interface Finding {
  readonly rule: Extract<MapleRule, "speed" | "jump" | "fall" | "impulse" | "teleport" | "teleport-skill">;
  readonly measured: number;
  readonly allowed: number;
  readonly unit: "px/s" | "px";
}

/** What is impossible in a player's path; undefined for one that is possible. */
export function judgePath(
  path: NodePath,
  factors: PlayerFactors,
  mayTeleport: boolean,
  slackPx: number = playerLimits.slackPx,
): Finding | undefined {
  const walk = playerLimits.walkPxPerSecond * factors.speed;
  const jump = playerLimits.jumpPxPerSecond * factors.jump;
  let worst: Finding | undefined;
  let worstShare = 1;
  const find = (rule: Finding["rule"], measured: number, allowed: number, unit: Finding["unit"]): void => {
    if (measured <= allowed * worstShare) return;
    worstShare = measured / allowed;
    worst = { rule, measured, allowed, unit };
  };
  let at: Point = path.start;
  let beyondPx = 0;
  for (const { x, y, vx, vy, durationMs, jump: isInstant, impulse, foothold } of path.nodes) {
    const dx = Math.abs(x - at.x);
    const dy = y - at.y;
    at = { x, y };
    if (isInstant) {
      const far = Math.hypot(dx, dy);
      if (!mayTeleport) find("teleport-skill", far, playerLimits.instantPx, "px");
      continue;
    }
    if (impulse) {
      find("impulse", Math.abs(vx), walk * 1.1, "px/s");
      find("impulse", -vy, jump * 1.05, "px/s");
    }
    // A grab of a ladder moves to it at once; everything else takes its time.
    const slack = slackPx + (foothold < 0 ? playerLimits.grabPx : 0);
    const seconds = Math.max(durationMs, 1) / 1000;
    find("speed", Math.max(0, dx - slack) / seconds, walk, "px/s");
    find("fall", Math.max(0, dy - slack) / seconds, playerLimits.fallPxPerSecond, "px/s");
    find("jump", Math.max(0, -dy - slack) / seconds, jump, "px/s");
    beyondPx += Math.max(0, dx - slack - walk * seconds);
    beyondPx += Math.max(0, dy - slack - playerLimits.fallPxPerSecond * seconds, -dy - slack - jump * seconds);
  }
  // Far beyond what its time allows it is no speed: somebody is elsewhere.
  if (beyondPx > playerLimits.teleportPx) {
    return { rule: "teleport", measured: beyondPx, allowed: playerLimits.teleportPx, unit: "px" };
  }
  return worst;
}

/** The fastest stretch of a monster's path, pixels per second. */
export function fastest(path: NodePath): number {
  let at: Point = path.start;
  let most = 0;
  for (const { x, y, durationMs, jump } of path.nodes) {
    const px = Math.max(0, Math.hypot(x - at.x, y - at.y) - playerLimits.slackPx);
    // Leaving in no time is fast too.
    if (px > 0) most = Math.max(most, (px * 1000) / Math.max(durationMs, jump ? 30 : 1));
    at = { x, y };
  }
  return most;
}

/** How far a controller's monsters have gone to the left and to the right. */
export class SideBalance {
  #left = 0;
  #right = 0;

  add(path: NodePath): void {
    let { x: at } = path.start;
    for (const { x } of path.nodes) {
      if (x < at) this.#left += at - x;
      else this.#right += x - at;
      at = x;
    }
    if (this.#left + this.#right < 2 * monsterLimits.imbalanceWindowPx) return;
    // What is long past counts less and less.
    this.#left /= 2;
    this.#right /= 2;
  }

  /** 0 balanced, 1 all to one side; undefined while too little was seen. */
  get imbalance(): number | undefined {
    const all = this.#left + this.#right;
    return all < monsterLimits.imbalanceWindowPx ? undefined : Math.abs(this.#left - this.#right) / all;
  }
}
