/**
 * A dialect for languages that name types: its types, its readers and writers as steps with types, and its messages. A back end prints
 * them; none of this knows a language.
 *
 * @module
 */
import type { DialectNode, IntegerNode, LayoutNode, MessageNode } from "../../wire/describe/node.ts";
import { keyOf, Program } from "../program.ts";
import { ReadFunctions } from "../read/functions.ts";
import { isObject } from "../shapes.ts";
import type { CheckUse } from "../steps.ts";
import { WriteFunctions } from "../write/functions.ts";
import { Scope } from "./naming.ts";
import { TypedReader } from "./read.ts";
import { pathOf, type Refusal, refusalOf } from "./refusals.ts";
import { pascal, Types, type ValueType } from "./types.ts";
import { TypedWriter } from "./write.ts";

/** A message of a dialect with its type. */
export interface TypedMessage {
  readonly sender: MessageNode["sender"];
  readonly id: number;
  readonly message: string;
  readonly summary: string;
  /** `MovePlayer`: unique among the messages of its sender. */
  readonly name: string;
  readonly type: ValueType;
  /** Of its reader and its writer. */
  readonly functionName: string;
}

/** All that a back end prints of a dialect. */
export interface TypedDialect {
  readonly dialect: DialectNode;
  /** What the number of a message is on the wire. */
  readonly id: IntegerNode;
  readonly types: Types;
  readonly readers: readonly TypedReader[];
  readonly writers: readonly TypedWriter[];
  readonly messages: readonly TypedMessage[];
  refusalOf(use: CheckUse): Refusal;
  pathOf(use: CheckUse): string;
}

/**
 * The readers and writers of a dialect. `reserved`: names that no type may have in the language. Throws `TypeError` for a description
 * that cannot be compiled.
 */
export function typedDialect(dialect: DialectNode, reserved: Iterable<string>): TypedDialect {
  const id = idOf(dialect);
  const taken = [...reserved];
  const types = new Types(taken);
  const scopes = { client: new Scope(pascal, taken), server: new Scope(pascal, taken) };
  const named = dialect.messages.map((each) => ({ ...each, name: scopes[each.sender].nameOf(nameIn(dialect, each)) }));
  for (const { node, name } of named) types.typeOf(node, name);
  // A union has a reader and a writer of its own: there is one place that tells its records apart.
  const isOwn = (node: LayoutNode): boolean => isObject(node) && types.typeOf(node).is === "union";
  const program = new Program(isOwn);
  for (const { node } of named) program.countRoot(node);
  for (const { node, name } of named) program.nameOf(node, name);
  const readers = new ReadFunctions(program);
  const writers = new WriteFunctions(program);
  for (const { node } of named) readers.nameOf(node, "");
  for (const { node } of named) writers.nameOf(node, "");
  const results = new Map(readers.functions.map(({ name, node }) => [name, types.typeOf(node)]));
  const resultOf = (name: string): ValueType => {
    const type = results.get(name);
    if (type === undefined) throw new TypeError(`Cannot happen: there is no reader ${name}`);
    return type;
  };
  const path = (use: CheckUse): string => pathOf(program, use);
  return {
    dialect,
    id,
    types,
    readers: readers.functions.map((fn) => new TypedReader(fn, types, resultOf)),
    writers: writers.functions.map((fn) => new TypedWriter(fn, types, path)),
    messages: named.map(({ node, name, ...message }) => ({
      ...message,
      name,
      type: types.typeOf(node),
      functionName: program.nameOf(node, ""),
    })),
    refusalOf: (use) => refusalOf(program, use),
    pathOf: path,
  };
}

/** The name of a message: with its sender where both senders have one of this name that is laid out otherwise. */
function nameIn({ messages }: DialectNode, { message, sender, node }: MessageNode): string {
  const other = messages.find((each) => each.message === message && each.sender !== sender);
  return other === undefined || keyOf(other.node) === keyOf(node) ? message : `${message}-${sender}`;
}

function idOf({ id }: DialectNode): IntegerNode {
  const isPlain =
    id.kind === "integer" &&
    id.bits <= 32 &&
    id.bits % 8 === 0 &&
    (id.order === "be" || id.order === "le") &&
    [id.transform, id.bias, id.divisor].every((each) => each === undefined);
  if (!isPlain) throw new TypeError("Cannot compile a dialect: the number of a message is a plain integer");
  return id;
}
