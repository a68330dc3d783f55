/** Something to fuzz: what it loads, what an input is, and the rule that every input must keep. */

/** Throws when the input breaks a rule. Refusing an input, as it should be refused, is not an error. */
export type Run = (input: Uint8Array) => void;

export interface OpenedTarget {
  readonly run: Run;
  /** A dearer rule, for inputs that reach something new and for one in a while of the others. */
  readonly check?: Run;
  /** One in so many of the others. Default 64: choose it so that `check` takes a small part of the time. */
  readonly checkEvery?: number;
  /** Inputs to begin with. Where they take long to make, they are made when they are asked for. */
  readonly seeds: readonly Uint8Array[];
  /** Bytes that matter to the target: names of fields, lengths. */
  readonly words?: readonly Uint8Array[];
}

export interface Target {
  readonly name: string;
  /** One line: what an input is, and what must hold. */
  readonly summary: string;
  /** The sources that are instrumented. */
  readonly cover: RegExp;
  readonly maxBytes: number;
  /** Loads what is fuzzed: not before the instrumentation is in place. */
  open(): Promise<OpenedTarget>;
}
