/** Lists, bytes, texts, sizes and blocks: steps that read them. */
import type { ArrayNode, BytesNode, LayoutNode, SizedNode, TextNode } from "../../wire/describe/node.ts";
import { sizeOf } from "../../wire/describe/size.ts";
import { asksClaim, isPlain, local, piecesOf, rangeOf, singular } from "../shapes.ts";
import type { Local, Value } from "../steps.ts";
import { readNumber } from "./numbers.ts";
import type { ReadState } from "./state.ts";

/** Lists of up to so many items are made in their full length before the items have been read: a larger count is only a claim. */
const MAX_BELIEVED = 255;

/** A count before items, believed up to its limit. */
export function readCount(
  state: ReadState,
  { count, limit }: { readonly count: LayoutNode; readonly limit: number },
): Local {
  return state.within("count", () => {
    const place = state.place();
    const of = readNumber(state, count, "count");
    const { min, max } = rangeOf(count);
    if (min < 0) {
      state.steps.push({
        step: "check",
        test: { of, from: 0 },
        check: state.use("count", state.path),
        place,
        shown: of,
      });
    }
    if (max > limit) {
      const check = state.use("limit", state.path, limit);
      state.steps.push({ step: "check", test: { of, to: limit }, check, place, shown: of });
    }
    return of;
  });
}

export function readArray(state: ReadState, node: ArrayNode, name: string): Value {
  const { length, item } = node;
  const to = state.local(name, "list", node);
  const index = state.local(`${name}Index`, "number");
  const read = () => state.loop(index, () => state.value(item, singular(name)));
  const enter = (): void => {
    // Items of bits begin at any place in a byte.
    if (state.cursor.order === "bytes") state.commit();
    else state.toBits();
  };
  if (typeof length === "number" || "count" in length) {
    const count = typeof length === "number" ? length : readCount(state, length);
    enter();
    const size = sizeOf(item);
    if (isPlain(item) && size.least === size.most && size.most > 0) {
      // Nothing of an item can be refused by its value: that all of them are there is checked once.
      const pieces = piecesOf(item, `${state.path}[]`);
      const check = {
        table: state.table.name,
        id: state.table.add(["cuts", state.path, size.most, ...pieces]),
        indexes: state.indexes,
      };
      state.open = undefined;
      const total = typeof count === "number" ? { bits: size.most * count } : { bits: size.most, times: count };
      state.steps.push({ step: "need", place: state.place(), ...total, check });
      const { body, item: value } = state.unchecked(read);
      state.steps.push({ step: "list", to, index, count, isBounded: true, body, item: value });
      return local(to);
    }
    const { body, item: value } = read();
    const isBounded = typeof length === "number" || length.limit <= MAX_BELIEVED;
    state.steps.push({ step: "list", to, index, count, isBounded, body, item: value });
    return local(to);
  }
  enter();
  const place = state.place();
  if ("until" in length) {
    const { until, limit } = length;
    const check = state.use("items", state.path, limit);
    const { body, item: value } = read();
    state.steps.push({ step: "openList", to, index, place, limit, until, check, body, item: value });
    return local(to);
  }
  const check = state.use("items", state.path, length.rest);
  if (length.tolerant) {
    state.wholeBytes("a tolerant list");
    const called = state.functions.nameOf(item, singular(name));
    state.steps.push({ step: "tolerant", to, name: called, limit: length.rest, check });
    return local(to);
  }
  const { body, item: value } = read();
  state.steps.push({ step: "openList", to, index, place, limit: length.rest, check, body, item: value });
  return local(to);
}

export function readBytes(state: ReadState, node: BytesNode, name: string): Value {
  const { length, transform, reversed } = node;
  const to = state.local(name, "bytes");
  const change = {
    ...(transform === undefined ? {} : { transform }),
    ...(reversed === undefined ? {} : { reversed }),
  };
  if (typeof length === "number") {
    if (state.cursor.order !== "bytes") state.toBits();
    const place = state.take(length * 8);
    state.steps.push({ step: "bytes", to, place, count: length, ...change });
    return local(to);
  }
  state.wholeBytes("a run of bytes");
  if ("until" in length)
    throw new TypeError(`Cannot compile ${state.path}: a run of bytes ends by its count or with the message`);
  const count = readBytesCount(state, length, name);
  state.steps.push({ step: "bytes", to, place: state.place(), count, ...change });
  state.steps.push({ step: "advance", base: "at", bits: 8, times: count });
  return local(to);
}

/** How many bytes a run has, which are checked to be there: a count before them, or all that is left. */
function readBytesCount(
  state: ReadState,
  length: { readonly rest: number } | { readonly count: LayoutNode; readonly limit: number },
  name: string,
): Local {
  if (!("rest" in length)) {
    const count = readCount(state, length);
    state.commit();
    needRun(state, count);
    return count;
  }
  const count = state.local(`${name}Bytes`, "number");
  state.commit();
  const check = state.use("left", state.path, length.rest);
  state.steps.push({ step: "left", to: count, place: state.place(), limit: length.rest, check });
  // What is left is there, but for what a size only claims.
  if (state.claims) needRun(state, count);
  return count;
}

/** Checks that a run of bytes is there. */
export function needRun(state: ReadState, count: Local): void {
  const check = state.use("run", state.path);
  state.steps.push({ step: "need", place: state.place(), bits: 8, times: count, check });
}

export function readText(state: ReadState, node: TextNode, name: string): Value {
  state.wholeBytes("a text");
  const { length, charset } = node;
  const to = state.local(name, "text");
  if ("end" in length) {
    state.commit();
    const isLatin = charset === "latin1";
    const checks = [
      isLatin ? state.use("noEnd", state.path) : state.use("fields", state.path, 8),
      state.use("long", state.path, length.limit),
    ] as const;
    state.steps.push({ step: "zeroText", to, charset, limit: length.limit, checks });
    return local(to);
  }
  const count = readBytesCount(state, length, name);
  state.steps.push({ step: "text", to, place: state.place(), count, charset });
  state.steps.push({ step: "advance", base: "at", bits: 8, times: count });
  return local(to);
}

export function readSized(state: ReadState, node: SizedNode, name: string): Value {
  state.wholeBytes("a size");
  const { extra } = node;
  const start = state.place();
  const least = extra + sizeOf(node.of).least / 8;
  const size = state.within("size", () => {
    const of = readNumber(state, node.size, "size");
    const check = state.use("least", state.path, least);
    state.steps.push({ step: "check", test: { of, from: least }, check, place: start, shown: of });
    return of;
  });
  // The place of the size is named after the cursor has moved: so it is counted from where that stands then.
  const moved = state.cursor.bits;
  state.commit();
  const to = state.local(name, "value");
  const claims = asksClaim(node.of);
  const called = state.functions.nameOf(node.of, name, claims);
  state.steps.push({
    step: "sized",
    to,
    name: called,
    size,
    extra,
    claims,
    start: { ...start, bits: start.bits - moved },
    checks: { path: state.pathUse(), small: state.within("size", () => state.use("size", state.path)) },
  });
  return local(to);
}
