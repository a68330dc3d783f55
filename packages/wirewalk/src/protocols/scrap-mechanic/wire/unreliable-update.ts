/**
 * Unreliable Update (0x18), server to client, every tick: where everybody is. `currentTick` is the newest tick of the
 * receiver's own that the server has integrated, so that a client knows what is left to replay.
 *
 * An update is `size u8` (itself included), `type u8`, data. A character (type 6) is a stream of bits, the most
 * significant first: after its 33rd bit nothing lies on a byte boundary.
 *
 * ```ts
 * import { decodeUpdateBody, encodeUpdateBody } from "wirewalk/scrap-mechanic";
 * import { formatHex, parseHex } from "wirewalk/wire";
 *
 * decodeUpdateBody(parseHex("00000010 00003039 00")); // => { serverTick: 16, currentTick: 12345, updates: [] }
 * decodeUpdateBody(parseHex("00000010 00003039 01 02 09")).updates; // => [{ kind: "opaque", type: 9, data: new Uint8Array(0) }]
 * formatHex(encodeUpdateBody({ serverTick: 1, currentTick: 2, updates: [] }, { countByte: false })); // => "00 00 00 01 00 00 00 02"
 * decodeUpdateBody(parseHex("00000010 00003039 01 01 06")); // throws bad-length: Cannot read updates[0].size: 1 is less than size and type at byte 9
 * ```
 */
import {
  BitReader,
  BitWriter,
  countBytes,
  formatHex,
  joinPath,
  type Tracer,
  WireError,
  type WireErrorCode,
  withPath,
} from "../../../wire/index.ts";
import { showDirection, showPitch, showYaw } from "./angle.ts";
import type { ScrapCodecOptions } from "./dialect.ts";
import { keySets, keysByte, type MovementKeys, showKeys } from "./player-movement.ts";

/** The id byte of the packet. */
export const UNRELIABLE_UPDATE_ID = 0x18;
/** The type of a character's update. */
export const CHARACTER_TYPE = 6;
/** Updates of one packet: its count is a byte. */
export const MAX_UPDATES = 255;
/** Bytes of one update, itself included: its size is a byte. */
const MAX_UPDATE_BYTES = 255;
/** Size and type. */
const UPDATE_HEADER_BYTES = 2;
/** The largest body: two ticks, a count, and as many updates as large as can be counted. */
export const MAX_UPDATE_BODY_BYTES = 9 + MAX_UPDATES * MAX_UPDATE_BYTES;

/** A place or a velocity, in the game's units (a block is a quarter). Z is up. */
export interface Vector3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A turn in space. That x comes first is our reading (standard 4.3). */
export interface Quaternion extends Vector3 {
  readonly w: number;
}

/** A character on its feet. */
export interface CharacterUpdate {
  readonly kind: "character";
  readonly id: number;
  readonly keys: MovementKeys;
  readonly direction: number;
  readonly yaw: number;
  readonly pitch: number;
  readonly position: Vector3;
}

/** A character that tumbles: physics moves it, no keys. */
export interface TumblingUpdate {
  readonly kind: "tumbling";
  readonly id: number;
  readonly rotation: Quaternion;
  readonly position: Vector3;
  readonly velocity: Vector3;
  readonly angularVelocity: Vector3;
}

/** Something else than a character, which is not described: its bytes after size and type. */
export interface OpaqueUpdate {
  readonly kind: "opaque";
  readonly type: number;
  readonly data: Uint8Array;
}

/** One thing's news. */
export type ObjectUpdate = CharacterUpdate | TumblingUpdate | OpaqueUpdate;

/** What the server says of a tick. */
export interface UnreliableUpdate {
  /** The server's own tick, modulo 2^32. */
  readonly serverTick: number;
  /** The newest tick of the receiver's that is in this. */
  readonly currentTick: number;
  readonly updates: readonly ObjectUpdate[];
}

// --- Reading ---------------------------------------------------------------------------------------------------------

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

