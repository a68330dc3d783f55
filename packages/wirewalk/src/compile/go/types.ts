/** Types of Go for the values of a dialect. */

import type { Lines } from "../lines.ts";
import { integerWidth } from "../typed/integer-width.ts";
import { asSentence, camelCase, pascalCase, Scope } from "../typed/naming.ts";
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
import { aligned } from "./format.ts";

const words =
  "any append binary bool break byte cap case chan clear close codec complex complex64 complex128 const continue copy default defer delete else error errors " +
  "fallthrough false float32 float64 fmt for func go goto if imag import int int16 int32 int64 int8 interface iota len make map math max min new nil " +
  "package panic print println range real recover return rune select strconv string strings struct switch true type uint uint16 uint32 uint64 uint8 " +
  "uintptr utf8 var";

/** Words that are no names of locals: of the language, of what it declares, and of packages. */
export const goWords: readonly string[] = words.split(" ");

/** Types, functions and constants that a codec declares: no type of a dialect is called so. */
export const goTypeNames: readonly string[] = (
  "Append ClientMessage Code CodeBadLength CodeBadValue CodeLimit CodeTrailing CodeTruncated CodeUnknownMessage CodeUnknownVariant ErrNoRoom Message " +
  "ReadClient ReadServer ServerMessage Size WireError Write WriteError"
).split(" ");

/** Words that are written in capitals throughout. */
const initials = /(?:Api|Ascii|Cpu|Id|Ip|Json|Udp|Ui|Uid|Uri|Url|Utf8|Xml)(?=[A-Z\d]|$)/g;

const capitals = (name: string): string => name.replace(initials, (word) => word.toUpperCase());

/** `PlayerID`. */
export const exportedCase = (name: string): string => capitals(pascalCase(name));

/** `playerID`, `id`. */
export function localCase(name: string): string {
  const own = camelCase(name);
  const first = /^[a-z]+\d*/.exec(own)?.[0] ?? "";
  return `${first}${capitals(own.slice(first.length))}`;
}

/** Whether a value of a type may be nil, so that nil says that it is absent. */
export const isNilable = ({ is }: ValueType): boolean => is === "bytes" || is === "list" || is === "union";

/** The type of an integer from `min` to `max`. */
export function integerType(min: number, max: number): string {
  const { isSigned, bits } = integerWidth(min, max);
  return `${isSigned ? "int" : "uint"}${bits}`;
}

/** The values of an integer type of at most 32 bits. */
export function valuesOf(type: string): readonly [number, number] | undefined {
  const [, unsigned, bits] = /^(u?)int(8|16|32)$/.exec(type) ?? [];
  if (bits === undefined) return undefined;
  return unsigned === "u" ? [0, 2 ** Number(bits) - 1] : [-(2 ** (Number(bits) - 1)), 2 ** (Number(bits) - 1) - 1];
}

/** The names of a dialect's types, constants and messages in Go: all are names of one package. */
export class GoNames extends TypeNames {
  readonly #package: Scope;
  readonly #functions = new Scope(exportedCase, []);

  constructor(types: Types) {
    super({ inCase: exportedCase, taken: [] }, { inCase: exportedCase, taken: [] });
    const named = [...types.enums, ...types.flags, ...types.records, ...types.unions].map(({ name }) => name);
    this.#package = new Scope((name) => name, [...goTypeNames, ...named]);
  }

  /** The name of a function without its verb: `MovePlayer`. */
  functionOf(name: string): string {
    return this.#functions.nameOf(name);
  }

  /** The name of a constant: `LoginResultSuccess`. */
  valueNameOf(type: EnumType, name: string): string {
    return this.#package.nameOf(`${type.name}${this.constantOf(type, name)}`);
  }

  /** The type that says which message a value is: `ClientChat`. */
  messageOf(sender: "client" | "server", name: string): string {
    const side = pascalCase(sender);
    return this.#package.nameOf(`${side}${name.replace(new RegExp(`${side}$`), "") || name}`);
  }

  /** A type without what it may lack: `uint16`, `Fragment`, `[]Fragment`. */
  typeOf(type: ValueType): string {
    switch (type.is) {
      case "integer":
        return integerType(type.min, type.max);
      case "big":
        return "uint64";
      case "real":
        return type.isSingle ? "float32" : "float64";
      case "boolean":
        return "bool";
      case "text":
        return "string";
      case "bytes":
        return "[]byte";
      case "list":
        return `[]${this.typeOf(type.item)}`;
      case "constant":
        return { string: "string", boolean: "bool", number: "int64", bigint: "uint64" }[typeof type.value as "string"];
      default:
        return type.name;
    }
  }

  /** A type with what it may lack: `*uint16`, `[]byte`. */
  memberTypeOf(type: ValueType, isOptional: boolean): string {
    return `${isOptional && !isNilable(type) ? "*" : ""}${this.typeOf(type)}`;
  }

  /** A value that is known, as a value of a type. */
  literalOf(value: Constant, type: ValueType): string {
    if (type.is === "enum") return this.valueNameOf(type, String(value));
    return typeof value === "string" ? textLiteral(value) : String(value);
  }
}

