/**
 * Player info as the client reads it: one observer's stream, with everything that the client remembers between two
 * packets. Its passes are written from docs/protocols/osrs-player-info.md alone. Constants and the layouts of mask blocks
 * and initialisation are the engine's too; `testing/second-client.ts`, which reads every packet of the engine's tests, has
 * none of them.
 *
 * ```ts
 * const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
 * const init = new Uint8Array(INIT_BYTES);
 * init.set(parseHex("0c80 3254"), 0); // 2 bits level, 14 bits x, 14 bits z, and everybody else at quarter 0
 * decoder.init(init, 499);
 * decoder.player(499).x; // => 3200
 * decoder.player(499).z; // => 3221
 * const update = decoder.decode(parseHex("af 7f f4")); // runs to the north-east; 2046 others are skipped
 * decoder.player(499).x; // => 3202
 * update.passBits; // => [8, 0, 0, 14]
 * update.moves[0].type; // => "run"
 * decoder.decode(parseHex("80")); // throws bad-value: Cannot read player 499: the observer itself is removed at bit 4
 * ```
 */
import {
  ByteReader,
  decode,
  type Infer,
  type JsonObject,
  parseHex,
  Tracer,
  traceInto,
} from "../../../../wire/index.ts";
import { checkState } from "../../../world-kit/state/check.ts";
import { number, plainData, type StateOf, state, text } from "../../../world-kit/state/describe.ts";
import { ClientMemory, savedClientMemory } from "./client-memory.ts";
import { type CheckedState, checkClientState, type PlayerInfoState, revisionJson } from "./client-state.ts";
import { checkIndex, MAX_PACKET_BYTES, PLAYER_SLOTS } from "./constants.ts";
import { type PlayerInfoDialect, playerInfoDialect } from "./dialect.ts";
import { INIT_BYTES, initialPacket } from "./initial-packet.ts";
import { applyMasks, crashesOf, readBlocks, readMasks } from "./mask-reader.ts";
import { type MaskRevision, noMasks } from "./masks/mask-revision.ts";
import { PacketCursor } from "./packet-cursor.ts";
import { PassReader } from "./pass-reader.ts";
import { PlayerInfoError } from "./player-info-error.ts";
import type { ClientPlayer, FinePosition, PlayerInfoUpdate } from "./player-info-update.ts";
import { rememberedState } from "./remembered-state.ts";

/** Mask of a quarter's coordinates in the initialisation. */
export const QUARTER_MASK = 255;
/**
 * QUIRK: up to revision 224 the client masks with 597, which is 0x255 written for 255. Harmless while quarters are 0 or
 * 1, which are all that a world of 16,384 tiles has.
 */
export const OLD_QUARTER_MASK = 597;

export interface PlayerInfoDecoderOptions {
  /** `client` or `documented`: see `playerInfoDialects`. There is no default: bytes of one dialect cannot be read in the other. */
  readonly dialect: string;
  /** Default {@link noMasks}. */
  readonly revision?: MaskRevision;
  /** Default {@link QUARTER_MASK}. */
  readonly initQuarterMask?: typeof QUARTER_MASK | typeof OLD_QUARTER_MASK;
}

/** Whether a packet is one of a revision. */
export interface RevisionFit {
  readonly revision: MaskRevision;
  /** Why and where its masks cannot be read; undefined where they can. */
  readonly error: PlayerInfoError | undefined;
}

/** What `PlayerInfoDecoder.save` returns. */
export const savedDecoder = state({
  // The options, so that no other decoder takes it.
  dialect: text,
  revision: plainData<string | JsonObject>(),
  initQuarterMask: number,
  memory: savedClientMemory,
});
export type SavedDecoder = StateOf<typeof savedDecoder>;

/**
 * Reads one observer's player info. A packet is read whole or refused with {@link PlayerInfoError}, and a refused
 * packet changes nothing.
 */
export class PlayerInfoDecoder {
  readonly dialect: PlayerInfoDialect;
  readonly revision: MaskRevision;
  /** Tiles of local players, by index. Read only. Those of others are their last ones in view. */
  readonly x: Int32Array;
  readonly z: Int32Array;
  readonly level: Int8Array;
  /** Map quarters as the client packs them (level << 28 | x << 14 | z), by index; of local players outdated. */
  readonly quarters: Int32Array;
  /** Activity flags, by index: 1 when the player was skipped by the last packet. */
  readonly flags: Uint8Array;
  /** 1 for local players, by index. */
  readonly local: Uint8Array;

  /**
   * Returns where the observer is drawn now, in units; called when a packet moves it. `PlayerInfoPlayback` sets it. Without
   * it, or when it returns undefined, the observer counts as drawn in the middle of its tile.
   */
  drawnAt: (() => FinePosition | undefined) | undefined;

  readonly #memory = new ClientMemory();
  readonly #quarterMask: number;

  constructor(options: PlayerInfoDecoderOptions) {
    this.dialect = playerInfoDialect(options.dialect);
    this.revision = options.revision ?? noMasks;
    this.#quarterMask = options.initQuarterMask ?? QUARTER_MASK;
    const { x, z, level, quarters, flags, local } = this.#memory;
    this.x = x;
    this.z = z;
    this.level = level;
    this.quarters = quarters;
    this.flags = flags;
    this.local = local;
  }

