/** The view around the canvases: titles and buttons of the two maps, caption of the chart, panel. */
import type { ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { Panel, type PanelActions, type PanelState } from "../panel/panel.tsx";

export interface FrameState extends PanelState {
  readonly isSmooth: boolean;
}

/** Actions of the maps' buttons. */
export interface MapActions {
  /** Zooms in or out by this factor. */
  readonly zoom: (factor: number) => void;
  /** `view`: shows the observer's view and follows it. `map`: shows all of the demo's map. */
  readonly look: (at: "view" | "map") => void;
  readonly setSmooth: (isSmooth: boolean) => void;
}

export interface FrameProps extends PanelActions, MapActions {
  /** Nobody can join what is played. */
  readonly isRecorded: boolean;
  readonly state: ReadonlySignal<FrameState>;
  readonly server: RefObject<HTMLCanvasElement | null>;
  readonly client: RefObject<HTMLCanvasElement | null>;
  readonly chart: RefObject<HTMLCanvasElement | null>;
}

const ZOOM_STEP = 1.4;

export function Frame({ state, isRecorded, server, client, chart, zoom, look, setSmooth, ...actions }: FrameProps) {
  return (
    <div class="pi-scene">
      <section class="pi-map" aria-label="As the server has it">
        <ServerHead zoom={zoom} look={look} />
        <div class="pi-canvas" aria-hidden="true">
          <canvas ref={server} />
        </div>
      </section>
      <section class="pi-map" aria-label="As the client has it">
        <ClientHead state={state} setSmooth={setSmooth} />
        <div class="pi-canvas" aria-hidden="true">
          <canvas ref={client} />
        </div>
      </section>
      <figure class="pi-chart">
        <figcaption>
          <strong>Bits per packet</strong>
          <ChartKey />
        </figcaption>
        <div class="pi-canvas" aria-hidden="true">
          <canvas ref={chart} />
        </div>
      </figure>
      <div class="pi-panel">
        <Panel state={state} isRecorded={isRecorded} {...actions} />
      </div>
    </div>
  );
}

function ServerHead({ zoom, look }: Pick<FrameProps, "zoom" | "look">) {
  return (
    <h2>
      Server
      <span class="pi-buttons">
        <button type="button" class="quiet" title="Farther" onClick={() => zoom(1 / ZOOM_STEP)}>
          − <span class="unseen">Farther</span>
        </button>
        <button type="button" class="quiet" title="Nearer" onClick={() => zoom(ZOOM_STEP)}>
          + <span class="unseen">Nearer</span>
        </button>
        <button type="button" class="quiet" title="What the observer sees" onClick={() => look("view")}>
          View
        </button>
        <button type="button" class="quiet" title="The whole map" onClick={() => look("map")}>
          Map
        </button>
      </span>
    </h2>
  );
}

function ClientHead({ state, setSmooth }: Pick<FrameProps, "state" | "setSmooth">) {
  const { observer, isSmooth } = state.value;
  return (
    <h2>
      Client{" "}
      <span class="hint">{observer === undefined ? "of nobody" : observer.own ? "yours" : `of ${observer.name}`}</span>
      <fieldset class="segments pi-buttons">
        <legend class="unseen">How the client moves players</legend>
        <button
          type="button"
          aria-pressed={!isSmooth}
          title="Where each packet puts them"
          onClick={() => setSmooth(false)}
        >
          Ticks
        </button>
        <button
          type="button"
          aria-pressed={isSmooth}
          title="As the game draws them: tile by tile, in cycles of 20 ms"
          onClick={() => setSmooth(true)}
        >
          Smooth
        </button>
      </fieldset>
    </h2>
  );
}

const key = [
  { fill: "pass1", word: "1" },
  { fill: "pass2", word: "2 locals" },
  { fill: "pass3", word: "3" },
  { fill: "pass4", word: "4 externals" },
  { fill: "masks", word: "masks" },
  { fill: "alignment", word: "alignment" },
] as const;

function ChartKey() {
  return (
    <span class="pi-key">
      <span class="hint">pass</span>
      {key.map(({ fill, word }) => (
        <span key={fill} class="hint">
          <span class={`pi-swatch pi-fill-${fill}`} aria-hidden="true" /> {word}
        </span>
      ))}
    </span>
  );
}
