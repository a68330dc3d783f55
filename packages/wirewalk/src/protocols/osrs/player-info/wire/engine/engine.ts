/**
 * Player info as a server writes it: a world of up to 2047 players, and every tick one packet for each observer.
 *
 * ```ts
 * const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206 });
 * engine.add(499, { level: 0, x: 3200, z: 3220 });
 * engine.observe(499).length; // => 4608
 * engine.move(499, 3202, 3222);
 * engine.setBlock(499, "say", { text: "Hi" });
 * engine.tick();
 * formatHex(engine.packet(499)); // => "ef 7f f4 01 48 69 00"
 * ```
 *
 * What may vary between observers is decided by sets of players, and everything else is made once per tick: see
 * `tick-bits.ts`, `view.ts`, `mask-store.ts` and `packet-writer.ts`.
 */
import { BitWriter, formatHex } from "../../../../../wire/index.ts";
import { type PlayerInfoState, revisionJson } from "../client-state.ts";
import {
  checkIndex,
  checkTile,
  INIT_BYTES,
  MAX_PACKET_BYTES,
  PLAYER_SLOTS,
  quarterOf,
  SET_WORDS,
  WORLD_TILES,
  type WorldTile,
} from "../constants.ts";
import { type PlayerInfoDialect, playerInfoDialect } from "../dialect.ts";
import { type MaskFields, type MaskRevision, noMasks } from "../masks/mask-revision.ts";
import {
  countBits,
  EngineMemory,
  exclude,
  FLAG,
  include,
  inSet,
  LOCAL,
  REUSED,
  STATE_WORDS,
  TICK_SETS,
} from "./engine-memory.ts";
import { ENTERING, MaskStore, type OwnBlocks } from "./mask-store.ts";
import { ObserverViews } from "./observer-views.ts";
import { type OwnMasks, PacketWriter } from "./packet-writer.ts";
import { makeTickCodes } from "./tick-bits.ts";

/** Tiles within which players are shown to each other, along each axis, as the game has it. */
export const VIEW_DISTANCE = 15;
/** Players in view above which an observer's view shrinks: what the game's client draws without trouble. */
export const PREFERRED_LOCALS = 250;
/** Observers on one tile whose packets are compared before an observer gets one of its own. */
const MAX_TWINS = 8;
/** Below so many players in view, groups do not pay for the table that they need (measured). */
const CROWD_PLAYERS = 300;
const TWIN_BUCKETS = 4096;

// Who goes first when a packet is full. Points are tiles of distance: less is better.
/** Farther players are all as good as this. */
const FAR_TILES = 32;
/** How much nearer a player counts whom the observer is shown first. */
const FIRST_TILES = 64;
/** How much nearer a player counts for each tick that it has waited: after 24 it is before all who have not. */
const WAITED_TILES = 4;
/** Deferring a player can lengthen the skips around it by a bit at most: room for 2047 of them. */
const DEFERRED_BITS_BYTES = 256;

export interface PlayerInfoEngineOptions {
  /** `client` or `documented`: see `playerInfoDialects`. There is no default: bytes of one dialect cannot be read in the other. */
  readonly dialect: string;
  /** Default {@link noMasks}. */
  readonly revision?: MaskRevision;
  /** Tiles along each axis, or `Infinity` to show everybody on the same level. Default {@link VIEW_DISTANCE}. */
  readonly viewDistance?: number;
  /** Players in view at most, the observer itself included, 1..2047. Default {@link PREFERRED_LOCALS}. */
  readonly maxLocals?: number;
}

/** How an observer is shown a player: before others, as anybody, or not at all. */
export type Standing = "first" | "ordinary" | "never";

/** What one observer waits for. */
interface Waiting {
  /** The tick in which it began. */
  readonly since: number;
  readonly blocks: OwnBlocks;
}

/** Who has masks in a packet that would be too long. */
interface Candidate {
  readonly index: number;
  readonly bytes: number;
  readonly points: number;
  readonly enters: boolean;
}

/**
 * Writes player info for every observer of a world. Wrong arguments throw `RangeError` or `TypeError` and change
 * nothing.
 */
