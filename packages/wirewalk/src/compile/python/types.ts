/** Types of Python for the values of a dialect. */

import type { Lines } from "../lines.ts";
import { asSentence, Scope, snakeCase, upperCase } from "../typed/naming.ts";
import type { Branches, Constant, PrintStyle, RangeTest } from "../typed/step-printer.ts";
import { TypeNames } from "../typed/type-names.ts";
import type { EnumType, FlagsType, RecordType, Types, UnionType, ValueType } from "../typed/types.ts";
import { variables } from "../typed/types.ts";

const words =
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda " +
  "nonlocal not or pass raise return try while with yield";

/** What generated code calls: no member or local hides it. */
const builtins =
  "bool bytearray bytes dict enumerate float int isinstance len list max memoryview min object range self slice str sum tuple";

/** Words that are no names of members and locals. */
export const pythonWords: readonly string[] = [...words.split(" "), ...builtins.split(" ")];

/** Types that generated code names: no type of a dialect is called so. */
export const pythonTypeNames: readonly string[] = (
  "Any Bytes ClientKind ClientMessage ClientValue Code Dataclass Enum Exception False Final IndexError None OverflowError ServerKind " +
  "ServerMessage ServerValue Struct True TypeAlias TypeError Union ValueError WireError"
).split(" ");

/** Members of every enum. */
const enumMembers = ["name", "value", "mro"];

/** The names of a dialect's types and functions in Python, and the tables of its names. */
export class PythonNames extends TypeNames {
  readonly #functions = new Scope(snakeCase, []);
  readonly #tables = new Map<string, { readonly name: string; readonly lines: readonly string[] }>();
  readonly #taken = new Set<string>();
  readonly #tableNames = new Scope(upperCase, []);

  constructor() {
    super({ inCase: snakeCase, taken: pythonWords }, { inCase: upperCase, taken: enumMembers });
  }

  /** A type without what it may lack: `int`, `Fragment`, `list[Fragment]`. */
  typeOf(type: ValueType): string {
    switch (type.is) {
      case "integer":
      case "big":
        return "int";
      case "real":
        return "float";
      case "boolean":
        return "bool";
      case "text":
        return "str";
      case "bytes":
        return "bytes";
      case "list":
        return `list[${this.typeOf(type.item)}]`;
      case "constant":
        return { string: "str", boolean: "bool", number: "int", bigint: "int" }[typeof type.value as "string"];
      default:
        return type.name;
    }
  }

  /** The name of a function without its verb: `move_player`. */
  functionOf(name: string): string {
    return this.#functions.nameOf(name);
  }

  /** The name of a table from names to numbers. */
  numbersOf(type: EnumType, names: Readonly<Record<string, number>>): string {
    const entries = type.names.map((name) => `${this.literalOf(name, type)}: ${names[name] ?? 0},`);
    return this.#table(`${type.name} numbers`, entries);
  }

  /** The name of a table from numbers to names. */
  namesOf(type: EnumType, names: Readonly<Record<string, number>>): string {
    const entries = Object.entries(names).map(([name, number]) => `${number}: ${this.literalOf(name, type)},`);
    return this.#table(`${type.name} names`, entries);
  }

  #table(wanted: string, entries: readonly string[]): string {
    const key = `${wanted}\n${entries.join("\n")}`;
    let table = this.#tables.get(key);
    if (table === undefined) {
      const name = `_${this.#tableNames.nameOf(this.#taken.has(wanted) ? `${wanted} ${this.#tables.size}` : wanted)}`;
      table = { name, lines: [`${name} = {`, ...entries.map((entry) => `    ${entry}`), "}"] };
      this.#tables.set(key, table);
      this.#taken.add(wanted);
    }
    return table.name;
  }

