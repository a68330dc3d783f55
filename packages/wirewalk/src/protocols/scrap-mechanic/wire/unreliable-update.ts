/**
 * Unreliable Update (0x18), server to client, every tick: positions of all characters. `currentTick` is the newest tick of the
 * receiver's own that the server has integrated, so that a client knows what is left to replay.
 *
 * An update is `size u8` (itself included), `type u8`, data. A character (type 6) is a stream of bits, the most
 * significant first: after its 33rd bit nothing lies on a byte boundary.
 *
 * Source: docs/protocols/scrap-mechanic.md ("standard" from here on), 4.
 *
 * ```ts
 * import { decodeUpdateBody, encodeUpdateBody } from "wirewalk/scrap-mechanic";
 * import { formatHex, parseHex } from "wirewalk/wire";
 *
 * decodeUpdateBody(parseHex("00000010 00003039 00")); // => { serverTick: 16, currentTick: 12345, updates: [] }
 * decodeUpdateBody(parseHex("00000010 00003039 01 02 09")).updates; // => [{ kind: "opaque", type: 9, data: new Uint8Array(0) }]
 * formatHex(encodeUpdateBody({ serverTick: 1, currentTick: 2, updates: [] }, { countByte: false })); // => "00 00 00 01 00 00 00 02"
 * decodeUpdateBody(parseHex("00000010 00003039 01 01 06")); // throws bad-length: Cannot read updates[0].size: 1 is less than 2, its least at byte 9
 * ```
 */
import { type CompiledLayout, decodeCompiled, encodeCompiled } from "../../../wire/compiled/index.ts";
import {
  array,
  bits,
  byteRun,
  concat,
  constant,
  float32,
  type Layout,
  lz4Block,
  namedNumbers,
  sized,
  struct,
  tagged,
  u8,
  u32be,
  uint,
  withMeaning,
} from "../../../wire/index.ts";
import type { ScrapCodecOptions } from "./dialect.ts";
import * as variants from "./generated/variants.ts";
import { CHARACTER_TYPE, type ObjectUpdate, type UnreliableUpdate } from "./object-update.ts";
import { lookFields } from "./player-movement.ts";

export type {
  CharacterUpdate,
  ObjectUpdate,
  OpaqueUpdate,
  Quaternion,
  TumblingUpdate,
  UnreliableUpdate,
  Vector3,
} from "./object-update.ts";

/** The id byte of the packet. */
export const UNRELIABLE_UPDATE_ID = 0x18;
/** Updates of one packet: its count is a byte. */
export const MAX_UPDATES = 255;
/** Bytes of one update, itself included: its size is a byte. */
const MAX_UPDATE_BYTES = 255;
/** Size and type. */
const UPDATE_HEADER_BYTES = 2;
/** The largest body: two ticks, a count, and as many updates as large as can be counted. */
export const MAX_UPDATE_BODY_BYTES = 9 + MAX_UPDATES * MAX_UPDATE_BYTES;

/** A 32-bit float that is a number: a character is somewhere. -0 is 0, the same place and the same JSON. */
const coordinate = float32({ order: "be", finite: true });
const along = (what: string) =>
  struct({
    x: withMeaning(coordinate, { doc: `${what} along X` }),
    y: withMeaning(coordinate, { doc: `${what} along Y` }),
    z: withMeaning(coordinate, { doc: `${what} along Z, upwards` }),
  });
const position = withMeaning(along("the place"), { unit: "1/4 block", section: "4.3" });
const rotationPart = (doc: string) => withMeaning(coordinate, { doc: `${doc} of the quaternion of its rotation` });

/** One update, by how strictly it is read. */
function updateLayout(lenient: boolean): Layout<ObjectUpdate> {
  const onFeet = struct({
    kind: constant("character"),
    ...lookFields(lenient ? "lenient" : "strict"),
    position,
  });
  const tumbling = struct({
    kind: constant("tumbling"),
    rotation: struct({
      x: rotationPart("x"),
      y: rotationPart("y"),
      z: rotationPart("z"),
      w: rotationPart("w, the real part,"),
    }),
    position,
    velocity: along("the speed"),
    angularVelocity: along("the turning around its axis"),
  });
  const state = tagged("tumbling", withMeaning(uint(1), { words: namedNumbers({ no: 0, yes: 1 }) }), [
    { tags: [0], layout: onFeet, when: { kind: ["character"] }, hidden: true },
    { tags: [1], layout: tumbling, when: { kind: ["tumbling"] }, hidden: true },
  ]);
  const character = bits(
    concat(struct({ id: withMeaning(u32be, { doc: "the number of the character" }) }), state, { order: ["kind"] }),
    {
      padding: lenient ? "any" : "zero",
    },
  );
  const opaque = struct({
    kind: constant("opaque"),
    data: byteRun(
      { rest: MAX_UPDATE_BYTES - UPDATE_HEADER_BYTES },
      { opaque: "the document describes characters alone" },
    ),
  });
  const content = tagged(
    "type",
    withMeaning(u8, { words: namedNumbers({ character: CHARACTER_TYPE }) }),
    [
      { tags: [CHARACTER_TYPE], layout: character, when: { kind: ["character", "tumbling"] }, hidden: true },
      { layout: opaque, when: { kind: ["opaque"] } },
    ],
    { order: ["kind"] },
  );
  return sized(withMeaning(u8, { doc: "bytes of this update, with this one" }), content, {
    extra: 1,
  }) as Layout<ObjectUpdate>;
}

