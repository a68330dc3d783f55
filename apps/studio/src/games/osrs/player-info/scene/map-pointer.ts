/** Pointer input on a map: point, click, drag, wheel. */

export interface MapHand {
  /** Undefined: the pointer has left. */
  readonly point: (at: Point | undefined) => void;
  readonly click: (at: Point) => void;
  readonly drag: (dx: number, dy: number) => void;
  readonly zoom: (factor: number, at: Point) => void;
}

/** CSS pixels of the canvas. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A press that moves less than this is a click. */
const CLICK_PX = 4;

/** Wheel pixels that double the size. */
const WHEEL_PX = 400;

/** Listens to a canvas. The returned function ends it. */
export function listenToHand(canvas: HTMLCanvasElement | null, hand: MapHand): () => void {
  if (canvas === null) return () => {};
  let pressed: { at: Point; isDrag: boolean } | undefined;
  const placeOf = ({ offsetX, offsetY }: MouseEvent): Point => ({ x: offsetX, y: offsetY });
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    pressed = { at: placeOf(event), isDrag: false };
    canvas.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const at = placeOf(event);
    hand.point(at);
    if (pressed === undefined) return;
    const [dx, dy] = [at.x - pressed.at.x, at.y - pressed.at.y];
    if (!pressed.isDrag && Math.hypot(dx, dy) < CLICK_PX) return;
    pressed = { at, isDrag: true };
    hand.drag(dx, dy);
  };
  const up = (event: PointerEvent): void => {
    if (pressed?.isDrag === false) hand.click(placeOf(event));
    pressed = undefined;
  };
  const cancel = (): void => {
    pressed = undefined;
  };
  const leave = (): void => hand.point(undefined);
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    hand.zoom(2 ** (-event.deltaY / WHEEL_PX), placeOf(event));
  };
  const listening = new AbortController();
  const { signal } = listening;
  canvas.addEventListener("pointerdown", down, { signal });
  canvas.addEventListener("pointermove", move, { signal });
  canvas.addEventListener("pointerup", up, { signal });
  canvas.addEventListener("pointercancel", cancel, { signal });
  canvas.addEventListener("pointerleave", leave, { signal });
  canvas.addEventListener("wheel", wheel, { passive: false, signal });
  return () => listening.abort();
}
