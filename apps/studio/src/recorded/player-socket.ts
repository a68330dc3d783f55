/** The page's side of the worker that plays a recording: a socket of the feed, as a WebSocket is. */
import { type FeedSocket, POLICY_VIOLATION } from "../feed/feed-client.ts";
import type { NamedFile } from "../files/file-kind.ts";
import type { Port } from "../inspect/source/worker-messages.ts";
import type { FromPlayer, MapFilesOf, ToPlayer } from "./messages.ts";

/** A worker that runs `servePlayer`. */
export interface PlayerWorker extends Port<ToPlayer, FromPlayer> {
  onerror: ((event: { readonly message?: string }) => void) | null;
  terminate(): void;
}

export class PlayerSocket implements FeedSocket {
  binaryType: FeedSocket["binaryType"] = "arraybuffer";
  onopen: FeedSocket["onopen"] = null;
  onmessage: FeedSocket["onmessage"] = null;
  onclose: FeedSocket["onclose"] = null;
  readonly #worker: PlayerWorker;
  readonly #onProgress: (share: number) => void;
  #isOpen = false;

  /** `onProgress` is called while the file is read, with the share that was: 0 to 1. */
  constructor(
    file: NamedFile,
    worker: PlayerWorker,
    onProgress: (share: number) => void = () => {},
    maps?: MapFilesOf | undefined,
  ) {
    this.#worker = worker;
    this.#onProgress = onProgress;
    worker.onmessage = ({ data }) => this.#take(data);
    // Without a message the worker itself could not be loaded.
    worker.onerror = ({ message }) =>
      this.#end(
        message === undefined || message === ""
          ? "The player could not be loaded. The server may have been updated since this page was opened."
          : `The recording cannot be played on: ${message}`,
      );
    worker.postMessage({ type: "open", file, name: file.name, ...(maps && { maps }) });
  }

  send(text: string): void {
    this.#worker.postMessage({ type: "request", text });
  }

  close(): void {
    this.#end("The recording was closed.");
  }

  #take(message: FromPlayer): void {
    if (message.type === "failed") {
      this.#end(message.text);
      return;
    }
    if (message.type === "progress") {
      this.#onProgress(message.share);
      return;
    }
    if (!this.#isOpen) this.onopen?.();
    this.#isOpen = true;
    // The page may close it between two of them.
    for (const data of message.messages) if (this.#worker.onmessage !== null) this.onmessage?.({ data });
  }

  /** For good: the same file would end the same way. */
  #end(reason: string): void {
    this.#worker.terminate();
    this.#worker.onmessage = null;
    this.#worker.onerror = null;
    this.onclose?.({ code: POLICY_VIOLATION, reason });
  }
}
