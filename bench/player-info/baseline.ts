/**
 * The baseline to beat: the algorithm of the servers that are in use, which looks at all 2047 slots for every observer,
 * tuned as far as it goes. What does not depend on the observer (movement bits, mask blocks) is made once per tick by
 * the same code as the engine's, a distance is measured once per pair, flags are bytes and lists are typed arrays, bits
 * are appended by whole words and masks copied four bytes at a time. It decides as the engine does and writes the same
 * bytes, as far as these scenes go: no blocks kept by the client, no packet over the limit, no slot that changes hands.
 */
import { MAX_PLAYER_INFO_BYTES, type MaskFields, PLAYER_SLOTS, type WorldTile } from "wirewalk/osrs/player-info";
import { quarterOf } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/constants.ts";
import {
  ENTER,
  ENTER_MASKED,
  EngineMemory,
  include,
  inSet,
  LEAVE,
  MOVE,
  MOVE_MASKED,
  MOVED,
  PLAYER_CODES,
  QUARTER,
  QUARTER_MOVED,
  SKIPS,
  TICK_SETS,
} from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/engine/engine-memory.ts";
import { MaskStore } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/engine/mask-store.ts";
import {
  makeFixedCodes,
  makeTickCodes,
} from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/engine/tick-bits.ts";
import type { Contender, ContenderOptions } from "./scenes.ts";

const UNSEEN = 255;
const GROW_TICKS = 5;
const GROW_TENTHS = 9;

/** What one observer's client has. */
interface Observer {
  readonly locals: Uint16Array;
  readonly externals: Uint16Array;
  localCount: number;
  externalCount: number;
  readonly isLocal: Uint8Array;
  /** Bit 0: skipped by the last packet; bit 1: by this one. */
  readonly flags: Uint8Array;
  readonly never: Uint8Array;
  radius: number;
  start: number;
  end: number;
}

export class ScanningEngine implements Contender {
  readonly #memory = new EngineMemory();
  readonly #masks: MaskStore;
  readonly #viewDistance: number;
  readonly #maxLocals: number;
  readonly #absent = new Uint8Array(PLAYER_SLOTS).fill(1);
  /** This tick: 1 moves, 2 has masks, 4 changes its quarter. */
  readonly #active = new Uint8Array(PLAYER_SLOTS);
  /** Tiles between the observer at hand and each player, or UNSEEN. */
  readonly #distance = new Uint8Array(PLAYER_SLOTS);
  readonly #histogram = new Int32Array(256);
  readonly #observers: (Observer | undefined)[] = new Array(PLAYER_SLOTS).fill(undefined);
  readonly #pending = new Uint16Array(PLAYER_SLOTS);
  #pendingCount = 0;
  #out = new Uint8Array(1 << 20);
  #data = new DataView(this.#out.buffer);
  #at = 0;
  #ticks = 0;

