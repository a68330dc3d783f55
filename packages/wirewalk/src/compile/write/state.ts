import type { LayoutNode } from "../../wire/describe/node.ts";
import { joinPath } from "../../wire/wire-error.ts";
import { type CheckTable, Names, type Program } from "../program.ts";
import type { CheckUse, Local, LocalType, PathUse, Place, Test, WriteStep } from "../steps.ts";
import { writingEnds } from "./uses.ts";

export type Scope = Map<string, { readonly local: Local; readonly maybe: boolean }>;

interface Cursor {
  base: Place["base"];
  bits: number;
  order: Place["order"];
}

/** Where the functions that write descriptions come from. */
export interface WriteFunctionNames {
  readonly program: Program;
  nameOf(node: LayoutNode, wanted: string): string;
}

/** The steps of one function while they are made: the place that they have reached, and the path of what is written. */
export abstract class WriteState {
  steps: WriteStep[] = [];
  /** Integers that are written together, by their paths and types. */
  readonly joins: { readonly check: { id: number }; readonly pieces: (readonly [path: string, type: string])[] }[] = [];
  cursor: Cursor = { base: "at", bits: 0, order: "bytes" };
  path = "";
  indexes: readonly Local[] = [];
  readonly names = new Names();
  readonly functions: WriteFunctionNames;
  readonly program: Program;
  readonly table: CheckTable;

  constructor(functions: WriteFunctionNames, name: string) {
    this.table = functions.program.tableOf(name);
    this.functions = functions;
    this.program = functions.program;
  }

  /** Writes a value. */
  abstract write(node: LayoutNode, of: Local): void;
  /** Writes a field or an item: by a function of its own where others write it too. */
  abstract part(node: LayoutNode, of: Local, name: string): void;
  /** Writes what is no object. */
  abstract leaf(node: LayoutNode, of: Local): void;
  /** Writes the members of an object. */
  abstract object(node: LayoutNode, of: Local): void;

  place(): Place {
    const { base, bits, order } = this.cursor;
    return { base, bits, order };
  }

  take(bits: number): Place {
    const place = this.place();
    this.cursor.bits += bits;
    return place;
  }

  local(name: string, type: LocalType = "value"): Local {
    return { name: this.names.take(name), type };
  }

  use(...check: readonly (string | number)[]): CheckUse {
    return { table: this.table.name, id: this.table.add(check), indexes: this.indexes };
  }

  /** The path of what another function writes. */
  pathUse(): PathUse {
    return { path: this.path, indexes: this.indexes };
  }

  within<T>(name: string, run: () => T): T {
    const before = this.path;
    this.path = joinPath(before, name);
    const result = run();
    this.path = before;
    return result;
  }

  commit(): void {
    const { base, bits } = this.cursor;
    const moved = base === "bit" ? bits : bits - (bits % 8);
    if (moved === 0) return;
    this.steps.push({ step: "advance", base, bits: moved });
    this.cursor.bits -= moved;
  }

  toBits(): void {
    if (this.cursor.base === "bit") {
      this.commit();
      return;
    }
    this.steps.push({ step: "toBits", place: this.place() });
    this.cursor = { ...this.cursor, base: "bit", bits: 0 };
  }

  wholeBytes(what: string): void {
    if (this.cursor.order !== "bytes")
      throw new TypeError(`Cannot compile ${this.path || "value"}: ${what} within bits`);
  }

  /** Bodies of which one is run: behind them, all stand at the same place. */
  branches(bodies: readonly (() => void)[]): readonly (readonly WriteStep[])[] {
    const before = { ...this.cursor };
    const [steps, path, indexes] = [this.steps, this.path, this.indexes];
    const ends = bodies.map((body) => {
      this.steps = [];
      this.cursor = { ...before };
      [this.path, this.indexes] = [path, indexes];
      body();
      const own = this.steps;
      return { own, cursor: { ...this.cursor }, goesOn: !writingEnds(own) };
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
    [this.path, this.indexes] = [path, indexes];
    this.cursor = { ...behind };
    return ends.map(({ own }) => own);
  }

  choose(test: Test, then: () => void, otherwise: () => void): void {
    const [whenTrue = [], whenFalse = []] = this.branches([then, otherwise]);
    this.steps.push({ step: "if", test, yes: whenTrue, no: whenFalse });
  }
}