function refusal(code: WireErrorCode, name: string, why: string, bitOffset: number): WireError {
  const bit = bitOffset % 8;
  const place = `byte ${Math.floor(bitOffset / 8)}${bit === 0 ? "" : ` bit ${bit}`}`;
  return new WireError(code, `Cannot read ${name}: ${why} at ${place}`, bitOffset, name);
}

/** A bit cursor that names what it reads, and tells a tracer of it where there is one. */
class FieldReader {
  readonly #bits: BitReader;
  readonly #tracer: Tracer | undefined;
  /** What contains the fields that are being read: for the tracer alone, errors collect their path on the way out. */
  path = "";

  constructor(bits: BitReader, tracer: Tracer | undefined) {
    this.#bits = bits;
    this.#tracer = tracer;
  }

  get bitOffset(): number {
    return this.#bits.bitOffset;
  }

  get remainingBits(): number {
    return this.#bits.remainingBits;
  }

  unsigned(name: string, width: number, show: (value: number) => string = String): number {
    const value = this.#read(name, width);
    this.#tracer?.field(joinPath(this.path, name), this.bitOffset - width, width, value, show(value));
    return value;
  }

  /** A float that is a number: nobody stands nowhere, and JSON has no word for it. */
  float(name: string): number {
    floatBits[0] = this.#read(name, 32);
    const value = float[0] as number;
    this.#tracer?.field(joinPath(this.path, name), this.bitOffset - 32, 32, value);
    if (!Number.isFinite(value)) throw refusal("bad-value", name, `${value} is no place`, this.bitOffset - 32);
    // 0 for -0, which is the same place and the same JSON.
    return value + 0;
  }

  vector(name: string): Vector3 {
    return { x: this.float(`${name}.x`), y: this.float(`${name}.y`), z: this.float(`${name}.z`) };
  }

  bytes(name: string, count: number): Uint8Array<ArrayBuffer> {
    const at = this.bitOffset;
    if (count * 8 > this.remainingBits) {
      throw refusal("truncated", name, `${countBytes(count)} needed, ${this.remainingBits / 8} left`, at);
    }
    const bytes = Uint8Array.from({ length: count }, () => this.#bits.read(8));
    if (count > 0) this.#tracer?.field(joinPath(this.path, name), at, count * 8, formatHex(bytes, { separator: "" }));
    return bytes;
  }

  #read(name: string, width: number): number {
    try {
      return this.#bits.read(width);
    } catch (error) {
      throw withPath(error, name);
    }
  }
}

/** What a body is read from, where it is not the whole of `bytes`; and who wants to know of its fields. */
export interface BodyPlace {
  readonly start: number;
  readonly end: number;
  readonly tracer?: Tracer;
}

/** Reads one body. Throws {@link WireError}; its places count from the start of `bytes`. */
export function decodeUpdateBody(
  bytes: Uint8Array,
  options: ScrapCodecOptions = {},
  { start, end, tracer }: BodyPlace = { start: 0, end: bytes.length },
): UnreliableUpdate {
  const { lenient = false, countByte = true } = options;
  const fields = new FieldReader(new BitReader(bytes, start, end), tracer);
  const serverTick = fields.unsigned("serverTick", 32);
  const currentTick = fields.unsigned("currentTick", 32);
  const count = countByte ? fields.unsigned("updates.count", 8) : undefined;
  const updates: ObjectUpdate[] = [];
  while (count === undefined ? fields.remainingBits > 0 : updates.length < count) {
    if (updates.length === MAX_UPDATES) {
      throw refusal("limit", "updates", `more than ${MAX_UPDATES}`, fields.bitOffset);
    }
    const segment = `updates[${updates.length}]`;
    fields.path = segment;
    try {
      updates.push(readUpdate(fields, lenient));
    } catch (error) {
      throw withPath(error, segment);
    }
  }
  if (fields.remainingBits > 0) {
    const why = `${countBytes(fields.remainingBits / 8)} left at byte ${fields.bitOffset / 8}`;
    throw new WireError("trailing", `Cannot read end of message: ${why}`, fields.bitOffset);
  }
  return { serverTick, currentTick, updates };
}

