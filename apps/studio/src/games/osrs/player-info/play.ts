/**
 * A body of one's own in the world: a session on the game's socket. The world walks it about, and what it is told of the
 * others is looked at like any player's, through the feed.
 */
import { type Client, connectClient } from "wirewalk/client";
import { connectWebSocket } from "wirewalk/net";
import { osrs } from "wirewalk/osrs";
import type { PlaySession, PlayState, Stage } from "../../game-view.ts";

export function playBody(stage: Stage, changed: (state: PlayState) => void): PlaySession {
  const { dialect, settings } = stage.watched.protocol;
  // With the server's opcodes.
  const protocol = osrs.configure?.(settings) ?? osrs;
  let client: Client | undefined;
  let over = false;
  const finish = (reason: string | undefined): void => {
    if (over) return;
    over = true;
    changed({ state: "over", reason });
  };
  changed({ state: "joining" });
  connectWebSocket(stage.gameUrl()).then(
    (transport) => {
      if (over) {
        transport.close("left");
        return;
      }
      client = connectClient({
        protocol,
        dialect,
        transport,
        onMessage: () => {},
        onRefused: (_error, payload) => stage.log({ sender: "server", payload }),
        onClosed: (reason) => finish(`The game’s connection is over: ${reason}.`),
      });
      changed({ state: "playing" });
    },
    (error: unknown) => finish(error instanceof Error ? error.message : String(error)),
  );
  return {
    leave() {
      finish(undefined);
      client?.close("left");
    },
  };
}
