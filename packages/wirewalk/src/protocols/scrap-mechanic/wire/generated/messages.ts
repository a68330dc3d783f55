/** Made by `npm run build:codecs` from the descriptions of Scrap Mechanic: do not edit. */
import { bad, badField, badObject, blockRoom, blockWords, bytesAt, contentRoom, cut, cutBit, cutSlab, deflate, finiteWords, fitsWords, flagsWords, floatOf, floatWordOf, floatWords, hereWords, inBlock, inSized, inflate, inflated, leastWords, lengthOf, memberOf, no, noBit, noMessage, notRead, notSize, on, paddingWords, partWords, putBytes, reservedWords, sizeWords, slabFor, slabUsed, under, unknownName, wrong } from "../../../../wire/compiled/index.ts";
import type { Checks, CompiledDialect, Members } from "../../../../wire/compiled/index.ts";

export type PlayerMovement = { tick: number; keys: { jump: boolean; crawl: boolean; horizontal: boolean; sprint: boolean; aim: boolean }; direction: number; yaw: number; pitch: number };
export type UnreliableUpdate = Value;
export type Hello = { version: number };
export type Use = Record<string, never>;
export type Playing = { character: number; tick: number; position: Position };
export type Left = { character: number };
export type Value = { serverTick: number; currentTick: number; updates: Update[] };
export type Update = { id: number; kind: "character"; keys: { jump: boolean; crawl: boolean; horizontal: boolean; sprint: boolean; aim: boolean }; direction: number; yaw: number; pitch: number; position: Position } | { id: number; kind: "tumbling"; rotation: { x: number; y: number; z: number; w: number }; position: Position; velocity: Position; angularVelocity: Position } | { type: number; kind: "opaque"; data: Uint8Array };
export type Position = { x: number; y: number; z: number };

/** Where the last reader has ended. */
var after = 0;
/** The same for callers of other modules. */
export const lastEnd = (): number => after;

var sets = Array.from({ length: 32 }, (_, bits) => Object.freeze({ jump: (bits & 1) !== 0, crawl: (bits & 2) !== 0, horizontal: (bits & 4) !== 0, sprint: (bits & 8) !== 0, aim: (bits & 16) !== 0 }));

const u32be = (b: Uint8Array, at: number): number => ((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) >>> 0;
const i32from1 = (b: Uint8Array, at: number): number => ((((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) << 1) | (b[at + 4]! >> 7));
const i32be = (b: Uint8Array, at: number): number => (b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!;
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const putU32be = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value >> 24), (b[at + 1] = value >> 16), (b[at + 2] = value >> 8), (b[at + 3] = value), (value >>> 0) === value);
const flagOf = (value: unknown, bit: number): number => (value === true ? bit : value === false ? 0 : -1);
const putU8 = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (value & 255) === value);
const setI32from1 = (b: Uint8Array, at: number, value: number): void => {
  b[at]! |= (value >>> 25) & 127;
  b[at + 1] = value >>> 17;
  b[at + 2] = value >>> 9;
  b[at + 3] = value >>> 1;
  b[at + 4] = value << 7;
};
const setI32be = (b: Uint8Array, at: number, value: number): void => {
  b[at] = value >> 24;
  b[at + 1] = value >> 16;
  b[at + 2] = value >> 8;
  b[at + 3] = value;
};

var playerMovementChecks: Checks = { text: `|token|u8
0|token|bad-length|{} literals, the body has 8 and never a match
0|token|bad-value|low nibble is {}, expected 0
|tick|u32be|keys|u8
1|keys|224
|direction|u8|yaw|u8|pitch|u8
2|keys|jump|crawl|horizontal|sprint|aim
integer|keys|u8`, kinds: [partWords, reservedWords, flagsWords] };

var unreliableUpdateChecks: Checks = { text: `0|block|65034 bytes`, kinds: [blockWords] };

var valueChecks: Checks = { text: `|serverTick|u32be|currentTick|u32be|updates.count|u8
|updates[].size|u8
0|updates[].size|2
1|updates[].size
list|updates
most|updates|255|items
integer|updates.count|u8
integer|updates[].size|u8|0|255`, kinds: [leastWords, sizeWords] };

