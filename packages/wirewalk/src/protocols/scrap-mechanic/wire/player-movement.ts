/**
 * Player Movement (0x1E), client to server: keys and look of one tick. The server owns the position.
 *
 * Source: docs/protocols/scrap-mechanic.md ("standard" from here on), 3.
 *
 * ```ts
 * import { decode, formatHex, parseHex } from "wirewalk/wire";
 *
 * const walking = decodePlayerMovement(parseHex("1e80 0000303904400040"));
 * walking; // => { tick: 12345, keys: { jump: false, crawl: false, horizontal: true, sprint: false, aim: false }, direction: 64, yaw: 0, pitch: 64 }
 * formatHex(encodePlayerMovement(walking)); // => "1e 80 00 00 30 39 04 40 00 40"
 * decode(playerMovement, parseHex("0000303904400040")).tick; // => 12345
 * decodePlayerMovement(parseHex("1e8f 0000303904400040")); // throws bad-value: Cannot read token: low nibble is 15, expected 0 at byte 1
 * decodePlayerMovement(parseHex("1e8f 0000303904400040"), "lenient").pitch; // => 64
 * ```
 */
import { type CompiledLayout, encodeCompiled, readWhole, wrong } from "../../../wire/compiled/index.ts";
import {
  concat,
  decode,
  flags,
  type Layout,
  literal,
  lz4Block,
  peek,
  sizeOf,
  struct,
  u8,
  u32be,
  WireError,
  withMeaning,
} from "../../../wire/index.ts";
import { directionWords, pitchWords, yawWords } from "./angle.ts";
import * as variants from "./generated/variants.ts";

/** The id byte of the packet. */
export const PLAYER_MOVEMENT_ID = 0x1e;

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

const keyBits = { jump: 0, crawl: 1, horizontal: 2, sprint: 3, aim: 4 } as const;
const keyNames = Object.keys(keyBits) as readonly (keyof MovementKeys)[];

const TURN = "1/256 turn";

function lookOf(reserved: "refuse" | "ignore") {
  const keys: Layout<MovementKeys> = flags(u8, keyBits, { reserved, shared: true });
  return {
    keys: withMeaning(keys, { section: "3.2" }),
    direction: withMeaning(u8, { unit: TURN, doc: "relative to the yaw", section: "3.3", words: directionWords }),
    yaw: withMeaning(u8, { unit: TURN, doc: "from +Y to the left", section: "3.3", words: yawWords }),
    pitch: withMeaning(u8, { unit: TURN, doc: "from straight down", section: "3.3", words: pitchWords }),
  };
}
const looks = { strict: lookOf("refuse"), lenient: lookOf("ignore") };

/** Keys and look, as 0x1E and 0x18 carry them. Bits 5 to 7 of the keys are never set (standard 3.2). */
export function lookFields(strictness: Strictness) {
  return looks[strictness];
}

const bodyOf = (strictness: Strictness): Layout<PlayerMovement> =>
  struct({
    tick: withMeaning(u32be, { doc: "the client's tick that this moves", unit: "1/40 s", section: "3.1" }),
    ...lookFields(strictness),
  });

/** The body of the packet, eight bytes. */
export const playerMovement: Layout<PlayerMovement> = bodyOf("strict");
const lenientMovement: Layout<PlayerMovement> = bodyOf("lenient");

/** The layout of the body for one way of reading. */
export function movementBody(strictness: Strictness): Layout<PlayerMovement> {
  return strictness === "strict" ? playerMovement : lenientMovement;
}

/** Bytes of the body. */
export const MOVEMENT_BODY_BYTES = sizeOf(playerMovement.node).most / 8;
/** Bytes of the packet as a conforming sender carries it: LZ4 has no match in under 13 bytes, so nothing gets shorter. */
export const MOVEMENT_WIRE_BYTES = MOVEMENT_BODY_BYTES + 2;
/** The LZ4 token of eight literals and no match. */
const TOKEN = 0x80;

const literalCount = {
  shift: 4,
  mask: 15,
  code: "bad-length",
  why: `{} literals, the body has ${MOVEMENT_BODY_BYTES} and never a match`,
} as const;
const lowNibble = { shift: 0, mask: 15, code: "bad-value", why: "low nibble is {}, expected 0" } as const;

const tokenByte = withMeaning(u8, {
  words: Array.from({ length: 16 }, (_, count) => {
    const text = `${count} literals follow${count === MOVEMENT_BODY_BYTES ? ", no match" : ""}`;
    return { from: count << 4, to: (count << 4) + 15, text };
  }),
});

