/**
 * Collision maps of Old School RuneScape: where players may step.
 *
 * @module
 */
export { Collision } from "./collision.ts";
export {
  type CollisionMaps,
  collisionMapReading,
  collisionMapsOf,
  isCollisionMaps,
  loadMaps,
} from "./collision-maps.ts";
export { MAX_REGION_BYTES, parseRegionName, REGION_TILES, Region, regionName } from "./region.ts";