function readUpdate(fields: FieldReader, lenient: boolean): ObjectUpdate {
  const start = fields.bitOffset;
  const size = fields.unsigned("size", 8, countBytes);
  if (size < UPDATE_HEADER_BYTES) {
    throw refusal("bad-length", "size", `${size} is less than size and type`, start);
  }
  const type = fields.unsigned("type", 8, (value) => (value === CHARACTER_TYPE ? "character" : String(value)));
  if (type !== CHARACTER_TYPE) return { kind: "opaque", type, data: fields.bytes("data", size - UPDATE_HEADER_BYTES) };
  const update = readCharacter(fields, lenient);
  const padding = start + size * 8 - fields.bitOffset;
  if (padding < 0 || padding > 7) {
    const needed = Math.ceil((fields.bitOffset - start) / 8);
    throw refusal("bad-length", "size", `${size} where this character has ${needed}`, start);
  }
  // 7 bits, whether the character tumbles or not: its bits are one more than whole bytes.
  const at = fields.bitOffset;
  const bits = padding === 0 ? 0 : fields.unsigned("padding", padding);
  if (bits !== 0 && !lenient) throw refusal("bad-value", "padding", `${bits} is not 0`, at);
  return update;
}

function readCharacter(fields: FieldReader, lenient: boolean): CharacterUpdate | TumblingUpdate {
  const id = fields.unsigned("id", 32);
  const tumbles = fields.unsigned("tumbling", 1, (value) => (value === 1 ? "yes" : "no")) === 1;
  if (tumbles) {
    return {
      kind: "tumbling",
      id,
      rotation: { ...fields.vector("rotation"), w: fields.float("rotation.w") },
      position: fields.vector("position"),
      velocity: fields.vector("velocity"),
      angularVelocity: fields.vector("angularVelocity"),
    };
  }
  const at = fields.bitOffset;
  const keys = fields.unsigned("keys", 8, showKeys);
  const reserved = keys & ~(keySets.length - 1);
  if (reserved !== 0 && !lenient) {
    throw refusal("bad-value", "keys", `reserved bits 0x${reserved.toString(16)} are set`, at);
  }
  return {
    kind: "character",
    id,
    keys: keySets[keys & (keySets.length - 1)] as MovementKeys,
    direction: fields.unsigned("direction", 8, showDirection),
    yaw: fields.unsigned("yaw", 8, showYaw),
    pitch: fields.unsigned("pitch", 8, showPitch),
    position: fields.vector("position"),
  };
}

// --- Writing ---------------------------------------------------------------------------------------------------------

const writer = new BitWriter(1024, MAX_UPDATE_BODY_BYTES);

/** Bits of a character after its size and type, before the padding. */
const CHARACTER_BITS = 161;
const TUMBLING_BITS = 449;

/**
 * Lists of updates that cannot change, as bytes: a server tells many receivers the same, each with a tick of its own.
 * 100 characters for 100 receivers take 0.3 ms a tick instead of 3.
 */
const encodedLists = new WeakMap<readonly ObjectUpdate[], Uint8Array>();

/**
 * One body. Throws `TypeError` or `RangeError` that names the field whose value does not fit. A frozen list of updates
 * is taken for one whose updates do not change either, and is encoded once.
 */
export function encodeUpdateBody(
  value: UnreliableUpdate,
  { countByte = true }: Pick<ScrapCodecOptions, "countByte"> = {},
): Uint8Array<ArrayBuffer> {
  const { serverTick, currentTick, updates } = value;
  if (!Array.isArray(updates)) throw withPath(new TypeError("value must be a list"), "updates");
  if (updates.length > MAX_UPDATES) {
    throw withPath(new RangeError(`value must have at most ${MAX_UPDATES} items, got ${updates.length}`), "updates");
  }
  const encoded = encodedLists.get(updates) ?? encodeUpdates(updates);
  writer.reset();
  put("serverTick", 32, serverTick);
  put("currentTick", 32, currentTick);
  if (countByte) put("updates.count", 8, updates.length);
  writer.bytes(encoded);
  return writer.toBytes();
}

