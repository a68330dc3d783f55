/** The look of the followed player: a compass for the yaw, and the pitch. */
import { MAX_PITCH } from "wirewalk/scrap-mechanic";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { haloText } from "../../labels.ts";
import type { Palette } from "../../palette.ts";
import type { Point } from "../play/camera.ts";
import { type Figure, forward, pitchWords } from "../play/figure.ts";

const DIAL_PX = 23;

/** Two dials at the upper right: the compass of the look, and how far up or down it goes. */
export function drawDials(fitted: FittedCanvas, figure: Figure, colour: string, palette: Palette): void {
  const { context, width } = fitted;
  const y = DIAL_PX + 10;
  const way = forward(figure.yawTurns);
  const compass = { x: width - 10 - DIAL_PX, y };
  const gauge = { x: compass.x - 2 * DIAL_PX - 10, y };
  // From straight down over level, at the right, to straight up.
  const radians = Math.PI / 2 - (Math.min(figure.pitch, MAX_PITCH) / MAX_PITCH) * Math.PI;
  context.save();
  for (const dial of [compass, gauge]) {
    context.beginPath();
    if (dial === compass) context.arc(dial.x, dial.y, DIAL_PX, 0, 2 * Math.PI);
    else {
      context.arc(dial.x - DIAL_PX / 2, dial.y, DIAL_PX, -Math.PI / 2, Math.PI / 2);
      context.closePath();
    }
    context.globalAlpha = 0.85;
    context.fillStyle = palette.panel;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1;
    context.strokeStyle = palette["scene-edge"];
    context.stroke();
  }
  context.font = "9px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = palette["text-dim"];
  context.fillText("+Y", compass.x, compass.y - DIAL_PX + 7);
  context.fillText("+X", compass.x + DIAL_PX - 8, compass.y);
  drawNeedle(context, compass, { x: way.x * (DIAL_PX - 5), y: way.y * (DIAL_PX - 5) }, colour);
  const hub = { x: gauge.x - DIAL_PX / 2, y: gauge.y };
  drawNeedle(context, hub, { x: Math.cos(radians) * (DIAL_PX - 4), y: Math.sin(radians) * (DIAL_PX - 4) }, colour);
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "alphabetic";
  context.fillStyle = palette["text-dim"];
  haloText(context, pitchWords(figure.pitch), width - 10, y + DIAL_PX + 15, palette);
  context.restore();
}

function drawNeedle(context: CanvasRenderingContext2D, hub: Point, tip: Point, colour: string): void {
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 2.5;
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(hub.x, hub.y);
  context.lineTo(hub.x + tip.x, hub.y + tip.y);
  context.stroke();
  context.beginPath();
  context.arc(hub.x, hub.y, 2.5, 0, 2 * Math.PI);
  context.fill();
}
