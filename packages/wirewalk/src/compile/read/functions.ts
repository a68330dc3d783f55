/**
 * From descriptions to the steps that read them.
 *
 * The bounds of fields with fixed places are checked together, but never past a field that may be refused by its value: bytes are
 * refused for the first thing that is wrong with them, as the interpreter does.
 *
 * @module
 */
import type { ArrayNode, LayoutNode, RowsNode } from "../../wire/describe/node.ts";
import { sizeOf } from "../../wire/describe/size.ts";
import { countBytes } from "../../wire/wire-error.ts";
import type { Program } from "../program.ts";
import { constant, isObject, isStraight, local } from "../shapes.ts";
import type { Local, ReadFunction, ReadStep, Test, Value, ValueField } from "../steps.ts";
import { readAround } from "./around.ts";
import { readLiteral, readNumber, readPrefix } from "./numbers.ts";
import { mergeBranches, peekTest, readChain, readStruct, readVariant } from "./objects.ts";
import { readArray, readBytes, readCount, readSized, readText } from "./runs.ts";
import { type ReaderNames, ReadState } from "./state.ts";

/** The functions that read the roots of a program. */
export class ReadFunctions implements ReaderNames {
  readonly functions: ReadFunction[] = [];
  readonly #made = new Set<string>();
  readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  /** The name of the function that reads a description. The first call makes the function. */
  nameOf(node: LayoutNode, wanted: string, claims = false): string {
    const name = this.program.nameOf(node, wanted) + (claims ? "Claimed" : "");
    if (this.#made.has(name)) return name;
    this.#made.add(name);
    const body = new Reading(this, this.program.nameOf(node, wanted), claims).whole(node);
    this.functions.push({ name, node, into: "value", claims, body });
    return name;
  }

  /** The function that reads the items of a list without allocating: see `ArrayNode.rows`. */
  rowsOf(node: ArrayNode, wanted: string): ReadFunction {
    const { rows } = node;
    if (rows === undefined) throw new TypeError("Cannot compile rows: the list has none");
    const owner = rows === "object" ? node.item : node;
    const name = this.program.nameOf(owner, wanted);
    const reading = new Reading(this, `${name}Rows`);
    const body = rows === "object" ? reading.filling(node.item) : reading.rows(node, rows);
    const fn: ReadFunction = { name, node: owner, into: rows === "object" ? "object" : "rows", claims: false, body };
    this.functions.push(fn);
    return fn;
  }
}

/** The reading of one function. */
class Reading extends ReadState {
  /** The steps of the whole function. */
  whole(node: LayoutNode): readonly ReadStep[] {
    const finish = (value: Value): void => {
      this.steps.push({ step: "return", value, place: this.place() });
    };
    if (isObject(node)) this.object(node, (fields) => finish({ is: "object", fields, node }));
    else finish(this.leaf(node, "value"));
    return this.steps;
  }

  /** The steps that read an item into an object of the caller. */
  filling(node: LayoutNode): readonly ReadStep[] {
    this.hasNumbers = true;
    this.object(node, (fields) => this.steps.push({ step: "fill", fields, place: this.place() }));
    return this.steps;
  }

  /** The steps that read a list into rows of numbers. */
  rows(node: ArrayNode, { words }: RowsNode): readonly ReadStep[] {
    this.hasNumbers = true;
    const { length } = node;
    if (typeof length !== "number" && !("count" in length))
      throw new TypeError("Cannot compile rows of a list without a count");
    const count = typeof length === "number" ? length : readCount(this, length);
    this.commit();
    const index = this.local("row", "number");
    // Columns of 16 bits take numbers as they stand on the wire: their signs are the columns'.
    const columns = words.flat();
    this.unsigned = new Set(columns.flatMap(({ bits, fields }) => (bits < 32 ? fields : [])));
    let fields: readonly ValueField[] = [];
    const { body } = this.loop(index, () => {
      const value = this.value(node.item, "item");
      if (value.is === "object") fields = value.fields;
      return value;
    });
    const packed = words.map((list) => {
      let shift = 0;
      return list.map(({ fields: names, bits }) => {
        const own = fields.flatMap(({ key, value }) =>
          names.includes(key) && value.is === "local" ? [value.local] : [],
        );
        const part = { locals: own, shift, bits };
        shift += bits;
        return part;
      });
    });
    const used = new Set(packed.flat().flatMap(({ locals }) => locals.map(({ name }) => name)));
    this.steps.push({
      step: "rows",
      index,
      count,
      body: withoutUnused(body, used),
      words: packed,
      place: this.place(),
    });
    return this.steps;
  }

