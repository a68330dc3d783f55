/** The foot of the page: where the packets come from, and how many pass. */
import type { ReadonlySignal } from "@preact/signals";
import type { FeedRates, ServedWorld } from "@wirewalk/server/feed";
import { showBytes, showCount } from "../ui/format.ts";

export interface StatusBarProps {
  readonly world: ServedWorld | undefined;
  readonly rates: ReadonlySignal<readonly FeedRates[]>;
  /** What was counted last says nothing of a server that does not answer. */
  readonly isConnected: boolean;
}

export function StatusBar({ world, rates, isConnected }: StatusBarProps) {
  const last = isConnected ? rates.value.at(-1) : undefined;
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
      {world?.playback === undefined ? <span class="drop-hint">drop a recording anywhere to play it</span> : null}
      {last === undefined ? null : (
        <>
          <span>
            <b>{last.sessions}</b> sessions
          </span>
          <span>
            in <b>{showCount(last.messagesIn)}</b> messages/s <b>{showBytes(last.bytesIn)}/s</b>
          </span>
          <span>
            out <b>{showCount(last.messagesOut)}</b> messages/s <b>{showBytes(last.bytesOut)}/s</b>
          </span>
        </>
      )}
    </footer>
  );
}
