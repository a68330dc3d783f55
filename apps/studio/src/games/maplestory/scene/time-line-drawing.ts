/** Drawing of the time line. */
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { kindColour, type MaplePalette, traceMark } from "./marks.ts";
import { type Block, type Lane, type Place, TIME_LINE_MS } from "./time-line.ts";

/** Height of a lane, in CSS pixels; the list beside the canvas has the same. */
export const LANE_PX = 16;

/** Space for packets that are received shortly after their end. */
const RIGHT_PX = 8;

/** Converts times to canvas positions and back. */
export interface TimeScale {
  x(atMs: number): number;
  ms(x: number): number;
}

export function timeScale(width: number, shownMs: number): TimeScale {
  const pxPerMs = (width - RIGHT_PX) / TIME_LINE_MS;
  const startMs = shownMs - TIME_LINE_MS;
  return { x: (atMs) => (atMs - startMs) * pxPerMs, ms: (x) => startMs + x / pxPerMs };
}

export interface TimeLineLook {
  readonly lanes: readonly Lane[];
  readonly shownMs: number;
  /** How late the best ghost of a lane is. */
  readonly lagMs: (lane: Lane) => number;
  readonly chosen: Place | undefined;
  readonly palette: MaplePalette;
  /** How much of the first of these lanes is above the upper edge of the canvas, in CSS pixels. */
  readonly scrolledPx: number;
}

export function drawTimeLine(fitted: FittedCanvas, look: TimeLineLook): void {
  const { context, width, height } = fitted;
  const { lanes, shownMs, palette, lagMs, scrolledPx } = look;
  const scale = timeScale(width, shownMs);
  context.clearRect(0, 0, width, height);
  drawSeconds(fitted, scale, shownMs, palette);
  lanes.forEach((lane, index) => {
    const top = index * LANE_PX - scrolledPx;
    context.fillStyle = palette["scene-grid"];
    context.fillRect(0, top + LANE_PX - 1, width, 1);
    for (const block of lane.blocks) drawBlock(context, scale, top, lane.key, block, look);
    if (lane.blocks.length === 0) return;
    // The time of the truth that the ghost shows.
    const x = scale.x(shownMs - lagMs(lane));
    context.fillStyle = palette.text;
    context.fillRect(x - 0.75, top + 1, 1.5, LANE_PX - 3);
  });
  context.fillStyle = palette["text-dim"];
  context.fillRect(scale.x(shownMs) - 0.5, 0, 1, height);
}

function drawSeconds(
  { context, height }: FittedCanvas,
  scale: TimeScale,
  shownMs: number,
  palette: MaplePalette,
): void {
  context.fillStyle = palette["scene-grid"];
  for (let atMs = Math.ceil((shownMs - TIME_LINE_MS) / 1000) * 1000; atMs < shownMs; atMs += 1000) {
    context.fillRect(scale.x(atMs), 0, 1, height);
  }
}

function drawBlock(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  top: number,
  key: string,
  block: Block,
  { shownMs, chosen, palette }: TimeLineLook,
): void {
  const { batch, segments, marks, arrivesMs, toMs, isOpen } = block;
  const isChosen = chosen?.key === key && chosen.batch === batch.number;
  const high = LANE_PX - 7;
  context.save();
  // Not received yet: it grows with the shown time.
  context.globalAlpha = isOpen ? 0.35 : 1;
  for (const { index, kind, fromMs, toMs: endMs, inAir } of segments) {
    const from = scale.x(fromMs);
    const to = scale.x(Math.min(endMs, shownMs));
    if (to <= from) continue;
    // Fragments in the air are drawn higher.
    const y = inAir ? top + 2 : top + 2 + high * 0.45;
    context.fillStyle = kindColour(palette, kind);
    context.fillRect(from + 0.6, y, Math.max(0.75, to - from - 1.2), high * 0.55);
    if (!isChosen || (chosen.fragment !== undefined && chosen.fragment !== index)) continue;
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.strokeRect(from + 0.6, y, to - from - 1.2, high * 0.55);
  }
  for (const { index, kind, atMs } of marks) {
    if (atMs > shownMs) continue;
    traceMark(context, kind, scale.x(atMs), top + 2 + high / 2, 2.8);
    context.fillStyle = kindColour(palette, kind);
    context.fill();
    context.strokeStyle = isChosen && chosen.fragment === index ? palette.text : palette.scene;
    context.lineWidth = 1;
    context.stroke();
  }
  context.globalAlpha = 1;
  drawBounds(context, scale.x(block.fromMs), scale.x(Math.min(toMs, shownMs)), top, palette);
  if (arrivesMs <= shownMs) drawArrival(context, scale.x(toMs), scale.x(arrivesMs), top, palette);
  context.restore();
}

/** From its first step to its last. */
function drawBounds(
  context: CanvasRenderingContext2D,
  from: number,
  to: number,
  top: number,
  palette: MaplePalette,
): void {
  context.fillStyle = palette.text;
  context.fillRect(from - 0.5, top + 1, 1, LANE_PX - 4);
  context.fillStyle = palette["text-dim"];
  context.fillRect(from, top + LANE_PX - 4, Math.max(0, to - from), 1);
}

/** A line from the end of a packet to its arrival: what is longer than the shortest one is jitter. */
function drawArrival(
  context: CanvasRenderingContext2D,
  end: number,
  arrived: number,
  top: number,
  palette: MaplePalette,
): void {
  const y = top + LANE_PX - 3.5;
  context.strokeStyle = palette.correct;
  context.fillStyle = palette.correct;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(end, y);
  context.lineTo(arrived, y);
  context.stroke();
  context.beginPath();
  context.arc(arrived, y, 1.8, 0, 2 * Math.PI);
  context.fill();
}
