/** A verdict as JSON, for pages and for the evidence of a ban. */
import type { Verdict } from "wirewalk/motion";
import { formatHex } from "wirewalk/wire";

/** Bytes of a verdict's message that are kept: no movement message is longer. */
const MAX_MESSAGE_BYTES = 1024;

/** A verdict as JSON, its message as hex without spaces. */
export function verdictJson(verdict: Verdict) {
  return {
    kind: verdict.kind,
    rule: verdict.rule,
    reason: verdict.reason,
    player: verdict.player,
    room: verdict.room,
    atMs: verdict.atMs,
    measured: verdict.measured ?? null,
    allowed: verdict.allowed ?? null,
    unit: verdict.unit ?? null,
    message: formatHex(verdict.message.subarray(0, MAX_MESSAGE_BYTES), { separator: "" }),
    stateBefore: verdict.stateBefore,
  } as const;
}
