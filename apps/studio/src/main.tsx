import { computed, effect } from "@preact/signals";
import { render } from "preact";
import { systemClock } from "wirewalk/net";
import { openFedStudio } from "./app/fed-studio.ts";
import { feedUrl } from "./app/game-url.ts";
import { LazyInspector } from "./app/lazy-inspector.ts";
import { LoadedGames } from "./app/loaded-games.ts";
import { Recordings } from "./app/opened-recording.ts";
import { readPlace, writePlace } from "./app/place.ts";
import { fetchPlace, Places } from "./app/places.ts";
import { App } from "./app.tsx";
import type { FeedSocket } from "./feed/feed-client.ts";
import { games } from "./games/table.ts";
import { keptLayout } from "./shell/layout.ts";

const root = document.getElementById("studio");
if (root === null) throw new Error("index.html has no element with the id studio");

const loadedGames = new LoadedGames(games, async () => (await import("./games/tracks/index.ts")).tracksView);
const start = readPlace(window.location.hash);
// The first world of a game has its name: its chunk and the feed load at the same time.
if (start !== undefined) void loadedGames.load(start.world);
const places = new Places({ load: fetchPlace });
const { studio, feed } = openFedStudio({
  clock: systemClock,
  openSocket: () => new WebSocket(feedUrl(window.location)) as FeedSocket,
  games: loadedGames,
  start,
  places,
});
const recordings = new Recordings({
  load: async () => (await import("./recorded/index.ts")).player,
  loadMaps: () => import("./maps/index.ts"),
  places,
  isWaiting: (game) => studio.world.peek()?.protocol === game && places.isUnknown,
  openStudio: (openSocket) => openFedStudio({ clock: systemClock, openSocket, games: loadedGames }),
  inspect: (file) => {
    window.location.hash = "#inspect";
    inspector.openFile(file);
  },
});
/** What the page shows: a recording of its own, or what the server sends. */
const shown = computed(() => recordings.opened.value?.studio ?? studio);

const inspector: LazyInspector = new LazyInspector({
  load: async () => (await import("./inspect/index.ts")).openInspector,
  page: {
    live: {
      entries: computed(() => shown.value.wire.shown.value),
      served: computed(() => shown.value.world.value),
      protocolOf: (name) => loadedGames.viewOf(name)?.protocol,
    },
    play: (file) => {
      window.location.hash = "#watch";
      void recordings.open(file);
    },
  },
});
inspector.look(window.location.hash);

// The address follows what is watched, and a changed address (back, a typed link) is watched. A recording has no address: a link to it
// would lead nowhere.
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
  if (world === undefined || place === undefined || same) return;
  recordings.close();
  studio.watch(world, place.room);
});

render(
  <App
    studio={studio}
    games={loadedGames}
    inspector={inspector}
    recordings={recordings}
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