/** How Go writes steps; `own`: names that a function has beside those of its steps. */
export const goStyle = (own: readonly string[]): PrintStyle<GoNames> => ({
  indent: "\t",
  end: "",
  and: " && ",
  or: " || ",
  isTrue: "true",
  byteBits: "8",
  loopsByLength: false,
  unwraps: true,
  inCase: localCase,
  taken: [...goWords, ...own],
  branches,
  isAbsent: (name) => `${name} == nil`,
  isPresent: (name) => `${name} != nil`,
  areZeros: (name, expected) => `${expected ? "" : "!"}allZero(${name})`,
  equals,
  rangeTests: (name, test, type, names) => rangeTests(name, test, names.typeOf(type)),
});

/** Tests of a number under a mask, between limits. A limit that is that of its type is not tested. */
function rangeTests(name: string, test: RangeTest, type: string): readonly string[] {
  if (test.mask !== undefined) return plainRangeTests(`(uint32(${name}) & ${test.mask})`, test, String);
  const { from, to, ...own } = test;
  const [min, max] = valuesOf(type) ?? [];
  if (from === to) return plainRangeTests(name, test, String);
  const limits = { ...(from === min ? {} : { from }), ...(to === max ? {} : { to }) };
  return plainRangeTests(name, { ...own, ...limits } as RangeTest, String);
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

export function equals(name: string, value: Constant, type: ValueType, names: GoNames): string {
  if (typeof value === "boolean") return value ? name : `!${name}`;
  return `${name} == ${names.literalOf(value, type)}`;
}

/** The opposite of an equality. */
export const negatedEquals = (text: string): string =>
  text.includes(" == ") ? text.replace(" == ", " != ") : text.startsWith("!") ? text.slice(1) : `!${text}`;

/** A text as Go writes it. */
export function textLiteral(text: string): string {
  const escaped = Array.from(text, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    if (/[ -~]/.test(char)) return char;
    const code = char.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `"${escaped.join("")}"`;
}

/** A sentence for a comment: of what a blank or a sign at its start would make a list, a heading or code, these are left out. */
export function sentence(doc: string): string {
  const text = doc
    .replaceAll(/\s+/g, " ")
    .replaceAll("``", '"')
    .replaceAll("''", '"')
    .replace(/^[\s#*+-]+/, "");
  return asSentence(text);
}

/** A comment of documentation, which begins with the name of what it is about. */
function docOf(name: string, doc: string, otherwise: string): string {
  return `// ${name} ${doc === "" ? otherwise : `is: ${sentence(doc)}`}`;
}

/** All types of a dialect. */
export function printTypes(types: Types, names: GoNames, lines: Lines): void {
  for (const type of types.enums) printEnum(type, names, lines);
  for (const type of types.flags) printFlags(type, names, lines);
  for (const type of types.records) printRecord(type, names, lines);
  for (const type of types.unions) printUnion(type, names, lines);
}

function printEnum(type: EnumType, names: GoNames, lines: Lines): void {
  const list = `names of ${type.name}`;
  lines.add("", `// ${type.name} is one of the constants below.`);
  lines.add(`type ${type.name} uint${type.names.length > 256 ? 16 : 8}`, "");
  lines.block(
    "const (",
    () =>
      type.names.forEach((name, index) => {
        lines.add(`${names.valueNameOf(type, name)}${index === 0 ? ` ${type.name} = iota` : ""}`);
      }),
    ")",
  );
  lines.add("");
  lines.block(`var ${localCase(list)} = [...]string{`, () => {
    for (const name of type.names) lines.add(`${textLiteral(name)},`);
  });
  lines.add("", "// String is the name in the protocol's documents.");
  lines.block(`func (v ${type.name}) String() string {`, () => {
    lines.block(`if int(v) < len(${localCase(list)}) {`, () => lines.add(`return ${localCase(list)}[v]`));
    lines.add('return "unknown"');
  });
}

function printStruct(name: string, rows: readonly (readonly [string, string] | string)[], lines: Lines): void {
  if (rows.length === 0) lines.add(`type ${name} struct{}`);
  else lines.block(`type ${name} struct {`, () => lines.add(...aligned(rows)));
}

function printFlags(type: FlagsType, names: GoNames, lines: Lines): void {
  lines.add("", docOf(type.name, type.doc, "has a member for each bit."));
  const rows = Object.keys(type.flags).map((key) => [names.memberOf(type, key), "bool"] as const);
  printStruct(type.name, rows, lines);
}

function printRecord(type: RecordType, names: GoNames, lines: Lines): void {
  const { union } = type;
  lines.add(
    "",
    docOf(type.name, type.doc, union === undefined ? "is a value of messages." : `is one kind of ${union.name}.`),
  );
  const rows = variables(type).flatMap(({ key, doc, type: own, isOptional }) => {
    const words = [doc === "" ? "" : sentence(doc), isOptional ? "It may be nil: then it is absent." : ""];
    const comment = words.filter((each) => each !== "").join(" ");
    const row = [names.memberOf(type, key), names.memberTypeOf(own, isOptional)] as const;
    return comment === "" ? [row] : [`// ${comment}`, row];
  });
  printStruct(type.name, rows, lines);
  if (union !== undefined) lines.add("", `func (${type.name}) is${union.name}() {}`);
}

function printUnion(type: UnionType, names: GoNames, lines: Lines): void {
  lines.add("", docOf(type.name, type.doc, `is one of the types below.`));
  lines.add("//", ...type.records.map((record) => `//   - ${names.typeOf(record)}`));
  lines.block(`type ${type.name} interface {`, () => lines.add(`is${type.name}()`));
}
