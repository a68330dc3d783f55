/** Made by `npm run build:codecs` from the descriptions of MapleStory: do not edit. */
import { bad, badField, badObject, cut, no } from "../../../../wire/compiled/index.ts";
import type { Checks, CompiledLayout, Members } from "../../../../wire/compiled/index.ts";

export type V62Fragment = { type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "equipment"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number };
export type V83Fragment = { type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "equipment" | "bare"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number };
export type V95Fragment = { type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "flyingBlock" | "equipment" | "bare"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number; xOffset: number; yOffset: number };
export type DocumentedFragment = { type: number; kind: "absolute" | "relative" | "instant" | "equipment" | "jumpDown"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number };
export type V62Fragments = V62Fragment[];
export type V83Fragments = V83Fragment[];
export type V95Fragments = V95Fragment[];
export type DocumentedFragments = DocumentedFragment[];
export type Place = { x: number; y: number };
export type MovingPlace = { x: number; y: number; vx: number; vy: number };

/** Where the last reader has ended. */
var after = 0;
/** The same for callers of other modules. */
export const lastEnd = (): number => after;


const i16le = (b: Uint8Array, at: number): number => ((b[at]! | (b[at + 1]! << 8)) << 16) >> 16;
const u16le = (b: Uint8Array, at: number): number => b[at]! | (b[at + 1]! << 8);
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const putI16le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), ((value << 16) >> 16) === value);
const putU8 = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (value & 255) === value);
const putU16le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), (value & 65535) === value);

var v62FragmentChecks: Checks = { text: `|type|u8
none|type|0 to 17
|x|i16le|y|i16le|vx|i16le|vy|i16le|foothold|i16le|state|u8|durationMs|u16le
|x|i16le|y|i16le|vx|i16le|vy|i16le|foothold|i16le|fallStart|i16le|state|u8|durationMs|u16le
|vx|i16le|vy|i16le|state|u8|durationMs|u16le
|x|i16le|y|i16le|foothold|i16le|state|u8|durationMs|u16le
|vx|i16le|vy|i16le|fallStart|i16le|state|u8|durationMs|u16le
|data|u8
integer|type|u8
same|kind|absolute
same|kind|fallDown
same|kind|relative
same|kind|instant
same|kind|startFallDown
same|kind|equipment
oneOf|type|0 to 17` };

var v83FragmentChecks: Checks = { text: `|type|u8
none|type|0 to 22
|x|i16le|y|i16le|vx|i16le|vy|i16le|foothold|i16le|state|u8|durationMs|u16le
|x|i16le|y|i16le|vx|i16le|vy|i16le|foothold|i16le|fallStart|i16le|state|u8|durationMs|u16le
|vx|i16le|vy|i16le|state|u8|durationMs|u16le
|x|i16le|y|i16le|foothold|i16le|state|u8|durationMs|u16le
|vx|i16le|vy|i16le|fallStart|i16le|state|u8|durationMs|u16le
|data|u8
|state|u8|durationMs|u16le
integer|type|u8
same|kind|absolute
same|kind|fallDown
same|kind|relative
same|kind|instant
same|kind|startFallDown
same|kind|equipment
same|kind|bare
oneOf|type|0 to 22` };

var v95FragmentChecks: Checks = { text: `|type|u8
none|type|0 to 36
|x|i16le|y|i16le|vx|i16le|vy|i16le|foothold|i16le|xOffset|i16le|yOffset|i16le|state|u8|durationMs|u16le
|x|i16le|y|i16le|vx|i16le|vy|i16le|foothold|i16le|fallStart|i16le|xOffset|i16le|yOffset|i16le|state|u8|durationMs|u16le
|vx|i16le|vy|i16le|state|u8|durationMs|u16le
|x|i16le|y|i16le|foothold|i16le|state|u8|durationMs|u16le
|vx|i16le|vy|i16le|fallStart|i16le|state|u8|durationMs|u16le
|x|i16le|y|i16le|vx|i16le|vy|i16le|state|u8|durationMs|u16le
|data|u8
|state|u8|durationMs|u16le
integer|type|u8
same|kind|absolute
same|kind|fallDown
same|kind|relative
same|kind|instant
same|kind|startFallDown
same|kind|flyingBlock
same|kind|equipment
same|kind|bare
oneOf|type|0 to 36` };

var documentedFragmentChecks: Checks = { text: `|type|u8
none|type|0 to 14, 16, 17
|x|i16le|y|i16le|vx|i16le|vy|i16le|unknown|u16le|state|u8|durationMs|u16le
|vx|i16le|vy|i16le|state|u8|durationMs|u16le
|x|i16le|y|i16le|vx|i16le|vy|i16le|state|u8
|data|u8
|x|i16le|y|i16le|vx|i16le|vy|i16le|unknown|u16le|foothold|u16le|state|u8|durationMs|u16le
integer|type|u8
same|kind|absolute
same|kind|relative
same|kind|instant
same|kind|equipment
same|kind|jumpDown
oneOf|type|0 to 14, 16, 17` };

var v62FragmentsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 17
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8
list|
most||255|items
integer|count|u8
integer|[].type|u8
same|[].kind|absolute
same|[].kind|fallDown
same|[].kind|relative
same|[].kind|instant
same|[].kind|startFallDown
same|[].kind|equipment
oneOf|[].type|0 to 17` };

var v83FragmentsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 22
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8
|[].state|u8|[].durationMs|u16le
list|
most||255|items
integer|count|u8
integer|[].type|u8
same|[].kind|absolute
same|[].kind|fallDown
same|[].kind|relative
same|[].kind|instant
same|[].kind|startFallDown
same|[].kind|equipment
same|[].kind|bare
oneOf|[].type|0 to 22` };

var v95FragmentsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 36
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].xOffset|i16le|[].yOffset|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].xOffset|i16le|[].yOffset|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8
|[].state|u8|[].durationMs|u16le
list|
most||255|items
integer|count|u8
integer|[].type|u8
same|[].kind|absolute
same|[].kind|fallDown
same|[].kind|relative
same|[].kind|instant
same|[].kind|startFallDown
same|[].kind|flyingBlock
same|[].kind|equipment
same|[].kind|bare
oneOf|[].type|0 to 36` };

var documentedFragmentsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 14, 16, 17
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].unknown|u16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].state|u8
|[].data|u8
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].unknown|u16le|[].foothold|u16le|[].state|u8|[].durationMs|u16le
list|
most||255|items
integer|count|u8
integer|[].type|u8
same|[].kind|absolute
same|[].kind|relative
same|[].kind|instant
same|[].kind|equipment
same|[].kind|jumpDown
oneOf|[].type|0 to 14, 16, 17` };

var placeChecks: Checks = { text: `|x|i16le|y|i16le` };

var movingPlaceChecks: Checks = { text: `|x|i16le|y|i16le|vx|i16le|vy|i16le` };

