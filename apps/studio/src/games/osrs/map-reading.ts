/** Reads dropped maps of this game, without the rest of it. */
export { collisionMapReading as mapReading } from "wirewalk/osrs/maps";
