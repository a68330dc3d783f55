/**
 * The engine's hot path as WebAssembly, on the same memory: who is in view, and the packets of ordinary observers. The sources
 * are in `packages/wirewalk/core/player-info`. Where WebAssembly may not run (a page without `wasm-unsafe-eval`, an engine without SIMD,
 * no address space left) there is no core, and the engine in TypeScript makes the same bytes.
 *
 * In one linear memory: 64 KiB of the core, the regions of {@link EngineMemory}, the core's tables, the composed masks
 * of a tick, and the packets of a tick. The last two are long enough for what happens; with more in a tick the engine does without
 * the core. V8 counts all of the memory when it decides to collect garbage: with room for the longest packets of everybody, 95 MB,
 * it collected the whole heap for every engine that was made.
 */
import { MAX_PACKET_BYTES, PLAYER_SLOTS, SET_WORDS } from "../constants.ts";
import { coreModule } from "./core-module.ts";
import { ENGINE_BYTES, type EngineMemory, PLAYER_CODES } from "./engine-memory.ts";

const PAGE_BYTES = 1 << 16;
/** Groups of a crowd, and the bytes of a group's 256 subsets: bits and facts. */
const GROUPS = 288;
const GROUP_BYTES = 256 * 12;
/** Composed masks that the core can copy. With more in a tick the engine does without it. */
const MASKS_BYTES = 1 << 20;
/** Packets of a tick that the core can write. Crowds of 2047 were measured to take 3 to 11 MB. */
const PACKETS_BYTES = 16 << 20;
/** The passes of a packet are written before its length is checked, and masks are copied sixteen bytes at a time. */
const SLACK_BYTES = 64;

const ENGINE_AT = PAGE_BYTES;
const CODES_AT = toLine(ENGINE_AT + ENGINE_BYTES);
const SKIPS_AT = CODES_AT + PLAYER_SLOTS * PLAYER_CODES * 8;
const SUBSETS_AT = SKIPS_AT + PLAYER_SLOTS * 4;
const MASKS_AT = toLine(SUBSETS_AT + GROUPS * GROUP_BYTES);
const PACKETS_AT = toLine(MASKS_AT + MASKS_BYTES);
const TOTAL_BYTES = PACKETS_AT + PACKETS_BYTES;

/** To the next cache line. */
function toLine(at: number): number {
  return (at + 63) & ~63;
}

/** What the module exports: see its sources. All numbers are addresses, counts and flags. */
interface CoreExports {
  setup(...addresses: number[]): void;
  beginTick(state: number, next: number): number;
  viewSquare(view: number, level: number, west: number, east: number, south: number, north: number): number;
  viewLevel(view: number, level: number): number;
  applyStandings(view: number, far: number, first: number, never: number): number;
  writePacket(
    observer: number,
    view: number,
    start: number,
    limit: number,
    isCrowd: boolean,
    passFlags: number,
    aligns: boolean,
    flagsAdded: number,
    masks: number,
  ): number;
}

/** As much of WebAssembly's interface as is used here. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
  Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
}

/** What {@link PlayerInfoCore.write} says instead of the end of a packet. */
export const CORE_TOO_LONG = 0;
export const CORE_ODD = 1;

/** Compiled once for all engines; `null` where that failed. */
let compiled: object | null | undefined;

function compile(): object | null {
  if (compiled !== undefined) return compiled;
  compiled = null;
  const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyApi };
  try {
    if (WebAssembly !== undefined) compiled = new WebAssembly.Module(fromBase64(coreModule));
  } catch {
    // Not allowed here, or without SIMD.
  }
  return compiled;
}

/** An instance of the core, and the memory that it shares with an engine. */
export class PlayerInfoCore {
  /** All of the linear memory. The engine's regions begin at `engineAt`. */
  readonly buffer: ArrayBuffer;
  readonly engineAt = ENGINE_AT;
  /** Room for the packets of a tick. */
  readonly packets: Uint8Array<ArrayBuffer>;
  readonly #masks: Uint8Array<ArrayBuffer>;
  readonly #exports: CoreExports;
  #memory: EngineMemory | undefined;
  #canWrite = false;

