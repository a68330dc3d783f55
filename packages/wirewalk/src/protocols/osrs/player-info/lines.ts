/**
 * Lines of text for player info: `wirewalk decode`, `encode` and `inspect` of `osrs/player-info`. The lines of one run
 * are one observer's stream, or one world.
 *
 * ```ts
 * const options = { dialect: "client", direction: "server", framed: false, flags: {} };
 * const lines = playerInfoLines({ playerIndexOpcode: 1, playerInfoInitOpcode: 2, playerInfoOpcode: 3 });
 * const encoder = lines.encoder(options);
 * const [first] = encoder.line('{"observers": [5], "players": {"5": [0, 3200, 3201]}}');
 * const [second] = encoder.line('{"players": {"5": [0, 3202, 3203]}}');
 * second; // => { text: '{"packets":{"5":"af7ff4"}}' }
 * const decoder = lines.decoder(options);
 * decoder.line(JSON.stringify({ localIndex: 5, initHex: JSON.parse(first.text).init[5] })); // => [{ json: {} }]
 * decoder.line('{"hex": "af7ff4"}')[0].json.players; // => { 5: [0, 3202, 3203] }
 * ```
 */
import {
  ByteReader,
  decode,
  escapeControls,
  formatHex,
  type JsonObject,
  type JsonValue,
  parseHex,
  Tracer,
  WireError,
} from "../../../wire/index.ts";
import type { TracedBytes } from "../../codec.ts";
import type { LineConverter, LineOptions, LineResult, LineTools } from "../../line-tools.ts";
import { attempt, streamDecoder, traceFrames } from "../stream-lines.ts";
import type { BodySize, BodySizes } from "../wire/framing.ts";
import { PlayerInfoClient } from "./wire/client.ts";
import { checkTile, INIT_BYTES, MAX_PLAYER_INDEX, type WorldTile } from "./wire/constants.ts";
import { PlayerInfoDecoder, type PlayerInfoUpdate } from "./wire/decoder.ts";
import { playerInfoDialectIn } from "./wire/dialect.ts";
import { PlayerInfoEngine } from "./wire/engine/engine.ts";
import { ByteArena, writeBlock } from "./wire/masks/mask-codec.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "./wire/masks/mask-revision.ts";
import { namedRevisions } from "./wire/masks/named-revisions.ts";
import { parseMaskRevision } from "./wire/masks/parse-mask-revision.ts";
import { type PlayerInfoServerMessage, playerInfoLayouts } from "./wire/message.ts";

/** Where `inspect` takes the observer to stand when nobody says where. */
const SOME_TILE: WorldTile = { level: 0, x: 3200, z: 3200 };
/** The body that says the client's index. */
const INDEX_BYTES = 2;

/** The opcodes of the messages, which stand in `--framed` lines. */
export interface PlayerInfoOpcodes {
  readonly playerIndexOpcode: number;
  readonly playerInfoInitOpcode: number;
  readonly playerInfoOpcode: number;
}

/** How the bodies of the messages are framed. */
export function playerInfoSizes(opcodes: PlayerInfoOpcodes): BodySizes {
  return new Map<number, BodySize>([
    [opcodes.playerIndexOpcode, INDEX_BYTES],
    [opcodes.playerInfoInitOpcode, INIT_BYTES],
    [opcodes.playerInfoOpcode, "varShort"],
  ]);
}

/**
 * - `decode`: `{"initHex", "localIndex"}` starts a stream, `{"hex"}` is its next packet, other keys are ignored. Out
 *   `{"players": {index: [level, x, z]}, "masks": {index: {block: fields}}, "passBits": [bits of each pass]}`.
 *   With `--framed` lines are hex of a server's stream, and `message` says what each payload was.
 * - `encode`: `{"observers": [index, …], "players": {index: [level, x, z]}}`, then a line for every tick with
 *   `players` as they stand then and, if the revision has any, `masks` as decoded. Out `{"init": {observer: hex}}`, then
 *   `{"packets": {observer: hex}}`, with `init` beside them for an observer who is back.
 * - `inspect`: an initialisation, or the packet that comes first after the one in `--init`; with `--framed` a stream.
 */
