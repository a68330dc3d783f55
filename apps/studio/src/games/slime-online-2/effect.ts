/** A movement message of Slime Online 2 as the inspector draws it: the slime at its place with the key that changed. */
import { demoRoom } from "wirewalk/slime-online-2/maps";
import { LabelSpace } from "../labels.ts";
import { type EffectOf, packetEffect } from "../packet-effect.ts";
import { numberIn, objectOf } from "../packet-values.ts";
import { playerColour, watchPalette } from "../palette.ts";
import {
  type Camera,
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

/** The room in which places are shown where the page does not know theirs. */
const ROOM = 1;

/** A drawing this tall shows the whole room, in CSS pixels; a lower one shows the part around the place. */
const WHOLE_PX = 240;

/** A claim this far from where the player was, in pixels, is drawn with the way between both. */
const FAR_PX = 60;

/** From the middle of a slime to the edge of the drawing at least, in CSS pixels. */
const EDGE_PX = 20;

/** A slime this far beyond the edge has an arrow instead. */
const MOST_SHIFT_PX = 48;

/** Shifted for a claim just outside of the room's walls, so that the whole slime is seen. */
function shifted(camera: Camera, worldX: number, width: number): Camera {
  const x = camera.left + worldX * camera.scale;
  const over = Math.max(0, x - (width - EDGE_PX)) + Math.min(0, x - EDGE_PX);
  return Math.abs(over) > MOST_SHIFT_PX ? camera : { ...camera, left: camera.left - over };
}

export const slimeEffect: EffectOf = ({ message, json, state = {}, room: name }) => {
  const value = objectOf(json?.value);
  const { direction } = value;
  if (message !== "movePlayer" || typeof direction !== "string") return undefined;
  const [x, y, player] = [numberIn(value, "x"), numberIn(value, "y"), numberIn(value, "playerId")];
  const who = player === undefined ? "The player" : `Player ${player}`;
  const key = /^(left|right|up|down)(Press|Release)/.exec(direction);
  const does =
    key === null ? `sends ${direction}` : `${key[2] === "Press" ? "presses" : "lets go of"} the ${key[1]} key`;
  const [fromX, fromY] = [numberIn(state, "x"), numberIn(state, "y")];
  const claimed = x === undefined || y === undefined ? undefined : { x, y };
  const before = fromX === undefined || fromY === undefined ? undefined : { x: fromX, y: fromY };
  const at = claimed ?? (before === undefined ? undefined : { x: x ?? before.x, y: y ?? before.y });
  const words =
    claimed !== undefined
      ? `${who} ${does} at ${claimed.x}, ${claimed.y}.`
      : x === undefined
        ? `${who} ${does} in the air. The message has no place: it goes on from where it is.`
        : `${who} ${does} at x ${x}. The message has no height: it stays as it is.`;
  if (at === undefined) return packetEffect({ words, palette: (element) => watchPalette(element) });
  const keys: HeldKeys = key === null || key[2] !== "Press" ? noKeys : { ...noKeys, [key[1] ?? ""]: true };
  const known = name === undefined ? undefined : demoRoom(Number(name));
  return packetEffect({
    words,
    ...(known === undefined
      ? { ground: `The message does not say in which room: this is room ${ROOM} of the demo server.` }
      : {}),
    palette: (element) => watchPalette(element),
    draw(fitted, palette) {
      const room = known ?? demoRoom(ROOM);
      const whole = cameraFor(fitted, room, { isWhole: fitted.height > WHOLE_PX, y: at.y });
      const camera = shifted(whole, at.x, fitted.width);
      const colour = playerColour(palette, player ?? 0);
      const look = { ...at, hsp: 0, vsp: 0, facesRight: key?.[1] !== "left", crouches: keys.down, colour };
      drawRoom(fitted, camera, room, palette);
      drawSlime(fitted, camera, look, palette, player === undefined);
      drawWater(fitted, camera, room, palette);
      const place = claimed === undefined ? "where it was" : `${at.x}, ${at.y}`;
      const label = player === undefined ? place : `player ${player}`;
      const space = new LabelSpace(fitted.width);
      if (claimed !== undefined && before !== undefined && Math.hypot(before.x - at.x, before.y - at.y) > FAR_PX) {
        const from = { ...look, ...before, colour: palette["text-dim"] };
        drawSlime(fitted, camera, from, palette, false);
        drawWay(fitted, camera, from, look, palette.correct);
        const was = { name: `${Math.round(before.x)}, ${Math.round(before.y)} before`, keys: noKeys, own: false };
        drawLabel(fitted, camera, from, was, palette, space);
      }
      if (isBeyond(fitted, camera, look)) {
        drawBeyond(fitted, camera, look, { text: label, colour: palette.correct }, palette, space);
      } else drawLabel(fitted, camera, look, { name: label, keys, own: player === undefined }, palette, space);
    },
  });
};
