/** The drawing of the watched room with everything around it: the rooms, what is shown, how to play. */
import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { ServedWorld } from "@wirewalk/server/feed";
import { useLayoutEffect, useRef } from "preact/hooks";
import { gameUrl } from "../app/game-url.ts";
import { playerOf } from "../app/inspected.ts";
import { canBeJoined, hasNoPlayers, type Studio } from "../app/studio.ts";
import { visitorAccount } from "../app/visitor.ts";
import type { Control, PlaySession, RoomView, Scene, ViewSettings } from "../games/game-view.ts";
import { drawMoment } from "../moment/lazy-moment.tsx";
import { LineMenu } from "./line-menu.tsx";
import type { PlayControl } from "./play-control.ts";
import { Rooms } from "./rooms.tsx";
import { TouchPad } from "./touch-pad.tsx";

export interface StageProps {
  readonly studio: Studio;
  readonly world: ServedWorld;
  readonly room: string;
  readonly view: RoomView;
  readonly control: PlayControl;
  readonly hasLegend: Signal<boolean>;
}

const allSwitches = ["trails", "names", "serverTracks"] as const;

const switchLabels: Readonly<Record<keyof ViewSettings, string>> = {
  trails: "Trails",
  names: "Names",
  serverTracks: "Server’s view",
};

