/**
 * Payloads of MapleStory, both directions, in both dialects: the message table and what reads and writes by it. Paths
 * go through the hand-written loops of `fragment-io.ts`; everything else, and every trace, through the declarations.
 *
 * ```ts
 * mapleCodec("v62").read("server", parseHex("B3 00 89 13 00 00 2A 00 01 2C 01 0A 03"));
 * // { message: "moveMonsterResponse", value: { mobId: 5001, moveId: 42, nextAttack: 1, mp: 300, skillId: 10, skillLevel: 3 } }
 * ```
 */
import {
  array,
  ByteReader,
  ByteWriter,
  type Infer,
  type JsonObject,
  type JsonValue,
  type Layout,
  parseHex,
  struct,
  u8,
  WireError,
  withPath,
} from "../../../wire/index.ts";
import type { MessageInfo, PayloadCodec, Side, WireMessage } from "../../codec.ts";
import { messageFromJson, messageToJson } from "../../message-json.ts";
import { messageTable } from "../../message-table.ts";
import { type DialectRules, dialectRules } from "./dialect.ts";
import type { Fragment, FragmentFields, FragmentTable } from "./fragment.ts";
import {
  MAX_FRAGMENT_BYTES,
  MAX_FRAGMENTS,
  readFragments,
  sizeOfFragments,
  takeBytes,
  writeFragments,
} from "./fragment-io.ts";
import type { Path, PathBytes, Tail } from "./messages.ts";
import * as layouts from "./messages.ts";

interface Message<N extends string, V> {
  readonly message: N;
  readonly value: V;
}

type Value<K extends keyof typeof layouts> = Infer<(typeof layouts)[K]>;
type FieldsOf<F> = { readonly [K in keyof F]: Infer<F[K]> };

/** What surrounds the fragments in `documented`, in packets whose layout the document does not print. */
export interface DocumentedPath {
  readonly opaque: Uint8Array;
  readonly fragments: readonly FragmentFields[];
  readonly rest: Uint8Array;
}

/** The player's own move in `documented`: bytes of "genuine client verification" before and after the fragments. */
export interface DocumentedMovePlayer {
  readonly head: Uint8Array;
  readonly fragments: readonly FragmentFields[];
  readonly tail: Uint8Array;
}

export type V62MovePlayer = FieldsOf<typeof layouts.movePlayerFields> & Path & Tail;
type Life = FieldsOf<typeof layouts.moveLifeFields>;
type ClientPath = (Path & Tail) | DocumentedPath;
type ServerPath = Path | DocumentedPath | PathBytes;

/** What a client says. The last three only in `v62`. */
export type MapleClientMessage =
  | Message<"movePlayer", V62MovePlayer | DocumentedMovePlayer>
  | Message<"moveLife", Life & ClientPath>
  | Message<"movePet", FieldsOf<typeof layouts.movePetFields> & ClientPath>
  | Message<"moveSummon", FieldsOf<typeof layouts.moveSummonFields> & ClientPath>
  | Message<"playerLoggedIn", Value<"playerLoggedIn">>
  | Message<"aggro", Value<"aggro">>
  | Message<"pong", Value<"empty">>;

/** What a server says. `pathBytes` stands for a path in what is written; what is read has the path itself. */
export type MapleServerMessage =
  | Message<"movePlayer", FieldsOf<typeof layouts.movePlayerNoticeFields> & ServerPath>
  | Message<"moveMonster", FieldsOf<typeof layouts.moveMonsterFields> & ServerPath>
  | Message<"movePet", FieldsOf<typeof layouts.movePetNoticeFields> & ServerPath>
  | Message<"moveSummon", FieldsOf<typeof layouts.moveSummonNoticeFields> & ServerPath>
  | Message<"moveMonsterResponse", Value<"moveMonsterResponse">>
  | Message<"changeMap", Value<"changeMap">>
  | Message<"showPlayer", Value<"showPlayer">>
  | Message<"removePlayer", Value<"removePlayer">>
  | Message<"showMonster", Value<"showMonster">>
  | Message<"removeMonster", Value<"removeMonster">>
  | Message<"controlMonster", Value<"controlMonster">>
  | Message<"ping", Value<"empty">>;

