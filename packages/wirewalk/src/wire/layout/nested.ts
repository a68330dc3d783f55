/**
 * Layouts around layouts: bits within bytes, tags of variable length, sized parts, compressed blocks.
 *
 * @module
 */
import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeLz4Block, encodeLz4BlockInto, lz4BlockBound, traceLz4Block } from "../lz4-block.ts";
import { Tracer } from "../trace.ts";
import { countBytes, joinPath, placeText, readAt, readPath, WireError, withPath } from "../wire-error.ts";
import { checkWithinBytes } from "./byte-edges.ts";
import { plannedRead } from "./compile.ts";
import { plannedWrite } from "./compile-write.ts";
import {
  BitLayoutReader,
  BitLayoutWriter,
  type BitOrder,
  type LayoutReader,
  type LayoutWriter,
  placeOf,
} from "./cursor.ts";
import { encode, type Layout, leaf, nameOfJson, readPart, refuse, refuseJson } from "./layout.ts";
import { type Plan, setPlan } from "./plan.ts";
import { sizeOf } from "./size.ts";

/** How bits lie in their bytes. */
export interface BitsOptions {
  /** Which bit of a byte comes first. With `lsb` no number may lie in two bytes: else `bits` throws `TypeError`. Default `msb`. */
  readonly first?: BitOrder;
  /** What is left of the last byte: it must be 0 (default), or it is read over. It is written as 0. */
  readonly padding?: "zero" | "any";
  /** How a trace calls the padding. Default `padding`. */
  readonly paddingName?: string;
}

/**
 * Numbers of any width one after another, with no regard to byte boundaries, in as many bytes as they need:
 *
 * `bits(struct({ level: uint(2), x: uint(14), z: uint(14) }), { padding: "any" })`.
 */
export function bits<T>(of: Layout<T>, options: BitsOptions = {}): Layout<T> {
  const { first = "msb", padding = "zero", paddingName = "padding" } = options;
  if (first === "lsb") checkWithinBytes(of.node);

  function readWith(reader: LayoutReader, read: (inner: LayoutReader) => T, tracer?: Tracer, path = ""): T {
    const inner = new BitLayoutReader(
      reader.region(0, reader.end),
      reader.offset,
      reader.end,
      first,
      reader.claimedEnd,
    );
    const value = read(inner);
    const at = inner.bitOffset;
    const width = -at & 7;
    if (width > 0) {
      const rest = inner.bits(width);
      const place = placeOf(inner, at, width);
      tracer?.field(joinPath(path, paddingName), place, width, rest, padding === "any" ? "ignored" : String(rest));
      if (rest !== 0 && padding === "zero") {
        throw new WireError(
          "bad-value",
          `Cannot read ${paddingName}: ${rest} is not 0 at ${placeText(place)}`,
          place,
          paddingName,
        );
      }
    }
    reader.seek(inner.bitOffset);
    return value;
  }

  const plan: Plan = { kind: "bits", of, first, padding };
  return {
    ...of,
    node: { kind: "bits", first, of: of.node, padding: { name: paddingName, value: padding } },
    read: plannedRead(plan, (reader) => readWith(reader, (inner) => of.read(inner))),
    trace: (reader, tracer, path) => readWith(reader, (inner) => of.trace(inner, tracer, path), tracer, path),
    write: plannedWrite(plan, (writer, value: T) => {
      const inner = new BitLayoutWriter(writer, first);
      of.write(inner, value);
      inner.finish();
    }),
  };
}

/** A tag of variable length, within `bits`: `prefix({ small: "0", medium: "100" })`. No code begins with another. */
export function prefix<const N extends string>(codes: Record<N, string>): Layout<N> {
  const entries = Object.entries<string>(codes) as [N, string][];
  for (const [name, code] of entries) {
    if (!/^[01]{1,16}$/.test(code)) throw new RangeError(`the code of ${name} must be 1 to 16 bits, got ${code}`);
    const other = entries.find(([another, begin]) => another !== name && code.startsWith(begin));
    if (other !== undefined) throw new RangeError(`the code of ${name} begins with that of ${other[0]}`);
  }
  const known = entries.map(([name]) => name).join(", ");
  const longest = Math.max(...entries.map(([, code]) => code.length));

  function read(reader: LayoutReader): N {
    const at = reader.bitOffset;
    let code = "";
    while (code.length < longest) {
      code += reader.bits(1);
      const found = entries.find(([, each]) => each === code);
      if (found !== undefined) return found[0];
      if (!entries.some(([, each]) => each.startsWith(code))) break;
    }
    return refuse("unknown-variant", `bits ${code} begin none of ${known}`, at);
  }

  const plan: Plan = { kind: "prefix", codes };
  const write = (writer: LayoutWriter, name: N): void => {
    const code = Object.hasOwn(codes, name) ? codes[name] : undefined;
    if (code === undefined) throw new RangeError(`value must be one of ${known}, got ${String(name)}`);
    // Bit by bit: the first one comes first, whichever bit of a byte that is.
    for (const bit of code) writer.bits(1, Number(bit));
  };
  setPlan(read, plan);
  setPlan(write, plan);
  return {
    node: { kind: "prefix", codes },
    read,
    write,
    trace(reader, tracer, path) {
      const at = reader.bitOffset;
      const name = read(reader);
      const width = reader.bitOffset - at;
      tracer.field(path, placeOf(reader, at, width), width, Number.parseInt(codes[name], 2), name);
      return name;
    },
    toJson: (name) => name,
    fromJson(json) {
      if (typeof json !== "string" || !Object.hasOwn(codes, json)) {
        refuseJson(`value must be one of ${known}, got ${nameOfJson(json)}`);
      }
      return json as N;
    },
  };
}

