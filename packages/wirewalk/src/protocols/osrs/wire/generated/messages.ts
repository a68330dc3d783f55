/** Made by `npm run build:codecs` from the descriptions of Old School RuneScape: do not edit. */
import { bad, badField, badObject, bytesAt, cut, cutBit, cutSlab, itemsWords, lengthOf, limitedWords, markWords, memberOf, no, noMessage, notRead, overWords, prefixWords, putBytes, rangeWords, slabFor, slabUsed, unknownName, wrong } from "../../../../wire/compiled/index.ts";
import type { Checks, CompiledDialect, Members } from "../../../../wire/compiled/index.ts";

export type ClientMouseMove = { average: number; excess: number; records: RecordValue[]; cut: Uint8Array };
export type ClientPlayerIndex = { index: number };
export type ClientPlayerInfoInit = { bytes: Uint8Array };
export type ClientPlayerInfo = { bytes: Uint8Array };
export type NativeMouseMove = { average: number; excess: number; records: RecordValue2[]; cut: Uint8Array };
export type DocumentedMouseMove = { average: number; excess: number; records: RecordValue3[]; cut: Uint8Array };
export type RecordValue = { form: "small"; dt: number; x: number; y: number; outside: false; button: 0 } | { form: "medium"; dt: number; x: number; y: number; outside: false; button: 0 } | { form: "largeQuick"; dt: number; x: -1; y: -1; outside: true; button: 0 } | { form: "largeQuick"; dt: number; y: number; x: number; outside: false; button: 0 } | { form: "full"; dt: number; x: -1; y: -1; outside: true; button: 0 } | { form: "full"; dt: number; y: number; x: number; outside: false; button: 0 };
export type RecordValue2 = { form: "small"; dt: number; x: number; y: number; outside: false; button: number } | { form: "medium"; dt: number; x: number; y: number; outside: false; button: number } | { form: "largeQuick"; dt: number; x: -1; y: -1; outside: true; button: number } | { form: "largeQuick"; dt: number; y: number; x: number; outside: false; button: number } | { form: "full"; dt: number; x: -1; y: -1; outside: true; button: number } | { form: "full"; dt: number; y: number; x: number; outside: false; button: number };
export type RecordValue3 = { form: "small"; dt: number; x: number; y: number; outside: false; button: 0 } | { form: "medium"; dt: number; x: number; y: number; outside: false; button: 0 } | { form: "largeQuick"; dt: number; x: -1; y: -1; outside: true; button: 0 } | { form: "largeQuick"; dt: number; y: number; x: number; outside: false; button: 0 } | { form: "full"; dt: number; x: -1; y: -1; outside: true; button: 0 } | { form: "full"; dt: number; y: number; x: number; outside: false; button: 0 };
export interface RecordValueRow { form: number; dt: number; x: number; y: number; outside: boolean; button: number }
export interface RecordValue2Row { form: number; dt: number; x: number; y: number; outside: boolean; button: number }
export interface RecordValue3Row { form: number; dt: number; x: number; y: number; outside: boolean; button: number }

/** Where the last reader has ended. */
var after = 0;
/** The same for callers of other modules. */
export const lastEnd = (): number => after;


const u16be = (b: Uint8Array, at: number): number => (b[at]! << 8) | b[at + 1]!;
const readRecordValueInto2 = (b: Uint8Array, at: number, end: number, row: RecordValueRow): number | undefined => {
  if (end - at < 1) return cutBit(recordValueRowsChecks, 5, at * 8 + 3, end);
  const dt3 = b[at]! & 31;
  let x3;
  let y3;
  let outside;
  if (end - (at + 1) >= 4 && ((b[at + 1]! << 8) | b[at + 2]!) === 32768 && ((b[at + 3]! << 8) | b[at + 4]!) === 0) {
    x3 = -1;
    y3 = -1;
    outside = true;
    at += 5;
  } else {
    if (end - at < 5) return cut(recordValueRowsChecks, 6, at + 1, end);
    y3 = (b[at + 1]! << 8) | b[at + 2]!;
    x3 = (b[at + 3]! << 8) | b[at + 4]!;
    outside = false;
    at += 5;
  }
  row.form = 2;
  row.dt = dt3;
  row.x = x3;
  row.y = y3;
  row.outside = outside;
  row.button = 0;
  return at;
};
const readRecordValueInto3 = (b: Uint8Array, at: number, end: number, row: RecordValueRow): number | undefined => {
  if (end - at < 2) return cutBit(recordValueRowsChecks, 7, at * 8 + 3, end);
  const dt4 = ((b[at]! << 8) | b[at + 1]!) & 8191;
  let x5;
  let y5;
  let outside2;
  if (end - (at + 2) >= 4 && ((b[at + 2]! << 8) | b[at + 3]!) === 32768 && ((b[at + 4]! << 8) | b[at + 5]!) === 0) {
    x5 = -1;
    y5 = -1;
    outside2 = true;
    at += 6;
  } else {
    if (end - at < 6) return cut(recordValueRowsChecks, 8, at + 2, end);
    y5 = (b[at + 2]! << 8) | b[at + 3]!;
    x5 = (b[at + 4]! << 8) | b[at + 5]!;
    outside2 = false;
    at += 6;
  }
  row.form = 3;
  row.dt = dt4;
  row.x = x5;
  row.y = y5;
  row.outside = outside2;
  row.button = 0;
  return at;
};
const readRecordValue2Into2 = (b: Uint8Array, at: number, end: number, row: RecordValue2Row): number | undefined => {
  if (end - at < 1) return cutBit(recordValue2RowsChecks, 5, at * 8 + 3, end);
  const dt3 = b[at]! & 31;
  let x3;
  let y3;
  let outside;
  if (end - (at + 1) >= 4 && ((b[at + 1]! << 8) | b[at + 2]!) === 32768 && ((b[at + 3]! << 8) | b[at + 4]!) === 0) {
    x3 = -1;
    y3 = -1;
    outside = true;
    at += 5;
  } else {
    if (end - at < 5) return cut(recordValue2RowsChecks, 6, at + 1, end);
    y3 = (b[at + 1]! << 8) | b[at + 2]!;
    x3 = (b[at + 3]! << 8) | b[at + 4]!;
    outside = false;
    at += 5;
  }
  if (end - at < 1) return cut(recordValue2RowsChecks, 7, at, end);
  const button3 = b[at]!;
  row.form = 2;
  row.dt = dt3;
  row.x = x3;
  row.y = y3;
  row.outside = outside;
  row.button = button3;
  return at + 1;
};
const readRecordValue2Into3 = (b: Uint8Array, at: number, end: number, row: RecordValue2Row): number | undefined => {
  if (end - at < 2) return cutBit(recordValue2RowsChecks, 8, at * 8 + 3, end);
  const dt4 = ((b[at]! << 8) | b[at + 1]!) & 8191;
  let x5;
  let y5;
  let outside2;
  if (end - (at + 2) >= 4 && ((b[at + 2]! << 8) | b[at + 3]!) === 32768 && ((b[at + 4]! << 8) | b[at + 5]!) === 0) {
    x5 = -1;
    y5 = -1;
    outside2 = true;
    at += 6;
  } else {
    if (end - at < 6) return cut(recordValue2RowsChecks, 9, at + 2, end);
    y5 = (b[at + 2]! << 8) | b[at + 3]!;
    x5 = (b[at + 4]! << 8) | b[at + 5]!;
    outside2 = false;
    at += 6;
  }
  if (end - at < 1) return cut(recordValue2RowsChecks, 10, at, end);
  const button4 = b[at]!;
  row.form = 3;
  row.dt = dt4;
  row.x = x5;
  row.y = y5;
  row.outside = outside2;
  row.button = button4;
  return at + 1;
};
const readRecordValue3Into2 = (b: Uint8Array, at: number, end: number, row: RecordValue3Row): number | undefined => {
  if (end - at < 1) return cutBit(recordValue3RowsChecks, 5, at * 8 + 3, end);
  const dt3 = b[at]! & 31;
  let x3;
  let y3;
  let outside;
  if (end - (at + 1) >= 4 && ((b[at + 1]! << 8) | b[at + 2]!) === 32768 && ((b[at + 3]! << 8) | b[at + 4]!) === 0) {
    x3 = -1;
    y3 = -1;
    outside = true;
    at += 5;
  } else {
    if (end - at < 5) return cut(recordValue3RowsChecks, 6, at + 1, end);
    y3 = (((b[at + 1]! << 8) | b[at + 2]!) << 16) >> 16;
    x3 = (((b[at + 3]! << 8) | b[at + 4]!) << 16) >> 16;
    outside = false;
    at += 5;
  }
  row.form = 2;
  row.dt = dt3;
  row.x = x3;
  row.y = y3;
  row.outside = outside;
  row.button = 0;
  return at;
};
const readRecordValue3Into3 = (b: Uint8Array, at: number, end: number, row: RecordValue3Row): number | undefined => {
  if (end - at < 2) return cutBit(recordValue3RowsChecks, 7, at * 8 + 3, end);
  const dt4 = ((b[at]! << 8) | b[at + 1]!) & 8191;
  let x5;
  let y5;
  let outside2;
  if (end - (at + 2) >= 4 && ((b[at + 2]! << 8) | b[at + 3]!) === 32768 && ((b[at + 4]! << 8) | b[at + 5]!) === 0) {
    x5 = -1;
    y5 = -1;
    outside2 = true;
    at += 6;
  } else {
    if (end - at < 6) return cut(recordValue3RowsChecks, 8, at + 2, end);
    y5 = (((b[at + 2]! << 8) | b[at + 3]!) << 16) >> 16;
    x5 = (((b[at + 4]! << 8) | b[at + 5]!) << 16) >> 16;
    outside2 = false;
    at += 6;
  }
  row.form = 3;
  row.dt = dt4;
  row.x = x5;
  row.y = y5;
  row.outside = outside2;
  row.button = 0;
  return at;
};
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const putI8 = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), ((value << 24) >> 24) === value);
const putU8 = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (value & 255) === value);

