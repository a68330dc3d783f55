/** Lists that grow at the top: held still while somebody points at a line or has the keyboard in it. */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

export interface Held<T> {
  /** What to show. */
  readonly items: readonly T[];
  readonly isHeld: boolean;
  readonly paused: Signal<boolean>;
  /** For the element around the list. */
  readonly handlers: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocusIn: (event: FocusEvent) => void;
    readonly onFocusOut: () => void;
  };
  /** Pauses until it is called again. */
  readonly togglePause: () => void;
}

export function useHeld<T>(items: readonly T[]): Held<T> {
  const held = useSignal<readonly T[] | undefined>(undefined);
  const paused = useSignal(false);
  // Apart: a press of the mouse moves the focus, and the line must not move away between press and release.
  const holders = useRef({ pointer: false, keyboard: false });
  const change = (): void => {
    const { pointer, keyboard } = holders.current;
    if (paused.peek() || pointer || keyboard) held.value ??= items;
    else held.value = undefined;
  };
  const set = (holder: "pointer" | "keyboard", holds: boolean): void => {
    holders.current[holder] = holds;
    change();
  };
  return {
    items: held.value ?? items,
    isHeld: held.value !== undefined,
    paused,
    handlers: {
      onPointerEnter: () => set("pointer", true),
      onPointerLeave: () => set("pointer", false),
      // A focus that a click left behind holds nothing, or the list would stand still once the pointer is gone.
      onFocusIn: ({ target }) => set("keyboard", target instanceof Element && target.matches(":focus-visible")),
      onFocusOut: () => set("keyboard", false),
    },
    togglePause() {
      paused.value = !paused.value;
      change();
    },
  };
}
