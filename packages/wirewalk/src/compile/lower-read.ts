/**
 * From descriptions to the steps that read them.
 *
 * The bounds of fields with fixed places are checked together, but never past a field that may be refused by its value: bytes are
 * refused for the first thing that is wrong with them, as the interpreter does.
 *
 * @module
 */
import { sizeOf } from "../wire/layout/size.ts";
import type {
  ArrayNode,
  BytesNode,
  Condition,
  IntegerNode,
  LayoutNode,
  LiteralNode,
  RowsNode,
  SizedNode,
  StructNode,
  TextNode,
  VariantNode,
} from "../wire/layout/node.ts";
import { integerName } from "../wire/layout/numbers.ts";
import { countBytes, joinPath } from "../wire/wire-error.ts";
import { tagsText } from "../wire/layout/cases.ts";
import { type CheckTable, Names, partsOf, type Program } from "./program.ts";
import type { CheckUse, Local, LocalType, PathUse, Place, ReadFunction, ReadStep, Test, Value, ValueField } from "./steps.ts";

/** Lists of up to so many items are made in their full length before the items have been read: a larger count is only a claim. */
const MAX_BELIEVED = 255;

/** What a condition may ask of the fields before it. */
type Scope = Map<string, { readonly local: Local; readonly maybe: boolean }>;

/** Where the next field begins: see {@link Place}. */
interface Cursor {
  base: Place["base"];
  bits: number;
  order: Place["order"];
}

/** Whether a value's size follows from its description and nothing in it can be refused by its value. */
function isPlain(node: LayoutNode): boolean {
  switch (node.kind) {
    case "integer":
      return node.min === undefined && node.max === undefined;
    case "float":
      return node.finite !== true;
    case "unused":
    case "constant":
      return true;
    case "bytes":
      return typeof node.length === "number";
    case "flags":
      return node.reserved === "ignore" && isPlain(node.of);
    case "struct":
      return node.fields.every(({ node: field, when }) => when === undefined && isPlain(field));
    default:
      return false;
  }
}

/** Whether reading it asks where a size that was read before claims that the bytes end. */
function asksClaim(node: LayoutNode): boolean {
  if (node.kind === "bytes") return typeof node.length === "object" && "rest" in node.length;
  return node.kind !== "sized" && partsOf(node).some(asksClaim);
}

const local = (value: Local): Value => ({ is: "local", local: value });
const constant = (value: number | string | boolean | bigint): Value => ({ is: "constant", value });

/** The functions that read the roots of a program. */
export class ReadFunctions {
  readonly functions: ReadFunction[] = [];
  readonly #made = new Set<string>();
  readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  /** The name of the function that reads a description; it is made where there is none yet. */
  nameOf(node: LayoutNode, wanted: string, claims = false): string {
    const name = this.program.nameOf(node, wanted) + (claims ? "Claimed" : "");
    if (this.#made.has(name)) return name;
    this.#made.add(name);
    const body = new Reading(this, this.program.nameOf(node, wanted)).whole(node);
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
class Reading {
  #steps: ReadStep[] = [];
  #cursor: Cursor = { base: "at", bits: 0, order: "bytes" };
  /** The check of bounds that the next field may join. */
  #open: { readonly need: { bits: number }; readonly check: (string | number)[] } | undefined;
  #isUnchecked = false;
  #path = "";
  #indexes: readonly Local[] = [];
  readonly #names = new Names();
  readonly #functions: ReadFunctions;
  readonly #program: Program;
  readonly #table: CheckTable;

  constructor(functions: ReadFunctions, name: string) {
    this.#table = functions.program.tableOf(name);
    this.#functions = functions;
    this.#program = functions.program;
  }

  /** The steps of the whole function. */
  whole(node: LayoutNode): readonly ReadStep[] {
    const finish = (value: Value): void => {
      this.#steps.push({ step: "return", value, place: this.#place() });
    };
    if (this.#isObject(node)) this.#object(node, (fields) => finish({ is: "object", fields, node }));
    else finish(this.#leaf(node, "value"));
    return this.#steps;
  }

  /** Names are numbers where nothing may be allocated. */
  #hasNumbers = false;

  /** The steps that read an item into an object of the caller. */
  filling(node: LayoutNode): readonly ReadStep[] {
    this.#hasNumbers = true;
    this.#object(node, (fields) => this.#steps.push({ step: "fill", fields, place: this.#place() }));
    return this.#steps;
  }

  /** The steps that read a list into rows of numbers. */
  rows(node: ArrayNode, { words }: RowsNode): readonly ReadStep[] {
    this.#hasNumbers = true;
    const { length } = node;
    if (typeof length !== "number" && !("count" in length)) throw new TypeError("Cannot compile rows of a list without a count");
    const count = typeof length === "number" ? length : this.#count(length);
    this.#commit();
    const index = this.#local("row", "number");
    // Columns of 16 bits take numbers as they stand on the wire: their signs are the columns'.
    const columns = words.flat();
    this.#unsigned = new Set(columns.flatMap(({ bits, fields }) => (bits < 32 ? fields : [])));
    let fields: readonly ValueField[] = [];
    const { body } = this.#loop(index, () => {
      const value = this.#valueOf(node.item, "item");
      if (value.is === "object") fields = value.fields;
      return value;
    });
    const packed = words.map((list) => {
      let shift = 0;
      return list.map(({ fields: names, bits }) => {
        const own = fields.flatMap(({ key, value }) => (names.includes(key) && value.is === "local" ? [value.local] : []));
        const part = { locals: own, shift, bits };
        shift += bits;
        return part;
      });
    });
    const used = new Set(packed.flat().flatMap(({ locals }) => locals.map(({ name }) => name)));
    this.#steps.push({ step: "rows", index, count, body: withoutUnused(body, used), words: packed, place: this.#place() });
    return this.#steps;
  }

  #unsigned: ReadonlySet<string> = new Set();

  // --- Places and checks -------------------------------------------------------------------------------------------------

  #place(): Place {
    const { base, bits, order } = this.#cursor;
    return { base, bits, order };
  }

  #local(name: string, type: LocalType, node?: LayoutNode): Local {
    return { name: this.#names.take(name), type, ...(node === undefined ? {} : { node }) };
  }

  /** Sets a local of several branches. What was read for that alone is read into it. */
  #set(to: Local, value: Value): void {
    const from = value.is === "local" ? value.local : undefined;
    const index = from === undefined ? -1 : this.#steps.findIndex((step) => step.step === "integer" && step.to === from);
    const step = this.#steps[index];
    const isAsked = from !== undefined && this.#steps.some((each, at) => at !== index && JSON.stringify(each).includes(`"name":"${from.name}"`));
    if (step?.step === "integer" && !isAsked) this.#steps[index] = { ...step, to };
    else this.#steps.push({ step: "set", to, value });
  }

  #merged(name: string): Local {
    return { ...this.#local(name, "value"), isMerged: true };
  }

  #use(...check: readonly (string | number)[]): CheckUse {
    this.#open = undefined;
    return { table: this.#table.name, id: this.#table.add(check), indexes: this.#indexes };
  }

  /** The place of a field of so many bits, which are checked to be there. */
  #take(bits: number, type: string | number = bits): Place {
    const place = this.#place();
    this.#cursor.bits += bits;
    if (this.#isUnchecked) return place;
    if (this.#open === undefined) {
      const check: (string | number)[] = ["fields"];
      const need = {
        step: "need" as const,
        place,
        bits: 0,
        check: { table: this.#table.name, id: this.#table.addOwn(check), indexes: this.#indexes },
      };
      this.#steps.push(need);
      this.#open = { need, check };
    }
    this.#open.need.bits += bits;
    this.#open.check.push(this.#path, type);
    return place;
  }

  /** Moves the cursor to where the next field begins, but for bits within a byte. */
  #commit(): void {
    this.#open = undefined;
    const { base, bits } = this.#cursor;
    const moved = base === "bit" ? bits : bits - (bits % 8);
    if (moved === 0) return;
    this.#steps.push({ step: "advance", base, bits: moved });
    this.#cursor.bits -= moved;
  }

  /** From here on places within bytes are known only to the reader. */
  #toBits(): void {
    if (this.#cursor.base === "bit") {
      this.#commit();
      return;
    }
    this.#open = undefined;
    this.#steps.push({ step: "toBits", place: this.#place() });
    this.#cursor = { ...this.#cursor, base: "bit", bits: 0 };
  }

