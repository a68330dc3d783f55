/** Types of Rust for the values of a dialect. */

import type { Lines } from "../lines.ts";
import { integerWidth } from "../typed/integer-width.ts";
import { asSentence, pascalCase, Scope, snakeCase } from "../typed/naming.ts";
import {
  type Branches,
  type Constant,
  type PrintStyle,
  plainRangeTests,
  type RangeTest,
} from "../typed/step-printer.ts";
import { TypeNames } from "../typed/type-names.ts";
import type { EnumType, FlagsType, RecordType, Types, UnionType, ValueType } from "../typed/types.ts";
import { variables } from "../typed/types.ts";

const words =
  "abstract as async await become box break const continue crate do dyn else enum extern false final fn for if impl in let loop macro match " +
  "mod move mut override priv pub ref return self static struct super trait true try type typeof union unsafe unsized use virtual where while yield";

/** Words that are no names of members and locals. */
export const rustWords: readonly string[] = words.split(" ");

/** Types that generated code names: no type of a dialect is called so. */
export const rustTypeNames: readonly string[] = (
  "ClientMessage Clone Code Copy Cow Debug Display Eq Err FnOnce Formatter From Into None Ok Option PartialEq Result Self ServerMessage Some String ToString " +
  "Vec WireError WriteError"
).split(" ");

/** Whether values of a type are copied where they are used: all others are borrowed. */
export const isCopied = ({ is }: ValueType): boolean =>
  ["integer", "big", "real", "boolean", "enum", "flags", "constant"].includes(is);

/** Whether a value of a type holds runs of bytes. */
function hasBytes(type: ValueType): boolean {
  switch (type.is) {
    case "bytes":
      return true;
    case "list":
      return hasBytes(type.item);
    case "record":
      return type.members.some((member) => hasBytes(member.type));
    case "union":
      return type.records.some(hasBytes);
    default:
      return false;
  }
}

/** The type of an integer from `min` to `max`. */
export function integerType(min: number, max: number): string {
  const { isSigned, bits } = integerWidth(min, max);
  return `${isSigned ? "i" : "u"}${bits}`;
}

/** The values of an integer type. */
export const valuesOf: Readonly<Record<string, readonly [number, number]>> = {
  u8: [0, 0xff],
  u16: [0, 0xffff],
  u32: [0, 0xffff_ffff],
  i8: [-0x80, 0x7f],
  i16: [-0x8000, 0x7fff],
  i32: [-0x8000_0000, 0x7fff_ffff],
};

/** The names of a dialect's types and functions in Rust. */
export class RustNames extends TypeNames {
  readonly #functions = new Scope(snakeCase, []);
  /** Runs of bytes are those of the message: not where some lie in a block that is taken apart. */
  readonly #borrows: boolean;

  constructor(borrows: boolean) {
    super({ inCase: snakeCase, taken: rustWords }, { inCase: pascalCase, taken: ["Self"] });
    this.#borrows = borrows;
  }

  /** The name of a function without its verb: `move_player`. */
  functionOf(name: string): string {
    return this.#functions.nameOf(name);
  }

  /** The lifetime of the bytes that a type holds, as its argument; empty for one that holds none. */
  lifetimeOf(type: ValueType, name = "'a"): string {
    return this.#borrows && hasBytes(type) ? `<${name}>` : "";
  }

  get borrows(): boolean {
    return this.#borrows;
  }

  /** A type without what it may lack: `u16`, `Fragment`, `Vec<Fragment>`. */
  typeOf(type: ValueType, lifetime = "'a"): string {
    switch (type.is) {
      case "integer":
        return integerType(type.min, type.max);
      case "big":
        return "u64";
      case "real":
        return type.isSingle ? "f32" : "f64";
      case "boolean":
        return "bool";
      case "text":
        return "String";
      case "bytes":
        return this.#borrows ? `Cow<${lifetime}, [u8]>` : "Vec<u8>";
      case "list":
        return `Vec<${this.typeOf(type.item, lifetime)}>`;
      case "constant":
        return { string: "String", boolean: "bool", number: "i64", bigint: "u64" }[typeof type.value as "string"];
      case "flags":
      case "enum":
        return type.name;
      default:
        return `${type.name}${this.lifetimeOf(type, lifetime)}`;
    }
  }

  /** A value that is known, as a value of a type. */
  literalOf(value: Constant, type: ValueType): string {
    if (type.is === "enum") return `${type.name}::${this.constantOf(type, String(value))}`;
    if (typeof value === "string") return `${textLiteral(value)}.into()`;
    if (type.is === "real" && Number.isInteger(value)) return `${value}.0`;
    return String(value);
  }
}

/** How Rust writes steps; `own`: names that a function has beside those of its steps. */
export const rustStyle = (own: readonly string[]): PrintStyle<RustNames> => ({
  indent: "    ",
  end: ";",
  and: " && ",
  or: " || ",
  isTrue: "true",
  byteBits: "8",
  loopsByLength: false,
  unwraps: true,
  inCase: snakeCase,
  taken: [...rustWords, ...own],
  branches,
  isAbsent: (name) => `${name}.is_none()`,
  isPresent: (name) => `${name}.is_some()`,
  areZeros: (name, expected) => `${expected ? "" : "!"}all_zero(&${name})`,
  equals,
  rangeTests: (name, test, type, names) => rangeTests(name, test, names.typeOf(type)),
});

