/**
 * Packets of Scrap Mechanic as carried, both directions: an id byte, then the body as a raw LZ4 block.
 *
 * ```ts
 * import { scrapCodec } from "wirewalk/scrap-mechanic";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = scrapCodec("documented");
 * codec.read("client", parseHex("1e80 0000303904400040")).value.tick; // => 12345
 * codec.read("client", parseHex("1e8f 0000303904400040")); // throws bad-value: Cannot read token: the low half is 15, no sender writes it at byte 1
 * scrapCodec("documented", { lenient: true }).read("client", parseHex("1e8f 0000303904400040")).value.tick; // => 12345
 * codec.read("server", parseHex("18 90 00000010 00003039 00")).value.currentTick; // => 12345
 * ```
 */
import {
  ByteReader,
  ByteWriter,
  countBytes,
  decodeLz4BlockInto,
  encodeLz4BlockInto,
  type JsonObject,
  type JsonValue,
  type Layout,
  lz4BlockBound,
  parseHex,
  Tracer,
  traceLz4Block,
  WireError,
  withPath,
} from "../../../wire/index.ts";
import type { MessageInfo, PayloadCodec, PayloadTrace, Side, TracedBytes, WireMessage } from "../../codec.ts";
import { type MessageJsonSteps, messageFromJson, messageToJson } from "../../message-json.ts";
import { checkScrapDialect, type ScrapCodecOptions } from "./dialect.ts";
import {
  decodePlayerMovement,
  encodePlayerMovement,
  PLAYER_MOVEMENT_ID,
  type PlayerMovement,
  type Strictness,
  tracePlayerMovement,
} from "./player-movement.ts";
import { type Hello, hello, type Left, left, type Playing, playing } from "./session.ts";
import {
  decodeUpdateBody,
  encodeUpdateBody,
  MAX_UPDATE_BODY_BYTES,
  UNRELIABLE_UPDATE_ID,
  type UnreliableUpdate,
} from "./unreliable-update.ts";

interface Message<N extends string, V> {
  readonly message: N;
  readonly value: V;
}

/** What a client says. */
export type ScrapClientMessage = Message<"playerMovement", PlayerMovement> | Message<"hello", Hello>;

/** What a server says. */
export type ScrapServerMessage =
  | Message<"unreliableUpdate", UnreliableUpdate>
  | Message<"playing", Playing>
  | Message<"left", Left>;

/** The largest packet: the largest body, in a block that found nothing to shorten. */
export const MAX_PACKET_BYTES = 1 + lz4BlockBound(MAX_UPDATE_BODY_BYTES);

/** How one message is read, written and traced; the packet begins with its id, which has been looked at. */
interface Row extends MessageInfo {
  read(packet: Uint8Array): object;
  write(value: object): Uint8Array;
  trace(packet: Uint8Array, tracer: Tracer): object;
  /** What came out of the packet, where the fields have no places in it. */
  inner?(packet: Uint8Array): TracedBytes | undefined;
}

function rowsOf(options: ScrapCodecOptions): readonly Row[] {
  const strictness: Strictness = options.lenient === true ? "lenient" : "strict";
  return [
    {
      sender: "client",
      id: PLAYER_MOVEMENT_ID,
      message: "playerMovement",
      summary: "keys and look of one tick",
      read: (packet) => decodePlayerMovement(packet, strictness),
      write: (value) => encodePlayerMovement(value as PlayerMovement),
      trace: (packet, tracer) => tracePlayerMovement(packet, tracer, strictness),
    },
    {
      sender: "server",
      id: UNRELIABLE_UPDATE_ID,
      message: "unreliableUpdate",
      summary: "where everybody is, and which of your ticks is in it",
      read: (packet) => readUpdate(packet, options),
      write: (value) => writeUpdate(value as UnreliableUpdate, options),
      trace: (packet, tracer) => traceUpdate(packet, options, tracer),
      inner: (packet) => unpackedBody(packet, options),
    },
    plainRow("client", 0xf0, "hello", hello, "let me in (a session of our own)"),
    plainRow("server", 0xf1, "playing", playing, "you are in, from this tick on (a session of our own)"),
    plainRow("server", 0xf2, "left", left, "a character is gone (a session of our own)"),
  ];
}

