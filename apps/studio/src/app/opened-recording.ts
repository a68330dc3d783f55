/**
 * What was dropped on the page: a recording that it plays itself, in the place of what the server sends, and maps in which worlds are drawn.
 * Player and readers are loaded at the first file.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { VNode } from "preact";
import type { FeedSocket } from "../feed/feed-client.ts";
import type { DroppedFiles } from "../files/dropped-files.ts";
import type { NamedFile } from "../files/file-kind.ts";
import type { FedStudio } from "./fed-studio.ts";
import type { DroppedPlaces, Places } from "./places.ts";
import type { SoughtVerdict, Studio } from "./studio.ts";

/** What the chunk of the player gives. */
export interface RecordingPlayer {
  canPlay(file: NamedFile): Promise<boolean>;
  /** Whether it begins as a file of maps does. */
  isMaps(file: NamedFile): Promise<boolean>;
  /** `maps`: those of the recorded world, for recordings that were made with some. */
  open(
    file: NamedFile,
    maps?: DroppedFiles,
  ): {
    /** Plays the file to the socket that it gives. */
    openSocket(): FeedSocket;
    head(props: { studio: Studio; isMoment: boolean; inspect: () => void; close: () => void }): VNode;
  };
}

/** Maps that were dropped. */
export interface OpenedMaps extends DroppedPlaces {
  readonly name: string;
  readonly places: readonly string[];
  close(): void;
}

/** What the chunk of the maps gives. */
export interface MapsViewer {
  /** Rejects with the reason where the files have no maps of any game. */
  openMaps(dropped: DroppedFiles): Promise<OpenedMaps>;
  /** A feed that shows them, without players. */
  openSocket(maps: OpenedMaps): FeedSocket;
  headOf(props: { name: string; places: readonly string[]; studio: Studio; close: () => void }): VNode;
}

export interface RecordingsOptions {
  /** Loads the chunk. Rejects when it cannot be loaded. */
  readonly load: () => Promise<RecordingPlayer>;
  readonly loadMaps: () => Promise<MapsViewer>;
  /** What the page knows of the server's places: dropped maps are for them, too. */
  readonly places: Places;
  /** Whether the live view waits for maps of a game: then they are shown there. */
  readonly isWaiting: (game: string) => boolean;
  readonly openStudio: (openSocket: () => FeedSocket) => FedStudio;
  /** Opens a file in the inspector: one that cannot be played, or a recording whose messages the viewer asks for. */
  readonly inspect: (file: NamedFile) => void;
  /** Asks the server for the seconds around a verdict. Gives a file, or the reason why there is none. */
  readonly fetchMoment: (verdict: SoughtVerdict, signal: AbortSignal) => Promise<NamedFile | string>;
  /** Waits before the server is asked: a reader who moves through the list by keys asks only for the verdict at which they stop. */
  readonly pause: () => Promise<void>;
  /** Says beside the live view why a verdict is not shown in its seconds, or not yet. */
  readonly notify: (notice: string | undefined) => void;
}

/** A recording that is played. */
export interface OpenedRecording {
  readonly file: string;
  readonly studio: Studio;
  /** The line over the drawing. */
  readonly head: VNode;
  /** The verdict of the live world that these are the seconds of: the list of verdicts stays that of the world. */
  readonly momentOf?: SoughtVerdict;
  close(): void;
}