export function playerInfoLines(opcodes: PlayerInfoOpcodes): LineTools {
  return {
    summary:
      'JSON lines of one observer: first {"initHex", "localIndex"}, then {"hex"} for each packet. Encode: {"observers", ' +
      '"players": {index: [level, x, z]}}, then {"players"} for each tick.',
    senders: ["server"],
    flags: [
      {
        flag: "--revision <name|file>",
        summary: "mask blocks: 206, none (default), or a file with a revision as JSON",
        fileUnless: Object.keys(namedRevisions),
      },
      { flag: "--local <index>", summary: "inspect: the observer's index (default: 1)" },
      {
        flag: "--init <hex>",
        summary: "inspect: the initialisation before the packet (default: everybody at quarter 0)",
      },
    ],
    examples: {
      decode: [
        "cat init.jsonl packets.jsonl | wirewalk decode osrs/player-info",
        "wirewalk decode osrs/player-info --revision 206 < stream.jsonl",
        "xxd -p stream.bin | wirewalk decode osrs/player-info --revision 206 --framed",
      ],
      encode: [
        `echo '{"observers":[5],"players":{"5":[0,3200,3201]}}' | wirewalk encode osrs/player-info`,
        "wirewalk encode osrs/player-info --dialect documented < positions.jsonl",
      ],
      inspect: [
        "wirewalk inspect osrs/player-info --local 499 af7ff4",
        "xxd -p init.bin | wirewalk inspect osrs/player-info -",
      ],
    },
    decoder: (options) => (options.framed ? decodeStream(options, opcodes) : converter(() => decodeLines(options))),
    encoder: (options) =>
      converter(() => {
        if (options.framed) throw refused("frame", "", "packets are encoded without frames");
        return encodeLines(options);
      }),
    trace: (bytes, options) => (options.framed ? traceStream(bytes, options, opcodes) : [trace(bytes, options)]),
  };
}

function dialectOf({ dialect }: LineOptions): string {
  return playerInfoDialectIn(dialect);
}

function revisionOf({ flags }: LineOptions): MaskRevision {
  const { revision = "none" } = flags;
  if (typeof revision === "string" && Object.hasOwn(namedRevisions, revision)) {
    return namedRevisions[revision] as MaskRevision;
  }
  return parseMaskRevision(parseJson(String(revision)));
}

/** One line in, one line out. When the options are wrong every line says so. */
function converter(open: () => (json: JsonObject) => LineResult): LineConverter {
  const opened = attempt(() => ({ convert: open() }));
  return {
    line: (text) => ["error" in opened ? opened : attempt(() => opened.convert(parseObject(text)))],
    end: () => [],
  };
}

function decodeLines(options: LineOptions): (json: JsonObject) => LineResult {
  const revision = revisionOf(options);
  let decoder = new PlayerInfoDecoder({ dialect: dialectOf(options), revision });
  return ({ initHex, localIndex, hex }) => {
    if (initHex !== undefined) {
      const index = indexOf(localIndex, "localIndex");
      const next = new PlayerInfoDecoder({ dialect: dialectOf(options), revision });
      next.init(hexOf(initHex, "initHex"), index);
      decoder = next;
      return { json: {} };
    }
    if (hex === undefined) throw refused("JSON", "", "a line has initHex and localIndex, or hex");
    return { json: updateJson(decoder, decoder.decode(hexOf(hex, "hex"))) };
  };
}

/** The payloads of a stream that a server sends. */
function decodeStream(options: LineOptions, opcodes: PlayerInfoOpcodes): LineConverter {
  const opened = attempt(() => {
    return { client: new PlayerInfoClient({ dialect: dialectOf(options), revision: revisionOf(options) }) };
  });
  return streamDecoder(playerInfoSizes(opcodes), (payload) => {
    if ("error" in opened) return opened;
    const { client } = opened;
    const message = messageOf(payload, opcodes);
    const update = client.receive(message);
    if (update !== undefined) return { json: { message: message.message, ...updateJson(client.decoder, update) } };
    const index = message.message === "playerIndex" ? { index: message.value.index } : {};
    return { json: { message: message.message, ...index } };
  });
}

/** A payload whose opcode the deframer knows. */
function messageOf(payload: Uint8Array, opcodes: PlayerInfoOpcodes): PlayerInfoServerMessage {
  const body = payload.subarray(1);
  switch (payload[0]) {
    case opcodes.playerIndexOpcode:
      return { message: "playerIndex", value: decode(playerInfoLayouts.playerIndex, body) };
    case opcodes.playerInfoInitOpcode:
      return { message: "playerInfoInit", value: { bytes: body } };
    default:
      return { message: "playerInfo", value: { bytes: body } };
  }
}

