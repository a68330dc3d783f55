/** The foot of the page: where the packets come from, and how many pass. */
import type { ReadonlySignal } from "@preact/signals";
import type { FeedRates, ServedWorld } from "@wirewalk/server/feed";
import { showBytes, showCount } from "../ui/format.ts";

export interface StatusBarProps {
  readonly world: ServedWorld | undefined;
  readonly rates: ReadonlySignal<readonly FeedRates[]>;
}

export function StatusBar({ world, rates }: StatusBarProps) {
  const last = rates.value.at(-1);
  return (
    <footer class="status-bar">
      {world === undefined ? null : (
        <>
          <span>
            dialect <b>{world.dialect}</b>
          </span>
          {world.playback === undefined ? (
            <span>
              TCP <b>{world.listen ?? "off"}</b>
            </span>
          ) : (
            <span>
              recording <b>{world.playback.file}</b>
            </span>
          )}
          {world.relayTo === undefined ? null : (
            <span>
              relay to <b>{world.relayTo}</b>
            </span>
          )}
        </>
      )}
      <span class="grow" />
      {last === undefined ? null : (
        <>
          <span>
            <b>{last.sessions}</b> sessions
          </span>
          <span>
            in <b>{showCount(last.messagesIn)}/s</b> <b>{showBytes(last.bytesIn)}/s</b>
          </span>
          <span>
            out <b>{showCount(last.messagesOut)}/s</b> <b>{showBytes(last.bytesOut)}/s</b>
          </span>
        </>
      )}
    </footer>
  );
}
