/** Old School RuneScape on the page: each of its rooms is a part of the game with a view of its own. */
import { osrs } from "wirewalk/osrs";
import type { PlayableProtocol } from "wirewalk/protocol";
import type { GameView } from "../game-view.ts";
import { mouseView } from "./mouse/index.ts";
import { playerInfoView } from "./player-info/index.ts";

export const osrsView: GameView = {
  ...playerInfoView,
  protocol: osrs as unknown as PlayableProtocol,
  rooms: ["world", "mouse"],
  views: { world: playerInfoView, mouse: mouseView },
};
