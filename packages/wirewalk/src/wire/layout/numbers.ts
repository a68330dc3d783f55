import type { LayoutReader, LayoutWriter } from "./cursor.ts";
import { type Layout, leaf, nameOfJson, refuse, refuseJson } from "./layout.ts";
import type { ByteTransform, FloatNode, IntegerNode, IntegerOrder } from "./node.ts";
import { type Adapt, FAILED, type Plan, setPlan } from "./plan.ts";

const itself = <T>(value: T): T => value;

/** An integer as it is described. */
export type IntegerOptions = Omit<IntegerNode, "kind" | "order" | "signed"> & {
  readonly order?: IntegerOrder;
  readonly signed?: boolean;
};

interface RawInteger {
  read(reader: LayoutReader): number;
  write(writer: LayoutWriter, value: number): void;
}

/** Integers of whole bytes that the cursors read by themselves. */
const rawIntegers: Readonly<Record<string, RawInteger>> = {
  u8be: { read: (reader) => reader.u8(), write: (writer, value) => writer.u8(value) },
  i8be: { read: (reader) => reader.i8(), write: (writer, value) => writer.i8(value) },
  u16le: { read: (reader) => reader.u16le(), write: (writer, value) => writer.u16le(value) },
  u16be: { read: (reader) => reader.u16be(), write: (writer, value) => writer.u16be(value) },
  i16le: { read: (reader) => reader.i16le(), write: (writer, value) => writer.i16le(value) },
  i16be: { read: (reader) => reader.i16be(), write: (writer, value) => writer.i16be(value) },
  u32le: { read: (reader) => reader.u32le(), write: (writer, value) => writer.u32le(value) },
  u32be: { read: (reader) => reader.u32be(), write: (writer, value) => writer.u32be(value) },
  i32le: { read: (reader) => reader.i32le(), write: (writer, value) => writer.i32le(value) },
  i32be: { read: (reader) => reader.i32be(), write: (writer, value) => writer.i32be(value) },
};

/** Integers of other widths: bits, most significant first. */
function rawBits(bits: number, signed: boolean): RawInteger {
  if (!signed) return { read: (reader) => reader.bits(bits), write: (writer, value) => writer.bits(bits, value) };
  const shift = 32 - bits;
  return {
    read: (reader) => (reader.bits(bits) << shift) >> shift,
    write: (writer, value) => writer.bits(bits, value < 0 ? value + 2 ** bits : value),
  };
}

/** Three bytes, low byte first: the cursors have no verb of their own for them. */
function rawLowFirst24(signed: boolean): RawInteger {
  const swapped = (value: number): number => ((value & 0xff) << 16) | (value & 0xff00) | ((value >> 16) & 0xff);
  return {
    read: (reader) => {
      const value = swapped(reader.bits(24));
      return signed ? (value << 8) >> 8 : value;
    },
    write: (writer, value) => writer.bits(24, swapped(value)),
  };
}

/** Four bytes, high byte first, with the two of each half exchanged (`2301`), or the halves (`1032`). Either undoes itself. */
function mixed(word: number, order: IntegerOrder): number {
  const halves = (word << 16) | (word >>> 16);
  return order === "1032" ? halves : ((word & 0xff00ff) << 8) | ((word >>> 8) & 0xff00ff);
}

/** Four bytes in a mixed order: the cursors have no verbs of their own for them. */
function rawMixed(order: IntegerOrder, signed: boolean): RawInteger {
  return {
    read: (reader) => {
      const word = mixed(reader.i32be(), order);
      return signed ? word : word >>> 0;
    },
    write: (writer, value) => writer.u32be(mixed(value, order) >>> 0),
  };
}

/** `u16le`, `i3`, `i32 2301`: how an integer is called in errors and tables. */
export function integerName({ bits, signed, order }: Pick<IntegerNode, "bits" | "signed" | "order">): string {
  const name = `${signed ? "i" : "u"}${bits}`;
  if (bits % 8 !== 0 || bits === 8) return name;
  return isMixed(order) ? `${name} ${order}` : name + order;
}

function isMixed(order: IntegerOrder): boolean {
  return order !== "be" && order !== "le";
}

/** The least and greatest value of an integer. */
export function integerRange(node: IntegerNode): { min: number; max: number } {
  const { bits, signed, bias = 0, divisor = 1 } = node;
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const { min = (low - bias) / divisor, max = (high - bias) / divisor } = node;
  return { min, max };
}

/** The low byte of a number as it stands on the wire. */
export function transformByte(byte: number, transform: ByteTransform | undefined): number {
  switch (transform) {
    case undefined:
      return byte & 0xff;
    case "+128":
      return (byte + 128) & 0xff;
    case "neg":
      return -byte & 0xff;
    case "sub":
      return (128 - byte) & 0xff;
  }
}

