/**
 * The opcode of every message, by client version. The document's nine are those of v62. Source: docs/protocols/maplestory.md 3.
 */
import type { Side } from "../../codec.ts";
import type { MapleDialect } from "./dialect.ts";

type Opcodes = Readonly<Record<Side, Readonly<Record<string, number>>>>;

const v62: Opcodes = {
  client: {
    playerLoggedIn: 0x14,
    pong: 0x18,
    movePlayer: 0x26,
    movePet: 0x8c,
    moveSummon: 0x94,
    moveLife: 0x9d,
    aggro: 0x9e,
  },
  server: {
    serverIpOfAll: 0x09,
    serverIp: 0x0c,
    changeChannel: 0x10,
    ping: 0x11,
    changeMap: 0x5c,
    showPlayer: 0x78,
    removePlayer: 0x79,
    movePet: 0x81,
    moveSummon: 0x88,
    movePlayer: 0x8d,
    showMonster: 0xaf,
    removeMonster: 0xb0,
    controlMonster: 0xb1,
    moveMonster: 0xb2,
    moveMonsterResponse: 0xb3,
  },
};

const v83: Opcodes = {
  client: {
    playerLoggedIn: 0x14,
    pong: 0x18,
    movePlayer: 0x29,
    movePet: 0xa7,
    moveSummon: 0xaf,
    moveDragon: 0xb5,
    moveLife: 0xbc,
    aggro: 0xbd,
  },
  server: {
    serverIpOfAll: 0x09,
    serverIp: 0x0c,
    changeChannel: 0x10,
    ping: 0x11,
    changeMap: 0x7d,
    showPlayer: 0xa0,
    removePlayer: 0xa1,
    movePet: 0xaa,
    moveSummon: 0xb1,
    moveDragon: 0xb6,
    movePlayer: 0xb9,
    showMonster: 0xec,
    removeMonster: 0xed,
    controlMonster: 0xee,
    moveMonster: 0xef,
    moveMonsterResponse: 0xf0,
  },
};

const v95: Opcodes = {
  client: {
    playerLoggedIn: 0x14,
    pong: 0x19,
    movePlayer: 0x2c,
    movePet: 0xc7,
    moveSummon: 0xcf,
    moveDragon: 0xd6,
    moveLife: 0xe3,
    aggro: 0xe4,
  },
  server: {
    serverIpOfAll: 0x09,
    serverIp: 0x0c,
    changeChannel: 0x10,
    ping: 0x11,
    changeMap: 0x8d,
    showPlayer: 0xb3,
    removePlayer: 0xb4,
    movePet: 0xc9,
    moveDragon: 0xcf,
    movePlayer: 0xd2,
    moveSummon: 0x118,
    showMonster: 0x11c,
    removeMonster: 0x11d,
    controlMonster: 0x11e,
    moveMonster: 0x11f,
    moveMonsterResponse: 0x120,
  },
};

/** The document's nine, and one of ours: the last number that one byte has (standard 3.3.1). */
const documented: Opcodes = { client: v62.client, server: { ...v62.server, showMonster: 0xff } };

export const opcodes: Readonly<Record<MapleDialect, Opcodes>> = { v62, v83, v95, documented };

/**
 * Opcodes of messages that are not described here and move the player on its map, without a path: teleports by the server, portals
 * within the map, following another player. Source: docs/protocols/maplestory.md 8.4.
 */
export const movingOpcodes: Readonly<Record<MapleDialect, Readonly<Record<Side, readonly number[]>>>> = {
  v62: { client: [0x5d], server: [0xa2] },
  v83: { client: [0x65], server: [0xcf] },
  v95: { client: [0x71], server: [0xc1, 0xea, 0x10d] },
  documented: { client: [], server: [] },
};
