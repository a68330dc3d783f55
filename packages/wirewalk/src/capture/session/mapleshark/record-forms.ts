/** Records: how each version lays them out, and how one is read and written (sheet 2.3). */
import { countBytes, WireError } from "../../../wire/index.ts";
import { type RecordTime, type TimeUnit, timeOf } from "./time.ts";

export interface RecordForm {
  /** `bit-15`: the direction is a bit of the size. Otherwise the width of the size, and whether the states of the ciphers follow. */
  readonly name: "bit-15" | "size-16" | "size-16-ivs" | "size-32" | "size-32-ivs";
  /** Time, size, opcode and direction. */
  readonly headBytes: number;
  readonly sizeBytes: 2 | 4;
  readonly hasDirectionByte: boolean;
  /** After the body. */
  readonly ivBytes: 0 | 8;
  /** Of the payload without its opcode. */
  readonly maxBodyBytes: number;
}

/**
 * The longest body that is read and written, 16 MiB, where the format has 31 bits. The game's frames have at most 64 KiB, those of
 * later builds more; a longer one is a number that is no size.
 */
export const MAX_BODY_BYTES = 16_777_216;

const OUTBOUND_BIT = 0x8000;
const TIME_BYTES = 8;
/** Of a payload: u16, low byte first. In a file the direction may stand between it and the body. */
export const OPCODE_BYTES = 2;

export const recordForms = {
  bit15: {
    name: "bit-15",
    headBytes: 12,
    sizeBytes: 2,
    hasDirectionByte: false,
    ivBytes: 0,
    maxBodyBytes: OUTBOUND_BIT - 1,
  },
  size16: { name: "size-16", headBytes: 13, sizeBytes: 2, hasDirectionByte: true, ivBytes: 0, maxBodyBytes: 0xffff },
  size16Ivs: {
    name: "size-16-ivs",
    headBytes: 13,
    sizeBytes: 2,
    hasDirectionByte: true,
    ivBytes: 8,
    maxBodyBytes: 0xffff,
  },
  size32: {
    name: "size-32",
    headBytes: 15,
    sizeBytes: 4,
    hasDirectionByte: true,
    ivBytes: 0,
    maxBodyBytes: MAX_BODY_BYTES,
  },
  size32Ivs: {
    name: "size-32-ivs",
    headBytes: 15,
    sizeBytes: 4,
    hasDirectionByte: true,
    ivBytes: 8,
    maxBodyBytes: MAX_BODY_BYTES,
  },
} as const satisfies Readonly<Record<string, RecordForm>>;

export interface RecordHead {
  readonly time: RecordTime;
  readonly opcode: number;
  /** From client to server. */
  readonly isOutbound: boolean;
  readonly bodyBytes: number;
}

/** Where a record stands, and the unit of the times before it. */
export interface RecordPlace {
  /** From 1. */
  readonly number: number;
  /** In the file. */
  readonly byteOffset: number;
  readonly unit: TimeUnit | undefined;
}

/** The head of a record, of which all bytes are there. Throws `WireError` for one that cannot be the head of a record. */
export function readRecordHead(view: DataView, at: number, form: RecordForm, place: RecordPlace): RecordHead {
  const value = view.getBigInt64(at, true);
  const time = timeOf(value);
  if (time === undefined || (place.unit !== undefined && time.unit !== place.unit)) refuseTime(value, form, place);
  const sizeAt = at + TIME_BYTES;
  const opcodeAt = sizeAt + form.sizeBytes;
  const size = form.sizeBytes === 2 ? view.getUint16(sizeAt, true) : view.getInt32(sizeAt, true);
  const opcode = view.getUint16(opcodeAt, true);
  if (!form.hasDirectionByte) {
    const isOutbound = (size & OUTBOUND_BIT) !== 0;
    return { time, opcode, isOutbound, bodyBytes: size & ~OUTBOUND_BIT };
  }
  if (size < 0 || size > form.maxBodyBytes) {
    const why = `its size is ${size}, expected 0 to ${form.maxBodyBytes}`;
    throw refusal("limit", why, place, sizeAt - at);
  }
  const direction = view.getUint8(opcodeAt + OPCODE_BYTES);
  if (direction > 1) {
    const why = `its direction is ${direction}, expected 0 or 1${cutSizeHint(form, place)}`;
    throw refusal("bad-value", why, place, opcodeAt + OPCODE_BYTES - at);
  }
  return { time, opcode, isOutbound: direction === 1, bodyBytes: size };
}

/** A payload in memory of its own. */
export function payloadOf(opcode: number, body: Uint8Array): Uint8Array {
  const payload = new Uint8Array(OPCODE_BYTES + body.length);
  payload[0] = opcode & 0xff;
  payload[1] = opcode >> 8;
  payload.set(body, OPCODE_BYTES);
  return payload;
}

/** The bytes of a record up to its body. Its size fits the form. */
export function recordHeadBytes(form: RecordForm, time: bigint, head: Omit<RecordHead, "time">): Uint8Array {
  const bytes = new Uint8Array(form.headBytes);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(0, time, true);
  const { opcode, isOutbound, bodyBytes } = head;
  const opcodeAt = TIME_BYTES + form.sizeBytes;
  if (form.sizeBytes === 4) view.setInt32(TIME_BYTES, bodyBytes, true);
  else view.setUint16(TIME_BYTES, bodyBytes | (isOutbound && !form.hasDirectionByte ? OUTBOUND_BIT : 0), true);
  view.setUint16(opcodeAt, opcode, true);
  if (form.hasDirectionByte) view.setUint8(opcodeAt + OPCODE_BYTES, isOutbound ? 1 : 0);
  return bytes;
}

/** A record that the end of the file cuts. */
export function cutRecord(needed: number, left: number, place: RecordPlace): WireError {
  return refusal("truncated", `${countBytes(needed)} needed, ${left} left`, place, 0);
}

function refuseTime(value: bigint, form: RecordForm, place: RecordPlace): never {
  const expected =
    place.unit === undefined
      ? ".NET ticks or Unix milliseconds of the years 1998 to 2092"
      : `${place.unit === "ticks" ? ".NET ticks" : "Unix milliseconds"} as in the records before`;
  throw refusal("bad-value", `its time is ${value}, expected ${expected}${cutSizeHint(form, place)}`, place, 0);
}

/**
 * QUIRK (sheet 2.5): a body that is longer than the size can say is written whole with a cut size, and all that follows is shifted.
 * Nothing marks where the next record begins.
 */
function cutSizeHint(form: RecordForm, { number }: RecordPlace): string {
  if (number === 1 || form.sizeBytes === 4) return "";
  const cut = `a payload of ${form.maxBodyBytes + 1} bytes or more before it was written with a cut size`;
  return `: the file is damaged, or ${cut}, as this version does`;
}

function refusal(
  code: "truncated" | "limit" | "bad-value",
  why: string,
  place: RecordPlace,
  offset: number,
): WireError {
  const byteOffset = place.byteOffset + offset;
  return new WireError(code, `Cannot read record ${place.number}: ${why} at byte ${byteOffset}`, byteOffset * 8);
}