function readV62Fragment(b: Uint8Array, at: number, end: number): V62Fragment | undefined {
  if (end - at < 1) return cut(v62FragmentChecks, 0, at, end);
  const type2 = b[at]!;
  let kind = "absolute";
  let x = 0;
  let y = 0;
  let vx = 0;
  let vy = 0;
  let foothold = 0;
  let fallStart = 0;
  let unknown = 0;
  let state = 0;
  let durationMs = 0;
  let data = 0;
  const type2Bit = type2 < 32 ? 1 << type2 : 0;
  if ((type2Bit & 131105) !== 0) {
    if (end - at < 14) return cut(v62FragmentChecks, 2, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    vx = i16le(b, at + 5);
    vy = i16le(b, at + 7);
    foothold = i16le(b, at + 9);
    state = b[at + 11]!;
    durationMs = u16le(b, at + 12);
    kind = "absolute";
    at += 14;
  } else if ((type2Bit & 32768) !== 0) {
    if (end - at < 16) return cut(v62FragmentChecks, 3, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    vx = i16le(b, at + 5);
    vy = i16le(b, at + 7);
    foothold = i16le(b, at + 9);
    fallStart = i16le(b, at + 11);
    state = b[at + 13]!;
    durationMs = u16le(b, at + 14);
    kind = "fallDown";
    at += 16;
  } else if ((type2Bit & 77894) !== 0) {
    if (end - at < 8) return cut(v62FragmentChecks, 4, at + 1, end);
    vx = i16le(b, at + 1);
    vy = i16le(b, at + 3);
    state = b[at + 5]!;
    durationMs = u16le(b, at + 6);
    kind = "relative";
    at += 8;
  } else if ((type2Bit & 2968) !== 0) {
    if (end - at < 10) return cut(v62FragmentChecks, 5, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    foothold = i16le(b, at + 5);
    state = b[at + 7]!;
    durationMs = u16le(b, at + 8);
    kind = "instant";
    at += 10;
  } else if ((type2Bit & 16384) !== 0) {
    if (end - at < 10) return cut(v62FragmentChecks, 6, at + 1, end);
    vx = i16le(b, at + 1);
    vy = i16le(b, at + 3);
    fallStart = i16le(b, at + 5);
    state = b[at + 7]!;
    durationMs = u16le(b, at + 8);
    kind = "startFallDown";
    at += 10;
  } else if ((type2Bit & 1024) !== 0) {
    if (end - at < 2) return cut(v62FragmentChecks, 7, at + 1, end);
    data = b[at + 1]!;
    kind = "equipment";
    at += 2;
  } else {
    return no(v62FragmentChecks, 1, at, type2);
  }
  after = at;
  return { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as V62Fragment;
}

function readV83Fragment(b: Uint8Array, at: number, end: number): V83Fragment | undefined {
  if (end - at < 1) return cut(v83FragmentChecks, 0, at, end);
  const type2 = b[at]!;
  let kind = "absolute";
  let x = 0;
  let y = 0;
  let vx = 0;
  let vy = 0;
  let foothold = 0;
  let fallStart = 0;
  let unknown = 0;
  let state = 0;
  let durationMs = 0;
  let data = 0;
  const type2Bit = type2 < 32 ? 1 << type2 : 0;
  if ((type2Bit & 131105) !== 0) {
    if (end - at < 14) return cut(v83FragmentChecks, 2, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    vx = i16le(b, at + 5);
    vy = i16le(b, at + 7);
    foothold = i16le(b, at + 9);
    state = b[at + 11]!;
    durationMs = u16le(b, at + 12);
    kind = "absolute";
    at += 14;
  } else if ((type2Bit & 32768) !== 0) {
    if (end - at < 16) return cut(v83FragmentChecks, 3, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    vx = i16le(b, at + 5);
    vy = i16le(b, at + 7);
    foothold = i16le(b, at + 9);
    fallStart = i16le(b, at + 11);
    state = b[at + 13]!;
    durationMs = u16le(b, at + 14);
    kind = "fallDown";
    at += 16;
  } else if ((type2Bit & 6107206) !== 0) {
    if (end - at < 8) return cut(v83FragmentChecks, 4, at + 1, end);
    vx = i16le(b, at + 1);
    vy = i16le(b, at + 3);
    state = b[at + 5]!;
    durationMs = u16le(b, at + 6);
    kind = "relative";
    at += 8;
  } else if ((type2Bit & 2968) !== 0) {
    if (end - at < 10) return cut(v83FragmentChecks, 5, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    foothold = i16le(b, at + 5);
    state = b[at + 7]!;
    durationMs = u16le(b, at + 8);
    kind = "instant";
    at += 10;
  } else if ((type2Bit & 16384) !== 0) {
    if (end - at < 10) return cut(v83FragmentChecks, 6, at + 1, end);
    vx = i16le(b, at + 1);
    vy = i16le(b, at + 3);
    fallStart = i16le(b, at + 5);
    state = b[at + 7]!;
    durationMs = u16le(b, at + 8);
    kind = "startFallDown";
    at += 10;
  } else if ((type2Bit & 1024) !== 0) {
    if (end - at < 2) return cut(v83FragmentChecks, 7, at + 1, end);
    data = b[at + 1]!;
    kind = "equipment";
    at += 2;
  } else if ((type2Bit & 2097152) !== 0) {
    if (end - at < 4) return cut(v83FragmentChecks, 8, at + 1, end);
    state = b[at + 1]!;
    durationMs = u16le(b, at + 2);
    kind = "bare";
    at += 4;
  } else {
    return no(v83FragmentChecks, 1, at, type2);
  }
  after = at;
  return { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as V83Fragment;
}

function readV95Fragment(b: Uint8Array, at: number, end: number): V95Fragment | undefined {
  if (end - at < 1) return cut(v95FragmentChecks, 0, at, end);
  const type2 = b[at]!;
  let kind = "absolute";
  let x = 0;
  let y = 0;
  let vx = 0;
  let vy = 0;
  let foothold = 0;
  let fallStart = 0;
  let unknown = 0;
  let state = 0;
  let durationMs = 0;
  let data = 0;
  let xOffset = 0;
  let yOffset = 0;
  switch (type2) {
    case 0:
    case 5:
    case 14:
    case 35:
    case 36: {
      if (end - at < 18) return cut(v95FragmentChecks, 2, at + 1, end);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      xOffset = i16le(b, at + 11);
      yOffset = i16le(b, at + 13);
      state = b[at + 15]!;
      durationMs = u16le(b, at + 16);
      kind = "absolute";
      at += 18;
      break;
    }
    case 12: {
      if (end - at < 20) return cut(v95FragmentChecks, 3, at + 1, end);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      fallStart = i16le(b, at + 11);
      xOffset = i16le(b, at + 13);
      yOffset = i16le(b, at + 15);
      state = b[at + 17]!;
      durationMs = u16le(b, at + 18);
      kind = "fallDown";
      at += 20;
      break;
    }
    case 1:
    case 2:
    case 13:
    case 16:
    case 18:
    case 31:
    case 32:
    case 33:
    case 34: {
      if (end - at < 8) return cut(v95FragmentChecks, 4, at + 1, end);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      kind = "relative";
      at += 8;
      break;
    }
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 10: {
      if (end - at < 10) return cut(v95FragmentChecks, 5, at + 1, end);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      foothold = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "instant";
      at += 10;
      break;
    }
    case 11: {
      if (end - at < 10) return cut(v95FragmentChecks, 6, at + 1, end);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      fallStart = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "startFallDown";
      at += 10;
      break;
    }
    case 17: {
      if (end - at < 12) return cut(v95FragmentChecks, 7, at + 1, end);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      state = b[at + 9]!;
      durationMs = u16le(b, at + 10);
      kind = "flyingBlock";
      at += 12;
      break;
    }
    case 9: {
      if (end - at < 2) return cut(v95FragmentChecks, 8, at + 1, end);
      data = b[at + 1]!;
      kind = "equipment";
      at += 2;
      break;
    }
    case 15:
    case 19:
    case 20:
    case 21:
    case 22:
    case 23:
    case 24:
    case 25:
    case 26:
    case 27:
    case 28:
    case 29:
    case 30: {
      if (end - at < 4) return cut(v95FragmentChecks, 9, at + 1, end);
      state = b[at + 1]!;
      durationMs = u16le(b, at + 2);
      kind = "bare";
      at += 4;
      break;
    }
    default: {
      return no(v95FragmentChecks, 1, at, type2);
    }
  }
  after = at;
  return { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data, xOffset, yOffset } as V95Fragment;
}

function readDocumentedFragment(b: Uint8Array, at: number, end: number): DocumentedFragment | undefined {
  if (end - at < 1) return cut(documentedFragmentChecks, 0, at, end);
  const type2 = b[at]!;
  let kind = "absolute";
  let x = 0;
  let y = 0;
  let vx = 0;
  let vy = 0;
  let foothold = 0;
  let fallStart = 0;
  let unknown = 0;
  let state = 0;
  let durationMs = 0;
  let data = 0;
  const type2Bit = type2 < 32 ? 1 << type2 : 0;
  if ((type2Bit & 131105) !== 0) {
    if (end - at < 14) return cut(documentedFragmentChecks, 2, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    vx = i16le(b, at + 5);
    vy = i16le(b, at + 7);
    unknown = u16le(b, at + 9);
    state = b[at + 11]!;
    durationMs = u16le(b, at + 12);
    kind = "absolute";
    at += 14;
  } else if ((type2Bit & 77894) !== 0) {
    if (end - at < 8) return cut(documentedFragmentChecks, 3, at + 1, end);
    vx = i16le(b, at + 1);
    vy = i16le(b, at + 3);
    state = b[at + 5]!;
    durationMs = u16le(b, at + 6);
    kind = "relative";
    at += 8;
  } else if ((type2Bit & 17304) !== 0) {
    if (end - at < 10) return cut(documentedFragmentChecks, 4, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    vx = i16le(b, at + 5);
    vy = i16le(b, at + 7);
    state = b[at + 9]!;
    kind = "instant";
    at += 10;
  } else if ((type2Bit & 1024) !== 0) {
    if (end - at < 2) return cut(documentedFragmentChecks, 5, at + 1, end);
    data = b[at + 1]!;
    kind = "equipment";
    at += 2;
  } else if ((type2Bit & 2048) !== 0) {
    if (end - at < 16) return cut(documentedFragmentChecks, 6, at + 1, end);
    x = i16le(b, at + 1);
    y = i16le(b, at + 3);
    vx = i16le(b, at + 5);
    vy = i16le(b, at + 7);
    unknown = u16le(b, at + 9);
    foothold = u16le(b, at + 11);
    state = b[at + 13]!;
    durationMs = u16le(b, at + 14);
    kind = "jumpDown";
    at += 16;
  } else {
    return no(documentedFragmentChecks, 1, at, type2);
  }
  after = at;
  return { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as DocumentedFragment;
}

function readV62Fragments(b: Uint8Array, at: number, end: number): V62Fragments | undefined {
  if (end - at < 1) return cut(v62FragmentsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<V62Fragment>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(v62FragmentsChecks, 1, at, end, 0, valueIndex);
    const type2 = b[at]!;
    let kind = "absolute";
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(v62FragmentsChecks, 3, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      kind = "absolute";
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      if (end - at < 16) return cut(v62FragmentsChecks, 4, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      fallStart = i16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      kind = "fallDown";
      at += 16;
    } else if ((type2Bit & 77894) !== 0) {
      if (end - at < 8) return cut(v62FragmentsChecks, 5, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      kind = "relative";
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      if (end - at < 10) return cut(v62FragmentsChecks, 6, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      foothold = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "instant";
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      if (end - at < 10) return cut(v62FragmentsChecks, 7, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      fallStart = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "startFallDown";
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(v62FragmentsChecks, 8, at + 1, end, 0, valueIndex);
      data = b[at + 1]!;
      kind = "equipment";
      at += 2;
    } else {
      return no(v62FragmentsChecks, 2, at, type2, valueIndex);
    }
    value[valueIndex] = { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as V62Fragment;
  }
  after = at;
  return value;
}

function readV83Fragments(b: Uint8Array, at: number, end: number): V83Fragments | undefined {
  if (end - at < 1) return cut(v83FragmentsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<V83Fragment>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(v83FragmentsChecks, 1, at, end, 0, valueIndex);
    const type2 = b[at]!;
    let kind = "absolute";
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(v83FragmentsChecks, 3, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      kind = "absolute";
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      if (end - at < 16) return cut(v83FragmentsChecks, 4, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      fallStart = i16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      kind = "fallDown";
      at += 16;
    } else if ((type2Bit & 6107206) !== 0) {
      if (end - at < 8) return cut(v83FragmentsChecks, 5, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      kind = "relative";
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      if (end - at < 10) return cut(v83FragmentsChecks, 6, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      foothold = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "instant";
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      if (end - at < 10) return cut(v83FragmentsChecks, 7, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      fallStart = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "startFallDown";
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(v83FragmentsChecks, 8, at + 1, end, 0, valueIndex);
      data = b[at + 1]!;
      kind = "equipment";
      at += 2;
    } else if ((type2Bit & 2097152) !== 0) {
      if (end - at < 4) return cut(v83FragmentsChecks, 9, at + 1, end, 0, valueIndex);
      state = b[at + 1]!;
      durationMs = u16le(b, at + 2);
      kind = "bare";
      at += 4;
    } else {
      return no(v83FragmentsChecks, 2, at, type2, valueIndex);
    }
    value[valueIndex] = { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as V83Fragment;
  }
  after = at;
  return value;
}

function readV95Fragments(b: Uint8Array, at: number, end: number): V95Fragments | undefined {
  if (end - at < 1) return cut(v95FragmentsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<V95Fragment>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(v95FragmentsChecks, 1, at, end, 0, valueIndex);
    const type2 = b[at]!;
    let kind = "absolute";
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    let xOffset = 0;
    let yOffset = 0;
    switch (type2) {
      case 0:
      case 5:
      case 14:
      case 35:
      case 36: {
        if (end - at < 18) return cut(v95FragmentsChecks, 3, at + 1, end, 0, valueIndex);
        x = i16le(b, at + 1);
        y = i16le(b, at + 3);
        vx = i16le(b, at + 5);
        vy = i16le(b, at + 7);
        foothold = i16le(b, at + 9);
        xOffset = i16le(b, at + 11);
        yOffset = i16le(b, at + 13);
        state = b[at + 15]!;
        durationMs = u16le(b, at + 16);
        kind = "absolute";
        at += 18;
        break;
      }
      case 12: {
        if (end - at < 20) return cut(v95FragmentsChecks, 4, at + 1, end, 0, valueIndex);
        x = i16le(b, at + 1);
        y = i16le(b, at + 3);
        vx = i16le(b, at + 5);
        vy = i16le(b, at + 7);
        foothold = i16le(b, at + 9);
        fallStart = i16le(b, at + 11);
        xOffset = i16le(b, at + 13);
        yOffset = i16le(b, at + 15);
        state = b[at + 17]!;
        durationMs = u16le(b, at + 18);
        kind = "fallDown";
        at += 20;
        break;
      }
      case 1:
      case 2:
      case 13:
      case 16:
      case 18:
      case 31:
      case 32:
      case 33:
      case 34: {
        if (end - at < 8) return cut(v95FragmentsChecks, 5, at + 1, end, 0, valueIndex);
        vx = i16le(b, at + 1);
        vy = i16le(b, at + 3);
        state = b[at + 5]!;
        durationMs = u16le(b, at + 6);
        kind = "relative";
        at += 8;
        break;
      }
      case 3:
      case 4:
      case 6:
      case 7:
      case 8:
      case 10: {
        if (end - at < 10) return cut(v95FragmentsChecks, 6, at + 1, end, 0, valueIndex);
        x = i16le(b, at + 1);
        y = i16le(b, at + 3);
        foothold = i16le(b, at + 5);
        state = b[at + 7]!;
        durationMs = u16le(b, at + 8);
        kind = "instant";
        at += 10;
        break;
      }
      case 11: {
        if (end - at < 10) return cut(v95FragmentsChecks, 7, at + 1, end, 0, valueIndex);
        vx = i16le(b, at + 1);
        vy = i16le(b, at + 3);
        fallStart = i16le(b, at + 5);
        state = b[at + 7]!;
        durationMs = u16le(b, at + 8);
        kind = "startFallDown";
        at += 10;
        break;
      }
      case 17: {
        if (end - at < 12) return cut(v95FragmentsChecks, 8, at + 1, end, 0, valueIndex);
        x = i16le(b, at + 1);
        y = i16le(b, at + 3);
        vx = i16le(b, at + 5);
        vy = i16le(b, at + 7);
        state = b[at + 9]!;
        durationMs = u16le(b, at + 10);
        kind = "flyingBlock";
        at += 12;
        break;
      }
      case 9: {
        if (end - at < 2) return cut(v95FragmentsChecks, 9, at + 1, end, 0, valueIndex);
        data = b[at + 1]!;
        kind = "equipment";
        at += 2;
        break;
      }
      case 15:
      case 19:
      case 20:
      case 21:
      case 22:
      case 23:
      case 24:
      case 25:
      case 26:
      case 27:
      case 28:
      case 29:
      case 30: {
        if (end - at < 4) return cut(v95FragmentsChecks, 10, at + 1, end, 0, valueIndex);
        state = b[at + 1]!;
        durationMs = u16le(b, at + 2);
        kind = "bare";
        at += 4;
        break;
      }
      default: {
        return no(v95FragmentsChecks, 2, at, type2, valueIndex);
      }
    }
    value[valueIndex] = { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data, xOffset, yOffset } as V95Fragment;
  }
  after = at;
  return value;
}

function readDocumentedFragments(b: Uint8Array, at: number, end: number): DocumentedFragments | undefined {
  if (end - at < 1) return cut(documentedFragmentsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<DocumentedFragment>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(documentedFragmentsChecks, 1, at, end, 0, valueIndex);
    const type2 = b[at]!;
    let kind = "absolute";
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(documentedFragmentsChecks, 3, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      unknown = u16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      kind = "absolute";
      at += 14;
    } else if ((type2Bit & 77894) !== 0) {
      if (end - at < 8) return cut(documentedFragmentsChecks, 4, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      kind = "relative";
      at += 8;
    } else if ((type2Bit & 17304) !== 0) {
      if (end - at < 10) return cut(documentedFragmentsChecks, 5, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      state = b[at + 9]!;
      kind = "instant";
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(documentedFragmentsChecks, 6, at + 1, end, 0, valueIndex);
      data = b[at + 1]!;
      kind = "equipment";
      at += 2;
    } else if ((type2Bit & 2048) !== 0) {
      if (end - at < 16) return cut(documentedFragmentsChecks, 7, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      unknown = u16le(b, at + 9);
      foothold = u16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      kind = "jumpDown";
      at += 16;
    } else {
      return no(documentedFragmentsChecks, 2, at, type2, valueIndex);
    }
    value[valueIndex] = { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as DocumentedFragment;
  }
  after = at;
  return value;
}

function readPlace(b: Uint8Array, at: number, end: number): Place | undefined {
  if (end - at < 4) return cut(placeChecks, 0, at, end);
  const x = i16le(b, at);
  const y = i16le(b, at + 2);
  after = at + 4;
  return { x, y };
}

function readMovingPlace(b: Uint8Array, at: number, end: number): MovingPlace | undefined {
  if (end - at < 8) return cut(movingPlaceChecks, 0, at, end);
  const x = i16le(b, at);
  const y = i16le(b, at + 2);
  const vx = i16le(b, at + 4);
  const vy = i16le(b, at + 6);
  after = at + 8;
  return { x, y, vx, vy };
}

function writeV62Fragment(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const type2 = v.type as number;
  const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
  if ((type2Bit & 131105) !== 0) {
    b[at] = type2;
    const kind = v.kind as string;
    if (kind !== "absolute" && kind !== undefined) return bad(v62FragmentChecks, 9, kind);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.vx) &&
        putI16le(b, at + 7, v.vy) &&
        putI16le(b, at + 9, v.foothold) &&
        putU8(b, at + 11, v.state) &&
        putU16le(b, at + 12, v.durationMs)
      )
    )
      return badField(v62FragmentChecks, 2, "", v);
    at += 14;
  } else if ((type2Bit & 32768) !== 0) {
    b[at] = 15;
    const kind2 = v.kind as string;
    if (kind2 !== "fallDown" && kind2 !== undefined) return bad(v62FragmentChecks, 10, kind2);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.vx) &&
        putI16le(b, at + 7, v.vy) &&
        putI16le(b, at + 9, v.foothold) &&
        putI16le(b, at + 11, v.fallStart) &&
        putU8(b, at + 13, v.state) &&
        putU16le(b, at + 14, v.durationMs)
      )
    )
      return badField(v62FragmentChecks, 3, "", v);
    at += 16;
  } else if ((type2Bit & 77894) !== 0) {
    b[at] = type2;
    const kind3 = v.kind as string;
    if (kind3 !== "relative" && kind3 !== undefined) return bad(v62FragmentChecks, 11, kind3);
    if (
      !(
        putI16le(b, at + 1, v.vx) &&
        putI16le(b, at + 3, v.vy) &&
        putU8(b, at + 5, v.state) &&
        putU16le(b, at + 6, v.durationMs)
      )
    )
      return badField(v62FragmentChecks, 4, "", v);
    at += 8;
  } else if ((type2Bit & 2968) !== 0) {
    b[at] = type2;
    const kind4 = v.kind as string;
    if (kind4 !== "instant" && kind4 !== undefined) return bad(v62FragmentChecks, 12, kind4);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.foothold) &&
        putU8(b, at + 7, v.state) &&
        putU16le(b, at + 8, v.durationMs)
      )
    )
      return badField(v62FragmentChecks, 5, "", v);
    at += 10;
  } else if ((type2Bit & 16384) !== 0) {
    b[at] = 14;
    const kind5 = v.kind as string;
    if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(v62FragmentChecks, 13, kind5);
    if (
      !(
        putI16le(b, at + 1, v.vx) &&
        putI16le(b, at + 3, v.vy) &&
        putI16le(b, at + 5, v.fallStart) &&
        putU8(b, at + 7, v.state) &&
        putU16le(b, at + 8, v.durationMs)
      )
    )
      return badField(v62FragmentChecks, 6, "", v);
    at += 10;
  } else if ((type2Bit & 1024) !== 0) {
    b[at] = 10;
    const kind6 = v.kind as string;
    if (kind6 !== "equipment" && kind6 !== undefined) return bad(v62FragmentChecks, 14, kind6);
    if (!putU8(b, at + 1, v.data)) return badField(v62FragmentChecks, 7, "", v);
    at += 2;
  } else {
    return bad(v62FragmentChecks, 15, type2);
  }
  return at;
}

function writeV83Fragment(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const type2 = v.type as number;
  const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
  if ((type2Bit & 131105) !== 0) {
    b[at] = type2;
    const kind = v.kind as string;
    if (kind !== "absolute" && kind !== undefined) return bad(v83FragmentChecks, 10, kind);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.vx) &&
        putI16le(b, at + 7, v.vy) &&
        putI16le(b, at + 9, v.foothold) &&
        putU8(b, at + 11, v.state) &&
        putU16le(b, at + 12, v.durationMs)
      )
    )
      return badField(v83FragmentChecks, 2, "", v);
    at += 14;
  } else if ((type2Bit & 32768) !== 0) {
    b[at] = 15;
    const kind2 = v.kind as string;
    if (kind2 !== "fallDown" && kind2 !== undefined) return bad(v83FragmentChecks, 11, kind2);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.vx) &&
        putI16le(b, at + 7, v.vy) &&
        putI16le(b, at + 9, v.foothold) &&
        putI16le(b, at + 11, v.fallStart) &&
        putU8(b, at + 13, v.state) &&
        putU16le(b, at + 14, v.durationMs)
      )
    )
      return badField(v83FragmentChecks, 3, "", v);
    at += 16;
  } else if ((type2Bit & 6107206) !== 0) {
    b[at] = type2;
    const kind3 = v.kind as string;
    if (kind3 !== "relative" && kind3 !== undefined) return bad(v83FragmentChecks, 12, kind3);
    if (
      !(
        putI16le(b, at + 1, v.vx) &&
        putI16le(b, at + 3, v.vy) &&
        putU8(b, at + 5, v.state) &&
        putU16le(b, at + 6, v.durationMs)
      )
    )
      return badField(v83FragmentChecks, 4, "", v);
    at += 8;
  } else if ((type2Bit & 2968) !== 0) {
    b[at] = type2;
    const kind4 = v.kind as string;
    if (kind4 !== "instant" && kind4 !== undefined) return bad(v83FragmentChecks, 13, kind4);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.foothold) &&
        putU8(b, at + 7, v.state) &&
        putU16le(b, at + 8, v.durationMs)
      )
    )
      return badField(v83FragmentChecks, 5, "", v);
    at += 10;
  } else if ((type2Bit & 16384) !== 0) {
    b[at] = 14;
    const kind5 = v.kind as string;
    if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(v83FragmentChecks, 14, kind5);
    if (
      !(
        putI16le(b, at + 1, v.vx) &&
        putI16le(b, at + 3, v.vy) &&
        putI16le(b, at + 5, v.fallStart) &&
        putU8(b, at + 7, v.state) &&
        putU16le(b, at + 8, v.durationMs)
      )
    )
      return badField(v83FragmentChecks, 6, "", v);
    at += 10;
  } else if ((type2Bit & 1024) !== 0) {
    b[at] = 10;
    const kind6 = v.kind as string;
    if (kind6 !== "equipment" && kind6 !== undefined) return bad(v83FragmentChecks, 15, kind6);
    if (!putU8(b, at + 1, v.data)) return badField(v83FragmentChecks, 7, "", v);
    at += 2;
  } else if ((type2Bit & 2097152) !== 0) {
    b[at] = 21;
    const kind7 = v.kind as string;
    if (kind7 !== "bare" && kind7 !== undefined) return bad(v83FragmentChecks, 16, kind7);
    if (
      !(
        putU8(b, at + 1, v.state) &&
        putU16le(b, at + 2, v.durationMs)
      )
    )
      return badField(v83FragmentChecks, 8, "", v);
    at += 4;
  } else {
    return bad(v83FragmentChecks, 17, type2);
  }
  return at;
}

function writeV95Fragment(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const type2 = v.type as number;
  switch (type2) {
    case 0:
    case 5:
    case 14:
    case 35:
    case 36: {
      b[at] = type2;
      const kind = v.kind as string;
      if (kind !== "absolute" && kind !== undefined) return bad(v95FragmentChecks, 11, kind);
      if (
        !(
          putI16le(b, at + 1, v.x) &&
          putI16le(b, at + 3, v.y) &&
          putI16le(b, at + 5, v.vx) &&
          putI16le(b, at + 7, v.vy) &&
          putI16le(b, at + 9, v.foothold) &&
          putI16le(b, at + 11, v.xOffset) &&
          putI16le(b, at + 13, v.yOffset) &&
          putU8(b, at + 15, v.state) &&
          putU16le(b, at + 16, v.durationMs)
        )
      )
        return badField(v95FragmentChecks, 2, "", v);
      at += 18;
      break;
    }
    case 12: {
      b[at] = 12;
      const kind2 = v.kind as string;
      if (kind2 !== "fallDown" && kind2 !== undefined) return bad(v95FragmentChecks, 12, kind2);
      if (
        !(
          putI16le(b, at + 1, v.x) &&
          putI16le(b, at + 3, v.y) &&
          putI16le(b, at + 5, v.vx) &&
          putI16le(b, at + 7, v.vy) &&
          putI16le(b, at + 9, v.foothold) &&
          putI16le(b, at + 11, v.fallStart) &&
          putI16le(b, at + 13, v.xOffset) &&
          putI16le(b, at + 15, v.yOffset) &&
          putU8(b, at + 17, v.state) &&
          putU16le(b, at + 18, v.durationMs)
        )
      )
        return badField(v95FragmentChecks, 3, "", v);
      at += 20;
      break;
    }
    case 1:
    case 2:
    case 13:
    case 16:
    case 18:
    case 31:
    case 32:
    case 33:
    case 34: {
      b[at] = type2;
      const kind3 = v.kind as string;
      if (kind3 !== "relative" && kind3 !== undefined) return bad(v95FragmentChecks, 13, kind3);
      if (
        !(
          putI16le(b, at + 1, v.vx) &&
          putI16le(b, at + 3, v.vy) &&
          putU8(b, at + 5, v.state) &&
          putU16le(b, at + 6, v.durationMs)
        )
      )
        return badField(v95FragmentChecks, 4, "", v);
      at += 8;
      break;
    }
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 10: {
      b[at] = type2;
      const kind4 = v.kind as string;
      if (kind4 !== "instant" && kind4 !== undefined) return bad(v95FragmentChecks, 14, kind4);
      if (
        !(
          putI16le(b, at + 1, v.x) &&
          putI16le(b, at + 3, v.y) &&
          putI16le(b, at + 5, v.foothold) &&
          putU8(b, at + 7, v.state) &&
          putU16le(b, at + 8, v.durationMs)
        )
      )
        return badField(v95FragmentChecks, 5, "", v);
      at += 10;
      break;
    }
    case 11: {
      b[at] = 11;
      const kind5 = v.kind as string;
      if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(v95FragmentChecks, 15, kind5);
      if (
        !(
          putI16le(b, at + 1, v.vx) &&
          putI16le(b, at + 3, v.vy) &&
          putI16le(b, at + 5, v.fallStart) &&
          putU8(b, at + 7, v.state) &&
          putU16le(b, at + 8, v.durationMs)
        )
      )
        return badField(v95FragmentChecks, 6, "", v);
      at += 10;
      break;
    }
    case 17: {
      b[at] = 17;
      const kind6 = v.kind as string;
      if (kind6 !== "flyingBlock" && kind6 !== undefined) return bad(v95FragmentChecks, 16, kind6);
      if (
        !(
          putI16le(b, at + 1, v.x) &&
          putI16le(b, at + 3, v.y) &&
          putI16le(b, at + 5, v.vx) &&
          putI16le(b, at + 7, v.vy) &&
          putU8(b, at + 9, v.state) &&
          putU16le(b, at + 10, v.durationMs)
        )
      )
        return badField(v95FragmentChecks, 7, "", v);
      at += 12;
      break;
    }
    case 9: {
      b[at] = 9;
      const kind7 = v.kind as string;
      if (kind7 !== "equipment" && kind7 !== undefined) return bad(v95FragmentChecks, 17, kind7);
      if (!putU8(b, at + 1, v.data)) return badField(v95FragmentChecks, 8, "", v);
      at += 2;
      break;
    }
    case 15:
    case 19:
    case 20:
    case 21:
    case 22:
    case 23:
    case 24:
    case 25:
    case 26:
    case 27:
    case 28:
    case 29:
    case 30: {
      b[at] = type2;
      const kind8 = v.kind as string;
      if (kind8 !== "bare" && kind8 !== undefined) return bad(v95FragmentChecks, 18, kind8);
      if (
        !(
          putU8(b, at + 1, v.state) &&
          putU16le(b, at + 2, v.durationMs)
        )
      )
        return badField(v95FragmentChecks, 9, "", v);
      at += 4;
      break;
    }
    default: {
      return bad(v95FragmentChecks, 19, type2);
    }
  }
  return at;
}

function writeDocumentedFragment(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const type2 = v.type as number;
  const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
  if ((type2Bit & 131105) !== 0) {
    b[at] = type2;
    const kind = v.kind as string;
    if (kind !== "absolute" && kind !== undefined) return bad(documentedFragmentChecks, 8, kind);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.vx) &&
        putI16le(b, at + 7, v.vy) &&
        putU16le(b, at + 9, v.unknown) &&
        putU8(b, at + 11, v.state) &&
        putU16le(b, at + 12, v.durationMs)
      )
    )
      return badField(documentedFragmentChecks, 2, "", v);
    at += 14;
  } else if ((type2Bit & 77894) !== 0) {
    b[at] = type2;
    const kind2 = v.kind as string;
    if (kind2 !== "relative" && kind2 !== undefined) return bad(documentedFragmentChecks, 9, kind2);
    if (
      !(
        putI16le(b, at + 1, v.vx) &&
        putI16le(b, at + 3, v.vy) &&
        putU8(b, at + 5, v.state) &&
        putU16le(b, at + 6, v.durationMs)
      )
    )
      return badField(documentedFragmentChecks, 3, "", v);
    at += 8;
  } else if ((type2Bit & 17304) !== 0) {
    b[at] = type2;
    const kind3 = v.kind as string;
    if (kind3 !== "instant" && kind3 !== undefined) return bad(documentedFragmentChecks, 10, kind3);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.vx) &&
        putI16le(b, at + 7, v.vy) &&
        putU8(b, at + 9, v.state)
      )
    )
      return badField(documentedFragmentChecks, 4, "", v);
    at += 10;
  } else if ((type2Bit & 1024) !== 0) {
    b[at] = 10;
    const kind4 = v.kind as string;
    if (kind4 !== "equipment" && kind4 !== undefined) return bad(documentedFragmentChecks, 11, kind4);
    if (!putU8(b, at + 1, v.data)) return badField(documentedFragmentChecks, 5, "", v);
    at += 2;
  } else if ((type2Bit & 2048) !== 0) {
    b[at] = 11;
    const kind5 = v.kind as string;
    if (kind5 !== "jumpDown" && kind5 !== undefined) return bad(documentedFragmentChecks, 12, kind5);
    if (
      !(
        putI16le(b, at + 1, v.x) &&
        putI16le(b, at + 3, v.y) &&
        putI16le(b, at + 5, v.vx) &&
        putI16le(b, at + 7, v.vy) &&
        putU16le(b, at + 9, v.unknown) &&
        putU16le(b, at + 11, v.foothold) &&
        putU8(b, at + 13, v.state) &&
        putU16le(b, at + 14, v.durationMs)
      )
    )
      return badField(documentedFragmentChecks, 6, "", v);
    at += 16;
  } else {
    return bad(documentedFragmentChecks, 13, type2);
  }
  return at;
}

function writeV62Fragments(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(v62FragmentsChecks, 9, v);
  const count = v.length;
  if (count > 255) return bad(v62FragmentsChecks, 10, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    const type2 = item.type as number;
    const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      b[at] = type2;
      const kind = item.kind as string;
      if (kind !== "absolute" && kind !== undefined) return bad(v62FragmentsChecks, 13, kind, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putI16le(b, at + 9, item.foothold) &&
          putU8(b, at + 11, item.state) &&
          putU16le(b, at + 12, item.durationMs)
        )
      )
        return badField(v62FragmentsChecks, 3, "[]", item, i);
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      b[at] = 15;
      const kind2 = item.kind as string;
      if (kind2 !== "fallDown" && kind2 !== undefined) return bad(v62FragmentsChecks, 14, kind2, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putI16le(b, at + 9, item.foothold) &&
          putI16le(b, at + 11, item.fallStart) &&
          putU8(b, at + 13, item.state) &&
          putU16le(b, at + 14, item.durationMs)
        )
      )
        return badField(v62FragmentsChecks, 4, "[]", item, i);
      at += 16;
    } else if ((type2Bit & 77894) !== 0) {
      b[at] = type2;
      const kind3 = item.kind as string;
      if (kind3 !== "relative" && kind3 !== undefined) return bad(v62FragmentsChecks, 15, kind3, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putU8(b, at + 5, item.state) &&
          putU16le(b, at + 6, item.durationMs)
        )
      )
        return badField(v62FragmentsChecks, 5, "[]", item, i);
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      b[at] = type2;
      const kind4 = item.kind as string;
      if (kind4 !== "instant" && kind4 !== undefined) return bad(v62FragmentsChecks, 16, kind4, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.foothold) &&
          putU8(b, at + 7, item.state) &&
          putU16le(b, at + 8, item.durationMs)
        )
      )
        return badField(v62FragmentsChecks, 6, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      b[at] = 14;
      const kind5 = item.kind as string;
      if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(v62FragmentsChecks, 17, kind5, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putI16le(b, at + 5, item.fallStart) &&
          putU8(b, at + 7, item.state) &&
          putU16le(b, at + 8, item.durationMs)
        )
      )
        return badField(v62FragmentsChecks, 7, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      b[at] = 10;
      const kind6 = item.kind as string;
      if (kind6 !== "equipment" && kind6 !== undefined) return bad(v62FragmentsChecks, 18, kind6, i);
      if (!putU8(b, at + 1, item.data)) return badField(v62FragmentsChecks, 8, "[]", item, i);
      at += 2;
    } else {
      return bad(v62FragmentsChecks, 19, type2, i);
    }
  }
  return at;
}