/** A client's message with a path in it. */
export type MoveMessage = Extract<
  MapleClientMessage,
  { readonly message: "movePlayer" | "moveLife" | "movePet" | "moveSummon" }
>;

type AnyFields = Record<string, Layout<unknown>>;

/** The parts of a packet with a path, each an object's worth of fields. */
interface PathParts {
  readonly head: Layout<object>;
  readonly place: Layout<object>;
  readonly tail: Layout<object>;
}

interface Row extends MessageInfo {
  /** The definition of the whole body. */
  readonly layout: Layout<object>;
  /** Of a packet with a path. */
  readonly parts: PathParts | undefined;
}

const none: AnyFields = {};

function rowsOf(rules: DialectRules): readonly Row[] {
  const { fragments, name } = rules;
  const isV62 = name === "v62";
  const list = array(fragments.layout, { count: u8, limit: MAX_FRAGMENTS });
  const plain = (sender: Side, id: number, message: string, layout: Layout<object>, summary: string): Row => ({
    sender,
    id,
    message,
    summary,
    layout,
    parts: undefined,
  });
  const withPathRow = (
    sender: Side,
    id: number,
    message: string,
    [head, place, tail]: readonly [AnyFields, AnyFields, AnyFields],
    summary: string,
  ): Row => ({
    sender,
    id,
    message,
    summary,
    layout: struct({ ...head, ...place, fragments: list, ...tail }),
    parts: { head: struct(head), place: struct(place), tail: struct(tail) },
  });
  const place: AnyFields = isV62 ? layouts.v62Place : layouts.documentedPlace;
  const clientTail: AnyFields = isV62 ? layouts.v62Tail : layouts.documentedRest;
  const serverTail: AnyFields = isV62 ? none : layouts.documentedRest;
  const ownMove: readonly [AnyFields, AnyFields, AnyFields] = isV62
    ? [layouts.movePlayerFields, layouts.v62Place, layouts.v62Tail]
    : [none, layouts.documentedHead, layouts.documentedTail];
  const rows = [
    withPathRow("client", 0x26, "movePlayer", ownMove, "what my player did since the last"),
    withPathRow(
      "client",
      0x9d,
      "moveLife",
      [layouts.moveLifeFields, place, clientTail],
      "what a monster that I control did",
    ),
    withPathRow("client", 0x8c, "movePet", [layouts.movePetFields, place, clientTail], "what my pet did"),
    withPathRow("client", 0x94, "moveSummon", [layouts.moveSummonFields, place, clientTail], "what my summon did"),
    withPathRow(
      "server",
      0x8d,
      "movePlayer",
      [layouts.movePlayerNoticeFields, place, serverTail],
      "what another player did",
    ),
    withPathRow("server", 0xb2, "moveMonster", [layouts.moveMonsterFields, place, serverTail], "what a monster did"),
    withPathRow("server", 0x81, "movePet", [layouts.movePetNoticeFields, place, serverTail], "what a player's pet did"),
    withPathRow(
      "server",
      0x88,
      "moveSummon",
      [layouts.moveSummonNoticeFields, place, serverTail],
      "what a player's summon did",
    ),
    plain(
      "server",
      0xb3,
      "moveMonsterResponse",
      layouts.moveMonsterResponse,
      "the answer to every moveLife: drive on, and what the monster may do next",
    ),
  ];
  if (rules.movementOnly) return rows;
  return [
    ...rows,
    plain("client", 0x14, "playerLoggedIn", layouts.playerLoggedIn, "my character comes in; the login was elsewhere"),
    plain("client", 0x18, "pong", layouts.empty, "the answer to ping"),
    plain("client", 0x9e, "aggro", layouts.aggro, "a monster noticed me"),
    plain("server", 0x11, "ping", layouts.empty, "are you still there"),
    plain("server", 0x5c, "changeMap", layouts.changeMap, "go to a map; moves carry its fieldKey from here on"),
    plain("server", 0x78, "showPlayer", layouts.showPlayer, "somebody is on the map"),
    plain("server", 0x79, "removePlayer", layouts.removePlayer, "somebody is gone"),
    plain("server", 0xaf, "showMonster", layouts.showMonster, "a monster is on the map"),
    plain("server", 0xb0, "removeMonster", layouts.removeMonster, "a monster is gone"),
    plain("server", 0xb1, "controlMonster", layouts.controlMonster, "drive a monster, or stop driving it"),
  ];
}