var clientMouseMoveChecks: Checks = { text: `0|payload|255
|average|i8|excess|i8
1|records|255
left|cut|255
list|records
most|records|255|items
integer|records[].dt|u3|0|7
integer|records[].x|u6|-32|31
integer|records[].y|u6|-32|31
same|records[].outside|false
same|records[].button|0
integer|records[].dt|u5|0|31
integer|records[].x|u8|-128|127
integer|records[].y|u8|-128|127
same|records[].x|-1
same|records[].y|-1
same|records[].outside|true
2|records[].y|y 32768, x 0
integer|records[].y|u16be|0|65535
integer|records[].x|u16be|0|65535
integer|records[].dt|u13|0|8191
oneOf|records[].form|small, medium, largeQuick, full
bytes|cut|0|255
3|payload|255`, kinds: [limitedWords, itemsWords, markWords, overWords] };

var recordValueChecks: Checks = { text: `|form|1
0|form|3|small, medium, largeQuick, full|0|100|110|111
none|form|small, medium, largeQuick, full
|dt|3|x|6|y|6
|dt|5|x|u8|y|u8
|dt|5
|y|u16be|x|u16be
|dt|13
|y|u16be|x|u16be`, kinds: [prefixWords] };

var clientPlayerIndexChecks: Checks = { text: `|index|u16be
0|index|1|2047
integer|index|u16be|1|2047`, kinds: [rangeWords] };

var clientPlayerInfoInitChecks: Checks = { text: `|bytes|36864
bytes|bytes|4608|4608` };

var clientPlayerInfoChecks: Checks = { text: `left|bytes|40000
bytes|bytes|0|40000` };

var nativeMouseMoveChecks: Checks = { text: `0|payload|255
|average|i8|excess|i8
1|records|255
left|cut|255
list|records
most|records|255|items
integer|records[].dt|u3|0|7
integer|records[].x|u6|-32|31
integer|records[].y|u6|-32|31
same|records[].outside|false
integer|records[].button|u8|0|255
integer|records[].dt|u5|0|31
integer|records[].x|u8|-128|127
integer|records[].y|u8|-128|127
same|records[].x|-1
same|records[].y|-1
same|records[].outside|true
2|records[].y|y 32768, x 0
integer|records[].y|u16be|0|65535
integer|records[].x|u16be|0|65535
integer|records[].dt|u13|0|8191
oneOf|records[].form|small, medium, largeQuick, full
bytes|cut|0|255
3|payload|255`, kinds: [limitedWords, itemsWords, markWords, overWords] };

var recordValue2Checks: Checks = { text: `|form|1
0|form|3|small, medium, largeQuick, full|0|100|110|111
none|form|small, medium, largeQuick, full
|dt|3|x|6|y|6|button|u8
|dt|5|x|u8|y|u8|button|u8
|dt|5
|y|u16be|x|u16be
|button|u8
|dt|13
|y|u16be|x|u16be
|button|u8`, kinds: [prefixWords] };

var documentedMouseMoveChecks: Checks = { text: `0|payload|255
|average|u8|excess|u8
1|records|255
left|cut|255
list|records
most|records|255|items
integer|records[].dt|u3|0|7
integer|records[].x|u5|0|31
integer|records[].y|u5|0|31
same|records[].outside|false
same|records[].button|0
integer|records[].dt|u5|0|31
integer|records[].x|u8|-128|127
integer|records[].y|u8|-128|127
same|records[].x|-1
same|records[].y|-1
same|records[].outside|true
2|records[].y|y 32768, x 0
integer|records[].y|i16be|-32768|32767
integer|records[].x|i16be|-32768|32767
integer|records[].dt|u13|0|8191
oneOf|records[].form|small, medium, largeQuick, full
bytes|cut|0|255
3|payload|255`, kinds: [limitedWords, itemsWords, markWords, overWords] };

var recordValue3Checks: Checks = { text: `|form|1
0|form|3|small, medium, largeQuick, full|0|100|110|111
none|form|small, medium, largeQuick, full
|dt|3|unused|1|x|5|unused|1|y|5
|dt|5|x|u8|y|u8
|dt|5
|y|i16be|x|i16be
|dt|13
|y|i16be|x|i16be`, kinds: [prefixWords] };

var recordValueRowsChecks: Checks = { text: `|form|1
0|form|3|small, medium, largeQuick, full|0|100|110|111
none|form|small, medium, largeQuick, full
|dt|3|x|6|y|6
|dt|5|x|u8|y|u8
|dt|5
|y|u16be|x|u16be
|dt|13
|y|u16be|x|u16be`, kinds: [prefixWords] };

var recordValue2RowsChecks: Checks = { text: `|form|1
0|form|3|small, medium, largeQuick, full|0|100|110|111
none|form|small, medium, largeQuick, full
|dt|3|x|6|y|6|button|u8
|dt|5|x|u8|y|u8|button|u8
|dt|5
|y|u16be|x|u16be
|button|u8
|dt|13
|y|u16be|x|u16be
|button|u8`, kinds: [prefixWords] };

var recordValue3RowsChecks: Checks = { text: `|form|1
0|form|3|small, medium, largeQuick, full|0|100|110|111
none|form|small, medium, largeQuick, full
|dt|3|unused|1|x|5|unused|1|y|5
|dt|5|x|u8|y|u8
|dt|5
|y|i16be|x|i16be
|dt|13
|y|i16be|x|i16be`, kinds: [prefixWords] };

