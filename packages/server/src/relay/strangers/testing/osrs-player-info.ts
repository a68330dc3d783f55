/**
 * Player info of revision 239 for one observer, written for the reader in blurite/rsprot,
 * `protocol/osrs-239/osrs-239-desktop/src/test/kotlin/net/rsprot/protocol/game/outgoing/info/PlayerInfoClient.kt`.
 */
import { BitWriter } from "./osrs-bytes.ts";
import { writeMasks } from "./osrs-masks.ts";
import type { Deed, Tile } from "./osrs-world.ts";

const INDICES = 2048;

/** How far an observer sees, in tiles. */
const VIEW = 15;

const WALKS = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [-1, 0],
  [1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
] as const;

/** The outer ring of 5 x 5 tiles, row by row from the south-west. */
const RUNS = Array.from({ length: 25 }, (_, at): readonly [number, number] => [
  (at % 5) - 2,
  Math.floor(at / 5) - 2,
]).filter(([dx, dz]) => Math.max(Math.abs(dx), Math.abs(dz)) === 2);

const directionOf = (table: readonly (readonly [number, number])[], dx: number, dz: number): number =>
  table.findIndex(([x, z]) => x === dx && z === dz);

const quarterOf = ({ level, x, z }: Tile): number => (level << 16) | ((x >> 13) << 8) | (z >> 13);

export class PlayerInfoWriter {
  readonly #self: number;
  readonly #flags = new Uint8Array(INDICES);
  /** Where the client has those that it sees. */
  readonly #local = new Map<number, Tile>();
  /** Quarter of the map of everybody else, as the client has it. */
  readonly #quarters = new Int32Array(INDICES);
  readonly #bits: BitWriter;
  #isShown = false;

  /** Begins with the initialisation, 4,608 bytes: `initialisation`. */
  constructor(self: number, tiles: ReadonlyMap<number, Tile>) {
    this.#self = self;
    this.#bits = new BitWriter();
    const own = tiles.get(self);
    if (own === undefined) throw new Error(`Nobody has the index ${self}`);
    this.#local.set(self, own);
    this.#bits.put(30, (own.level << 28) | (own.x << 14) | own.z);
    for (let index = 1; index < INDICES; index++) {
      if (index === self) continue;
      const tile = tiles.get(index);
      if (tile !== undefined) this.#quarters[index] = quarterOf(tile);
      this.#bits.put(18, this.#quarters[index] ?? 0);
    }
  }

  get initialisation(): Buffer {
    return this.#bits.done();
  }

