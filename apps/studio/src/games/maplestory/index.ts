/** MapleStory on the page: maps with everybody as truth and as ghost, and a character to play oneself. */
import { demoMaps } from "wirewalk/maplestory";
import type { JsonObject } from "wirewalk/wire";
import type { GameView } from "../game-view.ts";
import { openMapleScene } from "./scene.tsx";

/** `walk, drives 3`: the stance, and how many monsters its client drives. */
function describe(details: JsonObject | undefined, stance: string): string {
  const driven = details?.monsters;
  return typeof driven === "number" && driven > 0 ? `${stance}, drives ${driven}` : stance;
}

export const mapleStoryView: GameView = {
  protocol: "maplestory",
  legend: [
    { mark: "maple-truth", meaning: "truth" },
    { mark: "maple-ghost", meaning: "ghost" },
    { mark: "maple-told", meaning: "all that the server knows" },
    { mark: "maple-untold", meaning: "not told yet" },
    { mark: "maple-absolute", meaning: "absolute" },
    { mark: "maple-relative", meaning: "relative" },
    { mark: "maple-instant", meaning: "instant" },
    { mark: "maple-startFallDown", meaning: "fall starts" },
    { mark: "maple-fallDown", meaning: "fall down" },
    { mark: "maple-arrival", meaning: "packet heard" },
    { mark: "maple-playhead", meaning: "where its ghost is" },
  ],
  controls: [
    { keys: "← →", does: "walk" },
    { keys: "space", does: "jump, with ↓ drop" },
    { keys: "↑ ↓", does: "climb, portal, lie" },
    { keys: "X", does: "sit" },
  ],
  rooms: demoMaps.map(({ mapId }) => String(mapId)),
  describe,
  open: openMapleScene,
};