function readRecordValue(b: Uint8Array, at: number, end: number): RecordValue | undefined {
  if (end - at < 1) return cut(recordValueChecks, 0, at, end);
  const formCodeBits = (b[at]! >> 5);
  if (formCodeBits <= 3) {
    if (end - at < 2) return cutBit(recordValueChecks, 3, at * 8 + 1, end);
    const dt = (b[at]! >> 4) & 7;
    const x = ((((b[at]! << 8) | b[at + 1]!) >> 6) & 63) - 32;
    const y = (b[at + 1]! & 63) - 32;
    after = at + 2;
    return { form: "small", dt, x, y, outside: false, button: 0 };
  } else if (formCodeBits === 4) {
    if (end - at < 3) return cutBit(recordValueChecks, 4, at * 8 + 3, end);
    const dt2 = b[at]! & 31;
    const x2 = b[at + 1]! - 128;
    const y2 = b[at + 2]! - 128;
    after = at + 3;
    return { form: "medium", dt: dt2, x: x2, y: y2, outside: false, button: 0 };
  } else if (formCodeBits === 6) {
    if (end - at < 1) return cutBit(recordValueChecks, 5, at * 8 + 3, end);
    const dt3 = b[at]! & 31;
    let x3;
    let y3;
    let outside;
    if (end - (at + 1) >= 4 && ((b[at + 1]! << 8) | b[at + 2]!) === 32768 && ((b[at + 3]! << 8) | b[at + 4]!) === 0) {
      x3 = -1;
      y3 = -1;
      outside = true;
      at += 5;
    } else {
      if (end - at < 5) return cut(recordValueChecks, 6, at + 1, end);
      y3 = (b[at + 1]! << 8) | b[at + 2]!;
      x3 = (b[at + 3]! << 8) | b[at + 4]!;
      outside = false;
      at += 5;
    }
    after = at;
    return { form: "largeQuick", dt: dt3, x: x3, y: y3, outside, button: 0 } as RecordValue;
  } else if (formCodeBits === 7) {
    if (end - at < 2) return cutBit(recordValueChecks, 7, at * 8 + 3, end);
    const dt4 = ((b[at]! << 8) | b[at + 1]!) & 8191;
    let x5;
    let y5;
    let outside2;
    if (end - (at + 2) >= 4 && ((b[at + 2]! << 8) | b[at + 3]!) === 32768 && ((b[at + 4]! << 8) | b[at + 5]!) === 0) {
      x5 = -1;
      y5 = -1;
      outside2 = true;
      at += 6;
    } else {
      if (end - at < 6) return cut(recordValueChecks, 8, at + 2, end);
      y5 = (b[at + 2]! << 8) | b[at + 3]!;
      x5 = (b[at + 4]! << 8) | b[at + 5]!;
      outside2 = false;
      at += 6;
    }
    after = at;
    return { form: "full", dt: dt4, x: x5, y: y5, outside: outside2, button: 0 } as RecordValue;
  } else {
    return no(recordValueChecks, 1, at, formCodeBits);
  }
}

function readClientMouseMove(b: Uint8Array, at: number, end: number): ClientMouseMove | undefined {
  if (end - at > 255) return no(clientMouseMoveChecks, 0, at, end - at);
  if (end - at < 2) return cut(clientMouseMoveChecks, 1, at, end);
  const average = (b[at]! << 24) >> 24;
  const excess = (b[at + 1]! << 24) >> 24;
  at += 2;
  const records: Array<RecordValue> = [];
  while (at < end) {
    if (records.length === 255) return no(clientMouseMoveChecks, 2, at);
    const item = readRecordValue(b, at, end);
    if (item === undefined) break;
    records.push(item);
    at = after;
  }
  const cutBytes = end - at;
  if (cutBytes > 255) return no(clientMouseMoveChecks, 3, at, cutBytes);
  const cut2 = bytesAt(b, at, cutBytes);
  at += cutBytes;
  after = at;
  return { average, excess, records, cut: cut2 };
}

function readClientPlayerIndex(b: Uint8Array, at: number, end: number): ClientPlayerIndex | undefined {
  if (end - at < 2) return cut(clientPlayerIndexChecks, 0, at, end);
  const index = u16be(b, at);
  if (index < 1 || index > 2047) return no(clientPlayerIndexChecks, 1, at, index);
  after = at + 2;
  return { index };
}

function readClientPlayerInfoInit(b: Uint8Array, at: number, end: number): ClientPlayerInfoInit | undefined {
  if (end - at < 4608) return cut(clientPlayerInfoInitChecks, 0, at, end);
  const bytes = bytesAt(b, at, 4608);
  after = at + 4608;
  return { bytes };
}

function readClientPlayerInfo(b: Uint8Array, at: number, end: number): ClientPlayerInfo | undefined {
  const bytesBytes = end - at;
  if (bytesBytes > 40000) return no(clientPlayerInfoChecks, 0, at, bytesBytes);
  const bytes = bytesAt(b, at, bytesBytes);
  at += bytesBytes;
  after = at;
  return { bytes };
}

function readRecordValue2(b: Uint8Array, at: number, end: number): RecordValue2 | undefined {
  if (end - at < 1) return cut(recordValue2Checks, 0, at, end);
  const formCodeBits = (b[at]! >> 5);
  if (formCodeBits <= 3) {
    if (end - at < 3) return cutBit(recordValue2Checks, 3, at * 8 + 1, end);
    const dt = (b[at]! >> 4) & 7;
    const x = ((((b[at]! << 8) | b[at + 1]!) >> 6) & 63) - 32;
    const y = (b[at + 1]! & 63) - 32;
    const button = b[at + 2]!;
    after = at + 3;
    return { form: "small", dt, x, y, outside: false, button };
  } else if (formCodeBits === 4) {
    if (end - at < 4) return cutBit(recordValue2Checks, 4, at * 8 + 3, end);
    const dt2 = b[at]! & 31;
    const x2 = b[at + 1]! - 128;
    const y2 = b[at + 2]! - 128;
    const button2 = b[at + 3]!;
    after = at + 4;
    return { form: "medium", dt: dt2, x: x2, y: y2, outside: false, button: button2 };
  } else if (formCodeBits === 6) {
    if (end - at < 1) return cutBit(recordValue2Checks, 5, at * 8 + 3, end);
    const dt3 = b[at]! & 31;
    let x3;
    let y3;
    let outside;
    if (end - (at + 1) >= 4 && ((b[at + 1]! << 8) | b[at + 2]!) === 32768 && ((b[at + 3]! << 8) | b[at + 4]!) === 0) {
      x3 = -1;
      y3 = -1;
      outside = true;
      at += 5;
    } else {
      if (end - at < 5) return cut(recordValue2Checks, 6, at + 1, end);
      y3 = (b[at + 1]! << 8) | b[at + 2]!;
      x3 = (b[at + 3]! << 8) | b[at + 4]!;
      outside = false;
      at += 5;
    }
    if (end - at < 1) return cut(recordValue2Checks, 7, at, end);
    const button3 = b[at]!;
    after = at + 1;
    return { form: "largeQuick", dt: dt3, x: x3, y: y3, outside, button: button3 } as RecordValue2;
  } else if (formCodeBits === 7) {
    if (end - at < 2) return cutBit(recordValue2Checks, 8, at * 8 + 3, end);
    const dt4 = ((b[at]! << 8) | b[at + 1]!) & 8191;
    let x5;
    let y5;
    let outside2;
    if (end - (at + 2) >= 4 && ((b[at + 2]! << 8) | b[at + 3]!) === 32768 && ((b[at + 4]! << 8) | b[at + 5]!) === 0) {
      x5 = -1;
      y5 = -1;
      outside2 = true;
      at += 6;
    } else {
      if (end - at < 6) return cut(recordValue2Checks, 9, at + 2, end);
      y5 = (b[at + 2]! << 8) | b[at + 3]!;
      x5 = (b[at + 4]! << 8) | b[at + 5]!;
      outside2 = false;
      at += 6;
    }
    if (end - at < 1) return cut(recordValue2Checks, 10, at, end);
    const button4 = b[at]!;
    after = at + 1;
    return { form: "full", dt: dt4, x: x5, y: y5, outside: outside2, button: button4 } as RecordValue2;
  } else {
    return no(recordValue2Checks, 1, at, formCodeBits);
  }
}