export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #opened = signal<OpenedRecording | undefined>(undefined);
  readonly #fault = signal<string | undefined>(undefined);
  #maps: { readonly opened: OpenedMaps; readonly dropped: DroppedFiles } | undefined;
  /** The recording that is played. */
  #played: { readonly file: NamedFile; readonly player: RecordingPlayer } | undefined;
  /** Counts files: of two that are dropped one after the other the last is played. */
  #last = 0;
  #abort: AbortController | undefined;

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

  /** Plays a recording, in the place of one that is played; takes maps; inspects any other file. Never rejects. */
  open(file: NamedFile): Promise<void> {
    return this.#begin(file.name, async (isLast) => {
      const player = await this.#options.load();
      const canPlay = await player.canPlay(file);
      const isMaps = !canPlay && (await player.isMaps(file));
      if (!isLast()) return;
      if (canPlay) this.#play(file, player);
      else if (isMaps) await this.#openMaps({ name: file.name, files: [{ path: file.name, file }] }, isLast);
      else this.#options.inspect(file);
    });
  }

  /** Takes a folder or several files: maps, and perhaps a recording that is played in them. Never rejects. */
  openAll(dropped: Promise<DroppedFiles>): Promise<void> {
    return this.#begin("The folder", async (isLast) => {
      const { name, files } = await dropped;
      const player = await this.#options.load();
      let recording: NamedFile | undefined;
      for (const { path, file } of files) {
        // Recordings are dropped beside a folder: the ten thousand files in one are not looked into.
        if (path.includes("/") || recording !== undefined) continue;
        if (await player.canPlay(file)) recording = file;
      }
      if (!isLast()) return;
      const others = files.filter(({ file }) => file !== recording);
      if (others.length > 0) await this.#openMaps({ name, files: others }, isLast, recording !== undefined);
      if (recording !== undefined && isLast()) this.#play(recording, player);
    });
  }

  /** Plays the seconds of a verdict of the live world in its place. Of verdicts that follow each other fast only the last is asked for. Never rejects. */
  async openMoment(verdict: SoughtVerdict): Promise<void> {
    const { fetchMoment, load, pause, notify } = this.#options;
    const { world, player, atMs } = verdict;
    const before = this.#opened.peek()?.momentOf;
    if (before?.world === world && before.player === player && before.atMs === atMs && before.rule === verdict.rule)
      return;
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    await this.#begin("The verdict", async (isLast) => {
      notify("Fetching the seconds of this verdict.");
      await pause();
      const found = isLast() ? await fetchMoment(verdict, abort.signal) : "";
      if (!isLast()) return;
      if (typeof found === "string") {
        if (before !== undefined) this.close();
        notify(found);
        return;
      }
      const player = await load();
      if (!isLast()) return;
      notify(undefined);
      this.#play(found, player, verdict);
    });
  }

  async #begin(name: string, open: (isLast: () => boolean) => Promise<void>): Promise<void> {
    this.#last += 1;
    const number = this.#last;
    this.#fault.value = undefined;
    try {
      await open(() => number === this.#last);
    } catch (error) {
      if (error instanceof RangeError || error instanceof DroppedMapsError) {
        this.#fault.value = error.message;
        return;
      }
      // Nothing tells a chunk that is missing from one that is broken, but a file that is gone has its own error.
      this.#fault.value =
        error instanceof DOMException
          ? `${name} cannot be read: ${error.message}`
          : "The player could not be loaded. The server may have been updated since this page was opened.";
    }
  }

  /** Back to what the server sends. */
  close(): void {
    this.#last += 1;
    this.#abort?.abort();
    this.#fault.value = undefined;
    this.#opened.peek()?.close();
    this.#opened.value = undefined;
    this.#played = undefined;
  }

  /** Maps are taken in all that is shown. By themselves they are shown as a place to look at. */
  async #openMaps(dropped: DroppedFiles, isLast: () => boolean, isForRecording = false): Promise<void> {
    const viewer = await this.#options.loadMaps();
    let maps: OpenedMaps;
    try {
      maps = await viewer.openMaps(dropped);
    } catch (error) {
      throw new DroppedMapsError(error instanceof Error ? error.message : String(error));
    }
    if (!isLast()) {
      maps.close();
      return;
    }
    const before = this.#maps;
    this.#maps = { opened: maps, dropped };
    this.#options.places.drop(maps);
    before?.opened.close();
    if (isForRecording) return;
    const { file, player } = this.#played ?? {};
    // Its world is made anew, in these maps.
    if (file !== undefined && player !== undefined) this.#play(file, player);
    else if (this.#opened.peek() !== undefined || !this.#options.isWaiting(maps.game)) this.#showMaps(maps, viewer);
  }

  #showMaps(maps: OpenedMaps, viewer: MapsViewer): void {
    this.#opened.peek()?.close();
    this.#played = undefined;
    const { studio, close } = this.#options.openStudio(() => viewer.openSocket(maps));
    studio.places.drop(maps);
    const { name, places } = maps;
    const head = viewer.headOf({ name, places, studio, close: () => this.close() });
    this.#opened.value = { file: name, studio, head, close };
  }

  #play(file: NamedFile, player: RecordingPlayer, momentOf?: SoughtVerdict): void {
    this.#opened.peek()?.close();
    const { openSocket, head: headOf } = player.open(file, this.#maps?.dropped);
    const { studio, close } = this.#options.openStudio(openSocket);
    studio.places.drop(this.#maps?.opened);
    this.#played = { file, player };
    const head = headOf({
      studio,
      isMoment: momentOf !== undefined,
      inspect: () => this.#options.inspect(file),
      close: () => this.close(),
    });
    this.#opened.value = { file: file.name, studio, head, close, ...(momentOf && { momentOf }) };
  }
}

/** The reason why dropped maps cannot be read, in a sentence. */
class DroppedMapsError extends Error {
  override readonly name = "DroppedMapsError";
}
