/**
 * The state of a client as its own memory has it: where a decoder has read the stream, instead of an engine that wrote it.
 * Mask blocks are made anew from what they left behind, so a block that the reader only carries is not in it.
 */
import { formatHex } from "../../../../wire/index.ts";
import type { ClientMemory } from "./client-memory.ts";
import { type PlayerInfoState, revisionJson } from "./client-state.ts";
import { PLAYER_SLOTS } from "./constants.ts";
import { FACING_NPC, FACING_PLAYER, facingKinds, PLAYER_TARGETS } from "./mask-reader.ts";
import { ByteArena, writeBlock, writeFlags } from "./masks/mask-codec.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "./masks/mask-revision.ts";

/** See `PlayerInfoDecoder.clientState`. */
export function rememberedState(memory: ClientMemory, dialect: string, revision: MaskRevision): PlayerInfoState {
  const { local, level, x, z, quarters: packed, flags, localIndex: index, sceneX, sceneZ } = memory;
  const skipped = new Uint8Array(PLAYER_SLOTS / 8);
  const players: (readonly [number, number, number, number])[] = [];
  const quarters: (readonly [number, number])[] = [];
  const masks: (readonly [number, string])[] = [];
  for (let slot = 1; slot < PLAYER_SLOTS; slot++) {
    skipped[slot >> 3] = (skipped[slot >> 3] as number) | ((flags[slot] as number) << (slot & 7));
    const quarter = packed[slot] as number;
    if (local[slot] === 1) players.push([slot, level[slot] as number, x[slot] as number, z[slot] as number]);
    else if (quarter !== 0) quarters.push([slot, quarter]);
    const blocks = rememberedBlocks(memory, slot, revision);
    if (blocks !== undefined) masks.push([slot, blocks]);
  }
  return {
    dialect,
    revision: revisionJson(revision),
    index,
    players,
    quarters,
    skipped: formatHex(skipped, { separator: "" }),
    masks,
    scene: [sceneX, sceneZ],
  };
}

/** Flags and blocks as they stand in a packet, as hex; undefined where there are none. */
function rememberedBlocks(memory: ClientMemory, slot: number, revision: MaskRevision): string | undefined {
  const bytes = new ByteArena();
  let flags = 0;
  for (const block of revision.blocks) {
    const fields = rememberedFields(memory, slot, block);
    if (fields === undefined) continue;
    try {
      writeBlock(block, fields, bytes);
      flags |= block.flag;
    } catch (error) {
      // No client can use the value, or the revision has more fields in this block than a client keeps.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    }
  }
  if (flags === 0) return undefined;
  const whole = new ByteArena();
  writeFlags(revision, flags, whole);
  whole.append(bytes.bytes, 0, bytes.length);
  return formatHex(whole.toBytes(), { separator: "" });
}

/** The fields that would bring a client to what this one remembers; undefined where it needs none. */
function rememberedFields(memory: ClientMemory, slot: number, { name, node }: MaskBlock): MaskFields | undefined {
  const isLocal = memory.local[slot] === 1;
  // The orientation of players out of view is kept too, but no block brings it back.
  const target = (isLocal ? memory.interacting[slot] : memory.keptInteracting[slot]) as number;
  const angle = isLocal ? memory.facing(slot) : 0;
  const [first] = node.fields;
  switch (name) {
    case "moveSpeed":
      return memory.speed[slot] === 0 ? undefined : { speed: memory.speed[slot] as number };
    case "faceEntity":
      return target === -1 ? undefined : targetFields(target, node.fields.length > 1);
    case "faceAngle":
      return angle === 0 ? undefined : { angle };
    case "facing":
      return target === -1 ? angleFacing(angle) : targetFacing(target);
    case "appearance": {
      const data = memory.appearances[slot];
      return data === undefined || first === undefined ? undefined : { [first.name]: data };
    }
    default:
      return undefined;
  }
}

/** Of `faceEntity`: the reverse of how the reader takes its target. */
function targetFields(target: number, isWide: boolean): MaskFields {
  return isWide ? { target: target % PLAYER_TARGETS, targetHigh: Math.floor(target / PLAYER_TARGETS) } : { target };
}

function angleFacing(angle: number): MaskFields | undefined {
  return angle === 0 ? undefined : { flags: facingKinds.angle << 3, angle };
}

function targetFacing(target: number): MaskFields {
  const isPlayer = target >= PLAYER_TARGETS;
  return {
    flags: facingKinds.entity << 3,
    entityType: isPlayer ? FACING_PLAYER : FACING_NPC,
    index: isPlayer ? target - PLAYER_TARGETS : target,
    fallbackAngle: 0,
  };
}
