/**
 * A dialect as one module of Python 3.11: its types, a reader and a writer of each message, and a small runtime within. It needs nothing
 * but the standard library.
 *
 * @module
 */
import type { LanguageSource } from "../language.ts";
import { Lines } from "../lines.ts";
import { pascalCase, Scope, upperCase } from "../typed/naming.ts";
import { neededParts } from "../typed/parts.ts";
import type { TypedDialect } from "../typed/program.ts";
import { wrapped } from "../typed/wrap.ts";
import { printReader } from "./print-read.ts";
import { printSize, printWriter } from "./print-write.ts";
import { pythonRuntime, wireError } from "./runtime.ts";
import { PythonNames, printTypes, sentence, suite, textLiteral } from "./types.ts";

/** Lines of Python are up to so long. */
export const PYTHON_WIDTH = 88;

const senders = ["client", "server"] as const;

/** The text of the module. */
export function pythonModule({ dialect, header, more }: LanguageSource): string {
  const names = new PythonNames();
  const types = new Lines(0, "    ");
  printTypes(dialect.types, names, types);
  const functions = [
    ...dialect.readers.map((reader) => printReader(reader, dialect, names)),
    ...dialect.writers.flatMap((writer) => [printWriter(writer, dialect, names), printSize(writer, dialect, names)]),
  ];
  const sides = new Lines(0, "    ");
  for (const sender of senders) printSide(dialect, sender, names, sides);
  const own = more === undefined ? [] : ["", "", ...more.split("\n")];
  const code = [...functions.flatMap((list) => ["", "", ...list]), ...sides.list, ...own];
  const tables = names.tables.flatMap((table) => ["", ...table]);
  const runtime = neededParts(pythonRuntime, code.join("\n")).flatMap((part) => ["", "", ...part.split("\n")]);
  const text = [...types.list, ...runtime, ...code].join("\n");
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const lines = [
    ...header.map((line) => (line === "" ? "#" : `# ${line}`)),
    `"""Messages of ${sentence(dialect.dialect.dialect).slice(0, -1)}: reads them from bytes and writes them."""`,
    "",
    "from __future__ import annotations",
    "",
    "from dataclasses import dataclass",
    "from enum import Enum",
    ...(uses("isfinite") ? ["from math import isfinite"] : []),
    ...(uses("Struct") ? ["from struct import Struct"] : []),
    "from typing import TypeAlias, Union",
    "",
    "# What readers take. They copy nothing but texts and runs of bytes.",
    "Bytes: TypeAlias = Union[bytes, bytearray, memoryview]",
    "",
    "",
    ...wireError.split("\n"),
    ...types.list,
    ...(tables.length === 0 ? [] : ["", ...tables]),
    ...runtime,
    ...code,
    "",
  ];
  return lines.flatMap((line) => wrapped(line, PYTHON_WIDTH, "    ", true)).join("\n");
}

/** The names of messages as members of their enum. */
function kindsOf(dialect: TypedDialect, sender: "client" | "server"): ReadonlyMap<number, string> {
  const scope = new Scope(upperCase, ["name", "value", "id", "mro"]);
  return new Map(
    dialect.messages.filter((each) => each.sender === sender).map(({ id, name }) => [id, scope.nameOf(name)]),
  );
}

