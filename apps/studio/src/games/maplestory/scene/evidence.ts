/** Which footholds a map has, and which of them a verdict is about. Pure. */
import { type Foothold, isWall, type MapleMap } from "wirewalk/maplestory/maps";
import type { JsonObject } from "wirewalk/wire";

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

/**
 * The footholds that a verdict is about, by the members of its evidence: `named`, the foothold that the path names wrongly, else `foothold`, the one
 * that the player stood on; and `wall`.
 */
export function evidenceOf(state: JsonObject | undefined, map: MapleMap): readonly Foothold[] {
  const ids = new Set([state?.named ?? state?.foothold, state?.wall]);
  return [...ids].flatMap((id) => (typeof id === "number" ? (map.foothold(id) ?? []) : []));
}
