/** Beside the drawing: how well prediction and server agree, the own line, and everybody's input buffer. */
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PlayerId } from "wirewalk/motion";
import type { MovementModelName } from "wirewalk/scrap-mechanic/movement";
import { fitCanvas } from "../../../draw/canvas.ts";
import { showAmount } from "../../../ui/format.ts";
import { type AgreementSummary, showLength, showStepShare } from "../play/agreement.ts";
import { type LineSettings, perfectLine } from "../play/worse-network.ts";
import type { BufferRow } from "./buffer-rows.ts";
import { drawErrors } from "./error-chart.ts";
import { lineChoices } from "./line-choices.ts";

/** What the server's time budget grants a client's clock. */
const MAX_RATE = 1.005;

/** The own prediction. Lengths in metres. */
export interface PredictionNumbers {
  readonly agreement: AgreementSummary;
  readonly drift: number;
  readonly jitter: number;
  readonly unconfirmedTicks: number;
  readonly ghostDelayMs: number;
  /** The server's model and the other one, and how far apart they have the own character. */
  readonly models: { readonly model: MovementModelName; readonly other: MovementModelName; readonly apart: number };
  readonly nowMs: number;
}

/** The own line, and how many of its packets got lost. */
export interface LineState {
  readonly settings: LineSettings;
  readonly sent: number;
  readonly lost: number;
}

export interface PanelState {
  /** Undefined while not playing. */
  readonly prediction?: PredictionNumbers;
  readonly rows: readonly BufferRow[];
  readonly line: LineState;
}

export interface PanelProps {
  readonly state: ReadonlySignal<PanelState>;
  readonly choose: (player: PlayerId) => void;
  readonly changeLine: (settings: LineSettings) => void;
  /** The keys belong to the game again. */
  readonly refocus: () => void;
}

export function Panel({ state, choose, changeLine, refocus }: PanelProps) {
  const { prediction, rows, line } = state.value;
  return (
    <>
      {prediction === undefined ? null : (
        <>
          <Prediction numbers={prediction} inputs={rows.find(({ own }) => own)} choose={choose} />
          <Line line={line} change={changeLine} refocus={refocus} />
        </>
      )}
      <Buffers rows={rows.filter(({ own }) => !own)} choose={choose} />
      {rows.length > 0 ? null : (
        <p class="scrap-part scrap-nobody hint">
          Nobody sends inputs. Play, or start bots: <code>wirewalk bots scrap-mechanic</code>
        </p>
      )}
    </>
  );
}

interface PredictionProps {
  readonly numbers: PredictionNumbers;
  /** The own inputs on the server, once it sends them. */
  readonly inputs: BufferRow | undefined;
  readonly choose: (player: PlayerId) => void;
}

function Prediction({ numbers, inputs, choose }: PredictionProps) {
  const { agreement, drift, jitter, unconfirmedTicks, ghostDelayMs, models } = numbers;
  const { error, left, worst, reports, corrected } = agreement;
  return (
    <section class="scrap-part" aria-label="Prediction">
      <h3>
        Prediction <span class="hint">% of a step, last 10 s</span>
      </h3>
      <dl class="scrap-big">
        <div title="How far off the prediction was for the last tick that the server reported">
          <dt>off by</dt>
          <dd>
            <b class="scrap-error">{showLength(error)}</b>
            <span class="hint">{showStepShare(error)}</span>
          </dd>
        </div>
        <div title="The most that was left after reconciliation">
          <dt>left after it</dt>
          <dd>
            <b class="scrap-left">{showLength(left)}</b>
            <span class="hint">{showStepShare(left)}</span>
          </dd>
        </div>
      </dl>
      <ErrorChart numbers={numbers} />
      <dl class="scrap-numbers">
        <Fact name="drift" title="An error that keeps its sign: the two ends do not compute the same">
          {showLength(drift)}
        </Fact>
        <Fact name="jitter" title="An error that comes and goes: inputs got lost or came late">
          {showLength(jitter)}
        </Fact>
        <Fact name="model" title="How the server blends velocity; the prediction does the same">
          {models.model}
        </Fact>
        <Fact name={models.other} title="How far away the other model has you, since you last stood: the hollow figure">
          {showLength(models.apart)}
        </Fact>
        <Fact name="worst" title="The largest error">
          {showLength(worst)}
        </Fact>
        <Fact name="corrected" title="Words of the server that moved the prediction, of all">
          {corrected} of {reports}
        </Fact>
        <Fact name="unconfirmed" title="Ticks played here that the server has not confirmed yet">
          {showAmount(unconfirmedTicks, "tick")}
        </Fact>
        <Fact name="ghosts late" title="How far in the past the others are drawn, so that they move smoothly">
          {Math.round(ghostDelayMs)} ms
        </Fact>
        <Fact name="server waits" title="How long the fastest inputs wait on the server, for those that come late">
          {inputs === undefined ? "–" : `${inputs.delayMs} ms`}
        </Fact>
        <Fact name="clock" title={rateTitle(inputs?.rate)}>
          {showRate(inputs?.rate)}
        </Fact>
        <Fact name="allowed" title="What the server’s time budget grants a clock">
          ≤ {MAX_RATE}×
        </Fact>
      </dl>
      {inputs === undefined ? null : <Buffer row={inputs} choose={() => choose(inputs.player)} />}
    </section>
  );
}

