/**
 * Tables of messages out of JSON, for revisions that came out after this library. Two forms: whole tables by revision, with
 * the sizes -1 for one byte of size and -2 for two, or sizes alone, for messages that are to be passed over.
 *
 * ```ts
 * const revisions = { 242: { fromServer: { PLAYER_INFO: [17, -2] }, fromClient: { EVENT_MOUSE_MOVE: [3, -1] } } };
 * const { tables } = parseRevisionTable({ revisions });
 * tables[0].server.get(17); // => { name: "PLAYER_INFO", size: "varShort" }
 * parseRevisionTable({ client: { 12: "varByte" } }).sizes.client.get(12); // => "varByte"
 * parseRevisionTable({ revisions: { 242: { fromServer: { LOGOUT: [300, 0] } } } }); // throws bad-value: Cannot read revisions.242.fromServer.LOGOUT[0]: an opcode is 0 to 255
 * parseRevisionTable({ revisions: { 242: {} } }); // throws bad-value: Cannot read revisions.242.fromClient: it has no EVENT_MOUSE_MOVE
 * ```
 */
import { WireError } from "../../../../wire/index.ts";
import type { Side } from "../../../codec.ts";
import type { MessageSize, RevisionTable, TableMessage } from "../../../revisions.ts";
import { type BodySizes, MAX_BODY_BYTES } from "../framing.ts";

/** What a document has. */
export interface ParsedTables {
  readonly tables: readonly RevisionTable[];
  /** Sizes of messages without a name, by sender. */
  readonly sizes: Readonly<Record<Side, BodySizes>>;
}

/** Revisions in one document: more than the game has. */
const MAX_REVISIONS = 1_000;
/** Numbers from here up are no revision of the game. */
const MAX_REVISION = 9_999;
const MAX_OPCODE = 0xff;
/** Opcode of the client's own index in revisions with a table: no table has it. */
export const TABLE_INDEX_OPCODE = 253;
/** As the game's developers write them: short enough for a line. */
const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
const reconnect: readonly [number, TableMessage] = [0xff, { name: "RECONNECT", size: "varShort" }];
const noSizes: Readonly<Record<Side, BodySizes>> = { client: new Map(), server: new Map() };

/** Throws `WireError` (`bad-value`) that names the place. `what` is what the document is called in errors. */
export function parseRevisionTable(json: unknown, what = "table"): ParsedTables {
  if (!isObject(json)) throw refused(what, "it must be an object with revisions, or with client and server");
  const isTables = Object.hasOwn(json, "revisions");
  const known = isTables ? ["revisions", "source"] : ["client", "server"];
  refuseOthers(json, known, what);
  if (!isTables) return { tables: [], sizes: { client: sizesIn(json, "client"), server: sizesIn(json, "server") } };
  const { revisions } = json;
  if (!isObject(revisions)) throw refused("revisions", "it must be an object of tables by revision");
  const entries = Object.entries(revisions);
  if (entries.length === 0 || entries.length > MAX_REVISIONS) {
    throw refused("revisions", `it must have 1 to ${MAX_REVISIONS} revisions, got ${entries.length}`);
  }
  return { tables: entries.map(([name, table]) => tableIn(name, table)), sizes: noSizes };
}

