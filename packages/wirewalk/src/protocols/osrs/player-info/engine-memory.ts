/**
 * The memory of the engine: one buffer, regions one after the other, sets of players as 64 words of 32 bits (bit i of
 * word w is player w * 32 + i). Laid out so that another core may work on the same bytes.
 */
import { PLAYER_SLOTS, SET_WORDS, WORLD_TILES } from "./constants.ts";
import { MAX_INDEX_KEPT } from "./mask-revision.ts";

/** Players that one entry of the table of concatenated bits covers. */
export const GROUP_PLAYERS = 4;
const GROUP_ENTRIES = (PLAYER_SLOTS / GROUP_PLAYERS) << GROUP_PLAYERS;

const PLAYER_REGIONS = 19;
const SET_REGIONS = 20 + 2 * MAX_INDEX_KEPT;
const TABLE_REGIONS = 8 + MAX_INDEX_KEPT;
const TOTAL_WORDS =
  PLAYER_REGIONS * PLAYER_SLOTS +
  SET_REGIONS * SET_WORDS +
  TABLE_REGIONS * PLAYER_SLOTS * SET_WORDS +
  2 * WORLD_TILES +
  2 * GROUP_ENTRIES;

/** The words of a tick that depend on no observer, and those that belong to one. */
export class EngineMemory {
  readonly buffer: ArrayBuffer = new ArrayBuffer(TOTAL_WORDS * 4);
  #used = 0;

  // By player.
  readonly x = this.#players();
  readonly z = this.#players();
  readonly level = this.#players();
  /** Where clients that have the player in view believe it to be: as of the last tick. */
  readonly sentX = this.#players();
  readonly sentZ = this.#players();
  readonly sentLevel = this.#players();
  /** The map quarter that every client has for the slot while it is external; packed. */
  readonly quarter = this.#players();

  // Bits of this tick by player, the first bit the highest of its word.
  /** Of a local player: the movement with the mask bit clear; the second word holds what exceeds 32 bits. */
  readonly moveBits = this.#players();
  readonly moveRest = this.#players();
  readonly moveLength = this.#players();
  /** Of an external player who comes into view, its last bit (the mask) clear. */
  readonly enterBits = this.#players();
  readonly enterRest = this.#players();
  readonly enterLength = this.#players();
  /** Of a local player who goes out of view. */
  readonly leaveBits = this.#players();
  readonly leaveLength = this.#players();
  /** Of an external player whose map quarter changes. */
  readonly quarterBits = this.#players();
  readonly quarterLength = this.#players();
  /** Where its mask blocks of this tick are, and how long, for observers to whom nothing else is owed. */
  readonly maskStart = this.#players();
  readonly maskLength = this.#players();

  // Sets of this tick.
  /** Players who may be seen. */
  readonly visible = this.#set();
  /** Those of them on each level. */
  readonly visibleOn: readonly Int32Array[] = [this.#set(), this.#set(), this.#set(), this.#set()];
  readonly moved = this.#set();
  readonly masked = this.#set();
  readonly quarterMoved = this.#set();
  /** Slots that have a new player since the last tick. */
  readonly reused = this.#set();
  /** By block kept by index: who has one, and whose is new in this tick. */
  readonly has: readonly Int32Array[] = Array.from({ length: MAX_INDEX_KEPT }, () => this.#set());
  readonly changed: readonly Int32Array[] = Array.from({ length: MAX_INDEX_KEPT }, () => this.#set());

  // Prefix sets: entry n holds the visible players with one of the n smallest coordinates.
  readonly xSets = this.#table();
  readonly zSets = this.#table();
  /** By coordinate: how many different coordinates of visible players are not greater. */
  readonly xRank = this.#take(WORLD_TILES);
  readonly zRank = this.#take(WORLD_TILES);

  // By group of 4 players and subset of it: the bits of its events with the skips between them.
  readonly groupBits = this.#take(GROUP_ENTRIES);
  /** Length | quiet players before the first event << 8 | quiet players after the last << 16. */
  readonly groupMeta = this.#take(GROUP_ENTRIES);

  // By observer.
  /** Players in view and activity flags as of the last packet, and what this one makes of them. */
  locals = this.#table();
  flags = this.#table();
  nextLocals = this.#table();
  nextFlags = this.#table();
  /** By block kept by index: whose present one the observer has. */
  readonly known: readonly Int32Array[] = Array.from({ length: MAX_INDEX_KEPT }, () => this.#table());
  /** Whom the observer is shown first, and whom never. */
  readonly first = this.#table();
  readonly never = this.#table();

  // Of the observer at hand.
  view = this.#set();
  otherView = this.#set();
  readonly leave = this.#set();
  readonly enter = this.#set();
  readonly localEvents = this.#set();
  readonly externalEvents = this.#set();
  /** Whom masks follow for. */
  readonly pending = this.#set();
  /** Where it is not as for everyone: who has masks for this observer, whose masks wait, and who waits to be shown. */
  readonly ownMasked = this.#set();
  readonly waiting = this.#set();
  readonly barred = this.#set();
  /** Nobody. */
  readonly nobody = this.#set();

  constructor() {
    if (this.#used !== TOTAL_WORDS) throw new Error(`${this.#used} of ${TOTAL_WORDS} words are laid out`);
  }

  /** Makes what this tick's packets left behind the state before the next ones. */
  swap(): void {
    const { locals, flags } = this;
    this.locals = this.nextLocals;
    this.flags = this.nextFlags;
    this.nextLocals = locals;
    this.nextFlags = flags;
  }

  #players(): Int32Array<ArrayBuffer> {
    return this.#take(PLAYER_SLOTS);
  }

  #set(): Int32Array<ArrayBuffer> {
    return this.#take(SET_WORDS);
  }

  /** A set of players for every player. */
  #table(): Int32Array<ArrayBuffer> {
    return this.#take(PLAYER_SLOTS * SET_WORDS);
  }

  #take(words: number): Int32Array<ArrayBuffer> {
    const start = this.#used;
    this.#used += words;
    return new Int32Array(this.buffer, start * 4, words);
  }
}

/** How many bits of a word are set. */
export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  bits = (bits + (bits >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(bits, 0x0101_0101) >>> 24;
}

/** Whether a set holds a player. */
export function inSet(set: Int32Array, index: number, base = 0): boolean {
  return (((set[base + (index >> 5)] as number) >>> (index & 31)) & 1) === 1;
}

/** Puts a player into a set. */
export function include(set: Int32Array, index: number, base = 0): void {
  const at = base + (index >> 5);
  set[at] = (set[at] as number) | (1 << (index & 31));
}

/** Takes a player out of a set. */
export function exclude(set: Int32Array, index: number, base = 0): void {
  const at = base + (index >> 5);
  set[at] = (set[at] as number) & ~(1 << (index & 31));
}
