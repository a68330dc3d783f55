/** Everything that a client of player info remembers between two packets, by slot. */
import { integer } from "../../../../wire/index.ts";
import { checkState } from "../../../world-kit/state/check.ts";
import { copyState } from "../../../world-kit/state/copy.ts";
import { bytes, list, number, type StateOf, state, tuple, typedArray } from "../../../world-kit/state/describe.ts";
import { MAX_PLAYER_INDEX, PLAYER_SLOTS, WORLD_TILES } from "./constants.ts";
import { leavesScene, sceneAround } from "./scene.ts";

const ROWS_32 = 5;
const ROWS_16 = 3;
const ROWS_8 = 4;

const MEMORY_BYTES = PLAYER_SLOTS * (ROWS_32 * 4 + ROWS_16 * 2 + ROWS_8);
/** The memory before the packet that is being read. One for all clients: a packet is read in one call. */
const backup = new Uint8Array(MEMORY_BYTES);

/** The arrays are one memory, so that a refused packet is undone by one copy (3 microseconds). */
export class ClientMemory {
  /** The observer; 0 before the initialisation. */
  localIndex = 0;
  /** South-west tile of the part of the map that is loaded. */
  sceneX = 0;
  sceneZ = 0;
  readonly x: Int32Array;
  readonly z: Int32Array;
  /** Map quarters as the client packs them; of local players outdated. */
  readonly quarters: Int32Array;
  readonly interacting: Int32Array;
  /** The target of players that went out of view. */
  readonly keptInteracting: Int32Array;
  readonly orientation: Int16Array;
  /** A face angle that applies once the player has arrived; -1: none. */
  readonly arrivingOrientation: Int16Array;
  readonly keptOrientation: Int16Array;
  readonly level: Int8Array;
  readonly flags: Uint8Array;
  readonly local: Uint8Array;
  readonly speed: Int8Array;
  readonly appearances: (Uint8Array | undefined)[] = new Array(PLAYER_SLOTS).fill(undefined);

  readonly #memory = new Uint8Array(MEMORY_BYTES);
  readonly #locals = new Uint16Array(PLAYER_SLOTS);
  readonly #externals = new Uint16Array(PLAYER_SLOTS);
  #localCount = 0;
  #externalCount = 0;
  /** Somebody came into view or went out of it since the lists were made. */
  #viewChanged = true;
  /** The flags, four in a word. */
  readonly #flagWords: Uint32Array;

