/** Types of Java for the values of a dialect. */

import type { Lines } from "../lines.ts";
import { asSentence, camelCase, upperCase } from "../typed/naming.ts";
import { type Branches, type Constant, type PrintStyle, plainRangeTests } from "../typed/step-printer.ts";
import { TypeNames } from "../typed/type-names.ts";
import type { EnumType, FlagsType, RecordType, UnionType, ValueType } from "../typed/types.ts";
import { type Types, variables } from "../typed/types.ts";

const words =
  "abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally " +
  "float for goto if implements import instanceof int interface long native new null package private protected public record return " +
  "sealed short static strictfp super switch synchronized this throw throws transient true try var void volatile while yield permits";

/** Words that are no names in Java. */
export const javaWords: readonly string[] = words.split(" ");

/** Methods of all objects, which no member of a record may be called. */
const objectMethods = "clone finalize getClass hashCode notify notifyAll toString wait".split(" ");

/** Types that generated code names: no type of a dialect is called so. */
export const javaTypeNames: readonly string[] = (
  "ArrayList Arrays Boolean Byte ByteOrder Character ClientMessage Code Double Enum Float IllegalArgumentException In Integer List Lz4 Long Math MethodHandles Object " +
  "Override Record RuntimeException ServerMessage String StringBuilder System VarHandle WireError"
).split(" ");

/** The names of a dialect's types in Java. */
export class JavaNames extends TypeNames {
  constructor() {
    super({ inCase: camelCase, taken: [...javaWords, ...objectMethods] }, { inCase: upperCase, taken: [] });
  }

  /** A type without what it may lack: `int`, `Fragment`, `List<Fragment>`. */
  typeOf(type: ValueType, isBoxed = false): string {
    switch (type.is) {
      case "integer": {
        const isInt = type.min >= -0x8000_0000 && type.max <= 0x7fff_ffff;
        return isBoxed ? (isInt ? "Integer" : "Long") : isInt ? "int" : "long";
      }
      case "big":
        return isBoxed ? "Long" : "long";
      case "real":
        if (type.isSingle) return isBoxed ? "Float" : "float";
        return isBoxed ? "Double" : "double";
      case "boolean":
        return isBoxed ? "Boolean" : "boolean";
      case "text":
        return "String";
      case "bytes":
        return "byte[]";
      case "list":
        return `List<${this.typeOf(type.item, true)}>`;
      case "constant":
        return this.typeOf(typeOfConstant(type.value), isBoxed);
      case "record":
        return type.union === undefined ? type.name : `${type.union.name}.${type.variant}`;
      default:
        return type.name;
    }
  }

  /** A value that is known, as a value of a type. */
  literalOf(value: string | number | boolean | bigint, type: ValueType): string {
    if (type.is === "enum") return `${type.name}.${this.constantOf(type, String(value))}`;
    if (typeof value === "string") return textLiteral(value);
    if (typeof value === "bigint" || type.is === "big") return `${BigInt.asIntN(64, BigInt(value))}L`;
    if (typeof value === "boolean") return String(value);
    if (type.is === "real")
      return Number.isInteger(value) ? `${value}.0${type.isSingle ? "f" : ""}` : `${value}${type.isSingle ? "f" : ""}`;
    return this.typeOf(type) === "long" ? `${value}L` : String(value);
  }
}

