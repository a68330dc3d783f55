/**
 * What printed readers and writers of all languages have in common: names, branches and tests. A language extends it with its own
 * statements and expressions.
 *
 * @module
 */
import { Lines } from "../lines.ts";
import type { CheckUse, Local, PathUse, Place, Test, WireInteger } from "../steps.ts";
import { Scope } from "./naming.ts";
import type { TypedDialect } from "./program.ts";
import type { TypeNames } from "./type-names.ts";
import type { ValueType } from "./types.ts";

export type Constant = number | string | boolean | bigint;

/** The names and literals of a language. */
export interface LanguageNames extends TypeNames {
  typeOf(type: ValueType): string;
  literalOf(value: Constant, type: ValueType): string;
}

/** Parts of `if`, `else if` and `else`: the last has no test. */
export type Branches = readonly (readonly [test: string | undefined, inside: () => void])[];

/** How a language writes what all of them have, in readers and writers alike. */
export interface PrintStyle<Names> {
  readonly indent: string;
  /** Ends a statement. */
  readonly end: ";" | "";
  readonly and: string;
  readonly or: string;
  readonly isTrue: string;
  /** A unit of bits in a product: `8L` where numbers of bits are wider than those of bytes. */
  readonly byteBits: string;
  /** Whether a loop over a list asks for its length. */
  readonly loopsByLength: boolean;
  /** Whether a member that may be absent is taken out of what holds it before it is used: then who counts bytes does so, too. */
  readonly unwraps?: true;
  readonly inCase: (name: string) => string;
  /** Names that no local may have. */
  readonly taken: readonly string[];
  branches(lines: Lines, parts: Branches): void;
  isAbsent(name: string): string;
  isPresent(name: string): string;
  /** Whether all bytes are zero, or not all are. */
  areZeros(name: string, expected: boolean): string;
  equals(name: string, value: Constant, type: ValueType, names: Names): string;
  /** Tests of a number of a type between limits. */
  rangeTests(name: string, test: RangeTest, type: ValueType, names: Names): readonly string[];
}

/** Expressions for places. */
export interface PlaceText {
  byteOf(place: Place): string;
  bitOf(place: Place): string;
  bitsAt(place: Place, width: number): string;
  /** `near`: bytes that begin at the cursor, and that hold the place; without it the message. */
  integerAt(place: Place, as: WireInteger, near?: string): string;
}

/** The first byte that was not read or written yet. */
export const here: Place = { base: "at", bits: 0, order: "bytes" };

/** Whether a place is a whole byte. */
export const isByte = ({ base, bits }: Place): boolean => base === "at" && bits % 8 === 0;

/** In brackets where an operator would bind to a part of it. */
export const inBrackets = (text: string): string => (text.includes(" ") && !text.startsWith("(") ? `(${text})` : text);

/** `name + 3`, `name`, `name - 1`. */
export function plus(name: string, count: number): string {
  if (count === 0) return name;
  return count < 0 ? `${name} - ${-count}` : `${name} + ${count}`;
}

/** A test of one number against limits. */
export type RangeTest = Exclude<Extract<Test, { readonly of: Local }>, { readonly oneOf: unknown }>;

export abstract class StepPrinter<Names extends LanguageNames> {
  protected readonly lines: Lines;
  protected readonly scope: Scope;
  protected readonly dialect: TypedDialect;
  protected readonly names: Names;
  protected readonly style: PrintStyle<Names>;

  protected constructor(dialect: TypedDialect, names: Names, style: PrintStyle<Names>) {
    this.dialect = dialect;
    this.names = names;
    this.style = style;
    this.lines = new Lines(0, style.indent);
    this.scope = new Scope(style.inCase, style.taken);
  }

  protected abstract name(local: Local): string;
  protected abstract typeOf(local: Local): ValueType;
  /** Whether a local that a test looks at may be absent. */
  protected abstract mayLack(local: Local, maybe: boolean | undefined): boolean;

  protected branches(parts: Branches): void {
    this.style.branches(this.lines, parts);
  }

  protected isAbsent(name: string): string {
    return this.style.isAbsent(name);
  }

  protected isPresent(name: string): string {
    return this.style.isPresent(name);
  }

  protected equals(of: Local, value: Constant): string {
    return this.style.equals(this.name(of), value, this.typeOf(of), this.names);
  }

  protected add(...statements: readonly string[]): void {
    this.lines.add(...statements.map((each) => `${each}${this.style.end}`));
  }

  /** Statements under a test. */
  protected when(test: string, ...statements: readonly string[]): void {
    this.branches([[test, () => this.add(...statements)]]);
  }

  /** A path in which each index stands with its number, by `index`. */
  protected filledPath({ path, indexes }: PathUse, index: (name: string) => string): string {
    let next = 0;
    return path.replaceAll("[]", () => `[${index(this.name(indexes[next++] as Local))}]`);
  }

  protected pathOf(use: CheckUse): PathUse {
    return { path: this.dialect.pathOf(use), indexes: use.indexes };
  }

  protected test(test: Test): string {
    const { and, or, isTrue } = this.style;
    if ("all" in test) return test.all.map((each) => this.test(each)).join(and);
    if ("any" in test) return `(${test.any.map((each) => this.test(each)).join(or)})`;
    if ("zeros" in test) {
      const name = this.name(test.zeros);
      const zeros = this.style.areZeros(name, test.expected);
      return this.mayLack(test.zeros, test.maybe) ? `${this.isPresent(name)}${and}${zeros}` : zeros;
    }
    if ("absent" in test) return this.isAbsent(this.name(test.absent));
    if ("present" in test) return this.isPresent(this.name(test.present));
    if ("oneOf" in test) {
      const tests = test.oneOf.map((each) => this.equals(test.of, each));
      return tests.length === 1 ? (tests[0] as string) : `(${tests.join(or)})`;
    }
    if (!("of" in test)) return this.testOfBytes(test);
    const tests = [
      ...(test.maybe ? [this.isPresent(this.name(test.of))] : []),
      ...(test.is === undefined ? [] : [this.equals(test.of, test.is)]),
      ...this.style.rangeTests(this.name(test.of), test, this.typeOf(test.of), this.names),
    ];
    return tests.length === 0 ? isTrue : tests.join(and);
  }

  /** A test that looks at bytes: only readers have it. */
  protected testOfBytes(_test: Extract<Test, { left: Place } | { bitsAt: Place } | { next: Place }>): string {
    throw new TypeError("Cannot happen: a writer does not look at bytes");
  }
}

/** Tests of a number between limits, for languages that compare two things at a time. */
export function plainRangeTests(
  number: string,
  { from, to, not }: RangeTest,
  literal: (value: number) => string,
): readonly string[] {
  return [
    ...(from !== undefined && from === to ? [`${number} == ${literal(from)}`] : []),
    ...(from !== undefined && from !== to ? [`${number} >= ${literal(from)}`] : []),
    ...(to !== undefined && from !== to ? [`${number} <= ${literal(to)}`] : []),
    ...(not === undefined ? [] : [`${number} != ${literal(not)}`]),
  ];
}
