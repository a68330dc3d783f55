/**
 * The visitor's own player: a session on the game's socket. The world moves it. Its packets are shown like those of any
 * player, through the feed.
 */
import { osrs } from "wirewalk/osrs";
import { GameSession } from "../../../game-session.ts";
import type { PlaySession, PlayState, Stage } from "../../../game-view.ts";

export function playBody(stage: Stage, changed: (state: PlayState) => void): PlaySession {
  return new GameSession({
    stage,
    // With the server's opcodes.
    protocol: osrs.capabilities.settings?.configure(stage.watched.world.settings) ?? osrs,
    changed,
    onOpen: () => changed({ state: "playing" }),
    onMessage: () => {},
  });
}