/** The reverse. */
export function untransformByte(byte: number, transform: ByteTransform | undefined): number {
  // +128 undoes itself, and so do the two subtractions.
  return transformByte(byte, transform);
}

/** An integer. Throws `RangeError` for a description that cannot be. */
export function integer(options: IntegerOptions): Layout<number> {
  const { bits, signed = false, order = "be", transform, bias = 0, divisor = 1, ...rest } = options;
  if (!(Number.isInteger(bits) && bits >= 1 && bits <= 32)) throw new RangeError(`bits must be in 1..32, got ${bits}`);
  if (isMixed(order) && bits !== 32) throw new RangeError(`only 32 bits can have the order ${order}, got ${bits}`);
  if (transform !== undefined && bits % 8 !== 0) throw new RangeError("only whole bytes can be transformed");
  const node: IntegerNode = {
    kind: "integer",
    bits,
    signed,
    order,
    ...(transform === undefined ? {} : { transform }),
    ...(bias === 0 ? {} : { bias }),
    ...(divisor === 1 ? {} : { divisor }),
    ...rest,
  };
  const name = integerName(node);
  const { min, max } = integerRange(node);
  const { min: least, max: most } = integerRange({ kind: "integer", bits, signed, order, bias, divisor });
  if (!(min >= least && max <= most)) {
    throw new RangeError(`${name} holds ${least}..${most}, so min and max must not be ${min} and ${max}`);
  }
  const plain = transform === undefined && bias === 0 && divisor === 1;
  const ranged = options.min !== undefined || options.max !== undefined;
  const rawName = bits === 8 ? `${signed ? "i" : "u"}8be` : name;
  // A transformed number is turned back first and gets its sign afterwards.
  const plainRaw = (): RawInteger => {
    if (isMixed(order)) return rawMixed(order, signed);
    return rawName.endsWith("24le") ? rawLowFirst24(signed) : rawBits(bits, signed);
  };
  const raw = transform === undefined ? (rawIntegers[rawName] ?? plainRaw()) : transformedRaw(node, transform);

  const check = (value: number): void => {
    if (typeof value !== "number")
      throw new TypeError(`${name} must be an integer in ${min}..${max}, got ${String(value)}`);
    if (value >= min && value <= max && (divisor === 1 ? Number.isInteger(value) : Number.isInteger(value * divisor)))
      return;
    const what = divisor === 1 ? "an integer" : `a multiple of 1/${divisor}`;
    throw new RangeError(`${name} must be ${what} in ${min}..${max}, got ${value}`);
  };

  let read = raw.read;
  let write = raw.write;
  if (!plain && (bias !== 0 || divisor !== 1)) {
    read = (reader) => (raw.read(reader) - bias) / divisor;
    write = (writer, value) => {
      check(value);
      raw.write(writer, value * divisor + bias);
    };
  } else if (!(rawName in rawIntegers) || transform !== undefined || ranged) {
    write = (writer, value) => {
      check(value);
      raw.write(writer, value);
    };
  }
  const layout = leaf<number>({
    node,
    read,
    write,
    // Of a number that is changed on its way a trace shows what stands on the wire.
    raw: plain ? itself : (value) => wireNumber(node, value),
    show: String,
    toJson: itself,
    fromJson(json) {
      if (typeof json !== "number" || json < min || json > max || !Number.isInteger(json * divisor)) {
        const what = divisor === 1 ? "an integer" : `a multiple of 1/${divisor}`;
        refuseJson(`${name} must be ${what} in ${min}..${max}, got ${nameOfJson(json)}`);
      }
      return json + 0;
    },
  });
  const turned = transform === undefined ? undefined : bareNode(node, transform);
  const adapt: Adapt = (wire) => {
    const value = ((turned === undefined ? wire : valueOfWire(turned, wire)) - bias) / divisor;
    return value >= min && value <= max ? value : FAILED;
  };
  const prepare = (value: number): number | typeof FAILED => {
    if (!(value >= min && value <= max && Number.isInteger(value * divisor)) || typeof value !== "number")
      return FAILED;
    return turned === undefined ? value * divisor + bias : wireNumber(node, value);
  };
  const plan: Plan = {
    kind: "integer",
    bits,
    signed: signed && turned === undefined,
    order,
    ...(plain && !ranged ? {} : { adapt, prepare }),
  };
  setPlan(write, plan);
  // A plain reader is shared by all integers of its form: the plan of one with a range would be theirs.
  if (!ranged) {
    setPlan(read, plan);
    return layout;
  }
  const inRange = (value: number, at: number): number =>
    value >= min && value <= max ? value : refuse("bad-value", `${value} is not in ${min}..${max}`, at);
  const readInRange = (reader: LayoutReader): number => {
    const at = reader.bitOffset;
    return inRange(read(reader), at);
  };
  setPlan(readInRange, plan);
  return {
    ...layout,
    read: readInRange,
    // A trace shows the number that is refused.
    trace(reader, tracer, path) {
      const at = reader.bitOffset;
      return inRange(layout.trace(reader, tracer, path), at);
    },
  };
}

