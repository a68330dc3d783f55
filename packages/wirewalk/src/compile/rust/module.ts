/**
 * A dialect as one file of Rust 2021: its types, a reader and a writer of each message, and a small runtime within. It needs nothing but
 * `core` and `alloc`, and has no unsafe code.
 *
 * @module
 */
import type { LanguageSource } from "../language.ts";
import { Lines } from "../lines.ts";
import type { ReadStep } from "../steps.ts";
import { pascalCase } from "../typed/naming.ts";
import { neededParts } from "../typed/parts.ts";
import type { TypedDialect } from "../typed/program.ts";
import { printReader } from "./print-read.ts";
import { printSize, printWriter } from "./print-write.ts";
import { errors, rustRuntime } from "./runtime.ts";
import { addDoc, printTypes, RustNames, textLiteral } from "./types.ts";

const senders = ["client", "server"] as const;

/** The names of a dialect. Its values borrow bytes of a message, unless some may come out of a compressed block. */
export function rustNames(dialect: TypedDialect): RustNames {
  const borrowing = new RustNames(true);
  const bodies = new Set<string>();
  for (const { fn } of dialect.readers)
    visit(fn.body, (step) => {
      if (step.step === "inflate") bodies.add(step.name);
    });
  const isKept = dialect.readers.some(({ fn, result }) => bodies.has(fn.name) && borrowing.lifetimeOf(result) !== "");
  return isKept ? new RustNames(false) : borrowing;
}

function visit(data: unknown, look: (step: ReadStep) => void): void {
  if (Array.isArray(data)) for (const each of data) visit(each, look);
  else if (typeof data === "object" && data !== null && !("kind" in data)) {
    if ("step" in data) look(data as ReadStep);
    for (const each of Object.values(data)) visit(each, look);
  }
}

/** The text of the file. */
export function rustModule(source: LanguageSource): string {
  const { dialect } = source;
  return rustFile(source, {
    about: `Messages of ${dialect.dialect.dialect}: reads them from bytes and writes them. For \`no_std\` with \`alloc\`, too.`,
    errors: errors(),
    print: (names, lines) => {
      for (const sender of senders) printSide(dialect, sender, names, lines);
    },
  });
}

/** What a file has beside types, readers and writers. */
export interface RustFileParts {
  /** A line of the file's documentation. */
  readonly about: string;
  /** The text of its errors. */
  readonly errors: string;
  /** Prints what stands first. */
  print(names: RustNames, lines: Lines): void;
}

/** A file around the types, readers and writers of a dialect. */
export function rustFile({ dialect, header, more }: LanguageSource, parts: RustFileParts): string {
  const names = rustNames(dialect);
  const types = new Lines(0, "    ");
  parts.print(names, types);
  printTypes(dialect.types, names, types);
  const functions = [
    ...dialect.readers.map((reader) => printReader(reader, dialect, names)),
    ...dialect.writers.flatMap((writer) => [printWriter(writer, dialect, names), printSize(writer, dialect, names)]),
  ];
  const own = more === undefined ? [] : ["", ...more.split("\n")];
  const code = [...types.list, ...functions.flatMap((list) => ["", ...list]), ...own];
  const runtime = neededParts(rustRuntime, code.join("\n"));
  const all = [...code, ...runtime].join("\n");
  const uses = (name: string): boolean => new RegExp(`\\b${name}`).test(all);
  const imports = [
    ...(uses("Cow<") ? ["use alloc::borrow::Cow;"] : []),
    ...(uses("Box<") ? ["use alloc::boxed::Box;"] : []),
    ...(uses("BTreeMap<") ? ["use alloc::collections::BTreeMap;"] : []),
    ...(uses("format!") ? ["use alloc::format;"] : []),
    "use alloc::string::String;",
    "use alloc::vec;",
    "use alloc::vec::Vec;",
    "use core::fmt;",
  ];
  return [
    ...header.map((line) => (line === "" ? "//" : `// ${line}`)),
    "",
    `//! ${parts.about}`,
    "",
    // Its lines are as long as its steps: tools that check formatting leave it alone.
    "#![cfg_attr(rustfmt, rustfmt_skip)]",
    "#![allow(clippy::all, dead_code, unused_assignments, unused_comparisons, unused_imports, unused_mut, unused_parens, unused_variables)]",
    "",
    "extern crate alloc;",
    "",
    ...imports,
    ...code,
    "",
    ...parts.errors.split("\n"),
    ...runtime.flatMap((part) => ["", ...part.split("\n")]),
    "",
  ].join("\n");
}

