/**
 * The contract of a **game's view**: how the page draws the rooms of one protocol, and how one plays in them. A new
 * game is a folder that exports a {@link GameView}, and one line in `table.ts`. Only that line imports the folder: a game is
 * a chunk of its own.
 *
 * The page knows nothing of pixels, tiles or mice: it gives a view an empty element and the feed's data of the
 * watched room, and calls `draw` once per displayed frame. What goes over a game's own socket is written into the wire
 * log, where the page shows it down to the bit.
 */

import type { ReadonlySignal } from "@preact/signals";
import type { FeedMoment, FeedPlace, FeedPlayer, FeedVerdict, ServedWorld } from "@wirewalk/server/feed";
import type { PlayerId } from "wirewalk/motion";
import type { PlayableProtocol } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";
import type { PlaceState } from "../app/place-state.ts";
import type { FeedObservation } from "../app/studio.ts";
import type { SceneFigure } from "../draw/scene-figure.ts";
import type { TrackBuffer } from "../feed/track-buffer.ts";
import type { WireRecord } from "../feed/wire-record.ts";
import type { BadLine } from "./bad-line.ts";

/** One line under the drawing: a mark and what it means. */
export interface LegendEntry {
  /** Name of the sample in a style sheet: `self` is drawn by `.legend-self`. A game's own marks begin with its name. */
  readonly mark: string;
  readonly meaning: string;
}

/** One way to play: what to press or move, and what it does. */
export interface Control {
  readonly keys: string;
  readonly does: string;
}

/** What fingers press: `KeyboardEvent.code` of the game's keys. */
export interface TouchKeys {
  readonly stick: { readonly left: string; readonly right: string; readonly up: string; readonly down: string };
  readonly buttons: readonly { readonly code: string; readonly label: string }[];
}

/** What the person at the page wants to see. */
export interface ViewSettings {
  readonly trails: boolean;
  readonly names: boolean;
  /** Outlines where the server has the players, while the view draws its own prediction. */
  readonly serverTracks: boolean;
}

/** The watched room by the latest messages of the feed. */
export interface WatchedRoom {
  readonly world: ServedWorld;
  readonly room: string;
  players(): ReadonlyMap<PlayerId, FeedPlayer>;
  /** Verdicts of this room, newest first. */
  verdicts(): readonly FeedVerdict[];
  /** The own player id in this room; undefined until the server sends it, and while only watching. */
  self(): PlayerId | undefined;
  readonly tracks: TrackBuffer;
  /** Calls for what the game shows of this room beyond tracks, with the page's time at which it came, until taken back. */
  onObservation(listener: (observation: FeedObservation, atMs: number) => void): () => void;
  /** The followed player: its messages are on the wire. One is followed from the start. */
  followed(): PlayerId | undefined;
  /** The player that was selected anywhere on the page, or whose message or verdict was. */
  chosen(): PlayerId | undefined;
  /** A place of this world, by the name that its maps have. It is asked for at the first call. */
  place(place: string): ReadonlySignal<PlaceState>;
  /** The verdict that is open, if it is of this room. */
  openVerdict(): FeedVerdict | undefined;
  /** The verdict whose seconds are played: scenes then draw whom it is about alone, without names and tags, which the page draws over them. */
  moment(): FeedMoment | undefined;
  /** Selects and follows another player: the feed then sends all observations of it. Undefined: follows none. */
  follow(player: PlayerId | undefined): void;
}

/** What a scene is given. */
export interface Stage {
  /** Empty, with a size of its own: the scene fills it and clears it again in `close`. */
  readonly element: HTMLElement;
  readonly watched: WatchedRoom;
  settings(): ViewSettings;
  /** Where to open the game's own socket: carries the room and the feed's token, so that the feed sends the own id. */
  gameUrl(): string;
  /** What a session's transport goes through: the line as the person at the page wants it. */
  readonly line: BadLine;
  log(record: WireRecord): void;
  /** What the scene measures now, in words: the tour shows it beside its claims. */
  measured(figures: readonly SceneFigure[]): void;
  /** Opens a message that was logged in the page's wire panel. Nothing happens when the log has dropped it. */
  inspect(payload: Uint8Array): void;
}

/** How a play session stands. */
export type PlayState =
  | { readonly state: "joining" }
  | { readonly state: "playing" }
  /** Over; `reason` is a sentence for people, undefined when they left themselves. */
  | { readonly state: "over"; readonly reason: string | undefined };

/** A session that the person at the page plays. */
export interface PlaySession {
  /** Ends it; the state becomes `over`. Harmless when it already is. */
  leave(): void;
}

/** A part of a map that a verdict is about, as a line, and what it is. */
export interface ScenePiece {
  readonly places: readonly FeedPlace[];
  readonly words: string;
}

/** Where places are drawn: for what the page draws over a scene. */
export interface SceneSurface {
  readonly canvas: HTMLCanvasElement;
  /** In CSS pixels of the canvas, as it was drawn last; undefined before. It may lie beyond the edge. */
  toCanvas(place: FeedPlace): { readonly x: number; readonly y: number } | undefined;
  /** What of the map a verdict is about. Missing in scenes without such things. */
  pieces?(verdict: FeedVerdict): readonly ScenePiece[];
}

/** One room on the screen. */
export interface Scene {
  /** Missing in scenes that draw no places. */
  readonly surface?: SceneSurface;
  /**
   * Called once per displayed frame. `nowMs` is the page's `performance.now()`, or an earlier time that the time line shows: tracks
   * and observations are those of that time.
   */
  draw(nowMs: number): void;
  /** The time that is shown goes back: forgets all observations, which come again. Missing in scenes that have none. */
  rewind?(): void;
  /** Opens a socket and plays. Missing in views that only watch. */
  play?(changed: (state: PlayState) => void): PlaySession;
  /** Makes the scene's own simulated network bad, so that its figures have something to show. Missing in scenes without one. */
  worsen?(): void;
  /** Frees everything; called once. */
  close(): void;
}

/** How a room is drawn and played. */
export interface RoomView {
  readonly legend: readonly LegendEntry[];
  /** How to play. Empty in views that only watch. */
  readonly controls: readonly Control[];
  /** A stick and buttons for fingers. Missing where the drawing itself takes them. */
  readonly touch?: TouchKeys;
  /** The scene has a panel of its own that makes the line worse. */
  readonly hasLine?: boolean;
  /** What one may press or move without playing; default nothing. */
  readonly gestures?: readonly Control[];
  /** Which of the page's switches mean something here; default all. */
  readonly switches?: readonly (keyof ViewSettings)[];
  /** Whose messages the room is about: the newest of them is open until something is selected. Default: the client's. */
  readonly newest?: "client" | "server";
  /** Words for the list of players: what this player is doing right now. */
  describe(details: JsonObject | undefined, stance: string): string;
  open(stage: Stage): Scene;
}

/** How one game is drawn and played: what it says here holds for every room that `views` does not name. */
export interface GameView extends RoomView {
  /** The protocol, whose readers show every message. */
  readonly protocol: PlayableProtocol;
  /** Rooms to offer even while nobody is in them. */
  readonly rooms: readonly string[];
  /** The same for a world without demo places. Default: `rooms`. */
  readonly realRooms?: readonly string[];
  /** Rooms that are drawn in a way of their own, by name. */
  readonly views?: Readonly<Record<string, RoomView>>;
}

/** How this room of the game is drawn and played. */
export function roomView(view: GameView, room: string): RoomView {
  const { views = {} } = view;
  return Object.hasOwn(views, room) ? (views[room] ?? view) : view;
}
