/** What the page knows, and the feed that tells it: that of the server, or that of a recording which the page plays. */
import { effect } from "@preact/signals";
import type { Clock } from "wirewalk/net";
import { FeedClient, type FeedSocket } from "../feed/feed-client.ts";
import type { Address } from "./address.ts";
import type { LoadedGames } from "./loaded-games.ts";
import type { Places } from "./places.ts";
import { type SoughtVerdict, Studio } from "./studio.ts";

export interface FedStudioOptions {
  readonly clock: Clock;
  readonly openSocket: () => FeedSocket;
  readonly games: LoadedGames;
  /** Where to look first. */
  readonly start?: Address | undefined;
  /** Default: no place is known. */
  readonly places?: Places;
  /** Shows a verdict of a live world in its seconds. Default: none are shown. */
  readonly showMoment?: (verdict: SoughtVerdict) => void;
}

export interface FedStudio {
  readonly studio: Studio;
  readonly feed: FeedClient;
  /** Ends the feed for good. */
  close(): void;
}

/** Opens the feed. Games are loaded as its worlds ask for them. */
export function openFedStudio({ clock, openSocket, games, start, places, showMoment }: FedStudioOptions): FedStudio {
  const studio: Studio = new Studio({
    clock,
    send: (request) => feed.send(request),
    start,
    ...(places && { places }),
    ...(showMoment && { showMoment }),
    standingRooms: (protocol, hasDemo) => {
      const view = games.viewOf(protocol);
      return (hasDemo ? undefined : view?.realRooms) ?? view?.rooms ?? [];
    },
  });
  const stops = [
    effect(() => {
      const protocol = studio.world.value?.protocol;
      if (protocol !== undefined) void games.load(protocol);
    }),
    effect(() => {
      if (games.viewOf(studio.world.value?.protocol ?? "") !== undefined) studio.refreshRooms();
    }),
  ];
  const feed = new FeedClient({
    openSocket,
    clock,
    onConnection: (connection) => {
      studio.connection.value = connection;
    },
    onMessage: (message) => studio.apply(message),
    onTracks: (snapshot) => studio.applyTracks(snapshot),
  });
  return {
    studio,
    feed,
    close: () => {
      feed.close();
      for (const stop of stops) stop();
    },
  };
}
