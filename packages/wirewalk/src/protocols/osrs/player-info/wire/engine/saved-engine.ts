/**
 * A player info engine as plain data: everything that decides its later packets, packed, and checked when it is restored.
 * Tables that follow from it (codes, prefix sets, composed masks) are not in it.
 *
 * Sets of players are 64 words, bit i of word w for player w * 32 + i. Tiles are level << 28 | x << 14 | z, and so are map
 * quarters with their own x and z.
 */
import { type JsonObject, joinBytes } from "../../../../../wire/index.ts";
import { checkState } from "../../../../world-kit/state/check.ts";
import {
  bytes,
  list,
  number,
  plainData,
  type StateOf,
  state,
  text,
  typedArray,
} from "../../../../world-kit/state/describe.ts";
import { LEVELS, PLAYER_SLOTS, SET_WORDS, type WorldTile } from "../constants.ts";

const words = typedArray("Int32Array");
const setOfPlayers = typedArray("Int32Array", SET_WORDS);
const bySlot = typedArray("Int32Array", PLAYER_SLOTS);

/** Byte strings with a key each, one after the other: thousands of small arrays would cost more than their content. */
const savedBlocks = state({
  /** Ascending; see {@link blockKey}. */
  keys: words,
  lengths: words,
  bytes,
});
export type SavedBlocks = StateOf<typeof savedBlocks>;

/** The mask blocks of all players. Keys have observer 0. */
const savedMasks = state({
  /** Set since the last tick. */
  set: savedBlocks,
  /** Present values of kept blocks. */
  kept: savedBlocks,
  /** One set for each block kept by index: slots with a block that clients may remember. */
  everKept: words,
  /** One set for each block kept by index: slots of which it was set since the last tick. */
  changed: words,
  /** One set for each block kept by index: players whose value since the last tick is their first. */
  first: words,
});
export type SavedMasks = StateOf<typeof savedMasks>;

/** The observers, ascending. Rows stand one after the other in their order. */
const savedObservers = state({
  indices: words,
  /** Tiles at which each view ends. */
  radius: words,
  /** Per observer the players in view and the activity flags, word by word in turn: 128 words. */
  views: words,
  /** Per block kept by index: per observer the players whose present block its client has, 64 words. */
  known: list(words),
});
export type SavedObservers = StateOf<typeof savedObservers>;

/** Players with another standing than `ordinary`, by observer: two sets of 64 words. */
const savedStandings = state({ indices: words, first: words, never: words });
export type SavedStandings = StateOf<typeof savedStandings>;

/** Blocks that single observers are owed, and players that wait for room. */
const savedOwnPackets = state({
  /** Observers that may lack blocks of players in view. */
  owed: setOfPlayers,
  /** Blocks of this tick for one observer alone. */
  own: savedBlocks,
  /** Observer, player, and the tick since which the player waits, one after the other; players in their order. */
  waiting: words,
  waitingBlocks: savedBlocks,
});
export type SavedOwnPackets = StateOf<typeof savedOwnPackets>;

/** What `PlayerInfoEngine.save` returns. */
const savedEngine = state({
  // The options, so that no other engine takes it.
  dialect: text,
  revision: plainData<string | JsonObject>(),
  viewDistance: number,
  maxLocals: number,
  ticks: number,
  present: setOfPlayers,
  hidden: setOfPlayers,
  /** Since the last tick. */
  teleported: setOfPlayers,
  /** 0 for slots without a player. */
  tiles: bySlot,
  /** As of the last tick. Slots without a player too: a client may still have the removed player in view. */
  sentTiles: bySlot,
  quarters: bySlot,
  /** Slots that got a player since the last tick, each followed by the tile at which clients have the player before. */
  replaced: words,
  observers: savedObservers,
  standings: savedStandings,
  masks: savedMasks,
  ownPackets: savedOwnPackets,
});
export type SavedEngine = StateOf<typeof savedEngine>;

/** The key of a player's block, for one observer or, with observer 0, for all. */
export function blockKey(observer: number, index: number, ordinal: number): number {
  return (((observer << 11) | index) << 5) | ordinal;
}

/** The parts of a key. */
export function keyParts(key: number): { readonly observer: number; readonly index: number; readonly ordinal: number } {
  return { observer: key >> 16, index: (key >> 5) & (PLAYER_SLOTS - 1), ordinal: key & 31 };
}

export function packBlocks(blocks: readonly (readonly [key: number, bytes: Uint8Array])[]): SavedBlocks {
  const sorted = blocks.toSorted(([a], [b]) => a - b);
  return {
    keys: Int32Array.from(sorted, ([key]) => key),
    lengths: Int32Array.from(sorted, ([, block]) => block.length),
    bytes: joinBytes(sorted.map(([, block]) => block)),
  };
}

