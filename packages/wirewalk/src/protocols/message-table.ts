/**
 * A codec out of a table: every message of a dialect with its sender, its id and its layout. The id stands first in the
 * payload, then comes the body, and nothing after it.
 *
 * ```ts
 * const table = messageTable({ dialect: "plain", idName: "type", id: u8, rows: [pingRow] });
 * table.read("client", Uint8Array.of(9)); // => { message: "ping", value: {} }
 * table.write("client", { message: "ping", value: {} }); // => Uint8Array.of(9)
 * table.read("server", Uint8Array.of(9)); // throws unknown-message: Cannot read type: a server of dialect plain sends nothing, not 9, at byte 0
 * ```
 *
 * @module
 */
import { type CompiledDialect, type DialectOutline, unknownId, unknownName } from "../wire/compiled/index.ts";
import {
  ByteReader,
  ByteWriter,
  type DialectNode,
  dialect as describeDialect,
  encode,
  fromJson,
  type IdFormat,
  type JsonObject,
  type Layout,
  readLayout,
  readPath,
  Tracer,
  toJson,
  traceInto,
  WireError,
  writeLayout,
} from "../wire/index.ts";
import type { MessageId, MessageInfo, MessageLayouts, PayloadTrace, Side, WireMessage } from "./codec.ts";

/** One kind of message with what reads and writes its body. */
export interface MessageRow extends MessageInfo {
  readonly layout: Layout<object>;
}

export interface MessageTableOptions<R extends MessageRow> {
  /** For errors. */
  readonly dialect: string;
  /** What the protocol calls the id: `type`, `opcode`. */
  readonly idName: string;
  readonly id: Layout<number>;
  /** How an id reads in errors. Default: in decimal. */
  readonly idFormat?: IdFormat;
  readonly rows: readonly R[];
  /** The readers and writers that were generated from the same layouts. Default: the interpreter reads and writes. */
  readonly compiled?: CompiledDialect | undefined;
}

/** Reads, writes and traces whole payloads. Messages pair a name with its value as the table does; types cannot follow. */
export interface MessageTable<R extends MessageRow> {
  readonly messages: readonly MessageInfo[];
  /** The row of a name. Throws `RangeError` for a message that this sender does not send. */
  rowOf(sender: Side, message: string): R;
  /** Throws `WireError`. */
  read(sender: Side, payload: Uint8Array): never;
  /** Throws `TypeError` or `RangeError`. */
  write(sender: Side, message: WireMessage): Uint8Array;
  trace(sender: Side, payload: Uint8Array): PayloadTrace;
  /** A message out of JSON. Throws `WireError` (`bad-value`) at the path within the value. */
  fromJson(sender: Side, json: JsonObject): never;
  toJson(sender: Side, message: WireMessage): JsonObject;
  /** The body of every message, by sender and name: its description as data. */
  readonly layouts: MessageLayouts;
  readonly id: MessageId;
  /** All of it as plain data. */
  readonly description: DialectNode;
}

/**
 * A message out of JSON, `{ message, value }`. `layoutFor` throws `RangeError` for a name that the sender does not send.
 * Throws `WireError` (`bad-value`) at the path within the value.
 */
