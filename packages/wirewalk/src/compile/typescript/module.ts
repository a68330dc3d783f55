/**
 * A module of TypeScript that reads and writes the messages of a game: its types, a reader and a writer for each description, the
 * table of checks, and the messages of each dialect.
 *
 * @module
 */
import type { DialectNode, IntegerNode, LayoutNode, MessageNode } from "../../wire/describe/node.ts";
import { Lines } from "../lines.ts";
import { keyOf, Names, Program, partsOf } from "../program.ts";
import { ReadFunctions } from "../read/functions.ts";
import type { Check } from "../steps.ts";
import { WriteFunctions } from "../write/functions.ts";
import { functionName, type ModuleParts, printReader, readerName, rowType } from "./print-read.ts";
import { printWriter, writerName } from "./print-write.ts";
import { roomOf } from "./room.ts";
import { keyText, shapesOf, typeOf, typeOfKind } from "./types.ts";

/** What a module is made of. */
export interface ModuleSource {
  /** What it reads and writes, for the first line. */
  readonly title: string;
  readonly dialects: readonly DialectNode[];
  /** Descriptions beside the messages, by the names under which the module exports them. */
  readonly others?: Readonly<Record<string, LayoutNode>>;
  /** Where the runtime is imported from. */
  readonly runtime: string;
  /** The command that makes the file. */
  readonly madeBy: string;
}

type Sender = MessageNode["sender"];
const senders = ["client", "server"] as const;

/** The text of the module. */
export function typescriptModule(source: ModuleSource): string {
  return new Module(source).print();
}

class Module {
  readonly #source: ModuleSource;
  readonly #program = new Program();
  readonly #readers = new ReadFunctions(this.#program);
  readonly #writers = new WriteFunctions(this.#program);
  readonly #helpers = new Set<string>();
  readonly #constants = new Map<string, string>();
  readonly #constantNames = new Names();
  readonly #locals = new Map<string, string>();
  /** The names under which the dialects are exported. */
  readonly #dialectNames: ReadonlyMap<string, string>;

  constructor(source: ModuleSource) {
    this.#source = source;
    const { dialects, others = {} } = source;
    const exported = new Names(["id", "message", "value", ...Object.keys(others)]);
    this.#dialectNames = new Map(dialects.map(({ dialect }) => [dialect, exported.take(dialectName(dialect))]));
    for (const { dialect } of dialects) {
      for (const sender of senders) this.#program.reserve(lower(`${this.#prefix(dialect)}${capital(sender)}Message`));
    }
    const roots = [...dialects.flatMap(({ messages }) => messages.map(({ node }) => node)), ...Object.values(others)];
    for (const root of roots) this.#program.countRoot(root);
    for (const { dialect, messages } of dialects) {
      for (const { message, sender, node } of messages) {
        const isBoth = messages.some((each) => each.message === message && each.sender !== sender);
        const name = lower(`${this.#prefix(dialect)}${capital(camel(message))}${isBoth ? capital(sender) : ""}`);
        this.#program.nameOf(node, name);
      }
    }
    for (const [name, node] of Object.entries(others)) this.#program.nameOf(node, name);
    // Readers first: writers use their checks.
    for (const root of roots) this.#readers.nameOf(root, "");
    for (const root of roots) this.#writers.nameOf(root, "");
    const known = new Set<string>();
    for (const root of roots) this.#rowsWithin(root, "", known);
  }