function writeV83Fragments(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(v83FragmentsChecks, 10, v);
  const count = v.length;
  if (count > 255) return bad(v83FragmentsChecks, 11, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    const type2 = item.type as number;
    const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      b[at] = type2;
      const kind = item.kind as string;
      if (kind !== "absolute" && kind !== undefined) return bad(v83FragmentsChecks, 14, kind, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putI16le(b, at + 9, item.foothold) &&
          putU8(b, at + 11, item.state) &&
          putU16le(b, at + 12, item.durationMs)
        )
      )
        return badField(v83FragmentsChecks, 3, "[]", item, i);
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      b[at] = 15;
      const kind2 = item.kind as string;
      if (kind2 !== "fallDown" && kind2 !== undefined) return bad(v83FragmentsChecks, 15, kind2, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putI16le(b, at + 9, item.foothold) &&
          putI16le(b, at + 11, item.fallStart) &&
          putU8(b, at + 13, item.state) &&
          putU16le(b, at + 14, item.durationMs)
        )
      )
        return badField(v83FragmentsChecks, 4, "[]", item, i);
      at += 16;
    } else if ((type2Bit & 6107206) !== 0) {
      b[at] = type2;
      const kind3 = item.kind as string;
      if (kind3 !== "relative" && kind3 !== undefined) return bad(v83FragmentsChecks, 16, kind3, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putU8(b, at + 5, item.state) &&
          putU16le(b, at + 6, item.durationMs)
        )
      )
        return badField(v83FragmentsChecks, 5, "[]", item, i);
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      b[at] = type2;
      const kind4 = item.kind as string;
      if (kind4 !== "instant" && kind4 !== undefined) return bad(v83FragmentsChecks, 17, kind4, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.foothold) &&
          putU8(b, at + 7, item.state) &&
          putU16le(b, at + 8, item.durationMs)
        )
      )
        return badField(v83FragmentsChecks, 6, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      b[at] = 14;
      const kind5 = item.kind as string;
      if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(v83FragmentsChecks, 18, kind5, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putI16le(b, at + 5, item.fallStart) &&
          putU8(b, at + 7, item.state) &&
          putU16le(b, at + 8, item.durationMs)
        )
      )
        return badField(v83FragmentsChecks, 7, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      b[at] = 10;
      const kind6 = item.kind as string;
      if (kind6 !== "equipment" && kind6 !== undefined) return bad(v83FragmentsChecks, 19, kind6, i);
      if (!putU8(b, at + 1, item.data)) return badField(v83FragmentsChecks, 8, "[]", item, i);
      at += 2;
    } else if ((type2Bit & 2097152) !== 0) {
      b[at] = 21;
      const kind7 = item.kind as string;
      if (kind7 !== "bare" && kind7 !== undefined) return bad(v83FragmentsChecks, 20, kind7, i);
      if (
        !(
          putU8(b, at + 1, item.state) &&
          putU16le(b, at + 2, item.durationMs)
        )
      )
        return badField(v83FragmentsChecks, 9, "[]", item, i);
      at += 4;
    } else {
      return bad(v83FragmentsChecks, 21, type2, i);
    }
  }
  return at;
}

