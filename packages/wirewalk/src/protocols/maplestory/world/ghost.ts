/** Ghosts: where clients of a dialect draw a player, played back from its accepted paths. They make up the tracks. */

import type { Track } from "../../../motion/index.ts";
import { maplePlayback } from "../movement/native-playback.ts";
import type { PlaybackPolicy } from "../movement/playback.ts";
import type { DialectRules } from "../wire/dialect.ts";
import { characterOf, type Player } from "./player.ts";
import type { Room } from "./room.ts";

/** A ghost as the clients of a dialect play it. */
export function createGhost({ name }: DialectRules): PlaybackPolicy {
  const wanted = name === "documented" ? "documented" : "native";
  const policy = maplePlayback("player").find((info) => info.name === wanted);
  if (policy === undefined) throw new Error("Cannot happen: every dialect has its policy");
  return policy.create();
}

/** A player's track: the ghost's position, or the known one before the first path. */
export function trackOf(player: Player, room: Room, dialect: DialectRules, nowMs: number): Track {
  const point = player.ghost.sample(nowMs);
  const state = point?.state ?? player.state;
  return {
    player: player.id,
    room: room.name,
    atMs: nowMs,
    position: { x: point?.x ?? player.x, y: point?.y ?? player.y },
    velocity: { x: point?.vx ?? 0, y: point?.vy ?? 0 },
    facingTurns: (state & 1) === 1 ? 0.5 : 0,
    stance: dialect.fragments.stanceOf(state),
    source: point === undefined || point.source === "guessed" ? "guessed" : "claimed",
    details: {
      name: player.joining.name,
      characterId: characterOf(player),
      hidden: player.isHidden,
      foothold: player.foothold,
      monsters: room.control.countOf(player.id),
    },
  };
}
