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
  BitReader,
  ByteReader,
  decode,
  formatHex,
  type Infer,
  type JsonObject,
  parseHex,
  Tracer,
  WireError,
  withPath,
} from "../../../../wire/index.ts";
import { type CheckedState, checkState } from "./client-state.ts";
import {
  checkIndex,
  MAX_PACKET_BYTES,
  middleOf,
  PLAYER_SLOTS,
  QUARTER_TILES,
  runX,
  runZ,
  SCENE_MARGIN_TILES,
  SCENE_TILES,
  STOP_SPEED,
  UNITS_PER_TILE,
  WORLD_TILES,
  walkX,
  walkZ,
} from "./constants.ts";
import { type PlayerInfoDialect, playerInfoDialect } from "./dialect.ts";
import { INIT_BYTES, initialPacket } from "./initial-packet.ts";
import { blockLayout } from "./masks/block-layout.ts";
import { type MaskBlock, type MaskFields, type MaskRevision, noMasks } from "./masks/mask-revision.ts";
import { PlayerInfoError, type PlayerInfoStage } from "./player-info-error.ts";
import { leavesScene, sceneAround } from "./scene.ts";

/** What the bits of a quarter's coordinate in the initialisation are masked with. */
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

/** The mask blocks of one player in one packet, by name. */
export type MaskBlocks = Readonly<Record<string, MaskFields>>;

/** How one player moved in one packet, as the client plays it. */
export interface PlayerMove {
  readonly index: number;
  readonly type: "walk" | "run" | "near" | "far";
  /** Where the player is now. */
  readonly level: number;
  readonly x: number;
  readonly z: number;
  /** `path`: goes there with `speed`. `stop`: is there at once, and its path is empty. */
  readonly arrival: "path" | "stop";
  /** Of the temporary move speed, or else of the kept one: -1 and 0 crawl, 1 walk, 2 run. */
  readonly speed: number;
}

/** What one packet brought. Lists are in the order of the packet. */
export interface PlayerInfoUpdate {
  /** Bits of each pass, without what aligns it. */
  readonly passBits: readonly [number, number, number, number];
  /** Bits of all masks. */
  readonly maskBits: number;
  /** Who came into view. A player who was removed and added again in this packet is in both lists. */
  readonly added: readonly number[];
  readonly removed: readonly number[];
  readonly moves: readonly PlayerMove[];
  readonly masks: readonly PlayerMasks[];
}

/** The masks of one player. */
export interface PlayerMasks {
  readonly index: number;
  readonly blocks: MaskBlocks;
}

/** A local player as the client has it. */
export interface ClientPlayer {
  readonly index: number;
  readonly level: number;
  readonly x: number;
  readonly z: number;
  /** The last facing that the stream implies, 0..2047: 0 south, 512 west, 1024 north, 1536 east. */
  readonly orientation: number;
  /** What the player looks at: an NPC's index, 32768 + a player's, or -1. */
  readonly interacting: number;
  /** The kept move speed. */
  readonly speed: number;
  readonly appearance: Uint8Array | undefined;
}

/** An absolute position in units: 128 a tile. */
export interface FinePosition {
  readonly x: number;
  readonly z: number;
}

/** A movement that waits for the player's masks: they say how fast it is. */
interface HeldMove {
  index: number;
  type: PlayerMove["type"];
  level: number;
  x: number;
  z: number;
  arrival: PlayerMove["arrival"];
  speed: number;
}

/** Units at each side of the loaded map in which the observer is moved by teleports: 1536. */
const EDGE_UNITS = SCENE_MARGIN_TILES * UNITS_PER_TILE;

const ROWS_32 = 5;
const ROWS_16 = 3;
const ROWS_8 = 4;

/**
 * Reads one observer's player info. A packet is read whole or refused with {@link PlayerInfoError}, and a refused
 * packet changes nothing.
 */
export class PlayerInfoDecoder {
  readonly dialect: PlayerInfoDialect;
  readonly revision: MaskRevision;
  /** Tiles of local players, by index. To be read only; those of others are what they were when they were removed. */
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
   * Says where the observer is drawn now, in units: asked when a packet moves it. `PlayerInfoPlayback` sets it. Without it,
   * or while it gives undefined, the observer is taken to be drawn in the middle of its tile.
   */
  drawnAt: (() => FinePosition | undefined) | undefined;

