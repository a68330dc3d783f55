import type { LayoutNode } from "../../wire/describe/node.ts";
import type { WriteState } from "./state.ts";

export function writeBits(state: WriteState, node: Extract<LayoutNode, { kind: "bits" }>, inner: () => void): void {
  if (state.cursor.order !== "bytes") throw new TypeError(`Cannot compile ${state.path || "value"}: bits within bits`);
  state.cursor.order = node.first;
  inner();
  if (state.cursor.base === "bit") {
    state.commit();
    state.steps.push({ step: "toBytes" });
    state.cursor = { base: "at", bits: 0, order: "bytes" };
    return;
  }
  // The first bits of a byte have cleared the others.
  state.cursor.bits += -state.cursor.bits & 7;
  state.cursor.order = "bytes";
}

export function writeLimited(
  state: WriteState,
  node: Extract<LayoutNode, { kind: "limited" }>,
  inner: () => void,
): void {
  state.wholeBytes("a limit");
  const since = state.local("start", "number");
  state.steps.push({ step: "mark", to: since, place: state.place() });
  inner();
  const check = state.within(node.name, () => state.use("over", state.path, node.bytes));
  state.steps.push({ step: "over", since, limit: node.bytes, place: state.place(), check });
}
