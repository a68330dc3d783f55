/** A chart of the last packets: one bar each, split by part, the newest on the right. */
import type { FittedCanvas } from "../../../../draw/canvas.ts";
import { showNumber } from "../../../../ui/format.ts";
import { type BitPart, type BitSplit, bitParts } from "../play/bits.ts";
import type { PlayerInfoPalette } from "./drawing.ts";

/** Pixels from bar to bar. */
const BAR_PX = 7;
const GAP_PX = 1;
/** Pixels above the bars, for the label of the scale. */
const TOP_PX = 15;

/** The packet of a bar. */
export interface ChartTick {
  readonly number: number;
  readonly bits: BitSplit;
}

/** A bar's place. */
export interface Bar<T extends ChartTick> {
  readonly tick: T;
  readonly x: number;
  readonly width: number;
}

/** Bars that fit into a width, oldest first. */
export function barsOf<T extends ChartTick>(ticks: readonly T[], width: number): readonly Bar<T>[] {
  const shown = ticks.slice(-Math.max(1, Math.floor(width / BAR_PX)));
  const left = width - shown.length * BAR_PX;
  return shown.map((tick, at) => ({ tick, x: left + at * BAR_PX, width: BAR_PX - GAP_PX }));
}

/** The packet whose bar is at a horizontal position of the chart. */
export function tickAt<T extends ChartTick>(ticks: readonly T[], width: number, x: number): T | undefined {
  return barsOf(ticks, width).find((bar) => x >= bar.x && x < bar.x + BAR_PX)?.tick;
}

/** All bits of a packet. */
export function totalBits(bits: BitSplit): number {
  return bitParts.reduce((sum, part) => sum + bits[part], 0);
}

/** The top of the scale: a round number, at least as much as the largest. */
export function scaleTop(largest: number): number {
  let top = 8;
  for (let power = 1; top < largest; power *= 10) {
    for (const step of [10, 15, 20, 30, 40, 50, 60, 80, 100]) {
      top = step * power;
      if (top >= largest) break;
    }
  }
  return top;
}

export function partColour(part: BitPart, palette: PlayerInfoPalette): string {
  switch (part) {
    case "pass1":
      return palette["pi-local"];
    case "pass2":
      return palette["pi-local-2"];
    case "pass3":
      return palette["pi-external-2"];
    case "pass4":
      return palette["pi-external"];
    case "masks":
      return palette["pi-masks"];
    case "alignment":
      return palette["pi-alignment"];
  }
}

/** Draws the chart; `marked` is the selected packet. */
export function drawChart(
  { context, width, height }: FittedCanvas,
  ticks: readonly ChartTick[],
  marked: number | undefined,
  palette: PlayerInfoPalette,
): void {
  context.clearRect(0, 0, width, height);
  const bars = barsOf(ticks, width);
  const top = scaleTop(Math.max(0, ...bars.map(({ tick }) => totalBits(tick.bits))));
  const perBit = (height - TOP_PX) / top;
  context.strokeStyle = palette["scene-grid"];
  context.lineWidth = 1;
  context.beginPath();
  for (const share of [0, 0.5, 1]) {
    const y = Math.round(height - share * (height - TOP_PX)) - 0.5;
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.stroke();
  for (const { tick, x, width: wide } of bars) {
    const isMarked = tick.number === marked;
    if (isMarked) {
      context.fillStyle = palette.text;
      context.globalAlpha = 0.16;
      context.fillRect(x - GAP_PX, TOP_PX - 2, wide + 2 * GAP_PX, height - TOP_PX + 2);
    }
    context.globalAlpha = marked === undefined || isMarked ? 1 : 0.6;
    let y = height;
    for (const part of bitParts) {
      const high = tick.bits[part] * perBit;
      context.fillStyle = partColour(part, palette);
      context.fillRect(x, y - high, wide, high);
      y -= high;
    }
    context.globalAlpha = 1;
  }
  context.font = "10.5px system-ui, sans-serif";
  context.textBaseline = "top";
  context.fillStyle = palette["text-dim"];
  context.fillText(`${showNumber(top)} bits`, 0, 1);
}
