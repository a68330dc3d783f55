/** The room of bodies: the tile map as the server has it, beside what one observer's client has rebuilt of it. */
import type { RoomView } from "../../game-view.ts";
import { openPlayerInfoScene } from "./scene/scene.tsx";
import "./player-info.css";

const stances: Readonly<Record<string, string>> = {
  stand: "stands",
  walk: "walks",
  run: "runs",
  teleport: "teleports",
};

export const playerInfoView: RoomView = {
  legend: [
    { mark: "pi-self", meaning: "observer" },
    { mark: "pi-local", meaning: "local" },
    { mark: "pi-external", meaning: "external" },
    { mark: "pi-view", meaning: "its view" },
    { mark: "pi-scene", meaning: "its loaded map" },
    { mark: "pi-step", meaning: "steps" },
    { mark: "pi-teleport", meaning: "teleport" },
    { mark: "pi-said", meaning: "words" },
    { mark: "pi-hit", meaning: "hit" },
    { mark: "pi-bar", meaning: "health" },
    { mark: "pi-target", meaning: "looks at" },
    { mark: "pi-animation", meaning: "animation" },
    { mark: "pi-spot", meaning: "spot animation" },
    { mark: "pi-differs", meaning: "sides differ" },
  ],
  gestures: [
    { keys: "click", does: "choose an observer" },
    { keys: "drag, wheel", does: "look around" },
  ],
  controls: [{ keys: "Play", does: "be the observer" }],
  switches: ["trails", "names"],
  newest: "server",
  describe: (_details, stance) => stances[stance] ?? stance,
  open: openPlayerInfoScene,
};
