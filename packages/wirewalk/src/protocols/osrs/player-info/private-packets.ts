/**
 * Packets of player info without names, chat and looks: their mask blocks are written anew where they hold some. The passes stay byte
 * for byte, so that a decoder has every player at the same place.
 */
import { ByteReader, WireError } from "../../../wire/index.ts";
import type { ScrubSetup } from "../../privacy.ts";
import type { OsrsServerMessage } from "../wire/message.ts";
import { PlayerInfoClient } from "./wire/client.ts";
import { playerInfoDialectIn } from "./wire/dialect.ts";
import { readFlags } from "./wire/mask-reader.ts";
import {
  type Appearance,
  appearanceFormOf,
  plainLook,
  readAppearance,
  writeAppearance,
} from "./wire/masks/appearance.ts";
import { ByteArena, readBlock, writeBlock } from "./wire/masks/mask-codec.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "./wire/masks/mask-revision.ts";
import type { PlayerInfoUpdate } from "./wire/player-info-update.ts";
import { outfits } from "./world/outfits.ts";

/** In place of what was said. */
const SOME_TEXT = "(chat)";
/** Compressed text of no characters. */
const NO_TEXT = new Uint8Array(1);
/** Blocks about movement, targets, animations and hits. A block with another name is not known to be free of personal data. */
const harmlessBlocks: ReadonlySet<string> = new Set([
  "moveSpeed",
  "temporaryMoveSpeed",
  "exactMove",
  "faceEntity",
  "faceAngle",
  "facing",
  "sequence",
  "spotAnimation",
  "spotAnimations",
  "oldSpotAnimations",
  "oldSpotAnimationCount",
  "hits",
  "hitmarks",
  "headBars",
  "tinting",
  "transparency",
  "freeze",
  "reset",
]);

export interface PrivatePacketsOptions extends ScrubSetup {
  readonly revision: MaskRevision;
}

/** The packets of one observer. */
export class PrivatePackets {
  readonly #options: PrivatePacketsOptions;
  readonly #client: PlayerInfoClient;

  constructor(options: PrivatePacketsOptions) {
    this.#options = options;
    this.#client = new PlayerInfoClient({
      dialect: playerInfoDialectIn(options.dialect),
      revision: options.revision,
    });
  }

  /** Takes a message that later packets depend on: the observer's index, an initialisation. */
  receive(message: OsrsServerMessage): void {
    try {
      this.#client.receive(message);
    } catch (error) {
      // Other readers refuse the message too, and cannot read the packets after it either.
      if (!(error instanceof WireError)) throw error;
    }
  }

  /**
   * The bytes of a packet without personal data; the same array where there is none. A packet that cannot be read becomes an empty one,
   * which every reader refuses too. Throws `RangeError` for masks of a revision whose blocks are not known.
   */
  packet(bytes: Uint8Array): Uint8Array {
    let update: PlayerInfoUpdate | undefined;
    try {
      update = this.#client.receive({ message: "playerInfo", value: { bytes } });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
    if (update === undefined) return new Uint8Array(0);
    if (update.unread !== undefined) {
      const { name } = this.#options.revision;
      throw new RangeError(
        `Cannot give pseudonyms: the mask blocks of revision ${name} are not known, so names and chat in player info cannot be found`,
      );
    }
    return update.masks.length === 0 ? bytes : this.#masks(bytes, update);
  }

  #masks(packet: Uint8Array, { masks, maskBits }: PlayerInfoUpdate): Uint8Array {
    const { revision } = this.#options;
    const reader = new ByteReader(packet, packet.length - maskBits / 8);
    const out = new ByteArena(packet.length);
    let copied = 0;
    for (const { index } of masks) {
      const flags = readFlags(reader, revision);
      for (const block of revision.blocks) {
        if ((flags & block.flag) === 0) continue;
        const from = reader.offset;
        const fields = this.#block(index, block, readBlock(block, reader));
        if (fields === undefined) continue;
        out.append(packet, copied, from - copied);
        writeBlock(block, fields, out);
        copied = reader.offset;
      }
    }
    if (copied === 0) return packet;
    out.append(packet, copied, packet.length - copied);
    return out.toBytes();
  }

  /** The fields in place of a block's; undefined where they stay. Chat is replaced whoever wrote it: it may name others. */
  #block(index: number, { name, node }: MaskBlock, fields: MaskFields): MaskFields | undefined {
    switch (name) {
      case "say":
        return { ...fields, text: SOME_TEXT };
      case "publicChat":
      case "oldPublicChat":
        return { ...fields, icon: 0, text: NO_TEXT };
      case "nameExtras":
        return this.#isKept(index) ? undefined : { beforeName: "", afterName: "", afterLevel: "" };
      case "appearance":
        return this.#isKept(index) ? undefined : { data: this.#appearance(index, fields.data as Uint8Array) };
      default:
        if (harmlessBlocks.has(name) || node.fields.length === 0) return undefined;
        throw new RangeError(`Cannot give pseudonyms: what mask block "${name}" holds is not known`);
    }
  }

  #isKept(index: number): boolean {
    return this.#options.whose === "others" && index === this.#client.decoder.localIndex;
  }

  #appearance(index: number, bytes: Uint8Array): Uint8Array {
    const { revision, pseudonyms } = this.#options;
    const form = appearanceFormOf(revision);
    if (form === undefined) {
      throw new RangeError(
        `Cannot give pseudonyms: the bytes of an appearance of revision ${revision.name} are not known`,
      );
    }
    let look: Appearance | undefined;
    try {
      look = readAppearance(bytes, form);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
    const { gender, animations, combatLevel, hidden } = look ?? plainLook;
    const [man, woman] = outfits;
    const clothes = gender === 1 ? woman : man;
    // A name that cannot be read is the player's number, with a letter that no name begins with.
    const name = pseudonyms.of(look?.name ?? `#${index}`);
    return writeAppearance({ ...plainLook, ...clothes, gender, animations, combatLevel, hidden, name }, form);
  }
}
