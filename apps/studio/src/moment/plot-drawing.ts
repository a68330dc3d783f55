/** Draws the plot of a verdict in a panel over the scene. */
import type { Box } from "../games/labels.ts";
import { showNumber } from "../ui/format.ts";
import type { OverlayColours } from "./overlay-colours.ts";
import type { BarPlot, Plot, TimePlot } from "./plot.ts";

export interface PlotStyle {
  readonly colours: OverlayColours;
  /** Of the verdict. */
  readonly colour: string;
  /** Of its line, dots and words. */
  readonly font: string;
}

const PAD_PX = 10;
const LINE_PX = 16;
const BAR_PX = 14;

/** Of a panel, as far as the picture has room for it. */
export function panelSize(
  plot: Plot,
  { width, height }: { readonly width: number; readonly height: number },
): { readonly width: number; readonly height: number } {
  const tall = plot.shape === "time" ? 210 : 2 * PAD_PX + LINE_PX + 2 * (LINE_PX + BAR_PX + 6);
  // Beside the middle, where the player mostly is.
  const wide = Math.max(290, Math.min(430, width / 2 - 40));
  return { width: Math.min(wide, width - 12), height: Math.min(tall, height - 12) };
}

/** `ms`: what came later is not drawn yet; the judged message is from 0 on. */
export function drawPlot(context: CanvasRenderingContext2D, plot: Plot, box: Box, ms: number, style: PlotStyle): void {
  const { colours, font } = style;
  context.save();
  context.beginPath();
  context.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, 6);
  context.fillStyle = colours.panel;
  context.globalAlpha = 0.94;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 1;
  context.strokeStyle = colours["text-dim"];
  context.stroke();
  context.clip();
  context.font = font;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = colours.text;
  context.fillText(plot.title, box.left + PAD_PX, box.top + PAD_PX + 6, box.right - box.left - 2 * PAD_PX);
  if (plot.shape === "time") drawTime(context, plot, box, ms, style);
  else drawBars(context, plot, box, style);
  context.restore();
}

function drawTime(context: CanvasRenderingContext2D, plot: TimePlot, box: Box, ms: number, style: PlotStyle): void {
  const { colours, colour } = style;
  const { fromMs, toMs, least, most, line, limit, at } = plot;
  const [left, right] = [box.left + PAD_PX + 34, box.right - PAD_PX];
  const [top, bottom] = [box.top + PAD_PX + LINE_PX + 2, box.bottom - PAD_PX - LINE_PX];
  const x = (value: number): number => left + ((value - fromMs) / Math.max(1, toMs - fromMs)) * (right - left);
  const y = (value: number): number => bottom - ((value - least) / (most - least)) * (bottom - top);
  const path = (points: TimePlot["line"]): void => {
    context.beginPath();
    for (const [index, point] of points.entries()) {
      if (index === 0) context.moveTo(x(point.ms), y(point.value));
      else context.lineTo(x(point.ms), y(point.value));
    }
  };
  // What is allowed lies below the limit.
  path([...limit, { ms: limit[1].ms, value: least }, { ms: limit[0].ms, value: least }]);
  context.globalAlpha = 0.18;
  context.fillStyle = colours.accept;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colours.accept;
  context.lineWidth = 1.5;
  context.setLineDash([6, 4]);
  path(limit);
  context.stroke();
  context.setLineDash([]);
  context.strokeStyle = colours["text-dim"];
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(left, bottom);
  context.lineTo(right, bottom);
  context.stroke();
  context.strokeStyle = colours.accent;
  context.lineWidth = 2;
  path(line.filter((point) => point.ms <= ms + 1));
  context.stroke();
  context.fillStyle = colours["text-dim"];
  context.textAlign = "right";
  for (const value of [least, most])
    context.fillText(showNumber(value), left - 4, y(value) + (value === least ? -4 : 6));
  context.textAlign = "left";
  context.fillText(`${showNumber(fromMs / 1000)} s`, left, bottom + 10);
  context.textAlign = "center";
  context.fillText("this message", Math.min(x(0), right - 40), bottom + 10);
  context.textAlign = "right";
  if (x(toMs) - x(0) > 90) context.fillText(`+${showNumber(toMs / 1000)} s`, right, bottom + 10);
  context.fillStyle = colours.accept;
  context.textAlign = "left";
  const limitY = y(limit[0].value);
  context.fillText(plot.limitWords, left + 6, limitY - 9 < top ? limitY + 10 : limitY - 9);
  if (ms < -1) return;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 2.5;
  context.beginPath();
  context.arc(x(0), y(at.value), 5, 0, 2 * Math.PI);
  context.stroke();
  context.textAlign = "right";
  context.fillText(plot.atWords, x(0) - 10, Math.max(top + 6, y(at.value) - 2));
}

/** Two bars of one scale, each with its words over it. */
function drawBars(context: CanvasRenderingContext2D, plot: BarPlot, box: Box, { colours, colour }: PlotStyle): void {
  const { measured, allowed, limitWords, atWords } = plot;
  const wide = box.right - box.left - 2 * PAD_PX;
  const most = Math.max(Math.abs(measured), Math.abs(allowed), 1e-9);
  let y = box.top + PAD_PX + LINE_PX + 6;
  for (const [value, words, of] of [
    [allowed, limitWords, colours.accept],
    [measured, atWords, colour],
  ] as const) {
    context.fillStyle = of;
    context.fillText(words, box.left + PAD_PX, y + 4, wide);
    context.globalAlpha = 0.75;
    context.fillRect(box.left + PAD_PX, y + LINE_PX - 3, Math.max(2, (Math.abs(value) / most) * wide), BAR_PX);
    context.globalAlpha = 1;
    y += LINE_PX + BAR_PX + 6;
  }
}