  readonly #interacting: Int32Array;
  readonly #keptInteracting: Int32Array;
  readonly #orientation: Int16Array;
  /** A face angle that is taken up once the player has arrived; -1 none. */
  readonly #arrivingOrientation: Int16Array;
  readonly #keptOrientation: Int16Array;
  readonly #speed: Int8Array;
  readonly #appearances: (Uint8Array | undefined)[] = new Array(PLAYER_SLOTS).fill(undefined);
  readonly #quarterMask: number;

  // One memory for all that a packet changes, so that a refused packet is undone by one copy (3 microseconds).
  readonly #memory = new Uint8Array(PLAYER_SLOTS * (ROWS_32 * 4 + ROWS_16 * 2 + ROWS_8));
  readonly #backup = new Uint8Array(this.#memory.length);

  readonly #locals = new Uint16Array(PLAYER_SLOTS);
  readonly #externals = new Uint16Array(PLAYER_SLOTS);
  #localCount = 0;
  #externalCount = 0;
  #localIndex = 0;
  #sceneX = 0;
  #sceneZ = 0;

  // Of the packet being read.
  #bits = new BitReader(new Uint8Array(0));
  #stage: PlayerInfoStage = 0;
  #index: number | undefined;
  #tracer: Tracer | undefined;
  #pending: number[] = [];
  #added: number[] = [];
  #removed: number[] = [];
  #moves: HeldMove[] = [];