function encodeUpdates(updates: readonly ObjectUpdate[]): Uint8Array {
  writer.reset();
  let index = 0;
  try {
    for (; index < updates.length; index++) writeUpdate(updates[index] as ObjectUpdate);
  } catch (error) {
    throw withPath(error, `updates[${index}]`);
  }
  const encoded = writer.toBytes();
  if (Object.isFrozen(updates)) encodedLists.set(updates, encoded);
  return encoded;
}

function put(name: string, width: number, value: number): void {
  try {
    writer.write(width, value);
  } catch (error) {
    throw withPath(error, name);
  }
}

function putFloat(name: string, value: number): void {
  if (typeof value !== "number") throw withPath(new TypeError(`value must be a number, got ${String(value)}`), name);
  float[0] = value + 0;
  if (!Number.isFinite(float[0])) throw withPath(new RangeError(`value must fit a 32-bit float, got ${value}`), name);
  writer.write(32, floatBits[0] as number);
}

function putVector(name: string, value: Vector3): void {
  if (typeof value !== "object" || value === null) throw withPath(new TypeError("value must have x, y and z"), name);
  putFloat(`${name}.x`, value.x);
  putFloat(`${name}.y`, value.y);
  putFloat(`${name}.z`, value.z);
}

function putHeader(bits: number, id: number, tumbles: boolean): void {
  writer.write(8, UPDATE_HEADER_BYTES + Math.ceil(bits / 8));
  writer.write(8, CHARACTER_TYPE);
  put("id", 32, id);
  writer.write(1, tumbles ? 1 : 0);
}

function writeUpdate(update: ObjectUpdate): void {
  if (typeof update !== "object" || update === null) throw new TypeError("value must be an object");
  switch (update.kind) {
    case "character": {
      const { keys } = update;
      putHeader(CHARACTER_BITS, update.id, false);
      const byte = typeof keys === "object" && keys !== null ? keysByte(keys) : -1;
      if (byte < 0) throw withPath(new TypeError("value must have five keys that are true or false"), "keys");
      writer.write(8, byte);
      put("direction", 8, update.direction);
      put("yaw", 8, update.yaw);
      put("pitch", 8, update.pitch);
      putVector("position", update.position);
      break;
    }
    case "tumbling":
      putHeader(TUMBLING_BITS, update.id, true);
      putVector("rotation", update.rotation);
      putFloat("rotation.w", update.rotation.w);
      putVector("position", update.position);
      putVector("velocity", update.velocity);
      putVector("angularVelocity", update.angularVelocity);
      break;
    case "opaque": {
      const { type, data } = update;
      if (type === CHARACTER_TYPE) {
        throw withPath(new RangeError(`value must not be ${CHARACTER_TYPE}, which is described`), "type");
      }
      if (!(data instanceof Uint8Array)) throw withPath(new TypeError("value must be a Uint8Array"), "data");
      if (data.length > MAX_UPDATE_BYTES - UPDATE_HEADER_BYTES) {
        const most = MAX_UPDATE_BYTES - UPDATE_HEADER_BYTES;
        throw withPath(new RangeError(`value must have at most ${most} bytes, got ${data.length}`), "data");
      }
      writer.write(8, UPDATE_HEADER_BYTES + data.length);
      put("type", 8, type);
      writer.bytes(data);
      break;
    }
    default: {
      const { kind } = update as { readonly kind: unknown };
      throw withPath(new RangeError(`value must be character, tumbling or opaque, got ${String(kind)}`), "kind");
    }
  }
  writer.align();
}
