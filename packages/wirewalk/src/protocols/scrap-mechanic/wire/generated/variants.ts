/** Made by `npm run build:codecs` from the descriptions of Scrap Mechanic: do not edit. */
import { bad, badField, badObject, blockRoom, blockWords, bytesAt, contentRoom, cut, cutBit, deflate, finiteWords, fitsWords, flagsWords, floatOf, floatWordOf, floatWords, hereWords, inBlock, inSized, inflate, inflated, itemsWords, leastWords, lengthOf, memberOf, no, noBit, notSize, on, paddingWords, partWords, putBytes, reservedWords, sizeWords, under } from "../../../../wire/compiled/index.ts";
import type { Checks, CompiledLayout, Members } from "../../../../wire/compiled/index.ts";

export type MovementBody = { tick: number; keys: { jump: boolean; crawl: boolean; horizontal: boolean; sprint: boolean; aim: boolean }; direction: number; yaw: number; pitch: number };
export type LenientMovementBody = { tick: number; keys: { jump: boolean; crawl: boolean; horizontal: boolean; sprint: boolean; aim: boolean }; direction: number; yaw: number; pitch: number };
export type MovementPacket = { tick: number; keys: { jump: boolean; crawl: boolean; horizontal: boolean; sprint: boolean; aim: boolean }; direction: number; yaw: number; pitch: number };
export type LenientMovementPacket = { tick: number; keys: { jump: boolean; crawl: boolean; horizontal: boolean; sprint: boolean; aim: boolean }; direction: number; yaw: number; pitch: number };
export type UpdateBody = { serverTick: number; currentTick: number; updates: Update[] };
export type LenientUpdateBody = { serverTick: number; currentTick: number; updates: Updates };
export type CountlessUpdateBody = { serverTick: number; currentTick: number; updates: Updates2 };
export type LenientCountlessUpdateBody = { serverTick: number; currentTick: number; updates: Updates3 };
export type LenientUpdatePacket = LenientUpdateBody;
export type CountlessUpdatePacket = CountlessUpdateBody;
export type LenientCountlessUpdatePacket = LenientCountlessUpdateBody;
export type Update = { id: number; kind: "character"; keys: { jump: boolean; crawl: boolean; horizontal: boolean; sprint: boolean; aim: boolean }; direction: number; yaw: number; pitch: number; position: { x: number; y: number; z: number } } | { id: number; kind: "tumbling"; rotation: { x: number; y: number; z: number; w: number }; position: { x: number; y: number; z: number }; velocity: { x: number; y: number; z: number }; angularVelocity: { x: number; y: number; z: number } } | { type: number; kind: "opaque"; data: Uint8Array };
export type Updates = ValueItem[];
export type ValueItem = { id: number; kind: "character"; keys: { jump: boolean; crawl: boolean; horizontal: boolean; sprint: boolean; aim: boolean }; direction: number; yaw: number; pitch: number; position: { x: number; y: number; z: number } } | { id: number; kind: "tumbling"; rotation: { x: number; y: number; z: number; w: number }; position: { x: number; y: number; z: number }; velocity: { x: number; y: number; z: number }; angularVelocity: { x: number; y: number; z: number } } | { type: number; kind: "opaque"; data: Uint8Array };
export type Updates2 = Update[];
export type Updates3 = ValueItem[];

/** Where the last reader has ended. */
var after = 0;
/** The same for callers of other modules. */
export const lastEnd = (): number => after;

var sets = Array.from({ length: 32 }, (_, bits) => Object.freeze({ jump: (bits & 1) !== 0, crawl: (bits & 2) !== 0, horizontal: (bits & 4) !== 0, sprint: (bits & 8) !== 0, aim: (bits & 16) !== 0 }));

