/** Maps from a short plan, for the demo maps and tests. */
import { type Ladder, type MapleMap, type MonsterPlan, makeMap, type Portal, portalKinds } from "./map.ts";

/** The parts of a map. Pixels, y downwards. */
export interface MapPlan {
  readonly mapId: number;
  readonly title: string;
  /** Lines to stand on, each from left to right; each pair of points is a foothold, numbered from 1 in this order. */
  readonly platforms: readonly (readonly (readonly [x: number, y: number])[])[];
  /** Numbered from 1. */
  readonly ladders?: readonly Omit<Ladder, "id">[];
  /** Numbered from 0. */
  readonly portals?: readonly Omit<Portal, "id" | "kind">[];
  readonly monsters?: readonly MonsterPlan[];
  readonly swims?: boolean;
}

/** Makes a map out of a plan. */
export function createMap(plan: MapPlan): MapleMap {
  const { platforms, ladders = [], portals = [], ...rest } = plan;
  let id = 0;
  return makeMap({
    ...rest,
    footholds: platforms.flatMap((line) =>
      line.slice(1).map(([x2, y2], index) => {
        const [x1, y1] = line[index] as readonly [number, number];
        id += 1;
        return { id, x1, y1, x2, y2, previous: index === 0 ? 0 : id - 1, next: index === line.length - 2 ? 0 : id + 1 };
      }),
    ),
    ladders: ladders.map((ladder, index) => ({ id: index + 1, ...ladder })),
    portals: portals.map((portal, index) => ({
      id: index,
      kind: portal.target === undefined ? portalKinds.start : portalKinds.visible,
      ...portal,
    })),
  });
}
