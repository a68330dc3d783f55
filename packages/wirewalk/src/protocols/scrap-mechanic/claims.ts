/** Places in the verdicts of Scrap Mechanic: clients send keys, so only the server names places. */
import type { Claims } from "../claims.ts";

/** Capability `claims`. */
export const scrapClaims: Claims = {
  unit: "m",
  isYDown: false,
  before({ stateBefore: { x, y, z } }) {
    return typeof x === "number" && typeof y === "number"
      ? { x, y, ...(typeof z === "number" ? { z } : {}) }
      : undefined;
  },
};