  constructor() {
    let at = 0;
    const take = (bytesPerSlot: number): [ArrayBuffer, number, number] => {
      const start = at;
      at += bytesPerSlot * PLAYER_SLOTS;
      return [this.#memory.buffer, start, PLAYER_SLOTS];
    };
    this.x = new Int32Array(...take(4));
    this.z = new Int32Array(...take(4));
    this.quarters = new Int32Array(...take(4));
    this.interacting = new Int32Array(...take(4));
    this.keptInteracting = new Int32Array(...take(4));
    this.orientation = new Int16Array(...take(2));
    this.arrivingOrientation = new Int16Array(...take(2));
    this.keptOrientation = new Int16Array(...take(2));
    this.level = new Int8Array(...take(1));
    this.flags = new Uint8Array(...take(1));
    this.local = new Uint8Array(...take(1));
    this.#flagWords = new Uint32Array(this.flags.buffer, this.flags.byteOffset, PLAYER_SLOTS / 4);
    this.speed = new Int8Array(...take(1));
  }

  /** Players in view, ascending, as of the last packet. */
  get locals(): Uint16Array {
    return this.#locals.subarray(0, this.#localCount);
  }

  /** All other slots. */
  get externals(): Uint16Array {
    return this.#externals.subarray(0, this.#externalCount);
  }

  /** Before a packet. Until `finish` or `undo` no other client may begin. */
  begin(): void {
    backup.set(this.#memory);
  }

  /** The packet is refused: everything is as before it. */
  undo(): void {
    this.#memory.set(backup);
  }

  setLevel(index: number, level: number): void {
    this.level[index] = level & 3;
  }

  /** A player's orientation once it has arrived. */
  facing(index: number): number {
    const arriving = this.arrivingOrientation[index] as number;
    return arriving === -1 ? (this.orientation[index] as number) : arriving;
  }

  appear(index: number, orientation: number, interacting: number): void {
    this.local[index] = 1;
    this.#viewChanged = true;
    this.orientation[index] = orientation;
    this.arrivingOrientation[index] = -1;
    this.interacting[index] = interacting;
  }

  /** A player goes out of view: the client keeps its map quarter, facing and target. */
  remove(index: number): void {
    const level = this.level[index] as number;
    const [x, z] = [this.x[index] as number, this.z[index] as number];
    this.quarters[index] = (level << 28) + ((x >> 13) << 14) + (z >> 13);
    this.keptOrientation[index] = this.facing(index);
    this.keptInteracting[index] = this.interacting[index] as number;
    this.local[index] = 0;
    this.#viewChanged = true;
  }

  /** The end of a packet: every flag shifts by one, and the lists are made anew (standard 5.11). */
  finish(): void {
    const flags = this.#flagWords;
    for (let at = 0; at < flags.length; at++) flags[at] = ((flags[at] as number) >>> 1) & 0x7f7f7f7f;
    if (this.#viewChanged) this.rebuildLists();
    const x = this.x[this.localIndex] as number;
    const z = this.z[this.localIndex] as number;
    if (leavesScene(x, this.sceneX) || leavesScene(z, this.sceneZ)) this.loadScene();
  }

  rebuildLists(): void {
    this.#viewChanged = false;
    this.#localCount = 0;
    this.#externalCount = 0;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (this.local[index] === 1) this.#locals[this.#localCount++] = index;
      else this.#externals[this.#externalCount++] = index;
    }
  }

  /** Loads the part of the map around the observer. */
  loadScene(): void {
    this.sceneX = sceneAround(this.x[this.localIndex] as number);
    this.sceneZ = sceneAround(this.z[this.localIndex] as number);
  }

  save(): SavedClientMemory {
    const appearances = this.appearances.flatMap((worn, index) => (worn === undefined ? [] : [[index, worn] as const]));
    return copyState(savedClientMemory, { ...this, appearances });
  }

  /** Throws `TypeError` or `RangeError` for malformed data: then nothing has changed. */
  restore(data: unknown, where: string): void {
    const saved = checkState(savedClientMemory, data, where);
    checkValues(saved, where);
    for (const name of arrayNames) this[name].set(saved[name]);
    this.appearances.fill(undefined);
    for (const [index, bytes] of saved.appearances) this.appearances[index] = bytes.slice();
    this.localIndex = saved.localIndex;
    this.sceneX = saved.sceneX;
    this.sceneZ = saved.sceneZ;
    this.rebuildLists();
  }
}

const words = typedArray("Int32Array", PLAYER_SLOTS);
const halves = typedArray("Int16Array", PLAYER_SLOTS);
const signedBytes = typedArray("Int8Array", PLAYER_SLOTS);
const bits = typedArray("Uint8Array", PLAYER_SLOTS);
const arrays = {
  x: words,
  z: words,
  quarters: words,
  interacting: words,
  keptInteracting: words,
  orientation: halves,
  arrivingOrientation: halves,
  keptOrientation: halves,
  level: signedBytes,
  flags: bits,
  local: bits,
  speed: signedBytes,
};
const arrayNames = Object.keys(arrays) as (keyof typeof arrays)[];

/** What `ClientMemory.save` returns: arrays by slot, and the appearance of those who have one, by index. */
export const savedClientMemory = state({
  localIndex: number,
  sceneX: number,
  sceneZ: number,
  ...arrays,
  appearances: list(tuple(integer({ bits: 16, min: 1, max: MAX_PLAYER_INDEX }), bytes)),
});
type SavedClientMemory = StateOf<typeof savedClientMemory>;

function checkValues(saved: SavedClientMemory, where: string): void {
  const { localIndex, sceneX, sceneZ, x, z, level, flags, local } = saved;
  const isBit = (value: number): boolean => value === 0 || value === 1;
  const isTile = (value: number): boolean => value >= 0 && value < WORLD_TILES;
  const isObserver = localIndex === 0 ? local.every((each) => each === 0) : local[localIndex] === 1;
  const areWhole = [localIndex, sceneX, sceneZ].every(Number.isInteger);
  const areTiles = x.every(isTile) && z.every(isTile) && level.every((value) => value >= 0 && value <= 3);
  if (!(areWhole && isObserver && areTiles && flags.every(isBit) && local.every(isBit))) {
    throw new RangeError(`Cannot restore: ${where} is not what a client can know`);
  }
}
