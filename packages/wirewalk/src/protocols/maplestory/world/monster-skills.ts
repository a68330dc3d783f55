/**
 * Skills of monsters: the server says in each answer which one the monster may use next and how much mana it has; the controlling client
 * uses it in a later path (standard 9.3).
 */
import type { MapleMap, MonsterSkill } from "../maps/map.ts";
import { targetOf } from "../wire/messages.ts";
import type { Monster } from "./monsters.ts";

/** What of a path says that a skill is used, and whether a next attack is possible. */
export interface SkillUse {
  readonly flags: number;
  readonly actionAndDirection: number;
  readonly target: Uint8Array;
}

/** Bits of `flags` that are set where a next attack is possible. */
export const NEXT_ATTACK_FLAGS = 0xf;

/** The answer has 16 bits for mana: bosses have more. */
const MAX_MANA = 0xffff;

/** The answer of the server, beside the numbers of monster and path. */
export interface SkillAnswer {
  readonly nextAttack: number;
  readonly mp: number;
  readonly skillId: number;
  readonly skillLevel: number;
}

/** Takes the mana of a skill that was granted and is used now; any other use changes nothing. */
export function useSkill(monster: Monster, map: MapleMap | undefined, use: SkillUse, nowMs: number): void {
  const target = targetOf(use.actionAndDirection, use.target);
  const used = target !== undefined && "skill" in target ? target.skill : undefined;
  const { granted } = monster;
  if (used === undefined || granted === undefined || used.id !== granted.id || used.level !== granted.level) return;
  const skill = skillsOf(monster, map).find(({ id, level }) => id === used.id && level === used.level);
  monster.granted = undefined;
  if (skill === undefined) return;
  monster.mp = Math.max(0, monster.mp - skill.mp);
  monster.restedMs = nowMs + skill.restMs;
}

/** The mana of a monster as an answer holds it; of one that nobody knows none. */
export function shownMana(monster: Monster | undefined): number {
  return Math.min(monster?.mp ?? 0, MAX_MANA);
}

/** The answer to a path: the first skill of its kind that it has rested for and can pay, where a next attack is possible. */
export function answerOf(monster: Monster, map: MapleMap | undefined, use: SkillUse, nowMs: number): SkillAnswer {
  const isPossible = (use.flags & NEXT_ATTACK_FLAGS) !== 0;
  const ready = isPossible && nowMs >= monster.restedMs;
  const next = ready ? skillsOf(monster, map).find(({ mp }) => mp <= monster.mp) : undefined;
  monster.granted = next && { id: next.id, level: next.level };
  const { id = 0, level = 0 } = next ?? {};
  return { nextAttack: isPossible ? 1 : 0, mp: shownMana(monster), skillId: id, skillLevel: level };
}

function skillsOf({ template }: Monster, map: MapleMap | undefined): readonly MonsterSkill[] {
  return map?.monsters.find((plan) => plan.template === template)?.skills ?? [];
}
