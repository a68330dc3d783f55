/** The numbers of the client's physics (docs/protocols/slime-online-2.md, standard 6.2, 6.7). */

/** The numbers of one version of the game: pixels per frame, pixels per frame per frame, or plain divisors. f32 values. */
export interface PhysicsConstants {
  readonly framesPerSecond: number;
  /** Maximum horizontal speed. */
  readonly hspMax: number;
  /** Upward speed a jump starts with, positive. */
  readonly jumpSpeed: number;
  readonly gravity: number;
  /** Maximum speed of a fall. */
  readonly terminalVelocity: number;
  readonly accelGround: number;
  readonly accelIce: number;
  readonly frictionGround: number;
  readonly frictionIce: number;
  /** Divisor, applied every frame: crouching compounds (standard E15). */
  readonly frictionCrouch: number;
  /** Divisor, applied every frame: water compounds (standard E15). */
  readonly waterResistance: number;
  readonly waterBuoyancy: number;
  readonly waterSwimUp: number;
  readonly waterSwimDown: number;
  readonly waterMaxFall: number;
  /** Negative: upwards. */
  readonly waterMaxRise: number;
}

/** The document's constants. Other versions differ: derive with `{ ...physicsConstants, hspMax: Math.fround(3) }`. */
export const physicsConstants: PhysicsConstants = {
  framesPerSecond: 60,
  hspMax: 2.5,
  jumpSpeed: 4.5,
  gravity: Math.fround(0.2145),
  terminalVelocity: 9,
  accelGround: Math.fround(0.33),
  accelIce: Math.fround(0.033),
  frictionGround: Math.fround(0.165),
  frictionIce: Math.fround(0.0066),
  frictionCrouch: Math.fround(1.7),
  waterResistance: 2,
  waterBuoyancy: Math.fround(0.165),
  waterSwimUp: Math.fround(0.099),
  waterSwimDown: Math.fround(0.099),
  waterMaxFall: 0.75,
  waterMaxRise: -1,
};

/** What a player's sodas multiply; 1 is a player without any. */
export interface PlayerFactors {
  readonly speed: number;
  readonly jump: number;
}

/**
 * The constants of one player: `speed` multiplies the maximum horizontal speed, `jump` the speed a jump starts with.
 * Acceleration, friction and gravity stay: the document does not mention sodas, and this is the least that one can do.
 *
 * @throws RangeError for a factor that is not a positive finite number.
 */
export function withFactors(constants: PhysicsConstants, factors: PlayerFactors): PhysicsConstants {
  for (const factor of [factors.speed, factors.jump]) {
    if (!(factor > 0 && factor < Infinity)) throw new RangeError(`Cannot scale physics: factor ${factor}`);
  }
  return {
    ...constants,
    hspMax: Math.fround(constants.hspMax * factors.speed),
    jumpSpeed: Math.fround(constants.jumpSpeed * factors.jump),
  };
}
