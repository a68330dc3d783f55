/** The player of recordings as a chunk of the page: loaded when the first file is dropped. */
import "./recorded.css";
import { signal } from "@preact/signals";
import { h, type VNode } from "preact";
import type { RecordingPlayer } from "../app/opened-recording.ts";
import { isPlayable, kindOf } from "../files/file-kind.ts";
import { PlayerSocket, type PlayerWorker } from "./player-socket.ts";
import { RecordingHead } from "./recording-head.tsx";

export const player: RecordingPlayer = {
  canPlay: async (file) => isPlayable(await kindOf(file)),
  isMaps: async (file) => (await kindOf(file))?.kind === "maps",
  open: (file, maps) => {
    const progress = signal<number | undefined>(undefined);
    return {
      openSocket: () =>
        new PlayerSocket(
          file,
          new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }) as unknown as PlayerWorker,
          (share) => {
            progress.value = share;
          },
          maps,
        ),
      head: (props) => h(RecordingHead, { ...props, file: file.name, progress }) as VNode,
    };
  },
};