  /**
   * A decoder in the middle of a stream, with the client state that the server sends in place of all packets before.
   * Throws `WireError` that names the wrong field.
   */
  static fromState(state: JsonObject): PlayerInfoDecoder {
    const checked = checkClientState(state);
    const decoder = new PlayerInfoDecoder({ dialect: checked.state.dialect, revision: checked.revision });
    decoder.#take(checked);
    return decoder;
  }

  #take({ state, skipped }: CheckedState): void {
    const { index: localIndex, players, quarters, masks, scene } = state;
    const memory = this.#memory;
    memory.localIndex = localIndex;
    memory.interacting.fill(-1);
    memory.keptInteracting.fill(-1);
    for (const [index, level, x, z] of players) {
      memory.level[index] = level;
      memory.x[index] = x;
      memory.z[index] = z;
      memory.appear(index, 0, -1);
    }
    for (const [index, quarter] of quarters) memory.quarters[index] = quarter;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      memory.flags[index] = ((skipped[index >> 3] as number) >> (index & 7)) & 1;
    }
    for (const [index, hex] of masks) {
      const bytes = parseHex(hex);
      const blocks = readBlocks(new ByteReader(bytes), this.revision, new PacketCursor(bytes));
      applyMasks([{ index, blocks }], [], memory);
      if (memory.local[index] === 0) memory.keptInteracting[index] = memory.interacting[index] as number;
    }
    memory.rebuildLists();
    if (scene === undefined) memory.loadScene();
    else this.loadScene(...scene);
  }

  /** The observer; 0 before the initialisation. */
  get localIndex(): number {
    return this.#memory.localIndex;
  }

  /** Indices of the players in view, ascending. Valid until the next packet. */
  get locals(): Uint16Array {
    return this.#memory.locals;
  }

  /** The south-west tile of the part of the map that the client has loaded. */
  get scene(): { readonly x: number; readonly z: number } {
    return { x: this.#memory.sceneX, z: this.#memory.sceneZ };
  }

  /**
   * Sets the part of the map that the client has loaded, by its south-west tile. Without that it loads one around the
   * observer whenever the observer comes within two zones of the edge, as the game does.
   */
  loadScene(x: number, z: number): void {
    this.#memory.sceneX = x;
    this.#memory.sceneZ = z;
  }

  /** A player in view, or undefined. */
  player(index: number): ClientPlayer | undefined {
    const { local, level, x, z, interacting, speed, appearances } = this.#memory;
    if (local[index] !== 1) return undefined;
    return {
      index,
      level: level[index] as number,
      x: x[index] as number,
      z: z[index] as number,
      orientation: this.#memory.facing(index),
      interacting: interacting[index] as number,
      speed: speed[index] as number,
      appearance: appearances[index],
    };
  }

  /** The appearance that the client has for an index, of whichever player; undefined when it never had one. */
  appearanceOf(index: number): Uint8Array | undefined {
    return this.#memory.appearances[index];
  }

  /**
   * The initialisation, which comes with the login and after a reconnect. Appearances and move speeds that the client
   * has are kept. Throws {@link PlayerInfoError} unless it has exactly 4,608 bytes, `RangeError` for a wrong index.
   */
  init(bytes: Uint8Array, localIndex: number, tracer?: Tracer): void {
    checkIndex(localIndex);
    if (bytes.length !== INIT_BYTES) {
      const short = bytes.length < INIT_BYTES;
      const why = `${INIT_BYTES} bytes needed, ${bytes.length} given`;
      throw new PlayerInfoError(short ? "truncated" : "trailing", `Cannot read initialisation: ${why}`, 0, { pass: 0 });
    }
    const { level, x, z, quarters } =
      tracer === undefined ? decode(initialPacket, bytes) : traceInitialPacket(bytes, localIndex, tracer);
    const memory = this.#memory;
    memory.localIndex = localIndex;
    memory.flags.fill(0);
    memory.local.fill(0);
    memory.setLevel(localIndex, level);
    memory.x[localIndex] = x;
    memory.z[localIndex] = z;
    memory.appear(localIndex, 0, -1);
    quarters.forEach((packed, at) => {
      const index = slotOfQuarter(at, localIndex);
      // Masked as one number, as the client does: only so the wrong mask shows.
      const quarterX = (packed >> 8) & this.#quarterMask;
      const quarterZ = packed & this.#quarterMask;
      memory.quarters[index] = (quarterX << 14) + quarterZ + ((packed >> 16) << 28);
      memory.keptOrientation[index] = 0;
      memory.keptInteracting[index] = -1;
    });
    memory.rebuildLists();
    memory.loadScene();
  }

  /**
   * Reads one packet. Throws {@link PlayerInfoError} for anything that is not exactly one packet for the state that the
   * client is in; everything is then as before. `revision`: that of this packet's masks, when it is another than the decoder's.
   */
  decode(packet: Uint8Array, tracer?: Tracer, revision: MaskRevision = this.revision): PlayerInfoUpdate {
    const cursor = new PacketCursor(packet, tracer);
    const memory = this.#memory;
    this.#checkPacket(packet, cursor);
    memory.begin();
    try {
      const passes = new PassReader(memory, cursor, this.dialect, this.drawnAt);
      const passBits = passes.readAll();
      cursor.stage = 5;
      const { masks, unread } = readMasks(packet, passes.pending, revision, cursor);
      // From here on nothing can be refused any more.
      const { added, removed, moves } = passes;
      const wouldCrash = crashesOf(masks, revision, memory);
      applyMasks(masks, moves, memory);
      memory.finish();
      const maskBits = packet.length * 8 - cursor.bits.byteOffset * 8;
      const changes = { passBits, maskBits, added, removed, moves, masks, wouldCrash };
      return unread === undefined ? changes : { ...changes, unread };
    } catch (error) {
      memory.undo();
      throw cursor.located(error);
    }
  }

  #checkPacket(packet: Uint8Array, cursor: PacketCursor): void {
    if (this.#memory.localIndex === 0) throw cursor.error("bad-state", "no initialisation came before it");
    if (packet.length <= MAX_PACKET_BYTES) return;
    throw cursor.error("limit", `${packet.length} bytes over the limit of ${MAX_PACKET_BYTES}`);
  }

  /**
   * Which of these revisions could have written a packet: each with the error of its masks, or undefined where they are read
   * to the last byte. Nothing changes. Throws {@link PlayerInfoError} when the passes cannot be read, which are the same in
   * all revisions.
   */
  fits(packet: Uint8Array, revisions: readonly MaskRevision[]): readonly RevisionFit[] {
    const cursor = new PacketCursor(packet);
    const memory = this.#memory;
    this.#checkPacket(packet, cursor);
    memory.begin();
    try {
      const passes = new PassReader(memory, cursor, this.dialect, this.drawnAt);
      passes.readAll();
      cursor.stage = 5;
      return revisions.map((revision) => {
        try {
          readMasks(packet, passes.pending, revision, cursor);
          return { revision, error: undefined };
        } catch (error) {
          const located = cursor.located(error);
          if (located instanceof PlayerInfoError) return { revision, error: located };
          throw error;
        } finally {
          cursor.index = undefined;
        }
      });
    } catch (error) {
      throw cursor.located(error);
    } finally {
      memory.undo();
    }
  }

  /**
   * What the client knows now, for {@link PlayerInfoDecoder.fromState}. Throws `RangeError` before the initialisation. It
   * leaves out what a state never has, and mask blocks whose values no client can use.
   */
  clientState(): PlayerInfoState {
    if (this.#memory.localIndex === 0) throw new RangeError("There is no state: no initialisation has come");
    return rememberedState(this.#memory, this.dialect.name, this.revision);
  }

  /** Everything that decides how later packets are read. `drawnAt` belongs to a playback and is not in it. */
  save(): SavedDecoder {
    return {
      dialect: this.dialect.name,
      revision: revisionJson(this.revision),
      initQuarterMask: this.#quarterMask,
      memory: this.#memory.save(),
    };
  }

  /**
   * Goes on as the saved decoder would. Throws `RangeError` for a decoder with other options, `TypeError` or `RangeError`
   * for malformed data: then nothing has changed.
   */
  restore(data: SavedDecoder): void {
    const revision = revisionJson(this.revision);
    const saved = checkState(savedDecoder, data, "decoder");
    const options = { dialect: this.dialect.name, revision, initQuarterMask: this.#quarterMask };
    for (const [name, expected] of Object.entries(options)) {
      const [is, own] = [saved[name as keyof typeof options], expected].map((value) => String(JSON.stringify(value)));
      if (is !== own) throw new RangeError(`Cannot restore: decoder.${name} ${is}, expected ${own}`);
    }
    this.#memory.restore(saved.memory, "decoder.memory");
  }
}

/** The slot whose quarter is at an index of the initialisation. */
function slotOfQuarter(at: number, localIndex: number): number {
  return at + 1 < localIndex ? at + 1 : at + 2;
}

/** The fields of an initialisation under the names of the players they belong to. */
function traceInitialPacket(bytes: Uint8Array, localIndex: number, tracer: Tracer): Infer<typeof initialPacket> {
  const inner = new Tracer();
  const value = traceInto(initialPacket, new ByteReader(bytes), inner, `player[${localIndex}]`);
  let at = 0;
  for (const { path, bitOffset, bitLength, raw, shown } of inner.fields) {
    if (path.endsWith("]")) {
      const player = `player[${slotOfQuarter(at++, localIndex)}]`;
      tracer.field(`${player}.quarter`, bitOffset, bitLength, raw, showQuarter(Number(raw)));
    } else {
      tracer.field(path.endsWith(".padding") ? "padding" : path, bitOffset, bitLength, raw, shown);
    }
  }
  return value;
}

const showQuarter = (raw: number): string => `level ${raw >> 16}, ${(raw >> 8) & 0xff}, ${raw & 0xff}`;
