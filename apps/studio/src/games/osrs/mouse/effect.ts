/** The stroke of one mouse packet: where its records lead the pointer, faster is brighter and thicker. */
import { GAME_HEIGHT, GAME_WIDTH, type PathPoint } from "wirewalk/osrs/mouse";
import type { JsonObject } from "wirewalk/wire";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { type EffectOf, packetEffect } from "../../packet-effect.ts";
import { listOf, numberIn, objectOf } from "../../packet-values.ts";
import { watchPalette } from "../../palette.ts";
import { drawLines, drawMarks, drawPointers, drawWindow, mouseColours, windowWidth } from "./scene/drawing.ts";
import { drawnPath } from "./scene/path.ts";
import { speedRamp, speedStops } from "./scene/speed-ramp.ts";

/** A stroke does not fade here: it is as old as the packet. */
const SPAN_MS = 1e9;

/** The middle of the window, for records that say only how far the pointer moved. */
const UNKNOWN = { x: 382, y: 251 };

export const mouseEffect: EffectOf = ({ json }) => {
  const value = objectOf(json?.value);
  const records = listOf(value.records);
  if (records.length === 0) return undefined;
  const [opening = {}] = records;
  const isPlaced =
    !isDistance(opening) && records.every((record) => numberIn(record, "x") !== undefined || record.outside === true);
  const points = pointsOf(records);
  const spanMs = points.at(-1)?.atMs ?? 0;
  const lengthPx = points.reduce((sum, point, index) => {
    const before = points[index - 1];
    return before === undefined ? 0 : sum + Math.hypot(point.x - before.x, point.y - before.y);
  }, 0);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const way = isPlaced ? ` from ${first.x}, ${first.y} to ${last.x}, ${last.y}` : "";
  return packetEffect({
    words: `The pointer moves ${Math.round(lengthPx)} px${way} in ${Math.round(spanMs)} ms, by ${records.length} records.`,
    ...(isPlaced
      ? {}
      : {
          ground: "No record of the packet has a place, only distances: the stroke begins in the middle of the window.",
        }),
    palette: (element) => watchPalette(element, mouseColours),
    draw(fitted, palette) {
      const path = drawnPath({ points, packets: [], kinematics: undefined }, spanMs, SPAN_MS);
      const window = { ...inMiddle(fitted, palette.panel), gameWidth: windowWidth([{ path }], GAME_WIDTH) };
      drawWindow(window, palette);
      drawLines(window, [path], speedRamp(speedStops.map((stop) => palette[stop])), 1);
      drawMarks(window, path, palette, 1);
      drawPointers(window, [{ path, reading: "early", own: false, selected: true, label: undefined }], palette);
    },
  });
};

/** The largest window that fits, in the middle: its sides have the proportion of the game's. */
function inMiddle({ context, width, height }: FittedCanvas, beside: string): FittedCanvas {
  context.fillStyle = beside;
  context.fillRect(0, 0, width, height);
  const wide = Math.min(width, (height * GAME_WIDTH) / GAME_HEIGHT);
  const tall = (wide * GAME_HEIGHT) / GAME_WIDTH;
  context.translate((width - wide) / 2, (height - tall) / 2);
  return { context, width: wide, height: tall };
}

/**
 * A message by itself has the numbers of its bytes: all forms but `full` say how far the pointer moved. A stream, which remembers the
 * packets before, has places, and says of each whether it is known.
 */
function isDistance({ form, known }: JsonObject): boolean {
  return typeof known !== "boolean" && form !== "full";
}

function pointsOf(records: readonly JsonObject[]): readonly PathPoint[] {
  const points: PathPoint[] = [];
  let [x, y] = [UNKNOWN.x, UNKNOWN.y];
  for (const record of records) {
    const before = points.at(-1);
    const outside = record.outside === true;
    if (isDistance(record)) {
      x += numberIn(record, "x") ?? 0;
      y += numberIn(record, "y") ?? 0;
    } else {
      x = numberIn(record, "x") ?? x + (numberIn(record, "dx") ?? 0);
      y = numberIn(record, "y") ?? y + (numberIn(record, "dy") ?? 0);
    }
    // The time before the first record is no time of the stroke.
    const atMs =
      numberIn(record, "atMs") ?? (before === undefined ? 0 : before.atMs + 20 * (numberIn(record, "dt") ?? 1));
    const passedMs = before === undefined ? 0 : atMs - before.atMs;
    const speed =
      before === undefined || passedMs <= 0 ? 0 : (Math.hypot(x - before.x, y - before.y) * 1000) / passedMs;
    points.push({ x, y, atMs, known: true, outside, speed, packet: 0 });
  }
  return points;
}
