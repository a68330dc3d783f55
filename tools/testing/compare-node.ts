/** One description that is no message: the oracle, the interpreter and generated code, which must agree. */
import type { Random } from "../../packages/wirewalk/src/motion/index.ts";
import {
  compareInterpreter,
  Difference,
  outcomeOf,
  say,
  sayError,
  withOddPart,
} from "../../packages/wirewalk/src/protocols/testing/codec-proof.ts";
import { sameData, textOf } from "../../packages/wirewalk/src/protocols/testing/same-data.ts";
import {
  type CompiledLayout,
  decodeCompiled,
  encodeCompiled,
} from "../../packages/wirewalk/src/wire/compiled/index.ts";
import { encode, formatHex, type LayoutNode, layoutOf, WireError } from "../../packages/wirewalk/src/wire/index.ts";

/** An error as data, without the words where nothing has a name: there they name the type of a number, or only say "value". */
function errorOf(error: Error): object {
  const isNamed = error instanceof WireError ? error.path !== "" : error.message.startsWith("Cannot write ");
  const { message = "", ...rest } = sayError(error) as { readonly message?: string };
  // Generated code does not say where in a text of Windows-1252, and takes a limit of 0 bytes for a fixed number of them.
  const words = message.replace(/, got another at position \d+$/, "").replace("at most 0 bytes", "0 bytes");
  return isNamed ? { ...rest, message: words } : rest;
}

/** What generated code refuses before it looks at any field; the interpreter refuses the first field that is not there. */
const isNoObject = (error: Error): boolean => / must be an object, got [^\n]*$/.test(error.message);

/**
 * Throws a `Difference` unless all three read the bytes alike, and the interpreter and the generated code write what was read alike,
 * whole and with an odd part. Its trace has a place for every bit, and its JSON is written as the value.
 */
export function compareNode(
  node: LayoutNode,
  compiled: CompiledLayout<unknown>,
  bytes: Uint8Array,
  random: Random,
): "read" | "refused" {
  const layout = layoutOf(node);
  const generated = outcomeOf(() => decodeCompiled(compiled, bytes));
  const plain = compareInterpreter(layout, bytes);
  const differ = (what: string): Difference =>
    new Difference(what, `${formatHex(bytes)} by ${JSON.stringify(node)}`, {
      generated: say(generated),
      interpreter: say(plain),
    });
  if ("error" in generated) {
    if (!("error" in plain && sameData(errorOf(generated.error), errorOf(plain.error))))
      throw differ("the interpreter does not refuse it so");
    return "refused";
  }
  if ("error" in plain || !sameData(generated.value, plain.value)) throw differ("the interpreter reads it otherwise");
  const { value } = generated;
  for (const each of [value, withOddPart(value, random)]) {
    const byCode = outcomeOf(() => encodeCompiled(compiled, each));
    const byNode = outcomeOf(() => encode(layout, each));
    const isSame =
      "error" in byCode || "error" in byNode
        ? "error" in byCode &&
          "error" in byNode &&
          (isNoObject(byCode.error) || sameData(errorOf(byCode.error), errorOf(byNode.error)))
        : sameData(byCode.value, byNode.value);
    if (!isSame)
      throw new Difference("written otherwise", `${textOf(each)} by ${JSON.stringify(node)}`, {
        generated: say(byCode),
        interpreter: say(byNode),
      });
  }
  return "read";
}
