/**
 * One region of a collision map: 64 x 64 tiles, up to four levels, and for each tile whether a player may step north and east.
 *
 * The file is a run of bits, the lowest of each byte first. Bit `((level * 64 + z) * 64 + x) * 2` of tile `x, z` of the region says that a
 * player may step north, the next one that it may step east. A step south or west is that of the tile it leads to. Bytes of 0 at the end
 * may be left out.
 */
import { MapError } from "../../maps.ts";
import { digestOf } from "../../world-kit/index.ts";
import { LEVELS } from "../player-info/wire/constants.ts";

/** Tiles of a region along each axis. */
export const REGION_TILES = 64;
/** Bytes of one level: 2 bits for each tile. */
export const LEVEL_BYTES = (REGION_TILES * REGION_TILES * 2) / 8;
/** Bytes of a region at most. */
export const MAX_REGION_BYTES = LEVELS * LEVEL_BYTES;

const NORTH = 0;
const EAST = 1;

/** Where players may step. Tiles are those of the world. */
export class Region {
  /** Tiles of the world, shifted right by 6. */
  readonly x: number;
  readonly z: number;
  /** Levels of which there are bytes. No step leads anywhere on the others. */
  readonly levels: number;
  readonly #bits: Uint8Array;

  /** Keeps a copy of the bytes. Throws {@link MapError} for more than {@link MAX_REGION_BYTES}. */
  constructor(x: number, z: number, bytes: Uint8Array) {
    if (bytes.length > MAX_REGION_BYTES) {
      throw new MapError(`A region has at most ${MAX_REGION_BYTES} bytes, got ${bytes.length}`);
    }
    this.x = x;
    this.z = z;
    this.levels = Math.ceil(bytes.length / LEVEL_BYTES);
    this.#bits = bytes.slice();
  }

  mayStepNorth(level: number, x: number, z: number): boolean {
    return this.#bit(level, x, z, NORTH);
  }

  mayStepEast(level: number, x: number, z: number): boolean {
    return this.#bit(level, x, z, EAST);
  }

  #bit(level: number, x: number, z: number, flag: number): boolean {
    const bit = ((level * REGION_TILES + (z & 63)) * REGION_TILES + (x & 63)) * 2 + flag;
    // Beyond the end is 0.
    return (((this.#bits[bit >> 3] as number | undefined) ?? 0) & (1 << (bit & 7))) !== 0;
  }

  /** The region in numbers. */
  summary() {
    let [north, east, closed] = [0, 0, 0];
    for (let level = 0; level < this.levels; level++) {
      for (let tile = 0; tile < REGION_TILES * REGION_TILES; tile++) {
        const [x, z] = [tile & 63, tile >> 6];
        const [toNorth, toEast] = [this.mayStepNorth(level, x, z), this.mayStepEast(level, x, z)];
        if (toNorth) north += 1;
        if (toEast) east += 1;
        if (!toNorth && !toEast) closed += 1;
      }
    }
    const west = this.x * REGION_TILES;
    const south = this.z * REGION_TILES;
    const far = REGION_TILES - 1;
    const extent = { left: west, top: south + far, right: west + far, bottom: south };
    return { region: regionName(this.x, this.z), levels: this.levels, north, east, closed, ...extent, omitted: [] };
  }

  /** 64 bits, as hexadecimal digits: equal for files that differ in bytes of 0 at their end alone. */
  digest(): string {
    let { length } = this.#bits;
    while (length > 0 && this.#bits[length - 1] === 0) length -= 1;
    return digestOf(this.#bits.subarray(0, length)).toString(16).padStart(16, "0");
  }
}

/** As a file of a region is named: `50_50`. */
export function regionName(x: number, z: number): string {
  return `${x}_${z}`;
}

/** The region that a file is named after; undefined for other names. */
export function parseRegionName(name: string): { readonly x: number; readonly z: number } | undefined {
  const [, x, z] = /^(0|[1-9]\d{0,2})_(0|[1-9]\d{0,2})$/.exec(name) ?? [];
  if (x === undefined || z === undefined) return undefined;
  const region = { x: Number(x), z: Number(z) };
  return region.x < 256 && region.z < 256 ? region : undefined;
}