/** Bits without a meaning, read over and written as 0: for a struct's field whose name begins with `$`. */
export function unused(width: number): Layout<number> {
  if (!(Number.isInteger(width) && width >= 1 && width <= 32)) {
    throw new RangeError(`bits must be in 1..32, got ${width}`);
  }
  const read = (reader: LayoutReader): number => reader.bits(width);
  const write = (writer: LayoutWriter): void => writer.bits(width, 0);
  const plan: Plan = { kind: "integer", bits: width, signed: false, order: "be", prepare: () => 0 };
  setPlan(read, plan);
  setPlan(write, plan);
  return leaf<number>({
    node: { kind: "unused", bits: width },
    read,
    write,
    raw: (value) => value,
    show: String,
    toJson: () => 0,
    fromJson: () => 0,
  });
}

/** `of` to the end of the bytes, of which there are at most so many. More are refused with `limit` under `name`. */
export function limited<T>(of: Layout<T>, options: { bytes: number; name: string }): Layout<T> {
  const { bytes, name } = options;

  const over = (count: number): string => `${countBytes(count)} are over its limit of ${bytes}`;

  function check(reader: LayoutReader): void {
    const { remaining, bitOffset } = reader;
    if (remaining > bytes) throw new WireError("limit", `Cannot read ${name}: ${over(remaining)}`, bitOffset, name);
  }

  const plan: Plan = { kind: "limited", of, bytes };
  return {
    ...of,
    node: { kind: "limited", bytes, name, of: of.node },
    read: plannedRead(plan, (reader) => {
      check(reader);
      return of.read(reader);
    }),
    trace(reader, tracer, path) {
      check(reader);
      return of.trace(reader, tracer, path);
    },
    write: plannedWrite(plan, (writer, value: T) => {
      const before = writer.length;
      of.write(writer, value);
      const count = writer.length - before;
      if (count > bytes) throw withPath(new RangeError(over(count)), name);
    }),
    fromJson(json) {
      const value = of.fromJson(json);
      const { length } = encode(of, value);
      if (length > bytes) throw new WireError("limit", `Cannot read ${name}: ${over(length)}`, 0, name);
      return value;
    },
  };
}

/**
 * A size in bytes, then content that fills it exactly. `extra`: how many bytes the size counts beside the content, itself
 * perhaps. A size that its content does not fill, or that it overflows, is refused with `bad-length`.
 */
export function sized<T>(size: Layout<number>, of: Layout<T>, options: { extra?: number } = {}): Layout<T> {
  const { extra = 0 } = options;
  const SIZE = "size";
  const least = extra + sizeOf(of.node).least / 8;

  function readWith(reader: LayoutReader, tracer: Tracer | undefined, path: string): T {
    const at = reader.bitOffset;
    const { depth } = readPath;
    const count = readPart(SIZE, reader, tracer, path, size, (found) => {
      tracer?.reshow(countBytes(found));
      if (found < least) refuse("bad-length", `${found} is less than ${least}, its least`, at);
    });
    const start = reader.offset;
    const claimed = start + count - extra;
    const end = Math.min(claimed, reader.end);
    const inner = new ByteReader(reader.region(0, end), start, end, claimed);
    let value: T;
    try {
      value = tracer === undefined ? of.read(inner) : of.trace(inner, tracer, path);
    } catch (error) {
      // The content needs more bytes than its size says, and they are there: the size is wrong.
      if (error instanceof WireError && error.code === "truncated" && claimed < reader.end) {
        readPath.depth = depth;
        throw badSize(`${count} is too small for its content`, at);
      }
      throw error;
    }
    const used = inner.offset - start + extra;
    if (used !== count) throw badSize(`${count} where its content has ${used}`, at);
    reader.seek(inner.bitOffset);
    return value;
  }

  function badSize(why: string, at: number): unknown {
    return new WireError("bad-length", `Cannot read ${SIZE}: ${why} at ${placeText(at)}`, at, SIZE);
  }

  const plan: Plan = { kind: "sized", size, of, extra, least };
  return {
    ...of,
    node: { kind: "sized", size: size.node, extra, of: of.node },
    read: plannedRead(plan, (reader) => readWith(reader, undefined, "")),
    trace: (reader, tracer, path) => readWith(reader, tracer, path),
    write: plannedWrite(plan, (writer, value: T) => {
      const content = new ByteWriter();
      of.write(content, value);
      try {
        size.write(writer, content.length + extra);
      } catch (error) {
        throw withPath(error, SIZE);
      }
      writer.bytes(content.view());
    }),
  };
}