/** Calls `visit` with every block and the parts of its key. `start` is its place in `bytes`. */
export function forEachBlock(
  { keys, lengths }: SavedBlocks,
  visit: (observer: number, index: number, ordinal: number, start: number, length: number) => void,
): void {
  let start = 0;
  keys.forEach((key, at) => {
    const { observer, index, ordinal } = keyParts(key);
    const length = lengths[at] as number;
    visit(observer, index, ordinal, start, length);
    start += length;
  });
}

/** The players whose flag is 1 as a set. */
export function packSet(flags: Uint8Array): Int32Array {
  const set = new Int32Array(SET_WORDS);
  for (let index = 0; index < PLAYER_SLOTS; index++) {
    if (flags[index] === 1) set[index >> 5] = (set[index >> 5] as number) | (1 << (index & 31));
  }
  return set;
}

/** The reverse of {@link packSet}. */
export function unpackSet(set: Int32Array, flags: Uint8Array): void {
  for (let index = 0; index < PLAYER_SLOTS; index++) flags[index] = ((set[index >> 5] as number) >>> (index & 31)) & 1;
}

/** The players whose flag is 1, ascending. */
export function indicesOf(flags: Uint8Array): Int32Array {
  const indices: number[] = [];
  for (let index = 0; index < PLAYER_SLOTS; index++) if (flags[index] === 1) indices.push(index);
  return Int32Array.from(indices);
}

/** The rows of some players of a table with `width` words for each player, one after the other. */
export function packRows(table: Int32Array, indices: Int32Array, width: number): Int32Array {
  const rows = new Int32Array(indices.length * width);
  indices.forEach((index, at) => {
    rows.set(table.subarray(index * width, (index + 1) * width), at * width);
  });
  return rows;
}

/** The reverse of {@link packRows}. */
export function unpackRows(rows: Int32Array, indices: Int32Array, width: number, table: Int32Array): void {
  indices.forEach((index, at) => {
    table.set(rows.subarray(at * width, (at + 1) * width), index * width);
  });
}

export function packTile({ level, x, z }: WorldTile): number {
  return (level << 28) | (x << 14) | z;
}

export function unpackTile(tile: number): WorldTile {
  return { level: tile >> 28, x: (tile >> 14) & 0x3fff, z: tile & 0x3fff };
}

// Checks. All throw `TypeError` or `RangeError` that names the place.

/** What a saved engine is checked against. */
export interface EngineShape {
  readonly dialect: string;
  readonly revision: string | JsonObject;
  readonly viewDistance: number;
  readonly maxLocals: number;
  /** Blocks of the revision, and which of them are kept, by ordinal. */
  readonly blocks: readonly { readonly kept: boolean; readonly maxBytes: number }[];
  /** How many of them are kept by index. */
  readonly keptByIndex: number;
}

/** Checks a saved engine down to its values, so that taking it over cannot fail halfway. */
export function checkSavedEngine(data: unknown, shape: EngineShape, where: string): SavedEngine {
  const saved = checkState(savedEngine, data, where);
  // A name, or the revision itself.
  const kind = typeof shape.revision;
  if (typeof saved.revision !== kind) throw wrong(`${where}.revision`, kind);
  for (const name of ["dialect", "revision", "viewDistance", "maxLocals"] as const) {
    const [is, expected] = [saved[name], shape[name]].map((value) => String(JSON.stringify(value)));
    if (is !== expected) throw new RangeError(`Cannot restore: ${where}.${name} ${is}, expected ${expected}`);
  }
  if (!(Number.isInteger(saved.ticks) && saved.ticks >= 0)) throw wrong(`${where}.ticks`, "a count");
  for (const name of ["present", "hidden", "teleported"] as const) checkSet(saved[name], `${where}.${name}`);
  for (const name of ["tiles", "sentTiles"] as const) {
    if (!saved[name].every(isTile)) throw wrong(`${where}.${name}`, "tiles");
  }
  if (!saved.quarters.every(isQuarter)) throw wrong(`${where}.quarters`, "map quarters");
  checkReplaced(saved, `${where}.replaced`);
  checkObservers(saved, shape, `${where}.observers`);
  const { indices, first, never } = saved.standings;
  checkIndices(indices, saved.present, `${where}.standings.indices`);
  checkSets(first, indices.length, `${where}.standings.first`);
  checkSets(never, indices.length, `${where}.standings.never`);
  checkMasks(saved, shape, `${where}.masks`);
  checkOwnPackets(saved, shape, `${where}.ownPackets`);
  return saved;
}

function checkReplaced({ replaced }: SavedEngine, where: string): void {
  const isRight = replaced.every((value, at) => (at % 2 === 0 ? isIndex(value) : isTile(value)));
  const slots = replaced.filter((_, at) => at % 2 === 0);
  if (replaced.length % 2 !== 0 || !isRight || new Set(slots).size !== slots.length) {
    throw wrong(where, "pairs of a slot and a tile");
  }
}

