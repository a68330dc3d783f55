/**
 * From descriptions to the steps that write them.
 *
 * There is room for what is written: whoever begins a message makes it, as large as the value may become.
 *
 * @module
 */
import { namesTested, tagsText } from "../wire/describe/cases.ts";
import type {
  ArrayNode,
  BytesNode,
  CaseNode,
  CaseTest,
  Condition,
  IntegerNode,
  LayoutNode,
  SizedNode,
  StructNode,
  TextNode,
  VariantNode,
} from "../wire/describe/node.ts";
import { integerName } from "../wire/describe/number-nodes.ts";
import { joinPath } from "../wire/wire-error.ts";
import { type CheckTable, Names, type Program } from "./program.ts";
import { groupFrom, rangeOf } from "./shapes.ts";
import type {
  CheckUse,
  Local,
  LocalType,
  PathUse,
  Place,
  Test,
  WireInteger,
  WriteFunction,
  WriteStep,
} from "./steps.ts";

type Scope = Map<string, { readonly local: Local; readonly maybe: boolean }>;

interface Cursor {
  base: Place["base"];
  bits: number;
  order: Place["order"];
}

/** The functions that write the roots of a program. */
export class WriteFunctions {
  readonly functions: WriteFunction[] = [];
  readonly #made = new Set<string>();
  readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  /** The name of the function that writes a description; it is made where there is none yet. */
  nameOf(node: LayoutNode, wanted: string): string {
    const name = this.program.nameOf(node, wanted);
    if (this.#made.has(name)) return name;
    this.#made.add(name);
    const body = new Writing(this, name).whole(node);
    this.functions.push({ name, node, use: useOf(node), body });
    return name;
  }
}

/** What a value is used as. */
function useOf(node: LayoutNode): LocalType {
  switch (node.kind) {
    case "integer":
      return node.bits === 64 ? "bigint" : "number";
    case "smart":
    case "float":
    case "unused":
      return "number";
    case "boolean":
      return "boolean";
    case "oneOf":
    case "prefix":
    case "text":
      return "text";
    case "bytes":
      return "bytes";
    case "array":
      return "list";
    case "literal":
    case "constant":
      return useOfValue(node.value);
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return useOf(node.of);
    case "peek":
      return useOf(firstCase(node));
    default:
      return "value";
  }
}

function useOfValue(value: unknown): LocalType {
  switch (typeof value) {
    case "number":
      return "number";
    case "bigint":
      return "bigint";
    case "boolean":
      return "boolean";
    default:
      return "text";
  }
}

/** Whether it is written as an object, whose members stand beside those of what is around it. */
function isObject(node: LayoutNode): boolean {
  switch (node.kind) {
    case "struct":
    case "variant":
    case "byLength":
    case "mark":
      return true;
    case "peek":
      return node.cases[0] !== undefined && isObject(node.cases[0].node);
    case "bits":
    case "limited":
      return isObject(node.of);
    default:
      return false;
  }
}

function wireInteger({ bits, signed, order, transform, bias, divisor }: IntegerNode): WireInteger {
  return {
    bits,
    signed,
    order,
    ...(transform === undefined ? {} : { transform }),
    ...(bias === undefined ? {} : { bias }),
    ...(divisor === undefined ? {} : { divisor }),
  };
}

class Writing {
  #steps: WriteStep[] = [];
  /** Integers that are written together, by their paths and types. */
  readonly #joins: { readonly check: { id: number }; readonly pieces: (readonly [path: string, type: string])[] }[] =
    [];
  #cursor: Cursor = { base: "at", bits: 0, order: "bytes" };
  #path = "";
  #indexes: readonly Local[] = [];
  readonly #names = new Names();
  readonly #functions: WriteFunctions;
  readonly #program: Program;
  readonly #table: CheckTable;

  constructor(functions: WriteFunctions, name: string) {
    this.#table = functions.program.tableOf(name);
    this.#functions = functions;
    this.#program = functions.program;
  }