  /** The path of what another function reads. */
  #pathUse(): PathUse {
    this.#open = undefined;
    return { path: this.#path, indexes: this.#indexes };
  }

  /** Runs with one more name in the path. */
  #within<T>(name: string, run: () => T): T {
    const before = this.#path;
    this.#path = joinPath(before, name);
    const result = run();
    this.#path = before;
    return result;
  }

  /** Steps of bodies of which one is run; each begins where the reader stands. Behind them, all stand at the same place. */
  #branches(bodies: readonly (() => void)[]): readonly (readonly ReadStep[])[] {
    this.#open = undefined;
    const before = { ...this.#cursor };
    const [steps, path, indexes] = [this.#steps, this.#path, this.#indexes];
    const ends = bodies.map((body) => {
      this.#steps = [];
      this.#cursor = { ...before };
      this.#open = undefined;
      [this.#path, this.#indexes] = [path, indexes];
      body();
      this.#open = undefined;
      const own = this.#steps;
      return { own, cursor: { ...this.#cursor }, goesOn: !endsHere(own) };
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
    this.#open = undefined;
    [this.#path, this.#indexes] = [path, indexes];
    this.#cursor = { ...behind };
    return ends.map(({ own }) => own);
  }

  // --- Values ------------------------------------------------------------------------------------------------------------

  #isObject(node: LayoutNode): boolean {
    switch (node.kind) {
      case "struct":
      case "variant":
      case "byLength":
      case "mark":
        return true;
      case "peek":
        return node.cases.every((each) => this.#isObject(each.node));
      case "bits":
      case "limited":
        return this.#isObject(node.of);
      default:
        return false;
    }
  }

  /** Whether the steps after it are the same whatever its bytes are. */
  #isStraight(node: LayoutNode): boolean {
    switch (node.kind) {
      case "struct":
        return node.fields.every(({ name, node: field }) => name !== "" || this.#isStraight(field));
      case "bits":
      case "limited":
        return this.#isStraight(node.of);
      case "variant":
        // Whatever the case, its object is made in one place.
        return node.members !== undefined;
      default:
        return !this.#isObject(node);
    }
  }

  /** The value of a field or an item: one place behind it, however it was read. */
  #valueOf(node: LayoutNode, name: string): Value {
    const isWhole = this.#cursor.order === "bytes" && this.#cursor.base === "at";
    if (isWhole && this.#program.isShared(node) && (this.#isObject(node) || node.kind === "array" || node.kind === "bits")) {
      return this.#call(node, name);
    }
    if (!this.#isObject(node)) return this.#leaf(node, name);
    if (this.#isStraight(node)) {
      let fields: readonly ValueField[] = [];
      this.#object(node, (found) => {
        fields = found;
      });
      return { is: "object", fields, node };
    }
    const to = this.#local(name, "value", node);
    this.#steps.push({ step: "declare", local: to });
    this.#object(node, (fields) => {
      this.#steps.push({ step: "set", to, value: { is: "object", fields, node } });
    });
    return local(to);
  }

  #call(node: LayoutNode, name: string): Value {
    this.#commit();
    const to = this.#local(name, "value");
    const called = this.#functions.nameOf(node, name);
    this.#steps.push({ step: "call", to, name: called, path: this.#pathUse(), claims: false });
    return local(to);
  }

  #leaf(node: LayoutNode, name: string): Value {
    switch (node.kind) {
      case "integer":
        if (node.bits === 64) {
          const to = this.#local(name, "bigint");
          this.#steps.push({ step: "big", to, place: this.#take(64) });
          return local(to);
        }
        return local(this.#number(node, name));
      case "smart":
        return local(this.#number(node, name));
      case "float": {
        const place = this.#take(32);
        const to = this.#local(name, "number");
        this.#steps.push({ step: "float", to, place, order: node.order, finite: node.finite === true });
        if (node.finite) this.#steps.push({ step: "finite", of: to, check: this.#use("finite", this.#path), place });
        return local(to);
      }
      case "boolean": {
        const place = this.#place();
        const of = this.#number(node.of, name);
        this.#steps.push({
          step: "check",
          test: { of, from: 0, to: 1 },
          check: this.#use("none", this.#path, "0, 1"),
          place,
          shown: of,
        });
        const to = this.#local(name, "boolean");
        this.#steps.push({ step: "boolean", to, of });
        return local(to);
      }
      case "oneOf": {
        const place = this.#place();
        const of = this.#number(node.of, name);
        const to = this.#local(name, "text");
        const known = Object.values(node.names).join(", ");
        this.#steps.push({ step: "name", to, of, names: node.names, check: this.#use("none", this.#path, known), place });
        return local(to);
      }
      case "prefix": {
        const of = this.#prefix(node.codes, name);
        const to = this.#local(name, "value", node);
        this.#steps.push({ step: "declare", local: to });
        const codes = Object.entries(node.codes);
        const branches = this.#branches(
          codes.map(([each, code]) => () => {
            this.#cursor.bits += code.length;
            this.#steps.push({ step: "set", to, value: constant(each) });
          }),
        );
        const cases = codes.slice(1).map((_, index) => ({ values: [index + 1], body: branches[index + 1] ?? [] }));
        this.#steps.push({ step: "switch", of, cases, otherwise: branches[0] ?? [] });
        return local(to);
      }
      case "flags": {
        const place = this.#place();
        const of = this.#number(node.of, name);
        if (node.reserved === "refuse") {
          const known = Object.values(node.flags).reduce((sum, bit) => sum | (1 << bit), 0);
          const most = sizeOf(node.of).most;
          const others = (~known & (most >= 32 ? -1 : 2 ** most - 1)) >>> 0;
          if (others !== 0) {
            const check = this.#use("reserved", this.#path, others);
            this.#steps.push({ step: "check", test: { of, mask: others, from: 0, to: 0 }, check, place, shown: of });
          }
        }
        const to = this.#local(name, "value");
        this.#steps.push({ step: "flags", to, of, flags: node.flags, shared: node.shared === true });
        return local(to);
      }
      case "literal":
        return this.#literal(node, name);
      case "constant":
        return constant(node.value);
      case "unused": {
        const to = this.#local(name, "number");
        this.#steps.push({ step: "integer", to, place: this.#take(node.bits), as: { bits: node.bits, signed: false, order: "be" } });
        return local(to);
      }
      case "array":
        return this.#array(node, name);
      case "bytes":
        return this.#bytes(node, name);
      case "text":
        return this.#text(node, name);
      case "sized":
        return this.#sized(node, name);
      case "compressed": {
        this.#wholeBytes("a compressed block");
        this.#commit();
        const to = this.#local(name, "value");
        const size = sizeOf(node.of);
        const called = this.#functions.nameOf(node.of, name);
        const block = this.#within("block", () => this.#use("block", this.#path, countBytes(size.most / 8)));
        this.#steps.push({
          step: "inflate",
          to,
          name: called,
          limit: node.limit,
          ignoreReserved: node.reserved === "ignore",
          ...(size.least === size.most ? { exact: size.most / 8 } : {}),
          checks: {
            block,
            body: this.#pathUse(),
          },
        });
        return local(to);
      }
      case "bits":
      case "limited": {
        let value = constant(0);
        this.#around(node, () => {
          value = this.#valueOf(node.of, name);
        });
        return value;
      }
      case "peek": {
        const to = this.#local(name, "value");
        this.#steps.push({ step: "declare", local: to });
        this.#chain(
          node.cases.map(({ when, node: inner }) => ({
            test: when && this.#peekTest(when),
            run: () => {
              const value = this.#valueOf(inner, name);
              this.#steps.push({ step: "set", to, value });
            },
          })),
        );
        return local(to);
      }
      default:
        throw new TypeError(`Cannot compile ${this.#path || "value"}: a ${node.kind} is an object`);
    }
  }

  /** What stands around a description: bits within whole bytes, or a limit. */
  #around(node: Extract<LayoutNode, { kind: "bits" | "limited" }>, inner: (finish: () => void) => void): void {
    if (node.kind === "limited") {
      this.#wholeBytes("a limit");
      const place = this.#place();
      const check = this.#within(node.name, () => this.#use("limited", this.#path, node.bytes));
      this.#steps.push({ step: "check", test: { left: place, atMost: node.bytes * 8 }, check, place });
      inner(() => undefined);
      return;
    }
    const before = this.#cursor.order;
    if (before !== "bytes") throw new TypeError(`Cannot compile ${this.#path || "value"}: bits within bits`);
    this.#cursor.order = node.first;
    let isFinished = false;
    const finish = (): void => {
      isFinished = true;
      this.#endBits(node);
    };
    inner(finish);
    if (!isFinished) finish();
    this.#cursor.order = "bytes";
  }

  /** What is left of the last byte of bits. */
  #endBits(node: Extract<LayoutNode, { kind: "bits" }>): void {
    const { name, value } = node.padding;
    const padding = (): CheckUse => this.#within(name, () => this.#use("padding", this.#path));
    if (this.#cursor.base === "bit") {
      this.#commit();
      const check = value === "zero" ? { check: padding() } : {};
      this.#steps.push({ step: "toBytes", place: this.#place(), ...check });
      this.#cursor = { base: "at", bits: 0, order: "bytes" };
      return;
    }
    const width = -this.#cursor.bits & 7;
    if (width > 0) {
      if (value === "zero") {
        const place = this.#place();
        const rest = this.#local(name, "number");
        this.#steps.push({ step: "integer", to: rest, place, as: { bits: width, signed: false, order: "be" } });
        // Of a byte that begins with its lowest bit the padding is the high end: it is named by the byte.
        const named: Place = place.order === "lsb" ? { ...place, bits: place.bits - (place.bits % 8) } : place;
        this.#steps.push({ step: "check", test: { of: rest, from: 0, to: 0 }, check: padding(), place: named, shown: rest });
      }
      this.#cursor.bits += width;
    }
    this.#cursor.order = "bytes";
  }

  #wholeBytes(what: string): void {
    if (this.#cursor.order !== "bytes") throw new TypeError(`Cannot compile ${this.#path || "value"}: ${what} within bits`);
  }

  /** A number as it stands in the value. */
  #number(node: LayoutNode, name: string): Local {
    if (node.kind === "smart") {
      const to = this.#local(name, "number");
      this.#commit();
      const checks = [8, node.wide ? 32 : 16, 16].map((bits) => ({
        table: this.#table.name,
        id: this.#table.add(["fields", this.#path, bits]),
        indexes: this.#indexes,
      }));
      if (this.#cursor.base === "at" && this.#cursor.bits % 8 !== 0) this.#toBits();
      this.#steps.push({ step: "smart", to, wide: node.wide === true, checks: checks as [CheckUse, CheckUse, CheckUse] });
      return to;
    }
    if (node.kind !== "integer" || node.bits === 64) {
      throw new TypeError(`Cannot compile ${this.#path || "value"}: a number is needed, got ${node.kind}`);
    }
    const place = this.#take(node.bits, node.bits % 8 === 0 ? integerName(node) : node.bits);
    const to = this.#local(name, "number");
    const as = wireInteger(node);
    this.#steps.push({ step: "integer", to, place, as: this.#unsigned.has(name) ? { ...as, signed: false } : as });
    const { min, max } = node;
    if (min !== undefined || max !== undefined) {
      const { min: least, max: most } = rangeOf(node);
      const check = this.#use("range", this.#path, least, most);
      this.#steps.push({ step: "check", test: { of: to, from: least, to: most }, check, place, shown: to });
    }
    return to;
  }

  #prefix(codes: Readonly<Record<string, string>>, name: string): Local {
    const list = Object.values(codes);
    const longest = Math.max(...list.map(({ length }) => length));
    const { base, bits } = this.#cursor;
    // Its bits lie in one byte: where the first is, all are.
    const isInByte = base === "at" && (bits % 8) + longest <= 8;
    if (!isInByte) throw new TypeError(`Cannot compile ${this.#path || "value"}: a prefix that may lie in two bytes`);
    const place = this.#take(1);
    this.#cursor.bits -= 1;
    const to = this.#local(`${name}Code`, "number");
    const check = this.#use("prefix", this.#path, longest, Object.keys(codes).join(", "), ...list);
    this.#steps.push({ step: "prefix", to, codes: list, check, place });
    return to;
  }

  #literal(node: LiteralNode, name: string): Value {
    const place = this.#place();
    const { value, parts } = node;
    if (parts === undefined) {
      const found = this.#leaf(node.of, name);
      if (found.is !== "local") throw new TypeError(`Cannot compile ${this.#path}: a literal of a ${node.of.kind}`);
      const check = this.#use("is", this.#path, typeof value === "bigint" ? String(value) : value);
      this.#steps.push({ step: "check", test: { of: found.local, is: value }, check, place, shown: found.local });
      return constant(value);
    }
    const of = this.#number(node.of, name);
    for (const { shift, mask, code, why } of parts) {
      const part = this.#local(`${name}Part`, "number");
      this.#steps.push({ step: "part", to: part, of, shift, mask });
      const expected = (Number(value) >>> shift) & mask;
      const check = this.#use("part", this.#path, code, why);
      this.#steps.push({ step: "check", test: { of: part, from: expected, to: expected }, check, place, shown: part });
    }
    return constant(value);
  }

  // --- Runs --------------------------------------------------------------------------------------------------------------

  /** A count before items, believed up to its limit. */
  #count({ count, limit }: { readonly count: LayoutNode; readonly limit: number }): Local {
    return this.#within("count", () => {
      const place = this.#place();
      const of = this.#number(count, "count");
      const { min, max } = rangeOf(count);
      if (min < 0) {
        this.#steps.push({ step: "check", test: { of, from: 0 }, check: this.#use("count", this.#path), place, shown: of });
      }
      if (max > limit) {
        const check = this.#use("limit", this.#path, limit);
        this.#steps.push({ step: "check", test: { of, to: limit }, check, place, shown: of });
      }
      return of;
    });
  }

  /** Runs in a loop: what it reads begins where the cursor stands, and the cursor ends behind it. */
  #loop(index: Local, body: () => Value): { body: readonly ReadStep[]; item: Value } {
    const [steps, path, indexes] = [this.#steps, this.#path, this.#indexes];
    this.#steps = [];
    this.#open = undefined;
    this.#path = `${path}[]`;
    this.#indexes = [...indexes, index];
    const item = body();
    this.#open = undefined;
    if (this.#cursor.order !== "bytes" && this.#cursor.base === "at") this.#toBits();
    else this.#commit();
    const own = this.#steps;
    this.#steps = steps;
    [this.#path, this.#indexes] = [path, indexes];
    return { body: own, item };
  }

  #array(node: ArrayNode, name: string): Value {
    const { length, item } = node;
    const to = this.#local(name, "list", node);
    const index = this.#local(`${name}Index`, "number");
    const read = () => this.#loop(index, () => this.#valueOf(item, singular(name)));
    const enter = (): void => {
      // Items of bits begin at any place in a byte.
      if (this.#cursor.order === "bytes") this.#commit();
      else this.#toBits();
    };
    if (typeof length === "number" || "count" in length) {
      const count = typeof length === "number" ? length : this.#count(length);
      enter();
      const size = sizeOf(item);
      if (isPlain(item) && size.least === size.most && size.most > 0) {
        // Nothing of an item can be refused by its value: that all of them are there is checked once.
        const pieces = piecesOf(item, `${this.#path}[]`);
        const check = { table: this.#table.name, id: this.#table.add(["cuts", this.#path, size.most, ...pieces]), indexes: this.#indexes };
        this.#open = undefined;
        const total = typeof count === "number" ? { bits: size.most * count } : { bits: size.most, times: count };
        this.#steps.push({ step: "need", place: this.#place(), ...total, check });
        const { body, item: value } = this.#unchecked(read);
        this.#steps.push({ step: "list", to, index, count, isBounded: true, body, item: value });
        return local(to);
      }
      const { body, item: value } = read();
      const isBounded = typeof length === "number" || length.limit <= MAX_BELIEVED;
      this.#steps.push({ step: "list", to, index, count, isBounded, body, item: value });
      return local(to);
    }
    enter();
    const place = this.#place();
    if ("until" in length) {
      const { until, limit } = length;
      const check = this.#use("items", this.#path, limit);
      const { body, item: value } = read();
      this.#steps.push({ step: "openList", to, index, place, limit, until, check, body, item: value });
      return local(to);
    }
    const check = this.#use("items", this.#path, length.rest);
    if (length.tolerant) {
      this.#wholeBytes("a tolerant list");
      const called = this.#functions.nameOf(item, singular(name));
      this.#steps.push({ step: "tolerant", to, name: called, limit: length.rest, check });
      return local(to);
    }
    const { body, item: value } = read();
    this.#steps.push({ step: "openList", to, index, place, limit: length.rest, check, body, item: value });
    return local(to);
  }

  /** Reads without checks of bounds, which were made before. */
  #unchecked<T>(run: () => T): T {
    this.#isUnchecked = true;
    const result = run();
    this.#isUnchecked = false;
    return result;
  }

  #bytes(node: BytesNode, name: string): Value {
    const { length, transform, reversed } = node;
    const to = this.#local(name, "bytes");
    const change = {
      ...(transform === undefined ? {} : { transform }),
      ...(reversed === undefined ? {} : { reversed }),
    };
    if (typeof length === "number") {
      if (this.#cursor.order !== "bytes") this.#toBits();
      const place = this.#take(length * 8);
      this.#steps.push({ step: "bytes", to, place, count: length, ...change });
      return local(to);
    }
    this.#wholeBytes("a run of bytes");
    if ("until" in length) throw new TypeError(`Cannot compile ${this.#path}: a run of bytes ends by its count or with the message`);
    if ("rest" in length) {
      const count = this.#local(`${name}Bytes`, "number");
      this.#commit();
      const place = this.#place();
      const check = this.#use("left", this.#path, length.rest);
      this.#steps.push({ step: "left", to: count, place, limit: length.rest, check });
      this.#run(count);
      this.#steps.push({ step: "bytes", to, place, count, ...change });
      this.#steps.push({ step: "advance", base: "at", bits: 8, times: count });
      return local(to);
    }
    const count = this.#count(length);
    this.#commit();
    this.#run(count);
    this.#steps.push({ step: "bytes", to, place: this.#place(), count, ...change });
    this.#steps.push({ step: "advance", base: "at", bits: 8, times: count });
    return local(to);
  }

  /** Checks that a run of bytes is there. */
  #run(count: Local): void {
    const check = this.#use("run", this.#path);
    this.#steps.push({ step: "need", place: this.#place(), bits: 8, times: count, check });
  }

  #text(node: TextNode, name: string): Value {
    this.#wholeBytes("a text");
    const { length, charset } = node;
    const to = this.#local(name, "text");
    if ("end" in length) {
      this.#commit();
      const isLatin = charset === "latin1";
      const checks = [
        isLatin ? this.#use("noEnd", this.#path) : this.#use("fields", this.#path, 8),
        this.#use("long", this.#path, length.limit),
      ] as const;
      this.#steps.push({ step: "zeroText", to, charset, limit: length.limit, checks });
      return local(to);
    }
    const count = this.#count(length);
    this.#commit();
    this.#run(count);
    this.#steps.push({ step: "text", to, place: this.#place(), count, charset });
    this.#steps.push({ step: "advance", base: "at", bits: 8, times: count });
    return local(to);
  }

  #sized(node: SizedNode, name: string): Value {
    this.#wholeBytes("a size");
    const { extra } = node;
    const start = this.#place();
    const least = extra + sizeOf(node.of).least / 8;
    const size = this.#within("size", () => {
      const of = this.#number(node.size, "size");
      const check = this.#use("least", this.#path, least);
      this.#steps.push({ step: "check", test: { of, from: least }, check, place: start, shown: of });
      return of;
    });
    // The place of the size is named after the cursor has moved: so it is counted from where that stands then.
    const moved = this.#cursor.bits;
    this.#commit();
    const to = this.#local(name, "value");
    const claims = asksClaim(node.of);
    const called = this.#functions.nameOf(node.of, name, claims);
    this.#steps.push({
      step: "sized",
      to,
      name: called,
      size,
      extra,
      claims,
      start: { ...start, bits: start.bits - moved },
      checks: { path: this.#pathUse(), small: this.#within("size", () => this.#use("size", this.#path)) },
    });
    return local(to);
  }

  // --- Objects -----------------------------------------------------------------------------------------------------------

  /** Reads the fields of an object and goes on with them: once, or in every branch. `isLast`: no bytes are read after it. */
  #object(node: LayoutNode, then: (fields: readonly ValueField[]) => void, isLast = true): void {
    switch (node.kind) {
      case "struct":
        this.#struct(node, then, isLast);
        return;
      case "variant":
        this.#variant(node, then, isLast);
        return;
      case "byLength":
        this.#chain(
          node.cases.map(({ bytes, node: inner }) => ({
            test: bytes === undefined ? undefined : { left: this.#place(), exactly: bytes * 8 },
            run: () => this.#object(inner, then, isLast),
          })),
        );
        return;
      case "peek":
        this.#chain(
          node.cases.map(({ when, node: inner }) => ({
            test: when && this.#peekTest(when),
            run: () => this.#object(inner, then, isLast),
          })),
        );
        return;
      case "mark": {
        const width = node.parts.reduce((sum, { bits }) => sum + bits, 0);
        let at = this.#place();
        const tests: Test[] = [{ left: at, atLeast: width }];
        for (const { bits, value } of node.parts) {
          tests.push({ bitsAt: at, width: bits, is: value });
          at = { ...at, bits: at.bits + bits };
        }
        this.#merge(
          [
            {
              test: { all: tests },
              run: (go) => {
                this.#cursor.bits += width;
                this.#object(node.marked, go, isLast);
              },
            },
            { test: undefined, run: (go) => this.#object(node.of, go, isLast) },
          ],
          [node.marked, node.of],
          then,
          isLast,
        );
        return;
      }
      case "bits":
        this.#around(node, (finish) => {
          this.#object(
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
        this.#around(node, () => this.#object(node.of, then, isLast));
        return;
      case "sized":
      case "compressed": {
        const value = this.#leaf(node, "content");
        then([{ key: "...", value }]);
        return;
      }
      default:
        throw new TypeError(`Cannot compile ${this.#path || "value"}: a ${node.kind} is no object`);
    }
  }

  /** Tests one after another; the last body has none. */
  #chain(bodies: readonly { readonly test: Test | undefined; readonly run: () => void }[]): void {
    const [first, ...others] = bodies;
    if (first === undefined) return;
    if (first.test === undefined) {
      first.run();
      return;
    }
    const branches = this.#branches([first.run, () => this.#chain(others)]);
    const [whenTrue = [], otherwise = []] = branches;
    this.#steps.push({ step: "if", test: first.test, then: whenTrue, otherwise });
  }

  /**
   * Branches of an object. Where bytes follow and all branches have the same keys, these become locals, so that what follows is there
   * once.
   */
  #merge(
    bodies: readonly { readonly test: Test | undefined; readonly run: (go: (fields: readonly ValueField[]) => void) => void }[],
    nodes: readonly LayoutNode[],
    then: (fields: readonly ValueField[]) => void,
    isLast: boolean,
  ): void {
    const keys = isLast ? undefined : commonKeys(nodes);
    if (keys === undefined) {
      this.#chain(bodies.map(({ test, run }) => ({ test, run: () => run(then) })));
      return;
    }
    const locals = keys.map((key) => ({ key, to: this.#merged(key) }));
    for (const { to } of locals) this.#steps.push({ step: "declare", local: to });
    const go = (fields: readonly ValueField[]): void => {
      for (const { key, to } of locals) {
        const found = fields.find((field) => field.key === key);
        if (found !== undefined) this.#set(to, found.value);
      }
    };
    this.#chain(bodies.map(({ test, run }) => ({ test, run: () => run(go) })));
    then(locals.map(({ key, to }) => ({ key, value: local(to) })));
  }

  #struct(node: StructNode, then: (fields: readonly ValueField[]) => void, isLast: boolean): void {
    const { fields, order, kept } = node;
    const scope: Scope = new Map();
    const keep = (name: string, isBefore: boolean): void => {
      if (kept === undefined || name !== (isBefore ? kept.from : kept.to)) return;
      const place = this.#place();
      if (isBefore) this.#steps.push({ step: "keepFrom", place: { ...place, bits: place.bits - 8 * (kept.before ?? 0) } });
      else this.#steps.push({ step: "keepTo", place });
    };
    const from = (index: number, found: readonly ValueField[]): void => {
      const field = fields[index];
      if (field === undefined) {
        then(ordered(found, order));
        return;
      }
      const { name, node: inner, hidden, when } = field;
      if (name === "") {
        const isEnd = isLast && index === fields.length - 1;
        this.#object(inner, (more) => from(index + 1, [...found, ...more]), isEnd);
        return;
      }
      keep(name, true);
      if (when !== undefined) {
        const group = groupFrom(fields, index);
        const values = this.#optional(group, when, scope);
        for (const each of group) keep(each.name, false);
        from(index + group.length, [...found, ...values]);
        return;
      }
      const value = this.#within(name, () => {
        if (inner.kind !== "unused") return this.#valueOf(inner, name);
        this.#take(inner.bits);
        return constant(0);
      });
      keep(name, false);
      if (value.is === "local") scope.set(name, { local: value.local, maybe: false });
      from(index + 1, hidden ? found : [...found, { key: name, value }]);
    };
    from(0, []);
  }

  /** Fields that are there together or not at all: locals that are set where they are. */
  #optional(group: StructNode["fields"], when: Condition, scope: Scope): readonly ValueField[] {
    const test = this.#condition(when, scope);
    this.#commit();
    const locals = group.map(({ name, node }) => ({ ...this.#merged(name), node }));
    for (const each of locals) this.#steps.push({ step: "declare", local: each });
    const [present = [], absent = []] = this.#branches([
      () => {
        const values = group.map(({ name, node }) => this.#within(name, () => this.#valueOf(node, name)));
        locals.forEach((to, index) => {
          this.#set(to, values[index] ?? constant(0));
        });
      },
      () => undefined,
    ]);
    this.#steps.push({ step: "if", test, then: present, otherwise: absent });
    return group.flatMap(({ name, hidden }, index): ValueField[] => {
      const own = locals[index] as Local;
      scope.set(name, { local: own, maybe: true });
      return hidden ? [] : [{ key: name, value: local(own), maybe: true }];
    });
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

  #peekTest({ next, atMost }: { readonly next?: { readonly mask: number; readonly value: number }; readonly atMost?: number }): Test {
    this.#wholeBytes("looking ahead");
    const place = this.#place();
    const tests: Test[] = [];
    if (next !== undefined) tests.push({ left: place, atLeast: 8 }, { next: place, ...next });
    if (atMost !== undefined) tests.push({ left: place, atMost: atMost * 8 });
    return { all: tests };
  }

  #variant(node: VariantNode, then: (fields: readonly ValueField[]) => void, isLast: boolean): void {
    const { tagName, tag, cases, members, order } = node;
    const place = this.#place();
    const numbers = numbersOf(tag);
    const known = cases.flatMap(({ tags = [] }) => tags);
    const otherwise = cases.find(({ tags }) => tags === undefined);
    const { of, check } = this.#within(tagName, () => {
      const of = tag.kind === "prefix" ? this.#prefix(tag.codes, tagName) : this.#number(tag.kind === "oneOf" ? tag.of : tag, tagName);
      const text = tag.kind === "oneOf" ? Object.values(tag.names).join(", ") : tagsText(known);
      return { of, check: this.#use("none", this.#path, text) };
    });
    const bodyOf = (each: (typeof cases)[number], go: (fields: readonly ValueField[]) => void) => (): void => {
      const [only] = each.tags ?? [];
      const own = numbers === undefined || this.#hasNumbers ? local(of) : constant(only ?? "");
      if (tag.kind === "prefix") this.#cursor.bits += (tag.codes[String(only)] as string).length;
      this.#object(
        each.node,
        (fields) => {
          const inner = fields.find(({ key }) => key === tagName)?.value;
          const rest = fields.filter(({ key }) => key !== tagName);
          const all = each.hidden ? fields : [{ key: tagName, value: inner ?? own }, ...rest];
          go(members === undefined ? ordered(all, order) : all);
        },
        isLast,
      );
    };
    const keys = isLast ? undefined : commonKeys(cases.map((each) => each.node));
    const isUniform = members !== undefined || (keys !== undefined && cases.every(({ hidden }) => hidden !== true));
    // One place that makes the object, whichever case was read: with one in each case reading took 3 ns more a fragment.
    const merged = members === undefined ? [tagName, ...(keys ?? [])] : Object.keys(members);
    const locals = isUniform ? merged.map((key) => ({ key, to: this.#merged(key) })) : [];
    for (const { key, to } of locals) {
      const fill = members?.[key];
      this.#steps.push({ step: "declare", local: to, ...(fill === undefined ? {} : { fill }) });
    }
    const go = isUniform
      ? (fields: readonly ValueField[]): void => {
          for (const { key, to } of locals) {
            const found = fields.find((field) => field.key === key);
            if (found !== undefined) this.#set(to, found.value);
          }
        }
      : then;
    // Each tag of a name is a case of its own: its name is a constant of the value.
    const split = cases.flatMap((each) =>
      numbers === undefined || each.hidden || (each.tags?.length ?? 0) < 2
        ? [each]
        : (each.tags ?? []).map((one) => ({ ...each, tags: [one] })),
    );
    const tagged = split.filter(({ tags }) => tags !== undefined);
    const others = otherwise !== undefined && numbers !== undefined ? otherTags(numbers, known).map((one) => ({ ...otherwise, tags: [one] })) : [];
    const listed = [...tagged, ...others];
    const bodies = listed.map((each) => bodyOf(each, go));
    const refuse = (): void => {
      this.#steps.push({ step: "refuse", check, place, shown: of });
    };
    const last = otherwise !== undefined && numbers === undefined ? bodyOf(otherwise, go) : refuse;
    const branches = this.#branches([...bodies, last]);
    this.#steps.push({
      step: "switch",
      of,
      cases: listed.map(({ tags = [] }, index) => ({
        values: tags.map((each) => (numbers === undefined ? Number(each) : (numbers.get(String(each)) as number))),
        body: branches[index] ?? [],
      })),
      otherwise: branches.at(-1) ?? [],
    });
    if (!isUniform) return;
    const fields = locals.map(({ key, to }) => ({ key, value: local(to) }));
    then(members === undefined ? fields : [{ key: tagName, value: local(of) }, ...fields]);
  }
}

