/**
 * Three versions of global MapleStory. Opcodes: v62 from `net/RecvOpcode` and `net/SendOpcode` of servers that descend from OdinMS, v83 from
 * P0nk/Cosmic, v95 from iw2d/kinoko (`InHeader`, `OutHeader`).
 */
import type { Chance } from "./chance.ts";
import { MapleWriter } from "./maple-bytes.ts";

export type MapleVersion = 62 | 83 | 95;

export interface Opcodes {
  readonly fromClient: {
    readonly login: number;
    readonly selectCharacter: number;
    readonly loggedIn: number;
    readonly pong: number;
    readonly changeChannel: number;
    readonly movePlayer: number;
  };
  readonly fromServer: {
    readonly loginStatus: number;
    readonly serverIp: number;
    readonly changeChannel: number;
    readonly ping: number;
    readonly notice: number;
    readonly setField: number;
    readonly keyMap: number;
  };
}

const login = { login: 0x01, selectCharacter: 0x13, loggedIn: 0x14 };
const channel = { loginStatus: 0x00, serverIp: 0x0c, changeChannel: 0x10, ping: 0x11 };

export const OPCODES: Readonly<Record<MapleVersion, Opcodes>> = {
  62: {
    fromClient: { ...login, pong: 0x18, changeChannel: 0x24, movePlayer: 0x26 },
    fromServer: { ...channel, notice: 0x41, setField: 0x5c, keyMap: 0x107 },
  },
  83: {
    fromClient: { ...login, pong: 0x18, changeChannel: 0x27, movePlayer: 0x29 },
    fromServer: { ...channel, notice: 0x44, setField: 0x7d, keyMap: 0x14f },
  },
  95: {
    fromClient: { ...login, pong: 0x19, changeChannel: 0x2a, movePlayer: 0x2c },
    fromServer: { ...channel, notice: 0x47, setField: 0x8d, keyMap: 0x18e },
  },
};

/** The text after the version in the greeting. */
export const patchOf = (version: MapleVersion): string => (version === 62 ? "" : "1");

/** What the server says first, in clear. */
export function greeting(version: MapleVersion, fromClientIv: Buffer, fromServerIv: Buffer): Buffer {
  const body = new MapleWriter()
    .u16(version)
    .text(patchOf(version))
    .bytes(fromClientIv)
    .bytes(fromServerIv)
    .u8(8)
    .done();
  return new MapleWriter().u16(body.length).bytes(body).done();
}

/** 100 ns since 1601: 2010-01-01. */
const TIME = [0x00, 0x40, 0x9b, 0x65, 0x77, 0x8a, 0xca, 0x01];

/** No map, in a list of maps. */
const NO_MAP = 999_999_999;

export interface Entering {
  readonly channel: number;
  readonly fieldKey: number;
  readonly characterId: number;
  readonly mapId: number;
}

/** SET_FIELD of a login, with everything that the client has to know of its character. */
export function setFieldOfLogin(version: MapleVersion, entering: Entering, chance: Chance): Buffer {
  const { characterId, mapId } = entering;
  const bytes = setFieldHead(version, entering, 1);
  for (let seed = 0; seed < 3; seed++) bytes.u32(chance.word());
  bytes.bytes(new Array(8).fill(0xff));
  if (version !== 62) bytes.u8(0);
  if (version === 95) bytes.u8(0);
  const name = Buffer.alloc(13);
  name.write("Stranger", "latin1");
  bytes.u32(characterId).bytes(name).u8(0).u8(0).u32(20_000).u32(30_030).zeros(24);
  bytes.u8(30).u16(100).u16(60).u16(35).u16(4).u16(4);
  for (const points of [1200, 1200, 300, 300]) version === 95 ? bytes.u32(points) : bytes.u16(points);
  bytes.u16(0).u16(3).u32(5000).u16(1).u32(0).u32(mapId).u8(0).u32(0);
  if (version === 95) bytes.u16(0);
  bytes.u8(20);
  if (version !== 62) bytes.u8(0);
  bytes.u32(12_345).bytes([24, 24, 24, 24, 24]);
  if (version !== 62) bytes.bytes(TIME);
  // No items: the ends of the lists of worn things and of five bags.
  bytes.zeros(version === 62 ? 7 : version === 83 ? 2 + 2 + 4 + 4 : 10 + 4);
  const skills = 5;
  bytes.u16(skills);
  for (let skill = 0; skill < skills; skill++) {
    bytes.u32(1_000_000 + skill).u32(chance.between(1, 20));
    if (version !== 62) bytes.bytes(TIME);
  }
  bytes.u16(0);
  const quests = chance.between(20, 60);
  bytes.u16(quests);
  for (let quest = 0; quest < quests; quest++) bytes.u16(1000 + quest).text("0".repeat(chance.between(0, 9)));
  bytes.u16(quests);
  for (let quest = 0; quest < quests; quest++) bytes.u16(2000 + quest).bytes(TIME);
  bytes.zeros(8);
  for (let map = 0; map < 15; map++) bytes.u32(NO_MAP);
  bytes.zeros(version === 95 ? 8 + 16 : 13);
  return bytes.bytes(TIME).done();
}

/** SET_FIELD of another map in the same session. */
export function setFieldOfMap(version: MapleVersion, entering: Entering): Buffer {
  const bytes = setFieldHead(version, entering, 0);
  if (version !== 62) bytes.u8(0);
  bytes.u32(entering.mapId).u8(0);
  if (version === 95) bytes.u32(1200);
  else bytes.u16(1200);
  return bytes.u8(0).bytes(TIME).done();
}

function setFieldHead(version: MapleVersion, { channel: id, fieldKey }: Entering, hasCharacter: 0 | 1): MapleWriter {
  const bytes = new MapleWriter().u16(OPCODES[version].fromServer.setField);
  if (version === 95) bytes.u16(0).u32(id).u32(0);
  else bytes.u32(id);
  return bytes.u8(fieldKey).u8(hasCharacter).u16(0);
}

/** Where the map is in a SET_FIELD is after a whole character, so a client takes the key alone from here. */
export function readSetField(
  version: MapleVersion,
  message: Buffer,
): { readonly channel: number; readonly fieldKey: number; readonly isLogin: boolean } {
  const at = version === 95 ? 4 : 2;
  const key = at + (version === 95 ? 8 : 4);
  return {
    channel: message.readInt32LE(at),
    fieldKey: message.readUInt8(key),
    isLogin: message.readUInt8(key + 1) === 1,
  };
}
