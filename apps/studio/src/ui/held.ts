/** Lists that grow at the top: held still while somebody points at a line or has the keyboard in it. */
import { type Signal, useSignal } from "@preact/signals";

export interface Held<T> {
  /** What to show. */
  readonly items: readonly T[];
  readonly isHeld: boolean;
  readonly paused: Signal<boolean>;
  /** For the element around the list. */
  readonly handlers: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocusIn: () => void;
    readonly onFocusOut: () => void;
  };
  /** Pauses until it is called again. */
  readonly togglePause: () => void;
}

export function useHeld<T>(items: readonly T[]): Held<T> {
  const held = useSignal<readonly T[] | undefined>(undefined);
  const paused = useSignal(false);
  const hold = (): void => {
    held.value ??= items;
  };
  const release = (): void => {
    if (!paused.peek()) held.value = undefined;
  };
  return {
    items: held.value ?? items,
    isHeld: held.value !== undefined,
    paused,
    handlers: { onPointerEnter: hold, onPointerLeave: release, onFocusIn: hold, onFocusOut: release },
    togglePause() {
      paused.value = !paused.value;
      if (paused.value) hold();
      else release();
    },
  };
}
