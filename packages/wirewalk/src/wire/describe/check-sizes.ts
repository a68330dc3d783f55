/** Whether sizes can be known: what takes all bytes that are left has nothing after it, and bytes are whole outside of bits. */
import { joinPath } from "../wire-error.ts";
import { kindText } from "./conditions.ts";
import type { ArrayNode, BytesNode, FieldNode, LayoutNode, RunLength, SizedNode, TextNode } from "./node.ts";
import { partsOf } from "./parts.ts";
import { checkWhole, refuseRange, refuseType } from "./refusals.ts";
import { formatSize, sizeOf } from "./size.ts";
import { numberRange, valueKind } from "./values.ts";

/** Whether it takes all bytes that are left, or asks how many there are. A tolerant list leaves what it cannot read. */
export function takesRest(node: LayoutNode): boolean {
  switch (node.kind) {
    case "limited":
    case "compressed":
    case "byLength":
      return true;
    case "array":
    case "bytes":
    case "text":
      return (
        typeof node.length === "object" &&
        "rest" in node.length &&
        !("tolerant" in node.length && node.length.tolerant === true)
      );
    case "sized":
      return false;
    default:
      return partsOf(node).some(([, part]) => takesRest(part));
  }
}

/** Throws where fields come after one that takes all bytes that are left. */
export function checkRest(fields: readonly FieldNode[], path: (name: string) => string): void {
  for (const [index, { name, node, when }] of fields.entries()) {
    if (!takesRest(node)) continue;
    // A field with a condition may stand instead of one that takes the rest.
    const after = fields.slice(index + 1).find((field) => {
      return when === undefined
        ? sizeOf(field.node).most > 0
        : field.when === undefined && sizeOf(field.node).least > 0;
    });
    if (after === undefined) continue;
    const follower = after.name === "" ? "more" : after.name;
    refuseType(path(name), `it takes all bytes that are left, and ${follower} comes after it`);
  }
}

/** A part that is a whole number, such as a count. */
export function checkCount(path: string, what: string, node: LayoutNode): void {
  const range = numberRange(node);
  if (range === undefined) refuseType(path, `${what} is a number, and this is ${kindText(node)}`);
  if (range.steps !== 1) refuseType(path, `${what} is a whole number, and this may be a fraction`);
  if (range.max < 0) refuseRange(path, `${what} is 0 or more, and this is in ${range.min}..${range.max}`);
}

function checkLength(path: string, length: RunLength): void {
  if (typeof length === "number") checkWhole(path, "a count", length);
  else if ("count" in length) {
    checkCount(joinPath(path, "count"), "a count", length.count);
    checkWhole(path, "a limit", length.limit);
  } else if ("until" in length) {
    checkWhole(path, "a limit", length.limit);
    if (!(Number.isInteger(length.until) && length.until >= 0 && length.until <= 0xff)) {
      refuseRange(path, `no byte is ${length.until}`);
    }
  } else checkWhole(path, "a limit", length.rest);
}

/** Throws for a list whose items have no end of their own. */
export function checkArray({ item, length }: ArrayNode, path: string): void {
  checkLength(path, length);
  if (takesRest(item)) refuseType(path, "an item takes all bytes that are left, and other items come after it");
  if (valueKind(item) === "nothing") refuseType(path, "its items have no meaning");
  const isCounted = typeof length === "number" || "count" in length;
  if (!isCounted && sizeOf(item).least === 0) throw new TypeError("items without bytes need a count");
}

/** Throws for meanings of bytes that do not fill them. */
export function checkBytes(node: BytesNode, path: string): void {
  const { length, inside, flat, readings } = node;
  checkLength(path, length);
  if (typeof length === "object" && ("until" in length || "tolerant" in length)) {
    throw new TypeError("a run of bytes ends by its count or with the message");
  }
  if (flat && inside === undefined) refuseType(path, "flat is for bytes with fields");
  if (inside !== undefined) {
    const { least, most } = sizeOf(inside);
    if (least !== most || least % 8 !== 0) throw new TypeError("what lies inside must have a fixed number of bytes");
    if (least / 8 !== length)
      refuseType(path, `what lies inside has ${formatSize({ least, most })}, not ${String(length)}`);
    if (node.transform !== undefined || node.reversed)
      refuseType(path, "bytes with fields are as they stand on the wire");
  }
  if (readings === undefined) return;
  if (typeof length !== "number") throw new TypeError("bytes with readings have a fixed length");
  for (const { name, node: reading } of readings) {
    const { least, most } = sizeOf(reading);
    if (least !== length * 8 || most !== length * 8) throw new TypeError(`${name} must have ${length} bytes`);
  }
}

/** Throws for a text whose length cannot be. */
export function checkText({ length }: TextNode, path: string): void {
  if ("end" in length) checkWhole(path, "a limit", length.limit);
  else checkLength(path, length);
}

/** Throws where no size is large enough for its content. */
export function checkSized({ size, extra, of }: SizedNode, path: string): void {
  const at = joinPath(path, "size");
  checkCount(at, "a size", size);
  checkWhole(at, "extra", extra);
  const { max } = numberRange(size) as { max: number };
  const least = sizeOf(of).least / 8 + extra;
  if (least > max) refuseRange(at, `it is at most ${max}, and its content makes it ${least} or more`);
  checkWholeBytes(of, path);
}

/** Throws where a number outside of bits is not of whole bytes. */
export function checkWholeBytes(node: LayoutNode, path: string): void {
  switch (node.kind) {
    case "integer":
    case "unused":
      if (node.bits % 8 !== 0) refuseType(path, `${node.bits} bits are not whole bytes, and stand outside of bits`);
      return;
    case "prefix":
      refuseType(path, "a code of some bits stands outside of bits");
      return;
    case "mark":
      for (const { name, bits } of node.parts) {
        if (bits % 8 !== 0) refuseType(name, `${bits} bits are not whole bytes, and stand outside of bits`);
      }
      break;
    case "array":
      checkWholeBytes(node.item, joinPath(path, "[]"));
      return;
    // What has bytes of its own, or is made of bytes.
    case "bits":
    case "sized":
    case "compressed":
    case "bytes":
    case "text":
      return;
    default:
  }
  for (const [name, part] of partsOf(node)) checkWholeBytes(part, joinPath(path, name));
}
