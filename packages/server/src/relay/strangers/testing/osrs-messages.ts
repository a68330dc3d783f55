/**
 * Messages of the server of revision 239, laid out as the encoders in blurite/rsprot write them
 * (`protocol/osrs-239/osrs-239-desktop/src/main/kotlin/net/rsprot/protocol/game/outgoing/codec`). What they say is made up.
 */
import type { Chance } from "./chance.ts";
import { ByteWriter } from "./osrs-bytes.ts";
import type { OsrsMessage } from "./osrs-frames.ts";
import { SERVER } from "./osrs-table.ts";
import type { Tile } from "./osrs-world.ts";

const message = (opcode: number, bytes: ByteWriter): OsrsMessage => ({ opcode, body: bytes.done() });

/** Part of the map around the player. The first one begins with the initialisation of player info. */
export const rebuild = (tile: Tile, initialisation: Buffer): OsrsMessage =>
  message(
    SERVER.REBUILD_NORMAL,
    new ByteWriter()
      .bytes(initialisation)
      .u16Alt1(1)
      .u16Alt2(tile.z >> 3)
      .u16Alt2(tile.x >> 3),
  );

const varpSmall = (id: number, value: number): OsrsMessage =>
  message(SERVER.VARP_SMALL, new ByteWriter().u8Alt1(value).u16Alt3(id));

const setText = (text: string): OsrsMessage =>
  message(SERVER.IF_SETTEXT, new ByteWriter().text(text).u32Alt2((162 << 16) | 5));

function inventory(chance: Chance): OsrsMessage {
  const slots = 28;
  const bytes = new ByteWriter()
    .u32(149 << 16)
    .u16(93)
    .u16(slots);
  for (let slot = 0; slot < slots; slot++) {
    const count = chance.oneIn(2) ? chance.below(400) : 0;
    bytes.u8Alt3(Math.min(count, 255));
    if (count >= 255) bytes.u32Alt3(count);
    bytes.u16Alt1(count === 0 ? 0 : chance.between(1, 30_000));
  }
  return message(SERVER.UPDATE_INV_FULL, bytes);
}

/** Packets that a client handles together. The number before them is that of their bytes. */
export interface PacketGroup {
  readonly group: readonly OsrsMessage[];
}

export type Sent = OsrsMessage | PacketGroup;

/** What comes before the player info of a tick. */
export function before(tile: Tile, chance: Chance): Sent[] {
  const sent: Sent[] = [];
  if (chance.oneIn(2)) sent.push(varpSmall(chance.below(4000), chance.between(-128, 127)));
  if (chance.oneIn(3)) {
    sent.push({ group: [varpSmall(173, chance.below(2)), setText(`made up ${chance.below(100)}`)] });
  }
  if (chance.oneIn(6)) sent.push(message(SERVER.URL_OPEN, new ByteWriter().text("https://made-up.invalid/page")));
  sent.push(message(SERVER.SET_ACTIVE_WORLD, new ByteWriter().u16(-1).u8(tile.level)));
  sent.push(message(SERVER.SET_NPC_UPDATE_ORIGIN, new ByteWriter().u8(52).u8(52)));
  return sent;
}

/** What comes after it. */
export function after(chance: Chance): Sent[] {
  const sent: Sent[] = [];
  // Nobody in view, and nobody added.
  sent.push(message(SERVER.NPC_INFO_LARGE, new ByteWriter().u8(0)));
  if (chance.oneIn(5)) sent.push(inventory(chance));
  if (chance.oneIn(4)) sent.push(message(SERVER.MESSAGE_GAME, new ByteWriter().u8(0).u8(0).text("made up")));
  if (chance.oneIn(4)) sent.push(message(SERVER.UPDATE_RUNENERGY, new ByteWriter().u16(chance.below(10_001))));
  if (chance.oneIn(4)) sent.push(message(SERVER.SET_MAP_FLAG, new ByteWriter().bytes(chance.bytes(4))));
  if (chance.oneIn(8)) sent.push(message(SERVER.GROUP_VAR_INT, new ByteWriter().bytes(chance.bytes(9))));
  sent.push(message(SERVER.SERVER_TICK_END, new ByteWriter()));
  return sent;
}
