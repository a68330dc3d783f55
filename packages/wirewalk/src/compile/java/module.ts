/**
 * A dialect as one file of Java 17: its types, a reader and a writer of each message, and a small runtime within. It needs nothing but the
 * JDK.
 *
 * @module
 */
import type { LanguageSource } from "../language.ts";
import { Lines } from "../lines.ts";
import { pascalCase } from "../typed/naming.ts";
import { neededParts, type RuntimeParts } from "../typed/parts.ts";
import type { TypedDialect, TypedMessage } from "../typed/program.ts";
import { wrapped } from "../typed/wrap.ts";
import { printReader, readerName } from "./print-read.ts";
import { printSize, printWriter, sizeName, writerName } from "./print-write.ts";
import { javaRuntime, wireError } from "./runtime.ts";
import { JavaNames, printTypes, textLiteral } from "./types.ts";

/** The package of generated files. */
export const javaPackage = "wirewalk";

/** Lines of Java are up to so long. */
export const JAVA_WIDTH = 100;

const senders = ["client", "server"] as const;

/** `SlimeOnline2V0106`. */
export function javaClassName(game: string, dialect: string): string {
  return `${pascalCase(game)}${pascalCase(dialect)}`;
}

/** The text of the file. */
export function javaModule(className: string, source: LanguageSource): string {
  const { dialect } = source;
  const about = [
    `Messages of ${docText(dialect.dialect.dialect)}: reads them from bytes and writes them.`,
    "",
    "<p>All methods may be called by many threads at once.",
  ];
  return javaFile(className, source, {
    about,
    error: wireError(),
    parts: javaRuntime,
    print: (names, lines) => {
      for (const sender of senders) printSide(dialect, sender, className, names, lines);
    },
  });
}

/** What a file has beside types, readers and writers. */
export interface JavaFileParts {
  /** Lines of the class's documentation. */
  readonly about: readonly string[];
  /** The text of its error. */
  readonly error: string;
  readonly parts: RuntimeParts;
  /** Prints what stands first in the class. */
  print(names: JavaNames, lines: Lines): void;
}

/** A file of one class around the types, readers and writers of a dialect. */
export function javaFile(
  className: string,
  { dialect, header, more }: LanguageSource,
  { about, error, parts, print }: JavaFileParts,
): string {
  const names = new JavaNames();
  const inside = new Lines();
  print(names, inside);
  printTypes(dialect.types, names, inside);
  const functions = [
    ...dialect.readers.map((reader) => printReader(reader, dialect, names)),
    ...dialect.writers.flatMap((writer) => [printWriter(writer, dialect, names), printSize(writer, dialect, names)]),
  ];
  for (const list of functions) inside.list.push("", ...list);
  if (more !== undefined) inside.list.push("", ...more.split("\n"));
  const text = inside.toString();
  inside.list.push("", ...error.split("\n"));
  for (const part of neededParts(parts, text)) inside.list.push("", ...part.split("\n"));
  const lines = new Lines();
  for (const line of header) lines.add(line === "" ? "//" : `// ${line}`);
  lines.add(
    `package ${javaPackage};`,
    "",
    ...(inside.toString().includes("VarHandle")
      ? ["import java.lang.invoke.MethodHandles;", "import java.lang.invoke.VarHandle;", "import java.nio.ByteOrder;"]
      : []),
    "import java.util.ArrayList;",
    "import java.util.Arrays;",
    "import java.util.List;",
    "",
  );
  lines.add("/**", ...about.map((line) => ` * ${line}`.trimEnd()), " */");
  lines.add(`public final class ${className} {`, `  private ${className}() {}`);
  lines.list.push(...inside.list.map((line) => (line === "" ? "" : `  ${line}`)), "}", "");
  return lines.list.flatMap((line) => wrapped(line, JAVA_WIDTH, "    ")).join("\n");
}

const docText = (text: string): string => text.replaceAll("*/", "* /").replaceAll("<", "&lt;");

