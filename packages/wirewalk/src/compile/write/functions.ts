/**
 * From descriptions to the steps that write them.
 *
 * There is room for what is written: whoever begins a message makes it, as large as the value may become.
 *
 * @module
 */
import { namesTested } from "../../wire/describe/cases.ts";
import type { LayoutNode } from "../../wire/describe/node.ts";
import type { Program } from "../program.ts";
import { isObject } from "../shapes.ts";
import type { Local, WriteFunction, WriteStep } from "../steps.ts";
import { writeBits, writeLimited } from "./around.ts";
import { caseTest, writeVariant } from "./cases.ts";
import { putBits } from "./numbers.ts";
import { WriteState } from "./state.ts";
import { memberOf, writeStruct } from "./structs.ts";
import { firstCase, useOf } from "./uses.ts";
import { writeLeaf } from "./values.ts";

/** The functions that write the roots of a program. */
export class WriteFunctions {
  readonly functions: WriteFunction[] = [];
  readonly #made = new Set<string>();
  readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  /** The name of the function that writes a description. The first call makes the function. */
  nameOf(node: LayoutNode, wanted: string): string {
    const name = this.program.nameOf(node, wanted);
    if (this.#made.has(name)) return name;
    this.#made.add(name);
    const body = new Writing(this, name).whole(node);
    this.functions.push({ name, node, use: useOf(node), body });
    return name;
  }
}

class Writing extends WriteState {
  whole(node: LayoutNode): readonly WriteStep[] {
    const value: Local = { name: "v", type: useOf(node) };
    this.write(node, value);
    this.steps.push({ step: "end", place: this.place() });
    // A reader's check of the same fields has their names and types.
    for (const { check, pieces, known } of this.joins) check.id = this.table.fieldsWith(pieces, known);
    return this.steps;
  }

  override write(node: LayoutNode, of: Local): void {
    if (isObject(node)) {
      this.steps.push({ step: "object", of, path: this.pathUse() });
      this.object(node, of);
      return;
    }
    this.leaf(node, of);
  }

  override part(node: LayoutNode, of: Local, name: string): void {
    const isWhole = this.cursor.order === "bytes" && this.cursor.base === "at";
    const isLarge = isObject(node) || node.kind === "array" || node.kind === "bits";
    if (!(isWhole && isLarge && this.program.isShared(node))) {
      this.write(node, of);
      return;
    }
    this.commit();
    const called = this.functions.nameOf(node, name);
    this.steps.push({ step: "call", of, name: called, path: this.pathUse() });
  }

  override object(node: LayoutNode, of: Local): void {
    switch (node.kind) {
      case "struct":
        writeStruct(this, node, of);
        return;
      case "variant":
        writeVariant(this, node, of);
        return;
      case "byLength": {
        const tested = namesTested(node.cases);
        if (tested === undefined)
          throw new TypeError(`Cannot compile ${this.path}: one field must tell the cases apart`);
        const key = memberOf(this, of, tested.key, "text");
        const check = this.within(tested.key, () => this.use("oneOf", this.path, tested.names.join(", ")));
        const from = (index: number): void => {
          const each = node.cases[index];
          if (each === undefined) this.steps.push({ step: "refuse", check, shown: key });
          else
            this.choose(
              caseTest(this, each.when, of),
              () => this.object(each.node, of),
              () => from(index + 1),
            );
        };
        from(0);
        return;
      }
      case "mark": {
        const test = caseTest(this, node.when, of);
        this.choose(
          test,
          () => {
            this.object(node.marked, of);
            for (const { bits, value } of node.parts) putBits(this, bits, value);
          },
          () => {
            const parts = node.parts.map(({ name, bits, value }) => ({
              of: memberOf(this, of, name, "number"),
              bits,
              value,
            }));
            const [first] = node.parts;
            const text = node.parts.map(({ name, value }) => `${name} ${value}`).join(", ");
            const check = this.within(first?.name ?? "", () => this.use("mark", this.path, text));
            this.steps.push({ step: "notMark", parts, shown: of, check });
            this.object(node.of, of);
          },
        );
        return;
      }
      case "bits":
        writeBits(this, node, () => this.object(node.of, of));
        return;
      case "limited":
        writeLimited(this, node, () => this.object(node.of, of));
        return;
      case "peek":
        this.object(firstCase(node), of);
        return;
      case "sized":
      case "compressed":
        this.leaf(node, of);
        return;
      default:
        throw new TypeError(`Cannot compile ${this.path || "value"}: a ${node.kind} is no object`);
    }
  }

  override leaf(node: LayoutNode, of: Local): void {
    writeLeaf(this, node, of);
  }
}