function updateJson(decoder: PlayerInfoDecoder, { masks, passBits }: PlayerInfoUpdate): JsonObject {
  const players = Array.from(decoder.locals, (index) => {
    const { level, x, z } = decoder;
    return [index, [level[index] as number, x[index] as number, z[index] as number]] as const;
  });
  return {
    players: Object.fromEntries(players),
    masks: Object.fromEntries(masks.map(({ index, blocks }) => [index, toJson(blocks)])),
    passBits: [...passBits],
  };
}

function toJson(value: unknown): JsonValue {
  if (value instanceof Uint8Array) return formatHex(value, { separator: "" });
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toJson(field)]));
}

function encodeLines(options: LineOptions): (json: JsonObject) => LineResult {
  const revision = revisionOf(options);
  const engine = new PlayerInfoEngine({ dialect: dialectOf(options), revision });
  let observers: readonly number[] | undefined;
  let present: ReadonlyMap<number, WorldTile> = new Map();
  return (json) => {
    const players = playersOf(json.players);
    const masks = masksOf(json.masks, players, revision);
    const first = observers === undefined;
    if (first) observers = observersOf(json.observers, players);
    else if (json.observers !== undefined) throw refused("observers", "observers", "only the first line has them");
    const init: Record<string, string> = {};
    place(engine, present, players);
    for (const index of observers ?? []) {
      if (!players.has(index) || present.has(index)) continue;
      init[index] = formatHex(engine.observe(index), { separator: "" });
    }
    present = players;
    setMasks(engine, masks);
    if (first) return { text: JSON.stringify({ init }) };
    engine.tick();
    const watching = observers?.filter((index) => players.has(index)) ?? [];
    const packets = watching.map((index) => [index, formatHex(engine.packet(index), { separator: "" })]);
    const inits = Object.keys(init).length === 0 ? {} : { init };
    return { text: JSON.stringify({ ...inits, packets: Object.fromEntries(packets) }) };
  };
}

/** Makes the world what a line says it is: who is missing has logged out, and how far one went says how it moved. */
function place(
  engine: PlayerInfoEngine,
  before: ReadonlyMap<number, WorldTile>,
  players: ReadonlyMap<number, WorldTile>,
): void {
  for (const index of before.keys()) if (!players.has(index)) engine.remove(index);
  for (const [index, tile] of players) {
    const from = before.get(index);
    if (from === undefined) engine.add(index, tile);
    else if (from.level === tile.level && Math.max(Math.abs(tile.x - from.x), Math.abs(tile.z - from.z)) <= 2) {
      engine.move(index, tile.x, tile.z);
    } else engine.teleport(index, tile);
  }
}

type MaskLine = readonly [index: number, name: string, fields: MaskFields];

function setMasks(engine: PlayerInfoEngine, masks: readonly MaskLine[]): void {
  for (const [index, name, fields] of masks) engine.setBlock(index, name, fields);
}

/** Checked before the world is touched: a line that is refused changes nothing. */
function masksOf(
  json: JsonValue | undefined,
  players: ReadonlyMap<number, WorldTile>,
  revision: MaskRevision,
): readonly MaskLine[] {
  if (json === undefined) return [];
  const masks: MaskLine[] = [];
  for (const [key, blocks] of Object.entries(objectOf(json, "masks"))) {
    const path = `masks.${key}`;
    const index = indexOf(Number(key), path);
    if (!players.has(index)) throw refused(path, path, "there is no such player");
    for (const [name, fields] of Object.entries(objectOf(blocks, path))) {
      const block = revision.blocks.find((each) => each.name === name);
      if (block === undefined) {
        throw refused(`${path}.${name}`, `${path}.${name}`, `revision ${revision.name} has no such block`);
      }
      const values = Object.entries(objectOf(fields, `${path}.${name}`)).map(([field, value]) => {
        const isBytes = block.fields.find((each) => each.name === field)?.type === "bytes";
        return [field, isBytes ? hexOf(value, `${path}.${name}.${field}`) : value];
      });
      const value = Object.fromEntries(values) as MaskFields;
      tryBlock(block, value, `${path}.${name}`);
      masks.push([index, name, value]);
    }
  }
  return masks;
}

function tryBlock(block: MaskBlock, value: MaskFields, path: string): void {
  try {
    writeBlock(block, value, new ByteArena());
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw refused(path, path, error.message);
  }
}

