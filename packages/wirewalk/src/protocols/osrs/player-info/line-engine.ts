/**
 * The engine of player info for servers in other languages: the world's changes in, every observer's packet out.
 *
 * ```ts
 * const engine = playerInfoLines.open({ dialect: "client", options: {} });
 * engine.take({ add: [[5, 0, 3200, 3201]], observe: [5] }).given.init[0].hex.length; // => 9216
 * engine.take({ move: [[5, 3202, 3203]], tick: true }).given; // => { tick: 1, packets: [{ to: [5], hex: "af7ff4" }] }
 * engine.take({ move: [[6, 3202, 3203]] }).errors; // => [{ path: "move[0]", message: "Slot 6 has no player" }]
 * ```
 */
import { formatHex, type JsonObject, type JsonValue } from "../../../wire/index.ts";
import { eachOf, type LineCommands, type LineEngineKind, partsOf, runCommands } from "../../line-engine.ts";
import { objectOf, revisionOf } from "./stream-fields.ts";
import { MAX_PLAYER_INDEX, PLAYER_SLOTS, WORLD_TILES, type WorldTile } from "./wire/constants.ts";
import { playerInfoDialectIn } from "./wire/dialect.ts";
import { PlayerInfoEngine } from "./wire/engine/engine.ts";
import { unmetNeed } from "./wire/masks/client-needs.ts";
import { blockFromJson } from "./wire/masks/mask-codec.ts";
import type { MaskFields } from "./wire/masks/mask-revision.ts";
import { namedRevisions } from "./wire/masks/named-revisions.ts";

/** Entries have numbers where the engine wants them; it checks their ranges. */
function numbersOf(entry: JsonValue, names: string): readonly number[] {
  const parts = partsOf(entry, names);
  if (parts.every((part) => typeof part === "number")) return parts as readonly number[];
  throw new TypeError(`it must be [${names}], all numbers`);
}

function tileOf([, level, x, z]: readonly number[]): WorldTile {
  return { level: level as number, x: x as number, z: z as number };
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value !== "string") throw new TypeError("the name of the block must be a text");
  return value;
}

function indexOf(entry: JsonValue): number {
  if (typeof entry !== "number") throw new TypeError("it must be an index");
  return entry;
}

const standings = ["first", "ordinary", "never"] as const;

/** The kind of engine. */
export const playerInfoLines: LineEngineKind = {
  summary:
    "The players of a world and their changes in; with tick, one packet for each observer. Commands: remove, add, teleport, " +
    "move, hide, show, standing, unobserve, observe, blocks, blocksFor, tick.",
  options: [
    {
      name: "revision",
      kind: "document",
      names: Object.keys(namedRevisions),
      summary: `mask blocks: ${Object.keys(namedRevisions).join(", ")} (default: none), or a revision as JSON`,
    },
    {
      name: "viewDistance",
      kind: "number",
      unit: "tiles",
      min: 0,
      max: WORLD_TILES,
      summary: "how far an observer sees (default: 15)",
    },
    {
      name: "maxLocals",
      kind: "number",
      unit: "players",
      min: 1,
      max: MAX_PLAYER_INDEX,
      summary: "the most players in view (default: 250)",
    },
  ],
  open({ dialect, options }) {
    const { viewDistance, maxLocals } = options;
    const revision = revisionOf(options, []);
    const engine = new PlayerInfoEngine({
      dialect: playerInfoDialectIn(dialect),
      revision,
      ...(typeof viewDistance === "number" ? { viewDistance } : {}),
      ...(typeof maxLocals === "number" ? { maxLocals } : {}),
    });
    const observers = new Set<number>();
    let ticks = 0;
    let init: JsonObject[] = [];
    let ticked: JsonObject = {};

    /** The fields of a block. */
    const fieldsOf = (name: string, json: JsonValue | undefined): MaskFields => {
      const block = revision.blocks.find((each) => each.name === name);
      if (block === undefined) throw new RangeError(`revision ${revision.name} has no block ${name}`);
      const fields = blockFromJson(block, objectOf(json, "fields"));
      const unmet = unmetNeed(block, fields);
      if (unmet !== undefined) throw new RangeError(`${unmet.field}: ${unmet.why}`);
      return fields;
    };
    const commands: LineCommands = {
      remove: eachOf((entry) => {
        const index = indexOf(entry);
        engine.remove(index);
        observers.delete(index);
      }),
      add: eachOf((entry) => {
        const parts = numbersOf(entry, "index, level, x, z");
        engine.add(parts[0] as number, tileOf(parts));
      }),
      teleport: eachOf((entry) => {
        const parts = numbersOf(entry, "index, level, x, z");
        engine.teleport(parts[0] as number, tileOf(parts));
      }),
      move: eachOf((entry) => {
        const [index, x, z] = numbersOf(entry, "index, x, z") as [number, number, number];
        engine.move(index, x, z);
      }),
      hide: eachOf((entry) => engine.hide(indexOf(entry), true)),
      show: eachOf((entry) => engine.hide(indexOf(entry), false)),
      standing: eachOf((entry) => {
        const [observer, index, name] = partsOf(entry, "observer, index, standing");
        const standing = standings.find((each) => each === name);
        if (standing === undefined) throw new RangeError(`standing must be one of ${standings.join(", ")}`);
        engine.setStanding(indexOf(observer as JsonValue), indexOf(index as JsonValue), standing);
      }),
      unobserve: eachOf((entry) => {
        const index = indexOf(entry);
        engine.tileOf(index);
        engine.unobserve(index);
        observers.delete(index);
      }),
      observe: eachOf((entry) => {
        const index = indexOf(entry);
        init.push({ player: index, hex: formatHex(engine.observe(index), { separator: "" }) });
        observers.add(index);
      }),
      blocks: eachOf((entry) => {
        const [index, name, fields] = partsOf(entry, "index, name, fields");
        engine.setBlock(indexOf(index as JsonValue), textOf(name), fieldsOf(textOf(name), fields));
      }),
      blocksFor: eachOf((entry) => {
        const [observer, index, name, fields] = partsOf(entry, "observer, index, name, fields");
        const block = fieldsOf(textOf(name), fields);
        engine.setBlockFor(indexOf(observer as JsonValue), indexOf(index as JsonValue), textOf(name), block);
      }),
      tick(argument) {
        if (argument !== true) throw new TypeError("it must be true");
        engine.tick();
        ticks++;
        ticked = { tick: ticks, packets: packetsOf(engine, observers) };
      },
    };
    return {
      take(line) {
        init = [];
        ticked = {};
        const errors = runCommands(commands, line);
        return { given: { ...(init.length > 0 ? { init } : {}), ...ticked }, errors };
      },
    };
  },
};

/** The packets of a tick, each with the observers that it is for: those who see the same have the same bytes. */
function packetsOf(engine: PlayerInfoEngine, observers: ReadonlySet<number>): JsonObject[] {
  const packets: { readonly to: number[]; readonly hex: string }[] = [];
  const known = new Map<number, (typeof packets)[number]>();
  for (let index = 1; index < PLAYER_SLOTS; index++) {
    if (!observers.has(index)) continue;
    const packet = engine.packet(index);
    // Packets lie one after another: two that begin at one place are the same.
    const same = known.get(packet.byteOffset);
    if (same !== undefined && same.hex.length === 2 * packet.length) {
      same.to.push(index);
      continue;
    }
    const own = { to: [index], hex: formatHex(packet, { separator: "" }) };
    packets.push(own);
    known.set(packet.byteOffset, own);
  }
  return packets;
}
