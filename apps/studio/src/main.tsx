import { computed, effect } from "@preact/signals";
import { render } from "preact";
import { systemClock } from "wirewalk/net";
import { readAddress, writeAddress } from "./app/address.ts";
import { openFedStudio } from "./app/fed-studio.ts";
import { feedUrl } from "./app/game-url.ts";
import { LazyInspector } from "./app/lazy-inspector.ts";
import { LoadedGames } from "./app/loaded-games.ts";
import { Recordings } from "./app/opened-recording.ts";
import { fetchPlace, Places } from "./app/places.ts";
import { App } from "./app.tsx";
import type { FeedSocket } from "./feed/feed-client.ts";
import { games } from "./games/table.ts";
import { keptLayout } from "./shell/layout.ts";
import { titleOf } from "./shell/title-of.ts";

const MOMENT_AFTER_MS = 250;

const root = document.getElementById("studio");
if (root === null) throw new Error("index.html has no element with the id studio");

const loadedGames = new LoadedGames(games, async () => (await import("./games/tracks/index.ts")).tracksView);
const start = readAddress(window.location.hash);
// The first world of a game has its name: its chunk and the feed load at the same time.
if (start !== undefined) void loadedGames.load(start.world);
const places = new Places({ load: fetchPlace });
const { studio, feed } = openFedStudio({
  clock: systemClock,
  openSocket: () => new WebSocket(feedUrl(window.location)) as FeedSocket,
  games: loadedGames,
  start,
  places,
  showMoment: (verdict) => void recordings.openMoment(verdict),
});
const recordings: Recordings = new Recordings({
  load: async () => (await import("./recorded/index.ts")).player,
  loadMaps: () => import("./maps/index.ts"),
  places,
  isWaiting: (game) => studio.world.peek()?.protocol === game && places.isUnknown,
  openStudio: (openSocket) => openFedStudio({ clock: systemClock, openSocket, games: loadedGames }),
  inspect: (file) => {
    window.location.hash = "#inspect";
    inspector.openFile(file);
  },
  fetchMoment: async (verdict, signal) => (await import("./moment/fetch-moment.ts")).fetchMoment(verdict, signal),
  pause: () => new Promise((resolve) => setTimeout(resolve, MOMENT_AFTER_MS)),
  notify: (notice) => {
    studio.momentNotice.value = notice;
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

// The address follows what is watched, and a changed address (back, a typed link) is watched. A file that the page plays has no address: a
// link to it would lead nowhere.
effect(() => {
  const { address } = studio;
  if (address === undefined || inspector.isOpen.value) return;
  const hash = writeAddress(address);
  if (hash === window.location.hash) return;
  // What is selected changes all the time: the browser's buttons lead from place to place.
  const before = readAddress(window.location.hash);
  const isSamePlace = before?.world === address.world && (before.room ?? address.room) === address.room;
  if (window.location.hash === "" || isSamePlace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
});
window.addEventListener("popstate", () => {
  inspector.look(window.location.hash);
  if (inspector.isOpen.peek()) return;
  const address = readAddress(window.location.hash);
  if (address === undefined || (studio.address !== undefined && writeAddress(studio.address) === window.location.hash))
    return;
  recordings.close();
  studio.open(address);
});

effect(() => {
  document.title = titleOf(shown.value, inspector.isOpen.value);
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
