/** A world of MapleStory beside another server: maps and their fieldKeys are what that server sends. */
import type { Verdict } from "../../motion/index.ts";
import { ByteReader } from "../../wire/index.ts";
import type { Side, WireMessage } from "../codec.ts";
import type { Gap, SavedSight, Sight } from "../shadow.ts";
import { ShadowedWorld } from "../world-kit/shadowed-world.ts";
import { isMapleMaps, type MapleMaps } from "./maps/maple-maps.ts";
import { placeOfCharacter } from "./wire/character-place.ts";
import type { MapleClientMessage, MapleServerMessage } from "./wire/codec.ts";
import { dialectRules, type MapleDialect } from "./wire/dialect.ts";
import { movingOpcodes, opcodes } from "./wire/opcodes.ts";
import { UNKNOWN_MAP } from "./world/room.ts";
import type { MapleRule } from "./world/rules.ts";
import { MapleWorld, type MapleWorldOptions } from "./world/world.ts";

const noField: Gap = {
  reason: "no changeMap of the server has been seen, so that its map and its fieldKey are not known",
};
const lostField: Gap = {
  reason: "a changeMap of the server could not be read, so that its map and its fieldKey are not known",
};
const moved: Gap = {
  reason: "messages that are not described have moved it, so that the paths after one may lead anywhere",
  rules: [],
};

/** Why the rules of a map find nothing: it is not in the given set. */
function noMap(mapId: number): Gap {
  const reason =
    mapId === UNKNOWN_MAP
      ? "the map of a whole character is within its data, which is not read"
      : `map ${mapId} is not among the maps that are given, or cannot be read`;
  return { reason, rules: mapRules };
}

/** A saved sight has the index of its gap in this list. */
const fieldGaps: readonly (Gap | undefined)[] = [undefined, noField, lostField];

/** Rules that measure the path of a player. */
const wayRules: readonly MapleRule[] = ["start", "teleport", "speed", "flight", "wall"];
/** Rules that need the map. */
const mapRules: readonly MapleRule[] = ["foothold", "ladder", "wall", "water", "portal"];
/** Every message begins with its opcode. */
const OPCODE_BYTES = 2;

/**
 * Paths that a move of the player may affect. The client may be recording a path when it is moved: that path then begins at the old place
 * and ends at the new one. Otherwise the next path begins at the new place.
 */
const PATHS = 2;
/** Messages whose judging needs a map. */
const judgedMessages: readonly string[] = ["movePlayer", "movePet", "moveSummon", "moveDragon", "moveLife", "aggro"];

type ChangeMapTarget = Extract<MapleServerMessage, { message: "changeMap" }>["value"]["target"];

class MapleSight implements Sight {
  readonly isAdmitted = true;
  readonly #dialect: MapleDialect;
  readonly #maps: MapleMaps | undefined;
  /** The map that the given set does not have; -1: it has it. */
  #noMap = -1;
  /** Why the map and its key are not known. */
  #noField: Gap | undefined;
  /** Whether a message that may have moved the player was missed, and how many paths to come it may affect. */
  #hasMissed = false;
  #elsewhere = 0;
  /** A path was not judged. Rule `gain` adds up all paths, so its findings mean nothing from then on. */
  #hasGained = false;
  /** Whether the path that is judged now may lead anywhere. */
  #leadsAnywhere = false;

  constructor(dialect: string, maps: MapleMaps | undefined, saved?: SavedSight) {
    const { name, movementOnly } = dialectRules(dialect);
    this.#dialect = name;
    this.#maps = maps;
    // A dialect of movement alone has no changeMap.
    this.#noField = movementOnly ? undefined : noField;
    if (saved === undefined) return;
    const { field = 0, elsewhere = 0 } = saved;
    if (!(field in fieldGaps) || elsewhere < 0 || elsewhere > PATHS) {
      throw new RangeError("Cannot restore: a sight of MapleStory has field 0 to 2 and elsewhere 0 to 2");
    }
    this.#noField = fieldGaps[field];
    this.#elsewhere = elsewhere;
    this.#hasMissed = saved.hasMissed === 1;
    this.#hasGained = saved.hasGained === 1;
    this.#leadsAnywhere = saved.leadsAnywhere === 1;
    this.#noMap = saved.noMap ?? -1;
  }