  /** The value of a field or an item: one place behind it, however it was read. */
  override value(node: LayoutNode, name: string): Value {
    const isWhole = this.cursor.order === "bytes" && this.cursor.base === "at";
    if (isWhole && this.program.isShared(node) && (isObject(node) || node.kind === "array" || node.kind === "bits")) {
      return callReader(this, node, name);
    }
    if (!isObject(node)) return this.leaf(node, name);
    if (isStraight(node)) {
      let fields: readonly ValueField[] = [];
      this.object(node, (found) => {
        fields = found;
      });
      return { is: "object", fields, node };
    }
    const to = this.local(name, "value", node);
    this.steps.push({ step: "declare", local: to });
    this.object(node, (fields) => {
      this.steps.push({ step: "set", to, value: { is: "object", fields, node } });
    });
    return local(to);
  }

  override leaf(node: LayoutNode, name: string): Value {
    switch (node.kind) {
      case "integer":
        if (node.bits === 64) {
          const to = this.local(name, "bigint");
          this.steps.push({ step: "big", to, place: this.take(64) });
          return local(to);
        }
        return local(readNumber(this, node, name));
      case "smart":
        return local(readNumber(this, node, name));
      case "float": {
        const place = this.take(32);
        const to = this.local(name, "number");
        this.steps.push({ step: "float", to, place, order: node.order, finite: node.finite === true });
        if (node.finite) this.steps.push({ step: "finite", of: to, check: this.use("finite", this.path), place });
        return local(to);
      }
      case "boolean": {
        const place = this.place();
        const of = readNumber(this, node.of, name);
        this.steps.push({
          step: "check",
          test: { of, from: 0, to: 1 },
          check: this.use("none", this.path, "0, 1"),
          place,
          shown: of,
        });
        const to = this.local(name, "boolean");
        this.steps.push({ step: "boolean", to, of });
        return local(to);
      }
      case "oneOf": {
        const place = this.place();
        const of = readNumber(this, node.of, name);
        const to = this.local(name, "text");
        const known = Object.values(node.names).join(", ");
        this.steps.push({ step: "name", to, of, names: node.names, check: this.use("none", this.path, known), place });
        return local(to);
      }
      case "prefix": {
        const of = readPrefix(this, node.codes, name);
        const to = this.local(name, "value", node);
        this.steps.push({ step: "declare", local: to });
        const codes = Object.entries(node.codes);
        const branches = this.branches(
          codes.map(([each, code]) => () => {
            this.cursor.bits += code.length;
            this.steps.push({ step: "set", to, value: constant(each) });
          }),
        );
        const cases = codes.slice(1).map((_, index) => ({ values: [index + 1], body: branches[index + 1] ?? [] }));
        this.steps.push({ step: "switch", of, cases, no: branches[0] ?? [] });
        return local(to);
      }
      case "flags": {
        const place = this.place();
        const of = readNumber(this, node.of, name);
        if (node.reserved === "refuse") {
          const known = Object.values(node.flags).reduce((sum, bit) => sum | (1 << bit), 0);
          const most = sizeOf(node.of).most;
          const others = (~known & (most >= 32 ? -1 : 2 ** most - 1)) >>> 0;
          if (others !== 0) {
            const check = this.use("reserved", this.path, others);
            this.steps.push({ step: "check", test: { of, mask: others, from: 0, to: 0 }, check, place, shown: of });
          }
        }
        const to = this.local(name, "value");
        this.steps.push({ step: "flags", to, of, flags: node.flags, shared: node.shared === true });
        return local(to);
      }
      case "literal":
        return readLiteral(this, node, name);
      case "constant":
        return constant(node.value);
      case "unused": {
        const to = this.local(name, "number");
        this.steps.push({
          step: "integer",
          to,
          place: this.take(node.bits),
          as: { bits: node.bits, signed: false, order: "be" },
        });
        return local(to);
      }
      case "array":
        return readArray(this, node, name);
      case "bytes":
        return readBytes(this, node, name);
      case "text":
        return readText(this, node, name);
      case "sized":
        return readSized(this, node, name);
      case "compressed": {
        this.wholeBytes("a compressed block");
        this.commit();
        const to = this.local(name, "value");
        const size = sizeOf(node.of);
        const called = this.functions.nameOf(node.of, name);
        const block = this.within("block", () => this.use("block", this.path, countBytes(size.most / 8)));
        this.steps.push({
          step: "inflate",
          to,
          name: called,
          limit: node.limit,
          ignoreReserved: node.reserved === "ignore",
          ...(size.least === size.most ? { exact: size.most / 8 } : {}),
          checks: {
            block,
            body: this.pathUse(),
          },
        });
        return local(to);
      }
      case "bits":
      case "limited": {
        let value = constant(0);
        readAround(this, node, () => {
          value = this.value(node.of, name);
        });
        return value;
      }
      case "peek": {
        const to = this.local(name, "value");
        this.steps.push({ step: "declare", local: to });
        readChain(
          this,
          node.cases.map(({ when, node: inner }) => ({
            test: when && peekTest(this, when),
            run: () => {
              const value = this.value(inner, name);
              this.steps.push({ step: "set", to, value });
            },
          })),
        );
        return local(to);
      }
      default:
        throw new TypeError(`Cannot compile ${this.path || "value"}: a ${node.kind} is an object`);
    }
  }

