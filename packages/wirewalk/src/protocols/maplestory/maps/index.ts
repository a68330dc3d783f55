/**
 * Maps of MapleStory: what they are, and how the client's files are read.
 *
 * @module
 */
export { demoMap, demoMapIds, demoMaps } from "./demo-maps.ts";
export { type Foothold, heightAt, isFloor, isWall, type MapArea } from "./foothold.ts";
export type { GroundBelow, NearGround } from "./foothold-index.ts";
export { loadMaps } from "./load.ts";
export {
  describeFoothold,
  type Ladder,
  type MapleMap,
  type MapParts,
  type MapSeat,
  type MonsterPlan,
  type MonsterSkill,
  makeMap,
  type Omission,
  type Portal,
  portalKinds,
} from "./map.ts";
export { mapReading as mapleMapReading } from "./map-reading.ts";
export { isMapleMaps, type MapleMaps, mapleMapsOf } from "./maple-maps.ts";
export { clientPhysics, type MaplePhysics } from "./physics.ts";
