/** The room of mice: the mice of all sessions as the server tracks them, and one to move oneself. */
import type { RoomView } from "../../game-view.ts";
import { openMouseScene } from "./scene/scene.tsx";
import "./mouse.css";

const stances: Readonly<Record<string, string>> = {
  move: "moving",
  rest: "resting",
  outside: "outside",
  unknown: "place unknown",
};

export const mouseView: RoomView = {
  legend: [
    { mark: "mouse-speed", meaning: "0 to 2,000 px/s" },
    { mark: "mouse-rest", meaning: "rest" },
    { mark: "mouse-end", meaning: "packet ends" },
    { mark: "mouse-click", meaning: "click" },
    { mark: "mouse-exit", meaning: "left" },
    { mark: "mouse-early", meaning: "too early" },
    { mark: "mouse-human", meaning: "like a hand" },
    { mark: "mouse-unclear", meaning: "unclear" },
    { mark: "mouse-machine", meaning: "like a machine" },
    { mark: "mouse-pending", meaning: "not shown yet" },
  ],
  controls: [{ keys: "mouse", does: "move, click to send" }],
  describe: (_details, stance) => stances[stance] ?? stance,
  open: openMouseScene,
};
