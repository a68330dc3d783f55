/** The player of recordings as a chunk of the page: loaded when the first file is dropped. */
import "./recorded.css";
import { h, type VNode } from "preact";
import type { RecordingPlayer } from "../app/opened-recording.ts";
import { kindOf } from "../files/file-kind.ts";
import { PlayerSocket, type PlayerWorker } from "./player-socket.ts";
import { RecordingHead } from "./recording-head.tsx";

export const player: RecordingPlayer = {
  canPlay: async (file) => (await kindOf(file)) === "recording",
  openSocket: (file) =>
    new PlayerSocket(
      file,
      new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }) as unknown as PlayerWorker,
    ),
  head: (props) => h(RecordingHead, props) as VNode,
};