/** One room. Given another room or world, the page makes another of these (by key): sessions end with their room. */
export function Stage({ studio, world, room, view, control, hasLegend }: StageProps) {
  const settings = useSignal<ViewSettings>({ trails: true, names: true, serverTracks: true });
  const element = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene | undefined>(undefined);
  const session = useRef<PlaySession | undefined>(undefined);
  const controls = controlsOf(view, world);

  // Not `useEffect`: that of the next room may run before this room's cleanup, which waits for a painted frame. The cleanup then undid
  // what the next room had set, and that room could not be played.
  useLayoutEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const isPlaying = (): boolean => {
      const state = control.state.peek();
      return state !== undefined && state.state !== "over";
    };
    const opened = view.open({
      element: host,
      watched: {
        world,
        room,
        tracks: studio.tracks,
        onObservation: (listener) => studio.onObservation(listener),
        followed: () => studio.followed.peek(),
        follow: (player) => {
          if (player === undefined) studio.follow(undefined);
          else studio.select({ kind: "player", player });
        },
        chosen: () => (studio.opensNewest.peek() ? undefined : playerOf(studio.inspected.peek())),
        place: (place) => studio.places.of(world, place),
        openVerdict: () => {
          const inspected = studio.inspected.peek();
          return inspected?.kind === "verdict" && inspected.verdict.room === room ? inspected.verdict : undefined;
        },
        moment: () => studio.moment.peek(),
        players: () => studio.players.peek(),
        verdicts: () => studio.recentVerdicts.filter((verdict) => verdict.room === room),
        self: () => {
          const self = studio.self.peek();
          return self?.room === room && control.state.peek() !== undefined ? self.player : undefined;
        },
      },
      settings: () => settings.peek(),
      gameUrl: () =>
        gameUrl(window.location, world.path, {
          room,
          account: visitorAccount(window.localStorage),
          viewer: studio.token.peek(),
        }),
      line: control.line,
      log: (record) => {
        if (!studio.observations.isRepeat) studio.wire.add(record);
      },
      measured: (figures) => {
        studio.figures.value = figures;
      },
      inspect: (payload) => {
        const entry = studio.wire.find(payload);
        if (entry !== undefined) studio.select({ kind: "entry", entry });
      },
    });
    scene.current = opened;
    studio.newestOf = view.newest ?? "client";
    // What came while the game's chunk was loaded.
    studio.observations.showAgain(studio.sceneClock.at(performance.now()));
    let shownMs = Number.NEGATIVE_INFINITY;
    let round = studio.rounds.peek();
    const overlay = drawMoment(studio, opened.surface);
    let request = requestAnimationFrame(function draw(nowMs) {
      request = requestAnimationFrame(draw);
      // A game that is played goes on: it cannot be held.
      if (isPlaying()) studio.view.live();
      const atMs = studio.view.at(studio.sceneClock.at(nowMs));
      const { isLive } = studio.view;
      studio.tracks.viewMs = isLive ? undefined : atMs;
      if (atMs < shownMs || round !== studio.rounds.peek()) {
        round = studio.rounds.peek();
        opened.rewind?.();
        studio.observations.showAgain(atMs);
      } else studio.observations.showUntil(atMs);
      shownMs = atMs;
      opened.draw(atMs);
      overlay.draw(atMs);
    });
    const join = (): void => {
      studio.wire.clear();
      studio.self.value = undefined;
      studio.view.live();
      // The wire is the own one now.
      studio.follow(undefined);
      control.brokenAtMs = undefined;
      session.current = opened.play?.((state) => {
        control.state.value = state;
        if (state.state !== "over") return;
        control.brokenAtMs = state.reason === undefined ? undefined : performance.now();
        studio.left();
      });
      host.focus();
    };
    control.start.value = controls.length === 0 ? undefined : join;
    control.leave.value = () => session.current?.leave();
    control.worsen.value = opened.worsen?.bind(opened);
    // The server is back, and so is who played when it was lost.
    if (control.endedWith(studio.lostAtMs) && control.start.peek() !== undefined) join();
    return () => {
      cancelAnimationFrame(request);
      const isCut = isPlaying();
      session.current?.leave();
      // The feed was lost and the game's own socket was not: a server that is back is another one for both.
      if (isCut) control.brokenAtMs = studio.lostAtMs;
      overlay.close();
      opened.close();
      scene.current = undefined;
      studio.tracks.viewMs = undefined;
      studio.figures.value = [];
      control.start.value = undefined;
      control.leave.value = undefined;
      control.worsen.value = undefined;
    };
  }, [studio, world, room, view]);
  // A server that is back sends its worlds anew: why the session ended is still shown.
  useLayoutEffect(
    () => () => {
      control.state.value = undefined;
      control.brokenAtMs = undefined;
    },
    [],
  );

  const { gestures = [], switches = allSwitches } = view;
  return (
    <section class="panel stage" aria-label={`Room ${room}`}>
      <div class="stage-head">
        <Rooms
          rooms={studio.rooms.value}
          current={room}
          enter={(next) => {
            if (next !== room) studio.watch(world, next);
          }}
        />
        {switches
          // While watching, all that is drawn is the server's view.
          .filter((name) => name !== "serverTracks" || !control.isOver)
          .map((name) => (
            <Toggle key={name} settings={settings} name={name} label={switchLabels[name]} />
          ))}
        {controls.length === 0 || view.hasLine === true ? null : <LineMenu line={control.line} />}
        <button
          type="button"
          class="quiet"
          aria-pressed={hasLegend.value}
          onClick={() => {
            hasLegend.value = !hasLegend.peek();
          }}
        >
          Legend
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the game go where the focus is. */}
      <div class="scene" ref={element} tabIndex={0} role="application" aria-label={sceneLabel(room, view, controls)} />
      {control.isOver || view.touch === undefined ? null : <TouchPad keys={view.touch} />}
      <StageNotice studio={studio} control={control} world={world} />
      {hasLegend.value || !control.isOver ? (
        <div class="stage-foot">
          {hasLegend.value ? (
            <ul class="legend" aria-label="Legend">
              {view.legend.map(({ mark, meaning }) => (
                <li key={mark}>
                  <span class={`mark legend-${mark}`} aria-hidden="true" /> {meaning}
                </li>
              ))}
            </ul>
          ) : null}
          <ul class="controls" aria-label="Controls">
            {[...gestures, ...controls].map(({ keys, does }) => (
              <li key={keys}>
                <kbd>{keys}</kbd> {does}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}

/** What one plays with. */
function controlsOf({ controls }: RoomView, world: ServedWorld): readonly Control[] {
  return canBeJoined(world) ? controls : [];
}

function sceneLabel(room: string, { gestures = [] }: RoomView, controls: readonly Control[]): string {
  const list = (of: readonly Control[]): string => of.map(({ keys, does }) => `${keys} ${does}`).join(", ");
  const sentences = [`Drawing of room ${room}; the list of players says the same in words.`];
  if (gestures.length > 0) sentences.push(`To look around: ${list(gestures)}.`);
  if (controls.length > 0) sentences.push(`While playing: ${list(controls)}.`);
  return sentences.join(" ");
}

interface ToggleProps {
  readonly settings: Signal<ViewSettings>;
  readonly name: keyof ViewSettings;
  readonly label: string;
}

function Toggle({ settings, name, label }: ToggleProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={settings.value[name]}
        onChange={(event) => {
          settings.value = { ...settings.peek(), [name]: event.currentTarget.checked };
        }}
      />
      {label}
    </label>
  );
}

interface StageNoticeProps {
  readonly studio: Studio;
  readonly control: PlayControl;
  readonly world: ServedWorld;
}

/** One line over the drawing whenever it is not simply live. */
function StageNotice({ studio, control, world }: StageNoticeProps) {
  const text = useComputed(() => noticeText(studio, control, world));
  return (
    <p class={`notice ${text.value === undefined ? "notice-none" : ""}`} role="status">
      {text.value ?? ""}
    </p>
  );
}

function noticeText(studio: Studio, control: PlayControl, world: ServedWorld): string | undefined {
  const connection = studio.connection.value;
  const playing = control.state.value;
  if (connection.state === "lost") {
    const then = control.endedWith(studio.lostAtMs)
      ? "You join again when it is back."
      : "The drawing stands still until it is back.";
    return `${connection.reason} ${then}`;
  }
  if (connection.state === "refused") return connection.reason;
  if (connection.state === "connecting") return "Connecting to the server.";
  // Beside a verdict the inspector says it.
  if (studio.inspected.value?.kind !== "verdict" && studio.momentNotice.value !== undefined) {
    return studio.momentNotice.value;
  }
  if (playing?.state === "joining") return "Joining the room.";
  if (playing?.state === "over" && playing.reason !== undefined) return playing.reason;
  // Dropped maps: nobody is in them.
  if (hasNoPlayers(world)) return undefined;
  if (!studio.live.value) return "Waiting for the first positions of this room.";
  if (studio.players.value.size > 0) return undefined;
  if (world.relayTo !== undefined) return "No client is in this room.";
  if (world.playback !== undefined) return "No player is in this room at this time.";
  return `Nobody is here. Play, or start bots: wirewalk bots ${world.protocol}`;
}