/** The unsigned number that stands on the wire for a value. */
export function wireNumber({ bits, bias = 0, divisor = 1, transform }: IntegerNode, value: number): number {
  const shifted = value * divisor + bias;
  const unsigned = shifted < 0 ? shifted + 2 ** bits : shifted;
  return unsigned - (unsigned % 256) + (transform === undefined ? unsigned % 256 : transformByte(unsigned, transform));
}

/** The value for an unsigned number on the wire. */
function valueOfWire({ bits, signed, transform }: IntegerNode, wire: number): number {
  const low = wire % 256;
  const unsigned = wire - low + untransformByte(low, transform);
  return signed && unsigned >= 2 ** (bits - 1) ? unsigned - 2 ** bits : unsigned;
}

const bareNode = ({ bits, signed, order }: IntegerNode, transform: ByteTransform): IntegerNode => {
  return { kind: "integer", bits, signed, order, transform };
};

function transformedRaw(node: IntegerNode, transform: ByteTransform): RawInteger {
  const { bits, order } = node;
  const wire = isMixed(order) ? rawMixed(order, false) : rawIntegers[bits === 8 ? "u8be" : `u${bits}${order}`];
  if (wire === undefined) throw new RangeError(`${bits} bits cannot be transformed`);
  const bare = bareNode(node, transform);
  return {
    read: (reader) => valueOfWire(bare, wire.read(reader)),
    write: (writer, value) => wire.write(writer, wireNumber(bare, value)),
  };
}

/** An unsigned byte, 0..255. */
export const u8: Layout<number> = integer({ bits: 8 });
/** A signed byte, -128..127. */
export const i8: Layout<number> = integer({ bits: 8, signed: true });
/** Two bytes, 0..65535, low byte first. */
export const u16le: Layout<number> = integer({ bits: 16, order: "le" });
/** Two bytes, 0..65535, high byte first. */
export const u16be: Layout<number> = integer({ bits: 16 });
/** Two bytes, -32768..32767, low byte first. */
export const i16le: Layout<number> = integer({ bits: 16, signed: true, order: "le" });
/** Two bytes, -32768..32767, high byte first. */
export const i16be: Layout<number> = integer({ bits: 16, signed: true });
/** Four bytes, 0..4294967295, low byte first. */
export const u32le: Layout<number> = integer({ bits: 32, order: "le" });
/** Four bytes, 0..4294967295, high byte first. */
export const u32be: Layout<number> = integer({ bits: 32 });
/** Four bytes, -2147483648..2147483647, low byte first. */
export const i32le: Layout<number> = integer({ bits: 32, signed: true, order: "le" });
/** Four bytes, -2147483648..2147483647, high byte first. */
export const i32be: Layout<number> = integer({ bits: 32, signed: true });

/** An unsigned integer of `width` bits, for layouts within `bits`. */
export function uint(width: number): Layout<number> {
  return integer({ bits: width });
}

const U64_DIGITS = 20;

const readU64le = (reader: LayoutReader): bigint => reader.u64le();
const writeU64le = (writer: LayoutWriter, value: bigint): void => writer.u64le(value);
setPlan(readU64le, { kind: "integer", bits: 64, signed: false, order: "le" });
setPlan(writeU64le, { kind: "integer", bits: 64, signed: false, order: "le" });

/** Eight bytes, a bigint in 0..2^64 - 1, low byte first. In JSON decimal digits. */
export const u64le: Layout<bigint> = leaf<bigint>({
  node: { kind: "integer", bits: 64, signed: false, order: "le" },
  read: readU64le,
  write: writeU64le,
  raw: itself,
  show: String,
  toJson: String,
  fromJson(json) {
    const isDigits = typeof json === "string" && json.length <= U64_DIGITS && /^\d+$/.test(json);
    if (!isDigits || BigInt(json) >= 1n << 64n) {
      refuseJson(`it must be a decimal number as text, 0 to 2^64 - 1, got ${nameOfJson(json)}`);
    }
    return BigInt(json);
  },
});

/** The most that two bytes with a mark hold. */
const MAX_SMART = 0x7fff;
/** The most that four bytes with a mark hold. */
const MAX_WIDE_SMART = 0x7fff_ffff;
/** What stands in two bytes of a wide smart for -1. */
const WIDE_NONE = 0x7fff;

/**
 * One byte under 128, or two bytes with the highest bit set. `wide`: two bytes under 32767, or four bytes with the highest
 * bit set, and two bytes of 32767 for -1. `max`: the most that is written.
 */