  /** The tables that were asked for. */
  get tables(): readonly (readonly string[])[] {
    return Array.from(this.#tables.values(), ({ lines }) => lines);
  }

  /** A value that is known, as a value of a type. */
  literalOf(value: string | number | boolean | bigint, type: ValueType): string {
    if (type.is === "enum") return `${type.name}.${this.constantOf(type, String(value))}`;
    if (typeof value === "string") return textLiteral(value);
    if (typeof value === "boolean") return value ? "True" : "False";
    if (type.is === "real" && Number.isInteger(value)) return `${value}.0`;
    return String(value);
  }
}

/** How Python writes steps; `own`: names that a function has beside those of its steps. */
export const pythonStyle = (own: readonly string[]): PrintStyle<PythonNames> => ({
  indent: "    ",
  end: "",
  and: " and ",
  or: " or ",
  isTrue: "True",
  byteBits: "8",
  loopsByLength: false,
  inCase: snakeCase,
  taken: [...pythonWords, ...own],
  branches,
  isAbsent: (name) => `${name} is None`,
  isPresent: (name) => `${name} is not None`,
  areZeros: (name, expected) => `${expected ? "not " : ""}any(${name})`,
  equals,
  rangeTests,
});

/** `if`, `elif` and `else`. */
export function branches(lines: Lines, parts: Branches): void {
  for (const [index, [test, inside]] of parts.entries())
    suite(lines, test === undefined ? "else:" : `${index === 0 ? "if" : "elif"} ${test}:`, inside);
}

export function equals(name: string, value: Constant, type: ValueType, names: PythonNames): string {
  const is = type.is === "enum" || typeof value === "boolean" ? "is" : "==";
  return `${name} ${is} ${names.literalOf(value, type)}`;
}

/** Tests of a number under a mask, between limits. */
export function rangeTests(name: string, { mask, from, to, not }: RangeTest): readonly string[] {
  const number = mask === undefined ? name : `${name} & ${mask}`;
  const compared = mask === undefined ? name : `(${number})`;
  return [
    ...(from !== undefined && from === to ? [`${number} == ${from}`] : []),
    ...(from !== undefined && to !== undefined && from !== to ? [`${from} <= ${compared} <= ${to}`] : []),
    ...(from !== undefined && to === undefined ? [`${compared} >= ${from}`] : []),
    ...(from === undefined && to !== undefined ? [`${compared} <= ${to}`] : []),
    ...(not === undefined ? [] : [`${compared} != ${not}`]),
  ];
}

/** A text as Python writes it. */
export function textLiteral(text: string): string {
  const escaped = Array.from(text, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    if (/[ -~]/.test(char)) return char;
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code < 0x1_0000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
  });
  return `"${escaped.join("")}"`;
}

/** A suite: its head, and what `inside` adds or `pass`. */
export function suite(lines: Lines, head: string, inside: () => void): void {
  lines.add(head);
  const before = lines.list.length;
  lines.indented(() => {
    inside();
    if (lines.list.length === before) lines.add("pass");
  });
}

/** A sentence for a docstring or a comment. */
export function sentence(doc: string): string {
  const text = doc.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replaceAll("\n", " ");
  return asSentence(text);
}

function addDoc(lines: Lines, doc: string): void {
  if (doc !== "") lines.add(`"""${sentence(doc)}"""`, "");
}

/** All types of a dialect. */
export function printTypes(types: Types, names: PythonNames, lines: Lines): void {
  for (const type of types.enums) printEnum(type, names, lines);
  for (const type of types.flags) printFlags(type, names, lines);
  for (const type of types.records) printRecord(type, names, lines);
  // An alias needs the classes that it names.
  for (const type of types.unions) printUnion(type, lines);
}

function printEnum(type: EnumType, names: PythonNames, lines: Lines): void {
  lines.add("", "");
  suite(lines, `class ${type.name}(Enum):`, () => {
    lines.add('"""Its values are the names in the protocol\'s documents."""', "");
    for (const name of type.names) lines.add(`${names.constantOf(type, name)} = ${textLiteral(name)}`);
  });
}

function printFlags(type: FlagsType, names: PythonNames, lines: Lines): void {
  lines.add("", "", "@dataclass(slots=True)");
  suite(lines, `class ${type.name}:`, () => {
    addDoc(lines, type.doc);
    for (const key of Object.keys(type.flags)) lines.add(`${names.memberOf(type, key)}: bool`);
  });
}

function printRecord(type: RecordType, names: PythonNames, lines: Lines): void {
  lines.add("", "", "@dataclass(slots=True)");
  suite(lines, `class ${type.name}:`, () => {
    addDoc(lines, type.doc);
    for (const { key, type: own, isOptional, doc } of variables(type)) {
      if (doc !== "") lines.add(`# ${sentence(doc)}`);
      lines.add(`${names.memberOf(type, key)}: ${names.typeOf(own)}${isOptional ? " | None" : ""}`);
    }
  });
}

function printUnion(type: UnionType, lines: Lines): void {
  const list = type.records.map(({ name }) => name);
  lines.add("", "");
  if (type.doc !== "") lines.add(`# ${sentence(type.doc)}`);
  lines.add(`${type.name}: TypeAlias = Union[${list.join(", ")}]`);
}
