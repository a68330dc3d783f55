/**
 * Player Movement (0x1E), client to server: keys and look of one tick. The server owns the position.
 *
 * ```ts
 * import { decode, formatHex, parseHex } from "wirewalk/wire";
 *
 * const walking = decodePlayerMovement(parseHex("1e80 0000303904400040"));
 * walking; // => { tick: 12345, keys: { jump: false, crawl: false, horizontal: true, sprint: false, aim: false }, direction: 64, yaw: 0, pitch: 64 }
 * formatHex(encodePlayerMovement(walking)); // => "1e 80 00 00 30 39 04 40 00 40"
 * decode(playerMovement, parseHex("0000303904400040")).tick; // => 12345
 * decodePlayerMovement(parseHex("1e8f 0000303904400040")); // throws bad-value: Cannot read token: the low half is 15, no sender writes it at byte 1
 * decodePlayerMovement(parseHex("1e8f 0000303904400040"), "lenient").pitch; // => 64
 * ```
 */
import {
  ByteReader,
  ByteWriter,
  decodeLz4BlockInto,
  encode,
  flags,
  type Layout,
  mapped,
  struct,
  type Tracer,
  traceLz4Block,
  u8,
  u32be,
  WireError,
  withPath,
} from "../../../wire/index.ts";
import { showDirection, showPitch, showYaw } from "./angle.ts";

/** The id byte of the packet. */
export const PLAYER_MOVEMENT_ID = 0x1e;
/** Bytes of the body. */
export const MOVEMENT_BODY_BYTES = 8;
/** Bytes of the packet as a conforming sender carries it: LZ4 has no match in under 13 bytes, so nothing gets shorter. */
export const MOVEMENT_WIRE_BYTES = 10;
/** The LZ4 token of eight literals and no match. */
const TOKEN = 0x80;
/** The bits of the keys that are used. */
const KEY_BITS = 0x1f;

/** Which movement keys are pressed. All are up while the character is seated or tumbling. */
export interface MovementKeys {
  /** The jump button is held; the character need not be on the ground. */
  readonly jump: boolean;
  /** The crawl key is held; whether the character crawls is another matter. */
  readonly crawl: boolean;
  /** Any of forward, backward, left and right is pressed. */
  readonly horizontal: boolean;
  /** Sprinting while moving; a tick late at the start and at the end. */
  readonly sprint: boolean;
  /** Aiming with a tool. */
  readonly aim: boolean;
}

/** One tick's movement. */
export interface PlayerMovement {
  /** 40 a second, modulo 2^32. */
  readonly tick: number;
  readonly keys: MovementKeys;
  /** 1/256 turn relative to yaw: 0 right, 64 forward, 128 left, 192 back. Keeps its value while standing. */
  readonly direction: number;
  /** 1/256 turn, counter-clockwise; 0 looks along +Y. */
  readonly yaw: number;
  /** 0 straight down, 64 level, 128 straight up; more cannot be reached. */
  readonly pitch: number;
}

/** Strict: what no conforming sender writes is refused. Lenient: read as the reference reader does. */
export type Strictness = "strict" | "lenient";

const bits = { jump: 0, crawl: 1, horizontal: 2, sprint: 3, aim: 4 } as const;

/** The keys as a byte. Bits 5 to 7 are never set. */
export const movementKeys: Layout<MovementKeys> = flags(u8, bits);
const lenientKeys: Layout<MovementKeys> = flags(u8, bits, { reserved: "ignore" });

const itself = (value: number): number => value;
const angle = (show: (value: number) => string): Layout<number> => mapped(u8, { read: itself, write: itself, show });
/** 1/256 turn relative to the yaw. */
export const directionAngle: Layout<number> = angle(showDirection);
/** 1/256 turn from +Y, to the left. */
export const yawAngle: Layout<number> = angle(showYaw);
/** 1/256 turn from straight down. */
export const pitchAngle: Layout<number> = angle(showPitch);

