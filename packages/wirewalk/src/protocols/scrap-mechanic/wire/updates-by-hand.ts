/**
 * The body of 0x18 read and its list written by hand, in a tenth of the time of their layouts: a client reads one 40 times a
 * second, and a server writes the list as often. What is not plainly right is left to the layouts, which say what is wrong.
 *
 * ```ts
 * import { parseHex } from "wirewalk/wire";
 *
 * readBodyByHand(parseHex("00000010 00003039 00"), 9); // => { serverTick: 16, currentTick: 12345, updates: [] }
 * readBodyByHand(parseHex("00000010 00003039 01 02 09"), 11); // => undefined
 * const bytes = new Uint8Array(listBytes(1));
 * const position = { x: 0, y: 0, z: 0 };
 * writeListByHand(bytes, [{ kind: "character", id: 7, keys: keySets[4], direction: 64, yaw: 0, pitch: 64, position }]); // => 24
 * ```
 */
import { CHARACTER_TYPE, type ObjectUpdate, type UnreliableUpdate, type Vector3 } from "./object-update.ts";
import { keySets, keysByte, type MovementKeys } from "./player-movement.ts";

/** Two ticks and a count. */
const HEAD_BYTES = 9;
/** Of an update with its size and type: 161 bits of a character on its feet, 449 of one that tumbles. */
const ON_FEET_BYTES = 23;
const TUMBLING_BYTES = 59;
/** The last bits of both fill up a byte. */
const PADDING = 0x7f;

const float = new Float32Array(1);
const floatBits = new Int32Array(float.buffer);

/** The float that begins with the second bit of a byte. -0 is 0. */
function floatAt(bytes: Uint8Array, at: number): number {
  floatBits[0] =
    ((bytes[at] as number) << 25) |
    ((bytes[at + 1] as number) << 17) |
    ((bytes[at + 2] as number) << 9) |
    ((bytes[at + 3] as number) << 1) |
    ((bytes[at + 4] as number) >>> 7);
  return (float[0] as number) + 0;
}

function vectorAt(bytes: Uint8Array, at: number): Vector3 {
  return { x: floatAt(bytes, at), y: floatAt(bytes, at + 4), z: floatAt(bytes, at + 8) };
}

/** The sum of 32-bit numbers is infinite or none only where one of them is. */
function sumOf({ x, y, z }: Vector3): number {
  return x + y + z;
}

function byteAt(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) << 1) | ((bytes[at + 1] as number) >>> 7)) & 0xff;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}

/** The first `length` bytes as a body with a count of its updates, by the rules of a strict reader; undefined for all else. */
export function readBodyByHand(bytes: Uint8Array, length: number): UnreliableUpdate | undefined {
  if (length < HEAD_BYTES) return undefined;
  const count = bytes[HEAD_BYTES - 1] as number;
  const updates: ObjectUpdate[] = [];
  let at = HEAD_BYTES;
  for (let index = 0; index < count; index += 1) {
    const size = bytes[at] as number;
    if (at + size > length || bytes[at + 1] !== CHARACTER_TYPE) return undefined;
    const update = size === ON_FEET_BYTES ? onFeetAt(bytes, at + 2) : tumblingAt(bytes, at + 2, size);
    if (update === undefined) return undefined;
    updates.push(update);
    at += size;
  }
  return at === length ? { serverTick: wordAt(bytes, 0), currentTick: wordAt(bytes, 4), updates } : undefined;
}

function onFeetAt(bytes: Uint8Array, at: number): ObjectUpdate | undefined {
  const keys = keySets[byteAt(bytes, at + 4)];
  const position = vectorAt(bytes, at + 8);
  const isPlain = (bytes[at + 4] as number) >>> 7 === 0 && ((bytes[at + 20] as number) & PADDING) === 0;
  if (keys === undefined || !isPlain || !Number.isFinite(sumOf(position))) return undefined;
  return {
    kind: "character",
    id: wordAt(bytes, at),
    keys,
    direction: byteAt(bytes, at + 5),
    yaw: byteAt(bytes, at + 6),
    pitch: byteAt(bytes, at + 7),
    position,
  };
}

