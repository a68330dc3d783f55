/** Types of C# for the values of a dialect. */

import type { Lines } from "../lines.ts";
import { asSentence, camelCase, pascalCase } from "../typed/naming.ts";
import { type Branches, type Constant, type PrintStyle, plainRangeTests } from "../typed/step-printer.ts";
import { TypeNames } from "../typed/type-names.ts";
import type { EnumType, FlagsType, RecordType, Types, UnionType, ValueType } from "../typed/types.ts";
import { variables } from "../typed/types.ts";

const words =
  "abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit " +
  "extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator " +
  "out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this " +
  "throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while";

/** Words that are no names in C#. */
export const csharpWords: readonly string[] = words.split(" ");

/** Members of all objects, which no member of a record may be called. */
const objectMembers = "Equals Finalize GetHashCode GetType MemberwiseClone ReferenceEquals ToString".split(" ");

/** Types that generated code names: no type of a dialect is called so. */
export const csharpTypeNames: readonly string[] = (
  "ArgumentException Array BitConverter Boolean Buffer ClientMessage Code CodeText Double Exception FieldOffset FloatBits Input " +
  "InvalidOperationException LayoutKind List Lz4 Math MessageKind Names Object ServerMessage Single String StringBuilder StructLayout System " +
  "WireError Wirewalk"
).split(" ");

/** The names of a dialect's types in C#. */
export class CsharpNames extends TypeNames {
  constructor() {
    super({ inCase: pascalCase, taken: takenIn }, { inCase: pascalCase, taken: [] });
  }

  /** A type without what it may lack: `int`, `Fragment`, `List<Fragment>`. */
  typeOf(type: ValueType, isNullable = false): string {
    const text = this.#typeOf(type);
    return isNullable && isStruct(type) ? `${text}?` : text;
  }

  #typeOf(type: ValueType): string {
    switch (type.is) {
      case "integer":
        if (type.min >= -0x8000_0000 && type.max <= 0x7fff_ffff) return "int";
        return type.min >= 0 && type.max <= 0xffff_ffff ? "uint" : "long";
      case "big":
        return "ulong";
      case "real":
        return type.isSingle ? "float" : "double";
      case "boolean":
        return "bool";
      case "text":
        return "string";
      case "bytes":
        return "byte[]";
      case "list":
        return `List<${this.#typeOf(type.item)}>`;
      case "constant":
        return this.#typeOf(typeOfConstant(type.value));
      case "record":
        return type.union === undefined ? type.name : `${type.union.name}.${type.variant}`;
      default:
        return type.name;
    }
  }

  /** A value that is known, as a value of a type. */
  literalOf(value: Constant, type: ValueType): string {
    if (type.is === "enum") return `${type.name}.${this.constantOf(type, String(value))}`;
    if (typeof value === "string") return textLiteral(value);
    if (typeof value === "bigint" || type.is === "big") return `${BigInt.asUintN(64, BigInt(value))}UL`;
    if (typeof value === "boolean") return String(value);
    if (type.is === "real") return `${value}${type.isSingle ? "f" : "d"}`;
    return String(value);
  }
}

/** What no member of a type may be called: of its union the other records are its own, too. */
function takenIn(owner: RecordType | FlagsType): readonly string[] {
  if (owner.is === "flags" || owner.union === undefined) return [...objectMembers, owner.name];
  return [...objectMembers, owner.variant, ...owner.union.records.map(({ variant }) => variant)];
}

/** Whether a type is none that may be null by itself. */
export function isStruct(type: ValueType): boolean {
  if (type.is === "constant") return typeof type.value !== "string";
  return ["integer", "big", "real", "boolean", "enum"].includes(type.is);
}

/** The type of a value that is known. */
export function typeOfConstant(value: Constant): ValueType {
  switch (typeof value) {
    case "string":
      return { is: "text" };
    case "boolean":
      return { is: "boolean" };
    case "bigint":
      return { is: "big" };
    default:
      return { is: "integer", min: value, max: value };
  }
}

/** How C# writes steps; `own`: names that a method has beside those of its steps. */
export const csharpStyle = (own: readonly string[]): PrintStyle<CsharpNames> => ({
  indent: "    ",
  end: ";",
  and: " && ",
  or: " || ",
  isTrue: "true",
  byteBits: "8L",
  loopsByLength: true,
  inCase: camelCase,
  taken: [...csharpWords, ...own],
  branches,
  isAbsent: (name) => `${name} == null`,
  isPresent: (name) => `${name} != null`,
  areZeros: (name, expected) => `${expected ? "" : "!"}AllZero(${name})`,
  equals,
  rangeTests: (name, test) => plainRangeTests(masked(name, test.mask), test, String),
});