  whole(node: LayoutNode): readonly WriteStep[] {
    const value: Local = { name: "v", type: useOf(node) };
    this.#write(node, value);
    this.#steps.push({ step: "end", place: this.#place() });
    // A reader's check of the same fields has their names and types.
    for (const { check, pieces } of this.#joins) check.id = this.#table.fieldsWith(pieces);
    return this.#steps;
  }

  // --- Places and checks -------------------------------------------------------------------------------------------------

  #place(): Place {
    const { base, bits, order } = this.#cursor;
    return { base, bits, order };
  }

  #take(bits: number): Place {
    const place = this.#place();
    this.#cursor.bits += bits;
    return place;
  }

  #local(name: string, type: LocalType = "value"): Local {
    return { name: this.#names.take(name), type };
  }

  #use(...check: readonly (string | number)[]): CheckUse {
    return { table: this.#table.name, id: this.#table.add(check), indexes: this.#indexes };
  }

  /** The path of what another function writes. */
  #pathUse(): PathUse {
    return { path: this.#path, indexes: this.#indexes };
  }

  #within<T>(name: string, run: () => T): T {
    const before = this.#path;
    this.#path = joinPath(before, name);
    const result = run();
    this.#path = before;
    return result;
  }

  #commit(): void {
    const { base, bits } = this.#cursor;
    const moved = base === "bit" ? bits : bits - (bits % 8);
    if (moved === 0) return;
    this.#steps.push({ step: "advance", base, bits: moved });
    this.#cursor.bits -= moved;
  }

  #toBits(): void {
    if (this.#cursor.base === "bit") {
      this.#commit();
      return;
    }
    this.#steps.push({ step: "toBits", place: this.#place() });
    this.#cursor = { ...this.#cursor, base: "bit", bits: 0 };
  }

  #wholeBytes(what: string): void {
    if (this.#cursor.order !== "bytes")
      throw new TypeError(`Cannot compile ${this.#path || "value"}: ${what} within bits`);
  }

  /** Bodies of which one is run: behind them, all stand at the same place. */
  #branches(bodies: readonly (() => void)[]): readonly (readonly WriteStep[])[] {
    const before = { ...this.#cursor };
    const [steps, path, indexes] = [this.#steps, this.#path, this.#indexes];
    const ends = bodies.map((body) => {
      this.#steps = [];
      this.#cursor = { ...before };
      [this.#path, this.#indexes] = [path, indexes];
      body();
      const own = this.#steps;
      return { own, cursor: { ...this.#cursor }, goesOn: !writingEnds(own) };
    });
    const joined = ends.filter(({ goesOn }) => goesOn);
    const [first] = joined;
    const isAligned = joined.every(
      ({ cursor }) => cursor.base === "at" && first !== undefined && cursor.bits % 8 === first.cursor.bits % 8,
    );
    let behind = before;
    for (const { own, cursor } of joined) {
      this.#steps = own;
      this.#cursor = cursor;
      if (isAligned) this.#commit();
      else this.#toBits();
      behind = this.#cursor;
    }
    this.#steps = steps;
    [this.#path, this.#indexes] = [path, indexes];
    this.#cursor = { ...behind };
    return ends.map(({ own }) => own);
  }

  #if(test: Test, then: () => void, otherwise: () => void): void {
    const [whenTrue = [], whenFalse = []] = this.#branches([then, otherwise]);
    this.#steps.push({ step: "if", test, yes: whenTrue, no: whenFalse });
  }

  // --- Values ------------------------------------------------------------------------------------------------------------

  #write(node: LayoutNode, of: Local): void {
    if (isObject(node)) {
      this.#steps.push({ step: "object", of, path: this.#pathUse() });
      this.#object(node, of);
      return;
    }
    this.#leaf(node, of);
  }

  /** A field or an item: by a function of its own where others write it too. */
  #part(node: LayoutNode, of: Local, name: string): void {
    const isWhole = this.#cursor.order === "bytes" && this.#cursor.base === "at";
    const isLarge = isObject(node) || node.kind === "array" || node.kind === "bits";
    if (!(isWhole && isLarge && this.#program.isShared(node))) {
      this.#write(node, of);
      return;
    }
    this.#commit();
    const called = this.#functions.nameOf(node, name);
    this.#steps.push({ step: "call", of, name: called, path: this.#pathUse() });
  }

  #leaf(node: LayoutNode, of: Local): void {
    switch (node.kind) {
      case "integer":
      case "smart":
        this.#number(node, of);
        return;
      case "float": {
        const checks = [this.#use("float", this.#path, `f32${node.order}`), this.#use("fits", this.#path)] as const;
        this.#steps.push({
          step: "float",
          of,
          place: this.#take(32),
          order: node.order,
          finite: node.finite === true,
          checks,
        });
        return;
      }
      case "boolean": {
        const to = this.#local("bit", "number");
        this.#steps.push({ step: "boolean", to, of, check: this.#use("boolean", this.#path) });
        this.#number(node.of, to, true);
        return;
      }
      case "oneOf": {
        const to = this.#local("number", "number");
        const check = this.#use("oneOf", this.#path, Object.keys(node.names).join(", "));
        this.#steps.push({ step: "number", to, of, names: node.names, check });
        this.#number(node.of, to, true);
        return;
      }
      case "prefix": {
        const codes = Object.entries(node.codes);
        const bodies = codes.map(
          ([, code]) =>
            () =>
              this.#code(code),
        );
        const check = this.#use("oneOf", this.#path, codes.map(([name]) => name).join(", "));
        const refuse = (): void => {
          this.#steps.push({ step: "refuse", check, shown: of });
        };
        const branches = this.#branches([...bodies, refuse]);
        const cases = codes.map(([name], index) => ({ values: [name], body: branches[index] ?? [] }));
        this.#steps.push({ step: "choose", of, cases, no: branches.at(-1) ?? [] });
        return;
      }
      case "flags": {
        const to = this.#local("bits", "number");
        this.#steps.push({
          step: "flags",
          to,
          of,
          flags: node.flags,
          check: this.#use("flags", this.#path, ...Object.keys(node.flags)),
        });
        this.#number(node.of, to, true);
        return;
      }
      case "literal": {
        const { value } = node;
        const check = this.#use("same", this.#path, typeof value === "bigint" ? String(value) : value);
        this.#steps.push({ step: "same", of, value, optional: false, check });
        this.#known(node.of, of, value);
        return;
      }
      case "constant": {
        const check = this.#use("same", this.#path, String(node.value));
        this.#steps.push({ step: "same", of, value: node.value, optional: node.optional === true, check });
        return;
      }
      case "unused":
        this.#put(node.bits, 0);
        return;
      case "array":
        this.#array(node, of);
        return;
      case "bytes":
        this.#bytes(node, of);
        return;
      case "text":
        this.#text(node, of);
        return;
      case "sized":
        this.#sized(node, of);
        return;
      case "compressed": {
        this.#wholeBytes("a compressed block");
        this.#commit();
        const called = this.#functions.nameOf(node.of, "content");
        const path = this.#pathUse();
        this.#steps.push({ step: "deflate", of, name: called, node: node.of, head: node.literals ?? 0, path });
        return;
      }
      case "bits":
        this.#bits(node, () => this.#write(node.of, of));
        return;
      case "limited":
        this.#limited(node, () => this.#write(node.of, of));
        return;
      case "peek":
        this.#write(firstCase(node), of);
        return;
      default:
        throw new TypeError(`Cannot compile ${this.#path || "value"}: a ${node.kind} is an object`);
    }
  }

  /** A number that is known: as it stands in the value. */
  #known(node: LayoutNode, of: Local, value: number | string | bigint): void {
    if (node.kind === "integer" && node.bits !== 64) {
      this.#steps.push({ step: "put", place: this.#take(node.bits), as: wireInteger(node), value: Number(value) });
      return;
    }
    this.#leaf(node, of);
  }

  #put(bits: number, value: number): void {
    this.#steps.push({ step: "put", place: this.#take(bits), as: { bits, signed: false, order: "be" }, value });
  }

  #code(code: string): void {
    // Bit by bit where the lowest one comes first.
    if (this.#cursor.order !== "lsb") this.#put(code.length, Number.parseInt(code, 2));
    else for (const bit of code) this.#put(1, Number(bit));
  }

  #number(node: LayoutNode, of: Local, isChecked = false): void {
    if (node.kind === "smart") {
      this.#commit();
      const { min, max } = rangeOf(node);
      const check = this.#use("integer", this.#path, "smart", min, max);
      this.#steps.push({ step: "smart", of, wide: node.wide === true, min, max, check });
      return;
    }
    if (node.kind !== "integer")
      throw new TypeError(`Cannot compile ${this.#path || "value"}: a number is needed, got ${node.kind}`);
    if (node.bits === 64) {
      this.#steps.push({ step: "big", of, place: this.#take(64), check: this.#use("big", this.#path) });
      return;
    }
    const { min, max } = rangeOf(node);
    const divisor = node.divisor === undefined ? [] : [node.divisor];
    const name = integerName(node);
    const check = this.#isPlainInteger(node)
      ? this.#use("integer", this.#path, name)
      : this.#use("integer", this.#path, name, min, max, ...divisor);
    const place = this.#take(node.bits);
    this.#steps.push({
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

  // --- Runs --------------------------------------------------------------------------------------------------------------

  /** The count of a run, with the checks of how many there may be. */
  #count(length: ArrayNode["length"], count: Local, what: string): void {
    if (typeof length === "number") {
      this.#steps.push({
        step: "exactly",
        of: count,
        count: length,
        check: this.#use("exactly", this.#path, length, what),
      });
      return;
    }
    const limit = "rest" in length ? length.rest : length.limit;
    this.#steps.push({ step: "atMost", of: count, limit, check: this.#use("most", this.#path, limit, what) });
    if ("count" in length)
      this.#within("count", () => this.#number(length.count, count, rangeOf(length.count).max >= limit));
  }

  #array(node: ArrayNode, of: Local): void {
    const { length, item } = node;
    const count = this.#local("count", "number");
    this.#steps.push({ step: "length", to: count, of, check: this.#use("list", this.#path) });
    this.#count(length, count, "items");
    if (this.#cursor.order === "bytes") this.#commit();
    else this.#toBits();
    const index = this.#local("i", "number");
    const each = this.#local("item", useOf(item));
    const until =
      typeof length === "object" && "until" in length
        ? { until: { byte: length.until, check: this.#within("[]", () => this.#use("end", this.#path, length.until)) } }
        : {};
    const [steps, path, indexes] = [this.#steps, this.#path, this.#indexes];
    this.#steps = [];
    this.#path = `${path}[]`;
    this.#indexes = [...indexes, index];
    const closed =
      "until" in until ? { ...until.until, check: { ...until.until.check, indexes: this.#indexes } } : undefined;
    this.#part(item, each, "item");
    if (this.#cursor.order !== "bytes" && this.#cursor.base === "at") this.#toBits();
    else this.#commit();
    const body = this.#steps;
    this.#steps = steps;
    [this.#path, this.#indexes] = [path, indexes];
    this.#steps.push({
      step: "list",
      of,
      index,
      length: count,
      item: each,
      body,
      ...(closed === undefined ? {} : { until: closed }),
    });
    if (closed !== undefined) this.#put(8, closed.byte);
  }

  #bytes(node: BytesNode, of: Local): void {
    const { length, transform, reversed } = node;
    if (typeof length === "object" && "until" in length) {
      throw new TypeError(`Cannot compile ${this.#path}: a run of bytes ends by its count or with the message`);
    }
    const change = {
      ...(transform === undefined ? {} : { transform }),
      ...(reversed === undefined ? {} : { reversed }),
    };
    if (typeof length === "number") {
      const check = this.#use("bytes", this.#path, length, length);
      if (this.#cursor.order !== "bytes") {
        this.#toBits();
        this.#steps.push({ step: "bitBytes", of, place: this.#take(length * 8), count: length, check });
        return;
      }
      this.#commit();
      this.#steps.push({ step: "bytes", of, least: length, most: length, check, ...change });
      return;
    }
    this.#wholeBytes("a run of bytes");
    this.#commit();
    if ("rest" in length) {
      const check = this.#use("bytes", this.#path, 0, length.rest);
      this.#steps.push({ step: "bytes", of, least: 0, most: length.rest, check, ...change });
      return;
    }
    const { count } = length;
    if (count.kind !== "integer") throw new TypeError(`Cannot compile ${this.#path}: the count of bytes is an integer`);
    const most = Math.min(length.limit, rangeOf(count).max);
    const check = this.#use("bytes", this.#path, 0, most);
    this.#steps.push({ step: "bytes", of, least: 0, most, check, count: wireInteger(count), ...change });
  }

  #text(node: TextNode, of: Local): void {
    this.#wholeBytes("a text");
    const { length, charset } = node;
    this.#commit();
    const isZeroEnded = "end" in length;
    const least = isZeroEnded ? 1 : 0;
    if (isZeroEnded) {
      const check = this.#use("text", this.#path, charset, least, length.limit);
      this.#steps.push({ step: "text", of, charset, least, limit: length.limit, check, isZeroEnded });
      return;
    }
    if ("rest" in length) {
      const check = this.#use("text", this.#path, charset, least, length.rest);
      this.#steps.push({ step: "text", of, charset, least, limit: length.rest, check, isZeroEnded });
      return;
    }
    const { count } = length;
    if (count.kind !== "integer")
      throw new TypeError(`Cannot compile ${this.#path}: the count of a text is an integer`);
    const limit = Math.min(length.limit, rangeOf(count).max);
    const check = this.#use("text", this.#path, charset, least, limit);
    this.#steps.push({ step: "text", of, charset, least, limit, check, isZeroEnded, count: wireInteger(count) });
  }

  #sized(node: SizedNode, of: Local): void {
    this.#wholeBytes("a size");
    const { size, extra } = node;
    if (size.kind !== "integer") throw new TypeError(`Cannot compile ${this.#path}: a size is an integer`);
    this.#commit();
    const called = this.#functions.nameOf(node.of, "content");
    const path = this.#pathUse();
    const { min, max } = rangeOf(size);
    const check = this.#within("size", () => this.#use("integer", this.#path, integerName(size), min, max));
    this.#steps.push({
      step: "sized",
      of,
      name: called,
      extra,
      as: wireInteger(size),
      max,
      checks: { path, size: check },
    });
  }

  #bits(node: Extract<LayoutNode, { kind: "bits" }>, inner: () => void): void {
    if (this.#cursor.order !== "bytes")
      throw new TypeError(`Cannot compile ${this.#path || "value"}: bits within bits`);
    this.#cursor.order = node.first;
    inner();
    if (this.#cursor.base === "bit") {
      this.#commit();
      this.#steps.push({ step: "toBytes" });
      this.#cursor = { base: "at", bits: 0, order: "bytes" };
      return;
    }
    // The first bits of a byte have cleared the others.
    this.#cursor.bits += -this.#cursor.bits & 7;
    this.#cursor.order = "bytes";
  }

  #limited(node: Extract<LayoutNode, { kind: "limited" }>, inner: () => void): void {
    this.#wholeBytes("a limit");
    const since = this.#local("start", "number");
    this.#steps.push({ step: "mark", to: since, place: this.#place() });
    inner();
    const check = this.#within(node.name, () => this.#use("over", this.#path, node.bytes));
    this.#steps.push({ step: "over", since, limit: node.bytes, place: this.#place(), check });
  }

  // --- Objects -----------------------------------------------------------------------------------------------------------

  /** Members of an object. */
  #object(node: LayoutNode, of: Local): void {
    switch (node.kind) {
      case "struct":
        this.#struct(node, of);
        return;
      case "variant":
        this.#variant(node, of);
        return;
      case "byLength": {
        const tested = namesTested(node.cases);
        if (tested === undefined)
          throw new TypeError(`Cannot compile ${this.#path}: one field must tell the cases apart`);
        const key = this.#member(of, tested.key, "text");
        const check = this.#within(tested.key, () => this.#use("oneOf", this.#path, tested.names.join(", ")));
        const from = (index: number): void => {
          const each = node.cases[index];
          if (each === undefined) this.#steps.push({ step: "refuse", check, shown: key });
          else
            this.#if(
              this.#caseTest(each.when, of),
              () => this.#object(each.node, of),
              () => from(index + 1),
            );
        };
        from(0);
        return;
      }
      case "mark": {
        const test = this.#caseTest(node.when, of);
        this.#if(
          test,
          () => {
            this.#object(node.marked, of);
            for (const { bits, value } of node.parts) this.#put(bits, value);
          },
          () => {
            const parts = node.parts.map(({ name, bits, value }) => ({
              of: this.#member(of, name, "number"),
              bits,
              value,
            }));
            const [first] = node.parts;
            const text = node.parts.map(({ name, value }) => `${name} ${value}`).join(", ");
            const check = this.#within(first?.name ?? "", () => this.#use("mark", this.#path, text));
            this.#steps.push({ step: "notMark", parts, shown: of, check });
            this.#object(node.of, of);
          },
        );
        return;
      }
      case "bits":
        this.#bits(node, () => this.#object(node.of, of));
        return;
      case "limited":
        this.#limited(node, () => this.#object(node.of, of));
        return;
      case "peek":
        this.#object(firstCase(node), of);
        return;
      case "sized":
      case "compressed":
        this.#leaf(node, of);
        return;
      default:
        throw new TypeError(`Cannot compile ${this.#path || "value"}: a ${node.kind} is no object`);
    }
  }

  #member(of: Local, key: string, type: LocalType): Local {
    const to = this.#local(key, type);
    this.#steps.push({ step: "get", to, of, key });
    return to;
  }

  #caseTest(when: CaseTest, of: Local): Test {
    const tests = Object.entries(when).map(([key, wanted]): Test => {
      const found = this.#member(of, key, Array.isArray(wanted) ? useOfValue(wanted[0]) : "value");
      if (wanted === "present") return { present: found };
      return wanted === "absent" ? { absent: found } : { of: found, oneOf: wanted };
    });
    const [only] = tests;
    return tests.length === 1 && only !== undefined ? only : { all: tests };
  }

  #struct(node: StructNode, of: Local): void {
    const { fields, kept } = node;
    const scope: Scope = new Map();
    const asked = new Set(fields.flatMap(({ when }) => (when === undefined ? [] : [when.field])));
    const writeAll = (list: StructNode["fields"]): void => {
      for (let index = 0; index < list.length; ) {
        const { when } = list[index] as StructNode["fields"][number];
        const group = when === undefined ? list.slice(index, index + 1) : groupFrom(list, index);
        if (when === undefined) for (const field of group) this.#field(field, of, scope, asked);
        else this.#optional(group, when, of, scope, asked);
        index += group.length;
      }
    };
    const first = kept === undefined ? -1 : fields.findIndex(({ name }) => name === kept.from);
    if (kept === undefined || first < 0) {
      writeAll(fields);
      return;
    }
    const last = fields.findIndex(({ name }) => name === kept.to);
    writeAll(fields.slice(0, first));
    const bytes = this.#member(of, kept.name, "bytes");
    this.#if(
      { present: bytes },
      () => {
        this.#commit();
        const check = this.#within(kept.name, () => this.#use("bytes", this.#path, 0, "any"));
        this.#steps.push({ step: "bytes", of: bytes, least: 0, most: Number.POSITIVE_INFINITY, check });
      },
      () => writeAll(fields.slice(first, last + 1)),
    );
    writeAll(fields.slice(last + 1));
  }

  #field(
    { name, node, hidden }: StructNode["fields"][number],
    of: Local,
    scope: Scope,
    asked: ReadonlySet<string>,
  ): void {
    if (name === "") {
      this.#object(node, of);
      return;
    }
    this.#within(name, () => {
      if (hidden) {
        if (node.kind === "literal") this.#known(node.of, of, node.value);
        else this.#leaf(node, of);
      } else if (this.#isPlainInteger(node) && !asked.has(name)) {
        this.#joined(node, of, name);
      } else {
        const value = this.#member(of, name, useOf(node));
        this.#part(node, value, name);
        scope.set(name, { local: value, maybe: false });
      }
    });
  }

  /** Fields that are there together or not at all. */
  #optional(group: StructNode["fields"], when: Condition, of: Local, scope: Scope, asked: ReadonlySet<string>): void {
    const test = this.#condition(when, scope);
    // Those that a later condition is about are looked at before it.
    for (const { name, node } of group) {
      if (asked.has(name)) scope.set(name, { local: this.#member(of, name, useOf(node)), maybe: true });
    }
    this.#if(
      test,
      () => {
        for (const { name, node } of group) {
          this.#within(name, () => {
            const known = scope.get(name);
            if (known === undefined && this.#isPlainInteger(node)) this.#joined(node, of, name);
            else this.#part(node, known?.local ?? this.#member(of, name, useOf(node)), name);
          });
        }
      },
      () => this.#steps.push({ step: "absent", of, keys: group.map(({ name }) => name), path: this.#pathUse() }),
    );
  }

  /** Whether it is an integer of whole bytes that may be all that its bits hold. */
  #isPlainInteger(node: LayoutNode): node is IntegerNode {
    if (node.kind !== "integer" || node.bits === 64 || this.#cursor.order !== "bytes") return false;
    const { bits, signed, order, transform, bias, divisor } = node;
    const { min, max } = rangeOf(node);
    const low = signed ? -(2 ** (bits - 1)) : 0;
    const isWhole = min === low && max === low + 2 ** bits - 1 && bias === undefined && divisor === undefined;
    return isWhole && transform === undefined && (order === "be" || order === "le");
  }

  /** An integer that is written and checked together with those before it. */
  #joined(node: IntegerNode, of: Local, key: string): void {
    const last = this.#steps.at(-1);
    const field = { key, place: this.#take(node.bits), as: wireInteger(node) };
    const prefix = this.#path.slice(0, this.#path.length - key.length).replace(/\.$/, "");
    const piece = [this.#path, integerName(node)] as const;
    if (last?.step === "integers" && last.of === of) {
      last.fields.push(field);
      this.#joins.at(-1)?.pieces.push(piece);
      return;
    }
    const step = {
      step: "integers" as const,
      of,
      prefix,
      fields: [field],
      check: { table: this.#table.name, id: -1, indexes: this.#indexes },
    };
    this.#steps.push(step);
    this.#joins.push({ check: step.check, pieces: [piece] });
  }

  #condition({ field, zero, from, to, not, mask }: Condition, scope: Scope): Test {
    const known = scope.get(field);
    if (known === undefined) throw new TypeError(`Cannot compile ${this.#path}: there is no field ${field} before it`);
    const maybe = known.maybe ? { maybe: true as const } : {};
    if (zero !== undefined) return { zeros: known.local, expected: zero, ...maybe };
    return {
      of: known.local,
      ...maybe,
      ...(mask === undefined ? {} : { mask }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(not === undefined ? {} : { not }),
    };
  }

  /** The tag of a case: known where the case has one tag alone. */
  #tag(node: VariantNode, each: CaseNode, own: Local, isKnown: boolean): void {
    const { tag, tagName } = node;
    this.#within(tagName, () => {
      const [only] = each.tags ?? [];
      if (tag.kind === "prefix") {
        this.#code(tag.codes[String(only)] as string);
      } else if (tag.kind === "oneOf" && each.tags?.length === 1) {
        this.#known(tag.of, own, tag.names[String(only)] as number);
      } else if (tag.kind === "oneOf") {
        this.#leaf(tag, own);
      } else if (each.tags?.length === 1 && tag.kind === "integer") {
        this.#known(tag, own, only as number);
      } else this.#number(tag, own, isKnown && tag.kind === "integer");
    });
  }

  #variant(node: VariantNode, of: Local): void {
    const { tagName, cases } = node;
    const own = this.#member(of, tagName, useOf(node.tag));
    const known = cases.flatMap(({ tags = [] }) => tags);
    const text = tagsText(known);
    const otherwise = cases.find(({ tags }) => tags === undefined);
    const body = (each: CaseNode, isKnown: boolean) => (): void => {
      if (node.exact) {
        const others = new Set(cases.flatMap((other) => allKeys(other.node)));
        for (const key of allKeys(each.node)) others.delete(key);
        if (others.size > 0) this.#steps.push({ step: "absent", of, keys: [...others], path: this.#pathUse() });
      }
      this.#tag(node, each, own, isKnown);
      this.#object(each.node, of);
    };
    const tests = namesTested(cases);
    const refuse = (): void => {
      if (tests !== undefined) {
        const shown = this.#member(of, tests.key, "text");
        const check = this.#within(tests.key, () => this.#use("oneOf", this.#path, tests.names.join(", ")));
        this.#steps.push({ step: "refuse", check, shown });
        return;
      }
      const kind = otherwise === undefined ? "oneOf" : "noneOf";
      this.#steps.push({
        step: "refuse",
        check: this.#within(tagName, () => this.#use(kind, this.#path, text)),
        shown: own,
      });
    };
    const bySwitch = (): void => {
      const open = cases.filter(({ hidden, tags }) => hidden !== true && tags !== undefined);
      const isOpen = otherwise !== undefined && otherwise.hidden !== true;
      const hiddenTags = cases.filter(({ hidden }) => hidden).flatMap(({ tags = [] }) => tags);
      const last = (): void => {
        if (!isOpen || otherwise === undefined) refuse();
        else this.#if({ present: own }, body(otherwise, false), refuse);
      };
      if (open.length === 0 && hiddenTags.length === 0) {
        last();
        return;
      }
      const branches = this.#branches([
        ...open.map((each) => body(each, true)),
        ...(hiddenTags.length > 0 ? [refuse] : []),
        last,
      ]);
      const listed = open.map(({ tags = [] }, index) => ({ values: tags, body: branches[index] ?? [] }));
      const refused = hiddenTags.length > 0 ? [{ values: hiddenTags, body: branches[open.length] ?? [] }] : [];
      this.#steps.push({ step: "choose", of: own, cases: [...listed, ...refused], no: branches.at(-1) ?? [] });
    };
    const tested = cases.filter(({ when }) => when !== undefined);
    const from = (index: number): void => {
      const each = tested[index];
      if (each?.when === undefined) {
        bySwitch();
        return;
      }
      const run = (): void => {
        const others = cases.filter((other) => other !== each).flatMap(({ tags = [] }) => tags);
        if (each.hidden || others.length === 0) {
          body(each, false)();
          return;
        }
        // A tag of another case contradicts what the value looks like.
        const check = this.#within(tagName, () => this.#use("here", this.#path));
        const branches = this.#branches([
          () => this.#steps.push({ step: "refuse", check, shown: own }),
          body(each, false),
        ]);
        this.#steps.push({
          step: "choose",
          of: own,
          cases: [{ values: others, body: branches[0] ?? [] }],
          no: branches[1] ?? [],
        });
      };
      this.#if(this.#caseTest(each.when, of), run, () => from(index + 1));
    };
    from(0);
  }
}

