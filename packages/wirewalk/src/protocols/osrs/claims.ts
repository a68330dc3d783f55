/** Places in the observations of OSRS: a mouse packet is read with the memory of its session. */
import type { Position, Verdict } from "../../motion/index.ts";
import type { Claims, KnownFact } from "../claims.ts";

interface MousePoints {
  readonly points?: readonly (Position & { readonly known: boolean; readonly outside: boolean })[];
}

/** Capability `claims`. Pixels of the client's window. */
export const osrsClaims: Claims = {
  unit: "px",
  isYDown: true,
  mover: ({ message }) => (message === "mouseMove" ? "mouse pointer" : undefined),
  observed({ what, data }) {
    if (what !== "mouse-packet") return [];
    const { points = [] } = data as unknown as MousePoints;
    return points.filter(({ known, outside }) => known && !outside).map(({ x, y }) => ({ x, y }));
  },
  known: knownOf,
};

interface MouseState {
  readonly packets?: number;
  readonly score?: number;
  readonly findings?: readonly { readonly reason: string }[];
  readonly summary?: { readonly strokes: number; readonly durationMs: number; readonly pathPx: number };
}

function knownOf({ stateBefore }: Verdict): readonly KnownFact[] {
  const { packets, score, findings = [], summary } = stateBefore as unknown as MouseState;
  return [
    ...(packets === undefined
      ? []
      : [{ name: "Messages of the mouse so far", value: packets.toLocaleString("en-US") }]),
    ...(summary === undefined
      ? []
      : [
          {
            name: "Movements that were looked at",
            value: `${summary.strokes} strokes in ${(summary.durationMs / 1000).toFixed(0)} s`,
          },
        ]),
    ...(score === undefined
      ? []
      : [{ name: "Suspicion of all rules together", value: `${Math.min(99.9, score * 100).toFixed(1)} % of 100 %` }]),
    ...findings.map(({ reason }, index) => ({ name: index === 0 ? "What adds up to it" : "and", value: reason })),
  ];
}
