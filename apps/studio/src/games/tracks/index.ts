/** A game that this page has no drawing for: its players by the tracks that every game has, on a plain grid. */
import type { RoomView } from "../game-view.ts";
import { openTracksScene } from "./scene.ts";

export const tracksView: RoomView = {
  legend: [
    { mark: "player", meaning: "player" },
    { mark: "trail", meaning: "last 2.5 s" },
    { mark: "verdict", meaning: "verdict" },
  ],
  controls: [],
  gestures: [{ keys: "click", does: "a player" }],
  switches: ["trails", "names"],
  describe: (_details, stance) => stance,
  open: openTracksScene,
};
