/** A guided tour: five rooms, each with a claim beside figures of what happens there now. A chunk of its own. */
import "./tour.css";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LoadedGames } from "../app/loaded-games.ts";
import type { Studio } from "../app/studio.ts";
import type { PlayControl } from "../ui/play-control.ts";
import { pressKeys, startCheat } from "./demos.ts";
import { type Demo, scenes } from "./scenes.ts";

export interface TourProps {
  readonly studio: Studio;
  readonly games: LoadedGames;
  readonly control: PlayControl;
  readonly close: () => void;
}

/** Numbers of the bots that the tour lets join: others have lower ones. */
const FIRST_NUMBER = 500;
const NUMBERS = 400;

export function Tour({ studio, games, control, close }: TourProps) {
  const at = useSignal(0);
  const served = studio.worlds.value;
  const shown = scenes.filter(({ game }) => served.some(({ protocol }) => protocol === game));
  const scene = shown[Math.min(at.value, shown.length - 1)];
  const world = served.find(({ protocol }) => protocol === scene?.game);
  useEffect(() => {
    const isThere = world?.name === studio.world.peek()?.name && scene?.room === studio.room.peek();
    if (world !== undefined && scene !== undefined && !isThere) studio.watch(world, scene.room);
  }, [scene]);
  if (scene === undefined) return null;
  const protocol = games.viewOf(scene.game)?.protocol;
  const settings = protocol?.capabilities?.settings?.values;
  const figures = scene.figures(studio, (name) => world?.settings[name] ?? settings?.[name]?.default);
  return (
    <section class="tour" aria-label="Tour">
      <div class="tour-words">
        <h2>
          <span class="tour-step">
            {at.value + 1} of {shown.length}
          </span>{" "}
          {scene.title}
        </h2>
        <p>{scene.claim}</p>
      </div>
      <dl class="tour-figures" aria-label="Measured now">
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {figures.length > 0 ? null : (
          <div>
            <dt>{scene.waiting}</dt>
          </div>
        )}
      </dl>
      <div class="tour-buttons">
        {scene.demo === undefined ? null : (
          <DemoButton
            key={scene.title}
            demo={scene.demo}
            room={scene.room}
            studio={studio}
            games={games}
            control={control}
          />
        )}
        <span class="grow" />
        <button type="button" class="quiet" disabled={at.value === 0} onClick={() => at.value--}>
          Back
        </button>
        {at.value + 1 < shown.length ? (
          <button type="button" class="primary" onClick={() => at.value++}>
            Next
          </button>
        ) : null}
        <button type="button" class="quiet" onClick={close}>
          End the tour
        </button>
      </div>
    </section>
  );
}

interface DemoProps extends Omit<TourProps, "close"> {
  readonly demo: Demo;
  readonly room: string;
}

/** Begins what gives the figures something to measure. It ends with the scene. */
function DemoButton({ demo, room, studio, games, control }: DemoProps) {
  const state = useSignal<"off" | "on" | "failed">("off");
  const stop = useRef<(() => void) | undefined>(undefined);
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
      stop.current?.();
    },
    [],
  );
  const over = (): void => {
    stop.current = undefined;
    if (!isGone.current) state.value = "off";
  };
  const begin = async (): Promise<void> => {
    state.value = "on";
    if (demo.kind === "worsen") {
      control.worsen.peek()?.();
      return;
    }
    if (demo.kind === "play") {
      control.start.peek()?.();
      control.worsen.peek()?.();
      const release = pressKeys(demo.codes, over);
      stop.current = () => {
        release();
        control.leave.peek()?.();
      };
      return;
    }
    const world = studio.world.peek();
    const protocol = games.viewOf(world?.protocol ?? "")?.protocol;
    if (world === undefined || protocol === undefined) return;
    try {
      const number = FIRST_NUMBER + Math.floor(Math.random() * NUMBERS);
      const end = await startCheat({ world, room, protocol, cheat: demo.cheat, number, over });
      if (isGone.current) end();
      else stop.current = end;
    } catch {
      state.value = "failed";
    }
  };
  const isReady =
    demo.kind === "cheat"
      ? studio.live.value
      : (demo.kind === "play" ? control.start : control.worsen).value !== undefined;
  return (
    <button type="button" class="quiet" disabled={state.value === "on" || !isReady} onClick={() => void begin()}>
      {state.value === "failed" ? "The server did not take it. Again" : demo.label}
    </button>
  );
}
