/** The masks of one packet (standard 6), and what they do to a client's memory (6.5). */
import { ByteReader, formatHex, type Tracer, WireError, withPath } from "../../../../wire/index.ts";
import type { ClientMemory } from "./client-memory.ts";
import { STOP_SPEED } from "./constants.ts";
import { unmetNeed } from "./masks/client-needs.ts";
import { readBlock, traceBlock } from "./masks/mask-codec.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "./masks/mask-revision.ts";
import type { PacketCursor } from "./packet-cursor.ts";
import type { HeldMove } from "./pass-reader.ts";
import { PlayerInfoError } from "./player-info-error.ts";
import type { ClientCrash, MaskBlocks, PlayerInfoUpdate, PlayerMasks } from "./player-info-update.ts";

/** The masks of a packet, as an update has them. */
type PacketMasks = Pick<PlayerInfoUpdate, "masks" | "unread">;

/** Reads the masks of the pending players, to the last byte of the packet. Throws `WireError`. */
export function readMasks(
  packet: Uint8Array,
  pending: readonly number[],
  revision: MaskRevision,
  cursor: PacketCursor,
): PacketMasks {
  const reader = new ByteReader(packet, cursor.bits.byteOffset);
  if (revision.unread === true && pending.length > 0) return countMasks(reader, pending, cursor);
  const masks = pending.map((index): PlayerMasks => {
    cursor.index = index;
    return { index, blocks: readBlocks(reader, revision, cursor) };
  });
  cursor.index = undefined;
  if (reader.remaining > 0) {
    const why = `${reader.remaining} bytes left after the last player at byte ${reader.offset}`;
    throw new PlayerInfoError("trailing", `Cannot read player info: ${why}`, reader.offset * 8, { pass: 5 });
  }
  return { masks };
}

/** Leaves the masks unread. Throws `WireError` where there are fewer bytes than players, since each has a byte of flags. */
function countMasks(reader: ByteReader, pending: readonly number[], cursor: PacketCursor): PacketMasks {
  const { offset, remaining: bytes } = reader;
  if (bytes < pending.length) {
    const why = `${bytes} bytes at byte ${offset} for the masks of ${pending.length} players`;
    throw new PlayerInfoError("truncated", `Cannot read masks: ${why}`, offset * 8, { pass: 5 });
  }
  const hex = formatHex(reader.bytes(bytes), { separator: "" });
  cursor.tracer?.field(cursor.path("unread"), offset * 8, bytes * 8, hex, `of ${pending.join(", ")}`);
  return { masks: pending.map((index) => ({ index, blocks: {} })), unread: { players: pending, bytes } };
}

/** Reads the flags of one player, with their extension bits. Throws `WireError`. */
export function readFlags(reader: ByteReader, { extensions }: MaskRevision): number {
  const [second = 0, third = 0] = extensions;
  try {
    let flags = reader.u8();
    if ((flags & second) !== 0) flags |= reader.u8() << 8;
    if ((flags & third) !== 0) flags |= reader.u8() << 16;
    return flags;
  } catch (error) {
    throw withPath(error, "flags");
  }
}

/** Reads the flags and blocks of one player. Throws `WireError`. */
export function readBlocks(reader: ByteReader, revision: MaskRevision, cursor: PacketCursor): MaskBlocks {
  const start = reader.offset;
  const [second = 0, third = 0] = revision.extensions;
  const flags = readFlags(reader, revision);
  const present = revision.blocks.filter(({ flag }) => (flags & flag) !== 0);
  if (cursor.tracer !== undefined) traceFlags(reader, { start, present, revision }, cursor, cursor.tracer);
  const blocks: Record<string, MaskFields> = {};
  for (const block of present) {
    const { tracer } = cursor;
    try {
      blocks[block.name] =
        tracer === undefined ? readBlock(block, reader) : traceBlock(block, reader, tracer, cursor.path(block.name));
    } catch (error) {
      throw withPath(error, block.name);
    }
  }
  const unread = present.reduce((left, { flag }) => left & ~flag, flags & ~second & ~third);
  if (unread !== 0) {
    const why = `revision ${revision.name} has no block for 0x${unread.toString(16)} at byte ${start}`;
    throw new WireError("unknown-variant", `Cannot read flags: ${why}`, start * 8, "flags");
  }
  return blocks;
}

function traceFlags(
  reader: ByteReader,
  {
    start,
    present,
    revision,
  }: { readonly start: number; readonly present: readonly MaskBlock[]; readonly revision: MaskRevision },
  cursor: PacketCursor,
  tracer: Tracer,
): void {
  const hex = formatHex(reader.region(start, reader.offset), { separator: "" });
  const names = present.map(({ name }) => name).join(", ");
  tracer.field(cursor.path("flags"), start * 8, (reader.offset - start) * 8, hex, names || "none");
  const [second = 0, third = 0] = revision.extensions;
  const known = [...revision.blocks, { name: "secondByte", flag: second }, { name: "thirdByte", flag: third }];
  const bits = known.flatMap(({ name, flag }) => {
    const bit = 31 - Math.clz32(flag);
    const byte = start + (bit >> 3);
    return flag === 0 || byte >= reader.offset ? [] : [{ name, bitOffset: byte * 8 + 7 - (bit & 7) }];
  });
  tracer.nameBits(bits.sort((a, b) => a.bitOffset - b.bitOffset));
}

