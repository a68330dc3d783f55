/** How late a player's messages may be, by its connection and by long stalls (docs/protocols/slime-online-2.md, standard 8.4). */
import type { PositionContext } from "./judging.ts";
import type { SlimeRuleLimits } from "./limits.ts";
import { lineOf } from "./pings.ts";
import type { Player } from "./player.ts";

/** A gap from here on may be a lost packet: the shortest time after which Linux sends one again. */
const LOST_MS = 200;

/** A message has arrived; `stalledMs` are all stalls of this process until now. */
export function noteArrival(player: Player, nowMs: number, stalledMs: number, rules: SlimeRuleLimits): void {
  const gapMs = nowMs - player.pace.atMs;
  // Its end looks like teleports: the document's rule forgives 5.7 s of running.
  if (gapMs >= rules.stallMs) {
    player.silenceMs = gapMs;
    player.burstUntilMs = nowMs + rules.stallBurstMs;
    player.burstCounted = false;
  } else if (gapMs >= LOST_MS && player.pace.atMs <= player.burstUntilMs) {
    // A packet of the burst was lost again: the next part of it. What it claims is not measured by the silence once more, or a
    // leap in each part would never count.
    player.silenceMs = 0;
    player.burstUntilMs = nowMs + rules.stallBurstMs;
    player.burstCounted = false;
  }
  const ownMs = stalledMs - player.stalledMs;
  player.pace.arrived(nowMs, ownMs);
  player.owedMs += ownMs;
  player.stalledMs = stalledMs;
}

/** Notes a teleport; false when one was counted of the same part of a burst: that is one accident, however many messages it was. */
export function countTeleport(player: Player, nowMs: number): boolean {
  const isSameStall = nowMs <= player.burstUntilMs && player.burstCounted;
  player.burstCounted = true;
  return !isSameStall;
}

/** @param policy what follows from a position that is too far away. */
export function positionContext(
  player: Player,
  nowMs: number,
  policy: Omit<PositionContext, "nowMs" | "lateMs" | "line" | "silenceMs" | "limits">,
): PositionContext {
  const { pace, limits, silenceMs, burstUntilMs } = player;
  const line = lineOf(player.pings, nowMs);
  return { ...policy, nowMs, lateMs: pace.lateMs, line, silenceMs: nowMs <= burstUntilMs ? silenceMs : 0, limits };
}