function writeV95Fragments(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(v95FragmentsChecks, 11, v);
  const count = v.length;
  if (count > 255) return bad(v95FragmentsChecks, 12, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    const type2 = item.type as number;
    switch (type2) {
      case 0:
      case 5:
      case 14:
      case 35:
      case 36: {
        b[at] = type2;
        const kind = item.kind as string;
        if (kind !== "absolute" && kind !== undefined) return bad(v95FragmentsChecks, 15, kind, i);
        if (
          !(
            putI16le(b, at + 1, item.x) &&
            putI16le(b, at + 3, item.y) &&
            putI16le(b, at + 5, item.vx) &&
            putI16le(b, at + 7, item.vy) &&
            putI16le(b, at + 9, item.foothold) &&
            putI16le(b, at + 11, item.xOffset) &&
            putI16le(b, at + 13, item.yOffset) &&
            putU8(b, at + 15, item.state) &&
            putU16le(b, at + 16, item.durationMs)
          )
        )
          return badField(v95FragmentsChecks, 3, "[]", item, i);
        at += 18;
        break;
      }
      case 12: {
        b[at] = 12;
        const kind2 = item.kind as string;
        if (kind2 !== "fallDown" && kind2 !== undefined) return bad(v95FragmentsChecks, 16, kind2, i);
        if (
          !(
            putI16le(b, at + 1, item.x) &&
            putI16le(b, at + 3, item.y) &&
            putI16le(b, at + 5, item.vx) &&
            putI16le(b, at + 7, item.vy) &&
            putI16le(b, at + 9, item.foothold) &&
            putI16le(b, at + 11, item.fallStart) &&
            putI16le(b, at + 13, item.xOffset) &&
            putI16le(b, at + 15, item.yOffset) &&
            putU8(b, at + 17, item.state) &&
            putU16le(b, at + 18, item.durationMs)
          )
        )
          return badField(v95FragmentsChecks, 4, "[]", item, i);
        at += 20;
        break;
      }
      case 1:
      case 2:
      case 13:
      case 16:
      case 18:
      case 31:
      case 32:
      case 33:
      case 34: {
        b[at] = type2;
        const kind3 = item.kind as string;
        if (kind3 !== "relative" && kind3 !== undefined) return bad(v95FragmentsChecks, 17, kind3, i);
        if (
          !(
            putI16le(b, at + 1, item.vx) &&
            putI16le(b, at + 3, item.vy) &&
            putU8(b, at + 5, item.state) &&
            putU16le(b, at + 6, item.durationMs)
          )
        )
          return badField(v95FragmentsChecks, 5, "[]", item, i);
        at += 8;
        break;
      }
      case 3:
      case 4:
      case 6:
      case 7:
      case 8:
      case 10: {
        b[at] = type2;
        const kind4 = item.kind as string;
        if (kind4 !== "instant" && kind4 !== undefined) return bad(v95FragmentsChecks, 18, kind4, i);
        if (
          !(
            putI16le(b, at + 1, item.x) &&
            putI16le(b, at + 3, item.y) &&
            putI16le(b, at + 5, item.foothold) &&
            putU8(b, at + 7, item.state) &&
            putU16le(b, at + 8, item.durationMs)
          )
        )
          return badField(v95FragmentsChecks, 6, "[]", item, i);
        at += 10;
        break;
      }
      case 11: {
        b[at] = 11;
        const kind5 = item.kind as string;
        if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(v95FragmentsChecks, 19, kind5, i);
        if (
          !(
            putI16le(b, at + 1, item.vx) &&
            putI16le(b, at + 3, item.vy) &&
            putI16le(b, at + 5, item.fallStart) &&
            putU8(b, at + 7, item.state) &&
            putU16le(b, at + 8, item.durationMs)
          )
        )
          return badField(v95FragmentsChecks, 7, "[]", item, i);
        at += 10;
        break;
      }
      case 17: {
        b[at] = 17;
        const kind6 = item.kind as string;
        if (kind6 !== "flyingBlock" && kind6 !== undefined) return bad(v95FragmentsChecks, 20, kind6, i);
        if (
          !(
            putI16le(b, at + 1, item.x) &&
            putI16le(b, at + 3, item.y) &&
            putI16le(b, at + 5, item.vx) &&
            putI16le(b, at + 7, item.vy) &&
            putU8(b, at + 9, item.state) &&
            putU16le(b, at + 10, item.durationMs)
          )
        )
          return badField(v95FragmentsChecks, 8, "[]", item, i);
        at += 12;
        break;
      }
      case 9: {
        b[at] = 9;
        const kind7 = item.kind as string;
        if (kind7 !== "equipment" && kind7 !== undefined) return bad(v95FragmentsChecks, 21, kind7, i);
        if (!putU8(b, at + 1, item.data)) return badField(v95FragmentsChecks, 9, "[]", item, i);
        at += 2;
        break;
      }
      case 15:
      case 19:
      case 20:
      case 21:
      case 22:
      case 23:
      case 24:
      case 25:
      case 26:
      case 27:
      case 28:
      case 29:
      case 30: {
        b[at] = type2;
        const kind8 = item.kind as string;
        if (kind8 !== "bare" && kind8 !== undefined) return bad(v95FragmentsChecks, 22, kind8, i);
        if (
          !(
            putU8(b, at + 1, item.state) &&
            putU16le(b, at + 2, item.durationMs)
          )
        )
          return badField(v95FragmentsChecks, 10, "[]", item, i);
        at += 4;
        break;
      }
      default: {
        return bad(v95FragmentsChecks, 23, type2, i);
      }
    }
  }
  return at;
}