var updateChecks: Checks = { text: `|type|u8
none|type|6
|id|u32be|tumbling|1
none|tumbling|0, 1
|keys|u8
0|keys|224
|direction|u8|yaw|u8|pitch|u8|position.x|32
1|position.x
|position.y|32
1|position.y
|position.z|32
1|position.z
2|padding
|rotation.x|32
1|rotation.x
|rotation.y|32
1|rotation.y
|rotation.z|32
1|rotation.z
|rotation.w|32
1|rotation.w
|position.x|32
|position.y|32
|position.z|32
|velocity.x|32
1|velocity.x
|velocity.y|32
1|velocity.y
|velocity.z|32
1|velocity.z
|angularVelocity.x|32
1|angularVelocity.x
|angularVelocity.y|32
1|angularVelocity.y
|angularVelocity.z|32
1|angularVelocity.z
left|data|253
run|data
integer|id|u32be|0|4294967295
same|kind|character
3|keys|jump|crawl|horizontal|sprint|aim
integer|keys|u8|0|255
integer|direction|u8|0|255
integer|yaw|u8|0|255
integer|pitch|u8|0|255
4|position.x|f32be
5|position.x
4|position.y|f32be
5|position.y
4|position.z|f32be
5|position.z
same|kind|tumbling
4|rotation.x|f32be
5|rotation.x
4|rotation.y|f32be
5|rotation.y
4|rotation.z|f32be
5|rotation.z
4|rotation.w|f32be
5|rotation.w
4|velocity.x|f32be
5|velocity.x
4|velocity.y|f32be
5|velocity.y
4|velocity.z|f32be
5|velocity.z
4|angularVelocity.x|f32be
5|angularVelocity.x
4|angularVelocity.y|f32be
5|angularVelocity.y
4|angularVelocity.z|f32be
5|angularVelocity.z
oneOf|kind|character, tumbling
6|type
integer|type|u8
same|kind|opaque
bytes|data|0|253
oneOf|kind|character, tumbling, opaque`, kinds: [reservedWords, finiteWords, paddingWords, flagsWords, floatWords, fitsWords, hereWords] };

var helloChecks: Checks = { text: `|version|u8` };

var playingChecks: Checks = { text: `|character|u32be|tick|u32be` };

var positionChecks: Checks = { text: `|x|32
0|x
|y|32
0|y
|z|32
0|z
1|x|f32be
2|x
1|y|f32be
2|y
1|z|f32be
2|z`, kinds: [finiteWords, floatWords, fitsWords] };

var leftChecks: Checks = { text: `|character|u32be` };

function readPlayerMovement(b: Uint8Array, at: number, end: number): PlayerMovement | undefined {
  if (end - at < 1) return cut(playerMovementChecks, 0, at, end);
  const token = b[at]!;
  if (token !== 128) {
    const tokenPart = (token >>> 4) & 15;
    if (tokenPart !== 8) return no(playerMovementChecks, 1, at, tokenPart);
    const tokenPart2 = (token >>> 0) & 15;
    if (tokenPart2 !== 0) return no(playerMovementChecks, 2, at, tokenPart2);
  }
  if (end - at < 6) return cut(playerMovementChecks, 3, at + 1, end);
  const tick = u32be(b, at + 1);
  const keys = b[at + 5]!;
  if ((keys & 224) !== 0) return no(playerMovementChecks, 4, at + 5, keys);
  const keys2 = sets[keys & 31]!;
  if (end - at < 9) return cut(playerMovementChecks, 5, at + 6, end);
  const direction = b[at + 6]!;
  const yaw = b[at + 7]!;
  const pitch = b[at + 8]!;
  after = at + 9;
  return { tick, keys: keys2, direction, yaw, pitch };
}