/** Steps without those that set locals of branches which nothing uses. */
function withoutUnused(steps: readonly ReadStep[], used: ReadonlySet<string>): readonly ReadStep[] {
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
        return [{ ...step, cases, otherwise: withoutUnused(step.otherwise, used) }];
      }
      case "if":
        return [{ ...step, then: withoutUnused(step.then, used), otherwise: withoutUnused(step.otherwise, used) }];
      default:
        return [step];
    }
  });
}

/** The field at an index and those right after it with the same condition, which none of them is about. */
export function groupFrom(fields: StructNode["fields"], index: number): StructNode["fields"] {
  const when = JSON.stringify(fields[index]?.when);
  const others = fields.slice(index + 1);
  const end = others.findIndex((each) => each.when === undefined || JSON.stringify(each.when) !== when);
  return fields.slice(index, end < 0 ? fields.length : index + 1 + end);
}

/** Whether steps end with a return or a refusal in every branch. */
export function endsHere(steps: readonly ReadStep[]): boolean {
  const last = steps.at(-1);
  switch (last?.step) {
    case "return":
    case "fill":
    case "rows":
    case "refuse":
      return true;
    case "if":
      return endsHere(last.then) && endsHere(last.otherwise);
    case "switch":
      return last.cases.every(({ body }) => endsHere(body)) && endsHere(last.otherwise);
    default:
      return false;
  }
}

