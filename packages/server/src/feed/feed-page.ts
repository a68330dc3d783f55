/** A page as the feed sees it: a WebSocket of the server, or the page that plays a file itself. */
import type { PlayerId } from "wirewalk/motion";
import type { FeedBan } from "./feed.ts";
import type { FeedWorld } from "./feed-world.ts";
import type { TrackedPage } from "./room-tracks.ts";

/** The subscription of a page. */
export interface Watched {
  readonly world: string;
  readonly room: string | null;
  /** A player of the room that the page follows. */
  readonly player?: PlayerId;
}

/** The player of a page while it plays, with the room that was last sent. */
export interface PageSelf {
  readonly world: FeedWorld;
  readonly player: PlayerId;
  readonly room: string;
}

/** One page. `Text` is a message as it is carried, made once for all pages. */
export interface FeedPage<Text> extends TrackedPage {
  readonly token: string;
  readonly isOver: boolean;
  watched: Watched | undefined;
  self: PageSelf | undefined;
  send(text: Text): void;
  checkDeadlines(): void;
  /** Takes a valid subscription: a full snapshot follows. */
  watch(watched: Watched): void;
  /** The page has sent an invalid request. */
  end(reason: "bad-request", detail: string): void;
}

/** Bans in force, as pages are sent them. */
export interface ShownBans {
  /** Differs whenever the bans differ. */
  readonly version: string;
  readonly bans: readonly FeedBan[];
}