/** Reading and writing the messages of one sender. */
function printSide(dialect: TypedDialect, sender: "client" | "server", names: RustNames, lines: Lines): void {
  const { dialect: node, id, messages } = dialect;
  const own = messages.filter((each) => each.sender === sender);
  const bytes = id.bits / 8;
  const idName = textLiteral(node.idName);
  const lifetime = own.some(({ type }) => names.lifetimeOf(type) !== "") ? "<'a>" : "";
  const name = `${pascalCase(sender)}Message`;
  const load = id.bits === 8 ? "b[0]" : `u${id.bits}${id.order}(b, 0)`;
  const each = (line: (message: (typeof own)[number]) => string): void => {
    if (own.length === 0) lines.add("match *self {}");
    else lines.block("match self {", () => lines.add(...own.map(line)));
  };
  lines.add(
    "",
    own.length === 0 ? `/// A message that a ${sender} sends: there is none.` : `/// A message that a ${sender} sends.`,
  );
  lines.add("#[derive(Clone, Debug, PartialEq)]");
  lines.block(`pub enum ${name}${lifetime} {`, () => {
    for (const message of own) {
      addDoc(lines, message.summary);
      lines.add(`${message.name}(${names.typeOf(message.type)}),`);
    }
  });
  lines.add("");
  lines.block(`impl${lifetime} ${name}${lifetime} {`, () => {
    lines.add("/// The number that says which message a payload holds.");
    lines.block("pub fn id(&self) -> u32 {", () => each((message) => `Self::${message.name}(_) => ${message.id},`));
    lines.add("", "/// The name in the protocol's documents.");
    lines.block("pub fn document_name(&self) -> &'static str {", () =>
      each((message) => `Self::${message.name}(_) => ${textLiteral(message.message)},`),
    );
    lines.add("", `/// Reads a ${sender}'s message that fills the bytes, its number first.`);
    lines.block(`pub fn read(b: &${lifetime === "" ? "" : "'a "}[u8]) -> Result<Self, WireError> {`, () => {
      lines.block(`if b.len() < ${bytes} {`, () =>
        lines.add(`return Err(WireError::new(Code::Truncated, ${idName}, 0));`),
      );
      const unknown = `return Err(WireError::new(Code::UnknownMessage, ${idName}, 0))`;
      if (own.length === 0) {
        lines.add(`${unknown};`);
        return;
      }
      lines.block(
        `let (message, at) = match ${load} {`,
        () => {
          for (const message of own)
            lines.block(`${message.id} => {`, () => {
              lines.add(`let (value, at) = read_${names.functionOf(message.functionName)}(b, ${bytes})?;`);
              lines.add(`(Self::${message.name}(value), at)`);
            });
          lines.add(`_ => ${unknown},`);
        },
        "};",
      );
      lines.block("if at != b.len() {", () => lines.add('return Err(WireError::new(Code::Trailing, "", at * 8));'));
      lines.add("Ok(message)");
    });
    lines.add("", "/// How many bytes it takes, with its number.");
    lines.block("pub fn size(&self) -> Result<usize, WriteError> {", () =>
      each(
        (message) =>
          `Self::${message.name}(value) => Ok(${bytes} + size_of_${names.functionOf(message.functionName)}(value)?),`,
      ),
    );
    lines.add("", "/// Writes it at the start of a buffer, its number first, and gives how many bytes it takes.");
    lines.block("pub fn write(&self, b: &mut [u8]) -> Result<usize, WriteError> {", () => {
      lines.block("if b.len() < self.size()? {", () => lines.add("return Err(WriteError::NoRoom);"));
      lines.add("let id = self.id();");
      for (let index = 0; index < bytes; index++) {
        const shift = 8 * (id.order === "le" ? index : bytes - 1 - index);
        lines.add(`b[${index}] = ${shift === 0 ? "id" : `(id >> ${shift})`} as u8;`);
      }
      each(
        (message) =>
          `Self::${message.name}(value) => write_${names.functionOf(message.functionName)}(b, ${bytes}, value),`,
      );
    });
    lines.add("", "/// Its bytes, its number first.");
    lines.block("pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {", () =>
      lines.add("let mut bytes = vec![0; self.size()?];", "self.write(&mut bytes)?;", "Ok(bytes)"),
    );
  });
}