function tumblingAt(bytes: Uint8Array, at: number, size: number): ObjectUpdate | undefined {
  if (size !== TUMBLING_BYTES) return undefined;
  const isPlain = (bytes[at + 4] as number) >>> 7 === 1 && ((bytes[at + 56] as number) & PADDING) === 0;
  const { x, y, z } = vectorAt(bytes, at + 4);
  const rotation = { x, y, z, w: floatAt(bytes, at + 16) };
  const position = vectorAt(bytes, at + 20);
  const velocity = vectorAt(bytes, at + 32);
  const angularVelocity = vectorAt(bytes, at + 44);
  const sum = sumOf(rotation) + rotation.w + sumOf(position) + sumOf(velocity) + sumOf(angularVelocity);
  if (!isPlain || !Number.isFinite(sum)) return undefined;
  return { kind: "tumbling", id: wordAt(bytes, at), rotation, position, velocity, angularVelocity };
}

/** Bytes that hold a list of so many updates. */
export function listBytes(count: number): number {
  return 1 + count * TUMBLING_BYTES;
}

/** Writes a list with its count from the start of memory of at least `listBytes`. How many bytes it has; -1 for the layout to write it. */
export function writeListByHand(bytes: Uint8Array, updates: readonly ObjectUpdate[]): number {
  const { length } = updates;
  if (length > 0xff) return -1;
  bytes[0] = length;
  let at = 1;
  for (let index = 0; index < length; index += 1) {
    const update = updates[index];
    if (typeof update !== "object" || update === null || update.kind === "opaque") return -1;
    const size = update.kind === "character" ? putOnFeet(bytes, at, update) : putTumbling(bytes, at, update);
    if (size < 0) return -1;
    at += size;
  }
  return at;
}

type OnFeet = Extract<ObjectUpdate, { kind: "character" }>;
type Tumbling = Extract<ObjectUpdate, { kind: "tumbling" }>;

function putOnFeet(bytes: Uint8Array, at: number, { id, keys, direction, yaw, pitch, position }: OnFeet): number {
  const isByte = (direction & 255) === direction && (yaw & 255) === yaw && (pitch & 255) === pitch;
  if (!isByte || !isObject(keys) || !isObject(position)) return -1;
  const byte = keysByte(keys as MovementKeys);
  if (byte < 0 || !putHead(bytes, at, ON_FEET_BYTES, id)) return -1;
  bytes[at + 6] = byte >>> 1;
  bytes[at + 7] = (byte << 7) | (direction >>> 1);
  bytes[at + 8] = (direction << 7) | (yaw >>> 1);
  bytes[at + 9] = (yaw << 7) | (pitch >>> 1);
  bytes[at + 10] = pitch << 7;
  return putVector(bytes, at + 10, position) ? ON_FEET_BYTES : -1;
}

function putTumbling(bytes: Uint8Array, at: number, update: Tumbling): number {
  const { id, rotation, position, velocity, angularVelocity } = update;
  if (!isObject(rotation) || !isObject(position) || !isObject(velocity) || !isObject(angularVelocity)) return -1;
  if (update.kind !== "tumbling" || !putHead(bytes, at, TUMBLING_BYTES, id)) return -1;
  bytes[at + 6] = 0x80;
  const fits =
    putVector(bytes, at + 6, rotation) &&
    putFloat(bytes, at + 18, rotation.w) &&
    putVector(bytes, at + 22, position) &&
    putVector(bytes, at + 34, velocity) &&
    putVector(bytes, at + 46, angularVelocity);
  return fits ? TUMBLING_BYTES : -1;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function putHead(bytes: Uint8Array, at: number, size: number, id: number): boolean {
  if (id >>> 0 !== id) return false;
  bytes[at] = size;
  bytes[at + 1] = CHARACTER_TYPE;
  bytes[at + 2] = id >>> 24;
  bytes[at + 3] = id >>> 16;
  bytes[at + 4] = id >>> 8;
  bytes[at + 5] = id;
  return true;
}

function putVector(bytes: Uint8Array, at: number, { x, y, z }: Vector3): boolean {
  return putFloat(bytes, at, x) && putFloat(bytes, at + 4, y) && putFloat(bytes, at + 8, z);
}

/** From the second bit of a byte on, whose first bit stays as it is. False for what is no finite number of 32 bits. */
function putFloat(bytes: Uint8Array, at: number, value: number): boolean {
  if (typeof value !== "number") return false;
  float[0] = value + 0;
  if (!Number.isFinite(float[0])) return false;
  const bits = floatBits[0] as number;
  bytes[at] = ((bytes[at] as number) & 0x80) | (bits >>> 25);
  bytes[at + 1] = bits >>> 17;
  bytes[at + 2] = bits >>> 9;
  bytes[at + 3] = bits >>> 1;
  bytes[at + 4] = bits << 7;
  return true;
}
