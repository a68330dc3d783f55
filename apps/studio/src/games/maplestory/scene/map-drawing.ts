/** Drawing of a map: footholds, ladders, ropes and portals. */
import type { Foothold, MapleMap } from "wirewalk/maplestory/maps";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { type Camera, toScreen } from "./camera.ts";
import type { MaplePalette } from "./marks.ts";

/** Distance between the lines of the grid, and thickness of the ground, in the map's pixels. */
const GRID_PX = 100;
const GROUND_PX = 12;
const RUNG_PX = 14;
const LADDER_PX = 9;

export function drawMap(fitted: FittedCanvas, camera: Camera, map: MapleMap | undefined, palette: MaplePalette): void {
  const { context, width, height } = fitted;
  context.clearRect(0, 0, width, height);
  context.fillStyle = palette.scene;
  context.fillRect(0, 0, width, height);
  drawGrid(fitted, camera, palette);
  if (map === undefined) return;
  for (const portal of map.portals) drawPortal(context, camera, portal, palette);
  for (const ladder of map.ladders) drawLadder(context, camera, ladder, palette);
  for (const foothold of map.footholds) drawGround(context, camera, foothold, palette);
  for (const foothold of map.footholds) drawSurface(context, camera, foothold, palette);
}

function drawGrid({ context, width, height }: FittedCanvas, { scale, left, top }: Camera, palette: MaplePalette): void {
  const step = GRID_PX * scale;
  context.strokeStyle = palette["scene-grid"];
  context.lineWidth = 1;
  context.beginPath();
  for (let x = left % step; x < width; x += step) {
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  for (let y = top % step; y < height; y += step) {
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.stroke();
}

function ends(camera: Camera, { x1, y1, x2, y2 }: Foothold) {
  return { from: toScreen(camera, { x: x1, y: y1 }), to: toScreen(camera, { x: x2, y: y2 }) };
}

function drawGround(
  context: CanvasRenderingContext2D,
  camera: Camera,
  foothold: Foothold,
  palette: MaplePalette,
): void {
  const { from, to } = ends(camera, foothold);
  const thick = GROUND_PX * camera.scale;
  context.fillStyle = palette["scene-solid"];
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.lineTo(to.x - (foothold.next === 0 ? thick * 0.6 : 0), to.y + thick);
  context.lineTo(from.x + (foothold.previous === 0 ? thick * 0.6 : 0), from.y + thick);
  context.fill();
}

/** The surface of the ground, with a notch between two footholds. */
function drawSurface(
  context: CanvasRenderingContext2D,
  camera: Camera,
  foothold: Foothold,
  palette: MaplePalette,
): void {
  const { from, to } = ends(camera, foothold);
  context.strokeStyle = palette["maple-ground"];
  context.lineWidth = 2;
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  if (foothold.next !== 0) {
    context.moveTo(to.x, to.y);
    context.lineTo(to.x, to.y + GROUND_PX * camera.scale);
  }
  context.stroke();
}

function drawLadder(
  context: CanvasRenderingContext2D,
  camera: Camera,
  { x, top, bottom, rope }: MapleMap["ladders"][number],
  palette: MaplePalette,
): void {
  const upper = toScreen(camera, { x, y: top });
  const lower = toScreen(camera, { x, y: bottom });
  context.strokeStyle = palette["scene-edge"];
  context.lineWidth = rope ? 2.5 : 1.5;
  context.beginPath();
  if (rope) {
    context.setLineDash([3, 2]);
    context.moveTo(upper.x, upper.y);
    context.lineTo(lower.x, lower.y);
  } else {
    const half = LADDER_PX * camera.scale;
    for (const side of [-half, half]) {
      context.moveTo(upper.x + side, upper.y);
      context.lineTo(lower.x + side, lower.y);
    }
    for (let y = upper.y + 3; y < lower.y; y += RUNG_PX * camera.scale) {
      context.moveTo(upper.x - half, y);
      context.lineTo(upper.x + half, y);
    }
  }
  context.stroke();
  context.setLineDash([]);
}

/** A gate where the portal leads to another map, a mark on the ground where players only enter. */
function drawPortal(
  context: CanvasRenderingContext2D,
  camera: Camera,
  portal: MapleMap["portals"][number],
  palette: MaplePalette,
): void {
  const { x, y } = toScreen(camera, portal);
  const { scale } = camera;
  context.strokeStyle = palette["maple-portal"];
  context.fillStyle = palette["maple-portal"];
  if (portal.target === undefined) {
    context.globalAlpha = 0.5;
    context.beginPath();
    context.ellipse(x, y, 16 * scale, 4 * scale, 0, 0, 2 * Math.PI);
    context.lineWidth = 1.5;
    context.stroke();
    context.globalAlpha = 1;
    return;
  }
  const tall = 62 * scale;
  context.beginPath();
  context.ellipse(x, y - tall / 2, 17 * scale, tall / 2, 0, 0, 2 * Math.PI);
  context.globalAlpha = 0.22;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 1.5;
  context.stroke();
  context.font = "10px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(`to ${portal.target.mapId}`, x, y - tall - 3);
}

export function drawTitle({ context }: FittedCanvas, title: string, palette: MaplePalette): void {
  context.font = "600 11.5px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillStyle = palette["text-dim"];
  context.fillText(title, 8, 7);
}