function writeDocumentedFragments(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(documentedFragmentsChecks, 8, v);
  const count = v.length;
  if (count > 255) return bad(documentedFragmentsChecks, 9, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    const type2 = item.type as number;
    const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      b[at] = type2;
      const kind = item.kind as string;
      if (kind !== "absolute" && kind !== undefined) return bad(documentedFragmentsChecks, 12, kind, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putU16le(b, at + 9, item.unknown) &&
          putU8(b, at + 11, item.state) &&
          putU16le(b, at + 12, item.durationMs)
        )
      )
        return badField(documentedFragmentsChecks, 3, "[]", item, i);
      at += 14;
    } else if ((type2Bit & 77894) !== 0) {
      b[at] = type2;
      const kind2 = item.kind as string;
      if (kind2 !== "relative" && kind2 !== undefined) return bad(documentedFragmentsChecks, 13, kind2, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putU8(b, at + 5, item.state) &&
          putU16le(b, at + 6, item.durationMs)
        )
      )
        return badField(documentedFragmentsChecks, 4, "[]", item, i);
      at += 8;
    } else if ((type2Bit & 17304) !== 0) {
      b[at] = type2;
      const kind3 = item.kind as string;
      if (kind3 !== "instant" && kind3 !== undefined) return bad(documentedFragmentsChecks, 14, kind3, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putU8(b, at + 9, item.state)
        )
      )
        return badField(documentedFragmentsChecks, 5, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      b[at] = 10;
      const kind4 = item.kind as string;
      if (kind4 !== "equipment" && kind4 !== undefined) return bad(documentedFragmentsChecks, 15, kind4, i);
      if (!putU8(b, at + 1, item.data)) return badField(documentedFragmentsChecks, 6, "[]", item, i);
      at += 2;
    } else if ((type2Bit & 2048) !== 0) {
      b[at] = 11;
      const kind5 = item.kind as string;
      if (kind5 !== "jumpDown" && kind5 !== undefined) return bad(documentedFragmentsChecks, 16, kind5, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putU16le(b, at + 9, item.unknown) &&
          putU16le(b, at + 11, item.foothold) &&
          putU8(b, at + 13, item.state) &&
          putU16le(b, at + 14, item.durationMs)
        )
      )
        return badField(documentedFragmentsChecks, 7, "[]", item, i);
      at += 16;
    } else {
      return bad(documentedFragmentsChecks, 17, type2, i);
    }
  }
  return at;
}

