/** A canvas as sharp as the display: its bitmap follows its size on the page times the device's pixel ratio. */

export interface FittedCanvas {
  readonly context: CanvasRenderingContext2D;
  /** CSS pixels: what the context's coordinates are in. */
  readonly width: number;
  readonly height: number;
}

/** Device pixels per CSS pixel at most: beyond three nobody sees more, and the bitmap grows with the square. */
const MAX_PIXEL_RATIO = 3;

/** Makes the bitmap fit and sets the context to CSS pixels. Undefined while the canvas has no size. */
export function fitCanvas(canvas: HTMLCanvasElement): FittedCanvas | undefined {
  const context = canvas.getContext("2d");
  const { clientWidth: width, clientHeight: height } = canvas;
  if (context === null || width === 0 || height === 0) return undefined;
  const ratio = Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio || 1);
  const [bitmapWidth, bitmapHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  // Setting a size clears the bitmap and costs an allocation, even when it is the same size.
  if (canvas.width !== bitmapWidth || canvas.height !== bitmapHeight) {
    canvas.width = bitmapWidth;
    canvas.height = bitmapHeight;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width, height };
}
