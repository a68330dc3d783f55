/**
 * Packets that only one observer gets: with blocks for it alone, with blocks that it is owed, and packets that would be too
 * long. It keeps the players that wait for room. Not on the hot path.
 */
import { MAX_PACKET_BYTES, PLAYER_SLOTS, SET_WORDS } from "../constants.ts";
import { type EngineMemory, exclude, include, inSet, LOCAL } from "./engine-memory.ts";
import type { KnownBlocks } from "./known-blocks.ts";
import type { MaskStore, OwnBlocks } from "./mask-store.ts";
import type { OwnMasks, PacketWriter } from "./packet-writer.ts";
import { blockKey, forEachBlock, packBlocks, packSet, type SavedOwnPackets, unpackSet } from "./saved-engine.ts";

// The order of players when a packet is full. Points are tiles of distance: fewer points go first.
/** Farther players all count as this far. */
const FAR_TILES = 32;
/** A player with standing `first` counts as nearer by this. */
const FIRST_TILES = 64;
/** A player counts as nearer by this for each tick it waited: after 24 ticks it precedes all that have not waited. */
const WAITED_TILES = 4;
/** Deferring a player can lengthen the skips around it by a bit at most: room for 2047 of them. */
const DEFERRED_BITS_BYTES = 256;

/** The blocks of one player that wait for room in an observer's packet. */
interface Waiting {
  /** The tick in which the wait began. */
  readonly since: number;
  readonly blocks: OwnBlocks;
}

/** A player with masks in a packet that would be too long. */
interface Candidate {
  readonly index: number;
  readonly bytes: number;
  readonly points: number;
  readonly enters: boolean;
}

export class OwnPackets {
  readonly #memory: EngineMemory;
  readonly #masks: MaskStore;
  readonly #writer: PacketWriter;
  readonly #known: KnownBlocks;
  /** By observer: blocks of this tick for that observer alone, by player. */
  readonly #own = new Map<number, Map<number, OwnBlocks>>();
  /** By observer: players for which the last packet had no room, or no room for their masks. */
  readonly #waiting = new Map<number, Map<number, Waiting>>();

  constructor(memory: EngineMemory, masks: MaskStore, writer: PacketWriter, known: KnownBlocks) {
    this.#memory = memory;
    this.#masks = masks;
    this.#writer = writer;
    this.#known = known;
  }

  /** Whether the observer's packet has only blocks that all observers get. */
  isOrdinary(observer: number): boolean {
    const { owed, special } = this.#memory;
    return owed[observer] === 0 && special[observer] === 0;
  }

  /** A client that knows nothing begins to observe. */
  begin(observer: number): void {
    this.#memory.owed[observer] = 1;
    this.end(observer);
  }

  end(observer: number): void {
    this.#waiting.delete(observer);
    this.#own.delete(observer);
    this.#memory.special[observer] = 0;
  }