  /** The packet of a tick. What it shows is `view`. */
  write(tiles: ReadonlyMap<number, Tile>, deeds: ReadonlyMap<number, Deed>): Buffer {
    const bits = new BitWriter();
    const masked: { readonly index: number; readonly isNew: boolean; readonly deed: Deed }[] = [];
    const own = tiles.get(this.#self);
    if (own === undefined) throw new Error(`Nobody has the index ${this.#self}`);
    const sees = (tile: Tile | undefined): tile is Tile =>
      tile !== undefined &&
      tile.level === own.level &&
      Math.max(Math.abs(tile.x - own.x), Math.abs(tile.z - own.z)) <= VIEW;
    const isFirst = !this.#isShown;
    const locals = [...this.#local.keys()].toSorted((a, b) => a - b);
    const externals = Array.from({ length: INDICES - 1 }, (_, at) => at + 1).filter((index) => !this.#local.has(index));
    const withStale = (indices: readonly number[], stale: 0 | 1): number[] =>
      indices.filter((index) => ((this.#flags[index] ?? 0) & 1) === stale);

    const moveLocal = (index: number): (() => void) | undefined => {
      const [was, is, deed = {}] = [this.#local.get(index), tiles.get(index), deeds.get(index)];
      if (was === undefined) return undefined;
      if (!sees(is)) return () => this.#remove(bits, index, was, is);
      const isNew = isFirst && index === this.#self;
      const isMasked = isNew || Object.keys(deed).length > 0;
      const isStill = was.level === is.level && was.x === is.x && was.z === is.z;
      if (isStill && !isMasked) return undefined;
      return () => {
        this.#local.set(index, is);
        if (isMasked) masked.push({ index, isNew, deed });
        bits.put(1, isMasked ? 1 : 0);
        if (isStill) bits.put(2, 0);
        else writeMove(bits, was, is, deed.isTeleport === true);
      };
    };
    const moveExternal = (index: number): (() => void) | undefined => {
      const is = tiles.get(index);
      if (sees(is)) {
        return () => {
          bits.put(2, 0);
          const isElsewhere = quarterOf(is) !== this.#quarters[index];
          bits.put(1, isElsewhere ? 1 : 0);
          if (isElsewhere) this.#writeQuarter(bits, index, quarterOf(is));
          bits.put(13, is.x & 8191);
          bits.put(13, is.z & 8191);
          bits.put(1, 1);
          this.#local.set(index, is);
          this.#flags[index] = (this.#flags[index] ?? 0) | 2;
          masked.push({ index, isNew: true, deed: deeds.get(index) ?? {} });
        };
      }
      if (is === undefined || quarterOf(is) === this.#quarters[index]) return undefined;
      return () => this.#writeQuarter(bits, index, quarterOf(is));
    };
    this.#pass(bits, withStale(locals, 0), moveLocal);
    this.#pass(bits, withStale(locals, 1), moveLocal);
    this.#pass(bits, withStale(externals, 1), moveExternal);
    this.#pass(bits, withStale(externals, 0), moveExternal);
    for (let index = 0; index < INDICES; index++) this.#flags[index] = (this.#flags[index] ?? 0) >> 1;
    this.#isShown = true;
    return Buffer.concat([bits.done(), ...masked.map(writeMasks)]);
  }

  /** Everybody in view after the packets written so far, by index. */
  view(): { readonly index: number; readonly level: number; readonly x: number; readonly z: number }[] {
    return Array.from(this.#local, ([index, tile]) => ({ index, ...tile })).toSorted((a, b) => a.index - b.index);
  }

  /** Those with nothing to say are skipped in runs. */
  #pass(bits: BitWriter, indices: readonly number[], find: (index: number) => (() => void) | undefined): void {
    let idle = 0;
    for (const index of indices) {
      const write = find(index);
      if (write === undefined) {
        idle += 1;
        this.#flags[index] = (this.#flags[index] ?? 0) | 2;
        continue;
      }
      writeSkip(bits, idle);
      idle = 0;
      bits.put(1, 1);
      write();
    }
    writeSkip(bits, idle);
    bits.align();
  }

  #remove(bits: BitWriter, index: number, was: Tile, is: Tile | undefined): void {
    bits.put(1, 0);
    bits.put(2, 0);
    this.#local.delete(index);
    this.#quarters[index] = quarterOf(was);
    const isElsewhere = is !== undefined && quarterOf(is) !== quarterOf(was);
    bits.put(1, isElsewhere ? 1 : 0);
    if (isElsewhere) this.#writeQuarter(bits, index, quarterOf(is));
  }

  #writeQuarter(bits: BitWriter, index: number, quarter: number): void {
    const was = this.#quarters[index] ?? 0;
    this.#quarters[index] = quarter;
    const level = ((quarter >> 16) - (was >> 16)) & 3;
    const dx = ((quarter >> 8) & 255) - ((was >> 8) & 255);
    const dz = (quarter & 255) - (was & 255);
    if (dx === 0 && dz === 0) {
      bits.put(2, 1);
      bits.put(2, level);
    } else if (Math.abs(dx) <= 1 && Math.abs(dz) <= 1) {
      bits.put(2, 2);
      bits.put(2, level);
      bits.put(3, directionOf(WALKS, dx, dz));
    } else {
      bits.put(2, 3);
      bits.put(2, level);
      bits.put(8, dx);
      bits.put(8, dz);
    }
  }
}

function writeMove(bits: BitWriter, was: Tile, is: Tile, isTeleport: boolean): void {
  const [level, dx, dz] = [(is.level - was.level) & 3, is.x - was.x, is.z - was.z];
  const distance = Math.max(Math.abs(dx), Math.abs(dz));
  if (!isTeleport && level === 0 && distance <= 2) {
    bits.put(2, distance);
    bits.put(distance === 1 ? 3 : 4, directionOf(distance === 1 ? WALKS : RUNS, dx, dz));
    return;
  }
  bits.put(2, 3);
  const isFar = distance > 15;
  bits.put(1, isFar ? 1 : 0);
  bits.put(2, level);
  bits.put(isFar ? 14 : 5, dx);
  bits.put(isFar ? 14 : 5, dz);
}

/** So many players in a row have nothing to say. */
function writeSkip(bits: BitWriter, count: number): void {
  if (count === 0) return;
  const more = count - 1;
  bits.put(1, 0);
  const [kind, width] = more === 0 ? [0, 0] : more < 32 ? [1, 5] : more < 256 ? [2, 8] : [3, 11];
  bits.put(2, kind);
  bits.put(width, more);
}
