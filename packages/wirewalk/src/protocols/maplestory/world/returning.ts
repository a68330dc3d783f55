/**
 * Players of `documented` that connect again: the dialect has no login and no message that places a player, so where they were
 * shows in their first path alone. Source: docs/protocols/maplestory.md 8.2.2.
 */
import type { Point } from "../wire/messages.ts";
import type { Judgement } from "./judgement.ts";
import type { WorldParts } from "./parts.ts";
import type { Player } from "./player.ts";
import type { Room } from "./room.ts";

/** A client may play on for so long while it has no connection, milliseconds (ours). */
const PLAYED_ON_MS = 6000;

/** Keeps where a player is that disconnects, once it has sent a path. */
export function keepPoint({ left }: WorldParts, player: Player, nowMs: number): void {
  const { joining, room, x, y, start, anewMs, gain } = player;
  const { account } = joining;
  if (room === undefined || start !== "exact") return;
  // It may be the one that had left something here: nobody goes back and forth between two places by connecting again.
  const before =
    anewMs === undefined ? undefined : left.of(account, room.name, nowMs).find(({ leftMs }) => leftMs <= anewMs);
  if (before !== undefined) left.take(account, before.id);
  left.add({ account, room: room.name, leftMs: nowMs, kept: { x, y, heldPx: gain.heldPx } });
}

/** What a client may have played before the server knew, at most what has passed since its account left this map. */
export function entryCreditMs({ left, voice }: WorldParts, player: Player, room: Room, nowMs: number): number {
  const [last] = left.of(player.joining.account, room.name, nowMs);
  return last === undefined ? voice.entryCreditMs : Math.min(voice.entryCreditMs, nowMs - last.leftMs);
}

/** Judges where the first path of a player starts whose account left something on this map. On unknown maps that is anywhere. */
export function judgeReturn(
  { left, limits }: WorldParts,
  player: Player,
  room: Room,
  start: Point,
  nowMs: number,
): Judgement | undefined {
  const { account } = player.joining;
  const places = left.of(account, room.name, nowMs);
  if (places.length === 0 || room.map === undefined) return undefined;
  const fitting = places.find(({ kept, leftMs }) => {
    const seconds = Math.min(nowMs - leftMs, PLAYED_ON_MS) / 1000;
    const { documentedStartPx, walkPxPerSecond, fallPxPerSecond } = limits;
    return (
      Math.abs(start.x - kept.x) <= documentedStartPx + walkPxPerSecond * seconds &&
      Math.abs(start.y - kept.y) <= documentedStartPx + fallPxPerSecond * seconds
    );
  });
  if (fitting !== undefined) {
    left.take(account, fitting.id);
    player.gain = { ...player.gain, heldPx: player.gain.heldPx + fitting.kept.heldPx };
    return undefined;
  }
  player.anewMs = nowMs;
  const gaps = room.map.portals.map(({ x, y }) => Math.hypot(x - start.x, y - start.y));
  const gapPx = Math.min(...gaps);
  if (gapPx <= limits.entryPx) return undefined;
  const portal = room.map.portals[gaps.indexOf(gapPx)];
  const reason = "Comes back far from where it left and from every portal";
  const about = {
    ...(portal && { portal: portal.id, from: { x: portal.x, y: portal.y } }),
    at: { x: start.x, y: start.y },
  };
  return { kind: "flag", rule: "teleport", reason, measured: gapPx, allowed: limits.entryPx, unit: "px", about };
}