const u32be = (b: Uint8Array, at: number): number => ((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) >>> 0;
const i32from1 = (b: Uint8Array, at: number): number => ((((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) << 1) | (b[at + 4]! >> 7));
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

var movementBodyChecks: Checks = { text: `|tick|u32be|keys|u8
0|keys|224
|direction|u8|yaw|u8|pitch|u8
1|keys|jump|crawl|horizontal|sprint|aim
integer|keys|u8`, kinds: [reservedWords, flagsWords] };

var lenientMovementBodyChecks: Checks = { text: `|tick|u32be|keys|u8|direction|u8|yaw|u8|pitch|u8
0|keys|jump|crawl|horizontal|sprint|aim
integer|keys|u8
|direction|u8|yaw|u8|pitch|u8`, kinds: [flagsWords] };

var movementPacketChecks: Checks = { text: `|token|u8
0|token|bad-length|{} literals, the body has 8 and never a match
0|token|bad-value|low nibble is {}, expected 0
|tick|u32be|keys|u8
1|keys|224
|direction|u8|yaw|u8|pitch|u8
2|keys|jump|crawl|horizontal|sprint|aim
integer|keys|u8`, kinds: [partWords, reservedWords, flagsWords] };

var lenientMovementPacketChecks: Checks = { text: `|token|u8
0|token|bad-length|{} literals, the body has 8 and never a match
|tick|u32be|keys|u8|direction|u8|yaw|u8|pitch|u8
1|block|8 bytes
2|keys|jump|crawl|horizontal|sprint|aim
integer|keys|u8
|direction|u8|yaw|u8|pitch|u8`, kinds: [partWords, blockWords, flagsWords] };

var updateBodyChecks: Checks = { text: `|serverTick|u32be|currentTick|u32be|updates.count|u8
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

var lenientUpdateBodyChecks: Checks = { text: `|serverTick|u32be|currentTick|u32be` };

var updatesChecks: Checks = { text: `|count|u8
|[].size|u8
0|[].size|2
1|[].size
list|
most||255|items
integer|count|u8
integer|[].size|u8|0|255`, kinds: [leastWords, sizeWords] };

var valueItemChecks: Checks = { text: `|type|u8
none|type|6
|id|u32be|tumbling|1
none|tumbling|0, 1
|keys|u8|direction|u8|yaw|u8|pitch|u8|position.x|32
0|position.x
|position.y|32
0|position.y
|position.z|32
0|position.z
|rotation.x|32
0|rotation.x
|rotation.y|32
0|rotation.y
|rotation.z|32
0|rotation.z
|rotation.w|32
0|rotation.w
|position.x|32
|position.y|32
|position.z|32
|velocity.x|32
0|velocity.x
|velocity.y|32
0|velocity.y
|velocity.z|32
0|velocity.z
|angularVelocity.x|32
0|angularVelocity.x
|angularVelocity.y|32
0|angularVelocity.y
|angularVelocity.z|32
0|angularVelocity.z
left|data|253
run|data
integer|id|u32be|0|4294967295
same|kind|character
1|keys|jump|crawl|horizontal|sprint|aim
integer|keys|u8|0|255
integer|direction|u8|0|255
integer|yaw|u8|0|255
integer|pitch|u8|0|255
2|position.x|f32be
3|position.x
2|position.y|f32be
3|position.y
2|position.z|f32be
3|position.z
same|kind|tumbling
2|rotation.x|f32be
3|rotation.x
2|rotation.y|f32be
3|rotation.y
2|rotation.z|f32be
3|rotation.z
2|rotation.w|f32be
3|rotation.w
2|velocity.x|f32be
3|velocity.x
2|velocity.y|f32be
3|velocity.y
2|velocity.z|f32be
3|velocity.z
2|angularVelocity.x|f32be
3|angularVelocity.x
2|angularVelocity.y|f32be
3|angularVelocity.y
2|angularVelocity.z|f32be
3|angularVelocity.z
oneOf|kind|character, tumbling
4|type
integer|type|u8
same|kind|opaque
bytes|data|0|253
oneOf|kind|character, tumbling, opaque`, kinds: [finiteWords, flagsWords, floatWords, fitsWords, hereWords] };

var countlessUpdateBodyChecks: Checks = { text: `|serverTick|u32be|currentTick|u32be` };

var updates2Checks: Checks = { text: `0||255
|[].size|u8
1|[].size|2
2|[].size
list|
most||255|items
integer|[].size|u8|0|255`, kinds: [itemsWords, leastWords, sizeWords] };

var lenientCountlessUpdateBodyChecks: Checks = { text: `|serverTick|u32be|currentTick|u32be` };

var updates3Checks: Checks = { text: `0||255
|[].size|u8
1|[].size|2
2|[].size
list|
most||255|items
integer|[].size|u8|0|255`, kinds: [itemsWords, leastWords, sizeWords] };

var lenientUpdatePacketChecks: Checks = { text: `0|block|65034 bytes`, kinds: [blockWords] };

var countlessUpdatePacketChecks: Checks = { text: `0|block|65033 bytes`, kinds: [blockWords] };

var lenientCountlessUpdatePacketChecks: Checks = { text: `0|block|65033 bytes`, kinds: [blockWords] };

function readMovementBody(b: Uint8Array, at: number, end: number): MovementBody | undefined {
  if (end - at < 5) return cut(movementBodyChecks, 0, at, end);
  const tick = u32be(b, at);
  const keys = b[at + 4]!;
  if ((keys & 224) !== 0) return no(movementBodyChecks, 1, at + 4, keys);
  const keys2 = sets[keys & 31]!;
  if (end - at < 8) return cut(movementBodyChecks, 2, at + 5, end);
  const direction = b[at + 5]!;
  const yaw = b[at + 6]!;
  const pitch = b[at + 7]!;
  after = at + 8;
  return { tick, keys: keys2, direction, yaw, pitch };
}

function readLenientMovementBody(b: Uint8Array, at: number, end: number): LenientMovementBody | undefined {
  if (end - at < 8) return cut(lenientMovementBodyChecks, 0, at, end);
  const tick = u32be(b, at);
  const keys = b[at + 4]!;
  const keys2 = sets[keys & 31]!;
  const direction = b[at + 5]!;
  const yaw = b[at + 6]!;
  const pitch = b[at + 7]!;
  after = at + 8;
  return { tick, keys: keys2, direction, yaw, pitch };
}

function readMovementPacket(b: Uint8Array, at: number, end: number): MovementPacket | undefined {
  if (end - at < 1) return cut(movementPacketChecks, 0, at, end);
  const token = b[at]!;
  if (token !== 128) {
    const tokenPart = (token >>> 4) & 15;
    if (tokenPart !== 8) return no(movementPacketChecks, 1, at, tokenPart);
    const tokenPart2 = (token >>> 0) & 15;
    if (tokenPart2 !== 0) return no(movementPacketChecks, 2, at, tokenPart2);
  }
  if (end - at < 6) return cut(movementPacketChecks, 3, at + 1, end);
  const tick = u32be(b, at + 1);
  const keys = b[at + 5]!;
  if ((keys & 224) !== 0) return no(movementPacketChecks, 4, at + 5, keys);
  const keys2 = sets[keys & 31]!;
  if (end - at < 9) return cut(movementPacketChecks, 5, at + 6, end);
  const direction = b[at + 6]!;
  const yaw = b[at + 7]!;
  const pitch = b[at + 8]!;
  after = at + 9;
  return { tick, keys: keys2, direction, yaw, pitch };
}

function readLenientMovementPacket(b: Uint8Array, at: number, end: number): LenientMovementPacket | undefined {
  let value;
  if (end - at >= 1 && (b[at]! & 240) === 128 && end - at <= 9) {
    if (end - at < 1) return cut(lenientMovementPacketChecks, 0, at, end);
    const token = b[at]!;
    const tokenPart = (token >>> 4) & 15;
    if (tokenPart !== 8) return no(lenientMovementPacketChecks, 1, at, tokenPart);
    if (end - at < 9) return cut(lenientMovementPacketChecks, 2, at + 1, end);
    const tick = u32be(b, at + 1);
    const keys = b[at + 5]!;
    const keys2 = sets[keys & 31]!;
    const direction = b[at + 6]!;
    const yaw = b[at + 7]!;
    const pitch = b[at + 8]!;
    value = { tick, keys: keys2, direction, yaw, pitch };
    at += 9;
  } else {
    const value2Length = inflate(b, at, end, 8, true, 8, lenientMovementPacketChecks, 3);
    if (value2Length < 0) return undefined;
    const value2 = readLenientMovementBody(inflated(), 0, value2Length);
    if (value2 === undefined || after !== value2Length) return inBlock("", b, at, end, value2 === undefined ? -1 : after, value2Length);
    at = end;
    value = value2;
  }
  after = at;
  return value;
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

function readUpdateBody(b: Uint8Array, at: number, end: number): UpdateBody | undefined {
  if (end - at < 9) return cut(updateBodyChecks, 0, at, end);
  const serverTick = u32be(b, at);
  const currentTick = u32be(b, at + 4);
  const count = b[at + 8]!;
  at += 9;
  const updates = new Array<Update>(count);
  for (let updatesIndex = 0; updatesIndex < count; updatesIndex++) {
    if (end - at < 1) return cut(updateBodyChecks, 1, at, end, 0, updatesIndex);
    const size = b[at]!;
    if (size < 2) return no(updateBodyChecks, 2, at, size, updatesIndex);
    at += 1;
    const updateEnd = at + size - 1;
    const update = readUpdateClaimed(b, at, updateEnd < end ? updateEnd : end, updateEnd);
    if (update === undefined) return inSized(updateBodyChecks, "updates[]", 3, updateEnd < end, at - 1, size, updatesIndex);
    if (after !== updateEnd) return notSize(updateBodyChecks, 3, at - 1, size, after - at + 1, updatesIndex);
    at = after;
    updates[updatesIndex] = update;
  }
  after = at;
  return { serverTick, currentTick, updates };
}

function readValueItemClaimed(b: Uint8Array, at: number, end: number, claimed: number): ValueItem | undefined {
  if (end - at < 1) return cut(valueItemChecks, 0, at, end);
  const type2 = b[at]!;
  switch (type2) {
    case 6: {
      if (end - at < 6) return cut(valueItemChecks, 2, at + 1, end);
      const id = ((b[at + 1]! << 24) | (b[at + 2]! << 16) | (b[at + 3]! << 8) | b[at + 4]!) >>> 0;
      const tumbling = b[at + 5]! >> 7;
      switch (tumbling) {
        case 0: {
          if (end - at < 14) return cutBit(valueItemChecks, 4, at * 8 + 41, end);
          const keys = (((b[at + 5]! << 8) | b[at + 6]!) >> 7) & 255;
          const keys2 = sets[keys & 31]!;
          const direction = (((b[at + 6]! << 8) | b[at + 7]!) >> 7) & 255;
          const yaw = (((b[at + 7]! << 8) | b[at + 8]!) >> 7) & 255;
          const pitch = (((b[at + 8]! << 8) | b[at + 9]!) >> 7) & 255;
          const x = floatOf(i32from1(b, at + 9)) + 0;
          if (x - x !== 0) return noBit(valueItemChecks, 5, at * 8 + 73, x);
          if (end - at < 18) return cutBit(valueItemChecks, 6, at * 8 + 105, end);
          const y = floatOf(i32from1(b, at + 13)) + 0;
          if (y - y !== 0) return noBit(valueItemChecks, 7, at * 8 + 105, y);
          if (end - at < 22) return cutBit(valueItemChecks, 8, at * 8 + 137, end);
          const z = floatOf(i32from1(b, at + 17)) + 0;
          if (z - z !== 0) return noBit(valueItemChecks, 9, at * 8 + 137, z);
          after = at + 22;
          return { kind: "character", id, keys: keys2, direction, yaw, pitch, position: { x, y, z } };
        }
        case 1: {
          if (end - at < 10) return cutBit(valueItemChecks, 10, at * 8 + 41, end);
          const x2 = floatOf(i32from1(b, at + 5)) + 0;
          if (x2 - x2 !== 0) return noBit(valueItemChecks, 11, at * 8 + 41, x2);
          if (end - at < 14) return cutBit(valueItemChecks, 12, at * 8 + 73, end);
          const y2 = floatOf(i32from1(b, at + 9)) + 0;
          if (y2 - y2 !== 0) return noBit(valueItemChecks, 13, at * 8 + 73, y2);
          if (end - at < 18) return cutBit(valueItemChecks, 14, at * 8 + 105, end);
          const z2 = floatOf(i32from1(b, at + 13)) + 0;
          if (z2 - z2 !== 0) return noBit(valueItemChecks, 15, at * 8 + 105, z2);
          if (end - at < 22) return cutBit(valueItemChecks, 16, at * 8 + 137, end);
          const w = floatOf(i32from1(b, at + 17)) + 0;
          if (w - w !== 0) return noBit(valueItemChecks, 17, at * 8 + 137, w);
          if (end - at < 26) return cutBit(valueItemChecks, 18, at * 8 + 169, end);
          const x3 = floatOf(i32from1(b, at + 21)) + 0;
          if (x3 - x3 !== 0) return noBit(valueItemChecks, 5, at * 8 + 169, x3);
          if (end - at < 30) return cutBit(valueItemChecks, 19, at * 8 + 201, end);
          const y3 = floatOf(i32from1(b, at + 25)) + 0;
          if (y3 - y3 !== 0) return noBit(valueItemChecks, 7, at * 8 + 201, y3);
          if (end - at < 34) return cutBit(valueItemChecks, 20, at * 8 + 233, end);
          const z3 = floatOf(i32from1(b, at + 29)) + 0;
          if (z3 - z3 !== 0) return noBit(valueItemChecks, 9, at * 8 + 233, z3);
          if (end - at < 38) return cutBit(valueItemChecks, 21, at * 8 + 265, end);
          const x4 = floatOf(i32from1(b, at + 33)) + 0;
          if (x4 - x4 !== 0) return noBit(valueItemChecks, 22, at * 8 + 265, x4);
          if (end - at < 42) return cutBit(valueItemChecks, 23, at * 8 + 297, end);
          const y4 = floatOf(i32from1(b, at + 37)) + 0;
          if (y4 - y4 !== 0) return noBit(valueItemChecks, 24, at * 8 + 297, y4);
          if (end - at < 46) return cutBit(valueItemChecks, 25, at * 8 + 329, end);
          const z4 = floatOf(i32from1(b, at + 41)) + 0;
          if (z4 - z4 !== 0) return noBit(valueItemChecks, 26, at * 8 + 329, z4);
          if (end - at < 50) return cutBit(valueItemChecks, 27, at * 8 + 361, end);
          const x5 = floatOf(i32from1(b, at + 45)) + 0;
          if (x5 - x5 !== 0) return noBit(valueItemChecks, 28, at * 8 + 361, x5);
          if (end - at < 54) return cutBit(valueItemChecks, 29, at * 8 + 393, end);
          const y5 = floatOf(i32from1(b, at + 49)) + 0;
          if (y5 - y5 !== 0) return noBit(valueItemChecks, 30, at * 8 + 393, y5);
          if (end - at < 58) return cutBit(valueItemChecks, 31, at * 8 + 425, end);
          const z5 = floatOf(i32from1(b, at + 53)) + 0;
          if (z5 - z5 !== 0) return noBit(valueItemChecks, 32, at * 8 + 425, z5);
          after = at + 58;
          return { kind: "tumbling", id, rotation: { x: x2, y: y2, z: z2, w }, position: { x: x3, y: y3, z: z3 }, velocity: { x: x4, y: y4, z: z4 }, angularVelocity: { x: x5, y: y5, z: z5 } };
        }
        default: {
          return no(valueItemChecks, 3, at + 5, tumbling);
        }
      }
    }
    default: {
      at += 1;
      const dataBytes = claimed - at;
      if (dataBytes > 253) return no(valueItemChecks, 33, at, dataBytes);
      if (end - at < dataBytes) return cut(valueItemChecks, 34, at, end, dataBytes);
      const data = bytesAt(b, at, dataBytes);
      at += dataBytes;
      after = at;
      return { kind: "opaque", type: type2, data };
    }
  }
}

function readUpdates(b: Uint8Array, at: number, end: number): Updates | undefined {
  if (end - at < 1) return cut(updatesChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<ValueItem>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(updatesChecks, 1, at, end, 0, valueIndex);
    const size = b[at]!;
    if (size < 2) return no(updatesChecks, 2, at, size, valueIndex);
    at += 1;
    const valueItemEnd = at + size - 1;
    const valueItem = readValueItemClaimed(b, at, valueItemEnd < end ? valueItemEnd : end, valueItemEnd);
    if (valueItem === undefined) return inSized(updatesChecks, "[]", 3, valueItemEnd < end, at - 1, size, valueIndex);
    if (after !== valueItemEnd) return notSize(updatesChecks, 3, at - 1, size, after - at + 1, valueIndex);
    at = after;
    value[valueIndex] = valueItem;
  }
  after = at;
  return value;
}

function readLenientUpdateBody(b: Uint8Array, at: number, end: number): LenientUpdateBody | undefined {
  if (end - at < 8) return cut(lenientUpdateBodyChecks, 0, at, end);
  const serverTick = u32be(b, at);
  const currentTick = u32be(b, at + 4);
  const updates = readUpdates(b, at + 8, end);
  if (updates === undefined) return on("updates");
  return { serverTick, currentTick, updates };
}

function readUpdates2(b: Uint8Array, at: number, end: number): Updates2 | undefined {
  const value: Array<Update> = [];
  for (let valueIndex = 0; ; valueIndex++) {
    if (at >= end) break;
    if (valueIndex === 255) return no(updates2Checks, 0, at);
    if (end - at < 1) return cut(updates2Checks, 1, at, end, 0, valueIndex);
    const size = b[at]!;
    if (size < 2) return no(updates2Checks, 2, at, size, valueIndex);
    at += 1;
    const valueItemEnd = at + size - 1;
    const valueItem = readUpdateClaimed(b, at, valueItemEnd < end ? valueItemEnd : end, valueItemEnd);
    if (valueItem === undefined) return inSized(updates2Checks, "[]", 3, valueItemEnd < end, at - 1, size, valueIndex);
    if (after !== valueItemEnd) return notSize(updates2Checks, 3, at - 1, size, after - at + 1, valueIndex);
    at = after;
    value.push(valueItem);
  }
  after = at;
  return value;
}

function readCountlessUpdateBody(b: Uint8Array, at: number, end: number): CountlessUpdateBody | undefined {
  if (end - at < 8) return cut(countlessUpdateBodyChecks, 0, at, end);
  const serverTick = u32be(b, at);
  const currentTick = u32be(b, at + 4);
  const updates = readUpdates2(b, at + 8, end);
  if (updates === undefined) return on("updates");
  return { serverTick, currentTick, updates };
}

function readUpdates3(b: Uint8Array, at: number, end: number): Updates3 | undefined {
  const value: Array<ValueItem> = [];
  for (let valueIndex = 0; ; valueIndex++) {
    if (at >= end) break;
    if (valueIndex === 255) return no(updates3Checks, 0, at);
    if (end - at < 1) return cut(updates3Checks, 1, at, end, 0, valueIndex);
    const size = b[at]!;
    if (size < 2) return no(updates3Checks, 2, at, size, valueIndex);
    at += 1;
    const valueItemEnd = at + size - 1;
    const valueItem = readValueItemClaimed(b, at, valueItemEnd < end ? valueItemEnd : end, valueItemEnd);
    if (valueItem === undefined) return inSized(updates3Checks, "[]", 3, valueItemEnd < end, at - 1, size, valueIndex);
    if (after !== valueItemEnd) return notSize(updates3Checks, 3, at - 1, size, after - at + 1, valueIndex);
    at = after;
    value.push(valueItem);
  }
  after = at;
  return value;
}

function readLenientCountlessUpdateBody(b: Uint8Array, at: number, end: number): LenientCountlessUpdateBody | undefined {
  if (end - at < 8) return cut(lenientCountlessUpdateBodyChecks, 0, at, end);
  const serverTick = u32be(b, at);
  const currentTick = u32be(b, at + 4);
  const updates = readUpdates3(b, at + 8, end);
  if (updates === undefined) return on("updates");
  return { serverTick, currentTick, updates };
}

function readLenientUpdatePacket(b: Uint8Array, at: number, end: number): LenientUpdatePacket | undefined {
  const valueLength = inflate(b, at, end, 65034, true, -1, lenientUpdatePacketChecks, 0);
  if (valueLength < 0) return undefined;
  const value = readLenientUpdateBody(inflated(), 0, valueLength);
  if (value === undefined || after !== valueLength) return inBlock("", b, at, end, value === undefined ? -1 : after, valueLength);
  at = end;
  after = at;
  return value;
}

function readCountlessUpdatePacket(b: Uint8Array, at: number, end: number): CountlessUpdatePacket | undefined {
  const valueLength = inflate(b, at, end, 65034, false, -1, countlessUpdatePacketChecks, 0);
  if (valueLength < 0) return undefined;
  const value = readCountlessUpdateBody(inflated(), 0, valueLength);
  if (value === undefined || after !== valueLength) return inBlock("", b, at, end, value === undefined ? -1 : after, valueLength);
  at = end;
  after = at;
  return value;
}

function readLenientCountlessUpdatePacket(b: Uint8Array, at: number, end: number): LenientCountlessUpdatePacket | undefined {
  const valueLength = inflate(b, at, end, 65034, true, -1, lenientCountlessUpdatePacketChecks, 0);
  if (valueLength < 0) return undefined;
  const value = readLenientCountlessUpdateBody(inflated(), 0, valueLength);
  if (value === undefined || after !== valueLength) return inBlock("", b, at, end, value === undefined ? -1 : after, valueLength);
  at = end;
  after = at;
  return value;
}

function writeMovementBody(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32be(b, at, v.tick)) return badField(movementBodyChecks, 0, "", v);
  const keys = v.keys as Members;
  if (!isObject(keys)) return bad(movementBodyChecks, 3, keys);
  const bits = flagOf(keys.jump, 1) | flagOf(keys.crawl, 2) | flagOf(keys.horizontal, 4) | flagOf(keys.sprint, 8) | flagOf(keys.aim, 16);
  if (bits < 0) return bad(movementBodyChecks, 3, keys);
  b[at + 4] = bits;
  if (
    !(
      putU8(b, at + 5, v.direction) &&
      putU8(b, at + 6, v.yaw) &&
      putU8(b, at + 7, v.pitch)
    )
  )
    return badField(movementBodyChecks, 2, "", v);
  return at + 8;
}

function writeLenientMovementBody(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32be(b, at, v.tick)) return badField(lenientMovementBodyChecks, 0, "", v);
  const keys = v.keys as Members;
  if (!isObject(keys)) return bad(lenientMovementBodyChecks, 1, keys);
  const bits = flagOf(keys.jump, 1) | flagOf(keys.crawl, 2) | flagOf(keys.horizontal, 4) | flagOf(keys.sprint, 8) | flagOf(keys.aim, 16);
  if (bits < 0) return bad(lenientMovementBodyChecks, 1, keys);
  b[at + 4] = bits;
  if (
    !(
      putU8(b, at + 5, v.direction) &&
      putU8(b, at + 6, v.yaw) &&
      putU8(b, at + 7, v.pitch)
    )
  )
    return badField(lenientMovementBodyChecks, 3, "", v);
  return at + 8;
}

function writeMovementPacket(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  b[at] = 128;
  if (!putU32be(b, at + 1, v.tick)) return badField(movementPacketChecks, 3, "", v);
  const keys = v.keys as Members;
  if (!isObject(keys)) return bad(movementPacketChecks, 6, keys);
  const bits = flagOf(keys.jump, 1) | flagOf(keys.crawl, 2) | flagOf(keys.horizontal, 4) | flagOf(keys.sprint, 8) | flagOf(keys.aim, 16);
  if (bits < 0) return bad(movementPacketChecks, 6, keys);
  b[at + 5] = bits;
  if (
    !(
      putU8(b, at + 6, v.direction) &&
      putU8(b, at + 7, v.yaw) &&
      putU8(b, at + 8, v.pitch)
    )
  )
    return badField(movementPacketChecks, 5, "", v);
  return at + 9;
}

function writeLenientMovementPacket(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  b[at] = 128;
  if (!putU32be(b, at + 1, v.tick)) return badField(lenientMovementPacketChecks, 2, "", v);
  const keys = v.keys as Members;
  if (!isObject(keys)) return bad(lenientMovementPacketChecks, 4, keys);
  const bits = flagOf(keys.jump, 1) | flagOf(keys.crawl, 2) | flagOf(keys.horizontal, 4) | flagOf(keys.sprint, 8) | flagOf(keys.aim, 16);
  if (bits < 0) return bad(lenientMovementPacketChecks, 4, keys);
  b[at + 5] = bits;
  if (
    !(
      putU8(b, at + 6, v.direction) &&
      putU8(b, at + 7, v.yaw) &&
      putU8(b, at + 8, v.pitch)
    )
  )
    return badField(lenientMovementPacketChecks, 6, "", v);
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

function writeUpdateBody(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32be(b, at, v.serverTick) &&
      putU32be(b, at + 4, v.currentTick)
    )
  )
    return badField(updateBodyChecks, 0, "", v);
  const updates = v.updates as readonly unknown[];
  if (!Array.isArray(updates)) return bad(updateBodyChecks, 4, updates);
  const count = updates.length;
  if (count > 255) return bad(updateBodyChecks, 5, count);
  b[at + 8] = count;
  at += 9;
  for (let i = 0; i < count; i++) {
    const item = updates[i] as Members;
    const end$1 = writeUpdate(b, at + 1, item);
    if (end$1 < 0) return under("updates[]", i);
    const size$2 = end$1 - at;
    if (size$2 > 255) return bad(updateBodyChecks, 7, size$2, i);
    b[at] = size$2;
    at = end$1;
  }
  return at;
}

function writeValueItem(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const type2 = v.type as number;
  const kind = v.kind as string;
  if ((kind === "character" || kind === "tumbling")) {
    b[at] = 6;
    const id = v.id as number;
    if (typeof id !== "number" || id >>> 0 !== id) return bad(valueItemChecks, 35, id);
    b[at + 1] = id >>> 24;
    b[at + 2] = id >>> 16;
    b[at + 3] = id >>> 8;
    b[at + 4] = id;
    const tumbling = v.tumbling as number;
    const kind2 = v.kind as string;
    if (kind2 === "character") {
      b[at + 5] = 0;
      const kind3 = v.kind as string;
      if (kind3 !== "character") return bad(valueItemChecks, 36, kind3);
      const keys = v.keys as Members;
      if (!isObject(keys)) return bad(valueItemChecks, 37, keys);
      const bits = flagOf(keys.jump, 1) | flagOf(keys.crawl, 2) | flagOf(keys.horizontal, 4) | flagOf(keys.sprint, 8) | flagOf(keys.aim, 16);
      if (bits < 0) return bad(valueItemChecks, 37, keys);
      b[at + 5]! |= bits >>> 1;
      b[at + 6] = bits << 7;
      const direction = v.direction as number;
      if (typeof direction !== "number" || (direction & 255) !== direction) return bad(valueItemChecks, 39, direction);
      b[at + 6]! |= direction >>> 1;
      b[at + 7] = direction << 7;
      const yaw = v.yaw as number;
      if (typeof yaw !== "number" || (yaw & 255) !== yaw) return bad(valueItemChecks, 40, yaw);
      b[at + 7]! |= yaw >>> 1;
      b[at + 8] = yaw << 7;
      const pitch = v.pitch as number;
      if (typeof pitch !== "number" || (pitch & 255) !== pitch) return bad(valueItemChecks, 41, pitch);
      b[at + 8]! |= pitch >>> 1;
      b[at + 9] = pitch << 7;
      const position = v.position as Members;
      if (!isObject(position)) return badObject("position", position);
      const x = position.x as number;
      if (typeof x !== "number") return bad(valueItemChecks, 42, x);
      const word$1 = floatWordOf(x + 0);
      if ((word$1 & 2139095040) === 2139095040) return bad(valueItemChecks, 43, x);
      setI32from1(b, at + 9, word$1);
      const y = position.y as number;
      if (typeof y !== "number") return bad(valueItemChecks, 44, y);
      const word$2 = floatWordOf(y + 0);
      if ((word$2 & 2139095040) === 2139095040) return bad(valueItemChecks, 45, y);
      setI32from1(b, at + 13, word$2);
      const z = position.z as number;
      if (typeof z !== "number") return bad(valueItemChecks, 46, z);
      const word$3 = floatWordOf(z + 0);
      if ((word$3 & 2139095040) === 2139095040) return bad(valueItemChecks, 47, z);
      setI32from1(b, at + 17, word$3);
      at += 21;
    } else {
      const kind4 = v.kind as string;
      if (kind4 === "tumbling") {
        b[at + 5] = 128;
        const kind5 = v.kind as string;
        if (kind5 !== "tumbling") return bad(valueItemChecks, 48, kind5);
        const rotation = v.rotation as Members;
        if (!isObject(rotation)) return badObject("rotation", rotation);
        const x2 = rotation.x as number;
        if (typeof x2 !== "number") return bad(valueItemChecks, 49, x2);
        const word$4 = floatWordOf(x2 + 0);
        if ((word$4 & 2139095040) === 2139095040) return bad(valueItemChecks, 50, x2);
        setI32from1(b, at + 5, word$4);
        const y2 = rotation.y as number;
        if (typeof y2 !== "number") return bad(valueItemChecks, 51, y2);
        const word$5 = floatWordOf(y2 + 0);
        if ((word$5 & 2139095040) === 2139095040) return bad(valueItemChecks, 52, y2);
        setI32from1(b, at + 9, word$5);
        const z2 = rotation.z as number;
        if (typeof z2 !== "number") return bad(valueItemChecks, 53, z2);
        const word$6 = floatWordOf(z2 + 0);
        if ((word$6 & 2139095040) === 2139095040) return bad(valueItemChecks, 54, z2);
        setI32from1(b, at + 13, word$6);
        const w = rotation.w as number;
        if (typeof w !== "number") return bad(valueItemChecks, 55, w);
        const word$7 = floatWordOf(w + 0);
        if ((word$7 & 2139095040) === 2139095040) return bad(valueItemChecks, 56, w);
        setI32from1(b, at + 17, word$7);
        const position2 = v.position as Members;
        if (!isObject(position2)) return badObject("position", position2);
        const x3 = position2.x as number;
        if (typeof x3 !== "number") return bad(valueItemChecks, 42, x3);
        const word$8 = floatWordOf(x3 + 0);
        if ((word$8 & 2139095040) === 2139095040) return bad(valueItemChecks, 43, x3);
        setI32from1(b, at + 21, word$8);
        const y3 = position2.y as number;
        if (typeof y3 !== "number") return bad(valueItemChecks, 44, y3);
        const word$9 = floatWordOf(y3 + 0);
        if ((word$9 & 2139095040) === 2139095040) return bad(valueItemChecks, 45, y3);
        setI32from1(b, at + 25, word$9);
        const z3 = position2.z as number;
        if (typeof z3 !== "number") return bad(valueItemChecks, 46, z3);
        const word$10 = floatWordOf(z3 + 0);
        if ((word$10 & 2139095040) === 2139095040) return bad(valueItemChecks, 47, z3);
        setI32from1(b, at + 29, word$10);
        const velocity = v.velocity as Members;
        if (!isObject(velocity)) return badObject("velocity", velocity);
        const x4 = velocity.x as number;
        if (typeof x4 !== "number") return bad(valueItemChecks, 57, x4);
        const word$11 = floatWordOf(x4 + 0);
        if ((word$11 & 2139095040) === 2139095040) return bad(valueItemChecks, 58, x4);
        setI32from1(b, at + 33, word$11);
        const y4 = velocity.y as number;
        if (typeof y4 !== "number") return bad(valueItemChecks, 59, y4);
        const word$12 = floatWordOf(y4 + 0);
        if ((word$12 & 2139095040) === 2139095040) return bad(valueItemChecks, 60, y4);
        setI32from1(b, at + 37, word$12);
        const z4 = velocity.z as number;
        if (typeof z4 !== "number") return bad(valueItemChecks, 61, z4);
        const word$13 = floatWordOf(z4 + 0);
        if ((word$13 & 2139095040) === 2139095040) return bad(valueItemChecks, 62, z4);
        setI32from1(b, at + 41, word$13);
        const angularVelocity = v.angularVelocity as Members;
        if (!isObject(angularVelocity)) return badObject("angularVelocity", angularVelocity);
        const x5 = angularVelocity.x as number;
        if (typeof x5 !== "number") return bad(valueItemChecks, 63, x5);
        const word$14 = floatWordOf(x5 + 0);
        if ((word$14 & 2139095040) === 2139095040) return bad(valueItemChecks, 64, x5);
        setI32from1(b, at + 45, word$14);
        const y5 = angularVelocity.y as number;
        if (typeof y5 !== "number") return bad(valueItemChecks, 65, y5);
        const word$15 = floatWordOf(y5 + 0);
        if ((word$15 & 2139095040) === 2139095040) return bad(valueItemChecks, 66, y5);
        setI32from1(b, at + 49, word$15);
        const z5 = angularVelocity.z as number;
        if (typeof z5 !== "number") return bad(valueItemChecks, 67, z5);
        const word$16 = floatWordOf(z5 + 0);
        if ((word$16 & 2139095040) === 2139095040) return bad(valueItemChecks, 68, z5);
        setI32from1(b, at + 53, word$16);
        at += 57;
      } else {
        switch (tumbling) {
          case 0:
          case 1: {
            const kind6 = v.kind as string;
            return bad(valueItemChecks, 69, kind6);
          }
          default: {
            const kind7 = v.kind as string;
            return bad(valueItemChecks, 69, kind7);
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
          return bad(valueItemChecks, 70, type2);
        }
        default: {
          if (!putU8(b, at, type2)) return bad(valueItemChecks, 71, type2);
          const kind9 = v.kind as string;
          if (kind9 !== "opaque") return bad(valueItemChecks, 72, kind9);
          const data = v.data as Uint8Array;
          at += 1;
          at = putBytes(b, at, data, 0, 253);
          if (at < 0) return bad(valueItemChecks, 73, data);
        }
      }
    } else {
      switch (type2) {
        case 6: {
          const kind10 = v.kind as string;
          return bad(valueItemChecks, 74, kind10);
        }
        default: {
          if (type2 !== undefined) {
            if (!putU8(b, at, type2)) return bad(valueItemChecks, 71, type2);
            const kind11 = v.kind as string;
            if (kind11 !== "opaque") return bad(valueItemChecks, 72, kind11);
            const data2 = v.data as Uint8Array;
            at += 1;
            at = putBytes(b, at, data2, 0, 253);
            if (at < 0) return bad(valueItemChecks, 73, data2);
          } else {
            const kind12 = v.kind as string;
            return bad(valueItemChecks, 74, kind12);
          }
        }
      }
    }
  }
  return at;
}

function writeUpdates(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(updatesChecks, 4, v);
  const count = v.length;
  if (count > 255) return bad(updatesChecks, 5, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    const end$1 = writeValueItem(b, at + 1, item);
    if (end$1 < 0) return under("[]", i);
    const size$2 = end$1 - at;
    if (size$2 > 255) return bad(updatesChecks, 7, size$2, i);
    b[at] = size$2;
    at = end$1;
  }
  return at;
}

function writeLenientUpdateBody(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32be(b, at, v.serverTick) &&
      putU32be(b, at + 4, v.currentTick)
    )
  )
    return badField(lenientUpdateBodyChecks, 0, "", v);
  at = writeUpdates(b, at + 8, v.updates as readonly unknown[]);
  if (at < 0) return under("updates");
  return at;
}

function writeUpdates2(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(updates2Checks, 4, v);
  const count = v.length;
  if (count > 255) return bad(updates2Checks, 5, count);
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    const end$1 = writeUpdate(b, at + 1, item);
    if (end$1 < 0) return under("[]", i);
    const size$2 = end$1 - at;
    if (size$2 > 255) return bad(updates2Checks, 6, size$2, i);
    b[at] = size$2;
    at = end$1;
  }
  return at;
}

function writeCountlessUpdateBody(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32be(b, at, v.serverTick) &&
      putU32be(b, at + 4, v.currentTick)
    )
  )
    return badField(countlessUpdateBodyChecks, 0, "", v);
  at = writeUpdates2(b, at + 8, v.updates as readonly unknown[]);
  if (at < 0) return under("updates");
  return at;
}

function writeUpdates3(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(updates3Checks, 4, v);
  const count = v.length;
  if (count > 255) return bad(updates3Checks, 5, count);
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    const end$1 = writeValueItem(b, at + 1, item);
    if (end$1 < 0) return under("[]", i);
    const size$2 = end$1 - at;
    if (size$2 > 255) return bad(updates3Checks, 6, size$2, i);
    b[at] = size$2;
    at = end$1;
  }
  return at;
}

function writeLenientCountlessUpdateBody(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32be(b, at, v.serverTick) &&
      putU32be(b, at + 4, v.currentTick)
    )
  )
    return badField(lenientCountlessUpdateBodyChecks, 0, "", v);
  at = writeUpdates3(b, at + 8, v.updates as readonly unknown[]);
  if (at < 0) return under("updates");
  return at;
}

function writeLenientUpdatePacket(b: Uint8Array, at: number, v: Members): number {
  const length$1 = writeLenientUpdateBody(contentRoom(16 + lengthOf(memberOf(v, "updates")) * 255), 0, v);
  if (length$1 < 0) return under("");
  at = deflate(b, at, length$1, 8);
  return at;
}

function writeCountlessUpdatePacket(b: Uint8Array, at: number, v: Members): number {
  const length$1 = writeCountlessUpdateBody(contentRoom(16 + lengthOf(memberOf(v, "updates")) * 255), 0, v);
  if (length$1 < 0) return under("");
  at = deflate(b, at, length$1, 8);
  return at;
}

function writeLenientCountlessUpdatePacket(b: Uint8Array, at: number, v: Members): number {
  const length$1 = writeLenientCountlessUpdateBody(contentRoom(16 + lengthOf(memberOf(v, "updates")) * 255), 0, v);
  if (length$1 < 0) return under("");
  at = deflate(b, at, length$1, 8);
  return at;
}


export const movementBody: CompiledLayout<MovementBody> = { after: lastEnd, read: readMovementBody, write: writeMovementBody };

export const lenientMovementBody: CompiledLayout<LenientMovementBody> = { after: lastEnd, read: readLenientMovementBody, write: writeLenientMovementBody };

export const movementPacket: CompiledLayout<MovementPacket> = { after: lastEnd, read: readMovementPacket, write: writeMovementPacket };

export const lenientMovementPacket: CompiledLayout<LenientMovementPacket> = { after: lastEnd, read: readLenientMovementPacket, write: writeLenientMovementPacket, room: 9 + blockRoom(8) };

export const updateBody: CompiledLayout<UpdateBody> = { after: lastEnd, read: readUpdateBody, write: writeUpdateBody, room: (v) => 16 + lengthOf(memberOf(v, "updates")) * 255 };

export const lenientUpdateBody: CompiledLayout<LenientUpdateBody> = { after: lastEnd, read: readLenientUpdateBody, write: writeLenientUpdateBody, room: (v) => 16 + lengthOf(memberOf(v, "updates")) * 255 };

export const countlessUpdateBody: CompiledLayout<CountlessUpdateBody> = { after: lastEnd, read: readCountlessUpdateBody, write: writeCountlessUpdateBody, room: (v) => 16 + lengthOf(memberOf(v, "updates")) * 255 };

export const lenientCountlessUpdateBody: CompiledLayout<LenientCountlessUpdateBody> = { after: lastEnd, read: readLenientCountlessUpdateBody, write: writeLenientCountlessUpdateBody, room: (v) => 16 + lengthOf(memberOf(v, "updates")) * 255 };

export const lenientUpdatePacket: CompiledLayout<LenientUpdatePacket> = { after: lastEnd, read: readLenientUpdatePacket, write: writeLenientUpdatePacket, room: (v) => 0 + blockRoom(16 + lengthOf(memberOf(v, "updates")) * 255) };

export const countlessUpdatePacket: CompiledLayout<CountlessUpdatePacket> = { after: lastEnd, read: readCountlessUpdatePacket, write: writeCountlessUpdatePacket, room: (v) => 0 + blockRoom(16 + lengthOf(memberOf(v, "updates")) * 255) };

export const lenientCountlessUpdatePacket: CompiledLayout<LenientCountlessUpdatePacket> = { after: lastEnd, read: readLenientCountlessUpdatePacket, write: writeLenientCountlessUpdatePacket, room: (v) => 0 + blockRoom(16 + lengthOf(memberOf(v, "updates")) * 255) };
