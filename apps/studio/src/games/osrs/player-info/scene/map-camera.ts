/** The camera of both maps: it follows the observer, shows the whole map, or stays where it was moved to. */
import { type Camera, dragged, fitting, type Size, zoomed } from "./camera.ts";

/** Tiles shown around the view: a drawn player is up to two tiles behind its tile. */
const MARGIN_TILES = 6;

/** Share of the way to the observer that the camera goes in 16 ms; and the distance in tiles from which it jumps. */
const SHARE = 0.14;
const SHARE_MS = 16;
const JUMP_TILES = 24;

/** A square of the map. */
export interface Area {
  readonly x: number;
  readonly z: number;
  readonly tiles: number;
}

/** The position where the observer is drawn, and the side of its view in tiles. */
export type Eye = Area;

export class MapCamera {
  readonly #map: Area;
  #camera: Camera;
  /** What the camera fits; undefined after a zoom or drag. */
  #fit: "view" | "map" | undefined = "view";
  #isWithObserver = true;

  /** `map`: the part to show without an observer, by its south-west tile. */
  constructor(map: Area) {
    this.#map = map;
    this.#camera = { x: map.x + map.tiles / 2, z: map.z + map.tiles / 2, pxPerTile: 1 };
  }

  get now(): Camera {
    return this.#camera;
  }

  /** `view`: shows the observer's view and follows it. `map`: shows all of the map. */
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
      const { x, z, tiles } = this.#map;
      this.#camera = fitting(x + tiles / 2, z + tiles / 2, tiles, size);
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
