/** Judging of monster paths and of who may control a monster: pure functions of the path and of what the server knows. */
import type { PlayerId } from "../../../motion/index.ts";
import type { NodePath } from "../movement/nodes.ts";
import { CHEAT_REPORT_FLAG, type Point } from "../wire/messages.ts";
import type { Judgement } from "./judgement.ts";
import type { Monster } from "./monsters.ts";
import { type MapleRule, monsterLimits, playerLimits } from "./rules.ts";

/** The fastest part of a monster's path, pixels per second. */
export function fastest(path: NodePath): number {
  let at: Point = path.start;
  let most = 0;
  for (const { x, y, durationMs, jump } of path.nodes) {
    const px = Math.max(0, Math.hypot(x - at.x, y - at.y) - playerLimits.slackPx);
    // A jump in no time is fast too.
    if (px > 0) most = Math.max(most, (px * 1000) / Math.max(durationMs, jump ? 30 : 1));
    at = { x, y };
  }
  return most;
}

/** A message about a monster that is not on the sender's map. It may have died, or the sender may have left. */
export function judgeElsewhere(mobId: number, isLate: boolean): Judgement {
  const evidence = { rule: "monster-elsewhere", measured: mobId, unit: "mobId" } as const;
  return isLate
    ? { kind: "benign", reason: "The monster is not on this map any more", ...evidence }
    : { kind: "reject", reason: "No such monster lives on this map", ...evidence };
}

/** A path of a monster that somebody else controls. The sender may have lost control a moment ago. */
export function judgeNotController(monster: Readonly<Monster>, sender: PlayerId, nowMs: number): Judgement {
  const isLate = nowMs <= (monster.former.get(sender) ?? -Infinity);
  const evidence = { rule: "monster-control", measured: monster.mobId, unit: "mobId" } as const;
  return isLate
    ? { kind: "benign", reason: "Still on its way from before the hand-over", ...evidence }
    : { kind: "reject", reason: "Somebody else drives this monster", ...evidence };
}

/** What {@link judgeMonsterPath} needs to know. */
export interface MonsterPathState {
  /** Where the monster was. */
  readonly monster: Readonly<Monster>;
  readonly moveFlags: number;
  /** The balance of the controller's monsters with this path in it; undefined before enough movement. */
  readonly imbalance: number | undefined;
  /** All monsters of the map. */
  readonly monsters: Iterable<Readonly<Monster>>;
  readonly controller: PlayerId;
}

/** Judges the path of a monster that its controller has sent. */
export function judgeMonsterPath(path: NodePath, state: MonsterPathState): readonly Judgement[] {
  const { monster, moveFlags, imbalance = 0 } = state;
  const judgements: Judgement[] = [];
  const flag = (rule: MapleRule, reason: string, measured: number, allowed: number, unit: string): void => {
    judgements.push({ kind: "flag", rule, reason, measured, allowed, unit });
  };
  if ((moveFlags & CHEAT_REPORT_FLAG) !== 0) {
    const reason = "The client itself reports a cheating controller";
    flag("client-report", reason, moveFlags, CHEAT_REPORT_FLAG - 1, "flags");
  }
  const head = Math.hypot(path.start.x - monster.x, path.start.y - monster.y);
  if (head > monsterLimits.headPx) {
    flag("monster-head", "Starts far from where the monster was", head, monsterLimits.headPx, "px");
  }
  const speed = fastest(path);
  if (speed > monsterLimits.speedPxPerSecond) {
    flag("monster-speed", "Faster than any monster", speed, monsterLimits.speedPxPerSecond, "px/s");
  }
  if (imbalance >= monsterLimits.vacuumImbalance) {
    flag("vacuum-side", "Its monsters all go one way", imbalance, monsterLimits.vacuumImbalance, "of all");
  }
  const inBox = countInBox(path.nodes.at(-1) ?? path.start, state);
  if (inBox > monsterLimits.honestInBox) {
    judgements.push({
      kind: inBox >= monsterLimits.vacuumInBox ? "flag" : "benign",
      rule: "vacuum-box",
      reason: "Its monsters are all in one place",
      measured: inBox,
      allowed: monsterLimits.honestInBox,
      unit: "monsters",
    });
  }
  return judgements;
}

/** Monsters of the same controller in the box around the path's end, the moved one included. */
function countInBox(end: Point, { monster, monsters, controller }: MonsterPathState): number {
  const half = monsterLimits.boxPx / 2;
  let count = 1;
  for (const other of monsters) {
    if (other === monster || other.controller !== controller) continue;
    if (Math.abs(other.x - end.x) <= half && Math.abs(other.y - end.y) <= half) count += 1;
  }
  return count;
}
