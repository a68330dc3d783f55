/**
 * Player info as a server writes it: a world of up to 2047 players, and every tick one packet for each observer.
 *
 * ```ts
 * const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206 });
 * engine.add(499, { level: 0, x: 3200, z: 3220 });
 * engine.observe(499).length; // => 4608
 * engine.move(499, 3202, 3222);
 * engine.setBlock(499, "sequence", { id: 808, delay: 0 });
 * engine.tick();
 * formatHex(engine.packet(499)); // => "ef 7f f4 02 03 28 00"
 * ```
 *
 * The differences between observers are decided with sets of players. Everything else is made once per tick: see
 * `tick-bits.ts`, `view.ts`, `mask-store.ts` and `packet-writer.ts`.
 */
import { encode } from "../../../../../wire/index.ts";
import type { PacketThreads } from "../../../../packet-threads.ts";
import { type PlayerInfoState, revisionJson } from "../client-state.ts";
import { checkIndex, checkTile, PLAYER_SLOTS, WORLD_TILES, type WorldTile } from "../constants.ts";
import { type PlayerInfoDialect, playerInfoDialect } from "../dialect.ts";
import { initialPacket, initialQuarter } from "../initial-packet.ts";
import { maxBlockBytes } from "../masks/mask-codec.ts";
import { type MaskFields, type MaskRevision, noMasks } from "../masks/mask-revision.ts";
import { ENGINE_AT, PlayerInfoCore } from "./core.ts";
import { countBits, EngineMemory, exclude, include, inSet, LOCAL, STATE_WORDS } from "./engine-memory.ts";
import type { EngineParts } from "./engine-parts.ts";
import { engineState, takeOverState } from "./engine-state.ts";
import { KnownBlocks } from "./known-blocks.ts";
import { MaskStore } from "./mask-store.ts";
import { observedClient } from "./observed-client.ts";
import { ObserverViews, type Standing } from "./observer-views.ts";
import { OwnPackets } from "./own-packets.ts";
import { PacketWriter } from "./packet-writer.ts";
import { checkSavedEngine, type SavedEngine } from "./saved-engine.ts";
import { SharedPackets } from "./shared-packets.ts";
import { TickPackets } from "./tick-packets.ts";

/** Tiles within which players are shown to each other, along each axis, as the game has it. */
export const VIEW_DISTANCE = 15;
/** Players in view above which an observer's view shrinks: what the game's client draws without trouble. */
export const PREFERRED_LOCALS = 250;

export interface PlayerInfoEngineOptions {
  /** `client` or `documented`: see `playerInfoDialects`. There is no default: bytes of one dialect cannot be read in the other. */
  readonly dialect: string;
  /** Default {@link noMasks}. */
  readonly revision?: MaskRevision;
  /** Tiles along each axis, or `Infinity` to show everybody on the same level. Default {@link VIEW_DISTANCE}. */
  readonly viewDistance?: number;
  /** Players in view at most, the observer itself included, 1..2047. Default {@link PREFERRED_LOCALS}. */
  readonly maxLocals?: number;
  /**
   * What makes the packets: WebAssembly where it may run (the default), or JavaScript. The bytes are the same.
   */
  readonly core?: "auto" | "javascript";
  /**
   * Threads that make the packets of a tick together, in WebAssembly on shared memory: `packetThreads(2)` of `wirewalk/node`. Default: the
   * caller's thread alone. The bytes are the same. {@link PlayerInfoEngine.close} ends them.
   */
  readonly threads?: PacketThreads;
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

  readonly #parts: EngineParts;
  readonly #memory: EngineMemory;
  readonly #masks: MaskStore;
  readonly #views: ObserverViews;
  readonly #writer: PacketWriter;
  readonly #own: OwnPackets;
  readonly #packets: TickPackets;

