/** Which footholds a map has, and what of a map a verdict is about. Pure. */
import type { Point } from "wirewalk/maplestory";
import { type Foothold, isWall, type Ladder, type MapArea, type MapleMap, type Portal } from "wirewalk/maplestory/maps";
import type { JsonObject, JsonValue } from "wirewalk/wire";
import type { ScenePiece } from "../../game-view.ts";

/** `conveyor`: a floor that moves what stands on it. `ice`: a floor of a map with little friction. */
export type FootholdKind = "underside" | "wall" | "floor" | "ice" | "conveyor";

/** In the order in which they are drawn. */
export const footholdKinds: readonly FootholdKind[] = ["underside", "wall", "floor", "ice", "conveyor"];

export function footholdKind(foothold: Foothold, { friction }: Pick<MapleMap, "friction">): FootholdKind {
  if (isWall(foothold)) return "wall";
  if (foothold.x2 < foothold.x1) return "underside";
  if (foothold.force !== undefined && foothold.force !== 0) return "conveyor";
  return friction < 1 ? "ice" : "floor";
}

/** What of a map a verdict is about. */
export interface Evidence {
  readonly footholds: readonly Foothold[];
  readonly ladders: readonly Ladder[];
  readonly portals: readonly Portal[];
  readonly waters: readonly MapArea[];
  /** Where the path said that the player was, and what is wrong with that: the map may have nothing to show. */
  readonly place: (Point & { readonly words: string }) | undefined;
}

/** The parts of a verdict that show what it is about. */
export interface JudgedVerdict {
  readonly rule: string;
  readonly stateBefore: JsonObject;
}

const groundRules: ReadonlySet<string> = new Set(["flight", "monster-ground", "water"]);

const nothing: Evidence = { footholds: [], ladders: [], portals: [], waters: [], place: undefined };

/**
 * What a verdict is about, by the members of its evidence: `named` is the foothold that the path names wrongly, `foothold` the one that the
 * player stood on; then `wall`, `ladder`, `portal`, and the water around `at`. Of a player in the air it is the ground below.
 */
export function evidenceOf(verdict: JudgedVerdict | undefined, map: MapleMap): Evidence {
  if (verdict === undefined) return nothing;
  const { rule, stateBefore: state } = verdict;
  const { named, ladder, portal, wall, foothold } = state;
  const ids = new Set([named ?? (ladder === undefined ? foothold : undefined), wall]);
  const footholds = [...ids].flatMap((id) => (typeof id === "number" ? (map.foothold(id) ?? []) : []));
  const at = pointOf(state.at);
  const before = pointOf(state);
  if (rule === "flight" && footholds.length === 0 && before !== undefined) {
    footholds.push(...[map.below(before.x, before.y)?.foothold].filter((each) => each !== undefined));
  }
  const ladders = typeof ladder === "number" ? [map.ladder(ladder)].filter((each) => each !== undefined) : [];
  const portals = typeof portal === "number" ? [map.portal(portal)].filter((each) => each !== undefined) : [];
  const waters = at !== undefined && rule === "water" ? map.waters.filter((area) => isInArea(area, at)) : [];
  if (at === undefined) return { footholds, ladders, portals, waters, place: undefined };
  // What lies in the air may be a jump: only some rules say that the ground is missing.
  if (typeof ladder !== "number" && typeof named !== "number" && !groundRules.has(rule)) {
    return { footholds, ladders, portals, waters, place: undefined };
  }
  const words =
    typeof ladder === "number"
      ? placeWords("ladder or rope", ladder, ladders.length > 0)
      : typeof named === "number"
        ? placeWords("foothold", named, footholds.length > 0)
        : "no ground here";
  return { footholds, ladders, portals, waters, place: { ...at, words } };
}

/** The lines of what a verdict is about, each with its words. */
export function piecesOf({ footholds, ladders, portals, waters }: Evidence): readonly ScenePiece[] {
  return [
    ...footholds.map((foothold) => ({
      places: [
        { x: foothold.x1, y: foothold.y1 },
        { x: foothold.x2, y: foothold.y2 },
      ],
      words: `${isWall(foothold) ? "wall" : "ground"} ${foothold.id} of the map`,
    })),
    ...ladders.map(({ id, x, top, bottom, rope }) => ({
      places: [
        { x, y: top },
        { x, y: bottom },
      ],
      words: `${rope === true ? "rope" : "ladder"} ${id} of the map`,
    })),
    ...portals.map(({ id, name, x, y, target }) => ({
      places: [
        { x, y: y - PORTAL_PX },
        { x, y },
      ],
      words: `portal ${name === "" ? id : name}${target === undefined ? "" : ` to map ${target.mapId}`}`,
    })),
    ...waters.map(({ left, top, right }) => ({
      places: [
        { x: left, y: top },
        { x: right, y: top },
      ],
      words: "edge of the water",
    })),
  ];
}

/** How tall a portal is drawn, in the map's pixels. */
const PORTAL_PX = 60;

/** Whether there is anything to show. */
export function hasEvidence({ footholds, ladders, portals, waters, place }: Evidence): boolean {
  return footholds.length + ladders.length + portals.length + waters.length > 0 || place !== undefined;
}

function placeWords(what: string, id: number, exists: boolean): string {
  return exists ? `not on ${what} ${id}` : `no ${what} ${id}`;
}

/** The position in a JSON object, if it has one. */
export function pointOf(value: JsonValue | undefined): Point | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { x, y } = value as JsonObject;
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}

function isInArea({ left, top, right, bottom }: MapArea, { x, y }: Point): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}