  save(): SavedSight {
    return {
      field: fieldGaps.indexOf(this.#noField),
      elsewhere: this.#elsewhere,
      hasMissed: Number(this.#hasMissed),
      hasGained: Number(this.#hasGained),
      leadsAnywhere: Number(this.#leadsAnywhere),
      noMap: this.#noMap,
    };
  }

  saw(sender: Side, message: WireMessage): void {
    const sent = message as MapleClientMessage | MapleServerMessage;
    if (sender === "server") {
      if (sent.message !== "changeMap") return;
      this.#noField = undefined;
      this.#noMap = this.#unknownOf(sent.value.target);
    } else if (sent.message === "movePlayer") {
      this.#leadsAnywhere = this.#elsewhere > 0;
      if (this.#leadsAnywhere) this.#elsewhere -= 1;
    }
  }

  missed(sender: Side, payload: Uint8Array): void {
    if (this.#noField !== undefined || payload.length < OPCODE_BYTES) return;
    const opcode = new ByteReader(payload).u16le();
    const known = opcodes[this.#dialect][sender];
    if (sender === "server" && opcode === known.changeMap) this.#noField = lostField;
    const isPath = sender === "client" && opcode === known.movePlayer;
    if (!isPath && !movingOpcodes[this.#dialect][sender].includes(opcode)) return;
    this.#hasMissed = true;
    this.#elsewhere = PATHS;
  }

  gaps({ message }: WireMessage): readonly Gap[] {
    if (!judgedMessages.includes(message)) return [];
    if (this.#noField !== undefined) return [this.#noField];
    const gaps = this.#hasMissed ? [moved] : [];
    return this.#noMap < 0 ? gaps : [...gaps, noMap(this.#noMap)];
  }

  silences(verdict: Verdict): boolean {
    if (this.#noField !== undefined) return true;
    const rule = verdict.rule as MapleRule;
    // It goes by where the player was last.
    if (rule === "portal") return this.#leadsAnywhere || this.#elsewhere > 0;
    if (this.#leadsAnywhere && wayRules.includes(rule)) {
      this.#hasGained = true;
      this.#elsewhere = 0;
      return true;
    }
    return this.#hasGained && rule === "gain";
  }

  #unknownOf(target: ChangeMapTarget): number {
    if (this.#maps === undefined) return -1;
    if (target.content !== "map") return UNKNOWN_MAP;
    return this.#maps.map(target.mapId) === undefined ? target.mapId : -1;
  }
}

/** Rules that need what only the other server knows. */
const unknownRules: readonly MapleRule[] = [
  // Only the other server knows the skills of a character, and whether it is played twice.
  "character-online",
  "teleport-skill",
  // Its monsters, pets and summons are not in this world.
  "pet-owner",
  "summon-owner",
  "dragon-owner",
  "monster-elsewhere",
  "monster-control",
  "monster-idle",
  "monster-head",
  "monster-ground",
  "vacuum-box",
  "vacuum-side",
  "vacuum-pull",
  "aggro-rate",
  "aggro-far",
];

/** A world beside another server: maps and fieldKeys are those that the other server sends. */
export function openShadowWorld(
  options: MapleWorldOptions,
): ShadowedWorld<MapleClientMessage, MapleServerMessage, MapleWorld> {
  const { name: dialect } = dialectRules(options.dialect);
  const { maps } = options;
  const known = maps !== undefined && isMapleMaps(maps) ? maps : undefined;
  return new ShadowedWorld({
    world: new MapleWorld(options),
    unknownRules,
    openSight: (saved) => new MapleSight(dialect, known, saved),
    observe(world, player, message, nowMs) {
      const sent = message as MapleServerMessage;
      if (sent.message === "ping") world.adoptPing(player, nowMs);
      if (sent.message !== "changeMap") return;
      const { channel, fieldKey, target } = sent.value;
      // A character that follows another one (`chase`) enters beside it, one that logs in where it was left.
      const to =
        target.content === "map"
          ? { mapId: target.mapId, portal: target.spawnPoint, anywhere: target.chase !== 0 }
          : { ...placeOfCharacter(dialect, target.data), anywhere: true };
      // Channels count from 0 on the wire.
      world.adoptMap(player, { ...to, channel: channel + 1, fieldKey }, nowMs);
    },
  });
}