  /** A player has left: its waiting blocks are not for the next player of the slot. */
  forgetPlayer(index: number): void {
    for (const players of this.#own.values()) players.delete(index);
    for (const players of this.#waiting.values()) players.delete(index);
  }

  /** A block of this tick for one observer alone. */
  setBlock(observer: number, index: number, ordinal: number, bytes: Uint8Array): void {
    const players = this.#own.get(observer) ?? new Map<number, OwnBlocks>();
    const blocks = players.get(index) ?? new Map<number, Uint8Array>();
    this.#own.set(observer, players.set(index, blocks.set(ordinal, bytes)));
    this.#memory.special[observer] = 1;
  }

  waitingFor(observer: number): readonly number[] {
    return [...(this.#waiting.get(observer)?.keys() ?? [])];
  }

  isWaiting(observer: number, index: number): boolean {
    return this.#waiting.get(observer)?.has(index) === true;
  }

  endTick(): void {
    for (const observer of this.#own.keys()) {
      this.#memory.special[observer] = this.#waiting.has(observer) ? 1 : 0;
    }
    this.#own.clear();
  }

  save(observing: Uint8Array): SavedOwnPackets {
    const own: [number, Uint8Array][] = [];
    const waiting: number[] = [];
    const waitingBlocks: [number, Uint8Array][] = [];
    for (let observer = 1; observer < PLAYER_SLOTS; observer++) {
      for (const [index, blocks] of this.#own.get(observer) ?? []) {
        for (const [ordinal, bytes] of blocks) own.push([blockKey(observer, index, ordinal), bytes]);
      }
      for (const [index, { since, blocks }] of this.#waiting.get(observer) ?? []) {
        waiting.push(observer, index, since);
        for (const [ordinal, bytes] of blocks) waitingBlocks.push([blockKey(observer, index, ordinal), bytes]);
      }
    }
    return {
      owed: packSet(this.#memory.owed.map((owed, observer) => owed & (observing[observer] as number))),
      own: packBlocks(own),
      waiting: Int32Array.from(waiting),
      waitingBlocks: packBlocks(waitingBlocks),
    };
  }

  /** Takes over checked data. */
  restore({ owed, own, waiting, waitingBlocks }: SavedOwnPackets): void {
    unpackSet(owed, this.#memory.owed);
    this.#memory.special.fill(0);
    this.#own.clear();
    this.#waiting.clear();
    forEachBlock(own, (observer, index, ordinal, start, length) => {
      this.setBlock(observer, index, ordinal, own.bytes.slice(start, start + length));
    });
    for (let at = 0; at < waiting.length; at += 3) {
      const [observer = 0, index = 0, since = 0] = waiting.subarray(at, at + 3);
      const players = this.#waiting.get(observer) ?? new Map<number, Waiting>();
      this.#waiting.set(observer, players.set(index, { since, blocks: new Map() }));
      this.#memory.special[observer] = 1;
    }
    forEachBlock(waitingBlocks, (observer, index, ordinal, start, length) => {
      const bytes = waitingBlocks.bytes.slice(start, start + length);
      this.#waiting.get(observer)?.get(index)?.blocks.set(ordinal, bytes);
    });
  }

  /** Appends the packet of an observer whose view is `memory.view`, with as many of the masks as fit. */
  write(observer: number, tick: number): void {
    const memory = this.#memory;
    const { ownMasked, nobody, view, barred } = memory;
    const own = this.#own.get(observer);
    const late = this.#waiting.get(observer);
    const masks: OwnMasks = {
      compose: (index, combination) => {
        this.#masks.composeOwn(index, combination, own?.get(index), late?.get(index)?.blocks);
      },
    };
    this.#chooseMasked(observer, own, late);
    if (this.#writer.write(observer, ownMasked, false, masks)) {
      this.#waiting.delete(observer);
      this.#memory.special[observer] = this.#own.has(observer) ? 1 : 0;
      this.#memory.owed[observer] = 0;
      this.#known.updateOwn(observer, nobody);
      return;
    }
    const deferred = this.#defer(observer, masks, tick);
    for (let word = 0; word < SET_WORDS; word++) view[word] = (view[word] as number) & ~(barred[word] as number);
    if (!this.#writer.write(observer, ownMasked, false, masks)) {
      throw new Error("A packet is too long although its size was known");
    }
    this.#remember(observer, deferred, own, late, tick);
    this.#known.updateOwn(observer, memory.waiting);
  }

  /**
   * Puts the players with masks into `ownMasked`: players with blocks for all, players with blocks that the observer is owed,
   * and players with blocks for this observer alone.
   */
  #chooseMasked(
    observer: number,
    own: Map<number, OwnBlocks> | undefined,
    late: Map<number, Waiting> | undefined,
  ): void {
    const { ownMasked, masked, state, has, known } = this.#memory;
    const base = observer * SET_WORDS;
    for (let word = 0; word < SET_WORDS; word++) {
      let owed = masked[word] as number;
      for (let which = 0; which < this.#masks.keptByIndex.length; which++) {
        const lacks =
          ((has[which] as Int32Array)[word] as number) & ~((known[which] as Int32Array)[base + word] as number);
        owed |= lacks & (state[(base + word) * 2 + LOCAL] as number);
      }
      ownMasked[word] = owed;
    }
    for (const index of own?.keys() ?? []) include(ownMasked, index);
    for (const [index, { blocks }] of late ?? []) if (blocks.size > 0) include(ownMasked, index);
  }

  /**
   * Chooses the players that wait, so that the rest fits: removes them from `ownMasked`, and puts those that would come into
   * view into `barred`.
   */
  #defer(observer: number, masks: OwnMasks, tick: number): readonly Candidate[] {
    const { barred, waiting, ownMasked } = this.#memory;
    const candidates: Candidate[] = [];
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (!this.#writer.isPending(index)) continue;
      const enters = this.#writer.comesIntoView(index);
      masks.compose(index, this.#writer.combinationOf(observer, index, enters));
      candidates.push({ index, bytes: this.#masks.length, points: this.#pointsOf(observer, index, tick), enters });
    }
    candidates.sort((a, b) => a.points - b.points || a.index - b.index);
    let room = MAX_PACKET_BYTES - this.#writer.bitBytes - DEFERRED_BITS_BYTES;
    const deferred: Candidate[] = [];
    barred.fill(0);
    waiting.fill(0);
    for (const candidate of candidates) {
      if (candidate.bytes <= room) {
        room -= candidate.bytes;
        continue;
      }
      deferred.push(candidate);
      include(waiting, candidate.index);
      if (candidate.enters) include(barred, candidate.index);
      exclude(ownMasked, candidate.index);
    }
    return deferred;
  }

  #pointsOf(observer: number, index: number, tick: number): number {
    const { x, z, first } = this.#memory;
    const dx = Math.abs((x[index] as number) - (x[observer] as number));
    const dz = Math.abs((z[index] as number) - (z[observer] as number));
    const since = this.#waiting.get(observer)?.get(index)?.since ?? tick;
    // Finite for the observer itself too: its own masks must not keep the others waiting for ever.
    const isFirst = index === observer || inSet(first, index, observer * SET_WORDS);
    const ahead = isFirst ? FIRST_TILES : 0;
    return Math.min(Math.max(dx, dz), FAR_TILES) - ahead - (tick - since) * WAITED_TILES;
  }

  #remember(
    observer: number,
    deferred: readonly Candidate[],
    own: Map<number, OwnBlocks> | undefined,
    late: Map<number, Waiting> | undefined,
    tick: number,
  ): void {
    const waiting = new Map<number, Waiting>();
    for (const { index, enters } of deferred) {
      const before = late?.get(index);
      const blocks: OwnBlocks = enters ? new Map() : new Map(before?.blocks);
      if (!enters) this.#masks.takeLate(index, own?.get(index), blocks);
      waiting.set(index, { since: before?.since ?? tick, blocks });
    }
    this.#waiting.set(observer, waiting);
    this.#memory.special[observer] = 1;
    this.#memory.owed[observer] = 1;
  }
}
