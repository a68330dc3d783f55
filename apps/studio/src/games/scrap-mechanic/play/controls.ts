/**
 * Keys and mouse of the person at the page. A click on the drawing takes the mouse (pointer lock), so that it can turn
 * on and on; where that is not to be had, dragging turns too.
 */
import type { MovementKey } from "wirewalk/scrap-mechanic";
import type { MovementSampler } from "wirewalk/scrap-mechanic/movement";
import { listenToKeys } from "../../keyboard.ts";

/** QUIRK: Ctrl crawls in the game too, but Ctrl and W closes a browser's tab, which no page can prevent. */
const codes: Readonly<Record<string, MovementKey | "use">> = {
  KeyW: "forward",
  ArrowUp: "forward",
  KeyS: "backward",
  ArrowDown: "backward",
  KeyA: "left",
  ArrowLeft: "left",
  KeyD: "right",
  ArrowRight: "right",
  Space: "jump",
  KeyC: "crawl",
  KeyE: "use",
  ShiftLeft: "sprint",
  ShiftRight: "sprint",
};

/** A turn of the mouse: 2,400 pixels once around. */
export const TURNS_PER_PIXEL = 1 / 2400;

/** A pointer that went no further between down and up has clicked. */
const CLICK_PX = 4;

const LEFT_BUTTON = 0;
const RIGHT_BUTTON = 2;

/** What is steered: a part of the sampler. */
export type Steered = Pick<MovementSampler, "press" | "turn" | "aim">;

/** Listens until the returned function is called, which lets go of everything. */
export function listenToPlayer(surface: HTMLElement, steered: Steered, use: () => void): () => void {
  /** Where the pointer that drags was last. */
  let drag: { readonly id: number; readonly x: number; readonly y: number } | undefined;
  /** How far it went since it went down. */
  let draggedPx = 0;
  const isLocked = (): boolean => document.pointerLockElement === surface;
  const turn = (dx: number, dy: number): void => steered.turn(-dx * TURNS_PER_PIXEL, -dy * TURNS_PER_PIXEL);

  const down = (event: PointerEvent): void => {
    if (event.button === RIGHT_BUTTON) steered.aim(true);
    if (event.button !== LEFT_BUTTON || isLocked()) return;
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY };
    draggedPx = 0;
    surface.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (isLocked()) {
      turn(event.movementX, event.movementY);
      return;
    }
    if (drag?.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    draggedPx += Math.hypot(dx, dy);
    turn(dx, dy);
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY };
  };
  const up = (event: PointerEvent): void => {
    if (event.button === RIGHT_BUTTON) steered.aim(false);
    if (drag?.id === event.pointerId) drag = undefined;
  };
  const click = (event: MouseEvent): void => {
    // After a drag the click does not lock the pointer: the user turns by dragging.
    if (event.button === LEFT_BUTTON && draggedPx < CLICK_PX && !isLocked()) takeMouse(surface);
  };
  const menu = (event: Event): void => event.preventDefault();
  const releaseAll = (): void => {
    drag = undefined;
    steered.aim(false);
  };
  const onKey = (key: MovementKey | "use", isDown: boolean): void => {
    if (key !== "use") steered.press(key, isDown);
    else if (isDown) use();
  };
  const stopKeys = listenToKeys({ codes, onKey }, { window, document });
  const listening = new AbortController();
  const { signal } = listening;
  surface.addEventListener("pointerdown", down, { signal });
  surface.addEventListener("pointermove", move, { signal });
  surface.addEventListener("pointerup", up, { signal });
  surface.addEventListener("pointercancel", releaseAll, { signal });
  surface.addEventListener("click", click, { signal });
  surface.addEventListener("contextmenu", menu, { signal });
  window.addEventListener("blur", releaseAll, { signal });
  return () => {
    stopKeys();
    releaseAll();
    listening.abort();
    if (isLocked()) document.exitPointerLock();
  };
}

/** Refused where the browser has no lock, or just gave one up: then one drags. */
function takeMouse(surface: HTMLElement): void {
  // Older browsers answer with nothing instead of a promise.
  const asked = surface.requestPointerLock() as Promise<void> | undefined;
  asked?.catch(() => {});
}
