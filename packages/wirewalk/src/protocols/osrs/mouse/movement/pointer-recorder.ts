/**
 * The recorder in a browser: pointer events of a canvas in, packets out. Coordinates are the canvas's own pixels, whatever
 * its size in CSS, without pointer lock.
 *
 * ```ts
 * const recorder = new PointerRecorder(canvas, { dialect: "client", startMs: 0 });
 * canvas.fire("pointerdown", { clientX: 400, clientY: 300, button: 0, timeStamp: 5 });
 * recorder.step(20); // => [parseHex("0000 ffff012c0190")]
 * recorder.detach();
 * ```
 *
 * In a page `step` is called about every 20 ms with `performance.now()`. The types are structural: an `HTMLCanvasElement` fits, and so does a test's fake.
 */
import { MouseSampler, type MouseSamplerOptions, mouseButtons } from "./sampler.ts";

/** The members of a `PointerEvent` that the recorder uses. */
export interface PointerEventLike {
  readonly clientX: number;
  readonly clientY: number;
  /** 0 left, 1 middle, 2 right. */
  readonly button: number;
  /** Milliseconds on the clock of `performance.now`. */
  readonly timeStamp: number;
}

/** The events that the recorder listens to. */
export type PointerEventName = "pointermove" | "pointerdown" | "pointerleave";

/** The members of an `HTMLCanvasElement` that the recorder uses. */
export interface PointerSurface {
  /** The canvas's own pixels. */
  readonly width: number;
  readonly height: number;
  /** The box within the border, in CSS pixels before transforms. */
  readonly clientLeft: number;
  readonly clientTop: number;
  readonly clientWidth: number;
  readonly clientHeight: number;
  /** The box with the border, in CSS pixels before transforms. */
  readonly offsetWidth: number;
  readonly offsetHeight: number;
  /** The box with the border, as it is on the screen. */
  getBoundingClientRect(): {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  addEventListener(type: PointerEventName, listener: (event: PointerEventLike) => void): void;
  removeEventListener(type: PointerEventName, listener: (event: PointerEventLike) => void): void;
}

/**
 * The canvas pixel under a point of the viewport (`clientX`, `clientY`): the canvas's borders and any scaling taken out.
 * (-1,-1) for a canvas without extent. Points beside the canvas give coordinates below 0 or past its size.
 */
export function canvasPoint(
  surface: Omit<PointerSurface, "addEventListener" | "removeEventListener">,
  clientX: number,
  clientY: number,
): { readonly x: number; readonly y: number } {
  const box = surface.getBoundingClientRect();
  const { clientWidth, clientHeight, offsetWidth, offsetHeight } = surface;
  if (box.width <= 0 || box.height <= 0 || clientWidth <= 0 || clientHeight <= 0) return { x: -1, y: -1 };
  const cssX = ((clientX - box.left) * offsetWidth) / box.width - surface.clientLeft;
  const cssY = ((clientY - box.top) * offsetHeight) / box.height - surface.clientTop;
  return {
    x: Math.floor((cssX * surface.width) / clientWidth),
    y: Math.floor((cssY * surface.height) / clientHeight),
  };
}

/** Listens to a canvas until `detach`. */
export class PointerRecorder {
  readonly sampler: MouseSampler;
  readonly #surface: PointerSurface;
  readonly #listeners: readonly (readonly [PointerEventName, (event: PointerEventLike) => void])[];

  /** `startMs` is on the clock of the events: `performance.now()`. Throws `RangeError` for an unknown dialect. */
  constructor(surface: PointerSurface, options: MouseSamplerOptions) {
    this.sampler = new MouseSampler(options);
    this.#surface = surface;
    this.#listeners = [
      ["pointermove", (event) => this.#move(event)],
      [
        "pointerdown",
        (event) => {
          this.#move(event);
          this.sampler.press(buttons[event.button] ?? mouseButtons.none);
        },
      ],
      ["pointerleave", (event) => this.sampler.leave(event.timeStamp)],
    ];
    for (const [type, listener] of this.#listeners) surface.addEventListener(type, listener);
  }

  /** Call it about every 20 ms. Returns the payloads to send. */
  step(nowMs: number): readonly Uint8Array[] {
    return this.sampler.step(nowMs);
  }

  /** Stops listening. */
  detach(): void {
    for (const [type, listener] of this.#listeners) this.#surface.removeEventListener(type, listener);
  }

  #move(event: PointerEventLike): void {
    const { x, y } = canvasPoint(this.#surface, event.clientX, event.clientY);
    this.sampler.move(x, y, event.timeStamp);
  }
}

/** By the browser's number: left, middle, right. */
const buttons: readonly number[] = [mouseButtons.left, mouseButtons.middle, mouseButtons.right];
