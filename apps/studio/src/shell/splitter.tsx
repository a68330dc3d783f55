/** An edge between two parts that can be moved, by pointer and by arrow keys. */
import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";

/** A press of an arrow key moves it so far. */
const STEP_PX = 24;

export interface SplitterProps {
  /** What it resizes. */
  readonly label: string;
  /** `x`: between left and right. The part behind it, right or below, has this size. */
  readonly axis: "x" | "y";
  readonly size: Signal<number | undefined>;
  readonly least: number;
}

export function Splitter({ label, axis, size, least }: SplitterProps) {
  const element = useRef<HTMLHRElement>(null);
  const isX = axis === "x";
  /** The size as it is, and the most that leaves something for the other part. */
  const measured = (): { readonly now: number; readonly most: number } => {
    const behind = element.current?.nextElementSibling?.getBoundingClientRect();
    const all = element.current?.parentElement?.getBoundingClientRect();
    const side = isX ? "width" : "height";
    return { now: behind?.[side] ?? least, most: Math.max(least, (all?.[side] ?? least) * 0.7) };
  };
  const set = (px: number): void => {
    size.value = Math.round(Math.min(measured().most, Math.max(least, px)));
  };
  return (
    <hr
      ref={element}
      class={`splitter splitter-${axis}`}
      aria-label={label}
      aria-orientation={isX ? "vertical" : "horizontal"}
      aria-valuenow={size.value ?? least}
      aria-valuemin={least}
      tabIndex={0}
      onDblClick={() => {
        size.value = undefined;
      }}
      onKeyDown={(event) => {
        const grows = isX ? "ArrowLeft" : "ArrowUp";
        const shrinks = isX ? "ArrowRight" : "ArrowDown";
        if (event.key !== grows && event.key !== shrinks) return;
        event.preventDefault();
        set(measured().now + (event.key === grows ? STEP_PX : -STEP_PX));
      }}
      onPointerDown={(event) => {
        const bar = event.currentTarget;
        bar.setPointerCapture(event.pointerId);
        const from = isX ? event.clientX : event.clientY;
        const { now } = measured();
        const move = (next: PointerEvent): void => set(now + from - (isX ? next.clientX : next.clientY));
        const end = (): void => {
          bar.removeEventListener("pointermove", move);
          bar.removeEventListener("lostpointercapture", end);
        };
        bar.addEventListener("pointermove", move);
        bar.addEventListener("lostpointercapture", end);
      }}
    />
  );
}
