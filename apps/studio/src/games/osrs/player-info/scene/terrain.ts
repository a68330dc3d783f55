/** The demo's map as a picture: drawn once for each colour scheme, then scaled. */
import { DEMO_ORIGIN, DEMO_TILES, DemoMap } from "wirewalk/osrs/player-info";

/** Pixels of a tile in the picture: sharp at that size on the screen; the picture takes 2.8 MB. */
const PX = 8;

/** The place of the picture in the world, in tiles. */
export const terrainPlace = { x: DEMO_ORIGIN, z: DEMO_ORIGIN, tiles: DEMO_TILES } as const;

export interface TerrainColours {
  readonly "pi-ground": string;
  readonly "pi-ground-2": string;
  readonly "pi-wall": string;
  readonly "pi-wall-edge": string;
}

/** The map that a demo's players walk on. */
export class Terrain {
  readonly #map: DemoMap;
  #picture: { readonly of: TerrainColours; readonly canvas: HTMLCanvasElement } | undefined;

  /** `seed`: that of the server's world. */
  constructor(seed: number) {
    this.#map = new DemoMap(seed);
  }

  /** North is up. The object stays the same until the colours change. */
  picture(colours: TerrainColours): HTMLCanvasElement {
    if (this.#picture?.of !== colours) this.#picture = { of: colours, canvas: this.#draw(colours) };
    return this.#picture.canvas;
  }

  #draw(colours: TerrainColours): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = DEMO_TILES * PX;
    canvas.height = DEMO_TILES * PX;
    const context = canvas.getContext("2d");
    if (context === null) return canvas;
    context.fillStyle = colours["pi-ground"];
    context.fillRect(0, 0, canvas.width, canvas.height);
    const isWall = (column: number, row: number): boolean =>
      column >= 0 &&
      row >= 0 &&
      column < DEMO_TILES &&
      row < DEMO_TILES &&
      !this.#map.isOpen(DEMO_ORIGIN + column, DEMO_ORIGIN + row);
    for (let row = 0; row < DEMO_TILES; row++) {
      for (let column = 0; column < DEMO_TILES; column++) {
        const [x, y] = [column * PX, (DEMO_TILES - 1 - row) * PX];
        // Zones of 8 x 8 tiles like a chessboard: distances can be read without counting tiles.
        if (((column >> 3) + (row >> 3)) % 2 === 1) {
          context.fillStyle = colours["pi-ground-2"];
          context.fillRect(x, y, PX, PX);
        }
        if (!isWall(column, row)) continue;
        context.fillStyle = colours["pi-wall"];
        context.fillRect(x, y, PX, PX);
        context.fillStyle = colours["pi-wall-edge"];
        if (!isWall(column, row + 1)) context.fillRect(x, y, PX, 1);
        if (!isWall(column, row - 1)) context.fillRect(x, y + PX - 1, PX, 1);
        if (!isWall(column - 1, row)) context.fillRect(x, y, 1, PX);
        if (!isWall(column + 1, row)) context.fillRect(x + PX - 1, y, 1, PX);
      }
    }
    return canvas;
  }
}