function readUpdateClaimed(b: Uint8Array, at: number, end: number, claimed: number): Update | undefined {
  if (end - at < 1) return cut(updateChecks, 0, at, end);
  const type2 = b[at]!;
  switch (type2) {
    case 6: {
      if (end - at < 6) return cut(updateChecks, 2, at + 1, end);
      const id = ((b[at + 1]! << 24) | (b[at + 2]! << 16) | (b[at + 3]! << 8) | b[at + 4]!) >>> 0;
      const tumbling = b[at + 5]! >> 7;
      switch (tumbling) {
        case 0: {
          if (end - at < 7) return cutBit(updateChecks, 4, at * 8 + 41, end);
          const keys = (((b[at + 5]! << 8) | b[at + 6]!) >> 7) & 255;
          if ((keys & 224) !== 0) return noBit(updateChecks, 5, at * 8 + 41, keys);
          const keys2 = sets[keys & 31]!;
          if (end - at < 14) return cutBit(updateChecks, 6, at * 8 + 49, end);
          const direction = (((b[at + 6]! << 8) | b[at + 7]!) >> 7) & 255;
          const yaw = (((b[at + 7]! << 8) | b[at + 8]!) >> 7) & 255;
          const pitch = (((b[at + 8]! << 8) | b[at + 9]!) >> 7) & 255;
          const x = floatOf(i32from1(b, at + 9)) + 0;
          if (x - x !== 0) return noBit(updateChecks, 7, at * 8 + 73, x);
          if (end - at < 18) return cutBit(updateChecks, 8, at * 8 + 105, end);
          const y = floatOf(i32from1(b, at + 13)) + 0;
          if (y - y !== 0) return noBit(updateChecks, 9, at * 8 + 105, y);
          if (end - at < 22) return cutBit(updateChecks, 10, at * 8 + 137, end);
          const z = floatOf(i32from1(b, at + 17)) + 0;
          if (z - z !== 0) return noBit(updateChecks, 11, at * 8 + 137, z);
          const padding = b[at + 21]! & 127;
          if (padding !== 0) return noBit(updateChecks, 12, at * 8 + 169, padding);
          after = at + 22;
          return { kind: "character", id, keys: keys2, direction, yaw, pitch, position: { x, y, z } };
        }
        case 1: {
          if (end - at < 10) return cutBit(updateChecks, 13, at * 8 + 41, end);
          const x2 = floatOf(i32from1(b, at + 5)) + 0;
          if (x2 - x2 !== 0) return noBit(updateChecks, 14, at * 8 + 41, x2);
          if (end - at < 14) return cutBit(updateChecks, 15, at * 8 + 73, end);
          const y2 = floatOf(i32from1(b, at + 9)) + 0;
          if (y2 - y2 !== 0) return noBit(updateChecks, 16, at * 8 + 73, y2);
          if (end - at < 18) return cutBit(updateChecks, 17, at * 8 + 105, end);
          const z2 = floatOf(i32from1(b, at + 13)) + 0;
          if (z2 - z2 !== 0) return noBit(updateChecks, 18, at * 8 + 105, z2);
          if (end - at < 22) return cutBit(updateChecks, 19, at * 8 + 137, end);
          const w = floatOf(i32from1(b, at + 17)) + 0;
          if (w - w !== 0) return noBit(updateChecks, 20, at * 8 + 137, w);
          if (end - at < 26) return cutBit(updateChecks, 21, at * 8 + 169, end);
          const x3 = floatOf(i32from1(b, at + 21)) + 0;
          if (x3 - x3 !== 0) return noBit(updateChecks, 7, at * 8 + 169, x3);
          if (end - at < 30) return cutBit(updateChecks, 22, at * 8 + 201, end);
          const y3 = floatOf(i32from1(b, at + 25)) + 0;
          if (y3 - y3 !== 0) return noBit(updateChecks, 9, at * 8 + 201, y3);
          if (end - at < 34) return cutBit(updateChecks, 23, at * 8 + 233, end);
          const z3 = floatOf(i32from1(b, at + 29)) + 0;
          if (z3 - z3 !== 0) return noBit(updateChecks, 11, at * 8 + 233, z3);
          if (end - at < 38) return cutBit(updateChecks, 24, at * 8 + 265, end);
          const x4 = floatOf(i32from1(b, at + 33)) + 0;
          if (x4 - x4 !== 0) return noBit(updateChecks, 25, at * 8 + 265, x4);
          if (end - at < 42) return cutBit(updateChecks, 26, at * 8 + 297, end);
          const y4 = floatOf(i32from1(b, at + 37)) + 0;
          if (y4 - y4 !== 0) return noBit(updateChecks, 27, at * 8 + 297, y4);
          if (end - at < 46) return cutBit(updateChecks, 28, at * 8 + 329, end);
          const z4 = floatOf(i32from1(b, at + 41)) + 0;
          if (z4 - z4 !== 0) return noBit(updateChecks, 29, at * 8 + 329, z4);
          if (end - at < 50) return cutBit(updateChecks, 30, at * 8 + 361, end);
          const x5 = floatOf(i32from1(b, at + 45)) + 0;
          if (x5 - x5 !== 0) return noBit(updateChecks, 31, at * 8 + 361, x5);
          if (end - at < 54) return cutBit(updateChecks, 32, at * 8 + 393, end);
          const y5 = floatOf(i32from1(b, at + 49)) + 0;
          if (y5 - y5 !== 0) return noBit(updateChecks, 33, at * 8 + 393, y5);
          if (end - at < 58) return cutBit(updateChecks, 34, at * 8 + 425, end);
          const z5 = floatOf(i32from1(b, at + 53)) + 0;
          if (z5 - z5 !== 0) return noBit(updateChecks, 35, at * 8 + 425, z5);
          const padding2 = b[at + 57]! & 127;
          if (padding2 !== 0) return noBit(updateChecks, 12, at * 8 + 457, padding2);
          after = at + 58;
          return { kind: "tumbling", id, rotation: { x: x2, y: y2, z: z2, w }, position: { x: x3, y: y3, z: z3 }, velocity: { x: x4, y: y4, z: z4 }, angularVelocity: { x: x5, y: y5, z: z5 } };
        }
        default: {
          return no(updateChecks, 3, at + 5, tumbling);
        }
      }
    }
    default: {
      at += 1;
      const dataBytes = claimed - at;
      if (dataBytes > 253) return no(updateChecks, 36, at, dataBytes);
      if (end - at < dataBytes) return cut(updateChecks, 37, at, end, dataBytes);
      const data = bytesAt(b, at, dataBytes);
      at += dataBytes;
      after = at;
      return { kind: "opaque", type: type2, data };
    }
  }
}

