/**
 * What corrections of a player add up to, and what survives when it disconnects: one correction is an accident, many of them
 * are a cheat, also over hours and over connections.
 *
 * Source: docs/protocols/maplestory.md 8.2.2.
 */
import { CorrectionRecord, type Verdict } from "../../../motion/index.ts";
import { copyPlain } from "../../world-kit/index.ts";
import type { WorldParts } from "./parts.ts";
import type { Departed, Player } from "./player.ts";
import { KEPT_EVIDENCE, MAX_DEPARTED } from "./rules.ts";

/** Counts a correction. Too many of them end in a ban. */
export function countCorrection(world: WorldParts, player: Player, verdict: Verdict): void {
  const { atMs, message } = verdict;
  if (!player.corrections.add(atMs)) return;
  // The verdict itself belongs to the taker of the effects.
  player.evidence.push(copyPlain(verdict));
  if (player.evidence.length > KEPT_EVIDENCE) player.evidence.shift();
  const exceeded = player.corrections.exceeded(atMs);
  if (exceeded === undefined) return;
  const { count, withinMs } = exceeded;
  const measured = player.corrections.count(atMs, withinMs);
  const reason = `Corrected more than ${count} times in ${withinMs / 60_000} minutes`;
  const unit = `corrections in ${withinMs / 60_000} min`;
  world.judge(player, { kind: "flag", rule: "corrections", reason, measured, allowed: count, unit }, message, atMs);
  const evidence = player.evidence.splice(0);
  player.corrections.clear();
  const { account } = player.joining;
  world.effects.ban({ player: player.id, account, reason, durationMs: world.limits.banMs, evidence });
  world.effects.close(player.id, "banned");
}

/**
 * A character's key among those that left. Nobody proves a character, so it comes back only where it was: another address could
 * take its place and leave it with corrections.
 */
function departedKey({ joining: { account }, characterId }: Player): string {
  return `${account} ${characterId}`;
}

/** Keeps what a character must not lose by connecting again. */
export function keepDeparted({ departed, limits }: WorldParts, player: Player, nowMs: number): void {
  const { characterId, room, x, y, gain, supposed, corrections, evidence } = player;
  if (characterId === undefined || room === undefined) return;
  for (const [id, { leftMs }] of departed) {
    if (departed.size < MAX_DEPARTED && nowMs - leftMs < limits.departedMs) break;
    departed.delete(id);
  }
  const key = departedKey(player);
  departed.delete(key);
  const saved = {
    ...(supposed === undefined ? {} : { supposed }),
    corrections: corrections.save(),
    evidence: [...evidence],
  };
  departed.set(key, { leftMs: nowMs, room: room.name, x, y, gain, ...saved });
}

/** Gives a character what it had when it left, if that is not too long ago. Returns where it was. */
export function takeDeparted({ departed, limits }: WorldParts, player: Player, nowMs: number): Departed | undefined {
  const key = departedKey(player);
  const kept = departed.get(key);
  if (kept === undefined) return undefined;
  departed.delete(key);
  if (nowMs - kept.leftMs >= limits.departedMs) return undefined;
  player.gain = kept.gain;
  player.corrections = new CorrectionRecord(limits.corrections, kept.corrections);
  player.evidence.push(...kept.evidence);
  return kept;
}