export function smart(options: { max?: number; wide?: boolean } = {}): Layout<number> {
  const { wide = false } = options;
  const [least, most] = wide ? [-1, MAX_WIDE_SMART] : [0, MAX_SMART];
  const { max = most } = options;
  const wanted = `smart must be an integer in ${least}..${max}, got`;
  return leaf<number>({
    node: { kind: "smart", ...(max === most ? {} : { max }), ...(wide ? { wide: true } : {}) },
    read: wide
      ? readWideSmart
      : (reader) => {
          const value = reader.peekU8() < 128 ? reader.u8() : reader.u16be() - 0x8000;
          return value;
        },
    write(writer, value) {
      if (typeof value !== "number") throw new TypeError(`${wanted} ${String(value)}`);
      if (!(Number.isInteger(value) && value >= least && value <= max)) throw new RangeError(`${wanted} ${value}`);
      if (wide) writeWideSmart(writer, value);
      else if (value < 128) writer.u8(value);
      else writer.u16be(value + 0x8000);
    },
    raw: itself,
    show: String,
    toJson: itself,
    fromJson(json) {
      if (typeof json !== "number" || !Number.isInteger(json) || json < least || json > max) {
        refuseJson(`${wanted} ${nameOfJson(json)}`);
      }
      return json;
    },
  });
}

function readWideSmart(reader: LayoutReader): number {
  if (reader.peekU8() >= 128) return reader.u32be() - 0x8000_0000;
  const value = reader.u16be();
  return value === WIDE_NONE ? -1 : value;
}

function writeWideSmart(writer: LayoutWriter, value: number): void {
  if (value === -1) writer.u16be(WIDE_NONE);
  else if (value < WIDE_NONE) writer.u16be(value);
  else writer.u32be(value + 0x8000_0000);
}

/** What a float is besides its bits. */
export type FloatOptions = Pick<FloatNode, "order" | "finite">;

/** A 32-bit float. `finite`: NaN and infinities are refused, and -0 reads and writes as 0. */
export function float32({ order, finite = false }: FloatOptions): Layout<number> {
  const name = `f32${order}`;
  const readBits = (reader: LayoutReader): number => (order === "le" ? reader.f32le() : reader.f32be());
  const writeBits = (writer: LayoutWriter, value: number): void =>
    order === "le" ? writer.f32le(value) : writer.f32be(value);
  const readFinite = (reader: LayoutReader): number => {
    const at = reader.bitOffset;
    const value = readBits(reader);
    if (!Number.isFinite(value)) refuse("bad-value", `${value} is not finite`, at);
    return value + 0;
  };
  const read = finite ? readFinite : readBits;
  const adapt: Adapt = (value) => (Number.isFinite(value) ? value + 0 : FAILED);
  const writeFinite = (writer: LayoutWriter, value: number): void => {
    if (typeof value === "number" && !Number.isFinite(Math.fround(value))) {
      throw new RangeError(`value must fit a 32-bit float, got ${value}`);
    }
    writeBits(writer, typeof value === "number" ? value + 0 : value);
  };
  const write = finite ? writeFinite : writeBits;
  const prepare = (value: number): number | typeof FAILED =>
    typeof value === "number" && Number.isFinite(Math.fround(value)) ? value + 0 : FAILED;
  const plan: Plan = { kind: "float", order, ...(finite ? { adapt, prepare } : {}) };
  setPlan(read, plan);
  setPlan(write, plan);
  return leaf<number>({
    node: { kind: "float", bits: 32, order, ...(finite ? { finite } : {}) },
    read,
    write,
    raw: itself,
    show: formatF32,
    // JSON has no NaN and no infinities: they become strings.
    toJson: (value) => (Number.isFinite(value) ? value : String(value)),
    fromJson(json) {
      if (typeof json === "number") {
        const value = Math.fround(json);
        if (finite && !Number.isFinite(value)) refuseJson(`value must fit a 32-bit float, got ${json}`);
        return finite ? value + 0 : value;
      }
      if (!finite && (json === "NaN" || json === "Infinity" || json === "-Infinity")) return Number(json);
      return refuseJson(`${name} must be a number, got ${nameOfJson(json)}`);
    },
  });
}

/** A 32-bit float, low byte first; writing rounds to the nearest. The payload of a NaN is lost. */
export const f32le: Layout<number> = float32({ order: "le" });
/** A 32-bit float, high byte first; writing rounds to the nearest. The payload of a NaN is lost. */
export const f32be: Layout<number> = float32({ order: "be" });

/** The shortest decimal that is this 32-bit float: 0.165, not 0.16500000655651093. */
export function formatF32(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(short), value)) return Object.is(short, -0) ? "-0" : String(short);
  }
  return String(value);
}
