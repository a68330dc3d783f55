/** What stands around a description: bits within whole bytes, or a limit. */
import type { LayoutNode } from "../../wire/describe/node.ts";
import type { CheckUse, Place } from "../steps.ts";
import type { ReadState } from "./state.ts";

/** What stands around a description: bits within whole bytes, or a limit. */
export function readAround(
  state: ReadState,
  node: Extract<LayoutNode, { kind: "bits" | "limited" }>,
  inner: (finish: () => void) => void,
): void {
  if (node.kind === "limited") {
    state.wholeBytes("a limit");
    const place = state.place();
    const check = state.within(node.name, () => state.use("limited", state.path, node.bytes));
    state.steps.push({ step: "check", test: { left: place, atMost: node.bytes * 8 }, check, place });
    inner(() => undefined);
    return;
  }
  const before = state.cursor.order;
  if (before !== "bytes") throw new TypeError(`Cannot compile ${state.path || "value"}: bits within bits`);
  state.cursor.order = node.first;
  let isFinished = false;
  const finish = (): void => {
    isFinished = true;
    endBits(state, node);
  };
  inner(finish);
  if (!isFinished) finish();
  state.cursor.order = "bytes";
}

/** What is left of the last byte of bits. */
export function endBits(state: ReadState, node: Extract<LayoutNode, { kind: "bits" }>): void {
  const { name, value } = node.padding;
  const padding = (): CheckUse => state.within(name, () => state.use("padding", state.path));
  if (state.cursor.base === "bit") {
    state.commit();
    const check = value === "zero" ? { check: padding() } : {};
    state.steps.push({ step: "toBytes", place: state.place(), ...check });
    state.cursor = { base: "at", bits: 0, order: "bytes" };
    return;
  }
  const width = -state.cursor.bits & 7;
  if (width > 0) {
    if (value === "zero") {
      const place = state.place();
      const rest = state.local(name, "number");
      state.steps.push({ step: "integer", to: rest, place, as: { bits: width, signed: false, order: "be" } });
      // Of a byte that begins with its lowest bit the padding is the high end: it is named by the byte.
      const named: Place = place.order === "lsb" ? { ...place, bits: place.bits - (place.bits % 8) } : place;
      state.steps.push({
        step: "check",
        test: { of: rest, from: 0, to: 0 },
        check: padding(),
        place: named,
        shown: rest,
      });
    }
    // With the bits before it come those behind them: the byte that they share is there.
    state.skip(width);
  }
  state.cursor.order = "bytes";
}