/** Reading and writing the messages of one sender. */
function printSide(
  { dialect, id, messages }: TypedDialect,
  sender: "client" | "server",
  className: string,
  names: JavaNames,
  lines: Lines,
): void {
  const own = messages.filter((each) => each.sender === sender);
  const side = pascalCase(sender);
  const type = `${side}Message`;
  const bytes = id.bits / 8;
  const idName = textLiteral(dialect.idName);
  const none = own.length === 0;
  lines.add(
    "",
    none ? `/** A message that a ${sender} sends: there is none. */` : `/** A message that a ${sender} sends. */`,
  );
  printInterface(type, className, own, names, lines, {
    name: "id",
    doc: "The number that says which message a payload holds.",
  });
  const load =
    id.bits === 8 ? "u8(bytes, offset)" : `${id.bits === 32 ? "i32" : `u${id.bits}`}${id.order}(bytes, offset)`;
  lines.add(
    "",
    "/**",
    ` * Reads a ${sender}'s message that fills the bytes, its number first. The bytes are not kept.`,
    " *",
    " * @throws WireError for bytes that are no such message",
    " */",
  );
  lines.block(`public static ${type} read${side}(byte[] bytes, int offset, int length) {`, () => {
    lines.add("java.util.Objects.checkFromIndexSize(offset, length, bytes.length);");
    lines.block(`if (length < ${bytes}) {`, () => lines.add(`throw new WireError(Code.TRUNCATED, ${idName}, 0);`));
    if (none) {
      lines.add(`throw new WireError(Code.UNKNOWN_MESSAGE, ${idName}, 0);`);
      return;
    }
    lines.add("In in = new In(bytes, offset);", `in.at = offset + ${bytes};`, "int end = offset + length;");
    lines.block(
      `${type} message = switch (${load}) {`,
      () => {
        for (const { id: number, name, functionName, type: value } of own) {
          lines.block(`case ${number | 0} -> {`, () => {
            lines.add(`${names.typeOf(value, true)} value = ${readerName(functionName)}(in, end);`);
            lines.add(`yield value == null ? null : new ${type}.${name}(value);`);
          });
        }
        lines.add(`default -> throw new WireError(Code.UNKNOWN_MESSAGE, ${idName}, 0);`);
      },
      "};",
    );
    lines.block("if (message == null) {", () => lines.add("throw in.error();"));
    lines.block("if (in.at != end) {", () =>
      lines.add('throw new WireError(Code.TRAILING, "", (in.at - offset) * 8L);'),
    );
    lines.add("return message;");
  });
  const each = (print: (message: TypedMessage) => void): void => {
    own.forEach((message, index) => {
      const open = `if (message instanceof ${type}.${message.name} m) {`;
      lines.add(index === 0 ? open : `} else ${open}`);
      lines.indented(() => print(message));
    });
    if (own.length > 0) lines.add("}");
    lines.add('throw new IllegalArgumentException("Cannot write message: it is none");');
  };
  lines.add("", "/** How many bytes a message takes, with its number. */");
  lines.block(`public static int sizeOf(${type} message) {`, () =>
    each(({ functionName }) => lines.add(`return ${bytes} + ${sizeName(functionName)}(m.value());`)),
  );
  lines.add(
    "",
    "/**",
    " * Writes a message, its number first, and gives the place after it.",
    " *",
    " * @throws IllegalArgumentException for a value that a field cannot hold",
    " * @throws IndexOutOfBoundsException where the bytes have no room; nothing is known of them then",
    " */",
  );
  lines.block(`public static int write(${type} message, byte[] bytes, int offset) {`, () => {
    each(({ functionName, id: number }) => {
      for (let index = 0; index < bytes; index++) {
        const byte = (number >>> (8 * (id.order === "le" ? index : bytes - 1 - index))) & 255;
        lines.add(`bytes[offset${index === 0 ? "" : ` + ${index}`}] = ${byte < 128 ? byte : `(byte) ${byte}`};`);
      }
      lines.add(`return ${writerName(functionName)}(bytes, offset + ${bytes}, m.value());`);
    });
  });
  lines.add("", "/** The bytes of a message, its number first. Throws as {@code write} does. */");
  lines.block(`public static byte[] toBytes(${type} message) {`, () =>
    lines.add("byte[] bytes = new byte[sizeOf(message)];", "write(message, bytes, 0);", "return bytes;"),
  );
}

/** A sealed interface with a record for each message around its value. `number`: its method that gives a message's number. */
export function printInterface(
  type: string,
  className: string,
  messages: readonly TypedMessage[],
  names: JavaNames,
  lines: Lines,
  number: { readonly name: string; readonly doc: string },
): void {
  const qualified = (text: string): string =>
    /^(?:Integer|Long|Float|Double|Boolean|String|byte\[\])$/.test(text) ? text : `${className}.${text}`;
  const valueType = (message: TypedMessage): string => {
    const text = names.typeOf(message.type, true);
    // Within the interface its own record of that name hides the type.
    return message.type.is === "list" ? text.replace(/<(\w+)>/, (_, item) => `<${qualified(item)}>`) : qualified(text);
  };
  // A sealed interface needs a record.
  lines.block(`public ${messages.length === 0 ? "" : "sealed "}interface ${type} {`, () => {
    lines.add(`/** ${number.doc} */`, `int ${number.name}();`, "");
    lines.add("/** The name in the protocol's documents. */", "String documentName();");
    for (const each of messages) {
      lines.add("", `/** ${docText(sentence(each.summary))} */`);
      lines.block(`record ${each.name}(${valueType(each)} value) implements ${type} {`, () => {
        lines.block(`public int ${number.name}() {`, () => lines.add(`return ${each.id | 0};`));
        lines.add("");
        lines.block("public String documentName() {", () => lines.add(`return ${textLiteral(each.message)};`));
      });
    }
  });
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