const body = (keys: Layout<MovementKeys>): Layout<PlayerMovement> =>
  struct({ tick: u32be, keys, direction: directionAngle, yaw: yawAngle, pitch: pitchAngle });

/** The body of the packet, eight bytes. */
export const playerMovement: Layout<PlayerMovement> = body(movementKeys);
const lenientMovement: Layout<PlayerMovement> = body(lenientKeys);

/** The layout of the body for one way of reading. */
export function movementBody(strictness: Strictness): Layout<PlayerMovement> {
  return strictness === "strict" ? playerMovement : lenientMovement;
}

/** The 32 sets of keys: a message shares its set with all that have the same. */
export const keySets: readonly MovementKeys[] = Array.from({ length: KEY_BITS + 1 }, (_, byte) =>
  Object.freeze({
    jump: (byte & 1) !== 0,
    crawl: (byte & 2) !== 0,
    horizontal: (byte & 4) !== 0,
    sprint: (byte & 8) !== 0,
    aim: (byte & 16) !== 0,
  }),
);

/** The keys as their byte, 0 to 31; below 0 where one is neither true nor false. */
export function keysByte(keys: MovementKeys): number {
  return (
    keyBit(keys.jump, 1) |
    keyBit(keys.crawl, 2) |
    keyBit(keys.horizontal, 4) |
    keyBit(keys.sprint, 8) |
    keyBit(keys.aim, 16)
  );
}

function keyBit(down: boolean, bit: number): number {
  return down === true ? bit : down === false ? 0 : -1;
}

/** The names of the keys that are down, for people. */
export function showKeys(byte: number): string {
  const down = Object.entries(bits).filter(([, bit]) => ((byte >> bit) & 1) === 1);
  return down.map(([name]) => name).join(", ") || "none";
}

/**
 * A packet as carried: id byte and LZ4 block. Throws `WireError`.
 *
 * The block is read in one go with the body, without unpacking it: 5 ns, where unpacking the block alone takes 13.
 */
export function decodePlayerMovement(packet: Uint8Array, strictness: Strictness = "strict"): PlayerMovement {
  const strict = strictness === "strict";
  const token = packet[1] as number;
  const keys = packet[6] as number;
  const plain = strict ? token === TOKEN && keys <= KEY_BITS : token >>> 4 === 8;
  if (packet.length !== MOVEMENT_WIRE_BYTES || packet[0] !== PLAYER_MOVEMENT_ID || !plain) {
    return decodeSlowly(packet, strictness);
  }
  return {
    tick:
      (((packet[2] as number) << 24) |
        ((packet[3] as number) << 16) |
        ((packet[4] as number) << 8) |
        (packet[5] as number)) >>>
      0,
    keys: keySets[keys & KEY_BITS] as MovementKeys,
    direction: packet[7] as number,
    yaw: packet[8] as number,
    pitch: packet[9] as number,
  };
}

/** The same by the definition: for what is odd, and to say what is wrong. */
function decodeSlowly(packet: Uint8Array, strictness: Strictness): PlayerMovement {
  const reader = new ByteReader(packet);
  try {
    const id = reader.u8();
    if (id !== PLAYER_MOVEMENT_ID) {
      throw new WireError("unknown-message", `Cannot read id: ${id} is not ${PLAYER_MOVEMENT_ID} at byte 0`, 0);
    }
  } catch (error) {
    throw withPath(error, "id");
  }
  if (strictness === "lenient" && !isEightLiterals(packet)) return lenientMovement.read(new ByteReader(unpack(packet)));
  if (strictness === "strict") checkToken(reader);
  else reader.skip(1);
  const value = movementBody(strictness).read(reader);
  reader.expectEnd();
  return value;
}

/** Whether the body lies in the packet as it is: anything else takes an unusual sender. */
function isEightLiterals(packet: Uint8Array): boolean {
  const token = packet[1];
  return token !== undefined && token >>> 4 === 8 && packet.length <= MOVEMENT_WIRE_BYTES;
}

