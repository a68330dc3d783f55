/** The constants of the client's movement, `Physics.img` of Map.wz: a server may have changed them for its players. */
import { MapError } from "../../index.ts";
import type { TreeNode } from "./tree.ts";
import { numberOf } from "./tree-values.ts";

/** Pixels, seconds, and units of mass that nothing shows. */
export interface MaplePhysics {
  readonly walkForce: number;
  readonly walkSpeed: number;
  readonly walkDrag: number;
  readonly slipForce: number;
  readonly slipSpeed: number;
  readonly floatDrag1: number;
  readonly floatDrag2: number;
  readonly floatCoefficient: number;
  readonly swimForce: number;
  readonly swimSpeed: number;
  readonly flyForce: number;
  readonly flySpeed: number;
  readonly gravityAcc: number;
  readonly fallSpeed: number;
  readonly jumpSpeed: number;
  readonly maxFriction: number;
  readonly minFriction: number;
  readonly swimSpeedDec: number;
  readonly flyJumpDec: number;
}

/** Those of the client. */
export const clientPhysics: MaplePhysics = {
  walkForce: 140_000,
  walkSpeed: 125,
  walkDrag: 80_000,
  slipForce: 60_000,
  slipSpeed: 120,
  floatDrag1: 100_000,
  floatDrag2: 10_000,
  floatCoefficient: 0.01,
  swimForce: 120_000,
  swimSpeed: 140,
  flyForce: 120_000,
  flySpeed: 200,
  gravityAcc: 2000,
  fallSpeed: 670,
  jumpSpeed: 555,
  maxFriction: 2,
  minFriction: 0.05,
  swimSpeedDec: 0.9,
  flyJumpDec: 0.35,
};

/** So many times the client's value at most, and no less than its part. Dumps have `flyJumpDec` 35 for 0.35. */
const MAX_FACTOR = 1000;

/**
 * The constants of an image; what it does not have is the client's. Throws {@link MapError} for one that is no number or is more than
 * 1,000 times the client's, or less than a thousandth of it.
 */
export function physicsOf(tree: TreeNode): MaplePhysics {
  const physics: Record<string, number> = {};
  for (const [name, usual] of Object.entries(clientPhysics)) {
    const node = tree.child(name);
    const value = node === undefined ? usual : numberOf(node);
    if (value === undefined || !(value >= usual / MAX_FACTOR && value <= usual * MAX_FACTOR)) {
      const line = node?.line === undefined ? "" : ` at line ${node.line}`;
      throw new MapError(`Cannot read Physics.img: ${name} is ${String(node?.value)}, the client's is ${usual}${line}`);
    }
    physics[name] = value;
  }
  return physics as unknown as MaplePhysics;
}