function readValue(b: Uint8Array, at: number, end: number): Value | undefined {
  if (end - at < 9) return cut(valueChecks, 0, at, end);
  const serverTick = u32be(b, at);
  const currentTick = u32be(b, at + 4);
  const count = b[at + 8]!;
  at += 9;
  const updates = new Array<Update>(count);
  for (let updatesIndex = 0; updatesIndex < count; updatesIndex++) {
    if (end - at < 1) return cut(valueChecks, 1, at, end, 0, updatesIndex);
    const size = b[at]!;
    if (size < 2) return no(valueChecks, 2, at, size, updatesIndex);
    at += 1;
    const updateEnd = at + size - 1;
    const update = readUpdateClaimed(b, at, updateEnd < end ? updateEnd : end, updateEnd);
    if (update === undefined) return inSized(valueChecks, "updates[]", 3, updateEnd < end, at - 1, size, updatesIndex);
    if (after !== updateEnd) return notSize(valueChecks, 3, at - 1, size, after - at + 1, updatesIndex);
    at = after;
    updates[updatesIndex] = update;
  }
  after = at;
  return { serverTick, currentTick, updates };
}

function readUnreliableUpdate(b: Uint8Array, at: number, end: number): UnreliableUpdate | undefined {
  const valueLength = inflate(b, at, end, 65034, false, -1, unreliableUpdateChecks, 0);
  if (valueLength < 0) return undefined;
  const value = readValue(inflated(), 0, valueLength);
  if (value === undefined || after !== valueLength) return inBlock("", b, at, end, value === undefined ? -1 : after, valueLength);
  at = end;
  after = at;
  return value;
}

function readHello(b: Uint8Array, at: number, end: number): Hello | undefined {
  if (end - at < 1) return cut(helloChecks, 0, at, end);
  const version = b[at]!;
  after = at + 1;
  return { version };
}

function readUse(_b: Uint8Array, at: number, _end: number): Use | undefined {
  after = at;
  return {};
}

