import type { FeedVerdict } from "@wirewalk/server/feed";
import { useMemo } from "preact/hooks";
import { type RoomView, roomView } from "./games/game-view.ts";
import type { LazyInspector } from "./lazy-inspector.ts";
import type { LoadedGames } from "./loaded-games.ts";
import { Playback } from "./playback/playback.tsx";
import { payloadTracer } from "./protocol-tools.ts";
import type { Studio } from "./studio.ts";
import { Bans } from "./ui/bans.tsx";
import { ConnectionPill } from "./ui/connection-pill.tsx";
import { Rates } from "./ui/rates.tsx";
import { Rooms } from "./ui/rooms.tsx";
import { Roster } from "./ui/roster.tsx";
import { Stage } from "./ui/stage.tsx";
import { Verdicts } from "./ui/verdicts.tsx";
import { WirePanel } from "./ui/wire-panel.tsx";

export interface AppProps {
  readonly studio: Studio;
  readonly games: LoadedGames;
  readonly inspector: LazyInspector;
  readonly now: () => number;
  readonly retry: () => void;
}

/** The whole page. The live view goes on behind the inspector: a session is not left, and its packets can be inspected. */
export function App(props: AppProps) {
  const { inspector, studio, now, retry } = props;
  const isOpen = inspector.isOpen.value;
  return (
    <>
      <LiveApp {...props} isHidden={isOpen} />
      {isOpen ? (
        <div class="app inspecting">
          <header class="bar-top">
            <h1>
              <img src="/favicon.svg" alt="" width="24" height="24" /> Wirewalk
            </h1>
            <Views isInspecting={true} />
            <span class="facts" />
            <ConnectionPill connection={studio.connection.value} now={now} retry={retry} />
          </header>
          {inspector.view.value ?? (
            <main class="center">
              <p class="empty" role="status">
                {inspector.fault.value ?? "Loading the inspector."}
              </p>
            </main>
          )}
        </div>
      ) : null}
    </>
  );
}

/** The page's views. */
function Views({ isInspecting }: { readonly isInspecting: boolean }) {
  return (
    <nav class="views" aria-label="Views">
      <a href="#watch" aria-current={isInspecting ? undefined : "page"}>
        Watch
      </a>
      <a href="#inspect" aria-current={isInspecting ? "page" : undefined}>
        Inspect
      </a>
    </nav>
  );
}

function LiveApp({ studio, games, now, retry, isHidden }: AppProps & { readonly isHidden: boolean }) {
  const world = studio.world.value;
  const room = studio.room.value;
  const known = games.viewOf(world?.protocol ?? "")?.protocol;
  const view = viewOf(studio, games);
  const trace = useMemo(() => (world === undefined ? undefined : payloadTracer(world, known)), [world, known]);
  const inspect = (verdict: FeedVerdict): void => {
    studio.inspected.value = { kind: "verdict", verdict };
  };
  return (
    <div class="app" hidden={isHidden}>
      <header class="bar-top">
        <h1>
          <img src="/favicon.svg" alt="" width="24" height="24" /> Wirewalk
        </h1>
        <Views isInspecting={false} />
        <WorldChoice studio={studio} />
        <p class="facts">
          {world === undefined ? null : (
            <>
              <span>
                dialect <b>{world.dialect}</b>
              </span>
              {world.playback === undefined ? (
                <span>
                  TCP <b>{world.listen ?? "off"}</b>
                </span>
              ) : (
                <span>
                  recording <b>{world.playback.file}</b>
                </span>
              )}
              {world.relayTo === undefined ? null : (
                <span>
                  relay to <b>{world.relayTo}</b>
                </span>
              )}
            </>
          )}
        </p>
        <ConnectionPill connection={studio.connection.value} now={now} retry={retry} />
      </header>
      <div class="side">
        <Rooms
          rooms={studio.rooms.value}
          current={room}
          enter={(next) => {
            if (world !== undefined) studio.watch(world, next);
          }}
        />
        <RosterOf studio={studio} view={view} />
        <Rates rates={studio.rates.value} />
      </div>
      <main class="center">
        {world !== undefined && room !== undefined && view !== undefined ? (
          <Stage
            key={`${world.name}/${world.dialect}/${room}/${studio.jump.value}`}
            studio={studio}
            world={world}
            room={room}
            view={view}
          />
        ) : (
          <Blank studio={studio} games={games} />
        )}
        <Playback studio={studio} now={now} />
      </main>
      <aside class="judged" aria-label="Verdicts and bans">
        <Verdicts trace={trace} groups={studio.verdicts.value} players={studio.players.value} inspect={inspect} />
        <Bans bans={studio.bans.value} />
      </aside>
      <WirePanel
        trace={trace}
        entries={studio.wire.shown}
        inspected={studio.inspected}
        canPlay={view === undefined || view.controls.length > 0}
        follows={view?.follows === true}
        source={world?.relayTo !== undefined ? "relay" : world?.playback !== undefined ? "recording" : "page"}
      />
    </div>
  );
}

/** How the watched room is drawn. */
function viewOf(studio: Studio, games: LoadedGames): RoomView | undefined {
  const view = games.viewOf(studio.world.value?.protocol ?? "");
  return view === undefined ? undefined : roomView(view, studio.room.value ?? "");
}

function RosterOf({ studio, view }: { readonly studio: Studio; readonly view: RoomView | undefined }) {
  const self = studio.self.value;
  return (
    <Roster
      rows={studio.roster.value}
      self={self !== undefined && self.room === studio.room.value ? self.player : undefined}
      view={view}
      followed={studio.followed.value}
      follow={view?.follows === true ? (player) => studio.follow(player) : undefined}
    />
  );
}

function WorldChoice({ studio }: { readonly studio: Studio }) {
  const worlds = studio.worlds.value;
  const current = studio.world.value;
  if (worlds.length <= 1) return <p class="protocol">{current?.title ?? "No world yet"}</p>;
  return (
    <label class="protocol">
      <span class="unseen">World</span>
      <select
        value={current?.name}
        onChange={(event) => {
          const chosen = worlds.find(({ name }) => name === event.currentTarget.value);
          if (chosen !== undefined) studio.watch(chosen, undefined);
        }}
      >
        {worlds.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Placeholder until there is a drawing. */
function Blank({ studio, games }: { readonly studio: Studio; readonly games: LoadedGames }) {
  const hasFailed = games.get(studio.world.value?.protocol ?? "").state === "failed";
  return (
    <section class="panel stage blank" aria-label="Room">
      <div class="empty">
        <p role="status">{blankText(studio, games)}</p>
        {hasFailed ? (
          <button type="button" class="primary" onClick={() => window.location.reload()}>
            Reload the page
          </button>
        ) : null}
      </div>
    </section>
  );
}

function blankText(studio: Studio, games: LoadedGames): string {
  const connection = studio.connection.value;
  if (connection.state === "lost") return `${connection.reason} Start it with: npm start`;
  if (connection.state === "refused") return connection.reason;
  if (connection.state === "connecting") return "Connecting to the server.";
  const world = studio.world.value;
  if (world === undefined) return "The server has no world.";
  switch (games.get(world.protocol).state) {
    case "unknown":
      return `This page has no drawing for ${world.title}.`;
    case "loading":
      return `Loading the drawing of ${world.title}.`;
    case "failed":
      return `The drawing of ${world.title} could not be loaded. The server may have been updated since this page was opened.`;
    case "loaded":
      return "Choose a room.";
  }
}
