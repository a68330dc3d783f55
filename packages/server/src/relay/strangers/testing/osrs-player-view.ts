/** A client's own reading of player info, after `PlayerInfoClient.kt` of blurite/rsprot (revision 239). */
import { BitReader } from "./osrs-bytes.ts";
import { type MasksRead, readMasks } from "./osrs-masks.ts";

const INDICES = 2048;

interface Seen {
  level: number;
  x: number;
  z: number;
}

interface Quarter {
  level: number;
  x: number;
  z: number;
}

/** One packet under way. */
interface Reading {
  readonly bits: BitReader;
  readonly masked: number[];
}

export class PlayerView {
  readonly #self: number;
  readonly #flags = new Uint8Array(INDICES);
  readonly #seen = new Map<number, Seen>();
  readonly #quarters = new Map<number, Quarter>();

  constructor(self: number, initialisation: Buffer) {
    this.#self = self;
    const bits = new BitReader(initialisation);
    this.#seen.set(self, { level: bits.take(2), x: bits.take(14), z: bits.take(14) });
    for (let index = 1; index < INDICES; index++) {
      if (index !== self) this.#quarters.set(index, { level: bits.take(2), x: bits.take(8), z: bits.take(8) });
    }
    bits.align();
    if (bits.leftBytes !== 0) throw new Error(`${bits.leftBytes} bytes after the initialisation`);
  }

  view(): { readonly index: number; readonly level: number; readonly x: number; readonly z: number }[] {
    return Array.from(this.#seen, ([index, tile]) => ({ index, ...tile })).toSorted((a, b) => a.index - b.index);
  }

  /** Throws when the packet is not used up exactly. */
  read(body: Buffer): ReadonlyMap<number, MasksRead> {
    const reading: Reading = { bits: new BitReader(body), masked: [] };
    const locals = [...this.#seen.keys()].toSorted((a, b) => a - b);
    const externals = Array.from({ length: INDICES - 1 }, (_, at) => at + 1).filter((index) => !this.#seen.has(index));
    const local = (index: number): boolean => this.#readLocal(reading, index);
    const external = (index: number): boolean => this.#readExternal(reading, index);
    this.#pass(reading.bits, locals, 0, local);
    this.#pass(reading.bits, locals, 1, local);
    this.#pass(reading.bits, externals, 1, external);
    this.#pass(reading.bits, externals, 0, external);
    for (let index = 0; index < INDICES; index++) this.#flags[index] = (this.#flags[index] ?? 0) >> 1;
    const masks = new Map(reading.masked.map((index) => [index, readMasks(reading.bits)]));
    if (reading.bits.leftBytes !== 0) throw new Error(`${reading.bits.leftBytes} bytes after a player info`);
    return masks;
  }

  #pass(bits: BitReader, indices: readonly number[], stale: 0 | 1, read: (index: number) => boolean): void {
    let skipped = 0;
    for (const index of indices) {
      const flags = this.#flags[index] ?? 0;
      if ((flags & 1) !== stale) continue;
      if (skipped > 0) skipped -= 1;
      else if (bits.take(1) === 0) skipped = bits.take([0, 5, 8, 11][bits.take(2)] ?? 0);
      else if (!read(index)) continue;
      this.#flags[index] = flags | 2;
    }
    if (skipped !== 0) throw new Error(`${skipped} players too many skipped`);
    bits.align();
  }

  /** True when the player counts as skipped: never here. */
  #readLocal({ bits, masked }: Reading, index: number): false {
    const isMasked = bits.take(1) === 1;
    if (isMasked) masked.push(index);
    const tile = this.#seen.get(index);
    if (tile === undefined) throw new Error(`${index} is not in view`);
    const kind = bits.take(2);
    if (kind === 0 && !isMasked) {
      if (index === this.#self) throw new Error("The client's own player was removed");
      this.#seen.delete(index);
      this.#quarters.set(index, { level: tile.level, x: tile.x >> 13, z: tile.z >> 13 });
      if (bits.take(1) === 1) this.#readQuarter(bits, index, bits.take(2));
    } else if (kind === 1) {
      const at = bits.take(3);
      const cell = at < 4 ? at : at + 1;
      tile.x += (cell % 3) - 1;
      tile.z += Math.floor(cell / 3) - 1;
    } else if (kind === 2) {
      const at = bits.take(4);
      const [dx, dz] =
        at < 5 ? [at - 2, -2] : at > 10 ? [at - 13, 2] : [at % 2 === 1 ? -2 : 2, Math.floor((at - 5) / 2) - 1];
      tile.x += dx;
      tile.z += dz;
    } else if (kind === 3) {
      const width = bits.take(1) === 1 ? 14 : 5;
      tile.level = (tile.level + bits.take(2)) & 3;
      const signed = (value: number): number => (width === 5 && value > 15 ? value - 32 : value);
      tile.x = (tile.x + signed(bits.take(width))) & 16383;
      tile.z = (tile.z + signed(bits.take(width))) & 16383;
    }
    return false;
  }

  /** True when the player was added: it counts as skipped. */
  #readExternal({ bits, masked }: Reading, index: number): boolean {
    const kind = bits.take(2);
    if (kind !== 0) {
      this.#readQuarter(bits, index, kind);
      return false;
    }
    if (bits.take(1) === 1) this.#readQuarter(bits, index, bits.take(2));
    const [x, z] = [bits.take(13), bits.take(13)];
    if (bits.take(1) === 1) masked.push(index);
    const quarter = this.#quarters.get(index);
    if (quarter === undefined || this.#seen.has(index)) throw new Error(`${index} was added twice`);
    this.#seen.set(index, { level: quarter.level, x: quarter.x * 8192 + x, z: quarter.z * 8192 + z });
    return true;
  }

  #readQuarter(bits: BitReader, index: number, kind: number): void {
    const quarter = this.#quarters.get(index);
    if (quarter === undefined || kind === 0) throw new Error(`${index} has no quarter to change`);
    quarter.level = (quarter.level + bits.take(2)) & 3;
    if (kind === 2) {
      const at = bits.take(3);
      const cell = at < 4 ? at : at + 1;
      quarter.x += (cell % 3) - 1;
      quarter.z += Math.floor(cell / 3) - 1;
    } else if (kind === 3) {
      quarter.x = (quarter.x + bits.take(8)) & 255;
      quarter.z = (quarter.z + bits.take(8)) & 255;
    }
  }
}
