/** The state of an engine's parts as plain data: see `PlayerInfoEngine.save`. */
import { PLAYER_SLOTS, SET_WORDS } from "../constants.ts";
import { type EngineMemory, include, STATE_WORDS } from "./engine-memory.ts";
import type { EngineParts } from "./engine-parts.ts";
import {
  indicesOf,
  packRows,
  packSet,
  packTile,
  type SavedEngine,
  unpackRows,
  unpackSet,
  unpackTile,
} from "./saved-engine.ts";

/** Everything that decides later packets, but for the options and the number of the tick. It shares nothing with the engine. */
export function engineState(
  parts: EngineParts,
): Omit<SavedEngine, "dialect" | "revision" | "viewDistance" | "maxLocals" | "ticks"> {
  const { memory, masks, views, own, hidden, replaced } = parts;
  const { level, x, z, sentLevel, sentX, sentZ, state, quarter, known, present, observing } = memory;
  // Flags of slots without a player mean nothing.
  const ofPresent = (flags: Uint8Array): Uint8Array => flags.map((flag, index) => flag & (present[index] as number));
  const tiles = new Int32Array(PLAYER_SLOTS);
  const sentTiles = new Int32Array(PLAYER_SLOTS);
  for (let index = 1; index < PLAYER_SLOTS; index++) {
    sentTiles[index] =
      ((sentLevel[index] as number) << 28) | ((sentX[index] as number) << 14) | (sentZ[index] as number);
    if (present[index] === 0) continue;
    tiles[index] = ((level[index] as number) << 28) | ((x[index] as number) << 14) | (z[index] as number);
  }
  const indices = indicesOf(observing);
  return {
    present: packSet(present),
    hidden: packSet(ofPresent(hidden)),
    teleported: packSet(ofPresent(memory.teleported)),
    tiles,
    sentTiles,
    quarters: quarter.slice(),
    replaced: Int32Array.from([...replaced].flatMap(([index, tile]) => [index, packTile(tile)])),
    observers: {
      indices,
      radius: indices.map((index) => memory.radius[index] as number),
      views: packRows(state, indices, STATE_WORDS),
      known: masks.keptByIndex.map((_, which) => packRows(known[which] as Int32Array, indices, SET_WORDS)),
    },
    standings: views.saveStandings(),
    masks: masks.save(),
    ownPackets: own.save(observing),
  };
}

/** Replaces the state; the number of the tick is the engine's own. */
export function takeOverState(parts: EngineParts, saved: SavedEngine): void {
  const { memory, masks, views, own, hidden, replaced } = parts;
  const { reused, visible, state, known, quarter } = memory;
  unpackSet(saved.present, memory.present);
  unpackSet(saved.hidden, hidden);
  unpackSet(saved.teleported, memory.teleported);
  for (let index = 1; index < PLAYER_SLOTS; index++) place(memory, index, saved);
  quarter.set(saved.quarters);
  for (let word = 0; word < SET_WORDS; word++) {
    visible[word] = (saved.present[word] as number) & ~(saved.hidden[word] as number);
  }
  reused.fill(0);
  replaced.clear();
  for (let at = 0; at < saved.replaced.length; at += 2) {
    const index = saved.replaced[at] as number;
    replaced.set(index, unpackTile(saved.replaced[at + 1] as number));
    include(reused, index);
  }
  const { indices, radius } = saved.observers;
  memory.observing.fill(0);
  indices.forEach((index, at) => {
    memory.observing[index] = 1;
    memory.radius[index] = radius[at] as number;
  });
  unpackRows(saved.observers.views, indices, STATE_WORDS, state);
  saved.observers.known.forEach((rows, which) => {
    unpackRows(rows, indices, SET_WORDS, known[which] as Int32Array);
  });
  views.restoreStandings(saved.standings);
  masks.restore(saved.masks);
  own.restore(saved.ownPackets);
  memory.packetStart.fill(0);
  memory.packetEnd.fill(0);
}

function place(memory: EngineMemory, index: number, { tiles, sentTiles }: SavedEngine): void {
  const tile = unpackTile(tiles[index] as number);
  memory.level[index] = tile.level;
  memory.x[index] = tile.x;
  memory.z[index] = tile.z;
  const sent = unpackTile(sentTiles[index] as number);
  memory.sentLevel[index] = sent.level;
  memory.sentX[index] = sent.x;
  memory.sentZ[index] = sent.z;
}