export class PlayerInfoEngine {
  readonly dialect: PlayerInfoDialect;
  readonly revision: MaskRevision;
  readonly viewDistance: number;
  readonly maxLocals: number;

  readonly #memory = new EngineMemory();
  readonly #masks: MaskStore;
  readonly #views: ObserverViews;
  readonly #writer: PacketWriter;

  readonly #present = new Uint8Array(PLAYER_SLOTS);
  readonly #hidden = new Uint8Array(PLAYER_SLOTS);
  readonly #teleported = new Uint8Array(PLAYER_SLOTS);
  readonly #observing = new Uint8Array(PLAYER_SLOTS);
  /** Observers who may lack something of the players they have in view. */
  readonly #owed = new Uint8Array(PLAYER_SLOTS);
  readonly #packetStart = new Int32Array(PLAYER_SLOTS);
  readonly #packetEnd = new Int32Array(PLAYER_SLOTS);
  /** By observer: blocks of this tick for its eyes only, by player. */
  readonly #own = new Map<number, Map<number, OwnBlocks>>();
  /** By observer: whose masks, or who itself, found no room. */
  readonly #waiting = new Map<number, Map<number, Waiting>>();

  /** Of slots that got a player since the last tick: where clients have the one before. */
  readonly #replaced = new Map<number, WorldTile>();

  // Packets of this tick by tile, and from there by observer: 0 ends a list.
  readonly #twinHead = new Int32Array(TWIN_BUCKETS);
  readonly #twinNext = new Int32Array(PLAYER_SLOTS);
  #ticks = 0;

  constructor(options: PlayerInfoEngineOptions) {
    const { viewDistance = VIEW_DISTANCE, maxLocals = PREFERRED_LOCALS } = options;
    const distances = viewDistance === Number.POSITIVE_INFINITY || Number.isInteger(viewDistance);
    if (!distances || viewDistance < 0) {
      throw new RangeError(`viewDistance must be a whole number of tiles or Infinity, got ${viewDistance}`);
    }
    if (!(Number.isInteger(maxLocals) && maxLocals >= 1 && maxLocals < PLAYER_SLOTS)) {
      throw new RangeError(`maxLocals must be an integer in 1..${PLAYER_SLOTS - 1}, got ${maxLocals}`);
    }
    this.dialect = playerInfoDialect(options.dialect);
    this.revision = options.revision ?? noMasks;
    this.viewDistance = Math.min(viewDistance, WORLD_TILES);
    this.maxLocals = maxLocals;
    this.#masks = new MaskStore(this.revision, this.#memory);
    this.#views = new ObserverViews(this.#memory, this.viewDistance, this.maxLocals);
    this.#writer = new PacketWriter(this.#memory, this.#masks, this.dialect);
  }

  /** Whether the slot has a player. */
  has(index: number): boolean {
    return this.#present[index] === 1;
  }

