/**
 * Whether players may step from tile to tile, out of the regions of a set.
 *
 * ```ts
 * // From the south-west tile one may step north and east, from the one east of it north, from the one north of it east.
 * const bytes = new Uint8Array(129);
 * bytes.set([0b0111], 0);
 * bytes.set([0b10], 16);
 * const collision = new Collision(collisionMapsOf("mine", [new Region(50, 50, bytes)]));
 * collision.mayStep(0, 3200, 3200, 0, 1); // => true
 * collision.mayStep(0, 3200, 3200, 1, 1); // => true
 * collision.mayStep(0, 3201, 3200, 1, 0); // => false
 * collision.mayStep(0, 3200, 3200, -1, 0); // => undefined
 * ```
 */
import type { CollisionMaps } from "./collision-maps.ts";
import { type Region, regionName } from "./region.ts";

export class Collision {
  readonly #maps: CollisionMaps;
  readonly #onUsed: (place: string) => void;
  /** Regions that `#onUsed` has heard of. */
  readonly #used = new Set<number>();
  /** The region that was asked for last. */
  #key = -1;
  #region: Region | undefined;

  /** `onUsed` hears the name of each region of the set that is used, once. */
  constructor(maps: CollisionMaps, onUsed: (place: string) => void = () => {}) {
    this.#maps = maps;
    this.#onUsed = onUsed;
  }

  /** Of a tile; undefined where it is not known. */
  #regionOf(x: number, z: number): Region | undefined {
    const key = ((x >> 6) << 8) | (z >> 6);
    if (key === this.#key) return this.#region;
    const region = this.#maps.region(x >> 6, z >> 6);
    this.#key = key;
    this.#region = region;
    if (region !== undefined && !this.#used.has(key)) {
      this.#used.add(key);
      this.#onUsed(regionName(region.x, region.z));
    }
    return region;
  }

  /** `onUsed` hears of every region anew: a restored world has used others. */
  forget(): void {
    this.#used.clear();
    this.#key = -1;
  }

  /** Whether any step leads from a tile. False where it is not known. */
  isOpen(level: number, x: number, z: number): boolean {
    return (
      this.mayStep(level, x, z, 0, 1) === true ||
      this.mayStep(level, x, z, 1, 0) === true ||
      this.mayStep(level, x, z, 0, -1) === true ||
      this.mayStep(level, x, z, -1, 0) === true
    );
  }

  /**
   * Whether a player may step to a tile beside or across, which both ways around its corner must allow. Undefined where a region on the
   * way is not known.
   */
  mayStep(level: number, x: number, z: number, dx: number, dz: number): boolean | undefined {
    if (dx === 0) return this.#mayStepAlongZ(level, x, z, dz);
    if (dz === 0) return this.#mayStepAlongX(level, x, z, dx);
    // No array of the four: a search of 16,384 tiles tries 65,536 of them.
    const first = this.#mayStepAlongX(level, x, z, dx);
    if (first === false) return false;
    const second = this.#mayStepAlongZ(level, x + dx, z, dz);
    if (second === false) return false;
    const third = this.#mayStepAlongZ(level, x, z, dz);
    if (third === false) return false;
    const fourth = this.#mayStepAlongX(level, x, z + dz, dx);
    if (fourth === false) return false;
    return first && second && third && fourth;
  }

  /** A step is that of the tile west of it; both tiles must be known. */
  #mayStepAlongX(level: number, x: number, z: number, dx: number): boolean | undefined {
    const west = dx < 0 ? x - 1 : x;
    if (this.#regionOf(west + 1, z) === undefined) return undefined;
    return this.#regionOf(west, z)?.mayStepEast(level, west, z);
  }

  #mayStepAlongZ(level: number, x: number, z: number, dz: number): boolean | undefined {
    const south = dz < 0 ? z - 1 : z;
    if (this.#regionOf(x, south + 1) === undefined) return undefined;
    return this.#regionOf(x, south)?.mayStepNorth(level, x, south);
  }

  /** Whether one or two steps lead from a tile to another, as a player goes in a tick. Undefined where that is not known. */
  mayGo(level: number, x: number, z: number, toX: number, toZ: number): boolean | undefined {
    const [dx, dz] = [toX - x, toZ - z];
    const isNear = Math.max(Math.abs(dx), Math.abs(dz)) === 1;
    const direct = isNear ? this.mayStep(level, x, z, dx, dz) : false;
    if (direct === true || (isNear && (dx === 0 || dz === 0))) return direct;
    let isUnknown = direct === undefined;
    for (let stepX = -1; stepX <= 1; stepX++) {
      for (let stepZ = -1; stepZ <= 1; stepZ++) {
        const [restX, restZ] = [dx - stepX, dz - stepZ];
        if ((stepX === 0 && stepZ === 0) || (restX === 0 && restZ === 0)) continue;
        if (Math.max(Math.abs(restX), Math.abs(restZ)) > 1) continue;
        const first = this.mayStep(level, x, z, stepX, stepZ);
        if (first === false) continue;
        const second = this.mayStep(level, x + stepX, z + stepZ, restX, restZ);
        if (first === true && second === true) return true;
        if (second !== false) isUnknown = true;
      }
    }
    return isUnknown ? undefined : false;
  }
}