function readNativeMouseMove(b: Uint8Array, at: number, end: number): NativeMouseMove | undefined {
  if (end - at > 255) return no(nativeMouseMoveChecks, 0, at, end - at);
  if (end - at < 2) return cut(nativeMouseMoveChecks, 1, at, end);
  const average = (b[at]! << 24) >> 24;
  const excess = (b[at + 1]! << 24) >> 24;
  at += 2;
  const records: Array<RecordValue2> = [];
  while (at < end) {
    if (records.length === 255) return no(nativeMouseMoveChecks, 2, at);
    const item = readRecordValue2(b, at, end);
    if (item === undefined) break;
    records.push(item);
    at = after;
  }
  const cutBytes = end - at;
  if (cutBytes > 255) return no(nativeMouseMoveChecks, 3, at, cutBytes);
  const cut2 = bytesAt(b, at, cutBytes);
  at += cutBytes;
  after = at;
  return { average, excess, records, cut: cut2 };
}

function readRecordValue3(b: Uint8Array, at: number, end: number): RecordValue3 | undefined {
  if (end - at < 1) return cut(recordValue3Checks, 0, at, end);
  const formCodeBits = (b[at]! >> 5);
  if (formCodeBits <= 3) {
    if (end - at < 2) return cutBit(recordValue3Checks, 3, at * 8 + 1, end);
    const dt = (b[at]! >> 4) & 7;
    const x = (((b[at]! << 8) | b[at + 1]!) >> 6) & 31;
    const y = b[at + 1]! & 31;
    after = at + 2;
    return { form: "small", dt, x, y, outside: false, button: 0 };
  } else if (formCodeBits === 4) {
    if (end - at < 3) return cutBit(recordValue3Checks, 4, at * 8 + 3, end);
    const dt2 = b[at]! & 31;
    const x2 = b[at + 1]! - 128;
    const y2 = b[at + 2]! - 128;
    after = at + 3;
    return { form: "medium", dt: dt2, x: x2, y: y2, outside: false, button: 0 };
  } else if (formCodeBits === 6) {
    if (end - at < 1) return cutBit(recordValue3Checks, 5, at * 8 + 3, end);
    const dt3 = b[at]! & 31;
    let x3;
    let y3;
    let outside;
    if (end - (at + 1) >= 4 && ((b[at + 1]! << 8) | b[at + 2]!) === 32768 && ((b[at + 3]! << 8) | b[at + 4]!) === 0) {
      x3 = -1;
      y3 = -1;
      outside = true;
      at += 5;
    } else {
      if (end - at < 5) return cut(recordValue3Checks, 6, at + 1, end);
      y3 = (((b[at + 1]! << 8) | b[at + 2]!) << 16) >> 16;
      x3 = (((b[at + 3]! << 8) | b[at + 4]!) << 16) >> 16;
      outside = false;
      at += 5;
    }
    after = at;
    return { form: "largeQuick", dt: dt3, x: x3, y: y3, outside, button: 0 } as RecordValue3;
  } else if (formCodeBits === 7) {
    if (end - at < 2) return cutBit(recordValue3Checks, 7, at * 8 + 3, end);
    const dt4 = ((b[at]! << 8) | b[at + 1]!) & 8191;
    let x5;
    let y5;
    let outside2;
    if (end - (at + 2) >= 4 && ((b[at + 2]! << 8) | b[at + 3]!) === 32768 && ((b[at + 4]! << 8) | b[at + 5]!) === 0) {
      x5 = -1;
      y5 = -1;
      outside2 = true;
      at += 6;
    } else {
      if (end - at < 6) return cut(recordValue3Checks, 8, at + 2, end);
      y5 = (((b[at + 2]! << 8) | b[at + 3]!) << 16) >> 16;
      x5 = (((b[at + 4]! << 8) | b[at + 5]!) << 16) >> 16;
      outside2 = false;
      at += 6;
    }
    after = at;
    return { form: "full", dt: dt4, x: x5, y: y5, outside: outside2, button: 0 } as RecordValue3;
  } else {
    return no(recordValue3Checks, 1, at, formCodeBits);
  }
}

function readDocumentedMouseMove(b: Uint8Array, at: number, end: number): DocumentedMouseMove | undefined {
  if (end - at > 255) return no(documentedMouseMoveChecks, 0, at, end - at);
  if (end - at < 2) return cut(documentedMouseMoveChecks, 1, at, end);
  const average = b[at]!;
  const excess = b[at + 1]!;
  at += 2;
  const records: Array<RecordValue3> = [];
  while (at < end) {
    if (records.length === 255) return no(documentedMouseMoveChecks, 2, at);
    const item = readRecordValue3(b, at, end);
    if (item === undefined) break;
    records.push(item);
    at = after;
  }
  const cutBytes = end - at;
  if (cutBytes > 255) return no(documentedMouseMoveChecks, 3, at, cutBytes);
  const cut2 = bytesAt(b, at, cutBytes);
  at += cutBytes;
  after = at;
  return { average, excess, records, cut: cut2 };
}

function readRecordValueInto(b: Uint8Array, at: number, end: number, row: RecordValueRow): number | undefined {
  if (end - at < 1) return cut(recordValueRowsChecks, 0, at, end);
  const formCodeBits = (b[at]! >> 5);
  if (formCodeBits <= 3) {
    if (end - at < 2) return cutBit(recordValueRowsChecks, 3, at * 8 + 1, end);
    const dt = (b[at]! >> 4) & 7;
    const x = ((((b[at]! << 8) | b[at + 1]!) >> 6) & 63) - 32;
    const y = (b[at + 1]! & 63) - 32;
    row.form = 0;
    row.dt = dt;
    row.x = x;
    row.y = y;
    row.outside = false;
    row.button = 0;
    return at + 2;
  } else if (formCodeBits === 4) {
    if (end - at < 3) return cutBit(recordValueRowsChecks, 4, at * 8 + 3, end);
    const dt2 = b[at]! & 31;
    const x2 = b[at + 1]! - 128;
    const y2 = b[at + 2]! - 128;
    row.form = 1;
    row.dt = dt2;
    row.x = x2;
    row.y = y2;
    row.outside = false;
    row.button = 0;
    return at + 3;
  } else if (formCodeBits === 6) {
    return readRecordValueInto2(b, at, end, row);
  } else if (formCodeBits === 7) {
    return readRecordValueInto3(b, at, end, row);
  } else {
    return no(recordValueRowsChecks, 1, at, formCodeBits);
  }
}

function readRecordValue2Into(b: Uint8Array, at: number, end: number, row: RecordValue2Row): number | undefined {
  if (end - at < 1) return cut(recordValue2RowsChecks, 0, at, end);
  const formCodeBits = (b[at]! >> 5);
  if (formCodeBits <= 3) {
    if (end - at < 3) return cutBit(recordValue2RowsChecks, 3, at * 8 + 1, end);
    const dt = (b[at]! >> 4) & 7;
    const x = ((((b[at]! << 8) | b[at + 1]!) >> 6) & 63) - 32;
    const y = (b[at + 1]! & 63) - 32;
    const button = b[at + 2]!;
    row.form = 0;
    row.dt = dt;
    row.x = x;
    row.y = y;
    row.outside = false;
    row.button = button;
    return at + 3;
  } else if (formCodeBits === 4) {
    if (end - at < 4) return cutBit(recordValue2RowsChecks, 4, at * 8 + 3, end);
    const dt2 = b[at]! & 31;
    const x2 = b[at + 1]! - 128;
    const y2 = b[at + 2]! - 128;
    const button2 = b[at + 3]!;
    row.form = 1;
    row.dt = dt2;
    row.x = x2;
    row.y = y2;
    row.outside = false;
    row.button = button2;
    return at + 4;
  } else if (formCodeBits === 6) {
    return readRecordValue2Into2(b, at, end, row);
  } else if (formCodeBits === 7) {
    return readRecordValue2Into3(b, at, end, row);
  } else {
    return no(recordValue2RowsChecks, 1, at, formCodeBits);
  }
}