/** A message of our own session: its layout behind its id, not compressed. */
function plainRow<T extends object>(
  sender: Side,
  id: number,
  message: string,
  layout: Layout<T>,
  summary: string,
): Row {
  return {
    sender,
    id,
    message,
    summary,
    read(packet) {
      const reader = new ByteReader(packet, 1);
      const value = layout.read(reader);
      reader.expectEnd();
      return value;
    },
    write(value) {
      const writer = new ByteWriter(32);
      writer.u8(id);
      layout.write(writer, value as T);
      return writer.toBytes();
    },
    trace(packet, tracer) {
      const reader = new ByteReader(packet, 1);
      const value = layout.trace(reader, tracer, "");
      reader.expectEnd();
      return value;
    },
  };
}

// --- 0x18 ------------------------------------------------------------------------------------------------------------

/** Memory for one body, reused: it is read before the next one comes. */
const bodyMemory = new Uint8Array(MAX_UPDATE_BODY_BYTES);
const blockMemory = new Uint8Array(MAX_PACKET_BYTES);

/** The body in a packet of 0x18, in memory that the next call reuses. Throws `WireError` with places in the packet. */
export function unpackUpdate(packet: Uint8Array, { lenient = false }: ScrapCodecOptions = {}): Uint8Array {
  try {
    const length = decodeLz4BlockInto(bodyMemory, packet, 1, packet.length, lenient ? "ignore" : "refuse");
    return bodyMemory.subarray(0, length);
  } catch (error) {
    throw withPath(error, "block");
  }
}

/** Where the body lies in a packet whose block is nothing but literals; undefined when it has matches. */
function literalsStart(packet: Uint8Array): number | undefined {
  let at = 2;
  let literals = (packet[1] as number) >>> 4;
  if (literals === 15) {
    for (let more = 255; more === 255; literals += more) more = packet[at++] as number;
  }
  return at + literals === packet.length ? at : undefined;
}

function readUpdate(packet: Uint8Array, options: ScrapCodecOptions): UnreliableUpdate {
  const body = unpackUpdate(packet, options);
  try {
    return decodeUpdateBody(body, options);
  } catch (error) {
    throw placedInPacket(error, packet);
  }
}

/** An error in a body, as one of the packet: at the same byte where it lies there in clear, else at the block. */
function placedInPacket(error: unknown, packet: Uint8Array): unknown {
  if (!(error instanceof WireError)) return error;
  const { code, message, bitOffset, path } = error;
  const start = literalsStart(packet);
  const place = start === undefined ? 8 : bitOffset + start * 8;
  return new WireError(code, `${message} of the body`, place, path);
}

function writeUpdate(value: UnreliableUpdate, options: ScrapCodecOptions): Uint8Array {
  const body = encodeUpdateBody(value, options);
  blockMemory[0] = UNRELIABLE_UPDATE_ID;
  return blockMemory.slice(0, encodeLz4BlockInto(blockMemory, body, 1));
}

/** The fields of the body where they lie in the packet in clear, or else the pieces of the block. */
function traceUpdate(packet: Uint8Array, options: ScrapCodecOptions, tracer: Tracer): UnreliableUpdate {
  let body: Uint8Array;
  try {
    body = unpackUpdate(packet, options);
  } catch (error) {
    traceLz4Block(tracer, "block", packet, 1);
    throw error;
  }
  const start = literalsStart(packet);
  if (start === undefined) {
    traceLz4Block(tracer, "block", packet, 1);
    return readUpdate(packet, options);
  }
  tracer.field("token", 8, 8, packet[1] as number, `${countBytes(body.length)} of literals follow, no match`);
  if (start > 2) tracer.field("literalCount", 16, (start - 2) * 8, body.length - 15, countBytes(body.length));
  try {
    return decodeUpdateBody(packet, options, { start, end: packet.length, tracer });
  } catch (error) {
    // By the body's own count, as reading says it.
    readUpdate(packet, options);
    throw error;
  }
}

/** Fields of an update's bare body. */
export function traceUpdateBody(body: Uint8Array, options: ScrapCodecOptions): PayloadTrace {
  const tracer = new Tracer();
  try {
    const value = decodeUpdateBody(body, options, { start: 0, end: body.length, tracer });
    return { message: { message: "unreliableUpdate", value }, fields: tracer.fields };
  } catch (error) {
    if (error instanceof WireError) return { fields: tracer.fields, error };
    throw error;
  }
}

/** What came out of a block that is more than literals: its fields have no places in the packet. */
function unpackedBody(packet: Uint8Array, options: ScrapCodecOptions): TracedBytes | undefined {
  if (literalsStart(packet) !== undefined) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = unpackUpdate(packet, options).slice();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
  return { title: "The body that came out of the block", ...traceUpdateBody(bytes, options), bytes };
}

// --- All -------------------------------------------------------------------------------------------------------------

