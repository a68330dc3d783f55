/** Blocks that hold a message in another form: how they are read, traced and written. */
import type { CompressedNode, LayoutNode } from "../describe/node.ts";
import { sizeOf } from "../describe/size.ts";
import { decodeLz4Block, encodeLz4Block, traceLz4Block } from "../lz4-block.ts";
import { readAt, readPath } from "../read-path.ts";
import { Tracer } from "../trace.ts";
import { countBytes, joinPath, placeText, WireError } from "../wire-error.ts";
import { cursorOf, expectEnd, ReadCursor, traced } from "./cursor.ts";

type ReadNode = (node: LayoutNode, cursor: ReadCursor) => unknown;

const BLOCK = "block";
/** A half token of this value goes on in the bytes after it. */
const MORE = 15;
const MORE_BYTE = 0xff;

/** What the block to the end of the bytes holds. */
export function readCompressed(node: CompressedNode, cursor: ReadCursor, readNode: ReadNode): unknown {
  const { bytes, end, tracer, path } = cursor;
  const start = cursor.at >>> 3;
  const block = bytes.subarray(0, end >>> 3);
  const { depth } = readPath;
  let body: Uint8Array;
  try {
    body = unpack(node, block, start);
  } catch (error) {
    if (tracer !== undefined) traceLz4Block(tracer, joinPath(path, BLOCK), block, start);
    throw error;
  }
  cursor.at = end;
  const literals = literalsStart(block, start);
  /** Reads again what was refused while it was traced, if it was: the error has its place in the message. */
  const readBody = (): unknown => {
    readPath.depth = depth;
    try {
      const inner = cursorOf(body);
      const value = readNode(node.of, inner);
      expectEnd(inner);
      return value;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const place = literals === undefined ? start * 8 : error.bitOffset + literals * 8;
      throw new WireError(error.code, `${error.message} of the body`, place, error.path);
    }
  };
  if (tracer === undefined) return readBody();
  if (literals === undefined) {
    traceLz4Block(tracer, joinPath(path, BLOCK), block, start);
    traceInner(node, body, tracer, readNode);
    return readBody();
  }
  tracer.field(joinPath(path, "token"), start * 8, 8, block[start] as number, literalsText(body.length));
  const more = literals - start - 1;
  if (more > 0) {
    const counted = joinPath(path, "literalCount");
    tracer.field(counted, start * 8 + 8, more * 8, body.length - MORE, countBytes(body.length));
  }
  try {
    const inner = traced(new ReadCursor(block, literals * 8, end, end), cursor);
    const value = readNode(node.of, inner);
    expectEnd(inner);
    return value;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    // The error counts from the start of the body, as reading says it.
    readBody();
    throw error;
  }
}

function unpack({ limit, reserved, of }: CompressedNode, block: Uint8Array, start: number): Uint8Array {
  return readAt(BLOCK, () => {
    const body = decodeLz4Block(block, { limit, start, unusedBits: reserved });
    const { least, most } = sizeOf(of);
    if (least === most && body.length !== most / 8) {
      const end = block.length * 8;
      const why = `${body.length} of its ${countBytes(most / 8)} come out`;
      throw new WireError("bad-length", `Cannot read value: ${why} at ${placeText(end)}`, end);
    }
    return body;
  });
}

/** The fields of what came out, which have no places in the message. */
function traceInner(node: CompressedNode, body: Uint8Array, tracer: Tracer, readNode: ReadNode): void {
  const { depth } = readPath;
  const segments = readPath.segments.slice(0, depth);
  const inner = new Tracer();
  const found: { value?: unknown; error?: WireError } = {};
  // Its paths begin at the body.
  readPath.depth = 0;
  try {
    const cursor = traced(cursorOf(body), { tracer: inner, path: "" });
    found.value = readNode(node.of, cursor);
    expectEnd(cursor);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    found.error = error;
  }
  readPath.segments.splice(0, depth, ...segments);
  readPath.depth = depth;
  tracer.inner = { title: "The body that came out of the block", bytes: body, fields: inner.fields, ...found };
}

function literalsText(count: number): string {
  return `${countBytes(count)} of literals follow, no match`;
}

/** The literals of the first sequence of a block, and where they lie. */
function firstLiterals(block: Uint8Array, start: number): { readonly count: number; readonly at: number } {
  let at = start + 1;
  let count = (block[start] as number) >>> 4;
  if (count === MORE) for (let more = MORE_BYTE; more === MORE_BYTE; count += more) more = block[at++] as number;
  return { count, at };
}

/** Where the body lies in a block that is nothing but literals; undefined when the block has matches. */
function literalsStart(block: Uint8Array, start: number): number | undefined {
  const { count, at } = firstLiterals(block, start);
  return at + count === block.length ? at : undefined;
}

/**
 * The block of a body whose first bytes are literals. A match counts back from where it stands, so what is put before a block
 * changes none of them: the first bytes are joined with the literals that the rest begins with.
 */
export function packCompressed({ literals = 0 }: CompressedNode, body: Uint8Array): Uint8Array {
  if (literals === 0) return encodeLz4Block(body);
  const block = encodeLz4Block(body.subarray(literals));
  const { count, at } = firstLiterals(block, 0);
  const all = literals + count;
  const head = [(Math.min(all, MORE) << 4) | ((block[0] as number) & MORE)];
  if (all >= MORE) {
    let left = all - MORE;
    for (; left >= MORE_BYTE; left -= MORE_BYTE) head.push(MORE_BYTE);
    head.push(left);
  }
  return Uint8Array.from([...head, ...body.subarray(0, literals), ...block.subarray(at)]);
}
