/** What bodies of the client can do. Pixels, seconds. Source: docs/protocols/maplestory.md 5.1, and `Physics.img` of the client. */

/** Pixels, seconds. */
export interface WalkConstants {
  readonly walk: number;
  readonly walkAcceleration: number;
  readonly walkDrag: number;
  readonly jump: number;
  readonly gravity: number;
  readonly maxFall: number;
  readonly climb: number;
  /** Down a slope that is too steep to stand on. */
  readonly slip: number;
  readonly slipAcceleration: number;
  /** To which speed the keys steer a body in the air. */
  readonly air: number;
  readonly airAcceleration: number;
  /** In water, along each axis. */
  readonly swim: number;
  readonly swimAcceleration: number;
  /** Downwards in water without keys. */
  readonly sink: number;
  /** What of the walk is left on the ground under water. */
  readonly waterWalk: number;
  /** Where players fly, along each axis. */
  readonly fly: number;
  readonly flyAcceleration: number;
  /** How fast one who swims or flies stops. */
  readonly floatDrag: number;
  /** A map's friction is taken to be between these. */
  readonly minFriction: number;
  readonly maxFriction: number;
}

/** The values of `Physics.img` by their names; one that is missing is the client's. */
export type PhysicsValues = Readonly<Partial<Record<PhysicsName, number>>>;

/** As in the client. Forces are for its mass. */
const clientPhysics = {
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
} as const;
type PhysicsName = keyof typeof clientPhysics;

/** The mass of a character. */
const MASS = 100;
/** The climb and the sinking are ours: the client's are not known. */
const CLIMB = 100;
const SINK = 60;

/** The constants of bodies that follow from `Physics.img`: a server that changed it changed its clients. */
export function walkConstantsOf(physics: PhysicsValues = {}): WalkConstants {
  const all = { ...clientPhysics, ...physics };
  return {
    walk: all.walkSpeed,
    walkAcceleration: all.walkForce / MASS,
    walkDrag: all.walkDrag / MASS,
    jump: all.jumpSpeed,
    gravity: all.gravityAcc,
    maxFall: all.fallSpeed,
    climb: CLIMB,
    slip: all.slipSpeed,
    slipAcceleration: all.slipForce / MASS,
    air: all.floatDrag2 * all.floatCoefficient,
    airAcceleration: all.floatDrag2 / MASS,
    swim: all.swimSpeed,
    swimAcceleration: all.swimForce / MASS,
    sink: SINK,
    waterWalk: all.swimSpeedDec,
    fly: all.flySpeed,
    flyAcceleration: all.flyForce / MASS,
    floatDrag: all.floatDrag1 / MASS,
    minFriction: all.minFriction,
    maxFriction: all.maxFriction,
  };
}

/** The client's own. */
export const walkConstants: WalkConstants = walkConstantsOf();
