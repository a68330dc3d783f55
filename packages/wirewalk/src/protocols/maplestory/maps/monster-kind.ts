/** Kinds of monsters, from their images in Mob.wz and the table of their skills. */
import type { MonsterPlan, MonsterSkill } from "./map.ts";
import { clientPhysics, type MaplePhysics } from "./physics.ts";
import type { TreeNode } from "./tree.ts";
import { numberAt } from "./tree-values.ts";

/** What all monsters of a kind have. */
export type MonsterKind = Omit<MonsterPlan, "template" | "x" | "y">;

/** Children of a monster's image that are read. */
export const monsterParts: ReadonlySet<string> = new Set(["info"]);

/** Monsters' speed is what is to be added to 100 %. */
const PERCENT = 100;
/** A skill that a kind has. No real one has over 18. */
const MAX_SKILLS = 64;

/** Of a skill that no file says anything of: its rest is the shortest of real ones. */
const unknownSkill = { mp: 0, restMs: 10_000 };

/** What is known of a skill at a level. */
export type SkillCost = (id: number, level: number) => { readonly mp: number; readonly restMs: number } | undefined;

/** The kind that an image describes. One with `link` has its movements in that image. */
export function monsterKindOf(
  image: TreeNode,
  linked: TreeNode | undefined,
  costOf: SkillCost,
  physics: MaplePhysics = clientPhysics,
): MonsterKind {
  const info = image.child("info");
  const flySpeed = numberAt(info, "flySpeed") ?? numberAt(info, "FlySpeed");
  const flies = [image, linked].some((each) => each?.child("fly") !== undefined) || flySpeed !== undefined;
  const percent = PERCENT + ((flies ? flySpeed : undefined) ?? numberAt(info, "speed") ?? 0);
  const full = flies ? physics.flySpeed : physics.walkSpeed;
  const mp = numberAt(info, "maxMP");
  const skills = skillsOf(info, costOf);
  return {
    speed: Math.max(0, (full * percent) / PERCENT),
    ...(flies ? { flies } : {}),
    ...(mp === undefined ? {} : { mp: Math.max(0, mp) }),
    ...(skills.length === 0 ? {} : { skills }),
  };
}

function skillsOf(info: TreeNode | undefined, costOf: SkillCost): readonly MonsterSkill[] {
  const skills = new Map<string, MonsterSkill>();
  const nodes = [...(info?.child("skill")?.children ?? [])].slice(0, MAX_SKILLS);
  // In `.nx` files 10 is before 2.
  for (const node of nodes.sort((a, b) => Number(a.name) - Number(b.name))) {
    const [id, level] = [numberAt(node, "skill"), numberAt(node, "level") ?? 1];
    if (id === undefined) continue;
    skills.set(`${id} ${level}`, { id, level, ...(costOf(id, level) ?? unknownSkill) });
  }
  return [...skills.values()];
}

/** What the skills of MobSkill.img cost. Undefined image: nothing is known. */
export function skillCosts(image: TreeNode | undefined): SkillCost {
  return (id, level) => {
    const node = image?.child(String(id))?.child("level")?.child(String(level));
    if (node === undefined) return undefined;
    return { mp: numberAt(node, "mpCon") ?? 0, restMs: (numberAt(node, "interval") ?? 0) * 1000 };
  };
}