const noCrash: readonly ClientCrash[] = Object.freeze([]);

/** What the client could not survive, before the masks are applied. */
export function crashesOf(
  masks: readonly PlayerMasks[],
  revision: MaskRevision,
  { appearances, localIndex }: ClientMemory,
): readonly ClientCrash[] {
  let found: ClientCrash[] | undefined;
  for (const { index, blocks } of masks) {
    for (const block of revision.blocks) {
      const fields = blocks[block.name];
      if (fields === undefined) continue;
      const unmet = unmetNeed(block, fields);
      if (unmet !== undefined) {
        found ??= [];
        found.push({ index, path: `${block.name}.${unmet.field}`, reason: unmet.why });
      }
      if (block.needs !== "appearance" || appearances[index] !== undefined) continue;
      // Blocks of one packet are read in the revision's order, so an appearance in the same packet may come too late.
      const isEarlier = revision.blocks.findIndex(({ name }) => name === block.needs) < revision.blocks.indexOf(block);
      if (isEarlier && blocks[block.needs] !== undefined) continue;
      const [text] = Object.values(fields);
      if (index !== localIndex && !String(text).startsWith("~")) continue;
      const reason = "the client takes the name from the appearance, which it does not have";
      found ??= [];
      found.push({ index, path: block.name, reason });
    }
  }
  return found ?? noCrash;
}

/** A target of 16 bits, or of 24 with its high ones in a field of their own; all bits set are no target. */
function targetOf({ target, targetHigh }: MaskFields): number {
  if (targetHigh === undefined) return target === 0xffff ? -1 : (target as number);
  const whole = (targetHigh as number) * 0x1_0000 + (target as number);
  return whole === 0xff_ffff ? -1 : whole;
}

/** What a `facing` block faces, bits 3 to 5 of its flags (standard 6.8). */
export const facingKinds = { entity: 0, angle: 2, reset: 3 } as const;
export const FACING_NPC = 1;
export const FACING_PLAYER = 2;
/** Targets from here on are players. */
export const PLAYER_TARGETS = 0x1_0000;

/** A place that is faced is carried only: the decoder knows no places. */
function applyFacing(facing: MaskFields, index: number, memory: ClientMemory): void {
  const kind = ((facing.flags as number) >> 3) & 7;
  if (kind === facingKinds.angle) memory.arrivingOrientation[index] = facing.angle as number;
  if (kind === facingKinds.reset) memory.interacting[index] = -1;
  if (kind !== facingKinds.entity) return;
  const target = facing.index as number;
  const isKnown = target >= 0 && (facing.entityType === FACING_NPC || facing.entityType === FACING_PLAYER);
  memory.interacting[index] = isKnown ? target + (facing.entityType === FACING_PLAYER ? PLAYER_TARGETS : 0) : -1;
}

type Remember = (fields: MaskFields, index: number, memory: ClientMemory) => void;

const rememberers: Readonly<Record<string, Remember>> = {
  moveSpeed(fields, index, memory) {
    memory.speed[index] = fields.speed as number;
  },
  faceEntity(fields, index, memory) {
    memory.interacting[index] = targetOf(fields);
  },
  facing: applyFacing,
  faceAngle(fields, index, memory) {
    memory.arrivingOrientation[index] = fields.angle as number;
  },
  appearance(fields, index, memory) {
    const [bytes] = Object.values(fields);
    memory.appearances[index] = bytes as Uint8Array;
  },
};

/** What a client remembers of a block, by its name. A map, since revisions of users name blocks as they like. */
const remembered: ReadonlyMap<string, Remember> = new Map(Object.entries(rememberers));

/** Takes speeds, targets, orientations and appearances from the blocks; movements that waited for them get their speed. */
export function applyMasks(masks: readonly PlayerMasks[], held: readonly HeldMove[], memory: ClientMemory): void {
  if (masks.length === 0) return;
  const moves = new Map(held.map((move) => [move.index, move]));
  for (const { index, blocks } of masks) {
    const { temporaryMoveSpeed } = blocks;
    // In the order in which the client reads them: of two blocks about one thing the last counts, as in revision 238, which has both facing and
    // faceEntity.
    for (const [name, fields] of Object.entries(blocks)) remembered.get(name)?.(fields, index, memory);
    const move = moves.get(index);
    if (move === undefined || move.arrival === "stop") continue;
    const temporary = temporaryMoveSpeed === undefined ? -1 : (temporaryMoveSpeed.speed as number);
    if (temporary === STOP_SPEED) move.arrival = "stop";
    move.speed = temporary === -1 ? (memory.speed[index] as number) : temporary;
  }
}
