/**
 * The map as a picture that is kept: its parts stand still, and most cameras move by little. It is drawn again when the camera leaves what
 * it has, or at another scale.
 */
import type { MapleMap } from "wirewalk/maplestory/maps";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import type { Camera } from "./camera.ts";
import { drawMap } from "./map-drawing.ts";
import type { MaplePalette } from "./marks.ts";

/** Pixels of the canvas around what is in view that are drawn too, on each side. */
const MARGIN_PX = 160;

interface Kept {
  readonly map: MapleMap | undefined;
  readonly palette: MaplePalette;
  readonly ratio: number;
  readonly width: number;
  readonly height: number;
  readonly camera: Camera;
}

export class MapLayer {
  readonly #canvas = document.createElement("canvas");
  #kept: Kept | undefined;

  /** How often it was drawn, for measurements. */
  drawn = 0;

  /** Draws the map, and gives the camera that it is drawn with: on whole pixels of the display, or the picture would be blurred. */
  draw(fitted: FittedCanvas, wanted: Camera, map: MapleMap | undefined, palette: MaplePalette): Camera {
    const { context, width, height } = fitted;
    const ratio = context.getTransform().a;
    const snapped = (value: number): number => Math.round(value * ratio) / ratio;
    const camera = { scale: wanted.scale, left: snapped(wanted.left), top: snapped(wanted.top) };
    if (!this.#has({ map, palette, ratio, width, height, camera })) {
      this.#paint({ map, palette, ratio, width, height, camera });
    }
    const from = this.#kept?.camera ?? camera;
    context.setTransform(1, 0, 0, 1, 0, 0);
    const margin = Math.round(MARGIN_PX * ratio);
    context.drawImage(
      this.#canvas,
      Math.round((camera.left - from.left) * ratio) - margin,
      Math.round((camera.top - from.top) * ratio) - margin,
    );
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return camera;
  }

  #has({ map, palette, ratio, width, height, camera }: Kept): boolean {
    const kept = this.#kept;
    return (
      kept !== undefined &&
      kept.map === map &&
      kept.palette === palette &&
      kept.ratio === ratio &&
      kept.width === width &&
      kept.height === height &&
      kept.camera.scale === camera.scale &&
      Math.abs(kept.camera.left - camera.left) <= MARGIN_PX &&
      Math.abs(kept.camera.top - camera.top) <= MARGIN_PX
    );
  }

  #paint(wanted: Kept): void {
    const { map, palette, ratio, width, height, camera } = wanted;
    const margin = Math.round(MARGIN_PX * ratio);
    const [bitmapWidth, bitmapHeight] = [Math.ceil(width * ratio) + 2 * margin, Math.ceil(height * ratio) + 2 * margin];
    const canvas = this.#canvas;
    if (canvas.width !== bitmapWidth || canvas.height !== bitmapHeight) {
      canvas.width = bitmapWidth;
      canvas.height = bitmapHeight;
    }
    const context = canvas.getContext("2d");
    if (context === null) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const shift = margin / ratio;
    const moved = { scale: camera.scale, left: camera.left + shift, top: camera.top + shift };
    drawMap({ context, width: width + 2 * shift, height: height + 2 * shift }, moved, map, palette);
    this.#kept = wanted;
    this.drawn += 1;
  }
}