  /** The lists of a description whose items are read without allocating. */
  #rowsWithin(node: LayoutNode, name: string, known: Set<string>): void {
    if (node.kind === "array" && node.rows !== undefined && !known.has(keyOf(node))) {
      known.add(keyOf(node));
      const fn = this.#readers.rowsOf(node, name);
      this.#rowFunctions.set(keyOf(node), { field: name, fn: functionName(fn) });
      if (fn.into === "object") this.#rowTypes.set(rowType(fn), fn.node);
    }
    if (node.kind === "struct") for (const field of node.fields) this.#rowsWithin(field.node, field.name, known);
    else for (const part of partsOf(node)) this.#rowsWithin(part, name, known);
  }

  readonly #rowTypes = new Map<string, LayoutNode>();
  readonly #rowFunctions = new Map<string, { readonly field: string; readonly fn: string }>();

  /** The functions that read lists of a dialect without allocating, by the name of the list. */
  #rowsOf({ messages }: DialectNode): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const visit = (node: LayoutNode): void => {
      const own = node.kind === "array" ? this.#rowFunctions.get(keyOf(node)) : undefined;
      if (own !== undefined) found.set(own.field, own.fn);
      for (const part of partsOf(node)) visit(part);
    };
    for (const { node } of messages) visit(node);
    return found;
  }

  #help(name: string): string {
    this.#helpers.add(name);
    return name;
  }

  #dialectName({ dialect }: DialectNode): string {
    return this.#dialectNames.get(dialect) ?? dialect;
  }

  /** What the names of a dialect's messages begin with: nothing where there is one dialect. */
  #prefix(dialect: string): string {
    return this.#source.dialects.length > 1 ? capital(this.#dialectNames.get(dialect) ?? dialect) : "";
  }

  #name(node: LayoutNode): string {
    return this.#program.nameOf(node, "");
  }

  #type(node: LayoutNode): string {
    return capital(this.#name(node));
  }

  print(): string {
    const { title, madeBy, runtime, dialects, others = {} } = this.#source;
    const typeNames = (node: LayoutNode): string | undefined => {
      const name = this.#program.knownName(node);
      return name === undefined ? undefined : capital(name);
    };
    const parts: ModuleParts = {
      helpers: this.#helpers,
      typeNames,
      local: (name, text) => this.#locals.set(name, text),
      constant: (name, text) => {
        const known = this.#constants.get(text) ?? this.#constantNames.takeTable(name);
        this.#constants.set(text, known);
        return known;
      },
    };
    const functions = [
      ...this.#readers.functions.map((fn) =>
        printReader(fn, fn.into === "value" ? typeOf(fn.node, typeNames) : "number", parts),
      ),
      ...this.#writers.functions.map((fn) => printWriter(fn, parts)),
    ];
    const types = Array.from(this.#program.nodes, ([name, node]) => {
      const inner = (each: LayoutNode): string | undefined => (each === node ? undefined : typeNames(each));
      return `export type ${capital(name)} = ${typeOfKind(node, inner)};`;
    });
    const rows = Array.from(this.#rowTypes, ([name, node]) => {
      const members = new Map(
        shapesOf(node, typeNames)
          .flat()
          .map(({ key, type }) => [key, type === "true" || type === "false" ? "boolean" : "number"]),
      );
      return `export interface ${name} { ${Array.from(members, ([key, type]) => `${key}: ${type}`).join("; ")} }`;
    });
    const exports = new Lines();
    for (const dialect of dialects) this.#dialect(dialect, exports);
    for (const [name, node] of Object.entries(others)) {
      exports.add("", `export const ${name}: CompiledLayout<${this.#type(node)}> = ${this.#body(node)};`);
    }
    const text = [...functions, exports.toString(), ...this.#constants.keys(), ...this.#locals.values()].join("\n");
    const tables = this.#program.tables.flatMap(({ name, checks }) => [this.#table(name, checks), ""]);
    const isUsed = (name: string): boolean => name.endsWith("Words") || new RegExp(`\\b${name}\\b`).test(text);
    const helpers = [...this.#helpers].filter(isUsed).sort();
    return [
      `/** Made by \`${madeBy}\` from the descriptions of ${title.replaceAll("*/", "* /")}: do not edit. */`,
      `import { ${helpers.join(", ")} } from ${JSON.stringify(runtime)};`,
      `import type { ${[...(tables.length > 0 ? ["Checks"] : []), ...(dialects.length > 0 ? ["CompiledDialect"] : []), ...(Object.keys(others).length > 0 ? ["CompiledLayout"] : []), "Members"].join(", ")} } from ${JSON.stringify(runtime)};`,
      "",
      ...types,
      ...rows,
      "",
      "/** Where the last reader has ended. */",
      "var after = 0;",
      "/** The same for callers of other modules. */",
      "export const lastEnd = (): number => after;",
      ...(functions.some((text) => text.includes("keptFrom"))
        ? [
            "var keptFrom = 0;",
            "var keptTo = 0;",
            "/** Where the kept bytes of the last message lie. */",
            "export const keptStart = (): number => keptFrom;",
            "export const keptEnd = (): number => keptTo;",
          ]
        : []),
      "",
      ...Array.from(this.#constants, ([text, name]) => `var ${name} = ${text};`),
      "",
      ...Array.from(this.#locals, ([name, text]) => `const ${name} = ${text};`),
      "",
      ...tables,
      ...functions.flatMap((text) => [text, ""]),
      exports.toString(),
      "",
    ].join("\n");
  }

  /**
   * A table of checks, as `var`: each look at a `const` of a module is preceded by the test that it has
   * been made. Those of kinds whose words a module must name have the index of their kind.
   */
  #table(name: string, checks: readonly Check[]): string {
    const rare = [...new Set(checks.map(([kind]) => String(kind)).filter((kind) => !usualKinds.has(kind)))];
    const lines = checks.map((check) => {
      const [kind = "", ...more] = check;
      const index = rare.indexOf(String(kind));
      // Most are of fields.
      return checkText([kind === "fields" ? "" : index < 0 ? kind : index, ...more]);
    });
    const kinds = rare.length === 0 ? "" : `, kinds: [${rare.map((kind) => this.#help(`${kind}Words`)).join(", ")}]`;
    return `var ${name}: Checks = { text: \`${lines.join("\n")}\`${kinds} };`;
  }

  /** A description's reader and writer as an object. */
  #body(node: LayoutNode): string {
    const room = roomOf(node, "v", (name) => this.#help(name));
    const members = [
      "after: lastEnd",
      `read: ${readerName(this.#name(node))}`,
      `write: ${writerName(this.#name(node))}`,
      ...(/^\d+$/.test(room) ? [] : [`room: ${/\bv\b/.test(room) ? `(v) => ${room}` : room}`]),
    ];
    return `{ ${members.join(", ")} }`;
  }

  #dialect(node: DialectNode, lines: Lines): void {
    const { dialect, idName, messages } = node;
    const prefix = this.#prefix(dialect);
    const exportName = this.#dialectName(node);
    for (const sender of senders) {
      const own = messages.filter((each) => each.sender === sender);
      const union = own.map((each) => `{ message: ${JSON.stringify(each.message)}; value: ${this.#type(each.node)} }`);
      lines.add(
        "",
        `export type ${prefix}${capital(sender)}Message = ${union.length === 0 ? "never" : union.join(" | ")};`,
      );
      this.#reader(node, sender, own, prefix, lines);
      this.#writer(node, sender, own, prefix, lines);
    }
    const type = `CompiledDialect<${prefix}ClientMessage, ${prefix}ServerMessage>`;
    lines.add("");
    lines.blocks([
      [
        `export const ${exportName}: ${type} = {`,
        () => {
          lines.add(`dialect: ${JSON.stringify(dialect)},`, `idName: ${JSON.stringify(idName)},`);
          if (node.idFormat !== undefined) lines.add(`idFormat: ${JSON.stringify(node.idFormat)},`);
          const idsOf = (sender: Sender): void => {
            const own = messages.filter((each) => each.sender === sender);
            lines.add(`${sender}: { ${own.map(({ message, id }) => `${keyText(message)}: ${id}`).join(", ")} },`);
          };
          lines.block("ids: {", () => senders.forEach(idsOf), "},");
          const of = (call: string, args: string): string =>
            senders.map((sender) => `${call}${prefix}${capital(sender)}Message(${args})`).join(" : ");
          lines.add(
            `read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? ${of("read", "b, id, at")}) as never,`,
            `write: ((sender: string, m: never, before?: number) => sender === "client" ? ${of("write", "m, before")}) as never,`,
          );
        },
      ],
    ]);
    lines.list[lines.list.length - 1] = "};";
    const rows = this.#rowsOf(node);
    if (rows.size === 0) return;
    lines.add(
      "",
      `export const ${exportName}Rows = { ${Array.from(rows, ([field, fn]) => `${keyText(field)}: ${fn}`).join(", ")} };`,
    );
  }

  #idOf({ id }: DialectNode): IntegerNode {
    const isPlain =
      id.kind === "integer" &&
      (id.order === "be" || id.order === "le") &&
      [id.transform, id.bias, id.divisor].every((each) => each === undefined);
    if (!isPlain) throw new TypeError("Cannot compile a dialect: the number of a message is a plain integer");
    return id;
  }

  /** The number of a message at the start of a payload; NaN or undefined where its bytes are missing, which is no message's. */
  #idText(node: DialectNode): string {
    const { bits, order, signed } = this.#idOf(node);
    const bytes = bits / 8;
    const parts = Array.from({ length: bytes }, (_, index) => {
      const shift = order === "le" ? index : bytes - 1 - index;
      return shift === 0 ? `b[${index}]!` : `b[${index}]! * ${256 ** shift}`;
    });
    const whole = parts.join(" + ");
    if (!signed) return whole;
    return `((id: number) => (id >= ${2 ** (bits - 1)} ? id - ${2 ** bits} : id))(${whole})`;
  }

  /** Reads a whole payload: the number, then the body that it names. */
  #reader(node: DialectNode, sender: Sender, own: readonly MessageNode[], prefix: string, lines: Lines): void {
    const bytes = this.#idOf(node).bits / 8;
    const name = `${prefix}${capital(sender)}`;
    lines.add("");
    const parameters = `b: Uint8Array, id = ${this.#idText(node)}, at = ${bytes}`;
    lines.block(`function read${name}Message(${parameters}): ${name}Message {`, () => {
      lines.add("const end = b.length;");
      const unknown = `throw ${this.#help("noMessage")}(${this.#dialectName(node)}, "${sender}", id, at, end);`;
      if (own.length === 0) {
        lines.add(unknown);
        return;
      }
      lines.add(`let message: ${name}Message["message"];`, `let value: ${name}Message["value"] | undefined;`);
      lines.block("switch (id) {", () => {
        for (const { id: number, message, node: body } of own) {
          lines.block(`case ${number}: {`, () => {
            lines.add(`message = ${JSON.stringify(message)};`);
            lines.add(`value = ${readerName(this.#name(body))}(b, at, end);`, "break;");
          });
        }
        // Here and not behind the choice: a name that may be missing costs an engine 4 ns of 12.
        lines.add(`default: ${unknown}`);
      });
      // The value itself would then be an object for an engine, even where a caller takes only its fields: 5 ns of 13.
      const error = `${this.#help("notRead")}(value === undefined, after, end)`;
      lines.add(`if (value === undefined || after !== end) throw ${error};`);
      lines.add(`return { message, value } as ${name}Message;`);
    });
  }

  #writer(node: DialectNode, sender: Sender, own: readonly MessageNode[], prefix: string, lines: Lines): void {
    const id = this.#idOf(node);
    const bytes = id.bits / 8;
    const name = `${prefix}${capital(sender)}`;
    lines.add("");
    const parameters =
      own.length === 0
        ? `{ message }: ${name}Message, _free?: number`
        : `{ message, value: v }: ${name}Message, free = ${bytes}`;
    lines.block(`function write${name}Message(${parameters}): Uint8Array<ArrayBuffer> {`, () => {
      const unknown = `throw ${this.#help("unknownName")}(${this.#dialectName(node)}, "${sender}", message);`;
      if (own.length === 0) {
        lines.add(unknown);
        return;
      }
      const rooms = own.map(({ node: body }) => roomOf(body, "v", (helper) => this.#help(helper)));
      const fixed = Math.max(0, ...rooms.map((room) => (/^\d+$/.test(room) ? Number(room) : 0)));
      lines.add("let end: number;");
      lines.add(`let b = ${this.#help("slabFor")}(${fixed} + free);`, `let at = ${this.#help("slabUsed")}();`);
      lines.block("switch (message) {", () => {
        for (const { id: number, message, node: body } of own) {
          lines.block(`case ${JSON.stringify(message)}: {`, () => {
            const room = roomOf(body, "v", (helper) => this.#help(helper));
            if (!/^\d+$/.test(room)) lines.add(`b = slabFor(${room} + free);`, "at = slabUsed();");
            // Before the body, which lies over it where no room is left for a number.
            for (let index = 0; index < bytes; index++) {
              const shift = 8 * (id.order === "le" ? index : bytes - 1 - index);
              lines.add(`b[${index === 0 ? "at" : `at + ${index}`}] = ${(number >> shift) & 0xff};`);
            }
            lines.add(`end = ${writerName(this.#name(body))}(b, at + free, v as Members);`, "break;");
          });
        }
        lines.add(`default: ${unknown}`);
      });
      lines.add(`if (end < 0) throw ${this.#help("wrong")}();`);
      lines.add(`return ${this.#help("cutSlab")}(end - at);`);
    });
  }
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** `my-dialect` as `myDialect`. What else a name must not have, {@link Names} replaces. */
const camel = (name: string): string =>
  name.replace(/[^A-Za-z0-9_]+([A-Za-z])/g, (_, letter: string) => letter.toUpperCase());

/** Names that functions, tables and numbers of a module may have. */
const ownNames = /^(?:(?:read|write|put)[A-Z_]|(?:lastEnd|kept(?:From|To|Start|End))$)|(?:Checks|Rows)$/;

/** The name under which a dialect is exported. */
function dialectName(dialect: string): string {
  const name = lower(camel(dialect));
  return ownNames.test(name) ? `${name}Dialect` : name;
}

/** Kinds of checks whose words every codec brings. */
const usualKinds = new Set("fields run none limit left integer object list there most same oneOf bytes".split(" "));

/** A check as a line. */
function checkText(check: Check): string {
  const text = check.join("|");
  if (/[`\\\n]|\$\{/.test(text) || check.some((part) => String(part).includes("|")))
    throw new TypeError(
      `Cannot compile ${text}: a name has |, \\, \`, a dollar sign with a brace or the end of a line`,
    );
  return text;
}
