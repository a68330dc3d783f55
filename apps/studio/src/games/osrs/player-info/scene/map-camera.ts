/** The camera of both maps: with the observer, over the whole map, or wherever a hand has moved it. */
import { type Camera, dragged, fitting, type Size, zoomed } from "./camera.ts";

/** Tiles around the view that are shown too: a drawn player is up to two behind its tile. */
const MARGIN_TILES = 6;

/** Share of the way to the observer that the camera goes in 16 ms; farther away than so many tiles it jumps. */
const SHARE = 0.14;
const SHARE_MS = 16;
const JUMP_TILES = 24;

/** A square of the map. */
export interface Area {
  readonly x: number;
  readonly z: number;
  readonly tiles: number;
}

/** Where the observer is drawn, and how many tiles of a side it sees. */
export type Eye = Area;

export class MapCamera {
  readonly #map: Area;
  #camera: Camera;
  /** What the camera fits to; undefined: as somebody has zoomed. */
  #fit: "view" | "map" | undefined = "view";
  #isWithObserver = true;

  /** `map` is what to show of a world without an observer, by its south-west tile. */
  constructor(map: Area) {
    this.#map = map;
    this.#camera = { x: map.x + map.tiles / 2, z: map.z + map.tiles / 2, pxPerTile: 1 };
  }

  get now(): Camera {
    return this.#camera;
  }

  /** `view`: what the observer sees, and on with it. `map`: all of the map. */
  look(at: "view" | "map"): void {
    this.#fit = at;
    this.#isWithObserver = at === "view";
  }

  /** To another observer, unless all of the map is looked at. */
  lookAtObserver(): void {
    this.#isWithObserver = this.#fit !== "map";
  }

  drag(dx: number, dy: number): void {
    this.#fit = undefined;
    this.#isWithObserver = false;
    this.#camera = dragged(this.#camera, dx, dy);
  }

  /** At a place of the screen, or in the middle: there the observer is, while the camera is with it. */
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
