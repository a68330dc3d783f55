/** What the parts of a MapleWorld share: its options, the rules of its dialect, and its state. */
import { FairClock, type PlayerId, type Verdict } from "../../../motion/index.ts";
import { checkResponses } from "../../responses.ts";
import { EffectQueue, type LeftPlaces, PlayerTable, RoomTable, type SavedOutline } from "../../world-kit/index.ts";
import { UsedMaps } from "../../world-kit/used-maps.ts";
import { demoMap } from "../maps/demo-maps.ts";
import type { MapleMap } from "../maps/map.ts";
import { isMapleMaps, type MapleMaps } from "../maps/maple-maps.ts";
import type { MapleServerMessage } from "../wire/codec.ts";
import { type DialectRules, dialectRules } from "../wire/dialect.ts";
import type { Judgement } from "./judgement.ts";
import { createLeftPoints, type LeftPoint } from "./left-points.ts";
import { limitsOfPhysics, type MapleRuleLimits, mapleRuleLimits } from "./limits.ts";
import { type Departed, type Player, stateJson } from "./player.ts";
import { isAsPlanned, type Room } from "./room.ts";
import { mapleRenamed, mapleResponses } from "./rules.ts";
import { type Voice, voiceOf } from "./voice.ts";
import { type MapleWorldOptions, outlineOf } from "./world-options.ts";

/** Milliseconds between two ticks. */
export const TICK_MS = 100;
/** Players in a world at most. */
export const CAPACITY = 1000;
/**
 * Rooms without players are kept with the map's monsters where they are, up to this many rooms in all: a client can name
 * as many maps and channels as there are.
 */
const MAX_KEPT_ROOMS = 1000;
/** Ids of monsters count from here. */
const FIRST_MOB_ID = 1_000_001;

/** Rooms by name, with those of a saved world. */
export function createRooms(saved: Iterable<readonly [string, Room]> = []): RoomTable<string, Room> {
  const rooms: RoomTable<string, Room> = new RoomTable<string, Room>({
    holds: (room): boolean => !isAsPlanned(room) || (room.control.monsters.size > 0 && rooms.size <= MAX_KEPT_ROOMS),
    rooms: saved,
  });
  return rooms;
}

/** What changes while a world runs. */
export interface WorldState {
  players: PlayerTable<Player>;
  rooms: RoomTable<string, Room>;
  effects: EffectQueue<MapleServerMessage>;
  nextMobId: number;
  /** What is kept of characters that left, the first to leave first. */
  departed: Map<string, Departed>;
  /** The same of players without a character. */
  left: LeftPlaces<LeftPoint>;
  /** The stalls of this process. */
  clock: FairClock;
  /** Maps of the given set, with their digests. */
  used: UsedMaps;
}

export class WorldParts implements WorldState {
  readonly options: MapleWorldOptions;
  readonly dialect: DialectRules;
  readonly outline: SavedOutline;
  readonly voice: Voice;
  readonly limits: MapleRuleLimits;
  readonly maps: MapleMaps | undefined;
  players = new PlayerTable<Player>(CAPACITY);
  rooms = createRooms();
  effects = new EffectQueue<MapleServerMessage>();
  nextMobId = FIRST_MOB_ID;
  departed = new Map<string, Departed>();
  left: LeftPlaces<LeftPoint>;
  clock = new FairClock({ tickMs: TICK_MS });
  used = new UsedMaps();

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: MapleWorldOptions) {
    checkResponses("maplestory", options.responses ?? {}, mapleResponses, mapleRenamed);
    this.options = options;
    this.dialect = dialectRules(options.dialect);
    const limits = mapleRuleLimits(options.limits);
    this.outline = outlineOf(options, this.dialect, limits);
    const { maps } = options;
    if (maps !== undefined && !isMapleMaps(maps))
      throw new TypeError(`maps must be those of maplestory, got ${maps.game}`);
    this.maps = maps;
    this.limits = limitsOfPhysics(limits, maps?.physics);
    this.left = createLeftPoints(limits.departedMs);
    this.voice = voiceOf(this.dialect);
  }

  /** Undefined where the map is not known. */
  mapOf(mapId: number): MapleMap | undefined {
    if (this.maps === undefined) return this.options.demo ? demoMap(mapId) : undefined;
    return this.maps.map(mapId);
  }

  /** The same, of a map that players enter: effects follow from it from here on. */
  useMap(mapId: number): MapleMap | undefined {
    const map = this.mapOf(mapId);
    const { maps } = this;
    if (maps !== undefined && map !== undefined) this.used.note(String(mapId), () => maps.digest(String(mapId)));
    return map;
  }

  /** Sends a message that the dialect has. */
  send(to: PlayerId, message: MapleServerMessage | undefined): void {
    if (message !== undefined) this.effects.send(to, message);
  }

  /** Broadcasts a message that the dialect has. */
  broadcast(room: Room, except: PlayerId | undefined, message: MapleServerMessage | undefined): void {
    if (message !== undefined) this.effects.broadcast(room.name, except, message);
  }

  /** Makes a verdict of a judgement. */
  judge(player: Player, { about, ...judgement }: Judgement, payload: Uint8Array, nowMs: number): Verdict {
    return this.effects.verdict({
      ...judgement,
      player: player.id,
      room: player.room?.name ?? "",
      atMs: nowMs,
      message: payload,
      stateBefore: { ...stateJson(player, nowMs), ...about },
    });
  }
}