/** The type of a value that is known. */
export function typeOfConstant(value: string | number | boolean | bigint): ValueType {
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

/** How Java writes steps; `own`: names that a method has beside those of its steps. */
export const javaStyle = (own: readonly string[]): PrintStyle<JavaNames> => ({
  indent: "  ",
  end: ";",
  and: " && ",
  or: " || ",
  isTrue: "true",
  byteBits: "8L",
  loopsByLength: true,
  inCase: camelCase,
  taken: [...javaWords, ...own],
  branches,
  isAbsent: (name) => `${name} == null`,
  isPresent: (name) => `${name} != null`,
  areZeros: (name, expected) => `${expected ? "" : "!"}allZero(${name})`,
  equals,
  rangeTests: (name, test) => plainRangeTests(masked(name, test.mask), test, literal),
});

/** `if`, `else if` and `else`. */
export function branches(lines: Lines, parts: Branches): void {
  lines.blocks(
    parts.map(([test, inside], index) => {
      const otherwise = index === 0 ? "" : "else ";
      return [test === undefined ? "else {" : `${otherwise}if (${test}) {`, inside];
    }),
  );
}

/** A number in an expression. */
export const literal = (value: number): string => (Math.abs(value) > 0x7fff_ffff ? `${value}L` : String(value));

/** A number, or some of its bits. */
export const masked = (name: string, mask: number | undefined): string =>
  mask === undefined ? name : `(${name} & ${literal(mask)})`;

export function equals(name: string, value: Constant, type: ValueType, names: JavaNames): string {
  const text = names.literalOf(value, type.is === "constant" ? typeOfConstant(value) : type);
  return typeof value === "string" && type.is !== "enum" ? `${text}.equals(${name})` : `${name} == ${text}`;
}

export const negatedEquals = (text: string): string =>
  text.includes(".equals(") ? `!${text}` : text.replace(" == ", " != ");

/** A text as Java writes it. */
export function textLiteral(text: string): string {
  const escaped = Array.from(text, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    if (/[ -~]/.test(char)) return char;
    // A unicode escape of a control character would be that character before the text is read.
    if (char < "\x80") return `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
    return char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
  });
  return `"${escaped.join("")}"`;
}

/** A comment of documentation. */
function addDoc(lines: Lines, doc: string): void {
  if (doc !== "") lines.add(`/** ${sentence(doc)} */`);
}

const sentence = (doc: string): string => {
  const text = doc.replaceAll("*/", "* /").replaceAll("@", "&#64;").replaceAll(/\\u/g, "&#92;u");
  return asSentence(text);
};

/** All types of a dialect. */
export function printTypes(types: Types, names: JavaNames, lines: Lines): void {
  for (const type of types.enums) printEnum(type, names, lines);
  for (const type of types.flags) printFlags(type, names, lines);
  for (const type of types.records) if (type.union === undefined) printRecord(type, names, lines);
  for (const type of types.unions) printUnion(type, names, lines);
}

function printEnum(type: EnumType, names: JavaNames, lines: Lines): void {
  lines.add("");
  lines.block(`public enum ${type.name} {`, () => {
    type.names.forEach((name, index) => {
      const end = index === type.names.length - 1 ? ";" : ",";
      lines.add(`${names.constantOf(type, name)}(${textLiteral(name)})${end}`);
    });
    lines.add("", "/** The name in the protocol's documents. */", "public final String documentName;", "");
    lines.block(`${type.name}(String documentName) {`, () => lines.add("this.documentName = documentName;"));
  });
}

function printFlags(type: FlagsType, names: JavaNames, lines: Lines): void {
  lines.add("");
  addDoc(lines, type.doc);
  const members = Object.keys(type.flags).map((key) => `boolean ${names.memberOf(type, key)}`);
  lines.add(`public record ${type.name}(${members.join(", ")}) {}`);
}

function printRecord(type: RecordType, names: JavaNames, lines: Lines, union?: UnionType): void {
  lines.add("");
  const members = variables(type);
  const described = members.filter(({ doc, isOptional }) => doc !== "" || isOptional);
  if (described.length === 0) addDoc(lines, type.doc);
  else {
    lines.add("/**");
    if (type.doc !== "") lines.add(` * ${sentence(type.doc)}`, " *");
    for (const { key, doc, isOptional } of described) {
      const text = [doc === "" ? "" : sentence(doc), isOptional ? "May be null: then it is absent." : ""].filter(
        (each) => each !== "",
      );
      lines.add(` * @param ${names.memberOf(type, key)} ${text.join(" ")}`);
    }
    lines.add(" */");
  }
  const list = members.map(
    ({ key, type: own, isOptional }) => `${names.typeOf(own, isOptional)} ${names.memberOf(type, key)}`,
  );
  const name = union === undefined ? type.name : type.variant;
  lines.add(`public record ${name}(${list.join(", ")})${union === undefined ? "" : ` implements ${union.name}`} {}`);
}

function printUnion(type: UnionType, names: JavaNames, lines: Lines): void {
  lines.add("");
  addDoc(lines, type.doc);
  lines.block(`public sealed interface ${type.name} {`, () => {
    for (const record of type.records) printRecord(record, names, lines, type);
  });
}
