/** The place of the playback bar: empty on a live page, which never loads the bar. */
import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import type { Studio } from "../app/studio.ts";
import type { PlaybackBarProps } from "./playback-bar.tsx";

const bar = signal<FunctionComponent<PlaybackBarProps> | undefined>(undefined);
const fault = signal<string | undefined>(undefined);

async function load(): Promise<void> {
  try {
    bar.value ??= (await import("./playback-bar.tsx")).PlaybackBar;
  } catch {
    fault.value = "The playback bar could not be loaded. Reload the page.";
  }
}

export function Playback({ studio, now }: { readonly studio: Studio; readonly now: () => number }) {
  const recording = studio.world.value?.playback;
  const state = studio.playback.value;
  const isNeeded = recording !== undefined;
  useEffect(() => {
    if (isNeeded) void load();
  }, [isNeeded]);
  if (recording === undefined) return null;
  const Bar = bar.value;
  if (Bar === undefined || state === undefined) {
    return (
      <section class="panel playback" aria-label="Playback">
        <p class="empty" role="status">
          {fault.value ?? "Loading the playback bar."}
        </p>
      </section>
    );
  }
  return (
    <Bar
      recording={recording}
      state={state}
      marks={studio.marks.value}
      send={(request) => studio.control(request)}
      now={now}
    />
  );
}
