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
  clock: ({ message, value }) =>
    message === "playerMovement" && "tick" in value ? (Number(value.tick) * 1000) / TICKS_PER_SECOND : undefined,
};

const TICKS_PER_SECOND = 40;

function knownOf({ stateBefore }: Verdict): readonly KnownFact[] {
  const { tick, keys, direction, onGround, crawling, seated, tumbling } = stateBefore;
  const { bufferedTicks, allowanceMs, aheadMs, savedMs } = stateBefore;
  const body = seated
    ? "seated"
    : tumbling
      ? "tumbling"
      : `${onGround ? "on the ground" : "in the air"}${crawling ? ", crawling" : ""}`;
  return [
    ...numberFact("Last tick played", tick, (each) => `${each.toLocaleString("en-US")}, 40 a second`),
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
    ...numberFact(
      "Ticks that wait to be played",
      bufferedTicks,
      (count) => `${count}, ${secondsText((count / TICKS_PER_SECOND) * 1000)}`,
    ),
    ...numberFact("Time that it may still use at once", allowanceMs, secondsText),
    ...numberFact("Ahead of the server's clock", aheadMs, secondsText),
    ...numberFact("Ticks held back before, in all", savedMs, secondsText),
  ];
}

const keyNames: Readonly<Record<string, string>> = { horizontal: "walk" };
