/** Numbers, and what stands for something else: steps that read them. */

import type { LayoutNode, LiteralNode } from "../../wire/describe/node.ts";
import { integerName } from "../../wire/describe/number-nodes.ts";
import { constant, rangeOf, wireInteger } from "../shapes.ts";
import type { CheckUse, Local, Value } from "../steps.ts";
import type { ReadState } from "./state.ts";

/** A number as it stands in the value. */
export function readNumber(state: ReadState, node: LayoutNode, name: string): Local {
  if (node.kind === "smart") {
    // Its step moves a cursor of bytes.
    state.wholeBytes("a number of one or more bytes");
    const to = state.local(name, "number");
    state.commit();
    const checks = [8, node.wide ? 32 : 16, 16].map((bits) => ({
      table: state.table.name,
      id: state.table.add(["fields", state.path, bits]),
      indexes: state.indexes,
    }));
    state.steps.push({ step: "smart", to, wide: node.wide === true, checks: checks as [CheckUse, CheckUse, CheckUse] });
    return to;
  }
  if (node.kind !== "integer" || node.bits === 64) {
    throw new TypeError(`Cannot compile ${state.path || "value"}: a number is needed, got ${node.kind}`);
  }
  const place = state.take(node.bits, node.bits % 8 === 0 ? integerName(node) : node.bits);
  const to = state.local(name, "number");
  const as = wireInteger(node);
  state.steps.push({ step: "integer", to, place, as: state.unsigned.has(name) ? { ...as, signed: false } : as });
  const { min, max } = node;
  if (min !== undefined || max !== undefined) {
    const { min: least, max: most } = rangeOf(node);
    const check = state.use("range", state.path, least, most);
    state.steps.push({ step: "check", test: { of: to, from: least, to: most }, check, place, shown: to });
  }
  return to;
}

export function readPrefix(state: ReadState, codes: Readonly<Record<string, string>>, name: string): Local {
  const list = Object.values(codes);
  const longest = Math.max(...list.map(({ length }) => length));
  const { base, bits } = state.cursor;
  // Its bits lie in one byte: where the first is, all are.
  const isInByte = base === "at" && (bits % 8) + longest <= 8;
  if (!isInByte) throw new TypeError(`Cannot compile ${state.path || "value"}: a prefix that may lie in two bytes`);
  const place = state.take(1);
  state.cursor.bits -= 1;
  const to = state.local(`${name}Code`, "number");
  const check = state.use("prefix", state.path, longest, Object.keys(codes).join(", "), ...list);
  state.steps.push({ step: "prefix", to, codes: list, check, place });
  return to;
}

export function readLiteral(state: ReadState, node: LiteralNode, name: string): Value {
  const place = state.place();
  const { value, parts } = node;
  if (parts === undefined) {
    const found = state.leaf(node.of, name);
    if (found.is !== "local") throw new TypeError(`Cannot compile ${state.path}: a literal of a ${node.of.kind}`);
    const check = state.use("is", state.path, typeof value === "bigint" ? String(value) : value);
    state.steps.push({ step: "check", test: { of: found.local, is: value }, check, place, shown: found.local });
    return constant(value);
  }
  const of = readNumber(state, node.of, name);
  const { steps } = state;
  state.steps = [];
  for (const { shift, mask, code, why } of parts) {
    const part = state.local(`${name}Part`, "number");
    state.steps.push({ step: "part", to: part, of, shift, mask });
    const expected = (Number(value) >>> shift) & mask;
    const check = state.use("part", state.path, code, why);
    state.steps.push({ step: "check", test: { of: part, from: expected, to: expected }, check, place, shown: part });
  }
  const covered = parts.reduce((bits, { shift, mask }) => bits | (mask << shift), 0);
  const isWhole = node.of.kind === "integer" && covered === 2 ** node.of.bits - 1;
  const wrong = state.steps;
  state.steps = steps;
  // The parts say only which of them is wrong.
  if (isWhole) state.steps.push({ step: "if", test: { of, not: Number(value) }, yes: wrong, no: [] });
  else state.steps.push(...wrong);
  return constant(value);
}