interface FactProps {
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Fact({ name, title, children }: FactProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** For the eye only: the numbers beside it say the same. */
function ErrorChart({ numbers }: { readonly numbers: PredictionNumbers }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const fitted = ref.current === null ? undefined : fitCanvas(ref.current);
    if (fitted === undefined || ref.current === null) return;
    const style = getComputedStyle(ref.current);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
    drawErrors(fitted, numbers.agreement.samples, numbers.nowMs, {
      line: colour("accent"),
      corrected: colour("correct"),
      grid: colour("line"),
      words: colour("text-dim"),
    });
  });
  return (
    <figure class="scrap-chart" aria-hidden="true">
      <canvas ref={ref} />
    </figure>
  );
}

interface LineProps {
  readonly line: LineState;
  readonly change: (settings: LineSettings) => void;
  readonly refocus: () => void;
}

function Line({ line, change, refocus }: LineProps) {
  const { settings, sent, lost } = line;
  const { delayMs, jitterMs, loss, seed } = settings;
  const isPerfect = delayMs === 0 && jitterMs === 0 && loss === 0;
  return (
    <section class="scrap-part scrap-line" aria-label="Your line">
      <h3>
        Your line{" "}
        <span class="hint">{isPerfect ? "as it is" : `each way · ${lost} of ${showAmount(sent, "packet")} lost`}</span>
      </h3>
      <fieldset class="segments">
        <legend class="unseen">Quality of your connection</legend>
        {lineChoices.map(({ name, summary, settings: choice }) => (
          <button
            key={name}
            type="button"
            title={summary}
            aria-pressed={delayMs === choice.delayMs && jitterMs === choice.jitterMs && loss === choice.loss}
            onClick={() => {
              change({ ...choice, seed });
              refocus();
            }}
          >
            {name}
          </button>
        ))}
        <label class="scrap-seed" title="Equal seeds lose and delay the same packets">
          seed
          <input
            type="number"
            min="0"
            max="9999"
            value={seed}
            onChange={({ currentTarget: { valueAsNumber } }) => {
              const next = Number.isSafeInteger(valueAsNumber) ? valueAsNumber : perfectLine.seed;
              change({ ...settings, seed: next });
            }}
          />
        </label>
      </fieldset>
      <Slider
        name="delay"
        unit="ms"
        most={300}
        value={delayMs}
        change={(value) => change({ ...settings, delayMs: value })}
        refocus={refocus}
      />
      <Slider
        name="jitter"
        unit="ms"
        most={300}
        value={jitterMs}
        change={(value) => change({ ...settings, jitterMs: value })}
        refocus={refocus}
      />
      <Slider
        name="loss"
        unit="%"
        most={40}
        value={Math.round(loss * 100)}
        change={(value) => change({ ...settings, loss: value / 100 })}
        refocus={refocus}
      />
    </section>
  );
}

interface SliderProps {
  readonly name: string;
  readonly unit: string;
  readonly most: number;
  readonly value: number;
  readonly change: (value: number) => void;
  readonly refocus: () => void;
}

function Slider({ name, unit, most, value, change, refocus }: SliderProps) {
  return (
    <label class="scrap-slider">
      {name}
      <input
        type="range"
        min="0"
        max={most}
        step={unit === "%" ? 1 : 10}
        value={value}
        onInput={({ currentTarget: { valueAsNumber } }) => change(valueAsNumber)}
        onPointerUp={refocus}
      />
      <output>
        {value} {unit}
      </output>
    </label>
  );
}

/** Bars are this many ticks wide: the longest delay that the server adds, and what rounding may add to it. */
const BAR_TICKS = 14;

interface BuffersProps {
  readonly rows: readonly BufferRow[];
  readonly choose: (player: PlayerId) => void;
}

function Buffers({ rows, choose }: BuffersProps) {
  if (rows.length === 0) return null;
  return (
    <section class="scrap-part" aria-label="Input buffers">
      <h3>
        Input buffers <span class="hint">ticks on the server, clock</span>
      </h3>
      <ul>
        {rows.map((row) => (
          <li key={row.player}>
            <Buffer row={row} choose={() => choose(row.player)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Buffer({ row, choose }: { readonly row: BufferRow; readonly choose: () => void }) {
  const { name, own, chosen, depth, target, rate } = row;
  const tooFast = rate !== undefined && rate > MAX_RATE;
  const title = `${showAmount(depth, "tick")} waiting, ${target} meant to wait; ${rateTitle(rate)}`;
  return (
    <button type="button" class="scrap-buffer" aria-pressed={chosen} title={title} onClick={choose}>
      <span class="scrap-name">{own ? "inputs" : name}</span>
      <svg class="bar" aria-hidden="true" preserveAspectRatio="none" viewBox={`0 0 ${BAR_TICKS} 1`}>
        <rect class="bar-track" width={BAR_TICKS} height="1" />
        <rect class="scrap-depth" width={Math.min(BAR_TICKS, depth)} height="1" />
        <rect class="scrap-target" x={Math.min(BAR_TICKS - 0.3, target)} width="0.3" height="1" />
      </svg>
      <span class="scrap-ticks">
        {depth}
        <span class="hint">/{target}</span>
      </span>
      <span class={`scrap-rate ${tooFast ? "scrap-fast" : ""}`}>
        {rate === undefined ? "…" : `${rate.toFixed(3)}×`}
      </span>
    </button>
  );
}

function showRate(rate: number | undefined): string {
  return rate === undefined ? "…" : `${rate.toFixed(3)}×`;
}

function rateTitle(rate: number | undefined): string {
  if (rate === undefined) return "its clock is not known yet";
  return `its clock runs ${rate.toFixed(4)} times as fast as the server’s, ${MAX_RATE} is allowed`;
}
