/** What part of an unknown world is seen: all places of players so far, which may be anywhere and of any size. Pure. */

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** From the world's own units to pixels of the screen: `left + x * scale`. */
export interface Camera {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Free space around the places, for names, in CSS pixels. */
const MARGIN_PX = 48;

/** Pixels of a unit at most: players that stand together are not drawn at the two ends of the window. */
const MOST_SCALE = 40;

/** Lines of the grid are at least so far apart, in CSS pixels. */
const LEAST_GRID_PX = 60;

/** The box around all places that were seen: it only grows, so that the drawing stands still while players move within it. */
export class SeenBox {
  #box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number } | undefined;

  add({ x, y }: Place): void {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const { left, top, right, bottom } = this.#box ?? { left: x, top: y, right: x, bottom: y };
    this.#box = {
      left: Math.min(left, x),
      top: Math.min(top, y),
      right: Math.max(right, x),
      bottom: Math.max(bottom, y),
    };
  }

  camera({ width, height }: { readonly width: number; readonly height: number }): Camera {
    const { left, top, right, bottom } = this.#box ?? { left: 0, top: 0, right: 0, bottom: 0 };
    const fit = (pixels: number, units: number): number => Math.max(1, pixels - 2 * MARGIN_PX) / Math.max(units, 1e-9);
    const scale = Math.min(MOST_SCALE, fit(width, right - left), fit(height, bottom - top));
    return { scale, left: width / 2 - ((left + right) / 2) * scale, top: height / 2 - ((top + bottom) / 2) * scale };
  }
}

/** Units between two lines of the grid: 1, 2 or 5 of some power of ten. */
export function gridStep(scale: number): number {
  const least = LEAST_GRID_PX / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}
