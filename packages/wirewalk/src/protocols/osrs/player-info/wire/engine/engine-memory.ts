/**
 * The memory of the engine: one buffer, regions one after the other, sets of players as 64 words of 32 bits (bit i of
 * word w is player w * 32 + i). The WebAssembly core works on the same bytes: its `memory.ts` has the same regions in the same order,
 * up to those that only the engine in TypeScript has.
 */
import { PLAYER_SLOTS, SET_WORDS, WORLD_TILES } from "../constants.ts";
import { MAX_INDEX_KEPT } from "../masks/mask-revision.ts";

/** Players that one code of a group covers. */
export const GROUP_PLAYERS = 4;

/** Codes of a player: the bits of its possible updates in a pass. */
export const PLAYER_CODES = 8;
/** Its movement, without and with masks; its going out of view. */
export const MOVE = 0;
export const MOVE_MASKED = 1;
export const LEAVE = 2;
/** Its change of map quarter; its coming into view, without and with masks. */
export const QUARTER = 3;
export const ENTER = 4;
export const ENTER_MASKED = 5;
/** After the codes of players: that of skipping n players. */
export const SKIPS = PLAYER_SLOTS * PLAYER_CODES;
/** For every group of 4 players and every subset of it, the bits of the subset's movements. */
export const GROUPS = SKIPS + PLAYER_SLOTS;
/** A removal, up to the bit for a following update. */
export const RETURN = GROUPS + ((PLAYER_SLOTS / GROUP_PLAYERS) << GROUP_PLAYERS);
const CODES = RETURN + 1;
/** Lengths are bytes: so they stay in the processor's first cache. */
const LENGTH_WORDS = Math.ceil(CODES / 4);

// The sets of an observer's client alternate word by word.
export const STATE_WORDS = 2 * SET_WORDS;
export const LOCAL = 0;
export const FLAG = 1;

// So do those of a tick that every observer needs,
export const TICK_SETS = 4;
export const MOVED = 0;
export const QUARTER_MOVED = 1;
export const REUSED = 2;

// and those of the observer whose packet is written.
export const WORK_SETS = 4;
export const LEAVES = 0;
export const ENTERS = 1;
export const LOCAL_EVENTS = 2;
export const PENDING = 3;

/** Masks of a player that may be composed in a tick: those of the tick, with the blocks of a combination. */
export const COMBINATIONS = 32;

const PLAYER_REGIONS = 12;
const FLAG_REGIONS = 7;
const SET_REGIONS = 16 + 2 * MAX_INDEX_KEPT;
const TABLE_REGIONS = 4 + MAX_INDEX_KEPT;
/** Words of all regions. */
const TOTAL_WORDS =
  PLAYER_REGIONS * PLAYER_SLOTS +
  (FLAG_REGIONS * PLAYER_SLOTS) / 4 +
  SET_REGIONS * SET_WORDS +
  3 * COMBINATIONS * PLAYER_SLOTS +
  TABLE_REGIONS * PLAYER_SLOTS * SET_WORDS +
  2 * PLAYER_SLOTS * STATE_WORDS +
  (TICK_SETS + WORK_SETS) * SET_WORDS +
  2 * WORLD_TILES +
  CODES +
  LENGTH_WORDS +
  SKIPS;

/** Words and bytes of the tables that belong to one observer: its states, the blocks that it has, standings, view and packet. */
const OBSERVER_WORDS = 2 * STATE_WORDS + (MAX_INDEX_KEPT + 2) * SET_WORDS + 3;
const OBSERVER_FLAGS = 5;
/** Bytes of the engine's memory that one observer takes. All of them are there from the start. */
export const OBSERVER_BYTES: number = OBSERVER_WORDS * 4 + OBSERVER_FLAGS;

/** Bytes of the engine's memory. */
export const ENGINE_BYTES = TOTAL_WORDS * 4;

/** Takes regions of a buffer, one after the other. A class of its own, since fields of {@link EngineMemory} are regions. */
class Regions {
  readonly buffer: ArrayBufferLike;
  protected used: number;

  constructor(buffer: ArrayBufferLike, start: number) {
    this.buffer = buffer;
    this.used = start;
  }

  protected players(): Int32Array {
    return this.take(PLAYER_SLOTS);
  }

  protected flags(): Uint8Array {
    return new Uint8Array(this.buffer, this.take(PLAYER_SLOTS / 4).byteOffset, PLAYER_SLOTS);
  }

  protected set(): Int32Array {
    return this.take(SET_WORDS);
  }

  /** A set of players for every player. */
  protected table(): Int32Array {
    return this.take(PLAYER_SLOTS * SET_WORDS);
  }

  protected take(words: number): Int32Array {
    const start = this.used;
    this.used += words * 4;
    return new Int32Array(this.buffer, start, words);
  }
}

/** The words of a tick that depend on no observer, and those that belong to one. */
export class EngineMemory extends Regions {
  // By player.
  readonly x = this.players();
  readonly z = this.players();
  readonly level = this.players();
  /** The tile of the player in clients that have it in view: as of the last tick. */
  readonly sentX = this.players();
  readonly sentZ = this.players();
  readonly sentLevel = this.players();
  /** The map quarter that every client has for the slot while it is external; packed. */
  readonly quarter = this.players();
  /** Place and length of its mask blocks of this tick, for observers that are owed nothing else. */
  readonly maskStart = this.players();
  readonly maskLength = this.players();
  /** By observer: tiles at which its view ends; place and end of its packet of the last tick. */
  readonly radius = this.players();
  readonly packetStart = this.players();
  readonly packetEnd = this.players();

