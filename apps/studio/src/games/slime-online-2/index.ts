/** Slime Online 2 on the page: rooms seen from the side, slimes with their held keys, and one for the visitor to play. */

import type { PlayableProtocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { demoRooms } from "wirewalk/slime-online-2/maps";
import type { JsonObject } from "wirewalk/wire";
import type { GameView } from "../game-view.ts";
import { openSlimeScene } from "./scene/scene.ts";

const arrows: readonly [key: string, arrow: string][] = [
  ["left", "←"],
  ["right", "→"],
  ["up", "↑"],
  ["down", "↓"],
];

/** The stance and the held keys: `walk →`. */
function describe(details: JsonObject | undefined, stance: string): string {
  const held = arrows.filter(([key]) => details?.[key] === true).map(([, arrow]) => arrow);
  return held.length === 0 ? stance : `${stance} ${held.join("")}`;
}

export const slimeOnline2View: GameView = {
  protocol: slimeOnline2 as unknown as PlayableProtocol,
  legend: [
    { mark: "self", meaning: "you, predicted here" },
    { mark: "player", meaning: "others" },
    { mark: "trail", meaning: "last 2.5 s" },
    { mark: "keys", meaning: "held keys" },
    { mark: "server", meaning: "the server’s view" },
    { mark: "verdict", meaning: "verdict" },
    { mark: "corrected", meaning: "corrected" },
  ],
  controls: [
    { keys: "← →", does: "walk" },
    { keys: "↑", does: "jump, swim up" },
    { keys: "↓", does: "crouch" },
  ],
  touch: {
    stick: { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" },
    buttons: [{ code: "ArrowUp", label: "jump" }],
  },
  rooms: demoRooms.map(({ room }) => String(room)),
  describe,
  open: openSlimeScene,
};
