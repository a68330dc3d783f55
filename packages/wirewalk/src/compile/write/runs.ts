import type { ArrayNode, BytesNode, SizedNode, TextNode } from "../../wire/describe/node.ts";
import { integerName } from "../../wire/describe/number-nodes.ts";
import { rangeOf, wireInteger } from "../shapes.ts";
import type { Local, WireInteger } from "../steps.ts";
import { putBits, writeNumber } from "./numbers.ts";
import type { WriteState } from "./state.ts";
import { useOf } from "./uses.ts";

/** The count of a run, with the checks of how many there may be. */
export function writeCount(state: WriteState, length: ArrayNode["length"], count: Local, what: string): void {
  if (typeof length === "number") {
    state.steps.push({
      step: "exactly",
      of: count,
      count: length,
      check: state.use("exactly", state.path, length, what),
    });
    return;
  }
  const limit = "rest" in length ? length.rest : length.limit;
  state.steps.push({ step: "atMost", of: count, limit, check: state.use("most", state.path, limit, what) });
  if ("count" in length)
    state.within("count", () => writeNumber(state, length.count, count, rangeOf(length.count).max >= limit));
}

export function writeArray(state: WriteState, node: ArrayNode, of: Local): void {
  const { length, item } = node;
  const count = state.local("count", "number");
  state.steps.push({ step: "length", to: count, of, check: state.use("list", state.path) });
  writeCount(state, length, count, "items");
  if (state.cursor.order === "bytes") state.commit();
  else state.toBits();
  const index = state.local("i", "number");
  const each = state.local("item", useOf(item));
  const until =
    typeof length === "object" && "until" in length
      ? { until: { byte: length.until, check: state.within("[]", () => state.use("end", state.path, length.until)) } }
      : {};
  const [steps, path, indexes] = [state.steps, state.path, state.indexes];
  state.steps = [];
  state.path = `${path}[]`;
  state.indexes = [...indexes, index];
  const closed =
    "until" in until ? { ...until.until, check: { ...until.until.check, indexes: state.indexes } } : undefined;
  state.part(item, each, "item");
  if (state.cursor.order !== "bytes" && state.cursor.base === "at") state.toBits();
  else state.commit();
  const body = state.steps;
  state.steps = steps;
  [state.path, state.indexes] = [path, indexes];
  state.steps.push({
    step: "list",
    of,
    index,
    length: count,
    item: each,
    body,
    ...(closed === undefined ? {} : { until: closed }),
  });
  if (closed !== undefined) putBits(state, 8, closed.byte);
}

export function writeBytes(state: WriteState, node: BytesNode, of: Local): void {
  const { length, transform, reversed } = node;
  if (typeof length === "object" && "until" in length) {
    throw new TypeError(`Cannot compile ${state.path}: a run of bytes ends by its count or with the message`);
  }
  const change = {
    ...(transform === undefined ? {} : { transform }),
    ...(reversed === undefined ? {} : { reversed }),
  };
  if (typeof length === "number") {
    const check = state.use("bytes", state.path, length, length);
    if (state.cursor.order !== "bytes") {
      state.toBits();
      state.steps.push({ step: "bitBytes", of, place: state.take(length * 8), count: length, check });
      return;
    }
    state.commit();
    state.steps.push({ step: "bytes", of, least: length, most: length, check, ...change });
    return;
  }
  state.wholeBytes("a run of bytes");
  state.commit();
  if ("rest" in length) {
    const check = state.use("bytes", state.path, 0, length.rest);
    state.steps.push({ step: "bytes", of, least: 0, most: length.rest, check, ...change });
    return;
  }
  const { count } = length;
  if (count.kind !== "integer") throw new TypeError(`Cannot compile ${state.path}: the count of bytes is an integer`);
  const most = Math.min(length.limit, rangeOf(count).max);
  const check = state.use("bytes", state.path, 0, most);
  state.steps.push({ step: "bytes", of, least: 0, most, check, count: wireInteger(count), ...change });
}

export function writeText(state: WriteState, node: TextNode, of: Local): void {
  state.wholeBytes("a text");
  const { length, charset } = node;
  state.commit();
  const isZeroEnded = "end" in length;
  const least = isZeroEnded ? 1 : 0;
  const write = (limit: number, count?: WireInteger): void => {
    const check =
      charset === "latin1"
        ? state.use(isZeroEnded ? "zeroText" : "text", state.path, limit)
        : state.use("windowsText", state.path, limit, least);
    state.steps.push({ step: "text", of, charset, least, limit, check, isZeroEnded, ...(count && { count }) });
  };
  if (isZeroEnded) {
    write(length.limit);
    return;
  }
  if ("rest" in length) {
    write(length.rest);
    return;
  }
  const { count } = length;
  if (count.kind !== "integer") throw new TypeError(`Cannot compile ${state.path}: the count of a text is an integer`);
  write(Math.min(length.limit, rangeOf(count).max), wireInteger(count));
}

export function writeSized(state: WriteState, node: SizedNode, of: Local): void {
  state.wholeBytes("a size");
  const { size, extra } = node;
  if (size.kind !== "integer") throw new TypeError(`Cannot compile ${state.path}: a size is an integer`);
  state.commit();
  const called = state.functions.nameOf(node.of, "content");
  const path = state.pathUse();
  const { min, max } = rangeOf(size);
  const check = state.within("size", () => state.use("integer", state.path, integerName(size), min, max));
  state.steps.push({
    step: "sized",
    of,
    name: called,
    extra,
    as: wireInteger(size),
    max,
    checks: { path, size: check },
  });
}
