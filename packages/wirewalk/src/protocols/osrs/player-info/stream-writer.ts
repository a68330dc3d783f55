/**
 * Makes packets of player info: each object is the world at one tick.
 *
 * ```ts
 * const setup = { dialect: "client", sender: "server", framed: false, options: {} };
 * const writer = osrs.streams["player-info"].openWriter(setup);
 * writer.write({ observers: [5], players: { 5: [0, 3200, 3201] } }).init[5].length; // => 9216
 * writer.write({ players: { 5: [0, 3202, 3203] } }); // => { packets: { 5: "af7ff4" } }
 * ```
 */
import { escapeControls, formatHex, type JsonObject, type JsonValue, WireError } from "../../../wire/index.ts";
import type { PacketWriter, StreamSetup } from "../../packet-stream.ts";
import { ALL_REVISIONS, indexOf, keyOf, objectOf, refused, refuseOthers, revisionOf } from "./stream-fields.ts";
import { checkTile, type WorldTile } from "./wire/constants.ts";
import { playerInfoDialectIn } from "./wire/dialect.ts";
import { PlayerInfoEngine } from "./wire/engine/engine.ts";
import { unmetNeed } from "./wire/masks/client-needs.ts";
import { blockFromJson } from "./wire/masks/mask-codec.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "./wire/masks/mask-revision.ts";

/** What the reader adds: it follows from the packets that it read, not from the world. */
const derived = ["passBits", "wouldCrash", "fits", "misfits", "fitsAll"];

/**
 * The writer. It takes `{ observers: [index, …], players: { index: [level, x, z] } }`, then for every tick `players` as they
 * stand then and, if the revision has any, `masks` as the reader gives them. A line may be one that the reader gave: then the
 * world is what its observer had in view. A line with `observers` begins anew. It gives `{ init: { observer: hex } }`, then
 * `{ packets: { observer: hex } }`, with `init` beside them for an observer that was added again.
 */
export function playerInfoWriter({ dialect, framed, options }: StreamSetup, tables: readonly number[]): PacketWriter {
  if (framed) throw refused("frame", "", "packets are encoded without frames");
  if (options.revision === ALL_REVISIONS) throw refused("revision", "revision", "packets are written by one revision");
  const revision = revisionOf(options, tables);
  const newEngine = (): PlayerInfoEngine => new PlayerInfoEngine({ dialect: playerInfoDialectIn(dialect), revision });
  let engine = newEngine();
  let observers: readonly number[] | undefined;
  let present: ReadonlyMap<number, WorldTile> = new Map();
  const write = (json: JsonObject): JsonObject => {
    refuseOthers(json, ["observers", "players", "masks", "unread", ...derived], "");
    if (json.unread !== undefined) throw refused("unread", "unread", "masks that were not read cannot be written");
    const players = playersOf(json.players);
    const masks = masksOf(json.masks, players, revision);
    const first = observers === undefined || json.observers !== undefined;
    if (first) {
      const given = observersOf(json.observers, players);
      if (observers !== undefined) engine = newEngine();
      observers = given;
      present = new Map();
    }
    const init: Record<string, string> = {};
    place(engine, present, players);
    for (const index of observers ?? []) {
      if (!players.has(index) || present.has(index)) continue;
      init[index] = formatHex(engine.observe(index), { separator: "" });
    }
    present = players;
    setMasks(engine, masks);
    if (first) return { init };
    engine.tick();
    const watching = observers?.filter((index) => players.has(index)) ?? [];
    const packets = watching.map((index) => [index, formatHex(engine.packet(index), { separator: "" })]);
    const inits = Object.keys(init).length === 0 ? {} : { init };
    return { ...inits, packets: Object.fromEntries(packets) };
  };
  return { write };
}

/** Brings the world to the state of a line: players without an entry leave, and the distance decides between walk, run and teleport. */
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
    const index = keyOf(key, path);
    if (!players.has(index)) throw refused(path, path, "there is no such player");
    for (const [name, fields] of Object.entries(objectOf(blocks, path))) {
      const block = revision.blocks.find((each) => each.name === name);
      if (block === undefined) {
        throw refused(`${path}.${name}`, `${path}.${name}`, `revision ${revision.name} has no such block`);
      }
      masks.push([index, name, blockOf(block, fields, `${path}.${name}`)]);
    }
  }
  return masks;
}

/** The fields of a block. Names in the JSON are the sender's: they are escaped before they are printed. */
function blockOf(block: MaskBlock, fields: JsonValue, path: string): MaskFields {
  try {
    const value = blockFromJson(block, fields);
    const unmet = unmetNeed(block, value);
    if (unmet !== undefined) throw refused(unmet.field, unmet.field, unmet.why);
    return value;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { code, message, path: where } = error.within(path);
    throw new WireError(code, escapeControls(message), 0, escapeControls(where));
  }
}

function observersOf(json: JsonValue | undefined, players: ReadonlyMap<number, WorldTile>): readonly number[] {
  if (!Array.isArray(json)) throw refused("observers", "observers", "it must be a list of indices");
  return json.map((value, at) => {
    const path = `observers[${at}]`;
    const index = indexOf(value, path);
    if (!players.has(index)) throw refused(path, path, "there is no such player");
    if (json.indexOf(value) !== at) throw refused(path, path, "it is in the list already");
    return index;
  });
}

function playersOf(json: JsonValue | undefined): ReadonlyMap<number, WorldTile> {
  const players = new Map<number, WorldTile>();
  for (const [key, tile] of Object.entries(objectOf(json, "players"))) {
    const path = `players.${key}`;
    const index = keyOf(key, path);
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