function createCodec(options: ScrapCodecOptions): PayloadCodec<ScrapClientMessage, ScrapServerMessage> {
  const rows = rowsOf(options);

  function rowOf(sender: Side, packet: Uint8Array): Row {
    const id = packet[0];
    if (id === undefined) {
      throw new WireError("truncated", "Cannot read id: 1 byte needed, 0 left at byte 0", 0, "id");
    }
    const row = rows.find((each) => each.id === id && each.sender === sender);
    if (row !== undefined) return row;
    const known = rows.filter((each) => each.sender === sender).map((each) => hex(each.id));
    const why = `a ${sender} sends ${known.join(", ")}, not ${hex(id)}`;
    throw new WireError("unknown-message", `Cannot read id: ${why}, at byte 0`, 0, "id");
  }

  function read(sender: Side, packet: Uint8Array): never {
    const row = rowOf(sender, packet);
    // The table pairs each name with its value; the types cannot follow it there.
    return { message: row.message, value: row.read(packet) } as never;
  }

  function rowNamed(sender: Side, message: string): Row {
    const row = rows.find((each) => each.message === message && each.sender === sender);
    if (row !== undefined) return row;
    const known = rows.filter((each) => each.sender === sender).map((each) => each.message);
    throw new RangeError(`Cannot write message: a ${sender} sends ${known.join(", ")}, not ${message}`);
  }

  function write(sender: Side, { message, value }: WireMessage): Uint8Array {
    return rowNamed(sender, message).write(value);
  }

  return {
    messages: rows.map(({ sender, id, message, summary }) => ({ sender, id, message, summary })),
    read,
    write,
    trace(sender, packet): PayloadTrace {
      const tracer = new Tracer();
      let row: Row | undefined;
      const traced = (): Pick<PayloadTrace, "fields" | "inner"> => {
        const inner = row?.inner?.(packet);
        return inner === undefined ? { fields: tracer.fields } : { fields: tracer.fields, inner };
      };
      try {
        const [id] = packet;
        if (id !== undefined) {
          const name = rows.find((each) => each.id === id && each.sender === sender)?.message;
          tracer.field("id", 0, 8, id, name ?? "no such message");
        }
        row = rowOf(sender, packet);
        const value = row.trace(packet, tracer);
        return { message: { message: row.message, value }, ...traced() };
      } catch (error) {
        if (error instanceof WireError) return { ...traced(), error };
        throw error;
      }
    },
    fromJson: (sender: Side, json: JsonObject) =>
      scrapFromJson(json, {
        checkName: (name) => rowNamed(sender, name),
        roundTrip: (message) => read(sender, write(sender, message)),
      }),
    toJson: (_sender, message) => messageToJson(message),
  };
}

function hex(id: number): string {
  return `0x${id.toString(16)}`;
}

/** A message out of JSON, where the bytes of updates that are not described are hex. Throws like `messageFromJson`. */
export function scrapFromJson<M extends WireMessage>(json: JsonObject, steps: MessageJsonSteps<M>): M {
  return messageFromJson(json, {
    checkName: steps.checkName,
    roundTrip: ({ message, value }) => steps.roundTrip({ message, value: withBytes(value as JsonObject) }),
  });
}

function withBytes(value: JsonObject): object {
  const { updates } = value;
  if (!Array.isArray(updates)) return value;
  return { ...value, updates: (updates as readonly JsonValue[]).map(updateWithBytes) };
}

function updateWithBytes(update: JsonValue, index: number): unknown {
  if (typeof update !== "object" || update === null || !("data" in update)) return update;
  const { data } = update as JsonObject;
  if (typeof data !== "string") return update;
  try {
    return { ...update, data: parseHex(data) };
  } catch (error) {
    const why = error instanceof WireError ? error.message.slice(error.message.indexOf(": ") + 2) : "not hex";
    const path = `updates[${index}].data`;
    throw new WireError("bad-value", `Cannot read ${path}: ${why}`, 0, path);
  }
}

const codecs = new Map<string, PayloadCodec<ScrapClientMessage, ScrapServerMessage>>();

/** The codec of a dialect, made once for each set of options. Throws `RangeError` for an unknown dialect. */
export function scrapCodec(
  dialect: string,
  { lenient = false, countByte = true }: ScrapCodecOptions = {},
): PayloadCodec<ScrapClientMessage, ScrapServerMessage> {
  const key = `${checkScrapDialect(dialect)} ${lenient} ${countByte}`;
  let codec = codecs.get(key);
  if (codec === undefined) {
    codec = createCodec({ lenient, countByte });
    codecs.set(key, codec);
  }
  return codec;
}
