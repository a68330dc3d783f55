/**
 * Mask blocks as bytes, by the data of a revision.
 *
 * ```ts
 * const block = blockNamed(revision206, "faceAngle");
 * const bytes = new ByteArena();
 * writeBlock(block, { angle: 1024 }, bytes);
 * bytes.toBytes(); // => new Uint8Array([0x04, 0x80])
 * readBlock(block, new ByteReader(bytes.toBytes())); // => { angle: 1024 }
 * ```
 */
import {
  type ByteReader,
  ByteWriter,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Layout,
  layoutOf,
  readLayout,
  sizeOf,
  type Tracer,
  toJson,
  traceInto,
  withPath,
  writeLayout,
} from "../../../../../wire/index.ts";
import { unmetNeed } from "./client-needs.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "./mask-revision.ts";

/** Bytes that are appended to, in memory that grows by doubling and is kept when emptied. */
export class ByteArena {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for so many more bytes. What was written may move: `bytes` is another array then. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Copies `length` bytes from `start` on. */
  append(from: Uint8Array, start: number, length: number): void {
    this.reserve(length);
    const { bytes } = this;
    const at = this.length;
    // Most blocks are a few bytes, for which calling `set` with a view costs more than copying.
    if (length > 64) bytes.set(from.subarray(start, start + length), at);
    else for (let byte = 0; byte < length; byte++) bytes[at + byte] = from[start + byte] as number;
    this.length = at + length;
  }

  /** What was written, copied. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}

/** The block of that name. Throws `RangeError` when the revision has none. */
export function blockNamed(revision: MaskRevision, name: string): MaskBlock {
  const block = revision.blocks.find((each) => each.name === name);
  if (block === undefined) throw new RangeError(`Revision ${revision.name} has no mask block "${name}"`);
  return block;
}

const layouts = new WeakMap<MaskBlock, Layout<MaskFields>>();

/** Made once for each block. */
function layoutFor(block: MaskBlock): Layout<MaskFields> {
  let layout = layouts.get(block);
  if (layout === undefined) {
    layout = layoutOf(block.node) as Layout<MaskFields>;
    layouts.set(block, layout);
  }
  return layout;
}

/** A block is written here first, so that one that is refused leaves nothing behind. */
const scratch = new ByteWriter(1024);

/**
 * Appends a block. Throws `TypeError` or `RangeError` that names the field when the value does not fit, and appends
 * nothing then.
 */
export function writeBlock(block: MaskBlock, value: MaskFields, out: ByteArena): void {
  scratch.reset();
  try {
    writeLayout(layoutFor(block), scratch, value);
    for (const key in value) {
      const isField = block.node.fields.some(({ name, hidden }) => name === key && hidden === undefined);
      if (!isField) throw withPath(new TypeError("no such field"), key);
    }
    const unmet = unmetNeed(block, value);
    if (unmet !== undefined) throw withPath(new RangeError(unmet.why), unmet.field);
  } catch (error) {
    throw withPath(error, block.name);
  }
  out.append(scratch.view(), 0, scratch.length);
}

/** Appends the flags of some blocks, in as many bytes as they need. `flags`: those of the blocks, without extensions. */
export function writeFlags({ extensions }: MaskRevision, flags: number, out: ByteArena): void {
  const [second = 0, third = 0] = extensions;
  let whole = flags;
  if (whole > 0xffff) whole |= third;
  if (whole > 0xff) whole |= second;
  out.byte(whole);
  if (whole > 0xff) out.byte(whole >> 8);
  if (whole > 0xffff) out.byte(whole >> 16);
}

/** Reads a block. Throws `WireError` with the field's path within the block. */
export function readBlock(block: MaskBlock, reader: ByteReader): MaskFields {
  return readLayout(layoutFor(block), reader);
}

/** Reads a block like {@link readBlock}, and gives the tracer every field under `path`. */
export function traceBlock(block: MaskBlock, reader: ByteReader, tracer: Tracer, path: string): MaskFields {
  return traceInto(layoutFor(block), reader, tracer, path);
}

/** The fields of a block as JSON: bytes as hex. */
export function blockToJson(block: MaskBlock, value: MaskFields): JsonObject {
  return toJson(layoutFor(block), value) as JsonObject;
}

/** The reverse of {@link blockToJson}. Throws `WireError` (`bad-value`) at the path of what does not fit. */
export function blockFromJson(block: MaskBlock, json: JsonValue): MaskFields {
  return fromJson(layoutFor(block), json);
}

/** The most bytes that a block takes. */
export function maxBlockBytes({ node }: MaskBlock): number {
  return sizeOf(node).most / 8;
}