function checkToken(reader: ByteReader): void {
  try {
    const token = reader.u8();
    if (token === TOKEN) return;
    const literals = token >>> 4;
    if (literals !== 8) {
      const why = `${literals} literals, the body has ${MOVEMENT_BODY_BYTES} and never a match`;
      throw new WireError("bad-length", `Cannot read token: ${why} at byte 1`, 8);
    }
    const why = `the low half is ${token & 15}, no sender writes it`;
    throw new WireError("bad-value", `Cannot read token: ${why} at byte 1`, 8);
  } catch (error) {
    throw withPath(error, "token");
  }
}

const unpacked = new Uint8Array(MOVEMENT_BODY_BYTES);

/** The eight bytes in the block, in memory that the next call reuses. */
function unpack(packet: Uint8Array): Uint8Array {
  try {
    const length = decodeLz4BlockInto(unpacked, packet, 1, packet.length, "ignore");
    if (length === MOVEMENT_BODY_BYTES) return unpacked;
    const why = `${length} of the body's ${MOVEMENT_BODY_BYTES} bytes come out at byte ${packet.length}`;
    throw new WireError("bad-length", `Cannot read block: ${why}`, packet.length * 8);
  } catch (error) {
    throw withPath(error, "block");
  }
}

/** A packet as carried. Throws `TypeError` or `RangeError` that names the field whose value does not fit. */
export function encodePlayerMovement(value: PlayerMovement): Uint8Array<ArrayBuffer> {
  const packet = new Uint8Array(MOVEMENT_WIRE_BYTES);
  encodePlayerMovementInto(packet, value);
  return packet;
}

/** As {@link encodePlayerMovement}, for hot paths: into the first ten bytes of memory of the caller. */
export function encodePlayerMovementInto(packet: Uint8Array, value: PlayerMovement): void {
  const { tick, keys, direction, yaw, pitch } = value;
  const fits = tick >>> 0 === tick && (direction & 255) === direction && (yaw & 255) === yaw && (pitch & 255) === pitch;
  const byte = typeof keys === "object" && keys !== null ? keysByte(keys) : -1;
  // The definition says it best what is wrong.
  if (!fits || byte < 0) encode(playerMovement, value);
  if (packet.length < MOVEMENT_WIRE_BYTES) {
    throw new RangeError(`packet must have ${MOVEMENT_WIRE_BYTES} bytes, got ${packet.length}`);
  }
  packet[0] = PLAYER_MOVEMENT_ID;
  packet[1] = TOKEN;
  packet[2] = tick >>> 24;
  packet[3] = tick >>> 16;
  packet[4] = tick >>> 8;
  packet[5] = tick;
  packet[6] = byte;
  packet[7] = direction;
  packet[8] = yaw;
  packet[9] = pitch;
}

/** The body alone. Throws like {@link encodePlayerMovement}. */
export function encodeMovementBody(value: PlayerMovement): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(MOVEMENT_BODY_BYTES);
  playerMovement.write(writer, value);
  return writer.toBytes();
}

/**
 * Tells the tracer of the packet after its id: the token and the body's fields, or the pieces of a block that is more
 * than eight literals. Throws what {@link decodePlayerMovement} throws.
 */
export function tracePlayerMovement(packet: Uint8Array, tracer: Tracer, strictness: Strictness): PlayerMovement {
  if (strictness === "lenient" && !isEightLiterals(packet)) {
    traceLz4Block(tracer, "block", packet, 1);
    return decodePlayerMovement(packet, strictness);
  }
  const token = packet[1];
  const reader = new ByteReader(packet, 1);
  if (token !== undefined) {
    const shown = token >>> 4 === 8 ? "8 literals follow, no match" : `${token >>> 4} literals follow`;
    tracer.field("token", 8, 8, token, shown);
  }
  if (strictness === "strict") checkToken(reader);
  else reader.skip(1);
  const value = movementBody(strictness).trace(reader, tracer, "");
  reader.expectEnd();
  return value;
}