  readonly #core: PlayerInfoCore | undefined;
  readonly #hidden = new Uint8Array(PLAYER_SLOTS);
  /** Of slots that got a player since the last tick: where clients have the one before. */
  readonly #replaced = new Map<number, WorldTile>();
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
    const core = options.core === "javascript" ? undefined : PlayerInfoCore.create(options.threads);
    this.#core = core;
    const memory = core === undefined ? new EngineMemory() : new EngineMemory(core.buffer, ENGINE_AT);
    const masks = new MaskStore(this.revision, memory, core?.masks);
    const views = new ObserverViews(memory, this.viewDistance, this.maxLocals);
    const writer = new PacketWriter(memory, masks, this.dialect, core?.packets);
    const known = new KnownBlocks(memory, masks.keptByIndex.length);
    const shared = new SharedPackets(memory, known);
    const own = new OwnPackets(memory, masks, writer, known);
    this.#memory = memory;
    this.#masks = masks;
    this.#views = views;
    this.#writer = writer;
    this.#own = own;
    const [hidden, replaced] = [this.#hidden, this.#replaced];
    this.#parts = { memory, masks, views, writer, known, shared, own, hidden, replaced };
    this.#packets = new TickPackets(this.#parts);
    if (core === undefined) return;
    core.setup(this.dialect, this.viewDistance, this.maxLocals, masks.keptByIndex.length);
    // A tick of nobody: JavaScript is compiled when it first runs, which took 0.7 ms of the first tick.
    this.#makePackets();
    this.#ticks = 0;
  }

  /**
   * What makes the packets at present: WebAssembly on several threads, on the caller's alone (also while others start, after
   * they have ended, and where there is no shared memory), or JavaScript.
   */
  get core(): "threads" | "webassembly" | "javascript" {
    if (this.#core === undefined) return "javascript";
    return this.#core.hasHelp ? "threads" : "webassembly";
  }

  /** Ends the other threads, if there are any. The engine goes on with the caller's. */
  close(): void {
    this.#core?.close();
  }

  /** Whether the slot has a player. */
  has(index: number): boolean {
    return this.#memory.present[index] === 1;
  }

  #checkPresent(index: number): void {
    checkIndex(index);
    if (!this.has(index)) throw new RangeError(`Slot ${index} has no player`);
  }

  /** A player's tile. Throws `RangeError` when the slot has no player. */
  tileOf(index: number): WorldTile {
    this.#checkPresent(index);
    const { level, x, z } = this.#memory;
    return { level: level[index] as number, x: x[index] as number, z: z[index] as number };
  }

  /**
   * A player enters the world. The slot's player before may have left in the same tick: observers then see one leave and
   * the other come in one packet. Throws `RangeError` when the slot has a player, or for a tile outside of the world.
   */
  add(index: number, { level, x, z }: WorldTile): void {
    checkIndex(index);
    checkTile(level, x, z);
    if (this.has(index)) throw new RangeError(`Slot ${index} has a player`);
    const memory = this.#memory;
    this.#memory.present[index] = 1;
    this.#hidden[index] = 0;
    this.#memory.teleported[index] = 0;
    if (!this.#replaced.has(index)) this.#replaced.set(index, this.#sentTile(index));
    memory.x[index] = x;
    memory.z[index] = z;
    memory.level[index] = level;
    memory.sentX[index] = x;
    memory.sentZ[index] = z;
    memory.sentLevel[index] = level;
    include(memory.visible, index);
    include(memory.reused, index);
    this.#masks.add(index);
  }

  #sentTile(index: number): WorldTile {
    const { sentLevel, sentX, sentZ } = this.#memory;
    return { level: sentLevel[index] as number, x: sentX[index] as number, z: sentZ[index] as number };
  }