function checkObservers({ observers, present }: SavedEngine, shape: EngineShape, where: string): void {
  const { indices, radius, views, known } = observers;
  checkIndices(indices, present, `${where}.indices`);
  const count = indices.length;
  checkLength(radius, count, `${where}.radius`);
  if (!radius.every((tiles) => tiles >= 0 && tiles <= shape.viewDistance)) throw wrong(`${where}.radius`, "distances");
  checkSets(views, count * 2, `${where}.views`);
  indices.forEach((index, at) => {
    const word = views[(at * SET_WORDS + (index >> 5)) * 2] as number;
    if (((word >>> (index & 31)) & 1) === 0 || ((views[at * SET_WORDS * 2] as number) & 1) !== 0) {
      throw wrong(`${where}.views`, "players in view, the observer among them");
    }
  });
  if (known.length !== shape.keptByIndex) throw wrong(`${where}.known`, `${shape.keptByIndex} sets per observer`);
  for (const [which, rows] of known.entries()) checkSets(rows, count, `${where}.known[${which}]`);
}

function checkMasks({ masks, present }: SavedEngine, shape: EngineShape, where: string): void {
  const isOfAll = (observer: number, index: number): boolean => observer === 0 && isIn(present, index);
  checkBlocks(masks.set, shape, `${where}.set`, isOfAll);
  checkBlocks(masks.kept, shape, `${where}.kept`, (observer, index, ordinal) => {
    return isOfAll(observer, index) && shape.blocks[ordinal]?.kept === true;
  });
  for (const name of ["everKept", "changed", "first"] as const) {
    checkSets(masks[name], shape.keptByIndex, `${where}.${name}`);
  }
}

function checkOwnPackets({ ownPackets, observers, present }: SavedEngine, shape: EngineShape, where: string): void {
  const { owed, own, waiting, waitingBlocks } = ownPackets;
  checkSet(owed, `${where}.owed`);
  const observing = new Set(observers.indices);
  const isPair = (observer: number, index: number): boolean => observing.has(observer) && isIn(present, index);
  checkBlocks(own, shape, `${where}.own`, isPair);
  const pairs = new Set<number>();
  for (let at = 0; at < waiting.length; at += 3) {
    const [observer = 0, index = 0, since = -1] = waiting.subarray(at, at + 3);
    const key = blockKey(observer, index, 0);
    if (!isPair(observer, index) || since < 0 || pairs.has(key)) throw wrong(`${where}.waiting`, "who waits for whom");
    pairs.add(key);
  }
  checkBlocks(waitingBlocks, shape, `${where}.waitingBlocks`, (observer, index) => {
    return pairs.has(blockKey(observer, index, 0));
  });
}

function checkBlocks(
  saved: SavedBlocks,
  { blocks }: EngineShape,
  where: string,
  isAllowed: (observer: number, index: number, ordinal: number) => boolean,
): void {
  const { keys, lengths, bytes: all } = saved;
  checkLength(lengths, keys.length, `${where}.lengths`);
  if (keys.some((key, at) => at > 0 && key <= (keys[at - 1] as number))) throw wrong(`${where}.keys`, "ascending");
  let end = 0;
  forEachBlock(saved, (observer, index, ordinal, start, length) => {
    const block = blocks[ordinal];
    if (block === undefined || !isAllowed(observer, index, ordinal)) throw wrong(`${where}.keys`, "keys of blocks");
    if (length < 0 || length > block.maxBytes) throw wrong(`${where}.lengths`, "lengths of blocks");
    end = start + length;
  });
  if (end !== all.length) throw wrong(`${where}.bytes`, `${end} bytes`);
}

/** Ascending indices of players of the world. */
function checkIndices(indices: Int32Array, present: Int32Array, where: string): void {
  const isRight = indices.every((index, at) => {
    return isIndex(index) && isIn(present, index) && (at === 0 || index > (indices[at - 1] as number));
  });
  if (!isRight) throw wrong(where, "indices of players, ascending");
}

function checkSet(set: Int32Array, where: string): void {
  if (((set[0] as number) & 1) !== 0) throw wrong(where, "without slot 0");
}

function checkSets(sets: Int32Array, count: number, where: string): void {
  checkLength(sets, count * SET_WORDS, where);
}

function checkLength(numbers: Int32Array, length: number, where: string): void {
  if (numbers.length !== length) throw wrong(where, `${length} words`);
}

function isIndex(value: number): boolean {
  return value >= 1 && value < PLAYER_SLOTS;
}

function isTile(tile: number): boolean {
  return tile >>> 28 < LEVELS && tile >= 0;
}

/** Level 0..3, x and z 0 or 1. */
function isQuarter(quarter: number): boolean {
  return isTile(quarter) && (quarter & 0x0fff_bffe) === 0;
}

function isIn(set: Int32Array, index: number): boolean {
  return (((set[index >> 5] as number) >>> (index & 31)) & 1) === 1;
}

function wrong(where: string, what: string): TypeError {
  return new TypeError(`Cannot restore: ${where} must be ${what}`);
}