  constructor({ revision, viewDistance, maxLocals }: ContenderOptions) {
    this.#masks = new MaskStore(revision, this.#memory);
    makeFixedCodes(this.#memory);
    this.#viewDistance = viewDistance;
    this.#maxLocals = maxLocals;
  }

  add(index: number, { level, x, z }: WorldTile): void {
    const memory = this.#memory;
    this.#memory.present[index] = 1;
    this.#absent[index] = 0;
    for (const [set, value] of [
      [memory.x, x],
      [memory.sentX, x],
      [memory.z, z],
      [memory.sentZ, z],
      [memory.level, level],
      [memory.sentLevel, level],
    ] as const) {
      set[index] = value;
    }
    include(memory.visible, index);
  }

  observe(index: number): void {
    const observer: Observer = {
      locals: new Uint16Array(PLAYER_SLOTS),
      externals: new Uint16Array(PLAYER_SLOTS),
      localCount: 0,
      externalCount: 0,
      isLocal: new Uint8Array(PLAYER_SLOTS),
      flags: new Uint8Array(PLAYER_SLOTS),
      never: new Uint8Array(PLAYER_SLOTS),
      radius: this.#viewDistance,
      start: 0,
      end: 0,
    };
    observer.isLocal[index] = 1;
    this.#observers[index] = observer;
    this.#rebuild(observer);
  }

  never(observer: number, index: number): void {
    (this.#observers[observer] as Observer).never[index] = 1;
  }

  move(index: number, x: number, z: number): void {
    this.#memory.x[index] = x;
    this.#memory.z[index] = z;
  }

  teleport(index: number, tile: WorldTile): void {
    this.move(index, tile.x, tile.z);
    this.#memory.level[index] = tile.level;
    this.#memory.teleported[index] = 1;
  }

  setBlock(index: number, name: string, fields: MaskFields): void {
    this.#masks.set(index, this.#masks.ordinal(name), fields);
  }

  packet(observer: number): Uint8Array {
    const { start, end } = this.#observers[observer] as Observer;
    return this.#out.subarray(start, end);
  }

  tick(): void {
    const memory = this.#memory;
    const { tick, masked, x, z, level, sentX, sentZ, sentLevel, quarter } = memory;
    this.#ticks++;
    makeTickCodes(memory);
    this.#masks.beginTick(this.#ticks);
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      this.#active[index] =
        (inSet(tick, index, MOVED, TICK_SETS) ? 1 : 0) |
        (inSet(masked, index) ? 2 : 0) |
        (inSet(tick, index, QUARTER_MOVED, TICK_SETS) ? 4 : 0);
    }
    this.#at = 0;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      const observer = this.#observers[index];
      if (observer !== undefined) this.#write(index, observer);
    }
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      sentX[index] = x[index] as number;
      sentZ[index] = z[index] as number;
      sentLevel[index] = level[index] as number;
      if (memory.present[index] === 1) {
        quarter[index] = quarterOf(level[index] as number, x[index] as number, z[index] as number);
      }
    }
    this.#memory.teleported.fill(0);
    this.#masks.endTick();
  }

  #write(index: number, observer: Observer): void {
    if (this.#at + MAX_PLAYER_INFO_BYTES + 64 > this.#out.length) {
      const grown = new Uint8Array(this.#out.length * 2);
      grown.set(this.#out);
      this.#out = grown;
      this.#data = new DataView(grown.buffer);
    }
    this.#chooseRadius(index, observer, this.#measure(index, observer));
    observer.start = this.#at;
    this.#pendingCount = 0;
    this.#writeLocals(observer, 0);
    this.#writeLocals(observer, 1);
    this.#writeExternals(observer, 1);
    this.#writeExternals(observer, 0);
    this.#appendMasks();
    observer.end = this.#at;
    this.#rebuild(observer);
  }

  /** The distance of every player, without a branch; and how many there are within the observer's radius. */
  #measure(self: number, observer: Observer): number {
    const { x, z, level } = this.#memory;
    const absent = this.#absent;
    const distance = this.#distance;
    const { never } = observer;
    const reach = Math.min(observer.radius, UNSEEN - 1);
    const onLevel = level[self] as number;
    const atX = x[self] as number;
    const atZ = z[self] as number;
    let count = 0;
    if (this.#viewDistance === Number.POSITIVE_INFINITY) {
      for (let index = 1; index < PLAYER_SLOTS; index++) {
        const unseen = (absent[index] as number) | (never[index] as number) | ((level[index] as number) ^ onLevel);
        distance[index] = -unseen >> 31;
      }
      return 0;
    }
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      const dx = Math.abs((x[index] as number) - atX);
      const dz = Math.abs((z[index] as number) - atZ);
      const unseen = (absent[index] as number) | (never[index] as number) | ((level[index] as number) ^ onLevel);
      const tiles = Math.min(Math.max(dx, dz) | (unseen << 8), UNSEEN);
      distance[index] = tiles;
      count += (tiles - reach - 1) >>> 31;
    }
    return count;
  }

  /** How many players there are at each distance. */
  #countDistances(): void {
    const histogram = this.#histogram;
    histogram.fill(0);
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      const tiles = this.#distance[index] as number;
      histogram[tiles] = (histogram[tiles] as number) + 1;
    }
  }

  #chooseRadius(self: number, observer: Observer, count: number): void {
    const within = (radius: number): number => {
      let players = 0;
      for (let tiles = 0; tiles <= radius && tiles < UNSEEN; tiles++) players += this.#histogram[tiles] as number;
      return players;
    };
    let { radius } = observer;
    const limit = this.#maxLocals;
    if (count > limit) {
      this.#countDistances();
      while (radius > 0 && within(radius) > limit) radius--;
    } else if (radius < this.#viewDistance) {
      const side = radius * 2 + 1;
      const fits = count * (side + 2) * (side + 2) * 10 <= limit * GROW_TENTHS * side * side;
      if (fits || (this.#ticks + self) % GROW_TICKS === 0) {
        this.#countDistances();
        if (within(radius + 1) * 10 <= limit * GROW_TENTHS) radius++;
      }
    }
    observer.radius = radius;
  }

  #writeLocals(observer: Observer, wanted: 0 | 1): void {
    const { codeBits, codeLength, codeRest } = this.#memory;
    const { locals, localCount, flags, isLocal } = observer;
    const distance = this.#distance;
    const active = this.#active;
    const pending = this.#pending;
    const data = this.#data;
    const reach = Math.min(observer.radius, 254);
    let pendingCount = this.#pendingCount;
    let held = 0;
    let fill = 0;
    let out = this.#at;
    let run = 0;
    for (let at = 0; at < localCount; at++) {
      const index = locals[at] as number;
      const flag = flags[index] as number;
      if ((flag & 1) !== wanted) continue;
      const seen = (distance[index] as number) <= reach;
      const acts = (active[index] as number) & 3;
      if (seen && acts === 0) {
        flags[index] = flag | 2;
        run++;
        continue;
      }
      if (run > 0) {
        const skip = codeBits[SKIPS + run] as number;
        const skipped = codeLength[SKIPS + run] as number;
        run = 0;
        held |= skip >>> fill;
        fill += skipped;
        if (fill >= 32) {
          data.setInt32(out, held);
          out += 4;
          fill -= 32;
          held = (skip << (skipped - fill - 1)) << 1;
        }
      }
      let code = index * PLAYER_CODES;
      if (!seen) {
        isLocal[index] = 0;
        code += LEAVE;
      } else if ((acts & 2) !== 0) {
        pending[pendingCount++] = index;
        code += MOVE_MASKED;
      } else {
        code += MOVE;
      }
      let bits = codeBits[code] as number;
      let length = codeLength[code] as number;
      const rest = length > 32 ? length - 32 : 0;
      length -= rest;
      held |= bits >>> fill;
      fill += length;
      if (fill >= 32) {
        data.setInt32(out, held);
        out += 4;
        fill -= 32;
        held = (bits << (length - fill - 1)) << 1;
      }
      if (rest > 0) {
        bits = codeRest[code] as number;
        held |= bits >>> fill;
        fill += rest;
        if (fill >= 32) {
          data.setInt32(out, held);
          out += 4;
          fill -= 32;
          held = (bits << (rest - fill - 1)) << 1;
        }
      }
    }
    this.#pendingCount = pendingCount;
    this.#end(held, fill, out, run);
  }

  #writeExternals(observer: Observer, wanted: 0 | 1): void {
    const { codeBits, codeLength, codeRest } = this.#memory;
    const { externals, externalCount, flags, isLocal } = observer;
    const distance = this.#distance;
    const active = this.#active;
    const pending = this.#pending;
    const data = this.#data;
    const reach = Math.min(observer.radius, 254);
    let pendingCount = this.#pendingCount;
    let held = 0;
    let fill = 0;
    let out = this.#at;
    let run = 0;
    for (let at = 0; at < externalCount; at++) {
      const index = externals[at] as number;
      const flag = flags[index] as number;
      if ((flag & 1) !== wanted) continue;
      const acts = active[index] as number;
      const enters = (distance[index] as number) <= reach;
      if (!enters && (acts & 4) === 0) {
        flags[index] = flag | 2;
        run++;
        continue;
      }
      if (run > 0) {
        const skip = codeBits[SKIPS + run] as number;
        const skipped = codeLength[SKIPS + run] as number;
        run = 0;
        held |= skip >>> fill;
        fill += skipped;
        if (fill >= 32) {
          data.setInt32(out, held);
          out += 4;
          fill -= 32;
          held = (skip << (skipped - fill - 1)) << 1;
        }
      }
      let code = index * PLAYER_CODES;
      if (!enters) {
        code += QUARTER;
      } else {
        isLocal[index] = 1;
        flags[index] = flag | 2;
        if ((acts & 2) !== 0) {
          pending[pendingCount++] = index;
          code += ENTER_MASKED;
        } else {
          code += ENTER;
        }
      }
      let bits = codeBits[code] as number;
      let length = codeLength[code] as number;
      const rest = length > 32 ? length - 32 : 0;
      length -= rest;
      held |= bits >>> fill;
      fill += length;
      if (fill >= 32) {
        data.setInt32(out, held);
        out += 4;
        fill -= 32;
        held = (bits << (length - fill - 1)) << 1;
      }
      if (rest > 0) {
        bits = codeRest[code] as number;
        held |= bits >>> fill;
        fill += rest;
        if (fill >= 32) {
          data.setInt32(out, held);
          out += 4;
          fill -= 32;
          held = (bits << (rest - fill - 1)) << 1;
        }
      }
    }
    this.#pendingCount = pendingCount;
    this.#end(held, fill, out, run);
  }

  /** The last skip of a pass, and its last bits. */
  #end(held: number, fill: number, out: number, run: number): void {
    const { codeBits, codeLength } = this.#memory;
    const data = this.#data;
    let last = held;
    let at = out;
    let count = fill;
    if (run > 0) {
      const bits = codeBits[SKIPS + run] as number;
      const length = codeLength[SKIPS + run] as number;
      last |= bits >>> count;
      count += length;
      if (count >= 32) {
        data.setInt32(at, last);
        at += 4;
        count -= 32;
        last = (bits << (length - count - 1)) << 1;
      }
    }
    if (count > 0) data.setInt32(at, last);
    this.#at = at + ((count + 7) >> 3);
  }

  #appendMasks(): void {
    const { maskStart, maskLength } = this.#memory;
    const from = this.#masks.data;
    const to = this.#data;
    let at = this.#at;
    for (let next = 0; next < this.#pendingCount; next++) {
      const index = this.#pending[next] as number;
      let start = maskStart[index] as number;
      const end = at + (maskLength[index] as number);
      do {
        to.setInt32(at, from.getInt32(start, true), true);
        at += 4;
        start += 4;
      } while (at < end);
      at = end;
    }
    this.#at = at;
  }

  #rebuild(observer: Observer): void {
    const { locals, externals, isLocal, flags } = observer;
    let localCount = 0;
    let externalCount = 0;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      flags[index] = (flags[index] as number) >> 1;
      // Into both lists, and one of them is written over: nobody could guess a branch.
      const local = isLocal[index] as number;
      locals[localCount] = index;
      externals[externalCount] = index;
      localCount += local;
      externalCount += 1 - local;
    }
    observer.localCount = localCount;
    observer.externalCount = externalCount;
  }
}