function readRecordValue3Into(b: Uint8Array, at: number, end: number, row: RecordValue3Row): number | undefined {
  if (end - at < 1) return cut(recordValue3RowsChecks, 0, at, end);
  const formCodeBits = (b[at]! >> 5);
  if (formCodeBits <= 3) {
    if (end - at < 2) return cutBit(recordValue3RowsChecks, 3, at * 8 + 1, end);
    const dt = (b[at]! >> 4) & 7;
    const x = (((b[at]! << 8) | b[at + 1]!) >> 6) & 31;
    const y = b[at + 1]! & 31;
    row.form = 0;
    row.dt = dt;
    row.x = x;
    row.y = y;
    row.outside = false;
    row.button = 0;
    return at + 2;
  } else if (formCodeBits === 4) {
    if (end - at < 3) return cutBit(recordValue3RowsChecks, 4, at * 8 + 3, end);
    const dt2 = b[at]! & 31;
    const x2 = b[at + 1]! - 128;
    const y2 = b[at + 2]! - 128;
    row.form = 1;
    row.dt = dt2;
    row.x = x2;
    row.y = y2;
    row.outside = false;
    row.button = 0;
    return at + 3;
  } else if (formCodeBits === 6) {
    return readRecordValue3Into2(b, at, end, row);
  } else if (formCodeBits === 7) {
    return readRecordValue3Into3(b, at, end, row);
  } else {
    return no(recordValue3RowsChecks, 1, at, formCodeBits);
  }
}

function writeClientMouseMove(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const start = at;
  if (
    !(
      putI8(b, at, v.average) &&
      putI8(b, at + 1, v.excess)
    )
  )
    return badField(clientMouseMoveChecks, 1, "", v);
  const records = v.records as readonly unknown[];
  if (!Array.isArray(records)) return bad(clientMouseMoveChecks, 4, records);
  const count = records.length;
  if (count > 255) return bad(clientMouseMoveChecks, 5, count);
  at += 2;
  for (let i = 0; i < count; i++) {
    const item = records[i] as Members;
    if (!isObject(item)) return badObject("records[]", item, i);
    const form = item.form as string;
    switch (form) {
      case "small": {
        b[at] = 0;
        const dt = item.dt as number;
        if (typeof dt !== "number" || (dt & 7) !== dt) return bad(clientMouseMoveChecks, 6, dt, i);
        b[at]! |= dt << 4;
        const x = item.x as number;
        if (!(Number.isInteger(x) && x >= -32 && x <= 31)) return bad(clientMouseMoveChecks, 7, x, i);
        const wire$1 = x + 32;
        b[at]! |= wire$1 >>> 2;
        b[at + 1] = wire$1 << 6;
        const y = item.y as number;
        if (!(Number.isInteger(y) && y >= -32 && y <= 31)) return bad(clientMouseMoveChecks, 8, y, i);
        const wire$2 = y + 32;
        b[at + 1]! |= wire$2;
        const outside = item.outside as boolean;
        if (outside !== false) return bad(clientMouseMoveChecks, 9, outside, i);
        const button = item.button as number;
        if (button !== 0) return bad(clientMouseMoveChecks, 10, button, i);
        at += 2;
        break;
      }
      case "medium": {
        b[at] = 128;
        const dt2 = item.dt as number;
        if (typeof dt2 !== "number" || (dt2 & 31) !== dt2) return bad(clientMouseMoveChecks, 11, dt2, i);
        b[at]! |= dt2;
        const x2 = item.x as number;
        if (!(Number.isInteger(x2) && x2 >= -128 && x2 <= 127)) return bad(clientMouseMoveChecks, 12, x2, i);
        const wire$3 = x2 + 128;
        b[at + 1] = wire$3;
        const y2 = item.y as number;
        if (!(Number.isInteger(y2) && y2 >= -128 && y2 <= 127)) return bad(clientMouseMoveChecks, 13, y2, i);
        const wire$4 = y2 + 128;
        b[at + 2] = wire$4;
        const outside2 = item.outside as boolean;
        if (outside2 !== false) return bad(clientMouseMoveChecks, 9, outside2, i);
        const button2 = item.button as number;
        if (button2 !== 0) return bad(clientMouseMoveChecks, 10, button2, i);
        at += 3;
        break;
      }
      case "largeQuick": {
        b[at] = 192;
        const dt3 = item.dt as number;
        if (typeof dt3 !== "number" || (dt3 & 31) !== dt3) return bad(clientMouseMoveChecks, 11, dt3, i);
        b[at]! |= dt3;
        const outside3 = item.outside as boolean;
        if (outside3 === true) {
          const x3 = item.x as number;
          if (x3 !== -1) return bad(clientMouseMoveChecks, 14, x3, i);
          const y3 = item.y as number;
          if (y3 !== -1) return bad(clientMouseMoveChecks, 15, y3, i);
          const outside4 = item.outside as boolean;
          if (outside4 !== true) return bad(clientMouseMoveChecks, 16, outside4, i);
          b[at + 1] = 128;
          b[at + 2] = 0;
          b[at + 3] = 0;
          b[at + 4] = 0;
          at += 5;
        } else {
          const y4 = item.y as number;
          const x4 = item.x as number;
          if (Number.isInteger(y4) && (y4 & 65535) === 32768 && Number.isInteger(x4) && (x4 & 65535) === 0) return bad(clientMouseMoveChecks, 17, item, i);
          const y5 = item.y as number;
          if (typeof y5 !== "number" || (y5 & 65535) !== y5) return bad(clientMouseMoveChecks, 18, y5, i);
          b[at + 1] = y5 >>> 8;
          b[at + 2] = y5;
          const x5 = item.x as number;
          if (typeof x5 !== "number" || (x5 & 65535) !== x5) return bad(clientMouseMoveChecks, 19, x5, i);
          b[at + 3] = x5 >>> 8;
          b[at + 4] = x5;
          const outside5 = item.outside as boolean;
          if (outside5 !== false) return bad(clientMouseMoveChecks, 9, outside5, i);
          at += 5;
        }
        const button3 = item.button as number;
        if (button3 !== 0) return bad(clientMouseMoveChecks, 10, button3, i);
        break;
      }
      case "full": {
        b[at] = 224;
        const dt4 = item.dt as number;
        if (typeof dt4 !== "number" || (dt4 & 8191) !== dt4) return bad(clientMouseMoveChecks, 20, dt4, i);
        b[at]! |= dt4 >>> 8;
        b[at + 1] = dt4;
        const outside6 = item.outside as boolean;
        if (outside6 === true) {
          const x6 = item.x as number;
          if (x6 !== -1) return bad(clientMouseMoveChecks, 14, x6, i);
          const y6 = item.y as number;
          if (y6 !== -1) return bad(clientMouseMoveChecks, 15, y6, i);
          const outside7 = item.outside as boolean;
          if (outside7 !== true) return bad(clientMouseMoveChecks, 16, outside7, i);
          b[at + 2] = 128;
          b[at + 3] = 0;
          b[at + 4] = 0;
          b[at + 5] = 0;
          at += 6;
        } else {
          const y7 = item.y as number;
          const x7 = item.x as number;
          if (Number.isInteger(y7) && (y7 & 65535) === 32768 && Number.isInteger(x7) && (x7 & 65535) === 0) return bad(clientMouseMoveChecks, 17, item, i);
          const y8 = item.y as number;
          if (typeof y8 !== "number" || (y8 & 65535) !== y8) return bad(clientMouseMoveChecks, 18, y8, i);
          b[at + 2] = y8 >>> 8;
          b[at + 3] = y8;
          const x8 = item.x as number;
          if (typeof x8 !== "number" || (x8 & 65535) !== x8) return bad(clientMouseMoveChecks, 19, x8, i);
          b[at + 4] = x8 >>> 8;
          b[at + 5] = x8;
          const outside8 = item.outside as boolean;
          if (outside8 !== false) return bad(clientMouseMoveChecks, 9, outside8, i);
          at += 6;
        }
        const button4 = item.button as number;
        if (button4 !== 0) return bad(clientMouseMoveChecks, 10, button4, i);
        break;
      }
      default: {
        return bad(clientMouseMoveChecks, 21, form, i);
      }
    }
  }
  const cut2 = v.cut as Uint8Array;
  at = putBytes(b, at, cut2, 0, 255);
  if (at < 0) return bad(clientMouseMoveChecks, 22, cut2);
  if (at - start > 255) return bad(clientMouseMoveChecks, 23, at - start);
  return at;
}