function readPosition(b: Uint8Array, at: number, end: number): Position | undefined {
  if (end - at < 4) return cut(positionChecks, 0, at, end);
  const x = floatOf(i32be(b, at)) + 0;
  if (x - x !== 0) return no(positionChecks, 1, at, x);
  if (end - at < 8) return cut(positionChecks, 2, at + 4, end);
  const y = floatOf(i32be(b, at + 4)) + 0;
  if (y - y !== 0) return no(positionChecks, 3, at + 4, y);
  if (end - at < 12) return cut(positionChecks, 4, at + 8, end);
  const z = floatOf(i32be(b, at + 8)) + 0;
  if (z - z !== 0) return no(positionChecks, 5, at + 8, z);
  after = at + 12;
  return { x, y, z };
}

function readPlaying(b: Uint8Array, at: number, end: number): Playing | undefined {
  if (end - at < 8) return cut(playingChecks, 0, at, end);
  const character = u32be(b, at);
  const tick = u32be(b, at + 4);
  const position = readPosition(b, at + 8, end);
  if (position === undefined) return on("position");
  return { character, tick, position };
}

function readLeft(b: Uint8Array, at: number, end: number): Left | undefined {
  if (end - at < 4) return cut(leftChecks, 0, at, end);
  const character = u32be(b, at);
  after = at + 4;
  return { character };
}

function writePlayerMovement(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  b[at] = 128;
  if (!putU32be(b, at + 1, v.tick)) return badField(playerMovementChecks, 3, "", v);
  const keys = v.keys as Members;
  if (!isObject(keys)) return bad(playerMovementChecks, 6, keys);
  const bits = flagOf(keys.jump, 1) | flagOf(keys.crawl, 2) | flagOf(keys.horizontal, 4) | flagOf(keys.sprint, 8) | flagOf(keys.aim, 16);
  if (bits < 0) return bad(playerMovementChecks, 6, keys);
  b[at + 5] = bits;
  if (
    !(
      putU8(b, at + 6, v.direction) &&
      putU8(b, at + 7, v.yaw) &&
      putU8(b, at + 8, v.pitch)
    )
  )
    return badField(playerMovementChecks, 5, "", v);
  return at + 9;
}

