/** Scrap Mechanic on the page: the ground from above, what the server has against what is predicted, and one to play. */

import type { PlayableProtocol } from "wirewalk/protocol";
import { scrapMechanic } from "wirewalk/scrap-mechanic";
import type { JsonObject } from "wirewalk/wire";
import type { GameView } from "../game-view.ts";
import { describeKeys } from "./play/figure.ts";
import { openScrapScene } from "./scene/scene.tsx";
import "./scrap.css";

/** `sprint ↑`: the stance and the held keys, without what the stance says already. */
function describe(details: JsonObject | undefined, stance: string): string {
  const held = describeKeys(details)
    .split(" ")
    .filter((word) => word !== stance);
  return [stance, ...held].join(" ").trim();
}

export const scrapMechanicView: GameView = {
  protocol: scrapMechanic as unknown as PlayableProtocol,
  legend: [
    { mark: "scrap-self", meaning: "you" },
    { mark: "scrap-other", meaning: "others" },
    { mark: "scrap-truth", meaning: "server’s truth" },
    { mark: "scrap-corrected", meaning: "corrected" },
    { mark: "scrap-look", meaning: "look" },
    { mark: "scrap-pitch", meaning: "pitch" },
    { mark: "scrap-shadow", meaning: "jump" },
    { mark: "scrap-ceiling", meaning: "low ceiling" },
    { mark: "scrap-ramp", meaning: "ramp and cliff" },
    { mark: "scrap-seat", meaning: "seat" },
    { mark: "scrap-buffer", meaning: "inputs waiting" },
    { mark: "scrap-keys", meaning: "held keys" },
  ],
  controls: [
    { keys: "W A S D", does: "walk" },
    { keys: "Shift", does: "sprint" },
    { keys: "C", does: "crawl" },
    { keys: "Space", does: "jump" },
    { keys: "E", does: "sit down, stand up" },
    { keys: "mouse", does: "look" },
    { keys: "right button", does: "aim" },
  ],
  gestures: [{ keys: "wheel", does: "zoom" }],
  touch: {
    stick: { left: "KeyA", right: "KeyD", up: "KeyW", down: "KeyS" },
    buttons: [
      { code: "Space", label: "jump" },
      { code: "ShiftLeft", label: "sprint" },
      { code: "KeyC", label: "crawl" },
      { code: "KeyE", label: "sit" },
    ],
  },
  hasLine: true,
  rooms: ["1"],
  describe,
  open: openScrapScene,
};
