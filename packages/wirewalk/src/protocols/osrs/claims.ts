/** Places in the observations of OSRS: a mouse packet is read with the memory of its session. */
import type { Position } from "../../motion/index.ts";
import type { Claims } from "../claims.ts";

interface MousePoints {
  readonly points?: readonly (Position & { readonly known: boolean; readonly outside: boolean })[];
}

/** Capability `claims`. Pixels of the client's window. */
export const osrsClaims: Claims = {
  unit: "px",
  isYDown: true,
  observed({ what, data }) {
    if (what !== "mouse-packet") return [];
    const { points = [] } = data as unknown as MousePoints;
    return points.filter(({ known, outside }) => known && !outside).map(({ x, y }) => ({ x, y }));
  },
};