function writeUpdate(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const type2 = v.type as number;
  const kind = v.kind as string;
  if ((kind === "character" || kind === "tumbling")) {
    b[at] = 6;
    const id = v.id as number;
    if (typeof id !== "number" || id >>> 0 !== id) return bad(updateChecks, 38, id);
    b[at + 1] = id >>> 24;
    b[at + 2] = id >>> 16;
    b[at + 3] = id >>> 8;
    b[at + 4] = id;
    const tumbling = v.tumbling as number;
    const kind2 = v.kind as string;
    if (kind2 === "character") {
      b[at + 5] = 0;
      const kind3 = v.kind as string;
      if (kind3 !== "character") return bad(updateChecks, 39, kind3);
      const keys = v.keys as Members;
      if (!isObject(keys)) return bad(updateChecks, 40, keys);
      const bits = flagOf(keys.jump, 1) | flagOf(keys.crawl, 2) | flagOf(keys.horizontal, 4) | flagOf(keys.sprint, 8) | flagOf(keys.aim, 16);
      if (bits < 0) return bad(updateChecks, 40, keys);
      b[at + 5]! |= bits >>> 1;
      b[at + 6] = bits << 7;
      const direction = v.direction as number;
      if (typeof direction !== "number" || (direction & 255) !== direction) return bad(updateChecks, 42, direction);
      b[at + 6]! |= direction >>> 1;
      b[at + 7] = direction << 7;
      const yaw = v.yaw as number;
      if (typeof yaw !== "number" || (yaw & 255) !== yaw) return bad(updateChecks, 43, yaw);
      b[at + 7]! |= yaw >>> 1;
      b[at + 8] = yaw << 7;
      const pitch = v.pitch as number;
      if (typeof pitch !== "number" || (pitch & 255) !== pitch) return bad(updateChecks, 44, pitch);
      b[at + 8]! |= pitch >>> 1;
      b[at + 9] = pitch << 7;
      const position = v.position as Members;
      if (!isObject(position)) return badObject("position", position);
      const x = position.x as number;
      if (typeof x !== "number") return bad(updateChecks, 45, x);
      const word$1 = floatWordOf(x + 0);
      if ((word$1 & 2139095040) === 2139095040) return bad(updateChecks, 46, x);
      setI32from1(b, at + 9, word$1);
      const y = position.y as number;
      if (typeof y !== "number") return bad(updateChecks, 47, y);
      const word$2 = floatWordOf(y + 0);
      if ((word$2 & 2139095040) === 2139095040) return bad(updateChecks, 48, y);
      setI32from1(b, at + 13, word$2);
      const z = position.z as number;
      if (typeof z !== "number") return bad(updateChecks, 49, z);
      const word$3 = floatWordOf(z + 0);
      if ((word$3 & 2139095040) === 2139095040) return bad(updateChecks, 50, z);
      setI32from1(b, at + 17, word$3);
      at += 21;
    } else {
      const kind4 = v.kind as string;
      if (kind4 === "tumbling") {
        b[at + 5] = 128;
        const kind5 = v.kind as string;
        if (kind5 !== "tumbling") return bad(updateChecks, 51, kind5);
        const rotation = v.rotation as Members;
        if (!isObject(rotation)) return badObject("rotation", rotation);
        const x2 = rotation.x as number;
        if (typeof x2 !== "number") return bad(updateChecks, 52, x2);
        const word$4 = floatWordOf(x2 + 0);
        if ((word$4 & 2139095040) === 2139095040) return bad(updateChecks, 53, x2);
        setI32from1(b, at + 5, word$4);
        const y2 = rotation.y as number;
        if (typeof y2 !== "number") return bad(updateChecks, 54, y2);
        const word$5 = floatWordOf(y2 + 0);
        if ((word$5 & 2139095040) === 2139095040) return bad(updateChecks, 55, y2);
        setI32from1(b, at + 9, word$5);
        const z2 = rotation.z as number;
        if (typeof z2 !== "number") return bad(updateChecks, 56, z2);
        const word$6 = floatWordOf(z2 + 0);
        if ((word$6 & 2139095040) === 2139095040) return bad(updateChecks, 57, z2);
        setI32from1(b, at + 13, word$6);
        const w = rotation.w as number;
        if (typeof w !== "number") return bad(updateChecks, 58, w);
        const word$7 = floatWordOf(w + 0);
        if ((word$7 & 2139095040) === 2139095040) return bad(updateChecks, 59, w);
        setI32from1(b, at + 17, word$7);
        const position2 = v.position as Members;
        if (!isObject(position2)) return badObject("position", position2);
        const x3 = position2.x as number;
        if (typeof x3 !== "number") return bad(updateChecks, 45, x3);
        const word$8 = floatWordOf(x3 + 0);
        if ((word$8 & 2139095040) === 2139095040) return bad(updateChecks, 46, x3);
        setI32from1(b, at + 21, word$8);
        const y3 = position2.y as number;
        if (typeof y3 !== "number") return bad(updateChecks, 47, y3);
        const word$9 = floatWordOf(y3 + 0);
        if ((word$9 & 2139095040) === 2139095040) return bad(updateChecks, 48, y3);
        setI32from1(b, at + 25, word$9);
        const z3 = position2.z as number;
        if (typeof z3 !== "number") return bad(updateChecks, 49, z3);
        const word$10 = floatWordOf(z3 + 0);
        if ((word$10 & 2139095040) === 2139095040) return bad(updateChecks, 50, z3);
        setI32from1(b, at + 29, word$10);
        const velocity = v.velocity as Members;
        if (!isObject(velocity)) return badObject("velocity", velocity);
        const x4 = velocity.x as number;
        if (typeof x4 !== "number") return bad(updateChecks, 60, x4);
        const word$11 = floatWordOf(x4 + 0);
        if ((word$11 & 2139095040) === 2139095040) return bad(updateChecks, 61, x4);
        setI32from1(b, at + 33, word$11);
        const y4 = velocity.y as number;
        if (typeof y4 !== "number") return bad(updateChecks, 62, y4);
        const word$12 = floatWordOf(y4 + 0);
        if ((word$12 & 2139095040) === 2139095040) return bad(updateChecks, 63, y4);
        setI32from1(b, at + 37, word$12);
        const z4 = velocity.z as number;
        if (typeof z4 !== "number") return bad(updateChecks, 64, z4);
        const word$13 = floatWordOf(z4 + 0);
        if ((word$13 & 2139095040) === 2139095040) return bad(updateChecks, 65, z4);
        setI32from1(b, at + 41, word$13);
        const angularVelocity = v.angularVelocity as Members;
        if (!isObject(angularVelocity)) return badObject("angularVelocity", angularVelocity);
        const x5 = angularVelocity.x as number;
        if (typeof x5 !== "number") return bad(updateChecks, 66, x5);
        const word$14 = floatWordOf(x5 + 0);
        if ((word$14 & 2139095040) === 2139095040) return bad(updateChecks, 67, x5);
        setI32from1(b, at + 45, word$14);
        const y5 = angularVelocity.y as number;
        if (typeof y5 !== "number") return bad(updateChecks, 68, y5);
        const word$15 = floatWordOf(y5 + 0);
        if ((word$15 & 2139095040) === 2139095040) return bad(updateChecks, 69, y5);
        setI32from1(b, at + 49, word$15);
        const z5 = angularVelocity.z as number;
        if (typeof z5 !== "number") return bad(updateChecks, 70, z5);
        const word$16 = floatWordOf(z5 + 0);
        if ((word$16 & 2139095040) === 2139095040) return bad(updateChecks, 71, z5);
        setI32from1(b, at + 53, word$16);
        at += 57;
      } else {
        switch (tumbling) {
          case 0:
          case 1: {
            const kind6 = v.kind as string;
            return bad(updateChecks, 72, kind6);
          }
          default: {
            const kind7 = v.kind as string;
            return bad(updateChecks, 72, kind7);
          }
        }
      }
    }
    at += 1;
  } else {
    const kind8 = v.kind as string;
    if (kind8 === "opaque") {
      switch (type2) {
        case 6: {
          return bad(updateChecks, 73, type2);
        }
        default: {
          if (!putU8(b, at, type2)) return bad(updateChecks, 74, type2);
          const kind9 = v.kind as string;
          if (kind9 !== "opaque") return bad(updateChecks, 75, kind9);
          const data = v.data as Uint8Array;
          at += 1;
          at = putBytes(b, at, data, 0, 253);
          if (at < 0) return bad(updateChecks, 76, data);
        }
      }
    } else {
      switch (type2) {
        case 6: {
          const kind10 = v.kind as string;
          return bad(updateChecks, 77, kind10);
        }
        default: {
          if (type2 !== undefined) {
            if (!putU8(b, at, type2)) return bad(updateChecks, 74, type2);
            const kind11 = v.kind as string;
            if (kind11 !== "opaque") return bad(updateChecks, 75, kind11);
            const data2 = v.data as Uint8Array;
            at += 1;
            at = putBytes(b, at, data2, 0, 253);
            if (at < 0) return bad(updateChecks, 76, data2);
          } else {
            const kind12 = v.kind as string;
            return bad(updateChecks, 77, kind12);
          }
        }
      }
    }
  }
  return at;
}