/** The numbers of tags that are names; undefined where the tags are numbers themselves. */
function numbersOf(tag: LayoutNode): ReadonlyMap<string, number> | undefined {
  if (tag.kind === "oneOf") return new Map(Object.entries(tag.names));
  if (tag.kind === "prefix") return new Map(Object.keys(tag.codes).map((name, index) => [name, index]));
  return undefined;
}

const otherTags = (numbers: ReadonlyMap<string, number>, known: readonly (string | number)[]): string[] =>
  [...numbers.keys()].filter((name) => !known.includes(name));

function wireInteger(node: IntegerNode): Extract<ReadStep, { step: "integer" }>["as"] {
  const { bits, signed, order, transform, bias, divisor } = node;
  return {
    bits,
    signed,
    order,
    ...(transform === undefined ? {} : { transform }),
    ...(bias === undefined ? {} : { bias }),
    ...(divisor === undefined ? {} : { divisor }),
  };
}

/** The least and the greatest value of a number. */
export function rangeOf(node: LayoutNode): { readonly min: number; readonly max: number } {
  if (node.kind === "smart") return node.wide ? { min: -1, max: node.max ?? 0x7fff_ffff } : { min: 0, max: node.max ?? 0x7fff };
  if (node.kind !== "integer") throw new TypeError(`a ${node.kind} is not a number`);
  const { bits, signed, bias = 0, divisor = 1 } = node;
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const { min = (low - bias) / divisor, max = (low + 2 ** bits - 1 - bias) / divisor } = node;
  return { min, max };
}

