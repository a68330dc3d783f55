/** Players as dots with their direction, their way and their names. What is between them, only the game knows. */
import type { PlayerId, Track } from "wirewalk/motion";
import { type FittedCanvas, fitCanvas } from "../../draw/canvas.ts";
import { playerNames } from "../../feed/player-names.ts";
import type { Scene, Stage } from "../game-view.ts";
import { drawTag, haloText, shortName } from "../labels.ts";
import { type Palette, playerColour, watchPalette } from "../palette.ts";
import { shownVerdicts, verdictColour, verdictText } from "../shown-verdicts.ts";
import { type Camera, gridStep, SeenBox } from "./camera.ts";

const DOT_PX = 7;

/** How far the direction of a player sticks out of its dot. */
const NOSE_PX = 13;

const CLICK_PX = 20;

/** With more players, names hide them: only the followed one is named. */
const MAX_NAMES = 40;

export function openTracksScene({ element, watched, settings }: Stage): Scene {
  const canvas = document.createElement("canvas");
  canvas.className = "scene-canvas";
  canvas.setAttribute("aria-hidden", "true");
  element.append(canvas);
  const palette = watchPalette(element);
  const box = new SeenBox();
  let drawn: { readonly camera: Camera; readonly tracks: readonly Track[] } | undefined;
  const click = ({ offsetX, offsetY }: PointerEvent): void => {
    const { camera, tracks = [] } = drawn ?? {};
    if (camera === undefined) return;
    const far = ({ position }: Track): number => {
      const at = toScreen(camera, position);
      return Math.hypot(at.x - offsetX, at.y - offsetY);
    };
    const [nearest] = tracks.toSorted((a, b) => far(a) - far(b));
    if (nearest !== undefined && far(nearest) <= CLICK_PX) watched.follow(nearest.player);
  };
  canvas.addEventListener("pointerdown", click);

  return {
    surface: { canvas, toCanvas: (place) => drawn && toScreen(drawn.camera, place) },
    draw(nowMs) {
      const fitted = fitCanvas(canvas);
      if (fitted === undefined) return;
      const colours = palette.current();
      const { trails, names } = settings();
      const tracks = watched.tracks.sample(nowMs);
      for (const { position } of tracks) box.add(position);
      const camera = box.camera(fitted);
      drawn = { camera, tracks };
      drawGrid(fitted, camera, colours);
      const followed = watched.followed();
      const all = names ? playerNames(watched.players().values()) : new Map<PlayerId, string>();
      for (const track of tracks) {
        if (trails) drawTrail(fitted, camera, watched.tracks.trail(track.player, nowMs), track, colours);
      }
      for (const track of tracks) {
        const isFollowed = track.player === followed;
        drawPlayer(fitted, camera, track, isFollowed, colours);
        const name = tracks.length <= MAX_NAMES || isFollowed ? all.get(track.player) : undefined;
        if (name !== undefined)
          drawName(fitted, toScreen(camera, track.position), shortName(name), isFollowed, colours);
      }
      const serverMs = watched.tracks.serverTime(nowMs);
      for (const [player, { verdict, age }] of shownVerdicts(watched.verdicts(), serverMs ?? Infinity)) {
        const track = tracks.find((each) => each.player === player);
        if (track === undefined) continue;
        const at = toScreen(camera, track.position);
        fitted.context.globalAlpha = 1 - age * age;
        const text = verdictText(verdict);
        drawTag(fitted.context, at.x, at.y + 26, text, verdictColour(verdict, colours), colours);
        fitted.context.globalAlpha = 1;
      }
    },
    close() {
      palette.close();
      canvas.removeEventListener("pointerdown", click);
      canvas.remove();
    },
  };
}

function toScreen({ scale, left, top }: Camera, { x, y }: { readonly x: number; readonly y: number }) {
  return { x: left + x * scale, y: top + y * scale };
}

function drawGrid({ context, width, height }: FittedCanvas, camera: Camera, palette: Palette): void {
  context.fillStyle = palette.scene;
  context.fillRect(0, 0, width, height);
  const step = gridStep(camera.scale);
  const px = step * camera.scale;
  context.strokeStyle = palette["scene-grid"];
  context.lineWidth = 1;
  context.beginPath();
  for (let x = camera.left % px; x < width; x += px) {
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  for (let y = camera.top % px; y < height; y += px) {
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.stroke();
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillStyle = palette["text-dim"];
  context.fillText(`${step.toLocaleString("en")} units of the game between two lines`, 12, height - 10);
}

function drawTrail(
  { context }: FittedCanvas,
  camera: Camera,
  trail: readonly { readonly x: number; readonly y: number }[],
  { player, position }: Track,
  palette: Palette,
): void {
  context.strokeStyle = playerColour(palette, player);
  context.globalAlpha = 0.45;
  context.lineWidth = 2;
  context.beginPath();
  for (const [index, point] of [...trail, position].entries()) {
    const { x, y } = toScreen(camera, point);
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

function drawPlayer(
  { context }: FittedCanvas,
  camera: Camera,
  { player, position, facingTurns }: Track,
  isFollowed: boolean,
  palette: Palette,
): void {
  const { x, y } = toScreen(camera, position);
  const colour = playerColour(palette, player);
  const angle = -facingTurns * 2 * Math.PI;
  context.strokeStyle = colour;
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + Math.cos(angle) * NOSE_PX, y + Math.sin(angle) * NOSE_PX);
  context.stroke();
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, DOT_PX, 0, 2 * Math.PI);
  context.fill();
  if (!isFollowed) return;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.arc(x, y, DOT_PX + 9, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
}

function drawName(
  { context }: FittedCanvas,
  { x, y }: { readonly x: number; readonly y: number },
  name: string,
  isFollowed: boolean,
  palette: Palette,
): void {
  context.font = `${isFollowed ? "600 " : ""}12px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillStyle = isFollowed ? palette.text : palette["text-dim"];
  haloText(context, name, x, y - DOT_PX - 10, palette);
}
