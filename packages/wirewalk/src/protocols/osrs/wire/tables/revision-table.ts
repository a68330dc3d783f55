/**
 * The tables of messages of the revisions from 223 on.
 *
 * ```ts
 * const { client, server } = revisionTable(239);
 * server.get(28); // => { name: "PLAYER_INFO", size: "varShort" }
 * client.get(110); // => { name: "EVENT_MOUSE_MOVE", size: "varByte" }
 * revisionTable(222); // => undefined
 * ```
 *
 * Opcode 255 of the server, `RECONNECT`, is on no wire: it is the answer to a login that resumes a session, as recorders store it.
 * In 236 opcode 129 of the server has its size from one source alone; in 240 opcode 129 has no known size; of 241 ten messages of the
 * client have no known opcode.
 */
import type { MessageSize, RevisionTable, TableMessage } from "../../../revisions.ts";
import { clientMessages } from "./client-messages.ts";
import { serverMessages } from "./server-messages.ts";

/** The rows of a table of messages: for each the columns of the revisions, the size, the name. */
interface Columns {
  readonly revisions: readonly number[];
  readonly rows: readonly (readonly string[])[];
}

function columnsOf(text: string): Columns {
  const [head = "", ...rows] = text.trim().split("\n");
  const revisions = head.trim().split(/\s+/).slice(0, -2).map(Number);
  return { revisions, rows: rows.map((row) => row.trim().split(/\s+/)) };
}

function messagesOf({ revisions, rows }: Columns, revision: number): ReadonlyMap<number, TableMessage> {
  const column = revisions.indexOf(revision);
  const messages = new Map<number, TableMessage>();
  for (const row of rows) {
    const opcode = row[column] as string;
    const [size, name] = row.slice(revisions.length) as [string, string];
    if (opcode !== ".") messages.set(Number(opcode), { name, size: sizeOf(size) });
  }
  return messages;
}

function sizeOf(text: string): MessageSize {
  return text === "varByte" || text === "varShort" ? text : Number(text);
}

/** Read when the first table is asked for. */
let columns: { readonly client: Columns; readonly server: Columns } | undefined;
const tables = new Map<number, RevisionTable>();

/** Revisions with a table, ascending. */
export const tableRevisions: readonly number[] = Array.from({ length: 19 }, (_, index) => 223 + index);

/** The table of a revision; undefined for those without one. */
export function revisionTable(revision: number): RevisionTable | undefined {
  if (!tableRevisions.includes(revision)) return undefined;
  columns ??= { client: columnsOf(clientMessages), server: columnsOf(serverMessages) };
  const { client, server } = columns;
  const table = tables.get(revision) ?? {
    revision,
    client: messagesOf(client, revision),
    server: messagesOf(server, revision),
  };
  tables.set(revision, table);
  return table;
}