function writeValue(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32be(b, at, v.serverTick) &&
      putU32be(b, at + 4, v.currentTick)
    )
  )
    return badField(valueChecks, 0, "", v);
  const updates = v.updates as readonly unknown[];
  if (!Array.isArray(updates)) return bad(valueChecks, 4, updates);
  const count = updates.length;
  if (count > 255) return bad(valueChecks, 5, count);
  b[at + 8] = count;
  at += 9;
  for (let i = 0; i < count; i++) {
    const item = updates[i] as Members;
    const end$1 = writeUpdate(b, at + 1, item);
    if (end$1 < 0) return under("updates[]", i);
    const size$2 = end$1 - at;
    if (size$2 > 255) return bad(valueChecks, 7, size$2, i);
    b[at] = size$2;
    at = end$1;
  }
  return at;
}

function writeUnreliableUpdate(b: Uint8Array, at: number, v: Members): number {
  const length$1 = writeValue(contentRoom(16 + lengthOf(memberOf(v, "updates")) * 255), 0, v);
  if (length$1 < 0) return under("");
  at = deflate(b, at, length$1, 8);
  return at;
}

function writeHello(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU8(b, at, v.version)) return badField(helloChecks, 0, "", v);
  return at + 1;
}

function writeUse(_b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  return at;
}

