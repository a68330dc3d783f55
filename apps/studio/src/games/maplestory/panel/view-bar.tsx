/** Above the drawing: buttons that choose how much of the map is drawn, or the reason why no map is drawn. */
import type { ReadonlySignal } from "@preact/signals";
import type { ViewMode } from "../scene/view-finder.ts";

export interface ViewBarState {
  readonly mode: ViewMode;
  /** A small map is shown as a whole. */
  readonly isLarge: boolean;
  /** Why there is no map, in a sentence. */
  readonly notice: string | undefined;
}

export interface ViewBarProps {
  readonly state: ReadonlySignal<ViewBarState>;
  readonly choose: (mode: ViewMode) => void;
}

export function ViewBar({ state, choose }: ViewBarProps) {
  const { mode, isLarge, notice } = state.value;
  return (
    <>
      {notice === undefined ? null : (
        <p class="maple-notice" role="status">
          {notice}
        </p>
      )}
      {isLarge || mode === "free" ? (
        <fieldset class="maple-modes" aria-label="Part of the map">
          <button
            type="button"
            class="quiet"
            aria-pressed={mode === "near"}
            title="Around the followed player"
            onClick={() => choose("near")}
          >
            Near
          </button>
          <button
            type="button"
            class="quiet"
            aria-pressed={mode === "whole"}
            title="The whole map (M)"
            onClick={() => choose("whole")}
          >
            Whole map
          </button>
        </fieldset>
      ) : null}
    </>
  );
}
