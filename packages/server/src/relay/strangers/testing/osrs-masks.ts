/**
 * Some mask blocks of revision 239: order and flags from blurite/rsprot, `PlayerAvatarExtendedInfoDesktopWriter`, layouts from the encoders
 * beside it.
 */
import { type BitReader, ByteWriter } from "./osrs-bytes.ts";
import type { Deed } from "./osrs-world.ts";

const SAY = 0x4;
const MORE = 0x8;
const APPEARANCE = 0x20;
const SEQUENCE = 0x40;
const MOVE_SPEED = 0x400;
const EVEN_MORE = 0x800;
const TEMPORARY_SPEED = 0x1000;

/** A temporary speed that shows no walk between two tiles. */
const TELEPORT = 127;

interface Masked {
  readonly index: number;
  /** The observer has no appearance of it yet. */
  readonly isNew: boolean;
  readonly deed: Deed;
}

export function writeMasks({ index, isNew, deed: { isTeleport, say, sequence, speed } }: Masked): Buffer {
  // A client that reads what somebody says takes the name from an appearance that it has.
  const isSaid = say !== undefined && !isNew;
  let flags = isSaid ? SAY : 0;
  if (isNew) flags |= APPEARANCE;
  if (sequence !== undefined) flags |= SEQUENCE;
  if (speed !== undefined) flags |= MOVE_SPEED;
  if (isTeleport) flags |= TEMPORARY_SPEED;
  if (flags > 0xff) flags |= MORE;
  const bytes = new ByteWriter().u8(flags);
  if ((flags & MORE) !== 0) bytes.u8(flags >> 8);
  if (speed !== undefined) bytes.u8Alt2(speed);
  if (isSaid) bytes.text(say);
  if (sequence !== undefined) bytes.u16Alt2(sequence).u8(0);
  if (isTeleport) bytes.u8(TELEPORT);
  if (isNew) {
    const looks = writeAppearance(index);
    bytes.u8Alt3(looks.length).bytes(looks.map((byte) => byte + 128));
  }
  return bytes.done();
}

/** What a client keeps of the blocks of one player. */
export interface MasksRead {
  readonly name?: string;
  readonly say?: string;
  readonly speed?: number;
}

/** Throws at a block that `writeMasks` does not write. */
export function readMasks(bytes: BitReader): MasksRead {
  let flags = bytes.u8();
  if ((flags & MORE) !== 0) flags |= bytes.u8() << 8;
  const known = SAY | MORE | APPEARANCE | SEQUENCE | MOVE_SPEED | TEMPORARY_SPEED;
  if ((flags & (~known | EVEN_MORE)) !== 0) throw new Error(`Mask blocks 0x${flags.toString(16)}`);
  const read: { name?: string; say?: string; speed?: number } = {};
  if ((flags & MOVE_SPEED) !== 0) read.speed = -bytes.u8() & 255;
  if ((flags & SAY) !== 0) read.say = bytes.text();
  if ((flags & SEQUENCE) !== 0) bytes.bytes(3);
  if ((flags & TEMPORARY_SPEED) !== 0 && bytes.u8() !== TELEPORT)
    throw new Error("A temporary speed that is no teleport");
  if ((flags & APPEARANCE) !== 0) {
    const looks = Buffer.from(bytes.bytes((128 - bytes.u8()) & 255).map((byte) => byte - 128));
    read.name = looks.subarray(NAME_AT, looks.indexOf(0, NAME_AT)).toString("latin1");
  }
  return read;
}

/** Where the name begins in an appearance as it is written here: nothing worn, nothing under it, five colours, seven animations. */
const NAME_AT = 3 + 12 + 12 + 5 + 14;

function writeAppearance(index: number): Buffer {
  const bytes = new ByteWriter().u8(0).u8(-1).u8(-1);
  bytes.bytes(new Array(12).fill(0)).bytes(new Array(12).fill(0)).bytes([1, 2, 3, 4, 5]);
  for (let animation = 808; animation < 815; animation++) bytes.u16(animation);
  bytes
    .text(`player ${index}`)
    .u8(3 + (index % 100))
    .u16(0)
    .u8(0)
    .u16(0);
  return bytes.text("").text("").text("").u8(0).done();
}
