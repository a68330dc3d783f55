/** A game whose names are hard to print. */
import { messageTable, type Protocol } from "../../protocols/index.ts";
import { array, flags, type Layout, oneOf, struct, u8, u16le } from "../../wire/index.ts";

const table = (dialect: string, layouts: Readonly<Record<string, Layout<object>>>) =>
  messageTable({
    dialect,
    idName: "type",
    id: u8,
    rows: Object.entries(layouts).map(([message, layout], id) => ({
      sender: "client" as const,
      id,
      message,
      layout,
      summary: message,
    })),
  });

/** A game with these messages of a client. */
export function gameOf(dialects: readonly string[], layouts: Readonly<Record<string, Layout<object>>>): Protocol {
  const codecs = new Map(dialects.map((name) => [name, table(name, layouts)]));
  return {
    name: "odd",
    title: "Odd */",
    summary: "",
    dialects: dialects.map((name) => ({ name, source: "document", summary: "" })),
    codec: (dialect) => codecs.get(dialect) as never,
  };
}

const item = struct({ a: u16le, b: u16le, row: u16le, Array: u16le });
const list = array(item, { count: u8, limit: 9 });
/** Names that are taken by a language, its runtime or the module, or that are no identifiers. */
export const oddLayouts = {
  step: struct({ direction: oneOf(u8, { a: 0, "my-b": 1 }), "my-key": u8 }),
  delete: struct({ class: u8, new: u16le, b: u8, at: u8, v: u8, end: u8, after: u8, message: u8, undefined: u8 }),
  "my-message": struct({ keys: flags(u8, { x: 0, "a-b": 1 }), é: u8 }),
  myMessage: struct({}),
  lastEnd: struct({ id: u8 }),
  message: struct({ value: u8 }),
  clientMessage: struct({ u16le, u32be: list, U32be: list }),
};
