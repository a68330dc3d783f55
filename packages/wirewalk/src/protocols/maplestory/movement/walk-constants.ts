/** What bodies of the client can do. Pixels, seconds. Source: docs/protocols/maplestory.md 5.1, and `Physics.img` of the client. */

import { clientPhysics, type MaplePhysics } from "../maps/physics.ts";

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

/** The mass of a character. */
const MASS = 100;
/** The climb and the sinking are ours: the client's are not known. */
const CLIMB = 100;
const SINK = 60;

/** The constants of bodies that follow from `Physics.img`: a server that changed it changed its clients. */
export function walkConstantsOf(physics: MaplePhysics = clientPhysics): WalkConstants {
  return {
    walk: physics.walkSpeed,
    walkAcceleration: physics.walkForce / MASS,
    walkDrag: physics.walkDrag / MASS,
    jump: physics.jumpSpeed,
    gravity: physics.gravityAcc,
    maxFall: physics.fallSpeed,
    climb: CLIMB,
    slip: physics.slipSpeed,
    slipAcceleration: physics.slipForce / MASS,
    air: physics.floatDrag2 * physics.floatCoefficient,
    airAcceleration: physics.floatDrag2 / MASS,
    swim: physics.swimSpeed,
    swimAcceleration: physics.swimForce / MASS,
    sink: SINK,
    waterWalk: physics.swimSpeedDec,
    fly: physics.flySpeed,
    flyAcceleration: physics.flyForce / MASS,
    floatDrag: physics.floatDrag1 / MASS,
    minFriction: physics.minFriction,
    maxFriction: physics.maxFriction,
  };
}

/** The client's own. */
export const walkConstants: WalkConstants = walkConstantsOf();