function writeClientPlayerIndex(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const index = v.index as number;
  if (!(Number.isInteger(index) && index >= 1 && index <= 2047)) return bad(clientPlayerIndexChecks, 2, index);
  b[at] = index >> 8;
  b[at + 1] = index;
  return at + 2;
}

function writeClientPlayerInfoInit(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const bytes = v.bytes as Uint8Array;
  at = putBytes(b, at, bytes, 4608, 4608);
  if (at < 0) return bad(clientPlayerInfoInitChecks, 1, bytes);
  return at;
}

function writeClientPlayerInfo(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const bytes = v.bytes as Uint8Array;
  at = putBytes(b, at, bytes, 0, 40000);
  if (at < 0) return bad(clientPlayerInfoChecks, 1, bytes);
  return at;
}

function writeNativeMouseMove(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const start = at;
  if (
    !(
      putI8(b, at, v.average) &&
      putI8(b, at + 1, v.excess)
    )
  )
    return badField(nativeMouseMoveChecks, 1, "", v);
  const records = v.records as readonly unknown[];
  if (!Array.isArray(records)) return bad(nativeMouseMoveChecks, 4, records);
  const count = records.length;
  if (count > 255) return bad(nativeMouseMoveChecks, 5, count);
  at += 2;
  for (let i = 0; i < count; i++) {
    const item = records[i] as Members;
    if (!isObject(item)) return badObject("records[]", item, i);
    const form = item.form as string;
    switch (form) {
      case "small": {
        b[at] = 0;
        const dt = item.dt as number;
        if (typeof dt !== "number" || (dt & 7) !== dt) return bad(nativeMouseMoveChecks, 6, dt, i);
        b[at]! |= dt << 4;
        const x = item.x as number;
        if (!(Number.isInteger(x) && x >= -32 && x <= 31)) return bad(nativeMouseMoveChecks, 7, x, i);
        const wire$1 = x + 32;
        b[at]! |= wire$1 >>> 2;
        b[at + 1] = wire$1 << 6;
        const y = item.y as number;
        if (!(Number.isInteger(y) && y >= -32 && y <= 31)) return bad(nativeMouseMoveChecks, 8, y, i);
        const wire$2 = y + 32;
        b[at + 1]! |= wire$2;
        const outside = item.outside as boolean;
        if (outside !== false) return bad(nativeMouseMoveChecks, 9, outside, i);
        const button = item.button as number;
        if (typeof button !== "number" || (button & 255) !== button) return bad(nativeMouseMoveChecks, 10, button, i);
        b[at + 2] = button;
        at += 3;
        break;
      }
      case "medium": {
        b[at] = 128;
        const dt2 = item.dt as number;
        if (typeof dt2 !== "number" || (dt2 & 31) !== dt2) return bad(nativeMouseMoveChecks, 11, dt2, i);
        b[at]! |= dt2;
        const x2 = item.x as number;
        if (!(Number.isInteger(x2) && x2 >= -128 && x2 <= 127)) return bad(nativeMouseMoveChecks, 12, x2, i);
        const wire$3 = x2 + 128;
        b[at + 1] = wire$3;
        const y2 = item.y as number;
        if (!(Number.isInteger(y2) && y2 >= -128 && y2 <= 127)) return bad(nativeMouseMoveChecks, 13, y2, i);
        const wire$4 = y2 + 128;
        b[at + 2] = wire$4;
        const outside2 = item.outside as boolean;
        if (outside2 !== false) return bad(nativeMouseMoveChecks, 9, outside2, i);
        const button2 = item.button as number;
        if (typeof button2 !== "number" || (button2 & 255) !== button2) return bad(nativeMouseMoveChecks, 10, button2, i);
        b[at + 3] = button2;
        at += 4;
        break;
      }
      case "largeQuick": {
        b[at] = 192;
        const dt3 = item.dt as number;
        if (typeof dt3 !== "number" || (dt3 & 31) !== dt3) return bad(nativeMouseMoveChecks, 11, dt3, i);
        b[at]! |= dt3;
        const outside3 = item.outside as boolean;
        if (outside3 === true) {
          const x3 = item.x as number;
          if (x3 !== -1) return bad(nativeMouseMoveChecks, 14, x3, i);
          const y3 = item.y as number;
          if (y3 !== -1) return bad(nativeMouseMoveChecks, 15, y3, i);
          const outside4 = item.outside as boolean;
          if (outside4 !== true) return bad(nativeMouseMoveChecks, 16, outside4, i);
          b[at + 1] = 128;
          b[at + 2] = 0;
          b[at + 3] = 0;
          b[at + 4] = 0;
          at += 5;
        } else {
          const y4 = item.y as number;
          const x4 = item.x as number;
          if (Number.isInteger(y4) && (y4 & 65535) === 32768 && Number.isInteger(x4) && (x4 & 65535) === 0) return bad(nativeMouseMoveChecks, 17, item, i);
          const y5 = item.y as number;
          if (typeof y5 !== "number" || (y5 & 65535) !== y5) return bad(nativeMouseMoveChecks, 18, y5, i);
          b[at + 1] = y5 >>> 8;
          b[at + 2] = y5;
          const x5 = item.x as number;
          if (typeof x5 !== "number" || (x5 & 65535) !== x5) return bad(nativeMouseMoveChecks, 19, x5, i);
          b[at + 3] = x5 >>> 8;
          b[at + 4] = x5;
          const outside5 = item.outside as boolean;
          if (outside5 !== false) return bad(nativeMouseMoveChecks, 9, outside5, i);
          at += 5;
        }
        const button3 = item.button as number;
        if (typeof button3 !== "number" || (button3 & 255) !== button3) return bad(nativeMouseMoveChecks, 10, button3, i);
        b[at] = button3;
        at += 1;
        break;
      }
      case "full": {
        b[at] = 224;
        const dt4 = item.dt as number;
        if (typeof dt4 !== "number" || (dt4 & 8191) !== dt4) return bad(nativeMouseMoveChecks, 20, dt4, i);
        b[at]! |= dt4 >>> 8;
        b[at + 1] = dt4;
        const outside6 = item.outside as boolean;
        if (outside6 === true) {
          const x6 = item.x as number;
          if (x6 !== -1) return bad(nativeMouseMoveChecks, 14, x6, i);
          const y6 = item.y as number;
          if (y6 !== -1) return bad(nativeMouseMoveChecks, 15, y6, i);
          const outside7 = item.outside as boolean;
          if (outside7 !== true) return bad(nativeMouseMoveChecks, 16, outside7, i);
          b[at + 2] = 128;
          b[at + 3] = 0;
          b[at + 4] = 0;
          b[at + 5] = 0;
          at += 6;
        } else {
          const y7 = item.y as number;
          const x7 = item.x as number;
          if (Number.isInteger(y7) && (y7 & 65535) === 32768 && Number.isInteger(x7) && (x7 & 65535) === 0) return bad(nativeMouseMoveChecks, 17, item, i);
          const y8 = item.y as number;
          if (typeof y8 !== "number" || (y8 & 65535) !== y8) return bad(nativeMouseMoveChecks, 18, y8, i);
          b[at + 2] = y8 >>> 8;
          b[at + 3] = y8;
          const x8 = item.x as number;
          if (typeof x8 !== "number" || (x8 & 65535) !== x8) return bad(nativeMouseMoveChecks, 19, x8, i);
          b[at + 4] = x8 >>> 8;
          b[at + 5] = x8;
          const outside8 = item.outside as boolean;
          if (outside8 !== false) return bad(nativeMouseMoveChecks, 9, outside8, i);
          at += 6;
        }
        const button4 = item.button as number;
        if (typeof button4 !== "number" || (button4 & 255) !== button4) return bad(nativeMouseMoveChecks, 10, button4, i);
        b[at] = button4;
        at += 1;
        break;
      }
      default: {
        return bad(nativeMouseMoveChecks, 21, form, i);
      }
    }
  }
  const cut2 = v.cut as Uint8Array;
  at = putBytes(b, at, cut2, 0, 255);
  if (at < 0) return bad(nativeMouseMoveChecks, 22, cut2);
  if (at - start > 255) return bad(nativeMouseMoveChecks, 23, at - start);
  return at;
}

