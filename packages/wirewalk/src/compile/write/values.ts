import type { LayoutNode } from "../../wire/describe/node.ts";
import type { Local } from "../steps.ts";
import { writeBits, writeLimited } from "./around.ts";
import { putBits, putCode, writeKnown, writeNumber } from "./numbers.ts";
import { writeArray, writeBytes, writeSized, writeText } from "./runs.ts";
import type { WriteState } from "./state.ts";
import { firstCase } from "./uses.ts";

export function writeLeaf(state: WriteState, node: LayoutNode, of: Local): void {
  switch (node.kind) {
    case "integer":
    case "smart":
      writeNumber(state, node, of);
      return;
    case "float": {
      const checks = [state.use("float", state.path, `f32${node.order}`), state.use("fits", state.path)] as const;
      state.steps.push({
        step: "float",
        of,
        place: state.take(32),
        order: node.order,
        finite: node.finite === true,
        checks,
      });
      return;
    }
    case "boolean": {
      const to = state.local("bit", "number");
      state.steps.push({ step: "boolean", to, of, check: state.use("boolean", state.path) });
      writeNumber(state, node.of, to, true);
      return;
    }
    case "oneOf": {
      const to = state.local("number", "number");
      const check = state.use("oneOf", state.path, Object.keys(node.names).join(", "));
      state.steps.push({ step: "number", to, of, names: node.names, check });
      writeNumber(state, node.of, to, true);
      return;
    }
    case "prefix": {
      const codes = Object.entries(node.codes);
      const bodies = codes.map(
        ([, code]) =>
          () =>
            putCode(state, code),
      );
      const check = state.use("oneOf", state.path, codes.map(([name]) => name).join(", "));
      const refuse = (): void => {
        state.steps.push({ step: "refuse", check, shown: of });
      };
      const branches = state.branches([...bodies, refuse]);
      const cases = codes.map(([name], index) => ({ values: [name], body: branches[index] ?? [] }));
      state.steps.push({ step: "choose", of, cases, no: branches.at(-1) ?? [] });
      return;
    }
    case "flags": {
      const to = state.local("bits", "number");
      state.steps.push({
        step: "flags",
        to,
        of,
        flags: node.flags,
        check: state.use("flags", state.path, ...Object.keys(node.flags)),
      });
      writeNumber(state, node.of, to, true);
      return;
    }
    case "literal": {
      const { value } = node;
      const check = state.use("same", state.path, typeof value === "bigint" ? String(value) : value);
      state.steps.push({ step: "same", of, value, optional: false, check });
      writeKnown(state, node.of, of, value);
      return;
    }
    case "constant": {
      const check = state.use("same", state.path, String(node.value));
      state.steps.push({ step: "same", of, value: node.value, optional: node.optional === true, check });
      return;
    }
    case "unused":
      putBits(state, node.bits, 0);
      return;
    case "array":
      writeArray(state, node, of);
      return;
    case "bytes":
      writeBytes(state, node, of);
      return;
    case "text":
      writeText(state, node, of);
      return;
    case "sized":
      writeSized(state, node, of);
      return;
    case "compressed": {
      state.wholeBytes("a compressed block");
      state.commit();
      const called = state.functions.nameOf(node.of, "content");
      const path = state.pathUse();
      state.steps.push({ step: "deflate", of, name: called, node: node.of, head: node.literals ?? 0, path });
      return;
    }
    case "bits":
      writeBits(state, node, () => state.write(node.of, of));
      return;
    case "limited":
      writeLimited(state, node, () => state.write(node.of, of));
      return;
    case "peek":
      state.write(firstCase(node), of);
      return;
    default:
      throw new TypeError(`Cannot compile ${state.path || "value"}: a ${node.kind} is an object`);
  }
}