  constructor(options: PlayerInfoDecoderOptions) {
    this.dialect = playerInfoDialect(options.dialect);
    this.revision = options.revision ?? noMasks;
    this.#quarterMask = options.initQuarterMask ?? QUARTER_MASK;
    let at = 0;
    const take = (bytesPerSlot: number): [ArrayBuffer, number, number] => {
      const start = at;
      at += bytesPerSlot * PLAYER_SLOTS;
      return [this.#memory.buffer, start, PLAYER_SLOTS];
    };
    this.x = new Int32Array(...take(4));
    this.z = new Int32Array(...take(4));
    this.quarters = new Int32Array(...take(4));
    this.#interacting = new Int32Array(...take(4));
    this.#keptInteracting = new Int32Array(...take(4));
    this.#orientation = new Int16Array(...take(2));
    this.#arrivingOrientation = new Int16Array(...take(2));
    this.#keptOrientation = new Int16Array(...take(2));
    this.level = new Int8Array(...take(1));
    this.flags = new Uint8Array(...take(1));
    this.local = new Uint8Array(...take(1));
    this.#speed = new Int8Array(...take(1));
  }

  /**
   * A reader in the middle of a stream: what the server says that the client knows (`PlayerInfoState`), in place of
   * all that came before. Throws `WireError` that names what is wrong with it.
   */
  static restore(state: JsonObject): PlayerInfoDecoder {
    const checked = checkState(state);
    const decoder = new PlayerInfoDecoder({ dialect: checked.state.dialect, revision: checked.revision });
    decoder.#restore(checked);
    return decoder;
  }

  #restore({ state, skipped }: CheckedState): void {
    const { index: localIndex, players, quarters, masks, scene } = state;
    this.#localIndex = localIndex;
    this.#interacting.fill(-1);
    this.#keptInteracting.fill(-1);
    for (const [index, level, x, z] of players) {
      this.level[index] = level;
      this.x[index] = x;
      this.z[index] = z;
      this.#appear(index, 0, -1);
    }
    for (const [index, quarter] of quarters) this.quarters[index] = quarter;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      this.flags[index] = ((skipped[index >> 3] as number) >> (index & 7)) & 1;
    }
    this.#stage = 5;
    for (const [index, hex] of masks) {
      this.#index = index;
      this.#applyMasks([{ index, blocks: this.#readBlocks(new ByteReader(parseHex(hex))) }]);
      if (this.local[index] === 0) this.#keptInteracting[index] = this.#interacting[index] as number;
    }
    this.#rebuildLists();
    if (scene === undefined) this.#loadScene();
    else this.loadScene(...scene);
  }

  /** The observer; 0 before the initialisation. */
  get localIndex(): number {
    return this.#localIndex;
  }

  /** Indices of the players in view, ascending. Valid until the next packet. */
  get locals(): Uint16Array {
    return this.#locals.subarray(0, this.#localCount);
  }

  /** The south-west tile of the part of the map that the client has loaded. */
  get scene(): { readonly x: number; readonly z: number } {
    return { x: this.#sceneX, z: this.#sceneZ };
  }

  /**
   * Says what part of the map the client has loaded, by its south-west tile. Without that it loads one around the
   * observer whenever that comes within two zones of the edge, as the game does.
   */
  loadScene(x: number, z: number): void {
    this.#sceneX = x;
    this.#sceneZ = z;
  }

  /** A player in view, or undefined. */
  player(index: number): ClientPlayer | undefined {
    if (this.local[index] !== 1) return undefined;
    const arriving = this.#arrivingOrientation[index] as number;
    return {
      index,
      level: this.level[index] as number,
      x: this.x[index] as number,
      z: this.z[index] as number,
      orientation: arriving === -1 ? (this.#orientation[index] as number) : arriving,
      interacting: this.#interacting[index] as number,
      speed: this.#speed[index] as number,
      appearance: this.#appearances[index],
    };
  }

  /** The appearance that the client has for an index, whoever it belongs to; undefined when it never had one. */
  appearanceOf(index: number): Uint8Array | undefined {
    return this.#appearances[index];
  }

  /**
   * The initialisation, which comes with the login and after a reconnect. Appearances and move speeds that the client
   * has are kept. Throws {@link PlayerInfoError} unless it has exactly 4,608 bytes, `RangeError` for a wrong index.
   */
  init(bytes: Uint8Array, localIndex: number, tracer?: Tracer): void {
    checkIndex(localIndex);
    this.#begin(bytes, tracer);
    if (bytes.length !== INIT_BYTES) {
      const short = bytes.length < INIT_BYTES;
      const why = `${INIT_BYTES} bytes needed, ${bytes.length} given`;
      throw new PlayerInfoError(short ? "truncated" : "trailing", `Cannot read initialisation: ${why}`, 0, { pass: 0 });
    }
    const { level, x, z, quarters } =
      tracer === undefined ? decode(initialPacket, bytes) : traceInitialPacket(bytes, localIndex, tracer);
    this.#localIndex = localIndex;
    this.flags.fill(0);
    this.local.fill(0);
    this.#level(localIndex, level);
    this.x[localIndex] = x;
    this.z[localIndex] = z;
    this.#appear(localIndex, 0, -1);
    quarters.forEach((packed, at) => {
      const index = slotOfQuarter(at, localIndex);
      // Masked as one number, as the client does: only so the wrong mask shows.
      const quarterX = (packed >> 8) & this.#quarterMask;
      const quarterZ = packed & this.#quarterMask;
      this.quarters[index] = (quarterX << 14) + quarterZ + ((packed >> 16) << 28);
      this.#keptOrientation[index] = 0;
      this.#keptInteracting[index] = -1;
    });
    this.#rebuildLists();
    this.#loadScene();
  }

  /**
   * Reads one packet. Throws {@link PlayerInfoError} for anything that is not exactly one packet for the state that the
   * client is in; everything is then as before.
   */
  decode(packet: Uint8Array, tracer?: Tracer): PlayerInfoUpdate {
    this.#begin(packet, tracer);
    if (this.#localIndex === 0) throw this.#error("bad-state", "no initialisation came before it");
    if (packet.length > MAX_PACKET_BYTES) {
      throw this.#error("limit", `${packet.length} bytes over the limit of ${MAX_PACKET_BYTES}`);
    }
    this.#backup.set(this.#memory);
    try {
      const passBits = this.#readPasses();
      this.#stage = 5;
      const masks = this.#readMasks(packet);
      // From here on nothing can be refused any more.
      this.#applyMasks(masks);
      this.#finish();
      const maskBits = packet.length * 8 - this.#bits.byteOffset * 8;
      return { passBits, maskBits, added: this.#added, removed: this.#removed, moves: this.#moves, masks };
    } catch (error) {
      this.#memory.set(this.#backup);
      throw this.#located(error);
    }
  }

  #begin(bytes: Uint8Array, tracer: Tracer | undefined): void {
    this.#bits = new BitReader(bytes);
    this.#tracer = tracer;
    this.#stage = 0;
    this.#index = undefined;
    this.#pending = [];
    this.#added = [];
    this.#removed = [];
    this.#moves = [];
  }

  #readPasses(): [number, number, number, number] {
    const passBits: [number, number, number, number] = [0, 0, 0, 0];
    for (const pass of [1, 2, 3, 4] as const) {
      this.#stage = pass;
      const start = this.#bits.bitOffset;
      const locals = pass <= 2;
      const list = locals ? this.#locals : this.#externals;
      this.#readPass(
        list,
        locals ? this.#localCount : this.#externalCount,
        this.dialect.passFlags[pass - 1] as 0 | 1,
        locals,
      );
      passBits[pass - 1] = this.#bits.bitOffset - start;
      if (this.dialect.alignsPasses || pass === 4) this.#align();
    }
    return passBits;
  }

  /** One pass over the players of a list, as it stood when the packet began, whose activity flag is the pass's. */
  #readPass(list: Uint16Array, count: number, flag: 0 | 1, locals: boolean): void {
    const { flags } = this;
    let toSkip = 0;
    for (let at = 0; at < count; at++) {
      const index = list[at] as number;
      if (((flags[index] as number) & 1) !== flag) continue;
      if (toSkip > 0) {
        toSkip--;
        flags[index] = (flags[index] as number) | 2;
        continue;
      }
      this.#index = index;
      if (this.#read(1, "update") === 0) {
        toSkip = this.#readSkip();
        flags[index] = (flags[index] as number) | 2;
      } else if (locals) {
        this.#readLocal(index);
      } else {
        this.#readExternal(index, this.#read(2, "type", externalTypes), this.#addedFlag);
      }
    }
    this.#index = undefined;
    if (toSkip > 0) throw this.#error("bad-length", `a skip goes ${toSkip} players past the end of the pass`);
  }

  /** How many players after the present one are skipped too. */
  #readSkip(): number {
    switch (this.#read(2, "skip.size")) {
      case 0:
        return 0;
      case 1:
        return this.#read(5, "skip.count");
      case 2:
        return this.#read(8, "skip.count");
      default:
        return this.#read(11, "skip.count");
    }
  }

  get #addedFlag(): 0 | 2 {
    return this.dialect.flagsAdded ? 2 : 0;
  }

  #readLocal(index: number): void {
    const hasMask = this.#read(1, "mask") === 1;
    if (hasMask) this.#pending.push(index);
    const { x, z } = this;
    switch (this.#read(2, "type", localTypes)) {
      case 0:
        // With a mask: no movement.
        if (!hasMask) this.#remove(index);
        return;
      case 1: {
        const direction = this.#read(3, "walk", walkNames);
        const dx = walkX[direction] as number;
        const dz = walkZ[direction] as number;
        this.#move(index, "walk", 0, (x[index] as number) + dx, (z[index] as number) + dz, hasMask);
        return;
      }
      case 2: {
        const direction = this.#read(4, "run");
        const dx = runX[direction] as number;
        const dz = runZ[direction] as number;
        this.#move(index, "run", 0, (x[index] as number) + dx, (z[index] as number) + dz, hasMask);
        return;
      }
      default:
        this.#readTeleport(index, hasMask);
    }
  }

  #readTeleport(index: number, hasMask: boolean): void {
    const { x, z } = this;
    if (this.#read(1, "far") === 0) {
      const level = this.#read(2, "near.level");
      const dx = this.#readSigned(5, "near.x");
      const dz = this.#readSigned(5, "near.z");
      this.#move(index, "near", level, (x[index] as number) + dx, (z[index] as number) + dz, hasMask);
      return;
    }
    const level = this.#read(2, "far.level");
    const toX = ((x[index] as number) + this.#read(14, "far.x")) & (WORLD_TILES - 1);
    const toZ = ((z[index] as number) + this.#read(14, "far.z")) & (WORLD_TILES - 1);
    this.#move(index, "far", level, toX, toZ, hasMask);
  }

  #move(index: number, type: PlayerMove["type"], levels: number, x: number, z: number, hasMask: boolean): void {
    if (x < 0 || z < 0 || x >= WORLD_TILES || z >= WORLD_TILES) {
      throw this.#error("bad-value", `the player leaves the world, to ${x}, ${z}`);
    }
    const atEdge = index === this.#localIndex && this.#isAtSceneEdge();
    // Levels only change by teleports, whose position is set first (standard 5.5).
    this.#level(index, (this.level[index] as number) + levels);
    const facing = orientationOf(x - (this.x[index] as number), z - (this.z[index] as number));
    if (facing !== undefined) this.#orientation[index] = facing;
    this.#arrivingOrientation[index] = -1;
    this.x[index] = x;
    this.z[index] = z;
    // With a mask pending the movement waits for it, unless at the edge of the loaded map: there it is a teleport.
    const arrival = atEdge ? "stop" : "path";
    const speed = atEdge || hasMask ? 0 : (this.#speed[index] as number);
    this.#moves.push({ index, type, level: this.level[index] as number, x, z, arrival, speed });
  }

  #level(index: number, level: number): void {
    this.level[index] = level & 3;
  }

  #remove(index: number): void {
    if (index === this.#localIndex) throw this.#error("bad-value", "the observer itself is removed");
    const level = this.level[index] as number;
    this.quarters[index] =
      (level << 28) + (((this.x[index] as number) >> 13) << 14) + ((this.z[index] as number) >> 13);
    const arriving = this.#arrivingOrientation[index] as number;
    this.#keptOrientation[index] = arriving === -1 ? (this.#orientation[index] as number) : arriving;
    this.#keptInteracting[index] = this.#interacting[index] as number;
    this.local[index] = 0;
    this.#removed.push(index);
    // The update that may follow is read like any external's. One that adds leaves the flag alone.
    if (this.#read(1, "quarterFollows") === 1) this.#readExternal(index, this.#read(2, "type", externalTypes), 0);
  }

  #readExternal(index: number, type: number, addedFlag: 0 | 2): void {
    if (type !== 0) {
      this.#readQuarter(index, type);
      return;
    }
    if (this.#read(1, "quarterFirst") === 1) {
      const nested = this.#read(2, "quarter.type", externalTypes);
      // An add within an add would add the player twice, which ends the client: refused before it is read, so nothing
      // here goes deeper than this.
      if (nested === 0) throw this.#error("bad-value", "an add is nested in an add");
      this.#readQuarter(index, nested);
    }
    const quarter = this.quarters[index] as number;
    const x = ((quarter >> 14) & 0xff) * QUARTER_TILES + this.#read(13, "x");
    const z = (quarter & 0xff) * QUARTER_TILES + this.#read(13, "z");
    const hasMask = this.#read(1, "mask") === 1;
    if (x >= WORLD_TILES || z >= WORLD_TILES) {
      throw this.#error("bad-value", `the player is added outside of the world, at ${x}, ${z}`);
    }
    if (hasMask) this.#pending.push(index);
    this.#level(index, quarter >> 28);
    this.x[index] = x;
    this.z[index] = z;
    this.#appear(index, this.#keptOrientation[index] as number, this.#keptInteracting[index] as number);
    this.#added.push(index);
    this.flags[index] = (this.flags[index] as number) | addedFlag;
  }

  #appear(index: number, orientation: number, interacting: number): void {
    this.local[index] = 1;
    this.#orientation[index] = orientation;
    this.#arrivingOrientation[index] = -1;
    this.#interacting[index] = interacting;
  }

  #readQuarter(index: number, type: number): void {
    const quarter = this.quarters[index] as number;
    const level = ((quarter >> 28) + this.#read(2, "quarter.level")) & 3;
    let x = (quarter >> 14) & 0xff;
    let z = quarter & 0xff;
    if (type === 2) {
      const direction = this.#read(3, "quarter.direction", walkNames);
      // QUIRK: the client does not keep these two sums within 8 bits. Nobody is ever added out there: that is refused.
      x += walkX[direction] as number;
      z += walkZ[direction] as number;
    } else if (type === 3) {
      x = (x + this.#read(8, "quarter.x")) & 0xff;
      z = (z + this.#read(8, "quarter.z")) & 0xff;
    }
    this.quarters[index] = (x << 14) + z + (level << 28);
  }

  #readMasks(packet: Uint8Array): PlayerMasks[] {
    const reader = new ByteReader(packet, this.#bits.byteOffset);
    const masks = this.#pending.map((index): PlayerMasks => {
      this.#index = index;
      return { index, blocks: this.#readBlocks(reader) };
    });
    this.#index = undefined;
    if (reader.remaining > 0) {
      const why = `${reader.remaining} bytes left after the last player at byte ${reader.offset}`;
      throw new PlayerInfoError("trailing", `Cannot read player info: ${why}`, reader.offset * 8, { pass: 5 });
    }
    return masks;
  }

  #readBlocks(reader: ByteReader): MaskBlocks {
    const start = reader.offset;
    const [second = 0, third = 0] = this.revision.extensions;
    let flags = reader.u8();
    if ((flags & second) !== 0) flags |= reader.u8() << 8;
    if ((flags & third) !== 0) flags |= reader.u8() << 16;
    const present = this.revision.blocks.filter(({ flag }) => (flags & flag) !== 0);
    this.#traceFlags(reader, start, present);
    const blocks: Record<string, MaskFields> = {};
    for (const block of present) {
      const layout = blockLayout(block);
      try {
        blocks[block.name] =
          this.#tracer === undefined ? layout.read(reader) : layout.trace(reader, this.#tracer, this.#path(block.name));
      } catch (error) {
        throw withPath(error, block.name);
      }
    }
    const unread = present.reduce((left, { flag }) => left & ~flag, flags & ~second & ~third);
    if (unread !== 0) {
      const why = `revision ${this.revision.name} has no block for 0x${unread.toString(16)} at byte ${start}`;
      throw new WireError("unknown-variant", `Cannot read flags: ${why}`, start * 8, "flags");
    }
    return blocks;
  }

  #applyMasks(masks: readonly PlayerMasks[]): void {
    if (masks.length === 0) return;
    const moves = new Map(this.#moves.map((move) => [move.index, move]));
    for (const { index, blocks } of masks) {
      const { moveSpeed, temporaryMoveSpeed, faceEntity, faceAngle, appearance } = blocks;
      if (moveSpeed !== undefined) this.#speed[index] = moveSpeed.speed as number;
      if (faceEntity !== undefined) {
        const target = faceEntity.target as number;
        this.#interacting[index] = target === 0xffff ? -1 : target;
      }
      if (faceAngle !== undefined) this.#arrivingOrientation[index] = faceAngle.angle as number;
      if (appearance !== undefined) {
        const [bytes] = Object.values(appearance);
        this.#appearances[index] = bytes as Uint8Array;
      }
      const move = moves.get(index);
      if (move === undefined || move.arrival === "stop") continue;
      const temporary = temporaryMoveSpeed === undefined ? -1 : (temporaryMoveSpeed.speed as number);
      if (temporary === STOP_SPEED) move.arrival = "stop";
      move.speed = temporary === -1 ? (this.#speed[index] as number) : temporary;
    }
  }

  /** What the client does after the four passes: shifts every flag and makes the lists anew. */
  #finish(): void {
    const { flags } = this;
    for (let index = 1; index < PLAYER_SLOTS; index++) flags[index] = (flags[index] as number) >> 1;
    this.#rebuildLists();
    const x = this.x[this.#localIndex] as number;
    const z = this.z[this.#localIndex] as number;
    if (leavesScene(x, this.#sceneX) || leavesScene(z, this.#sceneZ)) this.#loadScene();
  }

  #rebuildLists(): void {
    this.#localCount = 0;
    this.#externalCount = 0;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (this.local[index] === 1) this.#locals[this.#localCount++] = index;
      else this.#externals[this.#externalCount++] = index;
    }
  }

  /** Loads the part of the map around the observer. */
  #loadScene(): void {
    this.#sceneX = sceneAround(this.x[this.#localIndex] as number);
    this.#sceneZ = sceneAround(this.z[this.#localIndex] as number);
  }

  /**
   * Whether the observer is drawn at the edge of the loaded map. The document compares `player.x` and `player.z`, which are
   * the drawn position in units: inside are 1536 to 11775, tiles 12 to 91 of the 104.
   */
  #isAtSceneEdge(): boolean {
    const index = this.#localIndex;
    const { x, z } = this.drawnAt?.() ?? { x: middleOf(this.x[index] as number), z: middleOf(this.z[index] as number) };
    return !(isInside(x - this.#sceneX * UNITS_PER_TILE) && isInside(z - this.#sceneZ * UNITS_PER_TILE));
  }

  #read(width: number, field: string, shown?: (raw: number) => string): number {
    const value = this.#bits.read(width);
    this.#tracer?.field(this.#path(field), this.#bits.bitOffset - width, width, value, shown?.(value));
    return value;
  }

  #readSigned(width: number, field: string): number {
    const value = this.#bits.readSigned(width);
    this.#tracer?.field(this.#path(field), this.#bits.bitOffset - width, width, value);
    return value;
  }

  /** The client ignores the bits that align. */
  #align(): void {
    const from = this.#bits.bitOffset;
    const value = this.#bits.align();
    const width = this.#bits.bitOffset - from;
    if (width > 0) this.#tracer?.field(this.#path("padding"), from, width, value, "ignored");
  }

  #traceFlags(reader: ByteReader, start: number, blocks: readonly MaskBlock[]): void {
    if (this.#tracer === undefined) return;
    const hex = formatHex(reader.region(start, reader.offset), { separator: "" });
    const names = blocks.map(({ name }) => name).join(", ");
    this.#tracer.field(this.#path("flags"), start * 8, (reader.offset - start) * 8, hex, names || "none");
  }

  #path(field: string): string {
    if (this.#stage === 0) return field;
    const stage = this.#stage === 5 ? "masks" : `pass${this.#stage}`;
    return this.#index === undefined ? `${stage}.${field}` : `${stage}.player[${this.#index}].${field}`;
  }

  #error(code: WireError["code"], why: string): PlayerInfoError {
    const bit = this.#bits.bitOffset;
    const what = this.#index === undefined ? "player info" : `player ${this.#index}`;
    const message = `Cannot read ${what}: ${why} at bit ${bit}`;
    return new PlayerInfoError(code, message, bit, { pass: this.#stage, index: this.#index });
  }

  #located(error: unknown): unknown {
    if (!(error instanceof WireError) || error instanceof PlayerInfoError) return error;
    const { code, message, bitOffset, path } = error;
    return new PlayerInfoError(code, message, bitOffset, { pass: this.#stage, index: this.#index, path });
  }
}

/** Whether a coordinate of the loaded map, in units, is not at its edge. */
function isInside(units: number): boolean {
  return units >= EDGE_UNITS && units < SCENE_TILES * UNITS_PER_TILE - EDGE_UNITS;
}

/** Whose quarter stands at a place of the initialisation. */
function slotOfQuarter(at: number, localIndex: number): number {
  return at + 1 < localIndex ? at + 1 : at + 2;
}

/** The fields of an initialisation under the names of the players they belong to. */
function traceInitialPacket(bytes: Uint8Array, localIndex: number, tracer: Tracer): Infer<typeof initialPacket> {
  const inner = new Tracer();
  const value = initialPacket.trace(new ByteReader(bytes), inner, `player[${localIndex}]`);
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

const walkNames = (raw: number): string =>
  ["south-west", "south", "south-east", "west", "east", "north-west", "north", "north-east"][raw] as string;
const localTypes = (raw: number): string => ["no movement or removed", "walk", "run", "teleport"][raw] as string;
const externalTypes = (raw: number): string =>
  ["add", "quarter: level", "quarter: small step", "quarter: any step"][raw] as string;
const showQuarter = (raw: number): string => `level ${raw >> 16}, ${(raw >> 8) & 0xff}, ${raw & 0xff}`;

/** Where a player looks who goes that way: 0 south, 512 west, 1024 north, 1536 east; undefined when it stands. */
export function orientationOf(dx: number, dz: number): number | undefined {
  if (dx === 0 && dz === 0) return undefined;
  if (dx === 0) return dz < 0 ? 0 : 1024;
  if (dx < 0) return dz < 0 ? 256 : dz === 0 ? 512 : 768;
  return dz > 0 ? 1280 : dz === 0 ? 1536 : 1792;
}
