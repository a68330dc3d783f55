/** The sentence of a first visit: what one sees, and what one can do. */
import type { Signal } from "@preact/signals";
import type { Studio } from "../app/studio.ts";
import { OpenFile } from "../ui/open-file.tsx";

export interface HelloProps {
  readonly studio: Studio;
  readonly isGreeted: Signal<boolean>;
  /** The sentence is about watching: it is hidden during play. */
  readonly isPlaying: boolean;
  readonly openFile: (file: File) => void;
  readonly openAbout: () => void;
}

export function Hello({ studio, isGreeted, isPlaying, openFile, openAbout }: HelloProps) {
  if (isGreeted.value || isPlaying) return <div hidden />;
  const world = studio.world.value;
  const followed = studio.followed.value;
  const name = followed === undefined ? undefined : studio.nameOf(followed);
  return (
    <section class="hello" aria-label="What this is">
      <p>
        {world === undefined ? (
          "Wirewalk shows how games move players over the network, packet by packet."
        ) : world.playback !== undefined ? (
          <>
            You are watching a recording of <b>{world.title}</b>. Select a message: every bit is explained.
          </>
        ) : world.relayTo !== undefined ? (
          <>
            You are watching what passes between clients and <b>{world.relayTo}</b>. Select a message: every bit is
            explained.
          </>
        ) : name === undefined ? (
          <>
            You are watching a server of <b>{world.title}</b>: its players, their messages, and what its rules find.
          </>
        ) : (
          <>
            You are watching <b>{name}</b> in <span>{world.title}</span>. Select a message: every bit is explained.
          </>
        )}
      </p>
      <div class="hello-links">
        <a class="plain" href="#inspect">
          Inspect your own bytes
        </a>
        <OpenFile class="plain" title="You can drop the file anywhere on the page." open={openFile}>
          Open a recording or a capture
        </OpenFile>
        <button type="button" class="plain" onClick={openAbout}>
          What is this?
        </button>
      </div>
      <button
        type="button"
        class="hello-close"
        aria-label="Close this sentence"
        onClick={() => {
          isGreeted.value = true;
        }}
      >
        ✕
      </button>
    </section>
  );
}
