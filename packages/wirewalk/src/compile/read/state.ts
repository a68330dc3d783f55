/**
 * The state of a function that is being made: its steps so far, where the cursor stands, which checks may still grow, and the path.
 *
 * @module
 */
import type { LayoutNode } from "../../wire/describe/node.ts";
import { joinPath } from "../../wire/wire-error.ts";
import { type CheckTable, Names, type Program } from "../program.ts";
import { endsHere } from "../shapes.ts";
import type { CheckUse, Local, LocalType, PathUse, Place, ReadStep, Value, ValueField } from "../steps.ts";

/** Where the next field begins: see {@link Place}. */
export interface Cursor {
  base: Place["base"];
  bits: number;
  order: Place["order"];
}

/** The functions of a program, by their descriptions. */
export interface ReaderNames {
  readonly program: Program;
  /** The name of the function that reads a description; it is made where there is none yet. */
  nameOf(node: LayoutNode, wanted: string, claims?: boolean): string;
}

/** What all steps of a reader share. */
export abstract class ReadState {
  steps: ReadStep[] = [];
  cursor: Cursor = { base: "at", bits: 0, order: "bytes" };
  /** The check of bounds that the next field may join. */
  open: { readonly need: { bits: number }; readonly check: (string | number)[] } | undefined;
  isUnchecked = false;
  path = "";
  indexes: readonly Local[] = [];
  /** Names are numbers where nothing may be allocated. */
  hasNumbers = false;
  /** Fields that are read without their sign. */
  unsigned: ReadonlySet<string> = new Set();
  readonly names = new Names();
  readonly functions: ReaderNames;
  readonly program: Program;
  readonly table: CheckTable;

  constructor(functions: ReaderNames, name: string) {
    this.table = functions.program.tableOf(name);
    this.functions = functions;
    this.program = functions.program;
  }

  /** The value of a field or an item: one place behind it, however it was read. */
  abstract value(node: LayoutNode, name: string): Value;
  /** The value of a description that is no object. */
  abstract leaf(node: LayoutNode, name: string): Value;
  /** Reads the fields of an object and goes on with them: once, or in every branch. `isLast`: no bytes are read after it. */
  abstract object(node: LayoutNode, then: (fields: readonly ValueField[]) => void, isLast?: boolean): void;

  place(): Place {
    const { base, bits, order } = this.cursor;
    return { base, bits, order };
  }

  local(name: string, type: LocalType, node?: LayoutNode): Local {
    return { name: this.names.take(name), type, ...(node === undefined ? {} : { node }) };
  }

  merged(name: string): Local {
    return { ...this.local(name, "value"), isMerged: true };
  }

  use(...check: readonly (string | number)[]): CheckUse {
    this.open = undefined;
    return { table: this.table.name, id: this.table.add(check), indexes: this.indexes };
  }

  /** The place of a field of so many bits, which are checked to be there. */
  take(bits: number, type: string | number = bits): Place {
    const place = this.place();
    this.cursor.bits += bits;
    if (this.isUnchecked) return place;
    if (this.open === undefined) {
      const check: (string | number)[] = ["fields"];
      const need = {
        step: "need" as const,
        place,
        bits: 0,
        check: { table: this.table.name, id: this.table.addOwn(check), indexes: this.indexes },
      };
      this.steps.push(need);
      this.open = { need, check };
    }
    this.open.need.bits += bits;
    this.open.check.push(this.path, type);
    return place;
  }

  /** Passes over the rest of a byte that has begun. */
  skip(bits: number): void {
    this.cursor.bits += bits;
    if (this.open === undefined) return;
    this.open.need.bits += bits;
    this.open.check.push(this.path, bits);
  }

  /** Moves the cursor to where the next field begins, but for bits within a byte. */
  commit(): void {
    this.open = undefined;
    const { base, bits } = this.cursor;
    const moved = base === "bit" ? bits : bits - (bits % 8);
    if (moved === 0) return;
    this.steps.push({ step: "advance", base, bits: moved });
    this.cursor.bits -= moved;
  }

  /** From here on places within bytes are known only to the reader. */
  toBits(): void {
    if (this.cursor.base === "bit") {
      this.commit();
      return;
    }
    this.open = undefined;
    this.steps.push({ step: "toBits", place: this.place() });
    this.cursor = { ...this.cursor, base: "bit", bits: 0 };
  }

  /** The path of what another function reads. */
  pathUse(): PathUse {
    this.open = undefined;
    return { path: this.path, indexes: this.indexes };
  }

  /** Runs with one more name in the path. */
  within<T>(name: string, run: () => T): T {
    const before = this.path;
    this.path = joinPath(before, name);
    const result = run();
    this.path = before;
    return result;
  }

  /** Steps of bodies of which one is run; each begins where the reader stands. Behind them, all stand at the same place. */
  branches(bodies: readonly (() => void)[]): readonly (readonly ReadStep[])[] {
    this.open = undefined;
    const before = { ...this.cursor };
    const [steps, path, indexes] = [this.steps, this.path, this.indexes];
    const ends = bodies.map((body) => {
      this.steps = [];
      this.cursor = { ...before };
      this.open = undefined;
      [this.path, this.indexes] = [path, indexes];
      body();
      this.open = undefined;
      const own = this.steps;
      return { own, cursor: { ...this.cursor }, goesOn: !endsHere(own) };
    });
    const joined = ends.filter(({ goesOn }) => goesOn);
    const [first] = joined;
    const isAligned = joined.every(
      ({ cursor }) => cursor.base === "at" && first !== undefined && cursor.bits % 8 === first.cursor.bits % 8,
    );
    let behind = before;
    for (const { own, cursor } of joined) {
      this.steps = own;
      this.cursor = cursor;
      if (isAligned) this.commit();
      else this.toBits();
      behind = this.cursor;
    }
    this.steps = steps;
    this.open = undefined;
    [this.path, this.indexes] = [path, indexes];
    this.cursor = { ...behind };
    return ends.map(({ own }) => own);
  }

  /** Runs in a loop: what it reads begins where the cursor stands, and the cursor ends behind it. */
  loop(index: Local, body: () => Value): { body: readonly ReadStep[]; item: Value } {
    const [steps, path, indexes] = [this.steps, this.path, this.indexes];
    this.steps = [];
    this.open = undefined;
    this.path = `${path}[]`;
    this.indexes = [...indexes, index];
    const item = body();
    this.open = undefined;
    if (this.cursor.order !== "bytes" && this.cursor.base === "at") this.toBits();
    else this.commit();
    const own = this.steps;
    this.steps = steps;
    [this.path, this.indexes] = [path, indexes];
    return { body: own, item };
  }

  /** Reads without checks of bounds, which were made before. */
  unchecked<T>(run: () => T): T {
    this.isUnchecked = true;
    const result = run();
    this.isUnchecked = false;
    return result;
  }

  /** Sets a local of several branches. What was read for that alone is read into it. */
  set(to: Local, value: Value): void {
    const from = value.is === "local" ? value.local : undefined;
    const index = from === undefined ? -1 : this.steps.findIndex((step) => step.step === "integer" && step.to === from);
    const step = this.steps[index];
    const isAsked =
      from !== undefined &&
      this.steps.some((each, at) => at !== index && JSON.stringify(each).includes(`"name":"${from.name}"`));
    if (step?.step === "integer" && !isAsked) this.steps[index] = { ...step, to };
    else this.steps.push({ step: "set", to, value });
  }

  wholeBytes(what: string): void {
    if (this.cursor.order !== "bytes")
      throw new TypeError(`Cannot compile ${this.path || "value"}: ${what} within bits`);
  }
}