function tableIn(name: string, json: unknown): RevisionTable {
  const path = `revisions.${shown(name)}`;
  const revision = wholeIn(name, MAX_REVISION);
  if (revision === undefined || revision === 0) throw refused(path, `a revision is 1 to ${MAX_REVISION}`);
  if (!isObject(json)) throw refused(path, "it must be an object with fromServer and fromClient");
  refuseOthers(json, ["fromServer", "fromClient"], path);
  const server = messagesIn(json.fromServer, `${path}.fromServer`);
  const client = messagesIn(json.fromClient, `${path}.fromClient`);
  if (!hasName(client, "EVENT_MOUSE_MOVE")) throw refused(`${path}.fromClient`, "it has no EVENT_MOUSE_MOVE");
  if (!hasName(server, "PLAYER_INFO")) throw refused(`${path}.fromServer`, "it has no PLAYER_INFO");
  const taken = server.get(TABLE_INDEX_OPCODE);
  if (taken !== undefined) {
    throw refused(`${path}.fromServer.${taken.name}`, `${TABLE_INDEX_OPCODE} is the opcode of playerIndex, ours`);
  }
  // The recorder's own: tables of servers do not have it.
  const [opcode, message] = reconnect;
  const other = server.get(opcode);
  if (!hasName(server, message.name) && other !== undefined) {
    throw refused(`${path}.fromServer.${other.name}`, `${opcode} is the opcode of ${message.name}`);
  }
  return { revision, client, server: hasName(server, message.name) ? server : new Map([...server, reconnect]) };
}

function hasName(messages: ReadonlyMap<number, TableMessage>, name: string): boolean {
  return [...messages.values()].some((message) => message.name === name);
}

function messagesIn(json: unknown, path: string): ReadonlyMap<number, TableMessage> {
  if (json === undefined) return new Map();
  if (!isObject(json)) throw refused(path, "it must be an object of [opcode, size] by name");
  const messages = new Map<number, TableMessage>();
  for (const [name, row] of Object.entries(json)) {
    const at = `${path}.${shown(name)}`;
    if (!NAME.test(name)) throw refused(at, "a name has capital letters, digits and _, at most 64");
    if (!(Array.isArray(row) && row.length === 2)) throw refused(at, "it must be [opcode, size]");
    const [opcode, size] = row as [unknown, unknown];
    if (!isWhole(opcode, MAX_OPCODE)) throw refused(`${at}[0]`, `an opcode is 0 to ${MAX_OPCODE}`);
    const other = messages.get(opcode);
    if (other !== undefined) throw refused(`${at}[0]`, `${opcode} is the opcode of ${other.name} too`);
    messages.set(opcode, { name, size: numberedSize(size, `${at}[1]`) });
  }
  return messages;
}

function numberedSize(json: unknown, path: string): MessageSize {
  if (json === -1) return "varByte";
  if (json === -2) return "varShort";
  if (isWhole(json, MAX_BODY_BYTES)) return json;
  throw refused(path, `a size is -1 (varByte), -2 (varShort) or a number from 0 to ${MAX_BODY_BYTES}`);
}

function sizesIn(json: Readonly<Record<string, unknown>>, sender: Side): BodySizes {
  const given = json[sender] ?? {};
  if (!isObject(given)) throw refused(sender, "it must be an object of sizes by opcode");
  return new Map(
    Object.entries(given).map(([name, size]): [number, MessageSize] => {
      const path = `${sender}.${shown(name)}`;
      const opcode = wholeIn(name, MAX_OPCODE);
      if (opcode === undefined) throw refused(path, `an opcode is 0 to ${MAX_OPCODE}`);
      if (size === "varByte" || size === "varShort" || isWhole(size, MAX_BODY_BYTES)) return [opcode, size];
      throw refused(path, `a size is varByte, varShort or a number from 0 to ${MAX_BODY_BYTES}`);
    }),
  );
}

function refuseOthers(json: object, known: readonly string[], path: string): void {
  const other = Object.keys(json).find((name) => !known.includes(name));
  if (other !== undefined) throw refused(path, `unknown member '${shown(other)}', expected ${known.join(" and ")}`);
}

/** A key as a number: the digits of the number and nothing else, so that no two keys are the same. */
function wholeIn(name: string, most: number): number | undefined {
  const number = Number(name);
  return String(number) === name && isWhole(number, most) ? number : undefined;
}

function isWhole(value: unknown, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A key of the document, as far as it may stand in an error. */
function shown(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : "?";
}

function refused(path: string, why: string): WireError {
  return new WireError("bad-value", `Cannot read ${path}: ${why}`, 0, path);
}
