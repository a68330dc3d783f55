/**
 * The state of a reader that is being made: beside what all functions have, which checks may still grow.
 *
 * @module
 */
import type { LayoutNode } from "../../wire/describe/node.ts";
import type { Program } from "../program.ts";
import { StepState } from "../state.ts";
import type { Local, LocalType, Place, ReadStep, Value, ValueField } from "../steps.ts";

/** The functions of a program, by their descriptions. */
export interface ReaderNames {
  readonly program: Program;
  /** The name of the function that reads a description. The first call makes the function. */
  nameOf(node: LayoutNode, wanted: string, claims?: boolean): string;
}

/** What all steps of a reader share. */
export abstract class ReadState extends StepState<ReadStep> {
  /** The check of bounds that the next field may join. */
  open: { readonly need: { bits: number }; readonly check: (string | number)[] } | undefined;
  isUnchecked = false;
  /** Names are numbers where nothing may be allocated. */
  hasNumbers = false;
  /** Fields that are read without their sign. */
  unsigned: ReadonlySet<string> = new Set();
  readonly functions: ReaderNames;
  /** Whether a size stands before these bytes. The function is then given the end that the size says and the end of the bytes. */
  readonly claims: boolean;

  constructor(functions: ReaderNames, name: string, claims = false) {
    super(functions.program, name);
    this.functions = functions;
    this.claims = claims;
  }

  protected override seal(): void {
    this.open = undefined;
  }

  /** The value of a field or an item: one place behind it, however it was read. */
  abstract value(node: LayoutNode, name: string): Value;
  /** The value of a description that is no object. */
  abstract leaf(node: LayoutNode, name: string): Value;
  /** Reads the fields of an object and goes on with them: once, or in every branch. `isLast`: no bytes are read after it. */
  abstract object(node: LayoutNode, then: (fields: readonly ValueField[]) => void, isLast?: boolean): void;

  local(name: string, type: LocalType, node?: LayoutNode): Local {
    return { name: this.names.take(name), type, ...(node === undefined ? {} : { node }) };
  }

  merged(name: string): Local {
    return { ...this.local(name, "value"), isMerged: true };
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

  /** Runs in a loop: what it reads begins where the cursor stands, and the cursor ends behind it. */
  loop(index: Local, body: () => Value): { body: readonly ReadStep[]; item: Value } {
    const [steps, path, indexes] = [this.steps, this.path, this.indexes];
    this.steps = [];
    this.seal();
    this.path = `${path}[]`;
    this.indexes = [...indexes, index];
    const item = body();
    this.seal();
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
}
