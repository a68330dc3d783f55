/**
 * The state of a function that is being made, whether it reads or writes: its steps so far, where the cursor stands, and the path.
 *
 * @module
 */
import { joinPath } from "../wire/wire-error.ts";
import { type CheckTable, Names, type Program } from "./program.ts";
import { endsHere } from "./shapes.ts";
import type { CheckUse, Local, PathUse, Place, ReadStep, WriteStep } from "./steps.ts";

/** Where the next field begins: see {@link Place}. */
interface Cursor {
  base: Place["base"];
  bits: number;
  order: Place["order"];
}

/** Steps that move the cursor. */
type CursorStep =
  | { readonly step: "advance"; readonly base: Place["base"]; readonly bits: number }
  | { readonly step: "toBits"; readonly place: Place };

/** What all steps of a function share. */
export abstract class StepState<S extends ReadStep | WriteStep> {
  steps: (S | CursorStep)[] = [];
  cursor: Cursor = { base: "at", bits: 0, order: "bytes" };
  path = "";
  indexes: readonly Local[] = [];
  readonly names = new Names();
  readonly program: Program;
  readonly table: CheckTable;

  constructor(program: Program, name: string) {
    this.table = program.tableOf(name);
    this.program = program;
  }

  /** What comes next has nothing to do with what was read or written before it. */
  protected seal(): void {}

  place(): Place {
    const { base, bits, order } = this.cursor;
    return { base, bits, order };
  }

  use(...check: readonly (string | number)[]): CheckUse {
    this.seal();
    return { table: this.table.name, id: this.table.add(check), indexes: this.indexes };
  }

  /** The path of what another function reads or writes. */
  pathUse(): PathUse {
    this.seal();
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

  /** Moves the cursor to where the next field begins, but for bits within a byte. */
  commit(): void {
    this.seal();
    const { base, bits } = this.cursor;
    const moved = base === "bit" ? bits : bits - (bits % 8);
    if (moved === 0) return;
    this.steps.push({ step: "advance", base, bits: moved });
    this.cursor.bits -= moved;
  }

  /** From here on places within bytes are known only when the function runs. */
  toBits(): void {
    if (this.cursor.base === "bit") {
      this.commit();
      return;
    }
    this.seal();
    this.steps.push({ step: "toBits", place: this.place() });
    this.cursor = { ...this.cursor, base: "bit", bits: 0 };
  }

  wholeBytes(what: string): void {
    if (this.cursor.order !== "bytes")
      throw new TypeError(`Cannot compile ${this.path || "value"}: ${what} within bits`);
  }

  /** Steps of bodies of which one is run; each begins where the cursor stands. Behind them, all stand at the same place. */
  branches(bodies: readonly (() => void)[]): readonly (readonly (S | CursorStep)[])[] {
    this.seal();
    const before = { ...this.cursor };
    const [steps, path, indexes] = [this.steps, this.path, this.indexes];
    const ends = bodies.map((body) => {
      this.steps = [];
      this.cursor = { ...before };
      [this.path, this.indexes] = [path, indexes];
      body();
      this.seal();
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
    this.seal();
    [this.path, this.indexes] = [path, indexes];
    this.cursor = { ...behind };
    return ends.map(({ own }) => own);
  }
}
