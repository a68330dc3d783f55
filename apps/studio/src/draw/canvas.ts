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
  const { width, height } = sizeOf(canvas);
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

interface Size {
  width: number;
  height: number;
}

const sizes = new WeakMap<Element, Size>();
/** Made before all others, so that others which draw when a size changes find the new one here. Without a page there is none. */
const observer = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(measured);

/**
 * Width and height of an element without borders and scroll bars, in CSS pixels, as the browser laid it out last. Asking the element makes
 * the browser lay out the whole page where anything in it has changed, so in a loop of frames that is done once an element.
 */
export function sizeOf(element: Element): Readonly<Size> {
  const known = sizes.get(element);
  if (known !== undefined) return known;
  const size = { width: element.clientWidth, height: element.clientHeight };
  // An element that is not on the page yet is observed once it is: until then its size is asked for.
  if (!element.isConnected || observer === undefined) return size;
  sizes.set(element, size);
  observer.observe(element);
  return size;
}

function measured(entries: readonly ResizeObserverEntry[]): void {
  for (const { target } of entries) {
    const size = sizes.get(target);
    // Here the page has been laid out: asking costs nothing.
    if (size !== undefined) Object.assign(size, { width: target.clientWidth, height: target.clientHeight });
  }
}
