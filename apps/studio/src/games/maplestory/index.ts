/** MapleStory on the page: maps with all actors as truth and as ghost, and a character to play. */

import { mapleStory } from "wirewalk/maplestory";
import { demoMapIds } from "wirewalk/maplestory/maps";
import type { PlayableProtocol } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";
import type { GameView } from "../game-view.ts";
import { openMapleScene } from "./scene/scene.tsx";
import "./maplestory.css";

/** `walk, drives 3`: the stance, and how many monsters its client drives. */
function describe(details: JsonObject | undefined, stance: string): string {
  const driven = details?.monsters;
  return typeof driven === "number" && driven > 0 ? `${stance}, drives ${driven}` : stance;
}

export const mapleStoryView: GameView = {
  protocol: mapleStory as unknown as PlayableProtocol,
  legend: [
    { mark: "maple-truth", meaning: "truth" },
    { mark: "maple-ghost", meaning: "ghost" },
    { mark: "maple-unsent", meaning: "unsent" },
    { mark: "maple-absolute", meaning: "absolute" },
    { mark: "maple-relative", meaning: "relative" },
    { mark: "maple-instant", meaning: "instant" },
    { mark: "maple-startFallDown", meaning: "drop" },
    { mark: "maple-fallDown", meaning: "falling" },
    { mark: "maple-floor", meaning: "floor" },
    { mark: "maple-wall", meaning: "wall" },
    { mark: "maple-underside", meaning: "underside" },
    { mark: "maple-ice", meaning: "ice" },
    { mark: "maple-conveyor", meaning: "conveyor" },
    { mark: "maple-rope", meaning: "rope" },
    { mark: "maple-ladder", meaning: "ladder" },
    { mark: "maple-water", meaning: "water" },
    { mark: "maple-portal", meaning: "portal" },
    { mark: "maple-unseen", meaning: "invisible portal" },
    { mark: "maple-touched", meaning: "portal that fires when touched" },
    { mark: "maple-spring", meaning: "spring" },
    { mark: "maple-pad", meaning: "where portals lead" },
    { mark: "maple-judged", meaning: "what a verdict is about" },
    { mark: "maple-arrival", meaning: "received" },
    { mark: "maple-playhead", meaning: "played" },
  ],
  gestures: [
    { keys: "click", does: "a packet, an actor" },
    { keys: "M", does: "the whole map" },
    { keys: "drag, Ctrl + wheel", does: "move, zoom" },
  ],
  controls: [
    { keys: "← →", does: "walk" },
    { keys: "↑ ↓", does: "climb, portal" },
    { keys: "space", does: "jump, ↓ drop" },
    { keys: "X", does: "sit" },
  ],
  touch: {
    stick: { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" },
    buttons: [
      { code: "Space", label: "jump" },
      { code: "KeyX", label: "sit" },
    ],
  },
  rooms: demoMapIds.map(String),
  // The town that all clients have in the middle of the first continent.
  realRooms: ["100000000"],
  describe,
  open: openMapleScene,
};
