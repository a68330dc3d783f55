/**
 * Voices: what the server of a dialect can send beside relayed paths, and in which form. `documented` has movement messages only, so its
 * voice is silent but for monsters, which a message of ours shows; what follows from that for joining, correcting and monster control is here too.
 */
import type { MapleServerMessage, MoveLife } from "../wire/codec.ts";
import type { DialectRules, MapleDialect } from "../wire/dialect.ts";
import { plainPlayer } from "../wire/messages.ts";
import { plainLook } from "../wire/messages-v83.ts";
import { plainLook as plainLookV95 } from "../wire/messages-v95.ts";
import { NEXT_ATTACK_FLAGS } from "./monster-skills.ts";
import { type Monster, spawnOf, spawnV83Of, spawnV95Of } from "./monsters.ts";
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
  /** One message after the other: in `v83` and `v95` the place follows as a path. */
  showPlayer(player: Player): readonly MapleServerMessage[];
  removePlayer(player: Player): Sent;
  showMonster(monster: Monster): Sent;
  removeMonster(mobId: number): Sent;
  controlMonster(monster: Monster): Sent;
  stopControl(mobId: number): Sent;
  ping(): Sent;
  /** A path of a monster, as the others are sent it. */
  moveMonster(value: MoveLife["value"], pathBytes: Uint8Array): MapleServerMessage;
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
    const { x, y, state } = player;
    const characterId = characterOf(player);
    return [{ message: "showPlayer", value: plainPlayer({ characterId, name: nameOf(player), x, y, state }) }];
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
  moveMonster({ mobId, flags, actionAndDirection, target }, pathBytes) {
    return { message: "moveMonster", value: { mobId, flags, actionAndDirection, target: target.slice(), pathBytes } };
  },
};

/** The name as the client can show it. */
function nameOf({ joining }: Player): string {
  return joining.name.slice(0, NAME_LENGTH).replaceAll(/[^\x20-\x7e]/g, "?");
}

const v83: Voice = {
  ...v62,
  changeMap({ fieldKey }, { mapId, channel }, portal) {
    const fixed = { content: "map", notices: 0, revive: 0, hp: 50, chase: 0, time: 0n } as const;
    const target = { ...fixed, mapId, spawnPoint: portal };
    return { message: "changeMap", value: { channel: channel - 1, fieldKey, target } };
  },
  showPlayer(player) {
    const { x, y, state, foothold } = player;
    const characterId = characterOf(player);
    // Our readers know nothing of a look: they learn the place from a path in which nothing moves.
    const still = { type: 0, x, y, vx: 0, vy: 0, foothold, state, durationMs: 0 };
    return [
      {
        message: "showPlayer",
        value: { characterId, level: 1, look: plainLook({ name: nameOf(player), x, y, state }) },
      },
      { message: "movePlayer", value: { characterId, start: { x, y }, fragments: [still] } },
    ];
  },
  showMonster: (monster) => ({
    message: "showMonster",
    value: { mobId: monster.mobId, spawn: spawnV83Of(monster, false) },
  }),
  removeMonster: (mobId) => ({ message: "removeMonster", value: { mobId, animation: 1, rest: new Uint8Array(0) } }),
  controlMonster(monster) {
    const { mobId, aggro } = monster;
    const spawn = spawnV83Of(monster, true);
    const value = aggro
      ? ({ mode: "controlWithAggro", mobId, spawn } as const)
      : ({ mode: "control", mobId, spawn } as const);
    return { message: "controlMonster", value };
  },
  moveMonster({ mobId, flags, actionAndDirection, target }, pathBytes) {
    const nextAttackPossible = (flags & NEXT_ATTACK_FLAGS) === 0 ? 0 : 1;
    const head = { mobId, notForceLanding: 0, nextAttackPossible, actionAndDirection, target: target.slice() };
    return { message: "moveMonster", value: { ...head, pathBytes } };
  },
};

const v95: Voice = {
  ...v83,
  changeMap({ fieldKey }, { mapId, channel }, portal) {
    const fixed = { content: "map", notices: 0, revive: 0, hp: 50, chase: 0, time: 0n } as const;
    const target = { ...fixed, mapId, spawnPoint: portal };
    return { message: "changeMap", value: { options: [], channel: channel - 1, oldDriver: 0, fieldKey, target } };
  },
  showPlayer(player) {
    const { x, y, state, foothold } = player;
    const characterId = characterOf(player);
    const look = plainLookV95({ name: nameOf(player), x, y, state });
    const offsets = { xOffset: 0, yOffset: 0 };
    const still = { type: 0, x, y, vx: 0, vy: 0, foothold, ...offsets, state, durationMs: 0 };
    const start = { x, y, vx: 0, vy: 0 };
    return [
      { message: "showPlayer", value: { characterId, level: 1, look } },
      { message: "movePlayer", value: { characterId, start, fragments: [still] } },
    ];
  },
  showMonster: (monster) => ({
    message: "showMonster",
    value: { mobId: monster.mobId, spawn: spawnV95Of(monster, false) },
  }),
  controlMonster(monster) {
    const { mobId, aggro } = monster;
    const spawn = spawnV95Of(monster, true);
    const value = aggro
      ? ({ mode: "controlWithAggro", mobId, spawn } as const)
      : ({ mode: "control", mobId, spawn } as const);
    return { message: "controlMonster", value };
  },
  moveMonster(value, pathBytes) {
    const { mobId, flags, actionAndDirection, target } = value;
    const nextAttackPossible = (flags & NEXT_ATTACK_FLAGS) === 0 ? 0 : 1;
    const { ballTargets, areaTimes } = "ballTargets" in value ? value : { ballTargets: [], areaTimes: [] };
    const head = { mobId, notForceLanding: 0, notChangeAction: 0, nextAttackPossible, actionAndDirection };
    return { message: "moveMonster", value: { ...head, target: target.slice(), ballTargets, areaTimes, pathBytes } };
  },
};

const nothing = (): undefined => undefined;
const onWire = (coordinate: number): number => Math.max(-0x8000, Math.min(0x7fff, Math.round(coordinate)));

const movementOnly: Voice = {
  hasLogin: false,
  canMovePlayers: false,
  assignsMonsters: false,
  // A client plays from its connection on, which is earlier than the server can know.
  entryCreditMs: 2000,
  changeMap: nothing,
  showPlayer: () => [],
  removePlayer: nothing,
  showMonster({ mobId, template, x, y, state, foothold }) {
    // Where its path ends follows from a velocity: between pixels, and beyond what the message can name.
    return {
      message: "showMonster",
      value: { mobId, spawn: { template, x: onWire(x), y: onWire(y), state, foothold } },
    };
  },
  removeMonster: nothing,
  controlMonster: nothing,
  stopControl: nothing,
  ping: nothing,
  moveMonster: v62.moveMonster,
};

const voices: Readonly<Record<MapleDialect, Voice>> = { v62, v83, v95, documented: movementOnly };

/** The voice of a dialect. */
export function voiceOf({ name }: DialectRules): Voice {
  return voices[name];
}