function observersOf(json: JsonValue | undefined, players: ReadonlyMap<number, WorldTile>): readonly number[] {
  if (!Array.isArray(json)) throw refused("observers", "observers", "it must be a list of indices");
  return json.map((value, at) => {
    const path = `observers[${at}]`;
    const index = indexOf(value, path);
    if (!players.has(index)) throw refused(path, path, "there is no such player");
    return index;
  });
}

function playersOf(json: JsonValue | undefined): ReadonlyMap<number, WorldTile> {
  const players = new Map<number, WorldTile>();
  for (const [key, tile] of Object.entries(objectOf(json, "players"))) {
    const path = `players.${key}`;
    const index = indexOf(Number(key), path);
    const [level, x, z] = Array.isArray(tile) && tile.length === 3 ? (tile as number[]) : [];
    try {
      checkTile(level as number, x as number, z as number);
    } catch {
      throw refused(path, path, "it must be [level 0..3, x 0..16383, z 0..16383]");
    }
    players.set(index, { level: level as number, x: x as number, z: z as number });
  }
  return players;
}

function indexOf(value: JsonValue | undefined, path: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_PLAYER_INDEX) return value;
  throw refused(path, path, `it must be an index in 1..${MAX_PLAYER_INDEX}`);
}

function hexOf(value: JsonValue | undefined, path: string): Uint8Array {
  if (typeof value !== "string") throw refused(path, path, "it must be a text of hex digits");
  return parseHex(value);
}

function objectOf(value: JsonValue | undefined, path: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refused(path, path, "it must be an object");
  }
  return value as JsonObject;
}

function parseObject(text: string): JsonObject {
  const json = parseJson(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw refused("JSON", "", "a line holds one object");
  }
  return json as JsonObject;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused("JSON", "", escapeControls(error instanceof Error ? error.message : "not JSON"));
  }
}

function refused(what: string, path: string, why: string): WireError {
  return new WireError("bad-value", `Cannot read ${escapeControls(what)}: ${why}`, 0, escapeControls(path));
}

function trace(bytes: Uint8Array, options: LineOptions): TracedBytes {
  const tracer = new Tracer();
  const isInit = bytes.length === INIT_BYTES;
  const read = attempt(() => {
    const decoder = new PlayerInfoDecoder({ dialect: dialectOf(options), revision: revisionOf(options) });
    const { local = "1", init } = options.flags;
    const index = indexOf(Number(local), "local");
    if (isInit) {
      decoder.init(bytes, index, tracer);
      return {};
    }
    decoder.init(init === undefined ? someInit(index) : hexOf(String(init), "init"), index);
    decoder.decode(bytes, tracer);
    return {};
  });
  const title = isInit ? "Initialisation" : "Player info";
  return { bytes, title, fields: tracer.fields, ...("error" in read ? { error: read.error } : {}) };
}

/** An initialisation in which everybody is in map quarter 0. */
function someInit(index: number): Uint8Array {
  const engine = new PlayerInfoEngine({ dialect: "client" });
  engine.add(index, SOME_TILE);
  return engine.observe(index);
}

/** The frames of a stream, each read with the memory of those before it. */
function traceStream(bytes: Uint8Array, options: LineOptions, opcodes: PlayerInfoOpcodes): readonly TracedBytes[] {
  const opened = attempt(() => ({
    decoder: new PlayerInfoDecoder({ dialect: dialectOf(options), revision: revisionOf(options) }),
    index: indexOf(Number(options.flags.local ?? "1"), "local"),
  }));
  let { index } = "error" in opened ? { index: 0 } : opened;
  return traceFrames(bytes, playerInfoSizes(opcodes), (payload) => {
    const body = payload.subarray(1);
    const tracer = new Tracer();
    const read = attempt(() => {
      if ("error" in opened) throw opened.error;
      const { decoder } = opened;
      if (payload[0] === opcodes.playerIndexOpcode) {
        index = playerInfoLayouts.playerIndex.trace(new ByteReader(body), tracer, "").index;
      } else if (payload[0] === opcodes.playerInfoInitOpcode) decoder.init(body, index, tracer);
      else decoder.decode(body, tracer);
      return {};
    });
    const outcome = "error" in read ? { error: read.error } : { message: messageOf(payload, opcodes) };
    return { bytes: body, fields: tracer.fields, ...outcome };
  });
}