function firstCase(node: Extract<LayoutNode, { kind: "peek" }>): LayoutNode {
  const [first] = node.cases;
  if (first === undefined) throw new TypeError("a choice has cases");
  return first.node;
}

/** All keys that the objects of a description may have. */
export function allKeys(node: LayoutNode): readonly string[] {
  switch (node.kind) {
    case "struct":
      return node.fields.flatMap(({ name, node: inner, hidden }) =>
        hidden ? [] : name === "" ? allKeys(inner) : [name],
      );
    case "variant":
      return [node.tagName, ...node.cases.flatMap((each) => allKeys(each.node))];
    case "byLength":
    case "peek":
      return node.cases.flatMap((each) => allKeys(each.node));
    case "mark":
      return [...allKeys(node.marked), ...allKeys(node.of)];
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return allKeys(node.of);
    default:
      return [];
  }
}

/** Whether steps end with a refusal in every branch. */
export function writingEnds(steps: readonly WriteStep[]): boolean {
  const last = steps.at(-1);
  switch (last?.step) {
    case "refuse":
    case "end":
      return true;
    case "if":
      return writingEnds(last.yes) && writingEnds(last.no);
    case "choose":
      return last.cases.every(({ body }) => writingEnds(body)) && writingEnds(last.no);
    default:
      return false;
  }
}
