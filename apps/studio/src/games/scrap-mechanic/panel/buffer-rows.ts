/** Everybody's inputs on the server, as its tracks tell of them. */
import type { PlayerId, Track } from "wirewalk/motion";
import { bufferOfTrack, type InputBufferState, numberOf } from "../play/figure.ts";

/** One player's inputs on the server. */
export interface BufferRow extends InputBufferState {
  readonly player: PlayerId;
  readonly name: string;
  readonly own: boolean;
  readonly chosen: boolean;
  /** How long the fastest inputs wait. */
  readonly delayMs: number;
  /** The client's seconds per second of the server's; undefined while too little is known. */
  readonly rate: number | undefined;
}

/** The names of the players, and which are one's own and chosen. */
export interface BufferPlayers {
  readonly names: ReadonlyMap<PlayerId, string>;
  readonly self: PlayerId | undefined;
  readonly chosen: PlayerId | undefined;
}

/** Oneself first, then by number. */
export function bufferRows(tracks: Iterable<Track>, { names, self, chosen }: BufferPlayers): readonly BufferRow[] {
  const rows = Array.from(tracks, (track): BufferRow => {
    const { player, details } = track;
    const rate = numberOf(details, "clockRate", 0);
    return {
      player,
      name: names.get(player) ?? `#${player}`,
      own: player === self,
      chosen: player === chosen,
      ...bufferOfTrack(track),
      delayMs: numberOf(details, "delayMs", 0),
      rate: rate > 0 ? rate : undefined,
    };
  });
  return rows.sort((a, b) => Number(b.own) - Number(a.own) || a.player - b.player);
}
