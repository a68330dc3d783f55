/** The recording that the page plays itself, in the place of what the server sends. Its player is loaded at the first file. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { VNode } from "preact";
import type { FeedSocket } from "../feed/feed-client.ts";
import type { NamedFile } from "../files/file-kind.ts";
import type { FedStudio } from "./fed-studio.ts";
import type { Studio } from "./studio.ts";

/** What the chunk of the player gives. */
export interface RecordingPlayer {
  canPlay(file: NamedFile): Promise<boolean>;
  open(file: NamedFile): {
    /** Plays the file to the socket that it gives. */
    openSocket(): FeedSocket;
    head(props: { studio: Studio; inspect: () => void; close: () => void }): VNode;
  };
}

export interface RecordingsOptions {
  /** Loads the chunk. Rejects when it cannot be loaded. */
  readonly load: () => Promise<RecordingPlayer>;
  readonly openStudio: (openSocket: () => FeedSocket) => FedStudio;
  /** Opens a file in the inspector: one that cannot be played, or a recording whose messages the viewer asks for. */
  readonly inspect: (file: NamedFile) => void;
}

/** A recording that is played. */
export interface OpenedRecording {
  readonly file: string;
  readonly studio: Studio;
  /** The line over the drawing. */
  readonly head: VNode;
  close(): void;
}

export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #opened = signal<OpenedRecording | undefined>(undefined);
  readonly #fault = signal<string | undefined>(undefined);
  /** Counts files: of two that are dropped one after the other the last is played. */
  #last = 0;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  /** Undefined while the page shows what the server sends. */
  get opened(): ReadonlySignal<OpenedRecording | undefined> {
    return this.#opened;
  }

  /** Why the last file could not be opened, in a sentence. */
  get fault(): ReadonlySignal<string | undefined> {
    return this.#fault;
  }

  /** Plays a recording, in the place of one that is played; inspects any other file. Never rejects. */
  async open(file: NamedFile): Promise<void> {
    this.#last += 1;
    const number = this.#last;
    this.#fault.value = undefined;
    try {
      const player = await this.#options.load();
      const canPlay = await player.canPlay(file);
      if (number !== this.#last) return;
      if (canPlay) this.#play(file, player);
      else this.#options.inspect(file);
    } catch (error) {
      // Nothing tells a chunk that is missing from one that is broken, but a file that is gone has its own error.
      this.#fault.value =
        error instanceof DOMException
          ? `${file.name} cannot be read: ${error.message}`
          : "The player could not be loaded. The server may have been updated since this page was opened.";
    }
  }

  /** Back to what the server sends. */
  close(): void {
    this.#last += 1;
    this.#fault.value = undefined;
    this.#opened.peek()?.close();
    this.#opened.value = undefined;
  }

  #play(file: NamedFile, player: RecordingPlayer): void {
    this.#opened.peek()?.close();
    const { openSocket, head: headOf } = player.open(file);
    const { studio, close } = this.#options.openStudio(openSocket);
    const head = headOf({
      studio,
      inspect: () => this.#options.inspect(file),
      close: () => this.close(),
    });
    this.#opened.value = { file: file.name, studio, head, close };
  }
}
