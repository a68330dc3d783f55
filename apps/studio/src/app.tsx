/** The whole page: one header, then what is watched live, or the inspector of bytes. */
import { signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { writeAddress } from "./app/address.ts";
import type { LazyInspector } from "./app/lazy-inspector.ts";
import type { LoadedGames } from "./app/loaded-games.ts";
import type { OpenedRecording, Recordings } from "./app/opened-recording.ts";
import type { Studio } from "./app/studio.ts";
import type { Connection } from "./feed/feed-client.ts";
import { payloadTracer } from "./feed/protocol-tools.ts";
import type { DroppedFiles } from "./files/dropped-files.ts";
import type { RoomView } from "./games/game-view.ts";
import { Inspector } from "./inspector/inspector.tsx";
import { Lists } from "./lists/lists.tsx";
import type { Severity } from "./lists/shown-groups.ts";
import { MomentBar } from "./moment/lazy-moment.tsx";
import { Playback } from "./playback/playback.tsx";
import { Header } from "./shell/header.tsx";
import { Hello } from "./shell/hello.tsx";
import { type Layout, tabs } from "./shell/layout.ts";
import { LazySheets } from "./shell/lazy-sheets.tsx";
import type { Sheet } from "./shell/sheets.tsx";
import { listenToShortcuts } from "./shell/shortcuts.ts";
import { Splitter } from "./shell/splitter.tsx";
import { StatusBar } from "./shell/status-bar.tsx";
import { TimeLine } from "./timeline/time-line.tsx";
import { type Dropped, listenToDrops } from "./ui/drops.ts";
import { PlayControl } from "./ui/play-control.ts";
import { Stage } from "./ui/stage.tsx";

/** Least sizes of the inspector and of the lists, in pixels. */
const LEAST_INSPECTOR_PX = 300;
const LEAST_LISTS_PX = 120;

/** A file that is played here has no connection that can break. */
const openConnection = signal<Connection>({ state: "open" });

export interface AppProps {
  readonly studio: Studio;
  readonly games: LoadedGames;
  readonly inspector: LazyInspector;
  readonly recordings: Recordings;
  readonly layout: Layout;
  readonly now: () => number;
  readonly retry: () => void;
}

/** The files of a drop: of a folder, all below it. */
async function readDropped({ files, entries }: Dropped): Promise<DroppedFiles> {
  const { filesBelow, nameOf } = await import("./files/dropped-files.ts");
  if (entries.length > 0) return filesBelow(entries);
  return { name: nameOf(files.map(({ name }) => name)), files: files.map((file) => ({ path: file.name, file })) };
}

/** The live view goes on behind the inspector of bytes: a session is not left, and its packets can be inspected. */
export function App({ studio: live, games, inspector, recordings, layout, now, retry }: AppProps) {
  const control = useMemo(() => new PlayControl(), []);
  const isOver = useSignal(false);
  const sheet = useSignal<Sheet>(undefined);
  const tour = useSignal<(() => VNode) | undefined>(undefined);
  const isInspecting = inspector.isOpen.value;
  const recording = recordings.opened.value;
  const studio = recording?.studio ?? live;
  const isRecorded = recording !== undefined || live.world.value?.playback !== undefined;
  const view = viewOf(studio, games);
  useEffect(() => shortcutsOf(), []);
  // The inspector takes files itself.
  useEffect(
    () => (isInspecting ? undefined : listenToDrops({ over, file: openFile, files: openFiles })),
    [isInspecting],
  );

  function over(isThere: boolean): void {
    isOver.value = isThere;
  }

  function openFile(file: File): void {
    void recordings.open(file);
  }

  function openFiles(dropped: Dropped): void {
    void recordings.openAll(readDropped(dropped));
  }

  function shortcutsOf(): () => void {
    const press = (selector: string) => (): void =>
      document.querySelector<HTMLElement>(`.work:not([hidden]) ${selector}`)?.click();
    return listenToShortcuts(
      {
        "?": () => {
          sheet.value = "keys";
        },
        "/": () => {
          layout.tab.value = "wire";
          layout.isFolded.value = false;
          // Once the list is there; not with the next drawn frame, which may be late for what is typed next.
          setTimeout(() => document.querySelector<HTMLElement>(".work:not([hidden]) .wire .search")?.focus());
        },
        k: press(".time-toggle, .playback-main"),
        j: press("[data-key=j]"),
        l: press("[data-key=l]"),
        ...Object.fromEntries(
          tabs.map((tab, index) => [
            String(index + 1),
            () => {
              layout.tab.value = tab;
              layout.isFolded.value = false;
            },
          ]),
        ),
      },
      () => inspector.isOpen.peek() || (recordings.opened.peek() === undefined && !isPlayOver()),
    );
  }

  async function openTour(): Promise<void> {
    recordings.close();
    try {
      const { Tour } = await import("./tour/tour.tsx");
      const close = (): void => {
        tour.value = undefined;
      };
      tour.value = () => <Tour studio={live} games={games} control={control} close={close} />;
    } catch {
      tour.value = () => <p class="hello">The tour could not be loaded. Reload the page.</p>;
    }
  }

  function isPlayOver(): boolean {
    const state = control.state.peek();
    return state === undefined || state.state === "over";
  }

  function headOf(): VNode {
    if (tour.value !== undefined) return tour.value();
    const fault = recordings.fault.value;
    if (fault !== undefined) {
      return (
        <section class="hello" aria-label="File">
          <p role="alert">{fault}</p>
          <div class="hello-links">
            <button type="button" class="plain" onClick={() => recordings.close()}>
              Close
            </button>
          </div>
        </section>
      );
    }
    return (
      <Hello
        studio={live}
        isGreeted={layout.isGreeted}
        isPlaying={!control.isOver}
        openFile={openFile}
        openAbout={() => {
          sheet.value = "about";
        }}
      />
    );
  }

  const parts = { games, layout, now };
  return (
    <div class={`app ${isInspecting ? "inspecting" : ""}`}>
      <Header
        worlds={live.worlds.value}
        current={studio.world.value}
        isInspecting={isInspecting}
        isRecorded={isRecorded}
        connection={recording === undefined ? live.connection : openConnection}
        control={control}
        now={now}
        retry={retry}
        watch={(world) => {
          if (isInspecting) window.location.hash = "#watch";
          recordings.close();
          if (world.name !== live.world.peek()?.name) live.watch(world, undefined);
        }}
        openFile={openFile}
        openTour={() => {
          if (isInspecting) window.location.hash = "#watch";
          void openTour();
        }}
        openKeys={() => {
          sheet.value = "keys";
        }}
      />
      {recording === undefined || !control.isOver ? (
        <Live
          studio={live}
          control={control}
          isHidden={isInspecting || recording !== undefined}
          head={headOf()}
          {...parts}
        />
      ) : null}
      {recording === undefined ? null : (
        <Recorded key={recording} recording={recording} live={live} isHidden={isInspecting} {...parts} />
      )}
      {isOver.value ? (
        <p class="drop-here" aria-hidden="true">
          Drop a recording to play it, maps to look at them, or a capture to inspect it
        </p>
      ) : null}
      {isInspecting
        ? (inspector.view.value ?? (
            <main class="inspect">
              <p class="empty" role="status">
                {inspector.fault.value ?? "Loading the inspector."}
              </p>
            </main>
          ))
        : null}
      {isInspecting ? null : (
        <StatusBar
          world={studio.world.value}
          rates={studio.rates}
          isConnected={studio.connection.value.state === "open"}
        />
      )}
      <LazySheets sheet={sheet} view={view} />
    </div>
  );
}

interface LiveProps extends Pick<AppProps, "studio" | "games" | "layout" | "now"> {
  readonly control: PlayControl;
  readonly isHidden: boolean;
  /** The first sentence, or what stands in its place: the guided tour, the recording that is played. */
  readonly head: VNode;
  /** Name of the file that is played. */
  readonly file?: string;
  /** Of verdicts and what is done about them, where it is not that of the drawing. */
  readonly verdictStudio?: Studio;
}

/** A recording that the page plays. Its session of the server, if there is one, goes on behind it. */
function Recorded({
  recording,
  live,
  ...rest
}: Pick<LiveProps, "games" | "layout" | "now" | "isHidden"> & {
  readonly recording: OpenedRecording;
  readonly live: Studio;
}) {
  const control = useMemo(() => new PlayControl(), []);
  const { studio, head, file, momentOf } = recording;
  const verdictStudio = momentOf === undefined ? studio : live;
  return <Live studio={studio} verdictStudio={verdictStudio} control={control} head={head} file={file} {...rest} />;
}

function Live({ studio, verdictStudio = studio, games, layout, control, now, isHidden, head, file }: LiveProps) {
  const view = viewOf(studio, games);
  const severity = useSignal<Severity>("flag");
  const search = useSignal("");
  const world = studio.world.value;
  const room = studio.room.value;
  const known = games.viewOf(world?.protocol ?? "")?.protocol;
  const trace = useMemo(() => (world === undefined ? undefined : payloadTracer(world, known)), [world, known]);
  const { inspector, lists, isFolded } = layout;
  return (
    <main
      class="work"
      hidden={isHidden}
      style={inspector.value === undefined ? {} : { "--inspector": `${inspector.value}px` }}
    >
      <div
        class={`left ${isFolded.value ? "is-folded" : ""}`}
        style={lists.value === undefined ? {} : { "--lists": `${lists.value}px` }}
      >
        {head}
        {world !== undefined && room !== undefined && view !== undefined ? (
          <Stage
            key={`${world.name}/${world.dialect}/${room}/${studio.jump.value}`}
            studio={studio}
            world={world}
            room={room}
            view={view}
            control={control}
            hasLegend={layout.hasLegend}
          />
        ) : (
          <Blank studio={studio} games={games} file={file} />
        )}
        <div class="under">
          <MomentBar studio={studio} verdictStudio={verdictStudio} now={now} />
          {file === undefined && world?.playback === undefined ? (
            <TimeLine studio={studio} control={control} now={now} />
          ) : (
            <Playback studio={studio} now={now} />
          )}
        </div>
        <Splitter label="Height of the lists" axis="y" size={lists} least={LEAST_LISTS_PX} />
        <Lists
          studio={studio}
          verdictStudio={verdictStudio}
          layout={layout}
          view={view}
          protocol={known}
          trace={trace}
          severity={severity}
          search={search}
        />
      </div>
      <Splitter label="Width of the inspector" axis="x" size={inspector} least={LEAST_INSPECTOR_PX} />
      <Inspector studio={studio} verdictStudio={verdictStudio} trace={trace} view={view} protocol={known} />
    </main>
  );
}

/** How the watched room is drawn. */
function viewOf(studio: Studio, games: LoadedGames): RoomView | undefined {
  const world = studio.world.value;
  return world === undefined ? undefined : games.roomViewOf(world.protocol, studio.room.value ?? "");
}

interface BlankProps {
  readonly studio: Studio;
  readonly games: LoadedGames;
  readonly file: string | undefined;
}

/** Placeholder until there is a drawing. */
function Blank({ studio, games, file }: BlankProps) {
  const hasFailed = games.get(studio.world.value?.protocol ?? "").state === "failed";
  return (
    <section class="panel stage blank" aria-label="Room">
      <div class="empty">
        <p role="status">{blankText({ studio, games, file })}</p>
        {studio.unknown.value === undefined
          ? null
          : studio.worlds.value.map(({ name, title }) => (
              <p key={name}>
                <a href={writeAddress({ world: name, room: undefined })}>{title}</a>
              </p>
            ))}
        {hasFailed ? (
          <button type="button" class="primary" onClick={() => window.location.reload()}>
            Reload the page
          </button>
        ) : null}
      </div>
    </section>
  );
}

function blankText({ studio, games, file }: BlankProps): string {
  const connection = studio.connection.value;
  if (connection.state === "lost") return `${connection.reason} Start it with: npm start`;
  if (connection.state === "refused") return connection.reason;
  if (connection.state === "connecting") return file === undefined ? "Connecting to the server." : `Reading ${file}.`;
  const unknown = studio.unknown.value;
  if (unknown !== undefined) return `This server has no game and no world named ${unknown}. It has:`;
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