  /** A core of its own for an engine, or `undefined` where WebAssembly may not run. */
  static create(): PlayerInfoCore | undefined {
    const module = compile();
    if (module === null) return undefined;
    const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
    try {
      const pages = Math.ceil(TOTAL_BYTES / PAGE_BYTES);
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
      const { exports } = new WebAssembly.Instance(module, { env: { memory } });
      return new PlayerInfoCore(memory.buffer, exports as CoreExports);
    } catch {
      // A process has address space for some hundred memories.
      return undefined;
    }
  }

  private constructor(buffer: ArrayBuffer, exports: CoreExports) {
    this.buffer = buffer;
    this.#exports = exports;
    this.#masks = new Uint8Array(buffer, MASKS_AT, MASKS_BYTES);
    this.packets = new Uint8Array(buffer, PACKETS_AT, PACKETS_BYTES);
  }

  /** The engine's regions are laid out and its fixed codes made. `keptByIndex`: how many blocks of the revision clients keep by index. */
  setup(memory: EngineMemory, keptByIndex: number): void {
    this.#memory = memory;
    const at = (region: { readonly byteOffset: number } | undefined): number => region?.byteOffset ?? 0;
    this.#exports.setup(
      at(memory.codeBits),
      at(memory.codeRest),
      at(memory.codeLength),
      at(memory.tick),
      at(memory.maskStart),
      at(memory.maskLength),
      at(memory.masked),
      at(memory.enterKept),
      at(memory.has[0]),
      at(memory.known[0]),
      keptByIndex,
      CODES_AT,
      SKIPS_AT,
      SUBSETS_AT,
    );
  }

  /** Begins a tick: sets, codes and masks are made. `masks`: all composed masks. */
  beginTick(masks: Uint8Array): void {
    const { state, next } = this.#memory as EngineMemory;
    const isShort = this.#exports.beginTick(state.byteOffset, next.byteOffset) === 1;
    // Copies read up to sixteen bytes past the end.
    this.#canWrite = isShort && masks.length + 16 <= MASKS_BYTES;
    if (this.#canWrite) this.#masks.set(masks);
  }

  /**
   * Writes the packet of an observer, whose view is `memory.view`, to `packets` from `start` on, and its next state to
   * `memory.next`. Returns the end of the packet, {@link CORE_TOO_LONG} or {@link CORE_ODD}: then nothing counts.
   */
  write(
    observer: number,
    start: number,
    isCrowd: boolean,
    passFlags: number,
    alignsPasses: boolean,
    flagsAdded: boolean,
  ): number {
    if (!this.#canWrite || start + MAX_PACKET_BYTES + SLACK_BYTES > PACKETS_BYTES) return CORE_ODD;
    const at = PACKETS_AT + start;
    const end = this.#exports.writePacket(
      observer,
      (this.#memory as EngineMemory).view.byteOffset,
      at,
      at + MAX_PACKET_BYTES,
      isCrowd,
      passFlags,
      alignsPasses,
      flagsAdded ? -1 : 0,
      MASKS_AT,
    );
    return end <= CORE_ODD ? end : end - PACKETS_AT;
  }

  /** As `ViewSets.within`: the four places of prefix sets, as words. */
  viewSquare(view: Int32Array, level: Int32Array, west: number, east: number, south: number, north: number): number {
    const { xSets, zSets } = this.#memory as EngineMemory;
    const x = xSets.byteOffset;
    const z = zSets.byteOffset;
    return this.#exports.viewSquare(
      view.byteOffset,
      level.byteOffset,
      x + west * 4,
      x + east * 4,
      z + south * 4,
      z + north * 4,
    );
  }

  viewLevel(view: Int32Array, level: Int32Array): number {
    return this.#exports.viewLevel(view.byteOffset, level.byteOffset);
  }

  /** As `ObserverViews`: adds players that the observer is shown first, removes those that it is never shown. */
  applyStandings(observer: number, view: Int32Array): number {
    const { farView, first, never } = this.#memory as EngineMemory;
    const row = observer * SET_WORDS * 4;
    return this.#exports.applyStandings(
      view.byteOffset,
      farView.byteOffset,
      first.byteOffset + row,
      never.byteOffset + row,
    );
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
