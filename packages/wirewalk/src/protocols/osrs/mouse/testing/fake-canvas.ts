/** A canvas of 765 x 503 pixels for tests of pointer events, shown pixel by pixel in the corner of the viewport. */
import type { PointerEventLike, PointerEventName, PointerSurface } from "../movement/pointer-recorder.ts";

type Listener = (event: PointerEventLike) => void;

export class FakeCanvas implements PointerSurface {
  width = 765;
  height = 503;
  clientLeft = 0;
  clientTop = 0;
  clientWidth = 765;
  clientHeight = 503;
  offsetWidth = 765;
  offsetHeight = 503;
  box = { left: 0, top: 0, width: 765, height: 503 };
  readonly listeners = new Set<readonly [PointerEventName, Listener]>();

  getBoundingClientRect() {
    return this.box;
  }

  addEventListener(type: PointerEventName, listener: Listener): void {
    this.listeners.add([type, listener]);
  }

  removeEventListener(type: PointerEventName, listener: Listener): void {
    for (const entry of this.listeners) if (entry[0] === type && entry[1] === listener) this.listeners.delete(entry);
  }

  fire(type: PointerEventName, event: PointerEventLike): void {
    for (const [name, listener] of this.listeners) if (name === type) listener(event);
  }
}

/** The same at half its size with a border, at (100,50) of the viewport. */
export function halfSizeCanvas(): FakeCanvas {
  return Object.assign(new FakeCanvas(), {
    clientLeft: 4,
    clientTop: 2,
    clientWidth: 382.5,
    clientHeight: 251.5,
    offsetWidth: 390.5,
    offsetHeight: 255.5,
    box: { left: 100, top: 50, width: 390.5, height: 255.5 },
  });
}