function writeDocumentedMouseMove(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const start = at;
  if (
    !(
      putU8(b, at, v.average) &&
      putU8(b, at + 1, v.excess)
    )
  )
    return badField(documentedMouseMoveChecks, 1, "", v);
  const records = v.records as readonly unknown[];
  if (!Array.isArray(records)) return bad(documentedMouseMoveChecks, 4, records);
  const count = records.length;
  if (count > 255) return bad(documentedMouseMoveChecks, 5, count);
  at += 2;
  for (let i = 0; i < count; i++) {
    const item = records[i] as Members;
    if (!isObject(item)) return badObject("records[]", item, i);
    const form = item.form as string;
    switch (form) {
      case "small": {
        b[at] = 0;
        const dt = item.dt as number;
        if (typeof dt !== "number" || (dt & 7) !== dt) return bad(documentedMouseMoveChecks, 6, dt, i);
        b[at]! |= dt << 4;
        b[at]! |= 0;
        const x = item.x as number;
        if (typeof x !== "number" || (x & 31) !== x) return bad(documentedMouseMoveChecks, 7, x, i);
        b[at]! |= x >>> 2;
        b[at + 1] = x << 6;
        b[at + 1]! |= 0;
        const y = item.y as number;
        if (typeof y !== "number" || (y & 31) !== y) return bad(documentedMouseMoveChecks, 8, y, i);
        b[at + 1]! |= y;
        const outside = item.outside as boolean;
        if (outside !== false) return bad(documentedMouseMoveChecks, 9, outside, i);
        const button = item.button as number;
        if (button !== 0) return bad(documentedMouseMoveChecks, 10, button, i);
        at += 2;
        break;
      }
      case "medium": {
        b[at] = 128;
        const dt2 = item.dt as number;
        if (typeof dt2 !== "number" || (dt2 & 31) !== dt2) return bad(documentedMouseMoveChecks, 11, dt2, i);
        b[at]! |= dt2;
        const x2 = item.x as number;
        if (!(Number.isInteger(x2) && x2 >= -128 && x2 <= 127)) return bad(documentedMouseMoveChecks, 12, x2, i);
        const wire$1 = x2 + 128;
        b[at + 1] = wire$1;
        const y2 = item.y as number;
        if (!(Number.isInteger(y2) && y2 >= -128 && y2 <= 127)) return bad(documentedMouseMoveChecks, 13, y2, i);
        const wire$2 = y2 + 128;
        b[at + 2] = wire$2;
        const outside2 = item.outside as boolean;
        if (outside2 !== false) return bad(documentedMouseMoveChecks, 9, outside2, i);
        const button2 = item.button as number;
        if (button2 !== 0) return bad(documentedMouseMoveChecks, 10, button2, i);
        at += 3;
        break;
      }
      case "largeQuick": {
        b[at] = 192;
        const dt3 = item.dt as number;
        if (typeof dt3 !== "number" || (dt3 & 31) !== dt3) return bad(documentedMouseMoveChecks, 11, dt3, i);
        b[at]! |= dt3;
        const outside3 = item.outside as boolean;
        if (outside3 === true) {
          const x3 = item.x as number;
          if (x3 !== -1) return bad(documentedMouseMoveChecks, 14, x3, i);
          const y3 = item.y as number;
          if (y3 !== -1) return bad(documentedMouseMoveChecks, 15, y3, i);
          const outside4 = item.outside as boolean;
          if (outside4 !== true) return bad(documentedMouseMoveChecks, 16, outside4, i);
          b[at + 1] = 128;
          b[at + 2] = 0;
          b[at + 3] = 0;
          b[at + 4] = 0;
          at += 5;
        } else {
          const y4 = item.y as number;
          const x4 = item.x as number;
          if (Number.isInteger(y4) && (y4 & 65535) === 32768 && Number.isInteger(x4) && (x4 & 65535) === 0) return bad(documentedMouseMoveChecks, 17, item, i);
          const y5 = item.y as number;
          if (typeof y5 !== "number" || (y5 << 16) >> 16 !== y5) return bad(documentedMouseMoveChecks, 18, y5, i);
          b[at + 1] = y5 >>> 8;
          b[at + 2] = y5;
          const x5 = item.x as number;
          if (typeof x5 !== "number" || (x5 << 16) >> 16 !== x5) return bad(documentedMouseMoveChecks, 19, x5, i);
          b[at + 3] = x5 >>> 8;
          b[at + 4] = x5;
          const outside5 = item.outside as boolean;
          if (outside5 !== false) return bad(documentedMouseMoveChecks, 9, outside5, i);
          at += 5;
        }
        const button3 = item.button as number;
        if (button3 !== 0) return bad(documentedMouseMoveChecks, 10, button3, i);
        break;
      }
      case "full": {
        b[at] = 224;
        const dt4 = item.dt as number;
        if (typeof dt4 !== "number" || (dt4 & 8191) !== dt4) return bad(documentedMouseMoveChecks, 20, dt4, i);
        b[at]! |= dt4 >>> 8;
        b[at + 1] = dt4;
        const outside6 = item.outside as boolean;
        if (outside6 === true) {
          const x6 = item.x as number;
          if (x6 !== -1) return bad(documentedMouseMoveChecks, 14, x6, i);
          const y6 = item.y as number;
          if (y6 !== -1) return bad(documentedMouseMoveChecks, 15, y6, i);
          const outside7 = item.outside as boolean;
          if (outside7 !== true) return bad(documentedMouseMoveChecks, 16, outside7, i);
          b[at + 2] = 128;
          b[at + 3] = 0;
          b[at + 4] = 0;
          b[at + 5] = 0;
          at += 6;
        } else {
          const y7 = item.y as number;
          const x7 = item.x as number;
          if (Number.isInteger(y7) && (y7 & 65535) === 32768 && Number.isInteger(x7) && (x7 & 65535) === 0) return bad(documentedMouseMoveChecks, 17, item, i);
          const y8 = item.y as number;
          if (typeof y8 !== "number" || (y8 << 16) >> 16 !== y8) return bad(documentedMouseMoveChecks, 18, y8, i);
          b[at + 2] = y8 >>> 8;
          b[at + 3] = y8;
          const x8 = item.x as number;
          if (typeof x8 !== "number" || (x8 << 16) >> 16 !== x8) return bad(documentedMouseMoveChecks, 19, x8, i);
          b[at + 4] = x8 >>> 8;
          b[at + 5] = x8;
          const outside8 = item.outside as boolean;
          if (outside8 !== false) return bad(documentedMouseMoveChecks, 9, outside8, i);
          at += 6;
        }
        const button4 = item.button as number;
        if (button4 !== 0) return bad(documentedMouseMoveChecks, 10, button4, i);
        break;
      }
      default: {
        return bad(documentedMouseMoveChecks, 21, form, i);
      }
    }
  }
  const cut2 = v.cut as Uint8Array;
  at = putBytes(b, at, cut2, 0, 255);
  if (at < 0) return bad(documentedMouseMoveChecks, 22, cut2);
  if (at - start > 255) return bad(documentedMouseMoveChecks, 23, at - start);
  return at;
}


export type ClientClientMessage = { message: "mouseMove"; value: ClientMouseMove };