  /** Reads the fields of an object and goes on with them: once, or in every branch. `isLast`: no bytes are read after it. */
  override object(node: LayoutNode, then: (fields: readonly ValueField[]) => void, isLast = true): void {
    switch (node.kind) {
      case "struct":
        readStruct(this, node, then, isLast);
        return;
      case "variant":
        readVariant(this, node, then, isLast);
        return;
      case "byLength":
        readChain(
          this,
          node.cases.map(({ bytes, node: inner }) => ({
            test: bytes === undefined ? undefined : { left: this.place(), exactly: bytes * 8 },
            run: () => this.object(inner, then, isLast),
          })),
        );
        return;
      case "peek":
        readChain(
          this,
          node.cases.map(({ when, node: inner }) => ({
            test: when && peekTest(this, when),
            run: () => this.object(inner, then, isLast),
          })),
        );
        return;
      case "mark": {
        const width = node.parts.reduce((sum, { bits }) => sum + bits, 0);
        let at = this.place();
        const tests: Test[] = [{ left: at, atLeast: width }];
        for (const { bits, value } of node.parts) {
          tests.push({ bitsAt: at, width: bits, is: value });
          at = { ...at, bits: at.bits + bits };
        }
        mergeBranches(
          this,
          [
            {
              test: { all: tests },
              run: (go) => {
                this.cursor.bits += width;
                this.object(node.marked, go, isLast);
              },
            },
            { test: undefined, run: (go) => this.object(node.of, go, isLast) },
          ],
          [node.marked, node.of],
          then,
          isLast,
        );
        return;
      }
      case "bits":
        readAround(this, node, (finish) => {
          this.object(
            node.of,
            (fields) => {
              finish();
              then(fields);
            },
            isLast,
          );
        });
        return;
      case "limited":
        readAround(this, node, () => this.object(node.of, then, isLast));
        return;
      case "sized":
      case "compressed": {
        const value = this.leaf(node, "content");
        then([{ key: "...", value }]);
        return;
      }
      default:
        throw new TypeError(`Cannot compile ${this.path || "value"}: a ${node.kind} is no object`);
    }
  }
}

function callReader(state: ReadState, node: LayoutNode, name: string): Value {
  state.commit();
  const to = state.local(name, "value");
  const called = state.functions.nameOf(node, name);
  state.steps.push({ step: "call", to, name: called, path: state.pathUse(), claims: false });
  return local(to);
}

/** Steps without those that set locals of branches which nothing uses. */
export function withoutUnused(steps: readonly ReadStep[], used: ReadonlySet<string>): readonly ReadStep[] {
  const isUsed = (each: Local): boolean => !each.isMerged || used.has(each.name);
  return steps.flatMap((step): readonly ReadStep[] => {
    switch (step.step) {
      case "declare":
        return isUsed(step.local) ? [step] : [];
      case "set":
      case "integer":
        return isUsed(step.to) ? [step] : [];
      case "switch": {
        const cases = step.cases.map((each) => ({ ...each, body: withoutUnused(each.body, used) }));
        return [{ ...step, cases, no: withoutUnused(step.no, used) }];
      }
      case "if":
        return [{ ...step, yes: withoutUnused(step.yes, used), no: withoutUnused(step.no, used) }];
      default:
        return [step];
    }
  });
}