/** Braces stand on lines of their own. */
export function block(lines: Lines, head: string, inside: () => void, close = "}"): void {
  lines.add(head, "{");
  lines.indented(inside);
  lines.add(close);
}

/** `if`, `else if` and `else`. */
export function branches(lines: Lines, parts: Branches): void {
  for (const [index, [test, inside]] of parts.entries())
    block(lines, test === undefined ? "else" : `${index === 0 ? "" : "else "}if (${test})`, inside);
}

export function equals(name: string, value: Constant, type: ValueType, names: CsharpNames): string {
  return `${name} == ${names.literalOf(value, type.is === "constant" ? typeOfConstant(value) : type)}`;
}

/** A number, or some of its bits. */
export const masked = (name: string, mask: number | undefined): string =>
  mask === undefined ? name : `(${name} & ${mask})`;

/** A text as C# writes it. */
export function textLiteral(text: string): string {
  const escaped = Array.from({ length: text.length }, (_, at) => {
    const char = text.charAt(at);
    if (char === '"' || char === "\\") return `\\${char}`;
    return /[ -~]/.test(char) ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `"${escaped.join("")}"`;
}

/** A sentence for a comment in XML. */
export function sentence(doc: string): string {
  const text = doc.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", " ");
  return asSentence(text);
}

/** A comment of documentation; lines of comments are not broken. */
export function addDoc(lines: Lines, doc: string): void {
  if (doc !== "") lines.add(`/// <summary>${sentence(doc)}</summary>`);
}

/** All types of a dialect. */
export function printTypes(types: Types, names: CsharpNames, lines: Lines): void {
  for (const type of types.enums) printEnum(type, names, lines);
  for (const type of types.flags) printFlags(type, names, lines);
  for (const type of types.records) if (type.union === undefined) printRecord(type, names, lines);
  for (const type of types.unions) printUnion(type, names, lines);
}

function printEnum(type: EnumType, names: CsharpNames, lines: Lines): void {
  lines.add("");
  lines.add(`/// <summary>Its names in the protocol's documents: <see cref="Names.Of(${type.name})"/>.</summary>`);
  block(lines, `public enum ${type.name}`, () => {
    for (const name of type.names) lines.add(`${names.constantOf(type, name)},`);
  });
}

/** A class whose members are given when it is made. */
function printClass(
  lines: Lines,
  head: string,
  name: string,
  members: readonly { readonly type: string; readonly name: string; readonly doc: string }[],
): void {
  block(lines, head, () => {
    for (const { type, name: own, doc } of members) {
      addDoc(lines, doc);
      lines.add(`public ${type} ${own} { get; private set; }`);
    }
    const taken = new Set(members.map(({ name: own }) => own));
    const arg = (own: string): string => {
      const plain = own.charAt(0).toLowerCase() + own.slice(1);
      return csharpWords.includes(plain) || taken.has(plain) ? `@${plain}` : plain;
    };
    if (members.length > 0) lines.add("");
    block(lines, `public ${name}(${members.map(({ type, name: own }) => `${type} ${arg(own)}`).join(", ")})`, () => {
      for (const { name: own } of members) lines.add(`${own} = ${arg(own)};`);
    });
  });
}

function printFlags(type: FlagsType, names: CsharpNames, lines: Lines): void {
  lines.add("");
  addDoc(lines, type.doc);
  const members = Object.keys(type.flags).map((key) => ({ type: "bool", name: names.memberOf(type, key), doc: "" }));
  printClass(lines, `public sealed class ${type.name}`, type.name, members);
}

function printRecord(type: RecordType, names: CsharpNames, lines: Lines, union?: UnionType): void {
  lines.add("");
  addDoc(lines, type.doc);
  const name = union === undefined ? type.name : type.variant;
  const members = variables(type).map(({ key, type: own, isOptional, doc }) => ({
    type: names.typeOf(own, isOptional),
    name: names.memberOf(type, key),
    doc: [doc === "" ? "" : sentence(doc), isOptional ? "May be null: then it is absent." : ""]
      .filter((each) => each !== "")
      .join(" "),
  }));
  printClass(lines, `public sealed class ${name}${union === undefined ? "" : ` : ${union.name}`}`, name, members);
}

function printUnion(type: UnionType, names: CsharpNames, lines: Lines): void {
  lines.add("");
  addDoc(lines, type.doc);
  block(lines, `public abstract class ${type.name}`, () => {
    lines.add(`private ${type.name}() { }`);
    for (const record of type.records) printRecord(record, names, lines, type);
  });
}