/** Bytes and 64-bit numbers, which JSON writes as text: names are unique across all messages. */
const hexFields = new Set([
  "target",
  "head",
  "tail",
  "opaque",
  "rest",
  "statusMask",
  "emblem",
  "effects",
  "extras",
  "data",
]);
const u64Fields = new Set(["petId", "time"]);
/** What `target` is read as beside it. */
const targetReadings = ["attack", "skill"] as const;

function createCodec(rules: DialectRules): PayloadCodec<MapleClientMessage, MapleServerMessage> {
  const table = rules.fragments;
  // Reused: a payload is copied out of the writer when it is whole, and nothing is written meanwhile.
  const scratch = new Uint8Array(MAX_FRAGMENTS * MAX_FRAGMENT_BYTES);
  const writer = new ByteWriter(1024);

  const messages = messageTable({
    dialect: rules.name,
    idName: "opcode",
    id: rules.opcode,
    formatId: formatOpcode,
    rows: rowsOf(rules),
  });

  function readPathBody(payload: Uint8Array, reader: ByteReader, parts: PathParts): object {
    const head = parts.head.read(reader);
    const place = parts.place.read(reader);
    let fragments: Fragment[];
    try {
      const count = readCount(reader);
      fragments = readFragments(payload, reader.offset, count, table);
      reader.skip(sizeOfFragments(fragments, table));
    } catch (error) {
      throw withPath(error, "fragments");
    }
    return { ...head, ...place, fragments, ...parts.tail.read(reader) };
  }

  function read(sender: Side, payload: Uint8Array): never {
    const reader = new ByteReader(payload);
    const row = messages.open(sender, reader);
    const { parts } = row;
    const value = parts === undefined ? row.layout.read(reader) : readPathBody(payload, reader, parts);
    reader.expectEnd();
    // The table pairs each name with its layout; the types cannot follow it there.
    return { message: row.message, value } as never;
  }

  function writePathBody(sender: Side, parts: PathParts, value: object): void {
    parts.head.write(writer, value);
    if (sender === "server" && "pathBytes" in value) {
      writer.bytes((value as PathBytes).pathBytes);
      return;
    }
    parts.place.write(writer, value);
    try {
      const { fragments } = value as Path;
      if (!Array.isArray(fragments)) throw new TypeError(`value must be a list, got ${typeof fragments}`);
      if (fragments.length > MAX_FRAGMENTS) {
        throw new RangeError(`value must have at most ${MAX_FRAGMENTS} items, got ${fragments.length}`);
      }
      writer.u8(fragments.length);
      writer.bytes(scratch.subarray(0, writeFragments(scratch, 0, fragments, table)));
    } catch (error) {
      throw withPath(error, "fragments");
    }
    parts.tail.write(writer, value);
  }

  function write(sender: Side, message: WireMessage): Uint8Array {
    const row = messages.rowOf(sender, message.message);
    writer.reset();
    rules.opcode.write(writer, row.id);
    if (row.parts === undefined) row.layout.write(writer, message.value);
    else writePathBody(sender, row.parts, message.value);
    const payload = takeBytes(writer.length);
    payload.set(writer.view());
    return payload;
  }

  const toJson = (message: WireMessage): JsonObject => {
    const { value } = message;
    const shown: Record<string, unknown> = { ...value };
    if ("fragments" in value) {
      shown.fragments = (value as Path).fragments.map((fragment) => fragmentToJson(fragment, table));
    }
    if ("actionAndDirection" in value && "target" in value) {
      const { actionAndDirection, target } = value as { actionAndDirection: number; target: Uint8Array };
      // The reading stands beside what it reads.
      const reading = layouts.targetOf(actionAndDirection, target) ?? {};
      return messageToJson({ message: message.message, value: insertAfter(shown, "target", reading) });
    }
    return messageToJson({ message: message.message, value: shown });
  };

  return {
    messages: messages.messages,
    read,
    write,
    trace: messages.trace,
    fromJson(sender, json) {
      let message: MapleClientMessage | MapleServerMessage | undefined;
      const shown = messageFromJson(json, {
        checkName: (name) => messages.rowOf(sender, name),
        roundTrip(given) {
          const value = valueFromJson(given.value as JsonObject);
          message = read(sender, write(sender, { message: given.message, value })) as typeof message & object;
          // What is compared with the JSON is JSON: a fragment object has fields that its kind does not write.
          return toJson(message) as unknown as WireMessage;
        },
      });
      checkReadings(json, shown.value as JsonObject);
      if (message === undefined) throw new Error("Cannot happen: nothing was read");
      return message;
    },
    toJson: (_sender, message) => toJson(message),
  };
}

