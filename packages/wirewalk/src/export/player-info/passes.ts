/**
 * Player info of a revision as a codec in another language: its mask blocks are printed from their descriptions as messages are, the
 * passes around them are written by hand, once for each language.
 *
 * @module
 */
import type { LanguageSource, SourceFile } from "../../compile/language.ts";
import type { TypedDialect, TypedMessage } from "../../compile/typed/program.ts";
import type { PlayerInfoDialect } from "../../protocols/osrs/player-info/wire/dialect.ts";
import { ByteArena, writeBlock } from "../../protocols/osrs/player-info/wire/masks/mask-codec.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "../../protocols/osrs/player-info/wire/masks/mask-revision.ts";
import { type DialectNode, u8 } from "../../wire/index.ts";

/** What is printed: the blocks of a revision as the messages of a dialect, and how the passes go. */
export interface PlayerInfoSource extends LanguageSource {
  readonly revision: MaskRevision;
  readonly passes: PlayerInfoDialect;
}

/** A language that has the passes. */
export interface PassesLanguage {
  /** Names that no type may have, beside those of the language. */
  readonly reserved: readonly string[];
  /** Decoder, encoder and mask blocks in one file. */
  codec(source: PlayerInfoSource): SourceFile;
  /** A test of the codec that runs by itself. */
  test(source: PlayerInfoSource, vectors: readonly PassesVector[]): SourceFile;
  /** The program of the proof: see `tools/proof/README.md`. */
  driver(source: PlayerInfoSource): SourceFile;
}

/** A packet for a client after its initialisation, and what comes of it. */
export interface PassesVector {
  /** The client's index and tile at the initialisation. */
  readonly index: number;
  readonly x: number;
  readonly z: number;
  readonly packets: readonly PacketVector[];
}

export interface PacketVector {
  readonly packet: Uint8Array;
  /** The observer's tile after it, or the refusal. */
  readonly outcome:
    | { readonly level: number; readonly x: number; readonly z: number }
    | {
        readonly code: string;
        readonly path: string;
        readonly bitOffset: number;
        readonly pass: number;
        readonly index: number;
      };
}

/** The mask blocks of a revision as a dialect: each is a message whose number is its place in the client's order. */
export function blocksNode(revision: MaskRevision): DialectNode {
  return {
    dialect: revision.name,
    idName: "ordinal",
    id: u8.node,
    messages: revision.blocks.map(({ name, node }, id) => ({
      sender: "server",
      id,
      message: name,
      node,
      summary: `mask block ${name}`,
    })),
  };
}

/** How long a value lasts; the first: no longer than its tick. */
export const keepings: readonly (MaskBlock["kept"] | undefined)[] = [undefined, "index", "player", "standing"];

/** A block as a message with a type, and what the passes know of it. */
export interface PassesBlock extends MaskBlock {
  readonly ordinal: number;
  readonly message: TypedMessage;
  /** The bytes of its initial value. */
  readonly initialBytes: Uint8Array | undefined;
  /** The place of the block that it needs; -1 where it needs none. */
  readonly needed: number;
}

/** The blocks in their order. */
export function blocksOf({ revision, dialect }: PlayerInfoSource): readonly PassesBlock[] {
  return revision.blocks.map((block, ordinal) => ({
    ...block,
    ordinal,
    message: messageOf(dialect, ordinal),
    initialBytes: block.initial === undefined ? undefined : bytesOf(block, block.initial),
    needed: block.needs === undefined ? -1 : revision.blocks.findIndex(({ name }) => name === block.needs),
  }));
}

function messageOf({ messages }: TypedDialect, ordinal: number): TypedMessage {
  const message = messages.find(({ id }) => id === ordinal);
  if (message === undefined) throw new Error("Cannot happen: a message for each block");
  return message;
}

/** The place of the block that keeps a client from walking a player who teleports, and its bytes; -1 without one. */
export function stopOf({ revision: { blocks } }: PlayerInfoSource): {
  readonly ordinal: number;
  readonly bytes: Uint8Array;
} {
  const ordinal = blocks.findIndex(({ name }) => name === "temporaryMoveSpeed");
  const block = blocks[ordinal];
  return { ordinal, bytes: block === undefined ? new Uint8Array() : bytesOf(block, { speed: 127 }) };
}

function bytesOf(block: MaskBlock, fields: MaskFields): Uint8Array {
  const bytes = new ByteArena(16);
  writeBlock(block, fields, bytes);
  return bytes.toBytes();
}
