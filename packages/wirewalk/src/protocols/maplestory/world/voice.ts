/**
 * Voices: what the server of a dialect can send beside relayed paths. `documented` has movement messages only, so its
 * voice is silent; what follows from that for joining, correcting and monster control is here too.
 */
import type { MapleServerMessage } from "../wire/codec.ts";
import type { DialectRules } from "../wire/dialect.ts";
import { plainPlayer } from "../wire/messages.ts";
import { type Monster, spawnOf } from "./monsters.ts";
import { characterOf, type Player } from "./player.ts";
import type { Room } from "./room.ts";

/** What a dialect cannot express is undefined: then nothing is sent. */
type Sent = MapleServerMessage | undefined;

export interface Voice {
  /** Whether a client names its character (PLAYER_LOGGEDIN) and answers pings. Otherwise it is on a map once it joined. */
  readonly hasLogin: boolean;
  /** Whether the server can move a player (CHANGE_MAP): to another map, or back after a teleport. */
  readonly canMovePlayers: boolean;
  /** Whether the server assigns monsters to clients (CONTROL_MONSTER). Otherwise a client takes one that stands idle. */
  readonly assignsMonsters: boolean;
  /** Milliseconds that a client may have played on a map before this server knew. */
  readonly entryCreditMs: number;
  changeMap(player: Player, room: Room, portal: number): Sent;
  showPlayer(player: Player): Sent;
  removePlayer(player: Player): Sent;
  showMonster(monster: Monster): Sent;
  removeMonster(mobId: number): Sent;
  controlMonster(monster: Monster): Sent;
  stopControl(mobId: number): Sent;
  ping(): Sent;
}

/** The client's boxes hold so many characters of a name. */
const NAME_LENGTH = 12;

const v62: Voice = {
  hasLogin: true,
  canMovePlayers: true,
  assignsMonsters: true,
  // CHANGE_MAP starts the clock.
  entryCreditMs: 0,
  changeMap({ fieldKey }, { mapId, channel }, portal) {
    const target = { content: "map", notices: 0, mapId, spawnPoint: portal, hp: 50, chase: 0, time: 0n } as const;
    return { message: "changeMap", value: { channel: channel - 1, fieldKey, target } };
  },
  showPlayer(player) {
    const { joining, x, y, state } = player;
    const name = joining.name.slice(0, NAME_LENGTH).replaceAll(/[^\x20-\x7e]/g, "?");
    return { message: "showPlayer", value: plainPlayer({ characterId: characterOf(player), name, x, y, state }) };
  },
  removePlayer: (player) => ({ message: "removePlayer", value: { characterId: characterOf(player) } }),
  showMonster: (monster) => ({
    message: "showMonster",
    value: { mobId: monster.mobId, spawn: spawnOf(monster, false) },
  }),
  removeMonster: (mobId) => ({ message: "removeMonster", value: { mobId, animation: 1 } }),
  controlMonster(monster) {
    const mode = monster.aggro ? "controlWithAggro" : "control";
    return { message: "controlMonster", value: { mode, mobId: monster.mobId, spawn: spawnOf(monster, true) } };
  },
  stopControl: (mobId) => ({ message: "controlMonster", value: { mode: "stop", mobId } }),
  ping: () => ({ message: "ping", value: {} }),
};

const nothing = (): undefined => undefined;

const movementOnly: Voice = {
  hasLogin: false,
  canMovePlayers: false,
  assignsMonsters: false,
  // A client plays from its connection on, which is earlier than the server can know.
  entryCreditMs: 2000,
  changeMap: nothing,
  showPlayer: nothing,
  removePlayer: nothing,
  showMonster: nothing,
  removeMonster: nothing,
  controlMonster: nothing,
  stopControl: nothing,
  ping: nothing,
};

/** The voice of a dialect. */
export function voiceOf(dialect: DialectRules): Voice {
  return dialect.movementOnly ? movementOnly : v62;
}
