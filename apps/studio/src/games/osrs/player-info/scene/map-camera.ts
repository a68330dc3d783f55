/** The camera of both maps: it follows the observer, shows the whole map, or stays where it was moved to. */
import { type Camera, dragged, fitting, type Size, zoomed } from "./camera.ts";

/** Tiles shown around the view: a drawn player is up to two tiles behind its tile. */
const MARGIN_TILES = 6;

/** Share of the way to the observer that the camera goes in 16 ms; and the distance in tiles from which it jumps. */
const SHARE = 0.14;
const SHARE_MS = 16;
const JUMP_TILES = 24;

/** Side of what a client has loaded of a map: so much is shown of a world whose size is not known. */
export const LOADED_TILES = 104;

/** A square of the map. */
export interface Area {
  readonly x: number;
  readonly z: number;
  readonly tiles: number;
}

/** The position where the observer is drawn, and the side of its view in tiles. */
export type Eye = Area;

export class MapCamera {
  readonly #map: Area | undefined;
  #camera: Camera;
  /** What the camera fits; undefined after a zoom or drag. */
  #fit: "view" | "map" | undefined = "view";
  #isWithObserver = true;

  /** `map`: the part to show without an observer, by its south-west tile; undefined for a world that is not ours. */
  constructor(map: Area | undefined) {
    this.#map = map;
    const { x, z, tiles } = map ?? { x: 0, z: 0, tiles: LOADED_TILES };
    this.#camera = { x: x + tiles / 2, z: z + tiles / 2, pxPerTile: 1 };
  }

  get now(): Camera {
    return this.#camera;
  }

  /** `view`: shows the observer's view and follows it. `map`: shows all of the map, or as much as a client loads of it. */
  look(at: "view" | "map"): void {
    this.#fit = at;
    this.#isWithObserver = at === "view";
  }

  /** Goes to another observer, unless it shows all of the map. */
  lookAtObserver(): void {
    this.#isWithObserver = this.#fit !== "map";
  }

  drag(dx: number, dy: number): void {
    this.#fit = undefined;
    this.#isWithObserver = false;
    this.#camera = dragged(this.#camera, dx, dy);
  }

  /** Zooms at a pixel, or in the middle: where the observer is while the camera follows it. */
  zoom(factor: number, size: Size, at: { readonly x: number; readonly y: number } | undefined): void {
    this.#fit = undefined;
    this.#camera = zoomed(this.#camera, size, factor, this.#isWithObserver ? undefined : at);
  }

  /** One frame later. */
  move(eye: Eye | undefined, size: Size, elapsedMs: number): void {
    if (this.#fit === "map" || (this.#fit === "view" && eye === undefined)) {
      const map = this.#map;
      if (map !== undefined) this.#camera = fitting(map.x + map.tiles / 2, map.z + map.tiles / 2, map.tiles, size);
      else this.#camera = fitting(eye?.x ?? this.#camera.x, eye?.z ?? this.#camera.z, LOADED_TILES, size);
      return;
    }
    if (eye === undefined || !this.#isWithObserver) return;
    const fits = this.#fit === "view" ? fitting(0, 0, eye.tiles + MARGIN_TILES, size) : this.#camera;
    const { pxPerTile } = fits;
    const [dx, dz] = [eye.x - this.#camera.x, eye.z - this.#camera.z];
    const isFar = Math.abs(dx) > JUMP_TILES || Math.abs(dz) > JUMP_TILES;
    const share = isFar ? 1 : 1 - (1 - SHARE) ** (elapsedMs / SHARE_MS);
    this.#camera = { pxPerTile, x: this.#camera.x + dx * share, z: this.#camera.z + dz * share };
  }
}