export function messageFromJson(json: JsonObject, layoutFor: (name: string) => Layout<object>): WireMessage {
  const { message, value, ...rest } = json;
  if (typeof message !== "string") throw refused("message", "it must be a text");
  let layout: Layout<object>;
  try {
    layout = layoutFor(message);
  } catch (error) {
    if (error instanceof RangeError) throw refused("message", error.message.slice(error.message.indexOf(": ") + 2));
    throw error;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refused("value", "it must be an object");
  const [extra] = Object.keys(rest);
  if (extra !== undefined) throw refused(extra, "no such field beside message and value");
  try {
    return { message, value: fromJson(layout, value as JsonObject) };
  } catch (error) {
    // Layouts read JSON; the caller wants to write a message.
    if (!(error instanceof WireError)) throw error;
    const { code, message: text, bitOffset, path } = error;
    throw new WireError(code, text.replace(/^Cannot read /, "Cannot write "), bitOffset, path);
  }
}

function refused(path: string, why: string): WireError {
  return new WireError("bad-value", `Cannot write ${path === "" ? "JSON" : path}: ${why}`, 0, path);
}

/** Makes the table's codec. Throws `RangeError` or `TypeError` for two messages of one id or name, and for what cannot be described. */
export function messageTable<R extends MessageRow>(options: MessageTableOptions<R>): MessageTable<R> {
  const { dialect, idName, id: idLayout, rows, idFormat, compiled } = options;
  const description = describeDialect({
    dialect,
    idName,
    id: idLayout,
    messages: rows,
    ...(idFormat === undefined ? {} : { idFormat }),
  });
  const byId: Record<Side, Map<number, R>> = { client: new Map(), server: new Map() };
  const byName: Record<Side, Map<string, R>> = { client: new Map(), server: new Map() };
  for (const row of rows) {
    byId[row.sender].set(row.id, row);
    byName[row.sender].set(row.message, row);
  }

  // Used for one message after the other: it keeps the size that messages need.
  const writer = new ByteWriter();

  const idsOf = (sender: Side): Readonly<Record<string, number>> =>
    Object.fromEntries([...byName[sender]].map(([message, { id }]) => [message, id]));
  const outline: DialectOutline = {
    ...description,
    ids: { client: idsOf("client"), server: idsOf("server") },
  };

  const rowOfId = (sender: Side, id: number): R => {
    const row = byId[sender].get(id);
    if (row === undefined) throw unknownId(outline, sender, id);
    return row;
  };
  const readId = (reader: ByteReader): number => {
    readPath.depth = 1;
    readPath.segments[0] = idName;
    const id = readLayout(idLayout, reader);
    readPath.depth = 0;
    return id;
  };
  const open = (sender: Side, reader: ByteReader): R => rowOfId(sender, readId(reader));
  const rowOf = (sender: Side, message: string): R => {
    const row = byName[sender].get(message);
    if (row === undefined) throw unknownName(outline, sender, message);
    return row;
  };

  const layoutsOf = (sender: Side): Readonly<Record<string, Layout<object>>> =>
    Object.fromEntries([...byName[sender]].map(([message, { layout }]) => [message, layout]));

  // Where the numbers of messages are settings, bodies alone are as generated.
  const isAsCompiled = rows.every(({ sender, message, id }) => compiled?.ids[sender][message] === id);

  return {
    messages: rows.map(({ message, sender, id, summary }) => ({ message, sender, id, summary })),
    id: {
      name: idName,
      layout: idLayout,
      node: idLayout.node,
      ...(idFormat === undefined ? {} : { format: idFormat }),
    },
    layouts: { client: layoutsOf("client"), server: layoutsOf("server") },
    description,
    fromJson: (sender, json) => messageFromJson(json, (name) => rowOf(sender, name).layout) as never,
    toJson: (sender, { message, value }) => ({ message, value: toJson(rowOf(sender, message).layout, value) }),
    rowOf,
    read(sender, payload) {
      if (compiled !== undefined && isAsCompiled) return compiled.read(sender, payload) as never;
      const reader = new ByteReader(payload);
      const row = open(sender, reader);
      const own = compiled?.ids[sender][row.message];
      if (compiled !== undefined && own !== undefined) {
        return compiled.read(sender, payload, own, reader.offset) as never;
      }
      const value = readLayout(row.layout, reader);
      reader.expectEnd();
      return { message: row.message, value } as never;
    },
    write(sender, given) {
      if (compiled !== undefined && isAsCompiled) return compiled.write(sender, given);
      const { message, value } = given;
      const row = rowOf(sender, message);
      if (compiled !== undefined && message in compiled.ids[sender]) {
        const id = encode(idLayout, row.id);
        const bytes = compiled.write(sender, given, id.length);
        bytes.set(id);
        return bytes;
      }
      writer.reset();
      writeLayout(idLayout, writer, row.id);
      writeLayout(row.layout, writer, value);
      return writer.toBytes();
    },
    trace(sender, payload) {
      const reader = new ByteReader(payload);
      const tracer = new Tracer();
      let name = "";
      const seen = (message: string): Pick<PayloadTrace, "fields" | "inner"> => {
        const { fields, inner } = tracer;
        if (inner === undefined) return { fields };
        const { value, ...rest } = inner;
        return {
          fields,
          inner: typeof value === "object" && value !== null ? { ...rest, message: { message, value } } : rest,
        };
      };
      try {
        const id = readId(reader);
        tracer.field(idName, 0, reader.offset * 8, id, byId[sender].get(id)?.message ?? "no such message");
        const row = rowOfId(sender, id);
        name = row.message;
        const value = traceInto(row.layout, reader, tracer, "");
        reader.expectEnd();
        return { message: { message: row.message, value }, ...seen(row.message) };
      } catch (error) {
        if (error instanceof WireError) return { ...seen(name), error };
        throw error;
      }
    },
  };
}
