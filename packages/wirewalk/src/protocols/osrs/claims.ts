/** Places in the observations of OSRS: a mouse packet is read with the memory of its session. */
import type { Position, Verdict } from "../../motion/index.ts";
import type { Calculation } from "../calculation.ts";
import type { Claims, KnownFact } from "../claims.ts";
import { isLeast, quantityText } from "../quantity.ts";
import { osrsGlossary } from "./world/glossary.ts";

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
  sums: sumsOf,
};

/** Shares are counted: the reason has the counts. */
function sumsOf({ reason, unit }: Verdict): readonly Calculation[] {
  const [, some, all] = /^(\d+) of (\d+) /.exec(reason) ?? [];
  if (unit !== "share" || some === undefined || all === undefined) return [];
  const what = "Movements of which it holds, of all that were looked at";
  const terms = [{ value: Number(some) }, { by: "÷", value: Number(all) } as const];
  return [{ gives: "measured", lines: [{ what, terms, unit: "share" }] }];
}

interface MouseFinding {
  readonly rule: string;
  readonly measured: number;
  readonly allowed: number;
  readonly unit: string;
}

interface MouseState {
  readonly packets?: number;
  readonly score?: number;
  readonly findings?: readonly MouseFinding[];
  readonly summary?: { readonly strokes: number; readonly durationMs: number };
}

/** No number of findings is a proof. */
const MOST_PERCENT = 99.9;

function knownOf({ rule, stateBefore }: Verdict): readonly KnownFact[] {
  const { score, findings = [], summary } = stateBefore as unknown as MouseState;
  const names: Readonly<Record<string, { readonly title: string } | undefined>> = osrsGlossary;
  return [
    ...(summary === undefined
      ? []
      : [
          {
            name: "Mouse movements that were looked at",
            value: `${summary.strokes} in ${(summary.durationMs / 1000).toFixed(0)} s`,
          },
        ]),
    ...(score === undefined
      ? []
      : [
          {
            name: "All rules of the mouse together",
            value: `${Number(Math.min(MOST_PERCENT, score * 100).toFixed(1))} % like a program; 0 % is like a hand`,
          },
        ]),
    ...findings
      .filter((found) => found.rule !== rule)
      .map(({ rule: of, measured, allowed, unit }) => {
        const people = `people ${isLeast(unit) ? "at least" : "at most"} ${quantityText(allowed, unit, measured)}`;
        return { name: names[of]?.title ?? of, value: `${quantityText(measured, unit, allowed)}; ${people}` };
      }),
  ];
}
