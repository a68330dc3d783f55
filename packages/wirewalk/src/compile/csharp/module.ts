/**
 * A dialect as one file of C#: its types, a reader and a writer of each message, and a small runtime within. It needs nothing but the base
 * class library, and compiles with Mono's `mcs` as with today's compilers.
 *
 * @module
 */
import type { LanguageSource } from "../language.ts";
import { Lines } from "../lines.ts";
import { pascalCase } from "../typed/naming.ts";
import { neededParts } from "../typed/parts.ts";
import type { TypedDialect, TypedMessage } from "../typed/program.ts";
import type { EnumType } from "../typed/types.ts";
import { wrapped } from "../typed/wrap.ts";
import { printReader, readerName } from "./print-read.ts";
import { printSize, printWriter, sizeName, writerName } from "./print-write.ts";
import { csharpRuntime, wireError } from "./runtime.ts";
import { addDoc, block, CsharpNames, printTypes, textLiteral } from "./types.ts";

/** The namespace of generated files. */
export const csharpNamespace = "Wirewalk";

/** Lines of C# are up to so long. */
export const CSHARP_WIDTH = 120;

const senders = ["client", "server"] as const;

/** `SlimeOnline2V0106`. */
export function csharpClassName(game: string, dialect: string): string {
  return `${pascalCase(game)}${pascalCase(dialect)}`;
}

/** The text of the file. */
export function csharpModule(className: string, { dialect, header, more }: LanguageSource): string {
  const names = new CsharpNames();
  const inside = new Lines(0, "    ");
  for (const sender of senders) printSide(dialect, sender, className, names, inside);
  printTypes(dialect.types, names, inside);
  printNames(dialect.types.enums, inside);
  const functions = [
    ...dialect.readers.map((reader) => printReader(reader, dialect, names)),
    ...dialect.writers.flatMap((writer) => [printWriter(writer, dialect, names), printSize(writer, dialect, names)]),
  ];
  for (const list of functions) inside.list.push("", ...list);
  if (more !== undefined) inside.list.push("", ...more.split("\n"));
  const text = inside.toString();
  inside.list.push("", ...wireError.split("\n"));
  for (const part of neededParts(csharpRuntime, text)) inside.list.push("", ...part.split("\n"));
  const lines = new Lines(0, "    ");
  for (const line of header) lines.add(line === "" ? "//" : `// ${line}`);
  lines.add("", "using System;", "using System.Collections.Generic;", "");
  // Branches that return have an end, too.
  lines.add("#pragma warning disable 0162", "");
  block(lines, `namespace ${csharpNamespace}`, () => {
    addDoc(
      lines,
      `Messages of ${dialect.dialect.dialect}: reads them from bytes and writes them; by many threads at once`,
    );
    lines.add(`public static class ${className}`, "{");
    while (inside.list[0] === "") inside.list.shift();
    lines.indented(() => lines.add(...inside.list));
    lines.add("}");
  });
  return `${lines.list.flatMap((line) => (/^\s*\/\/\//.test(line) ? [line] : wrapped(line, CSHARP_WIDTH, "    "))).join("\n")}\n`;
}

/** The names of enums in the protocol's documents. */
function printNames(enums: readonly EnumType[], lines: Lines): void {
  if (enums.length === 0) return;
  lines.add("", "/// <summary>The names of values in the protocol's documents.</summary>");
  block(lines, "public static class Names", () => {
    for (const type of enums) {
      lines.add(`private static readonly string[] Of${type.name} =`, "{");
      lines.indented(() => lines.add(...type.names.map((name) => `${textLiteral(name)},`)));
      lines.add("};", "", `/// <summary>The name of one of ${type.name}.</summary>`);
      block(lines, `public static string Of(${type.name} value)`, () =>
        lines.add(`return Of${type.name}[(int)value];`),
      );
      lines.add("");
    }
    lines.list.pop();
  });
}

