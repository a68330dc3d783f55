/** The demo's map as a picture: drawn once for each colour scheme, then scaled. */
import { DEMO_ORIGIN, DEMO_TILES, DemoMap } from "wirewalk/osrs/player-info";

/** Pixels of a tile in the picture: sharp at that size on the screen; a picture takes 2.8 MB. */
const PX = 8;

/** The place of the picture in the world, in tiles. */
export const terrainPlace = { x: DEMO_ORIGIN, z: DEMO_ORIGIN, tiles: DEMO_TILES } as const;

const sides = [-1, 0, 1] as const;

export interface TerrainColours {
  readonly "pi-ground": string;
  readonly "pi-ground-2": string;
  readonly "pi-wall": string;
  readonly "pi-wall-edge": string;
  readonly "pi-stairs": string;
}

/** The map that a demo's players walk on. */
export class Terrain {
  readonly #map: DemoMap;
  /** By level. */
  readonly #pictures: ({ readonly of: TerrainColours; readonly canvas: HTMLCanvasElement } | undefined)[] = [];

  /** `seed`: that of the server's world. */
  constructor(seed: number) {
    this.#map = new DemoMap(seed);
  }

  /** North is up. The object stays the same until the colours change. Undefined for a level without ground. */
  picture(colours: TerrainColours, level: number): HTMLCanvasElement | undefined {
    if (level >= this.#map.levels) return undefined;
    const known = this.#pictures[level];
    if (known?.of === colours) return known.canvas;
    const canvas = this.#draw(colours, level);
    this.#pictures[level] = { of: colours, canvas };
    return canvas;
  }

  #draw(colours: TerrainColours, level: number): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = DEMO_TILES * PX;
    canvas.height = DEMO_TILES * PX;
    const context = canvas.getContext("2d");
    if (context === null) return canvas;
    const isOpen = (column: number, row: number): boolean => {
      return this.#map.isOpen(DEMO_ORIGIN + column, DEMO_ORIGIN + row, level);
    };
    const isInside = (column: number, row: number): boolean =>
      column >= 0 && row >= 0 && column < DEMO_TILES && row < DEMO_TILES;
    // Above the ground there is air between the houses.
    const isBuilt = (column: number, row: number): boolean =>
      level === 0 || sides.some((dx) => sides.some((dz) => isOpen(column + dx, row + dz)));
    const isWall = (column: number, row: number): boolean =>
      isInside(column, row) && !isOpen(column, row) && isBuilt(column, row);
    for (let row = 0; row < DEMO_TILES; row++) {
      for (let column = 0; column < DEMO_TILES; column++) {
        const [x, y] = [column * PX, (DEMO_TILES - 1 - row) * PX];
        if (!isBuilt(column, row)) continue;
        // Zones of 8 x 8 tiles like a chessboard: distances can be read without counting tiles.
        context.fillStyle = colours[((column >> 3) + (row >> 3)) % 2 === 1 ? "pi-ground-2" : "pi-ground"];
        context.fillRect(x, y, PX, PX);
        if (this.#map.isStairs(DEMO_ORIGIN + column, DEMO_ORIGIN + row)) {
          context.fillStyle = colours["pi-stairs"];
          for (let step = 1; step < PX; step += 2) context.fillRect(x + 1, y + step, PX - 2, 1);
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