const ticks = struct({
  serverTick: withMeaning(u32be, { unit: "1/40 s", doc: "the server's own tick" }),
  currentTick: withMeaning(u32be, { unit: "1/40 s", doc: "the newest tick of the receiver's that is in this" }),
});

function listOf({ lenient = false, countByte = true }: ScrapCodecOptions): Layout<readonly ObjectUpdate[]> {
  return array(updateLayout(lenient), countByte ? { count: u8, limit: MAX_UPDATES } : { rest: MAX_UPDATES });
}

/** The body of the packet. */
function bodyOf(options: ScrapCodecOptions): Layout<UnreliableUpdate> {
  return concat(
    ticks,
    struct({ updates: withMeaning(listOf(options), { doc: "the objects that moved, each with its size" }) }),
  );
}

const bodies = new Map<string, Layout<UnreliableUpdate>>();

/** The body of the packet for one way of reading. */
export function updateBody(options: ScrapCodecOptions = {}): Layout<UnreliableUpdate> {
  const key = `${options.lenient === true} ${options.countByte !== false}`;
  const known = bodies.get(key) ?? bodyOf(options);
  bodies.set(key, known);
  return known;
}

/** Bytes of the two ticks: they differ from receiver to receiver, and hardly ever repeat. */
const TICK_BYTES = 8;

/** The packet after its id. */
export function updatePacket(options: ScrapCodecOptions = {}): Layout<UnreliableUpdate> {
  return lz4Block(updateBody(options), {
    limit: MAX_UPDATE_BODY_BYTES,
    reserved: options.lenient ? "ignore" : "refuse",
    literals: TICK_BYTES,
  });
}

/** A half token of LZ4 of this value goes on in the bytes after it. */
const MORE = 15;

/** Where the first literal of a block lies that begins at `start`. */
function firstLiteral(block: Uint8Array, start: number): number {
  let at = start + 1;
  if ((block[start] as number) >>> 4 === MORE) while (block[at++] === 0xff);
  return at;
}

/**
 * Writes packets by `write`, and those with the same frozen list by copying the first one: only the two ticks differ, which
 * lie in it as they are.
 */
export function sharedUpdatePackets(
  write: (value: UnreliableUpdate) => Uint8Array,
): (value: UnreliableUpdate) => Uint8Array {
  /** By frozen lists. */
  const packets = new WeakMap<readonly ObjectUpdate[], { readonly packet: Uint8Array; readonly ticksAt: number }>();
  return (value) => {
    if (typeof value !== "object" || value === null) return write(value);
    const { serverTick, currentTick, updates } = value;
    const known = packets.get(updates);
    if (known === undefined || serverTick >>> 0 !== serverTick || currentTick >>> 0 !== currentTick) {
      const packet = write(value);
      if (Object.isFrozen(updates)) packets.set(updates, { packet: packet.slice(), ticksAt: firstLiteral(packet, 1) });
      return packet;
    }
    const packet = known.packet.slice();
    putTick(packet, known.ticksAt, serverTick);
    putTick(packet, known.ticksAt + 4, currentTick);
    return packet;
  };
}

function putTick(packet: Uint8Array, at: number, tick: number): void {
  packet[at] = tick >>> 24;
  packet[at + 1] = tick >>> 16;
  packet[at + 2] = tick >>> 8;
  packet[at + 3] = tick;
}

/** What is generated of the body for one way of reading. */
export function compiledUpdateBody({ lenient, countByte }: ScrapCodecOptions = {}): CompiledLayout<UnreliableUpdate> {
  if (countByte === false) return lenient ? variants.lenientCountlessUpdateBody : variants.countlessUpdateBody;
  return lenient ? variants.lenientUpdateBody : variants.updateBody;
}

/** What is generated of the packet after its id. The usual one is a message of the dialect: undefined. */
export function compiledUpdatePacket({
  lenient,
  countByte,
}: ScrapCodecOptions): CompiledLayout<UnreliableUpdate> | undefined {
  if (countByte === false) return lenient ? variants.lenientCountlessUpdatePacket : variants.countlessUpdatePacket;
  return lenient ? variants.lenientUpdatePacket : undefined;
}

/** Reads one body. Throws `WireError`. */
export function decodeUpdateBody(bytes: Uint8Array, options: ScrapCodecOptions = {}): UnreliableUpdate {
  return decodeCompiled(compiledUpdateBody(options), bytes);
}

/** One body. Throws `TypeError` or `RangeError` that names the field whose value does not fit. */
export function encodeUpdateBody(
  value: UnreliableUpdate,
  options: Pick<ScrapCodecOptions, "countByte"> = {},
): Uint8Array<ArrayBuffer> {
  return encodeCompiled(compiledUpdateBody(options), value);
}