/** How a compressed block is read. */
export interface Lz4BlockOptions {
  /** The most bytes that may come out; more are refused with `limit`. */
  readonly limit: number;
  /** `ignore`: bits of the block that no sender sets may be set. Default `refuse`. */
  readonly reserved?: "refuse" | "ignore";
}

const BLOCK = "block";

/**
 * An LZ4 block to the end of the bytes, which holds `of`. Where the block is nothing but literals, fields and errors have
 * their places in it; otherwise a trace shows the pieces of the block, and the fields of what came out as its `inner`.
 */
export function lz4Block<T>(of: Layout<T>, options: Lz4BlockOptions): Layout<T> {
  const { limit, reserved = "refuse" } = options;
  const size = sizeOf(of.node);
  const exact = size.least === size.most ? size.most / 8 : undefined;
  // Used for one message after the other.
  const unpacked = new ByteWriter();
  let packed = new Uint8Array(0);

  function unpack(reader: LayoutReader): { block: Uint8Array; body: Uint8Array; start: number } {
    const start = reader.offset;
    const block = reader.region(0, reader.end);
    return readAt(BLOCK, () => {
      const body = decodeLz4Block(block, { limit, start, unusedBits: reserved });
      if (body.length !== exact && exact !== undefined) {
        const why = `${body.length} of its ${countBytes(exact)} come out`;
        throw new WireError("bad-length", `Cannot read value: ${why} at ${placeText(reader.end * 8)}`, reader.end * 8);
      }
      reader.skip(reader.remaining);
      return { block, body, start };
    });
  }

  function readBody(body: Uint8Array, block: Uint8Array, start: number): T {
    try {
      const inner = new ByteReader(body);
      const value = of.read(inner);
      inner.expectEnd();
      return value;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const { code, message, bitOffset, path } = error;
      const literals = literalsStart(block, start);
      const place = literals === undefined ? start * 8 : bitOffset + literals * 8;
      throw new WireError(code, `${message} of the body`, place, path);
    }
  }

  return {
    ...of,
    node: { kind: "compressed", method: "lz4-block", limit, reserved, of: of.node },
    read(reader) {
      const { block, body, start } = unpack(reader);
      return readBody(body, block, start);
    },
    write(writer, value) {
      unpacked.reset();
      of.write(unpacked, value);
      const bytes = unpacked.view();
      const most = lz4BlockBound(bytes.length);
      if (packed.length < most) packed = new Uint8Array(2 * most);
      writer.bytes(packed.subarray(0, encodeLz4BlockInto(packed, bytes)));
    },
    trace(reader, tracer, path) {
      const start = reader.offset;
      const whole = reader.region(0, reader.end);
      let body: Uint8Array;
      try {
        ({ body } = unpack(reader));
      } catch (error) {
        traceLz4Block(tracer, joinPath(path, BLOCK), whole, start);
        throw error;
      }
      const literals = literalsStart(whole, start);
      if (literals === undefined) {
        traceLz4Block(tracer, joinPath(path, BLOCK), whole, start);
        const inner = new Tracer();
        const found: { value?: unknown; error?: WireError } = {};
        try {
          const bodyReader = new ByteReader(body);
          found.value = of.trace(bodyReader, inner, "");
          bodyReader.expectEnd();
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          found.error = error;
        }
        tracer.inner = { title: "The body that came out of the block", bytes: body, fields: inner.fields, ...found };
        return readBody(body, whole, start);
      }
      tracer.field(joinPath(path, "token"), start * 8, 8, whole[start] as number, literalsText(body.length));
      const more = literals - start - 1;
      if (more > 0) {
        tracer.field(
          joinPath(path, "literalCount"),
          start * 8 + 8,
          more * 8,
          body.length - 15,
          countBytes(body.length),
        );
      }
      try {
        const inner = new ByteReader(whole, literals);
        const value = of.trace(inner, tracer, path);
        inner.expectEnd();
        return value;
      } catch (error) {
        // The error counts from the start of the body, as reading says it.
        readBody(body, whole, start);
        throw error;
      }
    },
  };
}

function literalsText(count: number): string {
  return `${countBytes(count)} of literals follow, no match`;
}

/** Where the body lies in a block that is nothing but literals; undefined when the block has matches. */
function literalsStart(block: Uint8Array, start: number): number | undefined {
  let at = start + 1;
  let literals = (block[start] as number) >>> 4;
  if (literals === 15) {
    for (let more = 255; more === 255; literals += more) more = block[at++] as number;
  }
  return at + literals === block.length ? at : undefined;
}
