/** A world of Slime Online 2 beside another server: a player is where that server puts it. */
import type { Shadowing } from "../shadow.ts";
import type { SlimeServerMessage } from "./wire/codec.ts";
import { SlimeWorld } from "./world/world.ts";

/** Capability `shadow`. */
export const slimeShadow: Shadowing = {
  unknownRules: [],
  observe(world, player, message, nowMs) {
    const sent = message as SlimeServerMessage;
    if (!(world instanceof SlimeWorld)) return;
    if (sent.message === "warp" && sent.value.kind === "command") {
      const { room, x, y } = sent.value;
      world.warp(player, room, x, y, nowMs);
    }
    // The correction of this player or of another: the client's own id at the other server is not known.
    if (sent.message === "position") world.allowAnywhere(player, nowMs);
  },
};