  // Flags, 0 or 1.
  readonly present = this.flags();
  /** Of players that move by a teleport. */
  readonly teleported = this.flags();
  readonly observing = this.flags();
  /** Of observers with a player of another standing than `ordinary`. */
  readonly choosy = this.flags();
  /** Of observers that may lack blocks of players in view. */
  readonly owed = this.flags();
  /** Of observers with blocks for them alone, or with players that wait. */
  readonly special = this.flags();
  /** Of observers whose last packet brought more than the blocks of the tick. */
  readonly lacked = this.flags();

  // Sets of this tick.
  readonly moved = this.set();
  /** Slots that got a player since the last tick. */
  readonly reused = this.set();
  /** Players with masks. */
  readonly masked = this.set();
  /** Players that are not hidden. */
  readonly visible = this.set();
  /** Those of them on each level. */
  readonly visibleOn: readonly Int32Array[] = [this.set(), this.set(), this.set(), this.set()];
  /** For each block that clients keep by index: the players that have one, and those whose block changed this tick. */
  readonly has: readonly Int32Array[] = Array.from({ length: MAX_INDEX_KEPT }, () => this.set());
  readonly changed: readonly Int32Array[] = Array.from({ length: MAX_INDEX_KEPT }, () => this.set());
  /** Players with blocks that are sent whenever they come into view. */
  readonly enterKept = this.set();
  /** The view of the observer whose packet is written. */
  view = this.set();

  // By player and combination of blocks: when its masks were composed, and their place and length.
  readonly variantTick = this.take(COMBINATIONS * PLAYER_SLOTS);
  readonly variantStart = this.take(COMBINATIONS * PLAYER_SLOTS);
  readonly variantLength = this.take(COMBINATIONS * PLAYER_SLOTS);

  // By observer.
  /** Players in view and activity flags as of the last packet, and as of this one. */
  state = this.take(PLAYER_SLOTS * STATE_WORDS);
  next = this.take(PLAYER_SLOTS * STATE_WORDS);
  /** By block kept by index: players whose present block the observer has. */
  readonly known: readonly Int32Array[] = Array.from({ length: MAX_INDEX_KEPT }, () => this.table());
  /** Players that the observer is shown first, and never. */
  readonly first = this.table();
  readonly never = this.table();

  // Prefix sets: entry n holds the visible players with one of the n smallest coordinates.
  readonly xSets = this.table();
  readonly zSets = this.table();

  // From here on the regions are the engine's alone.
  /** By coordinate: how many different coordinates of visible players are not greater. */
  readonly xRank = this.take(WORLD_TILES);
  readonly zRank = this.take(WORLD_TILES);
  /** Sets of this tick, word by word in turn: see MOVED to REUSED. */
  readonly tick = this.take(TICK_SETS * SET_WORDS);
  // Codes: bits with the first one the highest of its word, how many, and those of a player that exceed 32.
  readonly codeBits = this.take(CODES);
  readonly codeLength = new Uint8Array(this.buffer, this.take(LENGTH_WORDS).byteOffset, CODES);
  readonly codeRest = this.take(SKIPS);

  // Of the observer whose packet is written.
  readonly work = this.take(WORK_SETS * SET_WORDS);
  otherView = this.set();
  /** All players in view at the full distance. */
  readonly farView = this.set();
  /** Of one observer: players with masks for it alone, with deferred masks, and with a deferred entry into its view. */
  readonly ownMasked = this.set();
  readonly waiting = this.set();
  readonly barred = this.set();
  /** An empty set. */
  readonly nobody = this.set();

  /** Lays the regions out in a memory of their own, or in `buffer` from the byte `start` on. */
  constructor(buffer: ArrayBufferLike = new ArrayBuffer(ENGINE_BYTES), start = 0) {
    super(buffer, start);
    const used = this.used - start;
    if (used !== ENGINE_BYTES) throw new Error(`${used} of ${ENGINE_BYTES} bytes are laid out`);
  }

  /** The state after this tick's packets becomes the state before the next ones. */
  swap(): void {
    const { state } = this;
    this.state = this.next;
    this.next = state;
  }
}

/** How many bits of a word are set. */
export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  bits = (bits + (bits >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(bits, 0x0101_0101) >>> 24;
}

/**
 * The word with a player's bit, in sets that alternate word by word: `at` of `stride` sets. A single set has stride 1.
 */
export function wordOf(index: number, at = 0, stride = 1): number {
  return at + (index >> 5) * stride;
}

/** Whether a set holds a player. */
export function inSet(set: Int32Array, index: number, at = 0, stride = 1): boolean {
  return (((set[wordOf(index, at, stride)] as number) >>> (index & 31)) & 1) === 1;
}

/** Puts a player into a set. */
export function include(set: Int32Array, index: number, at = 0, stride = 1): void {
  const word = wordOf(index, at, stride);
  set[word] = (set[word] as number) | (1 << (index & 31));
}

/** Takes a player out of a set. */
export function exclude(set: Int32Array, index: number, at = 0, stride = 1): void {
  const word = wordOf(index, at, stride);
  set[word] = (set[word] as number) & ~(1 << (index & 31));
}
