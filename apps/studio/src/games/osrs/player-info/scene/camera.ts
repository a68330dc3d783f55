/** The part of the map on the screen; both maps share one camera. North is up. Pure. */

export interface Camera {
  /** The tile position in the middle of the screen: the middle of tile 3200 is 3200.5. */
  readonly x: number;
  readonly z: number;
  readonly pxPerTile: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Fewer pixels: the whole world fits on a screen; more: a tile fills it. */
const MIN_PX_PER_TILE = 0.02;
const MAX_PX_PER_TILE = 64;

/** Pixels of a tile position. */
export function toScreen({ x, z, pxPerTile }: Camera, { width, height }: Size, tileX: number, tileZ: number) {
  return { x: width / 2 + (tileX - x) * pxPerTile, y: height / 2 - (tileZ - z) * pxPerTile };
}

/** The tile position under a pixel. */
export function toTile({ x, z, pxPerTile }: Camera, { width, height }: Size, screenX: number, screenY: number) {
  return { x: x + (screenX - width / 2) / pxPerTile, z: z - (screenY - height / 2) / pxPerTile };
}

/** Zooms in (`factor` over 1) or out; the tile under the pixel stays there. */
export function zoomed(
  camera: Camera,
  size: Size,
  factor: number,
  at = { x: size.width / 2, y: size.height / 2 },
): Camera {
  const pxPerTile = Math.min(MAX_PX_PER_TILE, Math.max(MIN_PX_PER_TILE, camera.pxPerTile * factor));
  const under = toTile(camera, size, at.x, at.y);
  return {
    pxPerTile,
    x: under.x - (at.x - size.width / 2) / pxPerTile,
    z: under.z + (at.y - size.height / 2) / pxPerTile,
  };
}

/** Moved by this many pixels. */
export function dragged(camera: Camera, dx: number, dy: number): Camera {
  const { x, z, pxPerTile } = camera;
  return { pxPerTile, x: x - dx / pxPerTile, z: z + dy / pxPerTile };
}

/** A camera that fits a square of tiles, with a margin. */
export function fitting(x: number, z: number, tiles: number, { width, height }: Size): Camera {
  const pxPerTile = (Math.min(width, height) * 0.94) / tiles;
  return { x, z, pxPerTile: Math.min(MAX_PX_PER_TILE, Math.max(MIN_PX_PER_TILE, pxPerTile)) };
}