function readCount(reader: ByteReader): number {
  try {
    return reader.u8();
  } catch (error) {
    throw withPath(error, "count");
  }
}

function formatOpcode(id: number): string {
  return `0x${id.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** A fragment with the fields of its kind alone. */
function fragmentToJson(fragment: FragmentFields, table: FragmentTable): JsonObject {
  const json: Record<string, JsonValue> = { type: fragment.type, kind: table.kindOf(fragment.type) ?? "unknown" };
  for (const field of table.fieldsOf(fragment.type)) json[field] = fragment[field] ?? 0;
  return json;
}

function insertAfter(value: Readonly<Record<string, unknown>>, key: string, inserted: object): object {
  const entries = Object.entries(value);
  const place = entries.findIndex(([name]) => name === key) + 1;
  return Object.fromEntries([...entries.slice(0, place), ...Object.entries(inserted), ...entries.slice(place)]);
}

/** Hex back to bytes and digits back to bigints; a place stays where it is. */
function valueFromJson(value: JsonObject): object {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(targetReadings as readonly string[]).includes(key))
      .map(([key, field]) => [key, fieldFromJson(key, field)]),
  );
}

function fieldFromJson(key: string, field: JsonValue): unknown {
  try {
    if (typeof field === "string" && hexFields.has(key)) return parseHex(field);
    if (u64Fields.has(key)) {
      if (typeof field !== "string" || !/^\d{1,20}$/.test(field)) {
        throw new WireError("bad-value", "Cannot read value: it must be a decimal number as text", 0);
      }
      return BigInt(field);
    }
    // Fragments have a number under a name that elsewhere stands for bytes.
    if (key === "fragments") return field;
    if (typeof field === "object" && field !== null && !Array.isArray(field)) return valueFromJson(field as JsonObject);
    return field;
  } catch (error) {
    throw withPath(error, key);
  }
}

/** A reading of `target` that contradicts it would be dropped in silence. */
function checkReadings(json: JsonObject, shown: JsonObject): void {
  const given = json.value as JsonObject;
  for (const key of targetReadings) {
    if (given[key] === undefined || sameFields(given[key], shown[key])) continue;
    throw new WireError("bad-value", `Cannot write ${key}: it contradicts target`, 0, key);
  }
}

/** Whether two flat objects have the same values. */
function sameFields(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return false;
  return Object.entries(b).every(([key, value]) => (a as JsonObject)[key] === value);
}

const codecs = new Map<string, PayloadCodec<MapleClientMessage, MapleServerMessage>>();

/** The codec of a dialect. Throws `RangeError` for an unknown one. */
export function mapleCodec(dialect: string): PayloadCodec<MapleClientMessage, MapleServerMessage> {
  const rules = dialectRules(dialect);
  let codec = codecs.get(rules.name);
  if (codec === undefined) {
    codec = createCodec(rules);
    codecs.set(rules.name, codec);
  }
  return codec;
}

/** Bytes between the opcode and the path, by message, in `v62` and in `documented`. */
const headBytes: Readonly<Record<MoveMessage["message"], number>> = {
  movePlayer: 1,
  moveLife: 17,
  movePet: 8,
  moveSummon: 4,
};

/**
 * The path of a client's move as it came, out of the payload it was read from: what a server relays byte for byte. Of a
 * `documented` player move that is the last four of the five bytes before the count, where `v62` has the start.
 */
export function pathBytesOf(message: MoveMessage, payload: Uint8Array, dialect: string): Uint8Array {
  const { fragments: table, opcode } = dialectRules(dialect);
  const start = (opcode === u8 ? 1 : 2) + headBytes[message.message];
  const length = 4 + 1 + sizeOfFragments(message.value.fragments, table);
  return payload.subarray(start, start + length);
}
