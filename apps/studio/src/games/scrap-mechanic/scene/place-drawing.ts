/** What a place has beside flat ground: ramps and their cliffs, low ceilings and seats. */
import type { Area, Place } from "wirewalk/scrap-mechanic/movement";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { haloText } from "../../labels.ts";
import type { Palette } from "../../palette.ts";
import { type Camera, toScreen } from "../play/camera.ts";

/** A seat, in metres, and the least that it takes on the screen. */
const SEAT_METRES = 0.8;
const LEAST_SEAT_PX = 9;
/** Between the lines of a ceiling. */
const HATCH_PX = 9;
/** Lines of equal height on a ramp, in metres of height. */
const CONTOUR_METRES = 0.5;
/** From farther than this, in pixels per metre, the words would hide the players. */
const WORDS_SCALE = 14;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Draws it on the ground, under the players. */
export function drawPlace(fitted: FittedCanvas, camera: Camera, place: Place, palette: Palette): void {
  const { context } = fitted;
  const boxOf = ({ fromX, toX, fromY, toY }: Area): Box => {
    const { x: left, y: top } = toScreen(camera, fitted, { x: fromX, y: toY });
    return { left, top, width: (toX - fromX) * camera.scale, height: (toY - fromY) * camera.scale };
  };
  const label = (words: string, { left, top }: Box): void => {
    if (camera.scale < WORDS_SCALE) return;
    context.fillStyle = palette["text-dim"];
    // Outside of the box: within, it would lie on whoever stands there.
    haloText(context, words, left, top - 5, palette);
  };
  context.save();
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.lineWidth = 1;
  for (const ramp of place.ramps) {
    const box = boxOf(ramp);
    context.strokeStyle = palette["scene-edge"];
    context.strokeRect(box.left, box.top, box.width, box.height);
    context.beginPath();
    for (let height = CONTOUR_METRES; height <= ramp.height; height += CONTOUR_METRES) {
      const x = box.left + ((ramp.topX - ramp.fromX) * camera.scale * height) / ramp.height;
      context.moveTo(x, box.top);
      context.lineTo(x, box.top + box.height);
    }
    context.stroke();
    // The cliff.
    context.fillStyle = palette["scene-edge"];
    context.fillRect(box.left + box.width - 3, box.top, 3, box.height);
    label(`ramp, cliff of ${ramp.height} m`, box);
  }
  for (const ceiling of place.lowCeilings) {
    const box = boxOf(ceiling);
    drawHatched(fitted, box, palette);
    label(`ceiling at ${ceiling.height} m`, box);
  }
  for (const seat of place.seats) {
    const { x, y } = toScreen(camera, fitted, seat);
    const size = Math.max(LEAST_SEAT_PX, SEAT_METRES * camera.scale);
    context.fillStyle = palette["scene-solid"];
    context.strokeStyle = palette["text-dim"];
    context.beginPath();
    context.roundRect(x - size / 2, y - size / 2, size, size, 3);
    context.fill();
    context.stroke();
    // Its back is away from the exit.
    const back = Math.sign(seat.exit.y - seat.y) * (size / 2);
    context.fillStyle = palette["text-dim"];
    context.fillRect(x - size / 2, y + back - 1.5, size, 3);
  }
  context.restore();
}

function drawHatched({ context }: FittedCanvas, { left, top, width, height }: Box, palette: Palette): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.globalAlpha = 0.5;
  context.fillStyle = palette["scene-solid"];
  context.fill();
  context.globalAlpha = 1;
  context.clip();
  context.strokeStyle = palette["scene-edge"];
  context.beginPath();
  for (let x = left - height; x < left + width; x += HATCH_PX) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
  context.strokeStyle = palette["text-dim"];
  context.strokeRect(left, top, width, height);
}
