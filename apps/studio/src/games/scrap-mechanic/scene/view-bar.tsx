/** Over the drawing: what the camera shows, and one line of what to do. */
import type { ReadonlySignal } from "@preact/signals";

export interface ViewBarState {
  readonly follows: boolean;
  /** Whether there is anybody to follow. */
  readonly canFollow: boolean;
  readonly status: string | undefined;
}

export interface ViewBarProps {
  readonly state: ReadonlySignal<ViewBarState>;
  readonly follow: (follows: boolean) => void;
}

export function ViewBar({ state, follow }: ViewBarProps) {
  const { follows, canFollow, status } = state.value;
  const isFollowing = follows && canFollow;
  return (
    <>
      <fieldset class="segments">
        <legend class="unseen">Camera</legend>
        <button type="button" aria-pressed={!isFollowing} onClick={() => follow(false)}>
          All
        </button>
        <button type="button" aria-pressed={isFollowing} disabled={!canFollow} onClick={() => follow(true)}>
          Follow
        </button>
      </fieldset>
      <p class="scrap-status" role="status">
        {status ?? ""}
      </p>
    </>
  );
}