  /** Removes a player from the world and ends its observing. Throws `RangeError` when the slot has no player. */
  remove(index: number): void {
    this.#checkPresent(index);
    this.unobserve(index);
    this.#memory.present[index] = 0;
    exclude(this.#memory.visible, index);
    this.#masks.forget(index);
    this.#own.forgetPlayer(index);
    this.#views.forgetPlayer(index);
  }

  /** Moves a player to a tile of its level: by a walk or a run if it is one step away, otherwise by a teleport. */
  move(index: number, x: number, z: number): void {
    this.#checkPresent(index);
    checkTile(0, x, z);
    this.#memory.x[index] = x;
    this.#memory.z[index] = z;
  }

  /** Puts a player on a tile. With a revision that has the block `temporaryMoveSpeed`, clients do not walk it there. */
  teleport(index: number, { level, x, z }: WorldTile): void {
    this.#checkPresent(index);
    checkTile(level, x, z);
    const memory = this.#memory;
    memory.x[index] = x;
    memory.z[index] = z;
    memory.level[index] = level;
    this.#memory.teleported[index] = 1;
  }

  /**
   * Sets a mask block of a player, by its name in the revision, for the next tick's packets. It replaces the block that was
   * set for that tick. Throws `TypeError` or `RangeError` that names the field: then nothing has changed.
   */
  setBlock(index: number, name: string, fields: MaskFields): void {
    this.#checkPresent(index);
    this.#masks.set(index, this.#masks.ordinal(name), fields);
  }

  /** The same for one observer, instead of the block for all; only blocks that are `perObserver`. */
  setBlockFor(observer: number, index: number, name: string, fields: MaskFields): void {
    checkIndex(observer);
    this.#checkPresent(index);
    const ordinal = this.#masks.ordinal(name);
    if (this.#masks.block(ordinal).perObserver !== true) {
      throw new RangeError(`Mask block "${name}" is the same for every observer`);
    }
    const bytes = this.#masks.encode(ordinal, fields);
    if (this.#memory.observing[observer] === 1) this.#own.setBlock(observer, index, ordinal, bytes);
  }

  /** Hides a player from all observers but itself, or shows it again. */
  hide(index: number, hidden: boolean): void {
    this.#checkPresent(index);
    this.#hidden[index] = hidden ? 1 : 0;
    if (hidden) exclude(this.#memory.visible, index);
    else include(this.#memory.visible, index);
  }

  /**
   * Sets how an observer is shown a player, until either leaves. A player with standing `first` stays in view at the
   * full distance when the view has shrunk, and waits less when a packet is full.
   */
  setStanding(observer: number, index: number, standing: Standing): void {
    this.#checkPresent(observer);
    this.#checkPresent(index);
    if (observer !== index) this.#views.stand(observer, index, standing);
  }

  /**
   * A player begins to observe, or begins again after a reconnect. Returns the initialisation; from the next tick on there
   * is a packet for it. The client counts as knowing nothing.
   */
  observe(index: number): Uint8Array<ArrayBuffer> {
    this.#checkPresent(index);
    const memory = this.#memory;
    const state = index * STATE_WORDS;
    memory.state.fill(0, state, state + STATE_WORDS);
    memory.next.fill(0, state, state + STATE_WORDS);
    this.#core?.expectPacket(this.maxLocals);
    include(memory.state, index, state + LOCAL, 2);
    this.#parts.known.forget(index);
    this.#own.begin(index);
    this.#memory.observing[index] = 1;
    this.#memory.radius[index] = this.viewDistance;
    this.#memory.packetStart[index] = 0;
    this.#memory.packetEnd[index] = 0;
    return this.#initialisation(index);
  }

  #initialisation(observer: number): Uint8Array<ArrayBuffer> {
    if (this.#core !== undefined) return this.#core.initialisation(observer);
    const { sentLevel, sentX, sentZ, quarter } = this.#memory;
    const quarters: number[] = [];
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (index !== observer) quarters.push(initialQuarter(quarter[index] as number));
    }
    const level = sentLevel[observer] as number;
    return encode(initialPacket, { level, x: sentX[observer] as number, z: sentZ[observer] as number, quarters });
  }

  /** No more packets for this player. Nothing happens for a player that does not observe. */
  unobserve(index: number): void {
    if (this.#memory.observing[index] !== 1) return;
    this.#memory.observing[index] = 0;
    this.#views.forgetStandings(index);
    this.#own.end(index);
    this.#memory.packetStart[index] = 0;
    this.#memory.packetEnd[index] = 0;
  }

  /** Tiles at which the observer's view ends at present. */
  viewDistanceOf(observer: number): number {
    return this.#memory.radius[observer] as number;
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
    return (
      this.#memory.observing[observer] === 1 && inSet(this.#memory.state, index, observer * STATE_WORDS + LOCAL, 2)
    );
  }

  /**
   * What the observer's client knows after the packets so far: a spectator that joins now starts from it. See
   * `PlayerInfoState`. Changes nothing. Throws `RangeError` unless the player observes.
   */
  clientState(observer: number): PlayerInfoState {
    this.#checkPresent(observer);
    if (this.#memory.observing[observer] === 0) throw new RangeError(`Player ${observer} does not observe`);
    return observedClient({ dialect: this.dialect.name, ...this.#parts }, observer);
  }

  /** Players for which the last packet had no room: their masks, or they themselves, come later. */
  waitingFor(observer: number): readonly number[] {
    return this.#own.waitingFor(observer);
  }

  /**
   * The observer's packet of the last tick: a view that holds until the next one. Empty before the first. Observers who
   * see the same have the same bytes. With the option `threads` it is a view of shared memory, which some functions of a platform
   * refuse: a `slice()` is not.
   */
  packet(observer: number): Uint8Array {
    return this.#writer.bytes.subarray(this.#memory.packetStart[observer], this.#memory.packetEnd[observer]);
  }

  /** Bytes of that packet. */
  packetBytes(observer: number): number {
    return (this.#memory.packetEnd[observer] as number) - (this.#memory.packetStart[observer] as number);
  }

  /** One tick: makes the packets of all observers. */
  tick(): void {
    this.#makePackets();
  }

  #makePackets(): void {
    const { present, teleported } = this.#memory;
    this.#ticks++;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (teleported[index] === 1 && present[index] === 1) this.#masks.stop(index);
    }
    this.#writer.beginTick();
    this.#packets.make(this.#core, this.#ticks);
    this.#masks.endTick();
    this.#own.endTick();
    this.#replaced.clear();
  }

  /**
   * Everything that decides later packets, as plain data that shares nothing with the engine. The packets of the last tick
   * are not in it.
   */
  save(): SavedEngine {
    return {
      dialect: this.dialect.name,
      revision: revisionJson(this.revision),
      viewDistance: this.viewDistance,
      maxLocals: this.maxLocals,
      ticks: this.#ticks,
      ...engineState(this.#parts),
    };
  }

  /**
   * Goes on as the engine that was saved would, in place of all that came before; `packet` is empty until the next tick.
   * Throws `RangeError` for an engine with other options, `TypeError` for malformed data: then nothing has changed.
   */
  restore(saved: SavedEngine): void {
    this.prepareRestore(saved)();
  }

  /**
   * The first half of {@link restore}: checks everything and returns the second half, which cannot fail. `where` names the
   * data in errors.
   */
  prepareRestore(data: unknown, where = "engine"): () => void {
    const { blocks } = this.revision;
    const saved = checkSavedEngine(
      data,
      {
        dialect: this.dialect.name,
        revision: revisionJson(this.revision),
        viewDistance: this.viewDistance,
        maxLocals: this.maxLocals,
        blocks: blocks.map((block) => ({ kept: block.kept !== undefined, maxBytes: maxBlockBytes(block) })),
        keptByIndex: this.#masks.keptByIndex.length,
      },
      where,
    );
    return () => {
      this.#ticks = saved.ticks;
      takeOverState(this.#parts, saved);
    };
  }
}