function readClientClientMessage(b: Uint8Array, id = b[0]!, at = 1): ClientClientMessage {
  const end = b.length;
  let message: ClientClientMessage["message"];
  let value: ClientClientMessage["value"] | undefined;
  switch (id) {
    case 34: {
      message = "mouseMove";
      value = readClientMouseMove(b, at, end);
      break;
    }
    default: throw noMessage(client, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as ClientClientMessage;
}

function writeClientClientMessage({ message, value: v }: ClientClientMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(255 + free);
  let at = slabUsed();
  switch (message) {
    case "mouseMove": {
      b[at] = 34;
      end = writeClientMouseMove(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(client, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type ClientServerMessage = { message: "playerIndex"; value: ClientPlayerIndex } | { message: "playerInfoInit"; value: ClientPlayerInfoInit } | { message: "playerInfo"; value: ClientPlayerInfo };

function readClientServerMessage(b: Uint8Array, id = b[0]!, at = 1): ClientServerMessage {
  const end = b.length;
  let message: ClientServerMessage["message"];
  let value: ClientServerMessage["value"] | undefined;
  switch (id) {
    case 1: {
      message = "playerIndex";
      value = readClientPlayerIndex(b, at, end);
      break;
    }
    case 2: {
      message = "playerInfoInit";
      value = readClientPlayerInfoInit(b, at, end);
      break;
    }
    case 3: {
      message = "playerInfo";
      value = readClientPlayerInfo(b, at, end);
      break;
    }
    default: throw noMessage(client, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as ClientServerMessage;
}

function writeClientServerMessage({ message, value: v }: ClientServerMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(4608 + free);
  let at = slabUsed();
  switch (message) {
    case "playerIndex": {
      b[at] = 1;
      end = writeClientPlayerIndex(b, at + free, v as Members);
      break;
    }
    case "playerInfoInit": {
      b[at] = 2;
      end = writeClientPlayerInfoInit(b, at + free, v as Members);
      break;
    }
    case "playerInfo": {
      b = slabFor(8 + lengthOf(memberOf(v, "bytes")) + free);
      at = slabUsed();
      b[at] = 3;
      end = writeClientPlayerInfo(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(client, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const client: CompiledDialect<ClientClientMessage, ClientServerMessage> = {
  dialect: "client",
  idName: "opcode",
  ids: {
    client: { mouseMove: 34 },
    server: { playerIndex: 1, playerInfoInit: 2, playerInfo: 3 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readClientClientMessage(b, id, at) : readClientServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeClientClientMessage(m, before) : writeClientServerMessage(m, before)) as never,
};

export const clientRows = { records: readRecordValueInto };

export type NativeClientMessage = { message: "mouseMove"; value: NativeMouseMove };

function readNativeClientMessage(b: Uint8Array, id = b[0]!, at = 1): NativeClientMessage {
  const end = b.length;
  let message: NativeClientMessage["message"];
  let value: NativeClientMessage["value"] | undefined;
  switch (id) {
    case 34: {
      message = "mouseMove";
      value = readNativeMouseMove(b, at, end);
      break;
    }
    default: throw noMessage(native, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as NativeClientMessage;
}

function writeNativeClientMessage({ message, value: v }: NativeClientMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(255 + free);
  let at = slabUsed();
  switch (message) {
    case "mouseMove": {
      b[at] = 34;
      end = writeNativeMouseMove(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(native, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type NativeServerMessage = { message: "playerIndex"; value: ClientPlayerIndex } | { message: "playerInfoInit"; value: ClientPlayerInfoInit } | { message: "playerInfo"; value: ClientPlayerInfo };

function readNativeServerMessage(b: Uint8Array, id = b[0]!, at = 1): NativeServerMessage {
  const end = b.length;
  let message: NativeServerMessage["message"];
  let value: NativeServerMessage["value"] | undefined;
  switch (id) {
    case 1: {
      message = "playerIndex";
      value = readClientPlayerIndex(b, at, end);
      break;
    }
    case 2: {
      message = "playerInfoInit";
      value = readClientPlayerInfoInit(b, at, end);
      break;
    }
    case 3: {
      message = "playerInfo";
      value = readClientPlayerInfo(b, at, end);
      break;
    }
    default: throw noMessage(native, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as NativeServerMessage;
}

function writeNativeServerMessage({ message, value: v }: NativeServerMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(4608 + free);
  let at = slabUsed();
  switch (message) {
    case "playerIndex": {
      b[at] = 1;
      end = writeClientPlayerIndex(b, at + free, v as Members);
      break;
    }
    case "playerInfoInit": {
      b[at] = 2;
      end = writeClientPlayerInfoInit(b, at + free, v as Members);
      break;
    }
    case "playerInfo": {
      b = slabFor(8 + lengthOf(memberOf(v, "bytes")) + free);
      at = slabUsed();
      b[at] = 3;
      end = writeClientPlayerInfo(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(native, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const native: CompiledDialect<NativeClientMessage, NativeServerMessage> = {
  dialect: "native",
  idName: "opcode",
  ids: {
    client: { mouseMove: 34 },
    server: { playerIndex: 1, playerInfoInit: 2, playerInfo: 3 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readNativeClientMessage(b, id, at) : readNativeServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeNativeClientMessage(m, before) : writeNativeServerMessage(m, before)) as never,
};

export const nativeRows = { records: readRecordValue2Into };

export type DocumentedClientMessage = { message: "mouseMove"; value: DocumentedMouseMove };

function readDocumentedClientMessage(b: Uint8Array, id = b[0]!, at = 1): DocumentedClientMessage {
  const end = b.length;
  let message: DocumentedClientMessage["message"];
  let value: DocumentedClientMessage["value"] | undefined;
  switch (id) {
    case 34: {
      message = "mouseMove";
      value = readDocumentedMouseMove(b, at, end);
      break;
    }
    default: throw noMessage(documented, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as DocumentedClientMessage;
}

function writeDocumentedClientMessage({ message, value: v }: DocumentedClientMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(255 + free);
  let at = slabUsed();
  switch (message) {
    case "mouseMove": {
      b[at] = 34;
      end = writeDocumentedMouseMove(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documented, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type DocumentedServerMessage = { message: "playerIndex"; value: ClientPlayerIndex } | { message: "playerInfoInit"; value: ClientPlayerInfoInit } | { message: "playerInfo"; value: ClientPlayerInfo };

function readDocumentedServerMessage(b: Uint8Array, id = b[0]!, at = 1): DocumentedServerMessage {
  const end = b.length;
  let message: DocumentedServerMessage["message"];
  let value: DocumentedServerMessage["value"] | undefined;
  switch (id) {
    case 1: {
      message = "playerIndex";
      value = readClientPlayerIndex(b, at, end);
      break;
    }
    case 2: {
      message = "playerInfoInit";
      value = readClientPlayerInfoInit(b, at, end);
      break;
    }
    case 3: {
      message = "playerInfo";
      value = readClientPlayerInfo(b, at, end);
      break;
    }
    default: throw noMessage(documented, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as DocumentedServerMessage;
}

function writeDocumentedServerMessage({ message, value: v }: DocumentedServerMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(4608 + free);
  let at = slabUsed();
  switch (message) {
    case "playerIndex": {
      b[at] = 1;
      end = writeClientPlayerIndex(b, at + free, v as Members);
      break;
    }
    case "playerInfoInit": {
      b[at] = 2;
      end = writeClientPlayerInfoInit(b, at + free, v as Members);
      break;
    }
    case "playerInfo": {
      b = slabFor(8 + lengthOf(memberOf(v, "bytes")) + free);
      at = slabUsed();
      b[at] = 3;
      end = writeClientPlayerInfo(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documented, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const documented: CompiledDialect<DocumentedClientMessage, DocumentedServerMessage> = {
  dialect: "documented",
  idName: "opcode",
  ids: {
    client: { mouseMove: 34 },
    server: { playerIndex: 1, playerInfoInit: 2, playerInfo: 3 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readDocumentedClientMessage(b, id, at) : readDocumentedServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeDocumentedClientMessage(m, before) : writeDocumentedServerMessage(m, before)) as never,
};

export const documentedRows = { records: readRecordValue3Into };
