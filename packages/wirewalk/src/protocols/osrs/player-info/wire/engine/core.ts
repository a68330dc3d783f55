/**
 * The engine's hot path as WebAssembly, on the same memory: all packets of a tick, but for the few that only one observer gets.
 * The sources are in `packages/wirewalk/core/player-info`. Where WebAssembly may not run (a page without `wasm-unsafe-eval`, an engine without
 * SIMD, no address space left) there is no core, and the engine in TypeScript makes the same bytes.
 *
 * In one linear memory: the core's own tables, the regions of {@link EngineMemory}, the composed masks of a tick, and the packets
 * of a tick. The last two are long enough for what happens; with more in a tick the engine does without the core. V8 counts all of the memory when
 * it decides to collect garbage: with room for the longest packets of everybody, 95 MB, it collected the whole heap for every
 * engine that was made.
 */

import type { PacketThreads } from "../../../../packet-threads.ts";
import { PLAYER_SLOTS } from "../constants.ts";
import type { PlayerInfoDialect } from "../dialect.ts";
import { INIT_BYTES } from "../initial-packet.ts";
import type { CoreExports, SharedCoreExports } from "./core-exports.ts";
import { coreModule } from "./core-module.ts";
import { CoreThreads, WORK_AREA_BYTES } from "./core-threads.ts";
import { WARM_UP_BYTES, warmUp } from "./core-warm-up.ts";
import { ENGINE_BYTES } from "./engine-memory.ts";

const PAGE_BYTES = 1 << 16;
/** Composed masks of a tick. */
const MASKS_BYTES = 1 << 20;
/**
 * Packets of a tick. Crowds of 2047 were measured to take 3 to 11 MB, and a town of 2,000 that all come at once with their appearance 20 MB: that
 * tick took 44 ms with 16 MB, and takes 17.
 */
const PACKETS_BYTES = 24 << 20;

/** Bytes of a player that comes into view in a packet, nearly always. */
const ENTRY_BYTES = 4;
const SYSTEM_PAGE_BYTES = 4096;

/** Where the regions of {@link EngineMemory} begin: `ENGINE` of the core's `memory.ts`. */
export const ENGINE_AT = 0x14_0000;
const MASKS_AT = toLine(ENGINE_AT + ENGINE_BYTES);
const PACKETS_AT = toLine(MASKS_AT + MASKS_BYTES);
const TOTAL_BYTES = PACKETS_AT + PACKETS_BYTES;

/** To the next cache line. */
function toLine(at: number): number {
  return (at + 63) & ~63;
}

/** Why {@link PlayerInfoCore.makePackets} returns: see `packets.ts` of the core. */
export const CORE_DONE = 0;
export const CORE_NEEDS_MASKS = 1;

/** As much of WebAssembly's interface as is used here. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
  Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => { readonly buffer: ArrayBufferLike };
}

/** Compiled once for all engines; `null` where that failed. */
let compiled: object | null | undefined;

function compile(): object | null {
  if (compiled !== undefined) return compiled;
  compiled = null;
  const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyApi };
  if (WebAssembly === undefined) return null;
  try {
    const module = new WebAssembly.Module(fromBase64(coreModule));
    warmUp(instantiate(module, ENGINE_AT + ENGINE_BYTES + WARM_UP_BYTES, false).exports);
    compiled = module;
  } catch {
    // Not allowed here, without SIMD, or without memory.
  }
  return compiled;
}

/** Modules for threads that {@link warmUp} has run. */
const warm = new WeakSet<object>();

interface CoreInstance {
  readonly memory: { readonly buffer: ArrayBufferLike };
  readonly exports: CoreExports;
}

