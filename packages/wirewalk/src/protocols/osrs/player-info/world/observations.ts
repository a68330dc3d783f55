/** What spectators see of the bodies: tracks, and the stream of a followed player's client. */
import type { PlayerId, Track } from "../../../../motion/index.ts";
import { formatHex, type JsonObject } from "../../../../wire/index.ts";
import type { Observation } from "../../../world-kit/index.ts";
import type { PlayerInfoState } from "../wire/client-state.ts";
import type { PlayerInfoEngine } from "../wire/engine/engine.ts";
import type { Walker } from "./walker.ts";

/** The one room of all bodies. */
export const PLAYER_INFO_ROOM = "world";

/** Where a player is, and what its client has in view. `perSecond`: ticks in a second. */
export function trackOf(walker: Walker, engine: PlayerInfoEngine, nowMs: number, perSecond: number): Track {
  const { id, index, name, dx, dz, orientation, stance, packetBytes } = walker;
  const { level, x, z } = engine.tileOf(index);
  return {
    player: id,
    room: PLAYER_INFO_ROOM,
    atMs: nowMs,
    position: { x, y: z, level },
    velocity: stance === "teleport" ? { x: 0, y: 0 } : { x: dx * perSecond, y: dz * perSecond },
    facingTurns: turnsOf(orientation),
    stance,
    source: "simulated",
    details: {
      index,
      name,
      local: engine.localCountOf(index),
      viewDistance: engine.viewDistanceOf(index),
      packetBytes,
    },
  };
}

/** As a track has it. East is 1536 and north 1024 of 2048: the game turns clockwise, a screen counter-clockwise. */
export function turnsOf(orientation: number): number {
  return ((1536 - orientation) & 2047) / 2048;
}

/** `player-info-start`: what the player's client knows now. */
export function startOf(player: PlayerId, state: PlayerInfoState): Observation {
  return toFollowers(player, "player-info-start", { index: state.index, dialect: state.dialect, state });
}

/** `player-info`: the packet that the player was sent. */
export function packetOf(player: PlayerId, packet: Uint8Array): Observation {
  return toFollowers(player, "player-info", { hex: formatHex(packet, { separator: "" }) });
}

function toFollowers(player: PlayerId, what: string, data: JsonObject): Observation {
  return { player, room: PLAYER_INFO_ROOM, what, data, toFollowers: true };
}
