/** The drawing of the watched room with everything around it: what is shown, how to play, join and leave. */
import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { ServedWorld } from "@wirewalk/server/feed";
import { useEffect, useRef } from "preact/hooks";
import { gameUrl } from "../game-url.ts";
import type { Control, PlaySession, PlayState, RoomView, Scene, ViewSettings } from "../games/game-view.ts";
import { canBeJoined, type Studio } from "../studio.ts";
import { visitorAccount } from "../visitor.ts";
import { showAmount } from "./format.ts";

export interface StageProps {
  readonly studio: Studio;
  readonly world: ServedWorld;
  readonly room: string;
  readonly view: RoomView;
}

const allSwitches = ["trails", "names", "serverTracks"] as const;

const switchLabels: Readonly<Record<keyof ViewSettings, string>> = {
  trails: "Trails",
  names: "Names",
  serverTracks: "Server’s view",
};

/** One room. Given another room or world, the page makes another of these (by key): sessions end with their room. */
export function Stage({ studio, world, room, view }: StageProps) {
  const settings = useSignal<ViewSettings>({ trails: true, names: true, serverTracks: true });
  const playing = useSignal<PlayState | undefined>(undefined);
  const element = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene | undefined>(undefined);
  const session = useRef<PlaySession | undefined>(undefined);

  useEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const opened = view.open({
      element: host,
      watched: {
        world,
        room,
        tracks: studio.tracks,
        onObservation: (listener) => studio.onObservation(listener),
        followed: () => studio.followed.peek(),
        follow: (player) => studio.follow(player),
        players: () => studio.players.peek(),
        verdicts: () => studio.recentVerdicts.filter((verdict) => verdict.room === room),
        self: () => {
          const self = studio.self.peek();
          return self?.room === room && playing.peek() !== undefined ? self.player : undefined;
        },
      },
      settings: () => settings.peek(),
      gameUrl: () =>
        gameUrl(window.location, world.path, {
          room,
          account: visitorAccount(window.localStorage),
          viewer: studio.token.peek(),
        }),
      log: (record) => studio.wire.add(record),
      inspect: (payload) => {
        const entry = studio.wire.find(payload);
        if (entry !== undefined) studio.inspected.value = { kind: "entry", entry };
      },
    });
    scene.current = opened;
    let request = requestAnimationFrame(function draw(nowMs) {
      opened.draw(studio.sceneClock.at(nowMs));
      request = requestAnimationFrame(draw);
    });
    return () => {
      cancelAnimationFrame(request);
      session.current?.leave();
      opened.close();
      scene.current = undefined;
    };
  }, [studio, world, room, view]);

  const join = (): void => {
    studio.wire.clear();
    studio.self.value = undefined;
    session.current = scene.current?.play?.((state) => {
      playing.value = state;
      if (state.state === "over") studio.self.value = undefined;
    });
    element.current?.focus();
  };
  const over = playing.value === undefined || playing.value.state === "over";
  const { gestures = [], switches = allSwitches } = view;
  const controls = controlsOf(view, world);
  return (
    <section class="panel stage" aria-label={`Room ${room}`}>
      <div class="stage-head">
        <h2>
          Room {room} <RoomCount studio={studio} />
        </h2>
        {switches.map((name) => (
          <Toggle
            key={name}
            settings={settings}
            name={name}
            label={switchLabels[name]}
            disabled={over && name === "serverTracks"}
          />
        ))}
        {controls.length === 0 ? null : over ? (
          <button type="button" class="primary" disabled={studio.connection.value.state !== "open"} onClick={join}>
            Join as a player
          </button>
        ) : (
          <button type="button" class="primary leave" onClick={() => session.current?.leave()}>
            Leave
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the game go where the focus is. */}
      <div class="scene" ref={element} tabIndex={0} role="application" aria-label={sceneLabel(room, view, controls)} />
      <StageNotice studio={studio} playing={playing} world={world} />
      <div class="stage-foot">
        <ul class="legend" aria-label="Legend">
          {view.legend.map(({ mark, meaning }) => (
            <li key={mark}>
              <span class={`mark legend-${mark}`} aria-hidden="true" /> {meaning}
            </li>
          ))}
        </ul>
        <ul class="controls" aria-label="Controls">
          {[...gestures, ...controls].map(({ keys, does }) => (
            <li key={keys}>
              <kbd>{keys}</kbd> {does}
            </li>
          ))}
        </ul>
      </div>
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
  if (controls.length > 0) sentences.push(`Once joined: ${list(controls)}.`);
  return sentences.join(" ");
}

function RoomCount({ studio }: { readonly studio: Studio }) {
  const count = useComputed(() => studio.players.value.size);
  return <span class="hint">{showAmount(count.value, "player")}</span>;
}

interface ToggleProps {
  readonly settings: Signal<ViewSettings>;
  readonly name: keyof ViewSettings;
  readonly label: string;
  readonly disabled?: boolean;
}

function Toggle({ settings, name, label, disabled = false }: ToggleProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={settings.value[name]}
        disabled={disabled}
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
  readonly playing: Signal<PlayState | undefined>;
  readonly world: ServedWorld;
}

/** One line over the drawing whenever it is not simply live. */
function StageNotice({ studio, playing, world }: StageNoticeProps) {
  const text = useComputed(() => noticeText(studio, playing.value, world));
  return (
    <p class={`notice ${text.value === undefined ? "notice-none" : ""}`} role="status">
      {text.value ?? ""}
    </p>
  );
}

function noticeText(studio: Studio, playing: PlayState | undefined, world: ServedWorld): string | undefined {
  const connection = studio.connection.value;
  if (connection.state === "lost") return `${connection.reason} The drawing stands still until it is back.`;
  if (connection.state === "refused") return connection.reason;
  if (connection.state === "connecting") return "Connecting to the server.";
  if (playing?.state === "joining") return "Joining the room.";
  if (playing?.state === "over" && playing.reason !== undefined) return playing.reason;
  if (!studio.live.value) return "Waiting for the first positions of this room.";
  if (studio.players.value.size > 0) return undefined;
  if (world.relayTo !== undefined) return "No client is in this room.";
  if (world.playback !== undefined) return "No player is in this room at this time.";
  return "Nobody is here. Join as a player, or start some bots.";
}
