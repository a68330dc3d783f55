/**
 * What a client of Slime Online 2 computes: keys, physics, rooms, and when it sends.
 *
 * ```ts
 * import { createMovementState, physicsConstants, stepPhysics } from "wirewalk/slime-online-2/movement";
 *
 * const state = createMovementState({ iright: true });
 * stepPhysics(state, physicsConstants, "documented");
 * state.hsp === Math.fround(0.33); // => true
 * ```
 *
 * @module
 */
export { defaultDebounceMs, MovementDebouncer } from "./debouncer.ts";
export { KeyHandler, type KeyHandlerOptions, type Outgoing, toWireCoordinate } from "./keys.ts";
export { copyMovementState, createMovementState, type MovementState, updateMovementState } from "./movement-state.ts";
export { type PhysicsProfile, stepPhysics } from "./physics.ts";
export { type PhysicsConstants, type PlayerFactors, physicsConstants, withFactors } from "./physics-constants.ts";
