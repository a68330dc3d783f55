/** A packet of Scrap Mechanic as the inspector draws it: keys and look of an input, characters of an update. */
import type { PlayerId } from "wirewalk/motion";
import { angleTurns, LEVEL_PITCH, type MovementKeys } from "wirewalk/scrap-mechanic";
import type { JsonObject } from "wirewalk/wire";
import { type EffectOf, packetEffect } from "../packet-effect.ts";
import { listOf, numberIn, objectOf } from "../packet-values.ts";
import { playerColour, watchPalette } from "../palette.ts";
import { fitting } from "./play/camera.ts";
import { type Figure, keysWords, liftOf, pitchWords, walkingWay } from "./play/figure.ts";
import { bodyPlace, bodyPx, drawFigure, scrapColours } from "./scene/figure-drawing.ts";
import { drawGround, drawScale } from "./scene/ground-drawing.ts";
import "./scrap.css";

/** The arrow of the way in which the keys lead, in pixels. */
const WAY_PX = 56;

export const scrapEffect: EffectOf = ({ message, json }) => {
  const value = objectOf(json?.value);
  if (message === "playerMovement") {
    const figure = figureOf(value, { x: 0, y: 0, z: 0 }, 0);
    const words = keysWords(figure.keys, figure.direction);
    const turn = Math.round(figure.yawTurns * 360);
    return effectOf(
      [figure],
      `Tick ${numberIn(value, "tick") ?? "?"}: ${words === "" ? "no key is held" : `keys ${words}`}, turned ${turn}°, looks ${pitchWords(figure.pitch)}.`,
      "The message has keys and look. The server decides the position.",
    );
  }
  if (message !== "unreliableUpdate") return undefined;
  const characters = listOf(value.updates).flatMap((update) => {
    const position = objectOf(update.position);
    const [x, y, z] = [numberIn(position, "x"), numberIn(position, "y"), numberIn(position, "z")];
    if (x === undefined || y === undefined || z === undefined) return [];
    return [figureOf(update, { x, y, z }, numberIn(update, "id") ?? 0)];
  });
  if (characters.length === 0) return undefined;
  const [first] = characters;
  const words =
    characters.length === 1 && first !== undefined
      ? `Character ${first.player} is at ${first.x.toFixed(2)}, ${first.y.toFixed(2)} m.`
      : `${characters.length} characters with their positions.`;
  return effectOf(characters, words, undefined);
};

function effectOf(figures: readonly Figure[], words: string, ground: string | undefined) {
  return packetEffect({
    words,
    ...(ground === undefined ? {} : { ground }),
    palette: (element) => watchPalette(element, scrapColours),
    draw(fitted, palette) {
      const camera = fitting(fitted, figures);
      drawGround(fitted, camera, palette);
      const { context } = fitted;
      for (const figure of figures) {
        const colour = playerColour(palette, figure.player);
        if (figure.keys.horizontal) {
          const way = walkingWay(figure);
          const { x, y } = bodyPlace(fitted, camera, figure);
          const from = bodyPx(camera) + 4;
          const end = { x: x + way.x * WAY_PX, y: y + way.y * WAY_PX };
          context.save();
          context.strokeStyle = palette.text;
          context.lineWidth = 2;
          context.beginPath();
          context.moveTo(x + way.x * from, y + way.y * from);
          context.lineTo(end.x, end.y);
          for (const side of [2.6, -2.6]) {
            const turn = Math.atan2(way.y, way.x) + side;
            context.moveTo(end.x, end.y);
            context.lineTo(end.x + Math.cos(turn) * 9, end.y + Math.sin(turn) * 9);
          }
          context.stroke();
          context.restore();
        }
        drawFigure(fitted, camera, figure, { colour, own: false, chosen: figures.length === 1 }, palette);
      }
      drawScale(fitted, camera, palette);
    },
  });
}

function figureOf(
  value: JsonObject,
  { x, y, z }: { readonly x: number; readonly y: number; readonly z: number },
  player: PlayerId,
): Figure {
  const held = objectOf(value.keys);
  const keys: MovementKeys = {
    jump: held.jump === true,
    crawl: held.crawl === true,
    horizontal: held.horizontal === true,
    sprint: held.sprint === true,
    aim: held.aim === true,
  };
  return {
    player,
    x,
    y,
    lift: z === 0 ? 0 : liftOf(z, keys.crawl),
    yawTurns: angleTurns(numberIn(value, "yaw") ?? 0),
    pitch: numberIn(value, "pitch") ?? LEVEL_PITCH,
    keys,
    direction: numberIn(value, "direction") ?? 0,
    body: undefined,
  };
}