/** The names and bits of the fields of a plain item, for errors. */
function piecesOf(node: LayoutNode, path: string): readonly (string | number)[] {
  if (node.kind !== "struct") return node.kind === "constant" ? [] : [path, sizeOf(node).most];
  return node.fields.flatMap(({ name, node: field }) => piecesOf(field, joinPath(path, name)));
}

/** The keys that all objects have, where they are the same and always there. */
function commonKeys(nodes: readonly LayoutNode[]): readonly string[] | undefined {
  const lists = nodes.map(keysOf);
  const [first] = lists;
  if (first === undefined) return undefined;
  const isSame = lists.every((keys) => keys !== undefined && keys.length === first.length && first.every((key) => keys.includes(key)));
  return isSame ? first : undefined;
}

function keysOf(node: LayoutNode): readonly string[] | undefined {
  if (node.kind === "bits" || node.kind === "limited") return keysOf(node.of);
  if (node.kind === "mark") return commonKeys([node.marked, node.of]);
  if (node.kind !== "struct") return undefined;
  const keys: string[] = [];
  for (const { name, node: field, hidden, when } of node.fields) {
    if (when !== undefined) return undefined;
    if (name === "") {
      const inner = keysOf(field);
      if (inner === undefined) return undefined;
      keys.push(...inner);
    } else if (!hidden) keys.push(name);
  }
  return ordered(
    keys.map((key) => ({ key, value: constant(0) })),
    node.order,
  ).map(({ key }) => key);
}

/** The fields with some keys first. */
function ordered(fields: readonly ValueField[], order: readonly string[] = []): readonly ValueField[] {
  const first = order.flatMap((key) => fields.filter((field) => field.key === key));
  return [...first, ...fields.filter(({ key }) => !order.includes(key))];
}

/** The name of an item of a list. */
function singular(name: string): string {
  return name.endsWith("s") && name.length > 2 ? name.slice(0, -1) : `${name}Item`;
}