  #checkPresent(index: number): void {
    checkIndex(index);
    if (!this.has(index)) throw new RangeError(`Slot ${index} has no player`);
  }

  /** Where a player is. Throws `RangeError` when there is none. */
  tileOf(index: number): WorldTile {
    this.#checkPresent(index);
    const { level, x, z } = this.#memory;
    return { level: level[index] as number, x: x[index] as number, z: z[index] as number };
  }

  /**
   * A player enters the world. Who had the slot before may have left in the same tick: observers then see one go and
   * the other come in one packet. Throws `RangeError` when the slot has a player, or for a tile outside of the world.
   */
  add(index: number, { level, x, z }: WorldTile): void {
    checkIndex(index);
    checkTile(level, x, z);
    if (this.has(index)) throw new RangeError(`Slot ${index} has a player`);
    const memory = this.#memory;
    this.#present[index] = 1;
    this.#hidden[index] = 0;
    this.#teleported[index] = 0;
    if (!this.#replaced.has(index)) this.#replaced.set(index, this.#sentTile(index));
    memory.x[index] = x;
    memory.z[index] = z;
    memory.level[index] = level;
    memory.sentX[index] = x;
    memory.sentZ[index] = z;
    memory.sentLevel[index] = level;
    include(memory.visible, index);
    include(memory.tick, index, REUSED, TICK_SETS);
    this.#masks.add(index);
  }

  #sentTile(index: number): WorldTile {
    const { sentLevel, sentX, sentZ } = this.#memory;
    return { level: sentLevel[index] as number, x: sentX[index] as number, z: sentZ[index] as number };
  }

  /** A player leaves the world, and stops observing. Throws `RangeError` when there is none. */
  remove(index: number): void {
    this.#checkPresent(index);
    this.unobserve(index);
    this.#present[index] = 0;
    exclude(this.#memory.visible, index);
    this.#masks.forget(index);
    // What observers were to be shown of it, and how it stood to them, is not for who comes after it.
    for (const players of this.#own.values()) players.delete(index);
    for (const players of this.#waiting.values()) players.delete(index);
    for (let observer = 1; observer < PLAYER_SLOTS; observer++) {
      if (this.#views.choosy[observer] === 1) this.#stand(observer, index, "ordinary");
    }
  }

  /** Moves a player to a tile of its level; a walk or a run where one step does it, or else a teleport. */
  move(index: number, x: number, z: number): void {
    this.#checkPresent(index);
    checkTile(0, x, z);
    this.#memory.x[index] = x;
    this.#memory.z[index] = z;
  }

  /** Puts a player on a tile. Clients do not walk it there, where the revision has a temporary move speed to say so. */
  teleport(index: number, { level, x, z }: WorldTile): void {
    this.#checkPresent(index);
    checkTile(level, x, z);
    const memory = this.#memory;
    memory.x[index] = x;
    memory.z[index] = z;
    memory.level[index] = level;
    this.#teleported[index] = 1;
  }

  /**
   * What everybody is shown of a player from the next tick on: a block of the revision by its name. It replaces what
   * was set for this tick. Throws `TypeError` or `RangeError` that names the field; nobody is shown anything then.
   */
  setBlock(index: number, name: string, fields: MaskFields): void {
    this.#checkPresent(index);
    this.#masks.set(index, this.#masks.ordinal(name), fields);
  }

  /** The same for one observer, instead of what the others are shown; only blocks that are `perObserver`. */
  setBlockFor(observer: number, index: number, name: string, fields: MaskFields): void {
    checkIndex(observer);
    this.#checkPresent(index);
    const ordinal = this.#masks.ordinal(name);
    if (this.#masks.block(ordinal).perObserver !== true) {
      throw new RangeError(`Mask block "${name}" is the same for every observer`);
    }
    const bytes = this.#masks.encode(ordinal, fields);
    if (this.#observing[observer] === 0) return;
    const players = this.#own.get(observer) ?? new Map<number, OwnBlocks>();
    const blocks = players.get(index) ?? new Map<number, Uint8Array>();
    this.#own.set(observer, players.set(index, blocks.set(ordinal, bytes)));
  }

  /** Whether nobody but itself sees a player. */
  hide(index: number, hidden: boolean): void {
    this.#checkPresent(index);
    this.#hidden[index] = hidden ? 1 : 0;
    if (hidden) exclude(this.#memory.visible, index);
    else include(this.#memory.visible, index);
  }

  /**
   * How an observer is shown a player, until either leaves. Who comes first is in view at the full distance when the
   * view has shrunk, and waits less in a full packet.
   */
  setStanding(observer: number, index: number, standing: Standing): void {
    this.#checkPresent(observer);
    this.#checkPresent(index);
    if (observer !== index) this.#stand(observer, index, standing);
  }

  #stand(observer: number, index: number, standing: Standing): void {
    const { first, never } = this.#memory;
    const base = observer * SET_WORDS;
    (standing === "first" ? include : exclude)(first, index, base);
    (standing === "never" ? include : exclude)(never, index, base);
    let any = 0;
    for (let word = base; word < base + SET_WORDS; word++) any |= (first[word] as number) | (never[word] as number);
    this.#views.choosy[observer] = any === 0 ? 0 : 1;
  }

  /**
   * A player begins to observe, or does so again after a reconnect: gives the initialisation, and from the next tick on
   * there is a packet for it. The client is taken to know nothing.
   */
  observe(index: number): Uint8Array<ArrayBuffer> {
    this.#checkPresent(index);
    const memory = this.#memory;
    const base = index * SET_WORDS;
    const state = index * STATE_WORDS;
    memory.state.fill(0, state, state + STATE_WORDS);
    include(memory.state, index, state + LOCAL, 2);
    for (const known of memory.known) known.fill(0, base, base + SET_WORDS);
    this.#observing[index] = 1;
    this.#owed[index] = 1;
    this.#views.radius[index] = this.viewDistance;
    this.#waiting.delete(index);
    this.#own.delete(index);
    this.#packetStart[index] = 0;
    this.#packetEnd[index] = 0;
    return this.#initialisation(index);
  }

  #initialisation(observer: number): Uint8Array<ArrayBuffer> {
    const { sentLevel, sentX, sentZ, quarter } = this.#memory;
    const bits = new BitWriter(INIT_BYTES);
    bits.write(2, sentLevel[observer] as number);
    bits.write(14, sentX[observer] as number);
    bits.write(14, sentZ[observer] as number);
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (index === observer) continue;
      const packed = quarter[index] as number;
      bits.write(2, packed >> 28);
      bits.write(8, (packed >> 14) & 0xff);
      bits.write(8, packed & 0xff);
    }
    return bits.toBytes();
  }

  /** No more packets for this player; nothing happens when there were none. */
  unobserve(index: number): void {
    if (this.#observing[index] !== 1) return;
    this.#observing[index] = 0;
    const { first, never } = this.#memory;
    const base = index * SET_WORDS;
    first.fill(0, base, base + SET_WORDS);
    never.fill(0, base, base + SET_WORDS);
    this.#views.choosy[index] = 0;
    this.#waiting.delete(index);
    this.#own.delete(index);
    this.#packetStart[index] = 0;
    this.#packetEnd[index] = 0;
  }

  /** Tiles at which the observer's view ends at present. */
  viewDistanceOf(observer: number): number {
    return this.#views.radius[observer] as number;
  }

  /** How many players the observer has in view, itself included. */
  localCountOf(observer: number): number {
    const { state } = this.#memory;
    const base = observer * STATE_WORDS + LOCAL;
    let count = 0;
    for (let word = base; word < base + STATE_WORDS; word += 2) count += countBits(state[word] as number);
    return count;
  }

  /** Whether the observer has a player in view. */
  sees(observer: number, index: number): boolean {
    return this.#observing[observer] === 1 && inSet(this.#memory.state, index, observer * STATE_WORDS + LOCAL, 2);
  }

  /**
   * What the observer's client knows by the packets so far, for somebody who looks on from here: see `PlayerInfoState`.
   * Changes nothing. Throws `RangeError` unless the player observes.
   */
  clientState(observer: number): PlayerInfoState {
    this.#checkPresent(observer);
    if (this.#observing[observer] === 0) throw new RangeError(`Player ${observer} does not observe`);
    const { state, quarter } = this.#memory;
    const base = observer * STATE_WORDS;
    const skipped = new Uint8Array(PLAYER_SLOTS / 8);
    const players: (readonly [number, number, number, number])[] = [];
    const quarters: (readonly [number, number])[] = [];
    const masks: (readonly [number, string])[] = [];
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      const isLocal = inSet(state, index, base + LOCAL, 2);
      if (inSet(state, index, base + FLAG, 2))
        skipped[index >> 3] = (skipped[index >> 3] as number) | (1 << (index & 7));
      const replaced = index === observer ? undefined : this.#replaced.get(index);
      const { level, x, z } = replaced ?? this.#sentTile(index);
      if (isLocal) players.push([index, level, x, z]);
      else if (quarter[index] !== 0) quarters.push([index, quarter[index] as number]);
      const kept = this.#masks.keptBytes(index, this.#keptCombination(observer, index, isLocal));
      if (kept !== undefined) masks.push([index, formatHex(kept, { separator: "" })]);
    }
    return {
      dialect: this.dialect.name,
      revision: revisionJson(this.revision),
      index: observer,
      players,
      quarters,
      skipped: formatHex(skipped, { separator: "" }),
      masks,
    };
  }

  /** Which blocks of a player the observer's client keeps as they are now. */
  #keptCombination(observer: number, index: number, isLocal: boolean): number {
    const { has, known, changed } = this.#memory;
    let combination = 0;
    for (let which = 0; which < this.#masks.keptByIndex.length; which++) {
      const knows = inSet(known[which] as Int32Array, index, observer * SET_WORDS);
      const isThere = inSet(has[which] as Int32Array, index) && !inSet(changed[which] as Int32Array, index);
      if (knows && isThere) combination |= 1 << which;
    }
    const isFresh = this.#replaced.has(index) || this.#waiting.get(observer)?.has(index) === true;
    return isLocal && !isFresh ? combination | ENTERING : combination;
  }

  /** Players of whom the last packet was too full: their masks, or they themselves, come later. */
  waitingFor(observer: number): readonly number[] {
    return [...(this.#waiting.get(observer)?.keys() ?? [])];
  }

  /**
   * The observer's packet of the last tick: a view that holds until the next one. Empty before the first. Observers who
   * see the same have the same bytes.
   */
  packet(observer: number): Uint8Array<ArrayBuffer> {
    return this.#writer.bytes.subarray(this.#packetStart[observer], this.#packetEnd[observer]);
  }

  /** Bytes of that packet. */
  packetBytes(observer: number): number {
    return (this.#packetEnd[observer] as number) - (this.#packetStart[observer] as number);
  }

  /** One tick: makes the packets of all observers. */
  tick(): void {
    const memory = this.#memory;
    this.#ticks++;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (this.#teleported[index] === 1 && this.#present[index] === 1) this.#masks.stop(index);
    }
    makeTickCodes(memory, this.#present, this.#teleported);
    this.#masks.beginTick();
    this.#views.beginTick(this.#ticks);
    this.#writer.beginTick();
    this.#twinHead.fill(0);
    const changed = this.#changedBlocks();
    for (let observer = 1; observer < PLAYER_SLOTS; observer++) {
      if (this.#observing[observer] === 1) this.#write(observer, changed);
    }
    memory.swap();
    this.#endTick();
  }

  /** The blocks kept by index of which somebody has a new one: a bit for each. */
  #changedBlocks(): number {
    let changed = 0;
    this.#memory.changed.forEach((set, which) => {
      if (set.some((word) => word !== 0)) changed |= 1 << which;
    });
    return changed;
  }

  #endTick(): void {
    const memory = this.#memory;
    const { x, z, level, sentX, sentZ, sentLevel, quarter } = memory;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (this.#present[index] === 0) continue;
      sentX[index] = x[index] as number;
      sentZ[index] = z[index] as number;
      sentLevel[index] = level[index] as number;
      quarter[index] = quarterOf(level[index] as number, x[index] as number, z[index] as number);
    }
    this.#teleported.fill(0);
    for (let word = REUSED; word < memory.tick.length; word += TICK_SETS) memory.tick[word] = 0;
    this.#masks.endTick();
    this.#own.clear();
    this.#replaced.clear();
  }

  #write(observer: number, changed: number): void {
    const count = this.#views.choose(observer);
    const own = this.#own.get(observer);
    const waiting = this.#waiting.get(observer);
    const ordinary = own === undefined && waiting === undefined && this.#owed[observer] === 0;
    const twins = ordinary && this.#views.choosy[observer] === 0 && this.#hidden[observer] === 0;
    const bucket = twins ? this.#bucketOf(observer) : -1;
    if (bucket >= 0 && this.#copyTwin(observer, bucket)) {
      this.#updateKnown(observer, changed);
      return;
    }
    const { masked } = this.#memory;
    const writer = this.#writer;
    const start = writer.end;
    if (ordinary && writer.write(observer, masked, this.#isCrowd(count))) {
      this.#updateKnown(observer, changed);
      if (bucket >= 0) {
        this.#twinNext[observer] = this.#twinHead[bucket] as number;
        this.#twinHead[bucket] = observer;
      }
    } else {
      this.#writeOwn(observer, own);
    }
    this.#packetStart[observer] = start;
    this.#packetEnd[observer] = writer.end;
  }

  /** Whether groups of players are faster than one after the other: many in view, and a quarter of all at least. */
  #isCrowd(count: number): boolean {
    return count >= CROWD_PLAYERS && count * 4 >= this.#views.visible;
  }

  #bucketOf(observer: number): number {
    const { level, x, z } = this.#memory;
    const radius = this.#views.radius[observer] as number;
    // Without a distance the tile does not matter.
    const tile = radius >= WORLD_TILES ? 0 : ((x[observer] as number) << 14) | (z[observer] as number);
    return Math.imul(tile + (level[observer] as number), 0x9e37_79b1) >>> 20;
  }

  /** Gives an observer the packet of another that sees the same and knew the same, if there is one. */
  #copyTwin(observer: number, bucket: number): boolean {
    const memory = this.#memory;
    const { level, x, z, state, next } = memory;
    const base = observer * STATE_WORDS;
    const endless = (this.#views.radius[observer] as number) >= WORLD_TILES;
    let twin = this.#twinHead[bucket] as number;
    for (let tries = 0; twin !== 0 && tries < MAX_TWINS; tries++, twin = this.#twinNext[twin] as number) {
      if (level[twin] !== level[observer] || this.#views.radius[twin] !== this.#views.radius[observer]) continue;
      if (!endless && (x[twin] !== x[observer] || z[twin] !== z[observer])) continue;
      const other = twin * STATE_WORDS;
      let word = 0;
      while (word < STATE_WORDS && state[base + word] === state[other + word]) word++;
      if (word < STATE_WORDS || !this.#knowsAsMuch(observer, twin)) continue;
      next.copyWithin(base, other, other + STATE_WORDS);
      this.#packetStart[observer] = this.#packetStart[twin] as number;
      this.#packetEnd[observer] = this.#packetEnd[twin] as number;
      return true;
    }
    return false;
  }

  /** Whether neither of two observers lacked anything of the players who come into their view. */
  #knowsAsMuch(observer: number, twin: number): boolean {
    if (this.#lacked[twin] === 1) return false;
    const { state, next, has, known } = this.#memory;
    const kept = this.#masks.keptByIndex.length;
    for (let word = 0; kept > 0 && word < SET_WORDS; word++) {
      const at = twin * STATE_WORDS + word * 2 + LOCAL;
      const enters = (next[at] as number) & ~(state[at] as number);
      if (enters === 0) continue;
      for (let which = 0; which < kept; which++) {
        const knows = (known[which] as Int32Array)[observer * SET_WORDS + word] as number;
        if ((enters & ((has[which] as Int32Array)[word] as number) & ~knows) !== 0) return false;
      }
    }
    return true;
  }

  /** Observers who were sent more than the blocks of the tick. */
  readonly #lacked = new Uint8Array(PLAYER_SLOTS);

  /** After a packet: the observer has what is kept of everybody in view, and nothing new of the others. */
  #updateKnown(observer: number, changed: number): void {
    const { state, next, has, known, changed: changes } = this.#memory;
    const base = observer * SET_WORDS;
    const kept = this.#masks.keptByIndex.length;
    let lacked = 0;
    for (let which = 0; which < kept; which++) {
      const knows = known[which] as Int32Array;
      const having = has[which] as Int32Array;
      const change = changes[which] as Int32Array;
      const anyChange = (changed & (1 << which)) !== 0;
      for (let word = 0; word < SET_WORDS; word++) {
        const local = next[(base + word) * 2 + LOCAL] as number;
        const enters = local & ~(state[(base + word) * 2 + LOCAL] as number);
        const fresh = anyChange ? (change[word] as number) : 0;
        if ((enters | fresh) === 0) continue;
        const before = knows[base + word] as number;
        const sent = (enters | (local & fresh)) & (having[word] as number);
        lacked |= enters & (having[word] as number) & ~before;
        knows[base + word] = (before & ~fresh) | sent;
      }
    }
    this.#lacked[observer] = lacked === 0 ? 0 : 1;
  }

  // The rest is for observers for whom something is different, and for full packets. It is not on the hot path.

  #writeOwn(observer: number, own: Map<number, OwnBlocks> | undefined): void {
    const memory = this.#memory;
    const { ownMasked, nobody, view, barred } = memory;
    const late = this.#waiting.get(observer);
    const masks: OwnMasks = {
      compose: (index, combination) => {
        this.#masks.composeOwn(index, combination, own?.get(index), late?.get(index)?.blocks);
      },
    };
    this.#chooseOwnMasked(observer, own, late);
    if (this.#writer.write(observer, ownMasked, false, masks)) {
      this.#waiting.delete(observer);
      this.#owed[observer] = 0;
      this.#updateOwnKnown(observer, nobody);
      return;
    }
    const deferred = this.#defer(observer, masks);
    for (let word = 0; word < SET_WORDS; word++) view[word] = (view[word] as number) & ~(barred[word] as number);
    if (!this.#writer.write(observer, ownMasked, false, masks)) {
      throw new Error("A packet is too long although its size was known");
    }
    this.#remember(observer, deferred, own, late);
    this.#updateOwnKnown(observer, memory.waiting);
  }

  /** Whom masks follow for: as for everyone, and who is owed something, and who looks different to this observer. */
  #chooseOwnMasked(
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
   * Chooses who waits, so that the rest fits: takes them out of `ownMasked`, and into `barred` who would come into
   * view.
   */
  #defer(observer: number, masks: OwnMasks): readonly Candidate[] {
    const memory = this.#memory;
    const { barred, waiting, ownMasked } = memory;
    const candidates: Candidate[] = [];
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (!this.#writer.isPending(index)) continue;
      const enters = this.#writer.comesIntoView(index);
      masks.compose(index, this.#writer.combinationOf(observer, index, enters));
      candidates.push({ index, bytes: this.#masks.length, points: this.#pointsOf(observer, index), enters });
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

  #pointsOf(observer: number, index: number): number {
    const { x, z, first } = this.#memory;
    const dx = Math.abs((x[index] as number) - (x[observer] as number));
    const dz = Math.abs((z[index] as number) - (z[observer] as number));
    const since = this.#waiting.get(observer)?.get(index)?.since ?? this.#ticks;
    // Finite for the observer itself too: even its words must not keep the others waiting for ever.
    const isFirst = index === observer || inSet(first, index, observer * SET_WORDS);
    const ahead = isFirst ? FIRST_TILES : 0;
    return Math.min(Math.max(dx, dz), FAR_TILES) - ahead - (this.#ticks - since) * WAITED_TILES;
  }

  #remember(
    observer: number,
    deferred: readonly Candidate[],
    own: Map<number, OwnBlocks> | undefined,
    late: Map<number, Waiting> | undefined,
  ): void {
    const waiting = new Map<number, Waiting>();
    for (const { index, enters } of deferred) {
      const before = late?.get(index);
      const blocks: OwnBlocks = enters ? new Map() : new Map(before?.blocks);
      if (!enters) this.#masks.takeLate(index, own?.get(index), blocks);
      waiting.set(index, { since: before?.since ?? this.#ticks, blocks });
    }
    this.#waiting.set(observer, waiting);
    this.#owed[observer] = 1;
  }

  /** The same as for everyone, but the observer may have been sent what it was owed, and whom it waits for it lacks. */
  #updateOwnKnown(observer: number, waiting: Int32Array): void {
    const { next, has, known, changed } = this.#memory;
    const base = observer * SET_WORDS;
    for (let which = 0; which < this.#masks.keptByIndex.length; which++) {
      const knows = known[which] as Int32Array;
      for (let word = 0; word < SET_WORDS; word++) {
        const sent = (next[(base + word) * 2 + LOCAL] as number) & ~(waiting[word] as number);
        const before = (knows[base + word] as number) & ~((changed[which] as Int32Array)[word] as number);
        knows[base + word] = before | (sent & ((has[which] as Int32Array)[word] as number));
      }
    }
  }
}
