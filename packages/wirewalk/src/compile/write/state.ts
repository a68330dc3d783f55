/** The state of a writer that is being made. */
import type { LayoutNode } from "../../wire/describe/node.ts";
import type { Piece, Program } from "../program.ts";
import { StepState } from "../state.ts";
import type { Local, LocalType, Place, Test, WriteStep } from "../steps.ts";

export type Scope = Map<string, { readonly local: Local; readonly maybe: boolean }>;

/** Where the functions that write descriptions come from. */
export interface WriteFunctionNames {
  readonly program: Program;
  nameOf(node: LayoutNode, wanted: string): string;
}

/** The steps of one function while they are made: the place that they have reached, and the path of what is written. */
export abstract class WriteState extends StepState<WriteStep> {
  /** Integers that are written together, and those that are written before them. */
  readonly joins: { readonly check: { id: number }; readonly pieces: Piece[]; readonly known: readonly Piece[] }[] = [];
  /** Members that are integers and are written by now, whichever branch is run. */
  known: readonly Piece[] = [];
  readonly functions: WriteFunctionNames;

  constructor(functions: WriteFunctionNames, name: string) {
    super(functions.program, name);
    this.functions = functions;
  }

  /** Writes a value. */
  abstract write(node: LayoutNode, of: Local): void;
  /** Writes a field or an item: by a function of its own where others write it too. */
  abstract part(node: LayoutNode, of: Local, name: string): void;
  /** Writes what is no object. */
  abstract leaf(node: LayoutNode, of: Local): void;
  /** Writes the members of an object. */
  abstract object(node: LayoutNode, of: Local): void;

  take(bits: number): Place {
    const place = this.place();
    this.cursor.bits += bits;
    return place;
  }

  local(name: string, type: LocalType = "value"): Local {
    return { name: this.names.take(name), type };
  }

  override branches(bodies: readonly (() => void)[]): ReturnType<StepState<WriteStep>["branches"]> {
    const before = this.known;
    const inside = bodies.map((body) => (): void => {
      this.known = before;
      body();
    });
    const steps = super.branches(inside);
    this.known = before;
    return steps;
  }

  choose(test: Test, then: () => void, otherwise: () => void): void {
    const [whenTrue = [], whenFalse = []] = this.branches([then, otherwise]);
    this.steps.push({ step: "if", test, yes: whenTrue, no: whenFalse });
  }
}