/** Reading and writing the messages of one sender. */
function printSide(dialect: TypedDialect, sender: "client" | "server", names: PythonNames, lines: Lines): void {
  const { dialect: node, id, messages } = dialect;
  const own = messages.filter((each) => each.sender === sender);
  const kinds = kindsOf(dialect, sender);
  const kindOf = (number: number): string => `${side}Kind.${kinds.get(number)}`;
  const side = pascalCase(sender);
  const bytes = id.bits / 8;
  const idName = textLiteral(node.idName);
  const types = [...new Set(own.map(({ type }) => names.typeOf(type)))];
  const order = id.order === "le" ? "little" : "big";
  lines.add("", "");
  suite(lines, `class ${side}Kind(Enum):`, () => {
    lines.add(
      own.length === 0
        ? `"""Messages that a ${sender} sends: there is none."""`
        : `"""Messages that a ${sender} sends. Its values are the names in the protocol's documents."""`,
    );
    for (const { id: number, message, summary } of own)
      lines.add("", `# ${sentence(summary)}`, `${kinds.get(number)} = ${textLiteral(message)}`);
  });
  if (types.length > 0) {
    lines.add("", "", `# The value of a message that a ${sender} sends.`);
    lines.add(`${side}Value: TypeAlias = Union[${types.join(", ")}]`);
  }
  lines.add("", "", "@dataclass(slots=True)");
  suite(lines, `class ${side}Message:`, () => {
    lines.add(`"""A message that a ${sender} sends."""`, "", `kind: ${side}Kind`);
    lines.add(`value: ${types.length === 0 ? "None" : `${side}Value`}`);
  });
  const tables = [
    ["READERS", "_read_", (number: number, text: string) => `${number}: (${kindOf(number)}, ${text}),`],
    ["WRITERS", "_write_", (number: number, text: string) => `${kindOf(number)}: (${number}, ${text}),`],
    ["SIZES", "_size_of_", (number: number, text: string) => `${kindOf(number)}: ${text},`],
  ] as const;
  for (const [name, verb, line] of tables) {
    lines.add("", "", `_${side.toUpperCase()}_${name} = {`);
    lines.indented(() => {
      for (const { id: number, functionName } of own)
        lines.add(line(number, `${verb}${names.functionOf(functionName)}`));
    });
    lines.add("}");
  }
  const upper = side.toUpperCase();
  lines.add("", "");
  suite(lines, `def read_${sender}(data: Bytes, start: int = 0, end: int | None = None) -> ${side}Message:`, () => {
    lines.add(
      `"""Reads a ${sender}'s message that fills the bytes from start to end, its number first.`,
      "",
      "Raises WireError for bytes that are no such message, and IndexError for a place outside of the bytes.",
      '"""',
      "last = len(data) if end is None else end",
    );
    suite(lines, "if not 0 <= start <= last <= len(data):", () =>
      lines.add('raise IndexError("Cannot read: the place is outside of the bytes")'),
    );
    suite(lines, `if last - start < ${bytes}:`, () => lines.add(`raise WireError(Code.TRUNCATED, ${idName}, 0)`));
    lines.add(`found = _${upper}_READERS.get(int.from_bytes(data[start : start + ${bytes}], "${order}"))`);
    suite(lines, "if found is None:", () => lines.add(`raise WireError(Code.UNKNOWN_MESSAGE, ${idName}, 0)`));
    lines.add("kind, read = found");
    suite(lines, "try:", () => lines.add(`value, at = read(data, start + ${bytes}, last)`));
    suite(lines, "except WireError as error:", () => lines.add("error.bit_offset -= start * 8", "raise"));
    suite(lines, "if at != last:", () => lines.add('raise WireError(Code.TRAILING, "", (at - start) * 8)'));
    lines.add(`return ${side}Message(kind, value)`);
  });
  lines.add("", "");
  suite(lines, `def size_of_${sender}(message: ${side}Message) -> int:`, () =>
    lines.add(
      '"""How many bytes a message takes, with its number."""',
      `return ${bytes} + _${upper}_SIZES[message.kind](message.value)`,
    ),
  );
  lines.add("", "");
  suite(lines, `def write_${sender}(message: ${side}Message, buffer: bytearray, start: int = 0) -> int:`, () => {
    lines.add(
      '"""Writes a message, its number first, and gives the place behind it.',
      "",
      "Raises ValueError for a value that a field cannot hold, and IndexError where the buffer has no room. Nothing",
      "is known of the buffer's bytes then. The buffer never grows.",
      '"""',
    );
    suite(lines, `if start < 0 or len(buffer) - start < size_of_${sender}(message):`, () =>
      lines.add('raise IndexError("Cannot write: the buffer has no room")'),
    );
    lines.add(
      `number, write = _${upper}_WRITERS[message.kind]`,
      `buffer[start : start + ${bytes}] = number.to_bytes(${bytes}, "${order}")`,
      `return write(buffer, start + ${bytes}, message.value)`,
    );
  });
  lines.add("", "");
  suite(lines, `def ${sender}_bytes(message: ${side}Message) -> bytes:`, () =>
    lines.add(
      `"""The bytes of a message, its number first. Raises ValueError as write_${sender} does."""`,
      `buffer = bytearray(size_of_${sender}(message))`,
      `write_${sender}(message, buffer)`,
      "return bytes(buffer)",
    ),
  );
}
