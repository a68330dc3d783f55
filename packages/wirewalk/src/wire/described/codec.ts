/**
 * A codec out of descriptions that were kept as text: it reads and writes payloads, and nothing else. No traces, no JSON, no
 * words: those need the layouts. `tools/build-codecs.ts` makes the text from the layouts of a game.
 *
 * @module
 */
import type { LayoutNode } from "../describe/node.ts";
import { cursorOf, expectEnd, type ReadCursor, WriteCursor, written } from "../interpret/cursor.ts";
import { readNode } from "../interpret/read.ts";
import { writeNode } from "../interpret/write.ts";
import { readAt, readPath, WireError } from "../wire-error.ts";

/** A decoded message: its name in camel case and its fields. */
interface Message {
  readonly message: string;
  readonly value: object;
}

/** Reads and writes the payloads of one dialect, and bodies alone for hosts with opcodes and frames of their own. */
export interface SmallCodec<C extends Message, S extends Message> {
  /** The message of a payload. Throws `WireError` for anything that is not exactly one message. */
  read(sender: "client", payload: Uint8Array): C;
  read(sender: "server", payload: Uint8Array): S;
  /** Throws `TypeError` or `RangeError` for a message that cannot be written. */
  write(sender: "client", message: C): Uint8Array<ArrayBuffer>;
  write(sender: "server", message: S): Uint8Array<ArrayBuffer>;
  /** The message of a body: what follows the opcode. Throws `RangeError` for an unknown name, and `WireError`. */
  readBody<N extends C["message"]>(sender: "client", name: N, body: Uint8Array): Extract<C, { readonly message: N }>;
  readBody<N extends S["message"]>(sender: "server", name: N, body: Uint8Array): Extract<S, { readonly message: N }>;
  /** The body of a message, without its opcode. */
  writeBody(sender: "client", message: C): Uint8Array<ArrayBuffer>;
  writeBody(sender: "server", message: S): Uint8Array<ArrayBuffer>;
  /** The opcode of a message. Throws `RangeError` for an unknown name. */
  opcodeOf(sender: "client", name: C["message"]): number;
  opcodeOf(sender: "server", name: S["message"]): number;
}

/** Sender, opcode, name, and the index of the description. */
type Row = readonly ["client" | "server", number, string, number];

/** What the text holds: descriptions, each after those that it is made of, and the messages of each dialect. */
export interface DescribedMessages {
  readonly nodes: readonly unknown[];
  readonly dialects: Readonly<
    Record<string, { readonly idName: string; readonly id: number; readonly rows: readonly Row[] }>
  >;
}

/** The same data with `{ $: 3 }` replaced by the description of that index. */
function withParts(data: unknown, nodes: readonly LayoutNode[]): unknown {
  if (Array.isArray(data)) return data.map((each) => withParts(each, nodes));
  if (typeof data !== "object" || data === null) return data;
  if ("$" in data) return nodes[data.$ as number];
  return Object.fromEntries(Object.entries(data).map(([key, each]) => [key, withParts(each, nodes)]));
}

/** The codecs of a game, by dialect. Throws `RangeError` for an unknown one. */
export function smallCodecs<D extends string>(game: string, text: string): (dialect: D) => SmallCodec<never, never> {
  const made = new Map<string, SmallCodec<never, never>>();
  let messages: DescribedMessages | undefined;
  const nodes: LayoutNode[] = [];
  return (dialect) => {
    if (messages === undefined) {
      messages = JSON.parse(text) as DescribedMessages;
      for (const each of messages.nodes) nodes.push(withParts(each, nodes) as LayoutNode);
    }
    const { dialects } = messages;
    const own = Object.hasOwn(dialects, dialect) ? dialects[dialect] : undefined;
    if (own === undefined) {
      throw new RangeError(`Unknown dialect ${dialect} of ${game}: it has ${Object.keys(dialects).join(", ")}`);
    }
    const codec = made.get(dialect) ?? smallCodec(own, nodes);
    made.set(dialect, codec);
    return codec;
  };
}

function smallCodec(
  { idName, id, rows }: DescribedMessages["dialects"][string],
  nodes: readonly LayoutNode[],
): SmallCodec<never, never> {
  const idNode = nodes[id] as LayoutNode;
  const rowOf = (sender: string, name: string): Row => {
    const row = rows.find((each) => each[0] === sender && each[2] === name);
    if (row === undefined) throw new RangeError(`Cannot write message: a ${sender} does not send ${name}`);
    return row;
  };
  const readRest = ([, , message, index]: Row, cursor: ReadCursor): Message => {
    const value = readNode(nodes[index] as LayoutNode, cursor, undefined, "") as object;
    expectEnd(cursor);
    return { message, value };
  };
  const write = (sender: string, { message, value }: Message, hasId: boolean): Uint8Array => {
    const [, number, , index] = rowOf(sender, message);
    const cursor = new WriteCursor();
    if (hasId) writeNode(idNode, cursor, number);
    writeNode(nodes[index] as LayoutNode, cursor, value);
    return written(cursor);
  };
  return {
    read(sender: string, payload: Uint8Array) {
      readPath.depth = 0;
      const cursor = cursorOf(payload);
      const number = readAt(idName, () => readNode(idNode, cursor, undefined, "") as number);
      const row = rows.find((each) => each[0] === sender && each[1] === number);
      if (row === undefined) {
        throw new WireError("unknown-message", `Cannot read ${idName}: a ${sender} sends no ${number}`, 0, idName);
      }
      return readRest(row, cursor) as never;
    },
    readBody(sender: string, name: string, body: Uint8Array) {
      readPath.depth = 0;
      return readRest(rowOf(sender, name), cursorOf(body)) as never;
    },
    write: (sender: string, message: Message) => write(sender, message, true) as never,
    writeBody: (sender: string, message: Message) => write(sender, message, false) as never,
    opcodeOf: (sender: string, name: string) => rowOf(sender, name)[1],
  };
}