function instantiate(module: object, bytes: number, shared: boolean): CoreInstance {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
  const pages = Math.ceil(bytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  return { memory, exports: new WebAssembly.Instance(module, { env: { memory } }).exports as CoreExports };
}

/** An instance of the core, and the memory that it shares with an engine. */
export class PlayerInfoCore {
  /** All of the linear memory. The engine's regions begin at {@link ENGINE_AT}. */
  readonly buffer: ArrayBufferLike;
  /** Room for the composed masks of a tick, and for its packets. */
  readonly masks: Uint8Array;
  readonly packets: Uint8Array;
  /** The masks that {@link CORE_NEEDS_MASKS} asks for: player | combination << 11. */
  readonly requests: Int32Array;
  readonly #exports: CoreExports;
  #threads: CoreThreads | undefined;
  /** Bytes of {@link packets} that are there. */
  #expected = 0;

  /**
   * A core of its own for an engine, or `undefined` where WebAssembly may not run. With `threads`, where there is shared memory: they
   * begin to help in a moment.
   */
  static create(threads?: PacketThreads): PlayerInfoCore | undefined {
    const shared = threads === undefined ? undefined : PlayerInfoCore.#createShared(threads);
    if (shared !== undefined) return shared;
    const module = compile();
    if (module === null) return undefined;
    try {
      const { memory, exports } = instantiate(module, TOTAL_BYTES, false);
      return new PlayerInfoCore(memory.buffer, exports);
    } catch {
      // A process has address space for some hundred memories.
      return undefined;
    }
  }

  static #createShared(threads: PacketThreads): PlayerInfoCore | undefined {
    try {
      const { count, module } = threads;
      if (!warm.has(module)) warmUp(instantiate(module, ENGINE_AT + ENGINE_BYTES + WARM_UP_BYTES, true).exports);
      warm.add(module);
      const { memory, exports } = instantiate(module, TOTAL_BYTES + (count - 1) * WORK_AREA_BYTES, true);
      const core = new PlayerInfoCore(memory.buffer, exports);
      core.#threads = new CoreThreads(threads, memory, TOTAL_BYTES, exports as SharedCoreExports);
      return core;
    } catch {
      return undefined;
    }
  }

  private constructor(buffer: ArrayBufferLike, exports: CoreExports) {
    this.buffer = buffer;
    this.#exports = exports;
    this.masks = new Uint8Array(buffer, MASKS_AT, MASKS_BYTES);
    this.packets = new Uint8Array(buffer, PACKETS_AT, PACKETS_BYTES);
    this.requests = new Int32Array(buffer, exports.requests.value, PLAYER_SLOTS);
  }

  /** Whether other threads help at present. */
  get hasHelp(): boolean {
    return this.#threads !== undefined && this.#threads.helping > 0;
  }

  /** Ends the other threads. The core goes on alone. */
  close(): void {
    this.#threads?.close();
  }

  /** `viewDistance` in tiles; `keptByIndex`: how many blocks of the revision clients keep by index. */
  setup(dialect: PlayerInfoDialect, viewDistance: number, maxLocals: number, keptByIndex: number): void {
    const flags = dialect.passFlags.reduce<number>((sum, flag, pass) => sum | (flag << pass), 0);
    const bits = flags | (dialect.alignsPasses ? 16 : 0) | (dialect.flagsAdded ? 32 : 0);
    this.#exports.setup(bits, viewDistance, maxLocals, keptByIndex, MASKS_AT, PACKETS_AT, PACKETS_BYTES);
  }

  /**
   * Another observer comes, with up to `locals` players in its first packet. Has the system give the pages of so many bytes now,
   * and not in the middle of the tick in which all come into view: a page takes 1.7 us, and the packets of a crowd of 2047 fill 4,096.
   */
  expectPacket(locals: number): void {
    const { packets } = this;
    const end = Math.min(this.#expected + locals * ENTRY_BYTES, packets.length);
    for (; this.#expected < end; this.#expected += SYSTEM_PAGE_BYTES) {
      // The same bytes: packets of the last tick may be there.
      packets[this.#expected] = packets[this.#expected] as number;
    }
  }

  /** Begins a tick: makes `memory.moved`. The masks of the tick are composed then. */
  beginTick(tick: number): void {
    this.#exports.beginTick(tick);
  }

  /**
   * Makes packets, observer by observer, and writes their places to `memory`. Returns {@link CORE_DONE}; or {@link CORE_NEEDS_MASKS}, when
   * the {@link requests} must be composed; or another number, when {@link observer}, whose view is `memory.view`, gets a packet
   * that the core cannot make. Call it again then.
   */
  makePackets(): number {
    return this.#exports.makePackets();
  }

  get observer(): number {
    return this.#exports.stoppedAt();
  }

  get requestCount(): number {
    return this.#exports.requestCount();
  }

  /** The end of the last packet in {@link packets}. */
  get end(): number {
    return this.#exports.packetPlace() - PACKETS_AT;
  }

  /** The packet of {@link observer} has been made, from {@link end} on. */
  acceptPacket(bytes: number): void {
    this.#exports.acceptPacket(bytes);
  }

  /** The core makes no more packets of this tick: the masks are not in its memory. */
  leaveToHost(): void {
    this.#exports.leaveToHost();
  }

  /** The initialisation of an observer. Not within a tick: it is made where masks are. */
  initialisation(observer: number): Uint8Array<ArrayBuffer> {
    this.#exports.writeInitialisation(observer, MASKS_AT);
    return this.masks.slice(0, INIT_BYTES);
  }

  /** Ends a tick. Returns the place of the present states in {@link buffer}. */
  endTick(): number {
    return this.#exports.endTick();
  }
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Of our own module only: nothing is checked. Neither `atob` nor `fromBase64` is everywhere. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const digit of digits) {
    held = ((held << 6) | ALPHABET.indexOf(digit)) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
  }
  return bytes;
}