/** The packet after its id as conforming senders write it: a block of eight literals, in which the body lies as it is. */
export const movementPacket: Layout<PlayerMovement> = concat(
  struct({
    $token: withMeaning(literal(tokenByte, TOKEN, { parts: [literalCount, lowNibble] }), {
      doc: "LZ4: eight literals, no match",
      section: "2.2",
    }),
  }),
  playerMovement,
);

/** The same for lenient readers: eight literals in place, and any block out of which eight bytes come. */
const lenientInPlace: Layout<PlayerMovement> = concat(
  struct({ $token: literal(tokenByte, TOKEN, { parts: [literalCount] }) }),
  lenientMovement,
);
const lenientBlock = lz4Block(lenientMovement, { limit: MOVEMENT_BODY_BYTES, reserved: "ignore" });

/** Packets after their id. A lenient reader looks at the packet first: eight literals in place, or any other block. */
const packets: Readonly<Record<Strictness, Layout<PlayerMovement>>> = {
  strict: movementPacket,
  lenient: peek([
    { when: { next: { mask: 0xf0, value: TOKEN }, atMost: MOVEMENT_BODY_BYTES + 1 }, layout: lenientInPlace },
    { layout: lenientBlock },
  ]),
};

/** The layout of a packet after its id. */
export function movementPacketLayout(strictness: Strictness): Layout<PlayerMovement> {
  return packets[strictness];
}

/** The 32 sets of keys: a message shares its set with all that have the same. */
export const keySets: readonly MovementKeys[] = Array.from({ length: 2 ** keyNames.length }, (_, byte) =>
  decode(lookFields("strict").keys, Uint8Array.of(byte)),
);
/** The keys as their byte, 0 to 31; below 0 where one is neither true nor false. */
export function keysByte({ jump, crawl, horizontal, sprint, aim }: MovementKeys): number {
  return (
    bitOf(jump, keyBits.jump) |
    bitOf(crawl, keyBits.crawl) |
    bitOf(horizontal, keyBits.horizontal) |
    bitOf(sprint, keyBits.sprint) |
    bitOf(aim, keyBits.aim)
  );
}

/** Written out for each key: a loop over their names took 85 ns of 94. */
function bitOf(down: boolean, bit: number): number {
  return down === true ? 1 << bit : down === false ? 0 : -1;
}

/** What is generated of a packet after its id. */
function compiledPacket(strictness: Strictness): CompiledLayout<PlayerMovement> {
  return strictness === "lenient" ? variants.lenientMovementPacket : variants.movementPacket;
}

/** What is generated of the body for one way of reading. */
export function compiledMovementBody(strictness: Strictness): CompiledLayout<PlayerMovement> {
  return strictness === "strict" ? variants.movementBody : variants.lenientMovementBody;
}

/** A packet as carried: id byte and LZ4 block. Throws `WireError`. */
export function decodePlayerMovement(packet: Uint8Array, strictness: Strictness = "strict"): PlayerMovement {
  const [id] = packet;
  if (id === undefined) throw new WireError("truncated", "Cannot read id: 1 byte needed, 0 left at byte 0", 0, "id");
  if (id !== PLAYER_MOVEMENT_ID) {
    throw new WireError("unknown-message", `Cannot read id: ${id} is not ${PLAYER_MOVEMENT_ID} at byte 0`, 0, "id");
  }
  const layout = compiledPacket(strictness);
  return readWhole(layout, layout.after, packet, 1);
}

/** A packet as carried. Throws `TypeError` or `RangeError` that names the field whose value does not fit. */
export function encodePlayerMovement(value: PlayerMovement): Uint8Array<ArrayBuffer> {
  const packet = new Uint8Array(MOVEMENT_WIRE_BYTES);
  encodePlayerMovementInto(packet, value);
  return packet;
}

/**
 * As {@link encodePlayerMovement}, for hot paths: into the first ten bytes of memory of the caller. Where a value is refused, fields
 * before it may be written already.
 */
export function encodePlayerMovementInto(packet: Uint8Array, value: PlayerMovement): void {
  if (packet.length < MOVEMENT_WIRE_BYTES) {
    throw new RangeError(`packet must have ${MOVEMENT_WIRE_BYTES} bytes, got ${packet.length}`);
  }
  if (compiledPacket("strict").write(packet, 1, value as never) < 0) throw wrong();
  packet[0] = PLAYER_MOVEMENT_ID;
}

/** The body alone. Throws like {@link encodePlayerMovement}. */
export function encodeMovementBody(value: PlayerMovement): Uint8Array<ArrayBuffer> {
  return encodeCompiled(variants.movementBody, value);
}
