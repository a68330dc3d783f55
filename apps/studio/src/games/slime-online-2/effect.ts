/** A movement message of Slime Online 2 as the inspector draws it: the slime at its place with the key that changed. */
import { demoRoom } from "wirewalk/slime-online-2/movement";
import { LabelSpace } from "../labels.ts";
import { type EffectOf, packetEffect } from "../packet-effect.ts";
import { numberIn, objectOf } from "../packet-values.ts";
import { playerColour, watchPalette } from "../palette.ts";
import {
  cameraFor,
  drawBeyond,
  drawLabel,
  drawRoom,
  drawSlime,
  drawWater,
  drawWay,
  type HeldKeys,
  isBeyond,
} from "./scene/drawing.ts";

const noKeys: HeldKeys = { left: false, right: false, up: false, down: false };

/** The room in which places are shown. */
const ROOM = 1;

/** A drawing this tall shows the whole room, in CSS pixels; a lower one shows the part around the place. */
const WHOLE_PX = 240;

/** A claim this far from where the player was, in pixels, is drawn with the way between both. */
const FAR_PX = 60;

export const slimeEffect: EffectOf = ({ message, json, state = {} }) => {
  const value = objectOf(json?.value);
  const { direction } = value;
  if (message !== "movePlayer" || typeof direction !== "string") return undefined;
  const [x, y, player] = [numberIn(value, "x"), numberIn(value, "y"), numberIn(value, "playerId")];
  const who = player === undefined ? "The player" : `Player ${player}`;
  const key = /^(left|right|up|down)(Press|Release)/.exec(direction);
  const does =
    key === null ? `sends ${direction}` : `${key[2] === "Press" ? "presses" : "lets go of"} the ${key[1]} key`;
  if (x === undefined || y === undefined) {
    return packetEffect({
      words: `${who} ${does} in the air. The message has no place: it goes on from where it is.`,
      palette: (element) => watchPalette(element),
      draw: (fitted, palette) => drawRoom(fitted, cameraFor(fitted, demoRoom(ROOM)), demoRoom(ROOM), palette),
    });
  }
  const keys: HeldKeys = key === null || key[2] !== "Press" ? noKeys : { ...noKeys, [key[1] ?? ""]: true };
  return packetEffect({
    words: `${who} ${does} at ${x}, ${y}.`,
    ground: `The message does not say in which room: this is room ${ROOM} of the demo server.`,
    palette: (element) => watchPalette(element),
    draw(fitted, palette) {
      const room = demoRoom(ROOM);
      const camera = cameraFor(fitted, room, { isWhole: fitted.height > WHOLE_PX, y });
      const colour = playerColour(palette, player ?? 0);
      const look = { x, y, hsp: 0, vsp: 0, facesRight: key?.[1] !== "left", crouches: keys.down, colour };
      drawRoom(fitted, camera, room, palette);
      drawSlime(fitted, camera, look, palette, player === undefined);
      drawWater(fitted, camera, room, palette);
      const name = player === undefined ? `${x}, ${y}` : `player ${player}`;
      const space = new LabelSpace(fitted.width);
      const [fromX, fromY] = [numberIn(state, "x"), numberIn(state, "y")];
      if (fromX !== undefined && fromY !== undefined && Math.hypot(fromX - x, fromY - y) > FAR_PX) {
        const from = { ...look, x: fromX, y: fromY, colour: palette["text-dim"] };
        drawSlime(fitted, camera, from, palette, false);
        drawWay(fitted, camera, from, look, palette.correct);
        const was = { name: `${Math.round(fromX)}, ${Math.round(fromY)} before`, keys: noKeys, own: false };
        drawLabel(fitted, camera, from, was, palette, space);
      }
      if (isBeyond(fitted, camera, look)) {
        drawBeyond(fitted, camera, look, { text: name, colour: palette.correct }, palette, space);
      } else drawLabel(fitted, camera, look, { name, keys, own: player === undefined }, palette, space);
    },
  });
};
