/**
 * Angles of Scrap Mechanic: bytes, 1/256 turn, counter-clockwise. Sines out of a table of constants, since `Math.sin` may
 * differ in its last bit from engine to engine and then two ends would walk apart (standard 3.3).
 *
 * ```ts
 * [cosine(64), sine(64)]; // => [0, 1]
 * walkVector(0, 64); // => { x: 0, y: 1 }
 * nearestAngle(-0.25); // => 192
 * ```
 */

import { namedNumbers, type WordRule } from "../../../wire/index.ts";

/** Angles in a turn. */
export const ANGLES = 256;
/** Pitch: straight down is 0. */
export const LEVEL_PITCH = 64;
/** Straight up; more cannot be reached. */
export const MAX_PITCH = 128;

/** The sines of the first quarter turn, 0 to 64. */
const quarter: readonly number[] = [
  0, 0.024541228522912288, 0.049067674327418015, 0.07356456359966743, 0.0980171403295606, 0.1224106751992162,
  0.14673047445536175, 0.17096188876030122, 0.19509032201612825, 0.2191012401568698, 0.24298017990326387,
  0.26671275747489837, 0.29028467725446233, 0.3136817403988915, 0.33688985339222005, 0.3598950365349881,
  0.3826834323650898, 0.40524131400498986, 0.4275550934302821, 0.44961132965460654, 0.47139673682599764,
  0.49289819222978404, 0.5141027441932217, 0.5349976198870972, 0.5555702330196022, 0.5758081914178453,
  0.5956993044924334, 0.6152315905806268, 0.6343932841636455, 0.6531728429537768, 0.6715589548470183,
  0.6895405447370668, 0.7071067811865475, 0.7242470829514669, 0.7409511253549591, 0.7572088465064846,
  0.7730104533627369, 0.7883464276266062, 0.8032075314806448, 0.8175848131515837, 0.8314696123025452, 0.844853565249707,
  0.8577286100002721, 0.8700869911087113, 0.8819212643483549, 0.8932243011955153, 0.9039892931234433,
  0.9142097557035307, 0.9238795325112867, 0.9329927988347388, 0.9415440651830208, 0.9495281805930367,
  0.9569403357322089, 0.9637760657954398, 0.970031253194544, 0.9757021300385286, 0.9807852804032304, 0.9852776423889412,
  0.989176509964781, 0.99247953459871, 0.9951847266721968, 0.9972904566786902, 0.9987954562051724, 0.9996988186962042,
  1,
];

function tableSine(angle: number): number {
  const inHalf = angle & 127;
  const value = quarter[inHalf <= 64 ? inHalf : 128 - inHalf] as number;
  // Not -0: it would be another number on the wire and in a comparison.
  return angle < 128 || value === 0 ? value : -value;
}

const sines = Float64Array.from({ length: ANGLES }, (_, angle) => tableSine(angle));

/** The sine of an angle in 1/256 turn; whole turns count for nothing. */
export function sine(angle: number): number {
  return sines[angle & 255] as number;
}

/** The cosine of an angle in 1/256 turn; whole turns count for nothing. */
export function cosine(angle: number): number {
  return sines[(angle + 64) & 255] as number;
}

/**
 * The world's unit vector of a walk: the character looks along `yaw` (0 is +Y) and walks in `direction` relative to it
 * (0 strafes right, 64 is forward, 128 left, 192 back).
 */
export function walkVector(yaw: number, direction: number): { readonly x: number; readonly y: number } {
  // Rotating (cos d, sin d) by yaw adds the angles.
  return { x: cosine(yaw + direction), y: sine(yaw + direction) };
}

/** The angle byte nearest to a number of turns, however many. Throws `RangeError` when it is not finite. */
export function nearestAngle(turns: number): number {
  if (!Number.isFinite(turns)) throw new RangeError(`turns must be finite, got ${turns}`);
  return Math.round((turns - Math.floor(turns)) * ANGLES) & 255;
}

/** An angle as turns, 0 to 1. */
export function angleTurns(angle: number): number {
  return (angle & 255) / ANGLES;
}

const directionNames = ["right", "forward right", "forward", "forward left", "left", "back left", "back", "back right"];
const DEGREES = { factor: 360 / ANGLES, digits: 1 };

/** A direction for people: `forward`, `47.8° from right`. */
export const directionWords: readonly WordRule[] = [
  ...namedNumbers(Object.fromEntries(directionNames.map((name, index) => [name, (index * ANGLES) / 8]))),
  { text: "{}° from right", ...DEGREES },
];

/** A yaw for people. */
export const yawWords: readonly WordRule[] = [{ text: "{}° to the left of +Y", ...DEGREES }];

/** A pitch for people: `level`, `45° up`. */
export const pitchWords: readonly WordRule[] = [
  { from: MAX_PITCH + 1, text: "beyond straight up" },
  { from: LEVEL_PITCH, to: LEVEL_PITCH, text: "level" },
  { to: LEVEL_PITCH - 1, text: "{}° down", offset: LEVEL_PITCH, factor: -DEGREES.factor, digits: DEGREES.digits },
  { text: "{}° up", offset: LEVEL_PITCH, ...DEGREES },
];
