import { effect } from "@preact/signals";
import { render } from "preact";
import { systemClock } from "wirewalk/net";
import { feedUrl } from "./app/game-url.ts";
import { LazyInspector } from "./app/lazy-inspector.ts";
import { LoadedGames } from "./app/loaded-games.ts";
import { readPlace, writePlace } from "./app/place.ts";
import { Studio } from "./app/studio.ts";
import { App } from "./app.tsx";
import { FeedClient, type FeedSocket } from "./feed/feed-client.ts";
import { games } from "./games/table.ts";
import { keptLayout } from "./shell/layout.ts";

const root = document.getElementById("studio");
if (root === null) throw new Error("index.html has no element with the id studio");

const loadedGames = new LoadedGames(games, async () => (await import("./games/tracks/index.ts")).tracksView);
const start = readPlace(window.location.hash);
const studio: Studio = new Studio({
  clock: systemClock,
  send: (request) => feed.send(request),
  start,
  standingRooms: (protocol) => loadedGames.viewOf(protocol)?.rooms ?? [],
});
// The first world of a game has its name: its chunk and the feed load at the same time.
if (start !== undefined) void loadedGames.load(start.world);
effect(() => {
  const protocol = studio.world.value?.protocol;
  if (protocol !== undefined) void loadedGames.load(protocol);
});
effect(() => {
  if (loadedGames.viewOf(studio.world.value?.protocol ?? "") !== undefined) studio.refreshRooms();
});
const feed = new FeedClient({
  openSocket: () => new WebSocket(feedUrl(window.location)) as FeedSocket,
  clock: systemClock,
  onConnection: (connection) => {
    studio.connection.value = connection;
  },
  onMessage: (message) => studio.apply(message),
  onTracks: (snapshot) => studio.applyTracks(snapshot),
});

const inspector = new LazyInspector({
  load: async () => (await import("./inspect/index.ts")).openInspector,
  live: {
    entries: studio.wire.shown,
    served: studio.world,
    protocolOf: (name) => loadedGames.viewOf(name)?.protocol,
  },
});
inspector.look(window.location.hash);

// The address follows what is watched, and a changed address (back, a typed link) is watched.
effect(() => {
  const [world, room] = [studio.world.value, studio.room.value];
  if (world === undefined || room === undefined || inspector.isOpen.value) return;
  const hash = writePlace({ world: world.name, room });
  if (hash === window.location.hash) return;
  if (window.location.hash === "") history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
});
window.addEventListener("popstate", () => {
  inspector.look(window.location.hash);
  if (inspector.isOpen.peek()) return;
  const place = readPlace(window.location.hash);
  const world = studio.worlds.peek().find(({ name }) => name === place?.world);
  const same = world === studio.world.peek() && place?.room === studio.room.peek();
  if (world !== undefined && place !== undefined && !same) studio.watch(world, place.room);
});

render(
  <App
    studio={studio}
    games={loadedGames}
    inspector={inspector}
    layout={keptLayout(storage())}
    now={() => systemClock.now()}
    retry={() => feed.retryNow()}
  />,
  root,
);

/** A browser whose storage is disabled throws when it is asked for. */
function storage(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => null, setItem: () => {} };
  }
}