/** Tests of a number under a mask, between limits. A limit that is that of its type is not tested. */
function rangeTests(name: string, test: RangeTest, type: string): readonly string[] {
  if (test.mask !== undefined) return plainRangeTests(`(${name} as u32 & ${test.mask})`, test, String);
  const { from, to, ...own } = test;
  const [min, max] = valuesOf[type] ?? [];
  const literal = (value: number): string =>
    type.startsWith("f") && Number.isInteger(value) ? `${value}.0` : String(value);
  if (from === to) return plainRangeTests(name, test, literal);
  const limits = { ...(from === min ? {} : { from }), ...(to === max ? {} : { to }) };
  return plainRangeTests(name, { ...own, ...limits } as RangeTest, literal);
}

/** `if`, `else if` and `else`. */
export function branches(lines: Lines, parts: Branches): void {
  lines.blocks(
    parts.map(([test, inside], index) => {
      const otherwise = index === 0 ? "" : "else ";
      return [test === undefined ? "else {" : `${otherwise}if ${test} {`, inside];
    }),
  );
}

export function equals(name: string, value: Constant, type: ValueType, names: RustNames): string {
  if (typeof value === "boolean") return value ? name : `!${name}`;
  return `${name} == ${typeof value === "string" && type.is !== "enum" ? textLiteral(value) : names.literalOf(value, type)}`;
}

/** The opposite of an equality. */
export const negatedEquals = (text: string): string =>
  text.includes(" == ") ? text.replace(" == ", " != ") : text.startsWith("!") ? text.slice(1) : `!${text}`;

/** A text as Rust writes it. */
export function textLiteral(text: string): string {
  const escaped = Array.from(text, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    return /[ -~]/.test(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
  return `"${escaped.join("")}"`;
}

/** A path with its indexes in place, as a text of its own. */
export function pathText(filled: string, hasIndex: boolean): string {
  return hasIndex ? `format!(${textLiteral(filled)})` : textLiteral(filled);
}

/** A sentence for a comment. */
export function sentence(doc: string): string {
  const text = doc.replaceAll("\n", " ");
  return asSentence(text);
}

/** A comment of documentation. */
export function addDoc(lines: Lines, doc: string): void {
  if (doc !== "") lines.add(`/// ${sentence(doc)}`);
}

/** All types of a dialect. */
export function printTypes(types: Types, names: RustNames, lines: Lines): void {
  for (const type of types.enums) printEnum(type, names, lines);
  for (const type of types.flags) printFlags(type, names, lines);
  for (const type of types.records) printRecord(type, names, lines);
  for (const type of types.unions) printUnion(type, names, lines);
}

function printEnum(type: EnumType, names: RustNames, lines: Lines): void {
  lines.add("", "#[derive(Clone, Copy, Debug, PartialEq, Eq)]");
  lines.block(`pub enum ${type.name} {`, () => {
    for (const name of type.names) lines.add(`${names.constantOf(type, name)},`);
  });
  lines.add("");
  lines.block(`impl ${type.name} {`, () => {
    lines.add("/// The name in the protocol's documents.");
    lines.block("pub fn document_name(self) -> &'static str {", () =>
      lines.block("match self {", () => {
        for (const name of type.names) lines.add(`Self::${names.constantOf(type, name)} => ${textLiteral(name)},`);
      }),
    );
  });
}

function printFlags(type: FlagsType, names: RustNames, lines: Lines): void {
  lines.add("");
  addDoc(lines, type.doc);
  lines.add("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]");
  lines.block(`pub struct ${type.name} {`, () => {
    for (const key of Object.keys(type.flags)) lines.add(`pub ${names.memberOf(type, key)}: bool,`);
  });
}

function printRecord(type: RecordType, names: RustNames, lines: Lines): void {
  lines.add("");
  addDoc(lines, type.doc);
  lines.add("#[derive(Clone, Debug, PartialEq)]");
  const members = variables(type);
  const head = `pub struct ${names.typeOf(type)}`;
  if (members.length === 0) {
    lines.add(`${head} {}`);
    return;
  }
  lines.block(`${head} {`, () => {
    for (const { key, doc, type: own, isOptional } of members) {
      addDoc(lines, doc);
      const text = names.typeOf(own);
      lines.add(`pub ${names.memberOf(type, key)}: ${isOptional ? `Option<${text}>` : text},`);
    }
  });
}

function printUnion(type: UnionType, names: RustNames, lines: Lines): void {
  lines.add("");
  addDoc(lines, type.doc);
  lines.add("#[derive(Clone, Debug, PartialEq)]");
  lines.block(`pub enum ${names.typeOf(type)} {`, () => {
    for (const record of type.records) lines.add(`${record.variant}(${names.typeOf(record)}),`);
  });
}
