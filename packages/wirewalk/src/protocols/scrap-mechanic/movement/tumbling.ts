/**
 * A character that tumbles: a body that rolls without keys (standard 7.5). All of its state is on the wire, so a client
 * that takes over an update goes on exactly as the server does. The physics is ours; the document has the state alone.
 */
import { number, type State, state } from "../../world-kit/index.ts";
import type { Quaternion, Vector3 } from "../wire/unreliable-update.ts";

/** How a tumbling body is turned, and how it turns on, in radians per second. Never changed: a step makes a new one. */
export interface Spin {
  readonly rotation: Quaternion;
  readonly angularVelocity: Vector3;
}

export const savedSpin: State<Spin> = state({
  rotation: state({ x: number, y: number, z: number, w: number }),
  angularVelocity: state({ x: number, y: number, z: number }),
});

/** A body on its feet. */
export const upright: Spin = Object.freeze({
  rotation: Object.freeze({ x: 0, y: 0, z: 0, w: 1 }),
  angularVelocity: Object.freeze({ x: 0, y: 0, z: 0 }),
});

/** What the ground leaves of a velocity in each tick. Ours: from a sprint of 8 units/s it takes 59 ticks (1.5 s) to get up. */
export const SLIDE = 0.95;
/** A body on the ground that is slower than both gets up: units/s and radians/s. Ours. */
const END_SPEED = 0.5;
const END_SPIN = 1;
/** The least spin at the start, radians/s: without a velocity it takes 32 ticks (0.8 s) to get up. Ours. */
const LEAST_SPIN = 5;
/** The radius of a rolling body, in units: half its height when it lies. */
const ROLL_RADIUS = 0.4;
const TICK_SECONDS = 0.025;

const { fround, sqrt } = Math;

/** The spin of a body that begins to roll along its velocity. Its first rotation is that of a body on its feet. */
export function rollingSpin(vx: number, vy: number): Spin {
  const [x, y] = [-vy / ROLL_RADIUS, vx / ROLL_RADIUS];
  const spin = sqrt(x * x + y * y);
  const isEnough = spin >= LEAST_SPIN;
  const [dx, dy] = spin === 0 ? [1, 0] : [x / spin, y / spin];
  const angularVelocity = {
    x: fround(isEnough ? x : LEAST_SPIN * dx),
    y: fround(isEnough ? y : LEAST_SPIN * dy),
    z: 0,
  };
  return { rotation: upright.rotation, angularVelocity };
}

/** The spin after a tick. */
export function spunOn({ rotation: q, angularVelocity: w }: Spin, onGround: boolean): Spin {
  const left = onGround ? SLIDE : 1;
  const angularVelocity = { x: fround(w.x * left), y: fround(w.y * left), z: fround(w.z * left) };
  const { x: ax, y: ay, z: az } = angularVelocity;
  const half = TICK_SECONDS / 2;
  const x = q.x + half * (ax * q.w + ay * q.z - az * q.y);
  const y = q.y + half * (ay * q.w + az * q.x - ax * q.z);
  const z = q.z + half * (az * q.w + ax * q.y - ay * q.x);
  const turn = q.w - half * (ax * q.x + ay * q.y + az * q.z);
  // Of a square root all machines compute the same bits.
  const length = sqrt(x * x + y * y + z * z + turn * turn);
  const rotation = { x: fround(x / length), y: fround(y / length), z: fround(z / length), w: fround(turn / length) };
  return { rotation, angularVelocity };
}

/** Whether a body on the ground is slow enough to get up. */
export function isSlow(vx: number, vy: number, { angularVelocity: { x, y, z } }: Spin): boolean {
  return vx * vx + vy * vy < END_SPEED * END_SPEED && x * x + y * y + z * z < END_SPIN * END_SPIN;
}