function writePlace(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putI16le(b, at, v.x) &&
      putI16le(b, at + 2, v.y)
    )
  )
    return badField(placeChecks, 0, "", v);
  return at + 4;
}

function writeMovingPlace(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putI16le(b, at, v.x) &&
      putI16le(b, at + 2, v.y) &&
      putI16le(b, at + 4, v.vx) &&
      putI16le(b, at + 6, v.vy)
    )
  )
    return badField(movingPlaceChecks, 0, "", v);
  return at + 8;
}


export const v62Fragment: CompiledLayout<V62Fragment> = { after: lastEnd, read: readV62Fragment, write: writeV62Fragment };

export const v83Fragment: CompiledLayout<V83Fragment> = { after: lastEnd, read: readV83Fragment, write: writeV83Fragment };

export const v95Fragment: CompiledLayout<V95Fragment> = { after: lastEnd, read: readV95Fragment, write: writeV95Fragment };

export const documentedFragment: CompiledLayout<DocumentedFragment> = { after: lastEnd, read: readDocumentedFragment, write: writeDocumentedFragment };

export const v62Fragments: CompiledLayout<V62Fragments> = { after: lastEnd, read: readV62Fragments, write: writeV62Fragments };

export const v83Fragments: CompiledLayout<V83Fragments> = { after: lastEnd, read: readV83Fragments, write: writeV83Fragments };

export const v95Fragments: CompiledLayout<V95Fragments> = { after: lastEnd, read: readV95Fragments, write: writeV95Fragments };

export const documentedFragments: CompiledLayout<DocumentedFragments> = { after: lastEnd, read: readDocumentedFragments, write: writeDocumentedFragments };

export const place: CompiledLayout<Place> = { after: lastEnd, read: readPlace, write: writePlace };

export const movingPlace: CompiledLayout<MovingPlace> = { after: lastEnd, read: readMovingPlace, write: writeMovingPlace };
