/** Places in the verdicts of Scrap Mechanic: clients send keys, so only the server names places. */
import type { Verdict } from "../../motion/index.ts";
import { type Claims, type KnownFact, numberFact, secondsText } from "../claims.ts";
import { keySets } from "./wire/player-movement.ts";

/** Capability `claims`. */
export const scrapClaims: Claims = {
  unit: "m",
  isYDown: false,
  before({ stateBefore: { x, y, z } }) {
    return typeof x === "number" && typeof y === "number"
      ? { x, y, ...(typeof z === "number" ? { z } : {}) }
      : undefined;
  },
  known: knownOf,
  did: didOf,
  clock: ({ message, value }) =>
    message === "playerMovement" && "tick" in value ? (Number(value.tick) * 1000) / TICKS_PER_SECOND : undefined,
};

const TICKS_PER_SECOND = 40;

/** What rules of single packets look at; the others look at the clock. */
const clockRules: ReadonlySet<string> = new Set(["fast-clock", "saved-up", "tick-ahead", "replayed-tick"]);

/** Rules with several findings, which their reasons tell apart. */
function didOf({ rule, unit }: Verdict): string | undefined {
  if (rule === "fast-clock" && unit === "ms ahead")
    return "played ahead of time: its steps are {measured} before they are due";
  if (rule === "replayed-tick" && unit === "packets/s")
    return "sent {measured} with steps that had been played already, and a network brings {allowed} at most";
  return undefined;
}

function knownOf({ rule, stateBefore }: Verdict): readonly KnownFact[] {
  const { keys, direction, onGround, crawling, seated, tumbling } = stateBefore;
  const { bufferedTicks, allowanceMs, aheadMs, savedMs } = stateBefore;
  if (clockRules.has(rule)) {
    return [
      ...numberFact(
        "Steps that came too early and wait for their time",
        bufferedTicks,
        (count) => `${count}, which are ${secondsText((count / TICKS_PER_SECOND) * 1000)} of play (40 steps a second)`,
      ),
      ...numberFact("How far ahead of its schedule it is by now", aheadMs, secondsText),
      ...numberFact("How much of that the rule would still leave alone", allowanceMs, secondsText),
      ...(rule === "saved-up" ? numberFact("Played at once after pauses, in all", savedMs, secondsText) : []),
    ];
  }
  const body = seated
    ? "seated"
    : tumbling
      ? "tumbling"
      : `${onGround ? "on the ground" : "in the air"}${crawling ? ", crawling" : ""}`;
  return [
    ...(onGround === undefined ? [] : [{ name: "Body", value: body }]),
    ...numberFact("Held keys", keys, (byte) => {
      const held = Object.entries(keySets[byte] ?? {}).flatMap(([key, isHeld]) =>
        isHeld ? [keyNames[key] ?? key] : [],
      );
      return held.length === 0 ? "none" : held.join(", ");
    }),
    ...numberFact(
      "Direction of its walk",
      direction,
      (turn) => `${Math.round((turn / 256) * 360)}° from where it looks`,
    ),
  ];
}

const keyNames: Readonly<Record<string, string>> = { horizontal: "walk" };
