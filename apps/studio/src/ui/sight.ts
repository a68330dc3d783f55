/** What is in sight of an element that scrolls. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** In CSS pixels. Both are 0 until they are known. */
export interface Sight {
  readonly top: number;
  readonly height: number;
}

/** Follows the element with this reference. */
export function useSight<E extends Element>(): { readonly ref: RefObject<E>; readonly sight: ReadonlySignal<Sight> } {
  const ref = useRef<E>(null) as RefObject<E>;
  const sight = useSignal<Sight>({ top: 0, height: 0 });
  const followed = useRef<(() => void) | undefined>(undefined);
  const element = useRef<E | null>(null);
  // The element may be another one, or gone, with any drawing.
  useLayoutEffect(() => {
    if (ref.current === element.current) return;
    followed.current?.();
    element.current = ref.current;
    followed.current =
      ref.current === null
        ? undefined
        : followSight(ref.current, (now) => {
            sight.value = now;
          });
  });
  useLayoutEffect(() => () => followed.current?.(), []);
  return { ref, sight };
}

/** Calls with what is in sight, whenever that is something else, until the returned function is called. */
export function followSight(element: Element, changed: (sight: Sight) => void): () => void {
  const look = (): void => changed({ top: element.scrollTop, height: element.clientHeight });
  const observer = new ResizeObserver(look);
  observer.observe(element);
  element.addEventListener("scroll", look, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener("scroll", look);
  };
}
