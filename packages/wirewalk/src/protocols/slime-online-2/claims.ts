/** Places in the messages and verdicts of Slime Online 2. */
import type { Position, Verdict } from "../../motion/index.ts";
import type { Claims, Envelope } from "../claims.ts";
import type { SlimeClientMessage } from "./wire/codec.ts";

/** The last accepted position, as `stateJson` writes it. */
interface Baseline {
  readonly x: number;
  readonly y: number | null;
}

/** Capability `claims`. */
export const slimeClaims: Claims = {
  unit: "px",
  isYDown: true,
  of(message, _dialect, before) {
    const { x, y = before?.y } = placeOf(message as SlimeClientMessage) ?? {};
    return x === undefined || y === undefined ? [] : [{ x, y }];
  },
  before: beforeOf,
  envelope(verdict) {
    const before = beforeOf(verdict);
    const { rule, allowed } = verdict;
    if (before === undefined || allowed === undefined) return undefined;
    if (rule === "teleport") return { shape: "circle", ...before, radius: allowed };
    if (rule !== "unreachable") return undefined;
    return alongAxis(before, verdict);
  },
};

/** The rule measures one axis: the reason names it (`judging.ts`). Up and down differ in speed, so only the side that was judged is known. */
function alongAxis(before: Position, { reason, allowed = 0 }: Verdict): Envelope | undefined {
  if (reason.startsWith("Moved")) return { shape: "box", left: before.x - allowed, right: before.x + allowed };
  if (reason.startsWith("Rose")) return { shape: "box", top: before.y - allowed };
  return reason.startsWith("Fell") ? { shape: "box", bottom: before.y + allowed } : undefined;
}

function placeOf(message: SlimeClientMessage): { readonly x: number; readonly y: number | undefined } | undefined {
  if (message.message !== "movePlayer") return undefined;
  const { x, y } = message.value as { readonly x?: number; readonly y?: number };
  return x === undefined ? undefined : { x, y };
}

/** What positions are measured from: the last accepted one, else where the player is believed to be. */
function beforeOf({ stateBefore }: Verdict): { readonly x: number; readonly y: number } | undefined {
  const baseline = stateBefore.baseline as unknown as Baseline | null | undefined;
  const { x, y } = stateBefore;
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  return baseline === null || baseline === undefined ? { x, y } : { x: baseline.x, y: baseline.y ?? y };
}
