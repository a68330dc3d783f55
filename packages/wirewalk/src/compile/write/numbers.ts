import type { IntegerNode, LayoutNode } from "../../wire/describe/node.ts";
import { integerName } from "../../wire/describe/number-nodes.ts";
import { rangeOf, wireInteger } from "../shapes.ts";
import type { Local } from "../steps.ts";
import type { WriteState } from "./state.ts";

/** Whether it is an integer of whole bytes that may be all that its bits hold. */
export function isPlainInteger(state: WriteState, node: LayoutNode): node is IntegerNode {
  if (node.kind !== "integer" || node.bits === 64 || state.cursor.order !== "bytes") return false;
  const { bits, signed, order, transform, bias, divisor } = node;
  const { min, max } = rangeOf(node);
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const isWhole = min === low && max === low + 2 ** bits - 1 && bias === undefined && divisor === undefined;
  return isWhole && transform === undefined && (order === "be" || order === "le");
}

/** A number that is known: as it stands in the value. */
export function writeKnown(state: WriteState, node: LayoutNode, of: Local, value: number | string | bigint): void {
  if (node.kind === "integer" && node.bits !== 64) {
    state.steps.push({ step: "put", place: state.take(node.bits), as: wireInteger(node), value: Number(value) });
    return;
  }
  state.leaf(node, of);
}

export function putBits(state: WriteState, bits: number, value: number): void {
  state.steps.push({ step: "put", place: state.take(bits), as: { bits, signed: false, order: "be" }, value });
}

export function putCode(state: WriteState, code: string): void {
  // Bit by bit where the lowest one comes first.
  if (state.cursor.order !== "lsb") putBits(state, code.length, Number.parseInt(code, 2));
  else for (const bit of code) putBits(state, 1, Number(bit));
}

/** A smart that is known. */
export function putSmart(state: WriteState, wide: boolean, value: number): void {
  if (!wide) putBits(state, value < 128 ? 8 : 16, value < 128 ? value : value + 0x8000);
  else if (value >= 0x7fff) putBits(state, 32, value + 0x8000_0000);
  else putBits(state, 16, value === -1 ? 0x7fff : value);
}

export function writeNumber(state: WriteState, node: LayoutNode, of: Local, isChecked = false): void {
  if (node.kind === "smart") {
    state.commit();
    const { min, max } = rangeOf(node);
    const check = state.use("integer", state.path, "smart", min, max);
    state.steps.push({ step: "smart", of, wide: node.wide === true, min, max, check });
    return;
  }
  if (node.kind !== "integer")
    throw new TypeError(`Cannot compile ${state.path || "value"}: a number is needed, got ${node.kind}`);
  if (node.bits === 64) {
    state.steps.push({ step: "big", of, place: state.take(64), check: state.use("big", state.path) });
    return;
  }
  const { min, max } = rangeOf(node);
  const divisor = node.divisor === undefined ? [] : [node.divisor];
  const name = integerName(node);
  const check = isPlainInteger(state, node)
    ? state.use("integer", state.path, name)
    : state.use("integer", state.path, name, min, max, ...divisor);
  const place = state.take(node.bits);
  state.steps.push({
    step: "integer",
    of,
    place,
    as: wireInteger(node),
    min,
    max,
    check,
    ...(isChecked ? { isChecked } : {}),
  });
}
