/** The last minute of the watched room under its drawing: pause, step, scrub, slow and fast, back to now. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isSame } from "../app/inspected.ts";
import type { Studio } from "../app/studio.ts";
import { fitCanvas } from "../draw/canvas.ts";
import { KEPT_MS } from "../feed/track-buffer.ts";
import { showTime } from "../lists/wire-list.tsx";
import type { PlayControl } from "../ui/play-control.ts";
import { lanes, type Mark, markNear, marksOf, nextMark } from "./marks.ts";
import { speeds } from "./view-clock.ts";

/** Drawn at most this often, in a frame that the scene draws too: the line moves 20 pixels a second. */
const DRAW_EVERY_MS = 45;

/** A press this near to a mark selects it. */
const NEAR_PX = 9;

/** Room at the right of now, and for the names of the rows at the left. */
const RIGHT_PX = 14;
const LEFT_PX = 104;
const NAMES_PX = 16;

/** A press of an arrow key looks so far back or on. */
const STEP_MS = 250;

export interface TimeLineProps {
  readonly studio: Studio;
  readonly control: PlayControl;
  readonly now: () => number;
}

export function TimeLine({ studio, control, now }: TimeLineProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const span = useSignal(20_000);
  const shownTime = useSignal("");
  const { view } = studio;
  const viewing = view.viewing.value;
  const isPlaying = !control.isOver;
  const speed = viewing.state === "playing" ? viewing.speed : 1;

  /** From and to, of the page's clock: what is looked at stays in sight. */
  const window = (): readonly [number, number] => {
    const nowMs = now();
    const atMs = view.at(nowMs);
    const toMs = Math.min(nowMs, Math.max(atMs + span.peek() / 2, nowMs - KEPT_MS + span.peek()));
    return [toMs - span.peek(), toMs];
  };
  const marks = (): readonly Mark[] =>
    marksOf(studio.wire.shown.peek(), studio.recentVerdicts, (atMs) => studio.tracks.pageTime(atMs), window());
  const seek = (atMs: number): void => {
    const nowMs = now();
    const oldestMs = studio.tracks.oldestMs ?? nowMs;
    if (atMs >= nowMs) view.live();
    else view.hold(Math.max(oldestMs, atMs));
  };
  const step = (by: 1 | -1) => (): void => {
    const nowMs = now();
    const all = marksOf(studio.wire.shown.peek(), studio.recentVerdicts, (atMs) => studio.tracks.pageTime(atMs), [
      nowMs - KEPT_MS,
      nowMs,
    ]);
    const mark = nextMark(all, view.at(nowMs), by);
    if (mark === undefined) return;
    seek(mark.atMs);
    studio.select(mark.of);
  };
  const toggle = (): void => {
    const nowMs = now();
    if (viewing.state === "held") view.play(1, nowMs);
    else view.hold(view.at(nowMs));
  };

  useEffect(() => {
    const draw = (): void => {
      const nowMs = now();
      shownTime.value = showTime(view.at(nowMs));
      const fitted = canvas.current === null ? undefined : fitCanvas(canvas.current);
      if (fitted !== undefined && canvas.current !== null) {
        const [fromMs, toMs] = window();
        drawLine(fitted, canvas.current, {
          marks: marks(),
          fromMs,
          toMs,
          atMs: view.at(nowMs),
          isSelected: (mark) => isSame(studio.inspected.peek(), mark.of),
        });
      }
    };
    draw();
    let drawnMs = performance.now();
    // A timer of its own would make the browser lay out and paint the page between the frames of the scene.
    let request = requestAnimationFrame(function frame(atMs) {
      request = requestAnimationFrame(frame);
      if (atMs - drawnMs < DRAW_EVERY_MS) return;
      drawnMs = atMs;
      draw();
    });
    return () => cancelAnimationFrame(request);
  }, [studio]);

  const timeAt = (clientX: number): number => {
    const box = canvas.current?.getBoundingClientRect();
    const [fromMs, toMs] = window();
    const share = (clientX - (box?.left ?? 0) - LEFT_PX) / Math.max(1, (box?.width ?? 0) - LEFT_PX - RIGHT_PX);
    return fromMs + share * (toMs - fromMs);
  };
  const press = (event: PointerEvent): void => {
    const element = canvas.current;
    if (element === null) return;
    const box = element.getBoundingClientRect();
    const [fromMs, toMs] = window();
    const xOf = (atMs: number): number =>
      LEFT_PX + ((atMs - fromMs) / (toMs - fromMs)) * (box.width - LEFT_PX - RIGHT_PX);
    const lane = ((event.clientY - box.top) / box.height) * lanes.length - 0.5;
    const mark = markNear(marks(), { x: event.clientX - box.left, lane, within: NEAR_PX }, xOf);
    if (mark !== undefined) {
      studio.select(mark.of);
      if (!isPlaying) seek(mark.atMs);
      return;
    }
    if (isPlaying) return;
    // The window moves with what is looked at: while dragging it stands.
    element.setPointerCapture(event.pointerId);
    const scale = (toMs - fromMs) / Math.max(1, box.width - LEFT_PX - RIGHT_PX);
    const at = timeAt(event.clientX);
    seek(at);
    const move = (next: PointerEvent): void => seek(at + (next.clientX - event.clientX) * scale);
    const end = (): void => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("lostpointercapture", end);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("lostpointercapture", end);
  };

  return (
    <section class="panel time" aria-label="Time line">
      <div class="time-tools">
        <button
          type="button"
          class="quiet time-toggle"
          disabled={isPlaying}
          aria-label={viewing.state === "held" ? "Resume" : "Pause"}
          title={isPlaying ? "A game that you play goes on" : viewing.state === "held" ? "Resume (K)" : "Pause (K)"}
          onClick={toggle}
        >
          {viewing.state === "held" ? "▶" : "❚❚"}
        </button>
        <button
          type="button"
          class="quiet"
          disabled={isPlaying}
          data-key="j"
          title="Message before (J)"
          onClick={step(-1)}
        >
          <span aria-hidden="true">−1</span>
          <span class="unseen">Message before</span>
        </button>
        <button
          type="button"
          class="quiet"
          disabled={isPlaying}
          data-key="l"
          title="Message after (L)"
          onClick={step(1)}
        >
          <span aria-hidden="true">+1</span>
          <span class="unseen">Message after</span>
        </button>
        <span class="time-now">{shownTime.value}</span>
        <label class="time-speed time-rate">
          <span class="unseen">Speed</span>
          <select
            value={String(speed)}
            disabled={isPlaying}
            onChange={(event) => view.play(Number(event.currentTarget.value), now())}
          >
            {speeds.map((each) => (
              <option key={each} value={String(each)}>
                {each}×
              </option>
            ))}
          </select>
        </label>
        <label class="time-speed">
          <span class="unseen">Seconds shown</span>
          <select
            value={String(span.value)}
            onChange={(event) => {
              span.value = Number(event.currentTarget.value);
            }}
          >
            {[5_000, 20_000, 60_000].map((each) => (
              <option key={each} value={String(each)}>
                {each / 1000} s
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class={`quiet time-live ${viewing.state === "live" && studio.connection.value.state === "open" ? "is-live" : ""}`}
          aria-pressed={viewing.state === "live"}
          onClick={() => view.live()}
        >
          <span class="dot" aria-hidden="true" /> Now
        </button>
        <span class="grow" />
        <ul class="time-legend" aria-label="Marks of the time line">
          <li>
            <span class="time-mark time-packet" aria-hidden="true" /> messages
          </li>
          <li>
            <span class="time-mark time-flag" aria-hidden="true" /> flags
          </li>
          <li>
            <span class="time-mark time-verdict" aria-hidden="true" /> refusals
          </li>
          <li>
            <span class="time-mark time-correction" aria-hidden="true" /> corrections
          </li>
        </ul>
      </div>
      <canvas
        ref={canvas}
        class="time-canvas"
        role="slider"
        tabIndex={0}
        aria-label="Time"
        aria-valuemin={0}
        aria-valuemax={KEPT_MS / 1000}
        aria-valuenow={0}
        aria-valuetext={viewing.state === "live" ? "now" : shownTime.value}
        onPointerDown={press}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (by !== undefined && !isPlaying) {
            event.preventDefault();
            seek(view.at(now()) + by * STEP_MS);
          } else if (event.key === "End") view.live();
        }}
      />
    </section>
  );
}

interface Drawn {
  readonly marks: readonly Mark[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly atMs: number;
  readonly isSelected: (mark: Mark) => boolean;
}

function drawLine(
  { context, width, height }: NonNullable<ReturnType<typeof fitCanvas>>,
  element: HTMLElement,
  { marks, fromMs, toMs, atMs, isSelected }: Drawn,
): void {
  const style = getComputedStyle(element);
  const colours = new Map<string, string>();
  /** Asking the style for each of hundreds of marks took longer than drawing them. */
  const colour = (name: string): string => {
    const known = colours.get(name) ?? style.getPropertyValue(`--${name}`);
    colours.set(name, known);
    return known;
  };
  const xOf = (ms: number): number => LEFT_PX + ((ms - fromMs) / (toMs - fromMs)) * (width - LEFT_PX - RIGHT_PX);
  const yOf = (lane: number): number => (height / lanes.length) * (lane + 0.5);
  context.clearRect(0, 0, width, height);
  context.lineWidth = 1;
  context.strokeStyle = colour("line");
  for (let lane = 0; lane < lanes.length; lane++) {
    context.beginPath();
    context.moveTo(LEFT_PX, Math.round(yOf(lane)) + 0.5);
    context.lineTo(width, Math.round(yOf(lane)) + 0.5);
    context.stroke();
  }
  for (const mark of marks) {
    const [x, y] = [xOf(mark.atMs), yOf(mark.lane)];
    const selected = isSelected(mark);
    context.fillStyle = selected ? colour("accent") : markColour(mark, colour);
    context.beginPath();
    const size = selected ? 5.5 : 3;
    if (mark.kind === "packet") context.arc(x, y, size, 0, 2 * Math.PI);
    else if (mark.kind === "correction") context.rect(x - size * 0.8, y - size * 1.6, size * 1.6, size * 3.2);
    else {
      context.moveTo(x, y - size * 2);
      context.lineTo(x + size * 1.5, y);
      context.lineTo(x, y + size * 2);
      context.lineTo(x - size * 1.5, y);
    }
    // A flag is hollow: its colour alone would not tell it from a refusal.
    if (mark.kind === "verdict" && isFlag(mark) && !selected) {
      context.closePath();
      context.strokeStyle = context.fillStyle;
      context.lineWidth = 1.5;
      context.stroke();
      continue;
    }
    context.fill();
    if (!selected) continue;
    context.strokeStyle = colour("text");
    context.lineWidth = 1.5;
    context.stroke();
  }
  context.strokeStyle = colour("accent");
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(xOf(atMs), 0);
  context.lineTo(xOf(atMs), height);
  context.stroke();
  // Marks that leave the window pass behind the names.
  context.clearRect(0, 0, LEFT_PX - 6, height);
  context.font = `11px ${style.fontFamily}`;
  context.fillStyle = colour("text-dim");
  context.textBaseline = "middle";
  for (const [lane, name] of lanes.entries()) context.fillText(name, NAMES_PX, yOf(lane));
}

function isFlag({ of }: Mark): boolean {
  return of.kind === "verdict" && of.verdict.kind === "flag";
}

function markColour(mark: Mark, colour: (name: string) => string): string {
  const { kind, of } = mark;
  if (kind === "correction") return colour("correct");
  if (kind === "verdict") return colour(isFlag(mark) ? "flag" : "reject");
  return of.kind === "entry" && of.entry.sender === "client" ? colour("player-0") : colour("text-dim");
}
