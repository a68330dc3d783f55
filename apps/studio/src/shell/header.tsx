/** The top of the page: the games, what one can begin with, how the connection stands. */
import type { ReadonlySignal } from "@preact/signals";
import type { ServedWorld } from "@wirewalk/server/feed";
import { useEffect, useRef } from "preact/hooks";
import { writeAddress } from "../app/address.ts";
import type { Connection } from "../feed/feed-client.ts";
import { ConnectionPill } from "../ui/connection-pill.tsx";
import { OpenFile } from "../ui/open-file.tsx";
import type { PlayControl } from "../ui/play-control.ts";
import { moveFocus } from "../ui/roving.ts";

export interface HeaderProps {
  readonly worlds: readonly ServedWorld[];
  readonly current: ServedWorld | undefined;
  readonly isInspecting: boolean;
  /** What is shown comes from a recording, which cannot be joined. */
  readonly isRecorded: boolean;
  readonly connection: ReadonlySignal<Connection>;
  readonly control: PlayControl;
  readonly now: () => number;
  readonly retry: () => void;
  readonly watch: (world: ServedWorld) => void;
  readonly openFile: (file: File) => void;
  readonly openTour: () => void;
  readonly openKeys: () => void;
}

export function Header(props: HeaderProps) {
  const { worlds, current, isInspecting, isRecorded, connection, control } = props;
  const { now, retry, watch, openFile, openTour, openKeys } = props;
  const { start, leave } = control;
  const games = useRef<HTMLElement>(null);
  // On a phone the row of games is wider than the screen.
  useEffect(() => {
    games.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current?.name]);
  return (
    <header class="bar-top">
      <h1>
        <img src="/favicon.svg" alt="" width="22" height="22" /> <span>Wirewalk</span>
      </h1>
      <nav
        ref={games}
        class="games"
        aria-label="Games"
        onKeyDown={(event) => moveFocus(event, { rows: "a", isAcross: true })}
      >
        {worlds.map((world) => {
          const isCurrent = world.name === current?.name;
          return (
            <a
              key={world.name}
              href={writeAddress({ world: world.name, room: undefined })}
              aria-current={isCurrent ? (isInspecting ? "true" : "page") : undefined}
              tabIndex={isCurrent ? 0 : -1}
              onClick={(event) => {
                // With such a key the browser opens another tab or window.
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                watch(world);
              }}
            >
              {world.title}
            </a>
          );
        })}
      </nav>
      <div class="bar-tools">
        <ConnectionPill connection={connection.value} isRecorded={isRecorded} now={now} retry={retry} />
        <button
          type="button"
          class="quiet hide-narrow"
          aria-label="List of keys"
          title="List of keys"
          onClick={openKeys}
        >
          ?
        </button>
        <button type="button" class="quiet" onClick={openTour}>
          Tour
        </button>
        {isInspecting ? null : (
          <OpenFile
            class="quiet"
            title="Play a recording or inspect a capture. You can drop the file anywhere."
            open={openFile}
          >
            Open
          </OpenFile>
        )}
        <a class="quiet" href="#inspect" aria-current={isInspecting ? "page" : undefined}>
          Inspect
        </a>
        {isInspecting ? (
          <a class="primary" href="#watch">
            Watch
          </a>
        ) : isRecorded ? null : control.isOver ? (
          <button
            type="button"
            class="primary"
            disabled={start.value === undefined || connection.value.state !== "open"}
            title={start.value === undefined ? "This room can only be watched." : undefined}
            onClick={() => start.value?.()}
          >
            Play
          </button>
        ) : (
          <button type="button" class="primary leave" onClick={() => leave.value?.()}>
            Leave
          </button>
        )}
      </div>
    </header>
  );
}