function writePosition(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const x = v.x as number;
  if (typeof x !== "number") return bad(positionChecks, 6, x);
  const word$1 = floatWordOf(x + 0);
  if ((word$1 & 2139095040) === 2139095040) return bad(positionChecks, 7, x);
  setI32be(b, at, word$1);
  const y = v.y as number;
  if (typeof y !== "number") return bad(positionChecks, 8, y);
  const word$2 = floatWordOf(y + 0);
  if ((word$2 & 2139095040) === 2139095040) return bad(positionChecks, 9, y);
  setI32be(b, at + 4, word$2);
  const z = v.z as number;
  if (typeof z !== "number") return bad(positionChecks, 10, z);
  const word$3 = floatWordOf(z + 0);
  if ((word$3 & 2139095040) === 2139095040) return bad(positionChecks, 11, z);
  setI32be(b, at + 8, word$3);
  return at + 12;
}

function writePlaying(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32be(b, at, v.character) &&
      putU32be(b, at + 4, v.tick)
    )
  )
    return badField(playingChecks, 0, "", v);
  at = writePosition(b, at + 8, v.position as Members);
  if (at < 0) return under("position");
  return at;
}

function writeLeft(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32be(b, at, v.character)) return badField(leftChecks, 0, "", v);
  return at + 4;
}


export type ClientMessage = { message: "playerMovement"; value: PlayerMovement } | { message: "hello"; value: Hello } | { message: "use"; value: Use };

function readClientMessage(b: Uint8Array, id = b[0]!, at = 1): ClientMessage {
  const end = b.length;
  let message: ClientMessage["message"];
  let value: ClientMessage["value"] | undefined;
  switch (id) {
    case 30: {
      message = "playerMovement";
      value = readPlayerMovement(b, at, end);
      break;
    }
    case 240: {
      message = "hello";
      value = readHello(b, at, end);
      break;
    }
    case 243: {
      message = "use";
      value = readUse(b, at, end);
      break;
    }
    default: throw noMessage(documented, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as ClientMessage;
}

function writeClientMessage({ message, value: v }: ClientMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(9 + free);
  let at = slabUsed();
  switch (message) {
    case "playerMovement": {
      b[at] = 30;
      end = writePlayerMovement(b, at + free, v as Members);
      break;
    }
    case "hello": {
      b[at] = 240;
      end = writeHello(b, at + free, v as Members);
      break;
    }
    case "use": {
      b[at] = 243;
      end = writeUse(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documented, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type ServerMessage = { message: "unreliableUpdate"; value: UnreliableUpdate } | { message: "playing"; value: Playing } | { message: "left"; value: Left };

function readServerMessage(b: Uint8Array, id = b[0]!, at = 1): ServerMessage {
  const end = b.length;
  let message: ServerMessage["message"];
  let value: ServerMessage["value"] | undefined;
  switch (id) {
    case 24: {
      message = "unreliableUpdate";
      value = readUnreliableUpdate(b, at, end);
      break;
    }
    case 241: {
      message = "playing";
      value = readPlaying(b, at, end);
      break;
    }
    case 242: {
      message = "left";
      value = readLeft(b, at, end);
      break;
    }
    default: throw noMessage(documented, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as ServerMessage;
}

function writeServerMessage({ message, value: v }: ServerMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(20 + free);
  let at = slabUsed();
  switch (message) {
    case "unreliableUpdate": {
      b = slabFor(0 + blockRoom(16 + lengthOf(memberOf(v, "updates")) * 255) + free);
      at = slabUsed();
      b[at] = 24;
      end = writeUnreliableUpdate(b, at + free, v as Members);
      break;
    }
    case "playing": {
      b[at] = 241;
      end = writePlaying(b, at + free, v as Members);
      break;
    }
    case "left": {
      b[at] = 242;
      end = writeLeft(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documented, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const documented: CompiledDialect<ClientMessage, ServerMessage> = {
  dialect: "documented",
  idName: "id",
  idFormat: {"base":16},
  ids: {
    client: { playerMovement: 30, hello: 240, use: 243 },
    server: { unreliableUpdate: 24, playing: 241, left: 242 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readClientMessage(b, id, at) : readServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeClientMessage(m, before) : writeServerMessage(m, before)) as never,
};
