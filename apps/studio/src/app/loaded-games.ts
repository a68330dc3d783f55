/** Which games are loaded. A game's chunk is loaded once, when it is watched for the first time. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { type GameView, type RoomView, roomView } from "../games/game-view.ts";
import type { LoadGame } from "../games/table.ts";

export type LoadedGame =
  | { readonly state: "loading" }
  | { readonly state: "loaded"; readonly view: GameView }
  /** The chunk could not be loaded: a browser does not try it again before the page is loaded anew. */
  | { readonly state: "failed" }
  /** This page has no such game. */
  | { readonly state: "unknown" };

const loading: LoadedGame = { state: "loading" };
const unknown: LoadedGame = { state: "unknown" };

export class LoadedGames {
  readonly #games: Readonly<Record<string, LoadGame>>;
  readonly #loaded = signal<ReadonlyMap<string, LoadedGame>>(new Map());

  readonly #loadTracks: () => Promise<RoomView>;
  readonly #tracks = signal<RoomView | undefined>(undefined);

  /** `tracks` loads the view for games that have no entry here. */
  constructor(games: Readonly<Record<string, LoadGame>>, tracks: () => Promise<RoomView>) {
    this.#games = games;
    this.#loadTracks = tracks;
  }

  /** By the protocol's name; without those that were never asked for. */
  get loaded(): ReadonlySignal<ReadonlyMap<string, LoadedGame>> {
    return this.#loaded;
  }

  /** How a game stands. One that was never asked for counts as loading. */
  get(protocol: string): LoadedGame {
    return this.#loaded.value.get(protocol) ?? (Object.hasOwn(this.#games, protocol) ? loading : unknown);
  }

  /** The view of a loaded game. */
  viewOf(protocol: string): GameView | undefined {
    const game = this.get(protocol);
    return game.state === "loaded" ? game.view : undefined;
  }

  /** How a room of a game is drawn: by the game's own view, and a game that this page does not have by its tracks. */
  roomViewOf(protocol: string, room: string): RoomView | undefined {
    const game = this.get(protocol);
    if (game.state === "unknown") return this.#tracks.value;
    return game.state === "loaded" ? roomView(game.view, room) : undefined;
  }

  /** Loads a game unless that has begun already. Never rejects. */
  async load(protocol: string): Promise<void> {
    const load = Object.hasOwn(this.#games, protocol) ? this.#games[protocol] : undefined;
    if (load === undefined) {
      await this.#loadView();
      return;
    }
    if (this.#loaded.peek().has(protocol)) return;
    this.#set(protocol, loading);
    try {
      this.#set(protocol, { state: "loaded", view: await load() });
    } catch {
      this.#set(protocol, { state: "failed" });
    }
  }

  async #loadView(): Promise<void> {
    if (this.#tracks.peek() !== undefined) return;
    try {
      this.#tracks.value = await this.#loadTracks();
    } catch {
      // The page says that it has no drawing.
    }
  }

  #set(protocol: string, game: LoadedGame): void {
    this.#loaded.value = new Map(this.#loaded.peek()).set(protocol, game);
  }
}