/** Reading and writing the messages of one sender. */
function printSide(
  { dialect, id, messages }: TypedDialect,
  sender: "client" | "server",
  className: string,
  names: CsharpNames,
  lines: Lines,
): void {
  const own = messages.filter((each) => each.sender === sender);
  const side = pascalCase(sender);
  const type = `${side}Message`;
  const bytes = id.bits / 8;
  const idName = textLiteral(dialect.idName);
  // Within the class its own messages of that name hide the type.
  const valueType = (message: TypedMessage): string => {
    const text = names.typeOf(message.type);
    const list = /^List<(.*)>$/.exec(text);
    return list ? `List<${qualified(list[1] ?? "")}>` : qualified(text);
  };
  const qualified = (text: string): string =>
    /^(?:int|uint|long|ulong|float|double|bool|string|byte\[\]|List<.*>)$/.test(text) ? text : `${className}.${text}`;
  const none = own.length === 0;
  lines.add("", `/// <summary>A message that a ${sender} sends${none ? ": there is none" : ""}.</summary>`);
  block(lines, `public abstract class ${type}`, () => {
    lines.add(`private ${type}() { }`, "");
    lines.add("/// <summary>The number that says which message a payload holds.</summary>");
    lines.add("public abstract uint Id { get; }", "");
    lines.add("/// <summary>The name in the protocol's documents.</summary>");
    lines.add("public abstract string DocumentName { get; }");
    for (const each of own) {
      lines.add("");
      addDoc(lines, each.summary);
      block(lines, `public sealed class ${each.name} : ${type}`, () => {
        const value = valueType(each);
        lines.add(`public ${value} Value { get; private set; }`, "");
        block(lines, `public ${each.name}(${value} value)`, () => lines.add("Value = value;"));
        lines.add("", `public override uint Id { get { return ${each.id >>> 0}; } }`, "");
        lines.add(`public override string DocumentName { get { return ${textLiteral(each.message)}; } }`);
      });
    }
  });
  const load = id.bits === 8 ? "bytes[offset]" : `U${id.bits}${id.order}(bytes, offset)`;
  lines.add(
    "",
    `/// <summary>Reads a ${sender}'s message that fills the bytes, its number first. The bytes are not kept.</summary>`,
    `/// <exception cref="WireError">The bytes are no such message.</exception>`,
  );
  block(lines, `public static ${type} Read${side}(byte[] bytes, int offset, int length)`, () => {
    block(lines, "if (offset < 0 || length < 0 || length > bytes.Length - offset)", () =>
      lines.add('throw new ArgumentOutOfRangeException("length");'),
    );
    block(lines, `if (length < ${bytes})`, () => lines.add(`throw new WireError(Code.Truncated, ${idName}, 0);`));
    if (none) {
      lines.add(`throw new WireError(Code.UnknownMessage, ${idName}, 0);`);
      return;
    }
    lines.add("Input input = new Input(bytes, offset);", `input.At = offset + ${bytes};`, "int end = offset + length;");
    lines.add(`${type} message;`);
    block(lines, `switch (${load})`, () => {
      for (const { id: number, name, functionName, type: value } of own) {
        block(lines, `case ${number >>> 0}:`, () => {
          lines.add(`${names.typeOf(value)} value;`);
          lines.add(
            `message = ${readerName(functionName)}(input, end, out value) ? new ${type}.${name}(value) : null;`,
          );
          lines.add("break;");
        });
      }
      lines.add("default:");
      lines.indented(() => lines.add(`throw new WireError(Code.UnknownMessage, ${idName}, 0);`));
    });
    block(lines, "if (message == null)", () => lines.add("throw input.Error();"));
    block(lines, "if (input.At != end)", () =>
      lines.add('throw new WireError(Code.Trailing, "", (input.At - offset) * 8L);'),
    );
    lines.add("return message;");
  });
  const each = (print: (message: TypedMessage, value: string) => void): void => {
    if (!none)
      block(lines, "switch (message.Id)", () => {
        for (const message of own) {
          lines.add(`case ${message.id >>> 0}:`);
          lines.indented(() => print(message, `((${type}.${message.name})message).Value`));
        }
      });
    lines.add('throw new ArgumentException("Cannot write message: it is none");');
  };
  lines.add("", "/// <summary>How many bytes a message takes, with its number.</summary>");
  block(lines, `public static int SizeOf(${type} message)`, () =>
    each(({ functionName }, value) => lines.add(`return ${bytes} + ${sizeName(functionName)}(${value});`)),
  );
  lines.add(
    "",
    "/// <summary>Writes a message, its number first, and gives the place after it.</summary>",
    `/// <exception cref="ArgumentException">A field cannot hold its value.</exception>`,
    `/// <exception cref="IndexOutOfRangeException">The bytes have no room; nothing is known of them then.</exception>`,
  );
  block(lines, `public static int Write(${type} message, byte[] bytes, int offset)`, () => {
    each(({ functionName, id: number }, value) => {
      for (let index = 0; index < bytes; index++) {
        const byte = (number >>> (8 * (id.order === "le" ? index : bytes - 1 - index))) & 255;
        lines.add(`bytes[offset${index === 0 ? "" : ` + ${index}`}] = ${byte};`);
      }
      lines.add(`return ${writerName(functionName)}(bytes, offset + ${bytes}, ${value});`);
    });
  });
  lines.add("", "/// <summary>The bytes of a message, its number first. Throws as Write does.</summary>");
  block(lines, `public static byte[] ToBytes(${type} message)`, () =>
    lines.add("byte[] bytes = new byte[SizeOf(message)];", "Write(message, bytes, 0);", "return bytes;"),
  );
}
